"""Whose overrun has failed doesn't go on where that is the rule, though units may wait, and go on with their moves later."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

import planner
from planner.plans.plan import Plan
from planner.referee.referee import Referee
from planner.scenario import Scenario
from tests.plain_game import FORCES, JOINT, LIMIT, SHUT, placed, write_model

AWAY = "a 03.02x03.03-03.02", "a 03.02-03.01"


def tempted(after_failure: str, folder: Path) -> Scenario:
    """Return a position in which a, with 3 MP, may eliminate e, at 1/2, and is wanted in 03.01, which counts as much."""
    rules = SHUT + JOINT + f'after_failure = "{after_failure}"\n'
    model = write_model(folder / "game", rules, turns="waiting = {}\n")
    units = [
        {"id": unit, "side": side, "type": "foot", "values": "1-3", "at": at}
        for unit, side, at in (("a", "south", "03.02"), ("e", "north", "03.03"))
    ]
    goals = [{"kind": "eliminate", "units": "e"}, {"kind": "end", "unit": "a", "at": "03.01"}]
    return placed(model, {"03.01 03.02 03.03": "plain"}, units, tier=[{"terms": goals}])


FAILED = "overrun: if the overrun of 03.03 fails, a must stop in 03.02: its overrun of 03.03 has failed"


@pytest.mark.parametrize(("after_failure", "told"), [("over", [FAILED]), ("go_on", [])])
def test_a_move_after_an_overrun_that_has_failed_is_illegal_unless_units_go_on(
    after_failure: str, told: list[str], tmp_path: Path
) -> None:
    scenario = tempted(after_failure, tmp_path)
    assert [str(one) for one in Referee(scenario.game).play(Plan.parse(AWAY), scenario.start).violations] == told


def test_what_cannot_be_done_after_a_failure_counts_for_nothing(tmp_path: Path) -> None:
    """Either of both counts 1, or 1/2 for both."""
    found = planner.suggest(tempted("over", tmp_path))
    assert (found.status, found.value) == ("optimal", (1,))


def test_where_units_go_on_after_a_failure_both_may_be_had(tmp_path: Path) -> None:
    """1/2 and 1: whoever has failed has MP left."""
    scenario = tempted("go_on", tmp_path)
    verdict = Referee(scenario.game).play(Plan.parse(AWAY), scenario.start)
    assert verdict.chance_to_end("a", ("03.01",)) == 1
    assert [dict(one.tally.mp) for one in verdict.outcomes] == [{"a": 2}, {"a": 3}]
    assert {one.probability for one in verdict.outcomes} == {Fraction(1, 2)}


@pytest.mark.parametrize(
    ("attackers", "told"), [(1, "01.02 fails"), (2, "01.02 (twice) fails"), (3, "01.02 (3 times) fails")]
)
def test_a_hex_that_is_fought_for_in_vain_more_than_once_is_named_once(
    attackers: int, told: str, tmp_path: Path
) -> None:
    """Each of them is back in 01.01 if e stays: all are one too many there; "01.02 and 01.02" was told."""
    table = 'columns = [{ from_percent = -100, entries = [[0, 0], [0, 1]] }]\neliminated_to = [{ box = "dead" }]\n'
    rules = f'[[rule]]\nid = "fight"\nkind = "combat_on_entry"\nparagraph = "fight"\ndemoralized = "shaken"\n{table}'
    rules += LIMIT + f'when = "phase"\nphases = "day"\nlimits = [{{ units = {attackers} }}]\n'
    model = write_model(tmp_path / "game", rules, FORCES + 'unit_traits = { shaken = "Shaken" }\n')
    own = [(f"u{number}", "south", "01.01") for number in range(attackers + 1)]
    units = [
        {"id": id, "side": side, "type": "foot", "values": "2-1", "at": at}
        for id, side, at in (*own, ("e", "north", "01.02"))
    ]
    scenario = placed(model, {"01.01 01.02 01.03": "plain"}, units)
    plan = Plan.parse([f"u{number} 01.01x01.02" for number in range(attackers)])
    [violation] = Referee(scenario.game).play(plan, scenario.start).violations
    held = f"01.01 holds {attackers + 1} units, at most {attackers} may stay"
    assert str(violation) == f"stacking: if the combat for {told}, {held}"
