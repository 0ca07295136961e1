"""A value that can't be had since some of what counts comes to too little, whatever is done."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

import planner
from planner.explanation.most_of_terms import most_of_terms
from planner.explanation.question import Question
from planner.explanation.term_limits import raised
from planner.limits import Limits
from planner.objective import Tier
from planner.objective.costs import UnitsMoved
from planner.objective.goals import End
from planner.scenario import Scenario, load_scenario
from tests.oracles.attack_games import attack, position


@pytest.mark.thorough
def test_a_value_is_out_of_reach_since_a_term_comes_to_too_little() -> None:
    """By hand: the three strongholds fall with 1/2, 2/3 and 1/2 at best, and each counts 3; all that counts would be 26."""
    found = planner.explain("classic_hex/three_battles", value=25, time_limit=None)
    assert (found.status, found.complete) == ("forbidden", True)
    assert [one.message for one in found.instances] == [
        "hold 0303 0803 1303 comes to at most 5 of 9, whatever is done",
        "with all else that the first tier counts it can't come to more than 22",
    ]


@pytest.mark.thorough
def test_only_the_terms_without_which_it_might_be_had_are_named_and_those_together_that_only_together_come_to_less() -> (
    None
):
    """By hand: 4 is lost by the strongholds, and 9 1/3 by their defenders; the villages, 7, can all be had by themselves.

    So the terms by themselves leave 12 2/3 possible. Who storms strongholds doesn't hold villages: 9 2/3 is the best.
    """
    scenario = load_scenario("classic_hex/three_battles")
    strongholds = "hold 0303 0803 1303 comes to at most 5 of 9, whatever is done"
    defenders = "eliminate e1 e2 f1 g1 g2 comes to at most ⅔ of 10, whatever is done"
    both = "hold 0303 0803 1303 and hold 0206 0307 0706 0906 1206 1307 1407"
    hexes = f"{both} come to at most 9 of 16 together, whatever is done"
    for value, named in ((25, [strongholds]), (13, [defenders, strongholds]), (12, [defenders, hexes])):
        reason = most_of_terms(scenario, Question(value=(Fraction(value),)))
        assert reason is not None
        assert [one.message for one in reason.instances[:-1]] == named
        assert reason.confirmed
    assert most_of_terms(scenario, Question(value=(Fraction(29, 3),))) is None
    alone = replace(scenario, tiers=(Tier(terms=scenario.tiers[0].terms[:1]),))
    reason = most_of_terms(alone, Question(value=(Fraction(6),)))
    assert reason is not None
    assert len(reason.instances) == 1


def _ends() -> Scenario:
    """Return a position where it counts that a ends in 0203, or 0301, and b in 0601, or in 0107, which is too far off."""
    scenario = position(attack(), {"a": ("4-4-4", "0102"), "b": ("3-2-4", "0702"), "e": ("2-2-4", "0707")})
    ends = [("a", "0203"), ("a", "0301"), ("b", "0601"), ("b", "0107")]
    terms = [End.model_validate({"kind": "end", "unit": unit, "at": label}) for unit, label in ends]
    tiers = (Tier(terms=tuple(terms)), Tier(terms=(UnitsMoved(kind="units_moved"),)))
    return replace(scenario, tiers=tiers)


def _told(value: str) -> list[str] | None:
    reason = most_of_terms(_ends(), Question(value=tuple(map(Fraction, value.split(",")))))
    return None if reason is None else [one.message for one in reason.instances]


def test_where_no_time_is_left_for_the_parts_what_proved_it_says_what_the_tier_comes_to_and_which_value_can_be_had() -> (
    None
):
    scenario, question = _ends(), Question(value=(Fraction(3),))
    assert question.relaxed(scenario).ask(None, second=True)[0] is False
    question.limits = Limits.within(0)
    reason = most_of_terms(scenario, question)
    assert reason is not None
    assert [one.message for one in reason.instances] == ["the first tier comes to at most 2, whatever is done"]
    assert (reason.minimal, reason.confirmed) == (True, False)
    assert [str(one) for one in raised(scenario, question)] == ["if value 2 were enough"]


def test_of_a_later_tier_of_one_term_it_is_told_what_it_comes_to_where_no_time_is_left_either() -> None:
    scenario, question = _ends(), Question(value=(Fraction(2), Fraction(0)))
    assert len(scenario.tiers[1].terms) == 1
    assert question.relaxed(scenario).ask(None, second=True)[0] is False
    question.limits = Limits.within(0)
    reason = most_of_terms(scenario, question)
    assert reason is not None
    [told] = reason.instances
    assert str(told).startswith("with 2 in the first tier, the second tier can't come to more than ")


def test_of_terms_that_leave_a_value_possible_one_by_one_it_is_told_what_as_few_as_do_come_to_together() -> None:
    """By hand: of four, one is out of reach; a ends in one hex, so that two are left. Both have to move for them."""
    far = "b ends in 0107 comes to at most 0 of 1, whatever is done"
    assert _told("4") == [far, "with all else that the first tier counts it can't come to more than 3"]
    both = "a ends in 0203 and a ends in 0301 come to at most 1 of 2 together, whatever is done"
    assert _told("3") == [far, both, "with all else that the first tier counts it can't come to more than 2"]
    assert _told("2") is None


def test_of_a_later_tier_it_is_told_what_it_comes_to_where_those_before_come_to_what_is_asked_for() -> None:
    assert _told("2,-1") == ["with 2 in the first tier, units moved comes to at most -2, whatever is done"]
    assert _told("2,-2") is None
    assert _told("1,3") is None  # where more than that may be had, what comes after doesn't matter


@pytest.mark.thorough
def test_what_attacks_come_to_together_is_told_exactly() -> None:
    """By hand: 0808 is empty, 0805 is held by two behind the river: 8 of 16. To attack on costs 1/2 on average, and more."""
    found = planner.explain("crossroads/bridge", value="109/6", time_limit=None)
    assert [one.message for one in found.instances] == [
        "strength that the enemy loses comes to at most 6 of 17, whatever is done",
        "control 0805 0808 and own strength lost by attacks come to at most 7½ of 16 together, whatever is done",
        "0706 0708 0805 0808 emptied by attacks comes to at most 4½ of 9, whatever is done",
        "with all else that the first tier counts it can't come to more than 18",
    ]
    assert str(found.remedies[0]) == "if value 17 1/6 were enough"


@pytest.mark.thorough
def test_a_value_that_dice_and_mp_forbid_together_is_explained_by_these() -> None:
    """By hand: armor alone, 8 to 4, gets through with 5/12 and goes on: of six tries one does with .961, of five with .932.

    Four times that is to be 137/36, 3.81. A try takes 3 MP, and the step on from there 1: 19 MP, of which armor has 7.
    """
    found = planner.explain("ocs/two_overruns", value="137/36", time_limit=60)
    dice = "can't be sure that its overrun of 10.11 goes through: dice decide"
    assert [one.message for one in found.instances] == [
        "armor can't pay for 10.10x10.11 with 7 MP",
        f"armor {dice}",
        f"mech {dice}",
    ]
    assert "if armor had 12 MP more" in map(str, found.remedies)
    assert found.complete


def test_of_a_later_tier_that_nothing_could_bring_to_so_much_it_is_said_what_it_can_come_to() -> None:
    found = planner.explain("dai_senso/puzzles/ring_road", value="1, 2", time_limit=20)
    [one] = found.instances
    assert str(one) == "with 1 in the first tier, the second tier can't come to more than 1, whatever is done"
    assert dict(one.claim.amounts) == {"most": 1, "needed": 2, "tier_1": 1}
    assert found.complete


def test_a_value_isn_t_had_by_a_move_after_which_somebody_must_attack_and_may_not() -> None:
    """In 0102, b must attack e, 1:5, which no column allows, and the objective looks at attacks: nobody ends there."""
    end = {"kind": "end", "unit": "b", "at": "0102"}
    scenario = position(
        attack(must_attack={}),
        {"b": ("1-1-1", "0101"), "e": ("5-5-1", "0103")},
        rows=". .\n. .\n. .",
        hexes={"0201": "lake", "0202": "lake"},
        tier=[{"terms": [end]}, {"terms": [{"kind": "enemy_losses"}]}],
    )
    assert planner.suggest(scenario).value == (0, 0)
    found = planner.explain(scenario, value=1)
    assert found.status == "forbidden"
    [[told]] = [reason.instances for reason in found.reasons]
    assert str(told) == "b ends in 0102 comes to at most 0 of 1, whatever is done"
    assert planner.explain(scenario, value=0).status == "possible"
