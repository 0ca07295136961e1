"""Small positions of the classic rule set: the same pictures, on a map whose columns run straight."""

from __future__ import annotations

from typing import Any

from tests.games.statements.board import Board, Unit, draw


def own(at: str, id: str = "x", strength: int = 4, ma: int = 3, **given: Any) -> Unit:
    """Return an own unit."""
    return {"id": id, "at": at, "side": "blue", "type": "infantry", "values": f"{strength}-{ma}", **given}


def foe(at: str, id: str = "e", strength: int = 4, ma: int = 3, **given: Any) -> Unit:
    """Return an enemy unit."""
    return {"id": id, "at": at, "side": "red", "type": "infantry", "values": f"{strength}-{ma}", **given}


def due(turn: int, at: str, id: str = "q", **given: Any) -> Unit:
    """Return an own reinforcement, by the letter of its hex."""
    return own("pool", id, ma=4, arrives={"turn": turn, "at": at}, **given)


def board(
    picture: str,
    *units: Unit,
    phase: str = "movement",
    phasing: str = "blue",
    terrain: dict[str, str] | None = None,
    control: str = "",
    turn: int | None = None,
    more: dict[str, Any] | None = None,
    **hexsides: str,
) -> Board:
    """Draw a position of clear hexes, with a box for reinforcements, and one for what lies off the map.

    Parameters
    ----------
    picture : str
        The hexes.
    units : dict
        The units; `at` is a letter, or the box "pool".
    phase, phasing : str
        The phase, and the side whose turn it is.
    terrain : dict, optional
        The terrain of some hexes, by letter.
    control : str
        The letters of hexes that the phasing side holds.
    turn : int, optional
        The turn.
    more : dict, optional
        Whatever else the scenario says, the model too.
    hexsides : str
        By feature chains of letters, with commas between them.
    """
    labels = {letter: place[1:] for letter, place in draw(picture).items()}
    hexes: dict[str, Any] = {place: {"terrain": "clear"} for place in labels.values()}
    for letter, name in (terrain or {}).items():
        hexes[labels[letter]]["terrain"] = name
    placed = []
    for unit in units:
        entry = {**unit, "at": labels.get(unit["at"], unit["at"])}
        if "arrives" in unit:
            entry["arrives"] = {**unit["arrives"], "at": labels[unit["arrives"]["at"]]}
        placed.append(entry)
    edge = " ".join(labels.values()).split()
    data: dict[str, Any] = {
        "format": "planner/scenario-1",
        "model": "classic_hex",
        "phase": phase,
        "phasing": phasing,
        "map": {
            "hexes": hexes,
            "hexsides": {
                name: [" ".join(labels[a] for a in c) for c in text.split(",")] for name, text in hexsides.items()
            },
            "boxes": {"pool": {"name": "Reinforcements"}, "beyond": {"name": "Beyond the edge", "adjacent": edge}},
        },
        "unit": placed,
    }
    if control:
        data["control"] = {phasing: " ".join(labels[letter] for letter in control)}
    if turn is not None:
        data["turn"] = turn
    return Board({**data, **(more or {})}, labels)
