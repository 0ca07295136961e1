"""An assistant's client finds a tool for each verb, plays with them, and gets errors that it can mend."""

from __future__ import annotations

import asyncio
import json
import sys
import threading
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import anyio
import pytest

from planner.serving.shelf import Shelf
from planner.serving.tools import mcp_server
from planner.serving.verbs import VERBS

if TYPE_CHECKING:
    from mcp import Client


def with_client(ask: Callable[[Client], Awaitable[None]], server: Any = None) -> None:
    """Ask a server in this process, or the one that is given."""
    from mcp import Client  # takes longer than all else that every process imports to collect the tests

    async def run() -> None:
        async with Client(server or mcp_server(Shelf())) as client:
            await ask(client)

    asyncio.run(run())


async def told(client: Client, verb: str, **said: Any) -> Any:
    """Call a tool, and return its answer, which is the same as text and as data."""
    found = await client.call_tool(verb, said)
    assert json.loads(found.content[0].text) == found.structured_content
    assert not found.is_error, found.structured_content
    return found.structured_content


async def refused(client: Client, verb: str, **said: Any) -> Any:
    """Call a tool, and return its error."""
    found = await client.call_tool(verb, said)
    assert found.is_error
    return found.structured_content


@pytest.mark.thorough
def test_a_client_of_the_sdk_plans_and_plays_over_standard_input_and_output() -> None:
    async def ask(client: Client) -> None:
        listed = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert listed.keys() == VERBS.keys()
        assert listed["push"].input_schema["required"] == ["move"]
        assert listed["check"].description == "Judge a plan for what is left of the phase."
        assert "dai_senso/manchuria" in json.dumps(await told(client, "shipped"))
        await told(client, "position", scenario="dai_senso/manchuria")
        wrong = await refused(client, "push", move="plv w5525-w5425xw5426")
        assert (wrong["kind"], wrong["violations"][0]["rule"]) == ("illegal", "3.1")
        best = await told(client, "go")
        assert best["status"] == "optimal"
        for move in best["moves"]:
            made = await told(client, "push", move=move)
        assert made["at"]["plv"] == "w5426"

    from mcp import StdioServerParameters

    with_client(ask, StdioServerParameters(command=sys.executable, args=["-m", "planner", "mcp"]))


def test_errors_are_answers_with_their_problems() -> None:
    async def ask(client: Client) -> None:
        assert (await refused(client, "state"))["kind"] == "refused"
        assert (await refused(client, "position", scenario="/etc/passwd"))["problems"]
        assert (await refused(client, "position", scenario={"model": "/etc"}))["problems"]
        assert (await refused(client, "nothing"))["kind"] == "unknown"
        await told(client, "position", scenario="dai_senso/manchuria")
        assert (await refused(client, "push"))["kind"] == "input"
        assert (await refused(client, "legal", unit="plv"))["text"] == (
            "unknown key 'unit'; did you mean 'units'? @ request: unit"
        )

    with_client(ask)


@pytest.mark.parametrize(
    ("verb", "said"), [("perft", {"depth": 6}), pytest.param("legal", {}, marks=pytest.mark.thorough)]
)
def test_a_call_that_is_cancelled_is_stopped(verb: str, said: dict[str, Any]) -> None:
    """Either would take a minute at least; the process could not end before its threads have."""

    async def ask(client: Client) -> None:
        await told(client, "position", scenario="ocs/breakthrough")
        with anyio.move_on_after(0.5) as scope:
            await client.call_tool(verb, said)
        assert scope.cancelled_caught
        assert (await told(client, "state"))["made"] == []

    begin = time.process_time()
    with_client(ask)
    assert time.process_time() - begin < 25


def test_a_push_that_is_cancelled_makes_no_move_later(monkeypatch: pytest.MonkeyPatch) -> None:
    """A thread can't be ended: what it does after its call has been cancelled must be of nobody's position."""
    push, done, go_on = VERBS["push"], threading.Event(), threading.Event()

    def late(*said: Any) -> Any:
        go_on.wait(60)
        try:
            return push.answer(*said)
        finally:
            done.set()

    async def ask(client: Client) -> None:
        await told(client, "position", scenario="dai_senso/manchuria")
        monkeypatch.setitem(VERBS, "push", replace(push, answer=late))
        with anyio.move_on_after(0.5) as scope:
            await client.call_tool("push", {"move": "inf w5525-w5424"})
        assert scope.cancelled_caught
        go_on.set()
        assert await anyio.to_thread.run_sync(done.wait, 60)
        assert (await told(client, "state"))["made"] == []
        assert (await told(client, "push", move="inf w5525-w5424"))["made"] == ["inf w5525-w5424"]

    with_client(ask)


def test_what_a_position_may_be_is_told_to_who_may_read_no_files() -> None:
    """Assistants and clients over HTTP read the schema, and are refused every path."""

    async def ask(client: Client) -> None:
        listed = {tool.name: tool for tool in (await client.list_tools()).tools}
        described = listed["position"].input_schema["properties"]["scenario"]["description"]
        assert described.startswith("The name of one that `shipped` lists, or what a file would hold; ")

    with_client(ask)
