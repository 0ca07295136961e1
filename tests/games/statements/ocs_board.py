"""Small OCS positions: the same pictures, on a map whose columns run straight."""

from __future__ import annotations

from typing import Any

from tests.games.statements.board import Board, Unit, draw


def label(drawn: str) -> str:
    """Return the label of a hex that `draw` has placed: its row is the column, so that neighbours stay neighbours."""
    return f"{drawn[1:3]}.{drawn[3:]}"


def _unit(id: str, at: str, defaults: dict[str, Any], given: dict[str, Any]) -> Unit:
    return {"id": id, "at": at, "side": "axis", "attack": 6, "defense": 3, **defaults, **given}


def truck(at: str, id: str = "t1", **given: Any) -> Unit:
    """Return an own motorized unit, MA 12."""
    return _unit(id, at, {"type": "motorized", "ma": 12}, given)


def track(at: str, id: str = "k1", **given: Any) -> Unit:
    """Return an own tank unit, MA 8."""
    return _unit(id, at, {"type": "tank", "ma": 8}, given)


def leg(at: str, id: str = "l1", **given: Any) -> Unit:
    """Return an own infantry unit, MA 5."""
    return _unit(id, at, {"type": "infantry", "ma": 5}, given)


def other(at: str, type: str, id: str = "o1", **given: Any) -> Unit:
    """Return an own unit of another type, MA 0."""
    return _unit(id, at, {"type": type, "attack": 0, "defense": 0, "ma": 0}, given)


def enemy(at: str, id: str = "e", **given: Any) -> Unit:
    """Return an enemy division in Combat Mode."""
    return _unit(id, at, {"side": "allied", "type": "infantry", "attack": 4, "defense": 1, "ma": 5}, given)


def board(
    picture: str,
    *units: Unit,
    phase: str = "movement",
    phasing: str = "axis",
    terrain: dict[str, str] | None = None,
    also: dict[str, str] | None = None,
    confidence: str = "1",
    **hexsides: str,
) -> Board:
    """Draw a position of open hexes; see `tests.games.statements.board.board`.

    Parameters
    ----------
    picture : str
        The hexes.
    units : dict
        The units; `at` is a letter.
    phase, phasing : str
        The phase, and the side whose turn it is.
    terrain, also : dict, optional
        The terrain of some hexes, and what else they show, by letter.
    confidence : str
        From which probability on a result may be relied upon.
    hexsides : str
        By feature chains of letters, with commas between them.
    """
    labels = {letter: label(place) for letter, place in draw(picture).items()}
    hexes: dict[str, dict[str, Any]] = {place: {"terrain": "open"} for place in labels.values()}
    for letter, name in (terrain or {}).items():
        hexes[labels[letter]]["terrain"] = name
    for letter, name in (also or {}).items():
        hexes[labels[letter]]["also"] = name
    chains = {name: [" ".join(labels[a] for a in c) for c in text.split(",")] for name, text in hexsides.items()}
    data = {
        "format": "planner/scenario-1",
        "model": "ocs",
        "phase": phase,
        "phasing": phasing,
        "confidence": confidence,
        "map": {"hexes": hexes, "hexsides": chains},
        "unit": [{**unit, "at": labels[unit["at"]]} for unit in units],
    }
    return Board(data, labels)
