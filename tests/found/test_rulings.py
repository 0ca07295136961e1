"""Verdicts: referee and solver judge alike, and as the texts, or our reading of them, have it."""

from __future__ import annotations

from typing import Any

import planner
from planner.scenario import Scenario, build_scenario
from tests.oracles.rulebooks import with_rules


def _build(model: str, **data: Any) -> Scenario:
    return build_scenario({"format": "planner/scenario-1", "model": model, **data}, "a position")


def _cited(scenario: Scenario, *moves: str) -> list[str]:
    """Return the paragraphs that a plan breaks, on which both faces of the rules must agree."""
    found = planner.check(scenario, list(moves)).violations
    assert {one.key for one in found} == {
        one.key for one in planner.check(scenario, list(moves), solver=True).violations
    }
    return sorted(one.rule for one in found)


def _winter(winter: str = "L11 L12 L13 L14", **unit: Any) -> Scenario:
    """Return armor that exploits in a mountain of the eastern front, with clear hexes on its east."""
    armor = {"id": "a", "side": "axis", "type": "armor", "values": "4-6", "traits": "exploiting", "at": "L11", **unit}
    return _build(
        "a_world_at_war",
        phase="exploitation",
        phasing="axis",
        map={
            "hexes": {
                "L11 L14": {"terrain": "mountain", "traits": "eastern_front"},
                "L12 L13": {"terrain": "clear", "traits": "eastern_front"},
            },
        },
        weather={"winter": winter},
        unit=[armor],
    )


def test_armor_that_begins_in_a_mountain_in_winter_exploits_by_one_hex() -> None:
    """One hex is open regardless of weather (13.411); it is all that the armor gets (assumed)."""
    assert _cited(_winter(), "a L11-L12") == []
    assert _cited(_winter(), "a L11-L12-L13") == ["13.411"]
    assert _cited(_winter("L14"), "a L11-L12-L13") == []


def test_armor_that_enters_a_mountain_in_winter_exploits_no_further() -> None:
    """The minimum move is the first hex alone: L13-L14 leads into the mountain, L14-L13 out of it again."""
    scenario = _winter(at="L13")
    assert _cited(scenario, "a L13-L14") == []
    assert _cited(scenario, "a L13-L14-L13") == ["13.47"]


def test_reach_and_search_know_the_minimum_move_in_winter() -> None:
    """L12 alone is within reach of the mountain."""
    scenario = _winter()
    assert [entry.hex for entry in planner.reach(scenario, "a").alone] == ["L12"]


def test_why_armor_that_begins_in_a_mountain_in_winter_gets_no_further_is_settled() -> None:
    """That only the minimum move let it out is enough by itself: it stops where the rule of winter is in force."""
    answer = planner.explain(_winter(), "a to L13")
    [reason] = answer.reasons
    [instance] = reason.instances
    assert (answer.status, reason.confirmed, reason.minimal) == ("forbidden", True, True)
    assert (instance.paragraph, instance.hex, instance.unit) == ("13.411", "L12", "a")


def test_an_enemy_is_not_moved_in_any_phase() -> None:
    """In the combat phase nobody moves; of a unit of the other side that is said all the same, with its paragraph."""
    for phase in ("movement", "combat", "exploitation"):
        scenario = _build(
            "a_world_at_war",
            phase=phase,
            phasing="axis",
            map={"hexes": {"L11 L12 L13": "clear"}},
            unit=[
                {"id": "a", "side": "axis", "type": "armor", "values": "4-6", "at": "L11"},
                {"id": "e", "side": "allies", "type": "armor", "values": "4-6", "at": "L13"},
            ],
        )
        assert _cited(scenario, "e L13-L12") == ["13.11"]


def _at_sea(**control: str) -> Scenario:
    return _build(
        "dai_senso",
        phase="operational_movement",
        phasing="axis",
        map={
            "hexes": {"e3408": {"terrain": "clear", "traits": "port"}},
            "boxes": {"us_box": {"name": "US Box", "traits": "port"}},
            "zones": {"micronesia": "e3408 us_box"},
        },
        control={"axis": "e3408", **control},
        unit=[
            {"id": "a", "side": "axis", "type": "infantry", "values": "1-1-2", "nationality": "japan", "at": "e3408"}
        ],
        marker=[{"id": "m", "type": "standard_convoy", "side": "axis", "nationality": "japan", "zone": "micronesia"}],
    )


