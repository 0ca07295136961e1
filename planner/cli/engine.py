"""`planner engine`: the verbs as lines of JSON on standard input and output, for programs in any language."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from planner.cli.terminal import BAD_INPUT, READER_GONE


def engine(
    confined: Annotated[
        bool, typer.Option("--confined", help="Read no files for who asks but shipped scenarios, by their names.")
    ] = False,
    scenarios: Annotated[
        list[Path] | None,
        typer.Option(
            help="With --confined: a folder whose scenarios may be named, too, or a scenario, for it and those beside it.",
            exists=True,
        ),
    ] = None,
) -> None:
    """Answer questions of another program.

    A line of JSON each, on standard input and output. See docs/engine.md.

    Exit 0 when it is told to quit, or when its input ends; 130 when it is interrupted, once what is known has been answered.
    """
    from planner.errors import InputError, Problem
    from planner.serving.lines import LineEngine
    from planner.serving.shelf import Shelf

    if scenarios and not confined:
        raise InputError([Problem("must be given only with --confined", "--scenarios")])
    shelf = Shelf(tuple(one.resolve() for one in scenarios or ())) if confined else None
    LineEngine(READER_GONE, BAD_INPUT, shelf).run()
