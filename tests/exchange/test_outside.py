"""What is exported is read by others: a map by a library that has nothing to do with us; units in reserves come back."""

from __future__ import annotations

import csv
import tomllib
from pathlib import Path

import pytest

from planner.scenario import load_scenario
from tests.command import run

GAME = "crossroads/start"


@pytest.mark.parametrize("name", ["classic_hex/three_battles", "ocs/swamp"])
def test_an_independent_library_reads_exported_maps(name: str, tmp_path: Path) -> None:
    tiled = pytest.importorskip("pytiled_parser", reason="pytiled-parser reads Tiled's maps")
    assert run("export", name, "-o", "map.tmj", cwd=tmp_path).returncode == 0
    found, scenario = tiled.parse_map(tmp_path / "map.tmj"), load_scenario(name)
    assert found.orientation == "hexagonal"
    assert (found.hex_side_length or 0) > 0
    ground = next(layer for layer in found.layers if type(layer).__name__ == "TileLayer")
    assert sum(tile != 0 for row in ground.data for tile in row) == len(scenario.game.board.hexes)
    units = {
        one.name: one.properties["hex"]
        for layer in found.layers
        for one in getattr(layer, "tiled_objects", ())
        if (one.properties or {}).get("side")
    }
    assert units == {unit: at for unit, at in scenario.start.at.items() if at in scenario.game.board.hexes}


def test_units_in_reserves_go_into_a_table_and_come_back(tmp_path: Path) -> None:
    for more, file in (((), "u.csv"), (("--terrain",), "t.csv")):
        assert run("export", GAME, *more, "-o", file, cwd=tmp_path).returncode == 0
    scenario = load_scenario(GAME)
    waiting = {unit: at for unit, at in scenario.start.at.items() if at not in scenario.game.board.hexes}
    assert waiting
    with (tmp_path / "u.csv").open(encoding="utf-8") as file:
        rows = {row["name"]: (row["hex"], row["box"]) for row in csv.DictReader(file)}
    assert {unit: place for unit, place in rows.items() if not place[0]} == {u: ("", at) for u, at in waiting.items()}
    (tmp_path / "map.toml").write_text('format = "planner/mapping-1"\nmodel = "crossroads"\n', encoding="utf-8")
    done = run("import", "u.csv", "t.csv", "--mapping", "map.toml", "-o", "s.toml", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    back = tomllib.loads((tmp_path / "s.toml").read_text(encoding="utf-8"))["unit"]
    assert {one["id"]: one["box"] for one in back if "box" in one} == waiting


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        (("-o", "game.pgn"), "is made of its record (JSON)"),
        (("--terrain", "-o", "map.tmj"), "--terrain"),
    ],
)
def test_what_can_not_be_exported_so_is_said(asked: tuple[str, ...], told: str, tmp_path: Path) -> None:
    done = run("export", "dai_senso/manchuria", *asked, cwd=tmp_path)
    assert done.returncode == 2
    assert told in done.stderr
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (
            ("-o", "map.tmj"),
            {
                "traits of hexes (fort, objective)",
                "units off the map (b9)",
                "of units (arrives)",
                "of the scenario (tier, turn)",
            },
        ),
        (("--terrain", "-o", "terrain.csv"), {"traits of hexes (fort, objective)", "what lies on hexsides (river)"}),
        (("-o", "units.csv"), {"of units (arrives)"}),
    ],
    ids=["Tiled", "terrain", "units"],
)
def test_what_has_no_place_in_a_file_is_told(words: tuple[str, ...], told: set[str], tmp_path: Path) -> None:
    (tmp_path / "one.toml").write_text(
        'format = "planner/scenario-1"\nmodel = "crossroads"\nphase = "movement"\nphasing = "blue"\nturn = 1\n'
        '[map]\norigin = "0101"\nrows = """\n. .\n. .\n"""\n'
        'hexes.0101 = { traits = ["fort", "objective"] }\nhexsides.river = "0101 0201"\n'
        '[[unit]]\nid = "b1"\nside = "blue"\ntype = "infantry"\nvalues = "4-4-4"\nat = "0102"\n'
        '[[unit]]\nid = "b9"\nside = "blue"\ntype = "infantry"\nvalues = "4-4-4"\nbox = "blue_reserve"\n'
        'arrives = { turn = 2, at = "0101" }\n'
        '[[tier]]\nterms = [{ kind = "hold", hexes = "0202" }]\n'
    )
    done = run("export", "one.toml", *words, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, f"Written: {words[-1]}\n")
    assert set(done.stderr.splitlines()) == {f"not in it: {one}" for one in told}
