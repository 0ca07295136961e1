"""What a second question costs: the same position with another objective, or a position that is slightly changed.

Usage: python benchmarks/second.py [--seeds N] [--output FILE]

Processor time; of three changed units, reading them included. With --output, it is recorded for docs/benchmarks.md.
"""

from __future__ import annotations

import argparse
import json
import platform
import random
import time
import tomllib
from collections.abc import Callable
from datetime import date
from functools import partial
from pathlib import Path
from statistics import median
from typing import NamedTuple

import families
from parts import PARTS, REST, Parts
from unchanged import unchanged

import planner
from planner.scenario import Scenario
from planner.search.reach_cache import ReachCache

BOARDS = (("dense", "20"), ("dense", "80"), ("villages", "20"), ("crowded", "20"))
FAR = "villages"
"""On these boards some enemies are so far away that nothing near them matters."""

CHANGES = 6
"""Changes of three units that are tried on each board."""

BEYOND = 3
"""By so many hexes are units farther than anybody may get near which nothing matters: EZOCs end before."""

GAME, LIMIT = 50, 1.0
"""Positions of a computer game, one after another, and the seconds of the processor's time that each of them has."""


def busy(work: Callable[[], planner.Result]) -> tuple[float, planner.Result]:
    """Return the processor's seconds that an answer takes, and the answer."""
    begin = time.process_time()
    found = work()
    return time.process_time() - begin, found


def board(family: str, size: str, seed: int) -> Scenario:
    """Return an instance."""
    return Scenario.from_dict(tomllib.loads(families.draft(family, size, seed).text), f"{family} {size} {seed}")


def three_moved(scenario: Scenario, rng: random.Random) -> list[dict[str, str]]:
    """Return the entries of three units that stand a hex farther; what the rules don't let stand is drawn again."""
    at = {unit: home for unit, home in scenario.game.homes.items() if home in scenario.game.board.hexes}
    while True:
        moved = rng.sample(sorted(at), min(3, len(at)))
        entries = [{"id": unit, "at": rng.choice(scenario.game.board.neighbours[at[unit]])} for unit in moved]
        try:
            scenario.with_units(entries)
        except planner.InputError:
            continue
        return entries


def far_moved(scenario: Scenario, rng: random.Random) -> list[dict[str, str]]:
    """Return the entries of the three enemies who are farthest from all whose phase it is, a hex farther."""
    game = scenario.game
    board, homes = game.board, {unit: home for unit, home in game.homes.items() if home in game.board.hexes}

    def away(label: str) -> float:
        """Return by how many hexes a place is farther than whoever may get nearest can go."""
        own = (unit for unit in homes if unit in game.friends)
        return min((board.distance(label, homes[unit]) or 0) - float(game.units[unit].ma) for unit in own)

    farthest = sorted((unit for unit in homes if game.is_enemy(unit)), key=lambda unit: -away(homes[unit]))[:3]
    while True:
        entries = [
            {"id": unit, "at": rng.choice([to for to in board.neighbours[homes[unit]] if away(to) >= BEYOND])}
            for unit in farthest
        ]
        try:
            scenario.with_units(entries)
        except planner.InputError:
            continue
        return entries


def about_changed(scenario: Scenario, entries: list[dict[str, str]]) -> planner.Result:
    """Read a changed position, and answer for it."""
    return planner.suggest(scenario.with_units(entries), time_limit=60)


class Timed(NamedTuple):
    """What answers about one board take.

    Attributes
    ----------
    took : dict from str to list of float
        The seconds of each answer, by what is changed; those of the first one are among them.
    parts : dict from str to list of dict
        What each part of the first answer, and of those about three changed units, has taken of them.
    same : int
        About how many changes of three units the plan is the very plan of the first answer.
    unchanged : list of dict
        How much of the model after each of these changes is about units that can do what they could.
    """

    took: dict[str, list[float]]
    parts: dict[str, list[dict[str, float]]]
    same: int
    unchanged: list[dict[str, float]]


