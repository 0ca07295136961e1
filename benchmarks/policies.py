"""Measures plans that react to what is rolled: the best plan fixed in advance, the best way of playing, and the bound.

Usage: ``python benchmarks/policies.py [--limit 60] [--only NAME …]``. Writes ``benchmarks/results/DATE-policies.json``,
from which ``report.py`` makes a table. The fixed plan is asked for by itself, within the same limit.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from datetime import date
from pathlib import Path
from typing import Any

from families import write
from run import RESULTS, machine, versions

import planner
from planner.search.policy_judge import judge_policy

SCENARIOS = ("ocs/two_overruns", "ocs/breakthrough", "great_war/over_the_top", "classic_hex/three_battles")
INSTANCES = tuple((family, size, seed) for family, size in (("crowded", "20"), ("stacks", "30")) for seed in range(3))


def measured(name: str, where: str | Path, limit: float) -> dict[str, Any]:
    """Return what is found of one scenario.

    Raises
    ------
    AssertionError
        If the referee judges the policy otherwise, or fixed plan, policy and bound aren't in order.
    """
    scenario = planner.load(where)
    fixed = planner.suggest(scenario, time_limit=limit)
    forgotten = planner.load(where)  # what is proved of one isn't proved anew
    begin = time.perf_counter()
    found = planner.suggest(forgotten, adaptive=True, time_limit=limit)
    seconds = time.perf_counter() - begin
    if found.root is not None:
        assert judge_policy(scenario, found.root).value == found.value
        assert found.fixed <= found.value <= found.bound
    return {
        "name": name,
        "fixed": [str(value) for value in fixed.value],
        "fixed_proved": fixed.status == "optimal",
        "value": [str(value) for value in found.value],
        "bound": [str(value) for value in found.bound],
        "status": found.status,
        "seconds": round(seconds, 2),
    }


def main() -> None:
    """Measure all of them."""
    parser = argparse.ArgumentParser(description="Measures plans that react to what is rolled.")
    parser.add_argument("--limit", type=float, default=60)
    parser.add_argument("--only", nargs="*", default=[], help="parts of names")
    parser.add_argument("--note", default="", help="what is to be known of the circumstances")
    parser.add_argument("--output", type=Path, default=RESULTS / f"{date.today()}-policies.json")
    arguments = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        asked: list[tuple[str, str | Path]] = [(name, name) for name in SCENARIOS]
        for family, size, seed in INSTANCES:
            asked.append((f"{family} {size}, seed {seed}", write(family, size, seed, Path(folder))))
        for name, where in asked:
            if not arguments.only or any(part in name for part in arguments.only):
                rows.append(measured(name, where, arguments.limit))
                print(rows[-1], flush=True)
    record = {
        "date": str(date.today()),
        "machine": machine(),
        "versions": {name: told for name, told in versions().items() if name in ("python", "planner", "ortools")},
        "limit": arguments.limit,
        "note": arguments.note,
        "rows": rows,
    }
    arguments.output.parent.mkdir(parents=True, exist_ok=True)
    arguments.output.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
