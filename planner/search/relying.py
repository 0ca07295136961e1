"""The best way to move by trying every step, where plans may rely on what is likely enough.

Where a result fails that reaches the confidence, a plan that is fixed in advance need not be legal: its units stand where
they may not, nor must the phase end as it must. A way of playing must be legal whatever is rolled, so that what it is worth
is no bound. Here it need not be after anything has failed: no plan is worth more than that.
"""

from __future__ import annotations

from collections.abc import Sequence

from planner.plans.plan import Move
from planner.referee.verdict import Violation
from planner.search.expectimax import Expectimax
from planner.world.position import Position


class Relying(Expectimax):
    """Tries every step, and lets units end where they may not once something has failed; the rest as for `Expectimax`."""

    def _may_end_there(self, made: Move, broken: Sequence[Violation]) -> bool:
        """Tell whether it is only that the move has ended where it may not, or has been thrown back there in a combat."""
        return (made.failed or self._game.rulebook.fights) and all(one.halt for one in broken)

    def _may_end(self, position: Position) -> bool:
        """Tell whether something has failed, as any combat may have, or the position is one with which a phase may end."""
        book, before = self._game.rulebook, self._scenario.start
        if book.fights or position.bogged - before.bogged or position.failed - before.failed:
            return True
        # What has failed before may have failed again since, which no set shows.
        again = bool(position.failed) and not all(rule.failure_is_final for rule in book.overrunning)
        return again or super()._may_end(position)
