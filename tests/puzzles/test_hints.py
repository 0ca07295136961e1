"""What is said of a hint is so: of its attacks, and of the order of its moves."""

from __future__ import annotations

from pathlib import Path

import pytest

from planner.puzzles.verify import verify_file
from tests.puzzles.test_goals_of_attacks import SCENARIO

REACH = 'question = "reach"\ngoal = ["1/2"]\nmoves = ["b 0204-0304", "b -> 0404"]\n'
IMPOSSIBLE = 'question = "impossible"\ngoal = [1]\n'

ESCORT = """
format = "planner/scenario-1"
model = "ocs"
phase = "movement"
phasing = "axis"
map.hexes."10.10 10.11 10.12 11.11" = "open"
unit = [
    { id = "a", side = "axis", type = "hq", values = "0-1-5", at = "10.10" },
    { id = "b", side = "axis", type = "hq", values = "0-1-5", at = "10.10" },
    { id = "c", side = "axis", type = "infantry", values = "1-1-2", at = "10.10" },
    { id = "e", side = "allied", type = "infantry", values = "1-9-0", at = "11.11" },
]
[[tier]]
terms = [
    { kind = "end", unit = "a", at = "10.12" },
    { kind = "end", unit = "b", at = "10.12" },
    { kind = "end", unit = "c", at = "10.11" },
]
[answer]
value = [3]
moves = ["c 10.10-10.11", "a 10.10-10.11-10.12", "b 10.10-10.11-10.12"]
"""


def told(folder: Path, text: str, *hint: str) -> tuple[str, str]:
    """Return what becomes of a hint of a puzzle, and what is said of it."""
    file = folder / "puzzle.toml"
    file.write_text(f"{text}\n[[answer.hints]]\nmoves = {list(hint)}\n", encoding="utf-8")
    found = next(check for check in verify_file(file).checks if check.kind == "hint")
    return found.outcome, found.message.partition(";")[0]


@pytest.mark.parametrize(
    ("hint", "said"),
    [
        (("b -> 0404",), ("holds", "the solution does what the hint says")),
        (("b 0204-0304", "b -> 0404", "no other attacks"), ("holds", "the solution does what the hint says")),
        (("no attacks",), ("fails", "it is legal, but no solution does it, proved")),
        (("b 0204-0304", "no attacks"), ("fails", "no legal plan does what the hint says, proved")),
    ],
)
def test_a_solution_that_attacks_does_no_hint_by_which_nobody_does(
    tmp_path: Path, hint: tuple[str, ...], said: tuple[str, str]
) -> None:
    """At 4:1 r falls with 1/2, only if b attacks it from 0304, where b is in its ZOC and so must attack."""
    assert told(tmp_path, SCENARIO + REACH, *hint) == said


def test_moves_after_which_somebody_must_attack_are_illegal_as_a_hint_by_which_nobody_does(tmp_path: Path) -> None:
    """In 0304 b is in the ZOC of r, and must attack it; in 0204 it needn't."""
    illegal = "fails", "no legal plan does what the hint says, proved"
    assert told(tmp_path, SCENARIO + IMPOSSIBLE, "b 0204-0304", "no attacks") == illegal
    assert told(tmp_path, SCENARIO + IMPOSSIBLE, "no attacks") == ("holds", "what the hint says is legal")


@pytest.mark.parametrize("ways", ["a+b 10.10-10.11-10.12", "a 10.10-10.11-10.12"])
def test_a_stack_that_must_come_second_is_no_hint_as_the_first(tmp_path: Path, ways: str) -> None:
    """Staffs stop in 10.11, beside e, unless the infantry stands there: c comes before both of them."""
    illegal = "fails", "no legal plan does what the hint says, proved"
    assert told(tmp_path, ESCORT, ways, "c 10.10-10.11") == illegal
    assert told(tmp_path, ESCORT, "c 10.10-10.11", ways)[0] == "holds"
