"""No fault looks like a judgement, and none takes anything else with it."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import tomllib
from pathlib import Path
from unittest.mock import patch

import pytest

import planner
from planner import check, load
from planner.__main__ import main
from planner.cli.terminal import stopped_by_interrupt
from planner.errors import InputError
from planner.formats.files import data_folder, write_text
from planner.printable import printable
from planner.puzzles.verify import verify
from planner.scenario import build_scenario
from tests.command import Done, run
from tests.conftest import long_ones


@pytest.mark.parametrize("error", [RuntimeError, RecursionError])
def test_an_unforeseen_error_ends_with_a_line_and_70(
    error: type[Exception], capsys: pytest.CaptureFixture[str]
) -> None:
    with patch("planner.cli.app.main", side_effect=error("a\nb")), pytest.raises(SystemExit) as end:
        main()
    assert end.value.code == 70
    assert capsys.readouterr().err.count("\n") == 1


def test_one_file_that_breaks_the_planner_does_not_end_the_others() -> None:
    with patch("planner.puzzles.verify.build_scenario", side_effect=RecursionError("deep")):
        found = list(verify(["classic_hex/puzzles"]))
    assert len(found) > 1
    assert all(one.fault == "RecursionError: deep" for one in found)


def test_sigterm_is_a_wish_to_stop() -> None:
    with stopped_by_interrupt() as stop:
        os.kill(os.getpid(), signal.SIGTERM)
        assert stop.wait(1)


def test_a_symbolic_link_is_written_through(tmp_path: Path) -> None:
    link, target = tmp_path / "link", tmp_path / "target"
    target.write_text("old")
    link.symlink_to(target)
    write_text(link, "new")
    assert link.is_symlink()
    assert target.read_text() == "new"


def test_an_illegal_plan_is_false() -> None:
    scenario = load("dai_senso/manchuria")
    assert check(scenario, ["inf w5525-w5425"])
    assert not check(scenario, ["inf w5525-w5527"])


def test_a_model_whose_path_is_longer_than_any_file_systems_is_named_as_what_is_wrong() -> None:
    data = {"format": "planner/scenario-1", "model": "./" + 300 * "x"}
    with pytest.raises(InputError, match="model must be one of"):
        build_scenario(data, "far away")


def test_an_edited_model_is_read_again(tmp_path: Path) -> None:
    scenario = copied(tmp_path)
    load(scenario)
    forces = tmp_path / "model" / "forces.toml"
    text = forces.read_text(encoding="utf-8")
    forces.write_text(f"{text}\nnonsense = 1\n", encoding="utf-8")
    with pytest.raises(InputError, match="nonsense"):
        load(scenario)
    forces.write_text(text, encoding="utf-8")
    load(scenario)


def copied(folder: Path) -> Path:
    """Copy a small scenario with its model, and return where it is."""
    shutil.copytree(data_folder("models") / "dai_senso", folder / "model")
    text = (data_folder("scenarios") / "dai_senso" / "manchuria.toml").read_text(encoding="utf-8")
    scenario = folder / "scenario.toml"
    scenario.write_text(text.replace('model = "dai_senso"', 'model = "./model"'), encoding="utf-8")
    return scenario


INTERRUPTING = """
import os, signal, sys
class Interrupting:
    def find_spec(self, name, path=None, target=None):
        if name == "{module}":
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Interrupting())
"""


@pytest.mark.skipif(os.name != "posix", reason="signals")
@pytest.mark.parametrize("module", ["planner.notebook", "planner.gc_pause", "planner.cli.app", "planner.api"])
def test_an_interrupt_while_modules_are_loaded_ends_without_a_traceback(module: str, tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(INTERRUPTING.format(module=module), encoding="utf-8")
    words = [sys.executable, "-m", "planner", "check", "dai_senso/manchuria", "inf w5525-w5425"]
    around = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path])}
    ended = subprocess.run(words, env=around, check=False, capture_output=True, text=True)
    assert (ended.returncode, ended.stdout, ended.stderr) == (130, "", "")


LATER = {
    "check": lambda: check("dai_senso/manchuria", "inf w5525-w5425", solver=True),
    "suggest": lambda: planner.suggest("dai_senso/manchuria"),
    "suggest where results are rolled": lambda: planner.suggest("classic_hex/six_against_four"),
    "alternatives": lambda: planner.alternatives("dai_senso/manchuria", 2),
    "complete": lambda: planner.complete("dai_senso/manchuria", "plv -> w5426"),
    "defend": lambda: planner.defend("dai_senso/manchuria"),
    "explain": lambda: planner.explain("dai_senso/manchuria", "plv to w5426"),
    "verify": lambda: planner.verify("dai_senso/manchuria"),
}


@pytest.mark.skipif(os.name != "posix", reason="signals")
@pytest.mark.parametrize("name", LATER)
def test_an_interrupt_raises_in_python_whatever_is_going_on(name: str) -> None:
    """It is pressed when a model is about to be solved."""
    real = threading.Thread.start

    def start(thread: threading.Thread) -> None:
        real(thread)
        os.kill(os.getpid(), signal.SIGINT)

    with patch.object(threading.Thread, "start", start), pytest.raises(KeyboardInterrupt):
        LATER[name]()


DEEP = {
    "arrays": 490 * "[" + 490 * "]",
    "tables": 490 * "{a = " + "1" + 490 * "}",
}


@pytest.mark.parametrize("value", DEEP.values(), ids=list(DEEP))
@pytest.mark.parametrize("where", ["title", "tier", "unit", "map", "answer", "unheard_of"])
def test_a_scenario_nested_hundreds_of_levels_deep_is_bad_input(where: str, value: str, tmp_path: Path) -> None:
    file = tmp_path / "deep.toml"
    file.write_text(f'format = "planner/scenario-1"\nmodel = "dai_senso"\n{where} = {value}\n', encoding="utf-8")
    for words in (["check", str(file)], ["verify", str(file)]):
        done = run(*words)
        assert (done.returncode, "nested" in done.stdout + done.stderr) == (2, True)


def test_models_plans_and_goals_nested_hundreds_of_levels_deep_are_bad_input(tmp_path: Path) -> None:
    scenario = str(copied(tmp_path))
    plan = tmp_path / "plan.json"
    plan.write_text('{"format": "planner/plan-1", "moves": ' + 490 * "[" + 490 * "]" + "}")
    assert run("check", scenario, "--plan", str(plan)).returncode == 2
    assert run("explain", scenario, "--require", "{ kind = " + DEEP["arrays"] + " }").returncode == 2
    with (tmp_path / "model" / "terrain.toml").open("a") as file:
        file.write(f"\n[deep]\nx = {DEEP['tables']}\n")
    done = run("check", scenario)
    assert (done.returncode, "nested" in done.stderr) == (2, True)


@pytest.mark.thorough
@pytest.mark.skipif(sys.platform != "linux", reason="file names are bytes")
def test_a_file_name_that_is_not_utf_8_is_a_name_like_any_other(tmp_path: Path) -> None:
    file = os.fsencode(tmp_path) + b"/\xff.toml"
    shutil.copy(data_folder("scenarios") / "dai_senso" / "manchuria.toml", file)
    name, junit, log = os.fsdecode(file), tmp_path / "a.xml", tmp_path / "a.sarif"
    assert run("check", name, "inf w5525-w5425").returncode == 0
    assert run("check", name, "inf w5525-w5527", "--json").returncode == 1
    for words in ([], ["--json"]):
        done = run("verify", name, "--junit", str(junit), "--sarif", str(log), *words)
        assert (done.returncode, "udcff.toml" in done.stdout) == (0, True)
        for written in (junit, log):
            written.unlink()
    page = os.fsdecode(os.fsencode(tmp_path) + b"/\xfe.html")
    assert run("apply", name, "inf w5525-w5425", "-o", f"{name}2").returncode == 0
    done = run("draw", name, "inf w5525-w5425", "-o", page)
    assert (done.returncode, "udcfe.html" in done.stdout) == (0, True)
    assert run("check", f"{name}nowhere").stderr.count("udcff") == 1


STEERING = "\x1b[2J\x9b1m\u202egnirts\u2066\u200b\u2028\r"


def steering(folder: Path) -> Path:
    """Return a scenario whose free texts, and those of its model, hold what steers a terminal."""
    scenario = copied(folder)
    text = '"' + "".join(f"\\U{ord(sign):08X}" for sign in f"{STEERING}\n") + '"'
    rules = folder / "model" / "rulebook.toml"
    rules.write_text(re.sub(r'paragraph = ".*?"', lambda _: f"paragraph = {text}", rules.read_text("utf-8")), "utf-8")
    forces = folder / "model" / "forces.toml"
    forces.write_text(re.sub(r'name = ".*?"', lambda _: f"name = {text}", forces.read_text("utf-8")), "utf-8")
    given = scenario.read_text(encoding="utf-8")
    given = re.sub(r'(?m)^(title|source|description) = ".*?"', lambda found: f"{found[1]} = {text}", given)
    scenario.write_text(given, encoding="utf-8")
    return scenario


@pytest.mark.parametrize(
    "words",
    [
        ["check", "{}", "inf w5525-w5527", "plv w5525-w5425xw5426"],
        ["check", "{}", "inf w5525-w5527", "--json"],
        ["suggest", "{}"],
        ["suggest", "{}", "--json"],
        ["reach", "{}", "plv"],
        ["explain", "{}", "plv w5525-w5425xw5426"],
        ["explain", "{}", "plv to w5426", "--json"],
        ["verify", "{}"],
        ["verify", "{}", "--json"],
        ["defend", "{}"],
        ["rules", "{model}"],
        ["rules", "{model}", "--json"],
    ],
    ids=" ".join,
)
@pytest.mark.thorough
def test_no_text_of_a_file_steers_the_terminal(words: list[str], tmp_path: Path) -> None:
    scenario = steering(tmp_path)
    done = run(*(word.format(scenario, model=scenario.parent / "model") for word in words))
    assert done.returncode in (0, 1), done.stderr
    assert not set(STEERING) & set(done.stdout + done.stderr) - set("[2J1mgnirts")
    if "--json" in words:
        json.loads(done.stdout)


@pytest.mark.parametrize("form", ["svg", "html"])
def test_no_text_of_a_file_steers_whoever_shows_a_picture(form: str, tmp_path: Path) -> None:
    scenario, to = steering(tmp_path), tmp_path / f"picture.{form}"
    assert run("draw", str(scenario), "inf w5525-w5527", "-o", str(to)).returncode == 0
    held = to.read_text(encoding="utf-8")
    assert "\N{REPLACEMENT CHARACTER}" in held
    assert not set("\x1b\x9b\u202e\u2066\u200b\u2028") & set(held)
    assert not re.search("&#(8238|8294|27|155|8203);", held)


def test_reports_of_verify_do_not_steer_either(tmp_path: Path) -> None:
    scenario, junit, log = steering(tmp_path), tmp_path / "a.xml", tmp_path / "a.sarif"
    run("verify", str(scenario), "--junit", str(junit), "--sarif", str(log))
    for file in (junit, log):
        held = file.read_text(encoding="utf-8")
        assert not set("\x1b\x9b\u202e\u2066\u200b\u2028") & set(held)


def test_texts_that_are_exported_do_not_steer_either(tmp_path: Path) -> None:
    scenario, game = steering(tmp_path), str(tmp_path / "game.json")
    assert run("play", str(scenario), "--turns", "1", "-o", game).returncode == 0
    named = re.sub(r'(?m)^name = ".*?"', lambda _: f"name = {json.dumps(STEERING)}", scenario.read_text("utf-8"))
    scenario.write_text(named, encoding="utf-8")
    assert json.dumps(STEERING) in named
    for read, to in (
        (game, tmp_path / "game.pgn"),
        (str(scenario), tmp_path / "map.tmj"),
        (str(scenario), tmp_path / "units.csv"),
    ):
        assert run("export", read, "-o", str(to)).returncode == 0
        assert not set("\x1b\x9b\u202e\u2066\u200b\u2028") & set(to.read_text(encoding="utf-8"))


MOVES = ["inf w5525-w5425", "plv w5525-w5425xw5426"]


def outputs(folder: Path) -> dict[str, list[str]]:
    """Return commands whose output would overwrite what they read, or each other's."""
    scenario, plan, model = (str(folder / name) for name in ("scenario.toml", "plan.html", "model/forces.toml"))
    (folder / "plan.html").write_text("\n".join(MOVES))
    (folder / "link.toml").symlink_to(scenario)
    (folder / "link.json").symlink_to(model)
    os.link(scenario, folder / "hard.toml")
    shutil.copy(scenario, folder / "scenario.svg")
    drawn = str(folder / "scenario.svg")
    return {
        "suggest": ["suggest", scenario, "--plan-out", scenario],
        "the partial plan": ["suggest", scenario, "--plan", plan, "--plan-out", plan],
        "a link": ["suggest", scenario, "--plan-out", str(folder / "link.toml")],
        "a hard link": ["suggest", scenario, "--plan-out", str(folder / "hard.toml")],
        "another way": ["suggest", scenario, "--plan-out", str(folder / "model" / ".." / "scenario.toml")],
        "the model": ["suggest", scenario, "--plan-out", model],
        "a link to the model": ["suggest", scenario, "--plan-out", str(folder / "link.json")],
        "apply": ["apply", scenario, *MOVES, "-o", scenario],
        "apply's plan": ["apply", scenario, "--plan", plan, "-o", plan],
        "check": ["check", scenario, "--plan", plan, "--draw", plan],
        "check --complete": ["check", drawn, *MOVES, "--complete", "--draw", drawn],
        "draw": ["draw", scenario, "--plan", plan, "-o", plan],
        "explain": ["explain", drawn, *MOVES, "--draw", drawn],
        "defend": ["defend", drawn, "--draw", drawn],
        "junit": ["verify", scenario, "--junit", scenario],
        "sarif": ["verify", str(folder), "--sarif", scenario],
        "both": ["verify", scenario, "--sarif", f"{drawn}.xml", "--junit", f"{drawn}.xml"],
    }


