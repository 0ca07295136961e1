"""Whose a port is: that of allies is friendly, and enemies who are driven into one take it, or keep their own."""

from __future__ import annotations

from pathlib import Path

import pytest

import planner
from planner.plans.plan import Plan
from planner.playing.position import Position
from planner.scenario import Scenario
from planner.scenario.next_phase import write_after
from planner.solver.plan_judge import judge
from tests.plain_game import FORCES, placed, write_model

FERRY = '[[rule]]\nid = "ferry"\nkind = "transport"\nparagraph = "ferry"\n'
FERRY += 'embark = [{ traits = "port" }]\ndebark = [{ traits = "port" }]\n'
FIGHT = '[[rule]]\nid = "fight"\nkind = "combat_on_entry"\nparagraph = "fight"\ndemoralized = "tired"\n'
FIGHT += 'eliminated_to = [{{ box = "dead" }}]\ncolumns = [{{ from_percent = -100, entries = [[{}]] }}]\n'
CAPTURE = '[[rule]]\nid = "capture"\nkind = "capture"\nparagraph = "capture"\nby = {}\n'
ALLIES = FORCES.replace('south = "South"', 'south = "South", east = "East"') + 'alliances = [["south", "east"]]\n'
ALLIES += 'unit_traits = { tired = "Tired" }\n'
SAILS, DRIVES = "t 03.01~01.03", "a 01.01x01.02"


def position(folder: Path, rules: str, control: dict[str, str], at: str = "", turns: str = "") -> Scenario:
    """Return a position with ports in 01.03 and 03.01: t may sail from there, a may attack e, if there is one, in `at`."""
    model = write_model(folder / "game", rules + FERRY, ALLIES, turns=turns)
    (model / "carriers.toml").write_text('[[carriers]]\nmarkers = { types = "boat" }\ncarries = {}\n')
    units = [("a", "south", "2-2", "01.01"), ("t", "south", "2-1", "03.01"), ("e", "north", "1-1", at)]
    return placed(
        model,
        {},
        [{"id": id, "side": side, "type": "foot", "values": values, "at": at} for id, side, values, at in units if at],
        map={
            "hexes": {"01.01 01.02 01.04": "plain", "01.03 03.01": {"terrain": "plain", "traits": "port"}},
            "zones": {"sea": "01.03 03.01"},
        },
        marker=[{"id": "ship", "type": "boat", "side": "south", "zone": "sea"}],
        control=control,
        tier=[{"terms": [{"kind": "end", "unit": "t", "at": "01.03"}]}],
    )


@pytest.mark.parametrize("turns", ["", "stacks = true\n", "waiting = {}\n"])
@pytest.mark.parametrize("allied", ["01.03", "03.01", "01.03 03.01"])
def test_a_port_of_allies_is_a_friendly_one_to_searches_too(tmp_path: Path, allied: str, turns: str) -> None:
    own = " ".join({"01.03", "03.01"} - {*allied.split()})
    scenario = position(tmp_path, "", {"east": allied} | ({"south": own} if own else {}), turns=turns)
    assert planner.check(scenario, [SAILS]).legal
    assert not judge(scenario, Plan.parse([SAILS]))
    found = planner.suggest(scenario)
    assert (found.status, found.value) == ("optimal", (1,))
    assert [[one.hex for one in unit.alone] for unit in planner.reach_all(scenario) if unit.unit == "t"] == [["01.03"]]


def test_a_port_of_nobody_and_one_of_the_enemies_are_none_for_whoever_is_carried(tmp_path: Path) -> None:
    for control in ({"south": "03.01"}, {"south": "03.01", "north": "01.03"}, {"south": "01.03", "north": "03.01"}):
        scenario = position(tmp_path, "", control)
        assert not planner.check(scenario, [SAILS]).legal
        assert judge(scenario, Plan.parse([SAILS]))
        assert planner.suggest(scenario).value == (0,)


@pytest.mark.parametrize(("who", "takes"), [("{}", True), ('{ types = "foot" }', True), ('{ types = "guard" }', False)])
def test_a_port_that_enemies_take_as_they_are_driven_there_is_no_friendly_one(
    tmp_path: Path, who: str, takes: bool
) -> None:
    """In one plan as in two: e, driven from 01.02 into 01.03, takes it if such units take places."""
    rules = FIGHT.format("0, 1") + CAPTURE.format(who).replace("{{}}", "{}")
    scenario = position(tmp_path, rules, {"south": "01.03 03.01"}, "01.02")
    assert planner.check(scenario, [SAILS, DRIVES]).legal
    assert planner.check(scenario.after([DRIVES]), [SAILS]).legal is not takes
    assert planner.check(scenario, [DRIVES, SAILS]).legal is not takes
    assert bool(judge(scenario, Plan.parse([DRIVES, SAILS]))) is takes


