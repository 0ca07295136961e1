"""Bounds for plans that react, worked out by hand; that none is too low, tests/laws/test_policies.py tries at random."""

from __future__ import annotations

import random
from fractions import Fraction
from pathlib import Path

import pytest

import planner
from planner.limits import Limits
from planner.reachability.conditional_reach import ConditionalReach
from planner.scenario import Scenario, build_scenario
from planner.search.expectimax import Expectimax
from planner.search.overrun_bound import likely_gone
from planner.search.policy_bound import bound_of
from planner.solver.linear_bound import LinearProgram
from tests.conftest import DEEP
from tests.oracles.gambles import gamble
from tests.plain_game import ANYWHERE, BOGGING, JOINT, SHUT, TERRAIN, placed, write_model


def bounds(name: str, *value: str | int) -> tuple[Fraction, ...]:
    return bound_of(planner.load(name), tuple(map(Fraction, value)), Limits())


@pytest.mark.parametrize(
    ("name", "likely"),
    [
        ("ocs/puzzles/try_and_go_home", "95/144"),  # 7 MP: two attempts at 5/12 each, 1 - (7/12)² = 95/144
        ("ocs/look_first", "95/144"),  # an attempt each, from two hexes: they can't try together
        ("ocs/puzzles/one_of_two", "3/4"),  # 4 MP each, one attempt: together 3/4, one after the other 95/144
    ],
)
def test_an_enemy_is_gone_as_likely_as_the_best_groups_make_it(name: str, likely: str) -> None:
    scenario = planner.load(name)
    assert likely_gone(scenario, ConditionalReach(scenario.game)) == {"line": Fraction(likely)}


def test_what_needs_an_enemy_gone_is_had_no_more_often_than_that(monkeypatch: pytest.MonkeyPatch) -> None:
    """10.08 is held whatever comes, 3; the enemy, 2, is gone with 95/144 at most: 3 + 95/72 for 5 with luck."""
    monkeypatch.setattr("planner.search.policy_bound.shared_bound", lambda *_: None)
    assert bounds("ocs/puzzles/try_and_go_home") == (3 + Fraction(95, 72),)


def test_three_strongholds_are_worth_no_more_to_who_looks_at_the_dice() -> None:
    """Each stronghold by itself, and four villages: 29/3, with nine units and 22 MP, as the best fixed plan has it."""
    assert bounds("classic_hex/three_battles", "29/3", -9, -22) == (Fraction(29, 3), -9, -22)


def test_who_may_bog_down_battles_as_likely_as_it_gets_there() -> None:
    """The tank is in E6 with luck, 3, and the gun fires, 1."""
    assert bounds("great_war/puzzles/the_gun_can_wait") == (4,)


@pytest.mark.skipif(not DEEP, reason="half a minute")
def test_the_whole_battlefield_is_proved() -> None:
    """All but D9, 20; of three tanks 125/216, 5/6 and 5/6 can battle, and seven others; 13 MP."""
    assert bounds("great_war/over_the_top", 20, "2033/216", -13) == (20, Fraction(2033, 216), -13)


