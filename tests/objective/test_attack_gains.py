"""Terms of attacks can be asked for in words, and say what is wrong with them."""

from __future__ import annotations

from typing import Any

import pytest

import planner
from planner.errors import InputError
from planner.explanation.parse_question import read_goal
from planner.scenario import load_scenario
from tests.oracles.attack_games import attack, position

UNITS = {"a": ("4-4-4", "0201"), "b": ("2-2-4", "0403"), "e": ("1-2-4", "0303"), "e2": ("1-1-4", "0505")}
SCENARIO = position(attack(advances={}), UNITS)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("empty 0303", "0303 emptied with a probability of 1 at least"),
        ("empty 0303, 0505 with 1/2", "0303 0505 emptied with a probability of 1/2 at least"),
        ("take 0303 with .25", "0303 taken with a probability of 1/4 at least"),
        ("take 0303 0505", "at least 2 of 0303 0505 taken, on average"),
        ("3:1 against 0303 e2", "3:1 against 0303, e2 together"),
        ("DE against 0303 with 1/3", "DE against 0303 with a probability of 1/3 at least"),
        ("DR or DE against e", "DR or DE against e with a probability of 1 at least"),
        ("no attack below 2:1", "no attack below 2:1"),
        ("at most 2 attacks below 2:1", "at most 2 attacks below 2:1"),
        ("no unit open to 3:1", "no unit open to an attack at 3:1"),
        ("at most 1 unit open to 3:1", "at most 1 unit open to an attack at 3:1"),
        ("the enemy loses 2 steps", "at least 2 steps lost by the enemy on average"),
        ("the enemy loses 1 step", "at least 1 step lost by the enemy on average"),
        ("the enemy loses 1/3 steps", "at least ⅓ of a step lost by the enemy on average"),
        ("lose at most 1/2 units", "at most ½ of an own unit lost by attacks on average"),
        ("lose at most 2 1/3 steps", "at most 2⅓ own steps lost by attacks on average"),
        ("lose at most 1 unit", "at most 1 own unit lost by attacks on average"),
        ("lose at most 3 strength", "at most 3 own strength lost by attacks on average"),
        ("take 0303 with 1/3 and lose at most 1 unit", None),
    ],
)
def test_attacks_can_be_asked_for_in_words(text: str, told: str | None) -> None:
    goal = read_goal(SCENARIO, text)
    assert told is None or goal.describe() == told
    assert goal.looks_at_attacks or "open" in text


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("DX against 0303", "results must be results of the table (AE, AR, EX, DR, D2, DE), not 'DX'"),
        ("DE against a", "targets must be enemy units or hexes of the map, not 'a'"),
        ("take 0909", "hex '0909' is not on the map"),
        ("take 0303 0505 with 1/2", "a goal must look like"),
        ("empty 0303 with 3/2", "a probability must be from 0 to 1"),
        ("7:1 against 0303", "odds must be a column of the combat results table"),
        ('{ kind = "attack_results", targets = "e", results = "DE" }', "attack_results must say at_least"),
    ],
)
def test_what_is_wrong_with_such_a_question_is_said(text: str, told: str) -> None:
    with pytest.raises(InputError) as error:
        read_goal(SCENARIO, text)
    assert told in str(error.value)


def test_nobody_takes_anything_where_nobody_advances() -> None:
    with pytest.raises(InputError, match="by this game's rulebook nobody advances after an attack"):
        read_goal(position(attack(), UNITS), "take 0303")
    with pytest.raises(InputError, match="says nothing of attacks"):
        read_goal(load_scenario("dai_senso/manchuria"), "take w5425")


# 6 to 2 is 3:1, AR AR DR DR EX DE: 4/6 empty the hex. By the exchange a strength of 2 is lost, b, and a goes in.
@pytest.mark.parametrize(
    ("goal", "status"),
    [
        ("empty 0303 with 2/3", "possible"),
        pytest.param("empty 0303", "forbidden", marks=pytest.mark.thorough),
        ("take 0303 with 2/3", "possible"),
        pytest.param("take 0303 with 3/4", "forbidden", marks=pytest.mark.thorough),
        ("EX or DE against 0303 with 1/3", "possible"),
        ("DE against 0303 with 1/3", "forbidden"),
        ("3:1 against 0303", "possible"),
        ("3:1 against 0303 and no attack below 2:1 and the enemy loses 1/3 units", "possible"),
        ("take 0303 with 1/2 and lose at most 1/6 units", "possible"),
    ],
)
def test_why_not_is_asked_of_attacks(goal: str, status: str) -> None:
    found: Any = planner.explain(SCENARIO, require=goal)
    assert found.status == status
