"""Enemies that no overrun is sure to eliminate: the table has no sure result, or nobody is strong enough for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import islice, product

from planner.explanation.answer import Instance, Reason
from planner.explanation.needs import parts_of
from planner.explanation.question import Question
from planner.explanation.relaxation import ALL, Scope
from planner.explanation.relaxed_answers import RelaxedAnswers
from planner.explanation.strongest_overrun import strongest_overruns
from planner.explanation.too_weak import too_weak
from planner.explanation.wording import said_by_referee
from planner.plans.plan import Move, Plan, units_of
from planner.reachability.narrow_hexes import room_for_all
from planner.reachability.possible_rolls import may_end_illegally
from planner.referee.referee import Referee
from planner.rules.combat_roles import Bogs, JointlyOverruns
from planner.rules.game import Game
from planner.rules.roles import Rolls
from planner.scenario import Scenario

MOST_TRIED = 6
"""The strongest overrun in which each of so many units takes part is played, for the referee to say that it may fail."""

MOST_PLANS = 200
"""So many plans of straight moves are played to tell that all that is asked can be done but for a rule."""


def without_reliance(scenario: Scenario) -> Scenario:
    """Return a scenario whose moves rely on nothing that is only likely, where that is no help to what must be for certain.

    So it is if nothing is rolled for but overruns, of which none is ever sure, and whether units bog down. Should all of it
    go wrong, what holds is brought about by the moves that are made then, as far as they lead: legal ones, but where units
    might be left where they may not stay.
    """
    book = scenario.game.rulebook
    chancy = {rule.id for rule in (*book.of(Bogs), *(one for one in book.of(JointlyOverruns) if one.sure_odds is None))}
    if any(rule.rolled and rule.id not in chancy for rule in book.of(Rolls)):
        return scenario
    if may_end_illegally(scenario.game) and not room_for_all(scenario.game):
        return scenario
    situation = replace(scenario.game.situation, confidence=Fraction(1))
    return replace(scenario, game=replace(scenario.game, situation=situation, _cache={}))


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
    if question.value or not rules or game.situation.confidence != 1:
        return None
    for enemy in question.to_eliminate(scenario):
        label = game.homes[enemy]
        there = game.enemies_at(label)
        if not any(enemy in rule.victims(game, there) for rule in rules):
            text = f"no overrun eliminates {enemy}: nobody in {label} is a unit that can be overrun"
            if any(rule.victims(game, there) for rule in rules):
                text = f"no overrun eliminates {enemy} ({label}): it is not a unit that can be overrun"
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


def joint_rule(game: Game, scope: Scope) -> JointlyOverruns | None:
    """Return the rule of overruns that units make together of which a scope is; None: it is of another one."""
    return next((rule for rule in game.rulebook.of(JointlyOverruns) if rule.id == scope.rule), None)


def shut_for_all(
    relaxed: RelaxedAnswers, question: Question, scope: Scope, scopes: Sequence[Scope]
) -> tuple[Instance, ...]:
    """Return which hexes no overrun can open, whoever comes beside them, where that is what forbids it; empty: none.

    Parameters
    ----------
    relaxed : RelaxedAnswers
        What is known of the question in relaxed games.
    question : Question
        The question.
    scope : Scope
        Where a rule is in force: one of overruns that units make together, for all of them, or another one.
    scopes : sequence of Scope
        This one, and where other rules are.
    """
    game = relaxed.scenario.game
    rule = joint_rule(game, scope)
    if rule is None or scope.unit != ALL or scope.hexes is not None or scope.pays:
        return ()
    labels = relaxed.never_overrun(scopes)
    if not labels and rule.rolled and not question.value and game.situation.confidence == 1:
        held = dict.fromkeys(game.homes[enemy] for enemy in question.to_eliminate(relaxed.scenario))
        labels = tuple(label for label in held if too_weak(game, rule, label) is not None)[:1]
    found = [too_weak(game, rule, label) for label in labels]
    return tuple(one for one in found if one is not None) if all(found) else ()


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
