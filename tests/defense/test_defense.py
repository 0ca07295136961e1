"""A defense is what trying every placement comes to, and nothing is rejected that holds."""

from __future__ import annotations

import copy
import json
import os
import random
import signal
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import product
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest

import planner
from planner.cli.defense_text import print_defense
from planner.defense.answer import Defense
from planner.defense.enemy_search import Best, Enemy
from planner.defense.placement import OFF, Placements
from planner.defense.request import as_asked
from planner.defense.search import DefenseSearch, defend
from planner.errors import InputError
from planner.limits import Limits
from planner.objective import Tally
from planner.objective.scoring import Value, score, tier_values
from planner.plans.plan import Plan
from planner.referee.referee import Referee
from planner.referee.verdict import Verdict
from planner.scenario import Scenario, build_scenario, load_scenario
from planner.scenario.defense_section import may_stand
from planner.scenario.next_phase import write_after
from planner.world.position import Position
from tests.command import invoke
from tests.conftest import DEEP, sized
from tests.oracles.brute_force import BruteForce, TooManyStatesError
from tests.oracles.skirmishes import draw_skirmish, sorties
from tests.oracles.stacks import EveryStackPlan, draw_stacks
from tests.oracles.tiny import draw_tiny
from tests.oracles.trenches import draw_trenches
from tests.oracles.waiting import Interleaved, draw_waiting

POSITIONS = sized(4, 8, 200)
"""Positions of each of the five games."""
FASTEST, CAP = (3, 1_500) if DEEP else (2, 160)
"""The MA of the fastest unit, and how many plans or states of a position are tried at most; larger ones are passed over."""


DRAWS: dict[str, Callable[[random.Random], dict[str, Any]]] = {
    "dai senso": lambda rng: _with_objective(draw_tiny(rng), rng),
    "ocs": draw_stacks,
    "a world at war": draw_waiting,
    "the great war": draw_trenches,
    "classic hex": draw_skirmish,
}


def _every(placements: Placements) -> list[dict[str, str]]:
    """Return every placement that obeys the rules."""
    found = (dict(zip(placements.choices, places, strict=True)) for places in product(*placements.choices.values()))
    return [places for places in found if placements.quarrel(places) is None]


