"""Jobs in processes of this machine, each of which may die, hang or eat its memory without harm to the others."""

from __future__ import annotations

import atexit
import contextlib
import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import TYPE_CHECKING

from planner.batch.engine import Bounds, Finished
from planner.batch.jobs import Job
from planner.batch.said import Said, failed, is_sound

if TYPE_CHECKING:
    from multiprocessing.context import ForkServerContext, SpawnContext

LOOK = 0.05
"""Seconds between two looks at the clock and the memory of jobs that have a limit."""

Answering = Callable[[Job], Said]


class LocalWorkers:
    """Processes that wait for jobs, and live as long as they survive them.

    Parameters
    ----------
    number : int
        How many there are.
    answering : callable
        Answers a job; found by its name in each process, so that it must be one of a module.
    folder : Path
        The folder from which paths count.
    bounds : Bounds
        What a job may use.
    """

    def __init__(self, number: int, answering: Answering, folder: Path, bounds: Bounds) -> None:
        self._number, self._answering, self._folder, self._bounds = number, answering, folder, bounds
        self._context = _context(answering)
        self._idle: list[_Worker] = []
        self._busy: list[_Worker] = []

    def room(self) -> int:
        """Return how many jobs would begin at once."""
        return self._number - len(self._busy)

    @property
    def idle(self) -> bool:
        """Whether nothing is being worked on."""
        return not self._busy

    def start(self, job: Job) -> None:
        """Begin a job, in a process that waits for one if there is any."""
        while True:
            worker = self._idle.pop() if self._idle else _Worker(self._context, self._answering, self._folder)
            if worker.begin(job):
                self._busy.append(worker)
                return
            worker.kill()  # somebody has ended it while it waited

    def finished(self, seconds: float) -> list[Finished]:
        """Return the jobs that have come to their end."""
        if not self._busy:
            return []
        limited = self._bounds.memory is not None or any(self._seconds(one) is not None for one in self._busy)
        wait([handle for one in self._busy for handle in one.handles], min(seconds, LOOK) if limited else seconds)
        found: list[Finished] = []
        for worker in list(self._busy):
            said = worker.said() or self._exceeded(worker)
            if said is None:
                continue
            self._busy.remove(worker)
            found.append(Finished(worker.job, said, time.monotonic() - worker.since))
            if worker.alive and is_sound(said):
                self._idle.append(worker)
            else:
                worker.kill()
        return found

    def _seconds(self, worker: _Worker) -> float | None:
        return self._bounds.seconds_of(worker.job)

    def _exceeded(self, worker: _Worker) -> Said | None:
        """End a job that has used more than it may, and say so."""
        seconds, memory = self._seconds(worker), self._bounds.memory
        if seconds is not None and worker.ready and time.monotonic() > worker.since + seconds:
            worker.kill()
            return failed("hung", f"it was ended after {seconds:g} seconds")
        if memory is not None and worker.memory > memory:
            worker.kill()
            return failed("memory", f"it was ended when it used more than {memory // 2**20} MiB")
        return None

    def close(self) -> None:
        """End every process, whatever it is working on."""
        for worker in (*self._busy, *self._idle):
            worker.kill()
        self._busy, self._idle = [], []


def _context(answering: Answering) -> SpawnContext | ForkServerContext:
    """Return how processes begin: from one that has loaded what they need, where forks can be relied on, or from nothing."""
    if sys.platform != "linux":
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["__main__", answering.__module__])
    atexit.unregister(_end_server)
    atexit.register(_end_server)
    return context


def _end_server() -> None:
    """End the process from which others are forked, with this one.

    By itself it would first load what they need, and hold the outputs, to whose ends others wait, for half a second more.
    Its lock is never given back: a thread that is still beginning a process would find it dead, and begin another one.
    """
    from multiprocessing import forkserver

    server = vars(forkserver._forkserver)
    server["_lock"].acquire()
    pid: int | None = server["_forkserver_pid"]
    if pid is not None:
        with contextlib.suppress(OSError):
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)


