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
        self._unit = reach.game.units[unit]
        self._ma = int(self._unit.ma * reach.scale)
        self._tallied = reach.tallied(self._unit)
        self._known: dict[tuple[object, ...], Literal] = {}
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

    def added(self, place: int, index: int) -> Linear:
        """Return what a rule, by its place among those that do, has added up after a step, by its number."""
        reach, nothing = self._reach, (0,) * len(self._tallied)
        terms = [
            (reach.added(self._unit, nothing, step)[place], lit)
            for layer in self._steps[:index]
            for step, lit in layer.items()
        ]
        before = reach.tally_before(self._unit)[place]
        return Linear(tuple((much, literal) for much, literal in terms if much), before)

    def over(self, step: Step, index: int) -> Literal:
        """More has been spent with a step, by its number, than the MA, and whatever holds beyond it."""
        return self._all_spent(index, 1, (0,) * len(self._tallied), index if step.cost else 0)

    def nothing_left(self, step: Step, index: int) -> Literal:
        """No MP are left for a step, by its number: neither of the MA nor of what holds beyond it."""
        least = tuple(self._reach.least_added(self._unit, step, one) for one in self._tallied)
        return self._all_spent(index - 1, 0, least, index)

    def _all_spent(self, number: int, mp: int, added: tuple[int, ...], index: int) -> Literal:
        """Return that what has been spent comes to `mp` more than the MA, and than all that holds beyond it.

        Parameters
        ----------
        number : int
            After which step; 0: before the first.
        mp : int
            So many MP more, scaled.
        added : tuple of int
            How much each rule that adds up something would add besides.
        index : int
            What holds beyond the MA has lapsed if a step before this one took all that was left; 0: that is no matter.
        """
        key = (number, mp, added, index)
        if key not in self._known:
            coupling, spent = self._coupling, self.after(number)
            beyond = [
                coupling.any_of(
                    [
                        coupling.at_least(spent, self._ma + one.further + mp),
                        coupling.at_least(self.added(place, number), one.cap + 1 - more),
                    ]
                )
                for place, (one, more) in enumerate(zip(self._tallied, added, strict=True))
                if one.further is not None
            ]
            lapsed = self._rested(index) if beyond and index else not beyond
            own = coupling.at_least(spent, self._ma + mp)
            self._known[key] = coupling.all_of([own, coupling.any_of([lapsed, coupling.all_of(beyond)])])
        return self._known[key]

    def _rested(self, index: int) -> Literal:
        """Return that all MP that were left have been taken before a step, by its number."""
        if self._reach.rested(self._unit, self._reach.tally_before(self._unit)):
            return True
        before = self._steps[: index - 1]
        return self._coupling.any_of(lit for layer in before for step, lit in layer.items() if step.rest is not None)

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
