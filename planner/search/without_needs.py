"""What the first tier comes to at most, if units needed nothing of each other: a bound where listing all takes too long.

Of a unit with long legs among many enemies, it is what it needs of others that makes its ways so many: a friend in this
hex, another one in that. Take it that whatever others might bring about is there already. Then a unit can do at least
what it can do in any plan: it ends in the same hex, has eliminated no fewer, and needs nothing. All units together can
be bounded by a model without an order of moves; who ends where is still limited by the rules about the last position.
No plan is worth more than its optimum, and a plan that comes to it is proved best in the first tier, with few of its
ways ever listed. Measured on five boards of 80 units of MA 16 to 20: on three of them a plan comes to it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from fractions import Fraction

from planner.limits import Limits
from planner.reachability.event_reach import waits
from planner.reachability.possibility import Possibility
from planner.reachability.worker_processes import list_all
from planner.rules.atoms import Atom
from planner.search.confirmation import nothing_known
from planner.search.context import SearchContext
from planner.search.reach_cache import ReachCache
from planner.search.relevance import Relevance
from planner.solver.cp_sat import maximize
from planner.solver.model import ceiling, most, unscaled, what_matters
from planner.world.forces import Unit


def most_without_needs(context: SearchContext, limits: Limits) -> Fraction | None:
    """Return what no plan exceeds in the first tier; None where nothing is known of that.

    Parameters
    ----------
    context : SearchContext
        A search for a plan with an objective. Nothing is known if units roll, wait, fight, attack or move together, are
        carried, or if it matters what their moves cost, or where anybody ends (`Term.depends_on`), or may be worse that
        somebody is gone.
    limits : Limits
        When it must end.

    Raises
    ------
    OutOfTimeError
        If it must end before all that the units might do is listed.
    """
    first = replace(context.scenario, tiers=context.scenario.tiers[:1], requirements=())
    listed = ReachCache(first, limits, without=context.without)
    names, reach = what_matters(first), listed.reach
    counts_more = reach.counts_hexes or reach.most_legs or any(term.counts_mp for term in first.tiers[0].terms)
    if names is None or counts_more or reach.rolls or first.asks_for_attacks:
        return None
    if context.combat is not None or waits(first.game) or listed.teams or not reach.removals_welcome:
        return None

    def truth(unit: Unit, atom: Atom) -> bool:
        return reach.before_all(unit, atom) is not False

    def listing(unit: str) -> list[Possibility]:
        return _doing_most(reach.possibilities(unit, truth), names)

    units = list(reach.movers)
    possibilities = dict(zip(units, list_all(listing, units, limits.workers, reach.check_time), strict=True))
    model = listed.build_options(
        possibilities=Relevance(reach, possibilities, names, mp_counts=False, spread=True).kept()
    )
    expression = model.coupling.expression(model.tiers[0])
    if isinstance(expression, int):
        return unscaled(expression, model.scale)
    maximize(model.coupling.model, expression)
    search = SearchContext(first, limits, nothing_known, without=context.without, listed=listed)
    solved = search.solve(model, 0, told=False)
    highest = ceiling(model.tiers[0], model.coupling)
    bound = highest if solved.bound is None else min(solved.bound, highest)
    return min(unscaled(bound, model.scale), most(first.tiers[0], first.game))


def _doing_most(possibilities: Sequence[Possibility], names: Collection[str]) -> list[Possibility]:
    """Return, of ways to end in a hex, those that eliminate most of what counts, whatever they cost, and need nothing."""
    counted = [(frozenset(names).intersection(found.removes), found) for found in possibilities]
    kept: dict[str, list[tuple[frozenset[str], Possibility]]] = {}
    for removes, found in sorted(counted, key=lambda one: -len(one[0])):
        here = kept.setdefault(found.end, [])
        if not any(more >= removes for more, _ in here):
            here.append((removes, found))
    # That an enemy is there still is needed yet: it is, of whoever comes first.
    return [found._replace(needs=frozenset()) for here in kept.values() for _, found in here]
