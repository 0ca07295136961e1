"""Small positions, drawn with letters, and the cases that are played on them."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from planner.plans.plan import Plan
from planner.scenario import Scenario, build_scenario, find_scenario

LINE = "A B C D E F G"
"""Seven hexes in a row: each touches the next one only."""

STAR = """
 Y C D E
A B G
 X T U V
"""
"""A, Y, C, G, T and X lie around B. A-B-C-D-E is a line too; T touches B alone of it, X touches A and B, Y also C."""

FLANK = """
   T
A B C D E
"""
"""T touches B and C."""

Unit = dict[str, Any]
Marker = dict[str, str]


# ----------------------------------------------------------------------------------------------------------------- units


def _unit(key: str, at: str, defaults: dict[str, Any], given: dict[str, Any]) -> Unit:
    return {"id": key, "at": at, "steps": 1, **defaults, **given}


def i1(at: str, **given: Any) -> Unit:
    """Return an own one-step infantry unit, MA 3."""
    return _unit("i1", at, {"side": "soviet", "type": "infantry", "ma": 3}, given)


def i2(at: str, **given: Any) -> Unit:
    """Return an own two-step infantry unit, MA 3."""
    return _unit("i2", at, {"side": "soviet", "type": "infantry", "ma": 3, "steps": 2}, given)


def arm(at: str, **given: Any) -> Unit:
    """Return an own two-step tank unit, MA 4."""
    return _unit("arm", at, {"side": "soviet", "type": "tank", "ma": 4, "steps": 2}, given)


def hq(at: str, **given: Any) -> Unit:
    """Return an own HQ, MA 1."""
    return _unit("hq", at, {"side": "soviet", "type": "hq", "ma": 1}, given)


def air(at: str, **given: Any) -> Unit:
    """Return an own Air unit."""
    return _unit("air", at, {"side": "soviet", "type": "air", "ma": 3}, given)


def e1(at: str, **given: Any) -> Unit:
    """Return an enemy one-step infantry unit."""
    return _unit("e1", at, {"side": "axis", "type": "infantry", "ma": 1}, given)


def e2(at: str, **given: Any) -> Unit:
    """Return an enemy two-step infantry unit."""
    return _unit("e2", at, {"side": "axis", "type": "infantry", "ma": 1, "steps": 2}, given)


def ehq(at: str, **given: Any) -> Unit:
    """Return an enemy HQ of one step."""
    return _unit("ehq", at, {"side": "axis", "type": "hq", "ma": 1}, given)


def eair(at: str, **given: Any) -> Unit:
    """Return an enemy Air unit."""
    return _unit("eair", at, {"side": "axis", "type": "air", "ma": 0}, given)


def own(type: str, at: str) -> Marker:
    """Return an own marker."""
    return {"type": type, "side": "soviet", "at": at}


def foe(type: str, at: str, side: str = "axis") -> Marker:
    """Return an enemy marker."""
    return {"type": type, "side": side, "at": at}


# ------------------------------------------------------------------------------------------------------------- positions


@dataclass(frozen=True, eq=False)
class Board:
    """A position: the data of a scenario file, with the labels of the letters."""

    data: dict[str, Any]
    labels: dict[str, str] = field(default_factory=dict)

    @cached_property
    def scenario(self) -> Scenario:
        """The scenario."""
        return build_scenario(self.data, "case")

    def plan(self, moves: str) -> Plan:
        """Read moves and attacks such as ``i1 A-B; arm A-BxT; i1+arm -> C; i2 -> D=DR e D-E``."""
        spelt = []
        for move in filter(None, map(str.strip, moves.split(";"))):
            units, path = move.split(" ", 1)
            spelt.append(f"{units} {re.sub('=[A-Z]+|[A-Z]', self._spelt, path)}")
        return Plan.parse(spelt)

    def _spelt(self, found: re.Match[str]) -> str:
        return found[0] if found[0].startswith("=") else self.labels[found[0]]

    def letter(self, label: str) -> str:
        """Return the letter of a label, or the label itself where hexes have none."""
        return next((letter for letter, other in self.labels.items() if other == label), label)


def draw(picture: str) -> dict[str, str]:
    """Return the label of each letter of a picture; letters of neighbouring hexes are one place and one row, or two, apart.

    Rows are numbered northward, and odd rows lie half a hex to the west, so the row of a hex tells whether its place in the
    picture is odd.
    """
    rows = [row for row in picture.split("\n") if row.strip()]
    bottom = 10 + _parity(rows[-1])
    labels = {}
    for number, row in enumerate(reversed(rows), bottom):
        assert _parity(row) == number % 2, f"rows must be shifted by half a hex against each other: {row!r}"
        for place, letter in enumerate(row):
            if letter != " ":
                labels[letter] = f"w{number:02}{(place + 20 + number % 2) // 2:02}"
    return labels


def _parity(row: str) -> int:
    parities = {place % 2 for place, sign in enumerate(row) if sign != " "}
    assert len(parities) == 1, f"hexes of one row must be two places apart: {row!r}"
    return parities.pop()


def board(
    picture: str,
    *units: Unit,
    markers: list[Marker] | None = None,
    phase: str = "operational_movement",
    phasing: str = "soviet",
    terrain: dict[str, str] | None = None,
    traits: dict[str, str] | None = None,
    supply: dict[str, str] | None = None,
    mud: str = "",
    snow: str = "",
    storms: str = "",
    **hexsides: str,
) -> Board:
    """Draw a position of clear hexes.

    Parameters
    ----------
    picture : str
        The hexes; see `draw`.
    units : dict
        The units; `at` is a letter.
    markers : list of dict, optional
        The markers.
    phase, phasing : str
        The phase, and the side whose phase it is.
    terrain, traits : dict, optional
        What some hexes have, by letter.
    supply : dict, optional
        By side the letters of the supply sources.
    mud, snow, storms : str
        The letters of the hexes with that weather.
    hexsides : str
        By feature a chain of letters, whose common hexsides have it.
    """
    labels = draw(picture)
    hexes: dict[str, dict[str, Any]] = {label: {"terrain": "clear"} for label in labels.values()}
    for letter, name in (terrain or {}).items():
        hexes[labels[letter]]["terrain"] = name
    for letter, name in (traits or {}).items():
        hexes[labels[letter]]["traits"] = [name]
    weather = {"mud": mud, "snow": snow, "storms": storms}
    data = {
        "format": "planner/scenario-1",
        "model": "dai_senso",
        "phase": phase,
        "phasing": phasing,
        "map": {
            "hexes": hexes,
            "hexsides": {name: [" ".join(labels[a] for a in chain)] for name, chain in hexsides.items()},
        },
        "unit": [{**unit, "at": labels[unit["at"]]} for unit in units],
        "marker": [{**marker, "at": labels[marker["at"]]} for marker in markers or []],
        "weather": {name: " ".join(labels[a] for a in letters) for name, letters in weather.items() if letters},
        "supply": {side: " ".join(labels[a] for a in letters) for side, letters in (supply or {}).items()},
    }
    return Board(data, labels)


def printed(
    name: str,
    *more: Unit,
    drop: str = "",
    hexes: dict[str, str] | None = None,
    at: dict[str, str] | None = None,
) -> Board:
    """Return a worked example that ships with the planner, by the printed hex labels.

    Parameters
    ----------
    name : str
        The scenario.
    more : dict
        Further units.
    drop : str
        Ids of units to leave out.
    hexes : dict, optional
        Terrain to change, by label.
    at : dict, optional
        Units that stand elsewhere.
    """
    data = tomllib.loads(find_scenario(name).read_text(encoding="utf-8"))
    for key in ("verdict", "answer", "tier", "require"):
        data.pop(key, None)
    kept = [unit for unit in data["unit"] if unit["id"] not in drop.split()]
    moved = at or {}
    data["unit"] = [{**unit, "at": moved[unit["id"]]} if unit["id"] in moved else unit for unit in kept] + list(more)
    data["map"].setdefault("hexes", {}).update(hexes or {})
    return Board(data)


# ----------------------------------------------------------------------------------------------------------------- cases


@dataclass(frozen=True, eq=False)
class Case:
    """A plan on a position, and what must be said of it.

    Attributes
    ----------
    statement : str
        The statement that the case shows.
    allowed : bool
        On which side of the statement it is: what the statement allows, or calls right; or what it forbids.
    on : Board
        The position.
    moves : str
        The plan.
    rule, at, blame : str
        For an illegal plan: the paragraph, the letter of the hex, the ids of the enemies in the way.
    unit : str
        The unit that breaks the rule; the only one that moves, or nobody in particular, if empty.
    also : tuple of (str, str)
        Further violations, as (paragraph, letter).
    legal : bool or None
        Whether the plan is legal; `allowed` if None. Both sides of a statement about a value can be legal.
    mp : str
        What the last move costs; empty: not looked at.
    stops : str or None
        The paragraphs, with commas between, on whose account the last move had to end where it did; None: not looked at.
    dice : str
        How many dice are rolled for each hex of the last move; empty: not looked at.
    chance : str
        How likely it is that the last move takes the hex that it enters; empty: not looked at.
    places : dict
        The letters of all places where a unit may be afterwards, in order, ``-`` for off the map.
    shaken : str or None
        The units that may be demoralized afterwards, and weren't before; None: not looked at.
    battles : str
        How many units can battle afterwards, on average; empty: not looked at.
    boxes : dict
        Where eliminated units are afterwards.
    odds : str
        The column of the last attack, before and after shifts; empty: not looked at.
    results : dict
        Of results of the last attack, by code: how likely each is, then who is lost, who goes back how far, and which hexes
        are open to attackers, such as ``1/6: x lost, e back 2, B open``.
    borderline : bool
        Whether the case lies exactly at the limit.
    note : str
        What is meant, where moves and statement don't say it.
    """

    statement: str
    allowed: bool
    on: Board
    moves: str
    rule: str = ""
    at: str = ""
    blame: str = ""
    unit: str = ""
    also: tuple[tuple[str, str], ...] = ()
    legal: bool | None = None
    mp: str = ""
    stops: str | None = None
    dice: str = ""
    battles: str = ""
    chance: str = ""
    places: dict[str, str] = field(default_factory=dict)
    shaken: str | None = None
    boxes: dict[str, str] = field(default_factory=dict)
    odds: str = ""
    results: dict[str, str] = field(default_factory=dict)
    borderline: bool = False
    note: str = ""

    @property
    def is_legal(self) -> bool:
        """Whether the plan is legal."""
        return self.allowed if self.legal is None else self.legal

    @property
    def expected(self) -> set[tuple[str, str]]:
        """The (paragraph, letter) pairs of all violations."""
        return set() if self.is_legal else {(self.rule, self.at), *self.also}


def right(statement: str, on: Board, moves: str, **more: Any) -> Case:
    """Return a case on the allowed side."""
    return Case(statement, True, on, moves, **more)


def wrong(statement: str, on: Board, moves: str, rule: str = "", at: str = "", blame: str = "", **more: Any) -> Case:
    """Return a case on the forbidden side."""
    return Case(statement, False, on, moves, rule, at, blame, **more)
