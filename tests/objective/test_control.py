"""Objectives that ask whose a place is in the end: taken on the way, kept, or lost to an enemy who retreats into it."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import planner
from planner.explanation.parse_question import read_goals
from planner.explanation.question import Question
from planner.objective import Tally, Tier
from planner.objective.control import Control
from planner.scenario import build_scenario
from planner.scenario.next_phase import write_after
from planner.search.search import Search
from tests.conftest import DEEP
from tests.oracles.brute_force import TooManyStatesError
from tests.oracles.every_plan import EveryPlan
from tests.oracles.islands import draw_islands
from tests.oracles.skirmishes import best_plan, draw_skirmish
from tests.plain_game import Variant, build
from tests.seeds import in_chunks
from tests.solving import searched

ISLANDS = 500 if DEEP else 25
SKIRMISHES = 500 if DEEP else 12


def port_run(**more: Any) -> dict[str, Any]:
    """Return a position: a tank beside an enemy port, with MA 2, and a hex beyond the port."""
    return {
        "format": "planner/scenario-1",
        "model": "dai_senso",
        "phase": "operational_movement",
        "phasing": "western",
        "map": {"hexes": {"w3020 w3022": "clear", "w3021": {"terrain": "clear", "traits": ["port"]}}},
        "control": {"axis": "w3021"},
        "unit": [{"id": "tank", "side": "western", "type": "tank", "values": "3-3-2", "at": "w3020"}],
        "tier": [
            {"terms": [{"kind": "control", "hexes": "w3021"}, {"kind": "hold", "hexes": "w3022"}]},
            {"terms": [{"kind": "mp_spent"}]},
        ],
        **more,
    }


def test_a_port_that_is_passed_through_counts_as_friendly() -> None:
    """Through w3021 to w3022: one for the port, one for the hex beyond, 2 MP."""
    result = Search(build_scenario(port_run(), "test")).run()
    assert (result.status, result.value) == ("optimal", (2, -2))


def test_a_place_that_is_friendly_already_counts_and_an_empty_enemy_one_does_not() -> None:
    tiers = [{"terms": [{"kind": "control", "hexes": "w3021 w3022"}]}, {"terms": [{"kind": "units_moved"}]}]
    still = [{"kind": "stay", "units": "tank"}]
    scenario = build_scenario(
        port_run(control={"western": "w3022", "axis": "w3021"}, tier=tiers, require=still), "test"
    )
    result = Search(scenario).run()
    assert (result.status, result.value) == ("optimal", (1, 0))


def test_one_unit_may_take_a_place_and_end_in_another() -> None:
    """Through w3021 to w3022, as above; a tank of MA 1 gets no further than w3021."""
    goals = "control w3021 and hold w3022 and at most 1 units"
    for values, possible in (("3-3-2", True), ("3-3-1", False)):
        unit = {**port_run()["unit"][0], "values": values}
        scenario = build_scenario(port_run(unit=[unit], tier=[]), "test")
        question = Question(tuple(read_goals(scenario, goals)))
        assert question.relaxed(scenario).ask(None, second=True)[0] is possible


def test_that_nobody_can_enter_a_place_is_known_without_a_search() -> None:
    """No overruns: r3 and ra stay in 0805, whatever anybody does."""
    scenario = planner.load("crossroads/bridge")
    question = Question(tuple(read_goals(scenario, "control 0805")))
    assert question.relaxed(scenario).ask(None, quick=True, second=True) == (False, None)


@pytest.mark.thorough
def test_who_holds_a_place_is_told_as_why_it_cant_be_controlled() -> None:
    """Whoever came, r3 and ra would have to be gone, both of them; a set that bound all units everywhere was told."""
    found = planner.explain("crossroads/bridge", require="control 0805", time_limit=None)
    assert {(one.paragraph, one.hex, one.blame) for one in found.instances} == {("4.7", "0805", ("r3", "ra"))}
    [reason] = found.reasons
    assert (reason.confirmed, reason.minimal) == (True, True)
    assert [str(remedy) for remedy in found.remedies] == ["if r3 were not there and ra were not there"]


def door(**more: Any) -> dict[str, Any]:
    """Return a position: a weak enemy in 0405, whom x in 0404 would throw back to 0406, an entry hex."""
    return {
        "format": "planner/scenario-1",
        "model": "classic_hex",
        "phase": "movement",
        "phasing": "blue",
        "map": {"hexes": {"0404 0405 0406 0506": "clear", "0505": "forest"}},
        "control": {"blue": "0406"},
        "unit": [
            {"id": "x", "side": "blue", "type": "infantry", "values": "12-2", "at": "0404"},
            {"id": "y", "side": "blue", "type": "infantry", "values": "2-5", "at": "0404"},
            {"id": "e", "side": "red", "type": "infantry", "values": "4-1", "at": "0405"},
        ],
        "tier": [{"terms": [{"kind": "eliminate", "units": "e"}]}, {"terms": [{"kind": "units_moved"}]}],
        **more,
    }


def test_an_enemy_who_retreats_into_an_entry_hex_takes_it() -> None:
    scenario = build_scenario(door(tier=[{"terms": [{"kind": "control", "hexes": "0406"}]}]), "test")
    verdict = planner.check(scenario, "x 0404x0405")
    [term] = scenario.tiers[0].terms
    kept = sum((o.probability for o in verdict.outcomes if term.score(scenario.game, o.position, o.tally)), Fraction(0))
    lost = sum((o.probability for o in verdict.outcomes if o.position.at.get("e") == "0406"), Fraction(0))
    assert lost > 0
    assert kept == 1 - lost


@pytest.mark.thorough
def test_a_plan_that_must_keep_the_entry_hex_open_closes_it_before_the_attack() -> None:
    """Without the demand x may attack at once; with it y has to be in 0406 first, or e might go there.

    Every plan: y may even catch e in 0506 afterwards, which the search, with its bound open, need not find.
    """
    keep = [{"kind": "control", "hexes": "0406"}]
    scenario = build_scenario(door(require=keep), "test")
    result = Search(scenario).run()
    value, _ = best_plan(scenario)
    assert result.value is not None
    assert result.value <= value <= result.bound
    assert result.value[0] > 0
    assert result.plan is not None
    moves = [str(move) for move in result.plan.moves]
    assert any(move.startswith("y ") and move.endswith("0406") for move in moves[:1])


@in_chunks(ISLANDS)
@pytest.mark.thorough
def test_a_search_for_control_of_ports_comes_to_the_optimum_of_every_plan(seeds: range) -> None:
    settled = 0
    for seed in seeds:
        rng = random.Random(f"control {seed}")
        data = draw_islands(rng)
        places = sorted({place for zone in data["map"]["zones"].values() for place in zone.split()} - {"x"})
        if not places:
            continue
        mine = data["control"]["western"].split()
        data["control"]["western"] = " ".join(mine[:1])
        data["tier"][0]["terms"].append({"kind": "control", "hexes": places, "weight": 4})
        scenario = build_scenario(data, f"control {seed}")
        try:
            value = EveryPlan(scenario, 400, longest=5).best()
        except TooManyStatesError:
            continue
        settled += 1
        assert searched(scenario) == value, f"seed {seed}"
    assert settled > len(seeds) / 3


@in_chunks(ISLANDS)
@pytest.mark.thorough
def test_a_place_that_nobody_can_come_to_is_taken_by_no_plan(seeds: range) -> None:
    never = had = 0
    for seed in seeds:
        data = draw_islands(random.Random(f"control {seed}"))
        places = sorted({place for zone in data["map"]["zones"].values() for place in zone.split()} - {"x"})
        data["control"]["western"] = " ".join(data["control"]["western"].split()[:1])
        scenario = replace(build_scenario(data, f"control {seed}"), tiers=(), requirements=())
        wanted = {label: Control(kind="control", hexes=(label,)) for label in places}
        friendly: set[str] = set()
        try:
            for position, mp, _ in EveryPlan(scenario, 400, longest=5).standings():
                friendly |= {
                    label for label, one in wanted.items() if one.score(scenario.game, position, Tally(dict(mp)))
                }
        except TooManyStatesError:
            continue
        for label, goal in wanted.items():
            question = Question((goal,))
            possible, _ = question.relaxed(scenario).ask(None, quick=True, second=True)
            assert possible in (None, label in friendly), f"seed {seed}: {label}"
            never += possible is False
            had += possible is True
    assert never > len(seeds) / 10
    assert had > len(seeds) / 10


@in_chunks(SKIRMISHES)
@pytest.mark.thorough
def test_a_search_for_control_among_combats_never_claims_too_much(seeds: range) -> None:
    settled = same = 0
    for seed in seeds:
        rng = random.Random(f"control {seed}")
        data = draw_skirmish(rng)
        labels = [label for label, entry in data["map"]["hexes"].items() if entry["terrain"] != "lake"]
        data["control"] = {"blue": " ".join(rng.sample(labels, 2))}
        asked = rng.sample(labels, 3)
        data["tier"][0]["terms"].append({"kind": "control", "hexes": asked, "weight": 2})
        scenario = build_scenario(data, f"control {seed}")
        try:
            value, plan = best_plan(scenario, 400)
        except TooManyStatesError:
            continue
        settled += 1
        result = Search(scenario).run()
        assert result.value is not None
        assert result.value <= value, f"seed {seed}:\n{plan}"
        assert all(bound >= one for bound, one in zip(result.bound, value, strict=True)), f"seed {seed}"
        same += result.value == value
    assert settled > len(seeds) / 3
    assert same >= settled * 0.9


SHARED = """
[[rule]]
id = "capture"
kind = "capture"
paragraph = "capture"
where = { traits = "port" }
"""


@pytest.mark.parametrize("holder", ["north", "south"])
def test_where_nothing_keeps_both_sides_apart_whoever_moves_in_holds_the_place(tmp_path: Path, holder: str) -> None:
    """The guard stays in 03.02, and f may end there beside him for 1 MP, whoever held the place, or has been there."""
    sides = f'hexes."03.02" = {{ traits = ["port"] }}\n[control]\n{holder} = "03.02"\n'
    for unit, mp in (("foot f 03.01 2", 1), ("foot f 03.02 0", 0))[: 1 if holder == "north" else 2]:
        shared = Variant("shared", SHARED, units=(unit,), enemies=("guard e 03.02",), hexsides=sides)
        scenario = build(shared, tmp_path)
        control = replace(scenario, tiers=(Tier(terms=(Control(kind="control", hexes="03.02"),)), *scenario.tiers[1:]))
        result = Search(control).run()
        assert (result.status, result.value) == ("optimal", (1, -mp))
        assert planner.explain(scenario, require='{kind = "control", hexes = "03.02"}').status == "possible"


@pytest.mark.parametrize("holder", ["north", "south"])
def test_a_place_that_is_passed_through_isnt_friendly_while_an_enemy_is_left_there(tmp_path: Path, holder: str) -> None:
    """The way to 03.03 leads through 03.02: it would cost 2 MP, and the guard stays; 1 MP is spent on holding 03.02."""
    beyond = f'hexes."03.02" = {{ traits = ["port"] }}\n[control]\n{holder} = "03.02"\n'
    rows = "~ ~ . ~ ~\n" * 6
    shared = Variant(
        "shared",
        SHARED,
        chart='terrain.lake = { symbol = "~", prohibited = true }\n',
        units=("foot f 03.01 2",),
        enemies=("guard e 03.02",),
        rows=rows,
        hexsides=beyond,
    )
    scenario = build(shared, tmp_path)
    port, goal = Control(kind="control", hexes="03.02"), read_goals(scenario, "f to 03.03")
    through = replace(scenario, tiers=(Tier(terms=(port, *goal)), *scenario.tiers[1:]))
    result = Search(through).run()
    assert (result.status, result.value[0]) == ("optimal", 1)
    assert planner.check(through, ["f 03.01-03.02-03.03"]).legal
    asked = planner.explain(through, require=["f to 03.03", '{kind = "control", hexes = "03.02"}'])
    assert asked.status == "forbidden"


@pytest.mark.parametrize(("at", "moves"), [("03.01", "f 03.01-03.02-03.03"), ("03.02", "f 03.02-03.03")])
def test_what_is_left_to_an_enemy_who_was_there_all_the_time_is_his_in_the_next_phase(
    tmp_path: Path, at: str, moves: str
) -> None:
    sides = 'hexes."03.02" = { traits = ["port"] }\n'
    shared = Variant("shared", SHARED, units=(f"foot f {at} 2",), enemies=("guard e 03.02",), hexsides=sides)
    scenario = build(shared, tmp_path)
    write_after(scenario, planner.apply(scenario, [moves]), tmp_path / "later.toml", None)
    for text in (
        later := (tmp_path / "later.toml").read_text(),
        later.replace('phasing = "south"', 'phasing = "north"'),
    ):
        (tmp_path / "later.toml").write_text(text)
        assert planner.load(tmp_path / "later.toml").game.situation.control["03.02"] == "north"


def test_where_it_cant_be_counted_it_is_said_what_can_be() -> None:
    """In OCS overruns are rolled for."""
    game = planner.load("ocs/swamp").game
    [(said, _)] = Control(kind="control", hexes=next(iter(game.board.hexes))).problems(game)
    assert said == "control isn't counted in games in which moves are rolled for: hold or end may be"


def through_a_town(**more: Any) -> planner.Position:
    """Return a position after an attack: `e` has retreated from 0103 through the town 0102, which was Red's, to 0101."""
    scenario = {
        "format": "planner/scenario-1",
        "model": "crossroads",
        "phase": "movement",
        "phasing": "red",
        "map": {"hexes": {"0101 0103 0104": "clear", "0102": {"terrain": "town", "traits": "objective"}}},
        "control": {"red": "0102"},
        "unit": [
            {"id": "a", "side": "red", "type": "infantry", "values": "9-4-4", "at": "0104"},
            {"id": "e", "side": "blue", "type": "infantry", "values": "1-1-4", "at": "0103"},
        ],
        "tier": [{"terms": [{"kind": "control", "hexes": "0102"}]}],
        **more,
    }
    position = planner.Position(planner.Scenario.from_dict(scenario))
    position.push("a -> 0103=DR e 0103-0102-0101")
    return position


