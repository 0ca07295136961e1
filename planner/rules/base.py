"""What every kind of rule has: parameters, and two faces that never call each other.

The *referee's face* is a plain procedure over a position and a step that is being made: the methods that take a
`MoveInPlay`. It yields findings.

The *solver's face* says beforehand what a step would need of the other units, whatever they do: the methods that take a
`Game` and an `Arc`. It yields demands, made of atoms such as "this enemy is gone when I come". Conditional reach and both
solver layers are built on demands alone. Nothing here imports a solver.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, Self

from pydantic import BaseModel, ConfigDict, Field

from planner.world.forces import Marker, Measure, Unit

if TYPE_CHECKING:
    from planner.rules.game import Game
    from planner.rules.rulebook import Rulebook
    from planner.world.position import Position

# ---------------------------------------------------------------------------------------------------- the referee's face


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
    """

    paragraph: str
    message: str
    blame: tuple[str, ...] = ()
    at: str | None = None
    step: int | None = None


NO_MP = Fraction(0)


@dataclass(frozen=True)
class Stop:
    """Why a unit must end its move where it stands.

    Attributes
    ----------
    paragraph : str
        The printed paragraph.
    reason : str
        Why, to follow "must stop in w5425: ".
    step : int
        The step that brought the unit there.
    at : str
        The hex in which it must stop.
    enemies : tuple of str
        The enemies on whose account it must stop; empty if nothing can lift the stop.
    overrun_lifts : bool
        Whether an enemy that is overrun in the very next step doesn't count.
    any_overrun_lifts : bool
        Whether any overrun may be made in the very next step.
    """

    paragraph: str
    reason: str
    step: int
    at: str
    enemies: tuple[str, ...] = ()
    overrun_lifts: bool = False
    any_overrun_lifts: bool = False


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
    removed : tuple of str
        Enemies eliminated by this step.
    moved : bool
        Whether the unit has been moved before in this phase.
    companions : frozenset of str
        The units that make the step with it; once it is made, those of its stack that go on.
    attempts : int
        How often the overrun may be tried.
    moving_later : frozenset of str
        The units that the plan moves after this move.
    steps_before : int
        How many steps it has made in earlier moves of the phase.
    support : tuple of str
        The units that support the overrun.
    fails : bool
        Whether the step is an overrun that fails, or one on which the unit bogs down.
    fought : bool
        Whether the step led into a combat.
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
    removed: tuple[str, ...] = ()
    moved: bool = False
    companions: frozenset[str] = frozenset()
    attempts: int = 1
    moving_later: frozenset[str] = frozenset()
    steps_before: int = 0
    support: tuple[str, ...] = ()
    fails: bool = False
    fought: bool = False
    path_hex: str = ""
    stops: list[Stop] = field(default_factory=list)
    carrier: str | None = None
    way: Way | None = None
    zones: tuple[str, ...] = ()
    before: tuple[str, tuple[str, ...]] | None = None

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
        self.step, self.origin, self.to = self.step + 1, self.to, to
        self.overrun, self.carrier, self.removed, self.fought = overrun, carrier, (), False
        self.way = way_of(self.game, self.unit, self.origin, to, carried=carrier is not None)
        self.zones = self.way.crossed(self)

    def price(self, by: Rule | None = None, mp: Fraction = NO_MP) -> Fraction:
        """Return what the step costs by all rules together; of one of them it may be known already."""
        total = mp
        for rule in self.game.rulebook.paying:
            if rule is not by and (more := rule.step_cost(self)):
                total += more
        return total

    def markers_in(self, label: str) -> tuple[Marker, ...]:
        """Return the markers that lie in a place now."""
        there = self.game.markers_at(label)
        return tuple(marker for marker in there if marker.id not in self.position.lost) if there else ()

    def enemies_in(self, label: str) -> tuple[str, ...]:
        """Return the enemy units in a hex, in the order of the scenario."""
        units = self.position.units_in(label)
        return self.game.sorted(unit for unit in units if self.game.is_enemy(unit)) if units else ()

    def friends_in(self, label: str) -> tuple[str, ...]:
        """Return the other units of the phasing side in a hex."""
        units = self.position.units_in(label)
        me = self.unit.id
        return tuple(u for u in units if not self.game.is_enemy(u) and u != me and u not in self.companions)

    def victims(self) -> tuple[str, ...]:
        """Return the enemies that the step, not yet carried out, will eliminate."""
        return tuple(unit for rule in self.game.rulebook.eliminating for unit, _ in rule.carry_out(self))


