"""Whoever has stopped on an enemy's account waits in vain: what others do later comes too late, as both faces say."""

from __future__ import annotations

from pathlib import Path

import pytest

from planner.plans.plan import Plan
from planner.referee.referee import Referee
from planner.solver.plan_judge import judge
from tests.plain_game import OVERRUN, ZOC, Variant, build

STOP = ZOC + 'effects = [{ paragraph = "zoc", on = "enter", does = "stop", negatable = true }]\n'
STOP = STOP.replace(
    'exerted_by = { types = "guard" }', 'exerted_by = { types = "guard" }\nnegated_by = { units = "g" }'
)


@pytest.mark.parametrize(
    ("lines", "stopped"),
    [
        (["f 03.01-03.02", "g 03.04x03.03", "f 03.02-02.01"], True),
        (["g 03.04x03.03", "f 03.01-03.02", "f 03.02-02.01"], False),
        (["f 03.01-03.02", "g 03.04-04.03-04.02-03.02", "f 03.02-02.01"], True),
        (["g 03.04-04.03-04.02-03.02", "f 03.01-03.02", "f 03.02-02.01"], False),
    ],
    ids=["overrun later", "overrun before", "company later", "company before"],
)
def test_who_must_stop_goes_on_only_if_what_lets_it_came_before_it(
    lines: list[str], stopped: bool, tmp_path: Path
) -> None:
    variant = Variant(
        "wait",
        STOP + OVERRUN.replace("by = {}", 'by = { units = "g" }'),
        units=("foot f 03.01 9", "scout g 03.04 9"),
        enemies=("guard e 03.03 1",),
        turns="waiting = {}\n",
    )
    scenario, plan = build(variant, tmp_path), Plan.parse(lines)
    referee = {violation.key for violation in Referee(scenario.game).play(plan, scenario.start).violations}
    assert {violation.key for violation in judge(scenario, plan)} == referee
    assert (("zoc", "f", 2, 0, "03.02") in referee) is stopped
