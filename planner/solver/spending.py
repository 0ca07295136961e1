"""What a unit spends on its steps, where the steps are literals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from planner.objective import Linear
from planner.reachability.step_rules import Step
from planner.solver.cp_sat import BoolVar, Literal

if TYPE_CHECKING:
    from planner.reachability.conditional_reach import ConditionalReach
    from planner.solver.coupling import Coupling


class Spending:
    """The MP that one unit has spent after each of its steps.

    Parameters
    ----------
    coupling : Coupling
        The layer that gets the constraints.
    reach : ConditionalReach
        Tells what steps cost.
    unit : str
        The unit.
    steps : sequence of mappings from Step to literals
        What may be its first step, its second and so on.
    """

    def __init__(
        self, coupling: Coupling, reach: ConditionalReach, unit: str, steps: Sequence[Mapping[Step, BoolVar]]
    ) -> None:
        self._coupling, self._reach, self._steps = coupling, reach, steps
        self._begin = reach.departed(unit).spent
        self._ma = int(reach.game.units[unit].ma * reach.scale)
        # What steps take that leave nothing, beyond what they cost.
        self._rests: list[tuple[int, BoolVar]] = []
        for index, layer in enumerate(steps, 1):
            taking = coupling.any_of(literal for step, literal in layer.items() if step.rest is not None)
            if taking is not False:
                self._rests.append((index, self._rest(index, taking)))

    def after(self, index: int) -> Linear:
        """Return what has been spent after a step, by its number; 0: before the first."""
        costs = ((step.cost, literal) for layer in self._steps[:index] for step, literal in layer.items() if step.cost)
        return Linear((*costs, *((1, rest) for number, rest in self._rests if number <= index)), self._begin)

    def nothing_left(self, index: int) -> Literal:
        """Nothing of the MA is left before a step, by its number."""
        return self._coupling.at_least(self.after(index - 1), self._ma)

    @property
    def over_all(self) -> Linear:
        """What is spent on all steps."""
        return Linear(self.after(len(self._steps)).terms)

    def _rest(self, index: int, taking: Literal) -> BoolVar:
        """Return what is left after a step has been paid for, if it takes that."""
        model, ma = self._coupling.model, self._ma
        left, rest = model.new_int_var(0, ma, "left"), model.new_int_var(0, ma, "rest")
        model.add_max_equality(left, [0, ma - self._coupling.expression(self.after(index))])
        if taking is True:
            model.add(rest == left)
        else:
            model.add(rest == left).only_enforce_if(taking)
            model.add(rest == 0).only_enforce_if(self._coupling.negate(taking))
        return rest
