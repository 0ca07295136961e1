"""The legal plan that is nearest to an illegal one, on the referee alone.

Changed are moves that are altered, left out, added, or made at another time. Fewest changed moves come first, then fewest
changed steps. Something must change at or before the first move that is illegal, so nothing else is tried.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from planner.errors import OutOfTimeError
from planner.explanation.limits import Limits
from planner.explanation.remedies import legal
from planner.explanation.walks import Walks
from planner.plan import Move, Plan
from planner.position import Position
from planner.referee import Referee
from planner.rules.combat_on_entry import CombatOnEntry
from planner.rules.overrun import AnyOverrun
from planner.scenario import Scenario

TIME_LIMIT = 2.0
"""Seconds that the search for the nearest legal plan takes at most, where nothing else is said."""

MOST_CHANGES = 3
"""Up to so many changed moves are tried in every combination."""


@dataclass(frozen=True)
class NearestPlan:
    """A legal plan near an illegal one.

    Attributes
    ----------
    plan : Plan
        The plan, which the referee has played.
    moves, steps : int
        How many moves are changed, and how many steps of them.
    fewest_moves, fewest_steps : bool
        Whether fewer changed moves are proved not to do; and, with so many, fewer changed steps.
    """

    plan: Plan
    moves: int
    steps: int
    fewest_moves: bool
    fewest_steps: bool

    @property
    def proved(self) -> bool:
        """Whether no legal plan is nearer."""
        return self.fewest_moves and self.fewest_steps

    def to_json(self) -> dict[str, Any]:
        """Return the plan as JSON has it."""
        return {
            "plan": [str(move) for move in self.plan.moves],
            "changed_moves": self.moves,
            "changed_steps": self.steps,
            "fewest_moves": self.fewest_moves,
            "fewest_steps": self.fewest_steps,
        }


@dataclass(frozen=True)
class _Step:
    """A step as it is written, with all that is said of it."""

    to: str
    overrun: bool = False
    carrier: str | None = None
    tries: int = 1
    support: tuple[str, ...] = ()
    drops: tuple[str, ...] = ()


def steps_of(move: Move) -> list[_Step]:
    """Return the steps of a move as they are written."""
    return [
        _Step(
            label,
            index in move.overruns,
            move.carrier(index),
            move.tries(index),
            move.supporters(index),
            tuple(unit for step, unit in move.drops if step == index),
        )
        for index, label in enumerate(move.path[1:], 1)
    ]


def _made_of(move: Move, steps: Sequence[_Step]) -> Move | None:
    """Return a move of the same units with other steps; None if it can't be written."""
    if not steps or any(a == b.to for a, b in zip([move.path[0], *(s.to for s in steps)], steps, strict=False)):
        return None
    pairs = list(enumerate(steps, 1))
    made = Move(
        move.units,
        (move.path[0], *(step.to for step in steps)),
        frozenset(index for index, step in pairs if step.overrun),
        tuple((index, step.carrier) for index, step in pairs if step.carrier is not None),
        tuple((index, unit) for index, step in pairs if index < len(steps) for unit in step.drops),
        tuple((index, step.tries) for index, step in pairs if step.tries > 1),
        tuple((index, unit) for index, step in pairs for unit in step.support),
    )
    return None if any(made.faults()) else made


def changed_steps(one: Move, other: Move) -> int:
    """Return how many steps must be changed, put in or left out to make one move of another (Levenshtein distance)."""
    first, second = steps_of(one), steps_of(other)
    row = list(range(len(second) + 1))
    for index, step in enumerate(first, 1):
        row, before = [index], row
        for number, rival in enumerate(second, 1):
            row.append(min(before[number] + 1, row[-1] + 1, before[number - 1] + (step != rival)))
    marks = (one.failed, one.damage) != (other.failed, other.damage)
    return max(row[-1], int(marks))


@dataclass(frozen=True)
class _Draft:
    """A plan on its way, with the indices of moves that mustn't be touched again."""

    moves: tuple[Move, ...]
    touched: frozenset[int]
    changes: int
    steps: int


