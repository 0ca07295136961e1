"""Amounts that sentences of explanations name, worked out anew: from counters and charts, by the referee, or by every plan.

Nothing is asked of rules but their parameters, and whom and what selectors fit.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from math import prod
from typing import Any

from planner.formats.spoken_numbers import spoken_number
from planner.objective import Tier
from planner.plans.plan import Plan
from planner.referee.referee import Referee
from planner.referee.verdict import Violation
from planner.rules.kinds.attack import Attack
from planner.rules.kinds.combat_on_entry import CombatOnEntry
from planner.rules.kinds.joint_overrun import JointOverrun
from planner.scenario import Scenario
from planner.world.position import Position
from tests.oracles.brute_force import TooManyStatesError

Told = dict[str, Any]
"""An instance, as JSON has it."""

Best = Callable[[Scenario], tuple[Fraction, ...] | None]
"""The best value of all plans; None: none is legal."""

Outcomes = Callable[[Scenario], Iterator[list[Position]]]
"""For each legal plan, in what it may come out."""

ELIMINATING = {"overrun", "joint_overrun", "combat_on_entry"}
"""Kinds of rules by which enemies are eliminated while units move."""


def amounts_of(told: Told) -> dict[str, Fraction]:
    return {name: Fraction(amount) for name, amount in told["claim"]["amounts"].items()}


SPOKEN = {"found", "most", "attack", "defense", "full", "mp", "more"}
"""Amounts that sentences have in words; of what is needed, some have the odds instead."""


def are_spoken(told: Told) -> bool:
    """Tell whether the sentence has each amount as players write it."""
    spoken = [
        spoken_number(amount)
        for name, amount in amounts_of(told).items()
        if name in SPOKEN and (name != "full" or amount > 0)
    ]
    return all(re.search(rf"(?<![\w./]){re.escape(one)}(?![\w/]|\.\d)", told["message"]) for one in spoken)


def breaks_by(told: Told, violation: Violation) -> bool:
    """Tell whether amounts are what the referee found, say that something is broken, and are in the sentence."""
    amounts = amounts_of(told)
    if tuple(amounts.items()) != violation.amounts or not are_spoken(told):
        return False
    if "needed" in amounts:
        return amounts.get("most", amounts["attack"]) < amounts["needed"]
    return "found" not in amounts or amounts["found"] > amounts["most"]


def names_no_other_rule(scenario: Scenario, told: Told, asked: dict[str, Any]) -> bool:
    """Judge what says nothing but what a rule, or the question, asks for."""
    amounts, rules = amounts_of(told), scenario.game.rulebook.rules
    if not are_spoken(told):
        return False
    if told["message"].startswith("nobody is eliminated while units move"):
        return not any(rule.kind in ELIMINATING for rule in rules)
    if set(amounts) == {"mp"}:
        progress = scenario.start.under_way.get(told["unit"])
        return amounts["mp"] == scenario.game.units[told["unit"]].ma - (progress.spent if progress else 0)
    if set(amounts) == {"most"}:
        required = any(getattr(term, "most", None) == amounts["most"] for term in scenario.requirements)
        if told["message"].endswith("as the scenario requires"):
            return required
        return any(f"at most {told['claim']['amounts']['most']} " in text for text in asked.get("require", ()))
    by_id = scenario.game.rulebook.by_id
    return not amounts and (told["rule"] == "" or told["rule"] in by_id)


def falls_short(scenario: Scenario, told: Told, asked: dict[str, Any], best: Best) -> bool:
    """Judge what says that too little is come to."""
    if not are_spoken(told):
        return False
    rule, amounts = scenario.game.rulebook.by_id.get(told["rule"]), amounts_of(told)
    if rule is None:
        return _worth(scenario, told, amounts, asked, best)
    if isinstance(rule, JointOverrun):
        return _overrun(scenario, rule, told, amounts)
    if isinstance(rule, CombatOnEntry):
        return _combat(scenario, rule, told, amounts)
    return isinstance(rule, Attack) and _attack(scenario, rule, told, amounts, asked)


def never_sure(scenario: Scenario, told: Told, outcomes: Outcomes) -> bool:
    """Judge what says that the enemies in a hex may always be left there, or some enemies always unharmed."""
    start, blame = scenario.start, told["blame"]
    unharmed = "unharmed" in told["message"]

    def may_fail(positions: list[Position]) -> bool:
        if unharmed:
            return any(
                all(one.at.get(foe) == start.at[foe] for foe in blame) and one.demoralized <= start.demoralized | own
                for one in positions
            )
        labels = [told["hex"]] if told["hex"] else sorted({start.at[foe] for foe in blame})
        return all(any(any(map(scenario.game.is_enemy, one.units_in(label))) for one in positions) for label in labels)

    own = {unit for unit in scenario.game.units if not scenario.game.is_enemy(unit)}
    try:
        return all(may_fail(positions) for positions in outcomes(scenario))
    except TooManyStatesError:
        return True


def _worth(scenario: Scenario, told: Told, amounts: dict[str, Fraction], asked: dict[str, Any], best: Best) -> bool:
    """Judge what the first tier, or some terms of it, come to at most."""
    first = scenario.tiers[0]
    if "needed" in amounts:
        wanted = Fraction(str(asked["value"]).split(",")[0])
        if amounts["needed"] != wanted or amounts["most"] >= wanted:
            return False
    if "full" in amounts:
        groups = (some for many in range(len(first.terms)) for some in combinations(first.terms, many + 1))
        alone = [
            replace(scenario, tiers=(Tier(terms=some),))
            for some in groups
            if re.match(
                rf"{re.escape(' and '.join(term.describe() for term in some))} comes? to at most ", told["message"]
            )
            and sum(term.highest(scenario.game) * term.weight for term in some) == amounts["full"]
        ]
    else:
        alone = [scenario]
    try:
        values = [best(one) for one in alone]
    except TooManyStatesError:
        return bool(alone)
    return bool(alone) and any(value is None or value[0] <= amounts["most"] for value in values)


def _overrun(scenario: Scenario, rule: JointOverrun, told: Told, amounts: dict[str, Fraction]) -> bool:
    """Judge what the strongest overrun of a hex comes to, from wherever it is made."""
    game, label, at = scenario.game, told["hex"], scenario.start.at
    own = [game.units[one] for one in game.units if one in at and not game.is_enemy(one)]
    foes = [game.units[one] for one in game.units if at.get(one) == label and game.is_enemy(one)]

    def modified(unit: Any, of: str, origin: str) -> Fraction:
        fits = (
            modifier.times
            for modifier in rule.modifiers
            if modifier.of == of
            and modifier.units.matches(unit)
            and modifier.where.matches(game.board.places[label], game.weather(label))
            and (modifier.hexsides is None or modifier.hexsides.matches(game.board, origin, label))
        )
        return Fraction(unit.attack if of == "attack" else unit.defense) * prod(fits, start=Fraction(1))

    def near(support: Any, unit: Any) -> bool:
        if support is None or not support.units.matches(unit):
            return False
        away = game.board.distance(at[unit.id], label)
        return away is not None and away <= (support.range if unit.support_range is None else unit.support_range)

    helpers = [unit for unit in own if near(rule.support, unit) and unit.id not in scenario.start.used]
    attacks, defenses = [], []
    for origin in game.board.neighbours[label]:
        # Who attacks doesn't support the attack as well.
        gains = (
            modified(unit, "attack", origin) - unit.attack * (unit in helpers) for unit in own if rule.by.matches(unit)
        )
        team = sorted((gain for gain in gains if gain > 0), reverse=True)
        attacks.append(sum(team[: rule.most_units], Fraction(0)) + sum(unit.attack for unit in helpers))
        defenses.append(sum(modified(unit, "defense", origin) for unit in foes if rule.defenders.matches(unit)))
    attack, defense = max(attacks), min(defenses)
    counted = set(told["claim"]["units"])
    if not {unit.id for unit in helpers} <= counted <= {unit.id for unit in own}:
        return False
    if amounts["defense"] != defense or amounts.get("attack", amounts["most"]) != attack:
        return False
    lowest = rule.results[0].odds
    sure = [column.odds for column in rule.results if column.chance == 1]
    if "attack" not in amounts:
        wanted = lowest if "can't be overrun" in told["message"] else sure[0]
        return amounts["needed"] == wanted * defense > attack
    against = [
        game.units[one].defense
        for one in told["blame"]
        if at[one] != label and game.is_enemy(one) and near(rule.opposition, game.units[one])
    ]
    total = sum(against, Fraction(0))
    needed = total if game.situation.margin is None else min(Fraction(game.situation.margin), total)
    return amounts["most"] == attack / lowest - defense < needed == amounts["needed"]


def _combat(scenario: Scenario, rule: CombatOnEntry, told: Told, amounts: dict[str, Fraction]) -> bool:
    """Judge that all who are named, from one hex or another, may do no harm, and how strong they would have to be."""
    game, start, label = scenario.game, scenario.start, told["hex"]

    def strength(one: str) -> int:
        shaken = one in start.demoralized or rule.demoralized in game.units[one].traits
        return int(game.units[one].attack) // 2 if shaken else int(game.units[one].attack)

    attack = sum(map(strength, told["claim"]["units"]))
    defense = sum(strength(one) for one in start.units_in(label) if game.is_enemy(one))
    if (attack, defense) != (amounts["most"], amounts["defense"]):
        return False

    def harmless(strong: int, origin: str) -> bool:
        place, weather = game.board.places[label], game.weather(label)
        index = max(
            (n for n, one in enumerate(rule.columns) if 100 * (strong - defense) >= one.from_percent * defense),
            default=0,
        )
        for shift in rule.shifts:
            if (shift.hexes is None or shift.hexes.matches(place, weather)) and (
                shift.hexsides is None or shift.hexsides.matches(game.board, origin, label)
            ):
                index -= shift.columns
        return any(theirs == 0 for _, theirs in rule.columns[max(index, 0)].entries)

    origins = [origin for origin in game.board.neighbours[label] if f" from {origin}, " in told["message"]]
    if len(origins) != 1 or not harmless(attack, origins[0]):
        return False
    if "needed" not in amounts:
        return all(harmless(strong, origins[0]) for strong in range(attack, attack + 20 * max(defense, 1)))
    needed = int(amounts["needed"])
    return not harmless(needed, origins[0]) and all(harmless(one, origins[0]) for one in range(attack, needed))


def _attack(scenario: Scenario, rule: Attack, told: Told, amounts: dict[str, Fraction], asked: dict[str, Any]) -> bool:
    """Judge the odds of an attack after moves, as the referee sees them, and what would be enough."""
    plan = Plan.parse(told["claim"]["way"])
    verdict = Referee(scenario.game).play(plan, scenario.start, rolls=False)
    [found] = verdict.attacks
    attack, defense = found.strengths
    if (attack, defense) != (amounts.get("most", amounts.get("attack")), amounts["defense"]):
        return False
    if list(found.attack.attackers) != told["claim"]["units"] or list(found.defenders) != told["blame"]:
        return False
    columns = [column.text for column in rule.columns]
    wanted = columns.index(asked["moves"][-1].partition(" at ")[2]) if " at " in asked["moves"][-1] else 0
    if found.columns[1] >= wanted:
        return False
    if "needed" not in amounts:
        return True
    shifted = max(0, wanted - sum(by for _, by in found.shifts))
    text = columns[shifted]
    if ":" in text:
        one, other = map(int, text.split(":"))
        needed = Fraction(one, other) * defense
    else:
        needed = int(text) + defense
    return amounts["needed"] == needed and amounts["more"] == needed - attack
