"""Bogging down where units move as stacks: whoever goes by itself rolls by itself."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

import planner
from planner.errors import InputError
from planner.plans.plan import Plan
from planner.solver.plan_judge import judge
from tests.plain_game import BOGGING, FORCES, Variant, build

HILL = 'hexes."03.02" = { terrain = "hill" }\n'


def test_units_that_go_the_same_way_each_by_itself_are_not_written_as_a_stack(tmp_path: Path) -> None:
    """One enters 02.02, worth 3, whether it bogs down or not; the other goes through to 03.03 in 5/6 of all cases.

    As a stack, both would be stuck in 02.02 whenever one of them bogs down there. They spend 1 + 1 + 5/6 MP.
    """
    units = ("foot a 02.01 2", "foot b 02.01 2")
    scenario = build(Variant("same", BOGGING, units=units, hexsides=HILL, turns="stacks = true\n"), tmp_path)
    result = planner.suggest(scenario)
    assert (result.status, result.value) == ("optimal", (Fraction(11, 2), Fraction(-17, 6)))
    assert str(result.plan) == "a 02.01-02.02\nb 02.01-02.02-03.03"


@pytest.mark.parametrize("units", [("foot a 02.01 2", "foot b 02.01 2"), ("foot b 02.01 2", "foot a 02.01 2")])
def test_who_rolls_more_dice_by_name_is_not_taken_for_another_that_is_like_it(
    units: tuple[str, ...], tmp_path: Path
) -> None:
    """Of two alike but for their dice a goes through 02.02 to 03.03, in 5/6 of all cases: of b it would be 25/36."""
    by_name = BOGGING.replace("move = [{}]", 'move = [{ units = { units = "b" }, dice = 2 }, {}]')
    result = planner.suggest(build(Variant("names", by_name, units=units, hexsides=HILL), tmp_path))
    assert (result.status, result.value) == ("optimal", (Fraction(11, 2), Fraction(-17, 6)))
    assert "a 02.01-02.02-03.03" in str(result.plan)


def test_that_a_move_rolls_too_many_dice_to_be_searched_is_said(tmp_path: Path) -> None:
    """Twenty dice in each of two hexes: 6 to the power of 40 parts are more than the solver's numbers have."""
    dice = BOGGING.replace("move = [{}]", "move = [{ dice = 20 }]")
    scenario = build(Variant("dice", dice, units=("foot a 02.01 2",), hexsides=HILL), tmp_path)
    with pytest.raises(InputError, match=r"fewer dice to roll .* @ .*variant\.toml"):
        planner.suggest(scenario)
    assert planner.check(scenario, "a 02.01-02.02").legal


TWO_RULES = BOGGING.replace("who = {}", 'who = { types = "foot" }') + BOGGING.replace('"bog"', '"ice"').replace(
    "who = {}", 'who = { types = "scout" }'
).replace('"1/6"', '"1/3"')


@pytest.mark.parametrize(("unit", "chance"), [("f", "5/6"), ("s", "2/3")])
def test_who_rolls_by_one_of_two_rules_may_have_bogged_down_by_it(unit: str, chance: str, tmp_path: Path) -> None:
    """Foot rolls by the one, scouts by the other; neither forbids what comes of the other's dice: "no die is rolled"."""
    units = ("foot f 02.01 2", "scout s 02.01 2")
    scenario = build(Variant("two", TWO_RULES, units=units, hexsides=HILL), tmp_path)
    position = planner.Position(scenario)
    position.push(f"{unit} 02.01-02.02")
    assert {str(one.move): one.probability for one in position.outcomes} == {
        f"{unit} 02.01-02.02": Fraction(chance),
        f"{unit} 02.01-02.02!": 1 - Fraction(chance),
    }
    stuck = f"{unit} 02.01-02.02!"
    assert position.roll(result=stuck).failed
    assert planner.check(scenario, stuck).legal
    assert not judge(scenario, Plan.parse([stuck]))


def test_that_nobody_rolls_by_any_of_two_rules_is_said_once(tmp_path: Path) -> None:
    scenario = build(Variant("none", TWO_RULES, units=("guard g 02.01 2",), hexsides=HILL), tmp_path)
    found = [str(one) for one in planner.check(scenario, "g 02.01-02.02!").violations]
    assert found == ["bog: g can't bog down in 02.02: no die is rolled"]
    assert len(judge(scenario, Plan.parse(["g 02.01-02.02!"]))) == 1


@pytest.mark.parametrize(("unit", "trait"), [("f", "mired"), ("s", "iced")])
def test_who_has_bogged_down_by_one_of_two_rules_has_its_trait_alone(unit: str, trait: str, tmp_path: Path) -> None:
    """It had both: f would have to do what rules say of those who are iced, though it rolls no such die."""
    bog, ice = TWO_RULES.split('[[rule]]\nid = "ice"')
    rules = f'{bog}trait = "mired"\n[[rule]]\nid = "ice"{ice}trait = "iced"\n'
    forces = f'{FORCES}unit_traits = {{ mired = "Mired", iced = "Iced" }}\n'
    variant = Variant("two", rules, units=("foot f 02.01 2", "scout s 02.01 2"), hexsides=HILL, forces=forces)
    begun = build(variant, tmp_path).after([f"{unit} 02.01-02.02!"]).game
    assert begun.units[unit].traits - begun.at_first.units[unit].traits == {trait}
