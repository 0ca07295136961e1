"""Kinds of rules and parameters that no shipped game has: on made-up positions, both faces agree, and searches lose nothing.

What the best plan is worth is found by trying every plan on the referee alone.
"""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import replace

import pytest

from planner.errors import DisagreementError
from planner.referee.referee import Referee
from planner.referee.verdict import Violation
from planner.rules.atoms import ALWAYS, NEVER
from planner.rules.demands import Demand
from planner.rules.game import Game
from planner.rules.kinds.movement_points import MovementPoints
from planner.scenario import Scenario
from planner.search.search import Search
from planner.solver.plan_judge import judge
from planner.world.selectors import UnitSelector
from tests.conftest import long_ones, sized
from tests.oracles import made_up, made_up_more
from tests.oracles.brute_force import TooManyStatesError
from tests.oracles.every_plan import EveryPlan
from tests.oracles.made_up import drawn
from tests.oracles.plans import Walker

TOPICS, RULES = {**made_up.TOPICS, **made_up_more.TOPICS}, {**made_up.RULES, **made_up_more.RULES}

SEEDS, CAP = sized((1, 150), (5, 600), (3_000, 20_000))
"""So many positions of each topic are held against every plan, such as have no more standings than the cap."""
PLANS = sized(5, 20, 10_000)
"""So many plans are drawn of each topic."""
NOTICED = 200
"""Among so many positions, and plans, one at least notices that a rule is left out."""
EARLY = {
    ("drops", "empty"): 33,
    ("drops", "alone"): 26,
    ("drops", "no_town"): 80,
    ("zones", "shifts of overruns"): 47,
    ("bridges", "unless"): 33,
    ("tallies", "once"): 17,
    ("allies", "who negates"): 93,
}
"""Where the first is that notices, if that is late: it is looked at first."""


def position(topic: str, seed: int) -> tuple[Scenario, random.Random]:
    rng = random.Random(f"{topic} {seed}")
    return drawn(TOPICS[topic], rng), rng


def noticing(topic: str, what: str) -> list[int]:
    """Return the seeds among which one notices that something is left out, in the order in which they are tried."""
    first = EARLY.get((topic, what), 0)
    return [*range(first, NOTICED), *range(first)]


def told(violations: Iterable[Violation]) -> Counter[object]:
    return Counter((violation.key, frozenset(violation.blame)) for violation in violations)


@pytest.mark.parametrize("topic", long_ones(TOPICS, "bonuses", "bridges", "columns", "tallies"))
def test_the_best_plan_is_that_of_trying_every_plan_on_the_referee_alone(topic: str) -> None:
    settled = 0
    for seed in itertools.count():
        scenario, _ = position(topic, seed)
        try:
            best = EveryPlan(scenario, CAP).best()
        except TooManyStatesError:
            continue
        result = Search(scenario).run()
        if best is None:
            assert result.status == "infeasible", f"{topic} {seed}"
        else:
            assert (result.status, result.value) == ("optimal", best), f"{topic} {seed}:\n{result.plan}"
        settled += 1
        if settled == SEEDS:
            return


def test_whose_company_is_needed_is_no_move_that_doesnt_matter() -> None:
    """Seed 273: u0 is a guard, which doesn't stay alone; nobody is asked to come near but by that rule, and one must."""
    scenario, _ = position("company", 273)
    result = Search(scenario).run()
    assert (result.status, result.value) == ("optimal", EveryPlan(scenario).best())


@pytest.mark.parametrize("topic", TOPICS)
def test_both_faces_find_the_same_things_wrong_with_a_plan(topic: str) -> None:
    for seed in range(PLANS):
        scenario, rng = position(topic, seed)
        plan = Walker(scenario, rng, rng.choice((1, 0.9, 0.7, 0.4)), topic == "drops").plan()
        referee = Referee(scenario.game).play(plan, scenario.start).violations
        assert told(judge(scenario, plan)) == told(referee), f"{topic} {seed}:\n{plan}"


@pytest.mark.parametrize(
    ("seed", "ignored"),
    [
        (34, lambda asked: _each(asked, unmoved=False)),
        (17, lambda asked: _each(asked, stays=False)),
        (11, lambda asked: replace(asked, any_of=NEVER)),
        (1, lambda asked: replace(asked, any_of=ALWAYS)),
    ],
    ids=["has moved", "moves later", "never helps", "always helps"],
)
def test_a_search_that_mistakes_who_helps_is_found_out(
    seed: int, ignored: Callable[[Demand], Demand], monkeypatch: pytest.MonkeyPatch
) -> None:
    best = Search(position("helpers", seed)[0]).run()
    beside = MovementPoints._beside
    monkeypatch.setattr(MovementPoints, "_beside", lambda *given: ignored(beside(*given)))
    with suppress(DisagreementError):
        assert Search(position("helpers", seed)[0]).run().value != best.value