def test_who_retreats_through_a_town_has_it_then_and_in_the_phases_after() -> None:
    # Blue had a unit there last. The clear hexes, which nobody can take, belong to nobody.
    position = through_a_town()
    assert position.suggest().value == (0,)
    position.end_phase()
    assert "0102" in position.to_dict()["control"]["blue"]
    assert "0101" not in position.to_dict()["control"]["blue"]
    assert position.suggest().value == (0,)


def test_a_place_that_an_enemy_has_retreated_into_is_friendly_again_once_somebody_passes_through() -> None:
    # Blue's own town 1010: red retreats into it, is destroyed by an attack that is thrown back, and another goes through it.
    scenario = {
        "format": "planner/scenario-1",
        "model": "classic_hex",
        "phase": "movement",
        "phasing": "blue",
        "map": {"hexes": {"1008 1009 1010 1011 1012": "clear"}},
        "control": {"blue": "1010"},
        "unit": [
            {"id": "a", "side": "blue", "type": "infantry", "values": "9-3", "at": "1012"},
            {"id": "b", "side": "blue", "type": "infantry", "values": "1-3", "at": "1009"},
            {"id": "c", "side": "blue", "type": "infantry", "values": "9-3", "at": "1009"},
            {"id": "e", "side": "red", "type": "infantry", "values": "2-3", "at": "1011"},
        ],
        "tier": [{"terms": [{"kind": "control", "hexes": "1010"}]}],
    }
    position = planner.Position(planner.Scenario.from_dict(scenario))
    position.push("a 1012x1011=0:1")
    position.push("b 1009x1010=1:1")
    assert (position.at, position.suggest().value) == ({"a": "1011", "b": "1009", "c": "1009"}, (1,))
    position.push("c 1009-1010-1011")
    assert position.suggest().value == (1,)
    position.end_phase()
    assert "1010" in position.to_dict()["control"]["blue"]
