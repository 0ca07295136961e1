"""Processes that answer questions: engines, which a server starts, watches, and ends when they don't stop by themselves."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import os
import signal
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from planner.errors import PlannerError
from planner.serving.answering import failure
from planner.serving.asking import Answer

Told = Callable[[Answer], None]

LONGEST_ANSWER = 2**28
"""Bytes of one line."""

GRACE = 5.0
"""Seconds in which one that is told to stop has to; a search looks up several times a second."""

START = 60.0
"""Seconds in which one must be there."""

GLANCE = 0.2
"""Seconds between two looks at how much memory is used."""


class WorkerDiedError(PlannerError):
    """A process has ended before it has answered."""


class Worker:
    """A process that answers one question at a time.

    Attributes
    ----------
    holds : dict
        The sessions whose positions it has, each with the state of it, longest unused first.
    ended_for : str or None
        Why it has been ended from here; None: it hasn't.
    """

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self._process, self._in, self._out = process, process.stdin, process.stdout
        self._numbers = itertools.count()
        self.holds: dict[str, object] = {}
        self.ended_for: str | None = None

    @classmethod
    async def start(cls, folders: Sequence[Path]) -> Worker:
        """Start one; its group of processes is its own, so that Ctrl-C is heard by the server alone.

        Raises
        ------
        WorkerDiedError
            If it doesn't begin.
        """
        command = [sys.executable, "-m", "planner", "engine", "--confined"]
        command += [word for folder in folders for word in ("--scenarios", str(folder))]
        pipe = asyncio.subprocess.PIPE
        process = await asyncio.create_subprocess_exec(
            *command, stdin=pipe, stdout=pipe, limit=LONGEST_ANSWER, start_new_session=True
        )
        worker = cls(process)
        try:
            await worker.ask({"do": "hello"}, asyncio.Event(), lambda _told: None, START)
        except BaseException:
            worker.kill("it didn't begin")
            await worker._gone()  # whoever left it to Python's loop would be told when that has ended
            raise
        return worker

    @property
    def pid(self) -> int:
        """The number of its process."""
        return self._process.pid

    @property
    def lives(self) -> bool:
        """Whether it can be asked."""
        return self._process.returncode is None and self.ended_for is None

    async def ask(self, said: Answer, stop: asyncio.Event, tell: Told, seconds: float) -> Answer:
        """Return ``{"answer": …}`` or ``{"error": …}``.

        Parameters
        ----------
        said : dict
            The request, with its verb and its session.
        stop : asyncio.Event
            Set: it is to answer with what it knows.
        tell : callable
            Gets what is found meanwhile.
        seconds : float
            After them it is told to stop as well.

        Raises
        ------
        WorkerDiedError
            If it ends before it answers, or is ended because it doesn't stop.
        """
        number = next(self._numbers)
        ending = asyncio.ensure_future(self._stop(stop, seconds))
        try:
            await self._say({**said, "id": number})  # whatever number its client has said
            while line := await self._out.readline():
                heard = json.loads(line)
                if heard.get("id") != number:
                    continue
                if "info" not in heard:
                    return {key: value for key, value in heard.items() if key != "id"}
                tell(heard["info"])
        except (OSError, ValueError):  # it doesn't listen any more, or has died in the middle of a line
            pass
        except asyncio.CancelledError:
            self.kill("its client has gone")
            raise
        finally:
            ending.cancel()
        await self._gone()
        raise WorkerDiedError(self.ended_for or "the process that worked on it has ended")

    async def _say(self, request: Answer) -> None:
        self._in.write(json.dumps(request).encode() + b"\n")
        await self._in.drain()

    async def _stop(self, stop: asyncio.Event, seconds: float) -> None:
        """Tell it to stop when somebody wants it to, or the time is up; end it if it doesn't."""
        with contextlib.suppress(TimeoutError):
            # Not `wait_for`: up to Python 3.11 it doesn't hear that it is cancelled in the moment in which what it waits for
            # has come, and whoever is asked next would be ended for what has been answered.
            async with asyncio.timeout(seconds):
                await stop.wait()
        with contextlib.suppress(OSError):
            await self._say({"do": "stop"})
        await asyncio.sleep(GRACE)
        self.kill("it didn't stop in time")

    def memory(self) -> int:
        """Return how many bytes it and its children occupy; 0 where that can't be told."""
        pages, page = 0, os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 0
        with contextlib.suppress(OSError, ValueError):
            own = Path(f"/proc/{self.pid}")
            children = (own / f"task/{self.pid}/children").read_text().split()
            for number in (self.pid, *children):
                pages += int(Path(f"/proc/{number}/statm").read_text().split()[1])
        return pages * page

    def kill(self, why: str) -> None:
        """End it at once, and whatever it has started."""
        self.ended_for = self.ended_for or why
        self._end()

    def _end(self) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if hasattr(os, "killpg"):
                os.killpg(self.pid, signal.SIGKILL)
            else:
                self._process.kill()

    async def _gone(self) -> None:
        """Wait until it has ended; whatever it has left behind ends, too."""
        try:
            await asyncio.wait_for(self._process.wait(), GRACE)
        except TimeoutError:
            self._end()
            await self._process.wait()
        self._end()

    async def close(self) -> None:
        """End it, in good order if it listens."""
        with contextlib.suppress(OSError):
            await self._say({"do": "quit"})
            self._in.close()
        await self._gone()


