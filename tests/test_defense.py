"""A defense is what trying every placement comes to, and nothing is rejected that holds."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

import pytest
from typer.testing import CliRunner

from planner.cli import app
from planner.defense.answer import Defense
from planner.defense.placement import OFF, Placements
from planner.errors import InputError
from planner.referee import Referee
from planner.results import score, tier_values
from planner.scenario import Scenario, build_scenario, load_scenario
from planner.solver.defense import defend
from planner.solver.search import Search
from tests.conftest import DEEP
from tests.oracles.brute_force import BruteForce, TooManyStatesError
from tests.oracles.skirmishes import best_plan, draw_skirmish
from tests.oracles.stacks import EveryStackPlan, draw_stacks
from tests.oracles.tiny import draw_tiny
from tests.oracles.trenches import draw_trenches
from tests.oracles.waiting import Interleaved, draw_waiting

POSITIONS = 60 if DEEP else 20
"""Positions of each game."""
BY_BRUTE_FORCE = 1 if DEEP else 5
"""Of so many positions one is settled without the solver altogether."""

Value = tuple[Fraction, ...]

DRAWS: dict[str, Callable[[random.Random], dict[str, Any]]] = {
    "dai senso": lambda rng: _with_objective(draw_tiny(rng), rng),
    "ocs": draw_stacks,
    "a world at war": draw_waiting,
    "the great war": draw_trenches,
    "classic hex": draw_skirmish,
}

ORACLES: dict[str, Callable[[Scenario], Value | None]] = {
    "dai senso": lambda scenario: BruteForce(scenario, 3_000).run(),
    "ocs": lambda scenario: EveryStackPlan(scenario, 300, 3).best(),
    "a world at war": lambda scenario: Interleaved(scenario, 1_500).best(),
    "the great war": lambda scenario: EveryStackPlan(scenario, 300, 3).best(),
    "classic hex": lambda scenario: best_plan(scenario, 150)[0],
}


def _with_objective(data: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    foes = [unit["id"] for unit in data["unit"] if unit["side"] != data["phasing"]]
    terms = [{"kind": "eliminate", "units": [foe], "weight": rng.randint(1, 3)} for foe in foes]
    return {**data, "tier": [{"terms": [*terms, *data.pop("require")]}]}


def position(game: str, seed: int) -> tuple[dict[str, Any], list[str]]:
    """Return a position with one defender or two that may be placed in a few hexes, and the defenders."""
    rng = random.Random(f"defense of {game} {seed}")
    while True:
        data = DRAWS[game](rng)
        data["tier"] = data["tier"][:1]
        foes = [unit for unit in data["unit"] if unit["side"] != data["phasing"]]
        if foes:
            break
    scenario = build_scenario(copy.deepcopy(data), f"{game} {seed}")
    hexes = sorted(scenario.game.board.hexes)
    near = [label for label in hexes if any(scenario.game.enemies_at(n) for n in scenario.game.board.neighbours[label])]
    chosen = rng.sample(foes, min(len(foes), rng.choice((1, 1, 2))))
    few = 3 if len(chosen) == 1 else 2
    data["defense"] = {
        "place": [
            {"units": [unit["id"]], "hexes": rng.sample(near or hexes, min(len(near or hexes), few))} for unit in chosen
        ]
    }
    if rng.random() < 0.3:
        data["defense"]["most"] = 1
    if rng.random() < 0.4:
        goal = rng.choice(data["tier"][0]["terms"])
        data["require"] = [{key: value for key, value in goal.items() if key != "weight"}]
    return data, [unit["id"] for unit in chosen]


def rebuilt(data: dict[str, Any], places: dict[str, str]) -> Scenario:
    """Return the scenario that an author would write with the defenders in their places."""
    data = copy.deepcopy(data)
    for unit in data["unit"]:
        if places.get(unit["id"], OFF) != OFF:
            unit.pop("box", None)
            unit["at"] = places[unit["id"]]
    data.pop("defense")
    return build_scenario(data, "rebuilt")


def every_placement(data: dict[str, Any]) -> list[dict[str, str]]:
    placements = Placements(build_scenario(copy.deepcopy(data), "every"))
    units = list(placements.choices)
    combinations = (dict(zip(units, some, strict=True)) for some in product(*placements.choices.values()))
    return [places for places in combinations if placements.quarrel(places) is None]


def in_order(placements: list[dict[str, str]]) -> list[list[tuple[str, str]]]:
    return sorted(sorted(places.items()) for places in placements)


@cache
def defended(game: str, seed: int) -> tuple[dict[str, Any], Defense]:
    """Return a position, with all placements that hold."""
    data, _ = position(game, seed)
    return data, defend(build_scenario(copy.deepcopy(data), f"{game} {seed}"), 30.0, every=True)


def best_by_search(scenario: Scenario) -> Value | None:
    result = Search(scenario).run()
    if result.status == "infeasible":
        return None
    if result.status == "optimal":
        return result.value
    raise TooManyStatesError


def named(found: Defense, data: dict[str, Any]) -> list[dict[str, str]]:
    homes = {unit["id"]: unit.get("at", OFF) for unit in data["unit"]}
    units = [unit for entry in data["defense"]["place"] for unit in entry["units"]]
    return [{**{unit: homes[unit] for unit in units}, **dict(one.placement.at)} for one in found.accepted]


@pytest.mark.parametrize("game", DRAWS)
def test_all_placements_that_hold_are_those_that_hold_when_each_is_tried(game: str) -> None:
    """More than 100 positions over all five games; each placement by the search, of every fifth position by brute force."""
    settled = 0
    for seed in range(POSITIONS):
        data, found = defended(game, seed)
        goal = "require" in data
        oracle = ORACLES[game] if seed % BY_BRUTE_FORCE == 0 and not goal else best_by_search
        values: dict[int, Value | None] = {}
        every = every_placement(data)
        # What nothing is known of may be anything; what is claimed must be so.
        for number, places in enumerate(every):
            try:
                values[number] = oracle(rebuilt(data, places))
            except TooManyStatesError:
                continue
        holds = [every[number] for number, value in values.items() if value is None]
        accepted = named(found, data)
        where = f"{game} {seed}: {found}"
        for refutation in found.refutations if goal and found.status == "holds" else ():
            assert not [places for places in holds if refutation.breaks(places)], where
        if found.status == "holds":
            assert not [places for number, places in enumerate(every) if places in accepted and values.get(number)], (
                where
            )
        if len(values) < len(every) or not found.complete:
            continue
        settled += 1
        if found.status == "holds":
            assert in_order(accepted) == in_order(holds), where
        else:
            assert found.status == "best", where
            assert not (goal and holds), where
            if goal:  # then the best without the requirement counts
                values = {n: best_by_search(replace(rebuilt(data, p), requirements=())) for n, p in enumerate(every)}
            least = min(value for value in values.values() if value is not None)
            worst = [every[number] for number, value in values.items() if value == least]
            assert in_order(accepted) == in_order(worst), where
            assert all(one.value == least for one in found.accepted), where
    print(f"{game}: {settled} of {POSITIONS} positions settled altogether")
    assert settled > POSITIONS / 3


@pytest.mark.parametrize("game", DRAWS)
def test_every_rejected_placement_is_broken_by_the_plan_that_rejects_it(game: str) -> None:
    """Replayed under the scenario that an author would write; and what is excluded by a box is really in it."""
    for seed in range(POSITIONS):
        data, found = defended(game, seed)
        every = every_placement(data)
        for refutation in found.refutations:
            broken = [places for places in every if refutation.breaks(places)]
            assert len(broken) == refutation.count
            for places in broken:
                scenario = rebuilt(data, places)
                verdict = Referee(scenario.game).play(refutation.plan, scenario.start)
                assert verdict.legal, f"{game} {seed}: {refutation}"
                if refutation.value:
                    value = tier_values(scenario.tiers, score(scenario.game, scenario.tiers, verdict))
                    assert value >= refutation.value


@pytest.mark.parametrize("game", DRAWS)
def test_a_placed_scenario_is_the_one_that_an_author_would_write(game: str) -> None:
    for seed in range(POSITIONS):
        data, _ = position(game, seed)
        placements = Placements(build_scenario(copy.deepcopy(data), f"{game} {seed}"))
        for places in every_placement(data):
            one, other = placements.placed(places), rebuilt(data, places)
            assert one.start == other.start
            assert list(one.game.homes.items()) == list(other.game.homes.items())
            assert one.game.situation == other.game.situation


# -- Manchuria


@pytest.fixture(scope="module")
def harbin() -> Scenario:
    return load_scenario("dai_senso/manchuria_defense")


@pytest.fixture(scope="module")
def every(harbin: Scenario) -> Defense:
    return defend(harbin, every=True)


def test_one_hq_in_harbin_stops_the_outflanking_and_all_hexes_that_do_are_listed(
    harbin: Scenario, every: Defense
) -> None:
    """Every hex of the map is tried by itself, by brute force on the referee alone."""
    found = every
    assert found.status == "holds"
    assert found.complete
    assert all(one.confirmed for one in found.accepted)
    held = {one.placement.at[0][1] for one in found.accepted}
    assert "w5427" in held
    placements = Placements(harbin)
    tried = {label for label in harbin.game.board.hexes if label in placements.choices["hq"]}
    assert tried == set(harbin.game.board.hexes) - {"w5525"}  # where the Soviets stand
    assert held == {label for label in tried if BruteForce(placements.placed({"hq": label})).run() is None}


def test_one_enemy_plan_excludes_more_than_one_placement(every: Defense) -> None:
    """By hand: w5724 is four hexes from w5426, beyond the range of an HQ; so it is as if the HQ weren't there."""
    [refutation] = every.refutations
    assert dict(refutation.places) == {"hq": (OFF, "w5724")}
    assert refutation.count == 2


