"""Combat on entering with rules that count MP, or look at others: searches find the best plan, and both faces agree."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from typing import Literal

import pytest

import planner
from planner.plans.plan import Plan
from planner.referee.referee import Referee
from planner.rules.base import Rule
from planner.rules.kinds.column_entry import ColumnEntry
from planner.rules.kinds.exhaustion import Exhaustion
from planner.rules.kinds.further_allowance import Further, FurtherAllowance
from planner.rules.kinds.minimum_move import MinimumMove
from planner.rules.kinds.stacking import Limit, Stacking
from planner.rules.kinds.step_limit import StepLimit
from planner.rules.kinds.vacancy import Vacancy
from planner.rules.kinds.zone_of_control import ZoneOfControl
from planner.rules.zone_effects import Effect
from planner.scenario import Scenario
from planner.search.search import Search
from planner.solver.plan_judge import judge
from planner.world.selectors import HexSelector, UnitSelector
from tests.conftest import sized
from tests.oracles.brute_force import TooManyStatesError
from tests.oracles.progress import EverySequel
from tests.oracles.rulebooks import with_rules
from tests.oracles.skirmishes import best_plan, random_sortie, skirmish

SEEDS = sized(range(1), range(2), range(1_000))
SEEDS_ONCE = sized(range(1), range(30), range(3_000))
PLANS = sized(range(4), range(40), range(5_000))
CAP = 300

CLEAR, DEAR = HexSelector(terrain=("clear",)), HexSelector(terrain=("forest", "city", "hills"))


def _zone(rng: random.Random) -> Rule:
    does = rng.choice(("stop", "stop", "forbid"))
    effect = Effect(paragraph="zoc", on="enter", does=does, negatable=False)
    return ZoneOfControl(
        id="zoc", kind="zone_of_control", paragraph="zoc", exerted_by=UnitSelector(), effects=(effect,)
    )


def _bonus(rng: random.Random) -> Rule:
    further = Further(mp=Fraction(rng.choice((1, 2))), into=rng.choice((CLEAR, DEAR)), whole=rng.random() < 0.4)
    return FurtherAllowance(id="bonus", kind="further_allowance", paragraph="bonus", allowances=(further,))


def _exhaustion(rng: random.Random) -> Rule:
    return Exhaustion(id="rest", kind="exhaustion", paragraph="rest", into=rng.choice((CLEAR, DEAR)))


def _anywhere(rng: random.Random) -> Rule:
    return MinimumMove(id="first", kind="minimum_move", paragraph="first", anywhere=True, overruns=rng.random() < 0.7)


def _once(rng: random.Random) -> Rule:
    into = rng.choice((CLEAR, DEAR))
    return StepLimit(id="once", kind="step_limit", paragraph="once", into=into, overruns=rng.random() < 0.2)


def _stacking(rng: random.Random) -> Rule:
    when = rng.choice(("always", "move", "phase"))
    return Stacking(id="room", kind="stacking", paragraph="room", limits=(Limit(units=1),), when=when)


def _vacancy(rng: random.Random) -> Rule:
    return Vacancy(id="alone", kind="vacancy", paragraph="alone", when=rng.choice(("always", "move", "phase")))


def _column(rng: random.Random) -> Rule:
    mp = Fraction(1, rng.choice((1, 2)))
    return ColumnEntry(id="column", kind="column_entry", paragraph="column", into=rng.choice((None, CLEAR)), mp=mp)


KINDS: dict[str, tuple[Callable[[random.Random], Rule], ...]] = {
    "zones": (_zone,),
    "further MP": (_bonus,),
    "exhaustion": (_exhaustion,),
    "any hex": (_anywhere,),
    "once": (_once,),
    "several": (_bonus, _exhaustion, _anywhere, _once),
    "stacking": (_stacking,),
    "vacancy": (_vacancy,),
    "columns": (_column,),
}


def position(kind: str, seed: int) -> tuple[Scenario, random.Random]:
    """Return a skirmish under further rules, and the generator that drew it."""
    scenario, rng = skirmish(seed)
    rules = [rule for rule in scenario.game.rulebook.rules if rule.kind != "minimum_move"]
    return with_rules(scenario, [*rules, *(make(rng) for make in KINDS[kind])]), rng


def moving_once(seed: int) -> Scenario:
    """Return a skirmish in which nobody who has moved goes on later."""
    scenario, _ = skirmish(seed)
    return with_rules(scenario, map(_moving_once, scenario.game.rulebook.rules))


def _moving_once(rule: Rule) -> Rule:
    return rule.model_copy(update={"waiting": None}) if rule.kind == "sequence" else rule


@pytest.mark.thorough
@pytest.mark.parametrize("kind", KINDS)
def test_a_search_comes_to_the_best_of_all_plans(kind: str) -> None:
    settled = 0
    for seed in SEEDS:
        scenario, _ = position(kind, seed)
        if not Referee(scenario.game).play(Plan(), scenario.start).legal:
            continue
        try:
            value, plan = best_plan(scenario, CAP)
        except TooManyStatesError:
            continue
        settled += 1
        result = Search(scenario).run()
        assert (result.status, result.value) == ("optimal", value), f"{kind} {seed}:\n{plan}"
    assert settled


@pytest.mark.parametrize(
    ("kind", "seed"),
    [
        ("stacking", 8),
        pytest.param("stacking", 18, marks=pytest.mark.thorough),
        pytest.param("vacancy", 23, marks=pytest.mark.thorough),
        ("vacancy", 37),
    ],
)
def test_where_moves_may_not_end_among_others_every_plan_of_few_is_tried_all_the_same(kind: str, seed: int) -> None:
    """With enemies near (18, 23) and without: such plans can't be put together step by step."""
    scenario, _ = position(kind, seed)
    assert scenario.game.rulebook.halting
    result = Search(scenario).run()
    assert (result.status, result.value) == ("optimal", best_plan(scenario, CAP)[0])


