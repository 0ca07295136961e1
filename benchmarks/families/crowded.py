"""Crowded boards: one unit a hex, so that who moves on must make room first; Commands & Colors: The Great War.

Keys: ``fill=60``, the share of the hexes behind the own front that are full, in per cent; ``tanks=0``, how many of the
units are tanks, which may bog down.
"""

from __future__ import annotations

import random

from families.drafting import Draft, Size


def crowded(size: Size, seed: int) -> Draft:
    """Return a crowded board: four full rows, no man's land, and the enemy's trench.

    Raises
    ------
    ValueError
        If the size is out of bounds.
    """
    units = size.units_within(4, 300)
    fill, tanks = size.number("fill", 75, 30, 100), size.number("tanks", 0, 0, 100)
    rng = random.Random(f"crowded {units} {fill} {tanks} {seed}")
    width = max(6, -(-100 * units // (4 * fill)))
    signs = ["." * width, "." * width, "t" * width, "", "", "", "", "t" * width, ""]
    rows = [
        "".join(
            rng.choices(".c" if row in (4, 5) else ".fb", (80, 20) if row in (4, 5) else (84, 12, 4))[0]
            for _ in range(width)
        )
        if not signs[row]
        else signs[row]
        for row in range(9)
    ]
    made = Draft()
    made.begin("great_war", f"Crowded board: {size.name} units, seed {seed}", "movement", "allied")
    own = sorted(rng.sample([(row, column) for row in (5, 6, 7, 8) for column in range(width)], units))
    section = {column: ("left", "center", "right")[3 * column // width] for column in range(width)}
    orders = dict.fromkeys(("left", "center", "right"), 0)
    for _, column in own:
        orders[section[column]] += 1
    kept = ", ".join(f"{name} = {max(1, 2 * count // 3)}" for name, count in orders.items())
    made.lines[-1:] = [f"orders = {{ {kept} }}", ""]
    made.rows(_label(0, 0), rows)
    for name in ("left", "center", "right"):
        labels = [_label(row, column) for row in range(9) for column in range(width) if section[column] == name]
        made.lines.append(f'hexes."{" ".join(labels)}" = {{ traits = ["{name}"] }}')
    with_tank = set(rng.sample(range(units), min(tanks, units)))
    kinds = []
    for index, place in enumerate(own):
        kind = (
            rng.choice(("mark_iv", "later_tank"))
            if index in with_tank
            else rng.choice(("infantry",) * 4 + ("mortar", "machine_gun"))
        )
        kinds.append(kind)
        made.table("unit", id=f"u{index}", side="allied", type=kind, at=_label(*place))
    enemies = rng.sample([(row, column) for row in (2, 3) for column in range(width)], max(2, width // 2))
    for index, place in enumerate(enemies):
        made.table(
            "unit", id=f"e{index}", side="central", type=rng.choice(("infantry", "machine_gun")), at=_label(*place)
        )
    taken = {*enemies, *own}
    free = [(row, column) for row in (3, 4, 5, 6) for column in range(width) if (row, column) not in taken]
    for place in rng.sample([place for place in free if place[0] < 5], min(width // 4, len(free))):
        made.table("marker", type="wire", side="central", at=_label(*place))
    goals = rng.sample(free, min(len(free), max(4, units // 3)))
    terms = [f'kind = "hold", hexes = "{_label(*goal)}", weight = {rng.randint(2, 6)}' for goal in goals]
    for index, kind in enumerate(kinds):  # who wants to be where somebody else is
        row, column = own[index]
        near = [(row + down, column + right) for down in (-2, -1, 0) for right in (-1, 0, 1) if (down, right) != (0, 0)]
        full = [place for place in near if place in set(own)]
        if kind in ("machine_gun", "mortar") and full and rng.random() < 0.8:
            terms.append(f'kind = "end", unit = "u{index}", at = "{_label(*rng.choice(full))}", weight = 4')
    made.tier(*terms)
    made.tier('kind = "mp_spent"')
    return made


def _label(row: int, column: int) -> str:
    return f"{'ABCDEFGHI'[row]}{column}"