def _with_objective(data: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    foes = [unit["id"] for unit in data["unit"] if unit["side"] != data["phasing"]]
    terms = [{"kind": "eliminate", "units": [foe], "weight": rng.randint(1, 3)} for foe in foes]
    return {**data, "tier": [{"terms": [*terms, *data.pop("require")]}]}


def drawn(game: str, rng: random.Random) -> dict[str, Any]:
    """Return a position with one unit or two that move, not far, and enemies."""
    while True:
        data = DRAWS[game](rng)
        data.pop("require", None)
        own = [unit for unit in data["unit"] if unit["side"] == data["phasing"]]
        foes = [unit for unit in data["unit"] if unit["side"] != data["phasing"]]
        data["unit"] = [*own[: rng.choice((1, 2, 2))], *foes]
        kept = {unit["id"] for unit in data["unit"]}
        terms = [t for t in data["tier"][0]["terms"] if {t.get("unit"), *t.get("units", ())} - {None} <= kept]
        if not foes or not terms:
            continue
        data["tier"] = [{"terms": terms}]
        for unit in own:
            if "ma" in unit:
                unit["ma"] = min(unit["ma"], FASTEST)
        return data


def position(game: str, rng: random.Random) -> dict[str, Any]:
    """Return a position with one defender or two that may be placed in a few hexes."""
    while True:
        data = drawn(game, rng)
        foes = [unit["id"] for unit in data["unit"] if unit["side"] != data["phasing"]]
        scenario = build_scenario(copy.deepcopy(data), game)
        chosen = rng.sample(foes, min(len(foes), rng.choice((1, 1, 2))))
        places = [hexes_for(scenario, unit, rng, rng.choice((1, 2)) if len(chosen) == 1 else 1) for unit in chosen]
        if all(places):
            break
    data["defense"] = {"place": [{"units": [unit], "hexes": those} for unit, those in zip(chosen, places, strict=True)]}
    if rng.random() < 0.3:
        data["defense"]["most"] = 1
    if rng.random() < 0.4:
        goal = rng.choice(data["tier"][0]["terms"])
        data["require"] = [{key: value for key, value in goal.items() if key != "weight"}]
    return data


def hexes_for(scenario: Scenario, unit: str, rng: random.Random, count: int) -> list[str]:
    """Return some hexes in which a defender may be placed, those beside other enemies first."""
    game = scenario.game
    fit = [
        label
        for label in sorted(game.board.hexes)
        if all(map(game.is_enemy, scenario.start.units_in(label)))
        and label != scenario.start.at.get(unit)
        and may_stand(game, game.units[unit], label)
    ]
    near = [label for label in fit if any(game.enemies_at(n) for n in game.board.neighbours[label])]
    return rng.sample(near or fit, min(len(near or fit), count))


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


# -- brute force: every plan of the enemy, on the referee alone


def fulfilled(scenario: Scenario, outcomes: list[tuple[Position, Tally]]) -> bool:
    return all(
        goal.score(scenario.game, position, tally) >= goal.full(scenario.game)
        for goal in scenario.requirements
        for position, tally in outcomes
    )


def by_verdicts(scenario: Scenario, verdicts: Iterator[Verdict]) -> tuple[Value, bool]:
    """Return the best value, and whether some plan fulfils the requirements whatever is rolled."""
    best: Value | None = None
    achieved = False
    for verdict in verdicts:
        value = tier_values(scenario.tiers, score(scenario.game, scenario.tiers, verdict))
        best = value if best is None else max(best, value)
        achieved = achieved or fulfilled(scenario, list(verdict.all_outcomes()))
    assert best is not None
    return best, achieved


def by_states(scenario: Scenario) -> tuple[Value, bool]:
    best = BruteForce(replace(scenario, requirements=()), 8 * CAP).run()
    assert best is not None
    return best, not scenario.requirements or BruteForce(scenario, 8 * CAP).run() is not None


def by_standings(scenario: Scenario) -> tuple[Value, bool]:
    ends = list(Interleaved(scenario, CAP).standings())
    return max(value for _, value in ends), any(fulfilled(scenario, [(end, Tally())]) for end, _ in ends)


ORACLES: dict[str, Callable[[Scenario], tuple[Value, bool]]] = {
    "dai senso": by_states,
    "ocs": lambda scenario: by_verdicts(scenario, (v for _, v, _ in EveryStackPlan(scenario, CAP // 4, 3).plans())),
    "a world at war": by_standings,
    "the great war": lambda s: by_verdicts(s, (v for _, v, _ in EveryStackPlan(s, CAP // 4, 3).plans())),
    "classic hex": lambda scenario: by_verdicts(scenario, (v for _, v in sorties(scenario, CAP // 4))),
}


def settled(game: str) -> Iterator[tuple[dict[str, Any], list[tuple[dict[str, str], Value, bool]]]]:
    """Yield positions with every placement, what the enemy's best is worth under it, and whether it achieves its goal."""
    rng = random.Random(f"defense of {game}")
    while True:
        data = position(game, rng)
        try:
            yield data, [(places, *ORACLES[game](rebuilt(data, places))) for places in every_placement(data)]
        except TooManyStatesError:
            continue


def named(found: Defense, data: dict[str, Any]) -> list[dict[str, str]]:
    homes = {unit["id"]: unit.get("at", OFF) for unit in data["unit"]}
    units = [unit for entry in data["defense"]["place"] for unit in entry["units"]]
    return [{**{unit: homes[unit] for unit in units}, **dict(one.placement.at)} for one in found.accepted]


@pytest.mark.thorough
@pytest.mark.parametrize("game", DRAWS)
def test_all_placements_that_hold_are_those_that_hold_when_every_plan_is_tried(game: str) -> None:
    """As many positions of each of the five games are settled; of others, what is claimed is so.

    Nothing but the referee tells here what the enemy can do.
    """
    held = complete = 0
    for number, (data, tried) in enumerate(settled(game)):
        found = defend(build_scenario(copy.deepcopy(data), f"{game} {number}"), Limits.within(60.0), every=True)
        where = f"{game} {number}: {found}"
        no_claim_is_more_than_a_replay_shows(found, data, [places for places, _, _ in tried])
        holds = [places for places, _, achieved in tried if not achieved]
        accepted, least = named(found, data), min(value for _, value, _ in tried)
        complete += found.complete
        if found.status == "holds":
            held += 1
            assert "require" in data, where
            assert all(places in holds for places in accepted), where
            assert not found.complete or in_order(accepted) == in_order(holds), where
        elif found.status == "best":
            worst = [places for places, value, _ in tried if value == least]
            assert not holds or "require" not in data, where
            assert bool(found.broken) == ("require" in data), where
            assert all(one.value == least for one in found.accepted), where
            assert not found.complete or in_order(accepted) == in_order(worst), where
        else:  # nothing is claimed but what has been replayed
            assert not found.complete, where
        if complete == POSITIONS:
            break
        assert number < 2 * POSITIONS, "too little is settled"
    assert held > POSITIONS / 20


@pytest.mark.thorough
def test_where_hexes_are_entered_by_combat_the_enemy_s_plans_are_gone_through() -> None:
    """Nothing but trying every plan, here as there, proves what its best is with e one hex farther back."""
    scenario = as_asked(load_scenario("classic_hex/no_way_out"), ["e within 1"])
    placements = Placements(scenario)
    values = {
        where["e"]: by_verdicts(placed, (verdict for _, verdict in sorties(placed, CAP)))[0]
        for where in _every(placements)
        for placed in [placements.placed(where)]
    }
    found = defend(scenario, every=True)
    assert (found.status, found.complete) == ("best", True)
    least = min(values.values())
    assert all(one.value == least for one in found.accepted)
    assert len(found.accepted) == sum(value == least for value in values.values())


def no_claim_is_more_than_a_replay_shows(found: Defense, data: dict[str, Any], every: list[dict[str, str]]) -> None:
    """Replay each plan under the scenarios that an author would write, and hold each placed scenario against his."""
    accepted, placements = named(found, data), Placements(build_scenario(copy.deepcopy(data), "placed"))
    written = [(places, rebuilt(data, places)) for places in every]
    for places, other in written:
        one = placements.placed(places)
        assert one.start == other.start
        assert list(one.game.homes.items()) == list(other.game.homes.items())
        assert one.game.situation == other.game.situation
    for refutation in (*found.refutations, *found.broken):
        broken = [(places, scenario) for places, scenario in written if refutation.breaks(places)]
        assert len(broken) == refutation.count
        for places, scenario in broken:
            assert places not in accepted or refutation in found.broken
            verdict = Referee(scenario.game).play(refutation.plan, scenario.start)
            assert verdict.legal, refutation
            if refutation.value:
                assert tier_values(scenario.tiers, score(scenario.game, scenario.tiers, verdict)) >= refutation.value
            else:
                assert fulfilled(scenario, list(verdict.all_outcomes()))
    rejected = {number for number, places in enumerate(every) for r in found.refutations if r.breaks(places)}
    assert found.rejected == len(rejected)
    assert not found.complete or len(rejected) + len(accepted) == len(every)


# -- Manchuria


@pytest.fixture(scope="module")
def harbin() -> Scenario:
    return load_scenario("dai_senso/manchuria_defense")


@pytest.fixture(scope="module")
def every(harbin: Scenario) -> Defense:
    return defend(harbin, every=True)


@pytest.mark.thorough
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


@pytest.mark.thorough
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
    found = _every(Placements(trenches_with_two("w5426")))
    assert sorted(sum(place == "w5426" for place in places.values()) for places in found) == [0, 1, 1, 1, 2, 2, 2]


def test_only_so_many_defenders_are_placed_as_the_scenario_says() -> None:
    """By hand: none, or one of three in one of two hexes."""
    assert len(_every(Placements(trenches_with_two("w5327 w5328", most=1)))) == 7


def test_in_games_of_one_unit_a_hex_defenders_stand_alone() -> None:
    data = drawn("the great war", random.Random("alone"))
    other = next(foe for foe in data["unit"] if foe["side"] != data["phasing"])
    extra = {**copy.deepcopy(other), "id": "spare"}
    extra.pop("at")
    extra["box"] = "reserve"
    data["unit"].append(extra)
    data["defense"] = {"place": [{"units": ["spare"], "hexes": [other["at"]]}]}
    assert [places["spare"] for places in _every(Placements(build_scenario(data, "alone")))] == [OFF]


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"place": [{"units": ["nobody"]}]}, "no unit has the id 'nobody' @ x: defense.place[0].units"),
        ({"place": [{"units": ["plv"]}]}, "'plv' must not belong to the side that moves @ x: defense.place[0].units"),
        ({"place": [{"units": ["hq"], "hexes": "x"}]}, "hex 'x' is not on the map @ x: defense.place[0].hexes"),
        ({"place": [{"units": ["hq"], "within": 2}]}, "within counts from a hex of the map, but 'hq' is in none"),
        ({"place": [{"units": ["hq"]}, {"units": ["hq"]}]}, "each unit must be named once, but 'hq' is named twice"),
        (
            {"place": [{"units": ["hq"], "hexes": "w5427 w5525"}]},
            "nobody can be placed in w5525: plv, inf of the side that moves are there @ x: defense.place[0].hexes",
        ),
        (
            {"place": [{"units": ["hq"], "hexes": "w5427 w5323"}]},
            "hq can't be placed in w5323: the terrain, all_sea, doesn't let it in @ x: defense.place[0].hexes",
        ),
        (
            {"place": [{"units": ["hq"], "where": {"terrain": "desert"}}]},
            "no hex is left in which 'hq' may be placed @ x: defense.place[0]",
        ),
        (
            {"tiers": 2, "place": [{"units": ["hq"]}]},
            "tiers must be left out where the objective has none, not 2 @ x: defense.tiers",
        ),
        (
            {"place": [{"units": ["new"]}], "unit": [{"id": "new", "side": "axis", "type": "hq", "at": "w5427"}]},
            "units for the defense alone must have neither at nor box",
        ),
        (
            {
                "place": [{"units": ["new"]}],
                "unit": [{"id": "new", "side": "axis", "type": "wizard", "values": "1-1-1"}],
            },
            "static, tank @ x: defense.unit[0] (new).type",
        ),
        (
            {"place": [{"units": ["hq"]}], "unit": [{"id": "hq", "side": "axis", "type": "hq", "values": "1-1-1"}]},
            "unit ids must differ, but 'hq' comes twice @ x: defense.unit[0] (hq)",
        ),
        ({"place": []}, "must have at least 1 entry"),
        ({"most": -1, "place": [{"units": ["hq"]}]}, "must be at least 0, not -1"),
    ],
)
def test_what_is_wrong_with_a_defense_is_said(change: dict[str, Any], problem: str, harbin: Scenario) -> None:
    data = copy.deepcopy(dict(harbin.data))
    data["map"]["hexes"] = {"w5323": "all_sea"}
    with pytest.raises(InputError) as error:
        build_scenario({**data, "defense": change}, "x")
    assert problem in str(error.value)


def test_everything_that_is_wrong_with_a_defense_is_said_at_once(harbin: Scenario) -> None:
    data = copy.deepcopy(dict(harbin.data))
    data["tier"] = [{"terms": [{"kind": "mp_spent"}]}]
    data["defense"] = {"tiers": 3, "place": [{"units": ["hq", "plv"], "hexes": "w5525 nowhere"}]}
    with pytest.raises(InputError) as error:
        build_scenario(data, "x")
    assert [problem.where for problem in error.value.problems] == [
        "x: defense.tiers",
        "x: defense.place[0].units",
        "x: defense.place[0].hexes",
        "x: defense.place[0].hexes",
    ]
    assert "tiers must be at most 1, as many as the objective has, not 3" in str(error.value)


# -- the example of the rules


@pytest.fixture(scope="module")
def outflanked() -> Defense:
    return defend(load_scenario("dai_senso/manchuria"), every=True)


@pytest.mark.thorough
def test_in_manchuria_with_one_hq_to_place_harbin_is_among_the_answers_and_all_hexes_are_listed(
    outflanked: Defense, every: Defense
) -> None:
    """Here the enemy has no goal but an objective: where the HQ stops every overrun, its best is worth nothing.

    By hand: those are the hexes in which it stops the overrun of inf111, the only one that is possible without it.
    """
    assert (outflanked.status, outflanked.complete) == ("best", True)
    assert all(one.value == (0,) and one.confirmed for one in outflanked.accepted)
    assert {one.placement for one in outflanked.accepted} == {one.placement for one in every.accepted}
    assert "hq in w5427" in {str(one.placement) for one in outflanked.accepted}


def test_units_for_the_defense_alone_are_nowhere_else() -> None:
    scenario = load_scenario("dai_senso/manchuria")
    assert "hq" not in scenario.game.units
    assert Placements(scenario).home == {"hq": OFF}


def test_a_position_after_the_phase_asks_for_no_defense_any_more(tmp_path: Path) -> None:
    """Where the Soviets have gone, nobody could be placed."""
    scenario = load_scenario("dai_senso/manchuria")
    write_after(scenario, planner.apply(scenario, "inf w5525-w5425"), tmp_path / "after.toml")
    assert load_scenario(tmp_path / "after.toml").defense is None


def test_what_is_no_better_leaves_out_the_placement_that_is_accepted() -> None:
    """By hand: 25 hexes but the one of the Soviets, and off the map, are 25 placements; one of them is the answer."""
    found = defend(load_scenario("dai_senso/manchuria"))
    [one] = found.accepted
    places = {"hq": dict(one.placement.at)["hq"]}
    assert not any(refutation.breaks(places) for refutation in found.refutations)
    assert (found.status, found.space, found.rejected) == ("best", 25, 24)


# -- limits and interrupts


@pytest.mark.parametrize("after", [1, 2, 5, 40])
def test_after_a_stop_nothing_more_is_replayed(after: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether a known plan is tried, or the box grows that it breaks; and in a thread, where no signal comes."""
    stop, played, real = Event(), [0], DefenseSearch._value

    def value(self: DefenseSearch, plan: Plan, places: dict[str, str]) -> object:
        played[0] += 1
        if played[0] == after:
            stop.set()
        return real(self, plan, places)

    monkeypatch.setattr(DefenseSearch, "_value", value)
    scenario = as_asked(load_scenario("dai_senso/manchuria"), ["hq", "kwantung4 within 2"])
    found: list[Defense] = []
    thread = Thread(target=lambda: found.append(defend(scenario, Limits.within(None, stop=stop), every=True)))
    thread.start()
    thread.join()
    assert played[0] == after
    assert found[0].interrupted
    assert not found[0].complete


@pytest.mark.parametrize("name", ["dai_senso/manchuria", "dai_senso/manchuria_defense"])
def test_a_search_without_time_claims_nothing(name: str) -> None:
    found = defend(load_scenario(name), Limits.within(0.0))
    assert (found.status, found.accepted, found.refutations, found.interrupted) == ("unknown", (), (), False)


def interrupting(monkeypatch: pytest.MonkeyPatch, after: int) -> None:
    """Let Ctrl-C be pressed when the enemy's best has been worked out so many times."""
    real, count = Enemy.best, iter(range(1, 1_000))

    def best(enemy: Enemy, scenario: Scenario) -> Best | None:
        found = real(enemy, scenario)
        if next(count) == after:
            os.kill(os.getpid(), signal.SIGINT)
        return found

    monkeypatch.setattr(Enemy, "best", best)


@pytest.mark.skipif(os.name != "posix", reason="signals")
@pytest.mark.parametrize(("words", "accepted"), [((), 1), (("--all",), 5)])
def test_an_interrupt_brings_the_best_so_far_and_exit_code_130(
    words: tuple[str, ...], accepted: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By hand: off the map is looked at first, then w5725, in which it holds; with --all four hexes after it.

    Of w5724, before them, the plan is known that breaks it. Without --all, the second search is the one of w5725.
    """
    interrupting(monkeypatch, 2 if not words else 6)
    result = invoke("defend", "dai_senso/manchuria", "--json", *words)
    found = json.loads(result.output)
    assert result.exit_code == 130
    assert (found["status"], found["interrupted"], found["complete"]) == (
        "feasible" if not words else "best",
        True,
        False,
    )
    assert len(found["accepted"]) == accepted


def test_another_seed_and_more_threads_come_to_the_same_value() -> None:
    scenario = load_scenario("dai_senso/manchuria")
    for found in (planner.defend(scenario, seed=7), planner.defend(scenario, workers=2)):
        assert (found.status, found.accepted[0].value) == ("best", (0,))


# -- the command line


def run(*words: str) -> tuple[int, str]:
    result = invoke("defend", *words)
    return (2, str(result.exception)) if isinstance(result.exception, InputError) else (result.exit_code, result.output)


def test_a_defense_on_the_command_line_names_a_placement_and_what_breaks_others() -> None:
    code, output = run("dai_senso/manchuria_defense")
    assert code == 0
    assert output.startswith("Holds, proved and confirmed: no enemy plan achieves its goal.")
    assert "inf w5525-w5425; plv w5525-w5425xw5426\n    under hq in (off the map) w5724\n" in output
    assert output.endswith("--all lists every placement that does it.\n")


@pytest.mark.thorough
def test_a_defense_by_value_is_told_with_what_the_enemy_s_best_is_worth(
    outflanked: Defense, capsys: pytest.CaptureFixture[str]
) -> None:
    print_defense(outflanked, every=True)
    output = capsys.readouterr().out
    assert output.startswith(
        "The enemy's best is 0, as bad as any placement makes it, proved; 23 placements do it, these are all."
    )
    assert "\n  hq in w5427\n" in output
    assert "Worse: 2 placements, each replayed" in output


def test_one_placement_that_holds_is_told_to_be_the_only_one() -> None:
    code, output = run("dai_senso/manchuria_defense", "--all", "--place", "hq in w5427")
    assert code == 0
    assert output.startswith("1 placement holds, proved and confirmed; it is the only one.")


def test_a_defense_as_json_has_placements_and_certificate() -> None:
    code, output = run("dai_senso/manchuria_defense", "--json")
    found = json.loads(output)
    assert (code, found["format"], found["status"]) == (0, "planner/defense-1", "holds")
    assert len(found["accepted"]) == 1
    assert found["refutations"][0]["places"] == {"hq": [None, "w5724"]}


@pytest.mark.thorough
def test_who_is_placed_where_can_be_asked_on_the_command_line() -> None:
    """By hand: beside inf111 the 4th Kwantung Army keeps it from being overrun, since a hex with several steps can't be."""
    code, output = run("dai_senso/manchuria", "--place", "kwantung4 within 1", "--require", "eliminate inf111", "--all")
    assert code == 0
    assert "  kwantung4 in w5426\n" in output
    code, output = run("dai_senso/manchuria", "--place", "hq in w5724", "--require", "eliminate inf111")
    assert code == 0
    assert output.startswith("No placement holds, proved: each is broken by an enemy plan:")


@pytest.mark.thorough
def test_a_goal_that_nothing_prevents_counts_no_further_and_the_answer_says_so() -> None:
    """From w5724 or off the map the HQ keeps nobody from overrunning inf111; placements are compared by the tier alone."""
    asked = ("dai_senso/manchuria", "--place", "hq in w5724", "--require", "eliminate inf111")
    code, output = run(*asked)
    [told] = [line for line in output.splitlines() if "the enemy's best" in line]
    assert (code, told.rpartition(" (")[0]) == (
        0,
        "Its goal, which nothing prevents, left out, the enemy's best is 1, as bad as any placement makes it, proved.",
    )
    found = json.loads(run(*asked, "--json")[1])
    assert (found["status"], found["goal_left_out"]) == ("best", True)
    assert json.loads(run("dai_senso/manchuria", "--json")[1])["goal_left_out"] is False


def test_nobody_is_placed_in_a_phase_in_which_the_enemy_has_moved(harbin: Scenario) -> None:
    """An HQ in Harbin would have stopped the move: what it then comes to isn't what was asked."""
    moved = harbin.after(["plv w5525-w5425"])
    with pytest.raises(InputError, match="no moves may have been made in it yet") as error:
        planner.defend(moved, time_limit=0)
    assert [problem.where for problem in error.value.problems] == [f"{harbin.where}: done"]


def test_what_is_wrong_with_defenders_and_goals_is_told_at_once() -> None:
    code, said = run("dai_senso/manchuria", "--place", "plv", "--require", "win", "--require", "hold w9999")
    assert code == 2
    assert [line.split(" @ ")[0][:20] for line in said.splitlines()] == [
        "'plv' must not belon",
        "a goal must look lik",
        "hex 'w9999' is not o",
    ]


def test_who_has_too_little_time_is_told_so() -> None:
    """It read like a search that had been made to its end."""
    said = "The time ran out before everything was settled"
    code, output = run("dai_senso/manchuria_defense", "--time-limit", "0")
    assert (code, said in output) == (3, True)
    assert json.loads(run("dai_senso/manchuria_defense", "--time-limit", "0", "--json")[1])["hurried"]
    code, output = run("dai_senso/manchuria")
    assert (code, said in output) == (0, False)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("dai_senso/nanking",), "must say which units may be placed, and where"),
        (("dai_senso/nanking", "--most", "1"), "must come with --place: the scenario has no defense @ --most"),
        (("dai_senso/manchuria", "--place", ""), 'must look like "hq", "hq in w5427 w5428" or "hq within 2"'),
        (("dai_senso/manchuria", "--place", "hq in w1"), "hex 'w1' is not on the map @ "),
        (("dai_senso/manchuria", "--place", "plv"), "with --place: defense.place[0].units"),
        (("dai_senso/manchuria", "--require", "win"), "a goal must look like"),
    ],
)
def test_what_can_t_be_asked_is_a_sentence(words: tuple[str, ...], said: str) -> None:
    code, output = run(*words)
    assert code == 2
    assert said in output
