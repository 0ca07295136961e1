"""Who sees to what: units to which several needs are given so that each is seen to by one of them."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import TypeVar

N = TypeVar("N", bound=Hashable)


def largest_matching(
    needs: Sequence[N],
    suitors: Callable[[N], Iterable[str]],
    held: Mapping[str, N],
    fixed: Iterable[str] = (),
) -> dict[N, str]:
    """Give as many needs as can be to units, one to each: a largest matching, by augmenting paths.

    Parameters
    ----------
    needs : sequence
        What is to be seen to.
    suitors : callable
        Yields the units that can see to a need, the best first.
    held : mapping from units to needs
        Who sees to what already; it is changed only where that is needed for another need.
    fixed : iterable of str
        The units among them that must go on seeing to what they do.

    Returns
    -------
    dict from needs to units
    """
    given: dict[N, str] = {}
    for unit, need in held.items():
        given.setdefault(need, unit)
    kept, known = set(fixed), dict[N, list[str]]()

    def seen_to(need: N, tried: set[str]) -> bool:
        if need not in known:
            known[need] = list(suitors(need))
        busy = {unit: other for other, unit in given.items()}
        for unit in known[need]:
            if unit not in busy and unit not in tried:
                given[need] = unit
                return True
        for unit in known[need]:
            if unit in tried or unit in kept or unit not in busy:
                continue
            tried.add(unit)
            other = busy[unit]
            given[need] = unit
            del given[other]
            if seen_to(other, tried):
                return True
            given[other] = unit
            given.pop(need, None)
        return False

    for need in needs:
        if need not in given:
            seen_to(need, set())
    return given


def too_few_helpers(needs: Sequence[N], suitors: Callable[[N], Iterable[str]]) -> tuple[list[N], set[str]]:
    """Return needs to which fewer units can see than there are needs, and these units (Hall's theorem); none if all can be.

    Parameters
    ----------
    needs : sequence
        What is to be seen to, each of it by another unit.
    suitors : callable
        Yields the units that can see to a need.
    """
    known = {need: list(suitors(need)) for need in needs}
    given = largest_matching(needs, known.__getitem__, {})
    left = next((need for need in needs if need not in given), None)
    if left is None:
        return [], set()
    sees_to = {unit: need for need, unit in given.items()}
    found, units = [left], set[str]()
    for need in found:
        for unit in known[need]:
            if unit not in units:
                units.add(unit)
                found.append(sees_to[unit])
    return found, units
