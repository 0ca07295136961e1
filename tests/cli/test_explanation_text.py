"""Explanations as players read them."""

from __future__ import annotations

from fractions import Fraction

import pytest

import planner
from planner.cli.explanation_text import _lines, print_explanation
from planner.explanation.answer import Change, Explanation, Instance, Kind, Reason, Remedy
from planner.explanation.claim import Claim
from planner.explanation.unnamed import NOT_TRIED, Unnamed
from planner.explanation.wording import _in_general
from planner.plans.plan import Plan
from planner.rules.kinds.combat_on_entry import CombatOnEntry


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
        "3.3: a may not enter 0508: nobody else moves; likewise for b in 0506 and for c",
    ]


def test_hexes_in_which_the_same_is_said_of_a_unit_are_named_behind_it() -> None:
    moved = [
        Instance("way", "3.1.4", unit, label, (), f"{unit} may not go on by sea: it has moved by land")
        for unit, label in (("a", "0303"), ("a", "0304"), ("b", "0303"), ("b", "0304"), ("a", "0305"))
    ]
    sea = [Instance("sea", "3.2", "a", label, (), f"a can't enter {label}: all sea") for label in ("0101", "0102")]
    assert list(_lines([moved[0], moved[2], *sea])) == [
        "3.1.4: a may not go on by sea: it has moved by land (0303); likewise for b",
        "3.2: a can't enter 0101: all sea; likewise in 0102",
    ]
    assert list(_lines(moved)) == [
        "3.1.4: a may not go on by sea: it has moved by land (0303); likewise in 0304, 0305 and for b in 0303, 0304"
    ]


def test_what_is_said_of_others_is_true_of_them_too() -> None:
    """That one is there whom it doesn't help was said of that one, too: "which a there doesn't negate; likewise for a"."""

    def stops(unit: str, there: str) -> Instance:
        said = f", which {there} there doesn't negate: nobody does (zoc)" if there else ""
        return Instance("zoc", "zoc", unit, "02.02", ("e",), f"{unit} must stop in 02.02: EZOC of e{said}")

    b, s, a = stops("b", "a"), stops("s", "b"), stops("a", "")
    assert list(_lines([b, s, a])) == ["zoc: a must stop in 02.02: EZOC of e; likewise for b and for s [e]"]
    assert list(_lines([b, s])) == [
        "zoc: b must stop in 02.02: EZOC of e, which a there doesn't negate: nobody does (zoc); likewise for s [e]"
    ]
    assert list(_lines([s, b])) == [f"{s} [e]", f"{b} [e]"]


def test_figures_of_one_unit_are_not_told_of_another() -> None:
    """Of c, whose strength is 3, it was said that it is "likewise" 2 to 2."""

    def weak(unit: str, attack: int) -> Instance:
        claim = Claim("breaks", amounts=(("attack", Fraction(attack)), ("defense", Fraction(2))))
        said = f"{unit} can't overrun 02.02: {attack} to 2 is less than 2:1"
        return Instance("jo", "10", unit, "02.02", ("k",), said, claim=claim)

    assert list(_lines([weak("b", 2), weak("c", 3), weak("d", 2)])) == [
        "10: b can't overrun 02.02: 2 to 2 is less than 2:1; likewise for d [k]",
        "10: c can't overrun 02.02: 3 to 2 is less than 2:1 [k]",
    ]


def test_what_names_no_unit_is_said_once() -> None:
    told = "no overruns in this phase"
    none = [
        Instance("over", "3.2", unit, "0303", (), words) for unit, words in (("a", told), ("b", f"{told}, for b too"))
    ]
    assert list(_lines(none)) == [f"3.2: {told} (0303)"]


def test_a_word_that_means_hexes_is_no_name_of_one() -> None:
    """The second hex was lost: its sentence was taken for one that names it."""
    told = "a can't pay for it; the one hex in any case is not for overruns"
    dear = [Instance("mp", "3.1", "a", label, (), told) for label in ("0303", "0304")]
    assert list(_lines(dear)) == [f"3.1: {told} (0303); likewise in 0304"]


def test_what_stands_on_one_line_is_not_told_as_several_things_together(capsys: pytest.CaptureFixture[str]) -> None:
    told = [Instance("gaps", "7.6", unit, "0306", (), "the enemy in 0306 can't be eliminated") for unit in ("a", "b")]
    print_explanation(Explanation("goal", "hold 0306", "forbidden", None, reasons=(Reason(tuple(told), True, True),)))
    assert "Forbidden:\n  7.6: the enemy in 0306 can't be eliminated\n" in capsys.readouterr().out


REASON = Reason((Instance("bog", "4.5", "tank", "E3", (), "tank may bog down in E3: dice decide"),), True, True)


@pytest.mark.parametrize(
    ("kind", "beside", "last"),
    [
        ("goal", Unnamed(), "No change is known that would make it possible; that there is none isn't proved."),
        ("moves", Unnamed(), "No change is known that would make it possible; that there is none isn't proved."),
        ("goal", Unnamed(none=True), "None of the changes that were tried, to what is named above, makes it possible."),
        ("goal", NOT_TRIED, "  4.5: tank may bog down in E3: dice decide"),
        ("attack", Unnamed(), "Nothing that other units do makes it possible: proved."),
    ],
)
def test_what_is_impossible_ends_with_what_is_known_of_changes_unless_none_was_tried(
    kind: Kind, beside: Unnamed, last: str, capsys: pytest.CaptureFixture[str]
) -> None:
    print_explanation(Explanation(kind, "hold E4", "forbidden", None, (REASON,), beside_changes=beside))
    assert capsys.readouterr().out.splitlines()[-1] == last


