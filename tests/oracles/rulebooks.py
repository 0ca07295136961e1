"""Random rulebooks: the kinds of rules with other parameters than any printed game has.

A rulebook of one game uses each kind of rule in one way. The kinds are for every game, so they are tried in ways that no
text demands.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from planner.rules.base import Rule
from planner.rules.game import Game
from planner.rules.kinds.entry_restriction import EntryRestriction
from planner.rules.kinds.overrun import Overrun
from planner.rules.kinds.stacking import Stacking
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
    """Return the scenario under a rulebook with other rules and the same charts."""
    game = scenario.game
    book = replace(game.rulebook, rules=tuple(rules))
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
