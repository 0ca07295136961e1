"""In a relaxed game the solver's face knows a way to wherever the referee lets a unit go."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from typing import Any

import pytest

from planner.explanation.answer import Explanation
from planner.explanation.explain import explain_destination
from planner.explanation.needs import Aim
from planner.explanation.question import Question
from planner.explanation.relaxation import RelaxationMemory, Scope, every_scope, relaxed
from planner.explanation.single_unit_bounds import SingleUnitBounds
from planner.explanation.unreachable import unreachable
from planner.limits import Limits
from planner.objective.goals import Eliminate, End
from planner.plans.plan import Move, Plan
from planner.reachability.conditional_reach import ConditionalReach
from planner.reachability.kept_reach import remember
from planner.referee.referee import Referee
from planner.scenario import Scenario, build_scenario
from planner.search.search import best_plan, probe
from tests.conftest import DEEP, long_ones, sized
from tests.laws.test_explained_destinations import CAP, SYSTEMS, Ends
from tests.oracles.brute_force import TooManyStatesError
from tests.oracles.stacks import EveryStackPlan
from tests.oracles.trenches import trenches
from tests.oracles.waiting import Interleaved

GAMES = sized(1, 2, 60)
"""Relaxed games of each rule system."""
MOST_ENDS = 400 if DEEP else 40
"""So many ends of plans are looked at in each."""
SOUND = sized(4, 30, 300)
"""Positions in which tanks may bog down."""


def _asked(scenario: Scenario, unit: str, label: str) -> Explanation:
    return explain_destination(scenario, End(kind="end", unit=unit, at=(label,)), Limits.within(20.0))


def _cited(found: Explanation) -> set[tuple[str, str | None, str | None]]:
    [reason] = found.reasons
    assert reason.confirmed
    assert reason.minimal
    return {(instance.rule, instance.unit, instance.hex) for instance in reason.instances}


def _island() -> Scenario:
    hexes = {label: {"terrain": "clear", "traits": ["port"]} for label in ("w3020", "w3028")}
    unit = {"id": "u", "side": "western", "type": "infantry", "nationality": "us", "ma": 2, "steps": 1, "at": "w3020"}
    data: dict[str, Any] = {
        "format": "planner/scenario-1",
        "model": "dai_senso",
        "phase": "operational_movement",
        "phasing": "western",
        "map": {"hexes": hexes, "zones": {"n": "w3020 w3028"}},
        "control": {"western": "w3020 w3028"},
        "unit": [unit],
    }
    return build_scenario(data, "an island")


def test_without_a_carrier_the_rule_of_carriers_alone_keeps_a_unit_on_its_island() -> None:
    """By hand: two friendly ports of one zone, no ship, no base; only a carrier is missing."""
    found = _asked(_island(), "u", "w3028")
    assert found.status == "forbidden"
    assert _cited(found) == {("port_to_port", "u", "w3028")}


def test_where_the_rule_of_carriers_is_relaxed_the_search_finds_the_leg_that_no_carrier_makes() -> None:
    scenario = _island()
    others = [scope for scope in every_scope(scenario) if scope.rule != "port_to_port"]
    game = relaxed(scenario, others)
    leg = Plan.parse("u w3020~w3028")
    assert Referee(game.game).play(leg, game.start).legal
    question = Question((End(kind="end", unit="u", at=("w3028",)),))
    result = best_plan(probe(question.asked(game)))
    assert result.plan is not None
    assert str(result.plan) == str(leg)


def _facing(model: str, **more: Any) -> Scenario:
    """Return a position in which u and v stand beside e, who is too strong for them."""
    data: dict[str, Any] = {"format": "planner/scenario-1", "model": model, "phase": "movement", "phasing": "axis"}
    return build_scenario({**data, **more}, f"beside the enemy in {model}")


def _stack(at: str, to: str, **more: Any) -> list[dict[str, Any]]:
    own = {"side": "axis", "at": at, "attack": 1, "defense": 1, "ma": 4, **more}
    enemy = {"id": "e", "side": "allied", "type": "infantry", "at": to, "attack": 1, "defense": 9, "ma": 0}
    return [{**own, "id": "u"}, {**own, "id": "v"}, enemy]


def _beside(system: str) -> tuple[Scenario, str]:
    if system == "ocs":
        units = _stack("10.10", "10.11", type="tank", size=1)
        hexes = {label: {"terrain": "open"} for label in ("10.10", "10.11")}
        return _facing("ocs", map={"hexes": hexes}, unit=units), "10.11"
    units = _stack("A1", "A2", type="armor", nationality="germany")
    units[-1] |= {"side": "allies", "nationality": "usa", "ma": 1}
    hexes = {label: {"terrain": "clear"} for label in ("A1", "A2")}
    return _facing("a_world_at_war", map={"hexes": hexes, "boxes": {"force_pool": {}}}, unit=units), "A2"


@pytest.mark.parametrize("system", ["ocs", "a_world_at_war"])
def test_who_may_not_enter_an_enemys_hex_may_not_overrun_it_together_with_others_either(system: str) -> None:
    """By hand: 2 against 9 is on no table.

    Were u free to overrun, alone or with v, it would be in the hex; were v, it would clear the hex for u. So all are bound.
    """
    scenario, there = _beside(system)
    found = _asked(scenario, "u", there)
    assert found.status == "forbidden"
    entry = {"ocs": "enemy_combat_units", "a_world_at_war": "enemy_units"}[system]
    assert _cited(found) == {(entry, "u", there), ("overruns", None, there)}


@pytest.mark.parametrize("system", ["ocs", "a_world_at_war"])
def test_whoever_is_named_first_an_overrun_that_may_not_be_made_may_not_be_made(system: str) -> None:
    """A rule in force for u alone binds u in company, too, whether the stack is written u+v or v+u."""
    scenario, there = _beside(system)
    here = scenario.start.at["u"]
    game = relaxed(scenario, [Scope("overruns", "u")])
    told = {
        text: Referee(game.game).play(Plan.parse(f"{text} {here}x{there}"), game.start).legal
        for text in ("u", "v", "u+v", "v+u")
    }
    assert told == {"u": False, "v": True, "u+v": False, "v+u": False}


@pytest.mark.parametrize("system", ["ocs", "a_world_at_war"])
def test_who_overruns_or_lets_another_overrun_before_it_is_found_without_a_search(system: str) -> None:
    """By hand: barred from the hex, u may overrun it; may it not either, v does, and u enters then; nor v: nobody can."""
    scenario, there = _beside(system)
    here, entry = scenario.start.at["u"], {"ocs": "enemy_combat_units", "a_world_at_war": "enemy_units"}[system]
    question = Question((End(kind="end", unit="u", at=(there,)),))
    scopes, told = [Scope(entry, "u")], list[str | None]()
    for more in ((), (Scope("overruns", "u"),), (Scope("overruns", "v"),)):
        scopes += more
        plan = question.relaxed(scenario).ask(scopes, quick=True)[1]
        told.append(None if plan is None else str(plan))
    assert told == [f"u {here}x{there}", f"v {here}x{there}\nu {here}-{there}", None]
    assert question.relaxed(scenario).ask(scopes)[0] is False


@pytest.mark.parametrize("bound", [("u1",), ("u0",), ("u0", "u1")])
def test_who_has_moved_by_an_order_that_it_needs_no_more_leaves_it_to_others(bound: tuple[str, ...]) -> None:
    """By hand: one order, and u0 has had it. Where only one of the two needs any, u1 may go to E6 still; else not."""
    hexes = {label: {"terrain": "countryside", "traits": ["center"]} for label in ("D6", "E4", "E5", "E6")}
    units = [{"id": unit, "side": "allied", "type": "infantry", "at": at} for unit, at in (("u0", "E4"), ("u1", "D6"))]
    head = {"format": "planner/scenario-1", "model": "great_war", "phase": "movement", "phasing": "allied"}
    whole = build_scenario({**head, "orders": {"center": 1}, "map": {"hexes": hexes}, "unit": units}, "one order")
    scenario = relaxed(whole.after(Plan.parse("u0 E4-E5")), [Scope("orders", unit) for unit in bound])
    allowed = Referee(scenario.game).play(Plan.parse("u1 D6-E6"), scenario.start).legal
    result = best_plan(probe(Question((End(kind="end", unit="u1", at=("E6",)),)).asked(scenario)))
    assert allowed is (len(bound) == 1)
    assert result.status == ("optimal" if allowed else "infeasible")


def _some_scopes(rng: random.Random, scenario: Scenario) -> list[Scope]:
    """Return a part of a game's rules, some of them bound to units, or to hexes."""
    own = [unit for unit in scenario.game.homes if unit in scenario.game.friends]
    share, found = rng.choice((0.2, 0.5, 0.8, 0.95)), list[Scope]()
    for scope in every_scope(scenario):
        if rng.random() > share:
            continue
        bound = [unit for unit in (*own, *(() if scope.pays else (None,))) if rng.random() < 0.6]
        kind = rng.random()
        if kind < 0.6:
            found.append(scope)
        elif kind < 0.8 or scope.pays:
            found += [replace(scope, unit=unit) for unit in bound]
        else:
            places = [label for label in scenario.game.board.places if rng.random() < 0.5]
            found += [replace(scope, unit=unit, hexes=frozenset([label])) for unit in bound for label in places]
    return found


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.thorough
def test_wherever_any_plan_of_a_relaxed_game_leads_the_solvers_face_knows_of_a_way(system: str) -> None:
    """Random parts of the rules, every plan on the referee alone: no unit gets where it is called impossible to get."""
    draw, every, _ = SYSTEMS[system]
    seen: Counter[str] = Counter()
    seed = 0
    while seen["games"] < (GAMES):
        seed += 1
        rng = random.Random(f"relaxed {seed}")
        scenario = replace(draw(seed), requirements=())
        scopes = _some_scopes(rng, scenario)
        reached: Ends = set()
        try:
            for ends in islice(every(relaxed(scenario, scopes)), MOST_ENDS):
                reached |= ends
        except TooManyStatesError:
            pass  # where units have got by then, they can get
        pairs = sorted((unit, label) for unit, label in reached if unit in scenario.game.friends)
        anything = Question()  # it keeps what is known of it
        probes = anything.relaxed(scenario)
        for unit, label in pairs:
            where = f"seed {seed}: {unit} to {label}"
            assert probes._bounds.can(scopes, Aim(unit, frozenset([label]))), where
            seen["places"] += 1
        for unit, label in rng.sample(pairs, min(2, len(pairs))):
            where = f"seed {seed}: {unit} to {label}"
            assert unreachable(probes._bounds.reach(scopes), Aim(unit, frozenset([label])), surely=True) is not True, (
                where
            )
            question = Question((End(kind="end", unit=unit, at=(label,)),))
            assert question.relaxed(scenario).ask(scopes, work=2.0)[0] is not False, where
            seen["asked"] += 1
        seen["games"] += bool(pairs)
    print(f"{system}: {dict(seen)}")
    assert seen["places"] >= 5 * seen["games"]


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.thorough
def test_no_plan_of_a_relaxed_game_is_worth_more_than_a_search_says(system: str) -> None:
    """Random parts of the rules, every plan on the referee alone: who finds a better one refutes a bound, or a proof."""
    draw, _, best = SYSTEMS[system]
    seen: Counter[str] = Counter()
    seed = 0
    while seen["games"] < GAMES:
        seed += 1
        scenario = replace(draw(seed), requirements=())
        scopes = _some_scopes(random.Random(f"worth {seed}"), scenario)
        game = relaxed(scenario, scopes)
        try:
            value = best(game)
        except TooManyStatesError:
            continue
        found = best_plan(probe(game, Limits.within(5.0)))
        seen["games"] += 1
        seen[found.status] += 1
        if value is not None:
            assert found.status != "infeasible", (seed, scopes)
            assert not found.bound or found.bound[0] >= value[0], (seed, scopes)
            assert found.status != "optimal" or found.value >= value, (seed, scopes)
    print(f"{system}: {dict(seen)}")


