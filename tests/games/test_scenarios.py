"""Every scenario that ships with the planner: its verdicts, worked out by hand, are what referee and solver say."""

from __future__ import annotations

import itertools
import tomllib
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest

from planner.limits import Limits
from planner.plans.attack_text import is_attack
from planner.plans.plan import Plan
from planner.referee.referee import Referee
from planner.referee.verdict import Violation
from planner.scenario import Scenario, load_scenario
from planner.scenario.shape import AnswerEntry, VerdictEntry
from planner.search.search import Search
from planner.solver.plan_judge import judge
from tests.puzzles.test_verify import SLOW

FOLDER = Path(__file__).resolve().parents[2] / "scenarios"
NAMES = sorted(path.relative_to(FOLDER).with_suffix("").as_posix() for path in FOLDER.rglob("*.toml"))
WRITTEN = {name: tomllib.loads((FOLDER / f"{name}.toml").read_text("utf-8")) for name in NAMES}
VERDICTS = [(name, index) for name in NAMES for index in range(len(WRITTEN[name].get("verdict", ())))]
SMALL = 5
"""The number of an answer's moves up to which every order of them is tried."""


@cache
def loaded(name: str) -> Scenario:
    """Read a scenario when a test first needs it: every process that runs tests collects all of them."""
    return load_scenario(FOLDER / f"{name}.toml")


def fits(violation: Violation, verdict: VerdictEntry) -> bool:
    """Tell whether a violation is the one that a verdict names, as far as it names it."""
    return (
        verdict.rule in (None, violation.rule)
        and verdict.unit in (None, violation.unit)
        and verdict.at in (None, violation.at)
        and (not verdict.blame or set(verdict.blame) == set(violation.blame))
    )


def plan_of(scenario: Scenario, moves: Sequence[str]) -> Plan:
    plan = Plan.parse(moves)
    scenario.check_names(plan, scenario.where)
    return plan


def answer_of(scenario: Scenario) -> AnswerEntry:
    assert scenario.answer is not None
    return scenario.answer


def violations_by_referee(scenario: Scenario, plan: Plan) -> Sequence[Violation]:
    return Referee(scenario.game).play(plan, scenario.start).violations


JUDGES = {"referee": violations_by_referee, "solver": judge}
ORDERED = [name for name in NAMES if "/puzzles/" in name and 1 < len(WRITTEN[name]["answer"].get("moves", ())) <= SMALL]


@pytest.mark.parametrize("by", JUDGES)
@pytest.mark.parametrize(("name", "index"), VERDICTS, ids=[f"{name}-{index}" for name, index in VERDICTS])
def test_a_known_verdict_comes_out_as_stated(name: str, index: int, by: str) -> None:
    scenario = loaded(name)
    verdict = scenario.verdicts[index]
    violations = JUDGES[by](scenario, plan_of(scenario, verdict.moves))
    if verdict.dice and by == "referee":
        played = Referee(scenario.game).play(plan_of(scenario, verdict.moves), scenario.start).moves[-1]
        rolled = {roll.step: roll.dice for roll in played.rolls}
        assert [rolled.get(step, 0) for step in range(1, len(played.move.path))] == list(verdict.dice)
    if verdict.legal:
        assert not violations
    else:
        assert [violation for violation in violations if fits(violation, verdict)], violations


@pytest.mark.parametrize("name", sorted(SLOW))
@pytest.mark.thorough
def test_a_search_comes_to_the_answer_worked_out_by_hand(name: str) -> None:
    """The answers of all others are settled in `test_verify`, with the author's moves and what else is claimed."""
    answer = answer_of(loaded(name))
    result = Search(loaded(name), Limits.within(300)).run()
    assert result.status == answer.status
    assert result.value == tuple(map(Fraction, answer.value))
    assert result.bound == result.value


@pytest.mark.parametrize("name", ORDERED)
def test_the_order_of_a_puzzle_s_moves_decides(name: str) -> None:
    scenario = loaded(name)
    lines = answer_of(scenario).moves
    attacks = [line for line in lines if is_attack(line)]
    orders = itertools.permutations(line for line in lines if not is_attack(line))
    assert any(violations_by_referee(scenario, plan_of(scenario, [*moves, *attacks])) for moves in orders)


@pytest.mark.parametrize("name", NAMES)
def test_a_scenario_says_why_its_answer_is_right(name: str) -> None:
    answer = answer_of(loaded(name))
    assert answer.why
    assert loaded(name).verdicts
