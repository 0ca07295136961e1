"""What the commands answer with --json follows the published schemas."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import planner.version
from planner.cli.schema import schemas
from planner.rules.rulebook_file import shipped_models
from tests.cli.test_schema import validator
from tests.command import run

PACKAGE = Path(planner.version.__file__).parent

CASES: dict[str, tuple[tuple[str, ...], tuple[str, ...], str]] = {
    "dai_senso/nanking": (("tank w4724-w4624",), ("hq w4725-w4624-w4623",), "hq to w4624"),
    "a_world_at_war/winter_front": (("panzer L10-K11",), ("panzer L10-K11-K12",), "panzer to L14"),
    "classic_hex/puzzles/closed_door": (("x 0404-0505",), ("x 0404-0405-0406",), "x to 0406"),
    "great_war/puzzles/wire_and_tank": (("rifles E2-D1", "tank E1-E2-E3"), ("rifles E2-E3-E4",), "rifles to E4"),
    "ocs/two_overruns": (("armor+mech 10.10x10.11*2/armor-10.12",), ("armor+mech 10.10x10.11*3",), "armor to 10.12"),
    "crossroads/puzzles/second_wind": (
        ("bt1 0605-0706", "bc1 0606-0605-0706-0806", "bc2 0603-0704-0804"),
        ("bt1 -> 0706",),
        "bt1 to 0806",
    ),
}
"""By scenario: a legal plan, an illegal one, and a destination."""


def answer(*words: str) -> Any:
    """Return what a command answers, which follows the schema of what it says it is."""
    done = run(*words, "--json")
    assert done.returncode in (0, 1, 3), done.stderr
    told = json.loads(done.stdout)
    validator(told["format"].removeprefix("planner/").removesuffix("-1")).validate(told)
    return told


@pytest.mark.parametrize("scenario", CASES)
def test_verdicts_of_legal_and_illegal_plans_follow_their_schema(scenario: str) -> None:
    legal, illegal, _ = CASES[scenario]
    assert answer("check", scenario, *legal)["legal"]
    told = answer("check", scenario, *illegal)
    assert not told["legal"]
    assert "nearest" in told


@pytest.mark.thorough
@pytest.mark.parametrize("scenario", CASES)
def test_what_a_unit_reaches_and_why_it_may_not_follow_their_schemas(scenario: str) -> None:
    _, illegal, destination = CASES[scenario]
    assert answer("reach", scenario, destination.split()[0])["format"] == "planner/reach-1"
    assert answer("explain", scenario, destination)["kind"] == "destination"
    assert answer("explain", scenario, *illegal)["format"] == "planner/explanation-1"


@pytest.mark.parametrize("scenario", CASES)
def test_best_plans_and_alternatives_follow_their_schemas(scenario: str) -> None:
    assert answer("suggest", scenario, "--time-limit", "2")["format"] == "planner/result-1"
    assert answer("suggest", scenario, "--alternatives", "2", "--time-limit", "1")["format"] == "planner/alternatives-1"


def test_attacks_and_what_they_come_to_follow_the_schema_of_verdicts() -> None:
    scenario, move = "crossroads/puzzles/between_the_forts", "b3 0405-0506-0605"
    assert answer("check", scenario, move, "b3 -> 0706")["attacks"][0]["results"]
    assert answer("check", scenario, move)["due"]["attack"] == ["b3"]


def test_what_had_been_made_before_the_question_follows_the_schema() -> None:
    told = answer("check", "crossroads/puzzles/second_wind", "bc2 0603-0704", "--after", "bt1 0605-0706")
    assert told["after"] == ["bt1 0605-0706"]


def test_what_of_a_partial_plan_cannot_be_had_follows_the_schema_of_results(tmp_path: Path) -> None:
    (tmp_path / "plan.txt").write_text("tank -> w4524\n", encoding="utf-8")
    told = answer("suggest", "dai_senso/nanking", "--plan", str(tmp_path / "plan.txt"))
    assert told["conflict"]["items"] == ["tank -> w4524"]


def test_a_schema_of_answers_knows_every_key() -> None:
    """So that a key which somebody adds to an answer is missed in its schema, however deep it lies."""
    told = answer("check", "dai_senso/nanking", *CASES["dai_senso/nanking"][1])
    with pytest.raises(jsonschema.ValidationError, match="was unexpected"):
        validator("verdict").validate({**told, "made_up": 1})
    told["violations"][0]["made_up"] = 1
    with pytest.raises(jsonschema.ValidationError, match="was unexpected"):
        validator("verdict").validate(told)


def test_the_record_of_a_game_follows_its_schema() -> None:
    assert answer("play", "great_war/first_hex_early", "--turns", "1")["phases"]


OTHERS: dict[str, tuple[str, ...]] = {
    "reach-all": ("reach", "classic_hex/puzzles/closed_door", "--all"),
    "completion": ("check", "dai_senso/manchuria", "inf w5525-w5425", "--complete"),
    "defense": ("defend", "dai_senso/manchuria_defense", "--time-limit", "20"),
    "verification": ("verify", "scenarios/dai_senso/puzzles/marines_first.toml"),
    "policy": ("suggest", "ocs/two_overruns", "--adaptive", "--time-limit", "10"),
    "hex": ("hex", "dai_senso/manchuria", "w5425"),
}
"""By format: a question whose answer has it."""


@pytest.mark.thorough
@pytest.mark.parametrize("name", OTHERS)
def test_whatever_else_is_answered_follows_its_schema(name: str) -> None:
    assert answer(*OTHERS[name])["format"] == f"planner/{name}-1"


@pytest.mark.parametrize("model", shipped_models())
def test_what_models_and_their_rules_are_told_as_follows_their_schemas(model: str) -> None:
    assert answer("model", model)["format"] == "planner/model-1"
    assert answer("rules", model)["format"] == "planner/rules-1"


def test_a_partial_plan_that_cannot_be_completed_follows_the_schema(tmp_path: Path) -> None:
    (tmp_path / "plan.txt").write_text("tank -> w4524\nhq stays\n", encoding="utf-8")
    told = answer("check", "dai_senso/nanking", "--plan", str(tmp_path / "plan.txt"), "--complete")
    assert told["can_be_completed"] == "no"


@pytest.mark.thorough
def test_judgements_of_policies_and_of_games_follow_their_schemas(tmp_path: Path) -> None:
    policy, game = tmp_path / "policy.json", tmp_path / "game.json"
    policy.write_text(run("suggest", "ocs/two_overruns", "--adaptive", "--json").stdout, encoding="utf-8")
    assert answer("check", "ocs/two_overruns", "--policy", str(policy))["format"] == "planner/policy-verdict-1"
    run("play", "great_war/first_hex_early", "--turns", "1", "-o", str(game))
    assert answer("check", str(game))["format"] == "planner/game-verdict-1"


@pytest.mark.thorough
def test_matches_and_sweeps_follow_their_schemas() -> None:
    players = ("--player", "greedy", "--player", "random")
    told = answer("match", "great_war/first_hex_early", *players, "--games", "2", "--turns", "1", "--sprt", "0,100")
    assert (told["format"], told["games"]) == ("planner/match-1", 2)
    told = answer("sweep", "dai_senso/manchuria", "--vary", "units.plv.ma=3,4,none", "--time-limit", "20")
    assert (told["format"], len(told["variants"])) == ("planner/sweep-1", 3)


def test_the_mapping_files_of_the_guide_follow_their_schema() -> None:
    page = (PACKAGE.parent / "docs" / "importing.md").read_text(encoding="utf-8")
    files = [tomllib.loads(one) for one in re.findall(r"```toml\n(.*?)```", page, re.DOTALL) if "mapping-1" in one]
    assert files
    for file in files:
        validator("mapping").validate(file)
        with pytest.raises(jsonschema.ValidationError, match="made_up"):
            validator("mapping").validate({**file, "made_up": 1})


def test_every_format_that_is_answered_has_a_published_schema() -> None:
    sources = "".join(
        file.read_text(encoding="utf-8") for file in PACKAGE.rglob("*.py") if file.name != "answer_types.py"
    )
    named = set(re.findall(r'"format": "planner/([a-z-]+)-1"', sources))
    assert len(named) > 15
    assert named <= schemas().keys()
