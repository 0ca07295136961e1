"""An end to a search wherever it happens to be: in time, or when somebody stops it."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from planner.errors import OutOfTimeError

GRACE = 0.12
"""Seconds after the deadline in which a search may end of its own accord."""

PATIENCE = 0.4
"""Seconds for it after it has been stopped."""

BEAT = 0.05
"""Seconds between two looks at the clock."""

AGAIN = 0.25
"""Seconds until it is raised once more, where it came at a moment at which errors are passed over, as in a destructor."""


@contextmanager
def cut_off(deadline: float | None, stop: threading.Event) -> Iterator[None]:
    """Raise `OutOfTimeError` soon after the deadline, or after somebody has stopped it, in the middle of whatever is done.

    Searches look at the clock themselves, but not everywhere: listing what units can do takes long on large maps. Where
    there is no timer (outside the main thread, or on Windows) nothing is raised.

    Parameters
    ----------
    deadline : float or None
        A `time.monotonic` value; None: none.
    stop : threading.Event
        Set when somebody wants an end.
    """
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return
    ends: list[float] = [] if deadline is None else [deadline + GRACE]
    stopped: list[float] = []

    def look(number: int, frame: FrameType | None) -> None:
        now = time.monotonic()
        if stop.is_set() and not stopped:
            stopped.append(now + PATIENCE)
        if any(now > end for end in (*ends, *stopped)):
            signal.setitimer(signal.ITIMER_REAL, AGAIN, AGAIN)
            raise OutOfTimeError("the time ran out")

    before = signal.signal(signal.SIGALRM, look)
    signal.setitimer(signal.ITIMER_REAL, BEAT, BEAT)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
