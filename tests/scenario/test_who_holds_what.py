"""A place is in the next phase whose it was when this one ended, whoever stood there, left, or is gone."""

from __future__ import annotations

import random
from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import planner
from planner.errors import InputError
from planner.plans.plan import Plan
from planner.reachability.conditional_reach import ConditionalReach
from planner.rules.roles import Captures
from planner.scenario import Scenario
from planner.scenario.next_phase import data_after
from planner.solver.judged_worlds import worlds
from tests.conftest import sized
from tests.oracles.made_up import drawn
from tests.oracles.mixtures import KINDS, mix
from tests.plain_game import FORCES, placed, write_model

CAPTURE = '[[rule]]\nid = "taking"\nkind = "capture"\nparagraph = "taking"\nby = { types = "guard" }\n'
ROW = {"03.01 03.02": "plain"}


def guard(name: str, at: str, kind: str = "guard", side: str = "south") -> dict[str, Any]:
    return {"id": name, "side": side, "type": kind, "values": "1-3", "at": at}


def held_after(scenario: Scenario, *moves: str) -> Mapping[str, str]:
    """Return who holds what in the phase after some moves."""
    reached = scenario.after(moves).start if moves else scenario.start
    return planner.Scenario.from_dict(data_after(scenario, reached)).game.situation.control


def test_what_one_who_takes_places_has_left_stays_his_side_s_whoever_else_was_there(tmp_path: Path) -> None:
    """Guards take places, feet don't: 03.01 is the guard's, and stays south's whether or not the foot leaves, too."""
    model = write_model(tmp_path / "game", CAPTURE)
    for order in (1, -1):
        units = [guard("g", "03.01"), guard("f", "03.01", "foot")][::order]
        scenario = placed(model, ROW, units)
        assert scenario.game.situation.control == {"03.01": "south"}
        assert held_after(scenario, "g 03.01-03.02") == {"03.01": "south", "03.02": "south"}
        assert held_after(scenario, "g 03.01-03.02", "f 03.01-03.02") == {"03.01": "south", "03.02": "south"}
        assert held_after(scenario, "f 03.01-03.02") == {"03.01": "south"}


def test_a_place_where_allies_stand_together_is_friendly_to_both(tmp_path: Path) -> None:
    forces = FORCES.replace('south = "South"', 'south = "South", east = "East"') + 'alliances = [["south", "east"]]\n'
    model = write_model(tmp_path / "game", CAPTURE, forces)
    units = [guard("g", "03.01"), guard("a", "03.01", side="east")]
    for phasing, mover in (("south", "g"), ("east", "a")):
        scenario = placed(model, ROW, units, phasing=phasing)
        situation = scenario.game.situation
        assert situation.befriends(situation.control["03.01"])
        assert held_after(scenario, f"{mover} 03.01-03.02")["03.01"] == situation.control["03.01"]


def test_a_place_stays_its_side_s_though_enemies_are_left_there_who_take_none(tmp_path: Path) -> None:
    """Guards take places, feet don't: g leaves 03.01, and e is left there, or is driven there in a combat."""
    model = write_model(tmp_path / "shared", CAPTURE)
    scenario = placed(model, ROW, [guard("g", "03.01"), guard("e", "03.01", "foot", "north")])
    assert held_after(scenario, "g 03.01-03.02") == {"03.01": "south", "03.02": "south"}
    combat = '[[rule]]\nid = "fight"\nkind = "combat_on_entry"\nparagraph = "fight"\ndemoralized = "tired"\n'
    combat += 'eliminated_to = [{ box = "dead" }]\ncolumns = [{ from_percent = -100, entries = [[0, 1]] }]\n'
    model = write_model(tmp_path / "fought", CAPTURE + combat, FORCES + 'unit_traits = { tired = "Tired" }\n')
    units = [guard("g", "03.03"), guard("a", "03.01", "foot"), guard("e", "03.02", "foot", "north")]
    scenario = placed(model, {"03.01 03.02 03.03 03.04": "plain"}, units)
    assert held_after(scenario, "g 03.03-03.04", "a 03.01x03.02") == {"03.03": "south", "03.04": "south"}


