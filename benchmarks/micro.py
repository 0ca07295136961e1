"""Measures small things against their bars: checks, reach, cold starts, loading, time limits and interrupts.

Usage: ``python benchmarks/micro.py [--runs 5]``. Writes ``benchmarks/results/DATE-micro.json``,
from which ``report.py`` makes a table.
"""

from __future__ import annotations

import argparse
import heapq
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import date
from pathlib import Path
from statistics import median
from typing import Any

from families import write
from peers.by_hand import Board, one_after_another
from peers.task import Task
from processes import compile_bytecode
from run import RESULTS, machine, versions

import planner
from planner.gc_pause import seldom
from planner.plans.plan import Plan
from planner.reachability.conditional_reach import ConditionalReach
from planner.reachability.step_table import StepTable
from planner.scenario import Scenario

Row = dict[str, Any]


def timed(work: Callable[[], Any], clock: Callable[[], float] = time.perf_counter) -> float:
    """Return the seconds that something takes."""
    begin = clock()
    work()
    return clock() - begin


def busy(work: Callable[[], Any]) -> float:
    """Return the processor's seconds: what one thread takes by itself, however many others share the machine."""
    return timed(work, time.process_time)


def row(what: str, measured: str, bar: str, kept: bool) -> Row:
    """Return a row of the table."""
    return {"what": what, "measured": measured, "bar": bar, "kept": kept}


def check_of_forty_moves(folder: Path, runs: int) -> Row:
    """Check a legal plan of 40 moves in process."""
    scenario = planner.load(write("dense", "80", 0, folder))
    board, task = Board(scenario), Task(folder, 600, 0, 1, "", folder / "none")
    state = one_after_another(board, task, board.begin(), board.movers)
    for unit in board.movers:  # greedy may leave some where they are: they move for no reason
        if len(state.moves) < 40 and unit not in state.tally.mp:
            state = board.improve(state, unit, random.Random(unit), idly=True) or state
    plan = Plan(tuple(state.moves[:40]))
    assert len(plan.moves) == 40
    assert planner.check(scenario, plan).legal
    took = median(busy(lambda: planner.check(scenario, plan)) for _ in range(4 * runs))
    return row(
        "check of a 40-move plan in process, 80 units", f"{1000 * took:.1f} ms of processor time", "10 ms", took < 0.010
    )


def reach_of_all(folder: Path, runs: int) -> list[Row]:
    """Reach for all units of 80-unit scenarios, against Dijkstra on the same graph, where no condition lies on the way."""
    whole, bare, lookup = [], [], []
    for seed in range(runs):
        file = folder / f"alone-{seed}.toml"
        file.write_text(_without_enemies(write("legs", "80/hexes=2000/ma=6-10", seed, folder)), encoding="utf-8")
        some: list[tuple[float, float, float]] = []
        for _ in range(min(runs, 3)):
            fresh = planner.load(file)
            took = busy(lambda fresh=fresh: _all_possibilities(fresh))
            table = StepTable(fresh.game)
            asking = busy(lambda table=table: [_dijkstra(table, unit) for unit in table.movers])
            graph = _graph(table)
            ready = busy(lambda table=table, graph=graph: [_on_graph(table, graph, unit) for unit in table.movers])
            some.append((took, ready, asking))
        reach = ConditionalReach(fresh.game)
        unit = reach.movers[0]
        assert {p.end for p in reach.possibilities(unit)} == set(_dijkstra(reach, unit)) - {fresh.game.homes[unit]}
        for times, found in zip((whole, bare, lookup), zip(*some, strict=True), strict=True):
            times.append(median(found))
    times_bare = median(took / ready for took, ready in zip(whole, bare, strict=True))
    times_asking = median(took / asking for took, asking in zip(whole, lookup, strict=True))
    return [
        row(
            "reach of 80 units, MA 6 to 10, 2,000 hexes, no enemy, to a bare Dijkstra on a ready graph",
            f"{median(whole):.2f} s, {times_bare:.1f} times {median(bare):.2f} s",
            "6 times",
            times_bare < 6,
        ),
        row(
            "the same, to a Dijkstra that asks the rules for each step",
            f"{times_asking:.1f} times {median(lookup):.2f} s",
            "3 times",
            times_asking < 3,
        ),
    ]


def _without_enemies(file: Path) -> str:
    """Return a scenario with one side alone on the board, and nothing asked for but MP."""
    head, *tables = file.read_text(encoding="utf-8").split("\n[[")
    own = [table for table in tables if not table.startswith("unit]]") or 'side = "soviet"' in table]
    goals = [table for table in own if not table.startswith("tier")]
    return "\n[[".join([head, *goals]) + '\n[[tier]]\nterms = [{ kind = "mp_spent" }]\n'


def _all_possibilities(scenario: Scenario) -> None:
    with seldom():  # as whatever the program is asked
        reach = ConditionalReach(scenario.game)
        for unit in reach.movers:
            reach.possibilities(unit)


def _dijkstra(table: StepTable, unit: str) -> dict[str, int]:
    """Return the least MP to each hex, by the rules' own steps."""
    home, limit = table.game.homes[unit], int(table.game.units[unit].ma * table.scale)
    best, queue = {home: 0}, [(0, home)]
    while queue:
        spent, label = heapq.heappop(queue)
        if spent > best[label]:
            continue
        for step in table.steps(unit, label):
            further = spent + step.cost
            to = step.arc.to
            if (further <= limit or label == home) and further < best.get(to, further + 1):
                best[to] = further
                if further <= limit:
                    heapq.heappush(queue, (further, to))
    return best