class _Worker:
    """A process, and the job that it works on.

    It is begun by a thread: to load what is needed takes a second, for which nobody waits who wants it to stop.
    """

    def __init__(self, context: SpawnContext | ForkServerContext, answering: Answering, folder: Path) -> None:
        self._ours, theirs = context.Pipe()
        self._process: BaseProcess = context.Process(target=_work, args=(theirs, answering, str(folder)))
        self._lock, self._begun = threading.Lock(), False
        self._error: BaseException | None = None
        self.alive, self.ready = True, False
        self.since = 0.0
        self.job: Job
        with _undisturbed():
            threading.Thread(target=self._start, args=(theirs,), daemon=True).start()

    def _start(self, theirs: Connection) -> None:
        """Begin the process; if it isn't wanted any more by then, end it."""
        try:
            self._process.start()
        except BaseException as error:  # it is raised where somebody asks
            self._error = error
        with self._lock:
            self._begun = self._error is None
            if self._begun and not self.alive:
                self._end()
        theirs.close()

    @property
    def handles(self) -> list[Connection | int]:
        """What shows that it has something to say, or has died."""
        return [self._ours, self._process.sentinel] if self._begun else [self._ours]

    def begin(self, job: Job) -> bool:
        """Send it a job; tell whether it is there to hear it."""
        self.job, self.since = job, time.monotonic()
        try:
            self._ours.send(job)
        except OSError:
            return self._error is not None  # which is raised to whoever asks what it says
        return True

    def said(self) -> Said | None:
        """Return what has become of the job, if it is over."""
        if self._error is not None:
            raise self._error
        if not self._begun:
            return None
        try:
            while self._ours.poll():
                said: Said | None = self._ours.recv()
                if said is not None:
                    return said
                self.ready, self.since = True, time.monotonic()
        except (EOFError, OSError):
            self._process.join(LOOK)
        if self._process.is_alive():
            return None
        code = self._process.exitcode or 0
        self.kill()
        return failed("died", f"its process died: {_death(code)}")

    @property
    def memory(self) -> int:
        """How many bytes it uses; 0 where that can't be told."""
        try:
            pages = Path(f"/proc/{self._process.pid}/statm").read_text().split()[1]
        except (OSError, IndexError):
            return 0
        return int(pages) * os.sysconf("SC_PAGE_SIZE")

    def kill(self) -> None:
        """End it, and whatever processes it has made."""
        with self._lock:
            if not self.alive:
                return
            self.alive = False
            if self._begun:
                self._end()
        self._ours.close()

    def _end(self) -> None:
        pid = self._process.pid
        if os.name == "posix" and pid is not None:
            with contextlib.suppress(OSError):
                os.killpg(pid, signal.SIGKILL)
        self._process.kill()
        self._process.join()


def can_watch_memory() -> bool:
    """Tell whether this system says how much memory processes use."""
    return Path("/proc/self/statm").exists()


@contextlib.contextmanager
def _undisturbed() -> Iterator[None]:
    """Let processes that are begun within it not hear of Ctrl-C at the terminal: who began them ends them."""
    if os.name != "posix" or threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _death(code: int) -> str:
    """Say how a process has ended."""
    if code >= 0:
        return f"exit code {code}"
    try:
        return signal.Signals(-code).name
    except ValueError:
        return f"signal {-code}"


def _work(connection: Connection, answering: Answering, folder: str) -> None:
    """Answer jobs as long as there are any; what a process of a batch does."""
    if os.name == "posix":
        os.setsid()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    os.chdir(folder)
    try:
        connection.send(None)  # from now on, its time counts
    except OSError:
        return  # it isn't wanted any more
    while True:
        try:
            job = connection.recv()
        except (EOFError, OSError):
            return
        said = answering(job)
        sys.stdout.flush()
        connection.send(said)


def _end_with_parent() -> None:
    """End this process, and those that it has made, once nobody waits for its answers any more."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        if os.name == "posix":
            os.killpg(0, signal.SIGKILL)
        os._exit(1)
