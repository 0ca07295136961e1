"""What a peer is given, and what it hands back: times, the curve of values and bounds, and a plan for the referee."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

import planner
from planner.objective.scoring import score, tier_values
from planner.plans.plan import Plan
from planner.scenario import Scenario

BEGIN = "PLANNER_BENCHMARK_BEGIN"
"""The environment variable with the time at which the process was begun."""


@dataclass
class Task:
    """One run of one peer.

    Attributes
    ----------
    path : Path
        The scenario file.
    limit : float
        Seconds for the whole process.
    seed, workers : int
        Random seed and cores to use, where the peer knows of them.
    variant : str
        Which way of running the peer is meant.
    out : Path
        Where the answer goes; the curve goes beside it, line by line.
    """

    path: Path
    limit: float
    seed: int
    workers: int
    variant: str
    out: Path
    begin: float = field(default_factory=lambda: float(os.environ.get(BEGIN, time.time())))
    phases: dict[str, float] = field(default_factory=dict)
    _inner: list[float] = field(default_factory=list)
    _last: tuple[Any, Any] | None = None

    def elapsed(self) -> float:
        """Return the seconds since the process was begun."""
        return time.time() - self.begin

    def left(self) -> float:
        """Return the seconds that are left; some are kept for the replay."""
        return max(0.0, self.limit - self.elapsed())

    @contextmanager
    def phase(self, name: str) -> Iterator[None]:
        """Count the time of a block under a name; the time of blocks within it counts for them alone."""
        begin = time.perf_counter()
        self._inner.append(0.0)
        try:
            yield
        finally:
            whole = time.perf_counter() - begin
            own = whole - self._inner.pop()
            self.phases[name] = self.phases.get(name, 0.0) + own
            if self._inner:
                self._inner[-1] += whole

    def load(self) -> Scenario:
        """Read the scenario."""
        self.phases["start"] = self.elapsed()
        with self.phase("load"):
            return planner.load(self.path)

    def note(self, values: Sequence[Fraction | None], bounds: Sequence[Fraction | None] = ()) -> None:
        """Add a point to the curve: what is found and what is still possible, tier by tier as far as it is known."""
        point = [None if v is None else str(v) for v in values], [None if b is None else str(b) for b in bounds]
        if point != self._last:
            self._last = point
            with self.out.with_suffix(".curve").open("a", encoding="utf-8") as file:
                file.write(json.dumps([round(self.elapsed(), 3), *point]) + "\n")

    def finish(
        self,
        scenario: Scenario,
        status: str,
        plan: Plan | None,
        claimed: Sequence[Fraction] = (),
        bounds: Sequence[Fraction] = (),
        note: str = "",
    ) -> None:
        """Have the referee replay a plan, and write the answer.

        Parameters
        ----------
        scenario : Scenario
            The scenario.
        status : str
            As in `planner.search.result.Status`, or ``unsuited`` where the peer can't express the rules.
        plan : Plan or None
            What has been found.
        claimed : sequence of Fraction
            What the peer says that each tier is worth, as far as it knows: the referee must find the same.
        bounds : sequence of Fraction
            What no plan can exceed.
        note : str
            Anything to be told.
        """
        values: tuple[Fraction, ...] = ()
        with self.phase("replay"):
            if plan is not None:
                verdict = planner.check(scenario, plan)
                if not verdict.legal:
                    status, note = "illegal", "; ".join(map(str, verdict.violations[:5]))
                else:
                    values = tier_values(scenario.tiers, score(scenario.game, scenario.tiers, verdict))
                    if list(values[: len(claimed)]) != list(claimed):
                        told, real = [str(v) for v in claimed], [str(v) for v in values]
                        status, note = "disagrees", f"claims {told}, the referee says {real}"
        if status in ("optimal", "feasible"):
            self.note(values, values if status == "optimal" else bounds)
        answer = {
            "status": status,
            "value": [str(v) for v in values],
            "bound": [str(b) for b in (values if status == "optimal" else bounds)],
            "moves": None if plan is None else len(plan.moves),
            "plan": None if plan is None else str(plan).splitlines(),
            "seconds_inside": round(self.elapsed(), 3),
            "phases": {name: round(seconds, 4) for name, seconds in self.phases.items()},
            "note": note,
        }
        self.out.write_text(json.dumps(answer), encoding="utf-8")
