"""Moves are never cut, nothing is padded, and numbers are written as players write them."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

import planner
from planner.cli.console import console_for_answers
from planner.cli.schema import schemas
from planner.cli.terminal import print_json, print_text
from planner.cli.text_output import print_rows, print_verdict
from planner.formats.probability import spoken_percent
from planner.formats.spoken_numbers import at_most, spoken_number
from planner.referee.played_moves import fate
from planner.scenario import build_scenario
from planner.search.answer_data import result_data
from tests.cli.test_app import run

MOVE = "inf 14.14-15.14-16.14-17.14x18.14-19.14-20.14-21.14-22.14-23.14-24.14-25.14-26.14-27.14-28.14"


@pytest.mark.parametrize("width", [30, 60, 80, 100, 200])
def test_moves_are_whole_at_any_width_of_the_terminal(width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    out = io.StringIO()
    for name, value in {"FORCE_COLOR": "1", "NO_COLOR": "1", "TERM": "xterm", "COLUMNS": str(width)}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr("sys.stdout", out)
    rows = [
        ("1.", MOVE, "28 MP", "overruns line; with probability 5/9; must stop: EZOC of E"),
        ("2.", "b a-b", "1 MP", ""),
    ]
    print_rows(console_for_answers(), rows)
    lines = out.getvalue().splitlines()
    assert any(MOVE in line for line in lines)
    assert "EZOC of E" in " ".join(map(str.strip, lines))
    assert "\\" not in out.getvalue()
    assert all(len(line) <= width or MOVE in line for line in lines)


@pytest.mark.thorough
def test_what_goes_into_a_pipe_is_neither_wrapped_nor_padded() -> None:
    for words in (["suggest", "great_war/over_the_top"], ["reach", "dai_senso/manchuria", "plv"], ["rules", "ocs"]):
        lines = run(*words).stdout.splitlines()
        assert lines
        assert all(line == line.rstrip() for line in lines)
        assert max(map(len, lines)) > 80 or words[0] == "reach"


@pytest.mark.parametrize(
    ("number", "written"),
    [
        (Fraction(25, 2), "12½"),
        (Fraction(1, 3), "⅓"),
        (Fraction(-3, 4), "-¾"),
        (Fraction(3), "3"),
        (Fraction(119, 36), "3 11/36"),
        (Fraction(-1847, 144), "-12 119/144"),
        (Fraction(5, 9), "5/9"),
    ],
)
def test_numbers_are_mixed(number: Fraction, written: str) -> None:
    assert spoken_number(number) == written


def test_a_bound_is_rounded_so_that_it_stays_one() -> None:
    """16816631/373248 is 45.0548...; -1787/144 is -12.4097...: what no plan exceeds is rounded up."""
    assert at_most(Fraction(16816631, 373248)) == "45.06"
    assert at_most(Fraction(-1787, 144)) == "-12.40"
    assert at_most(Fraction(-1, 1000)) == "0.00"
    assert at_most(Fraction(25, 2)) == "12½"


def test_in_json_a_bound_is_exact() -> None:
    """No sum of floating-point numbers is 16816631/373248."""
    scenario = planner.load("crossroads/bridge")
    known = planner.suggest(scenario, time_limit=0)
    told = result_data(replace(known, bound=(Fraction(16816631, 373248), Fraction(-3))), scenario)
    assert json.loads(json.dumps(told))["bound"] == ["16816631/373248", -3]


@pytest.mark.parametrize(
    ("chance", "written"),
    [
        (Fraction(20735, 20736), "over 99.9%"),  # 99.995 %
        (Fraction(1, 20736), "under 0.1%"),
        (Fraction(1727, 1728), "99.9%"),
        (Fraction(1), "100.0%"),
    ],
)
def test_only_what_is_certain_is_called_a_hundred_percent(chance: Fraction, written: str) -> None:
    assert spoken_percent(chance) == written


@pytest.mark.parametrize(("encoding", "written"), [("ascii", "12 1/2 / -1/2"), ("utf-8", "12½ / -½")])
def test_a_terminal_without_the_signs_gets_fractions_written_out(
    encoding: str, written: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    raw = io.BytesIO()
    monkeypatch.setattr("sys.stdout", io.TextIOWrapper(raw, encoding=encoding, write_through=True))
    console_for_answers().print("12½ / -½")
    assert raw.getvalue().decode(encoding).strip() == written


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_what_is_printed_without_a_console_is_read_in_any_encoding(
    encoding: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    raw = io.BytesIO()
    monkeypatch.setattr("sys.stdout", io.TextIOWrapper(raw, encoding=encoding, write_through=True))
    print_text("worth 3½\x1b[2J\n")
    assert raw.getvalue().decode(encoding) == ("worth 3½" if encoding == "utf-8" else "worth 3 1/2") + "\\x1b[2J\n"
    raw.truncate(raw.seek(0))
    print_json({"message": "worth ½, Köln"})
    assert json.loads(raw.getvalue().decode(encoding)) == {"message": "worth ½, Köln"}


@pytest.mark.parametrize("width", [20, 40, 60])
def test_every_cell_of_a_table_that_does_not_fit_has_its_head(width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    out = io.StringIO()
    for name, value in {"FORCE_COLOR": "1", "NO_COLOR": "1", "TERM": "xterm", "COLUMNS": str(width)}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr("sys.stdout", out)
    rows = [
        ("w5426", "2", MOVE, "inf in w5425", "with probability 5/9"),
        ("w5", "12½", MOVE, "", "must stop: EZOC of E"),
    ]
    print_rows(console_for_answers(), rows, ("hex", "MP", "path", "help", ""), whole=3)
    told = out.getvalue().splitlines()
    assert [line for line in told if not line.startswith(" ")] == [
        "hex    MP   path",
        f"w5426  2    {MOVE}",
        f"w5     12½  {MOVE}",
    ]
    below = " ".join(" ".join(told).split())
    assert "help: inf in w5425; with probability 5/9 w5" in below
    assert below.endswith(f"{MOVE} must stop: EZOC of E")


def test_no_line_says_both_that_a_hex_is_taken_and_that_it_cannot_be() -> None:
    """4 against 6 in 0303: on no line of that column do the attackers hold the hex."""
    told = run("check", "classic_hex/three_battles", "a1 0305-0304", "a1 0304x0303").stdout
    [line] = [line for line in told.splitlines() if "0304x0303" in line]
    assert "can't take the hex" in line
    assert "takes 0303" not in line
    assert "Not all of it can go through" in told
    assert "probability 0 " not in told


def test_what_a_combat_certainly_leads_to_is_told() -> None:
    """12 against 1: whatever is drawn, the defender is destroyed or goes back, and where it can't it is destroyed."""
    scenario = build_scenario(
        {
            "format": "planner/scenario-1",
            "model": "classic_hex",
            "phase": "movement",
            "phasing": "blue",
            "map": {"hexes": {"1010 1011": "clear"}},
            "unit": [
                {"id": "X", "side": "blue", "type": "infantry", "values": "30-3", "at": "1010"},
                {"id": "e", "side": "red", "type": "infantry", "values": "1-3", "at": "1011"},
            ],
        },
        "a certain combat",
    )
    verdict = planner.check(scenario, "X 1010x1011")
    [played] = verdict.moves
    assert not played.rolls
    assert "e destroyed" in fate(played)


