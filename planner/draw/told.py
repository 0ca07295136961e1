"""Pictures of explanations, defenses and puzzles that have been verified."""

from __future__ import annotations

from typing import TYPE_CHECKING

from planner.draw.notes import Note
from planner.draw.picture import Picture

if TYPE_CHECKING:
    from planner.defense.answer import Defense
    from planner.explanation.answer import Explanation
    from planner.puzzles.verification import Verification
    from planner.scenario import Scenario


def of_explanation(scenario: Scenario, found: Explanation) -> Picture:
    """Return what forbids something at the hexes where it does, with the moves that were asked about.

    Parameters
    ----------
    scenario : Scenario
        The position.
    found : Explanation
        What is said of it.
    """
    notes = [
        Note(instance.hex, instance.paragraph, str(instance))
        for instance in found.instances
        if instance.hex is not None and instance.hex in scenario.game.board
    ]
    remarks = [str(instance) for instance in found.instances]
    remarks += [f"It would be possible {remedy}." for remedy in found.remedies]
    return Picture(scenario, found.plan, notes=tuple(dict.fromkeys(notes)), remarks=(found.question, *remarks))


def of_defense(scenario: Scenario, found: Defense) -> Picture:
    """Return the first placement that holds, with the enemy's best against it, and where else defenders may stand.

    Where none holds: the first plan that breaks the position as it is.

    Parameters
    ----------
    scenario : Scenario
        The position, with its defense.
    found : Defense
        What the search has found.
    """
    from planner.defense.placement import Placements

    if not found.accepted:
        plan = found.refutations[0].plan if found.refutations else None
        return Picture(scenario, plan, remarks=("No placement is proved to hold.",))
    placements = Placements(scenario)
    first = found.accepted[0]
    placed = placements.placed({**placements.home, **dict(first.placement.at)})
    notes = {
        Note(label, unit, f"{unit} in {label} holds as well")
        for one in found.accepted[1:]
        for unit, label in one.placement.at
        if label in scenario.game.board and placed.start.at.get(unit) != label
    }
    remarks = [str(one.placement) for one in found.accepted]
    return Picture(placed, first.plan, notes=tuple(sorted(notes, key=str)), remarks=tuple(remarks))


def of_verification(scenario: Scenario, found: Verification) -> Picture:
    """Return the plan that shows what became of a puzzle: the one that refutes it, or the author's.

    Parameters
    ----------
    scenario : Scenario
        The puzzle.
    found : Verification
        What became of it.
    """
    from planner.plan import Plan

    shown = [plan for check in found.checks if check.outcome == "fails" for plan in check.plans]
    answer = scenario.answer
    if not shown and answer is not None and answer.moves:
        shown = [Plan.parse(answer.moves)]
    remarks = [f"{check.name}: {check.outcome}: {check.message}" for check in found.checks]
    return Picture(scenario, shown[0] if shown else None, remarks=tuple(remarks))
