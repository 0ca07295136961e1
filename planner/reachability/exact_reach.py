"""Conditional reach that keeps apart whatever differs in substance.

The search for the best plan may pass over a possibility that overruns fewer enemies than another one, or that is
carried where another one walks: the other one is as good. Where plans that come to something else are asked for, each
of them counts: here a possibility is dominated only by one that comes to the same.
"""

from __future__ import annotations

from functools import cached_property
from operator import le
from typing import ClassVar

from planner.reachability.conditional_reach import ConditionalReach
from planner.reachability.label import Label


class ExactReach(ConditionalReach):
    """What the phasing units can do in one game, nothing left out that differs in substance.

    Parameters are those of `ConditionalReach`.
    """

    removals_welcome: ClassVar[bool] = False

    @cached_property
    def tokens(self) -> frozenset[str]:
        """What else than enemy units may have to be gone for some step, and every marker that may be eliminated."""
        return super().tokens | self.game.removable

    @cached_property
    def _counts(self) -> int:
        """What stands for the units and markers whose end is a matter of substance: control of places isn't, as such."""
        unwelcome = {name for rule in self.rules for name in rule.unwelcome(self.game)}
        names = [
            one for one in self.enemy_bits if one in self.game.units or one in self.game.removable or one in unwelcome
        ]
        return sum(self.enemy_bits[name] for name in names)

    @property
    def staying_is_as_good(self) -> bool:
        """Whoever comes back to where it was has moved, which is a matter of substance."""
        return False

    def dominates(self, one: Label, other: Label) -> bool:
        """Tell whether one label is at least as good as another that comes to the same."""
        if (one.removes ^ other.removes) & self._counts or (one.legs > 0) != (other.legs > 0):
            return False
        if one.parent is None and other.parent is not None:
            return False  # who comes back to where it was has moved
        needs = one.cond == other.cond if self.may_be_left_undone else one.cond & ~other.cond == 0
        if not one.mp <= other.mp or not needs or one.removes & other.removes != other.removes:
            return False
        return all(map(le, one.tally, other.tally))