# -- where defenders may stand


def trenches_with_two(hexes: str, most: int | None = None) -> Scenario:
    data = copy.deepcopy(dict(load_scenario("dai_senso/manchuria_defense").data))
    data["unit"] = [*data["unit"]]
    for name in ("a", "b", "c"):
        data["unit"].append(
            {
                "id": name,
                "side": "axis",
                "type": "infantry",
                "nationality": "japan",
                "values": "1-1-1",
                "box": "reserve",
            }
        )
    data["defense"] = {"place": [{"units": ["a", "b", "c"], "hexes": hexes}]}
    if most is not None:
        data["defense"]["most"] = most
    return build_scenario(data, "reserve")


def test_defenders_obey_the_stacking_limits_of_their_own_side() -> None:
    """By hand: three units a hex, and w5426 holds one already: of a, b and c none, one or two may come."""
    found = list(Placements(trenches_with_two("w5426")).every())
    assert sorted(sum(place == "w5426" for place in places.values()) for places in found) == [0, 1, 1, 1, 2, 2, 2]


def test_only_so_many_defenders_are_placed_as_the_scenario_says() -> None:
    """By hand: none, or one of three in one of two hexes."""
    assert len(list(Placements(trenches_with_two("w5327 w5328", most=1)).every())) == 7


