"""Proved answers, kept for when the very same is asked again: the plan is played anew, the proof isn't made anew.

The same is asked, too, of a position in which nothing has changed near any place where a friend stands or might come: what
the rules say of steps, and of where moves end, depends on what is near (`Rule.looks_near`), and so does what is counted
(`Term.looks_near`). So the same plans are legal there, and each is worth the same.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

from planner.errors import OutOfTimeError
from planner.objective import Term, Tier, terms_of
from planner.objective.scoring import Value
from planner.plans.plan import Plan
from planner.reachability.kept_reach import changed_near, itself_of
from planner.reachability.undisturbed import groups_of
from planner.rules.combat_roles import Fights
from planner.rules.game import Game
from planner.search.context import SearchContext, StrategyClaim
from planner.search.result import Progress, Result
from planner.solver.side_constraints import Conditions
from planner.world.position import Position


class AnswerKey(NamedTuple):
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
class Surroundings:
    """On what an answer rests, where it rests on nothing but what is near places where a friend stands or might come.

    Attributes
    ----------
    places : frozenset of str
        Those places.
    throughout : tuple
        What is said of the whole position, and of each unit itself that can move.
    """

    places: frozenset[str]
    throughout: tuple[object, ...]

    def are_alike(self, game: Game, context: SearchContext) -> bool:
        """Tell whether all that the answer rests on is the same in the position of a search as in that of the answer."""
        now = context.scenario.game
        if game.begun is not None or now.begun is not None or (changed := changed_near(game, now)) is None:
            return False
        try:
            return changed.isdisjoint(self.places) and _throughout(context) == self.throughout
        except OutOfTimeError:  # where supply is traced, that takes its time
            return False


@dataclass(frozen=True, eq=False)
class KeptAnswer:
    """What has been proved of one question.

    Attributes
    ----------
    game : Game
        The position.
    start : Position
        Who stands where, or did after the moves that had been made in the phase.
    asked : AnswerKey
        The question.
    value : tuple of Fraction
        What the tiers come to at best.
    plan : Plan or None
        A plan that does; None: there is none.
    confirmed : bool
        Whether a second solver configuration has agreed that there is none.
    surroundings : Surroundings or None
        What must be the same in another position for it to be the answer there, too; None: all.
    """

    game: Game
    start: Position
    asked: AnswerKey
    value: Value
    plan: Plan | None
    confirmed: bool
    surroundings: Surroundings | None

    @property
    def size(self) -> int:
        """How many moves it has, and places on which it rests."""
        places = 0 if self.surroundings is None else len(self.surroundings.places)
        return places + (1 if self.plan is None else len(self.plan.moves) + 1)

    def is_of(self, game: Game, start: Position, asked: AnswerKey) -> bool:
        """Tell whether it answers a question about a position."""
        here = self.start is start or (self.game.begun is None and self.start == start)
        return here and self.game.is_like(game) and self.asked == asked

    def holds_in(self, context: SearchContext, asked: AnswerKey) -> bool:
        """Tell whether it answers a question about another position, too."""
        near = self.surroundings
        return near is not None and self.asked == asked and near.are_alike(self.game, context)


def answer_again(context: SearchContext) -> Result | None:
    """Return what has been proved of the same question before, its plan played by the referee; None: nothing has."""
    if _is_apart(context) or context.limits.late:
        return None
    scenario, asked = context.scenario, _asked(context)
    known = scenario.memory.of(KeptAnswer)
    here = (one for one in known if one.is_of(scenario.game, scenario.start, asked))
    if (kept := next(here, None) or next((one for one in known if one.holds_in(context, asked)), None)) is None:
        return None
    scenario.memory.keep(kept)
    if kept.plan is None:
        return Result("infeasible", context.seconds, confirmed=kept.confirmed)
    plan = replace(kept.plan)  # that of a former answer belongs to the scenario that was asked about
    if not context.is_replayed(plan):
        return None
    found = context.result(plan, context.replay(plan), StrategyClaim(kept.value, proved=True, values=kept.value))
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
        what = found.value, found.plan, found.confirmed
        kept = KeptAnswer(scenario.game, scenario.start, _asked(context), *what, _surroundings(context))
        scenario.memory.keep(kept)


def _surroundings(context: SearchContext) -> Surroundings | None:
    """Return on what an answer rests, if units move by themselves, at once, and for sure, and all that counts is near."""
    scenario, reach = context.scenario, context.ground.reach
    game, terms = scenario.game, terms_of(scenario.tiers, scenario.requirements)
    simple = context.plain and not (reach.rolls or context.narrow or scenario.asks_for_attacks or game.begun)
    if not simple or "model" not in context.__dict__ or context.model.coupling.teams or game.rulebook.of(Fights):
        return None
    if reach.kept is None or (relaxed := reach.kept.relaxed) is None or not all(term.looks_near for term in terms):
        return None
    homes = (home for unit, home in game.homes.items() if unit in game.friends)
    try:
        return Surroundings(frozenset().union(homes, *relaxed.ends.values()), _throughout(context))
    except OutOfTimeError:
        return None


def _throughout(context: SearchContext) -> tuple[object, ...]:
    """Return what is said of the whole position, and of each unit itself that can move."""
    reach = context.ground.reach
    themselves = {unit: itself_of(reach, unit) for unit in reach.movers}
    return reach.scale, reach.tokens, groups_of(context.scenario.game), themselves


def _asked(context: SearchContext) -> AnswerKey:
    scenario, limits = context.scenario, context.limits
    what = scenario.tiers, scenario.requirements, scenario.attacking
    return AnswerKey(*what, context.conditions, limits.seed, limits.workers)


def _is_apart(context: SearchContext) -> bool:
    """Tell whether a search leaves out rules, or is to do a certain amount of work, whatever has been asked before."""
    return bool(context.without) or context.limits.effort is not None
