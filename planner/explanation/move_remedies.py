"""Remedies for moves that are illegal as they are written: every one is replayed on the referee before it is named."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import chain, combinations, permutations
from math import ceil, floor

from planner.errors import InputError, OutOfTimeError
from planner.explanation.answer import Change, Help, Remedy
from planner.explanation.scenario_changes import Obstacles, candidates, changed
from planner.explanation.unnamed import NOT_KNOWN, Unnamed
from planner.limits import Limits
from planner.plans.plan import Move, Plan, units_of
from planner.reachability.step_rules import StepRules
from planner.referee.referee import Referee
from planner.referee.verdict import Verdict, Violation
from planner.rules.game import Game
from planner.scenario import Scenario
from planner.search.unit_moves import UnitMoves
from planner.world.position import Position

MOST_REORDERED = 5
"""Up to so many moves every order is tried; of more, those in which one of them is made at another time."""

MOST_REMEDIES = 5
"""So many remedies of each kind are named; all of them are equally cheap."""

MOST_ELSEWHERE = 4
"""So many hexes are named, beside the first, to which the same helper might move as well."""

LOOKING_ON = 12
"""Once a helper is found, so many other units, or teams of them, are looked at."""

MOST_HELPERS = 2
"""So many moves of other units are tried together."""

MORE_MP = (1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20)
"""How many more MP are tried, where what a unit lacks doesn't settle it."""

MOST_AMOUNTS = 60
"""So many amounts are tried at most to find the smallest."""

MOST_PAIRS = 300
"""So many pairs of things are tried of which not both seem to matter, so that it is known that three are the fewest."""

PLENTY = Fraction(1_000)


@dataclass(frozen=True)
class Remedies:
    """What would make something possible, all of it as cheap.

    Attributes
    ----------
    named : sequence of Remedy
        As many as are named at most.
    beside : Unnamed
        What isn't named.
    """

    named: Sequence[Remedy] = ()
    beside: Unnamed = NOT_KNOWN

    @classmethod
    def of(cls, found: Sequence[Remedy], every: bool) -> Remedies:
        """Return those that are named of some; `every`: there are no others."""
        more = max(0, len(found) - MOST_REMEDIES)
        return cls(found[:MOST_REMEDIES], Unnamed(more, every and not more))


def played(scenario: Scenario, plan: Plan) -> Verdict | None:
    """Let the referee play a plan; None if it can't be, since its rolls have too many outcomes."""
    try:
        return Referee(scenario.game).play(plan, scenario.start)
    except InputError:
        return None


def legal(scenario: Scenario, plan: Plan) -> bool:
    """Tell whether the referee finds nothing wrong with a plan."""
    verdict = played(scenario, plan)
    return verdict is not None and verdict.legal


_Helpers = tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]
"""Who helps, move by move in any order, and which hexes they overrun, or fight for, in doing so."""


def _helpers(moves: Sequence[Move]) -> _Helpers:
    return tuple(sorted((move.units, tuple(move.path[step] for step in sorted(move.overruns))) for move in moves))


def _needs_less(one: _Helpers, other: _Helpers) -> bool:
    """Tell whether of two teams of helpers one is a part of the other, and does no more."""
    (units, hexes), (all_units, all_hexes) = (
        ({unit for those, _ in team for unit in those}, {label for _, labels in team for label in labels})
        for team in (one, other)
    )
    return units < all_units and hexes <= all_hexes


def one_at_another_time(moves: tuple[Move, ...]) -> Iterator[tuple[Move, ...]]:
    """Yield moves in the orders in which one of them is made at another time."""
    for index, move in enumerate(moves):
        others = (*moves[:index], *moves[index + 1 :])
        for place in range(len(moves)):
            if place != index:
                yield (*others[:place], move, *others[place:])


