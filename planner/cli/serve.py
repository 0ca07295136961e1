"""`planner serve`: the verbs over HTTP, and the board as a page."""

from __future__ import annotations

from typing import Annotated

import typer


def serve(
    host: Annotated[str, typer.Option(help="The address to listen on; others than 127.0.0.1 need a token.")] = (
        "127.0.0.1"
    ),
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port.")] = 8000,
    token: Annotated[
        list[str] | None, typer.Option(help="What a client must bear to be answered; once for each.")
    ] = None,
    allow_host: Annotated[
        list[str] | None, typer.Option(help="A name by which it may be spoken to, besides its address; once for each.")
    ] = None,
) -> None:
    """Answer questions over HTTP, and show the board in a browser. See docs/server.md."""
    from planner.serving.server import Settings
    from planner.serving.server import serve as run

    run(Settings(host, port, tuple(token or ()), tuple(allow_host or ())))
