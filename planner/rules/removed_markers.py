"""Which rules may remove markers of a kind, for rules whose solver's face looks where these lie from the start."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from planner.rules.roles import Captures, Removes
from planner.world.selectors import MarkerSelector

if TYPE_CHECKING:
    from planner.rules.rulebook import Rulebook


def removers_of(rulebook: Rulebook, markers: MarkerSelector | None, own: bool = False) -> Iterator[Removes]:
    """Yield the rules by which markers may be gone before the phase is over.

    Parameters
    ----------
    rulebook : Rulebook
        The rules.
    markers : MarkerSelector or None
        The markers; None: no markers.
    own : bool
        Whether only those of the phasing side are meant, which whoever takes a place doesn't eliminate.
    """
    for rule in rulebook.of(Removes):
        if not (own and isinstance(rule, Captures)) and _may_share(rulebook, markers, rule.markers):
            yield rule


def problems_of_own(rulebook: Rulebook, field: str, markers: MarkerSelector | None) -> Iterator[str]:
    """Yield what is wrong with a field that names markers of the phasing side, if a rule may remove such markers.

    Parameters
    ----------
    rulebook : Rulebook
        The rules.
    field : str
        The name of the field.
    markers : MarkerSelector or None
        What it names; None: no markers.
    """
    for rule in removers_of(rulebook, markers, own=True):
        yield (
            f"{field} doesn't go with {rule.kind} ({rule.id}), by which such markers of one's own may be gone: let one of "
            "the two name other markers"
        )


def _may_share(rulebook: Rulebook, one: MarkerSelector | None, other: MarkerSelector | None) -> bool:
    """Tell whether there may be a marker that both selectors choose."""
    if one is None or other is None:
        return False
    if one.sides and other.sides and set(one.sides).isdisjoint(other.sides):
        return False
    return any(
        all((not by.types or name in by.types) and set(by.traits) <= set(kind.traits) for by in (one, other))
        for name, kind in rulebook.forces.marker_types.items()
    )
