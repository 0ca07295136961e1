"""Attacks in cramped places: several enemies in a hex, ways back that friends may close, results that mean the same."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import pytest

from planner.plans.plan import Plan
from planner.referee.referee import Referee
from planner.rules.kinds.attack import Attack
from planner.scenario import Scenario
from planner.solver.plan_judge import judge
from planner.world.declared_attack import DeclaredAttack
from tests.conftest import sized
from tests.laws.test_attack_plans import compared
from tests.oracles.attack_games import MEANINGS, attack, of_differences, position
from tests.oracles.attack_plans import best_plan
from tests.seeds import in_chunks
from tests.solving import searched

SEEDS = sized(3, 80, 5_000)
CAP = 400

GAIN: list[dict[str, Any]] = [{"kind": "enemy_losses"}]
LOSSES: list[dict[str, Any]] = [{"kind": "own_losses"}]
APART: list[dict[str, Any]] = [{**LOSSES[0], "counting": "units"}, {**GAIN[0], "counting": "steps"}]
HALVED = {"of": "attack", "hexes": {"terrain": ["clear"]}, "times": "1/2"}
SQUARE = "\n".join(["....."] * 4)


def twice(first: str, second: str, like: str, **changes: Any) -> Attack:
    """Return a rule of attacks in which two of six results, whatever the odds, mean what one of the usual table does."""
    columns = [{"odds": odds, "results": [first, second, "NE", "NE", "NE", "NE"]} for odds in ("1:1", "2:1")]
    results = {first: MEANINGS[like], second: MEANINGS[like], "NE": MEANINGS["NE"]}
    return attack(columns=columns, results=results, must_attack={}, **changes)


@pytest.mark.parametrize(
    ("rule", "units", "terms", "rows", "value"),
    [
        # 8 to 2 is 4:1: EX, DE and DE take both, and so do DR and D2, since a and b, who stays, leave no way back: 2 x 5/6.
        (
            attack(),
            {"a": ("8-4-0", "0101"), "b": ("0-1-1", "0201"), "e": ("1-1-4", "0102"), "e2": ("1-1-4", "0102")},
            GAIN,
            "..\n..\n..",
            Fraction(5, 3),
        ),
        # 4 to 1 is 4:1: AR takes a's 4, since friends fill the hexes behind it, wherever m is, and so does EX: 4 x 2/6.
        (
            attack(must_attack={}),
            {
                "m": ("0-1-1", "0102"),
                "s": ("0-1-0", "0203"),
                "s2": ("0-1-0", "0304"),
                "s3": ("0-1-0", "0403"),
                "a": ("4-4-0", "0303"),
                "e": ("1-1-4", "0302"),
            },
            LOSSES,
            SQUARE,
            Fraction(-4, 3),
        ),
        # Either of two results takes a's only step, or its 4 for the enemy's 2: 4 x 2/6.
        (twice("A1", "A2", "A1"), {"a": ("4-4-0", "0302"), "e": ("2-2-4", "0303")}, LOSSES, SQUARE, Fraction(-4, 3)),
        (twice("EX", "EY", "EX"), {"a": ("4-4-0", "0302"), "e": ("2-2-4", "0303")}, LOSSES, SQUARE, Fraction(-4, 3)),
        # Half of 1, rounded down, is nothing, which attacks in the lowest column, must do so, and is lost with 2/6.
        (
            twice("EX", "EY", "EX", rounding="down", rounded="each", below="lowest", factors=[HALVED]),
            {"a": ("1-4-0", "0302"), "e": ("2-2-4", "0303")},
            LOSSES,
            SQUARE,
            Fraction(-1, 3),
        ),
    ],
    ids=[
        "two enemies cut off",
        "friends behind",
        "two codes for a step",
        "two codes for an exchange",
        "nothing attacks",
    ],
)
def test_a_cramped_attack_is_worth_what_it_comes_to_by_hand(
    rule: Attack, units: dict[str, tuple[str, str]], terms: list[dict[str, Any]], rows: str, value: Fraction
) -> None:
    scenario = position(rule, units, rows=rows, tier=[{"terms": terms}])
    best = best_plan(scenario, 20_000)
    assert best is not None
    assert best[0] == searched(scenario) == (value,)


@pytest.mark.parametrize(
    ("rule", "units"),
    [
        # 0 to 0 is as good as any ratio, and 0 less 2 is in the first column.
        (attack(), {"z": ("0-1-1", "0302"), "e": ("1-0-1", "0303")}),
        (of_differences(), {"z": ("0-1-1", "0302"), "e": ("1-2-1", "0303")}),
        # 4 to 3, or to 6 if all attack across the river: z, on the same bank as e, doesn't.
        (
            attack(factors=[{"of": "defense", "hexsides": {"features": "river"}, "times": 2}]),
            {"a": ("4-1-1", "0302"), "z": ("0-1-1", "0202"), "e": ("1-3-1", "0303")},
        ),
    ],
    ids=["ratio", "difference", "across a river"],
)
def test_both_faces_find_odds_below_the_table_alike_though_somebody_has_no_strength(
    rule: Attack, units: dict[str, tuple[str, str]]
) -> None:
    scenario = position(rule, units, hexsides={"river": ["0302 0303"]})
    plan = Plan((), (DeclaredAttack(tuple(unit for unit in units if unit != "e"), ("0303",)),))
    told = Referee(scenario.game).play(plan, scenario.start).violations
    assert [one.unit for one in told] == ["z"]
    assert {one.key for one in judge(scenario, plan)} == {one.key for one in told}


def corner(seed: int) -> Scenario | None:
    """Draw a few units of each side in few hexes, under any rule of attacks; None if the parameters don't go together."""
    rng = random.Random(f"corner {seed}")
    changes: dict[str, Any] = {
        "ranges": [
            {"units": {"types": "artillery"}, "range": 2, "safe": rng.random() < 0.5, "alone": rng.random() < 0.5}
        ],
        "factors": [{**HALVED, "times": rng.choice(("1/2", "1/3", "2"))}] if rng.random() < 0.6 else [],
        "most_hexes": rng.choice((1, 2)),
        "below": rng.choice(("lowest", "forbidden")),
        "defenders_together": rng.random() < 0.7,
        "attackers_together": rng.random() < 0.3,
        "retreats": {
            "cannot": rng.choice(("eliminated", "loses_steps", "stays")),
            "into_ezoc": rng.choice(("never", "to_friends", "always")),
            "most_friends": rng.choice((0, 1)),
        },
    }
    if rng.random() < 0.7:
        changes["must_attack"] = {}
    if rng.random() < 0.5:
        changes |= {"rounding": rng.choice(("down", "up")), "rounded": rng.choice(("each", "total"))}
    rows = rng.choice(("...\n...\n...", "..\n..\n..", "....\n...."))
    columns, lines = len(rows.split()[0]), len(rows.split())
    hexes = rng.sample([f"{column + 1:02}{line + 1:02}" for column in range(columns) for line in range(lines)], 4)
    units: dict[str, tuple[str, str]] = {}
    for number in range(rng.choice((2, 3))):
        values = f"{rng.choice((1, 2, 3, 5))}-{rng.choice((1, 3))}-{rng.choice((0, 1))}/{rng.choice((1, 2))}"
        units[f"{rng.choice('abcg')}{number}"] = (values, rng.choice(hexes[:2]))
    for number in range(rng.choice((1, 2, 3))):
        values = f"1-{rng.choice((1, 2, 3))}-4/{rng.choice((1, 1, 2))}"
        units[f"e{rng.choice('xg')}{number}"] = (values, rng.choice(hexes[2:]))
    terms = rng.choice(
        (GAIN, LOSSES, [*GAIN, *LOSSES], APART, [{"kind": "emptied", "hexes": hexes[2]}, *GAIN, *LOSSES])
    )
    rule = rng.choice((attack, of_differences))
    try:
        return position(rule(**changes), units, rows=rows, tier=[{"terms": terms}])
    except ValueError:
        return None


@in_chunks(SEEDS, 50)
def test_a_search_finds_the_best_of_all_attacks_in_a_corner(seeds: range) -> None:
    drawn = ((seed, scenario) for seed in seeds if (scenario := corner(seed)) is not None)
    settled, attacking = compared(drawn, CAP)
    assert settled > len(seeds) / 4
    assert attacking > settled / 3
