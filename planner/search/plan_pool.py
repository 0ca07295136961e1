"""The plans at which a search has looked one by one, for forms of search that can't exclude a plan by what it comes to."""

from __future__ import annotations

from fractions import Fraction

from planner.objective import Tier
from planner.objective.costs import MpSpent
from planner.objective.scoring import Value, score
from planner.plans.plan import Plan
from planner.referee.plan_facts import Substance, covered_by_none, substance_of
from planner.referee.verdict import Verdict
from planner.rules.game import Game

Entry = tuple[Substance, Value, Plan, Verdict]
"""What a plan comes to, what it is worth, the plan, and the referee's verdict on it."""


class PlanPool:
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
        substance, game = substance_of(self._game, verdict), self._game
        known = self._best.get(substance)
        equal = known is not None and value == known[0]
        if known is None or value > known[0] or (equal and _size(game, plan, verdict) < _size(game, *known[1:])):
            self._best[substance] = value, plan, verdict

    def all(self) -> list[Entry]:
        """Return the plans of the pool, the best first; of equals, that with the fewest facts, then the shortest."""
        entries = [(substance, *entry) for substance, entry in self._best.items()]

        def rank(entry: Entry) -> tuple[object, ...]:
            substance, values, plan, verdict = entry
            return tuple(-value for value in values), substance.size, _size(self._game, plan, verdict), str(plan)

        return sorted(entries, key=rank)

    def best(self) -> Entry | None:
        """Return the best plan of the pool, of equals the shortest; None of an empty one."""

        def rank(entry: Entry) -> tuple[object, ...]:
            return tuple(-value for value in entry[1]), _size(self._game, *entry[2:])

        return min(self.all(), key=rank, default=None)

    def essential(self) -> list[Entry]:
        """Return the plans of the pool that cover none of its plans that is worth as much, the best first."""
        found: list[Entry] = []
        for entry in self.all():
            if covered_by_none(entry[0], (kept[0] for kept in found)):
                found.append(entry)
        return found


def length(game: Game, plan: Plan, verdict: Verdict) -> tuple[int, Fraction]:
    """Return how long a plan is: its lines, and the MP of all units, on average where results are rolled.

    Of plans that are worth the same, the shortest is shown.
    """
    (mp,) = score(game, [Tier(terms=(MpSpent(kind="mp_spent"),))], verdict)
    return len(plan), mp.count


def _size(game: Game, plan: Plan, verdict: Verdict) -> tuple[int, Fraction, int]:
    """Return how long a plan is, whether it is written step by step or not: units that move, MP, and its lines."""
    lines, mp = length(game, plan, verdict)
    return len(verdict.tally.mp), mp, lines
