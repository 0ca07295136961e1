"""`planner import` makes scenarios of boards from elsewhere, and says what it couldn't."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from planner.exchange.patterns import match
from planner.scenario import load_scenario
from tests.command import run
from tests.exchange.made_up import hex_grid, module_xml, piece, save_text, stack, write_save, write_zip

MAPPING = """
format = "planner/mapping-1"
model = "crossroads"
title = "The ford"
phase = "movement"
phasing = "blue"
[board]
rest = "clear"
[boxes]
"Tray" = "blue_reserve"
[[piece]]
name = "{values} inf"
where = { Side = "Blue" }
side = "blue"
type = "infantry"
[[piece]]
name = "Chit*"
skip = true
[[piece]]
name = "*"
where = { Side = "{side}", Sort = "{sort}" }
side = "{side}"
type = "{sort}"
values = "{stats}"
steps = "{Flip_Level}"
"""
MAPPING = MAPPING.replace('type = "infantry"\n', 'type = "infantry"\nvalues = "{values}"\n')
FLIP = ("emb2;Flip;128;A;;128;;;128;;;;1;false;0;0;back.png;;true;Flip;;;false;;1;1;false;70,130;;", "-2")


def blue(ident: str, name: str, place: str) -> str:
    return piece(ident, name, place, [("mark;Side", "Blue")])


PIECES = [
    blue("1", "4-4-4 inf", "Main Map;30;30"),
    blue("2", "3-4-4 inf", "Main Map;71;54"),
    stack("8", "Main Map;30;76", "1"),
    piece("3", "Guns", "Main Map;110;30", [("mark;Side,Sort", "Red,Artillery"), ("PROP;stats;x", "2-1-3"), FLIP]),
    piece("4", "Chit 7", "Main Map;110;30"),
    blue("5", "2-2-4 inf", "Tray;1;1"),
    blue("6", "2-3-4 inf", "Main Map;900;900"),
    piece("7", "What\x07ever", "Main Map;110;30"),
    piece("9", "Zeppelin", "Main Map;110;30", [("mark;Side,Sort", "Red,airship"), ("PROP;stats;x", "2-1-3"), FLIP]),
    piece("10", "Silent", "Main Map;110;30", [("mark;Side,Sort", "Red,infantry"), FLIP]),
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_zip(tmp_path / "ford.vmod", {"buildFile.xml": module_xml(hex_grid())})
    write_save(tmp_path / "turn1.vsav", save_text(PIECES))
    (tmp_path / "map.toml").write_text(MAPPING, encoding="utf-8")
    return tmp_path


def importing(folder: Path, *more: str, files: tuple[str, ...] = ("ford.vmod", "turn1.vsav")):
    return run("import", *files, "--mapping", "map.toml", "-o", "ford.toml", *more, cwd=folder)


TOLD = [
    "'2-3-4 inf' (Main Map 900,900): hex 2320 is not on the map",
    "'What\\x07ever' (Main Map 110,30): no rule of the mapping fits it",
    "'Zeppelin' (Main Map 110,30): "
    "unit type 'airship' must be one of armor, artillery, cavalry, engineer, infantry, mechanized",
    "'Silent' (Main Map 110,30): it doesn't say {stats}",
]


def test_a_save_becomes_a_scenario_with_what_couldnt_be_mapped_as_a_remark(folder: Path) -> None:
    done = importing(folder)
    assert (done.returncode, done.stderr.splitlines()) == (0, TOLD)
    scenario = load_scenario(folder / "ford.toml")
    assert scenario.start.at == {"u4_4_4_inf": "0102", "u3_4_4_inf": "0201", "guns": "0301"}
    assert scenario.start.boxes == {"u2_2_4_inf": "blue_reserve"}
    guns = scenario.game.units["guns"]
    assert (guns.side, guns.type, guns.steps, guns.attack, guns.ma) == ("red", "artillery", 2, 2, 3)
    assert len(scenario.game.board.hexes) == 52  # four columns of six hexes, four of seven
    text = (folder / "ford.toml").read_text(encoding="utf-8")
    assert text.endswith("".join(f"# {line}\n" for line in TOLD))
    assert run("check", "ford.toml", cwd=folder).returncode == 0


def test_a_template_gives_everything_but_the_units(folder: Path) -> None:
    importing(folder)
    base = (folder / "ford.toml").read_text(encoding="utf-8").replace(": . .", ": h w", 1)
    base = base.replace("[map]", 'turn = 4\n[[tier]]\nterms = [{ kind = "hold", hexes = "0303" }]\n[map]')
    (folder / "base.toml").write_text(base, encoding="utf-8")
    new = MAPPING.replace('[board]\nrest = "clear"', "").replace("title", 'template = "base.toml"\ntitle')
    (folder / "map.toml").write_text(new, encoding="utf-8")
    assert importing(folder, "--force").returncode == 0
    scenario = load_scenario(folder / "ford.toml")
    assert [len(scenario.tiers), len(scenario.game.units), scenario.data["turn"]] == [1, 4, 4]
    assert "hills" in {hexagon.terrain for hexagon in scenario.game.board.hexes.values()}


def test_every_fault_of_a_mapping_is_told_at_once_with_its_line(folder: Path) -> None:
    wrong = MAPPING.replace('rest = "clear"', 'rest = "sand"\nlabl = "x"').replace('"blue"\ntype', '"bleu"\ntype', 1)
    (folder / "map.toml").write_text(wrong, encoding="utf-8")
    done = importing(folder)
    assert done.returncode == 2
    assert done.stderr.splitlines() == [
        "unknown key 'labl'; did you mean 'label'? @ map.toml:9: board.labl",
        "terrain 'sand' must be one of clear, hills, lake, marsh, town, woods @ map.toml:8: board.rest",
        "side 'bleu' must be one of blue, red; did you mean 'blue'? @ map.toml:15: piece[0].side",
    ]
    assert not (folder / "ford.toml").exists()


def test_what_makes_no_scenario_is_not_written(folder: Path) -> None:
    (folder / "map.toml").write_text(MAPPING.replace('values = "{stats}"', 'values = "many"'), encoding="utf-8")
    done = importing(folder)
    assert done.returncode == 2
    assert (
        "values must be attack-defense-ma, such as \"3-3-3\", not 'many' @ ford.toml (not written): unit[2] (guns)"
        in done.stderr
    )
    assert not (folder / "ford.toml").exists()


def test_a_map_that_lies_otherwise_than_the_game_numbers_it_is_refused(folder: Path) -> None:
    write_zip(folder / "ford.vmod", {"buildFile.xml": module_xml(hex_grid('hOff="0" vOff="1" stagger="false"'))})
    done = importing(folder)
    assert done.returncode == 2
    assert "must lie beside each other as the game numbers them, but" in done.stderr


def test_inputs_are_overwritten_only_by_force_and_drafts_not_unasked(folder: Path) -> None:
    done = run("import", "ford.vmod", "--mapping", "map.toml", "-o", "map.toml", cwd=folder)
    assert (done.returncode, "--force" in done.stderr) == (2, True)
    done = run("import", "ford.vmod", "--draft", "map.toml", cwd=folder)
    assert (done.returncode, "is there already" in done.stderr) == (2, True)
    assert (folder / "map.toml").read_text(encoding="utf-8") == MAPPING


@pytest.mark.parametrize("output", ["base.toml", "game/terrain.toml"])
def test_neither_a_template_nor_a_file_of_a_game_is_overwritten_without_force(folder: Path, output: str) -> None:
    (folder / "game").mkdir()
    for name in ("base.toml", "game/rulebook.toml", "game/terrain.toml"):
        (folder / name).write_text("kept")
    (folder / "map.toml").write_text(MAPPING.replace("title", 'template = "base.toml"\ntitle'), encoding="utf-8")
    done = run("import", "ford.vmod", "turn1.vsav", "--mapping", "map.toml", "-o", output, cwd=folder)
    assert (done.returncode, "--force" in done.stderr) == (2, True)
    assert (folder / output).read_text() == "kept"


def test_a_draft_has_a_rule_for_each_sort_of_piece_and_lacks_only_what_it_asks_for(folder: Path) -> None:
    assert (
        run("import", "ford.vmod", "turn1.vsav", "--draft", "d.toml", "--model", "crossroads", cwd=folder).returncode
        == 0
    )
    text = (folder / "d.toml").read_text(encoding="utf-8")
    data = tomllib.loads(text)
    assert data["board"] == {"rest": "?"}
    rules = {rule["name"]: (rule["side"], rule["type"], rule.get("values")) for rule in data["piece"]}
    assert rules["4-4-4 inf"] == ("blue", "?", "4-4-4")
    assert rules["Guns"] == ("red", "artillery", "{stats}")
    (folder / "map.toml").write_text(text, encoding="utf-8")
    done = importing(folder)
    assert done.returncode == 2
    assert {line.split("@")[1].split(": ")[1].split(".")[-1] for line in done.stderr.splitlines()} == {
        "rest",
        "side",
        "type",
    }
    filled = text.replace('rest = "?"', 'rest = "clear"').replace('side = "?"', 'side = "red"')
    (folder / "map.toml").write_text(filled.replace('type = "?"', 'type = "infantry"'), encoding="utf-8")
    done = importing(folder)
    assert "must have values" in done.stderr  # of those whose names don't tell any


UNITS = (
    "Name;Side;Type;Hex;Printed;Steps;Weight\nGuards;Blue;Infantry;0102;4-4-4;2;9\nGuns;Red;artillery;0201;2-1-3;;\n"
)
TERRAIN = "label,terrain\n" + "".join(
    f"{x:02}{y:02},{'Woods' if x == y else 'Open'}\n" for x in range(1, 4) for y in range(1, 4)
)


def test_tables_of_units_and_of_terrain_become_a_scenario(folder: Path) -> None:
    (folder / "units.csv").write_text("\ufeff" + UNITS, encoding="utf-8")
    (folder / "terrain.csv").write_text(TERRAIN, encoding="utf-8")
    mapping = (
        'format = "planner/mapping-1"\nmodel = "crossroads"\n[terrain]\nOpen = "clear"\n[columns]\nvalues = "Printed"\n'
    )
    (folder / "map.toml").write_text(mapping, encoding="utf-8")
    done = importing(folder, files=("units.csv", "terrain.csv"))
    assert (done.returncode, done.stderr) == (0, "")
    scenario = load_scenario(folder / "ford.toml")
    assert scenario.start.at == {"guards": "0102", "guns": "0201"}
    assert scenario.game.units["guards"].steps == 2
    assert {label for label, one in scenario.game.board.hexes.items() if one.terrain == "woods"} == {
        "0101",
        "0202",
        "0303",
    }


@pytest.mark.parametrize(
    ("table", "says"),
    [
        ("", "must have a line of headers"),
        ("a,b\n1\n", "a row must have 2 cells, not 1 @ units.csv: row 2"),
        ("a,a\n1,2\n", "headers must differ, but 'a' comes twice"),
        ("a,b\n1,2\n", "must have a column for name and hex"),
        ('a,b\n"1,2\n', "must be a table (CSV)"),
        ("a,b\n1,\0\n", "without signs of the number 0"),
    ],
)
def test_tables_that_are_none_are_refused(folder: Path, table: str, says: str) -> None:
    (folder / "units.csv").write_text(table, encoding="utf-8")
    done = importing(folder, files=("units.csv",))
    assert (done.returncode, says in done.stderr) == (2, True), done.stderr


def test_the_faults_of_all_files_are_told_at_once(folder: Path) -> None:
    done = importing(folder, files=("ford.vmod", "other.vmod", "turn1.vsav", "a.doc", "none.csv"))
    assert done.returncode == 2
    assert [line.partition(" @")[0] for line in done.stderr.splitlines()] == [
        "only one module can be read at a time",
        "must be one of .vmod, .vsav, .vlog, .csv, .tsv, .tmj, .tmx, .json, .xml",
        "no such file",
    ]


@pytest.mark.parametrize(
    ("pattern", "text", "caught"),
    [
        ("*", "", {}),
        ("a*c", "abc", {}),
        ("a*c", "ab", None),
        ("abc", "abcd", None),
        ("*a", "aa", {}),
        ("a*a", "a", None),
        ("{x}", "", None),
        ("{x}-{y}", "1-2-3", {"x": "1", "y": "2-3"}),
        ("INF-*-{values}_{n}", "INF-XX-2-3_1", {"values": "2-3", "n": "1"}),
        ("*" * 40 + "b", "a" * 5_000, None),
    ],
)
def test_patterns_catch_as_little_as_they_can(pattern: str, text: str, caught: dict[str, str] | None) -> None:
    assert match(pattern, text) == caught
