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

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeVar

from pydantic import Field, PrivateAttr

from planner.rules.atoms import NEVER
from planner.rules.base import Rule
from planner.rules.combat_roles import Bogs
from planner.rules.demands import Arc, Before, Demand, Tick, no_tick
from planner.rules.end_state import EndState
from planner.rules.game import KIN, Game
from planner.rules.play import NO_MP, Finding, MoveInPlay, Resolution
from planner.rules.roles import Charges
from planner.scenario import Scenario
from planner.scenario.memory import Memory as KeptLists
from planner.world.forces import Unit
from planner.world.position import Stop
from planner.world.selectors import HexSelector

if TYPE_CHECKING:
    from planner.world.position import Position

T = TypeVar("T")

ALL = "*"
"""In a scope: every unit, and what concerns no unit by itself."""


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

    def fits(self, unit: str | None, at: str | None, cost: object | None) -> bool:
        """Tell whether what a unit breaks somewhere, for want of MP if there is a cost, may be forbidden here."""
        if self.unit not in (ALL, unit) or (self.pays and cost is None):
            return False
        return self.hexes is None or at in self.hexes


@dataclass
class RelaxationMemory:
    """What relaxed games of one scenario share.

    Attributes
    ----------
    asked : dict
        What the solver's faces say of steps, whether in force or not.
    bindings : dict from sets of scopes to int
        The numbers of what binds a unit. Of two units that nothing else tells apart, and that the same binds, the same steps
        are possible in whatever relaxed game: so these are listed once.
    kept : RelaxationMemory
        What has been listed of relaxed games: none of it belongs to the scenario itself.
    """

    asked: dict[object, Any] = field(default_factory=dict)
    bindings: dict[frozenset[Scope], int] = field(default_factory=dict)
    kept: KeptLists = field(default_factory=KeptLists)

    def binding(self, unit: str, scopes: Iterable[Scope]) -> int:
        """Return the number of what binds a unit in some scopes."""
        mine = (scope for scope in scopes if scope.unit in (ALL, None, unit))
        what = frozenset(replace(scope, unit="" if scope.unit == unit else scope.unit) for scope in mine)
        return self.bindings.setdefault(what, len(self.bindings))

    def recall(self, key: object, make: Callable[[], Iterable[T]]) -> tuple[T, ...]:
        """Return what was made under a key before, or make it."""
        if key not in self.asked:
            self.asked[key] = tuple(make())
        return self.asked[key]  # type: ignore[no-any-return]


class _Scopes:
    """Answers whether a rule binds a unit in a hex."""

    def __init__(self, scopes: Iterable[Scope], memory: RelaxationMemory | None = None) -> None:
        self._by_rule: dict[str, list[Scope]] = {}
        self.paying: set[str | None] = set()
        self.memory = memory or RelaxationMemory()
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

    def __init__(self, end: EndState, binds: Callable[[str], bool]) -> None:
        self._end, self._binds = end, binds

    def __getattr__(self, name: str) -> object:
        return getattr(self._end, name)

    def at_most(self, terms: Sequence[tuple[int, object]], limit: int, demand: Demand) -> None:
        """Ensure a limit if it is in force."""
        if self._binds(demand.at or ""):
            self._end.at_most(terms, limit, demand)


# Whom, and where, the methods of a rule are asked about


def _of_play(play: MoveInPlay, *_: object) -> tuple[list[str], str]:
    return [play.unit.id], play.to


def _of_stack(stack: Sequence[MoveInPlay], *_: object) -> tuple[list[str], str]:
    return [play.unit.id for play in stack], stack[0].to


def _of_place(game: Game, unit: Unit, label: str, *_: object) -> tuple[list[str], str]:
    return [unit.id], label


def _of_team(game: Game, team: Sequence[Unit], arc: Arc) -> tuple[list[str], str]:
    return [unit.id for unit in team], arc.to


def _of_arc(game: Game, unit: Unit, arc: Arc) -> tuple[list[str], str]:
    return [unit.id], arc.to


