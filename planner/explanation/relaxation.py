"""A game in which only some rule instances are in force.

A *scope* says where a rule binds: one unit or all, some hexes or all. The rules of a relaxed game are the rulebook's own,
but for what they forbid outside their scopes: the referee's face reports no finding there, and the solver's face makes no
demand. So every form of the search, and the referee, play the relaxed game as they play any other. What a unit pays for its
steps is one instance by itself: where it isn't in force, all its steps are free.

Dice and tables bind like prohibitions do: where they aren't in force, what they decide goes well. A first hex that overdraws
the MA doesn't end the move where the minimum move isn't in force, nor does a combat where that isn't. Only the sequence
always is: it says what a move is; and what a step is stays as it is, too: nobody jumps to a hex that is not adjacent, is
carried between places without a common zone, or overruns where nobody stands.

Both faces allow the same: where a way of moving isn't in force, the solver's face offers every step that is read as one of
it.

A relaxed game may also be one in which only some units move, so that what one unit could do is soon known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeVar

from pydantic import Field, PrivateAttr

from planner.rules.base import Rule, Way
from planner.rules.demands import NEVER, Arc, Before, Demand, EndState, Tick, no_tick
from planner.rules.game import Game
from planner.rules.kinds.area_allowance import AreaAllowance
from planner.rules.kinds.bogging import Bogging
from planner.rules.kinds.eligibility import Eligibility
from planner.rules.kinds.entry_restriction import EntryRestriction
from planner.rules.kinds.hex_to_hex import HexToHex
from planner.rules.kinds.joint_overrun import JointOverrun
from planner.rules.kinds.movement_points import MovementPoints
from planner.rules.kinds.obligation import Obligation
from planner.rules.kinds.orders import Orders
from planner.rules.kinds.overrun import AnyOverrun
from planner.rules.kinds.reversibility import Reversibility
from planner.rules.kinds.sequence import Sequence as SequenceRule
from planner.rules.kinds.stacking import Stacking
from planner.rules.kinds.supply import Supply
from planner.rules.kinds.transport import Transport
from planner.rules.kinds.vacancy import Vacancy
from planner.rules.play import NO_MP, Finding, MoveInPlay, Resolution
from planner.scenario import Scenario
from planner.world.forces import Unit
from planner.world.position import Stop
from planner.world.selectors import HexSelector

if TYPE_CHECKING:
    from planner.world.position import Position

T = TypeVar("T")

ALL = "*"
"""In a scope: every unit, and what concerns no unit by itself."""

ALWAYS_IN_FORCE = (SequenceRule, HexToHex)

ONLY_FORBIDS = (
    AreaAllowance,
    Eligibility,
    EntryRestriction,
    Obligation,
    Orders,
    Reversibility,
    Stacking,
    Supply,
    Vacancy,
)
"""Kinds of rules that do nothing but forbid: where they aren't in force at all, they needn't be asked."""


FACES = (
    "after_step", "arc_chance", "arc_cost", "arc_demands", "arc_prices", "check_draw", "check_end", "check_pick_up",
    "check_step", "check_together", "dice", "entry_limit", "overdraft_demand", "pick_up_demands", "post_end", "resolutions",
    "step_chance", "step_cost", "together_demands",
)  # fmt: skip
"""The methods of both faces that a relaxed rule answers for."""


@dataclass(frozen=True)
class Scope:
    """Where a rule is in force.

    Attributes
    ----------
    rule : str
        Its id.
    unit : str or None
        The unit that it binds; `ALL` for all; None for what concerns a hex as a whole.
    hexes : frozenset of str, or None
        The hexes; None: everywhere.
    pays : bool
        Whether it is about what the unit pays for its steps, everywhere, and not about what the rule forbids outright.
    """

    rule: str
    unit: str | None = ALL
    hexes: frozenset[str] | None = None
    pays: bool = False


@dataclass
class Memory:
    """What relaxed games of one scenario share.

    Attributes
    ----------
    asked : dict
        What the solver's faces say of steps, whether in force or not.
    """

    asked: dict[object, Any] = field(default_factory=dict)

    def recall(self, key: object, make: Callable[[], Iterable[T]]) -> tuple[T, ...]:
        """Return what was made under a key before, or make it."""
        if key not in self.asked:
            self.asked[key] = tuple(make())
        return self.asked[key]  # type: ignore[no-any-return]


class _Scopes:
    """Answers whether a rule binds a unit in a hex."""

    def __init__(self, scopes: Iterable[Scope], memory: Memory | None = None) -> None:
        self._by_rule: dict[str, list[Scope]] = {}
        self.paying: set[str | None] = set()
        self.memory = memory or Memory()
        for scope in scopes:
            if scope.pays:
                self.paying.add(scope.unit)
            else:
                self._by_rule.setdefault(scope.rule, []).append(scope)

    def binds(self, rule: str, unit: str | None, at: str) -> bool:
        """Tell whether a rule binds a unit in a hex."""
        return any(
            scope.unit in (ALL, unit) and (scope.hexes is None or at in scope.hexes)
            for scope in self._by_rule.get(rule, ())
        )

    def somewhere(self, rule: str) -> bool:
        """Tell whether a rule is in force anywhere."""
        return rule in self._by_rule

    def everywhere(self, rule: str) -> bool:
        """Tell whether a rule is in force for everybody and everywhere."""
        return any(scope.unit == ALL and scope.hexes is None for scope in self._by_rule.get(rule, ()))

    def free(self, unit: str) -> bool:
        """Tell whether a unit's steps cost nothing."""
        return ALL not in self.paying and unit not in self.paying


