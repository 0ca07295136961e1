"""Alternatives are the best plans that differ in substance, as trying every plan on the referee alone finds them."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from planner.cli.alternatives_output import headline
from planner.errors import OutOfTimeError
from planner.limits import Limits
from planner.objective import Tier
from planner.objective.goals import End
from planner.objective.scoring import score, tier_values
from planner.plans.plan import Move, Plan
from planner.puzzles.checks import Settler
from planner.reachability.exact_reach import ExactReach
from planner.referee.plan_facts import Substance, substance_of
from planner.referee.referee import Referee
from planner.rules.kinds.clearing import Clearing
from planner.scenario import Scenario, build_scenario, load_scenario
from planner.scenario.shape import AnswerEntry
from planner.search.alternatives_search import AlternativesSearch
from planner.solver.model import what_matters
from planner.solver.tuning import Enumeration
from tests.command import run
from tests.conftest import DEEP
from tests.oracles.brute_force import TooManyStatesError
from tests.oracles.islands import islands
from tests.oracles.positions import drawn
from tests.oracles.rulebooks import with_rules
from tests.oracles.skirmishes import skirmish
from tests.oracles.stacks import reliance, stacks
from tests.oracles.substances import Known, at_sea, essential, of_combats, of_stacks, of_those_who_wait, on_land
from tests.oracles.trenches import doubtful_trenches, trenches
from tests.oracles.waiting import waiting
from tests.plain_game import OVERRUN, SHUT, placed, write_model

COUNT = 6 if DEEP else 2
SHARE = 12 if DEEP else Fraction(1, 5)
"""How many of the positions of each kind are drawn."""


def beside(bystanders: int) -> Scenario:
    """Return a tank with its own way, in a stack with others whom nothing asks to move."""
    tank = {"side": "axis", "type": "tank", "values": "6-4-7", "at": "10.10"}
    enemy = {"id": "e", "side": "allied", "type": "infantry", "values": "2-4-2", "at": "10.12"}
    data = {
        "format": "planner/scenario-1",
        "model": "ocs",
        "phase": "movement",
        "phasing": "axis",
        "map": {"hexes": {"10.10 10.11 10.12 10.13 11.12": "open"}},
        "unit": [{**tank, "id": "a"}, *({**tank, "id": f"b{n}"} for n in range(bystanders)), enemy],
        "tier": [{"terms": [{"kind": "end", "unit": "a", "at": "11.12", "weight": 3}]}],
    }
    return build_scenario(data, "beside")


def test_where_there_is_no_time_to_list_all_that_bystanders_may_do_the_ranks_are_those_of_searches_for_the_best_plan(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    whole = [one.result.value for one in AlternativesSearch(beside(1)).best(2).plans]
    late = []

    def listing(*_: object, **__: object) -> None:
        late.append(True)
        raise OutOfTimeError("the time is up")

    monkeypatch.setattr(ExactReach, "possibilities", listing)
    found = AlternativesSearch(beside(2), Limits.within(600)).best(2)
    assert late
    assert [one.result.status for one in found.plans] == ["optimal", "feasible"]
    best, second = (one.result for one in found.plans)
    assert best.value == whole[0]
    # Whoever overruns once nothing counts any more has another plan, too, 5/2: such moves aren't listed for the best one.
    assert second.value <= whole[1] <= second.bound


@pytest.mark.thorough
def test_bystanders_in_a_stack_are_no_work_for_ranks_of_which_they_make_no_difference() -> None:
    """Listed is what the tank may do, and for each number of companions one place to leave them; the ranks stay proved."""
    search = AlternativesSearch(beside(3))
    found = search.best(2)
    assert [(one.result.value, one.result.status) for one in found.plans] == [
        ((3,), "optimal"),
        ((Fraction(5, 2),), "optimal"),
    ]
    assert len(search._listed.teams) > 20 * len(search._last.ground.teams)


@pytest.mark.parametrize("bystanders", [1, 2] if DEEP else [1])
@pytest.mark.thorough
def test_the_ranks_of_who_stands_with_bystanders_are_as_brute_force_finds_them(bystanders: int) -> None:
    scenario = beside(bystanders)
    every = essential(of_stacks(scenario, 10_000, 4))
    found = AlternativesSearch(scenario).best(4)
    told = [(plan.result.value, plan.substance) for plan in found.plans]
    assert [value for value, _ in told] == [value for value, _ in every[:4]]
    assert set(told) <= set(every)
    assert all(plan.result.status == "optimal" for plan in found.plans)
    assert found.exhausted == (len(every) < 4)


def land(seed: int) -> Scenario:
    """Return a position on land; the same with markers to be taken is left to those by sea."""
    return drawn(seed).scenario


Draw = Callable[[int], Scenario]
Enumerate = Callable[[Scenario], Known]

EXCLUDING: dict[str, tuple[Draw, Enumerate, int, int]] = {
    "land": (land, lambda scenario: {} if scenario.game.removable else on_land(scenario, 400), 12, 7),
    "islands": (lambda seed: islands(seed)[0], lambda scenario: at_sea(scenario, 100), 60, 52),
    "stacks": (lambda seed: stacks(seed)[0], lambda scenario: of_stacks(scenario, 60, 4), 40, 15),
    "trenches": (lambda seed: trenches(seed)[0], lambda scenario: of_stacks(scenario, 60, 3), 80, 61),
    "waiting": (lambda seed: waiting(seed)[0], lambda scenario: of_those_who_wait(scenario, 100), 60, 14),
}
"""Where a model excludes what is known: how positions are drawn, and all plans of one found; how many are drawn, and how
many of these are small enough at least."""
ONE_BY_ONE: dict[str, tuple[Draw, Enumerate, int, int]] = {
    "combats": (lambda seed: skirmish(seed)[0], lambda scenario: of_combats(scenario, 100), 50, 35),
    "reliance": (reliance, lambda scenario: of_stacks(scenario, 60, 6), 16, 7),
    "mud": (doubtful_trenches, lambda scenario: of_stacks(scenario, 60, 3), 16, 11),
}
"""The same where no model excludes a plan for good, so that all plans are gone through."""
POSITIONS = EXCLUDING | ONE_BY_ONE
COOKED = {
    "land": 11,
    "islands": 1,
    "stacks": 4,
    "trenches": 10,
    "waiting": 22,
    "combats": 76,
    "reliance": 57,
    "mud": 10,
}
"""Seeds of positions with more than one solution."""


def known_in(name: str, scenario: Scenario) -> Known:
    """Return what every plan of a position comes to; nothing where it is too large."""
    try:
        return POSITIONS[name][1](scenario)
    except TooManyStatesError:
        return {}


def says_unique(scenario: Scenario, value: tuple[Fraction, ...]) -> bool:
    """Tell what is found of a puzzle's claim that its best value has one solution."""
    claim = AnswerEntry(value=tuple(map(str, value)), unique=True)
    checks = {check.kind: check for check in Settler(replace(scenario, answer=claim), cooks=1).run()}
    assert checks["claim"].outcome == "holds"
    assert checks["unique"].outcome in ("holds", "fails")
    return checks["unique"].outcome == "holds"


