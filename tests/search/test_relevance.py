"""What can't matter to the objective is left out of a model, and nothing is lost by it."""

from __future__ import annotations

from pathlib import Path

import pytest

from planner.objective.scoring import Value
from planner.reachability.team_possibility import TeamPossibility
from planner.rules.atoms import Friend
from planner.scenario import Scenario, build_scenario, load_scenario
from planner.search.reach_cache import ReachCache
from planner.search.relevance import Relevance
from planner.search.search import Search
from tests.conftest import DEEP, sized
from tests.instances import instance
from tests.laws.mutants.case import Case
from tests.oracles.every_plan import EveryPlan
from tests.oracles.stacks import reliance, stacks
from tests.plain_game import LIMIT, effect, placed, write_model

ROAD = "w3020 w3021 w3022 w3023"
FOOT = ("infantry", "3-3-1", 1)
SEEDS = 40 if DEEP else 1
STACKS = sized(6, 12, 1_000)


def road(goals: dict[str, str], homes: dict[str, str]) -> Scenario:
    """Return infantry on a road, three in a hex, who have to end in certain hexes, for as little MP as possible."""
    terms = [{"kind": "end", "unit": unit, "at": label} for unit, label in goals.items()]
    units = {unit: (*FOOT, label) for label, some in homes.items() for unit in some.split()}
    tiers = {"tier": [{"terms": terms}, {"terms": [{"kind": "mp_spent"}]}]}
    return Case({" ".join(homes): "clear"}, units, [], 0, [], more=tiers).scenario()


def make_room() -> Scenario:
    # The hex is full: one of those in it goes on, or back to where `late` comes from. 1 MP each.
    return road({"late": "w3021"}, {"w3020": "late", "w3021": "a b c", "w3022": ""})


def make_room_along_the_road() -> Scenario:
    # All hexes but the last are full, or filled up from behind. Each passes on a unit that has nothing to gain by it:
    # 1 MP for each of four.
    return road(
        {"first": "w3021", "second": "w3020"},
        {"w3019": "second", "w3020": "first a b", "w3021": "c d e", "w3022": "f g h", "w3023": "i"},
    )


PUZZLES = {make_room: (1, -2), make_room_along_the_road: (2, -4)}


