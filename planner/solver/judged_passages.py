"""Who is carried by which markers, where plans are judged moment by moment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, cast

from planner.plans.plan import Move
from planner.reachability.conditional_reach import ConditionalReach
from planner.rules.demands import Arc, Before
from planner.world.carrier_assignment import assign_carriers
from planner.world.forces import Unit
from planner.world.position import Leg

if TYPE_CHECKING:
    from planner.rules.atoms import Carried


def carriers_of(reach: ConditionalReach, unit: Unit, arc: Arc) -> tuple[str, ...]:
    """Return the markers that could carry a unit across the zone of a step, whomever else they carry."""
    steps = reach.variants(unit, arc) if arc.zone else ()
    boarding = (atom for step in steps for demand in step.now for atom in demand.atoms if atom.boards)
    return next((tuple(cast("Carried", atom).by) for atom in boarding), ())


@dataclass(frozen=True)
class Passages:
    """The passages that have been made.

    Attributes
    ----------
    legs : tuple of Leg
        Their legs.
    crossed : mapping from units to zones
        Which zones each may have crossed on its last step.
    """

    legs: tuple[Leg, ...]
    crossed: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def readings(self, reach: ConditionalReach, unit: Unit, move: Move, number: int, before: Before) -> list[Arc]:
        """Return what a step may be, across which zone each: another one than that of the step before, if there is one."""
        crossed = self.crossed.get(unit.id, ()) if before is not None else ()
        befores: list[Before] = [(before[0], zone) for zone in crossed] if before is not None else []
        arcs = [arc for one in befores or [before] for arc in reach.readings(unit, move, number, one)]
        return [arc for arc in arcs if not (arc.zone and arc.before and arc.before[1] == arc.zone)] or arcs

    def after(self, reach: ConditionalReach, unit: Unit, arcs: Sequence[Arc], made: int) -> tuple[Passages, bool]:
        """Return the passages after one more step, and whether a carrier is left, if it needs one.

        Parameters
        ----------
        reach : ConditionalReach
            The steps with what the rules say of them.
        unit : Unit
            Who makes it.
        arcs : sequence of Arc
            What it may be.
        made : int
            How many steps the unit has made before.
        """
        carriers = {arc.zone: found for arc in arcs if (found := carriers_of(reach, unit, arc))}
        crossed = {**self.crossed, unit.id: tuple(carriers)}
        if not carriers:
            return Passages(self.legs, crossed), True
        behind = next((i for i, leg in enumerate(self.legs, 1) if (leg.unit, leg.step) == (unit.id, made)), 0)
        index = behind or len(self.legs)
        # Of one that crosses the same zone as the leg before it, whatever is chosen, just that is wrong.
        linked = behind > 0 and any(zone != one for zone in carriers for one, _ in self.legs[behind - 1].carriers)
        legs = (*self.legs[:index], Leg(unit.id, made + 1, tuple(carriers.items()), linked), *self.legs[index:])
        left = assign_carriers(legs) is not None
        return Passages(legs if left else self.legs, crossed), left
