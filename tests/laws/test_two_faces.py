"""The two faces of every rule agree: what the referee finds wrong with a plan, the solver finds too, and nothing else."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable

import pytest

from planner.plans.plan import Plan
from planner.referee.referee import Referee
from planner.referee.verdict import Violation
from planner.rules.base import Rule
from planner.rules.kinds.capture import Capture
from planner.rules.kinds.entry_restriction import EntryRestriction
from planner.rules.kinds.passage import Passage
from planner.rules.kinds.procedures import Procedures
from planner.rules.kinds.transport import Transport
from planner.rules.kinds.zone_of_control import ZoneOfControl
from planner.scenario import Scenario, build_scenario
from planner.solver.plan_judge import judge
from tests.conftest import DEEP, long_ones, sized
from tests.oracles.plans import Walker
from tests.oracles.positions import draw, under_newer_rules
from tests.oracles.rulebooks import random_rules, with_rules
from tests.seeds import in_chunks

PLANS = sized(25, 200, 20_000)
MOST_PLANS = 20_000 if DEEP else 1_000
"""Among so many plans each paragraph forbids one."""


def example(seed: int, rules: str = "printed rules") -> tuple[Scenario, Plan]:
    """Return a random position and a random plan; some of the plans heed the rules at every step."""
    rng = random.Random(f"two faces {seed}")
    new = draw(rng)
    scenario = under_newer_rules(new) if rules == "newer rules" else build_scenario(new.data, f"seed {seed}")
    if rules == "random rules":
        scenario = with_rules(scenario, random_rules(scenario.game.rulebook.rules, rng))
    return scenario, Walker(scenario, rng, rng.choice((1, 1, 0.9, 0.7, 0.4))).plan()


def told(scenario: Scenario, violations: Iterable[Violation]) -> Counter[object]:
    """Return what is broken, where and by whose fault, with how often.

    Whom to blame for a cut supply line is a matter of words: the referee names those whom it meets first, the solver those
    on any line. So it only counts whether somebody is to blame.
    """
    supply = next(rule for rule in scenario.game.rulebook.rules if rule.kind == "supply")
    found: Counter[object] = Counter()
    for violation in violations:
        loose = violation.rule == supply.paragraph and violation.step == 0
        found[violation.key, bool(violation.blame) if loose else frozenset(violation.blame)] += 1
    return found


def by_referee(scenario: Scenario, plan: Plan) -> tuple[Violation, ...]:
    return Referee(scenario.game).play(plan, scenario.start).violations


def without_rule(scenario: Scenario, rule: str) -> Scenario:
    """Return the scenario under a rulebook that lacks one rule."""
    return with_rules(scenario, (r for r in scenario.game.rulebook.rules if r.id != rule))


@pytest.mark.parametrize("rules", long_ones(("printed rules", "random rules", "newer rules"), "newer rules"))
@in_chunks(PLANS, 50)
def test_referee_and_solver_find_the_same_things_wrong(seeds: range, rules: str) -> None:
    for seed in seeds:
        scenario, plan = example(seed, rules)
        solver, referee = told(scenario, judge(scenario, plan)), told(scenario, by_referee(scenario, plan))
        assert solver == referee, f"seed {seed}:\n{plan}"


def test_legal_and_illegal_plans_both_come_often() -> None:
    illegal, moves = 0, Counter[int]()
    for seed in range(PLANS):
        scenario, plan = example(seed)
        if by_referee(scenario, plan):
            illegal += 1
        else:
            moves[len(plan)] += 1
    print(f"{illegal} of {PLANS} plans are illegal; moves in legal ones: {dict(sorted(moves.items()))}")
    assert 0.15 < illegal / PLANS < 0.85


@pytest.mark.thorough
def test_every_rule_and_paragraph_forbids_some_plan() -> None:
    """Plans are drawn until each has forbidden one; in deep runs all are, and it is said how many each forbids."""
    hits: Counter[tuple[str, str, str]] = Counter()
    silent: set[tuple[str, str, str]] = set()
    for seed in range(MOST_PLANS):
        scenario, plan = example(seed)
        if not seed:
            silent = {place for rule in scenario.game.rulebook.rules if on_land(rule) for place in speaking(rule)}
        found = set(by_referee(scenario, plan))
        asked = [rule for rule in scenario.game.rulebook.rules if DEEP or not silent.isdisjoint(speaking(rule))]
        for rule in asked if found else ():
            lost = found - set(by_referee(without_rule(scenario, rule.id), plan))
            hits.update({(rule.kind, rule.id, violation.rule) for violation in lost} & speaking(rule))
        silent -= hits.keys()
        if not silent and not DEEP:
            break
    print("illegal plans by kind, rule and paragraph:", *sorted(hits.items()), sep="\n")
    assert not silent


def on_land(rule: Rule) -> bool:
    """Tell whether the random positions of this file, which have neither seas nor boxes nor countries, are about a rule."""
    political = isinstance(rule, EntryRestriction) and (rule.hexes is not None or rule.by_scenario)
    return not political and not isinstance(rule, (Passage, Transport, Procedures, Capture))


def speaking(rule: Rule) -> set[tuple[str, str, str]]:
    """Return (kind, id, paragraph) for every paragraph that a rule cites, on land."""
    if not isinstance(rule, ZoneOfControl):
        return {(rule.kind, rule.id, rule.paragraph)}
    # Effects on those who go certain ways are about boxes.
    return {(rule.kind, rule.id, effect.paragraph) for effect in rule.effects if not effect.ways}
