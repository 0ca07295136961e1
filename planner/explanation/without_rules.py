"""Why something can't be had though no rule is needed to forbid it: dice, what has been done, or the map."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from planner.explanation.answer import Instance, Reason
from planner.explanation.deletion_filter import deletion_filter
from planner.explanation.needs import moves_eliminate
from planner.explanation.question import Question
from planner.objective import Term
from planner.objective.goals import End, Hold
from planner.plans.plan import Plan
from planner.rules.attack_rule import attack_rule
from planner.rules.combat_roles import Fights
from planner.scenario import Scenario
from planner.world.position import Position, Stop

EVEN_SO = "even if nothing were forbidden and nothing cost MP"
"""That no rule is needed."""

DICE = "what attacks come to isn't enough, " + EVEN_SO
"""What is told where all else could be had."""

NO_WAY_LEFT = "what has been done in the phase leaves no way, even if nothing else were forbidden and nothing cost MP"
"""What is told where it could be had as the phase began."""

NO_LUCK = "not even the best results of combats are enough, if nothing were forbidden and nothing cost MP"
"""What is told where whoever would have to win is too weak for any result that does it."""

NOT_SURE = "it takes results of combats that nobody can count on, " + EVEN_SO
"""What is told where it may come about: by results that aren't the best for who fights, but bad for both sides."""

NO_RULE = "nobody is eliminated while units move: this game has neither overruns nor combats in the middle of moves"
"""What is told where an enemy is to be eliminated by moves alone."""


def nothing_needed(scenario: Scenario, question: Question, likely: bool) -> tuple[Instance, ...]:
    """Return what is to blame where not even a game without rules has a plan; empty: the map, or what is asked itself.

    `likely`: whether dice may bring it about.
    """
    if lost := question.lost(scenario):
        have = "has" if len(lost) == 1 else "have"
        told_of = f"{' and '.join(lost)} {have} been harmed before: nobody is sound again in the same phase"
        return (Instance("", "", None, None, (), told_of),)
    if clash := question.at_odds(scenario):
        told_of = f"{' and '.join(goal.describe() for goal in clash)} can't be had together, {EVEN_SO}"
        return (Instance("", "", None, None, (), told_of),)
    told = None
    # What is to be held by such as there are none of needs nobody who could be named, too.
    eliminates = () in question.needs(scenario) and bool(question.to_eliminate(scenario))
    if eliminates and not moves_eliminate(scenario.game):
        return (Instance("", "", None, None, (), NO_RULE + _asks_of_attacks(question, scenario)),)
    if (spared := _spared(scenario, question)) is not None:
        return (spared,)
    goals, required = _but_attacks(question, scenario)
    if (goals, required) != (question.goals, scenario.requirements) and not question.value:
        if _possible(replace(scenario, requirements=required), replace(question, goals=goals, _relaxed=None)):
            told = DICE
    elif scenario.game.begun is not None and _possible(_at_first(scenario), replace(question, _relaxed=None)):
        if stopped := _stopped(scenario, question):
            return stopped
        told = NO_WAY_LEFT
    elif scenario.game.rulebook.of(Fights) and _way_there(scenario, question):
        told = NOT_SURE if likely else NO_LUCK
    if told is None and not question.value and scenario.game.begun is None:  # afterwards much is settled, not forbidden
        told = _at_odds(scenario, question)
        if told is None and (label := _no_steps_to(scenario, question)) is not None:
            told = f"no steps lead to {label}, {EVEN_SO}"
    return () if told is None else (Instance("", "", None, None, (), told),)


def for_good(scenario: Scenario, question: Question, reasons: Sequence[Reason]) -> bool:
    """Tell whether what forbids goals does so whatever in the position were different: nothing of that need be tried.

    Goals are at odds, nobody is eliminated at all, or dice decide on just that whatever the odds.
    """
    if question.value or not reasons:
        return False
    if question.at_odds(scenario):
        return True
    enemies = frozenset(question.to_eliminate(scenario))
    return any(
        one.message.startswith(NO_RULE)
        or (
            len(reason.instances) == 1
            and one.claim.kind == "never_sure"
            and not enemies.isdisjoint(one.blame)
            and not scenario.game.rulebook.of(Fights)
        )
        for reason in reasons
        for one in reason.instances
    )


