"""Plans: frames are what the referee plays, MP are the referee's, EZOCs and violations are shown where they are."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest

from planner import api
from planner.draw.frames import frames, spans
from planner.draw.zones import ezocs
from planner.plans.plan import Plan
from planner.rules.kinds.zone_of_control import ZoneOfControl
from planner.scenario import load_scenario
from tests.draw.cases import EVERY, PLANS, with_plan

SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize("name", PLANS)
def test_after_each_move_units_are_where_the_referee_has_them(name: str) -> None:
    scenario, plan = with_plan(name)
    found = frames(scenario, plan)
    assert len(found) == len(plan.moves) + 1
    for count, frame in enumerate(found):
        expected = api.check(scenario, Plan(plan.moves[:count])).position
        assert frame.position.at == expected.at
        assert frame.position.boxes == expected.boxes


@pytest.mark.parametrize("name", PLANS)
def test_the_mp_of_the_steps_add_up_to_what_the_referee_charges(name: str) -> None:
    scenario, plan = with_plan(name)
    tally = api.check(scenario, plan).tally.mp
    spent = dict.fromkeys(tally, 0)
    for frame in frames(scenario, plan)[1:]:
        assert frame.move is not None
        assert [step.index for step in frame.steps] == list(range(1, len(frame.move.path)))
        assert frame.steps[-1].total == max(dict(frame.played.spent).values())  # type: ignore[union-attr]
        if len(frame.move.units) == 1:
            spent[frame.move.units[0]] += sum(step.mp for step in frame.steps)  # type: ignore[assignment]
    alone = {move.units[0] for move in plan.moves if len(move.units) == 1}
    alone -= {unit for move in plan.moves if len(move.units) > 1 for unit in move.units}
    assert {unit: spent[unit] for unit in alone} == {unit: tally[unit] for unit in alone}


@pytest.mark.parametrize("name", EVERY)
def test_ezocs_lie_where_the_referee_finds_them(name: str) -> None:
    scenario = load_scenario(name)
    game = scenario.game
    rules = [rule for rule in game.rulebook.rules if isinstance(rule, ZoneOfControl)]
    shown = ezocs(game, scenario.start)
    for label in game.board.hexes:
        exerters = game.sorted({unit for rule in rules for unit in rule._exerters(game, scenario.start, label)})
        if label in shown:
            assert shown[label].exerters == exerters
        elif exerters:  # it does nothing there: other weather, another phase
            place, weather, phase = game.board.hexes[label], game.weather(label), game.situation.phase
            effects = [effect for rule in rules for effect in rule.effects]
            assert not any(
                effect.where.matches(place, weather) and (not effect.phases or phase in effect.phases)
                for effect in effects
            )


def test_a_friend_in_a_hex_negates_its_ezocs() -> None:
    """Until the infantry comes to w5425, the EZOCs of kwantung4 and inf111 are in force there; then they aren't (3.1)."""
    scenario = load_scenario("dai_senso/manchuria")
    before, after = (frame.position for frame in frames(scenario, Plan.parse("inf w5525-w5425")))
    assert ezocs(scenario.game, before)["w5425"].exerters == ("kwantung4", "inf111")
    assert not ezocs(scenario.game, before)["w5425"].negated
    assert ezocs(scenario.game, after)["w5425"].negated


def test_units_that_move_on_negate_nothing_where_only_those_who_stay_do() -> None:
    """4.5b: a truck in 10.05 negates the EZOC there only once it spends no more MP."""
    scenario = load_scenario("ocs/carpet")
    position = frames(scenario, Plan.parse("t1 10.01-10.02-10.03-10.04-10.05"))[1].position
    assert ezocs(scenario.game, position)["10.05"].negated
    assert not ezocs(scenario.game, position, frozenset(["t1"]))["10.05"].negated


def test_an_illegal_move_is_red_and_its_paragraph_stands_at_the_hex() -> None:
    root = ET.fromstring(api.picture("dai_senso/manchuria", "plv w5525-w5425xw5426").svg())
    [mark] = [g for g in root.iter(SVG + "g") if g.get("data-violation")]
    assert mark.get("data-violation") == "w5425"
    assert any("3.1" in (text.text or "") for text in mark.iter(SVG + "text"))
    [arrow] = [g for g in root.iter(SVG + "g") if g.get("data-move")]
    assert "#d00000" in {path.get("stroke") for path in arrow.iter(SVG + "path")}
    legal = ET.fromstring(api.picture("dai_senso/manchuria", "inf w5525-w5425").svg())
    assert not [g for g in legal.iter(SVG + "g") if g.get("data-violation")]
    assert "#d00000" not in {path.get("stroke") for path in legal.iter(SVG + "path")}


def test_a_violation_of_the_position_at_the_end_stands_at_its_hex() -> None:
    """Four steps would stay on a beach that holds three."""
    moves = ["beach_us e2605-e2604", "corps e2606-e2605"]
    root = ET.fromstring(api.picture("dai_senso/island_campaign", moves).svg())
    assert [g.get("data-note") for g in root.iter(SVG + "g") if g.get("data-note")] == ["e2605"]


def test_arrows_have_the_number_of_their_move_and_the_mp_at_each_step() -> None:
    """The infantry pays 1; plv pays 1, then 2 in all, and the 2 stands in the burst of the overrun."""
    root = ET.fromstring(api.picture("dai_senso/manchuria", ["inf w5525-w5425", "plv w5525-w5425xw5426"]).svg())
    arrows = {
        g.get("data-move"): [text.text for text in g.iter(SVG + "text")]
        for g in root.iter(SVG + "g")
        if g.get("data-move")
    }
    assert sorted(arrows) == ["1", "2"]
    assert sorted(text or "" for text in arrows["1"]) == ["1", "1"]
    assert sorted(text or "" for text in arrows["2"]) == ["1", "2", "2"]


def test_a_picture_after_some_moves_has_the_position_after_them() -> None:
    scenario, plan = with_plan("dai_senso/manchuria")
    for after, standing in ((0, True), (1, True), (2, False)):
        root = ET.fromstring(api.picture(scenario, plan).step_to(after).svg())
        places = {
            unit.get("data-unit"): group.get("data-at")
            for group in root.iter(SVG + "g")
            if group.get("data-at")
            for unit in group.iter(SVG + "g")
            if unit.get("data-unit")
        }
        assert (places.get("inf111") == "w5426") == standing
        assert places["inf"] == ("w5425" if after else "w5525")
    with pytest.raises(api.InputError, match="from 0 to 2, not 3"):
        api.picture(scenario, plan).step_to(3)


def test_spans_are_the_longest_stretches_of_frames_in_which_nothing_changes() -> None:
    states = [{"a": 1, "b": 1}, {"a": 1}, {"a": 2, "b": 1}, {"a": 2, "b": 1}]
    assert sorted(spans(states)) == [("a", 1, 0, 2), ("a", 2, 2, 4), ("b", 1, 0, 1), ("b", 1, 2, 4)]
