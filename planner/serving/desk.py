"""The sessions of a server, and who works on what is asked in them."""

from __future__ import annotations

import asyncio
import json
import random
import secrets
import time
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from planner.errors import InputError
from planner.serving.answering import failure, refusal
from planner.serving.asking import NO_POSITION, Answer
from planner.serving.verbs import VERBS, unknown_keys
from planner.serving.workers import Told, Worker, WorkerDiedError, WorkerPool

QUICK = 2
"""Processes for what takes no time; searches have others, so that neither waits for the other."""

QUICK_SECONDS = 20.0
"""After them what takes no time is stopped as well."""

MOST_WAITING = 200
"""Quick questions that may wait."""

LONGEST = 10_000
"""Requests that may make a position; nobody plays so long."""

MOST_HELD = 8
"""Sessions whose positions a process keeps."""

TRIES = 3
"""A question whose process ends by itself is asked again so often in all."""


Entries = tuple[Answer, ...]
CLOSE: Answer = {"do": "close"}
How = tuple[asyncio.Event, Told, float]
"""What stops a question, what gets what is found meanwhile, and after how many seconds it is stopped."""


@dataclass(frozen=True)
class ServingLimits:
    """What is allowed, so that nobody takes everything.

    Attributes
    ----------
    searches : int
        Searches at once, each in a process of its own; as many again may wait.
    workers : int
        Cores that one search may use.
    seconds : float
        How long one may take.
    memory : int
        Bytes that the process of one may occupy.
    sessions : int
        Sessions at once.
    idle : float
        Seconds after which a session in which nothing is asked expires.
    body : int
        Bytes that may be said with one request.
    kept : int
        Bytes of all that sessions consist of.
    """

    searches: int = 2
    workers: int = 1
    seconds: float = 60.0
    memory: int = 2 * 2**30
    sessions: int = 200
    idle: float = 3600.0
    body: int = 4 * 2**20
    kept: int = 2**28


@dataclass(eq=False)
class _Open:
    """A session: what has been said in it that makes its position, so that any process can make it anew.

    Attributes
    ----------
    name : str
        The id by which its client names it.
    entries : tuple of dict
        The requests: `position` first; what has been rolled is entered, so that it comes out the same.
    dice : random.Random
        What gives seeds where nobody says what was rolled.
    turn : asyncio.Lock
        Held by the one question that is answered of its position at a time, searches aside.
    search : asyncio.Event or None
        What stops the search that goes on.
    used : float
        When it was last asked something.
    """

    name: str
    entries: Entries = ()
    dice: random.Random = field(default_factory=random.Random)
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    search: asyncio.Event | None = None
    used: float = field(default_factory=time.monotonic)

    @property
    def size(self) -> int:
        """How many bytes it takes, roughly."""
        return (len(json.dumps(self.entries[0])) if self.entries else 0) + 200 * len(self.entries)


