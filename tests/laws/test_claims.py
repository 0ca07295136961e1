"""What a sentence of an explanation claims, the referee says too: of the board as it is, or as the sentence relaxes it."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import pytest

import planner
from planner.explanation.answer import Explanation
from planner.explanation.relaxation import Scope, every_scope, relaxed
from planner.explanation.too_weak import too_weak
from planner.formats.mp import format_mp
from planner.plans.plan import Plan
from planner.referee.referee import Referee
from planner.rules.combat_roles import Fights
from planner.rules.kinds.attack import Attack
from planner.rules.kinds.joint_overrun import JointOverrun
from planner.scenario import Scenario
from planner.world.position import Position
from tests.conftest import DEEP, long_ones, sized
from tests.laws.test_explained_destinations import CAP, SYSTEMS
from tests.oracles.amounts import breaks_by, falls_short, names_no_other_rule, never_sure
from tests.oracles.attack_plans import best_plan, field
from tests.oracles.brute_force import TooManyStatesError
from tests.oracles.skirmishes import sorties
from tests.oracles.stacks import EveryStackPlan, stacks

QUESTIONS = sized(1, 8, 600)
"""Of each family of positions."""
COUNTING = sized(1, 12, 600)
"""Questions that are answered with amounts, of each family."""
ATTACKS = "with attacks after the moves"
LIMIT = 5.0 if DEEP else 1.0


def _questions(system: str) -> Iterator[tuple[str, Scenario, dict[str, Any]]]:
    """Yield random questions of all kinds, most of which are about what can't be had."""
    draw = SYSTEMS[system][0]
    for seed in range(100_000):
        scenario, rng = draw(seed), random.Random(f"claims {seed}")
        own = sorted(unit for unit in scenario.start.at if unit in scenario.game.friends)
        hexes = sorted(scenario.game.board.hexes)
        unit, label = rng.choice(own), rng.choice(hexes)
        kind = rng.choice(("to", "moves", "require", "requirements"))
        if kind == "to":
            yield f"seed {seed}, {unit} to {label}", scenario, {"moves": f"{unit} to {label}"}
        elif kind == "require":
            goals = [f"{one} to {rng.choice(hexes)}" for one in rng.sample(own, min(2, len(own)))]
            yield f"seed {seed}, {goals}", scenario, {"require": goals}
        elif kind == "moves":
            moves = [_walk(scenario, one, rng) for one in rng.sample(own, min(2, len(own)))]
            if any(len(move.split(" ")[1]) == len(scenario.start.at[move.split(" ")[0]]) for move in moves):
                continue  # nowhere to go, from a box or an island
            yield f"seed {seed}, {moves}", scenario, {"moves": moves}
        elif scenario.requirements:
            yield f"seed {seed}, what it requires", scenario, {}


def _walk(scenario: Scenario, unit: str, rng: random.Random) -> str:
    board, here = scenario.game.board, scenario.start.at[unit]
    text, crosses = f"{unit} {here}", bool(scenario.game.rulebook.overrunning or scenario.game.rulebook.of(Fights))
    for _ in range(rng.randint(1, 4)):
        if not board.neighbours.get(here):
            break
        here = rng.choice(sorted(board.neighbours[here]))
        held = any(scenario.game.is_enemy(one) for one in scenario.start.units_in(here))
        text += ("x" if held and crosses else "-") + here
    return text


def _questions_of_amounts(system: str) -> Iterator[tuple[str, Scenario, dict[str, Any]]]:
    """Yield random questions after values, enemies who are to go, limits, hexes that enemies hold, and attacks."""
    for seed in range(100_000):
        scenario, rng = _drawn(system, seed), random.Random(f"amounts {seed}")
        game, where = scenario.game, f"seed {seed}"
        own = sorted(unit for unit in scenario.start.at if unit in game.friends)
        foes = sorted(unit for unit in scenario.start.at if game.is_enemy(unit))
        kinds = ("value", "value", "eliminate", "limit", "hold", *(("attack",) * 4 if system == ATTACKS else ()))
        kind, foe, label = rng.choice(kinds), rng.choice(foes or [""]), rng.choice(sorted(game.board.hexes))
        if kind == "value" and scenario.tiers:
            most = sum(term.highest(game) * term.weight for term in scenario.tiers[0].terms)
            yield where, scenario, {"value": str(rng.randint(1, int(most) + 1))}
        elif kind == "limit":
            limit = rng.choice(("1 unit", "2 units", *(f"{mp} MP" for mp in range(4))))
            yield where, scenario, {"require": [f"{rng.choice(own)} to {label}", f"at most {limit}"]}
        elif foe and game.homes[foe] in game.board.hexes:
            home = game.homes[foe]
            if kind == "eliminate":
                yield where, scenario, {"require": [f"eliminate {foe}"]}
            elif kind == "hold":
                yield where, scenario, {"require": [f"hold {home}"]}
            elif kind == "attack":
                columns = [column.text for rule in game.rulebook.of(Attack) for column in rule.columns]
                team = "+".join(rng.sample(own, min(2, len(own)) if rng.random() < 0.5 else 1))
                yield where, scenario, {"moves": [f"{team} -> {home} at {rng.choice(columns)}"]}


