"""The tiers before the first in which MP count are proved on a smaller model, and nothing is lost by it."""

from __future__ import annotations

import threading

import pytest

from planner.limits import Limits
from planner.scenario import Scenario
from planner.search.reach_cache import Possibilities, ReachCache
from planner.search.result import Progress
from planner.search.search import Search
from tests.conftest import DEEP, sized
from tests.instances import instance
from tests.laws.mutants.case import Case
from tests.oracles.positions import drawn
from tests.search.test_relevance import with_everything
from tests.seeds import in_chunks
from tests.solving import differing, searched

SEEDS = sized(4, 8, 3_000)
RANDOM_RULEBOOKS = sized(2, 6, 1_000)
FRONTS = 20 if DEEP else 1


def always(ground: ReachCache, tiers: int) -> tuple[Possibilities, int]:
    """Begin with the leading tiers wherever there are some, however little there is to be gained."""
    if not 0 < ground.leading < tiers:
        return ground.relevant, 0
    return ground.relevant_to_leading, ground.leading


@pytest.fixture
def staged(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ReachCache, "to_begin_with", always)


def shortcut() -> Scenario:
    # `a` and `c` get to w3022 round the EZOC for 3 MP each, or through it for 2 each if `b` stands in w3021 before,
    # for 1 MP. To hold w3022 both ways are as good; round it they cost 6 MP, with help 5.
    return Case(
        {"w3020 w3021 w3022": "clear", "w3120 w3121": "clear", "w2920 w2921 w2922 w3023": "clear"},
        {
            "a": ("cavalry", "2-2-4", 1, "w3020"),
            "c": ("cavalry", "2-2-4", 1, "w3020"),
            "b": ("infantry", "3-3-1", 1, "w3020"),
            "e1": ("infantry", "4-5-1", 2, "w3121"),
        },
        [],
        0,
        [],
        more={
            "tier": [
                {"terms": [{"kind": "end", "unit": unit, "at": "w3022"} for unit in "ac"]},
                {"terms": [{"kind": "mp_spent"}]},
            ]
        },
    ).scenario()


@pytest.mark.thorough
@pytest.mark.usefixtures("staged")
@in_chunks(SEEDS)
def test_tier_by_tier_a_search_comes_to_the_optimum_of_brute_force(seeds: range) -> None:
    assert not differing(seeds, searched)


@pytest.mark.usefixtures("staged")
@in_chunks(RANDOM_RULEBOOKS)
def test_tier_by_tier_it_does_so_under_random_rulebooks(seeds: range) -> None:
    assert not differing(seeds, searched, random_rulebook=True)


@pytest.mark.thorough
def test_a_third_of_these_positions_have_leading_tiers() -> None:
    some = [drawn(seed).scenario for seed in range(50 if DEEP else 20)]
    assert sum(0 < ReachCache(scenario).leading < len(scenario.tiers) for scenario in some) > len(some) / 3


@pytest.mark.usefixtures("staged")
@pytest.mark.parametrize(
    ("family", "size"),
    [
        ("dense", "25"),
        pytest.param("sparse", "30", marks=pytest.mark.thorough),
        ("legs", "8/ma=8-10"),
        ("crowded", "12"),
    ],
)
def test_on_fronts_it_comes_to_the_optimum_of_all_possibilities(family: str, size: str) -> None:
    for seed in range(FRONTS):
        scenario = instance(family, size, seed)
        assert searched(scenario) == with_everything(scenario), seed


def test_what_saves_mp_alone_matters_to_the_last_tier_alone() -> None:
    scenario = shortcut()
    ground = ReachCache(scenario)
    assert ground.leading == 1
    needy = [found for found in ground.relevant["a"] if found.needs]
    assert needy
    assert not any(found.needs for found in ground.relevant_to_leading["a"])


@pytest.mark.usefixtures("staged")
def test_the_help_that_saves_mp_is_found_in_the_end() -> None:
    assert searched(shortcut()) == (2, -5)


@pytest.mark.usefixtures("staged")
def test_who_stops_after_the_leading_tiers_has_their_proof_and_a_cheap_plan() -> None:
    scenario, stop = instance("dense", "25", 1), threading.Event()
    whole = Search(scenario).run()

    def on_progress(progress: Progress) -> None:
        if progress.tier == 1:
            stop.set()

    result = Search(scenario, Limits.within(None, stop=stop), on_progress=on_progress).run()
    assert (result.status, result.interrupted) == ("feasible", True)
    assert result.value[0] == result.bound[0] == whole.value[0]
    assert result.value[1] <= whole.value[1] <= result.bound[1]
    assert result.verdict is not None
    assert result.verdict.legal


@pytest.mark.thorough
def test_the_smaller_model_is_chosen_where_it_is_much_smaller() -> None:
    """Long legs have many ways to do the same; on a front of short ones there is little to be gained."""
    legs, front = instance("legs", "20/ma=14-16/hexes=1000", 0), instance("dense", "25", 0)
    few, tiers = ReachCache(legs).to_begin_with(len(legs.tiers))
    assert tiers == 1
    assert sum(map(len, few.values())) < sum(map(len, ReachCache(legs).relevant.values())) / 2
    assert ReachCache(front).to_begin_with(len(front.tiers))[1] == 0
