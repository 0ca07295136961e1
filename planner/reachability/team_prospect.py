"""What the units of a team must spend at least until something counts: bounds for the search of a team."""

from __future__ import annotations

import heapq

from planner.reachability.conditional_reach import ConditionalReach


class Prospect:
    """What a unit must spend at least, from each hex, until something counts: an overrun, or a hex that matters.

    Terrain alone is asked, and what the rules say of the unit; what steps need of others isn't.

    Parameters
    ----------
    reach : ConditionalReach
        The steps.
    unit : str
        The unit.
    matter : frozenset of str or None
        Hexes in which it may be worth while to end; None: all.

    Attributes
    ----------
    overrun : dict from hex labels to int
        MP to the end of the next overrun, scaled; of hexes without an entry there is none.
    goal : dict from hex labels to int
        MP to the end of the next overrun, or to a hex that matters, other than the one it is in, scaled.
    """

    def __init__(self, reach: ConditionalReach, unit: str, matter: frozenset[str] | None) -> None:
        counter, home, most = reach.game.units[unit], reach.game.homes[unit], reach.most_mp(reach.game.units[unit])
        ways_in: dict[str, list[tuple[str, int]]] = {}
        overruns: dict[str, int] = {}
        before_it, begun = reach.departed(unit).spent, reach.departed(unit).steps > 0
        spent, queue = {home: before_it}, [(before_it, home)]
        while queue:
            mp, label = heapq.heappop(queue)
            if mp > spent[label]:
                continue
            steps = [step for step in reach.steps(unit, label) if not step.arc.overrun]
            for to in reach.game.board.neighbours.get(label, ()):
                if reach.victims_at(to):
                    steps += reach.overrun_steps(counter, label, to)
            for step in steps:
                to, cost = step.arc.to, step.cost
                if mp + cost > most and not reach.affords(counter, step, mp + cost, label == home and not begun):
                    continue
                if step.arc.overrun:
                    overruns[label] = min(cost, overruns.get(label, cost))
                ways_in.setdefault(to, []).append((label, cost))
                if mp + cost < spent.get(to, mp + cost + 1):
                    spent[to] = mp + cost
                    heapq.heappush(queue, (mp + cost, to))
        self.overrun = _back(ways_in, overruns)
        first = dict(overruns)
        for to in spent if matter is None else matter.intersection(spent):
            for label, cost in ways_in.get(to, ()):
                first[label] = min(cost, first.get(label, cost))
        self.goal = _back(ways_in, first)


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
