"""A phase in progress: judging the whole of a plan is judging the rest of it after its first part."""

from __future__ import annotations

import json
import random
from dataclasses import replace

import pytest
import tomlkit

import planner
from planner.objective.scoring import Value
from planner.plans.plan import Plan
from planner.referee.referee import Referee
from planner.referee.verdict import Violation
from planner.scenario import Scenario, build_scenario
from planner.search.search import Search
from planner.solver.plan_judge import judge
from planner.world.position import Position
from tests.conftest import DEEP, long_ones, sized
from tests.oracles.brute_force import TooManyStatesError
from tests.oracles.progress import DATA, FAMILIES, EverySequel, begun, cuts
from tests.oracles.skirmishes import best_plan
from tests.oracles.transform import in_turn, moved_labels, moved_map, symmetries
from tests.oracles.waiting import Interleaved

POSITIONS, SEARCHED, TURNED, ALIKE = sized((20, 3, 3, 1), (60, 6, 6, 2), (500, 500, 500, 50))
FIXED, CAP, SEQUELS = sized((3, 150, 3_000), (8, 150, 3_000), (500, 250, 250))
"""How many positions are judged, in how many a search is held against brute force, how many are turned, and how many in all
ways; in how many whole plans are tried, and how many of them at most; how many ways to go on are tried elsewhere: with more,
500 positions would take many hours."""
WRITTEN, OTHERS = sized((3, 4), (10, 6), (100, 50))
"""How many phases in progress are written and read; in how many other plans are asked for."""


def key(violation: Violation, shift: int = 0) -> tuple[object, ...]:
    """Return what is broken, by which move of the rest."""
    move = None if violation.move is None else violation.move - shift
    return violation.rule, violation.unit, move, violation.at


def bare(position: Position, other: Position) -> Position:
    """Return a position without what is noted, of moves that have been made only: on whom they rely, and who lifts stops."""
    twin = position.copy()
    assert set(other.relied) <= set(position.relied)
    twin.relied = other.relied
    for unit, progress in position.under_way.items():
        twin.under_way[unit] = replace(progress, stops=tuple(stop for stop in progress.stops if not stop.lifted_by))
    return twin


@pytest.mark.parametrize("family", long_ones(FAMILIES, "on land", "stacks", "trenches", "waiting"))
def test_to_judge_the_whole_is_to_judge_the_rest_after_what_has_been_made(family: str) -> None:
    cut = illegal = 0
    for seed in range(POSITIONS):
        scenario, plan, rng = FAMILIES[family](seed)
        for done, rest, whole in cuts(scenario, plan, rng):
            now = begun(scenario, done)
            if now is None:
                continue
            cut += 1
            judged = Referee(scenario.game).play(whole, scenario.start)
            found = Referee(now.game).play(rest, now.start)
            told = f"{family}, seed {seed}:\n{done}\n--\n{rest}\n{judged.violations}\n{found.violations}"
            assert found.legal == judged.legal, told
            illegal += not judged.legal
            if judged.legal:
                assert bare(found.position, judged.position) == judged.position, told
                assert found.tally == judged.tally, told
                assert found.probability == judged.probability, told
    print(f"{cut} cuts, {illegal} of them illegal afterwards")
    assert cut >= POSITIONS / 2
    assert 0 < illegal < cut


def test_a_passage_that_goes_on_later_is_the_passage_that_it_was() -> None:
    """The leg made next must cross another zone than that made before, also where each is a move of its own."""
    scenario, plan, rng = FAMILIES["at sea"](68)
    done, rest, whole = next(one for one in cuts(scenario, plan, rng) if str(one[0]) == "u1 w3128~w3227")
    now = scenario.after(done)
    assert (str(rest), str(whole)) == ("u1 w3227~w3028", "u1 w3128~w3227~w3028")
    in_one = Referee(scenario.game).play(whole, scenario.start).position
    later = Referee(now.game).play(rest, now.start).position
    assert [leg.linked for leg in in_one.legs] == [False, True]
    assert later.legs == in_one.legs


