"""What Python returns says of itself what the commands print as JSON."""

from __future__ import annotations

import json
from typing import Any

import planner
from planner.plans.plan_file import plan_from_json
from tests.command import run

NAME = "dai_senso/manchuria"
MOVES = ["inf w5525-w5425", "plv w5525-w5425xw5426"]


def _told(*words: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(run(*words, "--json").stdout)
    found.pop("after")
    return found


def _same(answer: Any, told: dict[str, Any]) -> None:
    data: dict[str, Any] = json.loads(json.dumps(answer.to_dict()))
    for one in (data, told):
        one.pop("seconds", None)
    assert data == told


def test_a_verdict_a_result_a_report_and_an_explanation_are_what_the_commands_print() -> None:
    _same(planner.check(NAME, MOVES), _told("check", NAME, *MOVES))
    _same(planner.suggest(NAME), _told("suggest", NAME))
    _same(planner.reach(NAME, "inf"), _told("reach", NAME, "inf"))
    _same(planner.explain(NAME, MOVES[1]), _told("explain", NAME, MOVES[1]))


def test_a_plan_is_read_from_what_it_says_of_itself() -> None:
    plan = planner.Plan.read(MOVES, planner.load(NAME), "moves")
    told = json.loads(json.dumps(plan.to_dict()))
    assert told["moves"][1]["overruns"] == ["w5426"]
    assert told["moves"] == [move.to_dict() for move in plan.moves]
    assert plan_from_json(told, planner.load(NAME).game.homes, "test") == plan
