"""`planner board`: the board in a browser."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def board(
    scenario: Annotated[
        str | None, typer.Argument(help="A scenario file, or the name of one that ships with the planner.")
    ] = None,
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; 0: any that is free.")] = 0,
    browser: Annotated[bool, typer.Option("--open/--no-open", help="Whether to open the browser.")] = True,
) -> None:
    """Set up positions, ask, and play, on a board in the browser. See docs/board.md."""
    import webbrowser

    from planner.cli.terminal import print_text
    from planner.serving.server import Settings
    from planner.serving.server import serve as run

    def ready(address: str) -> None:
        print_text(f"{address}\n")
        if browser:
            webbrowser.open(address)

    run(Settings(port=port), opened_with(scenario), ready)


def opened_with(scenario: str | None) -> dict[str, object]:
    """Return with what the board begins: the name of a shipped scenario, or the text of a file.

    Raises
    ------
    InputError
        If there is no such scenario, or it can't be read.
    """
    from planner.formats.files import data_folder, read_text
    from planner.scenario import ensure_there, find_scenario, load_scenario

    if scenario is None:
        return {}
    path = find_scenario(scenario)
    ensure_there(path)
    load_scenario(path)  # what is wrong with it is told here, all at once
    shipped = data_folder("scenarios")
    if path.resolve().is_relative_to(shipped.resolve()):
        return {"scenario": path.resolve().relative_to(shipped.resolve()).with_suffix("").as_posix()}
    return {"text": read_text(path), "name": Path(scenario).name}
