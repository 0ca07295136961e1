"""How fast positions are played on: a unit's legal moves, push and pop, sequences counted.

Usage: python benchmarks/positions.py [--seeds N] [--output FILE]

Processor time; medians over random walks of each scenario. With --output, they are recorded for docs/benchmarks.md.
"""

from __future__ import annotations

import argparse
import json
import platform
import random
import statistics
import time
from datetime import date
from pathlib import Path

from planner import Position
from planner.plans.plan import Move

GAMES = (
    "classic_hex/three_battles",
    "crossroads/start",
    "ocs/two_overruns",
    "ocs/breakthrough",
    "dai_senso/manchuria",
    "great_war/over_the_top",
    "a_world_at_war/rendezvous",
)


def measured(name: str, seeds: int) -> dict[str, float]:
    """Return medians over random walks: milliseconds and moves of a list, microseconds of a push and pop of three sorts."""
    lists, counts, new, known, unlisted = [], [], [], [], []
    for seed in range(seeds):
        rng, position = random.Random(seed), Position(name)
        units = sorted(unit for unit in position.scenario.game.friends if unit in position.at)  # in no run's own order
        for unit in units:  # steps are listed once a phase
            list(position.legal_moves(unit))
        for unit in rng.sample(units, len(units))[:12]:
            if unit not in position.at:
                continue
            begin = time.process_time()
            moves = list(position.legal_moves(unit))
            lists.append((time.process_time() - begin) * 1e3)
            counts.append(len(moves))
            plain: list[Move] = [move for move in moves if not move.overruns][:20]
            for times in (new, known):
                if plain:
                    begin = time.process_time()
                    for move in plain:
                        position.push(move)
                        position.pop()
                    times.append((time.process_time() - begin) / len(plain) * 1e6)
            if plain:
                fresh = Position(position.scenario)
                begin = time.process_time()
                for move in plain:
                    fresh.push(move)
                    fresh.pop()
                unlisted.append((time.process_time() - begin) / len(plain) * 1e6)
                position.push(rng.choice(plain))
                while position.outcomes:
                    position.roll(rng)
    return {
        "moves": statistics.median(counts),
        "list_ms": statistics.median(lists),
        "new_us": statistics.median(new) if new else 0.0,
        "unlisted_us": statistics.median(unlisted) if unlisted else 0.0,
        "known_us": statistics.median(known) if known else 0.0,
    }


def main() -> None:
    """Print a line for each game."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--output", type=Path)
    asked = parser.parse_args()
    rows = []
    for name in GAMES:
        rows.append({"name": name, **measured(name, asked.seeds)})
        print(
            "{name:28} moves {moves:4.0f}  list {list_ms:6.1f} ms  push+pop listed {new_us:6.0f} us  unlisted "
            "{unlisted_us:6.0f} us  known {known_us:5.1f} us".format(**rows[-1]),
            flush=True,
        )
    if asked.output is not None:
        record = {"date": str(date.today()), "python": platform.python_version(), "seeds": asked.seeds, "rows": rows}
        asked.output.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
