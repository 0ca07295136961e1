"""Goals: a front on which there is an attack worth having on each enemy, and who goes where is who attacks whom; Crossroads.

Keys: ``enemies``, by default half as many as units; ``each=1`` for `odds` and `surround` on each enemy by itself, and the
MP after it, in place of attacks.
"""

from __future__ import annotations

import random

from families.drafting import Draft, Size

SIDE = 30
"""Rows and columns of the map."""

OWN = (
    ("infantry", "4-4-4"),
    ("infantry", "3-4-4"),
    ("armor", "6-5-6"),
    ("mechanized", "5-5-6"),
    ("cavalry", "2-2-6"),
    ("artillery", "4-1-4"),
)
ENEMIES = ("2-3-4", "3-4-4", "4-5-4", "2-2-4")


def goals(size: Size, seed: int) -> Draft:
    """Return two lines face to face, with hexes behind which it matters that the enemy is thrown out.

    The tiers: what the enemy loses and which hexes are emptied, what that costs, who ends beside enemies, and MP. With
    ``each=1``: at which odds each enemy could be attacked, and whether it is surrounded, and MP.

    Raises
    ------
    ValueError
        If the size is out of bounds.
    """
    units = size.units_within(2, 100)
    enemies, each = size.number("enemies", round(0.49 * units), 1, 3 * SIDE), size.number("each", 0, 0, 1)
    rng = random.Random(f"goals {units} {enemies} {seed}")
    made = Draft()
    made.begin("crossroads", f"Goals: {size.name} units, seed {seed}", "movement", "blue")
    rows = [rng.choices(".whm", (76, 12, 9, 3))[0] for _ in range(SIDE * SIDE)]
    made.rows("0101", [" ".join(rows[row * SIDE : (row + 1) * SIDE]) for row in range(SIDE)])
    made.lines.append("boxes.eliminated = {}")
    foes = rng.sample([(row, column) for row in (13, 14, 15) for column in range(SIDE)], enemies)
    own = rng.sample([(row, column) for row in (8, 9, 10) for column in range(SIDE)] * 2, units)
    for index, place in enumerate(own):
        kind, values = rng.choice(OWN)
        made.table("unit", id=f"u{index}", side="blue", type=kind, values=values, at=_label(*place))
    for index, place in enumerate(foes):
        made.table("unit", id=f"e{index}", side="red", type="infantry", values=rng.choice(ENEMIES), at=_label(*place))
    if each:
        made.tier(*(term for index in range(enemies) for term in _goals_on(f"e{index}", rng)))
        made.tier('kind = "mp_spent"')
        return made
    wanted = rng.sample([_label(*place) for place in foes], min(len(foes), 8))
    made.tier(
        'kind = "enemy_losses", weight = 2',
        *(f'kind = "emptied", hexes = "{label}", weight = {rng.choice((2, 4, 6))}' for label in wanted),
    )
    made.tier('kind = "own_losses"')
    made.tier('kind = "exposure"')
    made.tier('kind = "mp_spent"')
    return made


def _goals_on(enemy: str, rng: random.Random) -> tuple[str, str]:
    """Return the terms for an enemy that counts by itself."""
    return (
        f'kind = "odds", target = "{enemy}", odds = "{rng.choice((1, 2, 3))}:1", weight = {rng.choice((2, 4, 6))}',
        f'kind = "surround", target = "{enemy}", weight = {rng.choice((2, 4, 6))}',
    )


def _label(row: int, column: int) -> str:
    return f"{column + 1:02}{row + 1:02}"
