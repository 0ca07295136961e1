"""Explaining what a scenario requires, where no goal is asked about beside it."""

from __future__ import annotations

from unittest.mock import patch

import planner
from planner.explanation.question import Question
from planner.explanation.relaxed_answers import RelaxedAnswers
from planner.limits import Limits
from planner.search.result import Result


def test_no_part_of_what_is_required_is_counted_where_a_search_gives_up_before_the_time_is_over() -> None:
    """A search ends a moment before its limit does; nothing is asked about of which as much as can be had could count."""
    told = planner.load("classic_hex/puzzles/open_door").to_dict()
    told = {key: part for key, part in told.items() if key not in ("verdict", "answer")}
    told["require"] = [{"kind": "eliminate", "units": "e"}]
    scenario = planner.Scenario.from_dict(told)
    question = Question(())
    answers = RelaxedAnswers(question, scenario)
    with patch("planner.search.search.best_plan", return_value=Result("unknown", 0.1)):
        assert answers._searched(scenario, Limits(), second=False) == (None, None)
