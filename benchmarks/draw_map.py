"""How long drawing takes, and how large the files are: 5,000 hexes and 200 units, with roads, rivers and a plan.

Usage: ``python benchmarks/draw_map.py``
"""

from __future__ import annotations

import random
import time
from typing import Any

from planner.draw.picture import Picture
from planner.plans.plan import Move, Plan
from planner.scenario import Scenario, build_scenario

COLUMNS, ROWS, UNITS = 100, 50, 200


def scenario(columns: int = COLUMNS, rows: int = ROWS, count: int = UNITS) -> Scenario:
    """Return a map with two armies of the same size, the same every time: 100 by 50 hexes, 200 units if nothing is said.

    Parameters
    ----------
    columns, rows : int
        How large it is, in hexes; at least 10 each.
    count : int
        Units of both sides together.
    """
    dice = random.Random("a large map")
    terrain = [[dice.choices(".hMmsvC", (70, 10, 4, 5, 3, 5, 3))[0] for _ in range(columns)] for _ in range(rows)]

    def label(column: int, row: int) -> str:
        return f"{column:02}.{row:02}"

    def walk(row: int) -> str:
        """Return a road from west to east, which keeps to the row as far as columns lie beside each other."""
        return " ".join(label(column, row) for column in range(columns))

    def banks(column: int) -> str:
        """Return a river from north to south by its banks."""
        even = column // 2 * 2
        return " ".join(label(even + step, row) for row in reversed(range(rows)) for step in (0, 1))

    def across(*shares: int) -> list[int]:
        return [columns * share // 100 for share in shares]

    hexsides = {
        "road": [walk(rows * share // 100) for share in (18, 46, 82)],
        "railroad": [" ".join(label(column, row) for row in range(rows)) for column in across(12, 50, 88)],
        "minor_river": [banks(column) for column in across(30, 70)],
    }
    units: list[dict[str, Any]] = []
    for index in range(count):
        side, low = ("axis", 5) if index % 2 else ("allied", 52)
        kind = dice.choice(("tank", "mechanized", "motorized", "infantry", "artillery"))
        at = label(across(low)[0] + dice.randrange(across(42)[0]), dice.randrange(2, rows - 2))
        values = f"{dice.randint(2, 12)}-{dice.randint(2, 6)}-{dice.randint(4, 16)}"
        units.append({"id": f"{kind[:4]}{index}", "side": side, "type": kind, "values": values, "at": at})
    return build_scenario(
        {
            "format": "planner/scenario-1",
            "model": "ocs",
            "title": f"A large map: {columns * rows} hexes, {count} units",
            "phase": "movement",
            "phasing": "axis",
            "map": {"origin": label(0, rows - 1), "rows": ["".join(row) for row in terrain], "hexsides": hexsides},
            "unit": units,
        },
        "a large map",
    )


def plan(position: Scenario, moves: int = 100) -> Plan:
    """Return a plan in which every unit of one side goes one hex."""
    board, found = position.game.board, []
    for unit, home in position.start.at.items():
        if unit in position.game.friends and len(found) < moves:
            found.append(Move((unit,), (home, board.neighbours[home][0])))
    return Plan(tuple(found))


def made() -> Picture:
    """Return the position as a picture."""
    return Picture(scenario())


def main() -> None:
    """Print times and sizes."""
    start = time.perf_counter()
    position = scenario()
    print(f"load            {time.perf_counter() - start:6.2f} s")
    moves = plan(position)
    for name, make in (
        ("SVG", lambda: Picture(position).svg()),
        ("SVG, 100 moves", lambda: Picture(position, moves).svg()),
        ("page, 100 moves", lambda: Picture(position, moves).html()),
    ):
        start = time.perf_counter()
        size = len(make().encode())
        print(f"{name:15} {time.perf_counter() - start:6.2f} s {size / 1e6:6.2f} MB")


if __name__ == "__main__":
    main()
