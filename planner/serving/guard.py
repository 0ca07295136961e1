"""Who is answered at all: whoever bears a token, speaks to this server by its own name, and is no other site's page."""

from __future__ import annotations

import hmac
from dataclasses import dataclass
from ipaddress import ip_address
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from planner.serving.answering import failure

GUARDED = ("/api/", "/metrics")
"""Where a token is needed, if any are; whether it works, and the files of the page, are told to everybody."""


def is_loopback(host: str) -> bool:
    """Tell whether an address, or a name, is of this machine alone."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host.lower() == "localhost"


@dataclass(frozen=True)
class Guard:
    """Lets through to an application what may be answered.

    Attributes
    ----------
    app : callable
        The application.
    tokens : tuple of str
        One of them must be borne, as ``Authorization: Bearer …``; empty: none is needed.
    hosts : tuple of str
        Names by which it may be spoken to, besides those of this machine; ``*``: by any. A page of another site, whose name
        has been made to lead here, speaks by that one (DNS rebinding).
    """

    app: ASGIApp
    tokens: tuple[str, ...] = ()
    hosts: tuple[str, ...] = ()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        refused = self._refusal(scope) if scope["type"] == "http" else None
        await (self.app if refused is None else refused)(scope, receive, send)

    def _refusal(self, scope: Scope) -> Response | None:
        headers, path = Headers(scope=scope), scope["path"]
        host = headers.get("host", "")
        if not self._is_ours(host):
            return _refused(403, "forbidden", "this server doesn't answer under that name: --allow-host lets it")
        origin = headers.get("origin")
        if origin is not None and origin.lower().partition("://")[2] != host.lower():
            return _refused(403, "forbidden", "pages of other sites are not answered")
        if headers.get("sec-fetch-site") in ("cross-site", "same-site") and path.startswith(GUARDED):
            return _refused(403, "forbidden", "pages of other sites are not answered")
        if self.tokens and path.startswith(GUARDED) and not self._bears_token(headers.get("authorization", "")):
            refused = _refused(401, "unauthorized", "a token must be borne: Authorization: Bearer …")
            refused.headers["www-authenticate"] = "Bearer"
            return refused
        if scope["method"] == "POST" and headers.get("content-type", "").partition(";")[0].strip().lower() != (
            "application/json"
        ):
            return _refused(415, "input", "what is posted must be application/json")
        return None

    def _is_ours(self, host: str) -> bool:
        try:
            name = urlsplit(f"//{host}").hostname or ""
        except ValueError:
            return False
        return "*" in self.hosts or name in map(str.lower, self.hosts) or is_loopback(name)

    def _bears_token(self, authorization: str) -> bool:
        """Tell whether a token is one of ours, in a time that says nothing of how much of it is right."""
        kind, _, borne = authorization.partition(" ")
        right = [hmac.compare_digest(borne.strip().encode(), token.encode()) for token in self.tokens]
        return kind.lower() == "bearer" and any(right)


def _refused(status: int, kind: str, text: str) -> Response:
    return JSONResponse(failure(kind, text), status)
