"""The verbs as tools of the Model Context Protocol, so that assistants check and plan moves instead of inventing them."""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from planner.errors import InputError, Problem, ReaderGoneError
from planner.serving.answering import answer_to, failure
from planner.serving.asking import Answer, Session, Task, Verb
from planner.serving.shelf import Shelf
from planner.serving.verbs import VERBS
from planner.version import __version__

if TYPE_CHECKING:
    from mcp.server import Server

SECONDS = 30.0
"""How long a search takes at most where nobody says how long: who asks is waiting."""

INSTRUCTIONS = """\
planner judges and plans the movement phases of hex-and-counter wargames. Begin with `position`; `shipped` lists the
shipped ones. Never invent moves: `legal` lists what a unit may do, `check` judges a plan and cites the rule that forbids
it, `go` finds the best plan and says whether it is proved to be the best, `why` says what forbids something and what would
allow it. `push` makes a move, `roll` what is rolled for it, `pop` takes back, `end_phase` goes on.
Moves are written as hexes with - between them: `inf w5525-w5425`; x where units are overrun: `plv w5525-w5425xw5426`."""


def tool_schema(verb: Verb) -> dict[str, object]:
    """Return what may be said with a verb, as JSON Schema."""
    schema = verb.asks.model_json_schema()
    properties = schema.get("properties", {})
    if verb.slow and "time" in properties:
        properties["time"]["default"] = SECONDS
    return schema


def mcp_server(shelf: Shelf) -> Server:
    """Return a server whose tools are the verbs, all of one session."""
    import anyio
    import mcp_types as types
    from mcp.server import Server, ServerRequestContext

    session, turn = Session(shelf=shelf), anyio.Lock()  # the session is replaced by whatever changes it
    tools = [
        types.Tool(
            name=name,
            description=verb.text,
            input_schema=tool_schema(verb),
            annotations=types.ToolAnnotations(read_only_hint=not verb.changes, open_world_hint=False),
        )
        for name, verb in VERBS.items()
    ]

    async def list_tools(
        _context: ServerRequestContext, _asked: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        return types.ListToolsResult(tools=tools)

    async def call_tool(_context: ServerRequestContext, asked: types.CallToolRequestParams) -> types.CallToolResult:
        nonlocal session
        verb, said = VERBS.get(asked.name), dict(asked.arguments or {})
        if verb is None:
            return result(failure("unknown", f"a tool must be one of {', '.join(VERBS)}"))
        if verb.slow and "time" in verb.asks.model_fields:
            said.setdefault("time", SECONDS)
        async with turn:  # one after another, but for searches, which are of the position as it now is
            now = session.now()  # a thread whose call has been cancelled goes on, on a position that is nobody's
            if not verb.slow:
                found = await worked(verb, now, said)
                session = now
                return result(found)
        return result(await worked(verb, now, said))

    async def worked(verb: Verb, of: Session, said: Answer) -> Answer:
        stop = threading.Event()
        work: Callable[[], Answer] = lambda: answer_to(verb, of, said, Task(stop, lambda _told: None))  # noqa: E731
        try:
            return await anyio.to_thread.run_sync(work, abandon_on_cancel=True)
        finally:  # cancelled: it is to end soon, and nobody waits for it
            stop.set()

    def result(found: Answer) -> types.CallToolResult:
        told = found.get("answer", found.get("error"))
        text = types.TextContent(type="text", text=json.dumps(told))
        return types.CallToolResult(content=[text], structured_content=told, is_error="error" in found)

    return Server(
        "planner", version=__version__, instructions=INSTRUCTIONS, on_list_tools=list_tools, on_call_tool=call_tool
    )


def _first_of(group: BaseExceptionGroup[BaseException]) -> BaseException:
    """Return the first of several errors of tasks, which are told as one where they are run beside each other."""
    error: BaseException = group
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return ReaderGoneError() if isinstance(error, BrokenPipeError) else error


def run_tools(folders: tuple[Path, ...]) -> None:
    """Serve on standard input and output, until the input ends.

    Raises
    ------
    InputError
        If the extra isn't installed.
    ReaderGoneError, OSError
        If the answers can't be written: as nobody reads them any more, or for another reason.
    """
    try:
        import anyio
        from mcp.server.stdio import stdio_server
    except ImportError as error:
        raise InputError([Problem("needs another package: pip install '.[mcp]' in a clone", "mcp")]) from error
    logging.getLogger("mcp").setLevel(logging.ERROR)
    server = mcp_server(Shelf(folders))

    async def run() -> None:
        async with stdio_server() as (reading, writing):
            await server.run(reading, writing, server.create_initialization_options())

    try:
        anyio.run(run)
    except BaseExceptionGroup as group:
        raise _first_of(group) from None
