"""What is wrong with many steps of a move, or many units of a stack, as players read it."""

from __future__ import annotations

import planner
from planner.referee.told_together import told_together
from planner.referee.verdict import Verdict


def told_of(verdict: Verdict) -> list[str]:
    return [str(one) for one in told_together(verdict)]


def test_what_is_the_same_of_several_steps_but_for_the_hexes_is_said_once() -> None:
    verdict = planner.check("a_world_at_war/through_the_line", "luftflotte_2 D13-E13-F13-G13-H13")
    assert told_of(verdict) == [
        "13.31: luftflotte_2 may not enter E13: air units stage before ground units move; likewise in F13, G13 and H13",
        "13.411: luftflotte_2 must stop in E13: its first hex cost more than its MA",
        "13.41: luftflotte_2 can't pay for F13: remaining MA 0, cost 1; likewise in G13 and H13",
    ]
    assert len(verdict.to_dict()["violations"]) == 8


def test_a_hex_that_is_entered_once_more_is_said_to_be() -> None:
    verdict = planner.check("dai_senso/composed/beach_aus_in_e2106", "beach_aus e2605-e2606-e2605-e2606-e2605")
    told = told_of(verdict)
    assert "3.1.1: beach_aus can't pay for e2605: remaining MA 0, cost 1; likewise in e2606 and e2605 again" in told
    assert len(told) == 4


def test_what_differs_in_more_than_the_hexes_is_said_step_by_step() -> None:
    verdict = planner.check("dai_senso/manchuria", "plv w5525-w5526-w5527-w5528-w5427-w5426-w5425")
    stops = [line for line in told_of(verdict) if "must stop" in line]
    assert len(stops) == 4  # each for other enemies
    assert not any("likewise" in line for line in stops)


PATH = "17.15-18.14-19.15-20.15-21.15-22.14-23.15-24.14-25.14-26.13-27.14-28.14-29.14-30.13-31.14-32.14"


def test_what_is_the_same_of_all_units_of_a_stack_is_said_once() -> None:
    verdict = planner.check("ocs/breakthrough", f"moto04+moto05+moto06 {PATH}")
    assert told_of(verdict) == [
        "6.3b: moto04 must stop in 30.13: EZOC of div01; likewise moto05 and moto06",
        "6.3b: moto04 must stop in 31.14: EZOC of div01 and div02; likewise moto05 and moto06",
    ]
    assert len(verdict.violations) == 6
