"""What the units of a team must spend at least until something counts: bounds for the search of a team."""

from __future__ import annotations

import heapq
from collections.abc import Iterable

from planner.reachability.conditional_reach import ConditionalReach
from planner.reachability.ground import UnitGround
from planner.rules.play import overrun_links


class TeamProspect:
    """What a unit must spend at least, from each hex, until it overruns somebody, or something counts.

    Terrain alone is asked, and what the rules say of the unit; what steps need of others isn't.

    Parameters
    ----------
    reach : ConditionalReach
        The steps.
    unit : str
        The unit.
    matter : frozenset of str or None
        Hexes in which it may be worth while to end, and enemies whom to overrun; None: all.

    Attributes
    ----------
    overrun : dict from hex labels to int
        MP to the end of the next overrun, scaled; of hexes without an entry there is none.
    through : dict from hex labels to int
        MP to the end of the next overrun, and from there to something that counts, if that overrun doesn't, scaled.
    goal : dict from hex labels to int
        MP to something that counts, scaled: the end of an overrun of somebody who matters, or a hex that does, other than
        the one it is in.
    """

    def __init__(self, reach: ConditionalReach, unit: str, matter: frozenset[str] | None) -> None:
        ground = ground_of(reach, unit)
        ways_in, overruns = ground.ways_in, ground.overruns
        # Where units mayn't end everywhere, an overrun may be what takes them to where they may.
        any_counts, names = matter is None or reach.limiting_halts, matter or frozenset[str]()
        wanted = {to for _, to, _ in overruns if any_counts or not names.isdisjoint((to, *reach.victims_at(to)))}
        to_goal = [(label, cost) for label, to, cost in overruns if to in wanted]
        for to in ground.hexes if matter is None else matter.intersection(ground.hexes):
            to_goal += ways_in.get(to, ())
        self.overrun = _back(ways_in, _least((label, cost) for label, _, cost in overruns))
        self.goal = _back(ways_in, _least(to_goal))
        onward = {to: 0 if to in wanted else self.goal.get(to) for _, to, _ in overruns}
        through = ((label, cost + more) for label, to, cost in overruns if (more := onward[to]) is not None)
        self.through = _back(ways_in, _least(through))


def ground_of(reach: ConditionalReach, unit: str) -> UnitGround:
    """Return how a unit gets about; it is worked out once for all units that differ by their names alone."""
    counter, departed = reach.game.units[unit], reach.departed(unit)
    home, tally = reach.game.homes[unit], reach.tally_before(counter)
    key = reach.kind_of(counter), home, departed.spent, departed.steps > 0, tally
    if key not in reach.grounds:
        reach.grounds[key] = _walked(reach, unit)
    return reach.grounds[key]


def _walked(reach: ConditionalReach, unit: str) -> UnitGround:
    counter, home, most = reach.game.units[unit], reach.game.homes[unit], reach.most_mp(reach.game.units[unit])
    ways_in: dict[str, list[tuple[str, int]]] = {}
    overruns: list[tuple[str, str, int]] = []
    before_it, begun = reach.departed(unit).spent, reach.departed(unit).steps > 0
    spent, queue = {home: before_it}, [(before_it, home)]
    while queue:
        mp, label = heapq.heappop(queue)
        if mp > spent[label]:
            continue
        first = label == home and not begun
        out = [(to, step) for to, step in reach.leads(unit, label) if step.arc.victims is None]
        for to in overrun_links(reach.game, label):
            if reach.victims_at(to):
                out += [(to, step) for step in reach.overrun_steps(counter, label, to)]
        for to, step in out:
            cost = step.cost
            if mp + cost > most and not reach.affords(counter, step.between(label, to), mp + cost, first):
                continue
            if step.arc.victims is not None:
                overruns.append((label, to, cost))
            ways_in.setdefault(to, []).append((label, cost))
            if mp + cost < spent.get(to, mp + cost + 1):
                spent[to] = mp + cost
                heapq.heappush(queue, (mp + cost, to))
    return UnitGround(ways_in, overruns, frozenset(spent))


def _least(some: Iterable[tuple[str, int]]) -> dict[str, int]:
    """Return the least number of each hex."""
    found: dict[str, int] = {}
    for label, mp in some:
        found[label] = min(mp, found.get(label, mp))
    return found


def _back(ways_in: dict[str, list[tuple[str, int]]], first: dict[str, int]) -> dict[str, int]:
    """Return what it costs at least to get from each hex to one from which the rest is known, and that with it."""
    least, queue = dict(first), [(mp, label) for label, mp in first.items()]
    heapq.heapify(queue)
    while queue:
        mp, label = heapq.heappop(queue)
        if mp > least[label]:
            continue
        for origin, cost in ways_in.get(label, ()):
            if mp + cost < least.get(origin, mp + cost + 1):
                least[origin] = mp + cost
                heapq.heappush(queue, (mp + cost, origin))
    return least
