"""``planner model`` and ``planner new``: what a game has, and a first scenario of it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from planner.cli.terminal import ForceOption, JsonOption, ensure_outputs, print_json, print_text

if TYPE_CHECKING:
    from planner.rules.rulebook import Rulebook

ModelArgument = Annotated[str, typer.Argument(help="A shipped model, or the path of a model's folder.")]


def load_model(model: str) -> Rulebook:
    """Read a model that ships with the planner, or one in a folder; a bare name may be that of a folder, too."""
    from planner.rules import rulebook_file

    own = "/" not in model and (Path(model) / "rulebook.toml").is_file()
    return rulebook_file.load_rulebook(rulebook_file.model_folder(f"./{model}" if own else model))


def model(model: ModelArgument, json_: JsonOption = False) -> None:
    """Show a game: what there is in it to write a scenario with.

    Its sides, phases, types of units and markers, terrain with signs and prices, rules, and scenarios.
    """
    from planner.cli import model_text

    found = load_model(model)
    if json_:
        print_json(model_text.model_to_json(found))
    else:
        model_text.print_model(found)


def new(
    model: ModelArgument,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="The scenario file; absent: standard output.")
    ] = None,
    force: ForceOption = False,
) -> None:
    """Start a scenario of a game: a small one that works.

    What there is to choose from stands in comments.
    """
    from planner.formats.files import write_text
    from planner.scenario.first_scenario import first_scenario

    # Who writes a path means it as seen from here, a scenario as seen from where it is.
    found = load_model(model)
    shipped = "/" not in model and not (Path(model) / "rulebook.toml").is_file()
    text = first_scenario(found, model if shipped else _seen_from(Path(model), output))
    if output is None:
        print_text(text)
        return
    ensure_outputs([], [output], force)
    if output.exists() and not force:
        from planner.errors import InputError, Problem

        raise InputError([Problem("is there already; --force writes over it", str(output))])
    write_text(output, text)
    print_text(f"{output}\n")


def _seen_from(folder: Path, output: Path | None) -> str:
    """Return the path of a model's folder as a scenario file says it: with a slash in it."""
    import os

    beside = Path.cwd() if output is None else output.resolve().parent
    relative = Path(os.path.relpath(folder.resolve(), beside)).as_posix()
    return relative if relative.startswith("..") else f"./{relative}"