def _felled(system: str, scenario: Scenario) -> Iterator[set[str]]:
    """Yield who is off the map after a plan, whatever has been rolled."""
    if system == "ocs":
        for _, verdict, _ in EveryStackPlan(scenario, CAP, 3).plans(partly=True):
            outcomes = [scenario.game.homes.keys() - position.at.keys() for position, _ in verdict.all_outcomes()]
            yield set.intersection(*map(set, outcomes))
    else:
        for position, _ in Interleaved(scenario, CAP, all_walk=True).standings():
            yield scenario.game.homes.keys() - position.at.keys()


@pytest.mark.parametrize("system", ["ocs", "a world at war"])
@pytest.mark.thorough
def test_whom_overruns_of_a_relaxed_game_are_sure_to_eliminate_is_never_said_to_stay(system: str) -> None:
    """Random parts of the rules, every plan on the referee alone: neither face says of anybody who falls that he stays."""
    draw, felled, games, seed = SYSTEMS[system][0], 0, 0, 0
    while games < sized(1, 5, 200):
        seed += 1
        rng = random.Random(f"felled {seed}")
        scenario = replace(draw(seed), requirements=())
        scopes = None if rng.random() < 0.3 else _some_scopes(rng, scenario)
        fallen: set[str] = set()
        with suppress(TooManyStatesError):
            for gone in islice(_felled(system, scenario if scopes is None else relaxed(scenario, scopes)), MOST_ENDS):
                fallen |= gone
        for enemy in sorted(filter(scenario.game.is_enemy, fallen)):
            question = Question((Eliminate(kind="eliminate", units=(enemy,)),))
            for second in (False, True):
                assert question.relaxed(scenario).ask(scopes, second, quick=True)[0] is not False, (seed, enemy, second)
            felled += 1
        games += bool(fallen)
    assert felled >= games


