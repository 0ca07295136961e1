"""How long it takes to verify the puzzles of this repository: claim, uniqueness with all cooks up to three, and hints.

Usage: ``python benchmarks/puzzles.py [--workers N] [--runs N]``. Loading is left out; of several runs the median
counts. Ends with 1 if a puzzle doesn't hold, or takes longer than it may.
"""

from __future__ import annotations

import argparse
import platform
import statistics
import sys
from datetime import UTC, datetime
from pathlib import Path

import ortools

from planner.limits import Limits
from planner.puzzles.verify import verify_file

FOLDER = Path(__file__).resolve().parents[1] / "scenarios"
LONGEST = 10.0
"""Seconds that no puzzle may exceed on two cores."""
FEWEST = 30
"""So many puzzles the set has at least."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--runs", type=int, default=3)
    arguments = parser.parse_args()
    files = sorted(FOLDER.glob("*/puzzles/*.toml"))
    assert len(files) >= FEWEST
    print(
        f"{datetime.now(UTC):%Y-%m-%d}, Python {platform.python_version()}, ortools {ortools.__version__}, "
        f"{platform.machine()}, {arguments.workers} workers, {arguments.runs} runs\n"
    )
    print("| puzzle | question | outcome | solution | median s | max |\n|---|---|---|---|---|---|")
    wrong, medians = 0, []
    for file in files:
        found = [
            verify_file(file, limits=Limits.within(None, workers=arguments.workers)) for _ in range(arguments.runs)
        ]
        seconds = [one.seconds for one in found]
        unique = next((check.message for check in found[0].checks if check.kind == "unique"), "none")
        solution = "unique" if "is unique" in unique else unique.split(":")[0]
        medians.append(statistics.median(seconds))
        wrong += found[0].outcome != "holds" or medians[-1] > LONGEST
        name = file.relative_to(FOLDER).with_suffix("").as_posix().replace("/puzzles", "")
        outcome = found[0].outcome
        print(f"| {name} | {found[0].question} | {outcome} | {solution} | {medians[-1]:.2f} | {max(seconds):.2f} |")
    print(f"\n{len(files)} puzzles, median {statistics.median(medians):.2f} s, longest {max(medians):.2f} s")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
