"""Enemies that no overrun is sure to eliminate: the table has no sure result, or nobody is strong enough for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import islice, product

from planner.explanation.answer import Instance, Reason
from planner.explanation.claim import Claim, counted
from planner.explanation.needs import parts_of
from planner.explanation.question import Question
from planner.explanation.relaxation import Scope
from planner.explanation.strongest_overrun import strongest_overruns
from planner.explanation.wording import said_by_referee
from planner.formats.spoken_numbers import spoken_number
from planner.plans.plan import Move, Plan, units_of
from planner.referee.referee import Referee
from planner.rules.combat_roles import Fights, JointlyOverruns
from planner.rules.game import Game
from planner.scenario import Scenario

MOST_TRIED = 6
"""The strongest overrun in which each of so many units takes part is played, for the referee to say that it may fail."""

MOST_PLANS = 200
"""So many plans of straight moves are played to tell that all that is asked can be done but for a rule."""


def never_sure(scenario: Scenario, question: Question) -> Reason | None:
    """Return that an enemy who is to go for certain, from the map or a hex, never does, whoever overruns; None: not known.

    Parameters
    ----------
    scenario : Scenario
        The position.
    question : Question
        The goals, which are known to be impossible.
    """
    game, rules = scenario.game, scenario.game.rulebook.of(JointlyOverruns)
    others = len(rules) != len(game.rulebook.overrunning) or game.rulebook.of(Fights)
    if question.value or not rules or others or game.situation.confidence != 1:
        return None
    for enemy in question.to_eliminate(scenario):
        label = game.homes[enemy]
        there = game.enemies_at(label)
        if not any(enemy in rule.victims(game, there) for rule in rules):
            text = f"no overrun eliminates {enemy}: nobody in {label} is a unit that can be overrun"
            # What an overrun is can't be relaxed: nothing else is needed to forbid it.
            return Reason((Instance(rules[0].id, rules[0].paragraph, None, label, (enemy,), text),), True, True)
        found = [one for one in (too_weak(game, rule, label) for rule in rules) if one is not None]
        if len(found) == len(rules):
            return Reason(tuple(found), *_judged(scenario, question, rules, label))
    for need in question.needs(scenario):
        labels = {label for aim in need for label in aim.ends}
        label = min(labels, default="")
        if len(labels) != 1 or not game.enemies_at(label):
            continue
        found = [one for one in (too_weak(game, rule, label) for rule in rules) if one is not None]
        entry = _kept_out(scenario, question, [aim.unit for aim in need], label)
        if entry is not None and len(found) == len(rules):
            return Reason((entry, *found), *_judged(scenario, question, rules, label, entry.rule))
    return None


def plainly_unsure(scenario: Scenario, question: Question, many: bool) -> Reason | None:
    """Return that an enemy is never sure to go where that is plainer than what rules forbid: of many units, or goals.

    So it is where units may be supported: none is too weak by itself then. Of few units it must be known to be enough, and
    that it is needed, and where nobody supports them something else must be asked besides.
    """
    goals = (*question.goals, *scenario.requirements)
    several = len([part for goal in goals for part in parts_of(goal, scenario.game)]) > 1
    supported = any(rule.support is not None and rule.rolled for rule in scenario.game.rulebook.of(JointlyOverruns))
    found = never_sure(scenario, question) if many or several or supported else None
    return found if found is None or many or (found.confirmed and found.minimal) else None


def _kept_out(scenario: Scenario, question: Question, units: Sequence[str], label: str) -> Instance | None:
    """Say that none of some units may enter a hex that enemies hold; None: one rule alone doesn't keep all of them out."""
    found, straight = list[Instance](), question.relaxed(scenario).straight_to
    for unit in units:
        move = straight(unit, label)
        if move is None:
            continue
        plan = Plan((move,))
        broken = Referee(scenario.game).play(plan, scenario.start, rolls=False).violations
        there = [one for one in broken if one.at == label and not scenario.game.friends.issuperset(one.blame)]
        found += said_by_referee(scenario, plan, there[:1])
        if not there or found[-1].rule != found[0].rule:
            return None
    if not found:
        return None
    first = replace(found[0], move=None, step=None)  # nobody has asked about a move
    return first if len(found) == 1 else replace(first, unit=None, message=f"{first.message}; likewise for all others")


