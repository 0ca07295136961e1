"""Every plan of a small position that is worth enough, tried out on the referee.

Where entering a hex is a combat, or where plans rely on likely results, a model only proposes plans, and what it excludes
isn't excluded for good. So that a solution can be proved to be the only one all the same, all plans are gone through here,
one move after another, but for such as have led to the same before, as cost too much already, or in which somebody does what
can't be part of any plan that is worth enough: the model that overvalues every plan says so, choice by choice. On larger
positions there are too many plans for that, and nothing is known.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, pairwise
from math import ceil
from typing import Protocol

from planner.errors import OutOfTimeError, TooManyOutcomesError
from planner.limits import CHECKED
from planner.objective import Tier
from planner.objective.costs import MpSpent, UnitsMoved
from planner.objective.scoring import Value
from planner.plans.plan import Move, Plan, units_of
from planner.reachability.fixed_moves import joined
from planner.referee.outcomes import Outcomes
from planner.referee.sharing_referee import SharingReferee
from planner.referee.verdict import Verdict
from planner.rules.combat_roles import Fights
from planner.rules.demands import Before
from planner.rules.game import Game
from planner.search.context import SearchContext
from planner.search.plan_pool import PlanPool
from planner.search.useful_ways import Arcs, Useful, Ways
from planner.solver.cp_sat import Literal, new_model
from planner.solver.model import most
from planner.solver.possibility_layer import Options
from planner.solver.tuning import Enumeration
from planner.world.position import Position

_Outcome = tuple[Fraction, Position, dict[str, Fraction], bool]
"""What a plan may lead to: how likely, the position, what has been spent, and whether something failed that is relied on."""


class Moves(Protocol):
    """Says how a plan may go on."""

    def after(self, plan: Plan, position: Position, others: Iterable[Position]) -> Iterator[Move]:
        """Yield moves that may follow a plan.

        Parameters
        ----------
        plan : Plan
            The plan.
        position : Position
            The position after it if all goes well.
        others : iterable of Position
            The positions after it if something comes out otherwise.
        """


class Census:
    """All plans that are worth enough.

    Parameters
    ----------
    context : SearchContext
        A search that has run, or has proposed what it can: it knows the conditions of a plan.
    least : tuple of Fraction or None
        What a plan must be worth, tier by tier, the first difference deciding; None: anything.
    highest : Fraction or None
        What no plan exceeds in the first tier; None where that isn't known.
    last : bool
        Whether nothing comes after it, so that it may take longer, unless the work of the search is limited.

    Attributes
    ----------
    found : PlanPool
        The plans that have turned out to be worth enough so far.
    """

    def __init__(
        self, context: SearchContext, least: Value | None, highest: Fraction | None, last: bool = False
    ) -> None:
        self._context, self._scenario, self._least = context, context.scenario, least
        self._limits = context.limits
        self._left = Enumeration.walked if last and context.limits.effort is None else Enumeration.work
        self._referee = SharingReferee(self._scenario.game)  # plans begin alike
        self._numbers: dict[object, int] = {}
        self._highest = highest
        self.found = PlanPool(self._scenario.game)
        # Where only a friend helps who moves no more, it matters how a position was come by: who has relied on whom.
        self._by_moves = self._scenario.game.rulebook.some_must_stay

    def run(self) -> PlanPool | None:
        """Return all plans that are worth enough, of each substance the best one; None if there are too many to be tried.

        Those that were tried by then are `found`. Plans that say who attacks whom after the moves aren't gone through.
        """
        if self._scenario.asks_for_attacks:
            return None
        try:
            return self._run()
        except (_TooManyError, OutOfTimeError):
            return None

    def _run(self) -> PlanPool | None:
        moves = self._moves()
        seen: set[object] = set()
        stack: list[tuple[Move, ...]] = [()]
        every = True
        while stack:
            plan = Plan(stack.pop())
            if self._left < 0 or self._limits.late:
                return None
            state = self._play(plan, seen)
            if state is None:
                continue
            position, others, complete = state
            if complete:
                self._keep(plan)
            for move in moves.after(plan, position, others):
                if len(stack) > self._left or self._limits.late:  # to play them all would be too much work
                    every = False
                    break
                stack.append((*plan.moves, move))
        return self.found if every else None

    def _check_time(self) -> None:
        if self._limits.late:
            raise _TooManyError

    def _moves(self) -> Moves:
        if self._context.combat is not None:
            return _Skirmishes(self._context, self._least, self._count_solving)
        return _Choices.of(self._context, self._least, self._count_solving)

    def _count_solving(self) -> None:
        self._left -= Enumeration.solving
        if self._left < 0 or self._limits.late:
            raise _TooManyError

    def _play(self, plan: Plan, seen: set[object]) -> tuple[Position, list[Position], bool] | None:
        """Play a plan; return its position, the others to which it may lead, and whether it may end like that.

        None if it can't be part of a legal plan that is worth enough, or comes to what has been seen.
        """
        self._left -= 1 + len(plan)
        self._limits.spend(CHECKED * (1 + len(plan)))
        game, played = self._scenario.game, self._referee.play(plan, self._scenario.start, rolls=False)
        if any(violation.move is not None for violation in played.violations):
            return None  # what comes later never mends a move
        partial = self._context.conditions.partial
        made = partial.made_by(played.moves)
        if made is None or (made and partial.in_order(plan.moves) != list(plan.moves)):
            return None  # nor a step that isn't the one that is settled, or comes too early
        complete = not played.violations
        outcomes: list[_Outcome] = []
        if any(move.rolls for move in played.moves):
            try:
                tree = Outcomes(self._referee, plan, self._scenario.start, self._check_time)
            except (
                TooManyOutcomesError
            ):  # more outcomes than the referee goes through: no plan that anybody could judge
                raise _TooManyError from None
            self._left -= len(plan) * len(tree.outcomes)
            if any(violation.move is not None for violation in tree.violations):
                return None
            complete = complete and not tree.violations
            sure = game.situation.confidence
            for one in tree.outcomes:
                relied = any(tree.probabilities.get(result, Fraction(0)) >= sure for result in one.failed)
                outcomes.append((one.probability, one.position, one.tally.mp, relied))
        else:
            outcomes.append((Fraction(1), played.position, played.tally.mp, False))
        if not self._may_do(outcomes):
            return None
        ends = Counter((chance, self._number(position, mp), relied) for chance, position, mp, relied in outcomes)
        state: tuple[object, ...] = (
            self._number(played.position, played.tally.mp),
            tuple(made),
            frozenset(ends.items()),
        )
        if self._by_moves:
            state = (*state, plan.moves)
        if state in seen:
            return None
        seen.add(state)
        return played.position, [position for _, position, _, _ in outcomes], complete

    def _number(self, position: Position, mp: dict[str, Fraction]) -> int:
        """Return the number of a state: many plans lead to the same ones."""
        return self._numbers.setdefault(state_of(self._scenario.game, position, mp), len(self._numbers))

    def _may_do(self, outcomes: list[_Outcome]) -> bool:
        """Tell whether a plan that goes on like that can be worth enough: what has been spent is spent."""
        if any(self._at_most(tier, outcomes) < least for tier, least in self._context.conditions.goals):
            return False
        if self._least is None:
            return True
        found = [self._at_most(tier, outcomes) for tier in self._scenario.tiers]
        if found and self._highest is not None:
            found[0] = min(found[0], self._highest)
        return tuple(found) >= self._least

    def _at_most(self, tier: Tier, outcomes: list[_Outcome]) -> Fraction:
        game, worth = self._scenario.game, most(tier, self._scenario.game)
        for term in tier.terms:
            if isinstance(term, (MpSpent, UnitsMoved)):
                own = {unit for unit in game.friends if term.of.matches(game.units[unit])}
                for chance, _, mp, _ in outcomes:
                    spent = [amount for unit, amount in mp.items() if unit in own]
                    count = sum(spent, Fraction(0)) if isinstance(term, MpSpent) else Fraction(len(spent))
                    worth -= chance * count * term.weight
        return worth

    def _keep(self, plan: Plan) -> None:
        """Take over a plan if it does what is asked for, and is worth enough."""
        verdict = self._context.replay(plan)
        if not verdict.legal or not self._context.fulfils(plan, verdict):
            return
        value = self._context.value(verdict)
        if self._least is None or value >= self._least:
            self.found.add(plan, verdict, value)

    def tidy(self, plan: Plan) -> Plan:
        """Write a plan as players would: combats as such, and steps of a unit that follow each other as one move.

        Where no time is left for that, it stays as it is.
        """
        with suppress(OutOfTimeError):
            return self._tidied(plan)
        return plan

    def _tidied(self, plan: Plan) -> Plan:
        played = self._context.replay(plan)
        moves = [
            replace(result.move, overruns=self._combats(plan.moves[:index], result.move))
            for index, result in enumerate(played.moves)
        ]
        index = 1
        while index < len(moves):
            before, move = moves[index - 1], moves[index]
            whole = (
                joined((before, move), move.units[0]) if before.units == move.units and len(move.units) == 1 else None
            )
            shorter = (
                replace(plan, moves=(*moves[: index - 1], whole, *moves[index + 1 :])) if whole is not None else None
            )
            if shorter is not None and self._is_the_same(shorter, played):
                moves = list(shorter.moves)
            else:
                index += 1
        tidied = replace(plan, moves=tuple(moves))
        return tidied if self._is_the_same(tidied, played) else plan

    def _combats(self, before: tuple[Move, ...], move: Move) -> frozenset[int]:
        """Return the steps of a move that are combats: those across hexsides onto enemies, if all has gone well.

        Those that are written as such stay if enemies may stand there.
        """
        if not self._scenario.game.rulebook.of(Fights):
            return move.overruns
        played, board = self._context.replay(Plan(before)), self._scenario.game.board

        def hostile(position: Position) -> set[int]:
            held = {label for unit, label in position.at.items() if self._scenario.game.is_enemy(unit)}
            steps = enumerate(pairwise(move.path), 1)
            return {step for step, (here, to) in steps if to in held and to in board.neighbours[here]}

        may = set[int]().union(*(hostile(position) for position, _ in played.all_outcomes()))
        return frozenset(hostile(played.position) | (move.overruns & may))

    def _is_the_same(self, plan: Plan, verdict: Verdict) -> bool:
        """Tell whether a plan comes to the same if all goes well, does what is asked for, and is worth as much."""
        context = self._context
        other = context.replay(plan)
        same = other.legal and other.position == verdict.position and other.tally == verdict.tally
        return same and context.fulfils(plan, other) and context.value(other) == context.value(verdict)


class _TooManyError(Exception):
    """There is more than can be looked at."""


def state_of(game: Game, position: Position, mp: dict[str, Fraction]) -> tuple[object, ...]:
    """Return all of a position that what comes later can depend on."""
    counted = 1 + max(rule.counts_hexes for rule in game.rulebook.rules)  # how many steps it has made matters so far
    under_way = [
        (unit, one.spent, min(one.steps, counted), one.stops, one.way, one.zones, one.tallies)
        for unit, one in sorted(position.under_way.items())
    ]
    return (
        frozenset(position.at.items()),
        frozenset(mp.items()),
        tuple(under_way),
        game.counted(position.taken),
        *position.happened,
    )


class _Skirmishes:
    """How plans go on where entering an enemy's hex is a combat: step by step where units wait for each other."""

    def __init__(self, context: SearchContext, least: Value | None, tick: Callable[[], None]) -> None:
        self._game, self._reach = context.scenario.game, context.ground.reach
        stays = frozenset(context.conditions.partial.stays)
        self._arcs = {unit: _arcs(context, unit) for unit in self._reach.movers if unit not in stays}
        self._ways: dict[str, Ways] = {}
        # Whoever moves once, and takes places or markers on its way, may come back to a hex of it.
        self._returns = bool(self._game.situation.contested or self._game.removable)
        self._comes_home = not self._reach.staying_is_as_good
        wanted = list(zip(context.scenario.tiers, least or (), strict=False))
        asked, bounded = context.conditions, context.combat is not None and context.combat.everywhere()
        if bounded and (wanted or asked.goals or asked.partial or context.scenario.requirements):
            useful = Useful(context, wanted, tick)
            self._ways = {unit: Ways(useful, unit, arcs) for unit, arcs in self._arcs.items()}

    def after(self, plan: Plan, position: Position, others: Iterable[Position]) -> Iterator[Move]:
        """Yield the steps of single units, and those of groups into a hex that may hold an enemy.

        Where rules forbid to end a move among others, through whom one may pass, or to go on with it later, several steps
        may be one move.
        """
        enemies = [(at, one) for one in (*others, position) for unit, at in one.at.items() if self._game.is_enemy(unit)]
        hostile = {at: one is position for at, one in enemies}
        together: dict[tuple[tuple[str, ...], tuple[tuple[int, str], ...]], list[str]] = {}
        for unit in self._arcs:
            here = position.at.get(unit)
            progress = position.under_way.get(unit)
            if here is None or (progress is not None and any(not stop.lifted_by for stop in progress.stops)):
                continue
            spent = 0 if progress is None else int(progress.spent * self._reach.scale)
            for move in self._longer(Move((unit,), (here,)), spent, hostile):
                yield move
                if move.end in hostile:
                    together.setdefault((move.path, move.carried), []).append(unit)
        for (path, carried), units in together.items():
            for size in range(2, len(units) + 1):
                for team in combinations(self._game.sorted(units), size):
                    yield Move(team, path, carried=carried)

    def _longer(self, move: Move, spent: int, hostile: dict[str, bool]) -> Iterator[Move]:
        """Yield how a move may go on that a unit begins: by a step, or by several where it may not go on later."""
        (unit,), path = move.units, move.path
        ways, book = self._ways.get(unit), self._game.rulebook
        once = book.halting or not book.lets_wait(self._game.units[unit])
        steps, home = list(pairwise(path)), path[0]
        if self._comes_home and not self._returns and path[-1] == home and steps:
            return  # to go on from there is to set out otherwise
        for (to, aboard), cost in self._arcs[unit].get(path[-1], {}).items():
            again = (path[-1], to) in steps if self._returns else to in path and not (self._comes_home and to == home)
            if not again and (ways is None or ways.leads_on(path[-1], to, spent, cost, to in hostile)):
                carried = (*move.carried, (len(path), "")) if aboard else move.carried
                longer = replace(move, path=(*path, to), carried=carried)
                yield longer
                if once and not hostile.get(to):  # who is there only if all doesn't go well may be gone
                    yield from self._longer(longer, spent + cost, hostile)


