"""Why a search ends without a proof, and what would help, in one sentence."""

from __future__ import annotations

from planner.search.context import SearchContext
from planner.search.result import Result


def why_open(context: SearchContext, found: Result) -> str:
    """Return why nothing more is proved of an answer, and what would help; empty where all is proved."""
    if found.status in ("optimal", "infeasible"):
        return ""
    if context.limits.stop.is_set():
        return "It was stopped before it was proved: more time may prove it."
    if context.cut_short or context.limits.late:
        return "The time ran out before it was proved: a longer time limit may prove it."
    fewer = "fixing some moves, or units that stay, leaves fewer (--plan)"
    if context.combat is not None:
        return f"Combats are drawn, so plans are looked at one by one, and there are too many to try all: {fewer}."
    if context.one_by_one and context.scenario.game.situation.confidence == 1:
        return f"What moves cost depends on rolls, so plans are looked at one by one, and are too many to try all: {fewer}."
    if context.one_by_one:
        return f"Plans may rely on likely results: they are looked at one by one, and are too many to try all; {fewer}."
    if not context.complete:
        return f"Units may wait for each other, and not every such plan is among those that are searched: {fewer}."
    return f"What the rolls of some plans are worth is known only roughly, or too much to be gone through: {fewer}."