@pytest.mark.parametrize("system", long_ones(SYSTEMS, "a world at war", "dai senso by land", "dai senso by sea"))
def test_what_relaxed_games_share_is_what_each_of_them_lists_by_itself(system: str) -> None:
    """Random parts of the rules of one scenario, one after the other: as each of them would be without the others."""
    draw, _, _ = SYSTEMS[system]
    recalled = 0
    for seed in range(sized(2, 3, 60)):
        rng, scenario, memory = random.Random(f"shared {seed}"), draw(seed), RelaxationMemory()
        own = [unit for unit in scenario.game.homes if unit in scenario.game.friends]
        scopes = _some_scopes(rng, scenario)
        for turn in range(4):
            one = rng.choice(own)  # who is bound otherwise than before
            some = [
                *scopes,
                *(replace(scope, unit=one) for scope in every_scope(scenario) if turn and rng.random() < 0.5),
            ]
            games = relaxed(scenario, some, memory).game, relaxed(scenario, some).game
            shared, alone = map(ConditionalReach, games)
            remember(shared, memory.kept)
            for unit in shared.movers:
                assert shared.possibilities(unit) == alone.possibilities(unit), (seed, turn, unit)
            assert shared.movers == alone.movers
            assert shared.kept is not None
            recalled += shared.kept.recalled
    assert recalled > 0