@pytest.mark.parametrize("there", [True, False])
@pytest.mark.parametrize(("alliances", "holder"), [("", "north"), ('alliances = [["north", "east"]]\n', "east")])
def test_a_place_of_allies_isnt_taken_by_who_gives_way_to_it(
    alliances: str, holder: str, there: bool, tmp_path: Path
) -> None:
    """03.03 is east's: e, of north, is driven there in a combat; a friend of e's may stand there, if east is one."""
    combat = '[[rule]]\nid = "fight"\nkind = "combat_on_entry"\nparagraph = "fight"\ndemoralized = "tired"\n'
    combat += 'eliminated_to = [{ box = "dead" }]\ncolumns = [{ from_percent = -100, entries = [[0, 1]] }]\n'
    forces = FORCES.replace('south = "South"', 'south = "South", east = "East"') + alliances
    model = write_model(tmp_path / "game", CAPTURE + combat, forces + 'unit_traits = { tired = "Tired" }\n')
    units = [guard("a", "03.01"), guard("e", "03.02", side="north"), guard("o", "03.04", side="east")]
    units += [guard("p", "03.03", side="east")] if there and alliances else []
    scenario = placed(model, {"03.01 03.02 03.03 03.04": "plain"}, units, control={"east": "03.03"})
    assert held_after(scenario, "a 03.01x03.02")["03.03"] == holder
    later = scenario.after(["a 03.01x03.02"])
    assert later.game.situation.control["03.03"] == holder
    [world] = worlds(ConditionalReach(scenario.game), Plan.parse(["a 03.01x03.02"]))
    assert world.reach.game.situation.control["03.03"] == holder


def test_a_place_is_taken_in_passing_by_enemies_who_take_none(tmp_path: Path) -> None:
    model = write_model(tmp_path / "game", CAPTURE)
    units = [guard("g", "03.01"), guard("e", "03.02", "foot", "north")]
    scenario = placed(model, {"03.01 03.02 03.03": "plain"}, units, control={"north": "03.02"})
    moved = scenario.after(["g 03.01-03.02-03.03"])
    assert moved.game.situation.control["03.02"] == "south"
    assert held_after(scenario, "g 03.01-03.02-03.03")["03.02"] == "south"


def test_the_town_of_a_unit_that_is_gone_stays_its_side_s_until_somebody_enters() -> None:
    """Red's only unit in 0304 is eliminated by an attack, and nobody advances: Red's point is still Red's."""
    begin = {
        "format": "planner/scenario-1",
        "model": "crossroads",
        "phase": "movement",
        "phasing": "blue",
        "turn": 1,
        "last_turn": 1,
        "map": {"hexes": {"0303 0404": "clear", "0304": {"terrain": "clear", "traits": "objective"}}},
        "victory": {"side": "red", "points": {"0304": 1}, "wins_with": 1, "loses_with": 0},
        "unit": [
            {"id": "b", "side": "blue", "type": "infantry", "values": "8-2-2", "at": "0303"},
            {"id": "r", "side": "red", "type": "infantry", "values": "1-1-2", "at": "0304"},
        ],
    }
    position = planner.Position(planner.Scenario.from_dict(begin))
    position.push("b -> 0304")
    position.roll(result="b -> 0304=DE")
    position.end_phase()
    assert position.scenario.game.situation.control["0304"] == "red"


def taking(rng: random.Random) -> Scenario:
    """Return a position in which places may be taken, under some other rules as well."""
    while True:
        kinds = "capture", *rng.sample(sorted(KINDS.keys() - {"capture"}), rng.choice((1, 2, 3)))
        with suppress(InputError):  # not all of them go together
            return drawn(partial(mix, kinds=kinds), rng)


def held(position: planner.Position) -> dict[str, str]:
    """Return who holds the places that can be taken."""
    game = position.scenario.game
    places = {
        label
        for rule in game.rulebook.of(Captures)
        for label in game.board.hexes
        if rule.where.matches(game.board.hexes[label])
    }
    return {label: side for label, side in game.situation.control.items() if label in places}


@pytest.mark.parametrize("seed", sized(range(16), range(150), range(3_000)))
def test_whose_a_place_is_does_not_change_as_a_phase_ends(seed: int) -> None:
    """Any moves under any rules: what the phase in progress says is what the next one begins with."""
    rng = random.Random(f"held {seed}")
    position = planner.Position(taking(rng))
    for _ in range(4):
        for _ in range(rng.choice((0, 1, 2, 3))):
            if not (moves := list(position.legal_moves())):
                break
            position.push(rng.choice(moves))
            while position.outcomes:
                position.roll(rng)
        if position.problems():
            return
        before = held(position)
        position.end_phase()
        assert held(position) == before