def with_everything(scenario: Scenario) -> Value | None:
    """Return the optimum of the model of all possibilities."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ReachCache, "_that_matter", lambda self, *_, **__: self.possibilities)
        assert ReachCache(scenario).relevant == ReachCache(scenario).possibilities
        return proved(Search(scenario))


def searched(scenario: Scenario) -> Value | None:
    return proved(Search(scenario))


def proved(search: Search) -> Value | None:
    """Return the value that a search proves; None where it proves that there is no plan."""
    result = search.run()
    assert result.status in ("optimal", "infeasible")
    return result.value if result.status == "optimal" else None


@pytest.mark.parametrize("puzzle", PUZZLES, ids=lambda puzzle: puzzle.__name__)
def test_who_has_nothing_to_gain_moves_where_others_need_the_room(puzzle) -> None:  # type: ignore[no-untyped-def]
    assert searched(puzzle()) == PUZZLES[puzzle] == with_everything(puzzle())


@pytest.mark.parametrize("puzzle", PUZZLES, ids=lambda puzzle: puzzle.__name__)
def test_the_puzzles_notice_if_nobody_is_thought_to_make_room(  # type: ignore[no-untyped-def]
    puzzle, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Relevance, "_narrow", lambda self, names: frozenset())
    assert searched(puzzle()) != PUZZLES[puzzle]


def test_who_can_only_help_others_to_nothing_has_no_use() -> None:
    # The two could step next to the enemy for each other's sake; nobody wants anything there.
    case = Case(
        {ROAD + " w3121 w3122 w3221": "clear"},
        {
            "one": ("cavalry", "2-2-2", 1, "w3020"),
            "two": ("cavalry", "2-2-2", 1, "w3020"),
            "e1": ("infantry", "4-5-1", 2, "w3221"),
        },
        [{"kind": "end", "unit": "one", "at": "w3020"}],
        1,
        [],
    )
    groundwork = ReachCache(case.scenario())
    assert all(groundwork.possibilities.values())
    assert not any(groundwork.relevant.values())


def test_where_mp_do_not_count_nobody_wanders_on_after_the_deed() -> None:
    # The tank overruns e1 in w3021 for 1 MP; any hex beyond is as good to the objective, and needless.
    case = Case(
        {ROAD + " w3024 w3025": "clear"},
        {"tank": ("tank", "4-4-5", 2, "w3020"), "e1": ("infantry", "1-1-1", 1, "w3021")},
        [{"kind": "eliminate", "units": "e1"}],
        1,
        [],
    )
    result = Search(case.scenario()).run()
    assert result.plan is not None
    assert str(result.plan) == "tank w3020xw3021"
    assert [found.end for found in ReachCache(case.scenario()).relevant["tank"]] == ["w3021"]


@pytest.mark.thorough
def test_on_a_dense_front_most_possibilities_have_no_use() -> None:
    groundwork = ReachCache(instance("dense", "40", 1))
    assert sum(map(len, groundwork.relevant.values())) < sum(map(len, groundwork.possibilities.values())) / 2


@pytest.mark.parametrize(
    ("family", "size"),
    [("dense", "12"), ("dense", "25"), pytest.param("sparse", "30", marks=pytest.mark.thorough), ("legs", "6/ma=6-8")],
)
def test_what_is_left_out_never_changes_the_optimum(family: str, size: str) -> None:
    for seed in range(SEEDS):
        scenario = instance(family, size, seed)
        assert searched(scenario) == with_everything(scenario), seed


def test_who_asks_for_more_than_the_objective_gets_every_possibility() -> None:
    scenario = make_room()
    exact = ReachCache(scenario, exact=True)
    assert exact.relevant is exact.possibilities


# -- where units roll


def help_for_an_overrun() -> Scenario:
    """Return a road beside a strong enemy: `u` must stop in its EZOC, unless `b`, which has nothing to gain, goes there.

    `u` has 8 MP: 2 for each of two hexes, 3 for an overrun of 10.13. `b` negates the EZOC in 10.11.
    """
    unit = {"side": "axis", "type": "motorized", "defense": 1, "at": "10.10"}
    enemy = {"side": "allied", "type": "infantry", "attack": 1, "ma": 0}
    data = {
        "format": "planner/scenario-1",
        "model": "ocs",
        "phase": "movement",
        "phasing": "axis",
        "map": {"hexes": {"10.10 10.11 10.12 10.13 11.11": "open"}},
        "unit": [
            {**unit, "id": "u", "attack": 4, "ma": 8, "size": 5},
            {**unit, "id": "b", "attack": 1, "ma": 3, "size": 1},
            {**enemy, "id": "weak", "at": "10.13", "defense": 3},
            {**enemy, "id": "strong", "at": "11.11", "defense": 30},
        ],
        "tier": [{"terms": [{"kind": "eliminate", "units": "weak"}]}],
    }
    return build_scenario(data, "help for an overrun")


def test_what_a_team_needs_of_others_is_not_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    scenario = help_for_an_overrun()
    result = Search(scenario).run()
    assert result.plan is not None
    assert [str(move) for move in result.plan.moves] == ["b 10.10-10.11", "u 10.10-10.11-10.12x10.13"]
    assert result.value == with_everything(scenario) > (0,)
    with monkeypatch.context() as patch:
        patch.setattr(Relevance, "_ask_for_teams", lambda self: None)
        assert searched(scenario) == (0,)


def test_where_units_roll_nothing_is_lost_and_much_is_left_out() -> None:
    fewer = 0
    for seed in range(3_000, 3_000 + STACKS):
        scenario, _ = stacks(seed)
        assert searched(scenario) == with_everything(scenario), f"seed {seed}"
        ground = ReachCache(scenario)
        fewer += sum(map(len, ground.relevant.values())) < sum(map(len, ground.possibilities.values()))
    assert fewer >= STACKS / 2


def test_where_plans_may_rely_on_rolls_everything_is_kept() -> None:
    for seed in range(20):
        ground = ReachCache(reliance(seed))
        assert ground.relevant == ground.possibilities


@pytest.mark.parametrize("name", ["two_overruns", "carpet", "swamp", *(["breakthrough"] if DEEP else [])])
def test_scenarios_in_which_units_roll_keep_their_optimum(name: str) -> None:
    scenario = load_scenario(f"ocs/{name}")
    assert searched(scenario) == with_everything(scenario)


@pytest.mark.parametrize("name", ["lone", "teams"])
def test_what_teams_need_of_others_matters_whatever_these_are_called(name: str) -> None:
    scenario = road(
        {"far": "w3029"}, {"w3020": name, "w3021": "", "w3022": "", "w3026": "a", "w3027": "", "w3029": "far"}
    )
    cache, needs = ReachCache(scenario), frozenset([Friend("w3021", "friends")])
    team = TeamPossibility((), (), (), (), (), frozenset(), (), (), needs, (), ())
    kept = {wanted: Relevance(cache.reach, cache.possibilities, (), teams=wanted).kept() for wanted in ((), (team,))}
    assert "w3021" not in {one.end for one in kept[()][name]}
    assert "w3021" in {one.end for one in kept[team,][name]}


@pytest.mark.parametrize("one", ["a", "b"])
def test_a_way_to_the_same_hex_that_needs_somebody_else_is_of_use(tmp_path: Path, one: str) -> None:
    # Through 03.02 with a there, or through 03.03 with b: f gets to 04.02 either way, and whoever has to stay does.
    at_home = {"a": "02.01", "b": "02.03"}
    friends = [{"id": unit, "side": "south", "type": "foot", "values": "1-1", "at": at} for unit, at in at_home.items()]
    guards = [
        {"id": unit, "side": "north", "type": "guard", "values": "1-0", "at": at}
        for unit, at in {"g": "03.01", "h": "03.04"}.items()  # the one reaches 03.02, the other 03.03
    ]
    goals = [{"kind": "end", "unit": "f", "at": "04.02", "weight": 2}, {"kind": "end", "unit": one, "at": at_home[one]}]
    scenario = placed(
        write_model(tmp_path / "any_game", effect('on = "enter", does = "stop"')),
        {"02.01 02.02 02.03 03.01 03.02 03.03 03.04 04.02": "plain"},
        [{"id": "f", "side": "south", "type": "foot", "values": "1-2", "at": "02.02"}, *friends, *guards],
        tier=[{"terms": goals}],
    )
    assert searched(scenario) == (3,)


SAIL = """
[[rule]]
id = "sail"
kind = "passage"
paragraph = "sail"
reads = { origin = { labels = "03.01" }, to = { labels = "05.01 05.02" } }
adjacent = false
before_others = true
takes = 1
[[rule]]
id = "quay"
kind = "vacancy"
paragraph = "quay"
leaving = true
ways = "sail"
who = { types = "foot" }
of = { types = "guard" }
"""


def test_who_makes_way_for_others_who_must_come_before_all_steps_does_it_as_they_do(tmp_path: Path) -> None:
    # `m` may not sail while `g` is at the quay, nor once anybody has walked: `g` sails first, to the other harbour, since
    # there is room for one in that to which `m` is to come. It could leave as well on foot, which is as cheap.
    harbour = LIMIT + 'limits = [{ where = { labels = "05.01" }, units = 1 }]\n'
    units = [
        {"id": unit, "side": "south", "type": kind, "values": "1-1", "at": "03.01"}
        for unit, kind in (("m", "foot"), ("g", "guard"))
    ]
    hexes = {"03.01 02.01 05.01 05.02": "plain"}
    goal, mp = {"terms": [{"kind": "end", "unit": "m", "at": "05.01"}]}, {"terms": [{"kind": "mp_spent"}]}
    for tiers in ([goal], [goal, mp]):
        scenario = placed(write_model(tmp_path / "any_game", SAIL + harbour), hexes, units, tier=tiers)
        assert searched(scenario) == (1, -2)[: len(tiers)] == EveryPlan(scenario).best()