class Desk:
    """Takes questions, has them answered by processes, and keeps the sessions, so that none is lost with a process.

    Parameters
    ----------
    limits : ServingLimits, optional
        What is allowed.
    folders : tuple of Path
        Folders whose scenarios may be named, or scenarios with what lies beside them, besides those that are shipped.
    """

    def __init__(self, limits: ServingLimits | None = None, folders: tuple[Path, ...] = ()) -> None:
        self.limits = limits or ServingLimits()
        memory = self.limits.memory
        self._open: dict[str, _Open] = {}
        self._stops: set[asyncio.Event] = set()
        self._ending = False
        self.quick = WorkerPool(QUICK, MOST_WAITING, memory, folders)
        self.slow = WorkerPool(self.limits.searches, self.limits.searches, memory, folders)

    def __len__(self) -> int:
        return len(self._open)

    def __contains__(self, name: str) -> bool:
        self._expire()
        return name in self._open

    def _expire(self) -> None:
        late = time.monotonic() - self.limits.idle
        for one in [one for one in self._open.values() if one.used < late and one.search is None]:
            del self._open[one.name]

    # -- what is asked

    async def begin(self, said: Answer, stop: asyncio.Event, tell: Told) -> Answer:
        """Open a session with what is said with `position`; the answer names it."""
        self._expire()
        if len(self._open) >= self.limits.sessions:
            return failure("overloaded", f"there are {self.limits.sessions} sessions: close one, or wait")
        if sum(one.size for one in self._open.values()) >= self.limits.kept:
            return failure("overloaded", "there are too many large sessions: close one, or wait")
        one = _Open(secrets.token_urlsafe(16))
        found = await self._work(one, "position", said, stop, tell)
        if "error" in found:
            return found
        if stop.is_set():
            return failure("stopped", "who opened it has gone")  # nobody else will ever know its name
        one.used = time.monotonic()
        self._open[one.name] = one
        return {"answer": {"session": one.name, "answer": found["answer"]}}

    def end(self, name: str) -> None:
        """Close a session; what is being worked on in it is stopped."""
        self.stop(name)
        del self._open[name]

    def stop(self, name: str) -> None:
        """Stop what is being searched for in a session."""
        search = self._open[name].search
        if search is not None:
            search.set()

    async def ask(self, name: str, verb: str, said: Answer, stop: asyncio.Event, tell: Told) -> Answer:
        """Answer a question in a session."""
        one = self._open[name]
        one.used = time.monotonic()
        try:
            return await self._work(one, verb, said, stop, tell)
        finally:
            one.used = time.monotonic()

    async def once(self, verb: str, said: Answer, stop: asyncio.Event, tell: Told) -> Answer:
        """Answer a question that brings its own position, under `position`."""
        rest = dict(said)
        position = rest.pop("position", None)
        one = _Open("")
        if position is not None:
            if not isinstance(position, dict):
                return failure("input", "position must be an object")
            if unknown := unknown_keys(VERBS["position"], position, where="request: position."):
                return refusal(InputError(unknown))
            one.entries = ({**position, "do": "position"},)
        found = await self._work(one, verb, rest, stop, tell, ("position",))
        error = found.get("error")
        if isinstance(error, dict) and error.get("text") == NO_POSITION:  # what has been sent first is forgotten
            return failure(str(error["kind"]), "there is no position: say it with the question, under position")
        return found

    # -- how it is answered

    async def _work(
        self, one: _Open, verb: str, said: Answer, stop: asyncio.Event, tell: Told, beside: tuple[str, ...] = ()
    ) -> Answer:
        if self._ending:
            return failure("overloaded", "the server is ending")
        if unknown := unknown_keys(VERBS[verb], said, beside):  # some of them mean something to the processes
            return refusal(InputError(unknown))
        workers = said.get("workers")
        if workers is not None and (
            type(workers) is not int or workers > self.limits.workers
        ):  # "4" would be read as 4
            return failure("input", f"workers must be a whole number, at most {self.limits.workers} here")
        self._stops.add(stop)
        try:
            if not VERBS[verb].slow:
                async with one.turn:
                    return await self._quickly(one, verb, said, stop, tell)
            if one.search is not None:
                return failure("busy", "a question is being worked on: wait for its answer, or stop it")
            one.search = stop
            try:
                async with one.turn:
                    entries = one.entries
                how = (stop, tell, self.limits.seconds)
                found, _ = await self._asked(self.slow, one.name, entries, {**said, "do": verb}, how)
                return found
            finally:
                one.search = None
        finally:
            self._stops.discard(stop)

    async def _quickly(self, one: _Open, verb: str, said: Answer, stop: asyncio.Event, tell: Told) -> Answer:
        """Answer a question that takes no time, and take down what it has changed."""
        asked, dice = {**said, "do": verb}, one.dice
        if verb == "roll":
            seed = said.get("seed")
            if isinstance(seed, int):
                dice = random.Random(seed)
            elif seed is None and said.get("result") is None:
                dice = random.Random()
                dice.setstate(one.dice.getstate())
                asked["seed"] = dice.getrandbits(31)
        if len(one.entries) >= LONGEST and verb not in ("position", "pop") and VERBS[verb].changes:
            return failure("overloaded", "this session has become too long: save the position, and open another")
        entries = () if verb == "position" else one.entries
        found, after = await self._asked(self.quick, one.name, entries, asked, (stop, tell, QUICK_SECONDS))
        if after is not entries:
            one.entries, one.dice = after, dice
        return found

    async def _asked(
        self, pool: WorkerPool, name: str, entries: Entries, asked: Answer, how: How
    ) -> tuple[Answer, Entries]:
        """Have a question answered by a process of a pool; if that ends by itself, by another one."""
        told: Answer = {}
        for _ in range(TRIES):
            worker: Worker | Answer = {}
            try:
                worker = await pool.take(name, how[0])
                if not isinstance(worker, Worker):
                    return worker, entries
                return await _answer(worker, name, entries, asked, how)
            except WorkerDiedError as error:
                if isinstance(worker, Worker) and worker.ended_for is not None:
                    return failure("stopped", str(error)), entries
                told = failure("died", f"{error}; nothing has changed: ask again")
            finally:
                if isinstance(worker, Worker):
                    pool.give_back(worker)
        return told, entries

    # -- the end

    def stop_all(self) -> None:
        """Take nothing more on, and stop what is being worked on."""
        self._ending = True
        for stop in list(self._stops):
            stop.set()

    async def close(self) -> None:
        """End all processes."""
        self.stop_all()
        await asyncio.gather(self.quick.close(), self.slow.close())

    def kill(self) -> None:
        """End all processes at once."""
        self.quick.kill()
        self.slow.kill()