def timed(family: str, size: str, seed: int, clock: Parts) -> Timed:
    """Return what answers about a board take."""
    rng, first = random.Random(seed), board(family, size, seed)
    clock.start()
    began, answer = busy(lambda: planner.suggest(first, time_limit=60))
    parts = {"first": [clock.stop()], "changed": []}
    tiers = [dict(tier) for tier in first.data["tier"]]
    tiers[0] = {"terms": rng.sample(tiers[0]["terms"], max(1, len(tiers[0]["terms"]) - 2))}
    objective, _ = busy(lambda: planner.suggest(first.with_objective(tiers), time_limit=60))
    again, _ = busy(lambda: planner.suggest(first, time_limit=60))
    changed, same = [], 0
    positions = [three_moved(first, rng) for _ in range(CHANGES)]  # what has to be drawn again is nobody's question
    for entries in positions:
        clock.start()
        took, other = busy(partial(about_changed, first, entries))
        parts["changed"].append(clock.stop())
        changed.append(took)
        same += other.plan == answer.plan
    moved = [far_moved(first, rng) for _ in range(CHANGES if family == FAR else 0)]
    far = [busy(partial(about_changed, first, entries))[0] for entries in moved]
    every = {"first": [began], "objective": [objective], "again": [again], "changed": changed, "far": far}
    before = ReachCache(first).relevant
    return Timed(every, parts, same, [unchanged(before, first.with_units(entries)) for entries in positions])


def game(seed: int) -> list[tuple[float, bool]]:
    """Return what each position of a game takes, and whether it is proved in time."""
    rng, now = random.Random(seed), board("villages", "20", seed)
    found = []
    for _ in range(GAME):
        seconds, answer = busy(lambda: planner.suggest(now, time_limit=20))  # noqa: B023
        found.append((seconds, answer.status == "optimal" and seconds <= LIMIT))
        now = now.with_units(three_moved(now, rng))
    return found


def measured(seeds: int) -> tuple[list[dict[str, str | bool]], list[dict[str, object]]]:
    """Return the rows: what, how much of the first answer, the bar, and whether it is kept; and seconds, board by board."""
    clock = Parts()
    clock.listen()
    shares: dict[str, list[float]] = {"objective": [], "again": [], "changed": [], "far": []}
    told, boards = list[str](), list[dict[str, object]]()
    for family, size in BOARDS:
        some: dict[str, list[float]] = {}
        own: dict[str, list[float]] = {}
        spent: dict[str, list[dict[str, float]]] = {"first": [], "changed": []}
        same, shares_kept = 0, list[dict[str, float]]()
        for seed in range(seeds):
            took, parts, alike, some_kept = timed(family, size, seed, clock)
            same += alike
            shares_kept += some_kept
            for what, one in parts.items():
                spent[what] += one
            for what, values in took.items():
                some.setdefault(what, []).extend(values)
            for what in shares:
                own.setdefault(what, []).extend(value / took["first"][0] for value in took[what])
        for what, values in own.items():
            shares[what] += values
        told.append(f"{family} {size} {median(own['changed']):.2f}")
        known = {what: median(values) for what, values in some.items() if values}
        middle = {
            what: {part: median(one[part] for one in every) for part in (*PARTS, REST)} for what, every in spent.items()
        }
        alike_of = {"changes": seeds * CHANGES, "same_plan": same}
        still = {what: median(one[what] for one in shares_kept) for what in shares_kept[0]}
        boards.append({"board": f"{family} {size}", **known, "parts": middle, **alike_of, "unchanged": still})
        print(boards[-1], {what: round(median(values), 3) for what, values in own.items() if values}, flush=True)
    played = [one for seed in range(seeds) for one in game(seed)]
    proved, usual = sum(proof for _, proof in played) / seeds, median(seconds for seconds, _ in played)
    rows: list[dict[str, str | bool]] = [
        row("second question, same position, other objective", median(shares["objective"]), 1 / 3),
        row("second question, three units changed", median(shares["changed"]), 1 / 3, f" ({', '.join(told)})"),
        row(
            "second question, three units changed near whom nothing matters",
            median(shares["far"]),
            1 / 10,
            " (villages 20)",
        ),
        row("the same question again", median(shares["again"]), 1 / 10),
        {
            "what": "50 changed positions of a computer game (20 units, 750 hexes), 1 s of processor time each",
            "measured": f"{proved:.0f} proved, median {usual:.2f} s",
            "bar": "45 proved, median 0.25 s",
            "kept": proved >= 45 and usual <= 0.25,
        },
    ]
    return rows, boards


def row(what: str, share: float, most: float, more: str = "") -> dict[str, str | bool]:
    """Return a row of shares of the first answer."""
    return {"what": what, "measured": f"{share:.2f} of the first{more}", "bar": f"{most:.2f}", "kept": share <= most}


def main() -> None:
    """Print the rows, and record them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--output", type=Path)
    asked = parser.parse_args()
    planner.suggest(board("dense", "10", 0))  # what is loaded once
    rows, boards = measured(asked.seeds)
    for one in rows:
        print("{what}: {measured}; bar {bar}: {kept}".format(**one))
    if asked.output is not None:
        about = {"date": str(date.today()), "python": platform.python_version(), "seeds": asked.seeds}
        record = {**about, "rows": rows, "boards": boards}
        asked.output.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