@pytest.mark.parametrize("seed", [12, 97])
def test_where_units_move_once_whole_moves_are_tried_and_not_single_steps(seed: int) -> None:
    """Each wins by a move of two steps, into a hex that it attacks from the next one, which nobody makes step by step."""
    scenario = moving_once(seed)
    result = Search(scenario).run()
    assert (result.status, result.value) == ("optimal", EverySequel(scenario, CAP).best())


@pytest.mark.parametrize("room", ["", "move", "phase"])
def test_whoever_may_not_stop_there_passes_a_hex_whose_enemy_may_be_left_if_a_combat_fails(
    room: Literal["", "move", "phase"],
) -> None:
    """Moves are made once, or may not end in a friend's hex: x wins 0405, 5 in 6, and y goes through it to 0406 beyond.

    Where e has been driven there y may be thrown back to x, where there is no room: that is relied on, though who reacts
    may not do it.
    """
    data = planner.load("classic_hex/no_way_out").to_dict()
    unit = {"side": "blue", "type": "infantry"}
    x, y = {**unit, "id": "x", "values": "6-3", "at": "0404"}, {**unit, "id": "y", "values": "1-4", "at": "0403"}
    e = {**unit, "id": "e", "side": "red", "values": "3-2", "at": "0405"}
    tier = {"terms": [{"kind": "end", "unit": "y", "at": "0406"}]}
    changes = {"map": {"hexes": {"0403 0404 0405 0406": "clear"}}, "unit": [x, y, e], "tier": [tier]}
    scenario = Scenario.from_dict({**data, **changes, "confidence": "1/6"})
    rules = scenario.game.rulebook.rules
    full = Stacking(id="room", kind="stacking", paragraph="room", limits=(Limit(units=1),), when=room or "move")
    scenario = with_rules(scenario, [*rules, full]) if room else with_rules(scenario, map(_moving_once, rules))
    verdict = Referee(scenario.game).play(Plan.parse(["x 0404x0405", "y 0403-0404-0405-0406"]), scenario.start)
    assert verdict.legal
    result = Search(scenario).run()
    assert (result.status, result.value) == ("optimal", (verdict.chance_to_end("y", ("0406",)),))
    assert result.value == (Fraction(7, 12),)


@pytest.mark.thorough
def test_a_search_comes_to_the_best_of_all_plans_where_units_move_once() -> None:
    settled = 0
    for seed in SEEDS_ONCE:
        scenario = moving_once(seed)
        try:
            value = EverySequel(scenario, CAP).best()
        except TooManyStatesError:
            continue
        settled += 1
        result = Search(scenario).run()
        assert (result.status, result.value) == ("optimal", value), f"{seed}"
    assert settled


