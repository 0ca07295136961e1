"""Positions with ports, ships, boxes, beaches and countries."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tests.games.statements.board import LINE, Board, Unit, draw

EE = "eastern_europe_box"
EDGE = "w5211 w5311 w5411 w5412 w5413 w5511 w5512 w5513 w5911 w6011"


def ship(zone: str = "n", kind: str = "scratch_convoy", side: str = "soviet", **more: Any) -> dict[str, Any]:
    """Return a Troop Convoy marker in the Convoys Box of a zone; a Soviet Scratch one takes any Soviet unit."""
    return {"type": kind, "side": side, "zone": zone, **more}


def western(kind: str, nationality: str, zone: str = "n", **more: Any) -> dict[str, Any]:
    """Return a Western Troop Convoy marker."""
    return {"type": kind, "side": "western", "nationality": nationality, "zone": zone, **more}


def base(at: str, side: str = "axis") -> dict[str, Any]:
    """Return an enemy Detachment, called base."""
    return {"id": "base", "type": "detachment", "side": side, "at": at}


def beach(at: str = "C", facing: str = "D") -> dict[str, Any]:
    """Return a Beachhead marker."""
    return {"type": "beachhead", "side": "soviet", "at": at, "facing": facing}


def overseas(
    *units: Unit,
    picture: str = LINE,
    labels: str = "",
    zones: dict[str, str] | None = None,
    markers: Iterable[dict[str, Any]] = (),
    boxes: dict[str, str] | None = None,
    ports: str = "",
    control: dict[str, str] | None = None,
    areas: dict[str, str] | None = None,
    terrain: dict[str, str] | None = None,
    phasing: str = "soviet",
    phase: str = "operational_movement",
    traits: dict[str, str] | None = None,
    hexsides: dict[str, str] | None = None,
    **more: Any,
) -> Board:
    """Return a position of clear hexes with what lies overseas.

    Parameters
    ----------
    units : dict
        The units; `at` is a letter, a label or a box.
    picture : str
        The hexes by letters; see `draw`.
    labels : str
        Instead of a picture: printed labels.
    zones : dict, optional
        Naval zones, each with the letters of its hexes; with spaces between them where boxes are among them.
    markers : iterable of dict
        Markers; `at` and `facing` are letters.
    boxes : dict, optional
        Boxes, each with those to which it is adjacent; all have a port.
    ports : str
        The letters of the port hexes; by default those of the zones.
    control : dict, optional
        By side the letters of what it holds; by default the phasing side holds every port.
    areas : dict, optional
        By area the letters of its hexes.
    terrain, traits : dict, optional
        What some hexes have, by letter.
    phasing, phase : str
        The side whose phase it is, and the phase.
    hexsides : dict, optional
        By feature a chain of letters.
    more : object
        Further keys of the scenario file.
    """
    names = {} if labels else draw(picture)

    def split(places: str) -> list[str]:
        single = places.split() if " " in places or places in (boxes or {}) or labels else list(places)
        return [names.get(place, place) for place in single]

    hexes: dict[str, dict[str, Any]] = {
        label: {"terrain": "clear", "traits": []} for label in (labels.split() if labels else names.values())
    }
    for letter, name in (terrain or {}).items():
        hexes[names.get(letter, letter)]["terrain"] = name
    harbours = [p for places in (zones or {}).values() for p in split(places)] if not ports else split(ports)
    for label in dict.fromkeys(harbours):
        if label in hexes and hexes[label]["terrain"] != "all_sea":
            hexes[label]["traits"].append("port")
    for letter, name in (traits or {}).items():
        hexes[names.get(letter, letter)]["traits"].append(name)
    places = {*hexes, *(boxes or {})}
    held = {phasing: " ".join(p for p in dict.fromkeys(harbours) if p in places)} if control is None else control
    data = {
        "format": "planner/scenario-1",
        "model": "dai_senso",
        "phase": phase,
        "phasing": phasing,
        "map": {
            "hexes": hexes,
            "zones": {zone: " ".join(split(places)) for zone, places in (zones or {}).items()},
            "boxes": {box: {"traits": ["port"], "adjacent": beside.split()} for box, beside in (boxes or {}).items()},
            "areas": {area: " ".join(split(places)) for area, places in (areas or {}).items()},
            "hexsides": {name: [" ".join(names[a] for a in chain)] for name, chain in (hexsides or {}).items()},
        },
        "unit": [{**unit, "at": names.get(unit["at"], unit["at"])} for unit in units],
        "marker": [
            {**marker, **{key: names.get(marker[key], marker[key]) for key in ("at", "facing") if key in marker}}
            for marker in markers
        ],
        "control": {side: " ".join(split(places)) if control else places for side, places in held.items()},
        **more,
    }
    return Board(data, names)


def edge(*units: Unit, **more: Any) -> Board:
    """Return the western edge of the map in Russia, with the Eastern Europe Box beside it."""
    russia = " ".join(label for label in EDGE.split() if label != more.get("foreign"))
    foreign = {"siam": more.pop("foreign")} if "foreign" in more else {}
    more.setdefault("boxes", {EE: ""})
    return overseas(*units, labels=EDGE, areas={"russia": russia, **foreign}, **more)