def test_nobody_is_carried_from_a_port_that_enemies_have_taken_until_it_is_taken_again(tmp_path: Path) -> None:
    """Once driven into 01.03, e is driven on to 01.04, and the port is friendly again if whoever does so takes places."""
    for by, legal in (("{}", True), ('{ but = { units = "b" } }', False)):
        rules = FIGHT.format("0, 1") + CAPTURE.replace("{}", by)
        data = position(tmp_path, rules, {"south": "01.03 03.01"}, "01.02").to_dict()
        b = {"id": "b", "side": "south", "type": "foot", "values": "2-3", "at": "01.01"}
        scenario = Scenario.from_dict({**data, "unit": [*data["unit"], b]})
        moves = [DRIVES, "b 01.01-01.02x01.03", SAILS]
        assert planner.check(scenario, moves).legal is legal
        assert bool(judge(scenario, Plan.parse(moves))) is not legal


def test_who_is_thrown_back_from_a_port_hasnt_opened_it(tmp_path: Path) -> None:
    scenario = position(tmp_path, FIGHT.format("1, 0") + CAPTURE, {"south": "03.01", "north": "01.03"}, "01.03")
    moves = ["a 01.01-01.02x01.03", SAILS]
    assert [one.key for one in planner.check(scenario, moves).violations] == [("ferry", "t", 1, 1, "01.03")]
    assert [one.key for one in judge(scenario, Plan.parse(moves))] == [("ferry", "t", 1, 1, "01.03")]
    assert planner.suggest(scenario).value == (0,)


def test_who_is_thrown_back_from_a_port_that_was_taken_before_hasnt_lost_it(tmp_path: Path) -> None:
    """The guard takes 01.03 in passing; e, which takes nothing, is driven there by a, and throws b back."""
    rules = FIGHT.format("0, 1], [1, 0") + CAPTURE.replace("{}", '{ types = "guard" }')
    data = position(tmp_path, rules, {"south": "03.01", "north": "01.03"}, "01.02").to_dict()
    b = {"id": "b", "side": "south", "type": "foot", "values": "2-3", "at": "01.01"}
    g = {"id": "g", "side": "south", "type": "guard", "values": "1-3", "at": "01.04"}
    scenario = Scenario.from_dict({**data, "unit": [*data["unit"], b, g]})
    moves = ["g 01.04-01.03-01.04", f"{DRIVES}=0:1", "b 01.01-01.02x01.03=1:0", SAILS]
    assert planner.check(scenario, moves).legal
    assert not judge(scenario, Plan.parse(moves))
    assert scenario.after(moves[:3]).game.situation.control["01.03"] == "south"


@pytest.mark.parametrize("move", ["a 01.02-01.03-01.04", "a 01.01-01.02-01.03-01.04"])
@pytest.mark.parametrize("holder", ["east", "south"])
def test_a_place_of_allies_that_is_left_or_passed_stays_theirs_in_the_next_phase(
    tmp_path: Path, holder: str, move: str
) -> None:
    write_model(tmp_path / "game", CAPTURE, ALLIES)
    (tmp_path / "now.toml").write_text(
        'format = "planner/scenario-1"\nmodel = "./game"\nphase = "day"\nphasing = "south"\n'
        f'map.hexes."01.01 01.02 01.03 01.04" = "plain"\ncontrol.{holder} = "01.02"\n'
        f'unit = [{{ id = "a", side = "south", type = "foot", values = "1-3", at = "{move[2:7]}" }}]\n'
    )
    now = planner.load(tmp_path / "now.toml")
    write_after(now, planner.apply(now, [move]), tmp_path / "later.toml", None)
    assert planner.load(tmp_path / "later.toml").game.situation.control["01.02"] == holder


def test_a_port_that_was_closed_when_a_move_was_first_judged_is_open_once_somebody_has_taken_it(tmp_path: Path) -> None:
    game = Position(position(tmp_path, CAPTURE, {"south": "03.01", "north": "01.03"}))
    assert not game.is_legal(SAILS)
    game.push("a 01.01-01.02")
    assert not game.is_legal(SAILS)
    game.pop()
    game.push("a 01.01-01.02-01.03")
    assert game.is_legal(SAILS)
    assert [str(move) for move in game.legal_moves("t")] == [SAILS]