class OwnRemedies:
    """What the side itself can do so that moves become legal: their order, and moves of others before them.

    Parameters
    ----------
    scenario : Scenario
        The position.
    plan : Plan
        Moves that are illegal as they are written.
    violations : sequence of Violation
        What is wrong with them.
    hopeless : bool
        Whether it is known already that no moves of others help.
    limits : Limits, optional
        When to stop.

    Attributes
    ----------
    every_order : bool
        Whether every order of the moves has been tried, once it has been looked for remedies.
    """

    def __init__(
        self,
        scenario: Scenario,
        plan: Plan,
        violations: Sequence[Violation],
        hopeless: bool = False,
        limits: Limits | None = None,
    ) -> None:
        self._scenario, self._plan, self._hopeless = scenario, plan, hopeless
        self._referee = Referee(scenario.game)
        self._limits = limits or Limits()
        self._walks = UnitMoves(self._referee, self._limits)
        places = [violation.move for violation in violations if violation.move is not None]
        self._first = min(places, default=len(plan.moves))
        self._given = units_of(plan.moves)
        self._lasting = scenario.game.rulebook.some_must_stay
        self._looking_on: int | None = None
        self.every_order = len(plan.moves) <= MOST_REORDERED

    def find(self) -> tuple[Remedies, Help]:
        """Return the remedies with the fewest moves of others, and whether there are any."""
        found = [Remedy((), (), plan, True) for plan in self._reordered()]
        if found:
            # Of several orders one is enough to see how it is done.
            beside = Unnamed(len(found) - 1, len(found) == 1 and self.every_order)
            return Remedies(found[:1], beside), "found"
        if self._hopeless:
            # Who makes several moves may have to make them in another order.
            moving = [unit for move in self._plan.moves for unit in move.units]
            return Remedies(), "none" if self.every_order or len(self._given) == len(moving) else "unknown"
        exact = self._walks.exhaustive
        given, own = set(self._given), self._scenario.game.friends & self._scenario.game.homes.keys()
        others = len(own - given)
        for count in range(1, MOST_HELPERS + 1):
            remedies, late = self._helped(count, exact)
            if remedies.named:
                return replace(remedies, named=[*map(self._with_its_way, remedies.named)]), "found"
            if late:
                return Remedies(), "unknown"
        # One move of one other unit, before or after the only one, and all of that tried: there is no help. Of two units one
        # may have to move before it, and one after it.
        every = exact and others <= 1 and len(self._plan.moves) == 1
        return Remedies(), "none" if every else "unknown"

    def _helped(self, count: int, exact: bool) -> tuple[Remedies, bool]:
        """Return the remedies with so many moves of others, each team of helpers once at a time, and whether it got late."""
        found: dict[tuple[_Helpers, int], Remedy] = {}
        every, self._looking_on = exact, None
        try:
            for helpers, plan in self._with_helpers(count):
                if not set(helpers).isdisjoint(self._plan.moves):
                    continue  # what is asked about is no help for itself
                who, place = _helpers(helpers), plan.moves.index(helpers[0])
                known = found.get((who, place))
                if any(_needs_less(other, who) for other, _ in found):
                    continue  # some of them are enough
                named = [
                    move for (other, _), one in found.items() if other == who for move in (*one.moves, *one.elsewhere)
                ]
                full = known is not None and len(known.elsewhere) == MOST_ELSEWHERE
                if named and (count > 1 or helpers[0].overruns or full):
                    every = False  # that they may go elsewhere, too, isn't told
                    continue
                if any(helpers[0].end == move.end for move in named):
                    continue  # at another time
                if known is None and len(found) == MOST_REMEDIES:
                    return Remedies.of([*found.values()], False), False
                if legal(self._scenario, plan):
                    self._looking_on = LOOKING_ON if self._looking_on is None else self._looking_on
                    remedy = known or Remedy(helpers, (), plan, exact or count == 1)
                    more = () if known is None else (*known.elsewhere, *helpers)
                    found[who, place] = replace(remedy, elsewhere=more)
        except OutOfTimeError:
            return Remedies.of([*found.values()], False), True
        return Remedies.of([*found.values()], every and self._looking_on != 0), False

    def _with_its_way(self, remedy: Remedy) -> Remedy:
        """Return help by one move of one unit with word of whether it must go there by its way."""
        if len(remedy.moves) > 1 or len(remedy.moves[0].units) > 1 or remedy.moves[0].overruns:
            return remedy
        [made], start = remedy.moves, self._scenario.start
        ends = {move.end for move in (made, *remedy.elsewhere)}

        def does(other: Move) -> bool:
            moves = tuple(other if move == made else move for move in remedy.plan.moves)
            return legal(self._scenario, replace(remedy.plan, moves=moves))

        try:
            others = [
                move for move, _ in self._walks.moves(made.units, start) if move.end in ends and not move.overruns
            ]
        except OutOfTimeError:
            return remedy
        return replace(remedy, way_counts=not all(map(does, others)))

    def _reordered(self) -> Iterator[Plan]:
        moves = self._plan.moves
        for order in permutations(moves) if self.every_order else one_at_another_time(moves):
            if self._limits.late:
                self.every_order = False
                return
            plan = replace(self._plan, moves=order)
            if order != moves and legal(self._scenario, plan):
                yield plan

    def _with_helpers(self, count: int) -> Iterator[tuple[tuple[Move, ...], Plan]]:
        """Yield plans in which so many moves of others are made before the first that is illegal."""
        position = self._scenario.start.copy()
        for index in range(self._first + 1):
            before, after = self._plan.moves[:index], self._plan.moves[index:]
            later = units_of(after)
            for helpers, then in self._helpers(position, count, later):
                if self._goes_on(then, after):
                    yield helpers, replace(self._plan, moves=(*before, *helpers, *after))
            if index < len(self._plan.moves):
                move, later = self._plan.moves[index], units_of(after[1:])
                self._referee.play_move(move, position, position.under_way.keys(), index, later)

    def _helpers(
        self, position: Position, count: int, later: frozenset[str], who: tuple[str, ...] | None = None
    ) -> Iterator[tuple[tuple[Move, ...], Position]]:
        """Yield so many moves of others, one after the other, with the position after them; `who`: who makes the first."""
        if not count:
            yield (), position
            return
        for team in self._teams(position):
            if who is not None and team != who:
                continue
            if self._looking_on is not None and count == 1:
                if not self._looking_on:
                    return
                self._looking_on -= 1
            if count == 1 or not self._lasting:
                for move, after in self._walks.moves(team, position, later):
                    for others, then in self._helpers(after, count - 1, later):
                        yield (move, *others), then
                continue
            # The cheapest way may rely on a friend who stays. So who is the next to move is settled before it is looked for.
            following = (self._teams(after) for _, after in self._walks.moves(team, position, later))
            for other in dict.fromkeys(chain.from_iterable(following)):
                for move, after in self._walks.moves(team, position, later.union(other)):
                    for others, then in self._helpers(after, count - 1, later, other):
                        yield (move, *others), then

    def _teams(self, position: Position) -> list[tuple[str, ...]]:
        """Return who may help: where units may wait, those that are asked about may do something first themselves."""
        given = frozenset(unit for unit in self._given if not self._walks.may_go_on(unit))
        return [*self._walks.teams(position, given)]

    def _goes_on(self, position: Position, moves: Sequence[Move]) -> bool:
        """Tell whether some moves are legal from a position, if all goes well."""
        position = position.copy()
        for index, move in enumerate(moves):
            later = units_of(moves[index + 1 :])
            broken, _ = self._referee.play_move(move, position, position.under_way.keys(), index, later)
            if broken:
                return False
        return not self._referee.check_end(position)


