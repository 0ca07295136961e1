"""Measures where all units of a side can end, with a plan for each hex, against what a search lists.

Usage: ``python benchmarks/sides.py [--runs 3]``. Writes ``benchmarks/results/DATE-sides.json``, of which ``report.py`` makes
a row of the table of small things. What counts are ratios within one run.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from datetime import date
from functools import partial
from pathlib import Path
from statistics import median

from families import write
from micro import Row, busy, row
from run import RESULTS

import planner
from planner.gc_pause import seldom
from planner.limits import Limits
from planner.reachability.event_reach import waits
from planner.scenario import Scenario
from planner.search.reach_cache import ReachCache
from planner.search.reach_report import report
from planner.search.reachable import ReachReport
from planner.search.witness_judge import WitnessJudge

SIDES = (("dense", "80"), ("villages", "80"), ("stacks", "30"))
"""Instances of which every unit is asked where it can end, and the shipped ones."""
SHIPPED_SIDES = ("a_world_at_war/through_the_line", "crossroads/start", "ocs/breakthrough")


def whole_sides(folder: Path, runs: int) -> Row:
    """Reach for all units, with a plan for each hex, against what a search lists, and the judging of those plans once."""
    told, most = [], 0.0
    files = [(f"{family} {size}", str(write(family, size, 0, folder))) for family, size in SIDES]
    planner.suggest("dai_senso/manchuria", time_limit=0)  # so that the solver is loaded
    for name, where in (*files, *((name, name) for name in SHIPPED_SIDES)):
        some: list[tuple[float, float]] = []
        for _ in range(runs):
            cache, scenario = ReachCache(planner.load(where), Limits()), planner.load(where)
            found, judge = list[ReachReport](), WitnessJudge(planner.load(where))
            units = [unit for unit in scenario.game.homes if unit in scenario.game.friends]
            listing = busy(partial(_all_listed, cache))
            took = busy(partial(_all_reached, scenario, units, found))
            some.append((took / listing, busy(partial(_all_judged, judge, found)) / listing))
        took, judging = (median(shares) for shares in zip(*some, strict=True))
        told.append(f"{name} {took:.1f} times ({judging:.1f})")
        most = max(most, took)
    what = "reach of all units of a side, with a plan for each hex, to listing what all can do (judging each plan once)"
    return row(what, "; ".join(told), "about as long", most < 1.5)


def _all_listed(cache: ReachCache) -> None:
    with seldom():
        _ = cache.itineraries if waits(cache.scenario.game) else (cache.possibilities, cache.teams)


def _all_reached(scenario: Scenario, units: list[str], found: list[ReachReport]) -> None:
    with seldom():
        found += report(scenario, units)


def _all_judged(judge: WitnessJudge, found: list[ReachReport]) -> None:
    with seldom():
        for one in found:
            for hex_ in (*one.alone, *one.with_help):
                assert judge.goes(hex_.plan, one.unit, hex_.hex) is not None


def main() -> None:
    """Measure it, and record it."""
    parser = argparse.ArgumentParser(
        description="Measures where all units of a side can end, with a plan for each hex."
    )
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--output", type=Path, default=RESULTS / f"{date.today()}-sides.json")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        found = whole_sides(Path(name), max(1, arguments.runs))
    print(f"{found['what']}: {found['measured']}")
    record = {"date": str(date.today()), "rows": [found]}
    arguments.output.parent.mkdir(parents=True, exist_ok=True)
    arguments.output.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
