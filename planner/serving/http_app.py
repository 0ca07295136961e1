"""The verbs over HTTP: a session a client, one path for each verb, server-sent events for what takes its time."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import Receive, Scope, Send

import planner
from planner.board import STATIC
from planner.draw.page import HERE as PAGE
from planner.errors import InputError, Problem
from planner.formats.files import parse_json
from planner.formats.spelling import did_you_mean
from planner.serving.answering import failure, refusal
from planner.serving.asking import Answer
from planner.serving.desk import Desk
from planner.serving.lines import OTHERS
from planner.serving.openapi import openapi
from planner.serving.verbs import VERBS, unknown_keys
from planner.serving.workers import Told

Work = Callable[[asyncio.Event, Told], Awaitable[Answer]]

STATUS = {
    "input": 400,
    "refused": 409,
    "roll_due": 409,
    "illegal": 422,
    "busy": 429,
    "overloaded": 503,
    "stopped": 503,
    "died": 503,
    "unknown": 404,
    "too_large": 413,
    "too_slow": 408,
    "fault": 500,
}
"""The status of an answer by its kind of error."""

PATIENCE = 20.0
"""Seconds in which a request must be there, and an answer taken."""

POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'"
"""What the board may load and do: what comes from this server alone."""


def application(desk: Desk, opened: Answer | None = None, metrics: Callable[[], str] = str) -> Starlette:
    """Return the application: what answers on each path. The processes of the desk end with it.

    Parameters
    ----------
    desk : Desk
        Who answers.
    opened : dict, optional
        With what the board begins, as it is said with `position`; absent: with what its player chooses.
    metrics : callable, optional
        Returns what is told under `/metrics`.
    """

    async def begin(request: Request) -> Response:
        said = await _said(request, desk.limits.body)
        return await _reply(request, lambda stop, tell: desk.begin(said, stop, tell), created=True)

    async def ask(request: Request) -> Response:
        name, verb = request.path_params["session"], request.path_params["verb"]
        if name not in desk:
            return _failed("unknown", "there is no such session, or it has expired")
        if verb not in VERBS and verb != "stop":
            return _no_verb(verb)
        said = await _said(request, desk.limits.body)
        if verb == "stop":
            if unknown := unknown_keys(OTHERS["stop"], said):
                raise InputError(unknown)
            desk.stop(name)
            return JSONResponse({})
        return await _reply(request, lambda stop, tell: desk.ask(name, verb, said, stop, tell))

    async def once(request: Request) -> Response:
        verb = request.path_params["verb"]
        if verb not in VERBS:
            return _no_verb(verb)
        said = await _said(request, desk.limits.body)
        return await _reply(request, lambda stop, tell: desk.once(verb, said, stop, tell))

    async def end(request: Request) -> Response:
        name = request.path_params["session"]
        if name not in desk:
            return _failed("unknown", "there is no such session, or it has expired")
        desk.end(name)
        return Response(status_code=204)

    async def health(_request: Request) -> Response:
        return JSONResponse({"status": "ok", "version": planner.__version__})

    async def counted(_request: Request) -> Response:
        return PlainTextResponse(metrics(), media_type="text/plain; version=0.0.4")

    async def described(_request: Request) -> Response:
        return JSONResponse(openapi())

    async def first(_request: Request) -> Response:
        return JSONResponse(opened or {})

    routes = [
        Route("/health", health),
        Route("/metrics", counted),
        Route("/openapi.json", described),
        Route("/api/sessions", begin, methods=["POST"]),
        Route("/api/sessions/{session}", end, methods=["DELETE"]),
        Route("/api/sessions/{session}/{verb}", ask, methods=["POST"]),
        Route("/api/opened", first),
        Route("/api/{verb}", once, methods=["POST"]),
        Mount("/api", _otherwise),
        Route("/verbs", _list_of_verbs),
        Mount("/page", StaticFiles(directory=PAGE)),
        Mount("/", _Files(directory=STATIC, html=True)),
    ]

    @asynccontextmanager
    async def living(_app: Starlette) -> AsyncIterator[None]:
        warming = asyncio.ensure_future(desk.quick.warm())
        try:
            yield
        finally:
            warming.cancel()
            await asyncio.gather(warming, return_exceptions=True)
            await desk.close()

    handlers = {_RefusedError: _refused, InputError: _unread, HTTPException: _no_page}
    return Starlette(routes=routes, exception_handlers=handlers, lifespan=living)


class _RefusedError(Exception):
    """What is posted isn't taken."""

    def __init__(self, kind: str, text: str) -> None:
        self.kind = kind
        super().__init__(text)


