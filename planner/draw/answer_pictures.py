"""Pictures of explanations, alternatives, defenses and puzzles that have been verified."""

from __future__ import annotations

from typing import TYPE_CHECKING

from planner.draw.notes import Note
from planner.draw.picture import Picture
from planner.formats.mp import format_mp

if TYPE_CHECKING:
    from planner.defense.answer import Defense
    from planner.explanation.answer import Explanation
    from planner.puzzles.verification import Verification
    from planner.scenario import Scenario
    from planner.search.alternatives import Alternatives


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


def of_alternatives(scenario: Scenario, found: Alternatives) -> Picture:
    """Return the best of several plans, and in words what the others come to.

    Parameters
    ----------
    scenario : Scenario
        The position.
    found : Alternatives
        The plans.
    """
    if not found.plans:
        return Picture(scenario, remarks=(found.first.sentence(),))
    remarks = []
    for rank, plan in enumerate(found.plans, 1):
        value = " / ".join(str(format_mp(one)) for one in plan.result.value) or "-"
        proved = "proved" if plan.result.status == "optimal" else "not proved"
        comes_to = "; ".join(plan.substance.describe(scenario.game)) or "nobody moves"
        remarks.append(f"Plan {rank}{' (shown)' if rank == 1 else ''}, value {value}, {proved}: {comes_to}.")
    first = found.plans[0].result
    return Picture(scenario, first.plan, verdict=first.verdict, remarks=tuple(remarks))


def of_defense(scenario: Scenario, found: Defense) -> Picture:
    """Return the first placement that holds, with the enemy's best against it, and where else defenders may stand.

    Where none holds: a placement with the enemy's plan that breaks it.

    Parameters
    ----------
    scenario : Scenario
        The position, with its defense.
    found : Defense
        What the search has found.
    """
    from planner.cli.defense_text import sentence
    from planner.defense.placement import Placements

    placements = Placements(scenario)
    told = sentence(found, len(found.accepted) > 1)
    if not found.accepted:
        for refutation in found.refutations:
            # The first place of each is the placement for which the plan was found.
            places = {unit: those[0] for unit, those in refutation.places}
            shown = placements.placement(places)
            return Picture(placements.placed(places), refutation.plan, remarks=(told, f"Shown: {shown}."))
        return Picture(placements.scenario, remarks=(told,))
    first = found.accepted[0]
    placed = placements.placed({**placements.home, **dict(first.placement.at)})
    notes = {
        Note(label, unit, f"{unit} in {label} does as well", good=True)
        for one in found.accepted[1:]
        for unit, label in one.placement.at
        if label in scenario.game.board and placed.start.at.get(unit) != label
    }
    remarks = [told, f"Shown: {first.placement}."]
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
    from planner.plans.plan import Plan

    shown = [plan for check in found.checks if check.outcome == "fails" for plan in check.plans]
    answer = scenario.answer
    if not shown and answer is not None and answer.moves:
        shown = [Plan.parse(answer.moves)]
    remarks = [f"{check.name}: {check.outcome}: {check.message}" for check in found.checks]
    return Picture(scenario, shown[0] if shown else None, remarks=tuple(remarks))
