"""What is stated of given moves is what the referee says of them, or the check says what is true."""

from __future__ import annotations

from pathlib import Path

import pytest

from planner.puzzles.verification import Verification
from planner.puzzles.verify import verify_file

ROOT = Path(__file__).resolve().parents[2]
SIX_AGAINST_FOUR = (ROOT / "scenarios/classic_hex/six_against_four.toml").read_text(encoding="utf-8")
NO_CLAIMS = SIX_AGAINST_FOUR[: SIX_AGAINST_FOUR.index("[[verdict]]")]


def stated(tmp_path: Path, verdict: str) -> Verification:
    """Verify one verdict on six against four: the hex is taken by four entries of six, one of which destroys e."""
    file = tmp_path / "puzzle.toml"
    file.write_text(f"{NO_CLAIMS}\n[[verdict]]\n{verdict}\n", encoding="utf-8")
    return verify_file(file)


TOGETHER = 'moves = ["x+y 0404x0405"]\nlegal = true\n'


@pytest.mark.parametrize(
    "said",
    [
        'value = ["2/3"]',
        'probability = "2/3"',
        'results = { "x to 0405" = "2/3", "y to 0404" = "1/3", "hold 0405" = "2/3", "eliminate e" = "1/6" }',
    ],
)
def test_what_a_given_plan_comes_to_holds_if_the_referee_says_the_same(tmp_path: Path, said: str) -> None:
    assert stated(tmp_path, TOGETHER + said).outcome == "holds"


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ('value = ["5/6"]', "worth ⅔, not 5/6"),
        ("probability = 1", "goes through with probability 2/3, not 1"),
        ('results = { "eliminate e" = "1/2" }', "eliminate e has probability 1/6, not 1/2"),
        ('value = [1]\nprobability = "1/3"', "worth ⅔, not 1; all of it goes through with probability 2/3, not 1/3"),
    ],
)
def test_what_comes_out_otherwise_is_told_with_the_true_figure(tmp_path: Path, said: str, told: str) -> None:
    found = stated(tmp_path, TOGETHER + said)
    assert found.outcome == "fails"
    assert told in found.checks[0].message


def test_that_moves_are_illegal_is_told_before_what_is_rolled_for_them(tmp_path: Path) -> None:
    """Nothing is rolled for a move that can't be made; for one that can, both numbers are told."""
    found = stated(tmp_path, 'moves = ["x 0404-0407"]\nlegal = true\ndice = [1]')
    assert found.checks[0].message.startswith("the moves should be legal: ")
    found = stated(tmp_path, TOGETHER + "dice = [1]")
    told = "the moves are legal, but the dice rolled for each hex of the last move are 0, not 1"
    assert (found.outcome, found.checks[0].message) == ("fails", told)


def test_that_nobody_moves_is_a_plan_with_a_verdict(tmp_path: Path) -> None:
    assert stated(tmp_path, "moves = []\nlegal = true\nvalue = [0]\nprobability = 1").outcome == "holds"
    assert stated(tmp_path, "moves = []\nlegal = true\nvalue = [1]").outcome == "fails"
    assert stated(tmp_path, "moves = []\nlegal = false").outcome == "fails"


@pytest.mark.parametrize(("moves", "told"), [("moves = []", "fails"), ("", None)])
def test_that_nobody_moves_is_a_solution_to_be_judged(tmp_path: Path, moves: str, told: str | None) -> None:
    """The hex can be taken, with probability 2/3, but not by nobody; without moves no solution is given."""
    file = tmp_path / "puzzle.toml"
    file.write_text(f'{NO_CLAIMS}\n[answer]\nvalue = ["2/3"]\n{moves}\n', encoding="utf-8")
    found = {check.kind: check.outcome for check in verify_file(file).checks}
    assert (found["claim"], found.get("solution")) == ("holds", told)


@pytest.mark.parametrize(
    ("verdict", "told"),
    [
        ('moves = ["x+y 0404x0405"]\nlegal = false\nprobability = 1', "only of moves that are legal"),
        (TOGETHER + 'value = ["2/3", 1]', "must have one number for the only tier"),
        (TOGETHER + 'value = ["much"]', 'verdict[0].value[0]: must be a number or a fraction such as "5/6"'),
        (TOGETHER + 'results = { "hold 9999" = 1 }', "verdict[0].results: hex '9999' is not on the map"),
        (TOGETHER + 'results = { "hold 0405" = 2 }', "a probability must be"),
        ('moves = []\nlegal = "yes"', "must be true or false, not 'yes'"),
        ("moves = []\nlegal = true\ndice = [1]", "dice must be given only where there are moves"),
        (
            'moves = ["no attacks"]\nlegal = true\ndice = [1]',
            "verdict[0].dice: dice are rolled for hexes of the last move",
        ),
        ('moves = ["x 0404-0407"]\nlegal = false\ndice = [1]', "only of moves that are legal"),
        ('moves = ["x+y 0404x0405"]\nlegal = true\nrule = "3.3"', "only of moves that are illegal"),
        ('moves = ["x 0404-0407"]\nlegal = false\nunit = "z"', "verdict[0].unit: no unit has the id 'z'"),
        ('moves = ["x 0404-0407"]\nlegal = false\nblame = ["z"]', "verdict[0].blame: no unit has the id 'z'"),
        ('moves = ["x 0404-0407"]\nlegal = false\nat = "0477"', "verdict[0].at: hex '0477' is not on the map"),
    ],
)
def test_a_statement_that_makes_no_sense_is_bad_input_with_its_place(tmp_path: Path, verdict: str, told: str) -> None:
    found = stated(tmp_path, verdict)
    assert found.outcome == "bad input"
    assert any(told in f"{problem.where}: {problem.what}" for problem in found.problems), found.problems


def test_all_that_contradicts_itself_is_told_at_once(tmp_path: Path) -> None:
    file = tmp_path / "puzzle.toml"
    answer = 'question = "reach"\nvalue = [1]\ngoal = [1]\nlength = 3\nsolutions = 2\nunique = true\norder = true'
    verdict = 'moves = []\nlegal = true\nunit = "x"\ndice = [1]'
    file.write_text(f"{NO_CLAIMS}\n[answer]\n{answer}\n[[verdict]]\n{verdict}\n", encoding="utf-8")
    told = {problem.where.rpartition(": ")[2]: problem.what for problem in verify_file(file).problems}
    assert told == {
        "answer": "solutions must be 1 exactly where unique is true; "
        "order must be given only where the solution has several moves; "
        'length must be given exactly where the question is "shortest"; '
        'a value must be given only where the question is "best", not "reach"',
        "verdict[0]": "rule, unit, at and blame must be given only of moves that are illegal; "
        "dice must be given only where there are moves",
    }