@pytest.mark.parametrize("name", POSITIONS)
@pytest.mark.thorough
def test_the_best_plans_that_differ_in_substance_and_whether_one_is_alone_are_as_brute_force_finds_them(
    name: str,
) -> None:
    draw, _, count, least = POSITIONS[name]
    settled = alone = cooked = 0
    for seed in range(int(SHARE * count)):
        scenario = draw(seed)
        best = essential(known_in(name, scenario))
        if not best:
            continue
        settled += 1
        found = AlternativesSearch(scenario).best(COUNT)
        told = [(plan.result.value, plan.substance) for plan in found.plans]
        assert [value for value, _ in told] == [value for value, _ in best[:COUNT]], f"seed {seed}"
        assert set(told) <= set(best), f"seed {seed}"
        assert len({substance for _, substance in told}) == len(told), f"seed {seed}"
        assert all(plan.result.status == "optimal" for plan in found.plans), f"seed {seed}"
        # Whoever goes through all plans knows at once that there are no more; a model has to be asked once again.
        assert (len(best) < COUNT) <= found.exhausted <= (len(best) <= COUNT), f"seed {seed}"
        solutions = [substance for value, substance in best if value == best[0][0]]
        alone += len(solutions) == 1
        cooked += len(solutions) > 1
        assert says_unique(scenario, best[0][0]) == (len(solutions) == 1), f"seed {seed}"
    print(f"{settled} of {int(SHARE * count)} positions small enough; {alone} optima unique, {cooked} not")
    assert settled >= least * min(SHARE, 1) // 2
    assert alone >= 1


