"""Plans that react: the best way of playing is that of brute force, and no fixed plan is worth more."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from planner.limits import Limits
from planner.plans.policy import Node
from planner.scenario import Scenario
from planner.search.adaptive import adapt
from planner.search.expectimax import Expectimax, TooManyStepsError
from planner.search.policy_bound import bound_of
from planner.search.policy_judge import judge_policy
from planner.search.search import Search
from tests.conftest import DEEP, long_ones, sized
from tests.oracles.brute_force import TooManyStatesError
from tests.oracles.crossings import muddy_crossing
from tests.oracles.gambles import assault, gamble, mud, small_gamble
from tests.oracles.play import BestPlay
from tests.oracles.skirmishes import skirmish
from tests.oracles.stacks import stacks
from tests.oracles.trenches import trenches

POSITIONS = dict.fromkeys(("gambles", "assaults", "mud", "stacks", "skirmishes", "crossings"), 2) | dict.fromkeys(
    ("long gambles", "trenches"), 1
)
"""How many positions of each family are tried by default."""
MORE = {"long gambles": 3} | dict.fromkeys(("gambles", "assaults", "mud"), 60)
"""How many of a family are tried in thorough runs, if not eight: sixty take some 25 s of processor time."""
STEPS, SITUATIONS = (3_000, 400) if DEEP else (400, 100)
FAMILIES: dict[str, Callable[[int], Scenario]] = {
    "gambles": small_gamble,
    "long gambles": gamble,
    "assaults": assault,
    "mud": mud,
    "stacks": lambda seed: stacks(seed)[0],
    "trenches": lambda seed: trenches(seed)[0],
    "skirmishes": lambda seed: skirmish(seed)[0],
    "crossings": muddy_crossing,
}

MADE_FOR_IT = ("gambles", "long gambles", "assaults", "mud")
"""The families made so that it pays to look at the dice: each game in which anything is rolled has one.

In A World at War nothing is: test_rolled_results.py.
"""


def tried(scenario: Scenario) -> Node | None:
    """Return the best way of playing by trying every step.

    Raises
    ------
    TooManyStepsError
        If there are too many.
    """
    return Expectimax(scenario, STEPS, lambda: None).best()


@pytest.mark.parametrize("family", long_ones(FAMILIES, "long gambles", "assaults", "crossings"))
def test_the_best_way_of_playing_is_that_of_brute_force_and_no_fixed_plan_is_better(family: str) -> None:
    settled = better = proved = 0
    seed = 0 if DEEP else 1  # the first of several families are large for brute force
    wanted = sized(POSITIONS[family], MORE.get(family, 8), 1_000)
    while settled < wanted and seed < 40 * wanted:
        seed += 1
        scenario = FAMILIES[family](seed)
        try:
            found = tried(scenario)  # first: it gives up soon
            best = BestPlay(scenario, SITUATIONS).value()
        except (TooManyStepsError, TooManyStatesError):
            continue
        settled += 1
        told = f"{family}, seed {seed}"
        assert (found and found.value) == best, told
        fixed = Search(scenario, Limits.within(20)).run()
        if found is None:
            assert fixed.plan is None, told
            continue
        assert fixed.value <= found.value, told
        judged = judge_policy(scenario, found.merged())
        assert judged.legal, f"{told}: {judged.faults}"
        assert judged.value == found.value, told
        better += bool(fixed.bound) and found.value > fixed.bound
        bound = bound_of(scenario, found.value, Limits.within(20))
        assert bound[0] >= found.value[0], told
        assert bound >= found.value, told
        proved += bound == found.value
    print(f"{settled} settled, reacting is better in {better}, proved by the bound {proved}, of {seed}")
    assert settled >= wanted
    assert family not in MADE_FOR_IT or better >= settled / 4


@pytest.mark.parametrize("family", long_ones(FAMILIES, "skirmishes", "assaults"))
def test_asking_again_is_never_worse_than_the_fixed_plan_and_never_above_the_best(
    family: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("planner.solver.tuning.Adapting.steps_first", 0)
    monkeypatch.setattr("planner.solver.tuning.Adapting.steps", 0)
    monkeypatch.setattr("planner.solver.tuning.Adapting.steps_again", 0)
    for seed in range(300 if DEEP else POSITIONS[family]):
        scenario = FAMILIES[family](seed)
        found = adapt(scenario, Limits.within(20))
        if found.root is None:
            continue
        assert found.value >= found.fixed, f"{family}, seed {seed}"
        judged = judge_policy(scenario, found.root)
        assert judged.legal, f"{family}, seed {seed}: {judged.faults}"
        assert judged.value == found.value, f"{family}, seed {seed}"
        assert found.value <= found.bound, f"{family}, seed {seed}"
