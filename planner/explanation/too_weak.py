"""Hexes that no overrun is sure to open: all who might come beside them are too weak together, or dice always decide."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from planner.explanation.answer import Instance
from planner.explanation.claim import Claim, counted
from planner.formats.spoken_numbers import spoken_number
from planner.rules.combat_roles import JointlyOverruns
from planner.rules.game import Game


def never_sure_to_go(game: Game, enemies: Iterable[str]) -> bool:
    """Tell whether one of some enemies is never sure to be eliminated, as no overrun of its hex is, and nothing else does.

    Parameters
    ----------
    game : Game
        The position, with all rules in force.
    enemies : iterable of str
        Those who are to be eliminated, however the dice fall.
    """
    rules = game.rulebook.of(JointlyOverruns)
    return any(too_weak(game, rule, game.homes[enemy]) is not None for rule in rules for enemy in enemies)


def too_weak(game: Game, rule: JointlyOverruns, label: str) -> Instance | None:
    """Say why no overrun of a hex is sure to go through, whoever might come beside it; None: one may be.

    Of enemies who may support the defenders, those count whom no overrun can eliminate.
    """
    sure, lowest = rule.sure_odds, rule.results[0].odds
    there = tuple(enemy for enemy in game.enemies_at(label) if rule.defenders.matches(game.units[enemy]))
    if _tried_before(game, rule, label):
        text = f"nobody can try {label} again: an overrun of it has failed in this phase"
        return Instance(rule.id, rule.paragraph_of_failure, None, label, there, text)
    units, attack, defense = _at_most(game, rule, label)
    few = "the strongest alone" if rule.most_units == 1 else f"the {rule.most_units} strongest together"
    who = "all together" if rule.most_units is None else few
    who += ", with all support," if rule.support is not None else ""
    found = f"{who} would come to {spoken_number(attack)} to {spoken_number(defense)}"
    if beyond_the_table(game, rule, label):
        text = f"{label} can't be overrun: {found}, less than {lowest.text}"
        claim = counted("falls_short", units, most=attack, needed=lowest * defense, defense=defense)
        return Instance(rule.id, rule.paragraph, None, label, there, text, claim=claim)
    if sure is None or attack < sure * defense:
        decided, claim = "dice decide, whatever the odds", Claim("never_sure")
        if sure is not None:
            decided = f"{found}, and dice decide"
            claim = counted("falls_short", units, most=attack, needed=sure * defense, defense=defense)
        text = f"no overrun of {label} is sure to go through: {decided}"
        return Instance(rule.id, rule.paragraph, None, label, there, text, claim=claim)
    (against, demanded), survived = rule.withstanding(game, label), attack / lowest - defense
    if demanded <= survived:
        return None
    text = f"{label} can't be overrun: {found}, but must survive support of {spoken_number(demanded)} by "
    text += f"{game.names(against)}, not just {spoken_number(survived)}"
    claim = counted("falls_short", units, most=survived, needed=demanded, attack=attack, defense=defense)
    return Instance(rule.id, rule.opposition_paragraph, None, label, (*there, *against), text, claim=claim)


def beyond_the_table(game: Game, rule: JointlyOverruns, label: str) -> bool:
    """Tell whether no roll helps anybody: even the strongest overrun is at less than the lowest odds, or one has failed."""
    if _tried_before(game, rule, label):
        return True
    _, attack, defense = _at_most(game, rule, label)
    return attack < rule.results[0].odds * defense


def _tried_before(game: Game, rule: JointlyOverruns, label: str) -> bool:
    """Tell whether an overrun of a hex has failed in the phase so that nobody may try it again."""
    return rule.failure_is_final and game.begun is not None and label in game.begun.position.failed


def _may_move_on(game: Game, unit: str) -> bool:
    """Tell whether a unit may move: as long as it hasn't moved, is the one that has moved last, or may wait."""
    in_hand = game.begun is not None and unit in game.begun.position.in_hand
    return not game.has_moved(unit) or in_hand or game.rulebook.lets_wait(game.units[unit])


def _supports(game: Game, rule: JointlyOverruns, unit: str, home: str, label: str) -> bool:
    """Tell whether a unit can support an overrun of a hex from where it stands, or might once it has moved."""
    mobile = unit in game.friends and game.units[unit].ma > 0 and _may_move_on(game, unit)
    return any(rule.supports_from(game, unit, at, label) for at in ((home, label) if mobile else (home,)))


def one_team(game: Game, rule: JointlyOverruns, label: str, movers: Sequence[str]) -> bool:
    """Tell whether all who may take part in an overrun are one team, strong enough but for the defenders' support."""
    _, attack, defense = _at_most(game, rule, label)
    able = [unit for unit in movers if rule.by.matches(game.units[unit]) and game.units[unit].attack]
    sure, most = rule.sure_odds, rule.most_units
    return sure is not None and attack >= sure * defense and most is not None and len(able) <= most


def _at_most(game: Game, rule: JointlyOverruns, label: str) -> tuple[tuple[str, ...], Fraction, Fraction]:
    """Return the strongest overrun of a hex, whoever might come beside it: attackers and all support, and the strengths."""
    own = (unit for unit in game.homes if unit in game.friends and _may_move_on(game, unit))
    able = [unit for unit in own if rule.by.matches(game.units[unit])]
    helpers = [unit for unit, home in game.homes.items() if _supports(game, rule, unit, home, label)]
    support = {unit: game.units[unit].attack for unit in helpers}
    # Who takes part doesn't support it, too.
    more = {unit: rule.attack_of(game, game.units[unit], label) - support.get(unit, 0) for unit in able}
    line = sorted(able, key=lambda unit: -more[unit])[: rule.most_units]
    team = [*line[:1], *(unit for unit in line[1:] if more[unit] > 0)]
    attack = sum((more[unit] for unit in team), sum(support.values(), Fraction(0)))
    return game.sorted({*team, *support}), attack, rule.defense_in(game, label)
