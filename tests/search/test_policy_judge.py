"""The referee's judgement of plans that react: nobody chooses dice, and numbers that are said must be right."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

import planner
from planner.errors import InputError
from planner.plans.policy import Branch, Node, averaged, from_json
from planner.search.policy_judge import PolicyVerdict, judge_policy

LOOK, FAILED = "first 10.10x10.11", "first 10.10!10.11"
DRIVE = "second 10.09-10.10-10.11-10.12-10.13"
TRY = "second 10.09-10.10x10.11"


def judged(name: str, root: dict[str, Any], **more: Any) -> PolicyVerdict:
    return judge_policy(planner.load(name), from_json({"format": "planner/policy-1", "root": root, **more}, "policy"))


def look_first(**then: Any) -> dict[str, Any]:
    """Return the best way of playing: 5/12 * 5, and 5 where the first fails and the second doesn't: 7/12 * 5/12 * 5."""
    return {
        "moves": [LOOK],
        "branches": [
            {"made": [LOOK], "probability": "5/12", "then": {"moves": [DRIVE], "value": [5]}},
            {"made": [FAILED], "probability": "7/12", "then": {"moves": [f"{TRY}-10.12-10.13"], **then}},
        ],
        "value": ["475/144"],
    }


@pytest.mark.parametrize(
    ("name", "moves"),
    [
        ("classic_hex/six_against_four", ["x+y 0404x0405=0:2"]),  # 2/3, not 1
        ("classic_hex/six_against_four", ["x 0404x0405=0:0"]),
        ("classic_hex/six_against_four", ["x 0404x0405=0:0", "y 0404x0405"]),
        ("classic_hex/six_against_four", ["x 0404x0405", "y 0404x0405=0:2"]),  # what y rolls for depends on x
        ("ocs/look_first", [FAILED]),
        ("great_war/first_hex_early", ["tank E4-E5!"]),
    ],
)
def test_who_says_what_is_rolled_has_chosen_it(name: str, moves: list[str]) -> None:
    assert "says what is rolled, which nobody can choose" in str(judged(name, {"moves": moves}).faults[0])


def test_nor_can_it_be_chosen_before_a_branch_or_after_one() -> None:
    root = look_first()
    root["moves"] = [FAILED, TRY]
    assert next(str(one) for one in judged("ocs/look_first", root).faults) == (
        f"{FAILED} says what is rolled, which nobody can choose: write {LOOK}, with a branch for each result"
    )
    root = look_first(moves=["second 10.09-10.10!10.11"])
    assert [str(one) for one in judged("ocs/look_first", root).faults] == [
        f"after {FAILED}: second 10.09-10.10!10.11 says what is rolled, which nobody can choose: write {TRY}, "
        "with a branch for each result"
    ]


def test_that_support_keeps_an_overrun_from_succeeding_is_no_roll() -> None:
    """In a game whose only column has chance 1, enemies decide whether they support, not dice."""
    found = judged("a_world_at_war/uncommitted_fighters", {"moves": ["east L14!L15"]})
    assert found.legal, found.faults


@pytest.mark.parametrize(
    ("then", "more", "false"),
    [
        ({}, {}, []),
        ({"value": ["25/12"]}, {"value": ["475/144"]}, []),
        ({"value": ["26/12"]}, {}, [f"after {FAILED}: what is done here is worth 2 1/12, not 2 1/6"]),
        ({"value": [1, 2]}, {}, [f"after {FAILED}: what is done here is worth 2 1/12, not 1 / 2"]),
    ],
)
def test_a_value_that_is_said_must_be_right(then: dict[str, Any], more: dict[str, Any], false: list[str]) -> None:
    found = judged("ocs/look_first", look_first(**then), **more)
    assert found.legal
    assert found.value == (Fraction(475, 144),)
    assert [str(one) for one in found.false] == false
    assert bool(found) == (not false)


def test_each_number_that_is_wrong_is_named() -> None:
    root = look_first()
    root["value"] = [4]
    root["branches"][0]["probability"] = "1/2"
    root["branches"][1]["probability"] = "0.5"
    assert [str(one) for one in judged("ocs/look_first", root).false] == [
        "what is done here is worth 3 43/144, not 4",
        f"the probability of {LOOK} is 5/12, not 1/2",
        f"the probability of {FAILED} is 7/12, not 1/2",
    ]


@pytest.mark.parametrize("number", ["a half", "1/0", "1e9", ""])
def test_what_is_no_number_is_bad_input(number: str) -> None:
    root = look_first(value=[number])
    root["branches"][0]["probability"] = number
    with pytest.raises(InputError) as error:
        judged("ocs/look_first", root)
    assert [problem.where.partition("branches")[2] for problem in error.value.problems] == [
        "[0].probability",
        "[1].then.value[0]",
    ]


def test_one_file_says_one_value() -> None:
    with pytest.raises(InputError, match="must be the same as in root"):
        judged("ocs/look_first", look_first(), value=[5])


def test_every_name_that_does_not_exist_is_bad_input_wherever_it_stands() -> None:
    root = look_first(moves=["secnd 10.09-10.10", "second 10.09-99.99"])
    root["branches"][0]["made"] = ["frist 10.10x10.11"]
    with pytest.raises(InputError) as error:
        judged("ocs/look_first", root)
    told = str(error.value)
    for name in ("secnd", "99.99", "frist"):
        assert name in told


def test_where_the_same_is_done_after_several_results_numbers_are_averages() -> None:
    """Once in three a roll goes well with 1/2, for 4, twice with 1/4, for 8: 1/6 each, so 1/3, and then 6 on average."""
    move = planner.Move.parse("a 1x2")
    nodes = [
        (chance, Node((move,), (Branch((move,), well, Node((), (), (worth,))),), (well * worth,)))
        for chance, well, worth in (
            (Fraction(1, 3), Fraction(1, 2), Fraction(4)),
            (Fraction(2, 3), Fraction(1, 4), Fraction(8)),
        )
    ]
    found = averaged(nodes)
    assert found.value == (2,)
    [branch] = found.branches
    assert (branch.probability, branch.then.value) == (Fraction(1, 3), (6,))


def test_that_a_result_is_in_two_branches_is_said() -> None:
    """It was said that the second of them can't come of the move."""
    root = look_first()
    root["branches"].append(root["branches"][1])
    assert [str(one) for one in judged("ocs/look_first", root).faults] == [f"says twice what follows {FAILED}"]