def test_in_games_of_one_unit_a_hex_defenders_stand_alone() -> None:
    data, [unit, *_] = position("the great war", 1)
    other = next(foe for foe in data["unit"] if foe["side"] != data["phasing"])
    extra = {**copy.deepcopy(other), "id": "spare"}
    extra.pop("at")
    extra["box"] = "reserve"
    data["unit"].append(extra)
    data["defense"] = {"place": [{"units": ["spare"], "hexes": [other["at"]]}]}
    assert unit
    assert [places["spare"] for places in Placements(build_scenario(data, "alone")).every()] == [OFF]


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"place": [{"units": ["nobody"]}]}, "no unit has the id 'nobody'"),
        ({"place": [{"units": ["plv"]}]}, "'plv' must not belong to the side that moves"),
        ({"place": [{"units": ["hq"], "hexes": "x"}]}, "hex 'x' is not on the map"),
        ({"place": [{"units": ["hq"], "within": 2}]}, "within counts from a hex of the map, but 'hq' is in none"),
        ({"place": [{"units": ["hq"]}, {"units": ["hq"]}]}, "each unit must be named once, but 'hq' is named twice"),
        ({"place": []}, "must have at least 1 entry"),
        ({"most": -1, "place": [{"units": ["hq"]}]}, "must be at least 0, not -1"),
    ],
)
def test_what_is_wrong_with_a_defense_is_said(change: dict[str, Any], problem: str, harbin: Scenario) -> None:
    with pytest.raises(InputError) as error:
        build_scenario({**copy.deepcopy(dict(harbin.data)), "defense": change}, "x")
    assert problem in str(error.value)


# -- the command line


def test_a_defense_on_the_command_line_names_a_placement_and_what_breaks_others() -> None:
    result = CliRunner().invoke(app, ["defend", "dai_senso/manchuria_defense"])
    assert result.exit_code == 0
    assert result.output.startswith("Holds, proved and confirmed: no enemy plan achieves its goal.")
    assert "inf w5525-w5425; plv w5525-w5425xw5426\n    under hq in (off the map) w5724\n" in result.output


def test_a_defense_as_json_has_placements_and_certificate() -> None:
    result = CliRunner().invoke(app, ["defend", "dai_senso/manchuria_defense", "--json"])
    found = json.loads(result.output)
    assert found["format"] == "planner/defense-1"
    assert found["status"] == "holds"
    assert len(found["accepted"]) == 1
    assert found["refutations"][0]["places"] == {"hq": [None, "w5724"]}


def test_a_scenario_without_a_defense_is_refused() -> None:
    with pytest.raises(InputError):
        defend(load_scenario("dai_senso/manchuria"))
