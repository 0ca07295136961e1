"""A limit of time that holds wherever a search happens to be."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from planner.errors import OutOfTimeError


@contextmanager
def hard_limit(seconds: float | None) -> Iterator[None]:
    """Raise `OutOfTimeError` when the time is up, in the middle of whatever is being done.

    A relaxed game may have so many possibilities that even listing them takes long, at places where nobody looks at the
    clock. Where there is no timer (outside the main thread, or on Windows) nothing is raised.

    Parameters
    ----------
    seconds : float or None
        None: no limit.
    """
    usable = hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()
    if seconds is None or not usable:
        yield
        return

    def ring(number: int, frame: FrameType | None) -> None:
        raise OutOfTimeError("the time ran out")

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, max(0.001, seconds))
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
