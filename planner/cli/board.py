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

    opened, folders = opened_with(scenario)
    run(Settings(port=port, folders=folders), opened, ready)


def opened_with(scenario: str | None) -> tuple[dict[str, object], tuple[Path, ...]]:
    """Return with what the board begins: the name of a shipped scenario, or the text of a file, and what it may read.

    Of a file, it and what lies beside it may be read, and its game.

    Raises
    ------
    InputError
        If there is no such scenario, or it can't be read.
    """
    from planner.formats.files import data_folder, ensure_no_pipes, read_text
    from planner.scenario import ensure_there, find_scenario, load_scenario
    from planner.serving.shelf import Shelf

    if scenario is None:
        return {}, ()
    path = find_scenario(scenario)
    ensure_there(path)
    ensure_no_pipes([path])
    load_scenario(path)  # what is wrong with it is told here, all at once
    path, shipped = path.resolve(), data_folder("scenarios").resolve()
    if path.is_relative_to(shipped):
        return {"scenario": path.relative_to(shipped).with_suffix("").as_posix()}, ()
    (folder,) = Shelf((path,)).folders
    beside = path.parent.relative_to(folder).as_posix()
    return {"text": read_text(path), "name": Path(scenario).name, "beside": beside}, (path,)
