"""Dense fronts by seed, as scenario files: two lines face to face, half of the enemies weak, objectives behind them.

Usage: ``python benchmarks/dense_front.py UNITS SEED > front.toml``
"""

from __future__ import annotations

import random
import sys

DEPTH = 12
"""Rows of hexes from the own rear to the enemy's."""


def front(units: int, seed: int) -> str:
    """Return a scenario file.

    Parameters
    ----------
    units : int
        Own units; there are 0.6 times as many enemies and one more, on 12 rows of 0.75 times as many hexes.
    seed : int
        The same seed gives the same file.

    Raises
    ------
    ValueError
        If the map would be wider than two-digit hex numbers allow.
    """
    if not 1 <= units <= 130:
        raise ValueError("units must be from 1 to 130")
    rng = random.Random(f"dense front {units} {seed}")
    width = max(6, round(0.75 * units))
    rows = {row: [rng.choices(".^", (85, 15))[0] for _ in range(width)] for row in range(DEPTH)}
    enemy_hexes = [(row, column) for row in (5, 6, 7) for column in range(width)]
    enemies = rng.sample(enemy_hexes, min(round(0.6 * units) + 1, len(enemy_hexes)))
    own_hexes = [(row, column) for row in (1, 2, 3) for column in range(width)] * 2
    own = rng.sample(own_hexes, units)
    goals = rng.sample([(row, column) for row in (8, 9, 10) for column in range(width)], max(3, units // 4))
    lines = [
        'format = "planner/scenario-1"',
        'model = "dai_senso"',
        f'title = "Dense front: {units} units, seed {seed}"',
        'phase = "operational_movement"',
        'phasing = "soviet"',
        "",
        "[map]",
        f'origin = "{_label(DEPTH - 1, 0)}"',
        'rows = """',
        *(" ".join(rows[row]) for row in reversed(range(DEPTH))),
        '"""',
    ]
    for index, place in enumerate(own):
        armor = rng.random() < 0.4
        kind, steps = ("tank", 2) if armor else ("infantry", 1)
        lines += _unit(f"u{index}", "soviet", kind, f"3-3-{rng.randint(2, 6)}", steps, place)
    for index, place in enumerate(enemies):
        weak = rng.random() < 0.5
        lines += _unit(f"e{index}", "axis", "infantry", "1-1-1" if weak else "4-5-1", 1 if weak else 2, place)
    terms = [f'{{ kind = "hold", hexes = "{_label(*goal)}", weight = {rng.choice((30, 60, 90))} }}' for goal in goals]
    victims = ", ".join(f'"e{index}"' for index in range(len(enemies)))
    terms.append(f'{{ kind = "eliminate", units = [{victims}], weight = 40 }}')
    lines += ["", "[[tier]]", "terms = [", *(f"    {term}," for term in terms), "]"]
    lines += ["", "[[tier]]", 'terms = [{ kind = "mp_spent" }]', ""]
    return "\n".join(lines)


def _label(row: int, column: int) -> str:
    return f"w{row + 10:02}{column:02}"


def _unit(name: str, side: str, kind: str, values: str, steps: int, place: tuple[int, int]) -> list[str]:
    return [
        "",
        "[[unit]]",
        f'id = "{name}"',
        f'side = "{side}"',
        f'type = "{kind}"',
        f'values = "{values}"',
        f"steps = {steps}",
        f'at = "{_label(*place)}"',
    ]


if __name__ == "__main__":
    sys.stdout.write(front(int(sys.argv[1]), int(sys.argv[2])))
