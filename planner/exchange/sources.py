"""Which files there are, and who reads them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from planner.errors import InputError, Problem
from planner.exchange.found import Found
from planner.exchange.mapping import BoardEntry, MappingFile
from planner.exchange.tables import read_table
from planner.exchange.tiled_board import read_tiled
from planner.exchange.vassal_board import read_vassal
from planner.rules.rulebook import Rulebook

MODULES, SAVES, TABLES, TILED = (".vmod",), (".vsav", ".vlog"), (".csv", ".tsv"), (".tmj", ".tmx", ".json", ".xml")


def read_sources(paths: Sequence[Path], mapping: MappingFile | None, rulebook: Rulebook | None) -> Found:
    """Return what all files together hold.

    Parameters
    ----------
    paths : sequence of Path
        The files, known by their suffixes; at most one module and one save.
    mapping : MappingFile or None
        What the mapping says of the board; None: nothing yet.
    rulebook : Rulebook or None
        The game, by which maps without labels are numbered; None: not known yet.

    Raises
    ------
    InputError
        With the problems of all files that can't be read.
    """
    board = BoardEntry() if mapping is None else mapping.board
    words = None if mapping is None else mapping.terrain
    found, problems = Found(), list[Problem]()
    modules, saves = ([path for path in paths if path.suffix.lower() in suffixes] for suffixes in (MODULES, SAVES))
    for what, several in (("module", modules), ("save", saves)):
        problems += [Problem(f"only one {what} can be read at a time", str(path)) for path in several[1:]]
    if (modules or saves) and not problems:
        try:
            found.add(read_vassal(next(iter(modules), None), next(iter(saves), None), board, words))
        except InputError as error:
            problems += error.problems
    for path in paths:
        try:
            if path.suffix.lower() in TABLES:
                found.add(read_table(path, {} if mapping is None else mapping.columns))
            elif path.suffix.lower() in TILED:
                found.add(read_tiled(path, board, rulebook))
            elif path not in (*modules, *saves):
                known = ", ".join((*MODULES, *SAVES, *TABLES, *TILED))
                problems.append(Problem(f"must be one of {known}", str(path)))
        except InputError as error:
            problems += error.problems
    if problems:
        raise InputError(problems)
    return found