# ----------------------------------------------------------------------------------------------------- the solver's face


@dataclass(frozen=True, slots=True)
class Gone:
    """The enemy is off the map by now, eliminated by an earlier move or by an earlier step of this one.

    Attributes
    ----------
    enemy : str
        The id of an enemy unit or marker, or what `control_of` makes of a place that isn't friendly.
    """

    enemy: str


@dataclass(frozen=True, slots=True)
class There:
    """The enemy is still on the map."""

    enemy: str


@dataclass(frozen=True, slots=True)
class Friend:
    """Another friendly unit of a group stands in the hex at this moment.

    Attributes
    ----------
    hex : str
        The hex.
    group : str
        The name of the group, as the rule that needs it has it in `Rule.groups`.
    stays : bool
        Whether it must be one that makes no move afterwards.
    before : bool
        Whether it must be one that was there before; one who comes along and is dropped there doesn't count.
    """

    hex: str
    group: str
    stays: bool = False
    before: bool = False


@dataclass(frozen=True, slots=True)
class Carried:
    """A carrier is left for this unit: each marker carries one.

    Attributes
    ----------
    zone : str
        The zone that is crossed.
    by : tuple of str
        The ids of the markers that could carry the unit.
    leg : int
        The index of the step for which it is needed, so that each leg of a move takes a carrier of its own; 0 as long as
        the step has no place in a path.
    """

    zone: str
    by: tuple[str, ...]
    leg: int = 0


@dataclass(frozen=True, slots=True)
class GoneOrFriend:
    """The enemy is gone by now, or a friend of a group who moves no more stands in the hex, whatever is rolled.

    An overrun whose result is rolled brings it about: its units are stuck in the hex if it fails.

    Attributes
    ----------
    enemy : str
        The id of an enemy unit.
    hex : str
        The hex.
    group : str
        The name of the group.
    before : bool
        Whether the friend must be one who was there before; one who comes along and is dropped there doesn't count.
    """

    enemy: str
    hex: str
    group: str
    before: bool = False


@dataclass(frozen=True, slots=True)
class Room:
    """The others of a group who stand in the hex at this moment leave room: they count no more than so much.

    Attributes
    ----------
    hex : str
        The hex.
    group : str
        The name of the group, as the rule that needs it has it in `Rule.groups`.
    size : Fraction
        What they may count together; not negative.
    but : frozenset of str
        Units that don't count: those that come together.
    of : str
        What is counted: units, size, steps or strength.
    """

    hex: str
    group: str
    size: Fraction
    but: frozenset[str] = frozenset()
    of: Measure = "size"


@dataclass(frozen=True, slots=True)
class Vacant:
    """Nobody else of a group stands in the hex at this moment, whatever is rolled.

    Attributes
    ----------
    hex : str
        The hex.
    group : str
        The name of the group, as the rule that needs it has it in `Rule.groups`.
    """

    hex: str
    group: str


@dataclass(frozen=True, slots=True)
class Foremost:
    """Nobody has made another step yet than of one way.

    Attributes
    ----------
    way : str
        The id of the rule as whose steps all earlier ones are read.
    """

    way: str


Atom = Gone | There | Friend | Carried | Room | Vacant | GoneOrFriend | Foremost
Conjunction = frozenset[Atom]
ALWAYS: tuple[Conjunction, ...] = (frozenset(),)
NEVER: tuple[Conjunction, ...] = ()


@dataclass(frozen=True)
class Demand:
    """What a step, or moving on after it, needs at the moment when the unit moves.

    Attributes
    ----------
    paragraph : str
        The printed paragraph.
    any_of : tuple of sets of atoms
        One of the sets must hold entirely; none at all means never.
    blame : tuple of str
        The enemies to blame if it doesn't hold.
    onward : bool
        False: the step needs it. True: only a further step needs it, so that the unit may stop here.
    lifted_by_overrun_of : str or None
        An onward demand lapses if the further step is an overrun of this enemy, or of any if it is `ANYBODY`.
    at : str or None
        The hex to name, where it is not the hex being entered.
    cause : str
        What the demand is about. A step may fail several demands of one paragraph; those of one cause are one violation,
        with the blame of all.
    source : str
        The id of the rule, to switch single rules off.
    choice : bool
        Whether it isn't forbidden to fail it: it is what one of several prices asks for.
    """

    paragraph: str
    any_of: tuple[Conjunction, ...]
    blame: tuple[str, ...] = ()
    onward: bool = False
    lifted_by_overrun_of: str | None = None
    at: str | None = None
    cause: str = ""
    source: str = ""
    choice: bool = False

    def lapses(self, victims: Sequence[str] | None) -> bool:
        """Tell whether an overrun that eliminates some enemies may be made although the demand isn't fulfilled."""
        return bool(victims) and (self.lifted_by_overrun_of == ANYBODY or self.lifted_by_overrun_of in (victims or ()))


