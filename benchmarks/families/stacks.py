"""Stacks on a road net: threes of tanks, trucks and infantry against a river line, overruns whose result is rolled; OCS.

Key: ``enemies``, by default one for each two units.
"""

from __future__ import annotations

import random

from families.drafting import Draft, Size
from planner.rules.rulebook_file import load_rulebook, model_folder

STACKS = (("tank", "mechanized", "motorized"), ("motorized",) * 3, ("infantry", "infantry", "artillery"))
MA = {"tank": (10, 14), "mechanized": (10, 12), "motorized": (14, 18), "infantry": (4, 6), "artillery": (12, 12)}
FIRST = 10
"""The number of the first column and row."""


def stacks(size: Size, seed: int) -> Draft:
    """Return stacks on a road net: the front is 1.2 hexes long for each unit, the map 40 columns deep at most.

    Raises
    ------
    ValueError
        If the size is out of bounds.
    """
    units = size.units_within(3, 150)
    enemies = size.number("enemies", units // 2, 1, 300)
    rng = random.Random(f"stacks {units} {enemies} {seed}")
    height, width = max(16, min(89, round(0.7 * units) + 4)), 40
    terrain = {(column, row): rng.choices(".hmv", (86, 9, 3, 2))[0] for row in range(height) for column in range(width)}
    roads = _Roads(width, height)
    lanes = list(range(3, height - 2, 8))
    crossroads = [(column, row) for row in lanes for column in (26, 33)]
    chains = [roads.chain([(column, row) for column in range(width)]) for row in lanes]
    lesser = [roads.chain([(column, row) for row in range(height)]) for column in (8, 26, 33)]
    for column, row in crossroads:
        terrain[column, row] = "v"
    made = Draft()
    made.begin("ocs", f"Stacks on a road net: {size.name} units, seed {seed}", "movement", "axis")
    made.rows(
        _label(0, height - 1),
        ["".join(terrain[column, row] for column in range(width)) for row in reversed(range(height))],
    )
    made.lines.append("hexsides.road = [" + ", ".join(f'"{chain}"' for chain in chains) + "]")
    made.lines.append("hexsides.secondary_road = [" + ", ".join(f'"{chain}"' for chain in lesser) + "]")
    banks = [f'"{_label(17, row)} {_label(18, row)}"' for row in range(height) if row not in lanes]
    made.lines.append(f"hexsides.minor_river = [{', '.join(banks)}]")
    starts = [(column, row) for row in range(1, height - 1) for column in range(2, 12)]
    index = 0
    for place in rng.sample(starts, -(-units // 3)):
        for kind in rng.choice(STACKS):
            if index < units:
                _add(made, rng, f"u{index}", kind, place)
                index += 1
    line = [(column, row) for row in range(height) for column in (18, 19, 20, 21)]
    line = [place for place in line if terrain[place] != "m"]
    for number, place in enumerate(rng.sample(line, min(enemies, len(line)))):
        values = "2-2-4" if rng.random() < 0.5 else "5-5-4"
        kind = "security" if rng.random() < 0.2 else "infantry"
        made.table("unit", id=f"e{number}", side="allied", type=kind, values=values, at=_label(*place))
    goals = rng.sample(crossroads, min(len(crossroads), max(3, units // 6)))
    terms = [f'kind = "hold", hexes = "{_label(*goal)}", weight = {rng.choice((6, 8, 10))}' for goal in goals]
    victims = ", ".join(f'"e{number}"' for number in range(0, min(enemies, len(line)), 3))
    terms.append(f'kind = "eliminate", units = [{victims}], weight = 5')
    made.tier(*terms)
    made.tier('kind = "mp_spent"')
    return made


def _label(column: int, row: int) -> str:
    return f"{column + FIRST:02}.{row + FIRST:02}"


def _add(made: Draft, rng: random.Random, name: str, kind: str, place: tuple[int, int]) -> None:
    strength = {"tank": "8-4", "mechanized": "6-4", "motorized": "4-3", "infantry": "5-4", "artillery": "8-2"}[kind]
    entries = {
        "id": name,
        "side": "axis",
        "type": kind,
        "values": f"{strength}-{rng.randint(*MA[kind])}",
        "at": _label(*place),
    }
    if kind == "artillery":
        entries["size"] = "battalion"
    made.table("unit", **entries)


class _Roads:
    """Writes chains of neighbouring hexes."""

    def __init__(self, width: int, height: int) -> None:
        self._numbering = load_rulebook(model_folder("ocs")).numbering
        self._inside = {_label(column, row) for column in range(width) for row in range(height)}

    def chain(self, places: list[tuple[int, int]]) -> str:
        """Return labels of which each two that follow each other are neighbours; where places aren't, by a hex between."""
        found = [_label(*places[0])]
        for place in places[1:]:
            to = _label(*place)
            if to not in self._numbering.neighbours(found[-1]):
                beside = set(self._numbering.neighbours(found[-1])) & set(self._numbering.neighbours(to)) & self._inside
                found.append(min(beside))
            found.append(to)
        return " ".join(found)
