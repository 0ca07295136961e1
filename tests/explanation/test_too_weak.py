"""Who is too weak for an overrun, and who isn't: where just enough is enough, and others have moved, or tried, before."""

from __future__ import annotations

from pathlib import Path

import pytest

import planner
from planner.explanation.too_weak import beyond_the_table, never_sure_to_go, too_weak
from planner.plans.plan import Plan
from planner.rules.combat_roles import JointlyOverruns
from planner.scenario import Scenario
from tests.plain_game import JOINT, SHUT, placed, write_model

TABLE = JOINT.replace("}]", '}, { odds = "3:1", chance = 1 }]', 1)
SUPPORTED = TABLE + 'support = { paragraph = "support", units = { types = "guard" }, range = 1 }\n'
WAITING = "waiting = {}\n"


def at_odds(folder: Path, *units: str, rules: str = TABLE, turns: str = WAITING) -> Scenario:
    """Return a row of four hexes with an enemy of strength 1 in the second, and units such as "a foot 3-1 03.01"."""
    entries = [{"id": "e", "side": "north", "type": "foot", "values": "1-0", "at": "03.02"}]
    for id_, kind, values, at in map(str.split, units):
        entries.append({"id": id_, "side": "south", "type": kind, "values": values, "at": at})
    model = write_model(folder / "any_game", rules + SHUT, turns=turns)
    return placed(model, {"03.01 03.02 03.03 03.04": "plain"}, entries)


def told(scenario: Scenario) -> tuple[bool, bool]:
    """Return whether the enemy is never sure to go, and whether no roll helps."""
    [rule] = scenario.game.rulebook.of(JointlyOverruns)
    return never_sure_to_go(scenario.game, ["e"]), beyond_the_table(scenario.game, rule, "03.02")


@pytest.mark.parametrize(("strength", "known"), [(3, (False, False)), (2, (True, False)), (1, (True, False))])
def test_who_comes_just_to_the_odds_is_not_too_weak(strength: int, known: object, tmp_path: Path) -> None:
    """3:1 is sure, 1:1 is the least that is tried."""
    scenario = at_odds(tmp_path, f"a foot {strength}-1 03.01")
    assert told(scenario) == known
    found = planner.explain(scenario, require="eliminate e", time_limit=20)
    assert (found.status == "possible") is not known[0]  # type: ignore[index]


def test_who_has_moved_and_may_wait_may_still_take_part(tmp_path: Path) -> None:
    """By hand: once b, which has moved, has gone on to 03.01, a and b come to 3:1 together."""
    scenario = at_odds(tmp_path, "a foot 2-2 03.01", "b foot 1-2 03.03", turns="stacks = true\n" + WAITING)
    assert told(scenario.after(Plan.parse("b 03.03-03.04"))) == (False, False)


@pytest.mark.parametrize(("after", "known"), [("over", (True, True)), ("go_on", (False, False))])
def test_who_may_try_again_is_not_told_that_it_is_too_late(after: str, known: object, tmp_path: Path) -> None:
    rules = f'{TABLE}after_failure = "{after}"\n'
    scenario = at_odds(tmp_path, "a foot 2-3 03.01", "b foot 2-3 03.03", rules=rules)
    failed = scenario.after(Plan.parse("a 03.01!03.02"))
    assert told(failed) == known
    [rule] = scenario.game.rulebook.of(JointlyOverruns)
    weak = too_weak(failed.game, rule, "03.02")
    assert ("nobody can try 03.02 again" in (weak.message if weak else "")) is known[0]  # type: ignore[index]


def test_whose_support_may_come_counts(tmp_path: Path) -> None:
    """By hand: 2:1 by a alone, 3:1 with the guard, which stands beside the enemy."""
    units = "a foot 2-1 03.01", "g guard 1-1 03.03"
    alone = "most_units = 1\n"
    assert told(at_odds(tmp_path, *units, rules=SUPPORTED + alone)) == (False, False)
    assert told(at_odds(tmp_path, *units, rules=TABLE + alone)) == (True, False)


def test_who_takes_part_in_an_overrun_does_not_support_it_too(tmp_path: Path) -> None:
    """By hand: g comes to 2:1 alone, and with a, which only takes part, to 3:1; each counts once, whatever it may do."""
    guard = at_odds(tmp_path, "g guard 2-1 03.01", rules=SUPPORTED)
    assert told(guard) == (True, False)
    [rule] = guard.game.rulebook.of(JointlyOverruns)
    weak = too_weak(guard.game, rule, "03.02")
    assert weak is not None
    assert "would come to 2 to 1, and dice decide" in weak.message
    assert told(at_odds(tmp_path, "g guard 2-1 03.01", "a foot 1-1 03.01", rules=SUPPORTED)) == (False, False)


def test_where_one_unit_overruns_alone_the_strongest_is_not_called_together(tmp_path: Path) -> None:
    scenario = at_odds(tmp_path, "a foot 2-1 03.01", "b foot 1-1 03.03", rules=TABLE + "most_units = 1\n")
    [rule] = scenario.game.rulebook.of(JointlyOverruns)
    weak = too_weak(scenario.game, rule, "03.02")
    assert weak is not None
    assert weak.message.endswith(": the strongest alone would come to 2 to 1, and dice decide")