@pytest.mark.skipif(os.name != "posix", reason="links")
@pytest.mark.parametrize("name", [
    "suggest", "the partial plan", "a link", "a hard link", "another way", "the model", "a link to the model", "apply",
    "apply's plan", "check", "check --complete", "draw", "explain", "defend", "junit", "sarif", "both",
])  # fmt: skip
def test_no_output_overwrites_what_is_read(name: str, tmp_path: Path) -> None:
    copied(tmp_path)
    words = outputs(tmp_path)[name]
    held = {file: file.read_bytes() for file in tmp_path.rglob("*") if file.is_file()}
    done = run(*words)
    assert (done.returncode, done.stdout) == (2, "")
    assert ("--force" in done.stderr) == (name != "both")
    assert held == {file: file.read_bytes() for file in tmp_path.rglob("*") if file.is_file()}


def test_who_says_so_overwrites_what_is_read(tmp_path: Path) -> None:
    scenario = copied(tmp_path)
    before = scenario.read_text(encoding="utf-8")
    assert run("apply", str(scenario), *MOVES, "-o", str(scenario), "--force").returncode == 0
    assert scenario.read_text(encoding="utf-8") != before
    assert load(scenario).start.at["inf"] == "w5425"


def test_what_was_written_before_is_written_again(tmp_path: Path) -> None:
    for _ in range(2):
        assert run("suggest", "dai_senso/manchuria", "--plan-out", str(tmp_path / "plan.json")).returncode == 0


