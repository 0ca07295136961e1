"""Joint overruns: panzers and motorized corps that meet beside armies which none could overrun alone; A World at War.

Key: ``enemies``, by default as many as units; ``air``, air units in support, by default one for each four units.
"""

from __future__ import annotations

import random

from families.drafting import Draft, Size


def joint(size: Size, seed: int) -> Draft:
    """Return a line of armies with gaps, units that may open more of them together, and objectives behind it.

    Raises
    ------
    ValueError
        If the size is out of bounds.
    """
    units = size.units_within(2, 120)
    enemies, air = size.number("enemies", units, 1, 300), size.number("air", units // 4, 0, 60)
    rng = random.Random(f"joint {units} {enemies} {air} {seed}")
    width = max(10, round(1.7 * units))
    rows = ["".join(rng.choices(".fsM", (84, 10, 4, 2))[0] for _ in range(width)) for _ in range(16)]
    made = Draft()
    made.begin("a_world_at_war", f"Joint overruns: {size.name} units, seed {seed}", "movement", "axis")
    made.rows("A1", rows)
    goals = rng.sample([(row, column) for row in (10, 11, 12) for column in range(width)], max(2, units // 4))
    made.lines.append("boxes.force_pool = {}")
    line = rng.sample(
        [(row, column) for row in (7, 8) for column in range(width)], min(enemies - enemies // 5, 2 * width)
    )
    depth = rng.sample(
        [(row, column) for row in (10, 11) for column in range(width) if (row, column) not in goals], enemies // 5
    )
    for index, place in enumerate([*line, *depth]):
        armor = rng.random() < 0.25
        kind, values = ("armor", f"{rng.randint(1, 2)}-5") if armor else ("infantry", f"{rng.randint(1, 2)}-3")
        made.table(
            "unit", id=f"e{index}", side="allies", type=kind, nationality="russia", values=values, at=_label(*place)
        )
    starts = rng.sample([(row, column) for row in (4, 5) for column in range(width)] * 2, units)
    for index, place in enumerate(starts):
        kind, values = rng.choice(
            (("armor", "4-6"), ("armor", "5-6"), ("armor", "5-6"), ("mechanized_infantry", "3-6"))
        )
        made.table(
            "unit", id=f"u{index}", side="axis", type=kind, nationality="germany", values=values, at=_label(*place)
        )
    for index in range(air):
        place = (3, round((index + 0.5) * width / air))
        made.table(
            "unit",
            id=f"air{index}",
            side="axis",
            type="air",
            nationality="germany",
            values="3-0",
            at=_label(*place),
            support_range=7,
        )
    terms = [f'kind = "hold", hexes = "{_label(*goal)}", weight = 5' for goal in goals]
    victims = ", ".join(f'"e{index}"' for index in range(len(line) + len(depth)))
    terms.append(f'kind = "eliminate", units = [{victims}], weight = 3')
    made.tier(*terms)
    made.tier('kind = "mp_spent"')
    return made


def _label(row: int, column: int) -> str:
    return f"{'ABCDEFGHIJKLMNOP'[row]}{column + 1}"
