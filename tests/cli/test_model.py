"""``planner model``, ``new`` and ``hex``: what a game has, a first scenario of it, and what is round a hex."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import planner
from planner.rules.rulebook_file import shipped_models
from tests.command import run
from tests.plain_game import FORCES, TERRAIN, write_model


def test_a_model_is_shown_with_all_that_a_scenario_may_name() -> None:
    told = run("model", "classic_hex").stdout
    for word in ("blue", "reinforcement", "armor", "lake", "prohibited", "river", "demoralized", "combat_on_entry"):
        assert word in told
    assert "classic_hex/three_battles" in told
    answer = json.loads(run("model", "classic_hex", "--json").stdout)
    assert answer["format"] == "planner/model-1"
    assert answer["terrain"]["forest"] == {"sign": "f", "price": "2"}
    assert "classic_hex/three_battles" in answer["scenarios"]


@pytest.mark.parametrize("model", shipped_models())
def test_a_first_scenario_of_every_game_can_be_loaded(model: str, tmp_path: Path) -> None:
    file = tmp_path / "first.toml"
    assert run("new", model, "-o", file).returncode == 0
    scenario = planner.load(file)
    assert len(scenario.game.board.hexes) == 16
    assert scenario.tiers
    again = run("new", model, "-o", file)
    assert again.returncode == 2
    assert "is there already" in again.stderr


def test_a_first_scenario_of_a_game_of_ones_own_names_its_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_model(tmp_path / "mine")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "deep").mkdir()
    for where in ("here.toml", "deep/there.toml"):
        assert run("new", "./mine", "-o", where).returncode == 0
        assert planner.suggest(where).status == "optimal"


def test_a_hex_is_shown_with_its_neighbours_clockwise() -> None:
    answer = json.loads(run("hex", "dai_senso/manchuria", "w5525", "--json").stdout)
    assert (answer["terrain"], answer["units"]) == ("clear", ["plv", "inf"])
    found = [(one["direction"], one["hex"]) for one in answer["neighbours"]]
    assert found[:3] == [("NE", "w5625"), ("E", "w5526"), ("SE", "w5425")]
    assert "holds hailar" in run("hex", "dai_senso/manchuria", "w5525").stdout


def test_directions_go_with_the_way_in_which_rows_count() -> None:
    """Rows count southward in the great war, with a row's odd hexes over the gap; in Dai Senso they count northward."""
    answer = json.loads(run("hex", "great_war/over_the_top", "E4", "--json").stdout)
    assert {one["direction"]: one["hex"] for one in answer["neighbours"]}["E"] == "E5"
    columns = json.loads(run("hex", "classic_hex/three_battles", "0305", "--json").stdout)
    assert {one["direction"]: one["hex"] for one in columns["neighbours"]}["N"] == "0304"


def test_a_hex_that_is_not_there_is_an_error_with_what_may_be_meant() -> None:
    result = run("hex", "classic_hex/three_battles", "305")
    assert result.returncode == 2
    assert "hex '305' is not on the map; did you mean '0305'?" in result.stderr


def test_in_a_first_scenario_the_enemy_is_nobodys_ally(tmp_path: Path) -> None:
    write_model(
        tmp_path / "mine",
        forces='alliances = [["south", "north"]]\n'
        + FORCES.replace(
            'sides = { north = "North", south', 'sides = { south = "South", north = "North", west'
        ).replace('west = "South"', 'west = "West"'),
    )
    assert run("new", str(tmp_path / "mine")).returncode == 0
    told = run("new", str(tmp_path / "mine")).stdout
    assert [line for line in told.splitlines() if line.startswith("side")] == ['side = "south"', 'side = "west"']
    shown = run("model", str(tmp_path / "mine")).stdout
    assert "south north" in shown
    assert json.loads(run("model", str(tmp_path / "mine"), "--json").stdout)["alliances"] == [["south", "north"]]


def test_a_first_scenario_begins_where_a_table_of_labels_has_a_hex(tmp_path: Path) -> None:
    labels = 'labels = """\n_ X1 X2\nQ1 _ Q2\n_ _ _\nZ1 Z2 _\n"""\n'
    pattern = 'pattern = "{column:02}.{row:02}"\n'
    rulebook = write_model(tmp_path / "mine") / "rulebook.toml"
    assert pattern in rulebook.read_text()
    rulebook.write_text(rulebook.read_text().replace(pattern, labels))
    assert run("new", str(tmp_path / "mine"), "-o", tmp_path / "first.toml").returncode == 0
    scenario = planner.load(tmp_path / "first.toml")
    assert set(scenario.game.board.hexes) == {"X1", "X2", "Q1", "Q2", "Z1", "Z2"}
    assert scenario.start.at == {"first": "X1", "enemy": "Z2"}


def test_a_hexside_is_shown_with_who_helps_across(tmp_path: Path) -> None:
    gorge = 'hexsides.gorge = { prohibited = true, assisted = [{ by = { types = "scout" }, mp = 2, lifts = true }] }\n'
    write_model(tmp_path / "mine", terrain=TERRAIN + gorge)
    assert "prohibited; 2 for all with the help of types scout" in run("model", str(tmp_path / "mine")).stdout


def test_who_pays_a_price_is_said_without_brackets_and_quotes(tmp_path: Path) -> None:
    whom = '{ any_of = [{ traits = "light" }, { types = "foot", steps_min = 3 }], but = { units = "f" } }'
    wood = f"terrain.wood = {{ mp = 3, prices = [{{ units = {whom}, mp = 2 }}] }}\n"
    write_model(tmp_path / "mine", terrain=TERRAIN + wood)
    said = " ".join(run("model", str(tmp_path / "mine")).stdout.split())
    assert "3; 2 for traits light or (types foot, steps_min 3), but not units f" in said
