"""Plans in which units help those who help are put together need by need, before anything is searched."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction

import pytest

import planner
from planner.limits import Limits
from planner.plans.plan import Move, Plan
from planner.rules.atoms import Gone
from planner.scenario import Scenario, build_scenario
from planner.search.chained_plans import ChainedMove, ChainedPlans, all_ways
from planner.search.reach_report import Witnesses
from tests.conftest import sized
from tests.instances import instance
from tests.laws.test_explained_destinations import CAP, ends_on_land
from tests.oracles.brute_force import TooManyStatesError
from tests.oracles.reached import EveryStanding
from tests.oracles.small import cut
from tests.oracles.stacks import draw_stacks

FAMILIES = [
    pytest.param("dense", "24", marks=pytest.mark.thorough),
    ("crowded", "16"),
    ("islands", "12"),
    pytest.param("villages", "10", marks=pytest.mark.thorough),
    pytest.param("stacks", "10", marks=pytest.mark.thorough),
    pytest.param("joint", "8", marks=pytest.mark.thorough),
]

SEEDS = sized(1, 2, 4)

Told = list[tuple[str, list[tuple[str, Fraction]], set[str], tuple[str, ...]]]


def _told(family: str, size: str, seed: int) -> Told:
    found = planner.reach_all(instance(family, size, seed))
    return [
        (one.unit, [(entry.hex, entry.mp) for entry in one.alone], {entry.hex for entry in one.with_help}, one.open)
        for one in found
    ]


def _none(*_: object) -> Iterator[Plan]:
    yield from ()


@pytest.mark.parametrize(("family", "size"), FAMILIES)
def test_what_is_put_together_takes_nobody_farther_than_the_search_does(
    family: str, size: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for seed in range(SEEDS):
        with_chains = _told(family, size, seed)
        with monkeypatch.context() as without:
            without.setattr(ChainedPlans, "taking", _none)
            assert _told(family, size, seed) == with_chains


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("family", "size"),
    [("crowded", "24"), *(pytest.param(one, "40", marks=pytest.mark.thorough) for one in ("crowded", "dense"))],
)
def test_where_helpers_need_help_no_search_is_needed_to_find_it(
    family: str, size: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without what is put together the search finds dozens of these; what it is left with it proves to be out of reach."""
    left: list[int] = []
    wanted = Witnesses._wanted

    def noting(self: Witnesses, might: object, known: object) -> object:
        before = sum(map(len, known.values()))  # type: ignore[attr-defined]
        found = wanted(self, might, known)  # type: ignore[arg-type]
        left.append(sum(map(len, known.values())) - before)  # type: ignore[attr-defined]
        return found

    monkeypatch.setattr(Witnesses, "_wanted", noting)
    planner.reach_all(instance(family, size, 0))
    assert left == [0]
    monkeypatch.setattr(ChainedPlans, "taking", _none)
    planner.reach_all(instance(family, size, 0))
    assert left[1] > 10


LANES, STACKS = sized(5, 60, 2_000), sized(8, 20, 600)
"""Positions of which every plan is looked at: of units that go one by one, and of stacks, whose overruns may fail."""


def _lane(seed: int) -> Scenario:
    """Return a lane, whose hexes are in the zones of enemies beside it; an enemy may bar it whom the tank overruns."""
    rng = random.Random(f"lane {seed}")
    lane, beside = [f"w30{place}" for place in range(20, 25)], [f"w31{place}" for place in range(20, 25)]
    strong, weak = rng.sample(beside, rng.choice((1, 2))), rng.sample(lane[1:], rng.choice((0, 1)))
    free = [label for label in lane if label not in weak]
    own, foe = {"side": "axis", "steps": 2}, {"side": "soviet", "type": "infantry"}
    units = [
        {
            **own,
            "id": f"u{number}",
            "type": "infantry" if number else "tank",
            "values": f"3-3-{rng.choice((1, 2))}" if number else "9-3-4",
            "at": free[0] if rng.random() < 0.7 else rng.choice(free),
        }
        for number in range(rng.choice((3, 4, 4)))
    ]
    units += [{**foe, "id": f"s{n}", "values": "4-5-1", "steps": 2, "at": at} for n, at in enumerate(strong)]
    units += [{**foe, "id": f"w{n}", "values": "1-1-1", "steps": 1, "at": at} for n, at in enumerate(weak)]
    data = {"format": "planner/scenario-1", "model": "dai_senso", "phase": "operational_movement", "phasing": "axis"}
    hexes = dict.fromkeys([*lane, *strong], "clear")
    return build_scenario({**data, "map": {"hexes": hexes}, "unit": units}, f"lane {seed}")