class _End:
    """The position after the last move, for a rule that is in force in some hexes only."""

    def __init__(self, end: Any, binds: Callable[[str], bool]) -> None:
        self._end, self._binds = end, binds

    def __getattr__(self, name: str) -> Any:
        return getattr(self._end, name)

    def at_most(self, terms: Any, limit: int, demand: Demand) -> None:
        """Ensure a limit if it is in force."""
        if self._binds(demand.at or ""):
            self._end.at_most(terms, limit, demand)


def _only_there(demand: Demand) -> bool:
    """Tell whether a demand is that somebody be there to be overrun: no prohibition, but what an overrun is."""
    return bool(demand.any_of) and all(atom.own_kill is False for atom in demand.atoms)


@cache
def _relaxed_kind(kind: type[Rule]) -> type[Rule]:
    """Return a kind of rule that forbids nothing outside its scopes."""

    class Relaxed(kind):  # type: ignore[valid-type, misc]
        _scopes: Any = PrivateAttr()
        told_apart: HexSelector = Field(default=HexSelector(), description="Hexes in which it may bind, or not")

        # -- the referee's face

        def _left(self, stack: Sequence[MoveInPlay], findings: Iterable[Finding]) -> Iterator[Finding]:
            """Yield the findings that stand: where the rule binds one of the units, whoever is named first."""
            for finding in findings:
                at = finding.at or stack[0].to
                if any(self._scopes.binds(self.id, play.unit.id, at) for play in stack):
                    yield finding

        def check_pick_up(self, play: MoveInPlay) -> Iterable[Finding]:
            return list(self._left([play], super().check_pick_up(play)))

        def check_step(self, play: MoveInPlay) -> Iterable[Finding]:
            findings = list(super().check_step(play))
            if not isinstance(self, MovementPoints):
                return findings if self._no_such_step(play) else list(self._left([play], findings))
            due = self._due(play)
            prohibited = [] if due else findings[:1]
            # Whoever enters prohibited terrain pays nothing for it, but must not have overdrawn its MA.
            short = [] if self._scopes.free(play.unit.id) else self._overspent(play, due)
            return [*self._left([play], prohibited), *short]

        def _no_such_step(self, play: MoveInPlay) -> bool:
            """Tell whether the step is none at all: between places that the way doesn't join, or an overrun of nobody."""
            if isinstance(self, Way) and play.way is self:
                return not self.joins(play.game, play.unit, play.origin, play.to)
            if not (isinstance(self, AnyOverrun) and play.overrun):
                return False
            on_foot = play.way is None or play.way.overruns
            return not on_foot or not any(True for _ in self.carry_out(play))

        def check_together(self, stack: Sequence[MoveInPlay]) -> Iterable[Finding]:
            findings = list(super().check_together(stack))
            return findings if self._no_such_step(stack[0]) else list(self._left(stack, findings))

        def step_cost(self, play: MoveInPlay) -> Fraction:
            return NO_MP if self._scopes.free(play.unit.id) else super().step_cost(play)

        def after_step(self, play: MoveInPlay) -> Iterable[Stop]:
            stops = super().after_step(play)
            return [stop for stop in stops if self._scopes.binds(self.id, play.unit.id, stop.at)]

        def check_end(self, game: Game, position: Position) -> Iterable[tuple[str | None, Finding]]:
            pairs = super().check_end(game, position)
            return [pair for pair in pairs if self._scopes.binds(self.id, pair[0], pair[1].at or "")]

        def check_draw(self, stack: Sequence[MoveInPlay], damage: tuple[int, int]) -> Iterable[Finding]:
            return list(self._left(stack, super().check_draw(stack, damage)))

        def resolutions(self, stack: Sequence[MoveInPlay]) -> Sequence[Resolution]:
            drawn = super().resolutions(stack)
            bound = any(self._scopes.binds(self.id, play.unit.id, play.to) for play in stack)
            return drawn if bound or not drawn else [replace(drawn[0], probability=Fraction(1))]

        def step_chance(self, stack: Sequence[MoveInPlay]) -> Fraction:
            bound = any(self._scopes.binds(self.id, play.unit.id, play.to) for play in stack)
            return super().step_chance(stack) if bound else Fraction(1)

        def dice(self, play: MoveInPlay) -> int:
            return super().dice(play) if self._scopes.binds(self.id, play.unit.id, play.to) else 0

        # -- the solver's face

        def arc_chance(self, game: Game, team: Sequence[Unit], arc: Arc) -> Fraction:
            bound = any(self._scopes.binds(self.id, unit.id, arc.to) for unit in team)
            return super().arc_chance(game, team, arc) if bound else Fraction(1)

        def overdraft_demand(
            self, game: Game, unit: Unit, overrun: bool = False, to: str | None = None
        ) -> Demand | None:
            demand: Demand | None = super().overdraft_demand(game, unit, overrun, to)
            if demand is None or self._scopes.binds(self.id, unit.id, to or ""):
                return demand
            return replace(demand, any_of=(frozenset(),))

        def _kept(self, team: Sequence[Unit], demands: Iterable[Demand], at: str) -> Iterator[Demand]:
            for demand in demands:
                kept = demand.choice or _only_there(demand)
                if kept or any(self._scopes.binds(self.id, unit.id, demand.at or at) for unit in team):
                    yield demand

        def pick_up_demands(self, game: Game, unit: Unit, origin: str, tick: Tick = no_tick) -> Iterable[Demand]:
            return list(self._kept([unit], super().pick_up_demands(game, unit, origin, tick), origin))

        def same_from_anywhere(self, game: Game) -> bool:
            return False  # scopes name units and steps

        def arc_demands(self, game: Game, unit: Unit, arc: Arc) -> Iterable[Demand]:
            plain = super().arc_demands
            every = self._scopes.memory.recall(("arc", self.id, unit.id, arc), lambda: plain(game, unit, arc))
            if isinstance(self, Way) and arc.way == self.id and not self.joins(game, unit, arc.origin, arc.to):
                return list(every)
            return list(self._kept([unit], every, arc.to)) if every else every

        def together_demands(self, game: Game, team: Sequence[Unit], arc: Arc) -> Iterable[Demand]:
            return list(self._kept(team, super().together_demands(game, team, arc), arc.to))

        def arc_cost(self, game: Game, unit: Unit, arc: Arc) -> Fraction:
            return NO_MP if self._scopes.free(unit.id) else super().arc_cost(game, unit, arc)

        def arc_prices(self, game: Game, unit: Unit, arc: Arc) -> Iterable[tuple[Fraction, tuple[Demand, ...]]]:
            plain = super().arc_prices
            if self._scopes.free(unit.id):
                return [(NO_MP, ())]
            prices: tuple[Any, ...] = self._scopes.memory.recall(
                ("price", self.id, unit.id, arc), lambda: plain(game, unit, arc)
            )
            return prices

        def entry_limit(self, game: Game, unit: Unit, label: str) -> tuple[Fraction, Demand] | None:
            limit = super().entry_limit(game, unit, label)
            return limit if limit is not None and self._scopes.binds(self.id, unit.id, label) else None

        def post_end(self, end: EndState) -> None:
            super().post_end(_End(end, lambda label: self._scopes.binds(self.id, None, label)))

    if issubclass(kind, Bogging):
        # Bogging down alone has dice of its own for each unit of a stack.
        def step_chance(self: Any, stack: Sequence[MoveInPlay]) -> Fraction:
            return kind.step_chance(self, stack)

        Relaxed.step_chance = step_chance  # type: ignore[method-assign]

        def arc_chance(self: Any, game: Game, team: Sequence[Unit], arc: Arc) -> Fraction:
            bound = [unit for unit in team if self._scopes.binds(self.id, unit.id, arc.to)]
            return kind.arc_chance(self, game, bound, arc)

        Relaxed.arc_chance = arc_chance  # type: ignore[method-assign]

    # What a kind of rule has nothing to say of needn't be asked about.
    pays = kind.arc_cost is not Rule.arc_cost or kind.arc_prices is not Rule.arc_prices
    for name in FACES:
        if getattr(kind, name) is getattr(Rule, name) and not (pays and name in ("arc_cost", "arc_prices")):
            delattr(Relaxed, name)

    if issubclass(kind, Way):

        def offers(self: Any, game: Game, unit: Unit, origin: str, before: Before) -> Iterable[Arc]:
            """Yield every step that is read as one of this way, but for those that the rule forbids where it is in force."""
            offered = list(kind.offers(self, game, unit, origin, before))
            reached = self._scopes.memory.recall(
                ("joined", self.id, unit.id, origin), lambda: self.joined_to(game, unit, origin)
            )
            for to in reached:
                if not self._scopes.binds(self.id, unit.id, to):
                    arcs = self.readings(game, unit, Arc(origin, to, way=self.id, before=before))
                    offered += [arc for arc in arcs if arc not in offered]
            return offered

        Relaxed.offers = offers

    if issubclass(kind, JointOverrun):

        def asks_of(self: Any, unit: str, label: str) -> bool:
            return bool(self._scopes.binds(self.id, unit, label))

        Relaxed.asks_of = asks_of

    if issubclass(kind, AnyOverrun):

        def best_chance(self: Any) -> Fraction:
            everywhere = self._scopes.everywhere(self.id)
            return kind.best_chance.fget(self) if everywhere else Fraction(1)  # type: ignore[attr-defined]

        Relaxed.best_chance = property(best_chance)

    if issubclass(kind, Orders):

        class Unordered(Relaxed):
            def sections_of(self, game: Game, unit: str) -> tuple[str, ...] | None:
                bound = self._scopes.binds(self.id, unit, game.homes.get(unit, ""))
                return super().sections_of(game, unit) if bound else None

        return Unordered

    if issubclass(kind, Transport):

        class Unbooked(Relaxed):
            def settle(self, play: MoveInPlay) -> None:
                booked = play.position.legs
                super().settle(play)
                if not self._scopes.binds(self.id, play.unit.id, play.to):
                    play.position.legs = booked  # who needs no carrier takes none from others

        return Unbooked
    return Relaxed


