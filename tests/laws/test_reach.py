"""What `reach` tells is what trying every plan on the referee alone comes to: nothing missing, nothing false."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import chain, islice

import pytest

from planner.explanation.relaxation import narrowed
from planner.limits import Limits
from planner.referee.referee import Referee
from planner.scenario import Scenario
from planner.search.reach_report import report
from planner.search.reachable import Reachable, ReachReport
from tests.conftest import THOROUGH, sized
from tests.laws.test_explained_destinations import CAP, SYSTEMS, Ends, small
from tests.oracles.skirmishes import sorties
from tests.oracles.stacks import EveryStackPlan

GAMES = sized(1, 15, 300)
"""Positions of each rule system."""
LONGEST = 3
"""Hexes of the moves that are tried of stacks, that of departure among them."""


def _of_stacks(scenario: Scenario) -> Iterator[Ends]:
    for _, verdict, _ in EveryStackPlan(scenario, CAP, LONGEST).plans():
        yield set(verdict.position.at.items())


def _of_combats(scenario: Scenario) -> Iterator[Ends]:
    for _, verdict in sorties(scenario, CAP):
        yield set(verdict.position.at.items())


ROLLED = {"ocs": _of_stacks, "the great war": _of_stacks, "classic hex": _of_combats}
"""How every plan is tried where the oracles ask where units end whatever is rolled: here, where if all goes well."""


def _every(system: str) -> Callable[[Scenario], Iterator[Ends]]:
    return ROLLED.get(system, SYSTEMS[system][1])


@dataclass(frozen=True)
class Told:
    """What is told of a position of which every plan can be looked at; nothing is required."""

    where: str
    scenario: Scenario
    reached: Ends
    """Who can get where, by some plan."""
    units: list[ReachReport]


def _own(scenario: Scenario) -> list[str]:
    return [unit for unit in scenario.start.at if unit in scenario.game.friends]


@pytest.fixture(scope="module", params=SYSTEMS)
def system(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture(scope="module")
def all_told(system: str) -> list[Told]:
    """Return what is told of the first positions of a system, for all tests that ask of it."""
    draw = SYSTEMS[system][0]
    positions = small(lambda seed: replace(draw(seed), requirements=()), _every(system))
    return [
        Told(f"{system}, seed {seed}", scenario, reached, report(scenario, _own(scenario), Limits.within(60.0)))
        for seed, scenario, reached in islice(positions, GAMES)
    ]


def test_reach_lists_those_and_only_those_hexes_that_some_legal_plan_reaches(system: str, all_told: list[Told]) -> None:
    helped = 0
    for one in all_told:
        start, where = one.scenario.start.at, one.where
        told = {(unit.unit, entry.hex): entry.plan for unit in one.units for entry in (*unit.alone, *unit.with_help)}
        assert not any(unit.open for unit in one.units), where
        can = {(unit, label) for unit, label in one.reached if unit in _own(one.scenario) and start[unit] != label}
        assert can <= told.keys(), where
        # Who tries all plans of stacks looks at short moves only; that the plan is legal the next test asserts.
        longer = {pair for pair, plan in told.items() if any(len(move.path) > LONGEST for move in plan.moves)}
        assert told.keys() - can <= (longer if _every(system) is _of_stacks else set()), where
        helped += sum(len(unit.with_help) for unit in one.units)
    assert helped or not THOROUGH  # a handful of positions need not have any


def test_each_hex_has_a_legal_plan_that_takes_the_unit_there_as_it_is_told(all_told: list[Told]) -> None:
    """By itself: nobody else moves. With help: somebody else does, and the hex isn't among those had alone."""
    for told in all_told:
        scenario, where = told.scenario, told.where
        for one in told.units:
            for entry in (*one.alone, *one.with_help):
                verdict = Referee(scenario.game).play(entry.plan, scenario.start)
                assert verdict.legal, where
                assert verdict.position.at[one.unit] == entry.hex, where
                assert verdict.tally.mp.get(one.unit, 0) == entry.mp, where
                assert 0 < entry.chance <= 1, where
            assert all(_movers(entry) == {one.unit} for entry in one.alone), where
            assert all(_movers(entry) > {one.unit} for entry in one.with_help), where
            assert not {entry.hex for entry in one.alone} & {entry.hex for entry in one.with_help}, where


def test_by_itself_are_those_and_only_those_hexes_that_plans_reach_in_which_nobody_else_moves(
    system: str, all_told: list[Told]
) -> None:
    for told in all_told:
        scenario, where = told.scenario, told.where
        for one in report(scenario, _own(scenario), Limits.within(60.0), alone=True):
            start = scenario.start.copy()
            start.used.update(set(_own(scenario)) - {one.unit})  # nobody else gives support
            by_itself = replace(narrowed(scenario, (one.unit,)), start=start)
            ends = {label for unit, label in chain.from_iterable(_every(system)(by_itself)) if unit == one.unit}
            assert not one.open, where
            path_to = {entry.hex: entry.path for entry in one.alone}
            assert ends - {one.at} <= path_to.keys(), (where, one.unit)
            extra = [path for label, path in path_to.items() if label not in ends]
            assert all(_every(system) is _of_stacks and len(path) > LONGEST for path in extra), (where, one.unit)


def _movers(entry: Reachable) -> set[str]:
    """Return who takes part in the plan: who moves, and who supports an overrun."""
    moves = entry.plan.moves
    return {unit for move in moves for unit in (*move.units, *(helper for _, helper in move.support))}