def _stopped(scenario: Scenario, question: Question) -> tuple[Instance, ...]:
    """Say why the one unit that is to end somewhere has had to stop, if it could go on otherwise; empty: it isn't that."""
    units = {goal.unit for goal in question.goals if isinstance(goal, End)}
    begun, start = scenario.game.begun, scenario.start.copy()
    unit = next(iter(units)) if len(question.goals) == len(units) == 1 else ""
    progress = start.under_way.get(unit)
    if begun is None or progress is None or not progress.stops:
        return ()

    def possible(stops: tuple[Stop, ...]) -> bool:
        start.under_way[unit] = replace(progress, stops=stops)
        game = replace(scenario.game, begun=replace(begun, position=start), _cache={})
        return _possible(replace(scenario, game=game, start=start.copy()), replace(question, _relaxed=None))

    stop = next((one for one in progress.stops if not possible((one,))), None) if possible(()) else None
    if stop is None:
        return ()
    here = start.at.get(unit, stop.at)  # whoever has fought in vain is back where it came from
    text = f"{unit} has had to stop in {here}: {stop.reason}"
    return (Instance("", stop.paragraph, unit, here, stop.enemies, text),)


def _spared(scenario: Scenario, question: Question) -> Instance | None:
    """Say of whom no overrun rids the map, where overruns alone could: what an overrun is, is in force in any game."""
    game, rules = scenario.game, scenario.game.rulebook.overrunning
    if not rules or game.rulebook.of(Fights):
        return None
    for enemy in question.to_eliminate(scenario):
        label = game.homes[enemy]
        if not any(enemy in rule.victims(game, game.enemies_at(label)) for rule in rules):
            text = f"no overrun eliminates {enemy} ({label}): it is not a unit that can be overrun"
            return Instance(rules[0].id, rules[0].paragraph, None, label, (enemy,), text)
    return None


def _no_steps_to(scenario: Scenario, question: Question) -> str | None:
    """Return the hex that is to be held, if that is all, and it lies apart from everybody who could; None: it isn't that."""
    goals, needs = [*question.goals, *scenario.requirements], question.needs(scenario)
    if len(goals) != 1 or not isinstance(goals[0], Hold) or len(needs) != 1 or not needs[0]:
        return None
    [label], board, probes = needs[0][0].ends, scenario.game.board, question.relaxed(scenario)
    by_sea = bool(board.zones) or len(board.places) > len(board.hexes)
    return None if by_sea or any(probes.straight_to(aim.unit, label) for aim in needs[0]) else label


def _at_odds(scenario: Scenario, question: Question) -> str | None:
    """Return which of several goals can't be had, by itself or together; None: all of them, or that isn't settled."""
    goals = [*question.goals, *scenario.requirements]
    bare = replace(scenario, requirements=())

    def forbidden(some: Sequence[Term]) -> bool:
        asked = replace(question, goals=tuple(some), _relaxed=None)
        return asked.relaxed(bare).possible(())[0] is False

    needed, settled = deletion_filter(goals, forbidden, lambda: question.late)
    if not settled or len(goals) < 2:
        return None
    names, together = " and ".join(goal.describe() for goal in needed), " together" * (len(needed) > 1)
    nowhere = len(needed) == 1 and isinstance(needed[0], End) and bool(needed[0].at)
    return f"{names} can't be had{together}, {EVEN_SO}{': no steps lead there' * nowhere}"


def _way_there(scenario: Scenario, question: Question) -> bool:
    """Tell whether steps lead to where somebody would have to be, or who would have to be eliminated."""
    probes, enemies = question.relaxed(scenario), question.to_eliminate(scenario)
    homes = [scenario.game.homes[enemy] for enemy in enemies]
    there = any(probes.straight_to(unit, home) is not None for unit in probes.movers for home in homes)
    return not question.value and (there or bool(probes.straight()))


def _asks_of_attacks(question: Question, scenario: Scenario) -> str:
    """Return how to ask what attacks may do to enemies that are to be eliminated; empty where none get at them."""
    hexes = dict.fromkeys(scenario.game.homes[enemy] for enemy in question.to_eliminate(scenario))
    if attack_rule(scenario.game) is None or not scenario.game.board.hexes.keys() >= hexes.keys():
        return ""
    return f'; what attacks may do, --require "{" and ".join(f"empty {label} with 1/2" for label in hexes)}" asks'


def _but_attacks(question: Question, scenario: Scenario) -> tuple[tuple[Term, ...], tuple[Term, ...]]:
    """Return goals and requirements without those that look at attacks."""
    goals, required = (
        tuple(term for term in terms if not term.looks_at_attacks) for terms in (question.goals, scenario.requirements)
    )
    return goals, required


def _possible(scenario: Scenario, question: Question) -> bool:
    return question.relaxed(scenario).possible(())[0] is True


def _at_first(scenario: Scenario) -> Scenario:
    """Return a scenario as its phase began."""
    game = scenario.game.at_first
    return replace(scenario, game=game, start=Position(dict(game.homes), scenario.start.boxes), done=Plan(()))
