"""The random families of positions, each with the best of all plans, on the referee alone."""

from __future__ import annotations

import random
from collections.abc import Callable

from planner.objective.scoring import Value, values_of
from planner.referee.verdict import Verdict
from planner.scenario import Scenario
from tests.conftest import DEEP
from tests.oracles.every_plan import EveryPlan
from tests.oracles.islands import islands
from tests.oracles.skirmishes import skirmish, sorties
from tests.oracles.stacks import EveryStackPlan, stacks
from tests.oracles.trenches import trenches
from tests.oracles.waiting import Interleaved, waiting

CAP = 400 if DEEP else 150


def fulfils(scenario: Scenario, verdict: Verdict) -> bool:
    """Tell whether a plan fulfils the requirements in every outcome."""
    return all(
        goal.holds(scenario.game, position, tally)
        for goal in scenario.requirements
        for position, tally in verdict.all_outcomes()
    )


def of_stacks(scenario: Scenario, longest: int) -> Value | None:
    """Return the best of all plans of stacks that fulfil the requirements; None if there is none."""
    plans = EveryStackPlan(scenario, CAP, longest).plans()
    return max((value for _, verdict, value in plans if fulfils(scenario, verdict)), default=None)


def of_all_sorties(scenario: Scenario) -> Value | None:
    """Return the best of all plans with combats that fulfil the requirements; None if there is none."""
    verdicts = (verdict for _, verdict in sorties(scenario, 4 * CAP) if fulfils(scenario, verdict))
    return max((values_of(scenario.game, scenario.tiers, verdict) for verdict in verdicts), default=None)


Family = tuple[Callable[[int], tuple[Scenario, random.Random]], Callable[[Scenario], Value | None]]
FAMILIES: dict[str, Family] = {
    "units that wait": (waiting, lambda scenario: Interleaved(scenario, 10 * CAP).best()),
    "stacks": (stacks, lambda scenario: of_stacks(scenario, 4)),
    "trenches": (trenches, lambda scenario: of_stacks(scenario, 3)),
    "islands": (islands, lambda scenario: EveryPlan(scenario, 4 * CAP, longest=5).best()),
    "skirmishes": (skirmish, of_all_sorties),
}