@pytest.mark.parametrize("seed", range(20))
def test_whatever_the_prices_a_bound_is_a_bound(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A knapsack of four columns between 0 and 1 with two rows: no corner that is allowed is worth more."""
    rng = random.Random(seed)
    program, objective = LinearProgram(), {name: Fraction(rng.randint(-2, 9), rng.randint(1, 4)) for name in "abcd"}
    for _ in range(2):
        program.add({name: Fraction(rng.randint(0, 3)) for name in "abcd"}, rng.randint(1, 4))
    corners = [{name: number >> i & 1 for i, name in enumerate("abcd")} for number in range(16)]
    best = max(
        sum((objective[name] * taken for name, taken in corner.items()), Fraction(0))
        for corner in corners
        if all(sum(weight * corner[str(n)] for n, weight in row.items()) <= most for row, most in program.rows)
    )
    exact = program.most(objective)
    assert exact >= best
    monkeypatch.setattr(LinearProgram, "prices", lambda self, *_: [rng.uniform(-1, 3) for _ in self.rows])
    assert program.most(objective) >= exact


CHEAP = JOINT.replace("results", 'price = 1\nafter_failure = "go_on"\nattempts = 9\nresults')
GATE = '[[rule]]\nid = "gate"\nkind = "entry_restriction"\nparagraph = "gate"\nhexes = { terrain = "town" }\n'
ONLY = CHEAP.replace("results", "entry_at_most = 1\nresults") + GATE + "unless_overrun = true\n"
THROUGH = {
    "cheaper": (CHEAP, "hill", "3-2", "1/2"),  # 1 MP, where to enter 03.02 costs 3
    "only": (ONLY, "town", "3-2", "1/2"),
    # Whoever has 1 MP left may try for 2.
    "overdrawn": (CHEAP.replace("price = 1", "price = 2") + ANYWHERE, "hill", "3-3", None),
}


@pytest.mark.parametrize(("rules", "ground", "values", "likely"), THROUGH.values(), ids=THROUGH)
def test_who_overruns_one_enemy_may_come_upon_another(
    rules: str, ground: str, values: str, likely: str | None, tmp_path: Path
) -> None:
    """Both are gone in 1 of 2 cases: whoever needs the first gone for it eliminates the second in 1 of 4."""
    own = {"id": "a", "side": "south", "type": "foot", "values": values, "at": "03.01"}
    enemies = [
        {"id": name, "side": "north", "type": "foot", "values": "1-0", "at": at}
        for name, at in (("e", "03.02"), ("f", "03.03"))
    ]
    hexes = {"03.01 03.03": "plain", "03.02": ground}
    tier = [{"terms": [{"kind": "eliminate", "units": "f"}]}]
    scenario = placed(write_model(tmp_path / "any_game", rules + SHUT), hexes, [own, *enemies], tier=tier)
    best = Expectimax(scenario, 1_000, lambda: None).best()
    assert best is not None
    assert best.value == (Fraction(1, 4),)
    known = likely_gone(scenario, ConditionalReach(scenario.game)).get("f")
    assert known == (None if likely is None else Fraction(likely))
    assert bound_of(scenario, (), Limits())[0] >= best.value[0]


def test_what_is_had_on_average_at_prices_need_not_be_had_whatever_is_rolled() -> None:
    """Gambles, seed 88: 21/4 is the bound at prices, and had; some results bring less, and leave more MP than 4 unspent."""
    scenario = gamble(88)
    best = Expectimax(scenario, 3_000, lambda: None).best()
    assert best is not None
    assert best.value == (Fraction(21, 4), Fraction(-41, 12))
    first, second = bound_of(scenario, best.value, Limits())
    assert first == Fraction(21, 4)
    assert second >= Fraction(-41, 12)


def test_who_has_to_move_and_may_fail_to_is_bounded_by_no_game_with_luck(tmp_path: Path) -> None:
    # f tries to overrun e, which is gone in 1 of 2 cases, 1; in the others f has moved, and is where it is wanted, 5. With
    # luck it would have to leave.
    duty = '[[rule]]\nid = "duty"\nkind = "obligation"\nparagraph = "duty"\nwho = { types = "foot" }\n'
    scenario = placed(
        write_model(tmp_path / "any_game", JOINT + SHUT + duty, turns="stacks = true\n"),
        {"03.01 03.02 03.03": "plain"},
        [
            {"id": "f", "side": "south", "type": "foot", "values": "1-1", "at": "03.02"},
            {"id": "e", "side": "north", "type": "scout", "values": "1-0", "at": "03.01"},
        ],
        tier=[
            {"terms": [{"kind": "end", "unit": "f", "at": "03.02", "weight": 5}, {"kind": "eliminate", "units": "e"}]}
        ],
    )
    best = Expectimax(scenario, 1_000, lambda: None).best()
    assert best is not None
    assert best.value == (3,)
    assert bound_of(scenario, best.value, Limits())[0] >= 3


def test_where_units_wait_for_each_other_in_ways_that_no_model_has_its_optimum_bounds_nothing(tmp_path: Path) -> None:
    # f lands beside g for 1 MP, and together they try e along the road, 1/2 MP: 1 to 1, gone in 1 of 2 cases. If it fails,
    # they have half an MP for another try: 3/4.
    land = '[[rule]]\nid = "land"\nkind = "passage"\nparagraph = "land"\nreads = { origin = { boxes = true } }\ntakes = 1\n'
    sea = '[[rule]]\nid = "sea"\nkind = "transport"\nparagraph = "sea"\ntakes = 1\n'
    sea += 'embark = [{ traits = "port" }]\ndebark = [{ traits = "port" }]\n'
    rules = land + sea + SHUT + JOINT + 'after_failure = "go_on"\n'
    chart = TERRAIN + '[[routes]]\nfeature = "road"\nprices = [{ mp = "1/2" }]\n'
    model = write_model(tmp_path / "any_game", rules, terrain=chart, turns="stacks = true\nwaiting = {}\n")
    (model / "carriers.toml").write_text('[[carriers]]\nmarkers = { types = "boat" }\ncarries = {}\n')
    scenario = build_scenario(
        {
            "format": "planner/scenario-1",
            "model": str(model),
            "phase": "day",
            "phasing": "south",
            "map": {
                "hexes": {"02.01 03.03": "plain", "02.02 03.02": {"terrain": "plain", "traits": "port"}},
                "hexsides": {"road": ["02.02 03.03"]},
                "zones": {"gulf": "02.02 03.02"},
                "boxes": {"off": {"adjacent": ["02.02", "03.03"]}},
            },
            "unit": [
                {"id": "f", "side": "south", "type": "foot", "values": "1-2", "at": "off"},
                {"id": "g", "side": "south", "type": "foot", "values": "1-2", "at": "02.02"},
                {"id": "e", "side": "north", "type": "foot", "values": "2-0", "at": "03.03"},
            ],
            "marker": [{"id": "boat", "type": "boat", "side": "south", "zone": "gulf"}],
            "tier": [{"terms": [{"kind": "eliminate", "units": "e"}]}],
        },
        "a landing",
    )
    best = Expectimax(scenario, 50_000, lambda: None).best()
    assert best is not None
    assert best.value == (Fraction(3, 4),)
    assert bound_of(scenario, (), Limits())[0] >= Fraction(3, 4)


def test_a_tier_is_bounded_only_by_what_is_worth_as_much_in_those_before(tmp_path: Path) -> None:
    # f gets past 03.02 in 5 of 6 cases, for 2 MP. Where less is known to be had, it may be had for nothing.
    scenario = placed(
        write_model(tmp_path / "any_game", BOGGING),
        {"03.01 03.02 03.03": "plain"},
        [{"id": "f", "side": "south", "type": "foot", "values": "1-2", "at": "03.03"}],
        tier=[{"terms": [{"kind": "end", "unit": "f", "at": "03.01"}]}, {"terms": [{"kind": "mp_spent"}]}],
    )
    assert bound_of(scenario, (), Limits())[1] == 0
    assert bound_of(scenario, (Fraction(0), Fraction(0)), Limits())[1] == 0


def to_battle(folder: Path, mud: str, *wanted: dict[str, str]) -> Scenario:
    """Return a unit two hexes from where it battles, with a hex on each of two ways, in some of which there is mud."""
    rules = BOGGING.replace("move = [{}]", 'features = [{ name = "mud", hexes = { terrain = "town" } }]')
    rules += '[[rule]]\nid = "battle"\nkind = "battle"\nparagraph = "battle"\n'
    rules += "reaches = [{ hexes_moved = 2, range = 1 }]\n"
    return placed(
        write_model(folder / "any_game", SHUT + rules),
        {at: "town" if at in mud else "plain" for at in ("02.02", "03.02", "03.03", "04.02", "05.02")},
        [
            {"id": "f", "side": "south", "type": "foot", "values": "1-2", "at": "02.02"},
            {"id": "e", "side": "north", "type": "foot", "values": "1-0", "at": "05.02"},
        ],
        tier=[{"terms": [{"kind": "battle"}]}, *({"terms": [term]} for term in wanted)],
    )


@pytest.mark.parametrize("mud", ["03.02", "03.03"])
def test_of_two_ways_the_likelier_one_bounds(mud: str, tmp_path: Path) -> None:
    assert bound_of(to_battle(tmp_path, mud), (), Limits()) == (1,)


def test_who_bogs_down_on_the_way_had_as_much_to_hope_for_and_spends_less(tmp_path: Path) -> None:
    # 5/6, for 2 MP, or 1 MP if it bogs down: 11/6.
    scenario = to_battle(tmp_path, "03.02 03.03", {"kind": "mp_spent"})
    best = Expectimax(scenario, 1_000, lambda: None).best()
    assert best is not None
    assert best.value == (Fraction(5, 6), Fraction(-11, 6))
    first, second = bound_of(scenario, best.value, Limits())
    assert first == Fraction(5, 6)
    assert second >= Fraction(-11, 6)