class WorkerPool:
    """Workers, so many at most, each started when it is needed.

    Parameters
    ----------
    size : int
        How many there are at most.
    waiting : int
        How many questions may wait for one; others are refused.
    memory : int
        Bytes that one may occupy; it is ended if it takes more.
    folders : sequence of Path
        Folders whose scenarios may be named.
    """

    def __init__(self, size: int, waiting: int, memory: int, folders: Sequence[Path] = ()) -> None:
        self._size, self._most, self._memory, self._folders = size, waiting, memory, folders
        self._room = asyncio.Semaphore(size)
        self._free: list[Worker] = []
        self._busy: set[Worker] = set()
        self._waiting = self._starting = 0
        self.started = 0
        self._watching: asyncio.Task[None] | None = None

    @property
    def busy(self) -> int:
        """How many are at work, or about to be."""
        return len(self._busy) + self._starting

    @property
    def pids(self) -> list[int]:
        """The numbers of the processes."""
        return [one.pid for one in (*self._free, *self._busy)]

    async def take(self, session: str, stop: asyncio.Event) -> Worker | Answer:
        """Return a worker, that has a session's position if one is free; an error if there are too many questions.

        Raises
        ------
        WorkerDiedError
            If one is started, and doesn't begin.
        """
        if self._room.locked() and self._waiting >= self._most:
            return failure("overloaded", "too many questions are being worked on: ask again later")
        self._waiting += 1
        waiting, stopping = asyncio.ensure_future(self._room.acquire()), asyncio.ensure_future(stop.wait())
        try:
            await asyncio.wait((waiting, stopping), return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._waiting -= 1
            stopping.cancel()
            if not waiting.done():
                waiting.cancel()
        if not waiting.done() or waiting.cancelled():
            return failure("stopped", "it was stopped before anybody began to work on it")
        try:
            worker = await self._any(session)
        except BaseException:
            self._room.release()
            raise
        self._busy.add(worker)
        if self._watching is None or self._watching.done():
            self._watching = asyncio.ensure_future(self._watch())
        return worker

    async def _any(self, session: str) -> Worker:
        self._free = [one for one in self._free if one.lives]
        idle = (one for one in self._free if not one.holds)
        best = next((one for one in self._free if session in one.holds), next(idle, None))
        if best is None and len(self._free) + len(self._busy) + self._starting < self._size:
            self.started += 1
            self._starting += 1
            try:
                return await Worker.start(self._folders)
            finally:
                self._starting -= 1
        best = best or self._free[0]  # the longest unused
        self._free.remove(best)
        return best

    async def warm(self) -> None:
        """Start one before anybody asks."""
        with contextlib.suppress(WorkerDiedError):  # whoever asks is told
            worker = await self.take("", asyncio.Event())
            if isinstance(worker, Worker):
                self.give_back(worker)

    def give_back(self, worker: Worker) -> None:
        """Take a worker back that has done its work, or has died of it."""
        self._busy.discard(worker)
        if worker.lives:
            self._free.append(worker)
        self._room.release()

    async def _watch(self) -> None:
        """End whoever takes too much memory."""
        while self._busy:
            for one in self._busy:
                if one.memory() > self._memory:
                    one.kill(f"it took more than {self._memory // 2**20} MiB of memory")
            await asyncio.sleep(GLANCE)

    async def close(self) -> None:
        """End them all."""
        if self._watching is not None:
            self._watching.cancel()
        await asyncio.gather(*(one.close() for one in (*self._free, *self._busy)))

    def kill(self) -> None:
        """End them all at once."""
        for one in (*self._free, *self._busy):
            one.kill("the server has ended")
