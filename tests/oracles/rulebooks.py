"""Random rulebooks: the kinds of rules with other parameters than any printed game has.

A rulebook of one game uses each kind of rule in one way. The kinds are for every game, so they are tried in ways that no
text demands.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from dataclasses import replace
from fractions import Fraction
from typing import Any

from planner.objective import terms_of
from planner.rules.base import Rule
from planner.rules.game import Game
from planner.rules.kinds.column_entry import ColumnEntry
from planner.rules.kinds.company import Company
from planner.rules.kinds.entry_restriction import EntryRestriction
from planner.rules.kinds.exhaustion import Exhaustion
from planner.rules.kinds.further_allowance import Further, FurtherAllowance
from planner.rules.kinds.overrun import Overrun
from planner.rules.kinds.route_bound import RouteBound
from planner.rules.kinds.stacking import Stacking
from planner.rules.kinds.step_limit import StepLimit
from planner.rules.kinds.vacancy import Vacancy
from planner.rules.odds_table import Shift
from planner.rules.zone_effects import Effect
from planner.scenario import Scenario
from planner.world.selectors import HexSelector, HexsideSelector, UnitSelector

EVERY = UnitSelector()
ARMOR = UnitSelector(traits=("armor",))
LARGE = UnitSelector(steps_min=2)
COMBAT = UnitSelector(traits=("combat",))
GROUND = UnitSelector(traits=("ground",))

Chance = random.Random


def with_rules(scenario: Scenario, rules: Iterable[Rule]) -> Scenario:
    """Return the scenario under a rulebook with other rules and the same charts.

    Like a file, it may count nothing that can't be averaged where something is rolled for moves.
    """
    game = scenario.game
    book = replace(game.rulebook, rules=tuple(rules))
    assert not book.rolled or all(term.averages for term in terms_of(scenario.tiers, scenario.requirements))
    return replace(scenario, game=Game(game.board, game.units, book, game.situation, game.homes))


def random_rules(rules: Iterable[Rule], rng: Chance) -> list[Rule]:
    """Return the rules with parameters changed at random; sometimes one is missing, or there is one more."""
    found = [rule.model_copy(update=CHANGES.get(rule.kind, _nothing)(rule, rng)) for rule in rules]
    if rng.random() < 0.25:
        found = [rule for rule in found if rule.kind != "minimum_move"]
    if rng.random() < 0.3:
        rough = HexSelector(terrain=("rough",))
        found.append(
            EntryRestriction(id="no_armor", kind="entry_restriction", paragraph="no armor", who=ARMOR, hexes=rough)
        )
    return found


def newer_rules(rules: Iterable[Rule], rng: Chance) -> list[Rule]:
    """Return the rules with one to three more, of kinds, or with parameters, that the game doesn't have."""
    found = list(rules)
    for make in rng.sample(NEWER, rng.choice((1, 1, 2, 3))):
        found = make(found, rng)
    return found


def with_allies(scenario: Scenario, rng: Chance) -> Scenario:
    """Return the scenario with one or two of the own units turned into those of an ally."""
    game = scenario.game
    own = [unit for unit in game.homes if unit in game.friends]
    turned = set(rng.sample(own, min(len(own) - 1, rng.choice((1, 1, 2)))))
    units = {id: replace(unit, side="ally", allied=True) if id in turned else unit for id, unit in game.units.items()}
    situation = replace(game.situation, allies=frozenset({"ally"}))
    return replace(scenario, game=Game(game.board, units, game.rulebook, situation, game.homes))


def _anywhere(rules: list[Rule], rng: Chance) -> list[Rule]:
    return [rule.model_copy(update={"anywhere": True}) if rule.kind == "minimum_move" else rule for rule in rules]


def _steps(rng: Chance) -> dict[str, Any]:
    """Return which steps are meant: across a river or off one, into some terrain, or any."""
    return rng.choice(
        (
            {"across": HexsideSelector(features=("river",))},
            {"across": HexsideSelector(without=("river", "road"))},
            {"into": HexSelector(terrain=("clear",))},
            {"into": HexSelector(terrain=("rough", "forest"))},
        )
    )


def _exhaustion(rules: list[Rule], rng: Chance) -> list[Rule]:
    who = rng.choice((EVERY, EVERY, ARMOR))
    return [*rules, Exhaustion(id="rest", kind="exhaustion", paragraph="rest", who=who, **_steps(rng))]


def _step_limit(rules: list[Rule], rng: Chance) -> list[Rule]:
    who, most, overruns = rng.choice((EVERY, EVERY, LARGE)), rng.choice((0, 1, 1, 2)), rng.random() < 0.2
    limit = {"who": who, "most": most, "overruns": overruns, **_steps(rng)}
    return [*rules, StepLimit(id="once", kind="step_limit", paragraph="once", **limit)]


def _further_allowance(rules: list[Rule], rng: Chance) -> list[Rule]:
    where = rng.choice(
        ({"along": ("road",)}, {"along": ("road", "rail", "river")}, {"into": HexSelector(terrain=("clear",))})
    )
    further = Further(
        units=rng.choice((EVERY, EVERY, ARMOR)),
        mp=Fraction(rng.choice((1, 1, 2)), rng.choice((1, 2))),
        whole=rng.random() < 0.4,
        **where,
    )
    return [*rules, FurtherAllowance(id="bonus", kind="further_allowance", paragraph="bonus", allowances=(further,))]