@pytest.mark.parametrize("when", ["phase", "move", "always"])
def test_who_comes_to_a_hex_that_a_friend_leaves_to_fight_comes_afterwards(when: str) -> None:
    """First x beats e, for certain, then y takes its place; where no move may end in a full hex, not before that."""
    scenario, _ = _relief(when, "12-3")
    data = scenario.to_dict()
    data["tier"] = [
        {"terms": [{"kind": "end", "unit": "y", "at": "0404"}, {"kind": "hold", "hexes": "0405"}]},
        {"terms": [{"kind": "units_moved"}]},
    ]
    scenario = with_rules(Scenario.from_dict(data), scenario.game.rulebook.rules)
    found = Search(scenario).run()
    assert (found.status, found.value) == ("optimal", (2, -2))
    assert when == "phase" or [str(move) for move in found.plan.moves] == ["x 0404x0405", "y 0403-0404"]


@pytest.mark.parametrize("kind", KINDS)
def test_both_faces_find_the_same_things_wrong_with_a_sortie(kind: str) -> None:
    for seed in PLANS:
        scenario, rng = position(kind, seed)
        plan = random_sortie(scenario, rng)
        by_referee = {violation.key for violation in Referee(scenario.game).play(plan, scenario.start).violations}
        by_judge = {violation.key for violation in judge(scenario, plan)}
        if any(rule == "3.3" for rule, *_ in by_referee):  # beyond a combat it is no matter of rules any more
            assert any(rule == "3.3" for rule, *_ in by_judge), f"{kind} {seed}:\n{plan}"
        else:
            assert by_judge == by_referee, f"{kind} {seed}:\n{plan}"


@pytest.mark.parametrize("kind", KINDS)
def test_a_judge_that_lacks_a_rule_is_found_out(kind: str) -> None:
    for seed in range(200):
        scenario, rng = position(kind, seed)
        plan, lacking = random_sortie(scenario, rng), frozenset({scenario.game.rulebook.rules[-1].id})
        if judge(scenario, plan, without=lacking) != judge(scenario, plan):
            return
    raise AssertionError


def test_a_search_that_lacks_a_zone_of_control_is_found_out() -> None:
    """The best plan without it isn't legal: the referee has the last word, and something else is found."""
    for seed in range(60):
        scenario, _ = position("zones", seed)
        plain = skirmish(seed)[0]
        if not Referee(scenario.game).play(Search(plain).run().plan, scenario.start).legal:
            assert Search(scenario).run().value < Search(plain).run().value, f"{seed}"
            return
    raise AssertionError


def _relief(when: str, strength: str, drawn: str = "") -> tuple[Scenario, Plan]:
    """Return a position with room for one unit a hex, and a plan: x attacks, and y comes to the hex that x has left."""
    data = planner.load("classic_hex/no_way_out").to_dict()
    data["map"] = {"hexes": {"0403 0404 0405 0406 0407": "clear"}}
    places = {"x": {"values": strength}, "y": {"at": "0403"}}
    data["unit"] = [{**unit, **places.get(unit["id"], {})} for unit in data["unit"]]
    scenario = Scenario.from_dict(data)
    room = Stacking.model_validate({
        "id": "room", "kind": "stacking", "paragraph": "room", "limits": [{"units": 1}], "when": when,
    })  # fmt: skip
    return with_rules(scenario, [*scenario.game.rulebook.rules, room]), Plan.parse(
        [f"x 0404x0405{drawn}", "y 0403-0404"]
    )


@pytest.mark.parametrize("when", ["phase", "move", "always"])
def test_both_faces_see_that_a_hex_is_too_full_if_a_combat_fails(when: str) -> None:
    """x, 4 against 4, may be thrown back to 0404, where y has come by then; with 12 against 4 it never is."""
    scenario, plan = _relief(when, "4-3")
    by_referee = {violation.key for violation in Referee(scenario.game).play(plan, scenario.start).violations}
    assert ("room", None, None, None, "0404") in by_referee
    assert {violation.key for violation in judge(scenario, plan)} == by_referee
    scenario, plan = _relief(when, "12-3")
    assert not judge(scenario, plan)
    assert Referee(scenario.game).play(plan, scenario.start).legal


def test_who_has_fallen_takes_up_no_room_where_it_came_from() -> None:
    """1 against 4 is the first column: with 2 damage x is eliminated, and y has 0404 to itself."""
    scenario, plan = _relief("phase", "1-3", "=2:0")
    assert Referee(scenario.game).play(plan, scenario.start).legal
    assert not judge(scenario, plan)