def _of_halt(stack: Sequence[MoveInPlay], label: str) -> tuple[list[str], str]:
    return [play.unit.id for play in stack], label


def _of_halting(game: Game, team: Sequence[Unit], label: str) -> tuple[list[str], str]:
    return [unit.id for unit in team], label


def _of_unit(game: Game, unit: str) -> tuple[list[str], str]:
    return [unit], game.homes.get(unit, "")


def _of_hex(unit: str, label: str) -> tuple[list[str], str]:
    return [unit], label


Method = Callable[..., Any]
"""A method of a rule."""


def _stands(self: Any, units: Iterable[str], one: Finding | Stop | Demand, at: str) -> bool:
    """Tell whether something that a rule forbids is forbidden: where it binds one of the units, whoever is named first."""
    return any(self._scopes.binds(self.id, unit, one.at or at) for unit in units)


def _is_none(one: Demand) -> bool:
    """Tell whether a demand is no prohibition: part of a price, or that somebody be there to be overrun."""
    return one.choice or (bool(one.any_of) and all(atom.spares for atom in one.atoms))


def _forbids(of: Method, unless: Callable[..., bool] = lambda *_: False) -> Callable[[Method], Method]:
    """Make what forbids, by whatever it yields, leave out what isn't in force; `unless` tells where all of it is."""

    def relax(plain: Method) -> Method:
        def method(self: object, *args: object) -> list[object]:
            found = list(plain(self, *args))
            if not found or unless(self, *args):
                return found
            units, at = of(*args)
            return [one for one in found if _stands(self, units, one, at)]

        return method

    return relax


def _demands(of: Method) -> Callable[[Method], Method]:
    """Make what demands leave out what isn't in force."""

    def relax(plain: Method) -> Method:
        def method(self: object, *args: object) -> list[Demand]:
            units, at = of(*args)
            return [one for one in plain(self, *args) if _is_none(one) or _stands(self, units, one, at)]

        return method

    return relax


def _decides(of: Method, otherwise: object) -> Callable[[Method], Method]:
    """Make what decides something say where it isn't in force what does no harm."""

    def relax(plain: Method) -> Method:
        def method(self: Any, *args: Any) -> Any:
            units, at = of(*args)
            return plain(self, *args) if any(self._scopes.binds(self.id, unit, at) for unit in units) else otherwise

        return method

    return relax


def _arc_demands(plain: Method) -> Method:
    def arc_demands(self: Any, game: Game, unit: Unit, arc: Arc) -> Iterable[Demand]:
        key = ("arc", self.id, unit.id, arc)
        every: tuple[Demand, ...] = self._scopes.memory.recall(key, lambda: plain(self, game, unit, arc))
        if not every or self.is_no_arc(game, unit, arc):
            return every
        return [one for one in every if _is_none(one) or _stands(self, [unit.id], one, arc.to)]

    return arc_demands


def _check_step(plain: Method) -> Method:
    def check_step(self: Any, play: MoveInPlay) -> list[Finding]:
        if not isinstance(self, Charges):
            return kept(self, play)  # type: ignore[no-any-return]
        prohibited = [one for one in self.check_prohibited(play) if _stands(self, [play.unit.id], one, play.to)]
        # Whoever enters prohibited terrain pays nothing for it, but must not have overdrawn its MA.
        return [*prohibited, *(() if self._scopes.free(play.unit.id) else self.check_payment(play))]  # type: ignore[attr-defined]

    kept = _forbids(_of_play, lambda self, play: self.is_no_step(play))(plain)
    return check_step


def _resolutions(plain: Method) -> Method:
    def resolutions(self: Any, stack: Sequence[MoveInPlay]) -> Sequence[Resolution]:
        drawn: Sequence[Resolution] = plain(self, stack)
        units, at = _of_stack(stack)
        bound = any(self._scopes.binds(self.id, unit, at) for unit in units)
        return drawn if bound or not drawn else [replace(drawn[0], probability=Fraction(1))]

    return resolutions