async def _answer(worker: Worker, name: str, entries: Entries, asked: Answer, how: How) -> tuple[Answer, Entries]:
    """Ask a process in a session, whose position it is given first unless it has it.

    Returns
    -------
    tuple
        The answer or error, and what makes the position afterwards: the same object if nothing has changed.
    """
    if worker.holds.pop(name, None) is not entries:
        for said in (CLOSE, *entries):
            found = await worker.ask({**said, "session": name}, *how)
            if "error" in found:
                return found, entries
    found = await worker.ask({**asked, "session": name}, *how)
    if asked["do"] == "position" and "answer" in found:
        asked = await _with_text(worker, name, asked, how)
    after = _after(entries, asked, found)
    worker.holds[name] = after
    if len(worker.holds) > MOST_HELD:
        unused = next(iter(worker.holds))
        del worker.holds[unused]
        await worker.ask({**CLOSE, "session": unused}, *how)
    return found, after


async def _with_text(worker: Worker, name: str, asked: Answer, how: How) -> Answer:
    """Return a request for a position that holds the text of the file it names, which may be another one by and by."""
    scenario = asked.get("scenario")
    if not isinstance(scenario, str):
        return asked
    told = await worker.ask({"do": "source", "session": name}, *how)
    source = told.get("answer")
    if not isinstance(source, dict):
        return asked
    rest = {key: one for key, one in asked.items() if key != "scenario"}
    return {**rest, "text": source["text"], "beside": PurePosixPath(scenario).parent.as_posix()}


def _after(entries: Entries, asked: Answer, found: Answer) -> Entries:
    """Return what makes the position after a question has been answered."""
    answer, verb = found.get("answer"), str(asked["do"])
    if not VERBS[verb].changes or not isinstance(answer, dict):
        return entries
    if verb == "position":
        return (asked,)
    if verb == "pop":
        return entries[:-1]
    if verb == "roll":
        return (*entries, {"do": "roll", "result": answer["rolled"]["move"]})
    return (*entries, asked)
