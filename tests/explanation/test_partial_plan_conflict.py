"""Why a partial plan can't be completed: what of it is in the way, and whether it is the hard requirements."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import planner
from planner.explanation.partial_plan_conflict import _Finder, find_conflict
from planner.objective.goals import Hold, Stay
from planner.plans.partial_plan import PartialPlan
from planner.scenario import Scenario, load_scenario
from tests.oracles.attack_games import attack, position
from tests.plain_game import Variant, build

MANCHURIA = "dai_senso/manchuria"


@pytest.mark.parametrize(
    ("lines", "items", "because"),
    [
        (["plv -> w5426", "inf stays"], ("plv -> w5426", "inf stays"), "if inf first moves to w5425"),
        (["inf -> w5526", "plv stays"], ("inf -> w5526",), "3.1"),
        (["plv w5525-w5425xw5426", "inf stays"], ("plv w5525-w5425xw5426", "inf stays"), "EZOC of kwantung4"),
    ],
)
@pytest.mark.thorough
def test_what_of_a_partial_plan_cannot_be_had_is_named_and_nothing_else(
    lines: list[str], items: tuple[str, ...], because: str
) -> None:
    """Without any one of the lines that are named the others can be had; the rule is that of the referee."""
    scenario = load_scenario(MANCHURIA)
    assert planner.complete(scenario, lines).status == "infeasible"
    conflict = find_conflict(scenario, PartialPlan.parse(lines))
    assert (conflict.items, conflict.minimal, conflict.requirements) == (items, True, False)
    for item in items:
        rest = [other for other in items if other != item]
        assert planner.complete(scenario, rest).plan is not None
    assert because in "\n".join(conflict.sentences())


def test_where_hard_requirements_are_to_blame_it_is_said_whether_they_can_be_had_at_all() -> None:
    hold = Hold(kind="hold", hexes=("w5425",))
    scenario = replace(load_scenario(MANCHURIA), requirements=(hold,))
    conflict = find_conflict(scenario, PartialPlan.parse(["inf stays", "plv stays"]))
    assert (conflict.items, conflict.requirements) == (("inf stays", "plv stays"), True)
    far = Hold(kind="hold", hexes=("w5626",))
    never = replace(load_scenario(MANCHURIA), requirements=(hold, far, Stay(kind="stay", units=("inf", "plv"))))
    assert find_conflict(never, PartialPlan.parse("inf stays")).items == ()


@pytest.mark.parametrize(
    ("lines", "items"),
    [
        (["b1 -> 0605", "no attacks"], ("b1 -> 0605", "no attacks")),
        pytest.param(
            ["b1 -> 0605", "b2 stays", "no attacks"], ("b1 -> 0605", "no attacks"), marks=pytest.mark.thorough
        ),
        (["b1 0405-0506-0605", "no other attacks"], ("b1 0405-0506-0605", "no attacks")),
    ],
)
def test_that_no_attacks_are_made_is_forbidden_by_what_says_that_one_must_be(
    lines: list[str], items: tuple[str, ...]
) -> None:
    """Beside the fort in 0706 b1 must attack (7.3); who stays where it is has nothing to do with it."""
    conflict = planner.complete("crossroads/bridge", lines).conflict
    assert conflict is not None
    assert (conflict.items, conflict.minimal) == (items, True)
    assert conflict.reasons[-1] == ("no attacks", ("7.3: b1 must attack: it is in the ZOC of r1",))


def test_dice_forbid_no_line_that_need_only_hold_if_all_goes_well() -> None:
    """Alone, mech may overrun the line and go on; who comes after another's overrun can't be sure that the line is gone."""
    lines = ("armor 10.10x10.11", "mech -> 10.12")
    conflict = planner.complete("ocs/two_overruns", lines).conflict
    assert conflict is not None
    assert conflict.items == lines
    [told] = [because for item, because in conflict.reasons if item == lines[1]]
    assert told == ("possible if rolls go well, and nothing else is settled: mech 10.10x10.11*2-10.12",)


def test_those_who_would_be_too_many_where_they_are_to_end_are_told_that() -> None:
    """Three may stand in a hex; each of the four may come to this one, so that nothing forbids any line by itself."""
    data = load_scenario(MANCHURIA).to_dict()
    [inf] = [unit for unit in data["unit"] if unit["id"] == "inf"]
    data["unit"] += [{**inf, "id": "third"}, {**inf, "id": "fourth", "at": "w5624", "values": "1-1-1"}]
    lines = [f"{unit} -> w5524" for unit in ("plv", "inf", "third", "fourth")]
    conflict = find_conflict(planner.Scenario.from_dict(data), PartialPlan.parse(lines))
    assert conflict.items == tuple(lines)
    assert conflict.reasons == ((lines[-1], ("Stacking: w5524 holds 4 units, at most 3 may stay",)),)


def test_a_line_after_which_somebody_must_attack_and_may_not_is_to_blame_alone() -> None:
    """In 0102, b must attack e, 1:5, which no column allows; where c goes is no matter. What is asked for are attacks."""
    units = {"b": ("1-1-1", "0101"), "c": ("1-1-1", "0401"), "e": ("5-5-1", "0103")}
    tier = [{"terms": [{"kind": "enemy_losses"}]}]
    scenario = position(attack(must_attack={}), units, rows="....\n....\n....", tier=tier)
    conflict = find_conflict(scenario, PartialPlan.parse(["b -> 0102", "c -> 0402"]))
    assert (conflict.items, conflict.minimal) == (("b -> 0102",), True)


def test_where_there_is_no_plan_at_all_no_line_is_to_blame(tmp_path: Path) -> None:
    """Without the line there is none, either: f has to move and has no MP, whatever s does."""
    duty = '[[rule]]\nid = "duty"\nkind = "obligation"\nparagraph = "duty"\nwho = { types = "foot" }\n'
    scenario = build(Variant("duty", duty, units=("foot f 03.01 0", "scout s 01.01 2")), tmp_path)
    conflict = find_conflict(scenario, PartialPlan.parse(["s -> 01.02"]))
    assert (conflict.items, conflict.requirements) == ((), False)
    assert conflict.sentences() == ["There is no plan at all, whatever is settled."]


def test_requirements_that_may_not_be_to_blame_are_not_called_so_for_certain(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where it got late before it was known whether the lines could be had without them."""
    can = _Finder._can

    def late(self: _Finder, scenario: Scenario, partial: PartialPlan) -> bool | None:
        return can(self, scenario, partial) if scenario.requirements else None

    monkeypatch.setattr(_Finder, "_can", late)
    scenario = replace(load_scenario(MANCHURIA), requirements=(Hold(kind="hold", hexes=("w5425",)),))
    conflict = find_conflict(scenario, PartialPlan.parse(["inf stays", "plv stays"]))
    assert (conflict.requirements, conflict.minimal) == (True, False)


@pytest.mark.parametrize(("path", "times"), [("02.01-02.03", 1), ("02.01-02.02", 2)])
def test_a_move_that_is_written_twice_is_to_blame_once_if_it_can_not_be_made_at_all(
    path: str, times: int, tmp_path: Path
) -> None:
    """Nobody leaps over a hex, nor moves twice."""
    scenario = build(Variant("plain", units=("foot a 02.01 3",)), tmp_path)
    conflict = find_conflict(scenario, PartialPlan.parse([f"a {path}"] * 2))
    assert (conflict.items, conflict.minimal) == ((f"a {path}",) * times, True)
