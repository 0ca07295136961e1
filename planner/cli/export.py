"""``planner export``: a position for another program, or a game as text."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from planner.cli.terminal import (
    ILLEGAL,
    AfterFileOption,
    AfterOption,
    ForceOption,
    MovesArgument,
    PlanOption,
    ScenarioArgument,
    ensure_outputs,
    load_position,
    read_plan,
)

KINDS = (".vsav", ".tmj", ".csv", ".pgn")


def export(
    scenario: ScenarioArgument,
    moves: MovesArgument = None,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", help="FILE.vsav, FILE.tmj, FILE.csv, or, of the record of a game, FILE.pgn."),
    ] = None,
    plan: PlanOption = None,
    save: Annotated[
        Path | None, typer.Option("--save", metavar="SAVE.vsav", help="VASSAL: the save of which to write a copy.")
    ] = None,
    module: Annotated[
        Path | None, typer.Option("--module", metavar="MODULE.vmod", help="VASSAL: the module of its game.")
    ] = None,
    mapping: Annotated[
        Path | None, typer.Option("--mapping", metavar="MAP.toml", help="VASSAL: the mapping by which it is imported.")
    ] = None,
    terrain: Annotated[bool, typer.Option("--terrain", help="Of .csv: the terrain, not the units.")] = False,
    after: AfterOption = None,
    after_file: AfterFileOption = None,
    force: ForceOption = False,
) -> None:
    """Write a position for VASSAL, Tiled or a spreadsheet.

    With a legal plan, the position after it; the record of a game is written as text.
    """
    from planner import api
    from planner.cli import text_output as report
    from planner.errors import InputError, Problem
    from planner.exchange import exporting, left_out
    from planner.formats.files import write_bytes

    kind = "" if output is None else output.suffix.lower()
    if output is None or kind not in KINDS:
        what = f"must be a file that ends in {', '.join(KINDS)}; `planner draw` writes pictures"
        raise InputError([Problem(what, "-o")])
    if terrain and kind != ".csv":
        raise InputError([Problem(f"is for FILE.csv; a file {kind} has its terrain anyway or none", "--terrain")])
    read = [scenario, plan, after_file, *(str(one) for one in (save, module, mapping) if one is not None)]
    ensure_outputs(read, [output], force)
    if kind == ".pgn":
        from planner.playing.game_record import GameRecord

        if moves or plan is not None or after or after_file is not None:
            raise InputError([Problem("the record of a game says itself what was done", "command line")])
        if Path(scenario).suffix != ".json":
            what = f"a game as text is made of its record (JSON), as `planner play` writes it, not of {scenario}"
            raise InputError([Problem(what, "-o")])
        record = GameRecord.load(Path(scenario))
        for _ in record.positions(scenario):  # what can't have been done is no game
            pass
        write_bytes(output, exporting.to_game_text(record).encode())
        report.print_written(output)
        return
    if kind == ".vsav" and (save is None or mapping is None):
        raise InputError(
            [Problem("a copy of a save needs --save and --mapping, and --module if there is one", "command line")]
        )
    position = load_position(scenario, after, after_file)
    verdict = api.check(position, read_plan(position, moves, plan))
    if not verdict.legal and (moves or plan is not None):
        report.print_verdict(verdict)
        raise typer.Exit(ILLEGAL)
    there, told = verdict.position, list[str]()
    if kind == ".vsav":
        assert save is not None
        assert mapping is not None
        copy = exporting.to_save(there, save, module, mapping)
        content, told = copy.content, [*copy.told, f"moved: {', '.join(copy.moved) or 'nobody'}"]
    elif kind == ".tmj":
        from planner.exchange.tiled_writing import to_tiled

        content, told = to_tiled(position, there).encode(), left_out.of_a_map(position, there)
    elif terrain:
        content, told = exporting.to_terrain_table(position).encode(), left_out.of_terrain(position)
    else:
        content, told = exporting.to_units_table(position, there).encode(), left_out.of_units(position)
    write_bytes(output, content)
    from planner.printable import printable

    for line in told:
        print(printable(line), file=sys.stderr)
    report.print_written(output)
