"""What a unit may come to if rolls go well, where it can't be sure of it: how, with which odds and which probability."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING

from planner.explanation.raised_odds import Joining, Raise, raised
from planner.explanation.relaxation import narrowed
from planner.formats.mp import format_mp
from planner.formats.probability import format_probability
from planner.limits import Limits
from planner.objective import Tier
from planner.objective.goals import End
from planner.plans.plan import Plan
from planner.referee.played_moves import spoken_probability
from planner.referee.referee import Referee
from planner.referee.verdict import Verdict
from planner.scenario import Scenario
from planner.search.redundant_moves import without_idle_moves
from planner.search.search import Search

if TYPE_CHECKING:
    from planner.explanation.answer_data import ChanceData


@dataclass(frozen=True)
class Chance:
    """A legal plan by which a unit may get where it can't be sure to get.

    Attributes
    ----------
    plan : Plan
        The plan.
    probability : Fraction
        The probability that the unit ends there; between 0 and 1.
    odds : tuple of (str, Fraction, Fraction)
        Each hex that is fought for, with the strength of attack and defense as the rolls count them.
    best : bool
        Whether no plan of the unit alone, or of all units, has a greater probability: proved.
    helped : bool
        Whether others take part.
    raises : tuple of Raise
        How much stronger the attackers would have to be for better columns.
    joining : tuple of Joining
        Units that aren't in the plan and could join the fights.
    """

    plan: Plan
    probability: Fraction
    odds: tuple[tuple[str, Fraction, Fraction], ...]
    best: bool
    helped: bool
    raises: tuple[Raise, ...] = ()
    joining: tuple[Joining, ...] = ()

    def __str__(self) -> str:
        odds = ", ".join(
            f"{format_mp(attack)} to {format_mp(defense)} in {label}" for label, attack, defense in self.odds
        )
        moves = "; ".join(map(str, self.plan.moves))
        return f"{moves}: {f'{odds}, ' if odds else ''}{spoken_probability(self.probability)}"

    def to_dict(self) -> ChanceData:
        """Return the chance as JSON has it."""
        return {
            "plan": [str(move) for move in self.plan.moves],
            "probability": format_probability(self.probability),
            "odds": [{"hex": one, "attack": format_mp(a), "defense": format_mp(d)} for one, a, d in self.odds],
            "best": self.best,
            "helped": self.helped,
            "raises": [one.to_dict() for one in self.raises],
            "joining": [one.to_dict() for one in self.joining],
        }


def chances(scenario: Scenario, goal: End, limits: Limits) -> tuple[Chance, ...]:
    """Return the likeliest way of a unit to where it can't be sure to get, by itself, and a likelier one with others.

    Parameters
    ----------
    scenario : Scenario
        The position; what it is for doesn't count.
    goal : End
        The unit, and where it is to end.
    limits : Limits
        When to stop.

    Raises
    ------
    DisagreementError
        If solver and referee contradict each other: a fault of the planner.
    """
    if not scenario.game.rulebook.rolled:
        return ()
    asked = replace(scenario, requirements=(), tiers=(Tier(terms=(goal,)),))
    alone = _likeliest(narrowed(asked, (goal.unit,)), goal, limits.part(0.4))
    helped = _likeliest(asked, goal, limits)
    if alone is not None and helped is not None and helped.probability <= alone.probability:
        # What is proved of all units is proved of one.
        best = alone.best or (helped.best and helped.probability == alone.probability)
        alone, helped = replace(alone, best=best), None
    found = [one for one in (alone, helped) if one is not None]
    told = [raised(scenario, one.plan, limits.part(0.5)) for one in found]
    return tuple(replace(one, raises=up, joining=others) for one, (up, others) in zip(found, told, strict=True))


def _likeliest(scenario: Scenario, goal: End, limits: Limits) -> Chance | None:
    found = Search(scenario, limits.part(0.8)).run()
    if found.plan is None or not 0 < found.value[0] < 1:
        return None
    play = partial(Referee(scenario.game).play, start=scenario.start)
    plan = without_idle_moves(
        found.plan,
        lambda less, _: play(less).chance_to_end(goal.unit, goal.at) >= found.value[0],
        lambda move: move.units == (goal.unit,),
        lambda: limits.late,
    )
    units = {unit for move in plan.moves for unit in (*move.units, *(helper for _, helper in move.support))}
    return Chance(plan, found.value[0], _odds(play(plan)), found.status == "optimal", units != {goal.unit})


def _odds(verdict: Verdict) -> tuple[tuple[str, Fraction, Fraction], ...]:
    rolled = ((one.move.path[roll.step], roll.strengths) for one in verdict.moves for roll in one.rolls)
    return tuple((label, *strengths) for label, strengths in rolled if strengths is not None)
