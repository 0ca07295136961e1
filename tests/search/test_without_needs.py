"""If units needed nothing of each other, no plan would be worth more than they come to then."""

from __future__ import annotations

from pathlib import Path

import pytest

import planner
from planner.limits import Limits
from planner.search.confirmation import nothing_known
from planner.search.context import SearchContext
from planner.search.without_needs import most_without_needs
from planner.solver.model import most
from tests.conftest import sized
from tests.oracles.every_plan import EveryPlan
from tests.oracles.positions import drawn
from tests.plain_game import OVERRUN, placed, write_model

SEEDS = sized(2, 20, 2_000)


@pytest.mark.thorough
@pytest.mark.parametrize("random_rulebook", [False, True])
def test_no_plan_is_worth_more_than_units_that_need_nothing(random_rulebook: bool) -> None:
    """The best of all plans is what brute force finds on the referee alone."""
    bounded = reached = below = 0
    for seed in range(SEEDS):
        position = drawn(seed, random_rulebook)
        scenario = position.scenario
        bound = most_without_needs(SearchContext(scenario, Limits(), nothing_known), Limits())
        if bound is None or position.best is None:
            continue
        assert bound >= position.best[0], f"seed {seed}"
        bounded += 1
        reached += bound == position.best[0]
        below += bound < most(scenario.tiers[0], scenario.game)
    assert bounded >= SEEDS / 4
    assert reached >= bounded / 4
    assert below >= bounded / 4


def test_nothing_is_known_where_entering_an_enemys_hex_is_a_combat() -> None:
    """Both enemies are destroyed, as they can go nowhere: 2. By themselves moves eliminate nobody."""
    scenario = planner.load("classic_hex/no_way_out")
    assert most_without_needs(SearchContext(scenario, Limits(), nothing_known), Limits()) is None


SWAMP = '[[rule]]\nid = "swamp"\nkind = "entry_restriction"\nparagraph = "swamp"\nhexes = { labels = "02.03" }\n'
SWAMP += "unless_overrun = true\n"


def test_who_must_be_the_one_to_overrun_an_enemy_leaves_that_to_another_one(tmp_path: Path) -> None:
    """By hand: one of them overruns f in the swamp, the other one goes round by the hill: 3, though both could overrun f."""
    model = write_model(tmp_path / "game", OVERRUN + SWAMP)
    own = {"side": "south", "type": "foot", "values": "1-5", "at": "03.03"}
    foe = {"id": "f", "side": "north", "type": "foot", "values": "0-0", "at": "02.03"}
    goals = [{"kind": "end", "unit": unit, "at": "01.05"} for unit in "uv"]
    tiers = [{"terms": [*goals, {"kind": "eliminate", "units": "f"}]}]
    hexes = {"03.03 02.03 02.04 01.03 01.05": "plain", "03.04": "hill"}
    scenario = placed(model, hexes, [{"id": "u", **own}, {"id": "v", **own}, foe], tier=tiers)
    assert EveryPlan(scenario).best() == (3,)
    assert most_without_needs(SearchContext(scenario, Limits(), nothing_known), Limits()) == 3
