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


def scenario() -> Scenario:
    """Return a map of 100 by 50 hexes with two armies of a hundred units, the same every time."""
    dice = random.Random("a large map")
    terrain = [[dice.choices(".hMmsvC", (70, 10, 4, 5, 3, 5, 3))[0] for _ in range(COLUMNS)] for _ in range(ROWS)]

    def label(column: int, row: int) -> str:
        return f"{column:02}.{row:02}"

    hexsides = {
        "road": [_walk(row) for row in (9, 23, 41)],
        "railroad": [" ".join(label(column, row) for row in range(ROWS)) for column in (12, 50, 88)],
        "minor_river": [_banks(30), _banks(70)],
    }
    units: list[dict[str, Any]] = []
    for index in range(UNITS):
        side, low = ("axis", 5) if index % 2 else ("allied", 52)
        kind = dice.choice(("tank", "mechanized", "motorized", "infantry", "artillery"))
        at = label(low + dice.randrange(42), dice.randrange(2, ROWS - 2))
        values = f"{dice.randint(2, 12)}-{dice.randint(2, 6)}-{dice.randint(4, 16)}"
        units.append({"id": f"{kind[:4]}{index}", "side": side, "type": kind, "values": values, "at": at})
    return build_scenario(
        {
            "format": "planner/scenario-1",
            "model": "ocs",
            "title": f"A large map: {COLUMNS * ROWS} hexes, {UNITS} units",
            "phase": "movement",
            "phasing": "axis",
            "map": {"origin": label(0, ROWS - 1), "rows": ["".join(row) for row in terrain], "hexsides": hexsides},
            "unit": units,
        },
        "a large map",
    )


def _walk(row: int) -> str:
    """Return a road from west to east, which keeps to the row as far as columns lie beside each other."""
    return " ".join(f"{column:02}.{row:02}" for column in range(COLUMNS))


def _banks(column: int) -> str:
    """Return a river from north to south by its banks."""
    return " ".join(f"{column + step % 2:02}.{row:02}" for row in reversed(range(ROWS)) for step in (0, 1))


def plan(position: Scenario, moves: int = 100) -> Plan:
    """Return a plan in which every unit of one side goes one hex."""
    board, found = position.game.board, []
    for unit, home in position.start.at.items():
        if unit in position.game.phasing and len(found) < moves:
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
