"""What each answer looks like: `picture_of` asks by its type."""

from __future__ import annotations

from dataclasses import replace
from functools import singledispatch

from planner.defense.answer import Defense
from planner.defense.placement import Placements
from planner.draw.notes import Note
from planner.draw.picture import Picture
from planner.explanation.answer import Explanation
from planner.formats.spoken_numbers import spoken_number
from planner.plans.plan import Plan
from planner.puzzles.verification import Verification
from planner.reachability.possible_rolls import may_roll
from planner.referee.verdict import Verdict
from planner.scenario import Scenario
from planner.search.alternatives import Alternatives
from planner.search.policy import Policy
from planner.search.reachable import ReachReport
from planner.search.result import Result
from planner.world.position import Position


@singledispatch
def picture_of(answer: object, scenario: Scenario) -> Picture:
    """Return an answer as a picture.

    Parameters
    ----------
    answer : object
        What is to be shown: a scenario, position, plan, verdict, reach report, result, policy, explanation, verification, a
        defense or alternatives.
    scenario : Scenario
        To which it belongs.

    Raises
    ------
    TypeError
        If it is no answer.
    """
    raise TypeError(f"{type(answer).__name__} has no picture")


@picture_of.register
def _of_scenario(answer: Scenario, scenario: Scenario) -> Picture:
    return Picture(answer)


@picture_of.register
def _of_position(answer: Position, scenario: Scenario) -> Picture:
    return Picture(replace(scenario, start=answer))


@picture_of.register
def _of_plan(answer: Plan, scenario: Scenario) -> Picture:
    return Picture(scenario, answer)


@picture_of.register
def _of_verdict(answer: Verdict, scenario: Scenario) -> Picture:
    return Picture(scenario, Plan(tuple(played.move for played in answer.moves)), verdict=answer)


@picture_of.register
def _of_reach(answer: ReachReport, scenario: Scenario) -> Picture:
    return Picture(scenario, reach=answer)


@picture_of.register
def _of_result(answer: Result, scenario: Scenario) -> Picture:
    return Picture(scenario, answer.plan, verdict=answer.verdict, remarks=[answer.sentence(may_roll(scenario.game))])


@picture_of.register
def _of_policy(answer: Policy, scenario: Scenario) -> Picture:
    if answer.root is None:
        return Picture(scenario, remarks=[answer.sentence()])
    from planner.draw.policy_picture import PolicyPicture

    return PolicyPicture(scenario, answer.root, remarks=[answer.sentence()], bound=answer.bound)


@picture_of.register
def _of_explanation(found: Explanation, scenario: Scenario) -> Picture:
    """Return what forbids something at the hexes where it does, with the moves that were asked about."""
    notes = [
        Note(instance.hex, instance.paragraph, str(instance))
        for instance in found.instances
        if instance.hex is not None and instance.hex in scenario.game.board
    ]
    remarks = [str(instance) for instance in found.instances]
    remarks += [f"It would be possible {remedy}." for remedy in found.remedies]
    return Picture(scenario, found.plan, notes=tuple(dict.fromkeys(notes)), remarks=(found.question, *remarks))


@picture_of.register
def _of_alternatives(found: Alternatives, scenario: Scenario) -> Picture:
    """Return the best of several plans, and in words what the others come to."""
    if not found.plans:
        return Picture(scenario, remarks=(found.first.sentence(may_roll(scenario.game)),))
    remarks = []
    for rank, plan in enumerate(found.plans, 1):
        value = " / ".join(map(spoken_number, plan.result.value)) or "-"
        proved = "proved" if plan.result.status == "optimal" else "not proved"
        comes_to = "; ".join(plan.substance.describe(scenario.game)) or "nobody moves"
        remarks.append(f"Plan {rank}{' (shown)' if rank == 1 else ''}, value {value}, {proved}: {comes_to}.")
    first = found.plans[0].result
    return Picture(scenario, first.plan, verdict=first.verdict, remarks=tuple(remarks))


@picture_of.register
def _of_defense(found: Defense, scenario: Scenario) -> Picture:
    """Return the first placement that holds, with the enemy's best against it, and where else defenders may stand.

    Where none holds: a placement with the enemy's plan that breaks it.
    """
    placements = Placements(scenario)
    told = found.sentence(len(found.accepted) > 1)
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


@picture_of.register
def _of_verification(found: Verification, scenario: Scenario) -> Picture:
    """Return the plan that shows what became of a puzzle: the one that refutes it, or the author's."""
    shown = [plan for check in found.checks if check.outcome == "fails" for plan in check.plans]
    answer = scenario.answer
    if not shown and answer is not None and answer.moves:
        shown = [Plan.parse(answer.moves)]
    remarks = [f"{check.name}: {check.outcome}: {check.message}" for check in found.checks]
    return Picture(scenario, shown[0] if shown else None, remarks=tuple(remarks))