@pytest.mark.skipif(os.name != "posix", reason="pipes")
@pytest.mark.parametrize(
    "words",
    [
        ["suggest", "dai_senso/manchuria", "--plan-out", "{}"],
        ["suggest", "dai_senso/manchuria", "--json", "--plan-out", "{}"],
        ["check", "dai_senso/manchuria", *MOVES, "--draw", "{}.svg"],
        ["explain", "dai_senso/manchuria", "plv to w5426", "--draw", "{}.svg"],
        ["defend", "dai_senso/manchuria", "--draw", "{}.svg"],
        ["verify", "dai_senso/manchuria", "dai_senso/manchuria_hq", "--junit", "{}"],
    ],
    ids=" ".join,
)
@pytest.mark.thorough
def test_what_is_to_be_written_is_written_though_nobody_reads_the_answer(words: list[str], tmp_path: Path) -> None:
    left, right = os.pipe()
    os.close(left)
    try:
        command = [sys.executable, "-m", "planner", *(word.format(tmp_path / "out") for word in words)]
        ended = subprocess.run(command, stdout=right, stderr=subprocess.PIPE, check=False, text=True)
    finally:
        os.close(right)
    assert (ended.returncode, ended.stderr) == (141, "")
    [written] = tmp_path.iterdir()
    text = written.read_text(encoding="utf-8")
    if written.suffix == ".svg":
        assert text.endswith("</svg>\n")
    elif "suggest" in words:
        assert len(json.loads(text)["moves"]) == 2
    else:
        assert text.count("<testsuite ") == 2