def test_a_box_that_nobody_holds_is_no_friendly_port() -> None:
    """What nobody holds is nobody's, a box like a hex."""
    assert _cited(_at_sea(), "a e3408~[us_box]") == ["3.1.2"]
    assert _cited(_at_sea(axis="e3408 us_box"), "a e3408~[us_box]") == []


def _river(ma: int) -> Scenario:
    """Return an engineer that bridges and a truck, before a minor river that costs trucks 4 MP more."""
    return _build(
        "ocs",
        phase="movement",
        phasing="axis",
        map={"hexes": {"10.10 10.11 10.12 10.13": "open"}, "hexsides": {"minor_river": ["10.11 10.12"]}},
        unit=[
            {"id": "eng", "side": "axis", "type": "tank", "values": "2-2-20", "traits": "bridging", "at": "10.10"},
            {"id": "b", "side": "axis", "type": "motorized", "values": f"1-1-{ma}", "at": "10.10"},
        ],
    )


def _spent(scenario: Scenario, move: str) -> dict[str, int]:
    [played] = planner.check(scenario, move).moves
    return {unit: int(mp) for unit, mp in played.spent}


def test_an_engineer_who_crosses_with_a_stack_does_not_bridge_for_it() -> None:
    """It isn't beside the river while it crosses (assumed); dropped before, or gone ahead, it is: 2, 2 + 0 and 2 MP."""
    assert _cited(_river(6), "eng+b 10.10-10.11-10.12/eng-10.13") == ["6.1a", "6.1a"]
    assert _cited(_river(6), "eng+b 10.10-10.11-10.12") == ["6.1a"]
    assert _cited(_river(7), "eng+b 10.10-10.11-10.12/b-10.13") == ["6.1a"]
    assert _cited(_river(6), "eng+b 10.10-10.11/eng-10.12-10.13") == []
    assert _cited(_river(6), "eng 10.10-10.11-10.12", "b 10.10-10.11-10.12-10.13") == []


def test_what_is_tested_is_what_is_booked() -> None:
    """Unbridged, the truck pays 2, 2 + 4 and 2 MP."""
    scenario = _river(12)
    assert _spent(scenario, "eng+b 10.10-10.11-10.12/eng-10.13")["b"] == 10
    assert _spent(scenario, "eng+b 10.10-10.11/eng-10.12-10.13")["b"] == 6


def test_units_that_move_one_at_a_time_overrun_one_at_a_time() -> None:
    """The trucks alone get the better of the swamp's defenders in four attempts, with a probability of 1295/1296."""
    shipped = planner.load("ocs/swamp")
    alone = [
        rule.model_copy(update={"stacks": False}) if rule.kind == "sequence" else rule
        for rule in shipped.game.rulebook.rules
    ]
    scenario = with_rules(shipped, alone)
    assert _cited(scenario, "tanks+trucks 10.12-10.11x11.12")[:1] == ["6.1g"]
    found = planner.suggest(scenario, time_limit=60)
    assert found.plan is not None
    assert all(len(move.units) == 1 for move in found.plan.moves)


def _air(*more: dict[str, Any]) -> Scenario:
    """Return armor on both ends of a line, an enemy beside each, and an air unit that can help one of these in a phase."""
    return _build(
        "a_world_at_war",
        phase="movement",
        phasing="axis",
        margin="all",
        map={"hexes": {"L11 L12 L13 L14 L15 L16": "clear"}},
        unit=[
            {"id": "west", "side": "axis", "type": "armor", "values": "6-4", "at": "L11"},
            {"id": "east", "side": "axis", "type": "armor", "values": "6-4", "at": "L14"},
            {"id": "w", "side": "allies", "type": "infantry", "values": "1-3", "at": "L12"},
            {"id": "e", "side": "allies", "type": "infantry", "values": "1-3", "at": "L15"},
            {"id": "air", "side": "allies", "type": "air", "values": "1-0", "at": "L16"},
            *more,
        ],
    )


