"""The steps out of places with those by which units take part in overruns: the plain ones are listed but once."""

from __future__ import annotations

from functools import cached_property

from planner.reachability.step_table import Leads, StepTable
from planner.rules.demands import Before


class OverrunTable(StepTable):
    """What the rules say of steps; those with overruns that units make together rest on those without."""

    def leads(self, unit: str, label: str, before: Before = None, overruns: bool = False) -> Leads:
        """Return what `StepTable.leads` does, in the same order."""
        if not overruns or not self.joint or (label, before, True) in self.profile(unit):
            return super().leads(unit, label, before, overruns)
        ways, near = self._ways_on(label, before), self.game.board.neighbours.get(label, ())
        if len(ways) != 1 or not ways[0].plain or ways[0].leads_afar(self.game, label) != ():
            return super().leads(unit, label, before, overruns)
        found = super().leads(unit, label, before)
        if any(self.victims_at(to) for to in near):
            counter = self.game.units[unit]
            arcs = self._arcs_on(counter, label, before, overruns=True)
            taking = self._possible(counter, (arc for arc in arcs if arc.victims))
            place = {to: number for number, to in enumerate(near)}
            # Of steps to one hex the plain ones come first.
            every = [*found, *((step.arc.to, step) for step in taking)]
            found = tuple(sorted(every, key=lambda one: place[one[0]]))
        self.profile(unit)[label, before, True] = found
        return found

    @cached_property
    def minds_absence(self) -> bool:
        """Whether an overrun is more than a plain step into the hex, so that the enemy must be there still."""
        return self.joint or any(rule.favours_overruns for rule in self.rules)