class _Files(StaticFiles):
    """The files of the board, of which the browser asks each time whether they are still the same."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        """Return a file, with what the page may load and do."""
        found = await super().get_response(path, scope)
        found.headers["content-security-policy"] = POLICY
        found.headers["cache-control"] = "no-cache"
        found.headers["x-content-type-options"] = "nosniff"
        return found


async def _refused(_request: Request, error: Exception) -> Response:
    assert isinstance(error, _RefusedError)
    refused = _failed(error.kind, str(error))
    refused.headers["connection"] = "close"  # what it still has to say is not listened to
    return refused


async def _unread(_request: Request, error: Exception) -> Response:
    assert isinstance(error, InputError)
    return _told(refusal(error))


async def _no_page(_request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    # Before Starlette 1.9 it is the files that refuse another method, and don't say which they have.
    read_only = {"allow": "GET, HEAD"} if error.status_code == 405 else None
    return JSONResponse(failure("unknown", error.detail), error.status_code, error.headers or read_only)


async def _otherwise(scope: Scope, receive: Receive, send: Send) -> None:
    """Say that what is asked by another method must be posted; or that there is no such path."""
    within, verb = scope["path"].removeprefix("/api/").split("/"), scope["path"].rpartition("/")[2]
    methods = {
        1: "POST" if verb in VERBS or verb == "sessions" else "GET" if verb == "opened" else "",
        2: "DELETE" if within[0] == "sessions" else "",
        3: "POST" if within[0] == "sessions" and (verb in VERBS or verb == "stop") else "",
    }
    allowed = methods.get(len(within), "")
    if allowed and allowed != scope["method"]:
        reply: Response = JSONResponse(
            failure("unknown", f"the method must be {allowed} here, not {scope['method']}"), 405, {"allow": allowed}
        )
    else:
        reply = _failed("unknown", "there is no such page")
    await reply(scope, receive, send)


async def _list_of_verbs(_request: Request) -> Response:
    rows = "".join(f"<tr><td><code>{name}</code></td><td>{verb.text}</td></tr>\n" for name, verb in VERBS.items())
    return HTMLResponse(
        '<!doctype html><html lang="en"><meta charset="utf-8"><title>planner</title>\n'
        "<h1>planner</h1>\n<p>Questions are posted as JSON: <code>/api/sessions</code> opens a session, "
        "<code>/api/sessions/ID/VERB</code> asks in it. <a href=/openapi.json>OpenAPI</a></p>\n"
        f"<table>\n{rows}</table></html>\n"
    )


async def _said(request: Request, most: int) -> Answer:
    """Return what a request says: an object of JSON; nothing is an empty one."""
    if request.query_params:
        raise InputError(
            [
                Problem(f"unknown key {key[:80]!r}: what is said with a verb is posted as JSON", "request: query")
                for key in request.query_params
            ]
        )
    body = bytearray()
    try:
        async with asyncio.timeout(PATIENCE):
            async for part in request.stream():
                body += part
                if len(body) > most:
                    raise _RefusedError("too_large", f"what is said with one request must have at most {most} bytes")
        said = parse_json(body.decode("utf-8"), "request") if body.strip() else {}
    except TimeoutError as error:
        raise _RefusedError("too_slow", f"a request must be there within {PATIENCE:g} seconds") from error
    except ClientDisconnect as error:
        raise _RefusedError("too_slow", "the client has gone") from error
    except InputError as error:
        raise _RefusedError("input", str(error)) from error
    except UnicodeDecodeError as error:
        raise _RefusedError("input", "a request must be UTF-8 text") from error
    if not isinstance(said, dict):
        raise _RefusedError("input", "a request must be an object")
    return said


def _failed(kind: str, text: str) -> Response:
    return _told(failure(kind, text))


def _told(found: Answer) -> Response:
    """Return an answer, or an error, with its status."""
    error = found.get("error")
    if not isinstance(error, dict):
        return JSONResponse(found["answer"])
    status = STATUS[error["kind"]]
    return JSONResponse(found, status, {"retry-after": "1"} if error["kind"] in ("busy", "overloaded") else None)


def _no_verb(name: str) -> Response:
    near = did_you_mean(name, VERBS)
    return _failed("unknown", f"a verb must be one of {', '.join(sorted(VERBS))}, not {name[:80]!r}{near}")


async def _reply(request: Request, work: Work, created: bool = False) -> Response:
    """Answer a request: at once when there is an answer, or event by event if that is what it accepts."""
    if "text/event-stream" in request.headers.get("accept", ""):
        return _Events(work)
    stop = asyncio.Event()
    working = asyncio.ensure_future(work(stop, lambda told: None))
    found = await _unless_gone(working, request.receive, stop)
    reply = _told(found)
    if created and reply.status_code == 200:
        reply.status_code = 201
    return reply


async def _unless_gone(working: asyncio.Future[Answer], receive: Receive, stop: asyncio.Event) -> Answer:
    """Wait for an answer; who is no longer there to hear it has it stopped."""

    async def gone() -> None:
        while (await receive())["type"] != "http.disconnect":
            pass

    leaving = asyncio.ensure_future(gone())
    try:
        await asyncio.wait((working, leaving), return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            stop.set()
        return await working
    finally:
        stop.set()
        leaving.cancel()


MOST_UNHEARD = 100
"""Events that are kept for who doesn't listen."""


class _Events(Response):
    """Server-sent events: any number of `info`, then one `answer` or `error`."""

    def __init__(self, work: Work) -> None:
        self._ask = work
        super().__init__(media_type="text/event-stream", headers={"cache-control": "no-store"})

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Work, and send what is found meanwhile."""
        told: asyncio.Queue[tuple[str, object]] = asyncio.Queue()
        stop = asyncio.Event()
        headers = [(name, value) for name, value in self.raw_headers if name != b"content-length"]
        await send({"type": "http.response.start", "status": 200, "headers": headers})

        async def work() -> Answer:
            found = await self._ask(
                stop, lambda one: told.put_nowait(("info", one)) if told.qsize() < MOST_UNHEARD else None
            )
            told.put_nowait(next(iter(found.items())))
            return found

        async def pass_on() -> None:
            kind = "info"
            while kind == "info":
                kind, content = await told.get()
                text = f"event: {kind}\ndata: {json.dumps(content)}\n\n"
                await send({"type": "http.response.body", "body": text.encode(), "more_body": kind == "info"})

        working = asyncio.ensure_future(work())
        passing = asyncio.ensure_future(pass_on())
        try:
            await _unless_gone(working, receive, stop)
            async with asyncio.timeout(PATIENCE):  # who doesn't listen is left alone
                await passing
        except TimeoutError:
            pass
        finally:
            passing.cancel()