@pytest.mark.parametrize("family", long_ones(FAMILIES, "on land", "stacks", "at sea", "trenches"))
def test_both_faces_find_the_same_things_wrong_with_what_comes_after(family: str) -> None:
    cut = illegal = 0
    for seed in range(POSITIONS):
        scenario, plan, rng = FAMILIES[family](seed)
        for done, rest, _ in cuts(scenario, plan, rng):
            now = begun(scenario, done)
            if now is None:
                continue
            cut += 1
            by_referee = Referee(now.game).play(rest, now.start).violations
            by_solver = judge(now, rest)
            told = f"{family}, seed {seed}:\n{done}\n--\n{rest}\n{by_referee}\n{by_solver}"
            hexes = [move.path[step] for move in rest.moves for step in move.overruns]
            if family == "stacks" and len(hexes) > len(set(hexes)):  # what would be, should both fail, means nothing
                assert bool(by_referee) == bool(by_solver), told
            else:
                assert {one.rule for one in by_referee} == {one.rule for one in by_solver}, told
            illegal += bool(by_referee)
    print(f"{cut} cuts, {illegal} of them illegal afterwards")
    assert 0 < illegal < cut


def ensure_written_without_loss(now: Scenario, told: str) -> None:
    """Hold what comes back of a scenario, from TOML and from JSON, against it."""
    data = json.loads(json.dumps(now.to_dict()))
    for again in (Scenario.from_dict(data), Scenario.loads(tomlkit.dumps(data)), Scenario.loads(json.dumps(data))):
        assert again.done.lines == now.done.lines, told
        assert again.start == now.start, told
        assert again.start.in_hand == now.start.in_hand, told
        assert again.game.situation == now.game.situation, told


@pytest.mark.parametrize("family", long_ones(FAMILIES, "on land", "waiting", "trenches"))
def test_a_phase_in_progress_is_written_and_read_without_loss(family: str) -> None:
    cut = 0
    for seed in range(WRITTEN):
        scenario, plan, rng = FAMILIES[family](seed)
        for done, _, _ in cuts(scenario, plan, rng):
            now = begun(scenario, done)
            if now is not None:
                cut += 1
                ensure_written_without_loss(now, f"{family}, seed {seed}:\n{done}")
    assert cut >= WRITTEN / 2


def test_attacks_that_have_been_made_are_written_and_read_without_loss() -> None:
    near = {"r1": "0504", "r2": "0506", "r3": "0507", "r4": "0507"}
    start = planner.load("crossroads/start").with_units([{"id": unit, "at": label} for unit, label in near.items()])
    made, moved = 0, ("bt1 0306-0405-0506", "b7 0508-0608", "bc1 0303-0403")
    for seed in range(WRITTEN):
        rng, position = random.Random(f"written {seed}"), planner.Position(start)
        for move in rng.sample(moved, rng.randint(0, len(moved))):
            if position.is_legal(move):
                position.push(move)
        for _ in range(3):
            legal = [
                text
                for label, units in position.targets().items()
                for text in (f"{'+'.join(units)} -> {label}", f"{units[0]} -> {label}")
                if position.is_legal(text)
            ]
            if not legal:
                break
            position.push(rng.choice(legal))
            position.roll(rng)
            made += 1
            ensure_written_without_loss(position.scenario, f"seed {seed}: {position.made} {position.attacks}")
    assert made >= WRITTEN


def best_after(family: str, now: Scenario, cap: int = SEQUELS) -> Value | None:
    """Return the optimum of what comes after, by brute force on the referee alone."""
    if family == "waiting":
        return Interleaved(now, 2 * cap).best()
    if family == "skirmishes":
        return best_plan(now, cap)[0]
    return EverySequel(now, cap).best()


def best_with(family: str, scenario: Scenario, fixed: Plan, hand: frozenset[str]) -> Value | None:
    """Return the optimum of all plans that begin so, by brute force on the referee alone."""
    if family == "waiting":
        return Interleaved(scenario, 2 * CAP, fixed=fixed).best()
    if family == "skirmishes":
        return best_plan(scenario, CAP, fixed)[0]
    return EverySequel(scenario, CAP, fixed=fixed, hand=hand).best()


