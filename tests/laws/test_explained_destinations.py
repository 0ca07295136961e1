"""What is said of destinations and values is so by oracles that try every plan on the referee, in every rule system."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from planner.explanation.answer import Explanation, Instance
from planner.explanation.explain import explain_destination, explain_value
from planner.explanation.relaxation import ALL, Scope, every_scope, relaxed
from planner.limits import Limits
from planner.objective.goals import End
from planner.referee.referee import Referee
from planner.scenario import Scenario, build_scenario, load_scenario
from planner.world.position import Position
from tests.conftest import DEEP, sized
from tests.oracles.brute_force import BruteForce, TooManyStatesError
from tests.oracles.every_plan import EveryPlan
from tests.oracles.islands import draw_islands, islands
from tests.oracles.positions import draw
from tests.oracles.skirmishes import best_plan, draw_skirmish, skirmish, sorties
from tests.oracles.small import cut
from tests.oracles.stacks import EveryStackPlan, draw_stacks, stacks
from tests.oracles.tiny import draw_tiny
from tests.oracles.trenches import draw_trenches, trenches
from tests.oracles.waiting import Interleaved, draw_waiting, waiting

DESTINATIONS = sized(2, 4, 60)
"""Destinations in each rule system."""
VALUES = sized(1, 2, 40)
SETS = sized(1, 2, 40)
"""Sets that are held against every plan in each rule system; some of them have several members."""
DRAWN = 3_000 if DEEP else 300
"""Positions that are drawn at most to find so many."""
LIMIT = 20.0 if DEEP else 5.0
DECIDED = 20.0 if DEEP else 1.0
"""Seconds in which it is known whether there is a way; what reasons there are, and whether these are all, may stay open."""
CAP = 1_500 if DEEP else 500

FOUND = Path(__file__).parent / "found"

Ends = set[tuple[str, str]]


def _land(seed: int) -> Scenario:
    return build_scenario(draw(random.Random(f"two faces {seed}")).data, f"seed {seed}")


def _sure(positions: list[Position]) -> Ends:
    first, *others = positions
    return {pair for pair in first.at.items() if all(other.at.get(pair[0]) == pair[1] for other in others)}


def ends_on_land(scenario: Scenario, cap: int = CAP) -> Iterator[Ends]:
    oracle = BruteForce(scenario, cap)
    for state in oracle.reached():
        if oracle._may_end(state):
            yield set(oracle._position(state).at.items())


def ends_at_sea(scenario: Scenario, cap: int = CAP) -> Iterator[Ends]:
    for position, _, _ in EveryPlan(scenario, cap, longest=5).standings():
        yield set(position.at.items())


def _ends_of_stacks(scenario: Scenario) -> Iterator[Ends]:
    for _, verdict, _ in EveryStackPlan(scenario, CAP, 3).plans():
        yield _sure([position for position, _ in verdict.all_outcomes()])


def ends_of_those_who_wait(scenario: Scenario, cap: int = CAP) -> Iterator[Ends]:
    for position, _ in Interleaved(scenario, cap, all_walk=True).standings():
        yield set(position.at.items())


def _ends_of_combats(scenario: Scenario) -> Iterator[Ends]:
    for _, verdict in sorties(scenario, CAP):
        yield _sure([position for position, _ in verdict.all_outcomes()])


SYSTEMS: dict[
    str,
    tuple[
        Callable[[int], Scenario],
        Callable[[Scenario], Iterator[Ends]],
        Callable[[Scenario], tuple[Fraction, ...] | None],
    ],
] = {
    "dai senso by land": (_land, ends_on_land, lambda s: BruteForce(s, CAP).run()),
    "dai senso by sea": (lambda n: islands(n)[0], ends_at_sea, lambda s: EveryPlan(s, CAP, longest=5).best()),
    "ocs": (lambda n: stacks(n)[0], _ends_of_stacks, lambda s: EveryStackPlan(s, CAP, 3).best()),
    "a world at war": (lambda n: waiting(n)[0], ends_of_those_who_wait, lambda s: Interleaved(s, CAP).best()),
    "the great war": (lambda n: trenches(n)[0], _ends_of_stacks, lambda s: EveryStackPlan(s, CAP, 3).best()),
    "classic hex": (lambda n: skirmish(n)[0], _ends_of_combats, lambda s: best_plan(s, CAP)[0]),
}


def small(
    draw_one: Callable[[int], Scenario], every: Callable[[Scenario], Iterator[Ends]]
) -> Iterator[tuple[int, Scenario, Ends]]:
    """Yield positions of which every plan can be looked at, with who can get where by one of them."""
    for seed in range(100_000):
        scenario = draw_one(seed)
        reached: Ends = set()
        try:
            for ends in every(scenario):
                reached |= ends
        except TooManyStatesError:
            continue
        if reached:
            yield seed, scenario, reached


def _scopes(scenario: Scenario, instances: Sequence[Instance]) -> list[Scope]:
    found = []
    for i in instances:
        # Of a hex that no overrun opens it is said whoever comes.
        everybody = i.unit is None and ("for instance" in i.message or "overrun" in i.message)
        hexes = None if i.hex is None else frozenset([i.hex])
        pays = i.hex is None and any(s.pays and s.rule == i.rule for s in _pays(scenario)) and "pay" in i.message
        found.append(Scope(i.rule, ALL if everybody else i.unit, None if pays else hexes, pays))
    return found


def _pays(scenario: Scenario) -> list[Scope]:
    return [scope for scope in every_scope(scenario) if scope.pays]


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.thorough
def test_a_destination_is_called_possible_or_forbidden_only_where_it_is_so_by_every_plan(system: str) -> None:
    asked = forbidden = unknown = 0
    for seed, scenario, reached in small(*SYSTEMS[system][:2]):
        own = [unit for unit in scenario.start.at if unit in scenario.game.friends]
        hexes = sorted(scenario.game.board.hexes)
        pairs = [(own[seed % len(own)], hexes[(7 * seed + 3 * k) % len(hexes)]) for k in range(2)]
        for unit, label in pairs:
            found = explain_destination(scenario, End(kind="end", unit=unit, at=(label,)), Limits.within(DECIDED))
            where = f"seed {seed}: {unit} to {label}: {found.status}"
            if found.status in ("possible", "with_help"):
                assert found.plan is not None
                verdict = Referee(scenario.game).play(found.plan, scenario.start)
                assert verdict.legal, where
                assert all(position.at.get(unit) == label for position, _ in verdict.all_outcomes()), where
            if found.status == "forbidden":
                assert (unit, label) not in reached, where
                forbidden += 1
            unknown += found.status == "unknown"
            asked += 1
        if asked >= DESTINATIONS:
            break
    print(f"{system}: {asked} destinations, {forbidden} forbidden, {unknown} unknown")
    assert forbidden > 0
    assert unknown <= asked // 2 or not DEEP  # by default any machine that stalls may take its time


SMALL: dict[str, tuple[int, Callable[[random.Random], dict[str, Any]], Callable[[Scenario], Iterator[Ends]]]] = {
    "dai senso by land": (5, draw_tiny, ends_on_land),
    "dai senso by sea": (5, draw_islands, ends_at_sea),
    "ocs": (4, draw_stacks, _ends_of_stacks),
    "a world at war": (5, draw_waiting, ends_of_those_who_wait),
    "the great war": (5, draw_trenches, _ends_of_stacks),
    "classic hex": (5, draw_skirmish, _ends_of_combats),
}
"""To how many hexes positions are cut down, how they are drawn, and who ends where by each of their plans."""
BEGIN = {} if DEEP else {"a world at war": 8, "ocs": 14, "the great war": 49, "classic hex": 29}
"""The first seed, where sets of several members are rare before."""


def _is_enough_and_needed(
    scenario: Scenario,
    found: Explanation,
    wanted: tuple[str, str],
    every: Callable[[Scenario], Iterator[Ends]],
    where: str,
) -> None:
    """Hold the first set of an explanation against every plan of the games with just that set, and with one member less."""
    movers = (wanted[0],) if found.status == "with_help" else None
    scopes = _scopes(scenario, found.reasons[0].instances)
    exactly = relaxed(scenario, scopes, movers=movers)
    assert not any(wanted in ends for ends in every(exactly)), f"{where}: {scopes} are not enough"
    for number in range(len(scopes)):
        fewer = relaxed(scenario, [*scopes[:number], *scopes[number + 1 :]], movers=movers)
        assert any(wanted in ends for ends in every(fewer)), f"{where}: {scopes[number]} is not needed"


def test_an_air_unit_that_could_clear_the_way_is_held_back_by_a_reason_that_is_needed() -> None:
    scenario = load_scenario(FOUND / "an_air_unit_might_walk.toml")
    found = explain_destination(scenario, End(kind="end", unit="u0", at=("C2",)), Limits.within(60.0))
    assert ("overruns", "w") in {(one.rule, one.unit) for one in found.reasons[0].instances}
    _is_enough_and_needed(scenario, found, ("u0", "C2"), ends_of_those_who_wait, "found")


@pytest.mark.parametrize("system", SMALL)
@pytest.mark.thorough
def test_a_set_that_is_called_enough_and_needed_is_both_by_every_plan_of_small_positions(system: str) -> None:
    """On a few hexes: with just the set in force no plan gets the unit there, with any member left out one does."""
    hexes, draw_one, every = SMALL[system]
    checked = several = helped = too_many = 0
    for seed in range(BEGIN.get(system, 0), DRAWN):
        rng = random.Random(f"small {seed}")
        scenario = cut(draw_one(rng), hexes, f"small {seed}")
        own = [unit for unit in scenario.start.at if unit in scenario.game.friends]
        if not 1 <= len(own) <= 3:
            continue
        unit, label = rng.choice(own), rng.choice(sorted(scenario.game.board.hexes))
        found = explain_destination(scenario, End(kind="end", unit=unit, at=(label,)), Limits.within(LIMIT))
        if not found.complete or not found.reasons or (several >= 1 and len(found.reasons[0].instances) == 1):
            continue
        try:
            _is_enough_and_needed(scenario, found, (unit, label), every, f"seed {seed}: {unit} to {label}")
        except TooManyStatesError:
            too_many += 1
            continue
        checked += 1
        several += len(found.reasons[0].instances) > 1
        helped += found.status == "with_help"
        if checked >= SETS and several >= 1:
            break
    print(
        f"{system}: {checked} sets checked, {several} of several members, {helped} without help, {too_many} too large"
    )
    assert checked >= SETS
    assert several >= 1
    assert too_many <= 3 * checked


@pytest.mark.parametrize(
    "system", [name for name in SYSTEMS if name != "dai senso by land"]
)  # they ask for goals alone
@pytest.mark.thorough
def test_a_value_is_called_possible_or_forbidden_only_where_it_is_so_by_every_plan(system: str) -> None:
    draw_one, _, best_of = SYSTEMS[system]
    asked = forbidden = 0
    for seed in range(100_000):
        scenario = draw_one(seed)
        try:
            best = best_of(scenario)
        except TooManyStatesError:
            continue
        if best is None or not scenario.tiers:
            continue
        had = explain_value(scenario, best[:1], Limits.within(LIMIT))
        assert had.status != "forbidden", f"seed {seed}: {best[0]}"
        if had.status == "possible":
            assert had.plan is not None
            assert Referee(scenario.game).play(had.plan, scenario.start).legal, f"seed {seed}"
        more = explain_value(scenario, (best[0] + Fraction(1, 100),), Limits.within(LIMIT))
        if system not in ("ocs", "the great war"):  # whose oracle looks at short paths only
            assert more.status != "possible", f"seed {seed}: more than {best[0]}: {more.plan}"
        forbidden += more.status == "forbidden"
        for reason in more.reasons:
            assert reason.confirmed or not more.complete, f"seed {seed}"
        asked += 1
        if asked == VALUES:
            break
    print(f"{system}: {asked} values, and as many beyond them, {forbidden} forbidden")
    assert asked == VALUES
    assert forbidden > 0