def test_the_help_of_schema_names_every_kind() -> None:
    told = " ".join(run("schema", "--help").stdout.split())
    assert all(kind in told for kind in schemas())


def test_colours_tell_what_is_proved_and_are_left_out_of_pipes(monkeypatch: pytest.MonkeyPatch) -> None:
    told = run("check", "dai_senso/manchuria", "inf w5525-w5425").stdout
    assert "\x1b" not in told
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    out = io.StringIO()
    monkeypatch.setattr("sys.stdout", out)
    print_verdict(planner.check("dai_senso/manchuria", "inf w5525-w5425"))
    print_verdict(planner.check("dai_senso/manchuria", "plv w5525-w5425xw5426"))
    assert "\x1b[32mLegal." in out.getvalue()
    assert "\x1b[31mIllegal:" in out.getvalue()
    monkeypatch.setenv("NO_COLOR", "1")
    plain = io.StringIO()
    monkeypatch.setattr("sys.stdout", plain)
    print_verdict(planner.check("dai_senso/manchuria", "inf w5525-w5425"))
    assert "\x1b[3" not in plain.getvalue()


def test_shells_complete_the_names_of_scenarios_that_ship() -> None:
    environment = {
        "_PLANNER_COMPLETE": "complete_bash",
        "COMP_WORDS": "planner suggest dai_senso/man",
        "COMP_CWORD": "2",
    }
    told = in_process(environment).splitlines()
    assert "dai_senso/manchuria" in told
    assert not any(name.startswith("ocs/") for name in told)


