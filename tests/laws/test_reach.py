"""What `reach` tells is what trying every plan on the referee alone comes to: nothing missing, nothing false."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import chain, islice
from typing import Any

import pytest

from planner.explanation.relaxation import narrowed
from planner.limits import Limits
from planner.referee.referee import Referee
from planner.referee.verdict import Verdict
from planner.scenario import Scenario
from planner.search.reach_report import report
from planner.search.reachable import Reachable, ReachReport
from tests.conftest import sized
from tests.laws.test_explained_destinations import (
    CAP,
    SYSTEMS,
    Ends,
    ends_at_sea,
    ends_of_those_who_wait,
    ends_on_land,
    small,
)
from tests.oracles.brute_force import TooManyStatesError
from tests.oracles.islands import draw_islands
from tests.oracles.reached import EveryStanding
from tests.oracles.skirmishes import draw_skirmish, sorties
from tests.oracles.small import cut
from tests.oracles.stacks import EveryStackPlan, draw_stacks
from tests.oracles.tiny import draw_tiny
from tests.oracles.trenches import draw_trenches
from tests.oracles.waiting import draw_waiting

GAMES = sized(2, 300, 3_000)
"""Positions of each rule system on a few hexes."""
WHOLE = sized(0, 2, 100)
"""Positions of each rule system as they are drawn."""
LONGEST = 3
"""Hexes of the moves that are tried of stacks, that of departure among them, in positions as they are drawn."""

SMALL: dict[str, tuple[int, int, Callable[[random.Random], dict[str, Any]]]] = {
    "dai senso by land": (6, 200, draw_tiny),
    "dai senso by sea": (6, 200, draw_islands),
    "ocs": (4, 50, draw_stacks),
    "a world at war": (4, 150, draw_waiting),
    "the great war": (5, 100, draw_trenches),
    "classic hex": (4, 80, draw_skirmish),
}
"""To how many hexes positions are cut down, how much there may be to look at in one, and how they are drawn."""


SHARES = {
    "dai senso by land": (0.08, 0.0, 0.9),
    "dai senso by sea": (0.09, 0.0, 0.9),
    "ocs": (0.15, 0.3, 0.6),
    "a world at war": (0.12, 0.0, 0.7),
    "the great war": (0.35, 0.02, 0.9),
    "classic hex": (0.06, 0.5, 0.5),
}
"""In what share of these positions at least some hex takes help, some hex takes luck, and units are kept from hexes."""


JUDGED_WHOLE: dict[str, Callable[[Scenario], Iterator[Verdict]]] = {
    "ocs": lambda scenario: (verdict for _, verdict, _ in EveryStackPlan(scenario, CAP, 4).plans()),
    "the great war": lambda scenario: (verdict for _, verdict, _ in EveryStackPlan(scenario, CAP, 5).plans()),
    "classic hex": lambda scenario: (verdict for _, verdict in sorties(scenario, CAP)),
}
"""How every plan is judged from its first move on."""
TWICE = sized(0, 3, 200)
"""Positions that are looked at in both ways."""


def _every(system: str, cap: int, longest: int) -> Callable[[Scenario], Iterator[Ends]]:
    """Return how every plan is tried, and where it may take units."""
    if system in ("ocs", "the great war"):
        return lambda scenario: EveryStanding(scenario, cap, longest).reached()
    if system == "classic hex":
        return lambda scenario: EveryStanding(scenario, cap).reached()
    walk = {"dai senso by land": ends_on_land, "dai senso by sea": ends_at_sea}.get(system, ends_of_those_who_wait)
    return lambda scenario: walk(scenario, cap)


@dataclass(frozen=True)
class Told:
    """What is told of a position of which every plan can be looked at; nothing is required."""

    where: str
    scenario: Scenario
    every: Callable[[Scenario], Iterator[Ends]]
    longer: Callable[[Reachable], bool]
    """Whether a plan has moves that are too long to have been tried."""
    reached: Ends
    """Who can get where, by some plan."""
    units: list[ReachReport]

    def entries(self) -> list[tuple[ReachReport, Reachable]]:
        """Return who is told to get somewhere, and where."""
        return [(one, entry) for one in self.units for entry in (*one.alone, *one.with_help)]


def _own(scenario: Scenario) -> list[str]:
    return [unit for unit in scenario.start.at if unit in scenario.game.friends]


def _cut_down(system: str) -> Callable[[int], Scenario]:
    """Return how positions of a few hexes are drawn: such as have two units at least, and something of the enemy's."""
    hexes, _, draw = SMALL[system]

    def draw_one(seed: int) -> Scenario:
        rng = random.Random(f"small {seed}")
        while True:
            scenario = cut(draw(rng), hexes, f"small {seed}")
            game, own = scenario.game, _own(scenario)
            theirs = [one for one in game.situation.markers if one.at and not game.situation.befriends(one.side)]
            if len(own) > 1 and (theirs or len(scenario.start.at) > len(own)):
                return scenario

    return draw_one


def _told(system: str, name: str, draw: Callable[[int], Scenario], cap: int, longest: int) -> Iterator[Told]:
    every = _every(system, cap, longest)

    def longer(entry: Reachable) -> bool:
        return system in ("ocs", "the great war") and any(len(move.path) > longest for move in entry.plan.moves)

    for seed, scenario, reached in small(lambda seed: replace(draw(seed), requirements=()), every):
        found = report(scenario, _own(scenario), Limits.within(60.0))
        yield Told(f"{system}, {name} {seed}", scenario, every, longer, reached, found)