def _drawn(system: str, seed: int) -> Scenario:
    return field(seed) if system == ATTACKS else SYSTEMS[system][0](seed)


def _best(system: str, scenario: Scenario) -> tuple[Fraction, ...] | None:
    """Return the best value of all plans."""
    if system != ATTACKS:
        return SYSTEMS[system][2](scenario)
    found = best_plan(scenario, CAP)
    return None if found is None else found[0]


def _outcomes(scenario: Scenario) -> Iterator[list[Position]]:
    """Yield in what each plan may come out, where stacks overrun, or combats are drawn."""
    fights = scenario.game.rulebook.of(Fights)
    plans = sorties(scenario, CAP, partly=True) if fights else EveryStackPlan(scenario, CAP, 3).plans(partly=True)
    for found in plans:
        yield [position for position, _ in found[1].all_outcomes()]


def is_true(scenario: Scenario, told: dict[str, Any], system: str, asked: dict[str, Any]) -> bool:
    """Judge an instance, as JSON has it, on the referee, or by counting anew."""
    claim = told["claim"]
    if claim["kind"] == "rule":
        return names_no_other_rule(scenario, told, asked)
    if claim["kind"] == "falls_short":
        return falls_short(scenario, told, asked, lambda one: _best(system, one))
    if claim["kind"] == "never_sure":
        return never_sure(scenario, told, _outcomes)
    game = scenario
    if claim["in_force"] is not None:
        assert (
            told["message"].startswith("everything else allowed, ") or "; for instance, everything" in told["message"]
        )
        scopes = [
            Scope(one["rule"], one["unit"], None if one["hexes"] is None else frozenset(one["hexes"]), one["pays"])
            for one in claim["in_force"]
        ]
        game = relaxed(scenario, scopes)
    plan = Plan.parse(claim["way"])
    if claim["kind"] == "out_of_reach":
        return _out_of_reach(scenario, told["unit"], plan, system)
    # What is said of results that go wrong is judged by them.
    verdict = Referee(game.game).play(plan, scenario.start, rolls="if " in told["message"])
    if claim["kind"] == "by_chance":
        rolls = [(one.move, roll) for one in verdict.moves if told["unit"] in one.move.units for roll in one.rolls]
        return any(roll.chance < 1 and told["hex"] in (None, move.path[roll.step]) for move, roll in rolls)
    return any(
        violation.rule == told["paragraph"]
        and told["unit"] in (None, violation.unit)
        and told["hex"] in (None, "", violation.at)
        and list(violation.blame) == told["blame"]
        and ("cost" not in claim or _numbers(violation) == (claim["left"], claim["cost"]))
        and ("pay" in told["message"] or violation.message in told["message"])
        and breaks_by(told, violation)
        for violation in verdict.violations
    )


def _numbers(violation: Any) -> tuple[object, object]:
    if violation.left is None:
        return None, None
    return format_mp(violation.left), format_mp(violation.cost)


def _out_of_reach(scenario: Scenario, unit: str, plan: Plan, system: str) -> bool:
    """Tell whether no plan takes a unit there where nothing but what it pays is in force, and nobody else moves."""
    [move] = plan.moves
    if move.path[0] != scenario.start.at[unit]:
        return False
    [pays] = [scope.rule for scope in every_scope(scenario) if scope.pays]
    alone = relaxed(scenario, [Scope(pays, unit, pays=True)], movers=(unit,))
    every = SYSTEMS["the great war" if system == ATTACKS else system][1]  # one unit moves there, as here
    try:
        return not any((unit, move.end) in ends for ends in every(alone))
    except TooManyStatesError:
        return True


def _sentences(found: Explanation) -> Iterator[dict[str, Any]]:
    """Yield the instances of an explanation, those of a try too."""
    told: dict[str, Any] = found.to_dict()
    for reason in told["reasons"]:
        yield from reason["instances"]
    yield from told["obstacles"]


def _judge(
    system: str, questions: Iterator[tuple[str, Scenario, dict[str, Any]]], least: int, kind: str | None = None
) -> Counter[str]:
    """Judge what is told until so many questions are answered, and a claim (of this kind) was met; count the claims."""
    kinds: Counter[str] = Counter()
    asked = 0
    for where, scenario, question in questions:
        found = planner.explain(scenario, **question, time_limit=LIMIT)
        if found.status == "possible":
            continue
        asked += 1
        for told in _sentences(found):
            assert is_true(scenario, told, system, question), (where, question, told)
            kinds[told["claim"]["kind"] + (" else allowed" if told["claim"]["in_force"] is not None else "")] += 1
        if asked >= least and (kinds[kind] if kind else kinds):  # on a busy machine a first answer may have no reasons
            break
    print(system, kinds)
    return kinds


@pytest.mark.parametrize("system", long_ones(SYSTEMS, "dai senso by sea"))
def test_no_sentence_of_an_explanation_is_false(system: str) -> None:
    assert _judge(system, _questions(system), QUESTIONS, "breaks")["breaks"]