def in_process(environment: dict[str, str]) -> str:
    """Return what the command line answers a shell that asks it to complete a word."""
    code = "import sys; sys.argv = ['planner']; from planner.cli.app import main; main()"
    found = subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, **environment}, capture_output=True, text=True, check=False
    )
    return found.stdout


def _march(**more: Any) -> str:
    """Return what is told of a march through two empty hexes of a game in which hexes change hands."""
    data = {
        "format": "planner/scenario-1",
        "model": "classic_hex",
        "phase": "movement",
        "phasing": "blue",
        "map": {"hexes": {"1010 1011 1012": "clear"}},
        "unit": [{"id": "X", "side": "blue", "type": "infantry", "values": "6-3", "at": "1010"}],
        **more,
    }
    [played] = planner.check(build_scenario(data, "a march"), "X 1010-1011-1012").moves
    return fate(played)


def test_who_takes_what_is_left_out_where_it_is_nothing_to_anybody() -> None:
    assert _march() == ""


@pytest.mark.parametrize(
    "more",
    [
        {"control": {"red": "1011"}},
        {"tier": [{"terms": [{"kind": "control", "hexes": "1011"}]}]},
    ],
)
def test_who_takes_what_is_told_of_places_that_the_scenario_asks_for_or_gives_to_the_enemy(
    more: dict[str, Any],
) -> None:
    assert _march(**more) == "takes 1011"


def test_where_reinforcements_are_due_it_is_told_who_has_taken_the_hex() -> None:
    """5.1: they enter if the hex is friendly by then."""
    unit = {"id": "X", "side": "blue", "type": "infantry", "values": "6-3", "at": "1010"}
    due = {**unit, "id": "R", "at": "pool", "arrives": {"turn": 3, "at": "1012"}}
    hexes = {"1010 1011 1012": "clear"}
    assert _march(unit=[unit, due], turn=2, map={"hexes": hexes, "boxes": {"pool": {}}}) == "takes 1012"


def test_what_a_move_lacks_is_told_in_mixed_numbers() -> None:
    """It has 4 MP, and the two steps before cost 1 1/2."""
    told = run("check", "crossroads/bridge", "b2 0406-0506-0605-0705", "--no-nearest").stdout
    assert "b2 can't pay for 0705: remaining MA 2½, cost 3" in told


@pytest.mark.parametrize("encoding", ["utf-8", "ascii"])
def test_columns_are_as_wide_as_what_comes_to_stand_in_them(encoding: str, monkeypatch: pytest.MonkeyPatch) -> None:
    r"""Without a sign 1½ is written 1 1/2, dots are three, and what would steer the terminal is written as \\x1b."""
    raw = io.BytesIO()
    monkeypatch.setattr("sys.stdout", io.TextIOWrapper(raw, encoding=encoding, write_through=True))
    print_rows(
        console_for_answers(), [("1½", "here"), ("\x1b", "here"), ("a … b", "here"), ("1", "here")], ("MP", "path")
    )
    lines = raw.getvalue().decode(encoding).splitlines()
    assert len({max(line.find("here"), line.find("path")) for line in lines}) == 1, lines
