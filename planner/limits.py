"""How long something may take, who may stop it, and how its searches are run."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, field, replace
from typing import TypedDict

from planner.errors import OutOfTimeError

LONGEST = 1e9
"""So many seconds, some thirty years, are no limit; solvers couldn't count many more."""


class Running(TypedDict, total=False):
    """How searches are run: options that all commands and functions that search have in common.

    Attributes
    ----------
    workers : int
        Cores to use: threads of the solver, and processes where there is much to list; absent: one. With one, the same seed
        gives the same answer, as long as the time doesn't run out.
    seed : int
        Random seed; absent: 0.
    stop : threading.Event, optional
        Set it from another thread to stop: what is known by then is the answer.
    """

    workers: int
    seed: int
    stop: threading.Event | None


CHECKED = 0.0005
"""Work that is done, in the solver's measure, until a computation looks once more at what limits it."""


@dataclass
class Effort:
    """How much work may still be done, in a measure in which no clock has a part: the solver's own, roughly seconds.

    Attributes
    ----------
    left : float
        What is left of it; below 0 once it is used up.
    """

    left: float


@dataclass(frozen=True)
class Limits:
    """What everything that may take its time looks at before it goes on.

    Attributes
    ----------
    deadline : float or None
        A `time.monotonic` value; None: there is all the time in the world.
    stop : threading.Event
        Set it to stop: what is known by then is the answer.
    seed : int
        The random seed of the searches.
    workers : int
        The cores that they may use. With one, the same seed gives the same answer, as long as the time doesn't run out.
    effort : Effort or None
        The work that may be done until then, shared by everything that these limits are given to; None: any amount.
    hurried : threading.Event
        Set once the clock has cut something short that had these limits, or a part of them: more time may settle more.
    """

    deadline: float | None = None
    stop: threading.Event = field(default_factory=threading.Event)
    seed: int = 0
    workers: int = 1
    effort: Effort | None = None
    hurried: threading.Event = field(default_factory=threading.Event)

    @classmethod
    def within(
        cls, seconds: float | None, stop: threading.Event | None = None, seed: int = 0, workers: int = 1
    ) -> Limits:
        """Return limits that begin now; endless seconds, or more than a life has, are none."""
        deadline = None if seconds is None or seconds >= LONGEST else time.monotonic() + seconds
        return cls(deadline, stop or threading.Event(), seed, workers)

    @property
    def late(self) -> bool:
        """Whether the time is up, or all work done that may be, or somebody has stopped it."""
        if self.effort is not None and self.effort.left <= 0:
            return True
        return self.stop.is_set() or self.timed_out()

    def timed_out(self) -> bool:
        """Tell whether the time is up, which is noted."""
        if self.deadline is None or time.monotonic() < self.deadline:
            return False
        self.hurried.set()
        return True

    def left(self, most: float | None = None) -> float | None:
        """Return how many seconds are left, `most` at most, never less than 0; None: there is no limit."""
        left = None if self.deadline is None else max(0.0, self.deadline - time.monotonic())
        return left if most is None else most if left is None else min(left, most)

    def part(self, share: float, most: float | None = None) -> Limits:
        """Return limits that leave some of the time for what comes after: a share of it, and `most` seconds at most."""
        left = self.left()
        seconds = most if left is None else left * share if most is None else min(left * share, most)
        return self if seconds is None or seconds >= LONGEST else replace(self, deadline=time.monotonic() + seconds)

    def of_work(self, work: float) -> Limits:
        """Return limits that end once so much work is done, in the solver's measure, however long it takes."""
        return replace(self, effort=Effort(work))

    def spend(self, work: float) -> None:
        """Count work that has been done."""
        if self.effort is not None:
            self.effort.left -= work

    def share(self, share: float, patience: float) -> Limits:
        """Return limits that end after a share of the time that is left; without a limit, after some seconds."""
        return self.part(1, patience) if self.deadline is None else self.part(share)

    def but(self, seconds: float) -> Limits:
        """Return limits that end some seconds earlier."""
        return self if self.deadline is None else replace(self, deadline=self.deadline - seconds)

    def check(self, meanwhile: str = "") -> None:
        """Raise `OutOfTimeError` if it is late; `meanwhile`, such as "while moves were listed", is part of the message."""
        self.spend(CHECKED)
        if self.late:
            raise OutOfTimeError(f"the time ran out {meanwhile}".strip())
