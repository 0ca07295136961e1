"""A search that is one of many: what it finds impossible need not be confirmed before the last of them."""

from __future__ import annotations

import threading

from planner.scenario import Scenario
from planner.search.result import Result
from planner.search.search import Search
from planner.solver.engine import Configuration, another
from planner.solver.model import Model


class Probe(Search):
    """A search whose "infeasible" may be that of one configuration.

    Parameters
    ----------
    scenario : Scenario
        Position, objective and requirements.
    time_limit : float, optional
        Seconds for everything; absent: none.
    stop : threading.Event, optional
        Set it to stop the search.
    seed, workers : int
        As those of `Search`.
    confirms : bool
        Whether a second configuration must agree that there is no plan; what is proved best is then proved by other
        strategies than in a probe that doesn't confirm.
    """

    def __init__(
        self,
        scenario: Scenario,
        time_limit: float | None = None,
        confirms: bool = False,
        stop: threading.Event | None = None,
        seed: int = 0,
        workers: int = 1,
    ) -> None:
        super().__init__(scenario, time_limit, workers, seed, stop=stop)
        self._confirms = confirms
        if confirms:
            self.configuration = Configuration(workers, another(seed), presolve=True, subsolvers=())

    def confirm(self, model: Model) -> Result:
        """Ask a second configuration, if that is wanted."""
        return super().confirm(model) if self._confirms else Result("infeasible", self.seconds())
