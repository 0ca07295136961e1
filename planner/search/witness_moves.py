"""Moves that plans are made of which may be witnesses of where units can end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from planner.plans.plan import Move, Plan
from planner.reachability.conditional_reach import ConditionalReach
from planner.reachability.possibility import Possibility
from planner.search.redundant_moves import Services


def cheapest(found: Iterable[Possibility]) -> list[Possibility]:
    """Return what units can do, what needs least help first."""
    return sorted(found, key=lambda one: (sum(a.helped for a in one.needs), one.mp, bool(one.stop), one.path))


def by_mp(found: Iterable[Possibility]) -> list[Possibility]:
    """Return what units can do, what takes the least MP first."""
    return sorted(found, key=lambda one: (one.mp, bool(one.stop), len(one.path), one.path))


def by_itself(reach: ConditionalReach, unit: str, full: frozenset[str] | None = None) -> Iterator[Move]:
    """Yield what a unit can do while nobody else moves, if all rolls go well, cheapest first.

    Of ways that are as cheap only one is listed, and that may lead through hexes that are full: with these, ways by which it
    might get stuck in none of them, and nothing where there are none.
    """
    if full is None or full:
        ways = reach.possibilities(unit, reach.as_it_stands, rolled=True, never_stuck=full or frozenset())
        yield from (one.move for one in cheapest(ways))


def growing(plan: Plan, unit: str, services: Services | None) -> Iterator[Plan]:
    """Yield parts of a plan: a unit's own moves, with all that is known to serve them or, more and more, near their way."""
    found = [move for move in plan.moves if unit in move.units]
    if services is not None:
        yield Plan(tuple(services.enough(found)))
    while len(found) < len(plan.moves):
        yield Plan(tuple(found))
        way = {label for move in found for label in move.path}
        more = [move for move in plan.moves if move in found or move.path[0] in way or move.path[-1] in way]
        if len(more) == len(found):
            return
        found = more