def _arc_chance(plain: Method) -> Method:
    def arc_chance(self: Any, game: Game, team: Sequence[Unit], arc: Arc) -> Fraction:
        bound = [unit for unit in team if self._scopes.binds(self.id, unit.id, arc.to)]
        # Who bogs down has dice of its own.
        found: Fraction = plain(self, game, bound if isinstance(self, Bogs) else team, arc)
        return found if bound else Fraction(1)

    return arc_chance


def _best_chance(plain: Method) -> Method:
    return lambda self, game: plain(self, game) if self._scopes.everywhere(self.id) else Fraction(1)


def _step_cost(plain: Method) -> Method:
    return lambda self, play: NO_MP if self._scopes.free(play.unit.id) else plain(self, play)


def _arc_prices(plain: Method) -> Method:
    def arc_prices(self: Any, game: Game, unit: Unit, arc: Arc) -> Iterable[tuple[Fraction, tuple[Demand, ...]]]:
        if self._scopes.free(unit.id):
            return [(NO_MP, ())]
        key = ("price", self.id, unit.id, arc)
        return self._scopes.memory.recall(key, lambda: plain(self, game, unit, arc))  # type: ignore[no-any-return]

    return arc_prices


def _overdraft_demand(plain: Method) -> Method:
    def overdraft_demand(
        self: Any, game: Game, unit: Unit, overrun: bool = False, to: str | None = None
    ) -> Demand | None:
        demand: Demand | None = plain(self, game, unit, overrun, to)
        if demand is None or self._scopes.binds(self.id, unit.id, to or ""):
            return demand
        return replace(demand, any_of=(frozenset(),))

    return overdraft_demand


def _check_end(plain: Method) -> Method:
    def check_end(self: Any, game: Game, position: Position) -> list[tuple[str | None, Finding]]:
        return [one for one in plain(self, game, position) if self._scopes.binds(self.id, one[0], one[1].at or "")]

    return check_end


def _post_end(plain: Method) -> Method:
    return lambda self, end: plain(self, _End(end, lambda label: self._scopes.binds(self.id, None, label)))


def _offers(plain: Method) -> Method:
    def offers(self: Any, game: Game, unit: Unit, origin: str, before: Before) -> list[Arc]:
        """Return every step that is read as one of this way, but for those that the rule forbids where it is in force."""
        offered = list(plain(self, game, unit, origin, before))
        key = ("joined", self.id, unit.id, origin)
        for to in self._scopes.memory.recall(key, lambda: self.joined_to(game, unit, origin)):
            if not self._scopes.binds(self.id, unit.id, to):
                arcs = self.readings(game, unit, Arc(origin, to, way=self.id, before=before))
                offered += [arc for arc in arcs if arc not in offered]
        return offered

    return offers


def _may_follow(plain: Method) -> Method:
    return lambda self, before: plain(self, before) or not self._scopes.everywhere(self.id)


RELAXED: dict[str, Callable[[Method], Method]] = {
    "after_step": _forbids(_of_play),
    "arc_chance": _arc_chance,
    "arc_demands": _arc_demands,
    "arc_prices": _arc_prices,
    "arc_exhausts": _decides(_of_arc, None),
    "asks_of": _decides(_of_hex, False),
    "best_chance": _best_chance,
    "book": _decides(_of_play, None),
    "check_draw": _forbids(_of_stack),
    "check_end": _check_end,
    "check_halt": _forbids(_of_halt),
    "check_pick_up": _forbids(_of_play),
    "check_step": _check_step,
    "check_together": _forbids(_of_stack, lambda self, stack: self.is_no_step(stack[0])),
    "dice": _decides(_of_play, 0),
    "entry_limit": _decides(_of_place, None),
    "everywhere": lambda plain: lambda self: self._scopes.everywhere(self.id),
    "exhausts": _decides(_of_play, False),
    # Who has moved by an order, but needs none here, leaves it to others.
    "given": lambda plain: lambda self, game: [pair for pair in plain(self, game) if self.sections_of(game, pair[0])],
    "halt_demands": _demands(_of_halting),
    "may_follow": _may_follow,
    "offers": _offers,
    "overdraft_demand": _overdraft_demand,
    "pick_up_demands": _demands(_of_place),
    "post_end": _post_end,
    "resolutions": _resolutions,
    "sections_of": _decides(_of_unit, None),
    "step_chance": _decides(_of_stack, Fraction(1)),
    "step_cost": _step_cost,
    "tally_demand": _decides(_of_place, None),
    "together_demands": _demands(_of_team),
}
"""What becomes of the methods of both faces where a rule isn't in force everywhere."""