POSITION = """
format = "planner/scenario-1"
model = "classic_hex"
phase = "movement"
phasing = "blue"
[map]
origin = "0101"
rows = [". . .", "f . ."]
[[unit]]
id = "a"
side = "blue"
type = "infantry"
values = "3-4"
at = "0101"
[[unit]]
id = "b"
side = "red"
type = "infantry"
values = "3-4"
at = "0201"
"""
"""A sound position, in which each test puts one thing wrong."""

END = '{{ kind = "end", unit = "{}", at = "0101" }}'


def problems(folder: Path, *changes: tuple[str, str]) -> list[str]:
    """Return what is wrong with the position after some changes, without the file and its line."""
    text = POSITION
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    file = folder / "position.toml"
    file.write_text(text, encoding="utf-8")
    try:
        load(file)
    except InputError as error:
        return [
            f"{one.what} @ {re.sub(r'^(:[0-9]+)?: ', '', one.where.removeprefix(str(file)))}" for one in error.problems
        ]
    return []


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ([], []),
        # The first unit's entry is faulty, and left out: the second is still unit[1].
        ([('id = "a"', 'id = "a"\nbogus = 1'), ('side = "red"', 'side = "green"')],
         ["unknown key 'bogus' @ unit[0].bogus", "unit[1] (b).side"]),
        ([('side = "blue"', "side = 1"), ('side = "red"', "side = 2"), ('[[unit]]\nid = "b"', 'unit.0 = 1')],
         ["not TOML"]),
        # A second round of reading, since a term's kind must be known before its keys are.
        ([("[map]", f"tier = [{{ bogus = 1, terms = [{END.format('a')}] }}, {{ terms = [{END.format('z')}] }}]\n[map]")],
         ["tier[0].bogus", "'z' @ tier[1].terms[0].unit"]),
        # Who stands in a hex whose terrain is unknown stands on the map.
        ([("f . .", "? . ."), ('at = "0201"', 'at = "0102"')], ["the sign '?' must be in the legend @ map.rows, row 2"]),
        ([("[map]", '[map]\nlegend = { "?" = "wood" }'), ("f . .", "? . ."), ('at = "0201"', 'at = "0102"')],
         ["terrain must be one of"]),
        ([("rows = ", 'hexes = { "0301" = { terrain = "forest", bogus = 1 } }\nrows = '), ('"0201"', '"0301"')],
         ["unknown key 'bogus' @ map.hexes.0301.bogus"]),
        ([("rows = ", 'hexes = { "0901" = { traits = [] } }\nrows = '), ('"0201"', '"0901"')],
         ["terrain of 0901 must be given"]),
        ([("rows = ", 'hexes = { "02.04" = "forest" }\nrows = '), ('"0201"', '"02.04"')], ["@ map.hexes.02.04"]),
        ([('origin = "0101"', 'origin = "x"')], ["@ map.origin"]),
        ([('origin = "0101"', "origin = 1")], ["must be text, not 1 @ map.origin"]),
        ([('origin = "0101"\n', "")], ["origin must be given"]),
        ([('rows = [". . .", "f . ."]', "rows = 5")], ["must be a list, not 5 @ map.rows"]),
    ],
)  # fmt: skip
def test_each_fault_is_told_once_and_where_it_is(
    changes: list[tuple[str, str]], told: list[str], tmp_path: Path
) -> None:
    found = problems(tmp_path, *changes)
    assert len(found) == len(told), found
    for one, part in zip(
        sorted(found), sorted(told, key=lambda part: next((f for f in found if part in f), "")), strict=True
    ):
        assert part in one


