"""Small positions of Crossroads, on the board of the classic rule set: its map is numbered in the same way."""

from __future__ import annotations

from typing import Any

from tests.games.statements import classic_hex_board
from tests.games.statements.board import Board, Unit

MUD = {"weather": {"mud": "everywhere"}}


def own(at: str, id: str = "x", type: str = "infantry", values: str = "4-4-4", **given: Any) -> Unit:
    """Return an own unit."""
    return {"id": id, "at": at, "side": "blue", "type": type, "values": values, **given}


def foe(at: str, id: str = "e", type: str = "infantry", values: str = "4-4-4", **given: Any) -> Unit:
    """Return an enemy unit."""
    return {**own(at, id, type, values, **given), "side": "red"}


def tank(at: str, id: str = "t") -> Unit:
    """Return an own unit on wheels, which moves a second time."""
    return own(at, id, "armor", "6-5-6")


def horse(at: str, id: str = "c") -> Unit:
    """Return an own unit on foot that moves a second time."""
    return own(at, id, "cavalry", "2-2-6")


def guns(at: str, id: str = "g", values: str = "5-1-4") -> Unit:
    """Return own artillery."""
    return own(at, id, "artillery", values)


def due(turn: int, at: str, id: str = "q") -> Unit:
    """Return an own reinforcement, by the letter of its hex."""
    return own("pool", id, arrives={"turn": turn, "at": at})


def after(drawn: Board, moves: str) -> Board:
    """Return a position after moves and attacks that have been made, or declared, in its phase."""
    return Board({**drawn.data, "done": [{"move": line} for line in drawn.plan(moves).lines]}, drawn.labels)


def board(picture: str, *units: Unit, more: dict[str, Any] | None = None, fort: str = "", **given: Any) -> Board:
    """Draw a position; parameters as those of `classic_hex_board.board`, and the letters of the hexes with forts."""
    drawn = classic_hex_board.board(picture, *units, more={"model": "crossroads", **(more or {})}, **given)
    for letter in fort:
        drawn.data["map"]["hexes"][drawn.labels[letter]]["traits"] = ["fort"]
    return drawn
