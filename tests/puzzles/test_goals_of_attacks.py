"""Puzzles may ask for what attacks come to on average: whether it can be had, with how few units, or not at all."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

import planner
from planner.plans.plan import Plan
from planner.puzzles.verify import verify_scenario
from planner.search.result import Result
from planner.search.tier_by_tier import _Improvement
from tests.oracles.attack_games import attack, position

SCENARIO = """
format = "planner/scenario-1"
model = "crossroads"
phase = "movement"
phasing = "blue"
[map]
hexes."0204 0304 0404 0504 0604" = "clear"
[[unit]]
id = "b"
side = "blue"
type = "infantry"
values = "8-3-3"
at = "0204"
[[unit]]
id = "r"
side = "red"
type = "infantry"
values = "2-2-3"
at = "0404"
[[tier]]
terms = [{ kind = "enemy_losses", counting = "units" }]
[answer]
"""


@pytest.mark.parametrize(
    ("answer", "outcome", "message"),
    [
        (
            'question = "shortest"\ngoal = ["1/2"]\nlength = 1',
            "holds",
            "no plan is better than 1 unit that moves, proved",
        ),
        (
            'question = "shortest"\ngoal = ["1/2"]\nlength = 2',
            "fails",
            "a plan is better: 1 unit that moves, where 2 units that move are claimed",
        ),
        ('question = "shortest"\ngoal = ["2/3"]\nlength = 1', "fails", "no plan reaches the goal, proved"),
        ('question = "reach"\ngoal = ["1/2"]', "holds", "the goal can be reached, as this plan shows"),
        ('question = "reach"\ngoal = ["2/3"]', "fails", "the goal can't be reached, proved"),
        ('question = "impossible"\ngoal = ["2/3"]', "holds", "there is no plan, proved and confirmed"),
        ('question = "impossible"\ngoal = ["1/2"]', "fails", "the goal can be reached, as this plan shows"),
    ],
)
def test_whether_attacks_come_to_so_much_is_settled(answer: str, outcome: str, message: str, tmp_path: Path) -> None:
    """At 4:1, once b has gone beside r: EX and DE, 3 of 6, eliminate r, who has room to retreat."""
    path = tmp_path / "puzzle.toml"
    path.write_text(SCENARIO + answer, encoding="utf-8")
    check = planner.verify(path).checks[0]
    assert (check.outcome, check.message[: len(message)]) == (outcome, message)


@pytest.mark.parametrize(
    ("hint", "outcome", "message"),
    [
        ("b -> 0304", "holds", "a solution does what the hint says"),
        ("b stays", "fails", "it is legal, but no solution does it, proved"),
    ],
)
def test_a_hint_leads_to_what_attacks_come_to(hint: str, outcome: str, message: str, tmp_path: Path) -> None:
    """At 4:1, beside r, half of an enemy is lost on average; from where b stands, two hexes from r, it attacks nobody."""
    path = tmp_path / "puzzle.toml"
    path.write_text(f'{SCENARIO}value = ["1/2"]\n[[answer.hints]]\nmoves = ["{hint}"]', encoding="utf-8")
    [claim, check, _] = planner.verify(path).checks
    assert (claim.outcome, check.outcome, check.message) == ("holds", outcome, message)


@pytest.mark.parametrize(
    ("asks", "bound", "told"),
    [
        ("best", (Fraction(4), Fraction(-5)), "no plan is worth more than 4 / -5, proved"),
        ("shortest", (Fraction(-2),), "at least 2 units must move, proved"),
        ("shortest", (Fraction(0),), "nothing is proved"),
        ("best", (), "nothing is proved"),
    ],
)
def test_what_is_proved_of_an_answer_that_is_not_settled_is_said(
    asks: str, bound: tuple[Fraction, ...], told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The search has found a plan with a move, and ends with some bound."""
    path = tmp_path / "puzzle.toml"
    more = 'goal = ["1/2"]\nlength = 2' if asks == "shortest" else 'value = ["1/2"]'
    path.write_text(f'{SCENARIO}question = "{asks}"\n{more}', encoding="utf-8")
    found = Result("feasible", 0.1, value=(Fraction(-3),), bound=bound, plan=Plan.parse("b 0204-0304"))
    monkeypatch.setattr("planner.puzzles.evidence.Evidence.search", lambda *_: found)
    check = planner.verify(path).checks[0]
    assert check.outcome == "unknown"
    assert check.message.endswith(f", and {told}")


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [
        ('question = "impossible"', "holds"),
        ('question = "reach"', "fails"),
        ('question = "reach"\nmoves = []', "fails"),
        ('question = "shortest"\nlength = 0\nmoves = []', "fails"),
    ],
)
def test_who_must_attack_does_so_in_a_solution_that_says_nothing_of_attacks(
    answer: str, outcome: str, tmp_path: Path
) -> None:
    """Beside r, b can't leave: it must attack, in the lowest column, where AE is 3 of 6, and nobody may be lost."""
    text = SCENARIO.replace("8-3-3", "1-3-0").replace("2-2-3", "2-8-3").replace('"0204"', '"0304"')
    tier, head = '[[tier]]\nterms = [{ kind = "enemy_losses", counting = "units" }]', "[answer]\n"
    text = text.replace(tier, '[[require]]\nkind = "own_losses"\nmost = 0').replace(head, head + answer)
    path = tmp_path / "puzzle.toml"
    path.write_text(text, encoding="utf-8")
    found = planner.verify(path)
    assert not found.fault
    assert {check.kind: check.outcome for check in found.checks if check.kind in ("claim", "solution")} == {
        "claim": outcome,
        **({"solution": "fails"} if "moves" in answer else {}),
    }


