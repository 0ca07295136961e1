"""What the rule of attacks forbids, or demands, where that is needed: relaxed games leave it as it is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from planner.explanation.answer import Instance
from planner.explanation.question import Question
from planner.explanation.relaxation import Scope
from planner.explanation.relaxed_answers import RelaxedAnswers
from planner.explanation.wording import RuleBreach, Wording
from planner.referee.referee import Referee
from planner.rules.attack_rule import attack_rule
from planner.rules.attack_table import AttackRule
from planner.scenario import Scenario

Bar = tuple[str, int]
"""A field of the rule, or its duties, and which of its entries."""


def barred_attacks(scopes: Sequence[Scope], probes: RelaxedAnswers, wording: Wording) -> list[Instance]:
    """Return what attackers may not, or must, do without which rules in some scopes wouldn't be enough to forbid it.

    Each comes with a plan that does what is asked, and breaks nothing else.

    Parameters
    ----------
    scopes : sequence of Scope
        Where the rules are in force that forbid it, together with the rule of attacks.
    probes : RelaxedAnswers
        What is known of the relaxed games.
    wording : Wording
        Puts the members of that set into words.
    """
    asked, scenario = probes.question, probes.scenario
    counted = [term for tier in scenario.tiers[: len(asked.value)] for term in tier.terms]
    rule = attack_rule(scenario.game)
    looked_at = any(term.looks_at_attacks for term in (*asked.goals, *scenario.requirements, *counted))
    if rule is None or not looked_at or asked.late or not (kept := list(_bars(rule))):
        return []
    question = Question(asked.goals, asked.value, asked.limits, asked.movers, asked.base)
    if question.relaxed(_with(scenario, rule, [])).forbids(scopes):
        return []
    found = list[Instance]()
    for bar in list(kept):
        others = [one for one in kept if one != bar]
        possible, plan = question.relaxed(_with(scenario, rule, others)).possible(scopes)
        if possible is False:
            kept = others
        elif plan is not None:
            judge = Referee(question.relaxed(_with(scenario, rule, kept)).game_with(scopes).game)
            for broken in judge.play(plan, scenario.start, rolls=False).violations[:1]:
                there = Scope(rule.id, broken.unit, frozenset([broken.at]))
                told = wording.instance(RuleBreach(there, plan, broken, tuple(scopes)), ())
                found.append(replace(told, message=f"for instance, {told.message}"))
    return found


def _bars(rule: AttackRule) -> Iterator[Bar]:
    """Yield the duties of a rule, and what it forbids to attackers near enough to an enemy: who may attack must, perhaps."""
    if rule.must_attack is not None or rule.must_be_attacked is not None:
        yield "duties", 0
    if rule.only_across is not None:
        yield "only_across", 0
    if not rule.uncrossable:
        yield "uncrossable", 0
    yield from (("bars", number) for number in range(len(rule.bars)))


def _with(scenario: Scenario, rule: AttackRule, kept: Sequence[Bar]) -> Scenario:
    """Return the scenario with only some of the bars in force."""
    other = rule if ("duties", 0) in kept else rule.without_duties()
    update = {
        "bars": tuple(bar for number, bar in enumerate(rule.bars) if ("bars", number) in kept),
        "only_across": rule.only_across if ("only_across", 0) in kept else None,
        "uncrossable": rule.uncrossable or ("uncrossable", 0) not in kept,
    }
    rules = tuple(other.model_copy(update=update) if one is rule else one for one in scenario.game.rulebook.rules)
    game = replace(scenario.game, rulebook=replace(scenario.game.rulebook, rules=rules), _cache={})
    return replace(scenario, game=game)