def test_entries_of_a_model_keep_their_numbers(tmp_path: Path) -> None:
    scenario = copied(tmp_path)
    rules = tmp_path / "model" / "rulebook.toml"
    text = rules.read_text(encoding="utf-8").replace("[[rule]]\n", "[[rule]]\nbogus = 1\n", 1)
    late = '[[rule]]\nid = "late"\nkind = "stacking"\nparagraph = "9"\ncounts.sides = "nobody"\nlimits = []\n'
    rules.write_text(text + late, encoding="utf-8")
    with pytest.raises(InputError) as raised:
        load(scenario)
    assert "rule[0].bogus" in str(raised.value)
    count = len(tomllib.loads(text + late)["rule"])
    assert f"rule[{count - 1}] (late)" in str(raised.value)


MANY = {
    "keys": "\n".join(f"k{index} = 1" for index in range(60_000)) + POSITION,
    "units": POSITION + "\n".join(f'[[unit]]\nid = "u{index}"\nbogus = 1' for index in range(4_000)),
    "hexes": POSITION.replace("[map]", "[map]\n" + "\n".join(f'hexes.x{n} = "wood"' for n in range(30_000))),
}


@pytest.mark.parametrize("name", long_ones(MANY, "keys", "hexes"))
def test_of_very_many_faults_some_are_told_and_the_rest_counted(name: str, tmp_path: Path) -> None:
    file = tmp_path / "many.toml"
    file.write_text(MANY[name], encoding="utf-8")
    done = run("check", str(file))
    lines = done.stderr.splitlines()
    assert (done.returncode, len(lines)) == (2, 101)
    assert re.fullmatch(r"and [\d,]+ more @ .*many.toml", lines[-1])
    if name == "keys":
        assert lines[-1].startswith("and 59,900 more")


