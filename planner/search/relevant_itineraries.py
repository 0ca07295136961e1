"""What of all that units can do where they may wait can matter to the objective: the rest is left out of the model.

Where units wait, nobody but the objective minds where a unit stands in the end, but for those who need the room: overruns
are made by those who come for them, from wherever they were. So an itinerary *matters* if it ends where the objective looks,
or takes something on its way; of those with the same parts in overruns, the cheapest matters besides.

Leaving the rest out loses nothing. Take any plan, let all who neither take part in an overrun nor end where the objective
looks stay where they are, and let all who do the former, but not the latter, do their part by the itinerary that was kept
for it, which needs no more, and no sooner, and costs no more. The same enemies fall in the same order, whoever supports an
overrun is where it was, and no term counts a move in a plan's favour but through where it ends and whom it eliminates
(`Term.depends_on`). Nobody is in anybody's way by that: an itinerary makes others needless only if it ends where no limit
can bind, wherever all others end, and so does a hex in which a unit may be taken to stay.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from zlib import crc32

from planner.reachability.conditional_reach import ConditionalReach
from planner.reachability.event_reach import EventReach, Itinerary
from planner.rules.roles import Ends
from planner.search.relevance import CrowdingEndState, UnknownError

Itineraries = Mapping[str, Sequence[Itinerary]]


def relevant_itineraries(
    reach: ConditionalReach, events: EventReach, itineraries: Itineraries, goals: Collection[str]
) -> Itineraries:
    """Return the itineraries that can matter; all of them where that can't be told.

    Parameters
    ----------
    reach : ConditionalReach
        The rules, and the clock.
    events : EventReach
        Where the itineraries come from.
    itineraries : mapping from units to itineraries
        All of them.
    goals : collection of str
        The hexes and the enemies on which objective and requirements depend.

    Raises
    ------
    OutOfTimeError
        If the time is up.
    """
    game, rule = reach.game, events.rule
    supporters = {unit for label in events.events if rule for unit in events.supporters(label)}
    ranked = {unit: sorted(some, key=_rank) for unit, some in itineraries.items()}
    kept = dict(ranked)
    stands_in = {unit: [home] for unit, home in game.homes.items() if unit in game.friends}
    crowded: set[str] = set()
    filled: set[str] | None = None
    relied: dict[str, set[str]] = {}
    try:
        while filled is None or filled:
            for unit, some in ranked.items():
                # Who supports an overrun may have to move for it first, which is no plan of the model's.
                if unit in supporters or (filled is not None and filled.isdisjoint(relied[unit])):
                    continue
                reach.check_time()
                kept[unit], relied[unit] = _choose(some, game.homes[unit], goals, crowded)
            for unit, some in kept.items():
                relied.setdefault(unit, set())
                stands_in[unit] = list(dict.fromkeys([game.homes[unit], *(one.end for one in some)]))
            crowds = CrowdingEndState(game, stands_in)
            for limit in reach.of(Ends):
                limit.post_end(crowds)
            filled = crowds.hexes - crowded
            crowded |= filled
    except UnknownError:
        return itineraries
    return kept


def _rank(one: Itinerary) -> tuple[object, ...]:
    """Rank cheap itineraries first, of these the shortest; of ends nowhere in particular each unit has others first."""
    return one.mp, len(one.needs), len(one.path), crc32(f"{one.unit} {one.end}".encode())


def _choose(
    ranked: Sequence[Itinerary], home: str, goals: Collection[str], crowded: Collection[str]
) -> tuple[list[Itinerary], set[str]]:
    """Return what matters of a unit's itineraries, and the hexes with room to end in that make the others needless."""
    kept: list[Itinerary] = []
    relied: set[str] = set()
    rivals: dict[object, list[Itinerary]] = {}
    for one in ranked:
        doing = tuple(part[1:] for part in one.parts), one.taken
        if one.end not in goals:
            if home not in crowded and not (one.parts or one.taken):
                relied.add(home)
                continue
            rival = next((other for other in rivals.get(doing, ()) if _asks_no_more(other, one)), None)
            if rival is not None:
                relied.add(rival.end)
                continue
        kept.append(one)
        if one.end not in crowded:
            rivals.setdefault(doing, []).append(one)
    return kept, relied


def _asks_no_more(one: Itinerary, other: Itinerary) -> bool:
    """Tell whether an itinerary needs nothing that another one with the same parts doesn't need as early."""
    if one.foremost and not other.foremost:
        return False
    theirs = dict(other.needs)
    return all(theirs.get(enemy, number + 1) <= number for enemy, number in one.needs)
