"""Villages: a small war as computer games have it, one unit a hex, villages to stand in, a leader each; Crossroads, changed.

Key: ``enemies``, by default as many as units.
"""

from __future__ import annotations

import random

from families.drafting import Draft, Size

COLUMNS, ROWS = 30, 25

OWN = (
    ("infantry", "4-4-5"),
    ("infantry", "5-3-4"),
    ("cavalry", "3-3-8"),
    ("mechanized", "4-3-6"),
    ("armor", "6-5-6"),
)
ENEMIES = ("2-3-5", "3-4-5", "4-5-4", "2-2-8")

CHARTS = """
[charts.rules.stacking]
limits = [{ units = 1 }]

[charts.rules.zoc]
effects = [{ paragraph = "5.3", on = "enter", does = "stop" }]
"""
"""One unit a hex, and a ZOC stops whoever enters it, wherever it comes from."""


def villages(size: Size, seed: int) -> Draft:
    """Return two bands between each other's villages.

    The tiers: villages, and standing beside the enemy's leader; standing beside few enemies, and the own leader's way
    home; MP.

    Raises
    ------
    ValueError
        If the size is out of bounds.
    """
    units = size.units_within(2, 100)
    enemies = size.number("enemies", units, 1, 100)
    rng = random.Random(f"villages {units} {enemies} {seed}")
    made = Draft()
    made.begin("crossroads", f"Villages: {size.name} units, seed {seed}", "movement", "blue")
    rows = [rng.choices(".whm", (66, 17, 13, 4))[0] for _ in range(ROWS * COLUMNS)]
    towns = rng.sample([(row, column) for row in range(4, ROWS) for column in range(COLUMNS)], 16)
    for row, column in towns:
        rows[row * COLUMNS + column] = "T"
    made.rows("0101", [" ".join(rows[row * COLUMNS : (row + 1) * COLUMNS]) for row in range(ROWS)])
    made.lines += ["boxes.eliminated = {}", CHARTS]
    foes = rng.sample([(row, column) for row in range(11, 21) for column in range(COLUMNS)], enemies)
    own = rng.sample([(row, column) for row in range(2, 11) for column in range(COLUMNS)], units)
    for index, place in enumerate(own):
        kind, values = rng.choice(OWN)
        made.table("unit", id=f"u{index}", side="blue", type=kind, values=values, at=label(*place))
    for index, place in enumerate(foes):
        made.table("unit", id=f"e{index}", side="red", type="infantry", values=rng.choice(ENEMIES), at=label(*place))
    beside = ", ".join(f'"{label(*place)}"' for place in _beside(*foes[0]))
    made.tier(
        *(f'kind = "hold", hexes = "{label(*place)}", weight = {rng.choice((2, 3, 4))}' for place in towns),
        f'kind = "hold", hexes = [{beside}], weight = 3',
    )
    made.tier('kind = "exposure"', f'kind = "distance", of = {{ units = ["u0"] }}, to = "{label(3, COLUMNS // 2)}"')
    made.tier('kind = "mp_spent"')
    return made


def label(row: int, column: int) -> str:
    """Return the label of a hex."""
    return f"{column + 1:02}{row + 1:02}"


def _beside(row: int, column: int) -> list[tuple[int, int]]:
    """Return the hexes beside one: every other column lies half a hex lower."""
    low = column % 2
    around = [(row - 1, column), (row + 1, column)]
    around += [(row + low - up, column + side) for up in (0, 1) for side in (-1, 1)]
    return [(r, c) for r, c in around if 0 <= r < ROWS and 0 <= c < COLUMNS]
