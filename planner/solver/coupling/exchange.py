"""Who of the attackers is lost by an exchange of strength."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import combinations
from typing import TYPE_CHECKING

from planner.solver.coupling.retreats import Taking
from planner.solver.cp_sat import Holds, Literal, cp_model

if TYPE_CHECKING:
    from planner.solver.coupling.final_position import FinalPosition


class Exchange:
    """Who of the attackers is lost by an exchange: the least strength that will do, then the fewest units, then the first.

    That is no constraint that could be written down beforehand: once `settle` has been called, it is cut off where a
    solution has it otherwise.

    Parameters
    ----------
    outcome : FinalPosition
        Gets the constraints.
    taking : dict from units to literals
        Who takes part: one of them holds.
    lost : dict from units to literals
        Who is lost.
    due : Fraction
        What they must be worth.
    made : literal
        Whether the attack is made so.

    Attributes
    ----------
    lost : dict from units to literals
        Who is lost.
    total : literal
        One of those that are cut off.
    """

    def __init__(
        self,
        outcome: FinalPosition,
        taking: Taking,
        lost: Mapping[str, cp_model.IntVar],
        due: Fraction,
        made: Literal,
    ) -> None:
        self._outcome, self._taking, self.lost, self._due, self._made = outcome, taking, lost, due, made
        self._here: dict[str, Literal] = {}
        self.total = next(iter(lost.values()))

    def settle(self) -> None:
        """Leave it neither to the objective nor to chance who is lost."""
        if not self._here:
            self._here = {unit: self._outcome.any_of(takes) for unit, takes in self._taking.items()}
            self._outcome.unions.append(self)

    def most(self, holds: Holds) -> int:
        """Return what may be claimed: anything, see `tighten`."""
        return 1

    def tighten(self, holds: Holds, claimed: int) -> bool | None:
        """Ensure who is lost of those who take part in a solution; None if that is what it says."""
        if not holds(self._made):
            return None
        units, outcome = self._outcome.game.units, self._outcome
        there = outcome.game.sorted(unit for unit, literal in self._here.items() if holds(literal))
        some = (chosen for size in range(len(there) + 1) for chosen in combinations(there, size))
        worth = ((sum((units[unit].attack for unit in chosen), Fraction(0)), chosen) for chosen in some)
        lost = min(
            ((total, len(those), index, those) for index, (total, those) in enumerate(worth) if total >= self._due),
            default=(0, 0, 0, there),
        )[-1]
        if {unit for unit, literal in self.lost.items() if holds(literal)} == set(lost):
            return None
        otherwise = [outcome.negate(self._made)]
        otherwise += [outcome.negate(literal) if unit in there else literal for unit, literal in self._here.items()]
        for unit, literal in self.lost.items():
            outcome.add_or([*otherwise, literal if unit in lost else outcome.negate(literal)])
        return False
