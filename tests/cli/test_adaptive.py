"""``suggest --adaptive`` and ``check --policy``, as they are asked at the terminal."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

from planner.cli.policy_output import tree
from planner.plans.plan import Plan
from planner.plans.policy import Branch, Node
from tests.command import run


def test_where_nothing_is_done_at_all_nobody_moves_and_later_there_is_no_further_move() -> None:
    """As `suggest` says it without --adaptive."""
    assert list(tree(Node(()))) == ["  Nobody moves."]
    moves = Plan.parse(["a A1-A2xA3"]).moves
    after = list(tree(Node(moves, (Branch(moves, Fraction(1), Node(())),))))
    assert after[-1] == "    no further move"


def test_the_best_way_of_playing_is_told_as_a_tree_and_judged_by_the_referee(tmp_path: Path) -> None:
    """Twice against one hex, 12 to 4, 7/12 each: 4 * (1 - (5/12)²) as with the fixed plan, but MP are saved.

    7 MP after a success at once; 13 after one at the second attempt, 12 after none: 7/12 * 7 + 35/144 * 13 + 25/144 * 12.
    """
    file = tmp_path / "policy.json"
    told = run("suggest", "ocs/two_overruns", "--adaptive", "--plan-out", str(file))
    assert told.returncode == 0
    assert "Optimal, proved: no way of playing is better on average. Value 3 11/36 / -9 47/144" in told.stdout
    assert "if it fails, probability 5/12 (41.7%): then worth 2⅓ / -12 7/12" in told.stdout
    judged = run("check", "ocs/two_overruns", "--policy", str(file), "--json")
    assert judged.returncode == 0
    assert json.loads(judged.stdout)["value"] == ["119/36", "-1343/144"]


def test_who_looks_at_the_dice_begins_with_another_move() -> None:
    """Worth 5 together, 5/12 for each tank alone, and only the second has the MP to drive through: 25/12, fixed in advance.

    The first tries before it, 5/12, and where it fails the second still may: 5/12 * 5 + 7/12 * 25/12 = 475/144.
    """
    told = json.loads(run("suggest", "ocs/look_first", "--adaptive", "--json").stdout)
    assert (told["status"], told["value"], told["fixed"]) == ("optimal", ["475/144"], ["25/12"])
    assert told["root"]["moves"] == ["first 10.10x10.11"]
    fixed = json.loads(run("suggest", "ocs/look_first", "--json").stdout)
    assert fixed["plan"]["moves"][0]["units"] == ["second"]


@pytest.mark.parametrize(
    ("name", "headline", "told", "reacting"),
    [
        (
            "ocs/look_first",
            "Optimal, proved: no plan that is fixed in advance is better.",
            "may do better: --adaptive.",
            None,
        ),
        (
            "great_war/first_hex_early",
            "Optimal, proved: no plan that is fixed in advance is better.",
            "does no better on average, proved.",
            ["5/6"],
        ),
        (
            "classic_hex/puzzles/open_door",
            "Optimal, proved: no plan that is fixed in advance is better.",
            "does no better on average, proved.",
            [3],
        ),
        ("dai_senso/manchuria", "Optimal, proved: no plan is better.", "", None),
    ],
)
def test_a_plan_that_is_fixed_in_advance_is_called_so_where_dice_are_rolled(
    name: str, headline: str, told: str, reacting: list[str | int] | None
) -> None:
    """One tank, one die: after its one roll nothing is left to decide, so 5/6 is all that anybody gets.

    Who holds the hex of the puzzle has all that counts: there is no more than 3.
    """
    text = run("suggest", name).stdout
    assert text.startswith(headline)
    assert ("fixed in advance. Who reacts" in text) == bool(told)
    assert told in text
    answer = json.loads(run("suggest", name, "--json").stdout)
    assert answer["fixed_in_advance"] == bool(told)
    assert answer.get("reacting") == reacting
    assert ("reacting" in answer) == bool(told)


@pytest.mark.parametrize("name", ["great_war/puzzles/exchange", "great_war/puzzles/column"])
def test_where_nothing_can_be_rolled_in_a_position_no_plan_is_called_fixed_in_advance(name: str) -> None:
    """Infantry alone: tanks would roll. What can't react is the best way of playing."""
    text = run("suggest", name).stdout
    assert "fixed in advance" not in text
    assert "--adaptive" not in text
    answer = json.loads(run("suggest", name, "--json").stdout)
    assert answer["fixed_in_advance"] is False
    assert "reacting" not in answer


def test_where_no_fixed_plan_will_do_one_that_reacts_might(tmp_path: Path) -> None:
    file = tmp_path / "surely.toml"
    text = Path("scenarios/classic_hex/six_against_four.toml").read_text(encoding="utf-8")
    begin = text[: text.index("[[verdict]]")]
    file.write_text(begin + '[[require]]\nkind = "hold"\nhexes = "0405"\n', encoding="utf-8")
    told = run("suggest", str(file))
    assert told.returncode == 1
    assert "no plan that is fixed in advance fulfils every requirement." in told.stdout
    assert "Whether a plan that reacts to what is rolled does is another question: --adaptive." in told.stdout