ANYBODY = "*"
"""In `Demand.lifted_by_overrun_of`: whoever is overrun."""


def control_of(label: str) -> str:
    """Return what stands for the fact that a place isn't friendly: it is gone when the phasing side takes the place."""
    return f"control of {label}"


Before = tuple[str, str] | None
"""The procedure of a unit's last step, with the zone that it crossed or an empty string; None before the first step."""


@dataclass(frozen=True)
class Arc:
    """One possible step of one unit.

    Attributes
    ----------
    origin, to : str
        The hexes left and entered.
    victims : tuple of str or None
        None for a plain step. For an overrun, the enemies in the hex that it would eliminate.
    way : str
        The id of the rule as whose step it is read.
    zone : str
        The zone that it crosses, or empty.
    before : Before
        What the unit's step before this one was.
    carrier : str
        The marker that is named to carry the unit, or empty.
    attempts : int
        How often an overrun may be tried.
    support : tuple of str
        The units that support an overrun.
    fails : bool
        Whether it is an overrun that fails, or a step on which the unit bogs down.
    hexes : int
        How many hexes the unit has entered in the phase with it; 0 where that isn't known.
    """

    origin: str
    to: str
    victims: tuple[str, ...] | None = None
    way: str = ""
    zone: str = ""
    before: Before = None
    carrier: str = ""
    attempts: int = 1
    support: tuple[str, ...] = ()
    fails: bool = False
    hexes: int = 0

    @property
    def overrun(self) -> bool:
        """Whether the step is an overrun."""
        return self.victims is not None


Tick = Callable[[], None]
"""Raises when the time is up."""


def no_tick() -> None:
    """Let a computation take its time."""


class EndState(Protocol):
    """What the coupling layer offers to rules that look at the position after the last move."""

    game: Game

    def moves(self, unit: str) -> Any:
        """Return a 0/1 expression: the unit makes a move."""

    def negate(self, expression: Any) -> Any:
        """Return a 0/1 expression: another one doesn't hold."""

    def stands(self, unit: str, label: str) -> Any:
        """Return a 0/1 expression: the unit may stand in the hex in the end, whatever is rolled."""

    def possible_stands(self, unit: str) -> Sequence[str]:
        """Return the hexes in which the unit may stand in the end."""

    def at_most(self, terms: Sequence[tuple[int, Any]], limit: int, demand: Demand) -> None:
        """Ensure that a weighted sum of 0/1 expressions stays within a limit.

        The units that the demand blames are those of the terms, in the same order.
        """


# ------------------------------------------------------------------------------------------------------------- both


