"""Judges plans that may be witnesses of where units can end; many of them have much in common."""

from __future__ import annotations

from contextlib import suppress
from fractions import Fraction

from planner.errors import TooManyOutcomesError
from planner.plans.plan import Move, Plan
from planner.referee.sharing_referee import SharingReferee
from planner.referee.verdict import Verdict
from planner.scenario import Scenario


class WitnessJudge:
    """Judges plans from one position.

    Parameters
    ----------
    scenario : Scenario
        The position.

    Attributes
    ----------
    referee : SharingReferee
        It plays what plans have in common once.
    untold : int
        How often it was asked about plans of which the rolls have too many outcomes to tell what they lead to.
    crowding : dict from Plan to set of str
        The plans of which nothing is illegal but who stands where in the end, and in which places.
    """

    def __init__(self, scenario: Scenario) -> None:
        self.referee, self._start = SharingReferee(scenario.game, thorough=False), scenario.start
        self.untold, self._untold = 0, set[Plan]()
        self.crowding: dict[Plan, set[str]] = {}
        self._eliminates = not scenario.game.rulebook.fights
        self._verdicts: dict[Plan, Verdict | None] = {}
        # By the moves before it, and by whom: how moves begin that are illegal however they go on.
        self._illegal: dict[tuple[tuple[Move, ...], tuple[str, ...]], list[Move]] = {}

    def full_for(self, unit: str) -> frozenset[str]:
        """Return the hexes in which a unit may not end while everybody else stays where he is."""
        found = set[str]()
        for label in self.referee.game.board.hexes:
            position = self._start.copy()
            position.move(unit, label)
            if self.referee.check_end(position):
                found.add(label)
        return frozenset(found)

    def goes(self, plan: Plan, unit: str, label: str) -> Verdict | None:
        """Return the verdict on a plan that takes a unit to a hex; None: it is illegal, or doesn't, or nobody can tell."""
        try:
            verdict = self._verdicts[plan]
        except KeyError:
            verdict = self._verdicts[plan] = self._judged(plan) if plan.moves else None
        if verdict is None:
            self.untold += plan in self._untold
            return None
        return verdict if chance_of(verdict, unit, label) > 0 else None

    def ends(self, plan: Plan) -> dict[tuple[str, str], None]:
        """Return who may end where by a plan: if all goes well, and where units fight whatever is drawn."""
        positions = [self.referee.play(plan, self._start, rolls=False).position]
        if not self._eliminates:
            with suppress(TooManyOutcomesError):
                positions += [position for position, _ in self.referee.play(plan, self._start).all_outcomes()]
        return dict.fromkeys((unit, label) for position in positions for unit, label in position.at.items())

    def _judged(self, plan: Plan) -> Verdict | None:
        if self._eliminates and _overruns_again(plan):
            return None  # if all goes well nobody is left there for the second time
        before, last = plan.moves[:-1], plan.moves[-1]
        illegal = self._illegal.setdefault((before, last.units), [])
        if any(last.path[: len(one.path)] == one.path and last.until(len(one.path) - 1) == one for one in illegal):
            return None
        verdict = self.referee.play(plan, self._start, rolls=False)
        if not verdict.violations and any(
            one.rolls or any(s.possible > s.strength for s in one.survivals) for one in verdict.moves
        ):  # most plans that aren't legal aren't if all goes well, either, which is soon seen
            try:
                verdict = self.referee.play(plan, self._start)
            except TooManyOutcomesError:
                self._untold.add(plan)
                return None
        wrong = [
            one.step for one in verdict.violations if one.move == len(before) and one.step is not None and not one.halt
        ]
        if wrong:  # a stop is disregarded by the step after it
            illegal.append(last.until(min(wrong) + 1))
        elif verdict.violations and all(one.step is None for one in verdict.violations):
            self.crowding[plan] = {one.at for one in verdict.violations}
        return None if verdict.violations else verdict


def _overruns_again(plan: Plan) -> bool:
    """Tell whether a plan overruns some hex more than once."""
    overrun = [move.path[step] for move in plan.moves if move.overruns for step in move.overruns]
    return len(overrun) > len(set(overrun))


def chance_of(verdict: Verdict, unit: str, label: str) -> Fraction:
    """Return the probability that a unit ends in a hex; 0 for a plan that is illegal.

    Where nothing is rolled, 1 or 0 without another look.
    """
    if not verdict.outcomes:
        return Fraction(verdict.legal and verdict.position.at.get(unit) == label)
    return verdict.chance_to_end(unit, (label,))
