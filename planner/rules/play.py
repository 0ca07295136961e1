"""What the referee's face of a rule looks at, and what it answers: a move in play, findings, results of rolls."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING

from planner.world.forces import Marker, Unit
from planner.world.position import Stop, UnitProgress

if TYPE_CHECKING:
    from planner.rules.base import Rule, Way
    from planner.rules.game import Game
    from planner.world.position import Position


@dataclass(frozen=True)
class Finding:
    """A rule broken, as a rule reports it; the referee adds unit, move, step and hex.

    Attributes
    ----------
    paragraph : str
        The printed paragraph that forbids it.
    message : str
        One sentence, as a player would say it.
    blame : tuple of str
        The units that stand in the way, in the order of the scenario.
    at : str or None
        The hex, where it is not the hex being entered.
    step : int or None
        The step, where it is not the one being made.
    unit : str or None
        The unit that breaks it, of several who make a step together; None for the first of them.
    left, cost : Fraction or None
        Of a step that can't be paid: the MP that remain, and what it costs.
    amounts : tuple of (str, Fraction)
        What the sentence names besides, or rests on: found (what there is), most (allowed, or survived), needed, attack,
        defense.
    """

    paragraph: str
    message: str
    blame: tuple[str, ...] = ()
    at: str | None = None
    step: int | None = None
    left: Fraction | None = None
    cost: Fraction | None = None
    amounts: tuple[tuple[str, Fraction], ...] = ()
    unit: str | None = None


NO_MP = Fraction(0)


@dataclass(frozen=True)
class Resolution:
    """Something that a combat may lead to.

    Attributes
    ----------
    probability : Fraction
        How likely it is.
    good : bool
        Whether the attackers hold the hex.
    demoralized : tuple of str
        The units of both sides that it demoralizes.
    destroyed : tuple of (str, str)
        The units of both sides that it destroys, with the boxes to which they go.
    moved : tuple of (str, str)
        The units that go back, with the hexes to which they do.
    text : str
        The same in words.
    entries : frozenset of (int, int)
        The entries of the table that lead to it.
    """

    probability: Fraction
    good: bool
    demoralized: tuple[str, ...] = ()
    destroyed: tuple[tuple[str, str], ...] = ()
    moved: tuple[tuple[str, str], ...] = ()
    text: str = ""
    entries: frozenset[tuple[int, int]] = frozenset()


@dataclass
class MoveInPlay:
    """A move while the referee plays it.

    Attributes
    ----------
    game : Game
        What doesn't change.
    position : Position
        The board as it stands; the moving unit is where it has got to.
    unit : Unit
        The unit that moves.
    origin : str
        The hex that it leaves with this step.
    to : str
        The hex that it enters.
    step : int
        The index of `to` in the path; 0 before the first step.
    overrun : bool
        Whether the step is declared an overrun.
    carrier : str or None
        The marker that is named to carry the unit, empty where none is, None where the step isn't said to be carried.
    way : Way or None
        The rule as whose step the step is read; None before the first.
    zones : tuple of str
        The naval zones that the step may cross; none for a step that crosses none.
    before : tuple of (str, tuple of str) or None
        The procedure of the step before and the zones that it may have crossed; None for the first step of the phase.
    spent : Fraction
        MP spent so far, this step included once it is paid.
    had : Fraction
        MP spent before this step.
    tallies : mapping from rule ids to Fraction
        What rules have added up of its steps so far.
    tallied : mapping from rule ids to Fraction
        What they had before this step.
    removed : tuple of str
        Enemies eliminated by this step.
    moved : bool
        Whether the unit has been moved before in this phase.
    in_hand : bool
        Whether its move isn't over, since nobody else has moved after it.
    companions : frozenset of str
        The units that make the step with it; once it is made, those of its stack that go on.
    mates : tuple of str
        The units that set out with it, itself among them, in the order of the move, wherever they are by now.
    attempts : int
        How often the overrun may be tried.
    moving_later : frozenset of str
        The units that the plan moves after this move; those who stand nowhere along its way may be missing, unless it goes
        on with an earlier one, or somebody has relied on friends who must stay.
    steps_before : int
        How many steps it has made in earlier moves of the phase.
    support : tuple of str
        The units that support the overrun.
    fails : bool
        Whether the step is an overrun that fails, or one on which the unit bogs down.
    fought : tuple of str
        Whom it fought in the hex to which the step led; empty: nobody.
    stops : list of Stop
        What keeps it from moving on.
    path_hex : str
        The last hex of the path so far, whether or not the unit is there still.
    """

    game: Game
    position: Position
    unit: Unit
    origin: str
    to: str
    step: int = 0
    overrun: bool = False
    spent: Fraction = Fraction(0)
    had: Fraction = Fraction(0)
    tallies: Mapping[str, Fraction] = field(default_factory=dict)
    tallied: Mapping[str, Fraction] = field(default_factory=dict)
    removed: tuple[str, ...] = ()
    moved: bool = False
    in_hand: bool = False
    companions: frozenset[str] = frozenset()
    mates: tuple[str, ...] = ()
    attempts: int = 1
    moving_later: frozenset[str] = frozenset()
    steps_before: int = 0
    support: tuple[str, ...] = ()
    fails: bool = False
    fought: tuple[str, ...] = ()
    path_hex: str = ""
    stops: list[Stop] = field(default_factory=list)
    carrier: str | None = None
    way: Way | None = None
    zones: tuple[str, ...] = ()
    before: tuple[str, tuple[str, ...]] | None = None
    _price: Fraction | None = field(default=None, init=False, compare=False, repr=False)
    _total: Fraction | None = field(default=None, init=False, compare=False, repr=False)

    @property
    def first(self) -> bool:
        """Whether the step is the unit's first of the phase."""
        return self.step == 1 and self.steps_before == 0

    @property
    def hexes(self) -> int:
        """How many hexes the unit has entered in the phase, with the one that it enters now."""
        return self.steps_before + self.step

    def aim(self, to: str, overrun: bool = False, carrier: str | None = None) -> None:
        """Declare the next step: it is read, but neither judged nor made."""
        if self.way is not None:
            self.before = self.way.procedure, self.zones
        self.step, self.origin, self.to, self.had = self.step + 1, self.to, to, self.spent
        self.tallied = self.tallies
        self._price = self._total = None
        self.overrun, self.carrier, self.removed, self.fought = overrun, carrier, (), ()
        self.way = way_of(self.game, self.unit, self.origin, to, carried=carrier is not None)
        self.zones = self.way.crossed(self)

    def progress(self) -> UnitProgress:
        """Return how far the unit has got."""
        way, tallies = "" if self.way is None else self.way.id, tuple(sorted(self.tallies.items()))
        return UnitProgress(self.spent, self.hexes, tuple(self.stops), way, self.zones, tallies)

    def left(self, mp: Fraction) -> Fraction:
        """Return the MP that the unit has for a step that costs so many: those of its MA, or others that hold for it."""
        own, phase = self.unit.ma - self.spent, self.game.situation.phase
        most = own
        if mp and any(self.tallies.get(rule.id) for rule in self.game.rulebook.exhausting):
            return own
        for rule in self.game.rulebook.tallying:
            more, cap = rule.further_mp(self.unit, phase), rule.cap(self.unit, phase)
            if more is not None and cap is not None and self.tallies.get(rule.id, NO_MP) + rule.adds(self, mp) <= cap:
                most = max(most, own + more)
        return most

    @property
    def some_left(self) -> bool:
        """Whether the unit had MP left before the step that hold for it: of its MA, or others."""
        ma, phase, rulebook = self.unit.ma, self.game.situation.phase, self.game.rulebook
        if self.had < ma or any(self.tallied.get(rule.id) for rule in rulebook.exhausting):
            return self.had < ma
        for rule in rulebook.tallying:
            more, cap = rule.further_mp(self.unit, phase), rule.cap(self.unit, phase)
            if more is not None and cap is not None and self.had < ma + more:
                room = cap - self.tallied.get(rule.id, NO_MP)
                if room > 0 or (room == 0 and not rule.adds(self, Fraction(1))):
                    return True
        return False

    @property
    def overdrawn(self) -> bool:
        """Whether more has been spent than the MA, and the MP that hold beyond it."""
        if self.spent <= self.unit.ma:
            return False
        mp = self.spent - self.unit.ma
        known, phase = self.tallies, self.game.situation.phase
        return not any(
            mp <= (rule.further_mp(self.unit, phase) or NO_MP) and known.get(rule.id, NO_MP) <= cap
            for rule in self.game.rulebook.tallying
            if (cap := rule.cap(self.unit, phase)) is not None
        )

    def price(self, by: Rule | None = None, mp: Fraction = NO_MP) -> Fraction:
        """Return what the step costs by all rules together before it is made; of one of them it may be known already."""
        if self._price is None:
            total = mp
            for rule in self.game.rulebook.paying:
                if rule is not by and (more := rule.step_cost(self)):
                    total += more
            self._price = total
        return self._price

    def total(self, by: Rule | None = None, mp: Fraction = NO_MP) -> Fraction:
        """Return what has been spent with the step before it is made; the rest is as for `price`."""
        if self._total is None:
            self._total = self.spent + self.price(by, mp)
        return self._total

    def markers_in(self, label: str) -> tuple[Marker, ...]:
        """Return the markers that lie in a place now."""
        there = self.game.markers_at(label)
        return tuple(marker for marker in there if marker.id not in self.position.lost) if there else ()

    def enemies_in(self, label: str) -> tuple[str, ...]:
        """Return the enemy units in a hex, in the order of the scenario."""
        units = self.position.units_but(label, self.game.friends)
        return self.game.sorted(units) if units else ()

    def friends_in(self, label: str) -> tuple[str, ...]:
        """Return the other units of the phasing side in a hex."""
        units = self.position.units_in(label)
        me = self.unit.id
        return tuple(u for u in units if not self.game.is_enemy(u) and u != me and u not in self.companions)

    def victims(self) -> tuple[str, ...]:
        """Return the enemies that the step, not yet carried out, will eliminate."""
        return tuple(unit for rule in self.game.rulebook.overrunning for unit, _ in rule.carry_out(self))


