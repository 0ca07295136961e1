"""What has been proved of a position is the answer in another one if nothing has changed near where friends might come."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

import pytest

import planner
from planner.errors import DisagreementError, OutOfTimeError
from planner.scenario import Scenario, build_scenario
from planner.scenario.memory import Memory
from planner.search import kept_answer
from planner.search.kept_answer import KeptAnswer
from tests.conftest import sized
from tests.instances import instance
from tests.laws.test_second_questions import board
from tests.seeds import in_chunks

BEGIN, SEEDS = sized((11, 15), (0, 100), (0, 3_000))
"""Of the first eleven one answer alone is known; of these four two are, and they take a sixth of the time."""
FAMILIES = ("dense", "sparse", "crowded", "villages")

Count = Callable[[], int]


@pytest.fixture(autouse=True)
def proofs_are_made_anew() -> None:
    """Leave what is kept where it is, unlike other tests."""


def anew(scenario: Scenario) -> Scenario:
    """Return the scenario without what has been asked about it."""
    return replace(scenario, memory=Memory())


def answer(scenario: Scenario) -> tuple[object, ...]:
    """Return what is answered, but for how long it took."""
    found = planner.suggest(scenario, time_limit=60)
    return found.status, found.value, found.bound, found.plan, found.verdict, found.terms, found.confirmed, found.reason


def enemies(scenario: Scenario) -> list[str]:
    """Return the enemies on the map."""
    game = scenario.game
    return [unit for unit, home in game.homes.items() if game.is_enemy(unit) and home in game.board.hexes]


def moved(scenario: Scenario, rng: random.Random) -> Scenario:
    """Return the position with an enemy or two elsewhere: mostly a hex farther."""
    game = scenario.game
    units = enemies(scenario)
    entries = [
        {
            "id": unit,
            "at": rng.choice(game.board.neighbours[game.homes[unit]] if rng.random() < 0.6 else [*game.board.hexes]),
        }
        for unit in rng.sample(units, min(len(units), rng.randint(1, 2)))
    ]
    try:
        return scenario.with_units(entries)
    except planner.InputError:
        return scenario


def test_where_an_enemy_moves_whom_nobody_gets_near_nothing_is_searched(searched: Count) -> None:
    scenario = anew(instance("villages", "12", 0))
    game = scenario.game
    own = [home for unit, home in game.homes.items() if unit in game.friends]
    # Of MA 6 at most nobody gets within two hexes of who is ten away, and of a hex beside it.
    far = max(enemies(scenario), key=lambda unit: min(game.board.distance(game.homes[unit], home) or 0 for home in own))
    away = [label for label in game.board.neighbours[game.homes[far]] if label not in game.homes.values()]
    first = answer(scenario)
    other = scenario.with_units([{"id": far, "at": away[0]}])
    there = answer(other)
    assert searched() == 1
    assert there[:3] == first[:3]
    assert str(there[3]) == str(first[3])
    assert there == answer(anew(other))


def test_where_an_enemy_comes_near_it_is_searched_anew(searched: Count) -> None:
    scenario = anew(instance("villages", "20", 0))
    game = scenario.game
    assert answer(scenario)[0] == "optimal"
    plan = planner.suggest(scenario).plan
    assert plan is not None
    way = plan.moves[0].path[-1]
    near = next(label for label in game.board.neighbours[way] if label not in game.homes.values())
    other = scenario.with_units([{"id": enemies(scenario)[-1], "at": near}])
    expected, before = answer(anew(other)), searched()
    assert answer(other) == expected
    assert searched() == before + 1


@pytest.mark.parametrize("changes", [{"values": "1-1-9"}, {"at": "somewhere"}])
def test_where_a_friend_is_another_or_elsewhere_it_is_searched_anew(searched: Count, changes: dict[str, str]) -> None:
    scenario = anew(instance("villages", "20", 0))
    game = scenario.game
    unit = next(unit for unit in game.homes if unit in game.friends)
    free = next(label for label in game.board.neighbours[game.homes[unit]] if label not in game.homes.values())
    answer(scenario)
    entry = {"id": unit, "at": free if changes.get("at") else game.homes[unit]}
    if "values" in changes:
        kinds = {entry["id"]: entry for entry in scenario.data["unit"]}
        entry["values"] = "9".join(kinds[unit]["values"].split(kinds[unit]["values"][0], 1))
    answer(scenario.with_units([entry]))
    assert searched() == 2


def test_where_what_counts_is_about_enemies_afar_it_is_searched_anew(searched: Count) -> None:
    scenario = anew(instance("villages", "20", 0))
    far = enemies(scenario)[-1]
    asked = scenario.with_objective(
        [{"terms": [{"kind": "surround", "target": far}]}, {"terms": [{"kind": "mp_spent"}]}]
    )
    answer(asked)
    [kept] = asked.memory.of(KeptAnswer)
    assert kept.surroundings is None
    homes = asked.game.homes
    away = next(label for label in asked.game.board.neighbours[homes[far]] if label not in homes.values())
    answer(asked.with_units([{"id": far, "at": away}]))
    assert searched() == 2


def corridor(enemy: str) -> Scenario:
    """Return a unit at one end of a long line of hexes, its supply at the other, and an enemy in one of the hexes."""
    unit = {"id": "u0", "side": "soviet", "type": "infantry", "values": "3-3-2", "at": "w2100"}
    foe = {"id": "e0", "side": "axis", "type": "infantry", "values": "4-5-1", "at": enemy}
    return build_scenario(
        {
            "format": "planner/scenario-1",
            "model": "dai_senso",
            "phase": "operational_movement",
            "phasing": "soviet",
            "supply": {"soviet": "w0200"},
            "map": {"origin": "w2100", "rows": "\n".join([*["."] * 10, ".__.", *["."] * 9]) + "\n"},
            "unit": [unit, foe],
            "tier": [{"terms": [{"kind": "hold", "hexes": "w2000"}]}],
        },
        "corridor",
    )


def test_where_an_enemy_far_away_cuts_a_supply_line_or_no_longer_does_it_is_searched_anew(searched: Count) -> None:
    """By hand: the enemy is out of everybody's way in w1103, which no other hex is next to, and on the line in w0900."""
    aside, between = anew(corridor("w1103")), anew(corridor("w0900"))
    assert answer(aside)[1] == answer(aside.with_units([{"id": "e0", "at": "w1103", "steps": 2}]))[1] == (1,)
    assert searched() == 1
    assert answer(aside.with_units([{"id": "e0", "at": "w0900"}]))[1] == (0,)
    assert answer(between)[1] == answer(between.with_units([{"id": "e0", "at": "w0800"}]))[1] == (0,)
    assert answer(between.with_units([{"id": "e0", "at": "w1103"}]))[1] == (1,)


