"""``planner import``: a scenario from a board of VASSAL or Tiled, or from tables."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from planner.cli.terminal import ForceOption

FilesArgument = Annotated[
    list[Path],
    typer.Argument(
        metavar="FILES...",
        help="MODULE.vmod, SAVE.vsav, a Tiled map (.tmj, .tmx), tables (.csv) of units and of terrain.",
    ),
]


def import_(
    files: FilesArgument,
    mapping: Annotated[
        Path | None, typer.Option("--mapping", metavar="MAP.toml", help="What of it is which unit and which terrain.")
    ] = None,
    output: Annotated[Path | None, typer.Option("-o", "--output", help="The scenario file to write.")] = None,
    draft: Annotated[
        Path | None,
        typer.Option(
            "--draft",
            metavar="MAP.toml",
            help="Write a first mapping instead, to be filled in; of --mapping, if there is one, it takes the board.",
        ),
    ] = None,
    model: Annotated[
        str | None,
        typer.Option("--model", metavar="GAME", help="The game, for --draft; otherwise the mapping says it."),
    ] = None,
    force: ForceOption = False,
) -> None:
    """Make a scenario of a board from elsewhere.

    What couldn't be mapped is told, and stays in the file as a remark.
    """
    from planner.errors import InputError, Problem
    from planner.exchange.mapping import read_mapping
    from planner.exchange.sources import read_sources
    from planner.formats.files import ensure_writable, write_text
    from planner.rules.rulebook_file import is_of_a_model

    if (draft is None) == (output is None) or (draft is None and mapping is None):
        raise InputError([Problem("must have --draft, or both --mapping and --output", "command line")])
    if model is not None and (draft is None or mapping is not None):
        raise InputError([Problem("is for --draft: the mapping says the game", "--model")])
    read = [*files, *([mapping] if mapping is not None else [])]
    written = draft or output
    assert written is not None
    ensure_writable(written, inputs=() if force else [*read, *([written] if is_of_a_model(written) else [])])
    if draft is not None:
        from planner.cli.model import load_model
        from planner.exchange.draft import board_lines
        from planner.exchange.draft import draft as draft_of

        known, board = None, list[str]()
        rulebook = None if model is None else load_model(model)
        if mapping is not None:
            known, rulebook = read_mapping(mapping)
            model, board = known.model, board_lines(mapping)
        if draft.exists() and not force:
            raise InputError([Problem("is there already; --force writes over it", str(draft))])
        found = read_sources(files, known, rulebook)
        write_text(draft, draft_of(found, model or "", rulebook, [path.name for path in files], board))
        _tell(found.remarks)
    else:
        from planner.exchange.importing import Importer

        assert mapping is not None
        read_map, rulebook = read_mapping(mapping)
        if read_map.template and not force:
            ensure_writable(written, inputs=[mapping.parent / read_map.template])
        importer = Importer(read_sources(files, read_map, rulebook), read_map, rulebook, mapping)
        write_text(written, importer.text(written))
        _tell(importer.result().told)
    from planner.cli.text_output import print_written

    print_written(written)


def _tell(lines: list[str]) -> None:
    """Print what couldn't be mapped."""
    from planner.printable import printable

    for line in lines:
        print(printable(line), file=sys.stderr)