@pytest.fixture(scope="module", params=SYSTEMS)
def system(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture(scope="module")
def all_told(system: str) -> list[Told]:
    """Return what is told of the first positions of a system, for all tests that ask of it."""
    hexes, most, _ = SMALL[system]
    few = _told(system, "small", _cut_down(system), most, hexes)
    whole = _told(system, "seed", SYSTEMS[system][0], CAP, LONGEST)
    return [*islice(few, GAMES), *islice(whole, WHOLE)]


def test_reach_lists_those_and_only_those_hexes_that_some_legal_plan_reaches(all_told: list[Told]) -> None:
    for told in all_told:
        own, start, where = _own(told.scenario), told.scenario.start.at, told.where
        assert not any(unit.open for unit in told.units), where
        can = {(unit, label) for unit, label in told.reached if unit in own and start[unit] != label}
        known = {(one.unit, entry.hex): entry for one, entry in told.entries()}
        assert can <= known.keys(), where
        # Of moves that are too long to have been tried the next test asserts that they are legal.
        assert all(told.longer(known[pair]) for pair in known.keys() - can), where


@pytest.mark.thorough
def test_in_many_positions_it_takes_help_or_luck_and_units_are_kept_from_hexes(
    system: str, all_told: list[Told]
) -> None:
    """Kept from: it never gets to some hex that lies beside its own, or beside one that it reaches."""
    number: Counter[str] = Counter()
    for told in all_told[:GAMES]:
        entries, neighbours = told.entries(), told.scenario.game.board.neighbours
        has = {(one.unit, one.at) for one in told.units} | {(one.unit, entry.hex) for one, entry in entries}
        near = {(unit, to) for unit, label in has for to in neighbours.get(label, ())}
        number["help"] += any(one.with_help for one in told.units)
        number["luck"] += any(entry.chance < 1 for _, entry in entries)
        number["kept"] += not near <= has
    print(f"{system}: {GAMES} positions, {dict(number)}")
    least = dict(zip(("help", "luck", "kept"), SHARES[system], strict=True))
    assert all(number[what] >= share * GAMES for what, share in least.items()), number


@pytest.mark.parametrize("system", JUDGED_WHOLE)
@pytest.mark.thorough
def test_who_makes_moves_on_what_plans_come_to_finds_what_judging_each_plan_whole_does(system: str) -> None:
    compared = 0
    for seed in range(TWICE):
        scenario = replace(_cut_down(system)(seed), requirements=())
        judged: Ends = set()
        try:
            for verdict in JUDGED_WHOLE[system](scenario):
                judged.update(pair for position, _ in verdict.all_outcomes() for pair in position.at.items())
        except TooManyStatesError:
            continue
        every = _every(system, CAP, SMALL[system][0])
        assert set(chain.from_iterable(every(scenario))) == judged, (system, seed)
        compared += 1
    assert compared > TWICE // 2


def test_each_hex_has_a_legal_plan_that_takes_the_unit_there_as_it_is_told(all_told: list[Told]) -> None:
    """By itself: nobody else moves. With help: somebody else does, and the hex isn't among those had alone."""
    for told in all_told:
        scenario, where = told.scenario, told.where
        referee = Referee(scenario.game)
        for one, entry in told.entries():
            verdict = referee.play(entry.plan, scenario.start)
            assert verdict.legal, where
            assert entry.path[-1] == entry.hex, where
            assert verdict.tally.mp.get(one.unit, 0) == entry.mp, where
            assert entry.chance == verdict.chance_to_end(one.unit, (entry.hex,)) > 0, where
        for one in told.units:
            assert all(_movers(entry) == {one.unit} for entry in one.alone), where
            assert all(_movers(entry) > {one.unit} for entry in one.with_help), where
            assert not {entry.hex for entry in one.alone} & {entry.hex for entry in one.with_help}, where


def test_none_of_the_helpers_can_stay_where_it_is(all_told: list[Told]) -> None:
    for one in all_told:
        referee = Referee(one.scenario.game)
        for unit, entry in one.entries():
            for index, move in enumerate(entry.plan.moves):
                if unit.unit not in move.units:
                    less = replace(entry.plan, moves=(*entry.plan.moves[:index], *entry.plan.moves[index + 1 :]))
                    verdict = referee.play(less, one.scenario.start)
                    idle = verdict.legal and verdict.chance_to_end(unit.unit, (entry.hex,)) > 0
                    assert not idle, f"{one.where}: {unit.unit} to {entry.hex} without {move}\n{entry.plan}"


def test_by_itself_are_those_and_only_those_hexes_that_plans_reach_in_which_nobody_else_moves(
    all_told: list[Told],
) -> None:
    for number, told in enumerate(all_told):
        scenario, where = told.scenario, told.where
        for one in told.units:
            start = scenario.start.copy()
            start.used.update(set(_own(scenario)) - {one.unit})  # nobody else gives support
            by_itself = replace(narrowed(scenario, (one.unit,)), start=start)
            ends = {label for unit, label in chain.from_iterable(told.every(by_itself)) if unit == one.unit}
            known = {entry.hex: entry for entry in one.alone}
            assert ends - {one.at} <= known.keys(), (where, one.unit)
            assert all(told.longer(known[label]) for label in known.keys() - ends), (where, one.unit)
        if number % 10 == 0:  # it is said alike where help is left out
            alone = report(scenario, _own(scenario), Limits.within(60.0), alone=True)
            assert [one.alone for one in alone] == [one.alone for one in told.units], where
            assert not any(one.open for one in alone), where


def _movers(entry: Reachable) -> set[str]:
    """Return who takes part in the plan: who moves, and who supports an overrun."""
    moves = entry.plan.moves
    return {unit for move in moves for unit in (*move.units, *(helper for _, helper in move.support))}
