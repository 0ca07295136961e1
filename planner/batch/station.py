"""What works on the jobs of a batch on one node of a cluster: processes of that node, as on one machine."""

from __future__ import annotations

import sys
import tempfile
import time
from collections import deque
from collections.abc import Sequence
from pathlib import Path

from planner.batch.engine import Bounds
from planner.batch.jobs import Job
from planner.batch.local import Answering, LocalWorkers
from planner.batch.parcel import Files, Unpacked, versions
from planner.batch.said import Said

Told = tuple[str, Said, float]
"""A job's key, what became of it, and how many seconds it took."""


class Station:
    """Works on the jobs that are sent to it.

    Parameters
    ----------
    number : int
        How many processes there are.
    answering : callable
        Answers a job.
    bounds : Bounds
        What a job may use.
    """

    def __init__(self, number: int, answering: Answering, bounds: Bounds) -> None:
        # Processes that it begins would load this one's main program, that of the cluster, before anything else.
        vars(sys.modules["__main__"]).pop("__file__", None)
        self._scratch = tempfile.TemporaryDirectory(prefix="planner-")
        self._unpacked = Unpacked(Path(self._scratch.name))
        self._workers = LocalWorkers(number, answering, self._unpacked.folder, bounds)
        self._waiting: deque[Job] = deque()

    def versions(self) -> dict[str, str]:
        """Return the versions of this node."""
        return versions()

    def work(self, jobs: Sequence[Job], files: Files, seconds: float) -> list[Told]:
        """Take further jobs, and work for a while; return what is finished.

        Parameters
        ----------
        jobs : sequence of Job
            Further jobs.
        files : mapping
            Files that they need, and that haven't been sent before.
        seconds : float
            For how long, at most; it returns once anything is finished.
        """
        self._unpacked.add(files)
        self._waiting.extend(jobs)
        until, found = time.monotonic() + seconds, list[Told]()
        while not found:
            while self._waiting and self._workers.room():
                self._workers.start(self._waiting.popleft())
            left = until - time.monotonic()
            if left <= 0:
                break
            done = self._workers.finished(left)
            found = [(one.job.key, one.said, one.seconds) for one in done]
            if not done and self._workers.idle:
                break
        while self._waiting and self._workers.room():
            self._workers.start(self._waiting.popleft())
        return found

    def close(self) -> None:
        """End everything that is worked on."""
        self._workers.close()
        self._scratch.cleanup()
