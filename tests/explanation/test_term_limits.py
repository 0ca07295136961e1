"""Which bounds could be others so that what is asked could be had: limits, what is to be had at least, values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

import planner
from planner.explanation.answer import Explanation
from planner.explanation.parse_question import read_goal, read_goals
from planner.explanation.question import Question
from planner.explanation.relaxation import Scope
from planner.explanation.relaxed_answers import LONGEST_PROBE, Answer, RelaxedAnswers
from planner.objective.costs import MpSpent
from tests.oracles.attack_games import attack, position
from tests.oracles.legal_plans import legal_plans
from tests.oracles.skirmishes import skirmish
from tests.plain_game import Variant, build

MANCHURIA = "dai_senso/manchuria"


def bounds(found: Explanation) -> list[tuple[str, bool]]:
    """Return what is said of bounds that could be others, with whether it is proved that no less does."""
    kinds = ("limit", "enough")
    return [(str(one), one.fewest) for one in found.remedies if any(change.kind in kinds for change in one.changes)]


@pytest.mark.thorough
def test_limits_of_which_none_is_to_blame_alone_are_raised_together_by_as_little_as_does_it() -> None:
    """inf, who spends 1 MP, holds the EZOC off plv, who overruns for 2."""
    scenario = planner.load(MANCHURIA)

    def asked(mp: int, units: int) -> Explanation:
        goals = [f"at most {mp} MP", f"at most {units} unit", "eliminate inf111"]
        return planner.explain(scenario, require=goals, time_limit=60)

    assert bounds(asked(2, 1)) == [("if 3 MP spent were allowed and 2 units moved were allowed", True)]
    assert bounds(asked(2, 2)) == [("if 3 MP spent were allowed", True)]
    assert bounds(asked(3, 1)) == [("if 2 units moved were allowed", True)]
    assert asked(3, 2).status == "possible"


@pytest.mark.thorough
def test_of_a_value_it_is_said_what_can_be_had() -> None:
    """The best is one enemy, for two units, 20, and 3 MP."""
    scenario = planner.load(MANCHURIA)
    assert bounds(planner.explain(scenario, value=3, time_limit=60)) == [("if value 1 were enough", True)]
    assert bounds(planner.explain(scenario, value="1, -22", time_limit=60)) == [("if value 1 / -23 were enough", True)]


@pytest.mark.thorough
def test_a_value_that_nothing_could_come_to_is_told_with_the_most() -> None:
    """Four hexes for 1 each and two for 2 each can all be held."""
    found = planner.explain("crossroads/start", value=40, time_limit=60)
    assert [str(one) for one in found.instances] == ["the first tier can't come to more than 8, whatever is done"]
    assert bounds(found) == [("if value 8 were enough", True)]


@pytest.mark.thorough
def test_of_what_is_to_be_had_at_least_it_is_said_how_much_can_be() -> None:
    """Together they attack at 3:1: of six results two leave the defender there."""
    scenario = position(attack(), {"a": ("4-4-4", "0302"), "b": ("3-2-4", "0202"), "e": ("2-2-4", "0303")})
    found = planner.explain(scenario, require="empty 0303 with 5/6", time_limit=60)
    assert bounds(found) == [("if 0303 emptied with a probability of 2/3 were enough", True)]


JOINED = "at most 2 MP and eliminate inf111"


def test_goals_that_are_joined_in_words_or_as_data_are_those_that_are_asked_for_one_by_one() -> None:
    scenario = planner.load(MANCHURIA)
    data = '{kind = "together", goals = [{kind = "mp_spent", most = 2}, {kind = "eliminate", units = "inf111"}]}'
    alone = [goal for text in JOINED.split(" and ") for goal in read_goals(scenario, text)]
    assert read_goals(scenario, JOINED) == read_goals(scenario, data) == alone
    with pytest.raises(planner.InputError, match=r"no unit has the id 'x'[\s\S]*hex 'y' is not on the map"):
        read_goals(scenario, "x at most 1 MP and plv to y")


def test_places_to_be_controlled_are_asked_for_in_words() -> None:
    [goal] = read_goals(planner.load(MANCHURIA), "control w5427 w5426")
    assert (goal.kind, goal.describe()) == ("control", "control w5427 w5426")


@pytest.mark.thorough
def test_goals_that_a_scenario_requires_together_have_the_remedies_of_each() -> None:
    """Two units spend 3 MP."""
    scenario = planner.load(MANCHURIA)
    required = replace(scenario, requirements=(read_goal(scenario, JOINED),))
    assert bounds(planner.explain(required, time_limit=60)) == [("if 3 MP spent were allowed", True)]
    assert bounds(planner.explain(scenario, require=JOINED, time_limit=60)) == [("if 3 MP spent were allowed", True)]


def test_more_units_that_have_to_move_than_a_limit_allows_are_settled_by_counting_them() -> None:
    """By hand: two who are elsewhere end in two hexes, or in one; who stands where it is to end needn't move."""
    scenario = planner.load("classic_hex/composed/y_in_0407")
    found = planner.explain(scenario, require=["x to 0405", "y to 0506", "at most 1 unit"], time_limit=60)
    assert [one.message for one in found.instances] == ["at most 1 unit moved, as is asked"]
    assert found.complete
    home = scenario.game.homes["x"]

    def overfull(*goals: str) -> bool:
        return Question(tuple(goal for text in goals for goal in read_goals(scenario, text))).overfull(scenario)

    assert overfull("x to 0405", "y to 0405", "at most 1 unit")
    assert overfull("hold 0405", "hold 0506", "at most 1 unit")
    assert not overfull("hold 0405", "y to 0405", "at most 1 unit")  # it may be y who holds it
    assert not overfull(f"x to {home}", "y to 0405", "at most 1 unit")
    assert not overfull("x to 0405", "y to 0506", "at most 2 units")


