"""What would have to be different for a destination, a goal or a value to be had."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from planner.explanation.answer import Change, Instance, Remedy
from planner.explanation.changes import candidates, changed
from planner.explanation.goals import Question
from planner.explanation.remedies import MORE_MP, MOST_REMEDIES
from planner.objective.goals import Eliminate
from planner.scenario import Scenario

MOST_PLACES = 6
"""Of so many hexes other ground is tried at most."""

MOST_UNITS = 8
"""For so many units it is tried what they might lack."""


def would_do(scenario: Scenario, question: Question, named: Sequence[Instance]) -> list[Remedy]:
    """Return the fewest things that would have to be different for it to be possible, among those that instances name."""
    game = scenario.game
    goal_units = [goal.unit for goal in question.goals if hasattr(goal, "unit")]
    units = list(dict.fromkeys(i.unit for i in named if i.unit in game.phasing and i.unit is not None))
    units = list(dict.fromkeys([*goal_units, *units]))[:MOST_UNITS]
    hexes = [i.hex for i in named if i.hex]
    blame = [unit for i in named for unit in i.blame]
    # Who is to be eliminated isn't wished away: it would count as done.
    terms = [*question.goals, *(term for tier in scenario.tiers if question.value for term in tier.terms)]
    targets = {unit for term in terms if isinstance(term, Eliminate) for unit in term.units}
    singles: list[tuple[Change, ...]] = []
    goal_hexes = [label for way in (way for need in question.needs(scenario) for way in need) for label in way.ends]
    places = list(dict.fromkeys([*hexes, *goal_hexes]))[:MOST_PLACES]
    sides = [(near, label) for label in places if label in game.board.hexes for near in game.board.neighbours[label]]
    hopeless = question.probes(scenario).never()
    richer = dict.fromkeys(units, Fraction(1))
    for change in candidates(game, units, places, blame, richer, sides, hexes[:MOST_PLACES], goal_units):
        if change.kind == "gone" and change.what in targets:
            continue
        if change.kind == "gone" and hopeless and game.is_enemy(change.what) and change.what not in blame:
            continue  # what they had to do with it was granted already
        more = MORE_MP[:6] if change.kind == "mp" else (1,)
        singles.append(tuple(replace(change, amount=Fraction(number)) for number in more))
    found: list[Remedy] = []

    def works(changes: Sequence[Change], quick: bool) -> bool:
        possible, plan = question.changed_answer(scenario, changes, quick)
        if not possible or plan is None or not question.fulfilled(changed(scenario, changes), plan):
            return False
        found.append(Remedy((), tuple(changes), plan, True))
        return True

    # What single units can do is soon known; a search comes only where that finds nothing.
    for quick in (True, False):
        for amount in range(max(map(len, singles), default=0)):
            for amounts in singles:
                if question.late or len(found) == MOST_REMEDIES:
                    return found
                if amount < len(amounts):
                    works([amounts[amount]], quick)
            if found:
                return found
    for number, one in enumerate(singles):
        for other in singles[number + 1 :]:
            if question.late or len(found) == MOST_REMEDIES:
                return found
            works([one[-1], other[-1]], False)
    return found