def _arcs(context: SearchContext, unit: str) -> Arcs:
    """Return the steps of a unit from wherever it can get, aboard a carrier or not, each with the least MP that it costs."""
    reach = context.ground.reach
    found: Arcs = {}
    seen: set[tuple[str, Before]] = set()
    queue = [(context.scenario.game.homes[unit], reach.departed(unit).before)]
    while queue:
        if (place := queue.pop()) in seen:
            continue
        seen.add(place)
        here, before = place
        steps = found.setdefault(here, {})
        for step in reach.steps(unit, here, before):
            if not step.arc.overrun:
                key = step.arc.to, step.aboard
                steps[key] = min(step.cost, steps.get(key, step.cost))
                queue.append((step.arc.to, reach.after(step.arc)))
    return found


class _Choices:
    """How plans go on where each unit moves once: by one of the moves that it or its stack has."""

    def __init__(self, moves: list[Move]) -> None:
        self._moves = moves

    @classmethod
    def of(cls, context: SearchContext, least: Value | None, tick: Callable[[], None]) -> _Choices:
        """List the moves; whoever is carried is so by whichever carriers are left for it."""
        ground = context.ground
        confidence = context.scenario.game.situation.confidence
        if least is None:
            options = [option for found in ground.possibilities.values() for option in found]
            teams = list(ground.teams)
        else:
            model = context.build_options(confidence, bounding=True)
            layer = model.layer
            assert isinstance(layer, Options)
            expression = model.coupling.expression(model.tiers[0]) if model.tiers else 0
            if not isinstance(expression, int):
                model.coupling.model.add(expression >= ceil(least[0] * model.scale))
            model.coupling.model.clear_objective()  # type: ignore[no-untyped-call]

            def useful(literal: Literal) -> bool:
                tick()
                trial = new_model(model.coupling.model)
                trial.add(literal == 1)
                return context.run_model(trial).outcome != "infeasible"

            options = [option for found in layer.chosen.values() for option, literal in found if useful(literal)]
            teams = [team for team, literal in layer.teams if useful(literal)]
        return cls(list(dict.fromkeys([*(one.move for one in options), *(one.move for one in teams)])))

    def after(self, plan: Plan, position: Position, others: Iterable[Position]) -> Iterator[Move]:
        """Yield every move of those who haven't moved yet."""
        moved = units_of(plan.moves)
        for move in self._moves:
            if moved.isdisjoint(move.units) and all(position.at.get(unit) == move.path[0] for unit in move.units):
                yield move