def test_defensive_air_that_has_kept_an_overrun_from_succeeding_does_not_come_again() -> None:
    """6 against 1 + 1 fails; after that nobody is left who could bring 6:1 down in the other hex."""
    scenario = _air()
    assert _cited(scenario, "west L11!L12") == []
    assert _cited(scenario, "west L11!L12", "east L14!L15") == ["13.531"]
    assert _cited(scenario, "west L11!L12", "east L14xL15") == []
    assert _cited(scenario, "east L14xL15") == ["13.531"]


def test_of_two_air_units_one_is_left_for_the_second_overrun() -> None:
    """Each needs one: both may fail, and the second isn't safe."""
    scenario = _air({"id": "air2", "side": "allies", "type": "air", "values": "1-0", "at": "L16"})
    assert _cited(scenario, "west L11!L12", "east L14!L15") == []
    assert _cited(scenario, "west L11!L12", "east L14xL15") == ["13.531"]


def test_units_that_move_on_after_a_failed_overrun_break_the_paragraph_of_failed_overruns() -> None:
    """They remain where they made the attempt (13.531)."""
    assert _cited(_air(), "west L11!L12", "west L11-L12") == ["13.46", "13.531"]


def test_who_is_dropped_where_an_ezoc_begins_frees_no_strat_mode_in_the_same_move() -> None:
    """5.8, assumed: a friend must be there before, as one is who moves first; 6.3b alone is lifted at once."""

    def marching(*traits: str) -> Scenario:
        units = [
            {"id": "a", "side": "axis", "type": "infantry", "values": "2-2-8", "at": "10.10"},
            {"id": "s", "side": "axis", "type": "infantry", "values": "2-2-8", "at": "10.10", "traits": list(traits)},
            {"id": "e", "side": "allied", "type": "infantry", "values": "9-9-4", "at": "11.13"},
        ]
        hexes = "10.10 10.11 10.12 10.13 11.13"
        return _build("ocs", phase="movement", phasing="axis", map={"hexes": {hexes: "open"}}, unit=units)

    assert _cited(marching("strat_mode"), "a+s 10.10-10.11-10.12") == ["5.8"]
    assert _cited(marching("strat_mode"), "a 10.10-10.11-10.12", "s 10.10-10.11-10.12") == []
    assert _cited(marching(), "a+s 10.10-10.11-10.12") == []


def _column(**data: Any) -> Scenario:
    """Return a tank and a motorized unit that want to pass a division, past two weak enemies."""
    enemies = {"weak": "31.15", "weaker": "31.16", "division": "31.13"}
    tank = {"id": "tank", "side": "axis", "type": "tank", "values": "8-4-17", "at": "30.13"}
    moto = {"id": "moto", "side": "axis", "type": "motorized", "values": "4-3-14", "at": "30.13"}
    foes = [{"id": i, "side": "allied", "type": "infantry", "values": "2-2-4", "at": at} for i, at in enemies.items()]
    hexes = {"30.13 31.14 31.15 31.16 31.13 32.13": "open"}
    return _build("ocs", phase="movement", phasing="axis", map={"hexes": hexes}, unit=[tank, moto, *foes], **data)


def test_who_comes_back_to_where_it_would_be_stuck_is_there_whatever_is_rolled() -> None:
    """The division's zone lets pass whoever finds a friend there (6.3b): the tank is, whether its overrun fails or not."""
    scenario = _column()
    assert _cited(scenario, "tank 30.13-31.14x31.15-31.14", "moto 30.13-31.14-32.13") == []
    assert _cited(scenario, "moto 30.13-31.14-32.13") == ["6.3b"]


def test_who_may_be_stuck_elsewhere_is_not_there_whatever_is_rolled() -> None:
    """If the second overrun fails, which is made from 31.15, the tank is stuck there; so it is with 3/4 × 1/4."""
    for data in ({}, {"confidence": "4/5"}):  # in 31.14 it is with 1/4 + 9/16, more than four fifths
        column = "tank 30.13-31.14x31.15x31.16-31.15-31.14"
        assert _cited(_column(**data), column, "moto 30.13-31.14-32.13") == ["6.3b"]