def _graph(table: StepTable) -> dict[str, dict[str, list[tuple[str, int]]]]:
    """Return the costs of all steps, for each kind of unit."""
    kinds: dict[str, dict[str, list[tuple[str, int]]]] = {}
    for unit in table.movers:
        kind = table.game.units[unit].type
        if kind not in kinds:
            kinds[kind] = {
                label: [(step.arc.to, step.cost) for step in table.steps(unit, label)]
                for label in table.game.board.hexes
            }
    return kinds


def _on_graph(table: StepTable, graph: dict[str, dict[str, list[tuple[str, int]]]], unit: str) -> dict[str, int]:
    """Return the least MP to each hex, on a graph that is ready."""
    neighbours = graph[table.game.units[unit].type]
    home, limit = table.game.homes[unit], int(table.game.units[unit].ma * table.scale)
    best, queue = {home: 0}, [(0, home)]
    while queue:
        spent, label = heapq.heappop(queue)
        if spent > best[label]:
            continue
        for to, cost in neighbours[label]:
            further = spent + cost
            if further <= limit and further < best.get(to, further + 1):
                best[to] = further
                heapq.heappush(queue, (further, to))
    return best


def cold_starts(folder: Path, runs: int) -> list[Row]:
    """Time whole processes."""
    commands = {
        "planner --help": ["--help"],
        "planner check": ["check", "dai_senso/manchuria", "inf w5525-w5425", "plv w5525-w5425xw5426"],
    }
    rows = []
    for name, words in commands.items():
        run = [sys.executable, "-m", "planner", *words]
        subprocess.run(run, stdout=subprocess.DEVNULL, check=True)
        took = median(
            timed(lambda run=run: subprocess.run(run, stdout=subprocess.DEVNULL, check=True)) for _ in range(2 * runs)
        )
        bare = median(
            timed(lambda: subprocess.run([sys.executable, "-c", "pass"], check=True)) for _ in range(2 * runs)
        )
        rows.append(
            row(
                f"`{name}` from a cold start",
                f"{took:.2f} s, {took / bare:.0f} times `python -c pass`",
                "0.3 s",
                took < 0.3,
            )
        )
    return rows


def loading(folder: Path, runs: int) -> Row:
    """Load 10,000 hexes and 400 units."""
    file = write("legs", "250/hexes=10000", 0, folder)
    scenario = planner.load(file)
    assert len(scenario.game.board.hexes) == 10_000
    assert len(scenario.game.units) == 401
    took = median(busy(lambda: planner.load(file)) for _ in range(runs))
    return row("loading 10,000 hexes and 401 units", f"{took:.2f} s", "1 s", took < 1)


LIMITS = (
    ("dense", "40/ma=6-10"),
    ("dense", "120"),
    ("sparse", "200"),
    ("legs", "40/hexes=2000"),
    ("legs", "80/hexes=10000"),
    ("legs", "80/hexes=2000"),
    ("islands", "60"),
    ("crowded", "60"),
    ("stacks", "60"),
    ("stacks", "120"),
    ("joint", "48"),
)
"""Instances on which time limits and interrupts are tried."""


def time_limits(folder: Path, runs: int) -> list[Row]:
    """Hold time limits against the time that searches take, loading excepted as the limit has it."""
    rows = []
    for limit in (0.0, 1.0, 5.0, 20.0):
        over = []
        planner.suggest("dai_senso/manchuria", time_limit=0)  # so that the solver is loaded
        for family, size in LIMITS:
            scenario = planner.load(write(family, size, 0, folder))
            took = timed(lambda scenario=scenario, limit=limit: planner.suggest(scenario, time_limit=limit))
            over.append((took - limit, f"{family} {size}"))
        bar = max(0.25, 0.05 * limit)
        what = f"time limit of {limit:g} s, {len(LIMITS)} instances"
        rows.append(row(what, _late(over, bar, "over"), f"{bar:.2f} s over", max(over)[0] <= bar))
    return rows


def interrupts(folder: Path, runs: int) -> Row:
    """Send an interrupt to `planner suggest` after two seconds, and wait for the answer."""
    took = []
    for family, size in LIMITS:
        file = write(family, size, 0, folder)
        words = [sys.executable, "-m", "planner", "suggest", str(file), "--json"]
        with subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            try:
                process.wait(2.0)
                continue  # done before
            except subprocess.TimeoutExpired:
                os.kill(process.pid, signal.SIGINT)
            took.append((timed(process.wait), f"{family} {size}"))
    return row(f"answer to an interrupt, {len(took)} instances", _late(took, 1, "later"), "1 s", max(took)[0] <= 1)


def _late(found: list[tuple[float, str]], bar: float, word: str) -> str:
    """Return the worst of some times, or all that are above their bar."""
    beyond = [entry for entry in sorted(found, reverse=True) if entry[0] > bar] or [max(found)]
    return ", ".join(f"{seconds:.2f} s {word} ({where})" for seconds, where in beyond)


def main() -> None:
    """Measure everything."""
    parser = argparse.ArgumentParser(description="Measures small things against their bars.")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--output", type=Path, default=RESULTS / f"{date.today()}-micro.json")
    arguments = parser.parse_args()
    compile_bytecode()
    rows: list[Row] = []
    with tempfile.TemporaryDirectory() as name:
        for measure in (check_of_forty_moves, reach_of_all, cold_starts, loading, time_limits, interrupts):
            found = measure(Path(name), max(1, arguments.runs))
            for entry in found if isinstance(found, list) else [found]:
                rows.append(entry)
                print(
                    f"{entry['what']}: {entry['measured']} (bar: {entry['bar']}, {'kept' if entry['kept'] else 'NOT KEPT'})",
                    flush=True,
                )
    record = {
        "date": str(date.today()),
        "machine": machine(),
        "versions": versions(),
        "runs": arguments.runs,
        "rows": rows,
    }
    arguments.output.parent.mkdir(parents=True, exist_ok=True)
    arguments.output.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
