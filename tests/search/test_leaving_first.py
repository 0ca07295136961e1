"""Who leaves a hex goes first in plans that are told, where both orders are legal; where not, they stay as they are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from planner.plans.plan import Move, Plan
from planner.referee.referee import Referee
from planner.scenario import Scenario, build_scenario
from planner.search.leaving_first import EarlyJudge, leaving_first
from planner.search.search import Search
from tests.conftest import sized
from tests.oracles.waiting import waiting


def column(goals: list[tuple[str, str]]) -> Scenario:
    """Return three hexes in a row, infantry a in w1001 and b in w1002."""
    units = [
        {"id": unit, "side": "soviet", "type": "infantry", "values": "3-3-2", "at": at}
        for unit, at in (("a", "w1001"), ("b", "w1002"))
    ]
    return build_scenario(
        {
            "format": "planner/scenario-1",
            "model": "dai_senso",
            "phase": "operational_movement",
            "phasing": "soviet",
            "map": {"hexes": {"w1001 w1002 w1003": "clear"}},
            "unit": units,
            "tier": [{"terms": [{"kind": "end", "unit": unit, "at": at} for unit, at in goals]}],
        },
        "column",
    )


def moves(*written: str) -> tuple[Move, ...]:
    return Plan.parse(list(written)).moves


def anything(order: Sequence[Move]) -> bool:
    return True


def never() -> bool:
    return False


def test_a_relief_is_told_with_the_one_who_leaves_first() -> None:
    # a goes to w1002, b to w1003. Both orders are legal: three units may stand in a hex, and only the end counts.
    result = Search(column([("a", "w1002"), ("b", "w1003")])).run()
    assert [str(move) for move in result.plan.moves] == ["b w1002-w1003", "a w1001-w1002"]


def test_a_chain_of_reliefs_is_turned_round_at_once() -> None:
    tried = []

    def accepts(order: Sequence[Move]) -> bool:
        tried.append(order)
        return True

    chain = moves("a A1-A2", "b A2-A3", "c A3-A4")
    assert leaving_first(chain, accepts, never) == (chain[2], chain[1], chain[0])
    assert len(tried) == 1


def test_who_change_places_stay_in_their_order() -> None:
    swap = moves("a A1-A2", "b A2-A1")
    assert leaving_first(swap, anything, never) == swap


def test_what_is_not_accepted_stays_and_the_rest_is_put_right() -> None:
    # c must come after b; that b leaves first, and d goes first for e, are other matters.
    plan = moves("a A1-A2", "b A2-A3", "c A3-A4", "e B1-B2", "d B2-B3")

    def b_before_c(order: Sequence[Move]) -> bool:
        return order.index(plan[1]) < order.index(plan[2])

    found = leaving_first(plan, b_before_c, never)
    assert found.index(plan[1]) < found.index(plan[0])
    assert found.index(plan[4]) < found.index(plan[3])


def test_nothing_is_tried_when_it_is_late() -> None:
    chain = moves("a A1-A2", "b A2-A3")
    assert leaving_first(chain, anything, lambda: True) == chain


def test_an_order_is_refused_early_exactly_if_the_referee_finds_a_move_that_breaks_a_rule() -> None:
    refused = accepted = 0
    for seed in range(sized(12, 60, 300)):
        scenario, rng = waiting(seed)
        plan = Search(scenario).run().plan
        if plan is None or len(plan.moves) < 2:
            continue
        referee = Referee(scenario.game)
        early = EarlyJudge(referee, scenario.start, plan.moves)
        for _ in range(6):
            order = tuple(rng.sample(plan.moves, len(plan.moves)))
            if order == plan.moves:
                continue
            played = referee.play(replace(plan, moves=order), scenario.start)
            broken = any(violation.move is not None for violation in played.violations)
            assert early.refuses(order) == broken, (seed, order)
            refused, accepted = refused + broken, accepted + (not broken)
    assert min(refused, accepted) > 3
