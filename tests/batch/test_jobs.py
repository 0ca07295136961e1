"""What jobs ask is what commands take; a line that is no job is told, and the others are read."""

from __future__ import annotations

import contextlib
import json
import shutil
from pathlib import Path
from typing import Any

import pytest

import planner
from planner.batch import jobs
from planner.batch.answering import answer
from planner.batch.jobs import Job, read_jobs
from planner.formats.files import data_folder
from planner.playing.position import Position
from planner.scenario import Scenario
from tests.command import run as command

HELP = ["inf w5525-w5425", "plv w5525-w5425xw5426"]


def ask(verb: str, scenario: object = "dai_senso/manchuria", **said: object) -> Any:
    told = answer(Job("a", verb, {"id": "a", "verb": verb, "scenario": scenario, **said}))
    assert list(told) == ["answer"], told
    return told["answer"]


@pytest.mark.parametrize("option", [["-o", "results.jsonl"], ["--workers", "1"], ["--time-limit", "3"], ["--times"]])
def test_who_makes_jobs_is_told_that_none_is_answered(option: list[str], tmp_path: Path) -> None:
    """`--make` with the file of results wrote jobs and no results, and said nothing of it."""
    done = command("batch", str(tmp_path / "jobs.jsonl"), "--make", "verify", "dai_senso/manchuria", *option)
    assert done.returncode == 2
    assert f"Invalid value for {option[0]}: can't be had with --make" in done.stderr
    assert not (tmp_path / "jobs.jsonl").exists()


@pytest.mark.thorough
def test_what_apply_answers_can_be_asked_about_where_the_jobs_are(tmp_path: Path) -> None:
    """The scenario lies in a folder below, and names its game's folder from there."""
    (tmp_path / "below").mkdir()
    shutil.copytree(data_folder("models") / "dai_senso", tmp_path / "game")
    text = (data_folder("scenarios") / "dai_senso" / "manchuria.toml").read_text(encoding="utf-8")
    scenario = tmp_path / "below" / "scenario.toml"
    scenario.write_text(text.replace('model = "dai_senso"', 'model = "../game"'), encoding="utf-8")
    asked = {"verb": "apply", "scenario": "below/scenario.toml", "moves": HELP}
    for number, more in enumerate(({}, {"stay": True})):
        jobs, out = tmp_path / "jobs.jsonl", tmp_path / f"{number}.jsonl"
        jobs.write_text(json.dumps({"id": 1, **asked, **more}) + "\n")
        assert command("batch", str(jobs), "-o", str(out), "--workers", "1").returncode == 0
        after = json.loads(out.read_text())["answer"]["scenario"]
        assert Scenario.from_dict(after, beside=tmp_path).game.units
        jobs.write_text(json.dumps({"id": 1, "verb": "check", "scenario": after}) + "\n")
        assert command("batch", str(jobs), "-o", str(tmp_path / f"{number}b.jsonl"), "--workers", "1").returncode == 0
    with contextlib.chdir(tmp_path / "below"):
        word = Position("scenario.toml").to_text()
    assert Position.from_text(word).to_text() == word


@pytest.mark.thorough
def test_each_verb_answers_as_its_command_does() -> None:
    assert ask("check", moves=HELP)["legal"]
    assert not ask("check", moves=HELP[1:])["legal"]
    assert ask("check", moves=HELP[1:], after=HELP[:1])["legal"]
    found = ask("suggest")
    assert (found["status"], found["value"], found["moves"]) == ("optimal", [1, -23], HELP)
    assert len(ask("suggest", alternatives=2)["plans"]) == 2
    assert ask("suggest", plan=["inf stays"])["value"] == [0, 0]
    assert ask("reach", unit="plv", alone=True)["unit"] == "plv"
    assert ask("explain", moves=["plv to w5426"])["status"] == "with_help"
    assert ask("defend", "dai_senso/manchuria_defense")["status"] == "holds"
    verified = json.loads(command("verify", "--json", "dai_senso/puzzles/marines_first").stdout)["files"][0]
    mine = ask("verify", "dai_senso/puzzles/marines_first")
    assert (mine["outcome"], mine["checks"]) == ("holds", verified["checks"])


