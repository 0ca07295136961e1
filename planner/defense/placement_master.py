"""Proposes placements of defenders that nothing has excluded yet: the fewest units placed first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from planner.defense.placement import Placements
from planner.errors import OutOfTimeError
from planner.limits import Limits
from planner.solver.cp_sat import new_model
from planner.solver.engine import Configuration, run


class PlacementMaster:
    """The master model of the search for a defense.

    Parameters
    ----------
    placements : Placements
        What is allowed.
    seed : int
        Random seed.
    """

    def __init__(self, placements: Placements, seed: int) -> None:
        self._configuration = Configuration(seed=seed, presolve=True, subsolvers=())
        self.model = new_model()
        self.x = {
            unit: {place: self.model.new_bool_var(f"{unit} in {place}") for place in places}
            for unit, places in placements.choices.items()
        }
        for literals in self.x.values():
            self.model.add_exactly_one(list(literals.values()))
        home = placements.home
        placed = [lit for unit, places in self.x.items() for place, lit in places.items() if place != home[unit]]
        self.model.add(sum(placed) <= placements.most)
        ranks = [(rank, lit) for places in self.x.values() for rank, lit in enumerate(places.values())]
        much = sum(len(places) for places in self.x.values()) + 1
        self.model.minimize(sum(much * lit for lit in placed) + sum(rank * lit for rank, lit in ranks))

    def next(self, limits: Limits) -> dict[str, str] | None:
        """Return a placement that isn't excluded; None if there is none.

        Raises
        ------
        OutOfTimeError
            If there is no time for it, or somebody wants an end.
        """
        solved = run(self.model, self._configuration, limits)
        if solved.outcome == "infeasible":
            return None
        holds = solved.holds
        if holds is None:
            raise OutOfTimeError("the time ran out")
        return {unit: next(place for place, lit in places.items() if holds(lit)) for unit, places in self.x.items()}

    def exclude(self, box: Mapping[str, Sequence[str]]) -> None:
        """Exclude every placement that puts each of some units into one of its places."""
        self.model.add_bool_or(
            [lit for unit, those in box.items() for place, lit in self.x[unit].items() if place not in those]
        )
