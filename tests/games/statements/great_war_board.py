"""Small positions of The Great War: the same pictures, with the labels of its board."""

from __future__ import annotations

from typing import Any

from tests.games.statements.board import Board, Unit, draw


def label(drawn: str) -> str:
    """Return the label of a hex that `draw` has placed: rows are lettered from the top, and even ones lie to the east."""
    return f"{'ABCDEFGHI'[13 - int(drawn[1:3])]}{int(drawn[3:]) - 6}"


def _unit(id: str, at: str, type: str, given: dict[str, Any]) -> Unit:
    return {"id": id, "at": at, "side": "allied", "type": type, "traits": "ordered", **given}


def inf(at: str, id: str = "i1", **given: Any) -> Unit:
    """Return an own, ordered infantry unit."""
    return _unit(id, at, "infantry", given)


def mg(at: str, id: str = "g1", **given: Any) -> Unit:
    """Return an own, ordered machine gun."""
    return _unit(id, at, "machine_gun", given)


def mortar(at: str, id: str = "r1", **given: Any) -> Unit:
    """Return an own, ordered mortar."""
    return _unit(id, at, "mortar", given)


def tank(at: str, id: str = "m1", type: str = "mark_iv", **given: Any) -> Unit:
    """Return an own, ordered tank, a Mark IV unless something else is said."""
    return _unit(id, at, type, given)


def guns(at: str, id: str = "b1", type: str = "reserve_artillery", **given: Any) -> Unit:
    """Return an own, ordered battery."""
    return _unit(id, at, type, given)


def foe(at: str, id: str = "e", type: str = "infantry", **given: Any) -> Unit:
    """Return an enemy unit."""
    return {"id": id, "at": at, "side": "central", "type": type, **given}


def board(
    picture: str,
    *units: Unit,
    wire: str = "",
    fortified: str = "",
    phase: str = "movement",
    phasing: str = "allied",
    terrain: dict[str, str] | None = None,
    traits: dict[str, str] | None = None,
    orders: dict[str, int] | None = None,
    flags: str = "",
    exit: str = "",
) -> Board:
    """Draw a position of countryside.

    Parameters
    ----------
    picture : str
        The hexes.
    units : dict
        The units; `at` is a letter.
    wire, fortified : str
        The letters of hexes with wire, and with a fortified position.
    phase, phasing : str
        The phase, and the side whose turn it is.
    terrain, traits : dict, optional
        The terrain of some hexes, and their traits, by letter.
    orders : dict, optional
        Orders by section.
    flags : str
        A flag that is in force.
    exit : str
        The letter of a baseline hex, beside which there is the box "home".
    """
    labels = {letter: label(place) for letter, place in draw(picture).items()}
    hexes: dict[str, dict[str, Any]] = {place: {"terrain": "countryside"} for place in labels.values()}
    for letter, name in (terrain or {}).items():
        hexes[labels[letter]]["terrain"] = name
    for letter, names in (traits or {}).items():
        hexes[labels[letter]]["traits"] = names.split()
    data: dict[str, Any] = {
        "format": "planner/scenario-1",
        "model": "great_war",
        "phase": phase,
        "phasing": phasing,
        "orders": orders or {},
        "map": {"hexes": hexes},
        "unit": [{**unit, "at": labels[unit["at"]]} for unit in units],
        "marker": [{"type": "wire", "side": "central", "at": labels[letter]} for letter in wire]
        + [{"type": "fortified_position", "side": "central", "at": labels[letter]} for letter in fortified],
        "tier": [{"terms": [{"kind": "battle"}]}],
    }
    if flags:
        data["flags"] = flags
    if exit:
        data["map"]["boxes"] = {"home": {"name": "Home", "adjacent": labels[exit]}}
    return Board(data, labels)