def test_what_apply_answers_is_the_scenario_with_which_the_game_goes_on(tmp_path: Path) -> None:
    told = ask("apply", moves=HELP)
    after = planner.Scenario.from_dict(told["scenario"])
    assert after.start.at["plv"] == "w5426"
    written = tmp_path / "after.toml"
    assert command("apply", "dai_senso/manchuria", *HELP, "-o", str(written)).returncode == 0
    assert after.to_dict() == planner.load(written).to_dict()
    assert not ask("apply", moves=HELP[1:])["legal"]


def test_a_scenario_may_be_what_its_file_would_hold() -> None:
    there = planner.load("dai_senso/manchuria").to_dict()
    assert ask("suggest", there) == ask("suggest")


def test_what_cannot_be_answered_is_told_and_is_no_end() -> None:
    told = answer(Job("a", "check", {"id": "a", "verb": "check", "scenario": "nowhere"}))
    assert told == {
        "error": {
            "kind": "input",
            "text": "no such file @ nowhere",
            "problems": [{"what": "no such file", "where": "nowhere"}],
        }
    }
    told = answer(Job("a", "suggest", {"id": "a", "verb": "suggest", "scenario": "dai_senso/manchuria", "within": "1"}))
    assert told["error"]["kind"] == "input"  # type: ignore[index]


def test_an_error_does_not_say_where_the_planner_is_installed() -> None:
    told: Any = answer(Job("a", "reach", {"id": "a", "verb": "reach", "scenario": "crossroads/bridge", "unit": "zzz"}))
    assert told["error"]["text"] == "no unit is called 'zzz' @ crossroads/bridge.toml"
    assert [one["where"] for one in told["error"]["problems"]] == ["crossroads/bridge.toml"]


def test_a_line_with_several_problems_is_one_bad_line(tmp_path: Path) -> None:
    jobs = tmp_path / "jobs.jsonl"
    jobs.write_text('{"id": true, "verb": "verify", "scenario": ["x"]}\n')
    read = read_jobs(jobs)
    assert (len(read.problems) > 1, read.bad_lines) == (True, 1)


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ({"id": ""}, "must have at least 1 letter @ {}:1: id"),
        ({"id": "x" * 301}, "must have at most 300 letters @ {}:1: id"),
        ({"scenario": "x" * 1001}, "must have at most 1000 letters @ {}:1: scenario"),
        ({"scenario": 3}, "must be text or a table, not 3 @ {}:1: scenario"),
    ],
)
def test_a_fault_of_a_value_that_may_be_of_several_sorts_is_told_once(
    said: dict[str, object], told: str, tmp_path: Path
) -> None:
    """Whoever gives an empty text as an id doesn't want to hear that it is no number, too."""
    lines = tmp_path / "jobs.jsonl"
    lines.write_text(
        json.dumps({"id": 1, "verb": "check", "scenario": "dai_senso/manchuria", **said}), encoding="utf-8"
    )
    assert [str(problem) for problem in read_jobs(lines).problems] == [told.format(lines)]


def test_lines_that_are_no_jobs_are_told_with_their_place_and_the_others_are_read(tmp_path: Path) -> None:
    jobs = tmp_path / "jobs.jsonl"
    fine = {"verb": "check", "scenario": "dai_senso/manchuria"}
    jobs.write_bytes(
        b"\n".join(
            [
                json.dumps({"id": 1, **fine}).encode(),
                b"",
                json.dumps({"id": 1, **fine}).encode(),
                b"nonsense",
                b"\xff",
                json.dumps({"id": "1", **fine}).encode(),
                b'{"id": true, "verb": "check", "scenario": "x"}',
                b'{"id": 4, "verb": "chek", "scenario": "x"}',
                b'{"id": 5, "verb": "suggest", "scenario": "x", "time": 3, "seed": -1}',
                b'{"id": NaN, "verb": "check", "scenario": "x"}',
            ]
        )
    )
    found = read_jobs(jobs)
    assert [job.id for job in found.jobs] == [1, "1"]
    told = [str(one).replace(str(jobs), "jobs") for one in found.problems]
    assert told[0] == "no two jobs may have the id 1: line 1 has it @ jobs:3"
    assert told[1].endswith("@ jobs:4")
    assert told[2] == "must be UTF-8 text, but byte 0 is not @ jobs:5"
    assert "jobs:7: id" in told[3]
    assert told[4].endswith("did you mean 'check'? @ jobs:8") or "jobs:7" in told[4]
    assert {one.partition("@ ")[2] for one in told} >= {"jobs:9: time", "jobs:9: seed", "jobs:10"}


