"""`planner serve`: the verbs over HTTP, and the board as a page."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def serve(
    host: Annotated[str, typer.Option(help="The address to listen on; one that others can reach needs a token.")] = (
        "127.0.0.1"
    ),
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; 0: any that is free.")] = 8000,
    token: Annotated[
        list[str] | None,
        typer.Option(envvar="PLANNER_TOKEN", help="What a client must bear to be answered; once for each."),
    ] = None,
    allow_host: Annotated[
        list[str] | None, typer.Option(help="A name by which it may be spoken to, besides its address; once for each.")
    ] = None,
    scenarios: Annotated[
        list[Path] | None,
        typer.Option(help="A folder whose scenarios clients may name, too.", exists=True, file_okay=False),
    ] = None,
    searches: Annotated[int, typer.Option(min=1, max=256, help="Searches at once.")] = 2,
    workers: Annotated[int, typer.Option(min=1, max=64, help="Cores that one search may use.")] = 1,
    time_limit: Annotated[float, typer.Option(min=0.1, help="Seconds that one search may take.")] = 60.0,
    memory: Annotated[int, typer.Option(min=200, help="MiB that the process of one search may occupy.")] = 2048,
    sessions: Annotated[int, typer.Option(min=1, help="Sessions at once.")] = 200,
    idle: Annotated[float, typer.Option(min=1, help="Seconds after which an unused session expires.")] = 3600.0,
    largest: Annotated[int, typer.Option(min=1, max=32, help="MiB that may be said with one request.")] = 4,
) -> None:
    """Answer questions over HTTP, and show the board in a browser. See docs/server.md.

    Exit 0 when it is told to end, by Ctrl-C or SIGTERM.
    """
    from planner.serving.desk import ServingLimits
    from planner.serving.server import Settings
    from planner.serving.server import serve as run

    limits = ServingLimits(
        searches=searches,
        workers=workers,
        seconds=time_limit,
        memory=memory * 2**20,
        sessions=sessions,
        idle=idle,
        body=largest * 2**20,
    )
    run(Settings(host, port, tuple(token or ()), tuple(allow_host or ()), tuple(scenarios or ()), limits))
