"""What is learnt from an enemy plan: the placements that it breaks, as a box."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from planner.defense.answer import Refutation
from planner.objective.scoring import Value
from planner.plans.plan import Plan

Key = tuple[str, ...]
"""The place of each defender, in the order of the scenario."""


@dataclass(frozen=True)
class Learnt:
    """An enemy plan and a box of placements: it breaks all of them that obey the rules.

    Attributes
    ----------
    plan : Plan
        The enemy's plan.
    box : dict from units to tuple of str
        The places of each defender.
    worth : dict from placements to Value
        What it is worth to the enemy under each of them that obeys the rules: each has been replayed.
    """

    plan: Plan
    box: dict[str, tuple[str, ...]]
    worth: dict[Key, Value]

    def without(self, places: Mapping[str, str]) -> Iterator[Learnt]:
        """Yield boxes that together hold every placement of this one but for one."""
        if any(places[unit] not in those for unit, those in self.box.items()):
            yield self
            return
        before: dict[str, tuple[str, ...]] = {}
        for unit, those in self.box.items():
            rest = tuple(place for place in those if place != places[unit])
            box = {u: before.get(u, rest if u == unit else all_) for u, all_ in self.box.items()}
            worth = {key: value for key, value in self.worth.items() if _inside(key, box)}
            if worth:
                yield Learnt(self.plan, box, worth)
            before[unit] = (places[unit],)

    def refutation(self, valued: bool) -> Refutation:
        """Return it as answers have it; `valued`: whether what the plan is worth matters."""
        least = min(self.worth.values()) if valued else ()
        return Refutation(self.plan, least, tuple(self.box.items()), len(self.worth))


def _inside(key: Key, box: Mapping[str, tuple[str, ...]]) -> bool:
    return all(place in those for place, those in zip(key, box.values(), strict=True))


def refutations(learnt: Iterable[Learnt], valued: bool, but: Iterable[Mapping[str, str]] = ()) -> list[Refutation]:
    """Return what was learnt as answers have it, but for some placements, which aren't rejected."""
    left = list(learnt)
    for places in but:
        left = [part for one in left for part in one.without(places)]
    return [one.refutation(valued) for one in left]
