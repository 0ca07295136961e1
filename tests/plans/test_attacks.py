"""Attacks in plans: how they are written, read and written back, as text and as JSON."""

from __future__ import annotations

import contextlib
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

import planner
from planner.errors import InputError
from planner.plans.attack_text import parse_attack
from planner.plans.partial_plan import PartialPlan
from planner.plans.plan import Plan
from planner.plans.plan_file import plan_from_json
from planner.referee.verdict_data import told_plan_data as plan_to_json
from planner.world.declared_attack import DeclaredAttack

WRITTEN = (
    "a -> 0303",
    "a+b -> 0303",
    "a+b -> 0303+0304",
    "a -> 0303(e1)",
    "a -> 02.03+02.04(e1+e2)",
    "a+b -> 0303=DR",
    "a+b -> 0303=DR e1 0303-0404-0405, a 0302-0303",
    "a -> 0303(e1)=D1",
)


@pytest.mark.parametrize("text", WRITTEN)
def test_an_attack_is_written_back_as_it_was_read(text: str) -> None:
    assert str(parse_attack(text)) == text
    assert Plan.parse(text) == Plan((), (parse_attack(text),))


def test_all_parts_of_an_attack_are_read() -> None:
    assert parse_attack("a+b -> 0303+0304(e1+e2)=DR e1 0303-0404, a 0302-0303") == DeclaredAttack(
        ("a", "b"), ("0303", "0304"), ("e1", "e2"), "DR", (("e1", ("0303", "0404")), ("a", ("0302", "0303")))
    )


def test_blanks_do_not_matter() -> None:
    assert str(parse_attack("  a + b->0303 +0304 ( e1 )= DR  e1 0303 - 0404 ,a 0302-0303 ")) == (
        "a+b -> 0303+0304(e1)=DR e1 0303-0404, a 0302-0303"
    )


def test_what_says_nothing_of_attacks_is_told_from_what_declares_none() -> None:
    assert Plan.parse("a 0101-0102").attacks is None
    assert Plan.parse(["a 0101-0102", "no attacks"]).attacks == ()
    assert Plan.parse(["a 0101-0102", "a -> 0103"]).attacks == (DeclaredAttack(("a",), ("0103",)),)
    for lines in (["a 0101-0102"], ["a 0101-0102", "no attacks"], ["b 0101-0102", "a -> 0103", "c -> 0104"]):
        plan = Plan.parse(lines)
        assert str(plan).splitlines() == lines
        assert Plan.parse(str(plan)) == plan
        assert repr(plan) == f"Plan.parse({lines!r})"


def test_a_plan_of_attacks_alone_is_not_empty() -> None:
    assert Plan.parse(["a -> 0303"])
    assert len(Plan.parse(["a -> 0303"])) == 0  # it has no moves
    assert not Plan.parse(["no attacks"])


def test_an_attack_on_no_hex_is_told_as_what_it_lacks() -> None:
    for read in (Plan.parse, PartialPlan.parse):
        with pytest.raises(InputError, match=r"^after -> must come a hex, as in 'a\+b -> 0303' @ line 'a\+b ->'$"):
            read(["a+b ->"])


@pytest.mark.parametrize(
    "text",
    [
        "a -> 0303 at 4:1",
        "a+b -> 0303(e1) at 4:1",
        "a 0202-0303 at 4:1",
        "a 0202x0303 at 10:1",
        "a -> 0303 AT 4:1",
        "a 0202-0303 at 4 : 1",
        "a -> 0303 at +2",
    ],
)
def test_odds_behind_a_move_or_an_attack_are_what_must_be_left_out(text: str) -> None:
    for read in (Plan.parse, PartialPlan.parse):
        odds = re.escape(text[text.lower().index("at") :])
        with pytest.raises(InputError, match=rf"^'{odds}' must be left out: odds aren't chosen"):
            read([text])


def test_odds_in_the_middle_of_a_line_are_what_must_be_left_out() -> None:
    for text in ("a -> 0303 at 4:1; b 0202-0203", "a at 4:1 -> 0303"):
        with pytest.raises(InputError, match=r"^'at 4:1' must be left out: odds aren't chosen"):
            Plan.parse([text])


def test_declaring_none_and_some_is_a_contradiction() -> None:
    with pytest.raises(InputError, match="'no attacks' must not come with attacks"):
        Plan.parse(["a -> 0303", "no attacks"])


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("a+b => 0303", "a+b -> 0303"),
        ("a+b \N{RIGHTWARDS ARROW} 0303", "a+b -> 0303"),
        ("a+b attack 0303", "a+b -> 0303"),
        ("a attacks 0303", "a -> 0303"),
        ("a -> 0303, 0304", "a -> 0303+0304"),
        ("a -> 0303 & 0304", "a -> 0303+0304"),
        ("a+b > 0303", "a+b -> 0303"),
        ("a -> 0303: DR", "a -> 0303=DR"),
        ("a -> 0303 DR", "a -> 0303=DR"),
    ],
)
def test_of_what_is_typed_otherwise_it_is_said_what_is_meant(typed: str, meant: str) -> None:
    with pytest.raises(InputError) as raised:
        Plan.parse(typed)
    assert raised.value.problems[0].what.endswith(f"; did you mean {meant!r}?")


@pytest.mark.parametrize("text", ["a -> 0303(", "a+b -> 0303=", "a -> 0303=DR e1", "a -> 0303=1/2", "a -> 0303="])
def test_what_is_no_attack_is_refused_as_one(text: str) -> None:
    with pytest.raises(InputError, match="an attack must look like"):
        Plan.parse(text)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("a+a -> 0303", "each attacker must come once, but 'a' comes twice"),
        ("a -> 0303+0303", "each hex must come once, but '0303' comes twice"),
        ("a -> 0303(e+e)", "each defender must come once, but 'e' comes twice"),
        ("a -> 0303=DR e 0303-0304, e 0303-0404", "each way of a unit must come once, but 'e' comes twice"),
    ],
)
def test_nothing_is_named_twice(text: str, told: str) -> None:
    with pytest.raises(InputError, match=told):
        Plan.parse(text)


def test_a_game_without_attacks_says_so() -> None:
    with pytest.raises(InputError) as raised:
        planner.check("dai_senso/manchuria", ["inf -> w5425"])
    [problem] = raised.value.problems
    assert problem.what.startswith("no attacks are declared in this game; ")
    assert "a line of a partial plan" in problem.what


@pytest.mark.parametrize("text", WRITTEN)
def test_json_holds_the_same(text: str) -> None:
    game = planner.load("dai_senso/manchuria").game
    for plan in (Plan.parse([text]), Plan.parse(["no attacks"]), Plan()):
        assert plan_from_json(plan_to_json(plan, game), {}, "test") == plan


def test_json_that_names_something_twice_is_refused() -> None:
    entry = {"attackers": ["a", "a"], "at": ["0303"]}
    with pytest.raises(InputError) as raised:
        plan_from_json({"format": "planner/plan-1", "attacks": [entry]}, {}, "test")
    assert str(raised.value.problems[0].where) == "test: attacks[0]"


@pytest.mark.thorough
@given(st.text(alphabet="ab+->=0123 (),DRx-", max_size=30))
def test_any_text_is_read_or_refused_with_a_problem(text: str) -> None:
    with contextlib.suppress(InputError):
        plan = Plan.parse([text])
        assert Plan.parse(str(plan)) == plan