@pytest.mark.thorough
def test_a_plan_for_which_there_is_another_is_found_out_in_each_kind_of_search() -> None:
    """Seeds at which brute force finds two solutions."""
    for name, seed in COOKED.items():
        scenario = POSITIONS[name][0](seed)
        best = essential(known_in(name, scenario))
        solutions = {substance for value, substance in best if value == best[0][0]}
        assert len(solutions) > 1, name
        found = AlternativesSearch(scenario).best(9, only_best=True)
        assert {plan.substance for plan in found.plans} == solutions, name
        assert found.exhausted, name


@pytest.mark.parametrize("name", ["land", "islands", "waiting", *ONE_BY_ONE])
@pytest.mark.thorough
def test_the_second_of_diverse_plans_is_as_far_from_the_best_as_any_that_is_good_enough(name: str) -> None:
    draw, share, moved = POSITIONS[name][0], Fraction(1, 2), 0
    for seed in range(60):
        if moved == (20 if DEEP else 1):
            break
        scenario = draw(seed)
        known = known_in(name, scenario)
        if not known:
            continue
        found = AlternativesSearch(scenario).diverse(3, share)
        first = found.plans[0]
        assert first.result.value == max(known.values()), f"seed {seed}"
        least = [value - share * abs(value) for value in first.result.value]
        good = {
            substance: value
            for substance, value in known.items()
            if all(a >= b for a, b in zip(value, least, strict=True))
        }
        farthest = max(first.substance.distance(substance, what_matters(scenario)) for substance in good)
        if not farthest:
            assert (len(found.plans), found.exhausted) == (1, True), f"seed {seed}"
            continue
        moved += 1
        second = found.plans[1]
        assert second.distance == first.substance.distance(second.substance, what_matters(scenario)) == farthest, (
            f"seed {seed}"
        )
        assert second.result.value == max(
            value
            for substance, value in good.items()
            if first.substance.distance(substance, what_matters(scenario)) == farthest
        ), f"seed {seed}"
        assert all(a >= b for plan in found.plans for a, b in zip(plan.result.value, least, strict=True))
    assert moved >= 1


@pytest.mark.parametrize(
    ("name", "distance"),
    [
        ("great_war/first_hex_later", 1),  # the tank goes to E5 and comes back
        ("great_war/first_hex_early", 0),  # whatever hex it enters, it stays in
        ("dai_senso/manchuria", 1),  # plv comes back from w5524 or w5424; inf is in the EZOC of whoever is beside it
        ("dai_senso/nanking", 1),  # the tank comes back from any neighbour, the headquarters from none
        ("classic_hex/no_way_out", 1),  # y comes back from 0406, x from nowhere
        ("classic_hex/six_against_four", 0),
        ("a_world_at_war/winter_front", 1),  # units that may wait: the panzer comes back from L11
    ],
)
def test_who_goes_out_and_comes_back_has_moved(name: str, distance: int) -> None:
    # Whoever isn't at home at the end loses a point, so that good plans are stays and round trips. The referee says of
    # each unit and each of its neighbours whether it may come back from there; beside it is how many units may.
    scenario = load_scenario(name)
    game = scenario.game
    own = [unit for unit in game.homes if unit in game.friends]
    tier = Tier(terms=tuple(End(kind="end", unit=unit, at=(game.homes[unit],)) for unit in own))
    scenario = replace(scenario, tiers=(tier,), requirements=())
    able = {
        unit
        for unit in own
        for beside in game.board.neighbours[game.homes[unit]]
        if Referee(game)
        .play(Plan((Move((unit,), (game.homes[unit], beside, game.homes[unit])),)), scenario.start)
        .legal
    }
    assert len(able) == distance
    found = AlternativesSearch(scenario).diverse(2, Fraction(0))
    assert [plan.distance or 0 for plan in found.plans] == [0, distance][: len(found.plans)]
    assert len(found.plans) == 1 + (distance > 0)


