"""The planner itself, as `planner suggest` runs it, with its time taken."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import wraps
from importlib import import_module
from typing import Any

import planner
from peers.task import Task
from planner.search.result import Progress

TIMED = (
    ("planner.solver.cp_sat", "load", "import"),
    ("planner.reachability.conditional_reach.ConditionalReach", "possibilities", "reach"),
    ("planner.reachability.team_reach.TeamReach", "all_possibilities", "reach"),
    ("planner.reachability.worker_processes", "share", "reach"),
    ("planner.reachability.event_reach.EventReach", "itineraries", "reach"),
    ("planner.search.relevance.Relevance", "kept", "build"),
    ("planner.search.reach_cache", "build_options", "build"),
    ("planner.search.reach_cache", "build_events", "build"),
    ("planner.search.confirmation", "build_paths", "build"),
    ("planner.search.context", "run_in_stages", "solve"),
    ("planner.search.all_at_once", "run", "solve"),
    ("planner.search.context.SearchContext", "replay", "replay"),
    ("planner.search.context.SearchContext", "result", "replay"),
)
"""What is timed, by the phase for which it counts; what isn't there any more is passed over."""


def run(task: Task) -> None:
    """Load, search and replay."""
    scenario = task.load()
    with task.phase("import"):
        for place, name, phase in TIMED:
            _time(task, place, name, phase)
    proved: list[Fraction | None] = []
    last: tuple[Fraction | None, Fraction | None] = (None, None)

    def on_progress(progress: Progress) -> None:
        nonlocal last
        while len(proved) < progress.tier:
            proved.append(last[0])
            last = (None, None)
        del proved[progress.tier :]
        last = progress.value, progress.bound
        task.note([*proved, progress.value], [*proved, progress.bound])

    with task.phase("other"):
        result = planner.suggest(
            scenario, time_limit=task.left(), workers=task.workers, seed=task.seed, on_progress=on_progress
        )
    task.finish(scenario, result.status, result.plan, result.value, result.bound)


def _time(task: Task, place: str, name: str, phase: str) -> None:
    """Have a function's time counted."""
    try:
        holder: Any = import_module(place)
    except ModuleNotFoundError:
        module, _, owner = place.rpartition(".")
        holder = getattr(import_module(module), owner, None)
    function: Callable[..., Any] | None = getattr(holder, name, None)
    if function is None:
        return

    @wraps(function)
    def timed(*args: Any, **kwargs: Any) -> Any:
        if name == "possibilities" and len(args) > 2:
            return function(*args, **kwargs)  # for a plan by hand, of the board as it stands
        with task.phase(phase):
            return function(*args, **kwargs)

    setattr(holder, name, timed)
