"""Plans put together for a unit that can go where it likes once hexes are overrun: who overruns them, with whose support.

They are guesses from what each unit can do by itself, where units may wait: whether all of it fits together isn't asked.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, islice

from planner.limits import Limits
from planner.plans.plan import Plan
from planner.reachability.event_reach import EventReach, Itinerary, Part
from planner.rules.combat_roles import JointlyOverruns
from planner.search.unit_moves import LARGEST_TEAM
from planner.solver.event_layer import plan_of
from planner.solver.tuning import WitnessPlans

Guess = tuple[dict[str, Itinerary], dict[str, tuple[str, ...]]]
"""What some units do, and who supports the overruns of hexes by them, in their order."""


class OverrunPlans:
    """Plans in which units overrun hexes for others, or with them.

    Parameters
    ----------
    events : EventReach
        Which hexes might be overrun.
    itineraries : mapping from units to itineraries
        What each unit can do.
    limits : Limits
        When to stop: where a hex can't be overrun by anybody, all ways to overrun others before it come to nothing.
    """

    def __init__(self, events: EventReach, itineraries: Mapping[str, Sequence[Itinerary]], limits: Limits) -> None:
        self._game, self._rule, self._events = events.game, events.rule, events.events
        self._itineraries, self._limits = itineraries, limits
        # What units can do that takes nothing but their part in one overrun, the cheapest first.
        self._joining: dict[Part, dict[str, list[Itinerary]]] = {}
        self._strong: dict[tuple[str, str, tuple[str, ...]], list[tuple[tuple[str, ...], tuple[str, ...]]]] = {}
        for unit, some in itineraries.items():
            for one in sorted(some, key=lambda one: (one.mp, one.path)):
                if len(one.parts) == 1 and not one.needs:
                    self._joining.setdefault(one.parts[0][1:], {}).setdefault(unit, []).append(one)

    def of(self, unit: str, label: str) -> Iterator[Plan]:
        """Yield plans that may take a unit to a place, those of few overruns first.

        Raises
        ------
        OutOfTimeError
            If it gets late.
        """
        if self._rule is None or self._rule.sure_odds is None:
            return
        ways = [one for one in self._itineraries.get(unit, ()) if one.end == label]
        ways.sort(key=lambda one: (len(one.needs) + len(one.parts), one.mp, one.path))
        for one in ways[: WitnessPlans.ways]:
            order = _events_of(one, self._game.homes)
            for made, support in islice(self._made(self._rule, one, order, {unit: one}), WitnessPlans.tries):
                yield plan_of(self._game, made, order, support)

    def _made(
        self, rule: JointlyOverruns, one: Itinerary, order: Sequence[str], made: dict[str, Itinerary]
    ) -> Iterator[Guess]:
        """Yield who could overrun hexes one after the other, besides those of whom it is settled what they do."""
        if not order:
            yield made, {}
            return
        label, rest = order[0], order[1:]
        own = [origin for _, origin, to in one.parts if to == label]
        for origin in own or self._events.get(label, {}):
            able = self._joining.get((origin, label), {})
            for team, support in self._teams(rule, label, origin, (one.unit,) if own else ()):
                self._limits.check()
                for does in _doing(team, able, label) if made.keys().isdisjoint(team) else ():
                    for all_, helpers in self._made(rule, one, rest, {**made, **does}):
                        given = {unit for some in helpers.values() for unit in some}
                        if given.isdisjoint(support):
                            yield all_, {label: support, **helpers}

    def _teams(
        self, rule: JointlyOverruns, label: str, origin: str, own: tuple[str, ...]
    ) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
        """Return who could overrun a hex, besides some who do, and with whose support; small teams first."""
        if (found := self._strong.get((label, origin, own))) is not None:
            return found
        game, units, margin = self._game, self._game.units, self._game.situation.margin
        able = self._joining.get((origin, label), {}).keys() - own
        strength = {unit: rule.attack_of(game, units[unit], label, origin) for unit in (*able, *own)}
        against = sum((units[enemy].defense for enemy in rule.opponents_of(game, label)), Fraction(0))
        defense = rule.defense_in(game, label, origin) + (against if margin is None else min(margin, against))
        strongest = sorted(game.sorted(able), key=lambda unit: -strength[unit])[: WitnessPlans.mates]
        most = min(rule.most_units or LARGEST_TEAM, LARGEST_TEAM)
        found = self._strong[label, origin, own] = []
        for size in range(0 if own else 1, most - len(own) + 1):
            for team in combinations(strongest, size):
                missing = (rule.sure_odds or 0) * defense - sum(strength[unit] for unit in (*own, *team))
                support: list[str] = []
                for helper in sorted(rule.supporters_of(game, label), key=lambda unit: -units[unit].attack):
                    if missing > 0:
                        support.append(helper)
                        missing -= units[helper].attack
                if missing <= 0:
                    found.append((team, tuple(support)))
        return found


def _events_of(one: Itinerary, homes: Mapping[str, str]) -> list[str]:
    """Return the hexes that must be overrun for an itinerary, in their order."""
    found: list[str] = []
    for number in range(len(one.parts) + 1):
        found += [homes[enemy] for enemy, before in one.needs if before == number]
        found += [to for _, _, to in one.parts[number : number + 1]]
    return list(dict.fromkeys(found))


def _doing(team: Sequence[str], able: Mapping[str, Sequence[Itinerary]], label: str) -> Iterator[dict[str, Itinerary]]:
    """Yield what a team does: all stay in the hex that they overrun, or more and more of them go on, to make room."""
    staying = {unit: next((one for one in able[unit] if one.end == label), able[unit][0]) for unit in team}
    for number in range(len(team) + 1):
        going = {unit: next((one for one in able[unit] if one.end != label), staying[unit]) for unit in team[:number]}
        yield {**staying, **going}
