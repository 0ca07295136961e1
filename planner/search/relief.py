"""Who leaves hexes that hold too many as the phase begins, so that a plan is legal in which somebody else moves."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from planner.plans.plan import Move, Plan, units_of
from planner.reachability.conditional_reach import ConditionalReach
from planner.reachability.stakes import Stakes
from planner.reachability.team_reach import TeamReach
from planner.referee.verdict import Verdict
from planner.rules.combat_roles import JointlyOverruns
from planner.scenario import Scenario
from planner.search.witness_judge import WitnessJudge, chance_of
from planner.world.position import Position


class Relief:
    """Finds moves of single units, of which nothing is rolled, out of hexes in which too many stand.

    Parameters
    ----------
    scenario : Scenario
        The position.
    judge : WitnessJudge
        Who judges moves, and plans.
    moves_of : callable
        Lists what a unit can do by itself, the cheapest first.
    """

    def __init__(self, scenario: Scenario, judge: WitnessJudge, moves_of: Callable[[str], Iterable[Move]]) -> None:
        self._start, self._judge, self._moves_of = scenario.start, judge, moves_of
        self._game, self._referee = scenario.game, judge.referee
        self._crowded = self._wrong(scenario.start)
        self._movers = [
            unit
            for label in sorted(self._crowded)
            for unit in scenario.game.sorted(scenario.start.units_in(label))
            if unit in scenario.game.friends
        ]
        self._known: dict[str, list[Move]] = {}

    @property
    def needed(self) -> bool:
        """Whether somebody must leave a hex in any case."""
        return bool(self._crowded)

    def _wrong(self, position: Position) -> set[str]:
        """Return the places in which units may not stand as they do."""
        return {one.at for one in self._referee.check_end(position)}

    def plans(self, move: Move) -> Iterator[Plan]:
        """Yield plans in which others leave such hexes, before a move or after it: at first nobody, then more and more.

        Parameters
        ----------
        move : Move
            The move; nobody makes room who makes it, or goes where it ends.
        """
        for helpers in self._leaving(move):
            yield from (Plan((*helpers, move)), Plan((move, *helpers)))

    def _leaving(self, move: Move) -> Iterator[tuple[Move, ...]]:
        position, helpers = self._start.copy(), list[Move]()
        yield ()
        for unit in self._movers:
            wrong = self._wrong(position)
            if unit in move.units or self._start.at[unit] not in wrong:
                continue
            for one in self._moves(unit):
                if one.end == move.end:
                    continue
                after = position.copy()
                violations, played = self._referee.play_move(one, after, ())
                if not violations and not played.rolls and self._wrong(after) <= wrong:
                    position = after
                    helpers.append(one)
                    yield tuple(helpers)
                    break

    def together(
        self, reach: ConditionalReach, unit: str, label: str, witness: tuple[Plan, Verdict]
    ) -> tuple[Plan, Verdict]:
        """Return a witness in which those who would leave overrun with a unit, if that is likelier to take it to a hex.

        Parameters
        ----------
        reach : ConditionalReach
            What the rules say.
        unit, label : str
            The unit, and the hex.
        witness : (Plan, Verdict)
            The plan that is known, and the verdict on it.
        """
        plan, verdict = witness
        chance = chance_of(verdict, unit, label)
        team = self._game.sorted(units_of(plan.moves))
        apart = len({self._start.at[one] for one in team}) > 1
        if chance == 1 or apart or len(plan.moves) < 2 or not self._game.rulebook.of(JointlyOverruns):
            return witness
        for one in TeamReach(reach, Stakes(frozenset([label]))).possibilities(team):
            joint = Plan((one.move,))
            judged = self._judge.goes(joint, unit, label)
            if judged is not None and chance_of(judged, unit, label) > chance:
                witness, chance = (joint, judged), chance_of(judged, unit, label)
        return witness

    def _moves(self, unit: str) -> list[Move]:
        if unit not in self._known:
            self._known[unit] = [one for one in self._moves_of(unit) if not one.overruns]
        return self._known[unit]
