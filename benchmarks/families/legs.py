"""Long legs: units with a large MA on a large map, enemies scattered before them; Dai Senso.

Keys: ``hexes=2000``, ``ma=16-20`` and ``tiers`` as for fronts.
"""

from __future__ import annotations

import random
from math import isqrt

from families.drafting import WIDE, Draft, Size
from families.fronts import add_forces, add_objective, label


def legs(size: Size, seed: int) -> Draft:
    """Return an instance with long legs: 0.6 enemies for each own unit, an objective for every fourth.

    Raises
    ------
    ValueError
        If the size is out of bounds.
    """
    units = size.units_within(1, 400)
    hexes, ma = size.number("hexes", 2000, 400, 100_000), size.span("ma", (16, 20), 60)
    tiers = size.number("tiers", 2, 0, 2)
    rng = random.Random(f"long legs {units} {hexes} {ma} {seed}")
    depth = isqrt(hexes)
    width = hexes // depth
    middle = depth // 2
    terrain = [[rng.choices(".^", (85, 15))[0] for _ in range(width)] for _ in range(depth)]

    def band(low: int, high: int) -> list[tuple[int, int]]:
        return [(row, column) for row in range(max(0, low), min(depth, high)) for column in range(width)]

    own = rng.sample(band(middle - 8, middle - 4) * 2, units)
    enemies = rng.sample(band(middle - 2, middle + 6), min(round(0.6 * units) + 1, 4 * width))
    goals = rng.sample(band(middle + 6, middle + 16), max(3, units // 4))
    made = Draft(wide=depth + 10 > 100 or width > 100)
    made.begin(
        f"./{WIDE}" if made.wide else "dai_senso",
        f"Long legs: {size.name} units, seed {seed}",
        "operational_movement",
        "soviet",
    )
    made.rows(label(depth - 1, 0, made.wide), [" ".join(row) for row in reversed(terrain)])
    add_forces(made, rng, own, enemies, ma)
    add_objective(made, rng, goals, len(enemies), tiers)
    return made
