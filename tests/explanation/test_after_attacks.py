"""What is explained of a phase in progress: after moves, and once attacks have been declared, or made."""

from __future__ import annotations

import pytest

import planner
from planner.cli.explanation_text import print_explanation
from planner.explanation.after_attacks import undeclared
from planner.explanation.without_rules import DICE, EVEN_SO, NO_WAY_LEFT
from planner.referee.referee import Referee
from planner.scenario import Scenario
from tests.oracles.attack_games import attack, position

IN_TWO_HEXES = f"b ends in 0606 and b ends in 0101 can't be had together, {EVEN_SO}"
UNITS = {"a": ("4-4-4", "0302"), "b": ("3-2-4", "0202"), "e": ("2-2-4", "0303")}


def declared() -> Scenario:
    """Return a position in which a's attack has been declared; b may not join it."""
    return position(attack(), UNITS).after(["a -> 0303"])


def told(found: planner.Explanation) -> list[str]:
    """Return what the reasons say, in order."""
    return [str(one) for reason in found.reasons for one in reason.instances]


def test_once_attacks_have_been_declared_moves_are_forbidden_for_that_alone() -> None:
    found = planner.explain(declared(), ["b 0202-0201"], time_limit=20)
    assert (found.status, found.complete, found.remedies) == ("forbidden", True, ())
    assert told(found) == ["7: b may not move: attacks have been declared (0202)"]
    assert [(one.confirmed, one.minimal) for one in found.reasons] == [(True, True)]


def test_once_attacks_have_been_declared_a_destination_is_where_the_unit_stands() -> None:
    assert planner.explain(declared(), "b to 0202", time_limit=20).status == "possible"
    found = planner.explain(declared(), "b to 0101", time_limit=20)
    assert (found.question, found.status, found.complete) == ("b to 0101 by moves", "forbidden", True)
    assert told(found) == ["7: b may not move: attacks have been declared (0202)"]
    assert found.instances[0].claim.kind == "breaks"


@pytest.mark.parametrize(
    ("goal", "said"),
    [
        ("hold 0101", "7: nobody moves any more: attacks have been declared"),
        # 4 against 2 is 2:1, in whose column three rolls in six empty the hex; with b it would be 3:1, and four in six.
        (
            "empty 0303 with 2/3",
            "7: nobody moves any more: attacks have been declared, and what can still be rolled doesn't come to it",
        ),
    ],
)
def test_once_attacks_have_been_declared_goals_are_forbidden_since_nobody_moves(goal: str, said: str) -> None:
    found = planner.explain(declared(), require=[goal], time_limit=20)
    assert (found.status, told(found)) == ("forbidden", [said])


def test_a_limit_that_has_been_exceeded_is_the_reason_though_nobody_moves() -> None:
    now = position(attack(), UNITS).after(["b 0202-0201", "a -> 0303"])
    found = planner.explain(now, require=["at most 1/2 MP"], time_limit=20)
    assert (found.status, told(found)[0]) == ("forbidden", "at most ½ MP spent, as is asked")


def test_what_would_have_to_be_different_counts_what_has_been_spent() -> None:
    """b3 has 3 of its 4 MP left; three clear hexes and a wood cost 5."""
    now = planner.load("crossroads/start").after(["b3 0405-0406"])
    found = planner.explain(now, ["b3 0406-0407-0408-0409-0410"], time_limit=20)
    assert [str(remedy) for remedy in found.remedies] == ["if b3 had 2 MP more"]
    found = planner.explain(now, "b3 to 0410", time_limit=60)
    assert told(found) == ["4.2: b3 can't pay for 0406-0407-0408-0409-0410 with the 3 MP that it has left"]
    assert [str(remedy) for remedy in found.remedies] == ["if b3 had 2 MP more"]


def test_who_is_gone_in_a_phase_in_progress_leaves_all_else_as_it_is() -> None:
    from planner.explanation.answer import Change
    from planner.explanation.scenario_changes import changed

    now = planner.load("crossroads/start").after(["b3 0405-0406"])
    other = changed(now, [Change("gone", "r1")])
    assert "r1" not in other.start.at
    assert "r1" in now.start.at
    assert other.start.under_way == now.start.under_way
    assert not Referee(other.game).play(planner.Plan.parse(["b3 0406-0407-0408-0409-0410"]), other.start).legal


def test_what_could_not_be_had_before_attacks_were_declared_either_is_told_with_what_forbade_it() -> None:
    """0606 is six steps from 0202 and five from 0302; both have 4 MP."""
    found = planner.explain(declared(), "b to 0606", time_limit=20)
    now, before = found.reasons
    assert (found.complete, now.before_attacks, before.before_attacks) == (True, False, True)
    assert [one.message for one in now.instances] == ["b may not move: attacks have been declared"]
    [one] = before.instances
    assert one.message.startswith("b can't pay for ")
    assert planner.explain(undeclared(declared()), "b to 0606", time_limit=20).instances == (one,)
    found = planner.explain(declared(), require="hold 0606", time_limit=20)
    assert [{one.unit for one in reason.instances} for reason in found.reasons] == [{None}, {"a", "b"}]


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("now", "clash"), [(undeclared(declared()), [IN_TWO_HEXES]), (declared(), [])], ids=["before", "after"]
)
def test_what_no_game_without_rules_allows_is_blamed_on_nobody_moving_no_more_than_on_what_has_been_done(
    now: Scenario, clash: list[str]
) -> None:
    """Nobody ends in two hexes; 7 against 2 is 3:1, in whose column two rolls in six leave e where it is."""
    found = planner.explain(now, require=["b to 0606", "b to 0101"], time_limit=20)
    assert (found.status, found.complete, told(found)) == ("forbidden", True, clash)
    found = planner.explain(now, require=["empty 0303 with 1"], time_limit=20)
    assert (found.status, found.complete, told(found)) == ("forbidden", True, [DICE])


def test_what_has_been_done_is_to_blame_for_what_could_be_had_at_first() -> None:
    """Who has been eliminated ends nowhere."""
    now = position(attack(), UNITS).after(["a -> 0303=AE"])
    found = planner.explain(now, require=["a to 0101"], time_limit=20)
    assert (found.status, told(found)) == ("forbidden", [NO_WAY_LEFT])


def test_nothing_else_is_said_to_do_as_well_where_nothing_else_was_tried(capsys: pytest.CaptureFixture[str]) -> None:
    found = planner.explain(declared(), require=["empty 0303 with 1"], time_limit=20)
    print_explanation(found)
    text = capsys.readouterr().out
    assert "if 0303 emptied with a probability of 1/2 were enough" in text
    assert "may do as well" not in text