def too_weak(game: Game, rule: JointlyOverruns, label: str) -> Instance | None:
    """Say why no overrun of a hex is sure to go through, whoever might come beside it; None: one may be.

    Of enemies who may support the defenders, those count whom no overrun can eliminate.
    """
    sure, there, lowest = rule.sure_odds, game.enemies_at(label), rule.results[0].odds
    if _tried_before(game, rule, label):
        text = f"nobody can try {label} again: an overrun of it has failed in this phase"
        return Instance(rule.id, rule.paragraph_of_failure, None, label, there, text)
    units, attack, defense = _at_most(game, rule, label)
    who = "all together" if rule.most_units is None else f"the {spoken_number(rule.most_units)} strongest together"
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
    team = sorted(able, key=lambda unit: -rule.attack_of(game, game.units[unit], label))[: rule.most_units]
    attack = sum((rule.attack_of(game, game.units[unit], label) for unit in team), Fraction(0))
    support = [unit for unit, home in game.homes.items() if _supports(game, rule, unit, home, label)]
    attack += sum((game.units[unit].attack for unit in support), Fraction(0))
    return game.sorted({*team, *support}), attack, rule.defense_in(game, label)


def _judged(
    scenario: Scenario, question: Question, rules: tuple[JointlyOverruns, ...], label: str, entry: str | None = None
) -> tuple[bool, bool]:
    """Tell whether the referee, too, knows no overrun of a hex that is sure, and whether each rule is needed to forbid it.

    `entry`: the rule that keeps out of the hex who doesn't overrun it, where that is to be entered.
    """
    probes, others = question.relaxed(scenario), [] if entry is None else [Scope(entry)]
    overruns = [Scope(rule.id) for rule in rules]
    bound = probes.game_with([*overruns, *others])
    tries = [
        plan
        for rule in rules
        for unit in probes.movers[:MOST_TRIED]
        for plan in islice(strongest_overruns(scenario.game, rule, unit, label, probes.straight_to, probes.movers), 1)
    ]

    beside = _beside(scenario, question, label)

    def goes(scopes: Sequence[Scope], overrun: bool) -> bool:
        free = probes.game_with(scopes)
        ways = [way for unit in probes.movers if (way := probes.straight_to(unit, label, overrun)) is not None]
        plans = (tuple(one for one in moves if one is not None) for moves in islice(product(ways, *beside), MOST_PLANS))
        apart = (plan for plan in plans if len(units_of(plan)) == len(plan))
        straight = any(question.fulfilled(free, Plan(plan)) for plan in apart)
        return straight or probes.possible(scopes)[0] is True

    return (
        not any(question.fulfilled(bound, plan) for plan in tries),
        goes(others, True) and (entry is None or goes(overruns, False)),
    )


def _beside(scenario: Scenario, question: Question, label: str) -> list[list[Move | None]]:
    """Return how what is asked beside an overrun of a hex might be done, each of it: straight, or (None) by staying."""
    game, probes = scenario.game, question.relaxed(scenario)
    found = list[list[Move | None]]()
    for home in dict.fromkeys(game.homes[enemy] for enemy in question.to_eliminate(scenario)):
        if home != label:
            found.append([probes.straight_to(unit, home, True) for unit in probes.movers])
    needs = question.needs(scenario)
    into = next((need for need in needs if any(label in aim.ends for aim in need)), None)
    for need in needs:
        if need is into:
            continue  # whoever overruns the hex sees to it; others may be to end there, too
        ways = list[Move | None]([None] * any(game.homes[aim.unit] in aim.ends for aim in need))
        for unit, end in ((aim.unit, end) for aim in need for end in sorted(aim.ends)):
            overruns = (False, True) if game.enemies_at(end) else (False,)
            ways += [way for one in overruns if (way := probes.straight_to(unit, end, one)) is not None]
        found.append(ways)
    return found