def test_a_line_that_is_too_long_is_the_last_that_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """There is no end to the line of `/dev/full`."""
    monkeypatch.setattr(jobs, "LARGEST_FILE", 1_000)
    line = json.dumps({"id": 1, "verb": "check", "scenario": "ocs/carpet", "moves": []})
    file = tmp_path / "jobs.jsonl"
    file.write_text(f"{line}\n{'x' * 5_000}\n{line}\n")
    found = read_jobs(file)
    assert (len(found.jobs), found.bad_lines) == (1, 1)
    assert "what comes after it isn't read" in str(found.problems[0])
    if Path("/dev/full").exists():
        assert read_jobs(Path("/dev/full")).jobs == ()


def test_a_time_limit_for_all_is_one_for_those_that_say_none(tmp_path: Path) -> None:
    jobs = tmp_path / "jobs.jsonl"
    lines = [{"verb": "suggest"}, {"verb": "suggest", "time_limit": 9}, {"verb": "check"}]
    jobs.write_text("".join(json.dumps({"id": n, "scenario": "x", **one}) + "\n" for n, one in enumerate(lines)))
    assert [job.time_limit for job in read_jobs(jobs, 2.5).jobs] == [2.5, 9, None]
    assert [getattr(job.asked(), "time_limit", "none") for job in read_jobs(jobs, 2.5).jobs] == [2.5, 9, "none"]


def test_the_command_says_what_became_of_the_jobs(tmp_path: Path) -> None:
    jobs, out = tmp_path / "jobs.jsonl", tmp_path / "results.jsonl"
    jobs.write_text('{"id": "a", "verb": "check", "scenario": "nowhere"}\nnonsense\n')
    done = command("batch", str(jobs), "-o", str(out), "--workers", "1")
    assert done.returncode == 2
    assert "jobs.jsonl:2" in done.stderr
    assert done.stdout == f"{out}: 0 of 1 jobs answered; 1 failed; 1 line is no job.\n"
    jobs.write_text('{"id": "a", "verb": "check", "scenario": "nowhere"}\n')
    again = command("batch", str(jobs), "-o", str(out))
    assert (again.returncode, again.stdout) == (
        1,
        f"{out}: 0 of 1 jobs answered; 1 done before; 1 failed.\n",
    )
    jobs.write_text("nonsense\n\nnonsense\n" + jobs.read_text())
    assert command("batch", str(jobs), "-o", str(out)).stdout.endswith("; 2 lines are no jobs.\n")
    assert command("batch", str(jobs), "-o", str(jobs)).returncode == 2
    assert command("batch", str(tmp_path / "none.jsonl"), "-o", str(out)).returncode == 2


@pytest.mark.thorough
def test_paths_of_scenarios_count_from_the_folder_of_the_jobs(tmp_path: Path) -> None:
    folder, elsewhere = tmp_path / "bank", tmp_path / "elsewhere"
    for one in (folder, elsewhere):
        one.mkdir()
    assert command("new", "dai_senso", "-o", str(folder / "mine.toml")).returncode == 0
    assert command("batch", str(folder / "jobs.jsonl"), "--make", "reach", str(folder)).returncode == 0
    out = elsewhere / "results.jsonl"
    done = command("batch", "../bank/jobs.jsonl", "-o", str(out), "--workers", "1", cwd=elsewhere)
    assert done.returncode == 0, out.read_text()
    assert json.loads(out.read_text())["id"] == "mine.toml"


def test_jobs_for_what_is_not_there_are_not_written(tmp_path: Path) -> None:
    jobs = tmp_path / "jobs.jsonl"
    done = command("batch", str(jobs), "--make", "reach", "nowhere.toml", "dai_senso/manchuria", "missing.toml")
    assert done.returncode == 2
    assert done.stderr.splitlines() == ["no such file @ nowhere.toml", "no such file @ missing.toml"]
    assert not jobs.exists()
