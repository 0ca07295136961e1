"""What a unit can do, given its conditions."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from planner.plans.plan import Move
from planner.rules.atoms import Atom
from planner.rules.demands import Demand


class Possibility(NamedTuple):
    """Something that a unit can do, given its conditions.

    Attributes
    ----------
    unit : str
        The unit.
    end : str
        Where it ends.
    mp : Fraction
        MP spent on it.
    path : tuple of str
        The hexes, the hex of departure first.
    overruns : frozenset of int
        The indices into the path of the hexes that it overruns.
    needs : frozenset of Atom
        What must hold when it moves.
    removes : tuple of str
        The enemies that are gone after it has moved, and markers and control that it has taken.
    stop : tuple of Demand
        What moving on from its end would still need; empty if nothing.
    carried : tuple of (int, str)
        The indices into the path of the places to which a carrier takes it, each with the zone that is crossed.
    """

    unit: str
    end: str
    mp: Fraction
    path: tuple[str, ...]
    overruns: frozenset[int] = frozenset()
    needs: frozenset[Atom] = frozenset()
    removes: tuple[str, ...] = ()
    stop: tuple[Demand, ...] = ()
    carried: tuple[tuple[int, str], ...] = ()

    @property
    def move(self) -> Move:
        """The move by which the unit does it, whichever carriers are left for it."""
        return Move((self.unit,), self.path, self.overruns, tuple((step, "") for step, _ in self.carried))
