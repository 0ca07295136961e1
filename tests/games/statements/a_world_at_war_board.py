"""Small positions of A World at War."""

from __future__ import annotations

from typing import Any

from tests.games.statements.board import Board, Unit, draw


def label(drawn: str) -> str:
    """Return the label of a hex that `draw` has placed: rows have letters, so that neighbours stay neighbours."""
    return f"{chr(ord('A') + int(drawn[1:3]) - 1)}{int(drawn[3:])}"


def _unit(id: str, at: str, defaults: dict[str, Any], given: dict[str, Any]) -> Unit:
    unit = {"id": id, "at": at, "side": "axis", "nationality": "germany", **defaults, **given}
    strength = unit.pop("strength", 0)
    return {"attack": strength, "defense": strength, **unit}


def armor(at: str, id: str = "x", **given: Any) -> Unit:
    """Return an own armor unit, 6-6."""
    return _unit(id, at, {"type": "armor", "strength": 6, "ma": 6}, given)


def mech(at: str, id: str = "y", **given: Any) -> Unit:
    """Return an own mechanized infantry unit, 3-4."""
    return _unit(id, at, {"type": "mechanized_infantry", "strength": 3, "ma": 4}, given)


def foot(at: str, id: str = "z", **given: Any) -> Unit:
    """Return an own infantry unit, 2-3."""
    return _unit(id, at, {"type": "infantry", "strength": 2, "ma": 3}, given)


def wing(at: str, id: str = "w", **given: Any) -> Unit:
    """Return own air factors, 4."""
    return _unit(id, at, {"type": "air", "strength": 4, "ma": 0}, given)


def enemy(at: str, id: str = "e", **given: Any) -> Unit:
    """Return enemy infantry, 1-3."""
    return _unit(id, at, {"side": "allies", "nationality": "russia", "type": "infantry", "strength": 1, "ma": 3}, given)


def tanks(at: str, id: str = "et", **given: Any) -> Unit:
    """Return an enemy armor unit, 3-5."""
    return enemy(at, id, **{"type": "armor", "strength": 3, **given})


def fighters(at: str, id: str = "ef", **given: Any) -> Unit:
    """Return enemy air factors, 1."""
    return enemy(at, id, **{"type": "air", "strength": 1, "ma": 0, **given})


def board(
    picture: str,
    *units: Unit,
    phase: str = "movement",
    phasing: str = "axis",
    terrain: dict[str, str] | None = None,
    traits: dict[str, list[str]] | None = None,
    pacific: str = "",
    winter: str = "",
    mud: str = "",
    boxes: dict[str, dict[str, Any]] | None = None,
    country: dict[str, dict[str, Any]] | None = None,
    margin: int | str = 0,
    **hexsides: str,
) -> Board:
    """Draw a position of clear European hexes; see `tests.games.statements.board.board`.

    Parameters
    ----------
    picture : str
        The hexes.
    units : dict
        The units; `at` is a letter, or a box.
    phase, phasing : str
        The phase, and the side whose phase it is.
    terrain, traits : dict, optional
        What some hexes have, by letter.
    pacific : str
        The letters of the hexes in the Pacific theater.
    winter, mud : str
        The letters of the hexes with that weather.
    boxes : dict, optional
        Boxes besides the force pool; what they are adjacent to by letter.
    country : dict, optional
        What is in force in some countries.
    margin : int or str
        What each overrun must survive.
    hexsides : str
        By feature a chain of letters, whose common hexsides have it.
    """
    labels = {letter: label(place) for letter, place in draw(picture).items()}
    hexes: dict[str, dict[str, Any]] = {place: {"terrain": "clear"} for place in labels.values()}
    for letter, name in (terrain or {}).items():
        hexes[labels[letter]]["terrain"] = name
    for letter, place in labels.items():
        own = [*(traits or {}).get(letter, []), *(["pacific"] if letter in pacific else [])]
        if own:
            hexes[place]["traits"] = own
    adjacent = {
        name: {**box, "adjacent": [labels.get(other, other) for other in box.get("adjacent", [])]}
        for name, box in (boxes or {}).items()
    }
    data = {
        "format": "planner/scenario-1",
        "model": "a_world_at_war",
        "phase": phase,
        "phasing": phasing,
        "margin": margin,
        "map": {
            "hexes": hexes,
            "boxes": {"force_pool": {}, **adjacent},
            "hexsides": {name: [" ".join(labels[a] for a in chain)] for name, chain in hexsides.items()},
        },
        "unit": [{**unit, "at": labels.get(unit["at"], unit["at"])} for unit in units],
        "country": country or {},
        "weather": {
            name: " ".join(labels[a] for a in letters)
            for name, letters in (("winter", winter), ("mud", mud))
            if letters
        },
    }
    return Board(data, labels)
