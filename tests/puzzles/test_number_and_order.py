"""How many solutions there are, and whether the order of the moves decides, is proved or refuted."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from planner.objective.scoring import values_of
from planner.plans.attack_text import is_attack
from planner.plans.plan import Plan
from planner.puzzles import order_check
from planner.puzzles.checks import Settler
from planner.puzzles.verification import Check, Verification
from planner.puzzles.verify import verify_file, verify_scenario
from planner.referee.referee import Referee
from planner.scenario import build_scenario, load_scenario
from planner.scenario.shape import AnswerEntry

FOLDER = Path(__file__).resolve().parents[2] / "scenarios"
AFTER_YOU = (FOLDER / "dai_senso/puzzles/after_you.toml").read_text(encoding="utf-8")


def verified(tmp_path: Path, *pairs: tuple[str, str]) -> Verification:
    """Verify a puzzle of two solutions, each of two moves that work in their order alone, after changes."""
    text = AFTER_YOU
    for old, new in pairs:
        assert old in text
        text = text.replace(old, new)
    file = tmp_path / "puzzle.toml"
    file.write_text(text, encoding="utf-8")
    return verify_file(file)


def outcomes(found: Verification) -> dict[str, str]:
    return {check.kind: check.outcome for check in found.checks if check.kind != "verdict"}


@pytest.mark.parametrize(("number", "outcome"), [(1, "fails"), (2, "holds"), (3, "fails")])
def test_exactly_so_many_solutions_hold_if_there_are_neither_more_nor_fewer(
    tmp_path: Path, number: int, outcome: str
) -> None:
    found = verified(tmp_path, ("unique = false", f"solutions = {number}"))
    assert outcomes(found) == {"claim": "holds", "solution": "holds", "solutions": outcome}


def test_solutions_that_are_not_as_many_as_claimed_are_shown(tmp_path: Path) -> None:
    found = verified(tmp_path, ("unique = false", "solutions = 3"))
    check = found.checks[-1]
    assert check.message.startswith("2 solutions in substance, proved, not 3: ")
    assert len(check.plans) == 2


def test_a_solution_that_does_what_each_of_two_others_would_do_is_not_unique() -> None:
    """Either unit may hold the hex in the middle, and the author moves both: there are two solutions."""
    units = [{"id": name, "side": "axis", "type": "infantry", "values": "2-2-4"} for name in "ab"]
    moves = ["a 10.10-10.11", "b 10.12-10.11"]
    data = {
        "format": "planner/scenario-1",
        "model": "ocs",
        "phase": "movement",
        "phasing": "axis",
        "map": {"hexes": {"10.10 10.11 10.12": "open"}},
        "unit": [{**unit, "at": at} for unit, at in zip(units, ("10.10", "10.12"), strict=True)],
        "tier": [{"terms": [{"kind": "hold", "hexes": ["10.11"]}]}],
    }
    for claim, outcome in (({"unique": True}, "fails"), ({"unique": False}, "holds"), ({"solutions": 2}, "holds")):
        scenario = build_scenario({**data, "answer": {"value": [1], "moves": moves, **claim}}, "a puzzle")
        found = verify_scenario(scenario)
        assert outcomes(found) == {"claim": "holds", "solution": "holds", next(iter(claim)): outcome}
        cooks = [str(plan) for plan in found.checks[-1].plans]
        assert sorted(cooks) == (sorted(moves) if "unique" in claim else [])
    # Whoever moves one of them alone has the other's for a cook, and no more.
    alone = build_scenario({**data, "answer": {"value": [1], "moves": moves[:1], "unique": True}}, "a puzzle")
    assert [str(plan) for plan in verify_scenario(alone).checks[-1].plans] == moves[1:]


def test_solutions_are_not_counted_where_the_answer_does_not_hold(tmp_path: Path) -> None:
    found = verified(tmp_path, ("unique = false", "solutions = 2"), ("value = [1, -23]", "value = [1, -24]"))
    assert outcomes(found)["solutions"] == "skipped"


@pytest.mark.parametrize(
    "answer",
    [
        {"solutions": 2, "unique": True},
        {"solutions": 1, "unique": False},
        {"solutions": 0},
        {"question": "impossible", "solutions": 1},
        {"order": True},
        {"order": True, "moves": ["a 1-2"]},
    ],
)
def test_a_number_or_an_order_that_makes_no_sense_is_refused(answer: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"must be|must have|greater than"):
        AnswerEntry.model_validate(answer)


def test_moves_that_work_in_their_order_alone_hold_where_that_is_claimed(tmp_path: Path) -> None:
    assert outcomes(verified(tmp_path, ("unique = false", "unique = false\norder = true")))["order"] == "holds"
    assert outcomes(verified(tmp_path, ("unique = false", "unique = false\norder = false")))["order"] == "fails"


def test_the_order_of_moves_that_stand_on_one_line_is_looked_at(tmp_path: Path) -> None:
    on_one_line = 'moves = ["bravo w5324-w5323; alpha w5324-w5323-w5322"]\nwhy = "Each'
    moves = on_one_line.replace("; ", '", "')
    found = verified(tmp_path, ("unique = false", "unique = false\norder = true"), (moves, on_one_line))
    assert outcomes(found)["order"] == "holds"


def test_the_order_of_a_solution_that_fails_is_not_looked_at(tmp_path: Path) -> None:
    wrong = 'moves = ["alpha w5324-w5323-w5322", "bravo w5324-w5323"]\nwhy = "Each'
    pairs = (
        ("unique = false", "order = true"),
        ('moves = ["bravo w5324-w5323", "alpha w5324-w5323-w5322"]\nwhy = "Each', wrong),
    )
    assert outcomes(verified(tmp_path, *pairs))["order"] == "skipped"


def order_of(name: str) -> Check:
    scenario = load_scenario(FOLDER / f"{name}.toml")
    assert scenario.answer is not None
    asked = scenario.answer.model_copy(update={"order": True, "unique": None, "solutions": None, "hints": ()})
    settler = Settler(replace(scenario, answer=asked, verdicts=()), cooks=0)
    return next(check for check in settler.run() if check.kind == "order")


SEVERAL = [
    path.relative_to(FOLDER).with_suffix("").as_posix()
    for path in sorted(FOLDER.glob("*/puzzles/*.toml"))
    if (answer := load_scenario(path).answer) is not None and 2 <= len(answer.moves) <= 4
]


@pytest.mark.parametrize("name", SEVERAL[:: max(1, len(SEVERAL) // 12)])
def test_the_order_decides_exactly_if_no_permutation_of_the_moves_does_as_much(name: str) -> None:
    scenario = load_scenario(FOLDER / f"{name}.toml")
    assert scenario.answer is not None
    referee, tiers = Referee(scenario.game), scenario.tiers

    def worth(moves: Sequence[str]) -> object:
        verdict = referee.play(Plan.parse(list(moves)), scenario.start)
        fulfilled = all(
            goal.score(scenario.game, position, tally) >= goal.full(scenario.game)
            for goal in scenario.requirements
            for position, tally in verdict.all_outcomes()
        )
        return values_of(scenario.game, tiers, verdict) if verdict.legal and fulfilled else None

    attacks = [line for line in scenario.answer.moves if is_attack(line)]
    moves = [line for line in scenario.answer.moves if not is_attack(line)]
    own, *others = ((*order, *attacks) for order in itertools.permutations(moves))
    alone = all(worth(moves) != worth(own) for moves in others)
    check = order_of(name)
    assert (check.outcome == "holds") == alone
    if not alone:
        [plan] = check.plans
        assert str(plan).splitlines() != list(own)
        assert worth(str(plan).splitlines()) == worth(own)


def test_too_many_orders_are_left_open(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(order_check, "MOST_PLAYED", 2)
    check = order_of("dai_senso/puzzles/three_pickets")
    assert check.outcome == "unknown"
    assert check.message.endswith("there are too many orders to be tried")


def test_moves_before_attacks_may_work_in_another_order() -> None:
    # Both come beside 0304 and attack it together, at 2:1; who goes first doesn't matter.
    own = {"side": "blue", "type": "infantry", "values": "4-4-4"}
    data = {
        "format": "planner/scenario-1",
        "model": "crossroads",
        "phase": "movement",
        "phasing": "blue",
        "map": {"origin": "0301", "rows": "...\n...\n...\n...\n..."},
        "unit": [
            {"id": "a", "at": "0301", **own},
            {"id": "b", "at": "0503", **own},
            {"id": "e", "at": "0304", **own, "side": "red"},
        ],
        "tier": [{"terms": [{"kind": "emptied", "hexes": "0304"}]}],
        "answer": {"value": ["2/3"], "order": False, "moves": ["a 0301-0302-0303", "b 0503-0403", "a+b -> 0304"]},
    }
    settler = Settler(build_scenario(data, "case"), cooks=0)
    [order] = [check for check in settler.run() if check.kind == "order"]
    assert order.outcome == "holds"
    assert [str(plan) for plan in order.plans] == ["b 0503-0403\na 0301-0302-0303\na+b -> 0304"]
