"""Over HTTP, sessions are opened, asked in and closed; answers are those of the engine, errors have fitting codes."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import httpx
import pytest

from planner.serving.desk import Desk, ServingLimits
from planner.serving.guard import Guard
from planner.serving.http_app import application
from planner.serving.verbs import VERBS

HOME = "http://127.0.0.1"


Ask = Callable[[httpx.AsyncClient], Awaitable[None]]


def with_client(ask: Ask, **guarded: tuple[str, ...]) -> None:
    """Ask an application without a socket."""

    async def run() -> None:
        desk = Desk()
        app = Guard(application(desk), **guarded)
        try:
            async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url=HOME, timeout=60) as client:
                await ask(client)
        finally:
            await desk.close()

    asyncio.run(run())


@pytest.fixture(scope="module")
def shared() -> Iterator[Callable[[Ask], None]]:
    """Ask one application that all tests share, whose processes have begun."""
    with asyncio.Runner() as runner:
        desk = Desk()
        client = httpx.AsyncClient(transport=httpx.ASGITransport(Guard(application(desk))), base_url=HOME, timeout=60)
        yield lambda ask: runner.run(ask(client))
        runner.run(client.aclose())
        runner.run(desk.close())


@pytest.mark.thorough
def test_a_session_is_opened_played_in_and_closed() -> None:
    async def ask(client: httpx.AsyncClient) -> None:
        opened = await client.post("/api/sessions", json={"scenario": "dai_senso/manchuria"})
        assert opened.status_code == 201
        session = f"/api/sessions/{opened.json()['session']}"
        assert opened.json()["answer"]["at"]["plv"] == "w5525"
        illegal = await client.post(f"{session}/push", json={"move": "plv w5525-w5425xw5426"})
        assert (illegal.status_code, illegal.json()["error"]["violations"][0]["rule"]) == (422, "3.1")
        best = (await client.post(f"{session}/go", json={})).json()
        assert best["status"] == "optimal"
        for move in best["moves"]:
            made = await client.post(f"{session}/push", json={"move": move})
        assert made.json()["at"]["plv"] == "w5426"
        assert (await client.delete(session)).status_code == 204
        assert (await client.post(f"{session}/state", json={})).status_code == 404

    with_client(ask)


def test_a_process_begins_before_anybody_asks() -> None:
    async def run() -> None:
        desk = Desk()
        await desk.quick.warm()
        assert (desk.quick.started, desk.quick.busy, len(desk.quick.pids)) == (1, 0, 1)
        found = await desk.once("hello", {}, asyncio.Event(), lambda told: None)
        assert "answer" in found
        assert desk.quick.started == 1
        await desk.close()

    asyncio.run(run())


def test_what_takes_its_time_tells_events_when_they_are_accepted(shared: Callable[[Ask], None]) -> None:
    async def ask(client: httpx.AsyncClient) -> None:
        said = {"position": {"scenario": "dai_senso/manchuria"}, "time": 20}
        told = await client.post("/api/go", json=said, headers={"accept": "text/event-stream"})
        events = [dict(line.split(": ", 1) for line in one.splitlines()) for one in told.text.strip().split("\n\n")]
        assert {one["event"] for one in events[:-1]} == {"info"}
        assert events[-1]["event"] == "answer"
        assert json.loads(events[-1]["data"])["status"] == "optimal"

    shared(ask)


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("/api/sessions", {}, 400),
        ("/api/sessions", {"scenario": "/etc/passwd"}, 400),
        ("/api/sessions", {"scenario": {"model": "../models/ocs"}}, 400),
        ("/api/sessions/none/state", {}, 404),
        ("/api/puhs", {}, 404),
        ("/api/state", {}, 409),
        ("/api/state", {"position": 3}, 400),
        ("/api/go", {"position": {"scenario": "ocs/two_overruns"}, "workers": "64"}, 400),
        ("/api/go", {"position": {"scenario": "ocs/two_overruns"}, "workers": 64.0}, 400),
        ("/api/go", {"position": {"scenario": "ocs/two_overruns"}, "workers": True}, 400),
        ("/api/go", {"position": {"scenario": "ocs/two_overruns"}, "time": True}, 400),
        ("/api/go", {"position": {"scenario": "ocs/two_overruns"}, "time": "1"}, 400),
        ("/api/go", {"position": {"scenario": "ocs/two_overruns"}, "adaptive": 1}, 400),
        ("/api/perft", {"position": {"scenario": "ocs/two_overruns"}, "depth": 1.0}, 400),
        ("/api/roll", {"position": {"scenario": "ocs/two_overruns"}, "seed": "1"}, 400),
        ("/api/roll", {"position": {"scenario": "ocs/two_overruns"}, "seed": True}, 400),
        ("/api/roll", {"position": {"scenario": "ocs/two_overruns"}}, 409),
        ("/api/legal", {"position": {"scenario": "ocs/two_overruns"}, "units": "nobody"}, 400),
    ],
)
def test_errors_have_fitting_codes(path: str, body: Any, status: int, shared: Callable[[Ask], None]) -> None:
    async def ask(client: httpx.AsyncClient) -> None:
        told = await client.post(path, json=body)
        assert told.status_code == status
        assert told.json()["error"]["text"]

    shared(ask)


def test_without_a_session_it_is_said_where_the_position_is_to_be_said(shared: Callable[[Ask], None]) -> None:
    """What has been sent first is forgotten there: "send one first" led nowhere."""

    async def ask(client: httpx.AsyncClient) -> None:
        assert (await client.post("/api/position", json={"scenario": "ocs/two_overruns"})).status_code == 200
        error = (await client.post("/api/check", json={"moves": []})).json()["error"]
        assert error == {"kind": "refused", "text": "there is no position: say it with the question, under position"}

    shared(ask)


@pytest.mark.parametrize(
    ("path", "body", "told"),
    [
        ("/api/legal", {"unit": "armor"}, "unknown key 'unit'; did you mean 'units'? @ request: unit"),
        ("/api/state", {"do": "pop"}, "unknown key 'do' @ request: do"),
        ("/api/state", {"positon": {}}, "unknown key 'positon'; did you mean 'position'? @ request: positon"),
        ("/api/state", {"position": {"scene": "x"}}, "unknown key 'scene' @ request: position.scene"),
        ("/api/sessions", {"id": 3, "scenario": "ocs/two_overruns"}, "unknown key 'id' @ request: id"),
        ("/api/sessions/{}/go", {"session": "b"}, "unknown key 'session' @ request: session"),
        ("/api/sessions/{}/stop", {"now": True}, "unknown key 'now' @ request: now"),
        ("/api/sessions/{}/go?time=5", {}, "unknown key 'time': what is said with a verb is posted as JSON @ request"),
    ],
)
def test_a_key_that_nobody_knows_is_an_error_that_names_the_nearest(
    path: str, body: Any, told: str, shared: Callable[[Ask], None]
) -> None:
    async def ask(client: httpx.AsyncClient) -> None:
        session = (await client.post("/api/sessions", json={"scenario": "ocs/two_overruns"})).json()["session"]
        reply = await client.post(path.format(session), json=body)
        assert reply.status_code == 400
        error = reply.json()["error"]
        assert error["kind"] == "input"
        assert told in error["text"]
        assert [one for one in error["problems"] if one["what"] in told and one["where"].startswith("request: ")]
        await client.delete(f"/api/sessions/{session}")

    shared(ask)


@pytest.mark.parametrize(
    ("method", "path", "status", "allowed"),
    [
        ("GET", "/api/go", 405, "POST"),
        ("PUT", "/api/sessions", 405, "POST"),
        ("GET", "/api/sessions/none/legal", 405, "POST"),
        ("POST", "/api/sessions/none", 405, "DELETE"),
        ("POST", "/api/opened", 404, None),
        ("GET", "/api/puhs", 404, None),
        ("GET", "/api/sessions/none/puhs", 404, None),
        ("GET", "/api/a/b/c/d", 404, None),
        ("POST", "/api/sessions//go", 404, None),
        ("POST", "/health", 405, "GET, HEAD"),
    ],
)
def test_another_method_than_a_path_has_is_told_as_that(
    method: str, path: str, status: int, allowed: str | None, shared: Callable[[Ask], None]
) -> None:
    async def ask(client: httpx.AsyncClient) -> None:
        told = await client.request(method, path, json={})
        assert (told.status_code, told.headers.get("allow")) == (status, allowed)
        assert told.json()["error"]["text"]

    shared(ask)


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"host": "evil.example"}, 403),
        ({"origin": "http://evil.example"}, 403),
        ({"origin": "null"}, 403),
        ({"origin": "http://["}, 403),
        ({"sec-fetch-site": "cross-site"}, 403),
        ({"content-type": "text/plain", "authorization": "Bearer right"}, 415),
        ({}, 401),
        ({"authorization": "Bearer wrong"}, 401),
        ({"authorization": "Bearer über"}, 401),
        ({"authorization": "Basic right"}, 401),
        ({"authorization": "Bearer right", "origin": HOME}, 200),
    ],
)
def test_pages_of_other_sites_and_who_bears_no_token_are_refused(headers: dict[str, str], status: int) -> None:
    async def ask(client: httpx.AsyncClient) -> None:
        sent = {"content-type": "application/json", **headers}
        encoded = {name: value.encode() for name, value in sent.items()}
        told = await client.post("/api/hello", content=b"{}", headers=encoded)
        assert told.status_code == status
        assert (await client.get("/health")).json()["status"] == "ok"

    with_client(ask, tokens=("other", "right"))


def test_the_number_of_a_request_is_the_servers_own_and_no_client_ends_a_process(
    shared: Callable[[Ask], None],
) -> None:
    async def ask(client: httpx.AsyncClient) -> None:
        position = {"scenario": "ocs/two_overruns", "id": 77, "do": "quit", "session": "other"}
        reply = await client.post("/api/state", json={"position": position, "id": 78})
        assert {one["where"] for one in reply.json()["error"]["problems"]} == {
            f"request: position.{key}" for key in ("id", "do", "session")
        }
        del position["id"], position["do"], position["session"]
        assert (await client.post("/api/state", json={"position": position})).status_code == 200

    shared(ask)


def test_a_name_of_the_server_may_be_written_in_capitals() -> None:
    async def ask(client: httpx.AsyncClient) -> None:
        assert (await client.get("/health", headers={"host": "Planner.Example"})).status_code == 200

    with_client(ask, hosts=("PLANNER.example",))


def test_the_description_names_every_verb(shared: Callable[[Ask], None]) -> None:
    async def ask(client: httpx.AsyncClient) -> None:
        described = (await client.get("/openapi.json")).json()
        assert {f"/api/{name}" for name in VERBS} <= set(described["paths"])
        assert {"/api/sessions/{session}/stop", "/health", "/metrics"} <= set(
            described["paths"]
        )  # as the document says
        for reference in json.dumps(described).split('"#/components/schemas/')[1:]:
            assert reference.split('"')[0] in described["components"]["schemas"]

    shared(ask)


@pytest.mark.thorough
def test_sessions_expire_when_nothing_is_asked_in_them(monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> None:
        desk, now = Desk(ServingLimits(idle=100)), [1_000.0]
        monkeypatch.setattr("planner.serving.desk.time.monotonic", lambda: now[0])
        try:
            begun = await desk.begin({"scenario": "dai_senso/manchuria"}, asyncio.Event(), lambda _told: None)
            name = begun["answer"]["session"]
            now[0] = 1_090
            await desk.ask(name, "state", {}, asyncio.Event(), lambda _told: None)
            now[0] = 1_180
            assert name in desk
            now[0] = 1_191
            assert name not in desk
        finally:
            await desk.close()

    asyncio.run(run())
