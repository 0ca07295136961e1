"""Long lists made by several processes, each of which takes the next item when it is done with one.

Python's threads take turns; processes don't. They are forked, so that they begin with all that is known by then and
nothing need be sent but their results, and they do nothing but list: whoever has started other threads loses nothing by
it. Where there is no fork that can be relied on, one process makes the list.
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
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, TypeVar

Item = TypeVar("Item")
Made = TypeVar("Made")

WORTH_SHARING = 0.3
"""Seconds that the rest of a list must be going to take for other processes to help."""

PATIENCE = 0.05
"""Seconds between two looks at the clock while others are at work."""


def can_share() -> bool:
    """Tell whether there is a fork that can be relied on; system libraries of macOS don't survive one."""
    import multiprocessing  # takes as long to load as everything else that a short search doesn't need

    return sys.platform != "darwin" and "fork" in multiprocessing.get_all_start_methods()


def list_all(
    work: Callable[[Item], Made], items: Sequence[Item], processes: int, check_time: Callable[[], None]
) -> list[Made]:
    """Return what comes of each item, in their order; once it shows that it takes long, several processes make it.

    Parameters and exceptions are those of `share`.
    """
    found: list[Made] = []
    begin = 0.0
    for number, item in enumerate(items):
        # What all items have in common is worked out for the first one.
        if number > 1 and processes > 1 and can_share():
            left = len(items) - number
            if (time.monotonic() - begin) / (number - 1) * left > WORTH_SHARING and left > 1:
                return [*found, *share(work, items[number:], processes, check_time)]
        found.append(work(item))
        if number == 0:
            begin = time.monotonic()
    return found


def share(
    work: Callable[[Item], Made], items: Sequence[Item], processes: int, check_time: Callable[[], None]
) -> list[Made]:
    """Return what comes of each item, in their order, made by several processes.

    Parameters
    ----------
    work : callable
        Makes something of an item that can be pickled, and the same in whichever process.
    items : sequence
        The items.
    processes : int
        How many, this one included.
    check_time : callable
        Is called now and then while others are at work; what it raises ends the work.

    Raises
    ------
    Exception
        What `work` raises for an item, and `check_time`; no process is left behind.
    """
    import multiprocessing

    context = multiprocessing.get_context("fork")
    try:
        taken: Any = context.Value("i", 0)
    except (ImportError, OSError):  # a system without semaphores
        return [work(item) for item in items]
    helpers: list[Any] = []
    receivers: list[Any] = []
    threads: list[threading.Thread] = []
    sent: list[bytes] = []
    found: dict[int, Made] = {}
    try:
        for _ in range(min(processes, len(items)) - 1):
            receiver, sender = context.Pipe(duplex=False)
            helper = context.Process(target=_help, args=(work, items, taken, sender, receiver), daemon=True)
            with warnings.catch_warnings():
                # Python warns of forks beside other threads, whose locks nobody will release: a helper takes none.
                warnings.simplefilter("ignore", DeprecationWarning)
                try:
                    helper.start()
                    helpers.append(helper)
                except OSError:
                    break  # no more processes are to be had
                finally:
                    sender.close()
                    receivers.append(receiver)
        for receiver in receivers:  # no fork after the first of these
            thread = threading.Thread(target=_receive, args=(receiver, sent), daemon=True)
            thread.start()
            threads.append(thread)
        while (index := _next(taken)) < len(items):
            found[index] = work(items[index])
        for thread in threads:
            while thread.is_alive():
                thread.join(PATIENCE)
                check_time()
    finally:
        for helper in helpers:
            helper.kill()
        for helper, thread in zip(helpers, threads, strict=False):
            helper.join()
            thread.join()
        for receiver in receivers:
            receiver.close()
    for batch in sent:
        found.update([pickle.loads(batch)])  # made by this very program, a moment ago
    # What went wrong in another process goes wrong here again, where it can be told.
    return [found[index] if index in found else work(item) for index, item in enumerate(items)]


def _next(taken: Any) -> int:
    """Return the index of the next item, which nobody else will take."""
    with taken.get_lock():
        index: int = taken.value
        taken.value += 1
    return index


def _help(work: Callable[[Item], Any], items: Sequence[Item], taken: Any, sender: Any, receiver: Any) -> None:
    """Work in another process until nothing is left, and end without any of what this program does at its end."""
    try:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the first process answers an interrupt
        gc.disable()
        receiver.close()  # so that it shows if nobody is there any more to receive anything
        while (index := _next(taken)) < len(items):
            sender.send_bytes(pickle.dumps((index, work(items[index])), pickle.HIGHEST_PROTOCOL))
    finally:
        os._exit(0)


def _receive(receiver: Any, sent: list[bytes]) -> None:
    """Keep what another process sends, until it ends."""
    with suppress(EOFError, OSError):
        while True:
            sent.append(receiver.recv_bytes())