class Rule(BaseModel):
    """A rule of a rulebook: an instance of a kind of rule, with its parameters.

    A kind of rule overrides what concerns it; by default a rule forbids nothing, costs nothing and needs nothing.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: str = Field(description="By which statements and tests call the rule", pattern=r"^[a-z][a-z0-9_]*$")
    kind: str = Field(description="The kind of rule")
    paragraph: str = Field(description="The printed paragraph that verdicts cite")
    assumed: bool = Field(default=False, description="Whether a parameter stands in for a value that no text gives")

    summary: ClassVar[str] = ""
    """What the kind of rule ensures, in one sentence."""

    rolls: ClassVar[bool] = False
    """Whether results of steps may be rolled under such a rule."""

    bogs: ClassVar[bool] = False
    """Whether a unit for which a roll fails is stuck in the hex that it has entered, not in the one that it was to leave."""

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """Return a copy; what the rule has worked out from its parameters isn't copied, since they may change."""
        copy = super().model_copy(update=update, deep=deep)
        for name in copy.__dict__.keys() - type(self).model_fields.keys():
            del copy.__dict__[name]
        return copy

    @property
    def counts_hexes(self) -> int:
        """Up to which number it matters by this rule how many hexes a unit has entered, whatever MP they cost."""
        return 0

    def same_from_anywhere(self, game: Game) -> bool:
        """Tell whether `arc_demands` says the same of a plain step, or an overrun, from wherever it leads into a hex."""
        return False

    @property
    def lasting(self) -> bool:
        """Whether friends whose help this rule knows of help only if they stay where they are for the rest of the phase."""
        return False

    def problems(self, rulebook: Rulebook) -> Iterable[str]:
        """Yield what is wrong with the parameters in this rulebook: unknown charts, phases, traits."""
        return ()

    # -- the referee's face

    def check_pick_up(self, play: MoveInPlay) -> Iterable[Finding]:
        """Yield what forbids the unit to begin its move."""
        return ()

    def watches(self, game: Game, unit: Unit) -> bool:
        """Tell whether `check_step` may find anything wrong with a step of the unit, wherever it leads."""
        return True

    def check_step(self, play: MoveInPlay) -> Iterable[Finding]:
        """Yield what forbids the step that is about to be made."""
        return ()

    def check_together(self, stack: Sequence[MoveInPlay]) -> Iterable[Finding]:
        """Yield what forbids the step that several units, or one, are about to make together."""
        return ()

    def step_cost(self, play: MoveInPlay) -> Fraction:
        """Return the MP that the step costs by this rule."""
        return NO_MP

    def overrun_price(self, play: MoveInPlay, cheapest: Fraction | None) -> Fraction | None:
        """Return what an overrun costs, given the price of the hex, which is None where it is prohibited."""
        return cheapest

    def step_chance(self, stack: Sequence[MoveInPlay]) -> Fraction:
        """Return the probability that the step that the units are about to make goes through."""
        return Fraction(1)

    def resolutions(self, stack: Sequence[MoveInPlay]) -> Sequence[Resolution]:
        """Return everything that a combat of units that are about to make a step may lead to; nothing without one."""
        return ()

    def check_draw(self, stack: Sequence[MoveInPlay], damage: tuple[int, int]) -> Iterable[Finding]:
        """Yield what is wrong with damage that is said to have been drawn for a combat."""
        return ()

    def dice(self, play: MoveInPlay) -> int:
        """Return how many dice are rolled for the step that is about to be made."""
        return 0

    def survival(self, stack: Sequence[MoveInPlay]) -> tuple[Fraction, Fraction] | None:
        """Return how much defenders' support the step survives, and how much is in range; None if none may come."""
        return None

    def amounts(self) -> Iterable[Fraction]:
        """Return every amount of MP that the rule may add to the price of a step, or set against it."""
        return ()

    def exempts_from_ma(self, play: MoveInPlay) -> bool:
        """Tell whether the step may be made although its cost exceeds the remaining MA."""
        return False

    def carry_out(self, play: MoveInPlay) -> Iterable[tuple[str, str]]:
        """Yield the (unit, box) pairs of the units that the step eliminates."""
        return ()

    def settle(self, play: MoveInPlay) -> None:
        """Change what the step changes besides units: what is taken, and which carriers have been used."""

    def after_step(self, play: MoveInPlay) -> Iterable[Stop]:
        """Yield the reasons why the unit must stop in the hex that it has entered."""
        return ()

    def check_end(self, game: Game, position: Position) -> Iterable[tuple[str | None, Finding]]:
        """Yield (unit, finding) pairs for what is wrong with the position after the last move."""
        return ()

    # -- the solver's face

    def groups(self, game: Game) -> dict[str, frozenset[str]]:
        """Return the groups of friendly units that this rule's `Friend` atoms name."""
        return {}

    def pick_up_demands(self, game: Game, unit: Unit, origin: str, tick: Tick = no_tick) -> Iterable[Demand]:
        """Yield what the unit needs to begin its move; a long computation calls `tick` now and then."""
        return ()

    def concerns(self, game: Game, unit: Unit) -> bool:
        """Tell whether the rule may ask anything of the unit's steps at all."""
        return True

    def arc_demands(self, game: Game, unit: Unit, arc: Arc) -> Iterable[Demand]:
        """Yield what the step, and moving on after it, needs; nothing for units that it doesn't concern."""
        return ()

    def arc_cost(self, game: Game, unit: Unit, arc: Arc) -> Fraction:
        """Return the MP that the step costs by this rule, whatever the others do."""
        return Fraction(0)

    def arc_prices(self, game: Game, unit: Unit, arc: Arc) -> Iterable[tuple[Fraction, tuple[Demand, ...]]]:
        """Yield what the step may cost by this rule, each price with what it asks for."""
        yield self.arc_cost(game, unit, arc), ()

    def overrun_tariff(self, game: Game, unit: Unit, arc: Arc, cheapest: Fraction | None) -> Fraction | None:
        """Return what an overrun costs, given the price of the hex, which is None where it is prohibited."""
        return cheapest

    def together_demands(self, game: Game, team: Sequence[Unit], arc: Arc) -> Iterable[Demand]:
        """Yield what a step needs that several units, or one, make together, beyond what each needs by itself."""
        return ()

    def arc_chance(self, game: Game, team: Sequence[Unit], arc: Arc) -> Fraction:
        """Return the probability that a step that units make together goes through."""
        return Fraction(1)

    def tokens(self, game: Game) -> Iterable[str]:
        """Return what else than enemy units may have to be gone for this rule: markers, control of places."""
        return ()

    def removals(self, game: Game, unit: Unit, arc: Arc) -> Iterable[str]:
        """Return what else than its victims is gone once the step is made: markers, control of places."""
        return ()

    def entry_limit(self, game: Game, unit: Unit, label: str) -> tuple[Fraction, Demand] | None:
        """Return what MP, less than its MA, the unit may have spent on entering a hex, and what fails otherwise."""
        return None

    def budget_demand(self, game: Game, unit: Unit) -> Demand | None:
        """Return what fails when a step costs more than the MA that remains."""
        return None

    def overdraft_demand(self, game: Game, unit: Unit, overrun: bool = False, to: str | None = None) -> Demand | None:
        """Return what moving on needs after a first hex that cost more than the MA; None: no exemption for it.

        `overrun` tells whether that first step is an overrun, `to` where it leads.
        """
        return None

    def post_end(self, end: EndState) -> None:
        """Ensure that the position after the last move obeys the rule."""