def _chained(scenario: Scenario) -> tuple[Witnesses, ChainedPlans]:
    """Return plans that are put together of all that can be done, wherever it leads."""
    witnesses, own = Witnesses(scenario, Limits()), scenario.game.friends
    listed = witnesses._by_itself.asking_for({unit: [*scenario.game.board.places] for unit in own})
    ways = list(all_ways(scenario.game, listed))
    return witnesses, ChainedPlans(witnesses._reach, scenario.start.at, ways)


def _ends_of_stacks(scenario: Scenario) -> Iterator[set[tuple[str, str]]]:
    yield from EveryStanding(scenario, 60, 4).reached()


@pytest.mark.parametrize("stacks", [False, True])
def test_no_plan_takes_anybody_where_no_chain_of_helpers_may(stacks: bool) -> None:
    """Every plan is tried on the referee alone. Helpers are helped, enemies overrun, and who has failed stands still."""
    looked_at = helped = 0
    for seed in range(STACKS if stacks else LANES):
        scenario = cut(draw_stacks(random.Random(f"cut {seed}")), 4, "cut") if stacks else _lane(seed)
        walk, reached = _ends_of_stacks(scenario) if stacks else ends_on_land(scenario, CAP), set[tuple[str, str]]()
        try:
            for ends in walk:
                reached |= {(unit, at) for unit, at in ends if unit in scenario.game.friends}
        except TooManyStatesError:
            continue
        witnesses, chained = _chained(scenario)
        looked_at += 1
        for unit, at in reached - scenario.start.at.items():
            assert chained.may_take(unit, at), (seed, unit, at)
            helped += at not in witnesses.alone(unit)[0]
    assert looked_at > (STACKS if stacks else LANES) / 2
    assert helped > looked_at / 10


def test_moves_that_wait_for_each_other_are_never_made() -> None:
    """The first needs an enemy gone whom the second overruns, and the other way round, until somebody else overruns one."""
    scenario = _lane(0)
    one, two = "s0", "w0"
    reach, at = Witnesses(scenario, Limits())._reach, {**scenario.start.at, one: "w3123", two: "w3124"}

    def way(unit: str, end: str, removes: str, *needs: str) -> ChainedMove:
        return ChainedMove(Move((unit,), ("w3020", end)), (end,), frozenset(map(Gone, needs)), (removes,))

    ways = [way("u0", "w3021", one, two), way("u1", "w3022", two, one)]
    pairs = [("u0", "w3021"), ("u1", "w3022")]
    assert not any(ChainedPlans(reach, at, ways).may_take(*pair) for pair in pairs)
    ways.append(way("u2", "w3023", one))
    assert all(ChainedPlans(reach, at, ways).may_take(*pair) for pair in pairs)


def test_of_ways_that_need_as_much_the_cheapest_is_tried_first() -> None:
    """Ways are listed cheapest first; one that goes round and takes a town in passing needs no more help than another."""
    scenario = _lane(0)
    reach, at = Witnesses(scenario, Limits())._reach, {**scenario.start.at, "s0": "w3123", "w0": "w3124"}

    def way(unit: str, needs: str, removes: tuple[str, ...], *path: str) -> ChainedMove:
        return ChainedMove(Move((unit,), path), path[-1:], frozenset([Gone(needs)] if needs else ()), removes)

    removing = [way("u1", "", ("s0",), "w3020", "w3022"), way("u2", "", ("w0",), "w3020", "w3023")]
    short, round_ = ("w3020", "w3021"), ("w3020", "w3019", "w3020", "w3021")
    chains = ChainedPlans(reach, at, [way("u0", "s0", (), *short), way("u0", "w0", (), *round_), *removing])
    assert [plan.moves[-1].path for plan in chains.taking("u0", "w3021")] == [short, round_]
