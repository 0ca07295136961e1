"""Waiting for whoever is at the other end of a pipe: an interrupt ends it, though it is held back otherwise."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, get_ident
from types import FrameType

PATIENCE = 1.0
"""Seconds that whoever was interrupted still waits for others to read what it writes, or to write what it reads."""


@contextmanager
def held(stop: Event) -> Iterator[None]:
    """Turn Ctrl-C and SIGTERM into a wish to stop; only waiting for others ends by itself then."""

    def hear(number: int, frame: FrameType | None) -> None:
        stop.set()
        if _waiting:
            _wait_no_longer()

    before = {one: signal.signal(one, hear) for one in (signal.SIGINT, signal.SIGTERM)}
    _wishes.append(stop)
    try:
        yield
    finally:
        _wishes.remove(stop)
        for one, handler in before.items():
            signal.signal(one, handler)


@contextmanager
def waiting_for_others() -> Iterator[None]:
    """Let an interrupt end, after `PATIENCE`, what may wait for ever for whoever is at the other end of a pipe.

    Raises
    ------
    KeyboardInterrupt
        If there was an interrupt, and nobody came.
    """
    if not _wishes or get_ident() != _main_thread:
        yield
        return
    _waiting.append(True)
    try:
        if any(stop.is_set() for stop in _wishes):
            _wait_no_longer()
        yield
    finally:
        _waiting.pop()
        if not _waiting and _armed:
            _armed.clear()
            signal.setitimer(signal.ITIMER_REAL, 0)


_main_thread = get_ident()
"""Interrupts are heard there; whoever imports it in another waits for others as ever."""

_wishes: list[Event] = []
_waiting: list[bool] = []
_armed: list[bool] = []


def _wait_no_longer() -> None:
    if not hasattr(signal, "setitimer"):  # on Windows, where pipes are no files that could be named
        raise KeyboardInterrupt
    signal.signal(signal.SIGALRM, _give_up)
    _armed.append(True)
    signal.setitimer(signal.ITIMER_REAL, PATIENCE)


def _give_up(number: int, frame: FrameType | None) -> None:
    if _waiting:
        raise KeyboardInterrupt
