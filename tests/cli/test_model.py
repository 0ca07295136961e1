"""``planner model``, ``new`` and ``hex``: what a game has, a first scenario of it, and what is round a hex."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import planner
from planner.rules.rulebook_file import shipped_models
from tests.command import run
from tests.games.test_field_parameters import FORCES, RULEBOOK, TERRAIN


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
    (tmp_path / "mine").mkdir()
    for name, text in (("rulebook", RULEBOOK), ("forces", FORCES), ("terrain", TERRAIN)):
        (tmp_path / "mine" / f"{name}.toml").write_text(text, encoding="utf-8")
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