@pytest.mark.thorough
def test_where_there_are_too_many_plans_to_be_tried_no_rank_but_the_first_is_called_proved(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The best plan is known by its bound; for what comes after it there is no time to look."""
    monkeypatch.setattr(Enumeration, "work", 50)
    found = AlternativesSearch(load_scenario("classic_hex/no_way_out")).best(3)
    assert [plan.result.status for plan in found.plans] == ["optimal", "feasible", "feasible"]
    assert not found.exhausted
    assert not found.proved
    assert headline(found, 3).startswith("3 plans that differ in substance, not proved to be the best (")
    proved = AlternativesSearch(load_scenario("dai_senso/manchuria")).best(2)
    assert headline(proved, 2).startswith("The 2 best plans that differ in substance (")


def test_every_alternative_is_legal_and_worth_what_is_said() -> None:
    for name in ("dai_senso/island_campaign_cut", "ocs/two_overruns", "great_war/puzzles/two_orders"):
        scenario = load_scenario(name)
        for plan in AlternativesSearch(scenario).best(4).plans:
            assert plan.result.plan is not None
            verdict = Referee(scenario.game).play(plan.result.plan, scenario.start)
            assert verdict.legal
            assert substance_of(scenario.game, verdict) == plan.substance
            terms = score(scenario.game, scenario.tiers, verdict)
            assert tier_values(scenario.tiers, terms) == plan.result.value


def test_the_distance_of_two_plans_counts_units_and_markers_whose_fate_differs() -> None:
    one = Substance(frozenset({("a", "A1"), ("b", "B1")}), frozenset({"e"}), frozenset({"b"}))
    other = Substance(frozenset({("a", "A2"), ("c", "C1")}), frozenset({"e", "f"}))
    # a ends elsewhere, b and c end elsewhere in one of them; f is gone in one; b is carried in one.
    assert one.distance(other) == other.distance(one) == 3 + 1 + 1
    assert one.distance(one) == 0
    assert not one.covers(other)
    assert one.covers(Substance(frozenset({("a", "A1")})))


def test_out_of_two_ways_that_are_worth_as_much_both_are_alternatives_and_nothing_else_is_as_good() -> None:
    """Either of two units covers the other's exit: 1 / -23 both ways, and every other plan gets nobody out."""
    found = AlternativesSearch(load_scenario("dai_senso/puzzles/after_you")).best(9, only_best=True)
    assert [plan.result.value for plan in found.plans] == [(1, -23), (1, -23)]
    assert found.exhausted


def base_on_the_way() -> Scenario:
    """Return a position in which one of two ways, equally long, leads through an enemy base, which is worth nothing."""
    return build_scenario(
        {
            "format": "planner/scenario-1",
            "model": "dai_senso",
            "phase": "operational_movement",
            "phasing": "western",
            "map": {"hexes": {"w3020 w3021 w3122": "clear", "w3121": {"terrain": "clear", "traits": ["port"]}}},
            "unit": [{"id": "inf", "side": "western", "type": "infantry", "values": "3-3-2", "at": "w3020"}],
            "marker": [{"id": "base", "type": "detachment", "side": "axis", "at": "w3121"}],
            "tier": [{"terms": [{"kind": "hold", "hexes": "w3122"}]}, {"terms": [{"kind": "mp_spent"}]}],
        },
        "base on the way",
    )


def test_what_is_eliminated_for_nothing_is_no_part_of_the_best_plan_and_no_alternative_to_it() -> None:
    """Both ways are 2 MP; to eliminate the base is one fact more. Nobody moving is the only other essential plan."""
    scenario = base_on_the_way()
    assert essential(at_sea(scenario, 1_000)) == [
        ((1, -2), Substance(frozenset({("inf", "w3122")}))),
        ((0, 0), Substance()),
    ]
    found = AlternativesSearch(scenario).best(5)
    assert [(plan.result.value, plan.substance) for plan in found.plans] == essential(at_sea(scenario, 1_000))
    assert found.exhausted


@pytest.mark.thorough
def test_what_is_eliminated_on_the_way_makes_diverse_plans_different() -> None:
    """The same end for the same MP, with the base or without it: as far from each other as two good plans can be."""
    found = AlternativesSearch(base_on_the_way()).diverse(3, Fraction(0))
    assert [(plan.result.value, plan.substance.gone, plan.distance) for plan in found.plans] == [
        ((1, -2), frozenset(), None),
        ((1, -2), frozenset({"base"}), 1),
    ]
    assert found.exhausted


def test_suggest_prints_as_many_alternatives_as_there_are_and_says_that_there_is_no_other() -> None:
    found = run("suggest", "dai_senso/puzzles/after_you", "--alternatives", "5")
    assert found.returncode == 0
    assert "The 3 best plans that differ in substance; there is no other, proved" in found.stdout
    assert found.stdout.index("bravo w5324-w5323 ") < found.stdout.index("alpha w5324-w5325 ")
    answer = json.loads(run("suggest", "dai_senso/puzzles/after_you", "--alternatives", "2", "--json").stdout)
    assert answer["format"] == "planner/alternatives-1"
    assert [(plan["rank"], plan["distance"], plan["result"]["value"]) for plan in answer["plans"]] == [
        (1, None, [1, -23]),
        (2, 2, [1, -23]),
    ]
    assert answer["plans"][1]["substance"] == {
        "ends": {"alpha": "w5325", "bravo": "w5326"},
        "gone": [],
        "carried": [],
    }
    assert (answer["proved"], answer["exhausted"]) == (True, False)


def test_where_there_is_no_plan_there_are_no_alternatives() -> None:
    found = run("suggest", "dai_senso/manchuria_hq", "--alternatives", "2", "--json")
    assert found.returncode == 1
    answer = json.loads(found.stdout)
    assert (answer["status"], answer["plans"], answer["exhausted"]) == ("infeasible", [], True)


def test_a_search_for_alternatives_that_runs_out_of_time_says_so() -> None:
    found = run("suggest", "dai_senso/manchuria", "--alternatives", "2", "--time-limit", "0", "--json")
    assert found.returncode == 0
    answer = json.loads(found.stdout)
    assert (answer["status"], answer["proved"], answer["exhausted"]) == ("feasible", False, False)
    assert [one["result"]["plan"]["moves"] for one in answer["plans"]] == [[]]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--alternatives", "5000"], "must be from 1 to 1000"),
        (["--diverse", "--within", "300%"], "must be from 0 to 1"),
        (["--diverse", "--within", "a lot"], "must be a share"),
    ],
)
def test_numbers_that_make_no_sense_are_bad_input(words: list[str], told: str) -> None:
    found = run("suggest", "dai_senso/manchuria", *words)
    assert found.returncode == 2
    assert told in found.stderr


