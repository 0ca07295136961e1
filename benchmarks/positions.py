"""How fast positions are played on: a unit's legal moves, push and pop, sequences counted.

Usage: python benchmarks/positions.py [--seeds N] [--markdown]

Processor time; medians over random walks of each scenario. For scale: python-chess, which knows one game and no terrain,
lists the legal moves of a position in some 40 µs, and pushes and pops one in some 10 µs.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time

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
    """Return medians over random walks: milliseconds and moves of a list, microseconds of a push and pop, new and known."""
    lists, counts, new, known = [], [], [], []
    for seed in range(seeds):
        rng, position = random.Random(seed), Position(name)
        units = [unit for unit in position.scenario.game.phasing if unit in position.at]
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
                position.push(rng.choice(plain))
                while position.outcomes:
                    position.roll(rng)
    return {
        "moves": statistics.median(counts),
        "list_ms": statistics.median(lists),
        "new_us": statistics.median(new) if new else 0.0,
        "known_us": statistics.median(known) if known else 0.0,
    }


def main() -> None:
    """Print a line for each game."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--markdown", action="store_true", help="as the table of docs/benchmarks.md")
    asked = parser.parse_args()
    row = (
        "| {0} | {moves:.0f} | {list_ms:.1f} | {new_us:.0f} | {known_us:.1f} |"
        if asked.markdown
        else (
            "{0:28} moves {moves:4.0f}  list {list_ms:6.1f} ms  push+pop new {new_us:6.0f} us  known {known_us:5.1f} us"
        )
    )
    if asked.markdown:
        print(
            "| scenario | moves of a unit | listed in ms | push and pop, µs | known ones, µs |\n|---|---|---|---|---|"
        )
    for name in GAMES:
        print(row.format(f"`{name}`" if asked.markdown else name, **measured(name, asked.seeds)), flush=True)


if __name__ == "__main__":
    main()
