"""On random islands every form of the solver comes to the optimum that trying every plan finds, and both faces agree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import pytest

from planner.reachability.conditional_reach import ConditionalReach
from planner.referee.referee import Referee
from planner.referee.verdict import Violation
from planner.scenario import build_scenario
from planner.search.search import Search
from planner.solver.model import build_options, build_paths
from planner.solver.plan_judge import judge
from tests.conftest import DEEP, sized
from tests.instances import list_possibilities
from tests.oracles.every_plan import EveryPlan
from tests.oracles.islands import draw_islands, islands, random_plan
from tests.oracles.transform import in_turn, moved_map, symmetries
from tests.seeds import in_chunks
from tests.solving import searched, settled, solved_tier_by_tier

SEEDS = sized(4, 25, 3_000)
PLANS = sized(50, 400, 20_000)
ALIKE = 250 if DEEP else 2
OFTEN = 100 if DEEP else 40
CAP = 400
"""Positions with more standings are passed over."""


@in_chunks(SEEDS)
def test_a_search_comes_to_the_optimum_of_every_plan(seeds: range) -> None:
    compared = settled(seeds, lambda seed: islands(seed)[0], lambda one: EveryPlan(one, CAP, longest=5).best())
    assert compared > len(seeds) / 2


@in_chunks(SEEDS // 3)
def test_paths_and_options_without_dominance_come_to_the_value_of_the_search(seeds: range) -> None:
    for seed in seeds:
        scenario, _ = islands(seed)
        value = searched(scenario)
        paths = solved_tier_by_tier(build_paths(scenario, ConditionalReach(scenario.game)))
        reach = ConditionalReach(scenario.game, prune=False)
        options = solved_tier_by_tier(build_options(scenario, list_possibilities(reach), reach))
        assert (paths, options) == (value, value), f"seed {seed}"


def told(violations: Iterable[Violation]) -> Counter[tuple[str, object, frozenset[str]]]:
    """Return what is broken, where and by whose fault, with how often.

    Where a chain could cross either of two zones and ships lack, it is a matter of words which of its legs goes short.
    """
    found: Counter[tuple[str, object, frozenset[str]]] = Counter()
    for violation in violations:
        at_sea = violation.rule == "3.1.2" and not violation.blame
        where = (violation.unit, violation.move) if at_sea else violation.key
        found[violation.rule, where, frozenset(violation.blame)] += 1
    return found


def is_matter_of_words(more: Iterable[tuple[str, object, frozenset[str]]], violations: Iterable[Violation]) -> bool:
    """Tell whether the referee names something more where a move fails for several reasons at sea.

    It goes leg by leg, and takes ships at their word; the solver takes the reading in which the least is wrong. What ships
    are left for those who come later depends on it.
    """
    reasons = Counter(violation.move for violation in violations if violation.rule == "3.1.2")
    unclear = [move for move, number in reasons.items() if number > 1 and move is not None]
    return all(
        rule == "3.1.2" and isinstance(where, tuple) and unclear and where[1] >= min(unclear) for rule, where, _ in more
    )


@in_chunks(PLANS)
def test_referee_and_solver_find_the_same_things_wrong_at_sea(seeds: range) -> None:
    worded = []
    for seed in seeds:
        scenario, rng = islands(seed)
        plan = random_plan(scenario, rng)
        violations = Referee(scenario.game).play(plan, scenario.start).violations
        by_referee, by_solver = told(violations), told(judge(scenario, plan))
        assert not by_solver - by_referee, f"seed {seed}:\n{plan}"
        if more := by_referee - by_solver:
            assert is_matter_of_words(more, violations), f"seed {seed}:\n{plan}"
            worded.append(seed)
    assert len(worded) <= 1


@pytest.mark.parametrize("seed", [2821, 2900, 5801, 19201])
def test_both_faces_know_which_zones_a_leg_may_have_crossed(seed: int) -> None:
    # Found at random: two legs in a row of which the first is none, leads nowhere, or names a ship of one zone alone.
    scenario, rng = islands(seed)
    plan = random_plan(scenario, rng)
    assert told(judge(scenario, plan)) == told(Referee(scenario.game).play(plan, scenario.start).violations)


@pytest.mark.thorough
def test_units_often_sail_together_and_ports_are_often_opened_for_them() -> None:
    sailed = together = opened = 0
    for seed in range(OFTEN):
        scenario, _ = islands(seed)
        plan = Search(scenario).run().plan
        assert plan is not None
        aboard = [move for move in plan.moves if move.carried]
        sailed += bool(aboard)
        together += len(aboard) > 1
        opened += any(Referee(scenario.game).play_move(move, scenario.start.copy(), ())[0] for move in aboard)
    print(f"somebody sails in {sailed} of {OFTEN} optima, several in {together}, to a port that was opened in {opened}")
    assert sailed >= 0.35 * OFTEN
    assert together >= 0.05 * OFTEN
    assert opened >= 0.07 * OFTEN


@pytest.mark.thorough
def test_one_more_ship_is_never_worse_and_the_order_of_the_markers_means_nothing() -> None:
    wanted = 0
    for seed in range(OFTEN // 2):
        rng = islands(seed)[1]
        rng.seed(f"islands {seed}")
        data = draw_islands(rng)
        value = Search(build_scenario(data, "as drawn")).run().value
        reordered = {**data, "marker": data["marker"][::-1]}
        assert Search(build_scenario(reordered, "reordered")).run().value == value
        more = {"type": "standard_convoy", "side": "western", "nationality": "us", "zone": "n"}
        richer = {**data, "marker": [*data["marker"], more]}
        more_value = Search(build_scenario(richer, "richer")).run().value
        assert more_value >= value
        wanted += more_value > value
    print(f"one more ship is worth something in {wanted} of {OFTEN // 2}")
    assert wanted >= OFTEN / 20


@in_chunks(SEEDS // 3)
def test_the_optimum_at_sea_survives_every_rotation_and_reflection_of_the_map(seeds: range) -> None:
    """All of them on the first positions, one of them in turn on each of the others."""
    for seed in seeds:
        scenario, rng = islands(seed)
        rng.seed(f"islands {seed}")
        data = draw_islands(rng)
        value = Search(scenario).run().value
        moved = {name: moved_map(data, scenario, symmetry) for name, symmetry in symmetries()}
        for name, other in in_turn(moved, seed, ALIKE).items():
            assert Search(build_scenario(other, name)).run().value == value, f"seed {seed}, {name}"
