"""The plans at which a search has looked one by one, for forms of search that can't exclude a plan by what it comes to."""

from __future__ import annotations

from fractions import Fraction

from planner.plans.plan import Plan
from planner.referee.plan_facts import Substance, covered_by_none, substance_of
from planner.referee.verdict import Verdict
from planner.rules.game import Game

Value = tuple[Fraction, ...]
Entry = tuple[Substance, Value, Plan, Verdict]
"""What a plan comes to, what it is worth, the plan, and the referee's verdict on it."""


class Pool:
    """Legal plans that fulfil what is asked for, the best of each substance.

    Parameters
    ----------
    game : Game
        The game.
    """

    def __init__(self, game: Game) -> None:
        self._game = game
        self._best: dict[Substance, tuple[Value, Plan, Verdict]] = {}

    def add(self, plan: Plan, verdict: Verdict, value: Value) -> None:
        """Take over a plan; of plans of one substance the best is kept, of equals the shortest, and then the first."""
        substance = substance_of(self._game, verdict)
        known = self._best.get(substance)
        if known is None or (value, -_steps(plan)) > (known[0], -_steps(known[1])):
            self._best[substance] = value, plan, verdict

    def all(self) -> list[Entry]:
        """Return the plans of the pool, the best first; of equals, that with the fewest facts, then the fewest steps."""
        entries = [(substance, *entry) for substance, entry in self._best.items()]

        def rank(entry: Entry) -> tuple[tuple[Fraction, ...], int, int, str]:
            return tuple(-value for value in entry[1]), entry[0].size, _steps(entry[2]), str(entry[2])

        return sorted(entries, key=rank)

    def essential(self) -> list[Entry]:
        """Return the plans of the pool that cover none of its plans that is worth as much, the best first."""
        found: list[Entry] = []
        for entry in self.all():
            if covered_by_none(entry[0], (kept[0] for kept in found)):
                found.append(entry)
        return found


def _steps(plan: Plan) -> int:
    """Return how many steps the moves of a plan have together."""
    return sum(len(move.path) - 1 for move in plan.moves)