@cache
def _relaxed_kind(kind: type[Rule]) -> type[Rule]:
    """Return a kind of rule that forbids nothing outside its scopes."""

    class Relaxed(kind):  # type: ignore[valid-type, misc]
        _scopes: _Scopes = PrivateAttr()
        told_apart: HexSelector = Field(default=HexSelector(), description="Hexes in which it may bind, or not")

        def same_from_anywhere(self, game: Game, way: str) -> bool:
            return False  # scopes name units and steps

    # What a kind of rule has nothing to say of needn't be asked about.
    for name, relax in RELAXED.items():
        plain = getattr(kind, name, None)
        if plain is not getattr(Rule, name, None):
            setattr(Relaxed, name, relax(plain))  # type: ignore[arg-type]
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

    def check_step(self, play: MoveInPlay) -> Iterable[Finding]:
        """Yield a finding for any other unit that goes on with its move."""
        return self.check_pick_up(play) if play.steps_before else ()


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
    memory: RelaxationMemory | None = None,
    movers: Iterable[str] | None = None,
) -> Scenario:
    """Return a scenario in which rules are in force in some scopes only.

    Parameters
    ----------
    scenario : Scenario
        The scenario; left as it is.
    scopes : iterable of Scope
        Where they are. Kinds of rules that say how the game is played always are.
    memory : RelaxationMemory, optional
        Shared by relaxed games of this scenario, and only of this one.
    movers : iterable of str, optional
        The units that move; absent: all that may.
    """
    game, book = scenario.game, scenario.game.rulebook
    scopes, memory = list(scopes), memory or RelaxationMemory()
    in_force = _Scopes(scopes, memory)
    # Steps between hexes that no rule names are looked at once for all of them: here those are named that scopes tell apart.
    apart = {label for scope in scopes for label in scope.hexes or ()}
    named = (
        HexSelector(labels=tuple(label for label in game.board.places if label in apart)) if apart else HexSelector()
    )
    rules: list[Rule] = []
    for rule in book.rules:
        if rule.always_in_force:
            rules.append(rule)
            continue
        if rule.only_forbids and not in_force.somewhere(rule.id):
            continue
        other = _relaxed_kind(type(rule)).model_construct(**dict(rule), told_apart=named)  # type: ignore[call-arg]
        other._scopes = in_force  # type: ignore[attr-defined]
        rules.append(other)
    if movers is not None:
        rules.append(_only(movers))
    # Units share what the rules say of them unless they differ: here those are told apart that not the same binds.
    units = {
        id: replace(unit, traits=unit.traits | {f"bound {memory.binding(id, scopes)}"}) if id in game.friends else unit
        for id, unit in game.units.items()
    }
    kin = replace(game, units=units, rulebook=replace(book, rules=tuple(rules)), _cache={})
    kin.cached(KIN, lambda: memory)
    return replace(scenario, game=kin, memory=memory.kept)


def every_scope(scenario: Scenario) -> list[Scope]:
    """Return a scope for each rule that may be relaxed, everywhere; and one for what units pay."""
    rules = scenario.game.rulebook.rules
    found = [Scope(rule.id) for rule in rules if not rule.always_in_force]
    return [*found, *(Scope(rule.id, pays=True) for rule in scenario.game.rulebook.of(Charges)[:1])]
