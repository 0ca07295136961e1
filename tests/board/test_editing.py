"""Scenarios are edited as data: what an edit touches changes, comments and everything else stay."""

from __future__ import annotations

import random
import tomllib
from pathlib import Path
from typing import Any

import pytest

from planner.board.editing import edited, problems_of, read_edits, written
from planner.errors import InputError
from planner.formats.files import data_folder
from planner.rules.rulebook_file import load_rulebook, model_folder, shipped_models
from planner.scenario import Scenario, load_scenario
from planner.scenario.first_scenario import first_scenario

SHIPPED = sorted((data_folder("scenarios") / "dai_senso").glob("*.toml"))


def after(text: str, *edits: dict[str, Any]) -> str:
    return edited(text, read_edits(edits))


def empty(model: str, columns: int = 6, rows: int = 4) -> str:
    return first_scenario(load_rulebook(model_folder(model)), model, columns, rows, empty=True)


def hexes(text: str) -> dict[str, Any]:
    return dict(Scenario.loads(text).game.board.hexes)


@pytest.mark.parametrize("model", shipped_models())
def test_a_new_map_of_every_game_can_be_loaded_and_has_its_size(model: str) -> None:
    text = empty(model, 3, 2)
    assert problems_of(text) == []
    assert len(hexes(text)) == 6


def test_a_map_larger_than_the_hex_numbers_is_refused_in_words() -> None:
    assert "runs beyond the hex numbers" in problems_of(empty("ocs", 100, 2))[0].what


def test_painting_changes_the_terrain_of_its_hexes_alone_and_keeps_comments() -> None:
    text = (data_folder("scenarios") / "dai_senso/manchuria.toml").read_text()
    painted = after(text, {"do": "terrain", "hexes": ["w5724", "w5428"], "terrain": "mountain"})
    before, now = hexes(text), hexes(painted)
    assert {label for label in before if before[label] != now[label]} == {"w5724", "w5428"}
    assert now["w5724"].terrain == now["w5428"].terrain == "mountain"
    assert "# rows from north to south; the first cell of the top row is w5724" in painted


@pytest.mark.parametrize("file", SHIPPED, ids=lambda file: file.stem)
def test_any_hex_of_any_map_can_be_painted(file: Path) -> None:
    """Rows with labels of their own, hexes listed one by one or several at a time, terrain without a sign."""
    text, dice = file.read_text(), random.Random(file.stem)
    before = hexes(text)
    label = dice.choice([name for name, one in before.items() if not one.box])
    terrain = dice.choice(sorted(load_rulebook(model_folder("dai_senso")).terrain.terrain))
    now = hexes(after(text, {"do": "terrain", "hexes": [label], "terrain": terrain}))
    assert now[label].terrain == terrain
    assert now[label].traits == before[label].traits
    assert {name for name in before if before[name] != now[name]} <= {label}


def roads(text: str) -> list[bool]:
    board = Scenario.loads(text).game.board
    return ["road" in board.hexside(a, b) for a, b in (("02.05", "03.05"), ("03.05", "04.05"))]


def test_hexsides_come_and_go() -> None:
    text = empty("ocs")
    road = {"do": "hexside", "pairs": [["02.05", "03.05"], ["03.05", "04.05"]], "feature": "road"}
    with_road = after(text, road)
    assert roads(with_road) == [True, True]
    cut = after(with_road, {**road, "pairs": [["03.05", "02.05"]], "on": False})
    assert roads(cut) == [False, True]
    none = after(cut, {**road, "on": False})
    assert roads(none) == [False, False]


def test_a_trait_is_given_and_taken_away_again() -> None:
    text = empty("dai_senso")
    label = next(iter(hexes(text)))
    city = {"do": "trait", "hexes": [label], "trait": "city"}
    assert hexes(after(text, city))[label].traits == {"city"}
    assert hexes(after(text, city, {**city, "on": False})) == hexes(text)


def test_units_are_added_changed_and_deleted() -> None:
    text = empty("ocs")
    unit = {"side": "axis", "type": "tank", "values": "5-4-14", "at": "02.05"}
    two = after(text, {"do": "add_unit", "unit": unit}, {"do": "add_unit", "unit": unit})
    assert list(Scenario.loads(two).game.units) == ["tank1", "tank2"]
    moved = after(two, {"do": "change_unit", "id": "tank2", "values": {"at": "03.05", "steps": 2}})
    found = Scenario.loads(moved)
    assert (found.start.at["tank2"], found.game.units["tank2"].steps) == ("03.05", 2)
    one = after(moved, {"do": "delete_unit", "id": "tank1"})
    assert list(Scenario.loads(one).game.units) == ["tank2"]
    assert problems_of(after(one, {"do": "delete_unit", "id": "tank2"})) == []


def test_what_stands_on_top_and_the_objective_are_set() -> None:
    text = after(
        empty("ocs"),
        {"do": "set", "key": "title", "value": "Mine"},
        {"do": "set", "key": "turn", "value": 3},
        {"do": "objective", "tier": [{"name": "it", "terms": [{"kind": "hold", "hexes": ["03.05"], "weight": 2}]}]},
    )
    found = Scenario.loads(text)
    assert (found.title, found.game.situation.turn) == ("Mine", 3)
    assert found.tiers[0].terms[0].describe() == "hold 03.05"
    assert Scenario.loads(after(text, {"do": "objective"})).tiers == ()


def test_a_value_isnt_put_into_a_text_that_looks_like_a_table() -> None:
    text = 'description = """\n[this] is no table\n"""\n' + empty("ocs")
    found = Scenario.loads(after(text, {"do": "set", "key": "turn", "value": 2}))
    assert (found.game.situation.turn, found.data["description"]) == (2, "[this] is no table\n")


