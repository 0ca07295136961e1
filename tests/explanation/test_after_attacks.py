"""What is explained of a phase in progress: after moves, and once attacks have been declared, or made."""

from __future__ import annotations

import pytest

import planner
from planner.referee.referee import Referee
from planner.scenario import Scenario
from tests.oracles.attack_games import attack, position

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
        # 4 against 2 is 2:1, in whose column nothing eliminates the defender but an exchange, one roll in six.
        (
            "empty 0303 with 1",
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
    assert (found.status, told(found)[0]) == ("forbidden", "at most 1/2 MP spent, as is asked")


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