class Way(Rule):
    """A rule that says how units get from one place to another: a kind of step.

    How a step is read is no matter of the faces: players write hexes, and the first way of the rulebook that joins
    two of them is meant.
    """

    procedure: str = Field(default="hex_to_hex", description="The procedure of movement of which it is a part")
    overruns: bool = Field(default=True, description="Whether such a step may be an overrun")

    carries: ClassVar[bool] = False
    """Whether units are carried, so that the way may be written with ``~``."""

    plain: ClassVar[bool] = False
    """Whether a step that no way joins is read as one of this way."""

    def joins(self, game: Game, unit: Unit, origin: str, to: str, loosely: bool = False) -> bool:
        """Tell whether a step between two places is read as one of this way; `loosely`: whether adjacent or not."""
        raise NotImplementedError

    def leads_from(self, game: Game, origin: str) -> bool:
        """Tell whether any step out of a place may be read as one of this way; too many rather than too few."""
        return True

    def joined_to(self, game: Game, unit: Unit, origin: str) -> Iterable[str]:
        """Yield the places to which a step is read as one of this way, whether it is allowed or not."""
        return (to for to in game.board.places if to != origin and self.joins(game, unit, origin, to))

    # -- the referee's face

    def crossed(self, play: MoveInPlay) -> tuple[str, ...]:
        """Return the naval zones that the step may cross."""
        return ()

    def price(self, play: MoveInPlay) -> Fraction | None:
        """Return what the step costs; None: what the terrain chart says."""
        return None

    # -- the solver's face

    def offers(self, game: Game, unit: Unit, origin: str, before: Before) -> Iterable[Arc]:
        """Yield the plain steps of this way that lead out of a place."""
        raise NotImplementedError

    def readings(self, game: Game, unit: Unit, arc: Arc) -> Iterable[Arc]:
        """Yield the arcs that a written step may mean: one for each zone that it may cross."""
        return (arc,)

    def tariff(self, game: Game, unit: Unit, arc: Arc) -> Fraction | None:
        """Return what the step costs; None: what the terrain chart says."""
        return None


def ways_from(game: Game, origin: str) -> tuple[Way, ...]:
    """Return the ways as whose steps any step out of a place may be read, in the order of the rulebook."""
    return game.cached(
        ("ways from", origin), lambda: tuple(way for way in game.rulebook.ways if way.leads_from(game, origin))
    )


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
    if carried:
        for way in ways:
            if way.carries:
                return way
    for loosely in (False, True):
        for way in ways_from(game, origin):
            if way.joins(game, unit, origin, to, loosely):
                return way
    return next((way for way in ways if way.plain), ways[0])