@pytest.mark.parametrize("line", ["inf w5525-w5425", "garbage", "nobody -> w5425", "inf w5525-w5425\n# why"])
def test_a_plan_of_very_many_lines_is_refused_at_once(line: str, tmp_path: Path) -> None:
    file = tmp_path / "plan.txt"
    file.write_text(f"{line}\n" * 200_000)
    done = run("suggest" if "->" in line else "check", "dai_senso/manchuria", "--plan", str(file))
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
    assert "lines" in done.stderr


@pytest.mark.parametrize(
    "words",
    [
        ["check", "dai_senso/manchuria", "plv -> w5426", "--complete"],
        ["suggest", "dai_senso/manchuria"],
        pytest.param(["suggest", "classic_hex/puzzles/open_door", "--alternatives", "2"], marks=pytest.mark.thorough),
        ["verify", "dai_senso/manchuria"],
        ["reach", "dai_senso/manchuria", "plv"],
        pytest.param(["explain", "dai_senso/manchuria", "plv to w5426"], marks=pytest.mark.thorough),
        pytest.param(["defend", "dai_senso/manchuria"], marks=pytest.mark.thorough),
    ],
    ids=" ".join,
)
def test_an_endless_time_limit_is_none(words: list[str]) -> None:
    assert run(*words, "--time-limit", "inf").returncode in (0, 1)


def test_a_model_whose_name_is_longer_than_any_file_s_is_bad_input() -> None:
    data = {"format": "planner/scenario-1", "model": "x" * 300, "phase": "movement", "phasing": "axis", "map": {}}
    with pytest.raises(InputError, match="model must be one of"):
        build_scenario(data, "a position")


@pytest.mark.parametrize("name", ["a" * 300, "a\0b"], ids=["too long", "with a zero"])
def test_a_name_that_no_file_can_have_ends_neither_a_batch_of_puzzles_nor_the_planner(name: str) -> None:
    done = run("verify", name, "dai_senso/puzzles/two_doors")
    assert done.returncode == 2
    assert done.stdout.splitlines()[0].startswith(f"{printable(name)}: bad input (")
    assert "2 files: 1 bad input, 1 holds." in done.stdout


def test_an_answer_that_cannot_be_written_is_told_where_output_is_no_file_of_the_systems() -> None:
    with patch("planner.cli.app._asked", side_effect=OSError(28, "No space left on device")):
        assert run("rules") == Done(2, "", "the answer can't be written: No space left on device\n")


