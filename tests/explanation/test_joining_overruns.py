"""Of an overrun that is illegal as it is written, it is told who could join it."""

from __future__ import annotations

import pytest

import planner
from planner.cli.explanation_text import print_explanation
from planner.errors import OutOfTimeError
from planner.explanation.answer import Remedy
from planner.explanation.joining_overruns import joining
from planner.limits import Limits
from planner.plans.plan import Plan
from planner.referee.referee import Referee
from planner.scenario import load_scenario

SCENARIO = "a_world_at_war/through_the_line"


def who(move: str) -> list[Remedy]:
    scenario, plan = load_scenario(SCENARIO), Plan.parse(move)
    found = joining(scenario, plan, Referee(scenario.game).play(plan, scenario.start).violations, Limits())
    assert all(planner.check(scenario, one.plan).legal for one in found)
    return found


def test_one_who_makes_an_overrun_legal_is_named() -> None:
    """By hand: 6:1 must survive the support of fighters_1, so 12 to 2: with 9 an air unit of 3 does it."""
    assert [str(one) for one in who("panzer_2+panzer_3 F8-F9-G10-H10xI10")] == [
        "if luftflotte_1 supports the overrun of I10",
        "if luftflotte_2 supports the overrun of I10",
    ]


def test_nobody_is_named_where_two_are_not_enough() -> None:
    """By hand: 5 and two air units of 3 are 11 to 2, and nobody stands with panzer_4 in E12."""
    assert who("panzer_4 E12-F12-G13xH12") == []


def test_who_could_join_is_looked_for_until_somebody_stops_it() -> None:
    scenario, plan = load_scenario("a_world_at_war/through_the_line"), Plan.parse("panzer_4 E12-F12-G13xH12")
    limits = Limits()
    limits.stop.set()
    with pytest.raises(OutOfTimeError):
        joining(scenario, plan, Referee(scenario.game).play(plan, scenario.start).violations, limits)


def test_where_nobody_overruns_together_nobody_joins() -> None:
    scenario, plan = load_scenario("dai_senso/manchuria"), Plan.parse("plv w5525-w5425xw5426")
    assert joining(scenario, plan, Referee(scenario.game).play(plan, scenario.start).violations, Limits()) == []


def test_one_who_must_first_move_up_is_named() -> None:
    """By hand: 6:1 takes 6 to 1, and 4 + 2 are 6; the motorized corps stands beside L12, where the overrun sets out from."""
    found = planner.explain("a_world_at_war/rendezvous", "panzer L10-L11-L12xL13", time_limit=60)
    assert found.status == "with_help"
    [one] = [one for one in found.remedies if one.own]
    assert str(one) == "if motorized first moves to L12 and joins the overrun of L13"
    assert one.plan.lines == ["motorized M12-L12", "panzer L10-L11-L12", "panzer+motorized L12xL13"]
    assert planner.check("a_world_at_war/rendezvous", one.plan).legal


def test_where_nobody_is_known_to_join_the_proof_is_told_of_the_moves_as_they_are(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Infantry may not overrun at all; that it could join others would be another move."""
    print_explanation(planner.explain("a_world_at_war/rendezvous", "corps L11-L12xL13", time_limit=60))
    assert "Nothing that other units do makes it legal as it is written: proved." in capsys.readouterr().out


@pytest.mark.thorough
def test_two_are_named_where_one_is_not_enough_as_what_the_side_can_do_itself() -> None:
    """By hand: 12 to 2 is needed, and 5 + 4 + 3 are 12."""
    found = planner.explain(SCENARIO, "panzer_2 F8-F9-G10-H10xI10", time_limit=60)
    assert found.status == "with_help"
    own = [one for one in found.remedies if one.own]
    assert all(planner.check(SCENARIO, one.plan).legal for one in own)
    assert [(str(one), one.plan.lines) for one in own] == [
        (
            f"if luftflotte_{number} supports and panzer_3 joins the overrun of I10",
            [f"panzer_2+panzer_3 F8-F9-G10-H10xI10(luftflotte_{number})"],
        )
        for number in (1, 2)
    ]
