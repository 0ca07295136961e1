"""A value that can't be had since some of what counts comes to too little, whatever is done."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import planner
from planner.explanation.most_of_terms import most_of_terms
from planner.explanation.question import Question
from planner.objective import Tier
from planner.scenario import load_scenario


def test_a_value_is_out_of_reach_since_a_term_comes_to_too_little() -> None:
    """By hand: the three strongholds fall with 1/2, 2/3 and 1/2 at best, and each counts 3; all that counts would be 26."""
    found = planner.explain("classic_hex/three_battles", value=25, time_limit=None)
    assert (found.status, found.complete) == ("forbidden", True)
    assert [one.message for one in found.instances] == [
        "hold 0303 0803 1303 comes to at most 5 of 9, whatever is done",
        "with all else that the first tier counts it can't come to more than 22",
    ]


def test_only_the_terms_without_which_it_might_be_had_are_named_and_none_where_all_of_them_leave_it_possible() -> None:
    """By hand: 4 is lost by the strongholds, and 9 1/3 by their defenders; the villages, 7, can all be had by themselves."""
    scenario = load_scenario("classic_hex/three_battles")
    for value, named in ((Fraction(25), 1), (Fraction(13), 2), (Fraction(12), 0)):
        reason = most_of_terms(scenario, Question(value=(value,)))
        assert (0 if reason is None else len(reason.instances) - 1) == named
        assert reason is None or reason.confirmed
    alone = replace(scenario, tiers=(Tier(terms=scenario.tiers[0].terms[:1]),))
    reason = most_of_terms(alone, Question(value=(Fraction(6),)))
    assert reason is not None
    assert len(reason.instances) == 1
