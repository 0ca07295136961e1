"""Mixtures of rules of which some are rolled: every answer is that of trying every plan on the referee alone."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import pytest

import planner
from planner.errors import TooManyOutcomesError
from planner.explanation.too_weak import never_sure_to_go
from planner.objective import Tier
from planner.objective.goals import End
from planner.objective.scoring import Value
from planner.plans.plan import Plan
from planner.referee.referee import Referee
from planner.referee.verdict import Verdict
from planner.rules.combat_roles import JointlyOverruns
from planner.scenario import Scenario
from planner.search.policy_judge import judge_policy
from planner.search.search import Search
from planner.solver.plan_judge import judge
from tests.conftest import sized
from tests.oracles.brute_force import TooManyStatesError
from tests.oracles.play import BestPlay
from tests.oracles.rolled_plans import EveryRolledPlan, rolled_mixture

DRAWN = (0, 3, 4, 5, 7, 10, 11, 12, 17, 22, 34, 57, 68, 71, 77)
"""Of the first hundred some that have few plans: one without a legal one, and six in which units overrun together."""
SEEDS, CAP = sized((3, 4, 5, 10, 71), DRAWN, range(2_000)), sized(60, 300, 600)
"""Positions, and the number of plans beyond which one isn't held against them."""
SITUATIONS = 80
"""The number of situations beyond which the best way of playing isn't sought."""
Judged = list[tuple[Plan, Verdict]]


def positions() -> Iterator[tuple[str, Scenario, EveryRolledPlan, Judged, random.Random]]:
    """Yield the positions with few plans, what they are, all their plans, and where chance comes from."""
    for seed in SEEDS:
        if (drawn := position(seed)) is not None:
            yield *drawn, random.Random(f"question {seed}")


@cache
def position(seed: int) -> tuple[str, Scenario, EveryRolledPlan, Judged] | None:
    """Return a position, what it is, and all its plans; None: there are too many."""
    scenario, kinds = rolled_mixture(random.Random(f"luck {seed}"))
    every = EveryRolledPlan(scenario, CAP)
    try:
        return f"{seed} {kinds}", scenario, every, every.judged()
    except (TooManyStatesError, TooManyOutcomesError):
        return None


def best_play(scenario: Scenario) -> tuple[bool, Value | None]:
    """Return whether there are few enough situations, and what the best way of playing is worth."""
    try:
        return True, BestPlay(scenario, SITUATIONS).value()
    except TooManyStatesError:
        return False, None


def test_the_best_fixed_plan_is_that_of_trying_every_plan() -> None:
    compared = 0
    for name, scenario, every, judged, _ in positions():
        best = every.best(judged)
        result = Search(scenario).run()
        assert (result.status, result.value or None) == ("infeasible" if best is None else "optimal", best), name
        compared += 1
    assert compared


def test_who_can_get_where_is_what_some_legal_plan_says() -> None:
    compared = 0
    for name, scenario, every, judged, _ in positions():
        ends = every.ends(judged)
        for one in planner.reach_all(scenario):
            told = {end.hex for end in (*one.alone, *one.with_help)}
            assert not one.open, name
            assert told - {one.at} == ends.get(one.unit, set()) - {one.at}, f"{name} {one.unit}"
            compared += 1
    assert compared


def test_no_plan_is_sure_to_eliminate_an_enemy_of_whom_it_is_known_at_once_that_none_is() -> None:
    said = sure = 0
    for name, scenario, _, judged, _ in positions():
        for enemy in (unit for unit in scenario.game.homes if scenario.game.is_enemy(unit)):
            goes = any(all(enemy not in one.at for one, _ in verdict.all_outcomes()) for _, verdict in judged)
            never = never_sure_to_go(scenario.game, [enemy])
            assert not (goes and never), f"{name} {enemy}"
            said, sure = said + never, sure + goes
    assert said
    assert sure or SEEDS == (3, 4, 5, 10, 71)


def test_both_faces_pass_and_refuse_the_same_plans() -> None:
    compared = 0
    for name, scenario, _, judged, rng in positions():
        for plan, verdict in rng.sample(judged, min(6, len(judged))):
            assert bool(judge(scenario, plan)) == bool(verdict.violations), f"{name}\n{plan}"
            compared += 1
    assert compared


def test_no_overrun_is_likelier_to_go_through_than_what_bounds_all_of_them() -> None:
    compared = 0
    for name, scenario, _, judged, _ in positions():
        bounds = [rule.best_chance(scenario.game) for rule in scenario.game.rulebook.of(JointlyOverruns)]
        for plan, played in [(plan, one) for plan, verdict in judged if verdict.legal for one in verdict.moves]:
            chances = {roll.step: roll.chance for roll in played.rolls}
            for step in played.move.overruns if bounds else ():
                assert chances.get(step, 1) <= max(bounds), f"{name}\n{plan}"
                compared += 1
    assert compared


@pytest.mark.thorough
def test_reacting_is_never_worse_than_a_fixed_plan_nor_better_than_the_best_way_of_playing() -> None:
    settled_ones = 0
    for name, scenario, every, judged, _ in positions():
        policy, fixed = planner.suggest(scenario, adaptive=True), every.best(judged)
        settled, top = best_play(scenario)
        if policy.root is None:
            assert (fixed, policy.status) == (None, "infeasible"), name
            assert top is None, name
            continue
        again = judge_policy(scenario, policy.root)
        assert (again.legal, again.value) == (True, policy.value), name
        assert fixed is None or policy.value >= fixed, name
        if settled:
            assert (policy.status, policy.value) == ("optimal", top), name
            settled_ones += 1
    assert settled_ones


@pytest.mark.thorough
def test_what_no_plan_reaches_is_explained_as_that_and_by_waiting_only_what_that_reaches() -> None:
    explained = 0
    for name, scenario, every, judged, rng in positions():
        ends = every.ends(judged)
        own = sorted(unit for unit in scenario.start.at if scenario.game.may_be_moved(unit))
        if not own:
            continue
        unit = rng.choice(own)
        beyond = sorted(scenario.game.board.hexes.keys() - ends.get(unit, set()))
        for to in rng.sample(beyond, min(2, len(beyond))):
            found = planner.explain(scenario, f"{unit} to {to}")
            goal = Tier(terms=(End(kind="end", unit=unit, at=(to,)),))
            settled, top = best_play(replace(scenario, requirements=(), tiers=(goal,)))
            asked = f"{name} {unit} to {to}"
            assert found.status not in ("possible", "with_help"), asked
            assert not found.chances, asked
            if found.reacting is not None:
                played = Referee(scenario.game).play(found.reacting.plan, scenario.start, rolls=False)
                assert (played.legal, played.position.at.get(unit)) == (True, to), asked
            if settled:
                likely = top[0] if top is not None else 0
                assert (found.reacting is not None) == (likely > 0), asked
                assert found.reacting is None or found.reacting.probability <= likely, asked
            explained += 1
    assert explained
