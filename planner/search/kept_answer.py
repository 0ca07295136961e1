"""Proved answers, kept for when the very same is asked again: the plan is played anew, the proof isn't made anew."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import NamedTuple

from planner.objective import Term, Tier
from planner.plans.plan import Plan
from planner.rules.game import Game
from planner.search.context import Claim, SearchContext
from planner.search.result import Progress, Result
from planner.solver.side_constraints import Conditions
from planner.world.position import Position


class Asked(NamedTuple):
    """What a search is asked about a position, as far as its answer depends on it.

    Attributes
    ----------
    tiers : tuple of Tier
        The objective.
    requirements : tuple of Term
        What every plan must fulfil.
    attacking : bool
        Whether plans say who attacks whom in any case.
    conditions : Conditions
        What is asked for besides.
    seed, workers : int
        As in `Limits`: with others, another plan that is worth as much might be found.
    """

    tiers: tuple[Tier, ...]
    requirements: tuple[Term, ...]
    attacking: bool
    conditions: Conditions
    seed: int
    workers: int


@dataclass(frozen=True, eq=False)
class KeptAnswer:
    """What has been proved of one question.

    Attributes
    ----------
    game : Game
        The position.
    start : Position
        Who stands where, or did after the moves that had been made in the phase.
    asked : Asked
        The question.
    value : tuple of Fraction
        What the tiers come to at best.
    plan : Plan or None
        A plan that does; None: there is none.
    confirmed : bool
        Whether a second solver configuration has agreed that there is none.
    """

    game: Game
    start: Position
    asked: Asked
    value: tuple[Fraction, ...]
    plan: Plan | None
    confirmed: bool

    @property
    def size(self) -> int:
        """How many moves it has."""
        return 1 if self.plan is None else len(self.plan.moves) + 1

    def is_of(self, game: Game, start: Position, asked: Asked) -> bool:
        """Tell whether it answers a question about a position."""
        here = self.start is start or (self.game.begun is None and self.start == start)
        return here and self.game.is_like(game) and self.asked == asked


def answer_again(context: SearchContext) -> Result | None:
    """Return what has been proved of the same question before, its plan played by the referee; None: nothing has."""
    if _is_apart(context) or context.limits.late:
        return None
    scenario, asked = context.scenario, _asked(context)
    known = (one for one in scenario.memory.of(KeptAnswer) if one.is_of(scenario.game, scenario.start, asked))
    if (kept := next(known, None)) is None:
        return None
    scenario.memory.keep(kept)
    if kept.plan is None:
        return Result("infeasible", context.seconds, confirmed=kept.confirmed)
    plan = replace(kept.plan)  # that of a former answer belongs to the scenario that was asked about
    if not context.is_replayed(plan):
        return None
    found = context.result(plan, context.replay(plan), Claim(kept.value, proved=True, values=kept.value))
    context.remember(plan, found.value)
    for tier, value in enumerate(found.value):
        context.tell(Progress(tier, value, value, context.seconds))
    context.replays.release()
    return found


def keep_answer(context: SearchContext, found: Result) -> None:
    """Keep an answer of which everything is proved."""
    best = found.status == "optimal" and found.value == found.bound
    if (best or found.status == "infeasible") and not _is_apart(context):
        scenario = context.scenario
        kept = KeptAnswer(scenario.game, scenario.start, _asked(context), found.value, found.plan, found.confirmed)
        scenario.memory.keep(kept)


def _asked(context: SearchContext) -> Asked:
    scenario, limits = context.scenario, context.limits
    what = scenario.tiers, scenario.requirements, scenario.attacking
    return Asked(*what, context.conditions, limits.seed, limits.workers)


def _is_apart(context: SearchContext) -> bool:
    """Tell whether a search leaves out rules, or is to do a certain amount of work, whatever has been asked before."""
    return bool(context.without) or context.limits.effort is not None
