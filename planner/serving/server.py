"""A server: where it listens, and how it begins and ends."""

from __future__ import annotations

import logging
import socket
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from planner.errors import InputError, Problem
from planner.serving.desk import Desk, ServingLimits

if TYPE_CHECKING:
    from starlette.types import ASGIApp

GRACE = 10
"""Seconds in which what is being worked on is answered when the server is told to end."""

SHORTEST_TOKEN = 16
"""Signs; shorter ones can be guessed."""

MOST_CONNECTIONS = 500
"""Connections at once; others are told that there are too many."""


@dataclass(frozen=True)
class Settings:
    """How a server is run.

    Attributes
    ----------
    host, port : str, int
        Where it listens; 0: at any port that is free.
    tokens : tuple of str
        Who bears one of them is answered; empty: everybody is, which is allowed only on the loopback address.
    hosts : tuple of str
        Names by which it may be spoken to besides its address; ``*``: any.
    folders : tuple of Path
        Folders whose scenarios clients may name, or scenarios with what lies beside them, besides those that are shipped.
    limits : ServingLimits
        What clients are allowed.
    """

    host: str = "127.0.0.1"
    port: int = 8000
    tokens: tuple[str, ...] = ()
    hosts: tuple[str, ...] = ()
    folders: tuple[Path, ...] = ()
    limits: ServingLimits = field(default_factory=ServingLimits)


def serve(
    settings: Settings, opened: dict[str, object] | None = None, ready: Callable[[str], None] | None = None
) -> None:
    """Listen and answer, until SIGINT or SIGTERM; what is being worked on then is answered with what is known.

    Parameters
    ----------
    settings : Settings
        Where, and for whom.
    opened : dict, optional
        With what the board begins; see `planner.serving.http_app.application`.
    ready : callable, optional
        Gets the address once it listens; with port 0 a free one has been taken. Absent: the address is printed, and every
        request is logged.

    Raises
    ------
    InputError
        If the extra isn't installed, the address can't be listened on, or may not be without a token.
    """
    try:
        import starlette  # noqa: F401
        import uvicorn
    except ImportError as error:
        raise InputError([Problem("needs other packages: pip install '.[serve]' in a clone", "serve")]) from error
    from planner.serving.guard import is_loopback
    from planner.serving.patience import PatientProtocol, PromptServer
    from planner.serving.watch import Lines, log

    problems = []
    if not is_loopback(settings.host) and not settings.tokens:
        problems.append(Problem("an address that others can reach must have a token: --token", "--host"))
    problems += [
        Problem("a token must have at least 16 signs, all of ASCII that can be seen", "--token")
        for token in settings.tokens
        if len(token) < SHORTEST_TOKEN or not (token.isascii() and token.isprintable() and " " not in token)
    ]
    if problems:
        raise InputError(problems)
    listening = _listen(settings.host, settings.port)
    library = logging.getLogger("uvicorn")
    library.handlers, library.propagate = [Lines(logging.WARNING)], False
    desk = Desk(settings.limits, settings.folders)
    config = uvicorn.Config(
        guarded(desk, settings, opened, logged=ready is None),
        http=PatientProtocol,
        ws="none",
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        limit_concurrency=MOST_CONNECTIONS,
        timeout_graceful_shutdown=GRACE,
    )
    host, port = listening.getsockname()[:2]
    url = f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"
    if ready is None:
        print(url, flush=True)
        log("listening", url=url)
    else:
        ready(url)
    try:
        PromptServer(config, desk.stop_all).run([listening])
    finally:
        desk.kill()
        if ready is None:
            log("ended")


def guarded(desk: Desk, settings: Settings, opened: dict[str, object] | None, logged: bool) -> ASGIApp:
    """Return the application with everything that stands before it: what is logged, and who is answered."""
    from planner.serving.guard import Guard, is_loopback
    from planner.serving.http_app import application
    from planner.serving.watch import RequestCounts, Watch

    counts = RequestCounts()
    hosts = settings.hosts or (() if is_loopback(settings.host) else ("*",))
    app = application(desk, opened, lambda: counts.text(desk))
    return Watch(Guard(app, settings.tokens, hosts), counts, logged)


def _listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listening = socket.socket(family, kind, protocol)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
        listening.listen(128)
    except (OSError, UnicodeError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError([Problem(f"can't be listened on: {reason}", f"{host}:{port}")]) from error
    return listening
