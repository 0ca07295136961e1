"""Long lists made by several processes, each of which takes the next items when it is done with some.

Python's threads take turns; processes don't. They are forked, so that they begin with all that is known by then and
nothing need be sent but what they make, and they do nothing but that. No more is relied on than that they are at work:
whatever one of them leaves undone, because somebody has ended it or because it waits for a lock that nobody will release,
is made by the first process in the end. Where there is no fork that can be relied on, one process makes the list.
"""

from __future__ import annotations

import gc
import os
import pickle
import signal
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

Item = TypeVar("Item")
Made = TypeVar("Made")

WORTH_SHARING = 0.3
"""Seconds that the rest of a list must be going to take for other processes to help."""

PATIENCE = 0.05
"""Seconds between two looks at the clock while others are at work."""

MOST_BATCHES = 500
"""In how many batches a list is parted at most: their numbers must have room in a pipe."""

_forking = threading.Lock()


def can_share() -> bool:
    """Tell whether there is a fork that can be relied on, and processes that it may make.

    System libraries of macOS don't survive a fork, and daemonic processes may have no children.
    """
    import multiprocessing

    can_fork = sys.platform != "darwin" and "fork" in multiprocessing.get_all_start_methods()
    return can_fork and not multiprocessing.current_process().daemon


def cores() -> int:
    """Return on how many cores this process may run."""
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1


def list_all(
    work: Callable[[Item], Made], items: Sequence[Item], workers: int, check_time: Callable[[], None]
) -> list[Made]:
    """Return what comes of each item, in their order; once it shows that it takes long, several processes make it.

    Parameters
    ----------
    work : callable
        Makes something of an item that can be pickled, and the same in whichever process; it looks at the clock itself.
    items : sequence
        The items.
    workers : int
        How many processes may be at work, this one included; no more than there are cores.
    check_time : callable
        Is called now and then while others are at work; what it raises ends the work.

    Raises
    ------
    Exception
        What `work` raises for an item, and `check_time`; no process is left behind.
    """
    workers = min(workers, cores())
    found: list[Made] = []
    begin = 0.0
    for number, item in enumerate(items):
        # What all items have in common is worked out for the first one.
        if number > 1 and workers > 1:
            left = len(items) - number
            each = (time.monotonic() - begin) / (number - 1)
            if left > 1 and each * left > WORTH_SHARING and can_share():
                return [*found, *share(work, items[number:], workers, check_time)]
        found.append(work(item))
        if number == 0:
            begin = time.monotonic()
    return found


def share(
    work: Callable[[Item], Made], items: Sequence[Item], workers: int, check_time: Callable[[], None]
) -> list[Made]:
    """Return what comes of each item, in their order, made by several processes.

    Parameters and exceptions are those of `list_all`.
    """
    size = -(-len(items) // MOST_BATCHES)
    batches = [range(first, min(first + size, len(items))) for first in range(0, len(items), size or 1)]
    begin = time.monotonic()
    with _helpers(work, items, batches, workers - 1) as (left, receivers):
        found = {index: work(items[index]) for batch in _taken(left, batches) for index in batch}
        missing = [index for index in range(len(items)) if index not in found]
        # Others are given as long again as this took; then what is missing is made here, unless it arrives before.
        worked = time.monotonic() - begin
        until = time.monotonic() + worked + 1
        while missing:
            check_time()
            for receiver in _ready(receivers, PATIENCE if time.monotonic() < until else 0):
                message = _received(receiver)
                if message:
                    found.update(pickle.loads(message))  # made by this very program, a moment ago
                    until = time.monotonic() + worked + 1
                else:
                    receivers.remove(receiver)
            missing = [index for index in missing if index not in found]
            if missing and (not receivers or time.monotonic() >= until):
                index = missing.pop()
                found[index] = work(items[index])
    return [found[index] for index in range(len(items))]


@contextmanager
def _helpers(
    work: Callable[[Item], object], items: Sequence[Item], batches: Sequence[range], number: int
) -> Iterator[tuple[int, list[object]]]:
    """Have other processes at work, as far as they can be had; give what tells which batch is next, and what they send."""
    import multiprocessing

    context = multiprocessing.get_context("fork")
    helpers: list[Any] = []
    receivers: list[Any] = []
    try:
        left = _numbers(len(batches))
    except OSError:  # there are too many files open
        number, left = 0, -1
    try:
        with _signals_held(), _unwarned():
            for _ in range(min(number, len(batches) - 1)):
                try:
                    receiver, sender = context.Pipe(duplex=False)
                except OSError:
                    break  # there are too many files open
                receivers.append(receiver)
                inputs = work, items, _taken(left, batches), sender, [*receivers], os.getpid()
                helpers.append(context.Process(target=_help, args=inputs, daemon=True))
                try:
                    helpers[-1].start()
                except OSError:
                    break  # no more processes are to be had
                finally:
                    sender.close()
        yield left, [receiver for receiver, helper in zip(receivers, helpers, strict=True) if helper.pid]
    finally:
        with _signals_held():
            for helper in helpers:
                if helper.pid:
                    helper.kill()
            for helper in helpers:
                if helper.pid:
                    helper.join()
                    helper.close()
            for receiver in receivers:
                receiver.close()
            if left >= 0:
                os.close(left)


def _numbers(batches: int) -> int:
    """Return a file from which the number of each batch can be read by one process."""
    left, numbers = os.pipe()
    try:
        os.set_blocking(left, False)
        os.write(numbers, b"".join(index.to_bytes(2, "big") for index in range(batches)))
    finally:
        os.close(numbers)
    return left


@contextmanager
def _signals_held() -> Iterator[None]:
    """Keep signals from a process that has just been forked before it knows what to do about them."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [])
    try:
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT, signal.SIGTERM])
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _unwarned() -> Iterator[None]:
    """Don't warn of forks beside other threads, whose locks nobody will release: see above."""
    # One at a time changes what is warned of. A process that is forked by somebody else meanwhile never sees it released.
    alone = _forking.acquire(timeout=1)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            yield
    finally:
        if alone:
            _forking.release()


def _taken(left: int, batches: Sequence[range]) -> Iterator[range]:
    """Yield batches that nobody else takes, until none is left; none if they have no file."""
    while left >= 0:
        try:
            number = os.read(left, 2)
        except BlockingIOError:
            return
        if not number:
            return
        yield batches[int.from_bytes(number, "big")]


def _help(
    work: Callable[[Item], object],
    items: Sequence[Item],
    batches: Iterator[range],
    sender: Any,
    receivers: Sequence[Any],
    first: int,
) -> None:
    """Work in another process until nothing is left, and end without any of what this program does at its end."""
    try:
        # Interrupts stay held: the first process answers them.
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGTERM])
        gc.disable()
        for receiver in receivers:  # so that it shows if nobody is there any more to receive anything
            receiver.close()
        made = []
        for batch in batches:
            if os.getppid() != first:
                return
            some = [(index, work(items[index])) for index in batch]
            made.append(pickle.dumps(some, pickle.HIGHEST_PROTOCOL))
        for message in made:
            sender.send_bytes(message)
        sender.send_bytes(b"")
    finally:
        os._exit(0)


def _ready(receivers: Sequence[Any], patience: float) -> list[Any]:
    """Return, after so many seconds at most, those from whom there is something to be read."""
    from multiprocessing.connection import wait

    return wait(receivers, patience) if receivers else []


def _received(receiver: Any) -> bytes:
    """Return a message; nothing if there won't be any more."""
    try:
        message: bytes = receiver.recv_bytes()
    except (EOFError, OSError):
        return b""
    return message
