"""Moves and plans read back to what they were written from."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import planner
from planner.errors import InputError
from planner.plans.partial_plan import PartialPlan
from planner.plans.plan import Move, Plan
from planner.plans.plan_file import plan_from_json
from planner.referee.verdict_data import told_plan_data as plan_to_json

UNITS = st.text("axXb_", min_size=1, max_size=4)
LABELS = st.builds("{}{:04}".format, st.text("wxX", max_size=2), st.integers(0, 9999))


@st.composite
def moves(draw: st.DrawFn) -> Move:
    path = draw(st.lists(LABELS, min_size=2, max_size=6))
    overruns = draw(st.sets(st.integers(1, len(path) - 1)))
    return Move(tuple(draw(st.lists(UNITS, min_size=1, max_size=3))), tuple(path), frozenset(overruns))


@given(moves())
def test_a_move_reads_back_from_its_text(move: Move) -> None:
    assert Move.parse(str(move)) == move


@given(st.lists(moves(), max_size=4))
def test_a_plan_reads_back_from_its_text(found: list[Move]) -> None:
    plan = Plan(tuple(found))
    assert Plan.parse(str(plan)) == plan


@pytest.mark.parametrize(
    "text",
    ["inf w5525-w5425\nplv w5525-w5425xw5426", "plv w5525xw5625-w5725", "plv w5525xw5424", ""],
    ids=["the winning plan", "overrun first", "an overrun of nobody", "no moves"],
)
def test_a_plan_reads_back_from_its_json(text: str) -> None:
    scenario = planner.load("dai_senso/manchuria")
    plan = Plan.parse(text)
    data = json.loads(json.dumps(plan_to_json(plan, scenario.game)))
    assert plan_from_json(data, scenario.game.homes, "test") == plan


def test_labels_that_begin_with_an_x_are_no_overruns() -> None:
    assert Move.parse("a x0101-x0102xx0103") == Move(("a",), ("x0101", "x0102", "x0103"), frozenset([2]))


def test_spaces_around_signs_mean_nothing() -> None:
    assert Move.parse("  a+b  w0101 - w0102 x w0103 ") == Move(("a", "b"), ("w0101", "w0102", "w0103"), frozenset([2]))


def test_every_bad_line_of_a_plan_is_reported() -> None:
    with pytest.raises(InputError) as error:
        Plan.parse("rubbish\ninf w0101-w0102\nmore rubbish")
    assert len(error.value.problems) == 2


@pytest.mark.parametrize(
    ("text", "carried"),
    [
        ("inf e3515~e2611", ((1, ""),)),
        ("inf e3515 ~ e2611(ship)", ((1, "ship"),)),
        ("inf e3515~e2611(ship)~e2106(other)-e2107", ((1, "ship"), (2, "other"))),
        ("inf e3515-[us_box]~e2611( ship )", ((2, "ship"),)),
    ],
)
def test_a_move_at_sea_reads_back_from_its_text_and_its_json(text: str, carried: tuple[tuple[int, str], ...]) -> None:
    move = Move.parse(text)
    assert move.carried == carried
    assert Move.parse(str(move)) == move
    data = plan_to_json(Plan((move,)), planner.load("dai_senso/manchuria").game)
    assert plan_from_json(json.loads(json.dumps(data)), {}, "test") == Plan((move,))


@pytest.mark.parametrize(
    "text",
    [
        "inf e3515~e2611()",
        "inf e3515-e2611(ship)",
        "inf e3515~(ship)e2611",
        "inf e3515~e2611(ship",
        "inf e3515~e2611(a)(b)",
        "inf [us box~e2611",
        "inf e3515~",
        "inf (ship)~e2611",
    ],
)
def test_what_only_looks_like_a_move_at_sea_is_none(text: str) -> None:
    with pytest.raises(InputError, match="must look like"):
        Move.parse(text)


@pytest.mark.parametrize(
    ("carried", "what"),
    [
        ([{"step": 1}, {"step": 1, "by": "ship"}], "each step must come once"),
        ([{"step": 7}], "within the path"),
        ([{"step": 2}], "can't be made aboard"),
        ([{"step": 0}], "must be at least 1"),
        ([{"by": "ship"}], "'step' must be given"),
        ("ship", ""),
    ],
)
def test_json_of_a_move_at_sea_that_says_nonsense_is_refused_with_its_place(carried: object, what: str) -> None:
    move = {"units": ["inf"], "path": ["e3515", "e2611", "e2612"], "overruns": ["foe"], "carried": carried}
    with pytest.raises(InputError) as error:
        plan_from_json({"format": "planner/plan-1", "moves": [move]}, {"foe": "e2612"}, "plan.json")
    assert any(what in p.what and "moves[0].carried" in p.where for p in error.value.problems), error.value.problems


@pytest.mark.parametrize("bad", [[1], 5, None, b"inf", [None, "inf w5525-w5425"], {"moves": []}])
def test_moves_that_are_no_text_are_bad_input(bad: Any) -> None:
    with pytest.raises(InputError, match="moves must be text such as"):
        planner.check("dai_senso/manchuria", bad)


@pytest.mark.thorough
def test_answers_print_short_enough_to_be_read() -> None:
    name = "dai_senso/manchuria"
    assert repr(planner.suggest(name)) == "<Result optimal, value 1 / -23: inf w5525-w5425; plv w5525-w5425xw5426>"
    plan = planner.suggest(name).plan
    assert repr(plan) == "Plan.parse(['inf w5525-w5425', 'plv w5525-w5425xw5426'])"
    partial = PartialPlan.parse("inf w5525-w5425\nplv stays")
    assert repr(partial) == "PartialPlan.parse(['inf w5525-w5425', 'plv stays'])"
    answers: list[object] = [
        planner.load(name),
        planner.check(name, "plv w5525-w5425xw5426"),
        planner.alternatives(name, 2),
        planner.reach(name, "plv"),
        planner.verify(name, cooks=0),
    ]
    assert all(len(line) < 200 for answer in answers for line in repr(answer).splitlines())


def test_a_combat_is_written_only_where_an_enemy_can_be() -> None:
    """Nobody stands in 0406; once 0405 is attacked its defenders may be there."""
    with pytest.raises(InputError, match="no enemy can be in 0406"):
        planner.check("classic_hex/no_way_out", "y 0407x0406")
    assert planner.check("classic_hex/no_way_out", "y 0407-0406").legal
    assert planner.check("classic_hex/no_way_out", ["x 0404x0405", "y 0407x0406"]).legal


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("inf w5525\N{EN DASH}w5425", "did you mean 'inf w5525-w5425'?"),
        ("plv w5525-w5425\N{MULTIPLICATION SIGN}w5426", "did you mean 'plv w5525-w5425xw5426'?"),
        ("infw5525-w5425", "it begins with the units, a blank and the hex"),
        ("inf w5525", "it needs a step at least"),
        ("inf w5525-w5425 quickly", "what stands from 'quickly' on is none of its steps"),
        ("inf w5525-w5425=w5426", "what stands from '=w5426' on is none of its steps"),
        ("inf w5525-w5425*2", "what stands from '*2' on is none of its steps"),
        ("inf w5525-w5425(wing)-w5426", "what stands from '(wing)-w5426' on is none of its steps"),
    ],
)
def test_of_what_is_no_move_the_part_at_fault_is_named(text: str, hint: str) -> None:
    with pytest.raises(InputError) as caught:
        Move.parse(text)
    assert hint in caught.value.problems[0].what


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("inf 02.04–02.05", "inf 02.04-02.05"),
        ("inf 02.04 → 02.05", "inf 02.04-02.05"),
        ("inf 02.04->02.05->02.06", "inf 02.04-02.05-02.06"),
        ("inf 02.04 to 02.05", "inf 02.04-02.05"),
        ("inf 02.04X02.05", "inf 02.04x02.05"),
        ("inf 02.04 02.05", "inf 02.04-02.05"),
        ("inf 02.04, 02.05", "inf 02.04-02.05"),
        ("inf 02,04-02,05", "inf 02.04-02.05"),
        ("inf: 02.04-02.05", "inf 02.04-02.05"),
        ("  1.  inf 02.04-02.05", "inf 02.04-02.05"),
        ("inf1 02.04, 02.05", "inf1 02.04-02.05"),
        ("inf, tank 02.04-02.05", "inf+tank 02.04-02.05"),
        ("inf and tank 02.04-02.05", "inf+tank 02.04-02.05"),
        ("inf 02.04-02.05.", "inf 02.04-02.05"),
        ("inf 02.04-02.05-", "inf 02.04-02.05"),
    ],
)
def test_of_what_is_typed_otherwise_it_is_said_what_is_meant(typed: str, meant: str) -> None:
    with pytest.raises(InputError) as raised:
        Move.parse(typed)
    assert raised.value.problems[0].what.endswith(f"; did you mean {meant!r}?")


@pytest.mark.parametrize("text", ["inf -> w5425", "plv stays", "plv to w5425"])
def test_lines_of_partial_plans_are_called_that(text: str) -> None:
    with pytest.raises(InputError, match="lines of a partial plan"):
        Move.parse(text)


def _notation() -> list[str]:
    """Return the moves of the table that documents the notation."""
    page = (Path(__file__).parents[2] / "docs" / "commands.md").read_text()
    table = page.partition("## How moves are written")[2].partition("\n\nWhere units")[0]
    return re.findall(r"^\| `([^`]+)` \|", table, re.MULTILINE)


def test_every_documented_form_of_a_move_is_read_and_written_back() -> None:
    moves = _notation()
    assert len(moves) >= 12
    assert [str(Move.parse(text)) for text in moves] == moves


def test_two_units_are_dropped_in_one_hex() -> None:
    move = Move.parse("a+b+c 10.10-10.11/b+c-10.12")
    assert str(move) in _notation()
    assert move.drops == ((1, "b"), (1, "c"))


def test_a_sign_that_is_read_as_a_letter_of_a_dropped_unit_is_asked_about() -> None:
    with pytest.raises(InputError, match=r"not 'cx06'; did you mean 'T\+c 06\.01-06\.02/c x06\.03'\?"):
        Move.parse("T+c 06.01-06.02/cx06.03")


@pytest.mark.parametrize("arrow", ["→", " ⇒ ", "=>", "-->", "—>", " -> "])
def test_a_destination_is_no_move_whatever_its_arrow_and_is_told_as_it_is_written(arrow: str) -> None:
    with pytest.raises(InputError, match=r'"inf -> w5425" and "inf stays" are lines of a partial plan'):
        Move.parse(f"plv{arrow}w5425")


def test_a_file_that_says_only_that_there_are_no_other_attacks_says_that_there_are_none() -> None:
    told = {"format": "planner/plan-1", "moves": [], "closed": True}
    assert plan_from_json(told, {}, "test") == Plan.parse("no other attacks") == Plan((), ())