def different(scenario: Scenario, plan: Plan, violations: Sequence[Violation], limits: Limits) -> Remedies:
    """Return the fewest things that would have to be different for moves to be legal.

    Parameters
    ----------
    scenario : Scenario
        The position.
    plan : Plan
        Moves that are illegal as they are written.
    violations : sequence of Violation
        What is wrong with them.
    limits : Limits
        When to stop.
    """
    game = scenario.game
    units = list(dict.fromkeys(unit for move in plan.moves for unit in move.units if not game.is_enemy(unit)))
    hexes = [label for move in plan.moves for label in move.path]
    # Of friends who have to do something, and aren't told to do anything, it may be they who are in the way.
    said = {*units, *(unit for attack in plan.attacks or () for unit in attack.attackers)}
    idle = [one.unit for one in violations if one.unit is not None and one.unit not in said]
    blame = [*(unit for violation in violations for unit in violation.blame), *idle]
    lacking = {unit: mp for unit in units if (mp := _lacking(scenario, plan, unit))}
    base = {violation.key for violation in violations}
    useful: list[Change] = []
    found: list[Remedy] = []
    sides = [pair for move in plan.moves for pair in zip(move.path, move.path[1:], strict=False)]
    barred = [violation.at for violation in violations if violation.at]
    singles = list(candidates(game, Obstacles(units, hexes, blame, lacking, sides, barred, needed=units)))
    settled = True
    for change in singles:
        if limits.late:
            return Remedies.of(found, False)
        verdict = played(changed(scenario, [change]), plan)
        if verdict is None:
            settled = False
        elif verdict.legal:
            found.append(Remedy((), (change,), plan, True))
        elif base - {violation.key for violation in verdict.violations} or _blames_less(violations, verdict):
            useful.append(change)
    if found:
        return Remedies.of(found, settled)
    # Whoever lacks no MP may do so once something else is different: more of the way is paid for then.
    singles = [*(Change("mp", unit, PLENTY) for unit in units if unit not in lacking), *singles]
    seem = set(useful)
    pairs = [some for some in combinations(singles, 2) if not seem.issuperset(some)]
    every_pair = len(pairs) <= MOST_PAIRS and bool(useful)
    tries: list[Iterable[tuple[Change, ...]]] = [[*combinations(useful, 2), *(pairs if every_pair else ())]]
    tries += [combinations(useful, 3), [tuple(useful)] if len(useful) > 3 else ()]
    for sets in tries:
        for some in sets:
            if limits.late:
                return Remedies.of(found, False)
            needed, known = _enough(scenario, plan, some)
            settled = settled and known
            if needed and all(needed != remedy.changes for remedy in found):
                found.append(Remedy((), needed, plan, len(needed) == 2 or (len(needed) == 3 and every_pair)))
                if len(found) == MOST_REMEDIES:
                    return Remedies.of(found, False)
        if found:
            break
    # Where not every pair was tried, or of many things only all together, others may be as few.
    every = all(len(remedy.changes) == 3 or (len(remedy.changes) == 2 and every_pair) for remedy in found)
    return Remedies.of(found, settled and every)


