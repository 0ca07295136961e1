"""The legal plan that is nearest to an illegal one, on the referee alone.

Changed are moves that are altered, left out, added, or made at another time. Fewest changed moves come first, then fewest
changed steps. Something must change at or before the first move that is illegal, so nothing else is tried.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from planner.errors import InputError, OutOfTimeError
from planner.explanation.move_edits import Forms, changed_steps
from planner.explanation.move_remedies import legal, one_at_another_time
from planner.limits import Limits
from planner.plans.plan import Move, Plan, units_of
from planner.reachability.conditional_reach import ConditionalReach
from planner.reachability.fixed_moves import along
from planner.referee.referee import Referee
from planner.scenario import Scenario
from planner.search.unit_moves import UnitMoves
from planner.world.position import Position

if TYPE_CHECKING:
    from planner.referee.verdict_data import NearestData

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

    def to_dict(self) -> NearestData:
        """Return the plan as JSON has it."""
        return {
            "plan": [str(move) for move in self.plan.moves],
            "changed_moves": self.moves,
            "changed_steps": self.steps,
            "fewest_moves": self.fewest_moves,
            "fewest_steps": self.fewest_steps,
        }


@dataclass(frozen=True)
class _Draft:
    """A plan, and how many moves have been changed for it, and how many steps of them."""

    moves: tuple[Move, ...]
    changes: int
    steps: int

    @property
    def price(self) -> tuple[int, int]:
        """How far it is from the plan as it is written."""
        return self.changes, self.steps


@dataclass(frozen=True)
class _Growing:
    """A legal plan on its way, which is made from its first move on.

    Attributes
    ----------
    made : tuple of Move
        The moves so far.
    position : Position
        What they have led to.
    rest : tuple of int
        The indices of the written moves that are still to come.
    out : tuple of (int, int)
        Those that have been taken out, each with how many moves there were then: they come back at another time.
    left : int
        How many more moves may be changed.
    steps : int
        How many steps have been changed.
    """

    made: tuple[Move, ...]
    position: Position
    rest: tuple[int, ...]
    out: tuple[tuple[int, int], ...]
    left: int
    steps: int


class Nearest:
    """Looks for the nearest legal plan.

    Parameters
    ----------
    scenario : Scenario
        The position.
    plan : Plan
        An illegal plan.
    limits : Limits
        How long it may take.
    """

    def __init__(self, scenario: Scenario, plan: Plan, limits: Limits) -> None:
        self._scenario, self._plan = scenario, plan
        self._game = scenario.game
        self._referee = Referee(scenario.game)
        self._limits = limits
        self._lasting = scenario.game.rulebook.some_must_stay
        self._walks = UnitMoves(self._referee, self._limits)
        self._forms = Forms(self._walks, self._limits)
        self._best: _Draft | None = None
        # How many steps must be changed of moves that can't stay as they are written, whatever else is done.
        self._least: dict[int, int] = {}

    def find(self) -> NearestPlan | None:
        """Return the nearest legal plan, or the best so far when the time is up; None if none was found."""
        self._see_what_can_stay()
        fewest, least = max(1, len(self._least)), max(1, len(self._least))
        reordered = False
        try:
            for draft in (self._repaired(), self._left_out()):
                self._offer(draft)
            if least == 1:
                for order in one_at_another_time(self._plan.moves):
                    self._limits.check()
                    self._offer(_Draft(order, 1, 0))
                reordered = True
            every = tuple(range(len(self._plan.moves)))
            for count in range(least, MOST_CHANGES + 1):
                if self._best is not None and self._best.price <= (count, sum(self._least.values())):
                    break
                self._grow(_Growing((), self._scenario.start.copy(), every, (), count, 0), count)
                least = count + 1  # with so many changed moves, nothing nearer is left
        except OutOfTimeError:
            pass
        best = self._best
        if best is None:
            return None
        # With so many changes all plans have been looked at. Where some must stay, of two changed moves the first may have
        # been tried only on a way that relies on who makes the second.
        most = 1 if self._lasting else MOST_CHANGES
        seen = min(least - 1, most) if self._walks.exhaustive else 0
        few_moves = best.changes <= max(fewest, seen + 1)
        # Of as many moves as must be changed, so many steps must be; of one move one, if no other order will do.
        steps = 0 if best.changes > fewest else sum(self._least.values()) if self._least else int(reordered)
        few_steps = few_moves and (best.steps <= steps or best.changes <= seen)
        return NearestPlan(Plan(best.moves), best.changes, best.steps, few_moves, few_steps)

    def _offer(self, draft: _Draft | None) -> None:
        """Keep a draft if it is legal and nearer than the best so far."""
        if draft is None or not draft.changes or (self._best is not None and self._best.price <= draft.price):
            return
        if self._goes_well(draft.moves) and legal(self._scenario, Plan(draft.moves)):
            self._best = draft

    def _goes_well(self, moves: tuple[Move, ...]) -> bool:
        """Tell whether moves are legal if all goes well: most that aren't are soon found out."""
        position = self._after(moves)
        return position is not None and not self._referee.check_end(position)

    def _after(self, moves: tuple[Move, ...]) -> Position | None:
        """Return what moves lead to if all goes well; None if one of them is illegal."""
        position = self._scenario.start.copy()
        for index, move in enumerate(moves):
            later = units_of(moves[index + 1 :])
            if self._referee.play_move(move, position, position.under_way.keys(), index, later)[0]:
                return None
        return position

    # -- what can't stay as it is

    def _see_what_can_stay(self) -> None:
        """See which moves are illegal as they are written whatever else is done, and whether one step more or less helps."""
        if not self._walks.exhaustive:
            return
        limits = self._limits.part(0.3)
        try:
            reach = ConditionalReach(self._game, limits)
            alone = [index for index, move in enumerate(self._plan.moves) if not self._rolls(reach, move)]
            self._least = {index: 1 for index in alone if not along(reach, self._plan.moves[index])}
            for index in self._least:
                forms = self._forms.one_step_off(self._plan.moves[index], self._scenario.start)
                # Whoever stays where it is has left out every step.
                stays = len(self._plan.moves[index].path) == 2
                if not stays and not any(along(reach, form) for form in forms):
                    self._least[index] = 2
        except (InputError, OutOfTimeError):
            pass

    def _rolls(self, reach: ConditionalReach, move: Move) -> bool:
        """Tell whether it isn't known from its own steps alone what becomes of a move."""
        counter = self._game.units[move.units[0]]
        return len(move.units) > 1 or reach.rolls or move.failed or reach.rolls_alone(counter)

    # -- plans that are soon made

    def _repaired(self) -> _Draft:
        """Return the plan with the nearest legal form of each move that is illegal, or without it if there is none."""
        moves, changes, steps = list[Move](), 0, 0
        position = self._scenario.start.copy()
        share = self._limits.part(0.4)
        for index, move in enumerate(self._plan.moves):
            later = units_of(self._plan.moves[index + 1 :])
            after = position.copy()
            broken, _ = self._referee.play_move(move, after, position.under_way.keys(), index, later)
            if not broken:
                moves.append(move)
                position = after
                continue
            changes += 1
            form = self._nearest_form(move, position, later, share.part(1 / (len(self._plan.moves) - index)))
            if form is None:
                steps += len(move.path) - 1
                continue
            steps += form[0]
            moves.append(form[1])
            self._referee.play_move(form[1], position, position.under_way.keys(), index, later)
        return self._cut_to_fit(_Draft(tuple(moves), changes, steps))

    def _cut_to_fit(self, draft: _Draft) -> _Draft:
        """Return a draft in which those end sooner, or stay, who may not all end where they do, the last of them first."""
        while not self._limits.late and (position := self._after(draft.moves)) is not None:
            wrong = {one.at for one in self._referee.check_end(position)}
            crowding = (index for index in reversed(range(len(draft.moves))) if draft.moves[index].end in wrong)
            cuts = (self._cut(draft, index, len(wrong)) for index in crowding)
            fewer = next((one for one in cuts if one is not None), None)
            if fewer is None:
                break
            draft = fewer
        return draft

    def _cut(self, draft: _Draft, index: int, most: int) -> _Draft | None:
        """Return a draft one of whose moves is cut as little as will do, so that at most so many places are wrong."""
        moves, move = draft.moves, draft.moves[index]
        changes = draft.changes + (move in self._plan.moves)
        for end in range(len(move.path) - 2, -1, -1) if not move.failed and move.damage is None else ():
            made = (*moves[:index], *((move.until(end),) if end else ()), *moves[index + 1 :])
            position = self._after(made)
            if position is not None and len({one.at for one in self._referee.check_end(position)}) <= most:
                return _Draft(made, changes, draft.steps + len(move.path) - 1 - end)
        return None

    def _nearest_form(
        self, move: Move, position: Position, later: frozenset[str], limits: Limits
    ) -> tuple[int, Move] | None:
        """Return the nearest legal form of a move; if there is no time for that, the longest legal part of it."""
        try:
            found = next(self._forms.nearest_first(move, position, later, limits), None)
        except OutOfTimeError:
            found = None
        if found is not None:
            return found
        for end in range(len(move.path) - 1, 1, -1):
            short = move.part(move.units[0]) if len(move.units) == 1 else move
            cut = Move(
                short.units,
                short.path[:end],
                frozenset(step for step in short.overruns if step < end),
                tuple(leg for leg in short.carried if leg[0] < end),
            )
            if self._walks.outcome(cut, position, later) is not None:
                return changed_steps(move, cut), cut
        return None

    def _left_out(self) -> _Draft | None:
        """Return the plan without what is illegal in it, move by move."""
        kept: list[int] = []
        position = self._scenario.start.copy()
        moves = self._plan.moves
        for index, move in enumerate(moves):
            after = position.copy()
            broken, _ = self._referee.play_move(move, after, position.under_way.keys())
            if not broken:
                kept.append(index)
                position = after
        while not legal(self._scenario, Plan(tuple(moves[index] for index in kept))):
            if not kept:
                return None
            if self._limits.late:
                kept.clear()  # that nobody moves is at least soon looked at
            else:
                kept.pop()
        left = [move for index, move in enumerate(moves) if index not in kept]
        return _Draft(tuple(moves[index] for index in kept), len(left), sum(len(move.path) - 1 for move in left))

    # -- every plan with so many changed moves

    def _grow(self, so_far: _Growing, count: int) -> None:
        """Offer every legal plan that begins like this, if it is nearer than the best so far."""
        self._limits.check()
        if not self._may_be_nearer(so_far, count):
            return
        if not (so_far.rest or so_far.out) and not self._referee.check_end(so_far.position):
            self._offer(_Draft(so_far.made, count - so_far.left, so_far.steps))
        for further in self._further(so_far, count):
            self._grow(further, count)

    def _may_be_nearer(self, so_far: _Growing, count: int) -> bool:
        due = sum(index in self._least for index in so_far.rest)
        coming = (*so_far.rest, *(index for index, _ in so_far.out))
        steps = so_far.steps + sum(self._least.get(index, 0) for index in coming)
        return due <= so_far.left and (self._best is None or (count, steps) < self._best.price)

    def _further(self, so_far: _Growing, count: int) -> Iterator[_Growing]:
        """Yield what a plan may go on to: as it is written; with what was taken out; with one more changed move."""
        rest, out, left = so_far.rest, so_far.out, so_far.left
        if rest and rest[0] not in self._least:
            kept = self._played(replace(so_far, rest=rest[1:]), self._plan.moves[rest[0]], 0)
            if kept is not None:
                yield kept
        for pair in out:
            index, place = pair
            others = tuple(other for other in out if other != pair)
            for further in self._changed(replace(so_far, out=others), index, count):
                if place < len(so_far.made) or further.steps > so_far.steps:  # or it would be as it is written
                    yield further
        if not left:
            return
        for index in self._may_be_left_out(so_far):
            still = tuple(other for other in rest if other != index)
            steps = so_far.steps + len(self._plan.moves[index].path) - 1
            yield replace(so_far, rest=still, left=left - 1, steps=steps)
        if rest:
            yield replace(so_far, rest=rest[1:], out=(*out, (rest[0], len(so_far.made))), left=left - 1)
        for index in rest[1:]:
            later_on = tuple(other for other in rest if other != index)
            yield from self._changed(replace(so_far, rest=later_on, left=left - 1), index, count)
        later = self._later(rest, out)
        for team in self._walks.teams(
            so_far.position, frozenset(unit for unit in later if not self._walks.may_go_on(unit))
        ):
            for move, after in self._walks.moves(team, so_far.position, later, shortest=True):
                steps = so_far.steps + len(move.path) - 1
                yield _Growing((*so_far.made, move), after, rest, out, left - 1, steps)

    def _may_be_left_out(self, so_far: _Growing) -> Iterable[int]:
        """Return which written moves may be left out next: the next one, or, where one relies on who stays, any at first."""
        if not self._lasting:
            return so_far.rest[:1]
        if so_far.made or so_far.out:
            return ()
        # In their order, so that some are left out together once.
        last = max(set(range(len(self._plan.moves))).difference(so_far.rest), default=-1)
        return (index for index in so_far.rest if index > last)

    def _changed(self, so_far: _Growing, index: int, count: int) -> Iterator[_Growing]:
        """Yield what a plan comes to with some form of a written move, as long as it may be nearer than the best so far."""
        move = self._plan.moves[index]
        for one in [move, *self._fewer(move)]:
            for changed, form in self._forms.nearest_first(one, so_far.position, self._later(so_far.rest, so_far.out)):
                steps = changed + (one is not move)  # whoever is left out is a change, too
                further = self._played(so_far, form, steps)
                if further is None:
                    continue
                if not self._may_be_nearer(further, count):
                    break
                yield further

    def _played(self, so_far: _Growing, move: Move, steps: int) -> _Growing | None:
        """Return what a plan comes to with one more move; None if that is illegal."""
        after, later = so_far.position.copy(), self._later(so_far.rest, so_far.out)
        broken, _ = self._referee.play_move(move, after, so_far.position.under_way.keys(), len(so_far.made), later)
        made, changed = (*so_far.made, move), so_far.steps + steps
        return None if broken else replace(so_far, made=made, position=after, steps=changed)

    def _later(self, rest: Iterable[int], out: Iterable[tuple[int, int]]) -> frozenset[str]:
        """Return the units that may still move."""
        return frozenset(
            unit for index in (*rest, *(index for index, _ in out)) for unit in self._plan.moves[index].units
        )

    @staticmethod
    def _fewer(move: Move) -> Iterator[Move]:
        """Yield a stack's move without one of its units."""
        for unit in move.units if len(move.units) > 1 else ():
            units = tuple(other for other in move.units if other != unit)
            drops = tuple(drop for drop in move.drops if drop[1] != unit)
            fewer = replace(move, units=units, drops=drops, failed=False, damage=None)
            if not any(fewer.faults()):
                yield fewer


def nearest_legal(scenario: Scenario, plan: Plan, limits: Limits | None = None) -> NearestPlan | None:
    """Return the legal plan that is nearest to an illegal one: fewest changed moves, then fewest changed steps.

    Parameters
    ----------
    scenario : Scenario
        The position.
    plan : Plan
        An illegal plan.
    limits : Limits, optional
        When to stop: the best so far is returned; absent: when it is proved.

    Returns
    -------
    NearestPlan or None
        None if none was found: not even that nobody moves is known to be legal; and where attacks are declared, since it is
        moves alone that are changed.
    """
    if plan.attacks is not None:
        return None
    return Nearest(scenario, plan, limits or Limits()).find()
