"""A step that several units make together, and what it needs: worked out once for a team, whatever way led to it."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import chain

from planner.reachability.condition_masks import MaskedDemand
from planner.reachability.conditional_reach import ConditionalReach
from planner.reachability.step_rules import Step
from planner.rules.demands import Arc, Demand
from planner.world.forces import Unit


@dataclass(eq=False)
class TeamStep:
    """A step of those who are still moving, all together.

    Attributes
    ----------
    arc : Arc
        From where to where, and whom it overruns.
    moving : list of Unit
        Who makes it.
    steps : tuple of (int, Step)
        The index of each of them in the team, and the step as it is for that unit.
    enough : tuple of (int, int, int, int)
        The index of each of them, and how much it may have spent before the step so that it might still get, after it, to
        the end of an overrun, through one to something that counts, and to that with or without one; -1: it never does.
    reach : ConditionalReach
        The rules, and demands taken apart.
    chances : dict from int to Fraction
        How likely it is to go through, as the how-manieth hex of the move.
    beside : dict from tuples to tuples of MaskedDemand
        What it needs of all together, by who has been dropped where it needs room.
    """

    arc: Arc
    moving: list[Unit]
    steps: tuple[tuple[int, Step], ...]
    enough: tuple[tuple[int, int, int, int], ...]
    reach: ConditionalReach
    chances: dict[int, Fraction] = field(default_factory=dict)
    beside: dict[tuple[str, ...], tuple[MaskedDemand, ...]] = field(default_factory=dict)

    # Most choices can't be paid for, or lead nowhere: then nobody asks what they need.

    @cached_property
    def now(self) -> tuple[MaskedDemand, ...]:
        """What it needs of each by itself."""
        return tuple(asked for _, step in self.steps for asked in self.reach.shared_demands.shared(step.now))

    def needs(self, step: int, size: int) -> tuple[MaskedDemand, ...]:
        """Return what it needs of each by itself as a step with this index of a team of this size.

        Each of those who are carried needs a marker of its own, which `Carried.leg` tells apart.
        """
        if not any(one.carried for _, one in self.steps):
            return self.now
        asked = [demand for i, one in self.steps for demand in one.needs(step * size + i)]
        return self.reach.shared_demands.all_of(asked)

    @cached_property
    def onward(self) -> tuple[tuple[int, tuple[MaskedDemand, ...]], ...]:
        """What moving on after it needs."""
        return tuple((i, self.reach.shared_demands.shared(step.onward)) for i, step in self.steps)

    @cached_property
    def together(self) -> tuple[Demand, ...]:
        """What it needs of all together, if nobody has been dropped."""
        asked = (rule.together_demands(self.reach.game, self.moving, self.arc) for rule in self.reach.rules)
        return tuple(chain.from_iterable(asked))

    @cached_property
    def rooms(self) -> frozenset[str]:
        """The hexes in which it needs room for all together."""
        spaces = (atom.space for demand in self.together for atom in demand.atoms)
        return frozenset(space.hex for space in spaces if space is not None)

    @cached_property
    def removes(self) -> int:
        """Who is gone after it."""
        return self.reach.shared_demands.enemies_in(self.steps[0][1].removes)