def test_a_branch_that_is_missing_or_illegal_is_told_with_the_way_to_it(tmp_path: Path) -> None:
    file = tmp_path / "policy.json"
    root = {
        "moves": ["armor+mech 10.10x10.11"],
        "branches": [{"made": ["armor+mech 10.10x10.11"], "probability": 1, "then": {"moves": ["mech 10.11-10.13"]}}],
    }
    file.write_text(json.dumps({"format": "planner/policy-1", "root": root}))
    told = run("check", "ocs/two_overruns", "--policy", str(file))
    assert told.returncode == 1
    assert "after armor+mech 10.10x10.11: 6.1: 10.11 and 10.13 are not adjacent" in told.stdout
    assert "says nothing of armor+mech 10.10!10.11" in told.stdout


def test_a_policy_that_is_no_policy_is_bad_input(tmp_path: Path) -> None:
    file = tmp_path / "policy.json"
    file.write_text('{"format": "planner/policy-1", "root": {"moves": ["what"], "branches": [{"made": []}]}}')
    told = run("check", "ocs/two_overruns", "--policy", str(file))
    assert told.returncode == 2
    assert "Traceback" not in told.stderr
    assert run("suggest", "ocs/two_overruns", "--adaptive", "--diverse").returncode == 2


@pytest.mark.parametrize(
    ("moves", "exit_code", "told"),
    [
        (["x+y 0404x0405=0:2"], 1, "says what is rolled, which nobody can choose: write x+y 0404x0405, with a branch"),
        (["x+z 0404x0405"], 2, "no unit has the id 'z'"),
        (["x+y 0404x0409"], 2, "hex '0409' is not on the map"),
    ],
)
def test_nobody_chooses_dice_and_nobody_moves_who_is_not_there(
    moves: list[str], exit_code: int, told: str, tmp_path: Path
) -> None:
    file = tmp_path / "policy.json"
    file.write_text(json.dumps({"format": "planner/policy-1", "root": {"moves": moves}}))
    done = run("check", "classic_hex/six_against_four", "--policy", str(file))
    assert done.returncode == exit_code
    assert told in done.stdout + done.stderr
    assert "Legal" not in done.stdout


def test_numbers_that_are_not_so_are_named(tmp_path: Path) -> None:
    file = tmp_path / "policy.json"
    root = {"moves": ["x+y 0404x0405"], "value": [1]}
    file.write_text(json.dumps({"format": "planner/policy-1", "root": root}))
    done = run("check", "classic_hex/six_against_four", "--policy", str(file))
    assert done.returncode == 1
    assert "False is what it says of that:\n  what is done here is worth ⅔, not 1\n" in done.stdout
    told = json.loads(run("check", "classic_hex/six_against_four", "--policy", str(file), "--json").stdout)
    assert (told["legal"], told["value"], told["faults"]) == (True, ["2/3"], [])
    assert [one["message"] for one in told["false"]] == ["what is done here is worth ⅔, not 1"]


def test_where_nothing_is_rolled_the_best_plan_is_the_best_way_of_playing() -> None:
    told = run("suggest", "dai_senso/manchuria", "--adaptive", "--json")
    assert told.returncode == 0
    fixed = json.loads(run("suggest", "dai_senso/manchuria", "--json").stdout)
    assert json.loads(told.stdout)["value"] == fixed["value"]


@pytest.mark.parametrize(
    ("rolls", "told"), [(60, "says nothing of armor+mech 10.10x10.11"), (62, "nested at most 184")]
)
def test_a_policy_file_may_have_sixty_rolls_after_each_other(rolls: int, told: str, tmp_path: Path) -> None:
    """Thirteen were all that files could be nested for."""
    root = '{"moves": []}'
    for _ in range(rolls):
        branch = f'{{"made": ["armor+mech 10.10!10.11"], "probability": 1, "then": {root}}}'
        root = f'{{"moves": ["armor+mech 10.10x10.11"], "branches": [{branch}]}}'
    file = tmp_path / "policy.json"
    file.write_text(f'{{"format": "planner/policy-1", "root": {root}}}')
    done = run("check", "ocs/two_overruns", "--policy", str(file))
    assert told in done.stdout + done.stderr
    assert "Traceback" not in done.stderr


TAKEN = """
format = "planner/scenario-1"
model = "crossroads"
phase = "movement"
phasing = "blue"
tier = [{ terms = [{ kind = "taken" }] }]

[map]
origin = "0101"
rows = '''
. . . .
. . . .
. . . .
. . . .
'''
boxes.eliminated = {}

[[unit]]
id = "b"
side = "blue"
type = "infantry"
values = "4-4-4"
at = "0101"

[[unit]]
id = "r"
side = "red"
type = "infantry"
values = "1-1-4"
at = "0202"
"""


def test_a_fixed_plan_that_only_does_less_because_nobody_advances_is_not_called_the_best(tmp_path: Path) -> None:
    """4:1 is DR, DR, DR, EX, DE, DE: `suggest` counts 5/6 of a hex that may be entered; as it stands nobody enters it."""
    file = tmp_path / "taken.toml"
    file.write_text(TAKEN, encoding="utf-8")
    assert "Value 5/6" in run("suggest", str(file)).stdout
    told = run("suggest", str(file), "--adaptive").stdout
    assert "Value 5/6" in told
    assert "fixed in advance with which it began comes to 0: nobody advances in it." in told
    assert "The best plan" not in told
