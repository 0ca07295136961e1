"""Where units wait, and limits hold after each move, plans are proved best at which nobody stands in anybody's way."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

import planner
from planner.limits import Limits
from planner.objective import Term, Tier
from planner.objective.costs import MpSpent, UnitsMoved
from planner.objective.goals import Eliminate, End, Hold, Stay
from planner.plans.partial_plan import PartialPlan
from planner.scenario import Scenario
from planner.search.confirmation import confirmed
from planner.search.context import SearchContext
from planner.search.expectimax import Expectimax, TooManyStepsError
from planner.search.waiting_bound import WaitingBound
from planner.solver.side_constraints import Conditions
from tests.conftest import sized
from tests.plain_game import JOINT, LIMIT, OVERRUN, Variant, build, effect

DRAWN = sized(5, 60, 2_000)
ONE_EACH = LIMIT + 'limits = [{ units = 1 }]\nwhen = "move"\n'
CLOSED = '[[rule]]\nid = "enemies"\nkind = "entry_restriction"\nparagraph = "enemies"\nenemy_units = {}\n'
CLOSED += "unless_overrun = true\n"
STOPS = effect('on = "enter", does = "stop"')
WAITING = "waiting = {}\n"


def three_goals(folder: Path) -> Scenario:
    """Three units that a guard would stop, on more hexes than every step can be tried on."""
    units = ("foot f 01.01 5", "foot g 01.02 4", "scout k 02.02 3")
    variant = Variant("goals", ONE_EACH + CLOSED + STOPS, "", units, ("guard e 02.03 2",), turns=WAITING)
    places = {"f": "04.02", "g": "03.03", "k": "04.03"}
    ends = tuple(End(kind="end", unit=unit, at=(place,)) for unit, place in places.items())
    return replace(build(variant, folder), tiers=(Tier(terms=ends), Tier(terms=(MpSpent(kind="mp_spent"),))))


def test_a_plan_in_which_each_unit_goes_the_cheapest_way_is_proved(tmp_path: Path) -> None:
    """F needs 3 MP, g and k 2 each: k past the guard, once g is in 03.03."""
    found = planner.suggest(three_goals(tmp_path))
    assert (found.status, found.value) == ("optimal", (Fraction(3), Fraction(-7)))


def test_more_than_units_could_do_for_their_mp_is_proved_impossible(tmp_path: Path) -> None:
    """The same for 6 MP; a requirement is proved like a goal."""
    scenario = three_goals(tmp_path)
    few = MpSpent(kind="mp_spent", most=6)
    assert planner.suggest(replace(scenario, requirements=(*scenario.tiers[0].terms, few))).status == "infeasible"


def draw(rng: random.Random, folder: Path) -> Scenario:
    """Return a position of six hexes on which units wait; nothing is rolled."""
    labels = [f"{column:02}.{row:02}" for column in (1, 2, 3) for row in (1, 2)]
    at = rng.sample(labels, 5)
    units = tuple(f"foot u{number} {at.pop()} {rng.randint(1, 3)}" for number in range(rng.choice((2, 3))))
    rules = ONE_EACH + CLOSED + rng.choice(("", STOPS)) + rng.choice(("", OVERRUN))
    rows = "".join(" ".join(rng.choice("...h") for _ in range(3)) + "\n" for _ in range(2)) + "_ _ .\n" * 3
    scenario = build(Variant("drawn", rules, "", units, (f"guard e {at.pop()} 2",), rows, turns=WAITING), folder)
    goals = (End(kind="end", unit="u0", at=(rng.choice(labels),)), Hold(kind="hold", hexes=(rng.choice(labels),)))
    last = rng.choice((MpSpent(kind="mp_spent"), Stay(kind="stay", units=("u1",))))
    required = (End(kind="end", unit="u1", at=tuple(rng.sample(labels, 2))),) if rng.random() < 0.3 else ()
    return replace(scenario, tiers=(Tier(terms=goals), Tier(terms=(last,))), requirements=required)


def test_no_way_of_playing_exceeds_it(tmp_path: Path) -> None:
    rng, tight, bounded = random.Random("waiting bound"), 0, 0
    for _ in range(DRAWN):
        scenario = draw(rng, tmp_path)
        context = SearchContext(scenario, Limits(), confirmed)
        least = context.ground.least_mp()
        assert least is not None
        try:
            best = Expectimax(scenario, 5_000, lambda: None).best()
        except TooManyStepsError:
            continue
        bounds = WaitingBound(context, least).of(() if best is None else best.value)
        if best is not None:
            assert bounds is not None
            assert tuple(bounds) >= best.value[: len(bounds)]
            tight, bounded = tight + (tuple(bounds) == best.value), bounded + 1
    assert tight > bounded / 4


@pytest.mark.parametrize(("value", "bounded"), [((), 1), ((2, -4), 1), ((3, -8), 2)])
def test_tiers_are_bounded_as_long_as_those_before_come_to_their_bounds(
    value: tuple[int, ...], bounded: int, tmp_path: Path
) -> None:
    # That all three goals take 7 MP bounds nothing where two are had.
    context = SearchContext(three_goals(tmp_path), Limits(), confirmed)
    least = context.ground.least_mp()
    assert least is not None
    assert WaitingBound(context, least).of(tuple(map(Fraction, value))) == [3, -7][:bounded]


def test_who_cannot_move_stays_and_holds_its_hex(tmp_path: Path) -> None:
    # Both stay, 2, each where it is wanted, 2.
    variant = Variant("fixed", "", "", ("foot f 01.01 1", "foot x 02.01 0"), turns=WAITING)
    terms = (
        Stay(kind="stay", units=("f", "x")),
        Hold(kind="hold", hexes=("02.01",)),
        End(kind="end", unit="f", at=("01.01",)),
    )
    scenario = replace(build(variant, tmp_path), tiers=(Tier(terms=terms),))
    context = SearchContext(scenario, Limits(), confirmed)
    least = context.ground.least_mp()
    assert least is not None
    assert "x" not in least
    assert WaitingBound(context, least).of(()) == [4]


def test_a_requirement_that_bounds_mp_leaves_what_can_be_done_for_them(tmp_path: Path) -> None:
    scenario = three_goals(tmp_path)
    enough = replace(scenario, requirements=(MpSpent(kind="mp_spent", most=7), UnitsMoved(kind="units_moved", most=3)))
    context = SearchContext(enough, Limits(), confirmed)
    least = context.ground.least_mp()
    assert least is not None
    assert WaitingBound(context, least).of(()) == [3]


IMPOSSIBLE = (
    ((UnitsMoved(kind="units_moved", most=2),), Conditions()),
    ((MpSpent(kind="mp_spent", most=6),), Conditions()),
    ((), Conditions(PartialPlan(stays=("k",)))),
    ((), Conditions(PartialPlan(ends=(("k", ("02.03",)),)))),
    ((), Conditions(goals=((Tier(terms=(Stay(kind="stay", units=("k",)),)), Fraction(1)),))),
)


@pytest.mark.parametrize(("required", "conditions"), IMPOSSIBLE)
def test_what_is_asked_for_besides_can_be_impossible(
    required: tuple[Term, ...], conditions: Conditions, tmp_path: Path
) -> None:
    """All three goals are required, for which all three must move, for 7 MP."""
    scenario = three_goals(tmp_path)
    scenario = replace(scenario, requirements=(*scenario.tiers[0].terms, *required))
    context = SearchContext(scenario, Limits(), confirmed, conditions=conditions)
    least = context.ground.least_mp()
    assert least is not None
    assert WaitingBound(context, least).of(()) is None


@pytest.mark.thorough
@pytest.mark.parametrize(("home", "value"), [("03.01", 1), ("02.03", 0)])
def test_who_may_not_break_off_its_move_comes_to_an_overrun_with_the_others_or_not_at_all(
    home: str, value: int, tmp_path: Path
) -> None:
    """By hand: only both are strong enough. From 03.01 they go as one; from 02.03 g may not come to f in 03.03 first."""
    rules = CLOSED + JOINT.replace('"1/2"', "1")
    units, turns = ("foot f 03.01 3", f"guard g {home} 3"), "stacks = true\nwaiting = { units = 'f' }\n"
    variant = Variant("some_wait", rules, units=units, enemies=("foot e 03.04 2-0",), turns=turns)
    goal = Tier(terms=(Eliminate(kind="eliminate", units=("e",)),))
    found = planner.suggest(replace(build(variant, tmp_path), tiers=(goal,)))
    assert (found.status, found.value) == ("optimal", (value,))


NEVER_SURE = (
    ("eliminated for certain", "foot e 04.05 2", JOINT, 1),
    ("eliminated at all", "scout e 04.05 2", JOINT + 'defenders = { types = "foot" }\n', 0),
)


@pytest.mark.parametrize(("what", "enemy", "rule", "value"), NEVER_SURE)
def test_whom_no_overrun_is_sure_to_eliminate_is_known_at_once_where_others_wait(
    what: str, enemy: str, rule: str, value: int, tmp_path: Path
) -> None:
    """By hand: no overrun has more than 1/2, so e may always stay; and where only foot can be overrun, a scout always does.

    On thirty hexes not every step of three units can be tried.
    """
    units = ("foot f 01.01 5-8", "foot g 01.01 5-8", "train t 02.01 0-8")
    turns = "stacks = true\nwaiting = { types = 'train' }\n"
    scenario = build(Variant("waits", CLOSED + rule, units=units, enemies=(enemy,), turns=turns), tmp_path)
    gone = Eliminate(kind="eliminate", units=("e",))
    found = planner.suggest(replace(scenario, requirements=(gone,)), time_limit=20)
    assert (found.status, found.confirmed) == ("infeasible", True), what
    context = SearchContext(replace(scenario, tiers=(Tier(terms=(gone,)),)), Limits(), confirmed)
    least = context.ground.least_mp()
    assert least is not None
    assert WaitingBound(context, least).of(()) == [value]


@pytest.mark.parametrize(("ma", "value"), [(1, 0), (4, 0), (5, 1)])
def test_an_enemy_whom_nobody_can_come_to_overrun_stays(ma: int, value: int, tmp_path: Path) -> None:
    """By hand: f and g come beside e in 01.04 for 2 MP, and try it for 3 more; dice decide, so 1 is what none exceeds."""
    units, turns = (f"foot f 01.01 5-{ma}", f"foot g 01.01 5-{ma}"), "stacks = true\nwaiting = {}\n"
    variant = Variant("far", CLOSED + JOINT + "price = 3\n", units=units, enemies=("foot e 01.04 2-0",), turns=turns)
    gone = Tier(terms=(Eliminate(kind="eliminate", units=("e",)),))
    context = SearchContext(replace(build(variant, tmp_path), tiers=(gone,)), Limits(), confirmed)
    least = context.ground.least_mp()
    assert least is not None
    assert WaitingBound(context, least).of(()) == [value]


ADDED_UP = '[[rule]]\nid = "once"\nkind = "step_limit"\nparagraph = "once"\noverruns = true\nmost = 1\n'
SOMETIMES_SURE = JOINT.replace("}]", '}, { odds = "4:1", chance = 1 }]', 1)


@pytest.mark.parametrize("rules", [CLOSED + STOPS + JOINT + ADDED_UP, CLOSED + STOPS + SOMETIMES_SURE])
def test_that_a_unit_lacks_the_mp_is_known_where_steps_are_added_up_or_units_overrun_together(
    rules: str, tmp_path: Path
) -> None:
    """By hand: f goes two hexes for 2 MP, and 05.05 is four away, whoever of the others, who may wait, helps it."""
    units = ("foot f 01.01 5-2", "foot g 01.01 5-8", "train t 02.01 0-8", "train s 02.02 0-8")
    turns = "stacks = true\nwaiting = { types = 'train' }\n"
    scenario = build(Variant("lacks", rules, units=units, enemies=("guard e 04.04 2-2",), turns=turns), tmp_path)
    found = planner.complete(scenario, "f -> 05.05", time_limit=20)
    assert (found.status, found.confirmed) == ("infeasible", True)
