"""Random plans of all families, cut somewhere: what has been made, with what was rolled, and what comes after it."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from typing import Any

from planner.errors import InputError
from planner.objective.scoring import Value, score, tier_values
from planner.plans.plan import Move, Plan
from planner.referee.referee import Referee
from planner.referee.verdict import Verdict
from planner.scenario import Scenario, build_scenario
from tests.oracles.brute_force import TooManyStatesError
from tests.oracles.islands import draw_islands, islands, random_plan
from tests.oracles.plans import Walker
from tests.oracles.positions import draw
from tests.oracles.skirmishes import draw_skirmish, random_sortie, skirmish
from tests.oracles.stacks import draw_escorts, draw_stacks, escorts, random_escort_plan, random_stack_plan, stacks
from tests.oracles.trenches import draw_trenches, random_march, trenches
from tests.oracles.waiting import draw_waiting, random_waiting_plan, waiting

Drawn = tuple[Scenario, Plan, random.Random]


TRIES = 12
"""How many plans are drawn for a position until the first move of one is legal."""


def _position(seed: int) -> tuple[Scenario, random.Random]:
    rng = random.Random(f"progress {seed}")
    return build_scenario(draw(rng).data, f"seed {seed}"), rng


def _walk(scenario: Scenario, rng: random.Random) -> Plan:
    return Walker(scenario, rng, rng.choice((1, 1, 0.9))).plan()


def _of(
    make: Callable[[int], tuple[Scenario, random.Random]],
    draw_plan: Callable[[Scenario, random.Random], Plan],
    tries: int = TRIES,
) -> Callable[[int], Drawn]:
    def drawn(seed: int) -> Drawn:
        scenario, rng = make(seed)
        referee = Referee(scenario.game)
        plan = Plan()
        for _ in range(tries):
            plan = draw_plan(scenario, rng)
            if plan.moves and not referee.play_move(plan.moves[0], scenario.start.copy(), ())[0]:
                break
        return scenario, plan, rng

    return drawn


FAMILIES: dict[str, Callable[[int], Drawn]] = {
    "on land": _of(_position, _walk),
    "at sea": _of(islands, random_plan),
    "stacks": _of(stacks, random_stack_plan),
    "escorts": _of(escorts, random_escort_plan, 1),
    "trenches": _of(trenches, random_march),
    "waiting": _of(waiting, random_waiting_plan),
    "skirmishes": _of(skirmish, random_sortie),
}


DATA: dict[str, Callable[[int], dict[str, Any]]] = {
    "on land": lambda seed: draw(random.Random(f"progress {seed}")).data,
    "at sea": lambda seed: draw_islands(random.Random(f"islands {seed}")),
    "stacks": lambda seed: draw_stacks(random.Random(f"stacks {seed}")),
    "escorts": lambda seed: draw_escorts(random.Random(f"escorts {seed}")),
    "trenches": lambda seed: draw_trenches(random.Random(f"trenches {seed}")),
    "waiting": lambda seed: draw_waiting(random.Random(f"waiting {seed}")),
    "skirmishes": lambda seed: draw_skirmish(random.Random(f"skirmish {seed}")),
}
"""The scenario file, decoded, of each position."""


def with_results(scenario: Scenario, moves: tuple[Move, ...], rng: random.Random) -> Iterator[Move]:
    """Yield moves with a result for whatever is rolled; nothing more once one of them is illegal."""
    referee, position = Referee(scenario.game), scenario.start.copy()
    for move in moves:
        broken, played = referee.play_move(move.as_made(), position.copy(), position.under_way.keys())
        if broken or not played.played:
            return
        _, open_ = referee.play_move(move, position.copy(), position.under_way.keys())
        for roll in open_.rolls:
            if roll.results:
                result = rng.choice(roll.results)
                move = replace(move, damage=rng.choice(sorted(result.entries)))
            elif rng.random() < 0.4:
                move = replace(move.until(roll.step), failed=True)
                break
        move = move.as_made()
        broken, _ = referee.play_move(move, position, position.under_way.keys())
        if broken:
            return
        yield move


def cuts(scenario: Scenario, plan: Plan, rng: random.Random) -> Iterator[tuple[Plan, Plan, Plan]]:
    """Yield what has been made, what comes after it, and both as one plan, for every place at which a plan can be cut."""
    for index in range(1, len(plan) + 1):
        before, last, rest = plan.moves[: index - 1], plan.moves[index - 1], plan.moves[index:]
        done = tuple(with_results(scenario, plan.moves[:index], rng))
        if len(done) == index:
            yield Plan(done), Plan(rest), Plan((*done, *rest))
            before = done[:-1]
        elif len(done) < index - 1:
            return
        if len(last.path) > 2 and (len(done) < index or (done[-1].path == last.path and not done[-1].failed)):
            step = rng.randint(1, len(last.path) - 2)
            first = replace(last.until(step), damage=None).as_made()
            further = beyond(last, step)
            known = tuple(with_results(scenario, (*plan.moves[: index - 1], first), random.Random(0)))
            if further is not None and len(known) == index:
                yield (
                    Plan((*before, first)),
                    Plan((further, *rest)),
                    Plan((*before, replace(last, made=step), *rest)),
                )
        if len(done) < index:
            return


def beyond(move: Move, step: int) -> Move | None:
    """Return what a move does after one of its steps; None if that can't be written as a move of its own."""
    units = tuple(unit for unit in move.units if move.last_step(unit) > step)
    if not units:
        return None
    return replace(
        move,
        units=units,
        path=move.path[step:],
        overruns=frozenset(s - step for s in move.overruns if s > step),
        carried=tuple((s - step, by) for s, by in move.carried if s > step),
        drops=tuple((s - step, unit) for s, unit in move.drops if s > step),
        attempts=tuple((s - step, times) for s, times in move.attempts if s > step),
        support=tuple((s - step, unit) for s, unit in move.support if s > step),
    )