def test_where_units_may_come_farther_by_overruns_that_are_rolled_it_is_searched_anew() -> None:
    """By hand: what single units can do for certain ends before e0; with luck they come to e1 behind it, far from there."""
    line = [f"10.{row}" for row in range(10, 20)]
    own = {"side": "axis", "type": "motorized", "at": line[0], "attack": 20, "defense": 1, "ma": 12, "size": 1}
    foe = {"side": "allied", "type": "security", "attack": 1, "defense": 1, "ma": 0}
    aside = build_scenario(
        {
            "format": "planner/scenario-1",
            "model": "ocs",
            "phase": "movement",
            "phasing": "axis",
            "map": {"hexes": {" ".join([*line, "20.10"]): {"terrain": "open"}}},
            "unit": [{"id": "u0"} | own, {"id": "e0", "at": line[1]} | foe, {"id": "e1", "at": "20.10"} | foe],
            "tier": [{"terms": [{"kind": "eliminate", "units": "e1"}]}],
        },
        "line",
    )
    assert answer(aside)[1] == (0,)
    assert all(answer(aside.with_units([{"id": "e1", "at": at}]))[1] != (0,) for at in line[3:6])


def differences(seeds: range, searched: Count) -> tuple[int, list[str]]:
    """Return how many answers were known from another position, and which weren't those of a search of their own."""
    known, found = 0, list[str]()
    for seed in seeds:
        rng = random.Random(f"elsewhere {seed}")
        first = anew(board(rng) if rng.random() < 0.5 else instance(rng.choice(FAMILIES), "8", rng.randrange(200)))
        if not enemies(first):
            continue
        answer(first)
        for number in range(4):
            other = moved(first, rng)
            before = searched()
            told = answer(other)
            known += searched() == before and other is not first
            if told != answer(anew(other)):
                found.append(f"seed {seed}, change {number}")
    return known, found


@in_chunks(SEEDS, 10, BEGIN)
def test_what_changes_elsewhere_is_answered_as_if_it_were_the_first(seeds: range, searched: Count) -> None:
    known, found = differences(seeds, searched)
    assert not found
    assert known


def test_a_law_notices_that_what_is_near_was_taken_for_far(monkeypatch: pytest.MonkeyPatch, searched: Count) -> None:
    monkeypatch.setattr(kept_answer, "changed_near", lambda old, new: frozenset())
    with pytest.raises(DisagreementError):
        differences(range(10), searched)


@pytest.mark.parametrize("late", ["as it is kept", "as it is asked"])
def test_where_the_time_runs_out_while_positions_are_compared_it_is_searched_as_ever(
    late: str, searched: Count, monkeypatch: pytest.MonkeyPatch
) -> None:
    def runs_out(*_: object) -> None:
        raise OutOfTimeError

    scenario = anew(instance("villages", "8", 0))
    if late == "as it is kept":
        monkeypatch.setattr(kept_answer, "itself_of", runs_out)
    first = answer(scenario)
    monkeypatch.setattr(kept_answer, "itself_of", runs_out)
    monkeypatch.setattr(kept_answer, "changed_near", lambda old, new: frozenset())
    assert answer(scenario.with_units())[:3] == first[:3]
    assert answer(scenario.with_objective(scenario.data["tier"][:1]))[0] == "optimal"
    unit = enemies(scenario)[0]
    beside = [
        at for at in scenario.game.board.neighbours[scenario.game.homes[unit]] if at not in scenario.game.homes.values()
    ]
    other = scenario.with_units([{"id": unit, "at": beside[0]}])
    assert answer(other)[0] == "optimal"
    assert searched() == 3
