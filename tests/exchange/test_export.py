"""`planner export` writes positions for other programs, which `planner import` reads again."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from planner.exchange.vassal_save import deobfuscate, obfuscate
from planner.scenario import load_scenario
from planner.scenario.scenario import Scenario
from tests.command import run
from tests.exchange import made_up
from tests.exchange.made_up import hex_grid, module_xml, piece, save_text, stack, write_save, write_zip
from tests.exchange.test_import import MAPPING

PLACES = {"0102": "Main Map;30;76", "0201": "Main Map;70;53", "0103": "Main Map;30;122", "0301": "Main Map;110;30"}


def commands(a: str, b: str, c: str, *stacks: str) -> list[str]:
    said = [("mark;Side", "Blue"), ("footprint;84,130", "Main Map;1;30,76;30;76")]
    blue = [
        piece(str(one), f"4-4-{one} inf", PLACES[place], said) for one, place in zip((3, 4, 5), (a, b, c), strict=True)
    ]
    red = [("mark;Side,Sort", "Red,Artillery"), ("PROP;stats;x", "2-1-3"), ("emb2;x" + ";" * 18 + "Flip;", "1")]
    return [*blue, *stacks, piece("9", "Guns", "Main Map;190;214", red)]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_zip(tmp_path / "ford.vmod", {"buildFile.xml": module_xml(hex_grid())})
    given = commands("0102", "0102", "0201", stack("21", PLACES["0102"], "3", "4"), stack("22", PLACES["0201"], "5"))
    write_save(tmp_path / "turn1.vsav", save_text(given))
    (tmp_path / "map.toml").write_text(MAPPING, encoding="utf-8")
    done = run("import", "ford.vmod", "turn1.vsav", "--mapping", "map.toml", "-o", "ford.toml", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    return tmp_path


TO_SAVE = ("--save", "turn1.vsav", "--module", "ford.vmod", "--mapping", "map.toml", "-o", "turn2.vsav")


def text_of(path: Path) -> str:
    with zipfile.ZipFile(path) as file:
        return deobfuscate(file.read("savedGame"), "save")[1]


@pytest.mark.parametrize(
    ("moves", "places", "stacks"),
    [
        ([], ("0102", "0102", "0201"), [stack("21", PLACES["0102"], "3", "4"), stack("22", PLACES["0201"], "5")]),
        # One leaves a stack for an empty hex: a new stack, with a new number.
        (
            ["u4_4_3_inf 0102-0103"],
            ("0103", "0102", "0201"),
            [stack("21", PLACES["0102"], "4"), stack("23", PLACES["0103"], "3"), stack("22", PLACES["0201"], "5")],
        ),
        # One leaves, another joins in its place: the stack of that one is empty, as VASSAL leaves them.
        (
            ["u4_4_3_inf 0102-0103", "u4_4_5_inf 0201-0102"],
            ("0103", "0102", "0102"),
            [
                stack("21", PLACES["0102"], "4", "5"),
                stack("23", PLACES["0103"], "3"),
                "+/22/stack/Main Map;70;53;@@1",
            ],
        ),
        # All of a stack go to one hex: the stack goes.
        (
            ["u4_4_3_inf 0102-0103", "u4_4_4_inf 0102-0103"],
            ("0103", "0103", "0201"),
            [stack("21", PLACES["0103"], "3", "4"), stack("22", PLACES["0201"], "5")],
        ),
    ],
)
def test_only_what_has_moved_changes_in_the_copy_of_a_save(
    folder: Path, moves: list[str], places: tuple[str, str, str], stacks: list[str]
) -> None:
    done = run("export", "ford.toml", *moves, *TO_SAVE, cwd=folder)
    assert done.returncode == 0, done.stderr
    expected = save_text(commands(*places, *stacks))
    assert text_of(folder / "turn2.vsav") == expected
    with zipfile.ZipFile(folder / "turn1.vsav") as old, zipfile.ZipFile(folder / "turn2.vsav") as new:
        assert old.namelist() == new.namelist()
        assert all(old.read(name) == new.read(name) for name in old.namelist() if name != "savedGame")
        assert [old.getinfo(name).date_time for name in old.namelist()] == [
            new.getinfo(one).date_time for one in new.namelist()
        ]
        assert new.read("savedGame") == made_up.hidden(expected)
    again = run("import", "ford.vmod", "turn2.vsav", "--mapping", "map.toml", "-o", "again.toml", cwd=folder)
    assert again.returncode == 0
    assert tuple(load_scenario(folder / "again.toml").start.at.values())[:3] == places


def test_a_save_that_is_taken_apart_is_put_together_as_it_was(folder: Path) -> None:
    with zipfile.ZipFile(folder / "turn1.vsav") as file:
        content = file.read("savedGame")
    assert obfuscate(*deobfuscate(content, "save")) == content


def test_an_illegal_plan_is_told_and_nothing_is_written(folder: Path) -> None:
    done = run("export", "ford.toml", "u4_4_3_inf 0102-0505", *TO_SAVE, cwd=folder)
    assert (done.returncode, "not adjacent" in done.stdout) == (1, True)
    assert not (folder / "turn2.vsav").exists()


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["-o", "x.svg"], "`planner draw` writes pictures"),
        (["-o", "x.vsav"], "needs --save and --mapping"),
        (["--save", "turn1.vsav", "--mapping", "map.toml", "-o", "turn1.vsav"], "--force lets it be overwritten"),
        (["--save", "turn1.vsav", "--mapping", "map.toml", "-o", "turn2.vsav"], "board.grid"),
        (["-o", "x.pgn"], "record (JSON)"),
    ],
)
def test_what_is_missing_for_an_export_is_told(folder: Path, words: list[str], says: str) -> None:
    done = run("export", "ford.toml", *words, cwd=folder)
    assert (done.returncode, says in done.stderr) == (2, True), done.stderr


def test_logs_are_not_exported(folder: Path) -> None:
    write_save(
        folder / "turn1.vsav", save_text([*commands("0102", "0102", "0201"), "M/3/Main Map/30/122/null/x/1/1/null"])
    )
    done = run("export", "ford.toml", *TO_SAVE, cwd=folder)
    assert (done.returncode, "must be a save, not a log" in done.stderr) == (2, True)


def alike(one: Scenario, other: Scenario) -> bool:
    """Tell whether two scenarios have the same map and the same units in the same hexes."""
    a, b = one.game.board, other.game.board
    pairs = [(x, y) for x in a.hexes for y in a.numbering.neighbours(x) if y in a.hexes]
    return (
        {label: found.terrain for label, found in a.hexes.items()}
        == {label: found.terrain for label, found in b.hexes.items()}
        and all(a.hexside(*pair) == b.hexside(*pair) for pair in pairs)
        and {unit: at for unit, at in one.start.at.items() if at in a.hexes} == other.start.at
        and all(one.game.units[unit].attack == other.game.units[unit].attack for unit in other.start.at)
    )


@pytest.mark.parametrize(
    "scenario", ["crossroads/start", "classic_hex/three_battles", "great_war/over_the_top", "dai_senso/manchuria"]
)
def test_what_is_exported_to_tiled_is_imported_again(tmp_path: Path, scenario: str) -> None:
    old = load_scenario(scenario)
    spots = [old.game.board.numbering.row_and_column(label) for label in old.game.board.hexes]
    row, column = (min(spot[index] for spot in spots) for index in (1, 2))
    board = f'sheet = "{spots[0][0]}"\nfirst_row = {row}\nfirst_column = {column}'
    model = scenario.partition("/")[0]
    (tmp_path / "map.toml").write_text(f'format = "planner/mapping-1"\nmodel = "{model}"\n[board]\n{board}\n')
    assert run("export", scenario, "-o", "m.tmj", cwd=tmp_path).returncode == 0
    done = run("import", "m.tmj", "--mapping", "map.toml", "-o", "s.toml", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert alike(old, load_scenario(tmp_path / "s.toml"))


def test_tables_that_are_exported_are_imported_again(tmp_path: Path) -> None:
    (tmp_path / "map.toml").write_text('format = "planner/mapping-1"\nmodel = "classic_hex"\n')
    assert run("export", "classic_hex/six_against_four", "-o", "u.csv", cwd=tmp_path).returncode == 0
    assert run("export", "classic_hex/six_against_four", "--terrain", "-o", "t.csv", cwd=tmp_path).returncode == 0
    assert run("import", "u.csv", "t.csv", "--mapping", "map.toml", "-o", "s.toml", cwd=tmp_path).returncode == 0
    old, new = load_scenario("classic_hex/six_against_four"), load_scenario(tmp_path / "s.toml")
    assert old.start.at == new.start.at
    assert [str(unit) for unit in old.game.board.hexes] == sorted(
        new.game.board.hexes, key=list(old.game.board.hexes).index
    )


def test_the_text_of_a_game_has_its_tags_and_all_that_was_done(tmp_path: Path) -> None:
    played = run(
        "play", "classic_hex/six_against_four", "--turns", "1", "--side", "blue=greedy", "-o", "g.json", cwd=tmp_path
    )
    assert played.returncode == 0, played.stderr
    assert run("export", "g.json", "-o", "g.pgn", cwd=tmp_path).returncode == 0
    text = (tmp_path / "g.pgn").read_text(encoding="utf-8")
    assert text.startswith('[Event "')
    assert '[Side blue "greedy"]' in text
    moves = [line.strip() for line in played.stdout.splitlines() if line.startswith("  ")]
    assert moves
    assert all(f"\n  {line}\n" in text for line in moves)
