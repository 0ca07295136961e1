"""Sets that are hard to make small: of many members, of combats, and of what one unit can't do for another's sake."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import permutations
from pathlib import Path

import pytest

import planner
from planner.explanation.answer import Reason
from planner.explanation.enumeration import every_plan, in_the_worst_world
from planner.explanation.helper_matching import largest_matching, too_few_helpers
from planner.explanation.minimal_conflicts import reason_against
from planner.explanation.parse_question import read_goal
from planner.explanation.question import Question
from planner.explanation.relaxation import Scope, every_scope, relaxed
from planner.explanation.straighter_ways import straightened
from planner.limits import Limits
from planner.objective.goals import End, Hold, Surround
from planner.plans.plan import Plan
from planner.referee.referee import Referee
from planner.referee.verdict import Violation
from planner.scenario import Scenario, load_scenario
from planner.search.result import Result
from planner.search.search import Search
from planner.world.position import Position
from tests.conftest import DEEP
from tests.explanation.test_explain import on_a_track
from tests.oracles.brute_force import TooManyStatesError
from tests.oracles.legal_plans import legal_plans
from tests.oracles.skirmishes import skirmish, sorties
from tests.oracles.tiny import tiny
from tests.plain_game import OVERRUN, SHUT, Variant, build


def settled(reason: Reason | None) -> set[tuple[str, str | None, str | None]]:
    """Return what is cited: rule, unit and hex; all of it proved to be needed, and to be enough."""
    assert reason is not None
    assert reason.minimal
    assert reason.confirmed
    return {(instance.rule, instance.unit, instance.hex) for instance in reason.instances}


@pytest.mark.thorough
def test_whoever_must_fight_for_a_hex_goes_no_further_and_nobody_clears_it_for_certain() -> None:
    """By hand: the way to 0406 leads through 0405. If x fights there, it stops; y alone, 2 against 4, may be thrown back."""
    found = planner.explain("classic_hex/no_way_out", "x to 0406", time_limit=60)
    assert found.status == "forbidden"
    assert settled(found.reasons[0]) == {("combat", "x", "0405"), ("combat", "y", "0405")}
    assert [remedy.fewest for remedy in found.remedies] == [True]


@pytest.mark.thorough
def test_a_rule_that_bars_a_unit_from_many_hexes_is_told_of_the_unit() -> None:
    """By hand: in another phase no reinforcement enters anywhere, not in one of the hundred hexes of the map."""
    scenario = load_scenario("crossroads/start")
    found = planner.explain(scenario, "bt2 to 0106", time_limit=None)
    assert (found.status, found.complete) == ("forbidden", True)
    [reason] = found.reasons
    assert settled(reason) == {("reinforcements", "bt2", "0106")}
    question = Question((End(kind="end", unit="bt2", at=("0106",)),))
    assert question.relaxed(scenario).possible([Scope("reinforcements", "bt2")])[0] is False
    here = Scope("reinforcements", "bt2", frozenset(["0106"]))
    assert question.relaxed(scenario).possible([here])[0] is True  # so that no hex is what forbids it


@pytest.mark.thorough
def test_what_overruns_in_company_forbid_is_settled_where_steps_are_free() -> None:
    """By hand: t2 may not enter 11.06, and nobody there is overrun for certain: 6 to 10 at most, and dice decide."""
    found = planner.explain("ocs/carpet", "t2 to 11.06", time_limit=None)
    assert (found.status, found.help) == ("forbidden", "none")
    [reason] = found.reasons
    assert reason.confirmed
    assert {(one.rule, one.unit, one.hex) for one in reason.instances} >= {("enemy_combat_units", "t2", "11.06")}
    assert {one.rule for one in reason.instances} == {"enemy_combat_units", "overruns"}


def test_a_plan_that_breaks_some_rules_is_not_played_again_with_more_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    scenario = tiny(0)
    every, here = every_scope(scenario), scenario.start.at["foot"]
    far = next(label for label in scenario.game.board.hexes if (scenario.game.board.distance(here, label) or 0) > 1)
    question = Question((End(kind="end", unit="foot", at=(far,)),))
    answers = question.relaxed(scenario)
    plan = Plan.parse(f"foot {here}-{far}")  # they aren't adjacent, whatever else is allowed
    played: list[Plan] = []
    plain = Question.failing

    def failing(self: Question, scenario: Scenario, plan: Plan) -> tuple[Violation, ...] | None:
        played.append(plan)
        return plain(self, scenario, plan)

    monkeypatch.setattr(Question, "failing", failing)
    assert [answers.works(every[:number], plan) for number in range(1, len(every))] == [False] * (len(every) - 1)
    assert len(played) <= 2


@pytest.mark.thorough
def test_a_hex_is_not_surrounded_for_nine_reasons_that_are_all_needed() -> None:
    """By the search: with these alone in force it can't be had; without any one of them, by a plan legal on the referee."""
    scenario, goal = load_scenario("dai_senso/manchuria"), "surround w5526"
    told = settled(reason_against(scenario, Question((read_goal(scenario, goal),))))
    assert len(told) == 9
    scopes = [Scope(rule, unit, None if at is None else frozenset([at]), pays=rule == "mp") for rule, unit, at in told]
    term = Surround(kind="surround", target="w5526")

    def best(in_force: list[Scope]) -> Result:
        return Search(replace(relaxed(scenario, in_force), tiers=(), requirements=(term,))).run()

    assert best(scopes).status == "infeasible"
    for left_out in scopes:
        less = [scope for scope in scopes if scope != left_out]
        found = best(less).plan
        assert found is not None, left_out
        assert Referee(relaxed(scenario, less).game).play(found, scenario.start).legal, left_out