@pytest.mark.parametrize(
    ("hint", "outcome", "message"),
    [
        ("a stays", "fails", "no legal plan does what the hint says, proved"),
        ("a -> 0205", "holds", "what the hint says is legal"),
    ],
)
def test_a_hint_is_legal_only_if_those_may_attack_who_must(hint: str, outcome: str, message: str) -> None:
    """Beside e, where a stands, it must attack, and must not: 1:8 is below the table. Two hexes from e it need not."""
    rule = attack(must_attack={}, below="forbidden")
    answer = {"question": "impossible", "goal": [1], "hints": [{"moves": [hint]}]}
    scenario = position(
        rule,
        {"a": ("1-3-3", "0305"), "e": ("2-8-3", "0405")},
        tier=[{"terms": [{"kind": "enemy_losses"}]}],
        answer=answer,
    )
    claim, check = verify_scenario(scenario).checks
    assert (claim.outcome, check.outcome, check.message) == ("holds", outcome, message)


FOUR_GUNS = """
format = "planner/scenario-1"
model = "crossroads"
phase = "movement"
phasing = "blue"
map = { origin = "0101", rows = ". . . .\\n. . . .\\n. . . .\\n. . . .\\n" }
unit = [
    { id = "a", side = "blue", type = "infantry", values = "9-9-0", at = "0202" },
    { id = "b", side = "blue", type = "artillery", values = "1-1-0", at = "0201" },
    { id = "c", side = "blue", type = "artillery", values = "1-1-0", at = "0203" },
    { id = "d", side = "blue", type = "artillery", values = "1-1-0", at = "0302" },
    { id = "e", side = "blue", type = "artillery", values = "1-1-0", at = "0301" },
    { id = "r", side = "red", type = "infantry", values = "2-2-0", at = "0303" },
]
tier = [{ terms = [{ kind = "enemy_losses", counting = "units" }] }]
[answer]
question = "reach"
goal = ["5/6"]
"""


@pytest.mark.parametrize("claim", ["solutions = 4", "unique = false"])
def test_a_plan_in_which_too_many_attack_is_no_solution_of_its_own(
    claim: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At 6:1, by 12 against 2: a and three of four guns, which are four ways; all five together are none besides.

    Here the time for it runs out before the first of them is known to need everybody who attacks.
    """
    times, real = iter(range(100)), _Improvement._fewest_facts

    def too_late_at_first(search: _Improvement) -> Plan | None:
        return real(search) if next(times) else None

    monkeypatch.setattr(_Improvement, "_fewest_facts", too_late_at_first)
    path = tmp_path / "puzzle.toml"
    path.write_text(FOUR_GUNS + claim, encoding="utf-8")
    check = planner.verify(path, cooks=10).checks[-1]
    assert check.outcome in ("holds", "unknown"), check.message
    attackers = [{unit for attack in plan.attacks or () for unit in attack.attackers} for plan in check.plans]
    assert all(len(some) == 4 for some in attackers), check.message
