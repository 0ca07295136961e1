"""A plan that reacts as a picture: a page on which one says what was rolled and sees what to do next."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from planner.draw.frames import Frame
from planner.draw.picture import Picture
from planner.draw.policy_frames import PolicyFrames, ShownSituation
from planner.errors import InputError, Problem
from planner.objective.scoring import Value
from planner.plans.plan import Plan
from planner.plans.policy import Node
from planner.scenario import Scenario


class PolicyPicture(Picture):
    """A picture of a plan that reacts.

    Parameters
    ----------
    scenario : Scenario
        The position; its phase may be in progress.
    policy : Node
        What is done.
    remarks : sequence of str
        What is to be said of the whole, a sentence each.
    bound : tuple of Fraction
        For each tier what no way of playing exceeds; empty where nothing is known.
    step : int
        SVG and PNG show this situation, by its number on the page, with the moves until the next roll; pages begin with it.

    Raises
    ------
    InputError
        If the policy isn't legal and complete, or has no such situation.
    """

    def __init__(
        self, scenario: Scenario, policy: Node, *, remarks: Sequence[str] = (), bound: Value = (), step: int = 0
    ) -> None:
        super().__init__(scenario, remarks=remarks)
        self.bound = bound
        self.tree = PolicyFrames(scenario, policy)
        last = len(self.tree.situations) - 1
        if not 0 <= step <= last:
            raise InputError([Problem(f"the number of a situation must be from 0 to {last}, not {step}", "--step")])
        self._shown = self.situations[step]
        self.after = self._shown.start

    @cached_property
    def frames(self) -> list[Frame]:
        """The positions of all situations, in the order of a walk through the tree."""
        return self.tree.frames

    @property
    def situations(self) -> list[ShownSituation]:
        """Every situation that is on the page."""
        return self.tree.situations

    @property
    def steps_through(self) -> bool:
        """Whether a page has anything to step through."""
        return len(self.frames) > 1

    @property
    def subtitle(self) -> str:
        """Game, phase and side, and what is shown."""
        return f"{super().subtitle} \N{MIDDLE DOT} a plan that reacts to what is rolled"

    def svg(self, prefix: str = "p") -> str:
        """Return the situation that is shown as SVG: the moves until the next roll."""
        here = self._shown
        told = [f"{here.rolled}: {_chances(here)}."] if here.outcomes else []
        return Picture(here.now, Plan(here.node.moves, here.node.attacks or None), remarks=(*self.remarks, *told)).svg(
            prefix
        )


def _chances(here: ShownSituation) -> str:
    return "; ".join(f"{one.text}, {one.chance}" for one in here.outcomes)
