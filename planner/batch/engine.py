"""Who works on jobs: what a batch needs to know of processes here, or of a cluster."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from planner.batch.jobs import Job
from planner.batch.said import Said


@dataclass(frozen=True)
class Finished:
    """A job that is no longer worked on.

    Attributes
    ----------
    job : Job
        The job.
    said : dict
        What became of it.
    seconds : float
        How long it took.
    """

    job: Job
    said: Said
    seconds: float = 0.0


@dataclass(frozen=True)
class Bounds:
    """What a job may use before it is ended from outside.

    Attributes
    ----------
    seconds : float or None
        How long it may take; None: `SLACK` times its own time limit and `PATIENCE` more, if it has one.
    memory : int or None
        Bytes of memory; None: no limit.
    """

    seconds: float | None = None
    memory: int | None = None

    def seconds_of(self, job: Job) -> float | None:
        """Return how long a job may take; None: as long as it likes."""
        if self.seconds is not None:
            return self.seconds
        return None if job.time_limit is None else SLACK * job.time_limit + PATIENCE


SLACK = 2.0
"""By which factor a job may exceed its time limit; loading, and answers that are worked out already, count besides."""

PATIENCE = 30.0
"""Seconds that it may take besides."""


class Engine(Protocol):
    """Works on several jobs at a time."""

    def room(self) -> int:
        """Return how many jobs it would begin at once."""
        ...

    def start(self, job: Job) -> None:
        """Begin a job; there must be room."""
        ...

    def finished(self, seconds: float) -> list[Finished]:
        """Return the jobs that have come to their end since it was asked last; wait so long at most if there is none."""
        ...

    def close(self) -> None:
        """End everything, whatever is being worked on."""
        ...