@pytest.mark.thorough
def test_who_cannot_be_spared_elsewhere_is_no_reason_that_a_value_cannot_be_had() -> None:
    """By hand: 22 is everything, D9 and D10 among it. Only inf10 gets to D10, so that it needn't be kept from D9."""
    cited = settled(reason_against(load_scenario("great_war/over_the_top"), Question(value=(Fraction(22),))))
    assert "inf10" not in {unit for _, unit, _ in cited}
    assert ("distance", "inf6", None) in cited


def test_roles_are_shared_out_so_that_as_many_as_can_be_are_seen_to() -> None:
    """Against every way to give needs to units; where some are left, fewer units suit some of them than they are."""
    short = 0
    for seed in range(200):
        rng = random.Random(f"roles {seed}")
        units, needs = "abcd", [1, 2, 3, 4][: rng.randint(1, 4)]
        suits = {need: [unit for unit in units if rng.random() < 0.4] for need in needs}
        given = largest_matching(needs, suits.__getitem__, {})
        assert len(set(given.values())) == len(given)
        assert all(unit in suits[need] for need, unit in given.items())
        most = max(
            sum(unit in suits[need] for need, unit in zip(needs, order, strict=False)) for order in permutations(units)
        )
        assert len(given) == most, f"seed {seed}"
        left, few = too_few_helpers(needs, suits.__getitem__)
        assert (most < len(needs)) == bool(left), f"seed {seed}"
        assert len(few) < len(left) or not left
        assert all(few.issuperset(suits[need]) for need in left), f"seed {seed}"
        short += bool(left)
    assert 20 <= short <= 180


def test_whoever_has_a_role_keeps_it_unless_somebody_else_needs_it() -> None:
    """A sees to 1 and could see to 2, for which nobody else could; b sees to 1 then. C is fixed."""
    suits = {1: ["a", "b"], 2: ["a", "c"], 3: ["c"]}
    assert largest_matching([1, 2, 3], suits.__getitem__, {"a": 1, "c": 3}, ["c"]) == {1: "b", 2: "a", 3: "c"}
    assert largest_matching([1], suits.__getitem__, {"b": 1}) == {1: "b"}


@pytest.mark.thorough
def test_two_hexes_are_called_out_of_reach_only_where_no_plan_holds_both() -> None:
    """Against every legal plan of small positions of two units: one may suit both hexes, and can't be in both."""
    forbidden = possible = 0
    for seed in range(300 if DEEP else 15):
        scenario = replace(tiny(seed), requirements=())
        home, board = scenario.start.at["tank"], scenario.game.board
        near = sorted({home, *board.neighbours[home]} & board.hexes.keys())
        hexes = tuple(random.Random(f"both {seed}").sample(near, 2))
        referee = Referee(scenario.game)
        own = scenario.game.friends
        ends = (referee.play(plan, scenario.start).position.at for plan in legal_plans(scenario))
        both = any(set(hexes) <= {label for unit, label in at.items() if unit in own} for at in ends)
        goals = [Hold(kind="hold", hexes=hexes)] if seed % 2 else [Hold(kind="hold", hexes=(label,)) for label in hexes]
        question = Question(tuple(goals))
        assert question.relaxed(scenario).ask(None, second=True)[0] is both, f"seed {seed}"
        forbidden += not both
        possible += both
    assert forbidden >= 4
    assert possible >= 2


@pytest.mark.thorough
def test_what_is_hopeless_in_the_worst_world_no_plan_does() -> None:
    """Against every plan of small skirmishes: who certainly ends where."""
    hopeless = possible = 0
    for seed in range(300 if DEEP else 12):
        scenario, _ = skirmish(seed)
        game = scenario.game
        own = [unit for unit in scenario.start.at if unit in game.friends]
        unit, label = own[seed % len(own)], sorted(game.board.hexes)[seed % len(game.board.hexes)]
        try:
            standings = [[position for position, _ in verdict.all_outcomes()] for _, verdict in sorties(scenario, 300)]
        except TooManyStatesError:
            continue

        def there(position: Position, unit: str = unit, label: str = label) -> bool:
            return position.at.get(unit) == label

        found, _ = in_the_worst_world(scenario, there, lambda plan: False, Limits(), whole=bool(seed % 2))
        done = any(all(map(there, positions)) for positions in standings)
        assert not (done and found is False), f"seed {seed}: {unit} to {label}"
        hopeless += found is False
        possible += done
    assert hopeless >= 2
    assert possible >= 2


