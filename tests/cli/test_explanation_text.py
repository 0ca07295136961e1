"""Explanations as players read them."""

from __future__ import annotations

from planner.cli.explanation_text import _lines
from planner.explanation.answer import Instance


def test_what_a_rule_says_of_several_units_in_the_same_words_is_said_once() -> None:
    due = [
        Instance("due", "3.1", one, "0809", (), f"{one} can't enter now: it is due in turn 3") for one in ("b9", "b")
    ]
    rest = [
        Instance("rest", "3.3", one, label, (), f"{one} may not enter {label}: nobody else moves")
        for one, label in (("a", "0508"), ("b", "0506"), ("c", "0508"))
    ]
    later = Instance("due", "3.1", "bm2", "0809", (), "bm2 can't enter now: it is due in turn 2")
    assert list(_lines([*due, later, *rest])) == [
        "3.1: b9 can't enter now: it is due in turn 3 (0809); likewise for b",
        "3.1: bm2 can't enter now: it is due in turn 2 (0809)",
        "3.3: a may not enter 0508: nobody else moves; likewise for b (0506) and c",
    ]
