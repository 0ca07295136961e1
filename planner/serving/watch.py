"""What a server tells of itself: a line of JSON for each request, and counts for Prometheus."""

from __future__ import annotations

import json
import logging
import re
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from planner.printable import printable
from planner.serving.desk import Desk
from planner.serving.verbs import VERBS

LONGEST = 200
"""Signs of what a client says that are logged."""

_SESSION = re.compile(r"^/api/sessions/([^/]{0,6})[^/]*")


def log(event: str, **told: object) -> None:
    """Write a line of JSON to standard error; nothing in it steers a terminal, whoever has said it."""
    line: dict[str, object] = {"time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()), "event": event}
    line |= {name: printable(one)[:LONGEST] if isinstance(one, str) else one for name, one in told.items()}
    print(json.dumps(line), file=sys.stderr, flush=True)


class Lines(logging.Handler):
    """Writes what libraries log in the same way."""

    def emit(self, record: logging.LogRecord) -> None:
        """Write a record."""
        log("library", level=record.levelname.lower(), name=record.name, text=record.getMessage())


@dataclass
class RequestCounts:
    """How many requests there have been, how they ended, and how long they took.

    Attributes
    ----------
    requests : Counter
        By what was asked and the status of the answer.
    seconds : dict
        By what was asked.
    """

    requests: Counter[tuple[str, int]] = field(default_factory=Counter)
    seconds: dict[str, float] = field(default_factory=lambda: defaultdict(float))

    def text(self, desk: Desk) -> str:
        """Return them in Prometheus's text format."""
        return "".join(f"{line}\n" for line in self._lines(desk))

    def _lines(self, desk: Desk) -> Iterator[str]:
        yield "# HELP planner_requests_total Requests that have been answered."
        yield "# TYPE planner_requests_total counter"
        for (asked, status), count in sorted(self.requests.items()):
            yield f'planner_requests_total{{asked="{asked}",status="{status}"}} {count}'
        yield "# HELP planner_request_seconds Time that requests took."
        yield "# TYPE planner_request_seconds summary"
        for asked, seconds in sorted(self.seconds.items()):
            count = sum(one for (name, _), one in self.requests.items() if name == asked)
            yield f'planner_request_seconds_sum{{asked="{asked}"}} {seconds:.6f}'
            yield f'planner_request_seconds_count{{asked="{asked}"}} {count}'
        yield "# HELP planner_sessions Sessions that are open."
        yield "# TYPE planner_sessions gauge"
        yield f"planner_sessions {len(desk)}"
        for name, help_, kind, of in (
            ("planner_workers", "Processes there are.", "gauge", lambda pool: len(pool.pids)),
            ("planner_workers_busy", "Processes at work.", "gauge", lambda pool: pool.busy),
            (
                "planner_workers_started_total",
                "Processes that have been started.",
                "counter",
                lambda pool: pool.started,
            ),
        ):
            yield f"# HELP {name} {help_}"
            yield f"# TYPE {name} {kind}"
            for which, pool in (("quick", desk.quick), ("search", desk.slow)):
                yield f'{name}{{pool="{which}"}} {of(pool)}'


@dataclass(frozen=True)
class Watch:
    """Counts and logs the requests of an application.

    Attributes
    ----------
    app : callable
        The application.
    counts : RequestCounts
        What is counted.
    logged : bool
        Whether requests are logged.
    """

    app: ASGIApp
    counts: RequestCounts
    logged: bool = True

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, and take down how."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        begin, status, why = time.monotonic(), 500, b""

        async def sent(message: Message) -> None:
            nonlocal status, why
            status = message.get("status", status)
            if status >= 500:  # it isn't the client who has to mend it
                why = why or message.get("body", b"")
            await send(message)

        try:
            await self.app(scope, receive, sent)
        finally:
            seconds = time.monotonic() - begin
            self.counts.requests[_asked(scope["path"]), status] += 1
            self.counts.seconds[_asked(scope["path"])] += seconds
            if self.logged:
                _log_request(scope, status, seconds, why)


def _log_request(scope: Scope, status: int, seconds: float, why: bytes) -> None:
    client = scope.get("client") or ("", 0)
    path = _SESSION.sub(r"/api/sessions/\1…", scope["path"])  # who knows all of its name may play in it
    told = {"method": scope["method"], "path": path, "status": status, "seconds": round(seconds, 4)}
    more = {"why": why.decode(errors="replace")} if why else {}
    log("request", **told, client=str(client[0]), **more)


def _asked(path: str) -> str:
    """Return what a request asks, as one of a few words, whatever clients write."""
    if not path.startswith("/api/"):
        return path.strip("/") if path in ("/health", "/metrics", "/openapi.json") else "page"
    last = path.rpartition("/")[2]
    return last if last in VERBS or last == "stop" else "sessions" if path.startswith("/api/sessions") else "unknown"
