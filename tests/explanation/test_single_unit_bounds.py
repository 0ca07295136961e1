"""What single units could come to settles questions without a search."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

import planner
from planner.explanation import relaxation
from planner.explanation.answer import Change
from planner.explanation.needs import Aim
from planner.explanation.parse_question import read_destination, read_goals
from planner.explanation.question import Question
from planner.explanation.scenario_changes import changed
from planner.explanation.single_unit_bounds import SingleUnitBounds, beyond_all, never_by_itself
from planner.explanation.unreachable import unreachable
from planner.limits import Limits
from planner.objective import Tier
from planner.objective.goals import End, Hold
from planner.objective.together import Together
from planner.plans.plan import Plan
from planner.reachability.step_rules import Step
from planner.reachability.step_table import StepTable
from planner.rules.demands import Arc
from planner.scenario.memory import Memory
from planner.world.forces import Unit
from tests.explanation.test_dice_alone import field
from tests.plain_game import JOINT, LIMIT, OVERRUN, SHUT, placed, write_model


def test_enemies_whom_nobody_can_remove_keep_a_unit_out_without_a_search() -> None:
    scenario = planner.load("crossroads/bridge")  # no overruns: r3 and ra stay in 0805, whatever anybody does
    question = Question((read_destination(scenario, "b3 to 0805"),))
    assert question.relaxed(scenario).ask(None, quick=True) == (False, None)
    assert question.relaxed(scenario).ask(None, quick=True, second=True) == (False, None)


@pytest.mark.parametrize(
    ("hex_", "known"), [("F17", (False, None)), ("F16", (True, Plan.parse("mot_2 F13-F14-F15-F16")))]
)
def test_a_hex_that_friends_keep_full_while_nobody_else_moves_settles_it_without_a_search(
    hex_: str, known: object
) -> None:
    """Two units may stay in a hex: mot_3 and corps_8 stand in F17, nobody in F16."""
    scenario = planner.load("a_world_at_war/through_the_line")
    question = Question((read_destination(scenario, f"mot_2 to {hex_}"),), movers=("mot_2",))
    assert question.relaxed(scenario).ask(None, quick=True) == known
    assert question.relaxed(scenario).ask(None, quick=True, second=True) == known


@pytest.mark.parametrize(("most", "known"), [(1, (False, None)), (2, (None, None))])
def test_a_limit_to_mp_below_the_cheapest_way_settles_it_without_a_search(most: int, known: object) -> None:
    scenario = planner.load("crossroads/start")  # by 0406 into 0407, clear hexes of 1 MP each, where someone makes room
    question = Question(tuple(read_goals(scenario, f"b3 to 0407 and b3 at most {most} MP")))
    assert question.relaxed(scenario).ask(None, quick=True, second=most == 1) == known


@pytest.mark.thorough
def test_a_limit_that_asks_for_too_little_is_told_with_the_least_that_does() -> None:
    found = planner.explain("crossroads/start", require="b3 to 0407 and b3 at most 1 MP", time_limit=60)
    assert found.status == "forbidden"
    assert [str(remedy) for remedy in found.remedies] == ["if 2 MP spent by b3 were allowed"]


def test_positions_in_which_one_thing_is_different_share_the_steps_that_are_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Without an enemy far from b3, where b3 could come to is as by itself, with less than half of its steps listed."""
    scenario, listed, plain = planner.load("crossroads/start"), [0], StepTable.variants

    def variants(self: StepTable, unit: Unit, arc: Arc) -> Iterable[Step]:
        listed[0] += 1
        return plain(self, unit, arc)

    monkeypatch.setattr(StepTable, "variants", variants)
    other = changed(scenario, [Change("gone", "r1")])
    kept, found, many = Memory(), [], []
    for position, memory in ((scenario, kept), (other, kept), (other, Memory())):
        listed[0] = 0
        bounds = SingleUnitBounds(replace(position, memory=memory), relaxation.RelaxationMemory(), Limits())
        found.append(bounds._best(None, "b3", frozenset()))
        many.append(listed[0])
    assert found[1] == found[2]
    assert 0 < 2 * many[1] < many[2]


def test_what_may_be_rolled_is_gone_through_no_longer_than_there_is_time() -> None:
    """A plan of many combats has thousands of outcomes: one that nobody had time for is not said to do what is asked."""
    scenario, plan = planner.load("ocs/puzzles/not_for_certain"), Plan.parse("armor 10.10x10.11*2")
    assert Question().fulfilled(scenario, plan)
    late = Question(limits=Limits.within(0.0))
    assert not late.fulfilled(scenario, plan)
    answers = late.relaxed(scenario)
    scopes = relaxation.every_scope(scenario)  # so that dice decide
    assert not answers.works(scopes, plan)
    late.limits = Limits()  # some time was kept for what comes after
    assert answers.works(scopes, plan)


def test_who_is_given_more_time_looks_at_what_single_units_could_do_for_longer() -> None:
    """Their limits were those of whoever asked first: a part of the time, after which no more was known of them."""
    scenario = planner.load("dai_senso/manchuria").without_objective()
    question = Question((read_destination(scenario, "plv to w5728"),), (), Limits.within(0))
    relaxed = question.relaxed(scenario)
    assert relaxed.ask(None, quick=True)[0] is None
    question.limits = Limits()
    assert relaxed.ask(None, quick=True)[0] is False