def test_who_may_move_where_a_limit_leaves_nobody_else_a_move_is_told_by_those_who_have_to() -> None:
    scenario = planner.load("classic_hex/composed/y_in_0407")
    home = scenario.game.homes["x"]

    def movers(*goals: str) -> tuple[str, ...] | None:
        return Question(tuple(goal for text in goals for goal in read_goals(scenario, text))).movers_in(scenario)

    assert movers("x to 0405", "at most 1 unit") == ("x",)
    assert movers("x to 0405", "y to 0506", "at most 2 units") == ("x", "y")
    assert movers("at most 0 units") == ()
    assert movers("x to 0405") is movers("x to 0405", "at most 2 units") is None
    assert movers(f"x to {home}", "at most 1 unit") is None  # it needn't move
    assert set(movers("hold 0405", "at most 1 unit") or ()) == set(scenario.game.friends)  # it may be anybody


# Of the first dozen those with few plans in which a limit leaves some unit no move.
@pytest.mark.parametrize("seeds", [(2, 5), pytest.param((7, 10), marks=pytest.mark.thorough)])
def test_plans_that_keep_a_limit_move_nobody_but_those_who_may(seeds: tuple[int, ...]) -> None:
    """Against every legal plan: some of those who may move nobody else's move could be beside."""
    bound = 0
    for seed in seeds:
        scenario, rng = skirmish(seed)
        if len(own := scenario.game.sorted(scenario.game.friends & scenario.start.at.keys())) < 2:
            continue
        one, other = rng.sample(own, 2)
        for goals in (
            f"{one} to {rng.choice(sorted(scenario.game.board.hexes))} and at most 1 unit",
            "at most 0 units",
        ):
            question = Question(tuple(read_goals(scenario, goals)))
            able = question.movers_in(scenario)
            if able is None or other in able:
                continue
            plans = [plan for plan in legal_plans(scenario) if question.fulfilled(scenario, plan)]
            assert all(set(able).issuperset(move.units) for plan in plans for move in plan.moves)
            bound += bool(plans)
    assert bound >= 2


@pytest.mark.thorough
def test_of_24_units_of_which_one_may_move_what_keeps_that_one_is_told() -> None:
    """By hand: inf4 stands in the other way to G2, and the forest in F2 ends the move; round both it is too far."""
    found = planner.explain("great_war/over_the_top", require=["inf2 to G2", "at most 1 unit"], time_limit=None)
    assert found.complete
    assert {(one.rule, one.unit, one.hex) for one in found.instances if one.unit is not None} == {
        ("one_unit_a_hex", "inf2", "G3"),
        ("hard_going", "inf2", "F2"),
        ("distance", "inf2", None),
    }


def test_a_limit_that_is_not_known_to_be_needed_is_told_and_the_set_is_not_called_minimal(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """By hand: f, of MA 9, spends 2 MP on its way to 03.03, so that the limit is needed, seen in time or not."""
    scenario = build(Variant("plain"), tmp_path)

    def reason() -> tuple[list[str], bool]:
        [found] = planner.explain(scenario, require=["f to 03.03", "at most 1 MP"], time_limit=None).reasons
        return [one.message for one in found.instances], found.minimal

    told = ["at most 1 MP spent, as is asked", "f has to pay for its steps, and what is paid counts"]
    assert reason() == (told, True)
    possible = RelaxedAnswers.possible

    def late(self: RelaxedAnswers, scopes: Sequence[Scope], work: float = LONGEST_PROBE) -> Answer:
        limited = any(isinstance(goal, MpSpent) for goal in self.question.goals)
        return possible(self, scopes, work) if limited else (None, None)

    monkeypatch.setattr(RelaxedAnswers, "possible", late)
    assert reason() == (told, False)