def test_no_plan_that_keeps_a_limit_is_missed_where_those_that_break_it_are_not_gone_on_with() -> None:
    """Against looking into every plan, also beyond the limit: who ends where, for how many MP, or with how many units."""
    forbidden = possible = 0
    for seed in range(300 if DEEP else 24):
        scenario, rng = skirmish(seed)
        own = [unit for unit in scenario.start.at if unit in scenario.game.friends]
        if len(own) > 1 and not DEEP:
            continue
        limit = rng.choice(("at most 0 MP", "at most 1 MP", "at most 2 MP", "at most 0 units"))
        goals = f"{rng.choice(own)} to {rng.choice(sorted(scenario.game.board.hexes))}", limit
        question = Question(tuple(read_goal(scenario, goal) for goal in goals))
        does, hopes = partial(question.fulfilled, scenario), partial(question.hopeful, scenario)
        cut = every_plan(scenario, hopes, does, Limits(), whole=bool(seed % 2))
        whole = every_plan(scenario, lambda position: bool(hopes(position)), does, Limits())  # noqa: B023
        assert cut[0] == whole[0] is not None, f"seed {seed}: {goals}"
        forbidden += cut[0] is False
        possible += cut[0] is True
    assert forbidden >= 4
    assert possible >= 1


@pytest.mark.thorough
def test_that_nobody_may_spend_any_mp_is_reason_enough() -> None:
    """Two armies of classic hex: what they might do in all was looked at, and more time asked for."""
    found = planner.explain("classic_hex/puzzles/open_door", require=["x not in 0404", "x at most 0 MP"], time_limit=60)
    assert [str(one) for one in found.instances] == [
        "at most 0 MP spent by x, as is asked",
        "3.1: x has to pay for its steps, and what is paid counts",
    ]
    assert found.complete


@pytest.mark.thorough
def test_who_has_too_few_mp_for_an_overrun_is_told_so_and_not_that_dice_decide() -> None:
    # An overrun costs 3 MP beside the entry: after one the second has 2 of its 6 left; the first has 4, and none for 10.12.
    now = planner.load("ocs/look_first").after(["second 10.09-10.10x10.11!"])
    [reason] = planner.explain(now, "first to 10.13", time_limit=60).reasons
    assert [str(one) for one in reason.instances] == [
        "6.1a: first can't pay for 10.10x10.11-10.12-10.13 with 4 MP",
        "6.3b: first may not enter 10.11: it holds line",
        "6.1a: second can't pay for 10.10x10.11 with the 2 MP that it has left",
    ]


@pytest.mark.thorough
def test_who_is_asked_about_comes_before_those_who_might_help() -> None:
    now = planner.load("ocs/look_first").after(["second 10.09-10.10x10.11!"])
    [reason] = planner.explain(now, "first to 10.13", time_limit=60).reasons
    assert [one.unit for one in reason.instances] == ["first", "first", "second"]


@pytest.mark.thorough
def test_where_a_roll_may_take_a_unit_there_dice_are_the_reason_and_not_who_else_has_too_few_mp() -> None:
    """The second may overrun 10.11 with all of its 6 MP; had the first more than 1 left, it couldn't be sure either."""
    now = planner.load("ocs/look_first").after(["first 10.10!10.11"])
    found = planner.explain(now, "second to 10.13", time_limit=60)
    assert found.chances
    assert [str(one) for one in found.instances] == [
        "6.3b: second may not enter 10.11: it holds line",
        "8.1: no overrun of 10.11 is sure to go through: dice decide, whatever the odds",
    ]


def test_who_has_used_the_last_order_before_is_a_part_of_the_reason() -> None:
    found = planner.explain(on_a_track(("a", "E1"), ("b", "E2")).after(["b E2-E3"]), "a to E2", time_limit=None)
    [reason] = found.reasons
    assert [(one.rule, one.unit) for one in reason.instances] == [("orders", "a"), ("orders", "b")]
    assert (reason.minimal, reason.confirmed) == (True, True)


def test_what_nobody_needs_to_do_for_it_is_left_out_of_a_try(tmp_path: Path) -> None:
    """By hand: where k keeps nobody out, f walks in by itself; with the overrun of n before it nothing would be broken."""
    rules = SHUT + OVERRUN.replace("by = {}", 'by = { types = "scout" }')
    units, enemies = ("foot f 03.01 9", "scout n 03.01 9"), ("foot k 03.03 1",)
    scenario = build(Variant("try", rules, units=units, enemies=enemies), tmp_path)
    question = Question((End(kind="end", unit="f", at=("03.03",)),))
    together = Plan.parse(["n 03.01-03.02x03.03", "f 03.01-03.02-03.03"])
    probes = question.relaxed(scenario)
    assert straightened([], together, probes).lines == ["f 03.01-03.02-03.03"]
    assert straightened([Scope("shut")], together, probes).lines == together.lines
