"""Who is carried by which marker: one marker for each passage, found by matching."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from planner.world.position import Leg


def assign_carriers(legs: Sequence[Leg]) -> list[str] | None:
    """Give each leg a marker of its own.

    A leg that is linked to the one before it must cross another zone.

    Parameters
    ----------
    legs : sequence of Leg
        The legs, in the order in which they were made, but that each linked one follows the one before it.

    Returns
    -------
    list of str or None
        The id of a marker for each leg; None if there aren't enough.
    """
    chained = [leg.linked or (index + 1 < len(legs) and legs[index + 1].linked) for index, leg in enumerate(legs)]
    choices = []
    for leg, linked in zip(legs, chained, strict=True):
        # Only where legs are linked does it matter which of several zones is crossed.
        every = tuple(marker for _, markers in leg.carriers for marker in markers)
        choices.append(leg.carriers if linked and len(leg.carriers) > 1 else (("", every),))
    for choice in product(*choices):
        zones = [
            zone or (leg.carriers[0][0] if leg.carriers else "") for (zone, _), leg in zip(choice, legs, strict=True)
        ]
        clash = any(legs[index].linked and zones[index - 1] == zones[index] for index in range(1, len(legs)))
        found = None if clash else _match([markers for _, markers in choice])
        if found is not None:
            return found
    return None


def _match(candidates: Sequence[Sequence[str]]) -> list[str] | None:
    """Match each entry with one of its candidates, no candidate twice, by augmenting paths."""
    taken: dict[str, int] = {}
    if not all(_place(index, candidates, taken, set()) for index in range(len(candidates))):
        return None
    by_leg = {index: marker for marker, index in taken.items()}
    return [by_leg[index] for index in range(len(candidates))]


def _place(index: int, candidates: Sequence[Sequence[str]], taken: dict[str, int], tried: set[str]) -> bool:
    """Match one entry, and others anew where it must be; tell whether it can be done."""
    for marker in candidates[index]:
        if marker not in tried:
            tried.add(marker)
            if marker not in taken or _place(taken[marker], candidates, taken, tried):
                taken[marker] = index
                return True
    return False
