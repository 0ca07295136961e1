"""Fronts: two lines face to face, half of the enemies weak, objectives behind them; Dai Senso.

Keys: ``ma=2-6``, the MA of the own units, and ``tiers=1`` for what is held and eliminated alone, without the MP after it;
``tiers=0`` adds all up to one sum.
"""

from __future__ import annotations

import random

from families.drafting import WIDE, Draft, Size

DEPTH = 12
"""Rows of hexes from the own rear to the enemy's."""

LIMIT = 100
"""Rows or columns for which two digits are enough."""


def dense(size: Size, seed: int) -> Draft:
    """Return a dense front: 0.75 hexes of front for each own unit, and 0.6 enemies.

    Raises
    ------
    ValueError
        If the size is out of bounds.
    """
    return _front("Dense", 0.75, size, seed)


def sparse(size: Size, seed: int) -> Draft:
    """Return a sparse front: 1.5 hexes of front for each own unit, and 0.6 enemies.

    Raises
    ------
    ValueError
        If the size is out of bounds.
    """
    return _front("Sparse", 1.5, size, seed)


def _front(kind: str, frontage: float, size: Size, seed: int) -> Draft:
    units = size.units_within(1, 600)
    ma, tiers = size.span("ma", (2, 6), 30), size.number("tiers", 2, 0, 2)
    rng = random.Random(f"{kind.lower()} front {units} {seed}")
    width = max(6, round(frontage * units))
    places = [(row, column) for row in range(DEPTH) for column in range(width)]
    terrain = {row: [rng.choices(".^", (85, 15))[0] for _ in range(width)] for row in range(DEPTH)}
    between = [place for rows in ((5, 6, 7), (1, 2, 3), (8, 9, 10)) for place in places if place[0] in rows]
    enemy_hexes, own_hexes, goal_hexes = (between[i * 3 * width : (i + 1) * 3 * width] for i in range(3))
    enemies = rng.sample(enemy_hexes, min(round(0.6 * units) + 1, len(enemy_hexes)))
    own = rng.sample(own_hexes * 2, units)
    goals = rng.sample(goal_hexes, max(3, units // 4))
    made = Draft(wide=width > LIMIT)
    made.begin(
        f"./{WIDE}" if made.wide else "dai_senso",
        f"{kind} front: {size.name} units, seed {seed}",
        "operational_movement",
        "soviet",
    )
    made.rows(label(DEPTH - 1, 0, made.wide), [" ".join(terrain[row]) for row in reversed(range(DEPTH))])
    add_forces(made, rng, own, enemies, ma)
    add_objective(made, rng, goals, len(enemies), tiers)
    return made


def label(row: int, column: int, wide: bool = False) -> str:
    """Return the label of a hex."""
    return f"w{row + 10:03}{column:03}" if wide else f"w{row + 10:02}{column:02}"


def add_forces(
    made: Draft,
    rng: random.Random,
    own: list[tuple[int, int]],
    enemies: list[tuple[int, int]],
    ma: tuple[int, int],
) -> None:
    """Write own units, 40 % of them armor, and enemies, half of them weak."""
    for index, place in enumerate(own):
        armor = rng.random() < 0.4
        kind, steps = ("tank", 2) if armor else ("infantry", 1)
        values = f"3-3-{rng.randint(*ma)}"
        made.table(
            "unit", id=f"u{index}", side="soviet", type=kind, values=values, steps=steps, at=label(*place, made.wide)
        )
    for index, place in enumerate(enemies):
        weak = rng.random() < 0.5
        values, steps = ("1-1-1", 1) if weak else ("4-5-1", 2)
        made.table(
            "unit",
            id=f"e{index}",
            side="axis",
            type="infantry",
            values=values,
            steps=steps,
            at=label(*place, made.wide),
        )


def add_objective(made: Draft, rng: random.Random, goals: list[tuple[int, int]], enemies: int, tiers: int) -> None:
    """Write the objective: 30, 60 or 90 for a hex, 40 for an enemy, and then the MP."""
    terms = [
        f'kind = "hold", hexes = "{label(*goal, made.wide)}", weight = {rng.choice((30, 60, 90))}' for goal in goals
    ]
    victims = ", ".join(f'"e{index}"' for index in range(enemies))
    terms.append(f'kind = "eliminate", units = [{victims}], weight = 40')
    if tiers == 0:
        terms.append('kind = "mp_spent"')
    made.tier(*terms)
    if tiers == 2:
        made.tier('kind = "mp_spent"')
