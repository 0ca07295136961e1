"""The command line: exit codes, what goes where, and input of every kind of badness."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
import tomllib
from pathlib import Path
from unittest.mock import patch

import pytest

from planner import __version__
from planner.errors import InputError, Problem
from planner.reachability import label_search
from tests.command import run

MANCHURIA = "dai_senso/manchuria"
WINNING = ["inf w5525-w5425", "plv w5525-w5425xw5426"]


def test_the_version_is_told_and_whether_the_label_search_is_compiled() -> None:
    told = run("--version")
    source = Path(label_search.__file__).suffix == ".py"
    assert (told.returncode, told.stdout) == (0, f"planner {__version__}{'' if source else ' (compiled)'}\n")


def test_the_list_of_commands_cuts_no_sentence_short() -> None:
    listed = run("--help").stdout.partition("Commands:")[2]
    assert len(listed.split("\n")) > 20
    assert "..." not in listed


@pytest.mark.parametrize("extra", [[], ["--solver"]], ids=["referee", "solver"])
def test_check_exits_with_0_for_a_legal_plan_and_1_for_an_illegal_one(extra: list[str]) -> None:
    assert run("check", MANCHURIA, *WINNING, *extra).returncode == 0
    illegal = run("check", MANCHURIA, *reversed(WINNING), *extra)
    assert illegal.returncode == 1
    assert "3.1" in illegal.stdout
    assert "kwantung4" in illegal.stdout


def test_check_answers_in_json_with_every_violation_and_the_mp_of_every_move() -> None:
    answer = json.loads(run("check", MANCHURIA, "plv w5525-w5425xw5426", "--json").stdout)
    [violation] = answer["violations"]
    message = violation.pop("message")
    assert violation == {"rule": "3.1", "unit": "plv", "move": 0, "step": 1, "at": "w5425", "blame": ["kwantung4"]}
    assert "EZOC of kwantung4" in message
    assert answer["format"] == "planner/verdict-1"
    assert answer["legal"] is False
    assert [move["mp"] for move in answer["moves"]] == [2]


def test_suggest_writes_a_plan_that_check_finds_legal(tmp_path: Path) -> None:
    plan = tmp_path / "plan.json"
    found = run("suggest", MANCHURIA, "--json", "--plan-out", str(plan))
    assert found.returncode == 0
    answer = json.loads(found.stdout)
    assert (answer["format"], answer["status"]) == ("planner/result-1", "optimal")
    assert answer["value"] == answer["bound"] == [1, -23]
    assert answer["gap"] == 0
    assert json.loads(plan.read_text()) == answer["plan"]
    assert run("check", MANCHURIA, "--plan", str(plan)).returncode == 0
    assert run("check", MANCHURIA, "--plan", "-", stdin=plan.read_text()).returncode == 0
    assert run("check", MANCHURIA, "--plan", "-", stdin="# by hand\n" + "\n".join(WINNING)).returncode == 0


def test_suggest_exits_with_1_when_there_is_provably_no_plan() -> None:
    result = run("suggest", "dai_senso/manchuria_hq", "--json")
    assert result.returncode == 1
    answer = json.loads(result.stdout)
    assert (answer["status"], answer["confirmed"], answer["plan"]) == ("infeasible", True, None)


def test_suggest_gives_the_same_bytes_for_the_same_seed() -> None:
    def plan() -> object:
        answer = json.loads(run("suggest", MANCHURIA, "--json", "--seed", "7").stdout)
        del answer["seconds"]
        return json.dumps(answer)

    assert plan() == plan()


def test_suggest_exits_with_3_when_the_time_is_too_short_for_what_is_asked(tmp_path: Path) -> None:
    wish = tmp_path / "wish.txt"
    wish.write_text("plv -> w5426")
    result = run("suggest", MANCHURIA, "--time-limit", "0", "--json", "--plan", str(wish))
    assert result.returncode == 3
    assert json.loads(result.stdout)["status"] == "unknown"


@pytest.mark.skipif(os.name != "posix", reason="signals")
@pytest.mark.thorough
def test_an_interrupted_search_exits_with_130_and_says_so(tmp_path: Path) -> None:
    """A front of 40 units with long legs is not proved before the interrupt comes."""
    from tests.instances import front

    scenario = tmp_path / "front.toml"
    scenario.write_text(front(units=40, seed=1, keys="/ma=6-10"))
    process = subprocess.Popen(
        [sys.executable, "-m", "planner", "suggest", str(scenario), "--json"], stdout=subprocess.PIPE, text=True
    )
    time.sleep(1.5)
    process.send_signal(signal.SIGINT)
    output, _ = process.communicate(timeout=60)
    assert process.returncode == 130
    if output:
        assert json.loads(output)["status"] in ("feasible", "unknown")


def test_reach_tells_apart_what_needs_help() -> None:
    answer = json.loads(run("reach", MANCHURIA, "plv", "--json").stdout)
    alone = {entry["hex"]: entry for entry in answer["hexes"]}
    assert alone["w5425"]["must_stop"] is True
    assert alone["w5425"]["stop"] == [{"rule": "3.1", "blame": ["kwantung4", "inf111"]}]
    assert "w5426" not in alone
    [entry] = [entry for entry in answer["with_help"] if entry["hex"] == "w5426"]
    assert entry["help"] == [{"friend_in": "w5425", "by": ["inf"]}]
    assert entry["overruns"] == ["inf111"]


def test_reach_takes_a_name_in_place_of_an_id() -> None:
    assert run("reach", MANCHURIA, "Plv Cav-Mech Army").returncode == 0
    assert run("reach", MANCHURIA, "nobody").returncode == 2


def test_rules_lists_one_entry_for_each_statement_with_its_state() -> None:
    answer = json.loads(run("rules", "dai_senso", "--json").stdout)
    assert (answer["format"], answer["model"]) == ("planner/rules-1", "dai_senso")
    assert len(answer["paragraphs"]) == 163
    for entry in answer["paragraphs"]:
        assert entry["state"] in ("enforced", "not_modelled", "open")
        assert (entry["kind"] is not None) == (entry["state"] == "enforced")
        assert bool(entry["why"]) == (entry["state"] != "enforced")
    assert "zone_of_control" in run("rules", "dai_senso").stdout


def test_apply_writes_the_position_after_the_plan_for_the_next_phase(tmp_path: Path) -> None:
    after = tmp_path / "after.toml"
    assert run("apply", MANCHURIA, *WINNING, "-o", str(after)).returncode == 0
    text = after.read_text()
    assert 'phase = "reserve_movement"' in text
    assert 'box = "force_pool"' in text
    assert "# rows from north to south" in text  # the author's comments stay
    # In the Reserve Movement Phase neither unit leaves its EZOC hex.
    answer = json.loads(run("check", str(after), "plv w5426-w5427", "--json").stdout)
    assert {violation["rule"] for violation in answer["violations"]} == {"5"}


def test_apply_turns_used_convoys_takes_off_lost_markers_and_hands_over_what_was_taken(tmp_path: Path) -> None:
    after = tmp_path / "after.toml"
    moves = ["scout e2409-e2408-e2407", "siamese e3005-e2405", "exp e3005~e2405(japanese)"]
    to = ["-o", str(after), "--phase", "operational_movement"]
    assert run("apply", "dai_senso/puzzles/whose_ship", *moves, *to).returncode == 0
    data = tomllib.loads(after.read_text())
    # The base in e2407 is gone; siamese, for whom no ship was named, sailed on the only one left to it.
    assert [(marker["id"], marker.get("used", False)) for marker in data["marker"]] == [
        ("japanese", True),
        ("scratch", True),
    ]
    assert data["control"] == {"axis": "e3005 e2405 e2409 e2407", "western": "e2408"}
    answer = json.loads(run("check", str(after), "japanese_inf e3005~e2407", "--json").stdout)
    assert [violation["rule"] for violation in answer["violations"]] == ["3.1.2"]


def test_apply_plays_no_illegal_plan_and_leaves_the_old_file_alone(tmp_path: Path) -> None:
    after = tmp_path / "after.toml"
    after.write_text("precious")
    assert run("apply", MANCHURIA, *reversed(WINNING), "-o", str(after)).returncode == 1
    assert after.read_text() == "precious"
    assert run("apply", MANCHURIA, *WINNING, "-o", str(tmp_path / "no" / "such" / "folder.toml")).returncode == 2
    assert run("apply", MANCHURIA, *WINNING).returncode == 2
    assert run("apply", MANCHURIA, *WINNING, "-o", str(after), "--phase", "never").returncode == 2
    assert after.read_text() == "precious"
    assert os.listdir(tmp_path) == ["after.toml"]


BAD_MOVES = {
    "no move": ["rubbish"],
    "no step": ["inf w5525"],
    "unknown unit": ["nobody w5525-w5425"],
    "hex off the map": ["inf w5525-w9999"],
    "twice the same unit": ["inf+inf w5525-w5425"],
    "control characters": ["inf w5525-\x1b[31mw5425"],
    "very long": ["inf w5525" + "-w5425" * 600],
}


@pytest.mark.parametrize("moves", BAD_MOVES.values(), ids=BAD_MOVES)
def test_bad_moves_exit_with_2_and_a_sentence(moves: list[str]) -> None:
    result = run("check", MANCHURIA, *moves)
    assert result.returncode == 2
    assert " @ " in result.stderr
    assert "Traceback" not in result.stderr
    assert result.stdout == ""


BAD_PLANS = {
    "not JSON": "{",
    "a list": "[1]",
    "no format": '{"moves": []}',
    "wrong format": '{"format": "planner/plan-9", "moves": []}',
    "unknown key": '{"format": "planner/plan-1", "moves": [], "more": 1}',
    "unknown victim": '{"format":"planner/plan-1","moves":[{"units":["inf"],"path":["w5525","w5425"],"overruns":["x"]}]}',
    "victim not on the path": (
        '{"format":"planner/plan-1","moves":[{"units":["inf"],"path":["w5525","w5425"],"overruns":["inf111"]}]}'
    ),
    "deep": "[" * 100_000,
}


@pytest.mark.parametrize("text", BAD_PLANS.values(), ids=BAD_PLANS)
def test_bad_plan_files_exit_with_2_and_a_sentence(text: str) -> None:
    result = run("check", MANCHURIA, "--plan", "-", stdin=text)
    assert result.returncode == 2
    assert " @ stdin" in result.stderr
    assert "Traceback" not in result.stderr


@pytest.mark.thorough
def test_a_reader_that_goes_away_is_no_verdict() -> None:
    for command in (["rules", "dai_senso"], ["rules", "dai_senso", "--json"], ["suggest", MANCHURIA]):
        process = subprocess.Popen(
            [sys.executable, "-m", "planner", *command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        errors = process.stderr.read()
        assert process.wait(timeout=60) == 141, command
        assert errors == ""


def test_no_plan_is_looked_for_that_can_not_be_written(tmp_path: Path) -> None:
    result = run("suggest", MANCHURIA, "--plan-out", str(tmp_path / "no" / "plan.json"))
    assert (result.returncode, result.stdout) == (2, "")
    assert "can't be written" in result.stderr


def test_a_plan_that_can_not_be_written_after_all_is_at_least_printed(tmp_path: Path) -> None:
    full = InputError([Problem("can't be written: No space left on device", "plan.json")])
    with patch("planner.formats.files.write_text", side_effect=full):
        result = run("suggest", MANCHURIA, "--plan-out", str(tmp_path / "plan.json"))
    assert result.returncode == 2
    assert "No space left" in result.stderr
    assert "plv w5525-w5425xw5426" in result.stdout


def test_unreadable_files_exit_with_2(tmp_path: Path) -> None:
    (tmp_path / "latin.toml").write_bytes(b"title = '\xe9'")
    for name in ("missing.toml", ".", "latin.toml", "a\0b", "x" * 5_000, "~/no"):
        if "\0" in name:
            continue  # the operating system itself refuses such an argument
        result = run("check", name, cwd=tmp_path)
        assert result.returncode == 2, name
        assert " @ " in result.stderr
        assert "Traceback" not in result.stderr


@pytest.mark.parametrize(
    "words",
    [
        ("suggest", MANCHURIA),
        ("verify", MANCHURIA, "--cooks", "0"),
        ("suggest", MANCHURIA, "--json"),
        ("schema", "plan"),
    ],
)
@pytest.mark.thorough
def test_a_full_disk_is_one_sentence(words: tuple[str, ...], tmp_path: Path) -> None:
    """The shell allows no file to grow at all."""
    command = f"ulimit -f 0; {sys.executable} -m planner {' '.join(words)} > {tmp_path / 'out'}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    [line] = done.stderr.splitlines()
    assert line.startswith("the answer can't be written: ")


def test_standard_output_that_is_closed_is_one_sentence() -> None:
    command = f"{sys.executable} -m planner suggest {MANCHURIA} >&-"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (2, "the answer can't be written: standard output is closed\n")


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (f"check {MANCHURIA} --plan -", 2, "can't be read: standard input is closed @ -\n"),
        (f"suggest {MANCHURIA} --after-file -", 2, "can't be read: standard input is closed @ -\n"),
        ("engine", 0, ""),
        (f"play {MANCHURIA} --soviet person --turns 1", 0, ""),
    ],
)
def test_standard_input_that_is_closed_is_one_sentence_or_has_ended(words: str, code: int, told: str) -> None:
    command = f"{sys.executable} -m planner {words} <&-"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (code, told)


def test_how_good_diverse_plans_must_be_means_nothing_without_them() -> None:
    done = run("suggest", MANCHURIA, "--within", "20%")
    assert done.returncode == 2
    assert "--diverse must be given" in done.stderr


def test_a_scenario_that_is_misspelt_is_guessed() -> None:
    done = run("suggest", "dai_senso/manchura")
    assert done.returncode == 2
    assert done.stderr == "no such file; did you mean 'dai_senso/manchuria'? @ dai_senso/manchura\n"