@pytest.mark.parametrize(
    ("edit", "told"),
    [
        ({"do": "terrain", "hexes": ["02.05"], "terrain": "lava"}, "lava"),
        ({"do": "change_unit", "id": "nobody", "values": {}}, "nobody"),
        ({"do": "delete_unit", "id": "nobody"}, "nobody"),
        ({"do": "paint"}, "do"),
        ({"do": "terrain", "hexes": []}, "terrain"),
    ],
)
def test_what_isnt_there_is_refused(edit: dict[str, Any], told: str) -> None:
    with pytest.raises(InputError, match=told):
        after(empty("ocs"), edit)


def test_a_text_with_a_model_of_another_folder_is_refused_without_reading_it() -> None:
    text = empty("ocs").replace('model = "ocs"', 'model = "../../etc"')
    assert "on the board" in problems_of(text)[0].what
    with pytest.raises(InputError, match="on the board"):
        after(text, {"do": "terrain", "hexes": ["02.05"], "terrain": "hills"})


@pytest.mark.parametrize("name", ["dai_senso/manchuria", "crossroads/start", "great_war/over_the_top"])
def test_a_scenario_is_written_as_text_that_says_the_same(name: str) -> None:
    scenario = load_scenario(name)
    assert Scenario.loads(written(scenario)).data == scenario.data


def test_a_counter_is_turned_to_a_side_that_the_charts_know_and_keeps_what_else_is_so() -> None:
    one = after(
        empty("ocs", 3, 3),
        {"do": "add_unit", "unit": {"id": "t", "side": "axis", "type": "tank", "values": "3-3-6", "at": "01.01"}},
        {"do": "change_unit", "id": "t", "values": {"traits": ["bridging"]}},
    )
    for face, instead, traits in (("dg", "", {"bridging", "dg"}), ("strat_mode", "dg", {"bridging", "strat_mode"})):
        one = after(one, {"do": "turn_unit", "id": "t", "face": face, "instead": instead})
        assert tomllib.loads(one)["unit"][0]["traits"] == sorted(traits)
    one = after(one, {"do": "turn_unit", "id": "t", "face": "", "instead": "strat_mode"})
    one = after(one, {"do": "turn_unit", "id": "t", "face": "", "instead": "bridging"})
    assert "traits" not in tomllib.loads(one)["unit"][0]
    with pytest.raises(InputError, match="face must be empty or one of"):
        after(one, {"do": "turn_unit", "id": "t", "face": "track"})


@pytest.mark.parametrize(
    ("old", "new", "edit"),
    [
        ('side = "blue"', 'side = "blue"\ntraits = 5', {"do": "turn_unit", "id": "b1", "face": ""}),
        ('model = "crossroads"', "", {"do": "turn_unit", "id": "b1", "face": ""}),
        ('model = "crossroads"', 'model = ["/"]', {"do": "turn_unit", "id": "b1", "face": ""}),
        ('model = "crossroads"', 'model = "crossroads"\nunit = 5', {"do": "delete_unit", "id": "b1"}),
        ('model = "crossroads"', 'model = "crossroads"\nunit = [5]', {"do": "change_unit", "id": "b1", "values": {}}),
    ],
)
def test_a_text_of_another_shape_is_refused_in_words(old: str, new: str, edit: dict[str, Any]) -> None:
    head = 'format = "planner/scenario-1"\nmodel = "crossroads"\nphase = "movement"\nphasing = "blue"\n[map]\nrows = "..."\n'
    text = head + ("" if "unit" in new else '[[unit]]\nid = "b1"\nside = "blue"\n')
    with pytest.raises(InputError) as error:
        after(text.replace(old, new, 1), edit)
    assert "None" not in str(error.value)


INFANTRY = 'id = "a"', 'side = "axis"', 'type = "infantry"', 'values = "6-6-5"', 'at = "03.05"'


@pytest.mark.parametrize(
    "written_as",
    [
        '[map]\norigin = "02.05"\nrows = """\n. . .\n. . .\n"""\n[[unit]]\n' + "\n".join(INFANTRY),
        f'map = {{ origin = "02.05", rows = [". . .", ". . ."] }}\nunit = [{{{", ".join(INFANTRY)}}}]\n',
        'map.origin = "02.05"\nmap.rows = [". . .", ". . ."]\nunit = []\n',
    ],
    ids=["no end of line", "tables on one line", "dotted keys"],
)
def test_whatever_way_a_text_is_written_it_takes_new_units_and_roads(written_as: str) -> None:
    text = 'format = "planner/scenario-1"\nmodel = "ocs"\nphase = "movement"\nphasing = "axis"\n' + written_as
    tank = {"id": "t", "side": "axis", "type": "tank", "values": "6-6-10", "at": "02.05"}
    road = {"do": "hexside", "pairs": [["02.05", "03.05"]], "feature": "road"}
    now = after(text, {"do": "add_unit", "unit": tank}, road)
    assert problems_of(now) == []
    assert roads(now)[0]
    before = tomllib.loads(text)
    assert tomllib.loads(now) == {
        **before,
        "map": {**before["map"], "hexsides": {"road": ["02.05 03.05"]}},
        "unit": [*before.get("unit", []), tank],
    }


def test_null_within_a_value_is_refused_in_words() -> None:
    tier = {"terms": [{"kind": "hold", "hexes": [None]}]}
    with pytest.raises(InputError, match="null can't be within a value"):
        after(empty("ocs"), {"do": "objective", "tier": [tier]})


def test_it_is_said_where_a_text_that_is_edited_isnt_toml() -> None:
    with pytest.raises(InputError, match=r"not TOML: Invalid value \(at end of document\)"):
        after("x=", {"do": "set", "key": "title", "value": "New"})
