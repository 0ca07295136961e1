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
    """Return with what the board begins: the name of a shipped scenario, or the text of a file; and whose games it knows.

    The folder of a scenario whose game is one of one's own may be read, and what lies within it.

    Raises
    ------
    InputError
        If there is no such scenario, or it can't be read.
    """
    import os

    from planner.formats.files import data_folder, read_text
    from planner.rules.rulebook_file import shipped_models
    from planner.scenario import ensure_there, find_scenario, load_scenario

    if scenario is None:
        return {}, ()
    path = find_scenario(scenario)
    ensure_there(path)
    model = load_scenario(path).data["model"]  # what is wrong with it is told here, all at once
    shipped = data_folder("scenarios")
    if path.resolve().is_relative_to(shipped.resolve()):
        return {"scenario": path.resolve().relative_to(shipped.resolve()).with_suffix("").as_posix()}, ()
    begin: dict[str, object] = {"text": read_text(path), "name": Path(scenario).name}
    if model in shipped_models():
        return begin, ()
    # What holds both the scenario and its game: the scenario may lie in a folder beside it.
    folder = Path(os.path.commonpath([path.resolve().parent, (path.parent / model).resolve().parent]))
    if Path.home().is_relative_to(folder):
        return begin, ()  # far from each other: not everything may be read
    return {**begin, "beside": path.resolve().parent.relative_to(folder).as_posix()}, (folder,)
