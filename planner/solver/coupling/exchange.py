"""Who of the attackers is lost by an exchange of strength."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from math import ceil, lcm
from typing import TYPE_CHECKING

from planner.solver.coupling.attacks import Engaged
from planner.solver.coupling.retreats import Taking
from planner.solver.cp_sat import Holds, Literal, cp_model

if TYPE_CHECKING:
    from planner.rules.game import Game
    from planner.solver.coupling.final_position import FinalPosition
    from planner.world.forces import Unit


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
    ways : sequence of literal
        Of which one holds if the attack is made so.

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
        ways: Sequence[Literal],
    ) -> None:
        self._outcome, self._taking, self.lost, self._due, self._ways = outcome, taking, lost, due, ways
        self._here: dict[str, Literal] = {}
        self._made: Literal = False
        self.total = next(iter(lost.values()))

    def settle(self) -> None:
        """Leave it neither to the objective nor to chance who is lost."""
        if not self._here:
            self._made = self._outcome.any_of(self._ways)
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


def exchanged(outcome: FinalPosition, taking: Taking, alike: Sequence[Engaged], due: Fraction) -> Exchange | None:
    """Return who of the attackers is lost by an exchange: units worth as little as will do, see `Exchange`.

    Parameters
    ----------
    outcome : FinalPosition
        Gets the constraints.
    taking : dict from units to literals
        Who takes part beside the enemies.
    alike : sequence of Engaged
        The ways in which the attack may come out.
    due : Fraction
        What they must be worth, if they are worth so much.
    """
    model, units = outcome.model, outcome.game.units
    if not due or not taking:
        return None
    perhaps = any(may_lose_all(outcome.game, attack, due) for attack in alike)
    every: cp_model.LinearExpr | int = outcome.new_literal() if perhaps else 0
    ways = [attack.made for attack in alike]
    scale = lcm(due.denominator, *(units[unit].attack.denominator for unit in taking))
    total, lost = list[cp_model.LinearExpr](), dict[str, cp_model.IntVar]()
    for unit, takes in taking.items():
        gone = lost[unit] = outcome.new_literal()
        model.add(gone <= sum(takes))
        total.append(int(min(units[unit].attack, due) * scale) * gone)  # more of one unit than is due is of no use
        if perhaps:
            model.add(gone >= sum(takes) - (1 - every))
    least = int(due * scale)
    if all(part.beside or part.afar for attack in alike for part, _ in attack.parts):
        least -= int(min(units[unit].attack for unit in taking) * scale)  # somebody is beside them, and lost
    model.add(sum(total) >= int(due * scale) * sum(ways) - max(0, least) * every)
    if perhaps:
        # Only where all together are worth less than is due, all are lost; others have made up the odds then.
        most = _strongest(outcome.game, taking, alike, scale)
        weighted = [int(units[unit].attack * scale) * sum(takes) for unit, takes in taking.items()]
        model.add(sum(weighted) + max(0, most - int(due * scale) + 1) * every <= most * sum(ways))
        need = min(_from_afar(attack, units, due) for attack in alike)
        fine = lcm(need.denominator, *(part.strength.denominator for attack in alike for part, _ in attack.parts))
        afar = [int(p.strength * fine) * taken for attack in alike for p, taken in attack.parts if not p.beside]
        if need > 0:
            model.add(sum(afar) >= int(need * fine) * every)
    return Exchange(outcome, taking, lost, due, ways)


def may_lose_all(game: Game, attack: Engaged, due: Fraction) -> bool:
    """Tell whether those who attack in some way beside the enemies may be worth less together than an exchange costs."""
    afar: dict[str, Fraction] = {}
    for part, _ in attack.parts:
        if not part.beside:
            afar[part.unit] = max(part.strength, afar.get(part.unit, part.strength))
    return sum(afar.values(), Fraction(0)) >= _from_afar(attack, game.units, due)


def _from_afar(attack: Engaged, units: Mapping[str, Unit], due: Fraction) -> Fraction:
    """Return with what others must attack at least where those beside the enemies are worth less than is due."""
    beside = [part for part, _ in attack.parts if part.beside]
    scale = lcm(due.denominator, *(units[part.unit].attack.denominator for part in beside))
    ratio = max((part.strength / units[part.unit].attack for part in beside), default=Fraction(0))
    least = Fraction(max(0, attack.mode.least or 0), attack.target.scale)
    return max(Fraction(0), least - ratio * (due - Fraction(1, scale)))


def _strongest(game: Game, taking: Taking, alike: Sequence[Engaged], scale: int) -> int:
    """Return what the printed strength of those who take part doesn't exceed, scaled."""
    units, most = game.units, Fraction(0)
    for attack in alike:
        total = sum((units[unit].attack for unit in taking), Fraction(0))
        if attack.mode.most is not None:
            parts = [part for part, _ in attack.parts if part.unit in taking]
            if all(part.strength for part in parts):  # whose strength is rounded to nothing isn't limited by it
                ratio = max((units[part.unit].attack / part.strength for part in parts), default=Fraction(0))
                total = min(total, ratio * Fraction(max(0, attack.mode.most), attack.target.scale))
        most = max(most, total)
    return ceil(most * scale)
