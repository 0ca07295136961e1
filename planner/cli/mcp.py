"""`planner mcp`: the verbs as tools for assistants that speak the Model Context Protocol."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer


def mcp(
    scenarios: Annotated[
        list[Path] | None,
        typer.Option(
            help="A folder whose scenarios may be named, besides the shipped ones.", exists=True, file_okay=False
        ),
    ] = None,
) -> None:
    """Offer the verbs as tools of the Model Context Protocol.

    On standard input and output. See docs/mcp.md.
    """
    from planner.serving.tools import run_tools

    if sys.stdin is None:  # closed before the planner was called: nobody asks
        return
    run_tools(tuple(scenarios or ()))
