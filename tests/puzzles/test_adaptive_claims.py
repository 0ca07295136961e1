"""What puzzles claim of plans that react is proved or refuted: the best value, a value to be had, the author's policy."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from planner.errors import InputError
from planner.limits import Limits
from planner.puzzles.adaptive_check import look_at_reacting, read_reacting
from planner.puzzles.evidence import Evidence
from planner.puzzles.verification import Check
from planner.puzzles.verify import verify_file
from planner.scenario import Scenario, load_scenario
from planner.scenario.shape import AdaptiveEntry

LOOK = "first 10.10x10.11"
DRIVE = "second 10.09-10.10-10.11-10.12-10.13"
TRY = "second 10.09-10.10x10.11"
POLICY: dict[str, Any] = {
    "moves": [LOOK],
    "branches": [
        {"made": [LOOK], "probability": "5/12", "then": {"moves": [DRIVE]}},
        {"made": ["first 10.10!10.11"], "probability": "7/12", "then": {"moves": [f"{TRY}-10.12-10.13"]}},
    ],
}
"""Worth 5/12 * 5 + 7/12 * 5/12 * 5 = 475/144, or 3 43/144."""


def claiming(tmp_path: Path, **claim: Any) -> Scenario:
    scenario = load_scenario("ocs/look_first")
    assert scenario.answer is not None
    answer = scenario.answer.model_copy(update={"adaptive": AdaptiveEntry(**claim)})
    return replace(scenario, answer=answer, beside=tmp_path)


def looked_at(tmp_path: Path, seconds: float | None = None, **claim: Any) -> Check:
    scenario = claiming(tmp_path, **claim)
    reacting = read_reacting(scenario, problems := [])
    assert not problems
    assert reacting is not None
    return look_at_reacting(Evidence(scenario, Limits.within(seconds)), reacting)


def written(tmp_path: Path, root: dict[str, Any]) -> str:
    (tmp_path / "mine.json").write_text(json.dumps({"format": "planner/policy-1", "root": root}))
    return "mine.json"


@pytest.mark.parametrize(
    ("claim", "outcome", "message"),
    [
        ({"value": ("475/144",)}, "holds", "no way of playing is worth more than 3 43/144 on average, proved"),
        ({"value": ("476/144",)}, "fails", "the best way of playing is worth 3 43/144, proved"),
        ({"value": ("474/144",)}, "fails", "a way of playing is worth 3 43/144, where 3 7/24 is claimed; it begins so"),
        ({"least": (3,)}, "holds", "a way of playing is worth 3 43/144"),
        ({"least": ("10/3",)}, "fails", "the best way of playing is worth 3 43/144, proved"),
    ],
)
def test_what_the_best_way_of_playing_is_worth_is_proved_or_refuted(
    claim: dict[str, Any], outcome: str, message: str, tmp_path: Path
) -> None:
    found = looked_at(tmp_path, **claim)
    assert (found.kind, found.outcome, found.message) == ("adaptive", outcome, message)


def test_a_way_of_playing_that_is_shown_needs_no_search(tmp_path: Path) -> None:
    file = written(tmp_path, POLICY)
    found = looked_at(tmp_path, 0.0, least=(3,), policy=file)
    assert (found.outcome, found.message) == ("holds", "the author's policy is worth 3 43/144")
    found = looked_at(tmp_path, 0.0, value=(3,), policy=file)
    assert (found.outcome, found.message) == ("fails", "the author's policy is worth 3 43/144, not 3")
    false = written(tmp_path, {**POLICY, "value": [5]})
    found = looked_at(tmp_path, 0.0, least=(3,), policy=false)
    assert found.outcome == "fails"
    assert "the author's policy says what isn't so: what is done here is worth 3 43/144, not 5" in found.message
    chosen = written(tmp_path, {"moves": ["first 10.10!10.11", f"{TRY}-10.12-10.13"]})
    found = looked_at(tmp_path, 0.0, least=("1/2",), policy=chosen)
    assert found.outcome == "fails"
    assert "first 10.10!10.11 says what is rolled, which nobody can choose" in found.message
    broken = written(tmp_path, {**POLICY, "branches": POLICY["branches"][:1]})
    found = looked_at(tmp_path, 0.0, least=(3,), policy=broken)
    assert found.outcome == "fails"
    assert "says nothing of first 10.10!10.11" in found.message


def test_without_time_it_is_unknown_with_what_is_known(tmp_path: Path) -> None:
    found = looked_at(tmp_path, 0.0, value=("475/144",), policy=written(tmp_path, POLICY))
    assert found.outcome == "unknown"
    known = "the best way of playing that is known is worth 3 43/144"
    assert found.message.startswith(f"{known}, and no way of playing is worth more than 5, proved.")


def test_no_way_of_playing_is_above_its_bound(tmp_path: Path) -> None:
    found = looked_at(tmp_path, 0.0, least=(6,))
    assert (found.outcome, found.message) == ("fails", "no way of playing is worth more than 5, proved")


def test_a_claim_that_makes_no_sense_is_told_with_its_place(tmp_path: Path) -> None:
    file = tmp_path / "puzzle.toml"
    text = Path(load_scenario("ocs/look_first").where).read_text()
    head = text.partition("[answer.adaptive]")[0]
    for claim, told in [
        ("", "either value or least must be given"),
        ('value = ["a half"]', 'must be a number or a fraction such as "5/6"'),
        ("value = [1, 2]", "must have one number for the only tier"),
        ("least = [1, 2]", "must have at most one number, as there is one tier"),
        ('least = [1]\npolicy = "nowhere.json"', "no such file"),
        ('least = [1]\npolicy = "puzzle.toml"', "not JSON"),
    ]:
        file.write_text(f"{head}[answer.adaptive]\n{claim}\n")
        found = verify_file(file)
        assert found.problems, claim
        assert any(told in str(problem) for problem in found.problems), (claim, found.problems)
        assert all("answer.adaptive" in problem.where for problem in found.problems), found.problems


def test_what_is_said_of_reacting_is_read_with_the_rest() -> None:
    """The shipped scenario says it; without it, nothing is asked."""
    assert read_reacting(load_scenario("ocs/look_first"), []) is not None
    assert read_reacting(load_scenario("ocs/two_overruns"), []) is None
    with pytest.raises(InputError):
        load_scenario("ocs/nowhere")