def _column_entry(rules: list[Rule], rng: Chance) -> list[Rule]:
    into = rng.choice((None, HexSelector(terrain=("clear",))))
    mp = Fraction(1, rng.choice((1, 2)))
    return [*rules, ColumnEntry(id="column", kind="column_entry", paragraph="column", into=into, mp=mp)]


def _company(rules: list[Rule], rng: Chance) -> list[Rule]:
    who, friends = rng.choice((ARMOR, LARGE, EVERY)), rng.choice((EVERY, EVERY, COMBAT))
    within = rng.choice((0, 1, 1, 2))
    return [*rules, Company(id="company", kind="company", paragraph="company", who=who, friends=friends, within=within)]


def _vacancy(rules: list[Rule], rng: Chance) -> list[Rule]:
    when = rng.choice(("phase", "move", "always"))
    who, of = rng.choice((EVERY, ARMOR)), rng.choice((EVERY, LARGE, GROUND))
    leaving = when == "always" and rng.random() < 0.3
    more = {"who": who, "of": of, "when": when, "leaving": leaving}
    return [*rules, Vacancy(id="alone", kind="vacancy", paragraph="alone", **more)]


def _route_bound(rules: list[Rule], rng: Chance) -> list[Rule]:
    along = rng.choice((("road",), ("road", "rail", "river")))
    return [*rules, RouteBound(id="bound", kind="route_bound", paragraph="bound", who=ARMOR, along=along)]


NEWER: tuple[Callable[[list[Rule], Chance], list[Rule]], ...] = (
    _anywhere,
    _exhaustion,
    _step_limit,
    _further_allowance,
    _column_entry,
    _company,
    _vacancy,
    _route_bound,
)
"""What may be added to the rules of a game."""


def _nothing(rule: Rule, rng: Chance) -> dict[str, Any]:
    return {}


def _chosen(rng: Chance, share: float, **choices: Any) -> dict[str, Any]:
    """Return for each key one of its values, in a share of the cases."""
    return {key: rng.choice(values) for key, values in choices.items() if rng.random() < share}


def _supply(rule: Rule, rng: Chance) -> dict[str, Any]:
    return _chosen(rng, 0.35, range=(0, 1, 2, 3, 4), zoc_of=(None, LARGE), negated_by=(None, ARMOR), needed_by=(ARMOR,))


def _zone_of_control(rule: Rule, rng: Chance) -> dict[str, Any]:
    changed = _chosen(rng, 0.25, negated_by=(ARMOR, LARGE, UnitSelector(units=("u0",))), exerted_by=(LARGE,))
    if rng.random() < 0.6:
        changed["effects"] = tuple(_effect(rng, f"effect {number}") for number in range(rng.randint(1, 3)))
    return changed


def _effect(rng: Chance, paragraph: str) -> Effect:
    on, does = rng.choice(("enter", "leave")), rng.choice(("stop", "forbid"))
    straight = on == "enter" and does == "forbid" and rng.random() < 0.7
    return Effect(
        paragraph=paragraph,
        on=on,
        does=does,
        from_ezoc=rng.choice(("any", "same")) if straight else "no",
        movers=rng.choice((EVERY, EVERY, ARMOR, LARGE)),
        where=rng.choice((HexSelector(), HexSelector(terrain=("clear",)), HexSelector(except_weather=("mud",)))),
        negatable=rng.random() < 0.6,
        overrun_lifts=rng.random() < 0.6,
    )


def _overrun(rule: Overrun, rng: Chance) -> dict[str, Any]:
    targets = (UnitSelector(steps_max=2), EVERY)
    across = (*rule.shifts, Shift(name="hexside", hexsides=HexsideSelector(features=("river",), terrain=("rough",))))
    defenders = (COMBAT, EVERY, UnitSelector(steps_max=1))
    return _chosen(rng, 0.3, target=targets, by=(GROUND,), shifts=((), across), defenders=defenders)


def _entry_restriction(rule: Rule, rng: Chance) -> dict[str, Any]:
    if rule.id != "enemy_units":
        return {}
    return _chosen(rng, 0.2, unless_overrun=(False,), enemy_units=(COMBAT,), who=(ARMOR,))


def _stacking(rule: Rule, rng: Chance) -> dict[str, Any]:
    assert isinstance(rule, Stacking)
    fewer = tuple(limit.model_copy(update={"units": rng.randint(1, 2)}) for limit in rule.limits)
    return _chosen(rng, 0.4, limits=(fewer,), when=("move", "always"))


CHANGES: dict[str, Callable[[Any, Chance], dict[str, Any]]] = {
    "supply": _supply,
    "zone_of_control": _zone_of_control,
    "minimum_move": lambda rule, rng: _chosen(rng, 0.3, who=(ARMOR, LARGE)),
    "overrun": _overrun,
    "entry_restriction": _entry_restriction,
    "stacking": _stacking,
}
"""What may change in each kind of rule."""