def ways_from(game: Game, origin: str) -> tuple[Way, ...]:
    """Return the ways as whose steps any step out of a place may be read, in the order of the rulebook."""
    return game.cached(
        ("ways from", origin), lambda: tuple(way for way in game.rulebook.ways if way.leads_from(game, origin))
    )


def overrun_links(game: Game, label: str) -> tuple[str, ...]:
    """Return the places from or to which an overrun may lead here: neighbours first, then by ways that lead afar."""
    near = game.board.neighbours.get(label, ())
    afar = game.cached("overruns afar", lambda: _overruns_afar(game)).get(label)
    return tuple(dict.fromkeys((*near, *afar))) if afar else near


def _overruns_afar(game: Game) -> dict[str, list[str]]:
    """List for each place those that are no neighbours of it and from which, or to which, an overrun may lead."""
    found: dict[str, list[str]] = {}
    if all(way.plain or way.carries or not way.overruns for way in game.rulebook.ways):
        return found
    for origin in game.board.places:
        for way in ways_from(game, origin):
            afar = () if way.carries or not way.overruns else way.leads_afar(game, origin)
            for to in game.board.places if afar is None else afar:
                if to != origin:
                    found.setdefault(origin, []).append(to)
                    found.setdefault(to, []).append(origin)
    return found


def way_of(game: Game, unit: Unit, origin: str, to: str, carried: bool = False) -> Way:
    """Return the way as whose step a step between two places is read.

    Parameters
    ----------
    game : Game
        The board, the units, the rules and the situation.
    unit : Unit
        The unit that makes it.
    origin, to : str
        The places.
    carried : bool
        Whether the step is said to be aboard a carrier.
    """
    ways = game.rulebook.ways
    if len(ways) == 1:
        return ways[0]
    if carried:
        for way in ways:
            if way.carries:
                return way
    known: dict[tuple[str, str, str], Way] = game.cached("way of", dict)
    found = known.get((unit.id, origin, to))
    if found is None:
        joining = (
            way
            for loosely in (False, True)
            for way in ways_from(game, origin)
            if way.joins(game, unit, origin, to, loosely)
        )
        plain = next((way for way in ways if way.plain), ways[0])
        found = known[unit.id, origin, to] = next(joining, plain)
    return found