class _Bystanders(Rule):
    """Ensures that only some units move: what a game is narrowed down to, no rule of any."""

    kind: Literal["bystanders"] = "bystanders"
    movers: frozenset[str] = frozenset()

    summary: ClassVar[str] = "Only these units move."

    def check_pick_up(self, play: MoveInPlay) -> Iterable[Finding]:
        """Yield a finding for any other unit."""
        if play.unit.id not in self.movers:
            yield Finding(self.paragraph, f"{play.unit.id} is left alone")

    def pick_up_demands(self, game: Game, unit: Unit, origin: str, tick: Tick = no_tick) -> Iterable[Demand]:
        """Yield that nothing lets any other unit move."""
        if unit.id not in self.movers:
            yield Demand(self.paragraph, NEVER, source=self.id)


def narrowed(scenario: Scenario, movers: Iterable[str]) -> Scenario:
    """Return a scenario in which only some units move, and nothing else is different."""
    game, book = scenario.game, scenario.game.rulebook
    book = replace(book, rules=(*book.rules, _only(movers)))
    return replace(scenario, game=replace(game, rulebook=book, _cache={}))


def _only(movers: Iterable[str]) -> Rule:
    return _Bystanders.model_construct(id="bystanders", paragraph="", movers=frozenset(movers))