def test_that_many_units_cannot_pay_for_their_ways_to_a_hex_is_one_line() -> None:
    def unpaid(unit: str, way: str, told: str, paragraph: str = "13.41") -> Instance:
        claim = Claim("breaks", Plan.parse([f"{unit} {way}"]))
        return Instance("costs", paragraph, unit, None, (), f"{unit} can't pay for {told} with 3 MP", claim=claim)

    a, b = unpaid("a", "A1-A2-A3", "A1-A2-A3"), unpaid("b", "B1-A2-A3", "any way from B1 to A3")
    c, far = unpaid("c", "C1-B2-A3", "the way round, C1-B2-A3,"), unpaid("c", "C1-C2", "C1-C2")
    stopped = Instance("costs", "13.41", "d", None, (), "d can't pay for A3: remaining MA 0, cost 1")
    other = unpaid("e", "A4-A3", "A4-A3", "13.6")
    assert list(_lines([a, b, stopped, c, far, other])) == [
        "13.41: a can't pay for A1-A2-A3 with 3 MP; nor can b and c pay for theirs to A3",
        "13.41: d can't pay for A3: remaining MA 0, cost 1",
        "13.41: c can't pay for C1-C2 with 3 MP",
        "13.6: e can't pay for A4-A3 with 3 MP",
    ]
    assert list(_lines([a, b])) == [str(a), str(b)]  # of two, each is said in full


def test_who_cannot_pay_for_an_overrun_on_its_way_is_not_said_to_lack_the_mp_for_the_hex_behind() -> None:
    """Each of them can pay for a way to A3, but not over the enemy in B2; a can't either way."""

    def unpaid(unit: str, way: str) -> Instance:
        claim = Claim("breaks", Plan.parse([f"{unit} {way}"]))
        return Instance("costs", "13.41", unit, None, (), f"{unit} can't pay for {way} with 3 MP", claim=claim)

    a, *over = unpaid("a", "A1-A2xA3"), *(unpaid(unit, "B1xB2xA3") for unit in "bcd")
    assert list(_lines([a, *over])) == [
        "13.41: a can't pay for A1-A2xA3 with 3 MP",
        "13.41: b can't pay for B1xB2xA3 with 3 MP; nor can c and d pay for theirs over B2 to A3",
    ]


def test_what_a_rule_says_in_general_is_gone_on_with_in_the_same_sentence() -> None:
    summary = CombatOnEntry.summary
    assert summary.endswith(".")
    told = [
        Instance("combat", "3.3", unit, label, (), _in_general(summary, unit, label))
        for unit, label in (("x", "0405"), ("y", "0406"))
    ]
    assert list(_lines(told)) == [f"3.3: for x in 0405: e{summary[1:-1]}; likewise for y in 0406"]


def test_reasons_of_one_sentence_each_share_a_heading(capsys: pytest.CaptureFixture[str]) -> None:
    """The same fighters keep both from their overruns: each overrun is illegal, whatever becomes of the other."""
    moves = ["west L11xL12", "east L14xL15"]
    print_explanation(planner.explain("a_world_at_war/uncommitted_fighters", moves, time_limit=10))
    told = capsys.readouterr().out.splitlines()
    assert told[1] == "Forbidden, by each of these alone:"
    assert [line.partition(": ")[0] for line in told[2:4]] == ["  move 1", "  move 2"]
    assert not any(line.startswith("Forbidden") for line in told[2:])


def test_reasons_under_several_headings_are_said_to_be_enough_each(capsys: pytest.CaptureFixture[str]) -> None:
    a, b, c = (Instance("rule", number, "a", None, (), f"a may not, by {number}") for number in ("1", "2", "3"))
    reasons = tuple(Reason(some, confirmed=True, minimal=True) for some in ((a, b), (c,), (a, c)))
    print_explanation(Explanation("moves", "a A1-A2", "forbidden", None, reasons))
    headings = [line for line in capsys.readouterr().out.splitlines() if line.startswith("Forbidden")]
    assert headings == [
        "Forbidden, by these together:",
        "Forbidden, by this alone, too:",
        "Forbidden, by these together, too:",
    ]


def test_of_very_many_units_that_cannot_pay_it_is_told_how_many_they_are() -> None:
    def unpaid(unit: str) -> Instance:
        claim = Claim("breaks", Plan.parse([f"{unit} A1-A2-A3"]))
        return Instance("costs", "13.41", unit, None, (), f"{unit} can't pay for A1-A2-A3 with 3 MP", claim=claim)

    [line] = _lines(map(unpaid, "abcdefgh"))
    assert line == "13.41: a can't pay for A1-A2-A3 with 3 MP; nor can 7 others pay for theirs to A3"


def test_beside_a_value_that_would_be_enough_no_others_are_hinted_at(capsys: pytest.CaptureFixture[str]) -> None:
    """No other change is named, so none is as cheap as one that is; beside an enemy who isn't there others may be."""
    had = Remedy((), (Change("enough", "value 8", Fraction(2), "value 2"),), Plan(), True)
    gone = Remedy((), (Change("gone", "e"),), Plan(), True)
    for remedies, hinted in (((had,), False), ((had, gone), True)):
        print_explanation(Explanation("value", "value 8", "forbidden", None, (REASON,), remedies))
        assert ("Others that are as cheap may do as well." in capsys.readouterr().out) == hinted