def test_that_nobody_can_take_part_in_an_overrun_that_is_sure_settles_it_without_a_search() -> None:
    """26 units, none of which gets beside I14 with the MP that it takes to go on."""
    scenario = planner.load("a_world_at_war/through_the_line")
    question = Question(tuple(read_goals(scenario, "eliminate tank_corps_6")))
    asked = question.relaxed(scenario)
    assert asked.ask(None, quick=True) == (False, None)
    possible, straight = asked.ask([], quick=True)
    assert (possible, str(straight)) == (True, "corps_6 G13-H13xI14")


def test_a_hex_that_who_cannot_move_keeps_full_is_beyond_everybody_whatever_the_others_do() -> None:
    """The reserve artillery in E5 stays where it is, the infantry in E3 does not; two in a hex are one too many."""
    ground = dict.fromkeys(("E3", "E4", "E5", "D3", "D4"), "countryside")
    units = {"inf": ("infantry", "E4"), "other": ("infantry", "E3"), "guns": ("reserve_artillery", "E5")}
    scenario = field(ground, **units)
    bounds = SingleUnitBounds(scenario, relaxation.RelaxationMemory(), Limits())
    able = {label: bounds.can(None, Aim("inf", frozenset([label]))) for label in ("E3", "E5")}
    assert able == {"E3": True, "E5": False}
    reach = bounds.reach(None)
    assert [unreachable(reach, Aim("inf", frozenset([label]))) for label in ("E3", "E5")] == [False, True]


def row(folder: Path, **where: str) -> SingleUnitBounds:
    """Return bounds for units, one to a hex, in a row of three hexes, of which a alone moves, and overruns e."""
    one = "limits = [{ units = 1 }]\n"
    entries = [
        {"id": id, "side": "north" if id == "e" else "south", "type": "foot", "values": "2-4", "at": at}
        for id, at in where.items()
    ]
    model = write_model(folder / "any_game", LIMIT + one + OVERRUN + SHUT)
    scenario = placed(model, dict.fromkeys(("03.01", "03.02", "03.03"), "plain"), entries)
    return SingleUnitBounds(scenario, relaxation.RelaxationMemory(), Limits(), movers=("a",))


def test_an_enemy_whom_others_may_remove_does_not_keep_a_hex_full(tmp_path: Path) -> None:
    bounds = row(tmp_path, a="03.01", e="03.02")
    assert bounds.can(None, Aim("a", frozenset(["03.02"])))


def test_who_does_not_move_is_where_it_is(tmp_path: Path) -> None:
    bounds = row(tmp_path, a="03.01", b="03.03", e="03.02")
    for label, there in (("03.03", True), ("03.02", False)):
        aim = Aim("b", frozenset([label]))
        assert bounds.can(None, aim) is there
        assert beyond_all(bounds, (aim,)) is not there


def test_the_only_unit_that_moves_may_stay_where_it_is_and_overrun_others(tmp_path: Path) -> None:
    bounds = row(tmp_path, a="03.01", e="03.02")
    for aim in (Aim("a", frozenset(["03.01"])), Aim("a", removes=frozenset(["e"]))):
        assert not never_by_itself(bounds, None, [(aim,)])


@pytest.mark.parametrize(
    ("ground", "turns"), [("plain", "stacks = true\nwaiting = {}\n"), ("hill", ""), ("hill", "stacks = true\n")]
)
def test_what_luck_brings_a_unit_to_counts_by_how_likely_that_is(ground: str, turns: str, tmp_path: Path) -> None:
    """By hand: a overruns e for 1 MP in 1 of 2 cases, and goes on to 03.03, where to be is worth 1."""
    overrun = JOINT.replace("results", "price = 1\nresults")
    model = write_model(tmp_path / "any_game", overrun + SHUT, turns=turns)
    units = [
        {"id": id, "side": side, "type": "foot", "values": values, "at": at}
        for id, side, values, at in (("a", "south", "3-2", "03.01"), ("e", "north", "1-0", "03.02"))
    ]
    hexes = {"03.01 03.03": "plain", "03.02": ground}
    scenario = placed(model, hexes, units, tier=[{"terms": [{"kind": "hold", "hexes": "03.03"}]}])
    assert planner.suggest(scenario).value == (Fraction(1, 2),)
    for value, status in (("1/2", "possible"), ("3/4", "forbidden")):
        found = planner.explain(scenario, value=value, time_limit=20)
        assert (found.status, found.complete) == (status, True)


def test_what_a_tier_comes_to_at_most_is_never_less_than_nothing_for_a_term(tmp_path: Path) -> None:
    """By hand: b stays in 03.03. Of two things that count together, once, both are lacking; what else there is counts."""
    bounds = row(tmp_path, a="03.01", b="03.03", e="03.02")
    goals = (End(kind="end", unit="b", at="03.01"), End(kind="end", unit="b", at="03.02"))
    tier = Tier(terms=(Together(kind="together", goals=goals), Hold(kind="hold", hexes=("03.03",))))
    most, never = bounds.most(None, tier)
    assert (most, len(never)) == (1, 2)


@pytest.mark.thorough
@pytest.mark.parametrize("asked", ["mg1 to I5", "inf7 to G4"])
def test_what_more_mp_bring_whom_others_stand_in_the_way_of_is_settled_among_24_units(asked: str) -> None:
    """The reserve artillery in I5 never leaves; what mg1 could do with many more MP was listed without an end."""
    assert planner.explain("great_war/over_the_top", asked, time_limit=120).complete
