"""What the solver's face of a rule may say of the position after the last move."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from planner.rules.demands import Demand

if TYPE_CHECKING:
    from planner.rules.game import Game

Literal: TypeAlias = Any
"""A truth value that a solver is still to find, a 0/1 variable or its negation, or a plain one; opaque outside `solver`."""


class EndState(Protocol):
    """What the coupling layer offers to rules that look at the position after the last move."""

    game: Game

    def moves(self, unit: str) -> Literal:
        """Return a literal: the unit makes a move."""

    def negate(self, literal: Literal) -> Literal:
        """Return a literal: another one doesn't hold."""

    def all_of(self, literals: Iterable[Literal]) -> Literal:
        """Return a literal: every one of some literals holds."""

    def gone(self, enemy: str) -> Literal:
        """Return a literal: the enemy may be eliminated by the end of the phase."""

    def taken(self, label: str) -> Literal:
        """Return a literal: some unit may have taken the place by entering it."""

    def stands(self, unit: str, label: str) -> Literal:
        """Return a literal: the unit may stand in the hex in the end, whatever is rolled."""

    def possible_stands(self, unit: str) -> Sequence[str]:
        """Return the hexes in which the unit may stand in the end."""

    def at_most(self, terms: Sequence[tuple[int, Literal]], limit: int, demand: Demand) -> None:
        """Ensure that a weighted sum of literals stays within a limit.

        The units that the demand blames are those of the terms, in the same order.
        """
