"""The sessions of a server, and who works on what is asked in them."""

from __future__ import annotations

import asyncio
import secrets
import threading
from collections.abc import Callable
from dataclasses import dataclass, field

from planner.serving.answering import answer_to, failure
from planner.serving.asking import Answer, Session, Task
from planner.serving.shelf import Shelf
from planner.serving.verbs import VERBS

Told = Callable[[Answer], None]


@dataclass
class _Open:
    """A session: what is asked in it is answered one after another, but for what takes its time."""

    session: Session = field(default_factory=lambda: Session(shelf=Shelf()))
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    search: asyncio.Event | None = None


class Desk:
    """Takes questions, and has them answered."""

    def __init__(self) -> None:
        self._open: dict[str, _Open] = {}

    def __len__(self) -> int:
        return len(self._open)

    def __contains__(self, name: str) -> bool:
        return name in self._open

    async def begin(self, said: Answer, stop: asyncio.Event, tell: Told) -> Answer:
        """Open a session with what is said with `position`; the answer names it."""
        one = _Open()
        found = await self._work(one, "position", said, stop, tell)
        if "error" in found:
            return found
        name = secrets.token_urlsafe(16)
        self._open[name] = one
        return {"answer": {"session": name, "answer": found["answer"]}}

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
        return await self._work(self._open[name], verb, said, stop, tell)

    async def once(self, verb: str, said: Answer, stop: asyncio.Event, tell: Told) -> Answer:
        """Answer a question that brings its own position, under `position`."""
        one = _Open()
        rest = dict(said)
        position = rest.pop("position", None)
        if position is not None:
            if not isinstance(position, dict):
                return failure("input", "position must be an object")
            begun = await self._work(one, "position", position, stop, tell)
            if "error" in begun:
                return begun
        return await self._work(one, verb, rest, stop, tell)

    async def _work(self, one: _Open, verb: str, said: Answer, stop: asyncio.Event, tell: Told) -> Answer:
        if not VERBS[verb].slow:
            async with one.turn:
                return await _answered(one.session, verb, said, stop, tell)
        if one.search is not None:
            return failure("busy", "a question is being worked on: wait for its answer, or stop it")
        one.search = stop
        try:
            async with one.turn:
                session = one.session.now()
            return await _answered(session, verb, said, stop, tell)
        finally:
            one.search = None


async def _answered(session: Session, verb: str, said: Answer, stop: asyncio.Event, tell: Told) -> Answer:
    """Answer a question in a thread, and stop it when somebody wants it to."""
    loop, told_to = asyncio.get_running_loop(), threading.Event()

    async def watch() -> None:
        await stop.wait()
        told_to.set()

    def pass_on(told: Answer) -> None:
        loop.call_soon_threadsafe(tell, told)

    watching = asyncio.create_task(watch())
    task = Task(told_to, pass_on)
    try:
        return await asyncio.to_thread(answer_to, VERBS[verb], session, said, task)
    finally:
        watching.cancel()
