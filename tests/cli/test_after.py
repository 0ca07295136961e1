"""``--after``: questions in the middle of a phase, as they are asked at the terminal."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.command import run


def test_suggest_plans_what_comes_after_a_failed_overrun() -> None:
    # 7 - 3 MP are left: one attempt at 12 to 4, 7/12, and 10.12 for 1 MP after it: 3 * 7/12 + 7/12.
    done = run("suggest", "ocs/two_overruns", "--after", "armor+mech 10.10!10.11", "--json")
    assert done.returncode == 0
    told = json.loads(done.stdout)
    assert (told["status"], told["value"][0]) == ("optimal", "7/3")


def test_check_goes_on_with_the_move_made_last() -> None:
    done = run("check", "ocs/two_overruns", "--after", "armor+mech 10.10x10.11", "mech 10.11-10.12")
    assert done.returncode == 0
    assert "1 MP" in done.stdout
    again = run(
        "check", "ocs/two_overruns", "--after", "armor 10.10x10.11", "--after", "mech 10.10-10.11", "armor 10.11-10.12"
    )
    assert again.returncode == 1
    assert "6.1g" in again.stdout


def test_apply_stays_in_the_phase_and_writes_what_has_been_made(tmp_path: Path) -> None:
    file = tmp_path / "now.toml"
    moves = ["--after", "armor+mech 10.10!10.11", "armor+mech 10.10x10.11"]
    assert run("apply", "ocs/two_overruns", *moves, "--stay", "-o", str(file)).returncode == 0
    assert file.read_text().count("[[done]]") == 2
    done = run("suggest", str(file), "--json")
    assert json.loads(done.stdout)["value"][0] == 4  # line is gone, and mech has 1 MP left for 10.12


def test_reach_and_explain_start_from_where_units_have_got() -> None:
    after = ["--after", "armor+mech 10.10x10.11"]
    reached = json.loads(run("reach", "ocs/two_overruns", "armor", *after, "--json").stdout)
    assert "10.13" in json.dumps(reached)
    assert run("explain", "ocs/two_overruns", *after, "armor to 10.13").returncode == 0


@pytest.mark.thorough
def test_every_answer_says_what_it_comes_after(tmp_path: Path) -> None:
    done, after = "armor+mech 10.10x10.11", ["--after", "armor+mech 10.10x10.11"]
    for words in (["check", "mech 10.11-10.12"], ["reach", "armor"], ["suggest"], ["explain", "armor to 10.13"]):
        asked = [words[0], "ocs/two_overruns", *words[1:], *after]
        assert run(*asked).stdout.startswith(f"After {done}:\n"), words
        assert json.loads(run(*asked, "--json").stdout)["after"] == [done], words
    file = tmp_path / "now.toml"
    run("apply", "ocs/two_overruns", done, "--stay", "-o", str(file))
    assert json.loads(run("check", str(file), "--json").stdout)["after"] == [done]
    drawn = run("draw", str(file), "-o", str(tmp_path / "now.svg"))
    assert f"After {done}." in drawn.stdout
    assert json.loads(run("check", "ocs/two_overruns", "--json").stdout)["after"] == []


def test_moves_that_can_not_have_been_made_are_bad_input() -> None:
    done = run("check", "ocs/two_overruns", "--after", "armor 10.10-10.12", "mech 10.10-10.11")
    assert done.returncode == 2
    assert "must be legal, but 6.1" in done.stderr
    both = run("check", "ocs/two_overruns", "--after", "armor 10.10-10.12", "--after-file", "x", "mech 10.10-10.11")
    assert both.returncode == 2
    assert "--after or --after-file, not both" in both.stderr


@pytest.mark.parametrize("nothing", ["", "  ", "# nothing yet"])
def test_nothing_is_no_move_that_has_been_made(nothing: str) -> None:
    done = run("check", "ocs/two_overruns", "--after", nothing)
    assert done.returncode == 2
    assert f"must be a move that has been made, not {nothing!r} @ --after" in done.stderr


@pytest.mark.parametrize(
    "command",
    [
        ["apply", "dai_senso/manchuria", "--stay", "-o"],
        ["suggest", "dai_senso/manchuria", "--plan-out"],
        ["draw", "dai_senso/manchuria", "-o"],
    ],
)
def test_no_file_is_called_after_standard_input(command: list[str], tmp_path: Path) -> None:
    done = run(*command, "-", cwd=tmp_path)
    assert done.returncode == 2
    assert "@ -" in done.stderr
    assert not any(tmp_path.iterdir())


def test_what_a_file_says_has_been_made_is_checked_entry_by_entry(tmp_path: Path) -> None:
    text = (Path(__file__).parents[2] / "scenarios/ocs/two_overruns.toml").read_text()
    file = tmp_path / "now.toml"
    file.write_text(text + '\n[[done]]\nmove = "armor 10.10-10.12"\n')
    done = run("check", str(file), "mech 10.10-10.11")
    assert done.returncode == 2
    assert "done[0]" in done.stderr
    file.write_text(text + '\n[[done]]\nmove = "nobody 10.10-10.12"\n\n[[done]]\nmove = "what"\n')
    done = run("check", str(file), "mech 10.10-10.11")
    assert "no unit has the id 'nobody'" in done.stderr
    assert "done[1].move" in done.stderr


BEGUN = {
    "ocs/two_overruns": ("armor+mech 10.10!10.11", "armor+mech 10.10x10.11", "armor"),
    "great_war/second_hex": ("tank E4-E5", "tank E5-E6", "tank"),
    "classic_hex/six_against_four": ("x 0404x0405=0:0", "y 0404x0405=0:1", "y"),
    "a_world_at_war/rendezvous": ("motorized M12-L12", "panzer L10-L11-L12", "panzer"),
    "dai_senso/manchuria": ("inf w5525-w5425", "plv w5525-w5425xw5426", "plv"),
}
"""In each game what has been made, what may come after it, and who makes that."""
ASKED = ("check", "suggest", "reach", "explain", "draw", "apply")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where what has been made in each game is written once."""
    folder = tmp_path_factory.mktemp("begun")
    for number, (name, (made, _, _)) in enumerate(BEGUN.items()):
        assert run("apply", name, made, "--stay", "-o", str(folder / f"{number}.toml")).returncode == 0
    return folder


@pytest.mark.parametrize("command", ASKED)
@pytest.mark.parametrize("name", BEGUN)
def test_every_command_answers_after_moves_as_of_the_file_that_holds_them(
    name: str, command: str, folder: Path, tmp_path: Path
) -> None:
    made, then, unit = BEGUN[name]
    begun = folder / f"{list(BEGUN).index(name)}.toml"
    words = {"check": [then], "reach": [unit], "explain": [then], "apply": [then, "--stay"]}.get(command, [])
    outputs = tmp_path / "one.svg", tmp_path / "two.svg"
    answers = []
    for start, output in zip(([name, "--after", made], [str(begun)]), outputs, strict=True):
        to = ["-o", str(output)] if command in ("draw", "apply") else ["--json"]
        done = run(command, start[0], *words, *start[1:], *to)
        assert done.returncode == 0, done.stdout + done.stderr
        if to[0] == "-o":  # older writers of TOML leave more empty lines
            answers.append([line for line in output.read_text().splitlines() if line])
        else:
            answers.append(json.loads(done.stdout) | {"seconds": 0})
    assert answers[0] == answers[1]
    if command in ("check", "suggest", "reach", "explain"):
        assert answers[0]["after"] == [made]