class Nearest:
    """Looks for the nearest legal plan.

    Parameters
    ----------
    scenario : Scenario
        The position.
    plan : Plan
        An illegal plan.
    time_limit : float, optional
        Seconds; absent: none.
    """

    def __init__(self, scenario: Scenario, plan: Plan, time_limit: float | None = TIME_LIMIT) -> None:
        self._scenario, self._plan = scenario, plan
        self._game = scenario.game
        self._best: _Draft | None = None
        self._referee = Referee(scenario.game)
        self._limits = Limits.within(time_limit)
        self._walks = Walks(self._referee, self._limits)
        rules = self._game.rulebook.rules
        self._overruns = any(isinstance(rule, (AnyOverrun, CombatOnEntry)) for rule in rules)

    def find(self) -> NearestPlan | None:
        """Return the nearest legal plan, or the best so far when the time is up; None if none was found."""
        fallback = self._fallback()
        most = MOST_CHANGES if fallback is None else min(MOST_CHANGES, fallback.moves)
        tried, self._best = 0, None
        try:
            for count in range(1, most + 1):
                best = self._with(count)
                tried = count
                if best is not None:
                    # Of each move, every form has been tried in which one step is changed, and one for each outcome.
                    few = count == 1 and best.steps <= 2 and self._walks.exhaustive
                    return NearestPlan(Plan(best.moves), count, best.steps, self._walks.exhaustive or count == 1, few)
        except OutOfTimeError:
            best = self._best
            if best is not None and (fallback is None or (best.changes, best.steps) < (fallback.moves, fallback.steps)):
                return NearestPlan(
                    Plan(best.moves), best.changes, best.steps, best.changes == 1 or self._walks.exhaustive, False
                )
        if fallback is None:
            return None
        fewest = tried >= fallback.moves - 1 and self._walks.exhaustive
        return replace(fallback, fewest_moves=fewest or fallback.moves == 1)

    def _fallback(self) -> NearestPlan | None:
        """Return the plan without what is illegal in it, move by move."""
        kept: list[Move] = []
        position = self._scenario.start.copy()
        for move in self._plan.moves:
            after = position.copy()
            broken, _ = self._referee.play_move(move, after, position.under_way.keys())
            if not broken:
                kept.append(move)
                position = after
        while not legal(self._scenario, Plan(tuple(kept))):
            if not kept:
                return None
            if self._limits.late:
                kept.clear()  # that nobody moves is at least soon looked at
            else:
                kept.pop()
        left = list(self._plan.moves)
        for move in kept:
            left.remove(move)
        return NearestPlan(Plan(tuple(kept)), len(left), sum(len(move.path) - 1 for move in left), False, False)

    def _with(self, count: int) -> _Draft | None:
        """Return the best legal plan with so many changed moves; None if there is none."""
        best: _Draft | None = None
        level = [_Draft(self._plan.moves, frozenset(), 0, 0)]
        for last in (number == count for number in range(1, count + 1)):
            following: list[_Draft] = []
            for draft in level:
                for further in self._changed(draft):
                    self._limits.check()
                    if not last:
                        following.append(further)
                    elif (best is None or further.steps < best.steps) and self._is_legal(further):
                        best = self._best = further
            level = following
        return best

    def _is_legal(self, draft: _Draft) -> bool:
        return self._first_wrong(draft)[0] is None and legal(self._scenario, Plan(draft.moves))

    def _first_wrong(self, draft: _Draft) -> tuple[int | None, list[Position]]:
        """Return the index of the first move that is illegal, and the position before each move up to it."""
        position, before = self._scenario.start.copy(), []
        for index, move in enumerate(draft.moves):
            before.append(position.copy())
            later = frozenset(unit for other in draft.moves[index + 1 :] for unit in other.units)
            broken, _ = self._referee.play_move(move, position, position.under_way.keys(), index, later)
            if broken:
                return index, before
        before.append(position)
        return (len(draft.moves), before) if self._referee.check_end(position) else (None, before)

    def _changed(self, draft: _Draft) -> Iterator[_Draft]:
        """Yield every draft with one more changed move, at or before the first that is illegal."""
        wrong, before = self._first_wrong(draft)
        if wrong is None:
            wrong = len(draft.moves)  # only what may be rolled is illegal
        moves = draft.moves
        for index in range(min(wrong, len(moves) - 1) + 1):
            if index in draft.touched:
                continue
            move = moves[index]
            for place in range(len(moves)):
                if place != index:
                    others = [*moves[:index], *moves[index + 1 :]]
                    others.insert(place, move)
                    yield self._touched(draft, tuple(others), place, 0, removed=index)
            for other in self._altered(move, before[index] if index < len(before) else before[-1]):
                yield self._touched(
                    draft, (*moves[:index], other, *moves[index + 1 :]), index, changed_steps(move, other)
                )
            yield self._touched(draft, (*moves[:index], *moves[index + 1 :]), None, len(move.path) - 1, removed=index)
        later = frozenset(unit for move in moves for unit in move.units)
        for index in range(min(wrong, len(moves)) + 1):
            position = before[index]
            for team in self._walks.teams(position, frozenset(u for u in later if not self._walks.may_go_on(u))):
                for move, _ in self._walks.moves(team, position, later):
                    yield self._touched(
                        draft, (*moves[:index], move, *moves[index:]), index, len(move.path) - 1, added=True
                    )

    @staticmethod
    def _touched(
        draft: _Draft,
        moves: tuple[Move, ...],
        index: int | None,
        steps: int,
        removed: int | None = None,
        added: bool = False,
    ) -> _Draft:
        touched = set(draft.touched)
        if removed is not None:
            touched = {i - (i > removed) for i in touched if i != removed}
        if index is not None and (removed is not None or added):
            touched = {i + (i >= index) for i in touched}
        if index is not None:
            touched.add(index)
        return _Draft(moves, frozenset(touched), draft.changes + 1, draft.steps + steps)

    def _altered(self, move: Move, position: Position) -> Iterator[Move]:
        """Yield other forms of a move: one step changed, put in or left out; cut short; or led anywhere."""
        seen = {move}

        def fresh(found: Iterable[Move | None]) -> Iterator[Move]:
            for one in found:
                if one is not None and one not in seen:
                    seen.add(one)
                    yield one

        steps = steps_of(move)
        plain = replace(move, failed=False, damage=None)
        yield from fresh([plain])
        yield from fresh(_made_of(move, steps[:end]) for end in range(len(steps) - 1, 0, -1))
        yield from fresh(_made_of(move, few) for few in self._one_step_off(move, steps))
        if len(move.units) > 1:
            for unit in move.units:
                rest = tuple(other for other in move.units if other != unit)
                drops = tuple(drop for drop in move.drops if drop[1] != unit)
                fewer = replace(plain, units=rest, drops=drops)
                yield from fresh([None if any(fewer.faults()) else fewer])
        if all(position.at.get(unit) == move.path[0] for unit in move.units):
            yield from fresh(other for other, _ in self._walks.moves(move.units, position))
        else:
            here = {position.at.get(unit) for unit in move.units}
            at = next(iter(here)) if len(here) == 1 else None
            if at is not None:
                yield from fresh([replace(plain, path=(at, *move.path[1:])) if at != move.path[1] else None])

    def _one_step_off(self, move: Move, steps: list[_Step]) -> Iterator[list[_Step]]:
        board = self._game.board
        origins = [move.path[0], *(step.to for step in steps)]
        for index, origin in enumerate(origins):
            near = [*board.neighbours[origin], *board.box_links.get(origin, ())]
            forms = [_Step(to, overrun) for to in near for overrun in ((False, True) if self._overruns else (False,))]
            forms = [form for form in forms if not form.overrun or self._game.enemies_at(form.to)]
            for form in forms:
                yield [*steps[:index], form, *steps[index:]]
                if index < len(steps):
                    yield [*steps[:index], replace(form, drops=steps[index].drops), *steps[index + 1 :]]
            if index < len(steps):
                yield [*steps[:index], *steps[index + 1 :]]
                yield [*steps[:index], replace(steps[index], carrier=None, tries=1, support=()), *steps[index + 1 :]]


def nearest_legal(scenario: Scenario, plan: Plan, time_limit: float | None = TIME_LIMIT) -> NearestPlan | None:
    """Return the legal plan that is nearest to an illegal one: fewest changed moves, then fewest changed steps.

    Parameters
    ----------
    scenario : Scenario
        The position.
    plan : Plan
        An illegal plan.
    time_limit : float, optional
        Seconds; absent: none. The best so far is returned when it is up.

    Returns
    -------
    NearestPlan or None
        None if none was found: not even that nobody moves is known to be legal.
    """
    return Nearest(scenario, plan, time_limit).find()
