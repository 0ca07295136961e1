"""Positions for other programs: a save of VASSAL with the moves made, tables, and the text of a game."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from planner.errors import InputError, Problem
from planner.exchange.importing import Importer
from planner.exchange.mapping import read_mapping
from planner.exchange.tables import UNIT_WORDS
from planner.exchange.vassal_board import VassalBoard, open_board, read_vassal
from planner.exchange.vassal_moves import save_copy, with_moves
from planner.playing.game_record import GameRecord
from planner.printable import printable
from planner.scenario import Scenario
from planner.world.position import Position


@dataclass(frozen=True)
class SaveCopy:
    """A copy of a save in which moves have been made.

    Attributes
    ----------
    content : bytes
        The file.
    moved : tuple of str
        The units that lie elsewhere now.
    told : tuple of str
        What a player has to do himself.
    """

    content: bytes
    moved: tuple[str, ...]
    told: tuple[str, ...]


def to_save(position: Position, save: Path, module: Path | None, mapping: Path) -> SaveCopy:
    """Return a copy of a save in which each unit lies where it stands in a position.

    Parameters
    ----------
    position : Position
        The position; its units bear the ids that importing the save gives them.
    save, module : Path and Path or None
        The save, and the module to whose game it belongs.
    mapping : Path
        The mapping by which it is imported.

    Raises
    ------
    InputError
        If one can't be read, or a unit goes where the board has no hex.
    """
    entries, rulebook = read_mapping(mapping)
    found = read_vassal(module, save, entries.board, entries.terrain)
    imported = Importer(found, entries, rulebook, mapping).result()
    board, _ = open_board(module, save, entries.board)
    assert board.save is not None
    pieces = {str(entry["id"]): piece for piece, entry in imported.units}
    told, problems, targets = list[str](), list[Problem](), dict[str, tuple[int, int]]()
    pixels = _pixels(board)
    moved = []
    for unit, piece in pieces.items():
        place = position.at.get(unit, "")
        if place == piece.place:
            continue
        if not place:
            if unit in position.boxes and piece.place:
                told.append(f"{piece}: {unit} is off the map now, in {position.boxes[unit]}; it stays where it lies")
        elif piece.area != board.window.name and not piece.place:
            told.append(f"{piece}: {unit} has come onto the map, to {place}; it stays where it lies")
        elif place not in pixels:
            problems.append(Problem(f"{unit} must stand in a hex of the board, not in {place}", str(save)))
        else:
            targets[piece.key] = pixels[place]
            moved.append(unit)
    strangers = [unit for unit in position.at if unit not in pieces]
    told += [f"{unit} is no piece of the save" for unit in strangers]
    if problems:
        raise InputError(problems)
    return SaveCopy(save_copy(board.save, save, with_moves(board.save, targets)), tuple(moved), tuple(told))


def _pixels(board: VassalBoard) -> Mapping[str, tuple[int, int]]:
    """Return where pieces lie in each hex: where a stack lies there already, otherwise in the middle."""
    found: dict[str, tuple[int, int]] = {}
    for label, pixel, *_ in board.hexes():
        found.setdefault(label, pixel)
    assert board.save is not None
    for stack in board.save.stacks.values():
        lying = next((board.save.pieces[one] for one in stack.pieces if one in board.save.pieces), None)
        if lying is not None and not stack.deck and stack.map == board.window.name:
            label, _ = board.place(lying)
            if label in found:
                found[label] = stack.x, stack.y
    return found


def to_units_table(scenario: Scenario, position: Position) -> str:
    """Return a table of all units (CSV), as `planner import` reads it."""
    written = io.StringIO()
    table = csv.DictWriter(written, UNIT_WORDS, extrasaction="ignore", lineterminator="\n", restval="")
    table.writeheader()
    for entry in unit_entries(scenario, position):
        table.writerow({key: _cell(value) for key, value in entry.items()})
    return written.getvalue()


def _cell(value: object) -> str:
    """Return a cell of a table: on one line, and nothing in it steers whoever shows it."""
    return printable(" ".join(value) if isinstance(value, list) else str(value))


def to_terrain_table(scenario: Scenario) -> str:
    """Return a table of the terrain of all hexes (CSV), as `planner import` reads it."""
    written = io.StringIO()
    table = csv.writer(written, lineterminator="\n")
    table.writerow(("label", "terrain"))
    table.writerows((_cell(label), _cell(one.terrain)) for label, one in scenario.game.board.hexes.items())
    return written.getvalue()


def unit_entries(scenario: Scenario, position: Position) -> list[dict[str, object]]:
    """Return the units as the scenario has them, each where it stands in a position, by the words of tables."""
    found = []
    for entry in scenario.data.get("unit", []):
        unit = str(entry["id"])
        one = {key: value for key, value in entry.items() if key in UNIT_WORDS}
        lost = position.lost_steps.get(unit, 0)
        steps = {"steps": scenario.game.units[unit].steps - lost} if lost or "steps" in entry else {}
        at, box = position.at.get(unit, ""), position.boxes.get(unit, "")
        # Tables know hexes, and boxes off the map: a box of the map, such as reserves, comes back as one of these.
        place = {"hex": at, "box": box} if not at or at in scenario.game.board.hexes else {"hex": "", "box": at}
        several = {key: [value] if isinstance(value, str) else value for key, value in one.items() if key in _SEVERAL}
        found.append({"name": unit, **one, **several, **steps, **place})
    return found


_SEVERAL = ("traits", "nationality")


def to_game_text(record: GameRecord) -> str:
    """Return a game as text, like the PGN of chess: tags in brackets, then each phase with its moves and what was rolled."""
    scenario = record.scenario
    tags = {
        "Event": str(scenario.data.get("title", "")),
        "Game": scenario.game.rulebook.title,
        **{f"Side {side}": how for side, how in record.players.items()},
        "Seed": str(record.seed),
        "Result": record.ended,
    }
    lines = [f"[{name} {json.dumps(printable(value), ensure_ascii=False)}]" for name, value in tags.items()]
    for number, phase in enumerate(record.phases, 1):
        turn = "" if phase.turn is None else f" turn {phase.turn},"
        lines += [
            "",
            f"{number}.{turn} {phase.side}, {phase.phase}:",
            *(f"  {one}" for one in phase.made or ("nothing",)),
        ]
    return "\n".join(lines) + "\n"