@pytest.mark.thorough
@pytest.mark.parametrize("family", FAMILIES)
def test_a_search_comes_to_the_best_that_can_come_after_what_has_been_made(family: str) -> None:
    settled = proved = 0
    for seed in range(SEARCHED):
        scenario, plan, rng = FAMILIES[family](seed)
        for done, _, _ in cuts(scenario, plan, rng):
            now = begun(scenario, done)
            if now is None:
                continue
            try:
                best = best_after(family, now)
            except (TooManyStatesError, AssertionError):
                continue
            settled += 1
            found = Search(now).run()
            told = f"{family}, seed {seed}: {best}, not {found.value}\n{done}\n--\n{found.plan}"
            proved += found.status in ("optimal", "infeasible")
            if found.status in ("optimal", "infeasible"):
                assert (found.value if found.plan is not None else None) == best, told
            elif best is not None:
                assert found.value <= best, told
                assert found.bound >= best, told
    print(f"{settled} settled, {proved} of them proved")
    assert settled >= SEARCHED / 2


@pytest.mark.parametrize("family", long_ones(FAMILIES, "on land", "skirmishes", "waiting", "stacks"))
def test_the_best_that_can_come_after_a_part_is_the_best_plan_with_that_part_fixed(family: str) -> None:
    """Both by brute force on the referee: of what comes after it, and of whole plans that begin so."""
    settled = 0
    for seed in range(FIXED):
        scenario, plan, rng = FAMILIES[family](seed)
        for done, _, whole in cuts(scenario, plan, rng):
            now = begun(scenario, done)
            if now is None:
                continue
            # As a part of a whole plan, moves whose results are known are written as made.
            fixed = Plan(tuple(one.as_made() for one in done.moves))
            try:
                best = best_after(family, now, CAP)
                as_a_whole = best_with(family, scenario, fixed, now.start.in_hand)
            except (TooManyStatesError, AssertionError):
                continue
            settled += 1
            assert as_a_whole == best, f"{family}, seed {seed}:\n{done}\n--\n{whole}"
    print(f"{settled} settled")
    assert settled >= (FIXED / 4 if DEEP else 1)


@pytest.mark.parametrize("family", long_ones(FAMILIES, "waiting", "stacks", "escorts", "trenches"))
def test_neither_rotation_nor_reflection_changes_what_can_come_after_what_has_been_made(family: str) -> None:
    """All symmetries on the first positions, one in turn on each of the others; in a mirror, who retreats goes elsewhere."""
    settled = 0
    for seed in range(TURNED):
        scenario, plan, rng = FAMILIES[family](seed)
        found = next(((done, now) for done, _, _ in cuts(scenario, plan, rng) if (now := begun(scenario, done))), None)
        if found is None:
            continue
        done, now = found
        best = Search(now).run()
        if best.status not in ("optimal", "infeasible"):
            continue
        settled += 1
        kept = {name: one for name, one in symmetries() if family != "skirmishes" or not name.startswith("mirrored")}
        for name in in_turn({one: {} for one in kept}, seed, ALIKE):
            labels = moved_labels(scenario, kept[name])
            other = build_scenario(moved_map(DATA[family](seed), scenario, kept[name]), name)
            moved = tuple(replace(one, path=tuple(labels.get(at, at) for at in one.path)) for one in done.moves)
            told = f"{family}, seed {seed}, {name}:\n{done}"
            assert Search(other.after(Plan(moved))).run().value == best.value, told
    print(f"{settled} settled")
    assert settled >= TURNED / 4


@pytest.mark.parametrize("family", long_ones(FAMILIES, "on land", "skirmishes", "waiting", "stacks"))
def test_other_plans_after_what_has_been_made_differ_in_what_comes(family: str) -> None:
    """Solver and referee agree on what plans come to from here on; where they don't, the search raises."""
    several = 0
    for seed in range(OTHERS):
        scenario, plan, rng = FAMILIES[family](seed)
        for done, _, _ in cuts(scenario, plan, rng):
            now = begun(scenario, done)
            if now is not None:
                found = planner.alternatives(now, 2, time_limit=4)
                several += len(found.plans) > 1
    assert several or family == "on land"