def _marches(scenario: Scenario, unit: str) -> Iterator[Move]:
    """Yield every way of a unit of at most three hexes."""
    paths = [(scenario.start.at[unit],)]
    for _ in range(3):
        paths = [(*path, to) for path in paths for to in sorted(scenario.game.board.neighbours[path[-1]])]
        yield from (Move((unit,), path) for path in paths)


@pytest.mark.thorough
def test_wherever_a_unit_surely_ends_sound_the_solvers_face_knows_of_a_way_without_a_roll() -> None:
    """On the board as it is, and in games with a part of the rules; and there are hexes where it would only be stuck."""
    seen: Counter[str] = Counter()
    for seed in range(SOUND):
        rng, (scenario, _) = random.Random(f"sound {seed}"), trenches(seed)
        tanks = [unit for unit in scenario.game.homes if scenario.game.units[unit].type.endswith(("tank", "iv"))]
        for unit in tanks:
            scopes = rng.choice((None, _some_scopes(rng, scenario)))
            bounds = SingleUnitBounds(scenario, RelaxationMemory(), Limits())
            bounds.surely = True
            game = bounds.game_with(scopes)
            for label in sorted(scenario.game.board.hexes):
                end, sound = Aim(unit, frozenset([label])), Aim(unit, frozenset([label]), sound=True)
                seen["stuck"] += bounds.can(scopes, end) and not bounds.can(scopes, sound)
            for move in _marches(game, unit):
                verdict = Referee(game.game).play(Plan((move,)), game.start)
                goal = End(kind="end", unit=unit, at=(move.end,), sound=True)
                if verdict.legal and verdict.meets(goal, game.game):
                    aim = Aim(unit, frozenset([move.end]), sound=True)
                    assert bounds.can(scopes, aim), (seed, scopes, str(move))
                    assert unreachable(bounds.reach(scopes), aim, surely=True) is not True, (seed, scopes, str(move))
                    seen["sound"] += 1
    assert seen["sound"] >= SOUND
    assert seen["stuck"] >= SOUND // 4