@pytest.mark.parametrize(
    "system", long_ones((*SYSTEMS, ATTACKS), "classic hex", "dai senso by land", "dai senso by sea", "ocs")
)
def test_no_amount_that_a_sentence_names_is_false(system: str) -> None:
    assert _judge(system, _questions_of_amounts(system), COUNTING)


def test_a_false_sentence_would_be_noticed() -> None:
    """Of a true claim, other numbers, another unit, another hex, or nobody to blame make a false one."""
    scenario = planner.load("dai_senso/manchuria")
    found = planner.explain(scenario, "plv w5525-w5425xw5426")
    [told] = [one for one in _sentences(found) if one["claim"]["kind"] == "breaks"][:1]
    assert is_true(scenario, told, "dai senso by land", {})
    for wrong in ({"unit": "inf"}, {"hex": "w5524"}, {"blame": ["plv"]}, {"paragraph": "9.9"}):
        assert not is_true(scenario, {**told, **wrong}, "dai senso by land", {}), wrong


AMOUNTS: dict[tuple[str, int], dict[str, Any]] = {
    (ATTACKS, 910030): {"moves": ["u0 -> 0606 at 1:1"]},
    (ATTACKS, 910041): {"moves": ["u1+u0 -> 0404 at 2:1"]},
    (ATTACKS, 910057): {"require": ["u2 to 0604", "at most 1 unit"]},
    ("a world at war", 910013): {"value": "17"},
    ("ocs", 910029): {"value": "9"},
}
"""Of positions, questions that are answered with amounts."""


@pytest.mark.parametrize(("system", "seed"), AMOUNTS)
def test_another_amount_would_be_noticed(system: str, seed: int) -> None:
    scenario, asked = _drawn(system, seed), AMOUNTS[system, seed]
    found = planner.explain(scenario, **asked, time_limit=10)
    named = [one for one in _sentences(found) if one["claim"]["amounts"]]
    assert named
    for told in named:
        _only_these_amounts(told, lambda one: is_true(scenario, one, system, asked))


def test_other_strengths_of_overruns_would_be_noticed() -> None:
    """In one the strongest overrun is below the table; in the others, support of the defenders isn't survived."""
    small, large = _drawn("a world at war", 910004), planner.load("a_world_at_war/through_the_line")
    for scenario, label in ((small, "B3"), (large, "H18"), (large, "H8"), (large, "L18"), (large, "L7")):
        [rule] = scenario.game.rulebook.of(JointOverrun)
        weak = too_weak(scenario.game, rule, label)
        assert weak is not None
        told: dict[str, Any] = weak.to_dict()  # type: ignore[assignment]
        _only_these_amounts(told, lambda one: is_true(scenario, one, "a world at war", {}))  # noqa: B023


BROKEN: dict[str, tuple[list[str], str]] = {
    "odds": (["panzer_1 F4-G4xH3"], "a_world_at_war/through_the_line"),
    "support": (["west L11xL12"], "a_world_at_war/uncommitted_fighters"),
}
"""Moves that break a rule about amounts."""


@pytest.mark.parametrize("of", long_ones(BROKEN, "odds"))
def test_other_amounts_of_what_moves_break_would_be_noticed(of: str) -> None:
    moves, name = BROKEN[of]
    scenario = planner.load(name)
    named = [one for one in _sentences(planner.explain(scenario, moves, time_limit=5)) if one["claim"]["amounts"]]
    assert named
    for told in named:
        _only_these_amounts(told, lambda one: is_true(scenario, one, "a world at war", {}))


@pytest.mark.thorough
@pytest.mark.parametrize("enemy", ["e1", "f1"])
def test_other_strengths_of_combats_would_be_noticed(enemy: str) -> None:
    scenario, asked = planner.load("classic_hex/three_battles"), {"require": [f"eliminate {enemy}"]}
    told = next(_sentences(planner.explain(scenario, **asked, time_limit=None)))
    assert told["claim"]["units"] == (["a1", "a2"] if enemy == "e1" else ["b1", "b2"])
    _only_these_amounts(told, lambda one: is_true(scenario, one, "classic hex", asked))


def _only_these_amounts(told: dict[str, Any], true: Callable[[dict[str, Any]], bool]) -> None:
    """Ensure that a sentence is true, and wouldn't be with any other amount."""
    assert true(told), told
    amounts = told["claim"]["amounts"]
    assert amounts
    for name, amount in amounts.items():
        for by in (1, -1):
            wrong = {**told["claim"], "amounts": {**amounts, name: str(Fraction(amount) + by)}}
            assert not true({**told, "claim": wrong}), (told, name)


def test_who_is_dropped_on_the_way_is_said_to_pay_for_no_more_than_it_goes() -> None:
    """Stacks, seed 45: u1 can't get to 11.12; the way on to 12.11 is u0's alone."""
    scenario = stacks(45)[0]
    found = planner.explain(scenario, require=["u0 to 12.11", "u1 to 11.12"], time_limit=10)
    told = [one for one in _sentences(found) if one["unit"] == "u1"]
    assert told
    assert all("12.11" not in one["message"] and is_true(scenario, one, "ocs", {}) for one in told)