def _enough(scenario: Scenario, plan: Plan, some: tuple[Change, ...]) -> tuple[tuple[Change, ...], bool]:
    """Return those of some changes that make moves legal, with as many MP as are lacked beside the others; none: they don't.

    The second value tells whether that is known.
    """
    known = True
    plenty = tuple(replace(change, amount=PLENTY) if change.kind == "mp" else change for change in some)
    for changes in dict.fromkeys((some, plenty)):
        verdict = played(changed(scenario, changes), plan)
        known = known and verdict is not None
        if verdict is not None and verdict.legal:
            needed = changes if len(changes) == 2 else _needed(scenario, plan, changes)
            return _with_less(scenario, plan, needed), True
    return (), known


def _blames_less(before: Sequence[Violation], after: Verdict) -> bool:
    """Tell whether somebody is no longer to blame for something, or a sentence that counts nothing isn't told any more."""
    blame = {violation.key: set(violation.blame) for violation in after.violations}
    told = {(violation.key, violation.message) for violation in after.violations}
    return any(
        set(one.blame) - blame.get(one.key, set())
        or (one.cost is None and not one.amounts and (one.key, one.message) not in told)
        for one in before
    )


def _needed(scenario: Scenario, plan: Plan, changes: tuple[Change, ...]) -> tuple[Change, ...]:
    """Leave out what isn't needed."""
    kept = list(changes)
    for change in changes:
        fewer = [other for other in kept if other is not change]
        if legal(changed(scenario, fewer), plan):
            kept = fewer
    return tuple(kept)


def _with_less(scenario: Scenario, plan: Plan, changes: tuple[Change, ...]) -> tuple[Change, ...]:
    """Return changes with no more MP than are lacked beside the others."""
    for index, change in enumerate(changes):
        if change.kind == "mp":
            others = (*changes[:index], *changes[index + 1 :])
            less = _lacking(changed(scenario, others), plan, change.what)
            if less is not None and less < change.amount:
                changes = (*changes[:index], replace(change, amount=less), *changes[index + 1 :])
    return changes


def amounts_between(game: Game, less: Fraction, more: Fraction) -> list[Fraction]:
    """Return the amounts of MP between two, in rising order, that may make a difference; none where these are many."""
    scale = StepRules(game).scale
    numbers = range(floor(less * scale) + 1, ceil(more * scale))
    return [Fraction(number, scale) for number in numbers] if len(numbers) <= MOST_AMOUNTS else []


def _lacking(scenario: Scenario, plan: Plan, unit: str) -> Fraction | None:
    """Return how many more MP a unit would need at least for its moves, where more of them help; None: they don't."""
    counter = scenario.game.units[unit]
    base = played(scenario, plan)
    rich = played(changed(scenario, [Change("mp", unit, PLENTY)]), plan)
    if base is None or rich is None:
        return None
    gone = {violation.key for violation in base.violations} - {violation.key for violation in rich.violations}
    if not gone:
        return None
    spent = max((mp for move in rich.moves for who, mp in move.spent if who == unit), default=Fraction(0))

    def does(more: Fraction) -> bool:
        verdict = played(changed(scenario, [Change("mp", unit, more)]), plan)
        return verdict is not None and gone.isdisjoint(violation.key for violation in verdict.violations)

    # What it spends, having plenty, may be all of that.
    amounts = sorted({spent - counter.ma, *map(Fraction, MORE_MP)})
    enough = next((more for more in amounts if more > 0 and does(more)), None)
    less = [] if enough is None else amounts_between(scenario.game, Fraction(0), enough)
    # Rules may let a unit spend more than it has.
    return next((more for more in less if does(more)), enough) if less and does(less[-1]) else enough
