"""How long a server waits: for clients that don't say what they want, and for its end."""

from __future__ import annotations

import signal
import socket
from asyncio import Transport
from collections.abc import Callable, Generator
from contextlib import contextmanager

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

HEAD_WITHIN = 10.0
"""Seconds in which the head of a request must be there."""


class PatientProtocol(H11Protocol):
    """HTTP, but no longer with clients that open a connection and say nothing, or begin a request and don't go on."""

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
        """Begin to wait."""
        super().connection_made(transport)
        self._looked_at: object = None
        self.loop.call_later(HEAD_WITHIN, self._look)

    def _look(self) -> None:
        """Hang up if the same head has been waited for since the last look."""
        if self.transport.is_closing():
            return
        waits = self.cycle is None or (self.cycle.response_complete and bool(self.conn.trailing_data[0]))
        seen = (waits, id(self.cycle))
        if waits and (self.cycle is None or seen == self._looked_at):
            self.transport.abort()
            return
        self._looked_at = seen
        self.loop.call_later(HEAD_WITHIN, self._look)


class PromptServer(uvicorn.Server):
    """Ends in good order, with exit code 0, when it is told to.

    Parameters
    ----------
    config : uvicorn.Config
        How it is run.
    on_end : callable
        Called when it is told to end, before it waits for what is being answered.
    """

    def __init__(self, config: uvicorn.Config, on_end: Callable[[], None]) -> None:
        super().__init__(config)
        self._on_end = on_end

    @contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        """Hear signals while it runs; a second one ends it at once."""
        heard = (signal.SIGINT, signal.SIGTERM)
        before = {one: signal.signal(one, self._hear) for one in heard}
        try:
            yield
        finally:
            for one, handler in before.items():
                signal.signal(one, handler)

    def _hear(self, *_: object) -> None:
        self.force_exit = self.should_exit
        self.should_exit = True

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End."""
        self._on_end()
        await super().shutdown(sockets)
