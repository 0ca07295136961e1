"""Runs jobs: each is answered once, and its result is on the disk before it counts."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from planner.batch.engine import Engine, Finished
from planner.batch.jobs import Job
from planner.batch.results import ResultsFile
from planner.batch.said import FAILURES

LOOK = 0.25
"""Seconds between two looks at whether somebody wants it to stop."""

TRIES = {"died": 2, "hung": 2, "memory": 2, "lost": 5}
"""How often a job is begun at most that ends so; that a node is lost is rarely a job's fault."""


@dataclass
class BatchCounts:
    """How far a batch is.

    Attributes
    ----------
    jobs : int
        How many jobs there are.
    before : int
        How many were done before.
    done : int
        How many have been done now.
    failed : int
        How many of all that are done can't be answered.
    again : int
        How many were begun a second time.
    """

    jobs: int
    before: int = 0
    done: int = 0
    failed: int = 0
    again: int = 0

    @property
    def left(self) -> int:
        """How many are not done."""
        return self.jobs - self.before - self.done


def run(
    jobs: Iterable[Job],
    engine: Engine,
    file: ResultsFile,
    *,
    stop: threading.Event | None = None,
    on_progress: Callable[[BatchCounts], None] | None = None,
    times: bool = False,
) -> BatchCounts:
    """Answer the jobs that aren't answered yet; at last, results are in the order of the jobs.

    Parameters
    ----------
    jobs : iterable of Job
        The jobs.
    engine : Engine
        Who works on them.
    file : ResultsFile
        Where results go.
    stop : threading.Event, optional
        Set it to end: what is answered by then is kept, what is being worked on is left for the next run.
    on_progress : callable, optional
        Gets the counts whenever they have changed.
    times : bool
        Whether results say how many seconds they took; they are then never twice the same.
    """
    jobs = tuple(jobs)
    stop = stop or threading.Event()
    waiting = deque(job for job in jobs if job not in file)
    counts = BatchCounts(len(jobs), before=len(jobs) - len(waiting), failed=file.failed)
    tries: dict[str, int] = {}
    begun = 0

    def begin() -> int:
        many = 0
        while waiting and engine.room() > 0 and not stop.is_set():
            job = waiting.popleft()
            tries[job.key] = tries.get(job.key, 0) + 1
            engine.start(job)
            many += 1
        return many

    while (waiting or begun) and not stop.is_set():
        begun += begin()
        found = engine.finished(LOOK)
        again = [one.job for one in found if tries[one.job.key] < TRIES.get(_kind(one) or "", 0)]
        waiting.extendleft(again)
        counts.again += len(again)
        lasting = [one for one in found if one.job not in again]
        begun += begin() - len(found)  # nobody waits for the disk
        file.append([(one.job, _told(one, tries[one.job.key], times)) for one in lasting])
        counts.done += len(lasting)
        counts.failed += sum(_kind(one) is not None for one in lasting)
        if on_progress is not None and found:
            on_progress(counts)
    if not counts.left:
        file.sort(jobs)
    return counts


def _kind(one: Finished) -> str | None:
    """Return of which kind an error is; None: it is none."""
    error = one.said.get("error")
    return str(error["kind"]) if isinstance(error, dict) else None


def _told(one: Finished, tries: int, times: bool) -> dict[str, object]:
    """Return what the result of a job says."""
    told = dict(one.said)
    if _kind(one) in FAILURES and isinstance(told["error"], dict):
        told["error"] = {**told["error"], "tries": tries}
    return {**told, "seconds": round(one.seconds, 3)} if times else told


class Either(threading.Event):
    """Set if one of two events is."""

    def __init__(self, one: threading.Event, two: threading.Event) -> None:
        super().__init__()
        self._both = one, two

    def is_set(self) -> bool:
        """Tell whether one of them is."""
        return any(event.is_set() for event in self._both)