def _each(asked: Demand, **changes: bool) -> Demand:
    """Return a demand all of whose atoms are changed."""
    any_of = (frozenset(replace(atom, **changes) for atom in atoms) for atoms in asked.any_of)
    return replace(asked, any_of=tuple(any_of))


@pytest.mark.parametrize(("topic", "rule"), [(topic, rule) for topic, rules in RULES.items() for rule in rules])
@pytest.mark.thorough
def test_a_search_that_lacks_a_rule_is_found_out(topic: str, rule: str) -> None:
    """Where the best plan of a position without the rule isn't legal, and so it is worth less with it."""
    for seed in noticing(topic, rule):
        scenario, _ = position(topic, seed)
        if rule not in scenario.game.rulebook.by_id:
            continue
        try:
            lacking = Search(scenario, without=frozenset({rule})).run()
        except DisagreementError:
            return
        if lacking.value != Search(scenario).run().value:
            return
    raise AssertionError


@pytest.mark.parametrize(("topic", "rule"), [(topic, rule) for topic, rules in RULES.items() for rule in rules])
def test_a_judge_that_lacks_a_rule_is_found_out(topic: str, rule: str) -> None:
    for seed in range(NOTICED):
        scenario, rng = position(topic, seed)
        if rule in scenario.game.rulebook.by_id:
            plan = Walker(scenario, rng, 0.7, topic == "drops").plan()
            if judge(scenario, plan, without=frozenset({rule})) != judge(scenario, plan):
                return
    raise AssertionError


def lacking(rule: str, parameter: str, value: object) -> Callable[[Game], Game]:
    """Return what makes of a game one in which a rule's parameter says something else."""

    def make(game: Game) -> Game:
        rules = game.rulebook.rules
        less = (one.model_copy(update={parameter: value}) if one.id == rule else one for one in rules)
        return replace(game, rulebook=replace(game.rulebook, rules=tuple(less)), _cache={})

    return make


def forgetful(game: Game) -> Game:
    """Return a game in which nobody remembers what was done in earlier phases of the turn."""
    return replace(game, units={id: replace(unit, steps_made=()) for id, unit in game.units.items()}, _cache={})


def without_unless(game: Game) -> Game:
    """Return a game in which a bridge does nothing for roads and rivers."""
    book = game.rulebook
    routes = tuple(route.model_copy(update={"unless": ()}) for route in book.terrain.routes)
    sides = {name: side.model_copy(update={"unless": ()}) for name, side in book.terrain.hexsides.items()}
    terrain = book.terrain.model_copy(update={"routes": routes, "hexsides": sides})
    return replace(game, rulebook=replace(book, terrain=terrain), _cache={})


def among_enemies(game: Game) -> Game:
    """Return a game without alliances."""
    units = {id: replace(unit, allied=False) for id, unit in game.units.items()}
    return replace(game, units=units, situation=replace(game.situation, allies=frozenset()), _cache={})


def among_friends(game: Game) -> Game:
    """Return a game in which allies are of the side whose phase it is."""
    own = game.situation.phasing
    units = {id: replace(unit, allied=False, side=own) if unit.allied else unit for id, unit in game.units.items()}
    return replace(game, units=units, _cache={})


PARAMETERS = {
    ("zones", "blocked_for"): lacking("zones", "blocked_for", ()),
    ("zones", "shifts of overruns"): lacking("overrun", "shifts", ()),
    ("zones", "in_ezoc"): lacking("stacking", "limits", ()),
    ("drops", "range"): lacking("drop", "range", None),
    ("drops", "ways"): lacking("empty", "ways", ()),
    ("bridges", "unless"): without_unless,
    ("tallies", "once a turn"): forgetful,
    ("bridges", "a second bonus"): lacking("bonus1", "allowances", ()),
    ("bridges", "allowances"): lacking("bonus0", "allowances", ()),
    ("allies", "alliances"): among_enemies,
    ("allies", "allies don't move"): among_friends,
    ("allies", "who negates"): lacking("zones", "negated_by", UnitSelector()),
    ("allies", "who counts"): lacking("stacking", "counts", UnitSelector()),
    ("allies", "whom to keep away from"): lacking("apart", "of", UnitSelector(sides=("north",))),
}
"""What a solver may overlook in rules of a topic."""


@pytest.mark.parametrize("key", PARAMETERS, ids="-".join)
@pytest.mark.thorough
def test_a_search_and_a_judge_that_overlook_a_parameter_are_found_out(key: tuple[str, str]) -> None:
    searched = judged = False
    for seed in noticing(*key):
        scenario, rng = position(key[0], seed)
        less = replace(scenario, game=PARAMETERS[key](scenario.game))
        if not judged:
            plan = Walker(scenario, rng, 0.7, key[0] == "drops").plan()
            judged = told(judge(less, plan)) != told(Referee(scenario.game).play(plan, scenario.start).violations)
        searched = searched or Search(less).run().value != Search(scenario).run().value
        if searched and judged:
            return
    raise AssertionError