def relaxed(
    scenario: Scenario,
    scopes: Iterable[Scope],
    memory: Memory | None = None,
    movers: Iterable[str] | None = None,
) -> Scenario:
    """Return a scenario in which rules are in force in some scopes only.

    Parameters
    ----------
    scenario : Scenario
        The scenario; left as it is.
    scopes : iterable of Scope
        Where they are. Kinds of rules that say how the game is played always are.
    memory : Memory, optional
        Shared by relaxed games of this scenario, and only of this one.
    movers : iterable of str, optional
        The units that move; absent: all that may.
    """
    game, book = scenario.game, scenario.game.rulebook
    scopes = list(scopes)
    in_force = _Scopes(scopes, memory)
    # Steps between hexes that no rule names are looked at once for all of them: here those are named that scopes tell apart.
    apart = {label for scope in scopes for label in scope.hexes or ()}
    named = (
        HexSelector(labels=tuple(label for label in game.board.places if label in apart)) if apart else HexSelector()
    )
    rules: list[Rule] = []
    for rule in book.rules:
        if isinstance(rule, ALWAYS_IN_FORCE):
            rules.append(rule)
            continue
        if isinstance(rule, ONLY_FORBIDS) and not in_force.somewhere(rule.id):
            continue
        other = _relaxed_kind(type(rule)).model_construct(**dict(rule), told_apart=named)  # type: ignore[call-arg]
        other._scopes = in_force  # type: ignore[attr-defined]
        rules.append(other)
    if movers is not None:
        rules.append(_only(movers))
    # Units share what the rules say of them unless they differ: here those are told apart that scopes bind by themselves.
    units, bound = dict(game.units), {scope.unit for scope in scopes}
    for id, unit in game.units.items():
        if id in bound:
            units[id] = replace(unit, traits=unit.traits | {f"only {id}"})
    return replace(scenario, game=replace(game, units=units, rulebook=replace(book, rules=tuple(rules)), _cache={}))


def every_scope(scenario: Scenario) -> list[Scope]:
    """Return a scope for each rule that may be relaxed, everywhere; and one for what units pay."""
    rules = scenario.game.rulebook.rules
    found = [Scope(rule.id) for rule in rules if not isinstance(rule, ALWAYS_IN_FORCE)]
    pays = next((rule.id for rule in rules if isinstance(rule, MovementPoints)), None)
    return [*found, *([] if pays is None else [Scope(pays, pays=True)])]