def test_folders_that_vanish_are_passed_over(tmp_path: Path) -> None:
    """Such as those of processes, while a file system is gone through."""
    (tmp_path / "gone").mkdir()
    shutil.copy(data_folder("scenarios") / "ocs" / "swamp.toml", tmp_path)

    def scandir(path: str) -> object:
        if os.path.basename(path) == "gone":
            raise FileNotFoundError(path)
        return listed(path)

    listed = os.scandir
    with patch("os.scandir", side_effect=scandir):
        assert len(list(verify([tmp_path], time_limit=0))) == 1


def test_a_step_from_a_hex_into_itself_is_no_fault_of_the_planner(tmp_path: Path) -> None:
    """In a game of combats fixed moves are the author's: what the referee says of them is no disagreement."""
    plan = tmp_path / "plan.json"
    plan.write_text('{"format": "planner/plan-1", "moves": [{"units": ["y"], "path": ["0404", "0404", "0405"]}]}')
    done = run("check", "classic_hex/six_against_four", "--plan", str(plan), "--complete", "--time-limit", "30")
    assert done.returncode in (1, 3)
    assert "can't be completed" in done.stdout or "isn't known" in done.stdout


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes with names")
def test_who_reads_a_pipe_gets_all_that_is_written_there(tmp_path: Path) -> None:
    """It was opened once to see whether it can be written: whoever read it took that for its end."""
    pipe, read = tmp_path / "out.svg", list[str]()
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: read.append(pipe.read_text(encoding="utf-8")), daemon=True)
    reader.start()
    ended = subprocess.run(
        [sys.executable, "-m", "planner", "draw", "dai_senso/manchuria", "-o", str(pipe)], check=False, timeout=60
    )
    reader.join(60)
    assert ended.returncode == 0
    assert read[0].startswith("<svg")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes with names")
@pytest.mark.parametrize(
    ("words", "change", "code"),
    [
        (("check",), "nonsense", 2),
        pytest.param(("verify",), "nonsense", 2, marks=pytest.mark.thorough),
        (("apply", "-o", "after.toml"), "infantry", 0),
        pytest.param(("compose", "-o", "bank"), "infantry", 2, marks=pytest.mark.thorough),
        pytest.param(("verify", "--draw", "a.svg"), "infantry", 2, marks=pytest.mark.thorough),
    ],
)
def test_a_scenario_in_a_pipe_is_read_once(words: tuple[str, ...], change: str, code: int, tmp_path: Path) -> None:
    """It was read again, for lines and comments, when nobody wrote any more: commands waited for ever."""
    text = (data_folder("scenarios") / "dai_senso" / "manchuria.toml").read_text(encoding="utf-8")
    (tmp_path / "written.toml").write_text(text.replace('type = "infantry"', f'type = "{change}"'), encoding="utf-8")
    os.mkfifo(tmp_path / "pipe.toml")
    with subprocess.Popen(["sh", "-c", "exec cat written.toml > pipe.toml"], cwd=tmp_path) as writer:
        command = [sys.executable, "-m", "planner", words[0], "pipe.toml", *words[1:]]
        ended = subprocess.run(command, check=False, cwd=tmp_path, capture_output=True, timeout=60)
        writer.kill()
    assert ended.returncode == code, ended.stderr
    assert b"Traceback" not in ended.stderr


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes with names")
@pytest.mark.parametrize("number", [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.thorough)])
@pytest.mark.parametrize(
    "words",
    [
        ("check", "dai_senso/manchuria", "--draw", "pipe.svg"),
        pytest.param(
            ("verify", "dai_senso/puzzles/after_you", "--junit", "pipe.svg", "--sarif", "out.sarif"),
            marks=pytest.mark.thorough,
        ),
    ],
)
def test_an_interrupt_ends_the_wait_for_who_should_read_an_output(
    words: tuple[str, ...], number: signal.Signals, tmp_path: Path
) -> None:
    """Outputs are written while interrupts are held back; with no reader it went on for ever. The other output is there."""
    os.mkfifo(tmp_path / "pipe.svg")
    soon = "from planner import __main__, waiting; waiting.PATIENCE = 0.1; __main__.script()"
    command = [sys.executable, "-c", soon, *words]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as asked:
        assert asked.stdout is not None
        assert asked.stdout.readline()
        asked.send_signal(number)
        _, told = asked.communicate(timeout=60)
    assert asked.returncode == 130
    assert told == b""
    assert (tmp_path / "out.sarif").exists() == ("out.sarif" in words)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes with names")