def begun(scenario: Scenario, done: Plan) -> Scenario | None:
    """Return the phase in progress; None if what has been made isn't legal."""
    try:
        return scenario.after(done)
    except InputError:
        return None


class EverySequel:
    """The best that comes after what has been made, by trying every plan, a step at a time, on the referee alone.

    Parameters
    ----------
    now : Scenario
        The phase in progress; each unit, or stack, moves once in it.
    cap : int
        The number of plans beyond which it gives up.
    fixed : Plan
        How each plan begins; the phase is then that of the plan as a whole.
    hand : frozenset of str
        Whose move may go on after that beginning.
    """

    def __init__(
        self, now: Scenario, cap: int = 3_000, fixed: Plan | None = None, hand: frozenset[str] = frozenset()
    ) -> None:
        self._now, self._game, self._cap = now, now.game, cap
        self._fixed, self._hand = Plan() if fixed is None else fixed, now.start.in_hand if fixed is None else hand
        self._referee = Referee(now.game)

    def best(self) -> Value | None:
        """Return the optimal value of each tier, or None if no plan is legal.

        Raises
        ------
        TooManyStatesError
            If there are more plans than the cap.
        """
        found: Value | None = None
        queue: deque[tuple[Move, ...]] = deque([self._fixed.moves])
        seen: set[object] = set()
        tried = 0
        while queue:
            moves = queue.popleft()  # the shortest first, so that it shows soon how many there are
            tried += 1
            if tried + len(queue) > self._cap:  # each of those will be tried, too
                raise TooManyStatesError
            verdict = self._referee.play(Plan(moves), self._now.start)
            if any(violation.move is not None for violation in verdict.violations):
                continue
            if verdict.legal and self._fulfils(verdict):
                value = tier_values(self._now.tiers, score(self._game, self._now.tiers, verdict))
                found = value if found is None else max(found, value)
            key = self._key(moves, verdict)
            if key not in seen:
                seen.add(key)
                queue += self._longer(moves)
                queue += [(*moves, move) for move in self._begun(moves, verdict)]
        return found

    def _fulfils(self, verdict: Verdict) -> bool:
        return all(
            term.holds(self._game, position, tally)
            for term in self._now.requirements
            for position, tally in verdict.all_outcomes()
        )

    @staticmethod
    def _key(moves: tuple[Move, ...], verdict: Verdict) -> object:
        worlds = [(one.probability, one.position, one.tally) for one in verdict.outcomes]
        worlds = worlds or [(Fraction(1), verdict.position, verdict.tally)]
        last = moves[-1] if moves else None
        return (
            last and (last.units, last.path[0], last.drops and len(last.path), bool(last.overruns)),
            tuple(sorted(move.units for move in moves)),
            tuple(
                sorted(
                    repr((
                        chance, sorted(p.at.items()), sorted(tally.mp.items()), sorted(p.taken), sorted(p.lost),
                        sorted((u, repr(one)) for u, one in p.under_way.items()), p.legs, sorted(p.bogged),
                    ))
                    for chance, p, tally in worlds
                )
            ),
            tuple(label for move in moves[:-1] for label in move.path) if len(worlds) > 1 else (),
        )  # fmt: skip

    def _begun(self, moves: tuple[Move, ...], verdict: Verdict) -> Iterator[Move]:
        position, hand = verdict.position, self._hand
        moved = {unit for move in moves for unit in move.units} | self._now.start.under_way.keys()
        if len(moves) == len(self._fixed):
            moved -= hand
        at: dict[str, list[str]] = {}
        for unit in self._game.order:
            if unit in self._game.friends and unit in position.at and unit not in moved:
                at.setdefault(position.at[unit], []).append(unit)
        for home, units in at.items():
            for size in range(1, (len(units) if self._game.rulebook.stacks else 1) + 1):
                for team in combinations(units, size):
                    yield from self._steps(Move(team, (home,)))

    def _longer(self, moves: tuple[Move, ...]) -> Iterator[tuple[Move, ...]]:
        if moves and not moves[-1].failed:  # who has bogged down goes no further
            last, here = moves[-1], [u for u in moves[-1].units if moves[-1].last_step(u) == len(moves[-1].path) - 1]
            for size in range(len(here) if self._game.rulebook.stacks else 1):
                for left in combinations(here, size):
                    dropping = replace(last, drops=(*last.drops, *((len(last.path) - 1, unit) for unit in left)))
                    yield from ((*moves[:-1], longer) for longer in self._steps(dropping))

    def _steps(self, move: Move) -> Iterator[Move]:
        board, here, step = self._game.board, move.path[-1], len(move.path)
        near = {*board.neighbours.get(here, ()), *board.box_links.get(here, ())}
        near |= {place for place, one in board.places.items() if one.box and here in board.box_links.get(place, ())}
        for to in sorted(near - {here}):
            yield replace(move, path=(*move.path, to))
            if any(self._game.is_enemy(unit) for unit in self._now.start.units_in(to)):
                for tries in (1, 2, 3) if self._game.rulebook.rolled else (1,):
                    yield replace(
                        move,
                        path=(*move.path, to),
                        overruns=move.overruns | {step},
                        attempts=(*move.attempts, (step, tries)) if tries > 1 else move.attempts,
                    )
        for to in sorted({place for zone in board.zones_of(here) for place in board.zones[zone]} - {here}):
            yield replace(move, path=(*move.path, to), carried=(*move.carried, (step, "")))
