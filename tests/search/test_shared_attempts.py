"""Bounds from sharing out attempts, worked out by hand; tests/laws/test_policies.py tries that none is too low."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import combinations

import pytest

import planner
from planner.explanation.relaxation import relaxed
from planner.limits import Limits
from planner.scenario import Scenario, build_scenario
from planner.search.attempts_in_turn import Contest
from planner.search.expectimax import Expectimax, TooManyStepsError
from planner.search.overrun_bound import the_rule
from planner.search.policy_bound import bound_of
from planner.search.shared_attempts import shared_bound
from tests.conftest import sized
from tests.oracles.gambles import draw_gamble


def between_two(ma: int, units: int = 1) -> Scenario:
    """Return tanks of 8 between two enemies of 2, doubled, worth 2 and 3."""
    tanks = [
        {"id": f"u{n}", "side": "axis", "type": "tank", "values": f"8-4-{ma}", "at": "10.11"} for n in range(units)
    ]
    enemies = [
        {"id": name, "side": "allied", "type": "infantry", "values": "2-4-2", "at": label}
        for name, label in (("north", "10.12"), ("south", "10.10"))
    ]
    goals = [{"kind": "eliminate", "units": [name], "weight": worth} for name, worth in (("north", 2), ("south", 3))]
    data = {
        "format": "planner/scenario-1",
        "model": "ocs",
        "phase": "movement",
        "phasing": "axis",
        "map": {"hexes": {"10.10 10.11 10.12": "open"}},
        "unit": [*tanks, *enemies],
        "tier": [{"terms": goals}],
    }
    return build_scenario(data, "between two")


@pytest.mark.parametrize(
    ("ma", "units", "bound"),
    [
        (2, 1, "0"),  # an attempt takes 3 MP
        (4, 1, "5/4"),  # one attempt at 5/12: of the two, the better one; each by itself they would come to 25/12
        (4, 2, "335/144"),  # the south, 5/12 of 3; then the north, 5/12 of 2, or once more the south
        (7, 1, "335/144"),  # the same for one that may try twice, and go back from the south for 1 MP
        # Who tries which next depends on what has come of the others; each hex by itself: 87455/20736.
        pytest.param(7, 2, "63/16", marks=pytest.mark.thorough),
        (6, 1, "335/144"),  # that who overruns the south stands two hexes from the north is left out: less is to be had
    ],
)
def test_what_a_unit_has_spent_on_one_enemy_is_not_there_for_the_other(ma: int, units: int, bound: str) -> None:
    scenario = between_two(ma, units)
    best = Expectimax(scenario, 2_000, lambda: None).best()
    assert best is not None
    found = shared_bound(scenario, Limits())
    assert found is not None
    assert best.value[0] <= found == Fraction(bound)
    assert (best.value[0] == found) == (ma != 6)


def test_whoever_is_left_behind_tries_no_more_with_those_who_went_on() -> None:
    """Three try two times each: any two 1/6, one 1/12. Two twice and one twice: 1 - 25/36 * 121/144 = 2159/5184.

    If each two of them could try once, in turn, it were 91/216, more.
    """
    data = {
        "format": "planner/scenario-1",
        "model": "ocs",
        "phase": "movement",
        "phasing": "axis",
        "map": {"hexes": {"10.11 10.12": "open"}},
        "unit": [
            *({"id": f"u{n}", "side": "axis", "type": "tank", "values": "2-4-6", "at": "10.11"} for n in range(3)),
            {"id": "e", "side": "allied", "type": "infantry", "values": "2-4-2", "at": "10.12"},
        ],
        "tier": [{"terms": [{"kind": "eliminate", "units": ["e"]}]}],
    }
    assert shared_bound(build_scenario(data, "three at one"), Limits()) == Fraction(2159, 5184)


def test_who_may_try_twice_does_nothing_else_where_he_tries_at_all() -> None:
    """Trying twice, 95/144 of 2, is worth more than to go away for 4 of 6 MP, 1.

    One in 19/24 of all cases who tries twice in each would come to 19/12 attempts, as many as it takes on average.
    """
    data = {
        "format": "planner/scenario-1",
        "model": "ocs",
        "phase": "movement",
        "phasing": "axis",
        "map": {"hexes": {"10.07 10.08 10.09 10.10 10.11 10.12": "open"}},
        "unit": [
            {"id": "u", "side": "axis", "type": "tank", "values": "8-4-6", "at": "10.11"},
            {"id": "e", "side": "allied", "type": "infantry", "values": "2-4-2", "at": "10.12"},
        ],
        "tier": [
            {
                "terms": [
                    {"kind": "eliminate", "units": ["e"], "weight": 2},
                    {"kind": "hold", "hexes": "10.07", "weight": 1},
                ]
            }
        ],
    }
    scenario = build_scenario(data, "one or the other")
    best = Expectimax(scenario, 2_000, lambda: None).best()
    assert best is not None
    assert shared_bound(scenario, Limits()) == best.value[0] == Fraction(95, 72)


def test_who_tries_twice_is_not_home_again() -> None:
    """No way of playing is worth more than 23/6, which is had: without sharing out, 311/72 was as far as was proved."""
    scenario = planner.load("ocs/puzzles/try_and_go_home")
    assert shared_bound(scenario, Limits()) == Fraction(23, 6)
    assert bound_of(scenario, (), Limits()) == (Fraction(23, 6),)


def test_where_there_are_too_many_ways_to_share_out_nothing_is_known_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("planner.solver.tuning.SharedAttempts.ways", 0)
    assert shared_bound(planner.load("ocs/look_first"), Limits()) is None
    assert bound_of(planner.load("ocs/look_first"), (), Limits())[0] >= Fraction(475, 144)


@pytest.mark.parametrize("name", ["look_first", "puzzles/try_and_go_home"])
def test_where_there_are_too_many_orders_attempts_are_counted_only(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    scenario = planner.load(f"ocs/{name}")
    exact = shared_bound(scenario, Limits())
    monkeypatch.setattr("planner.solver.tuning.SharedAttempts.situations", 0)
    found = shared_bound(scenario, Limits())
    assert exact is not None
    assert found is not None
    assert found >= exact


def test_who_may_try_two_of_many_enemies_is_not_tried_on_all_of_them() -> None:
    # Nothing, one of 30 hexes, or two of them: 1 + 30 + 435 ways, of the 2**30 in which each is tried or isn't.
    two = frozenset(tuple(int(label in pair) for label in range(30)) for pair in combinations(range(30), 2))
    contest = Contest({"u": two}, {f"{label}": [(("u",), Fraction(1, 2))] for label in range(30)}, frozenset())
    assert len(contest.tries["u"]) == 1 + 30 + 435


@pytest.mark.parametrize("name", ["classic_hex/three_battles", "great_war/over_the_top", "crossroads/start"])
def test_nothing_is_shared_out_where_nobody_overruns_by_a_roll_that_costs_mp(name: str) -> None:
    assert shared_bound(planner.load(name), Limits()) is None


def test_whenever_it_ends_it_is_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    """With no order found yet, prices are poor, and what they prove holds all the same."""
    for rounds in (1, 2):
        monkeypatch.setattr("planner.solver.tuning.SharedAttempts.rounds", rounds)
        found = shared_bound(planner.load("ocs/puzzles/try_and_go_home"), Limits())
        assert found is not None
        assert found >= Fraction(23, 6)


def in_the_way(seed: int) -> Scenario:
    """Return a lane with enemies who are worth nothing in themselves, and trucks, which their zones stop."""
    rng = random.Random(f"in the way {seed}")
    data = draw_gamble(rng, small=rng.random() < 0.7)
    for unit in data["unit"]:
        if unit["side"] == "axis" and rng.random() < 0.5:
            unit["type"] = "motorized"
            unit["values"] = f"{rng.choice((2, 4, 8))}-3-{rng.choice((4, 6, 7))}"
    goals = data["tier"][0]["terms"]
    kept = [goal for goal in goals if goal["kind"] == "hold" or rng.random() < 0.3]
    data["tier"] = [{"terms": kept}]
    return build_scenario(data, f"in the way {seed}")


@pytest.mark.thorough
def test_no_way_of_playing_is_worth_more_where_enemies_are_only_in_the_way() -> None:
    tried = close = seed = 0
    wanted = sized(10, 40, 2_000)
    while tried < wanted and seed < 10 * wanted:
        seed += 1
        scenario = in_the_way(seed)
        found = shared_bound(scenario, Limits())
        try:
            best = Expectimax(scenario, sized(400, 800, 3_000), lambda: None).best()
        except TooManyStepsError:
            continue
        assert best is not None
        if found is not None:
            tried += 1
            close += best.value[0] == found
            assert found >= best.value[0], seed
    print(f"{tried} tried, the bound is had in {close}, of {seed}")
    assert tried >= wanted
    assert close >= tried / 8


def test_who_goes_through_a_hex_of_enemies_has_them_overrun_first() -> None:
    """A truck wants to the far end of a lane, 3; with 7 MP it tries the enemy in it once, 1/12, and goes on for 2 MP."""
    data = {
        "format": "planner/scenario-1",
        "model": "ocs",
        "phase": "movement",
        "phasing": "axis",
        "map": {"hexes": {"10.10 10.11 10.12 10.13": "open"}},
        "unit": [
            {"id": "u", "side": "axis", "type": "tank", "values": "8-4-5", "at": "10.10"},
            {"id": "e", "side": "allied", "type": "security", "values": "2-4-2", "at": "10.11"},
        ],
        "tier": [{"terms": [{"kind": "hold", "hexes": "10.13", "weight": 3}]}],
    }
    scenario = build_scenario(data, "a lane")
    best = Expectimax(scenario, 2_000, lambda: None).best()
    assert best is not None
    assert shared_bound(scenario, Limits()) == best.value[0] == Fraction(5, 4)


def test_who_shares_out_a_goal_shares_out_what_it_needs() -> None:
    """Both tanks may hold the far end, 3, but only behind the enemy, whom they try once each, 5/12 and 1/12: 3/2 at most.

    If each were there when the other isn't, 36/13 would be had. Exact: (1 - 7/12 * 11/12) * 3 = 67/48.
    """
    data = {
        "format": "planner/scenario-1",
        "model": "ocs",
        "phase": "movement",
        "phasing": "axis",
        "map": {"hexes": {"10.09 10.10 10.11 10.12 10.13": "open"}},
        "unit": [
            {"id": "u", "side": "axis", "type": "tank", "values": "8-4-5", "at": "10.10"},
            {"id": "v", "side": "axis", "type": "tank", "values": "2-4-5", "at": "10.09"},
            {"id": "e", "side": "allied", "type": "security", "values": "2-4-2", "at": "10.11"},
        ],
        "tier": [{"terms": [{"kind": "hold", "hexes": "10.13", "weight": 3}]}],
    }
    scenario = build_scenario(data, "a lane")
    best = Expectimax(scenario, 2_000, lambda: None).best()
    assert best is not None
    assert best.value[0] == Fraction(67, 48)
    assert shared_bound(scenario, Limits()) == Fraction(3, 2)


@pytest.mark.parametrize(("engineers", "bound"), [(False, "0"), (True, "5/12")])
def test_nobody_is_helped_across_a_river_where_there_is_nobody_to_help(engineers: bool, bound: str) -> None:
    """A tank crosses for 1 + 2 MP, or for 1 beside engineers, and tries for 3, 5/12: with 5 MP it needs them."""
    data = {
        "format": "planner/scenario-1",
        "model": "ocs",
        "phase": "movement",
        "phasing": "axis",
        "map": {
            "hexes": {"10.10 10.11 10.12": "open"},
            "hexsides": {"minor_river": ["10.10 10.11"]},
        },
        "unit": [
            {"id": "u", "side": "axis", "type": "tank", "values": "8-4-5", "at": "10.10"},
            {"id": "e", "side": "allied", "type": "infantry", "values": "4-4-2", "at": "10.12"},
        ],
        "tier": [{"terms": [{"kind": "eliminate", "units": ["e"]}]}],
    }
    if engineers:
        data["unit"].append(
            {"id": "b", "side": "axis", "type": "engineer", "values": "1-1-3", "traits": ["bridging"], "at": "10.10"}
        )
    scenario = build_scenario(data, "a river")
    best = Expectimax(scenario, 2_000, lambda: None).best()
    assert best is not None
    assert shared_bound(scenario, Limits()) == best.value[0] == Fraction(bound)


def test_a_game_in_which_few_rules_are_in_force_is_bounded_too() -> None:
    """A search relaxes games to explain a value, and asks them as it does others what overruns cost."""
    scenario = planner.load("ocs/two_overruns")
    plain, found = the_rule(scenario.game), the_rule(relaxed(scenario, []).game)
    assert plain is not None
    assert found is not None
    assert found.id == plain.id
