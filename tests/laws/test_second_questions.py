"""What has been kept of one position tells of the next one, slightly changed, what listing it anew does."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest

import planner
from planner.reachability import kept_reach
from planner.reachability.conditional_reach import ConditionalReach
from planner.reachability.exact_reach import ExactReach
from planner.reachability.kept_reach import KeptReach, remember
from planner.reachability.possibility import Possibility
from planner.scenario import Scenario, build_scenario
from planner.scenario.memory import Memory
from planner.search.reach_cache import ReachCache
from planner.solver import kept_coupling
from planner.solver.kept_coupling import KeptCoupling
from planner.solver.model import Model
from tests.conftest import long_ones, sized
from tests.instances import instance, list_possibilities
from tests.oracles import made_up, made_up_more, positions
from tests.oracles.islands import draw_islands
from tests.oracles.rulebooks import random_rules, with_rules
from tests.oracles.skirmishes import draw_skirmish
from tests.oracles.stacks import draw_stacks
from tests.oracles.trenches import draw_trenches
from tests.oracles.waiting import draw_waiting
from tests.seeds import in_chunks

BOARDS = sized(2, 25, 2_500)
CHANGES = 4
"""Of each board, one after another: 10,000 changes deep."""

ANSWERS = sized(1, 15, 600)

MODELS = sized(1, 30, 3_000)
OBJECTIVES = 3
"""Of each board and each slightly changed one: what is asked of it, one after another."""

DRAWERS: tuple[Callable[[random.Random], dict[str, Any]], ...] = (
    draw_islands,
    draw_skirmish,
    draw_stacks,
    draw_trenches,
    draw_waiting,
)
TOPICS = (*made_up.TOPICS.values(), *made_up_more.TOPICS.values())
SHIPPED = (
    "a_world_at_war/through_the_line",
    "a_world_at_war/winter_front",
    "classic_hex/three_battles",
    "crossroads/start",
    "dai_senso/island_campaign",
    "dai_senso/manchuria",
    "great_war/over_the_top",
    "ocs/swamp",
)
SHIPPED_CHANGES = sized(2, 12, 300)
FAMILIES = ("dense", "sparse", "crowded", "villages", "joint", "islands")


def board(rng: random.Random) -> Scenario:
    """Return a position of one game or another."""
    kind = rng.randrange(4)
    if kind == 0:
        scenario = build_scenario(positions.draw(rng).data, "drawn")
        return with_rules(scenario, random_rules(scenario.game.rulebook.rules, rng)) if rng.random() < 0.5 else scenario
    if kind == 1:
        return build_scenario(rng.choice(DRAWERS)(rng), "drawn")
    if kind == 2:
        return made_up.drawn(rng.choice(TOPICS), rng)
    return instance(rng.choice(FAMILIES), "8", rng.randrange(50))


def changed(scenario: Scenario, rng: random.Random) -> Scenario:
    """Return the position with some of its units elsewhere, others, or gone, or with some moves made in it."""
    if rng.random() < 0.2:
        played = planner.Position(scenario)
        for _ in range(rng.randint(1, 2)):
            moves = list(played.legal_moves()) if not played.outcomes else []
            if moves:
                played.push(rng.choice(moves))
                if played.outcomes:
                    played.roll(rng)
        return played.scenario
    units = [unit for unit in scenario.data["unit"] if "at" in unit]
    entries, gone = [], list[str]()
    for unit in rng.sample(units, min(len(units), rng.randint(1, 3))):
        if rng.random() < 0.15:
            gone.append(unit["id"])
        else:
            label = rng.choice(list(scenario.game.board.hexes))
            near = scenario.game.board.neighbours.get(unit["at"]) or (label,)
            like = rng.choice(units)
            same = rng.random() < 0.3 and like["type"] == unit["type"] and "values" in like
            values = {"values": like["values"]} if same else {}
            entries.append({"id": unit["id"], "at": label if rng.random() < 0.5 else rng.choice(near), **values})
    try:
        other = scenario.with_units(entries, gone)
    except planner.InputError:
        return scenario
    return replace(other, game=replace(other.game, rulebook=scenario.game.rulebook, _cache={}))


def history(rng: random.Random) -> Iterator[Scenario]:
    """Yield a position and those that it is changed to, one after another; now and then one comes back."""
    seen = [board(rng)]
    yield seen[0]
    for _ in range(CHANGES):
        now = rng.choice(seen) if rng.random() < 0.2 else changed(seen[-1], rng)
        seen.append(now)
        yield now


def told(reach: ConditionalReach) -> dict[str, list[Possibility]]:
    """Return what units can do, and in which order it is told."""
    return list_possibilities(reach)


@in_chunks(BOARDS)
def test_what_units_can_do_is_told_from_memory_as_it_is_listed_anew(seeds: range) -> None:
    recalled = listed = 0
    for seed in seeds:
        rng = random.Random(f"second questions {seed}")
        sort = ExactReach if rng.random() < 0.2 else ConditionalReach
        memory = Memory()
        for number, scenario in enumerate(history(rng)):
            fresh, warm = sort(scenario.game), sort(scenario.game)
            remember(warm, memory)
            assert warm.kept is not None
            expected, found = told(fresh), told(warm)
            assert found == expected, f"seed {seed}, position {number}"
            assert [warm.hexes_of(unit) for unit in warm.movers] == [fresh.hexes_of(unit) for unit in fresh.movers]
            recalled, listed = recalled + warm.kept.recalled, listed + len(found)
    assert recalled > listed / 4


@pytest.mark.parametrize(
    "name", long_ones(SHIPPED, "a_world_at_war/through_the_line", "crossroads/start", "great_war/over_the_top")
)
def test_what_units_of_the_games_can_do_is_told_from_memory_as_it_is_listed_anew(name: str) -> None:
    """With the steps on which it rests, out of each place that has been looked at, for each kind of unit."""
    rng, memory, now = random.Random(f"second questions {name}"), Memory(), planner.load(name)
    recalled = listed = 0
    for number in range(SHIPPED_CHANGES):
        fresh, warm = ConditionalReach(now.game), ConditionalReach(now.game)
        remember(warm, memory)
        assert warm.kept is not None
        assert told(warm) == told(fresh), f"position {number}"
        assert [warm.hexes_of(unit) for unit in warm.movers] == [fresh.hexes_of(unit) for unit in fresh.movers]
        for unit in {id(warm.profile(unit)): unit for unit in warm.movers}.values():
            for place in list(warm.profile(unit)):
                assert warm.steps(unit, *place) == fresh.steps(unit, *place), f"position {number}"
        recalled, listed = recalled + warm.kept.recalled, listed + len(warm.movers)
        now = changed(now, rng)
    assert recalled > listed / 10


def otherwise(scenario: Scenario, rng: random.Random) -> Scenario:
    """Return the position with some of the terms of its objective, now and then with a limit of MP."""
    terms = [term for tier in scenario.data.get("tier", ()) for term in tier["terms"]]
    some = rng.sample(terms, rng.randint(1, len(terms))) if terms else []
    at = rng.randint(0, len(some))
    tiers = [{"terms": part} for part in (some[:at], some[at:]) if part]
    return scenario.with_objective(tiers, [{"kind": "mp_spent", "most": 30}] if rng.random() < 0.3 else [])


def written(scenario: Scenario) -> Model:
    """Return the model of a scenario, with all of its tiers."""
    model = ReachCache(scenario).build_options()
    list(model.tiers)
    return model


@in_chunks(MODELS)
def test_another_objective_is_modelled_from_memory_as_it_is_anew(seeds: range) -> None:
    recalled = asked = 0
    for seed in seeds:
        rng = random.Random(f"second models {seed}")
        now, memory = board(rng), Memory()
        for _ in range(2):
            for number in range(OBJECTIVES):
                before = memory.of(KeptCoupling)
                fresh, warm = (written(replace(now, memory=one)) for one in (Memory(), memory))
                assert str(warm.coupling.model.proto) == str(fresh.coupling.model.proto), f"seed {seed}, {number}"
                assert warm.coupling.teams or warm.coupling.parts is warm.coupling.dependence.parts
                recalled, asked = recalled + (memory.of(KeptCoupling)[:1] == before[:1] != ()), asked + 1
                now = otherwise(now, rng)
            now = changed(now, rng)
    assert recalled > asked / 4


@in_chunks(MODELS)
def test_what_matters_is_told_from_memory_as_it_is_found_anew(seeds: range) -> None:
    known = asked = 0
    for seed in seeds:
        rng = random.Random(f"second relevance {seed}")
        now, memory = board(rng), Memory()
        for number in range(2 * OBJECTIVES):
            fresh, warm = (ReachCache(replace(now, memory=one)) for one in (Memory(), memory))
            assert warm.reach.kept is not None
            for unit, found in warm.possibilities.items():
                asked, known = asked + 1, known + bool(warm.reach.kept.worked_out(unit, found))
            assert warm.relevant == fresh.relevant, f"seed {seed}, {number}"
            assert warm.relevant_to_leading == fresh.relevant_to_leading
            now = otherwise(now, rng) if rng.random() < 0.4 else changed(now, rng)
    assert known > asked / 10


def test_nothing_is_kept_of_what_one_question_adds_to_its_model() -> None:
    scenario = instance("dense", "12", 0)  # several units could eliminate the same enemies, which is what counts
    first, second = written(scenario), written(scenario)
    kept = scenario.memory.of(KeptCoupling)[0]
    assert kept.size < len(first.coupling.model.proto.variables) + len(first.coupling.model.proto.constraints)
    assert str(second.coupling.model.proto) == str(first.coupling.model.proto)
    assert second.coupling.parts == first.coupling.parts != kept.coupling.parts


def answered(scenario: Scenario) -> tuple[object, ...]:
    """Return what a search answers, but for how long it took."""
    found = planner.suggest(scenario, time_limit=60)
    return found.status, found.value, found.bound, found.plan


@in_chunks(ANSWERS, 5)
def test_a_second_question_is_answered_as_if_it_were_the_first(seeds: range) -> None:
    for seed in seeds:
        rng = random.Random(f"second answers {seed}")
        now, memory = instance(rng.choice(FAMILIES), "6", rng.randrange(50)), Memory()
        for number in range(3):
            fresh, warm = replace(now, memory=Memory()), replace(now, memory=memory)
            assert answered(warm) == answered(fresh), f"seed {seed}, position {number}"
            if rng.random() < 0.4:
                tiers = rng.sample(now.data["tier"], rng.randint(1, len(now.data["tier"])))
                now = now.with_objective(tiers)
            else:
                now = changed(now, rng)


def test_another_objective_is_asked_of_the_same_position() -> None:
    scenario = instance("dense", "6", 0)
    hold = {"kind": "hold", "hexes": next(iter(scenario.game.board.hexes))}
    other = scenario.with_objective([{"terms": [hold]}], [{"kind": "mp_spent", "most": 3}])
    assert other.game.homes == scenario.game.homes
    assert other.game.board is scenario.game.board
    assert [term.kind for tier in other.tiers for term in tier.terms] == ["hold"]
    assert [term.kind for term in other.requirements] == ["mp_spent"]
    again = planner.Scenario.from_dict(other.to_dict())
    assert again.tiers == other.tiers
    assert again.requirements == other.requirements
    assert scenario.with_objective().tiers == ()


@in_chunks(MODELS)
def test_a_changed_position_is_read_as_its_file_would_be(seeds: range) -> None:
    for seed in seeds:
        rng = random.Random(f"second files {seed}")
        for scenario in history(rng):
            try:
                again = planner.Scenario.from_dict(scenario.to_dict())
            except planner.InputError:
                break  # of rules that were put in place of its own no file tells
            assert list(again.game.units.items()) == list(scenario.game.units.items()), f"seed {seed}"
            assert list(again.game.homes.items()) == list(scenario.game.homes.items())
            assert again.game.situation == scenario.game.situation


def test_units_that_were_made_others_are_read_anew() -> None:
    scenario = instance("dense", "6", 0)
    first, *_ = units = scenario.game.units
    stronger = {id: replace(unit, attack=unit.attack + (id == first)) for id, unit in scenario.game.units.items()}
    other = replace(scenario, game=replace(scenario.game, units=stronger, _cache={}))
    assert list(units) == list(other.with_units().game.units)
    assert other.with_units().game.units[first] == scenario.game.units[first] != stronger[first]


def test_faults_of_another_objective_are_told_at_once() -> None:
    scenario = instance("dense", "6", 0)
    faulty = {"terms": [{"kind": "hold", "hexes": "nowhere"}, {"kind": "eliminate", "units": "nobody"}]}
    with pytest.raises(planner.InputError) as caught:
        scenario.with_objective([faulty])
    assert len(caught.value.problems) == 2
    for wrong in ("hold w5427", {"terms": []}, 3):
        with pytest.raises(planner.InputError):
            scenario.with_objective(wrong)  # type: ignore[arg-type]


def test_what_is_kept_is_bounded() -> None:
    scenario = instance("dense", "12", 0)
    units = [unit["id"] for unit in scenario.data["unit"]]
    for unit in units[:6]:
        scenario = scenario.with_units(without=[unit])
        planner.suggest(scenario)
    kept = scenario.memory.of(KeptReach)
    assert 1 <= len(kept) <= 4
    assert all(one.size <= kept_reach.MOST_OBJECTS for one in kept)


def test_little_is_kept_where_there_is_little_room(monkeypatch: pytest.MonkeyPatch) -> None:
    scenario = instance("dense", "12", 0)
    expected = answered(scenario)
    monkeypatch.setattr(kept_reach, "MOST_OBJECTS", 50)
    cramped = replace(scenario, memory=Memory())
    assert answered(cramped) == answered(cramped) == expected
    assert cramped.memory.of(KeptReach)[0].size <= 50


def test_no_large_model_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    scenario = instance("villages", "8", 0)
    expected = answered(scenario)
    assert len(scenario.memory.of(KeptCoupling)) == 1
    monkeypatch.setattr(kept_coupling, "MOST_OBJECTS", 50)
    cramped = replace(scenario, memory=Memory())
    assert answered(cramped) == answered(cramped) == expected
    assert not cramped.memory.of(KeptCoupling)


@pytest.mark.thorough
def test_searches_in_several_threads_share_a_memory() -> None:
    scenario = instance("dense", "12", 1)
    positions_ = [scenario, *(scenario.with_units(without=[unit["id"]]) for unit in scenario.data["unit"][:5])]
    expected = [answered(replace(one, memory=Memory())) for one in positions_]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(answered, positions_)) == expected