def test_a_marker_that_matters_to_no_rule_is_gone_all_the_same_where_time_is_limited() -> None:
    """The tank goes to w4724 and clears it, or stays: the first search for the second rank lists no such markers."""
    tank = {"id": "a", "side": "axis", "type": "tank", "values": "3-2-2", "at": "w4725"}
    data = {
        "format": "planner/scenario-1",
        "model": "dai_senso",
        "phase": "operational_movement",
        "phasing": "axis",
        "map": {"hexes": {"w4724 w4725": "clear"}},
        "unit": [tank],
        "marker": [{"id": "dump", "type": "logistics", "side": "western", "at": "w4724"}],
        "tier": [{"terms": [{"kind": "end", "unit": "a", "at": "w4724", "weight": 3}]}],
    }
    scenario = build_scenario(data, "a dump")
    cleared = Clearing.model_validate({"id": "clear", "kind": "clearing", "paragraph": "clear", "markers": {}})
    scenario = with_rules(scenario, [*scenario.game.rulebook.rules, cleared])
    found = AlternativesSearch(scenario, Limits.within(10)).best(3)
    assert [(plan.result.value, sorted(plan.substance.gone)) for plan in found.plans] == [((3,), ["dump"]), ((0,), [])]
    assert found.exhausted


def test_whoever_goes_round_an_enemy_is_an_alternative_to_overrunning_it_where_time_is_limited(tmp_path: Path) -> None:
    """Both ways to e2, which must go, are 2 MP: by 03.02, over e1, which counts 1, or by 02.02."""
    scenario = placed(
        write_model(tmp_path / "any_game", SHUT + OVERRUN),
        {"02.01 02.02 03.02 03.03": "plain"},
        [
            {"id": "u", "side": "south", "type": "foot", "values": "1-2", "at": "02.01"},
            {"id": "e1", "side": "north", "type": "foot", "values": "1-0", "at": "03.02"},
            {"id": "e2", "side": "north", "type": "foot", "values": "1-0", "at": "03.03"},
        ],
        require=[{"kind": "eliminate", "units": "e2"}],
        tier=[{"terms": [{"kind": "eliminate", "units": "e1"}]}],
    )
    found = AlternativesSearch(scenario, Limits.within(10)).best(3)
    assert [(one.result.value, sorted(one.substance.gone)) for one in found.plans] == [
        ((1,), ["e1", "e2"]),
        ((0,), ["e2"]),
    ]
    assert found.exhausted


def test_the_best_plan_is_told_where_the_time_runs_out_before_others_are_looked_at(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def late(*_: object) -> None:
        raise OutOfTimeError("the time ran out")

    monkeypatch.setattr("planner.search.alternatives_search.Census", late)
    found = AlternativesSearch(load_scenario("classic_hex/puzzles/closed_door"), Limits()).best(2)
    assert found.first.status == "optimal"
    assert [one.result.value for one in found.plans] == [found.first.value]
    assert not found.exhausted