@pytest.mark.thorough
def test_an_interrupt_ends_the_wait_for_who_should_write_an_input(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.toml")
    command = [sys.executable, "-m", "planner", "reach", "pipe.toml", "inf"]
    with subprocess.Popen(command, cwd=tmp_path) as asked:
        writer = (tmp_path / "pipe.toml").open("wb")  # from then on it reads, and nobody writes
        asked.send_signal(signal.SIGTERM)
        assert asked.wait(60) == 130
        writer.close()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes with names")
def test_who_reads_late_gets_all_though_it_was_interrupted(tmp_path: Path) -> None:
    """Only what nobody takes is given up."""
    pipe, text = tmp_path / "pipe", "a" * 1_000_000
    os.mkfifo(pipe)
    read = list[str]()
    reader = threading.Thread(target=lambda: read.append(pipe.read_text()), daemon=True)
    with stopped_by_interrupt():
        os.kill(os.getpid(), signal.SIGINT)
        reader.start()
        write_text(pipe, text)
    reader.join(60)
    assert read == [text]


ASKED = (("engine",), ("mcp",))
"""Commands that answer what they are asked on standard input."""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device that is full")
@pytest.mark.parametrize(
    "words",
    [("check", "ocs/swamp"), ("reach", "ocs/swamp", "--all", "--json"), ("verify", "ocs/swamp"), *ASKED],
)
@pytest.mark.thorough
def test_where_the_disk_is_full_that_is_what_is_told(words: tuple[str, ...]) -> None:
    if words == ("mcp",):
        pytest.importorskip("mcp")
    asked = b'{"jsonrpc": "2.0", "id": 1, "method": "ping"}\n'
    with Path("/dev/full").open("wb") as full:
        command = [sys.executable, "-m", "planner", *words]
        ended = subprocess.run(command, check=False, input=asked, stdout=full, stderr=subprocess.PIPE, timeout=60)
    assert (ended.returncode, ended.stderr) == (2, b"the answer can't be written: No space left on device\n")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device that is full")
@pytest.mark.parametrize(
    ("words", "output", "told"),
    [
        (("suggest", "crossroads/bridge", "--time-limit", "0.2", "--plan-out"), "full", "Value"),
        (("check", "crossroads/bridge", "--draw"), "full.svg", "Legal"),
        pytest.param(
            ("sweep", "dai_senso/manchuria", "--vary", "units.inf.count=1", "--workers", "1", "-o"),
            "full.csv",
            "tip",
            marks=pytest.mark.thorough,
        ),
        pytest.param(
            ("play", "crossroads/game", "--blue", "greedy", "--red", "greedy", "--turns", "1", "-o"),
            "full",
            ": ",
            marks=pytest.mark.thorough,
        ),
    ],
)
def test_an_answer_that_cannot_be_written_is_printed(
    words: tuple[str, ...], output: str, told: str, tmp_path: Path
) -> None:
    """Some commands wrote first: who had planned for an hour had nothing."""
    (tmp_path / output).symlink_to("/dev/full")
    ended = run(*words, str(tmp_path / output))
    assert ended.returncode == 2
    assert told in ended.stdout
    assert ended.stderr == f"can't be written: No space left on device @ {tmp_path / output}\n"


def test_files_may_begin_with_the_mark_that_editors_of_windows_write(tmp_path: Path) -> None:
    """Scenarios were "not TOML: invalid statement", and plans no moves; tables and jobs were read all along."""
    begin, plan = tmp_path / "begin.toml", tmp_path / "plan.txt"
    text = (data_folder("scenarios") / "dai_senso" / "manchuria.toml").read_text(encoding="utf-8")
    begin.write_text(text, encoding="utf-8-sig")
    plan.write_text("plv w5525-w5425\r\n", encoding="utf-8-sig")
    told = run("check", str(begin), "--plan", str(plan))
    assert (told.returncode, told.stderr) == (0, "")
    begin.write_text(text.replace('type = "infantry"', 'type = "nonsense"'), encoding="utf-8-sig")
    assert f"{begin}:" in run("check", str(begin)).stderr
