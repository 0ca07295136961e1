"""The search for the best plan: the strategies, replayed by the referee, confirmed where they say that there is none."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Protocol

from planner.errors import OutOfTimeError, TooManyOutcomesError
from planner.limits import Limits
from planner.scenario import Scenario
from planner.search.combat_search import CombatProposals
from planner.search.confirmation import confirmed, of_another_seed, unconfirmed
from planner.search.context import SearchContext
from planner.search.every_step import try_every_step
from planner.search.few_conditions import FewNeeds
from planner.search.first_plans import BeforeModel, NobodyMoves, OfTheModel, SureMoves
from planner.search.fixed_plan import FixedPlan
from planner.search.kept_answer import answer_again, keep_answer
from planner.search.leaving_first import let_leavers_go_first
from planner.search.likely_results import LikelyProposals, RelyingOnNone
from planner.search.open_questions import why_open
from planner.search.plainly_written import plainly_written
from planner.search.redundant_moves import leave_out_idle_moves
from planner.search.required_moves import RequiredMoves
from planner.search.result import Progress, Result
from planner.search.tier_by_tier import TierByTier
from planner.solver.engine import Configuration
from planner.solver.side_constraints import Conditions
from planner.solver.tuning import RedundantMoves


class Strategy(Protocol):
    """One way to look for plans."""

    def suits(self, context: SearchContext) -> bool:
        """Tell whether it is of use, after all that those before it have found."""

    def run(self, context: SearchContext) -> Result | None:
        """Look for plans; return the answer, or None where those after it go on from the context's incumbent."""


def best_plan(context: SearchContext) -> Result:
    """Search, and return what is proved and found.

    Raises
    ------
    DisagreementError
        If solver and referee, or two solver configurations, contradict each other.
    """
    limits = context.limits
    try:
        try:
            # What is found when the time runs out is to be looked through for idle moves.
            context.limits = limits.but(min(limits.left() or 0, RedundantMoves.most) * RedundantMoves.share)
            found = _found(context)
        except (OutOfTimeError, TooManyOutcomesError) as error:
            context.cut_short = isinstance(error, OutOfTimeError)
            found = context.best_so_far(limits.stop.is_set())
        finally:
            context.cut_short, context.limits = context.cut_short or context.limits.late, limits
        found = plainly_written(context, leave_out_idle_moves(context, try_every_step(context, found)))
        found = let_leavers_go_first(context, found)
        return replace(found, seconds=context.seconds, reason=why_open(context, found))
    finally:
        context.replays.release()


STRATEGIES: tuple[Strategy, ...] = (
    NobodyMoves(),  # known at once, where it is legal
    RequiredMoves(),  # that isn't enough
    FixedPlan(),  # everything is settled beforehand
    CombatProposals(),  # entering an enemy's hex is a combat: the referee values what the solver proposes
    SureMoves(),  # first plans: units roll
    RelyingOnNone(best_plan),  # moves may rely on likely results: the best of those that don't
    BeforeModel(),  # listing takes long, or there is much to choose from
    FewNeeds(best_plan),  # listing takes too long
    OfTheModel(),  # in any case
    LikelyProposals(),  # moves may rely on likely results: the referee values what the solver proposes
    TierByTier(),  # everything else: one model, proved tier by tier
)
"""The portfolio: one after the other is run if it suits the search, until one has the answer."""


def _found(context: SearchContext) -> Result:
    for strategy in STRATEGIES:
        if strategy.suits(context):
            found = strategy.run(context)
            if found is not None:
                return found
    raise AssertionError("the last strategy suits every search, and answers it")


class Search:
    """A search for the best plan of one scenario.

    Parameters
    ----------
    scenario : Scenario
        Position, objective and requirements.
    limits : Limits, optional
        When it must end, who may stop it, its seed and its cores; absent: it takes all the time that it needs.
    on_progress : callable, optional
        Gets a `Progress` whenever something changes.
    conditions : Conditions, optional
        What is asked for beside the scenario's own objective.
    without : frozenset of str
        Families of constraints to leave out, for tests that must notice it.

    Attributes
    ----------
    context : SearchContext
        What its strategies share.
    """

    def __init__(
        self,
        scenario: Scenario,
        limits: Limits | None = None,
        on_progress: Callable[[Progress], None] | None = None,
        conditions: Conditions | None = None,
        without: frozenset[str] = frozenset(),
    ) -> None:
        asked = conditions or Conditions()
        self.context = SearchContext(asked.of(scenario), limits or Limits(), confirmed, on_progress, asked, without)

    def run(self) -> Result:
        """Search, and return what is proved and found; raises errors as `best_plan` does."""
        known = answer_again(self.context)
        if known is not None:
            return known
        found = best_plan(self.context)
        keep_answer(self.context, found)
        return found


def probe(
    scenario: Scenario,
    limits: Limits | None = None,
    confirms: bool = False,
    enough: Callable[[Fraction], bool] | None = None,
) -> SearchContext:
    """Return a search that is one of many: what it finds impossible need not be confirmed before the last of them.

    Parameters
    ----------
    scenario : Scenario
        Position, objective and requirements.
    limits : Limits, optional
        As those of `Search`.
    confirms : bool
        Whether a second configuration must agree that there is no plan; what is proved best is then proved by other
        strategies of the solver than in a probe that doesn't confirm.
    enough : callable, optional
        As that of `SearchContext`.
    """
    limits = limits or Limits()
    if not confirms:
        return SearchContext(scenario, limits, unconfirmed, enough=enough)
    other = of_another_seed(Configuration(limits.workers, limits.seed))
    return SearchContext(scenario, limits, confirmed, enough=enough, configured=other)
