"""Hexes that may be held on account of several rolls: what these come to together is no sum.

The probability that at least one of several independent rolls goes through is 1 - (1 - p) (1 - q) ... That is a concave
function of the sum of -log(1 - p), which is linear in the literals, so that tangents bound it from above, closely but not
exactly. And it is submodular: what one more roll adds is the less the more there are already. From that follow the cuts of
Nemhauser and Wolsey ("Best algorithms for approximating the maximum of a submodular set function", 1978), which are exact
for the combination for which they are made. They are made for what a solution claims too much, until one doesn't. A tangent
that touches there is as close, for all combinations of the same chances: what they come to, rounded up.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import ceil, exp, floor, lcm, log, log1p, prod
from typing import Protocol

from planner.solver.cp_sat import Holds, Literal, cp_model
from planner.solver.tuning import Unions


class Share(Protocol):
    """A probability that rests on several rolls, bounded from above in a model.

    Attributes
    ----------
    total : expression
        The probability, scaled; at most so much.
    """

    total: cp_model.IntVar

    def most(self, holds: Holds) -> int:
        """Return what a solution may claim at most without claiming too much, scaled."""

    def tighten(self, holds: Holds, claimed: int) -> bool | None:
        """Cut off what a solution claims too much; tell whether what is left is rounded up, None if nothing is cut off."""


class Union:
    """A hex that may be held on account of several rolls.

    Parameters
    ----------
    model : CpModel
        Gets the constraints.
    scale : int
        By which probabilities are multiplied to be whole.
    certain : literal or False
        It is held whatever is rolled.
    rolled : sequence of (probability, literal) pairs
        How likely each team is to hold it: independent of each other, or of moves that exclude each other.
    several : int
        How many of these can be made in one plan at most.
    name : str
        For the solver's log.

    Attributes
    ----------
    total : expression
        The probability that it is held, scaled; at most so much.
    """

    def __init__(
        self,
        model: cp_model.CpModel,
        scale: int,
        certain: Literal,
        rolled: Sequence[tuple[Fraction, Literal]],
        several: int,
        name: str,
    ) -> None:
        self._model, self._scale = model, scale
        self._certain, self._rolled = certain, tuple(rolled)
        self._cut: set[frozenset[int]] = set()
        self._touched: set[tuple[Fraction, ...]] = set()  # the chances of combinations at which tangents touch
        # Up to so many rolls, all that they come to is whole.
        parts = lcm(*(chance.denominator for chance, _ in rolled))
        self._whole = next(count - 1 for count in range(1, several + 2) if count > several or scale % parts**count)
        self._many: Literal = False
        if self._whole < several:
            self._many = model.new_bool_var(f"many rolls for {name}")
            model.add(sum(literal for _, literal in rolled) >= (self._whole + 1) * self._many)
        self.total = model.new_int_var(0, scale, f"held {name}")
        self._post([(ceil(chance * scale), literal) for chance, literal in rolled])
        self._post_tangents(name)

    def _post(self, weighted: Sequence[tuple[int, Literal]], constant: int = 0) -> None:
        """Ensure that the probability is no more than a sum, unless the hex is held whatever is rolled."""
        terms = list(weighted)
        if self._certain is not False:
            terms.append((self._scale, self._certain))
        literals, weights = [literal for _, literal in terms], [weight for weight, _ in terms]
        self._model.add(self.total <= cp_model.LinearExpr.weighted_sum(literals, weights) + constant)

    def _post_tangents(self, name: str) -> None:
        weights = [ceil(-log1p(-float(chance)) * Unions.fineness) + 1 for chance, _ in self._rolled]
        literals = [literal for _, literal in self._rolled]
        much = int((Unions.tangents[-1] + 1) * Unions.fineness)  # from here on no tangent binds
        if self._certain is not False:
            weights.append(much)
            literals.append(self._certain)
        if (self._scale + 2) * max(sum(weights), 2 * much) > Unions.largest:
            return
        logarithm = self._model.new_int_var(0, sum(weights), f"logarithm of held {name}")
        self._model.add(logarithm == cp_model.LinearExpr.weighted_sum(literals, weights))
        for at in Unions.tangents:
            left = exp(-at)
            slope = ceil(left * self._scale) + 1
            height = ceil((1 - left - at * left) * self._scale * Unions.fineness) + Unions.fineness
            self._model.add(self.total * Unions.fineness <= slope * logarithm + height)

    def held(self, holds: Holds) -> Fraction:
        """Return how likely the hex is held in a solution."""
        if self._certain is not False and holds(self._certain):
            return Fraction(1)
        return 1 - prod((1 - chance for chance, literal in self._rolled if holds(literal)), start=Fraction(1))

    def most(self, holds: Holds) -> int:
        """Return what a solution may claim at most without claiming too much, scaled."""
        return floor(self.held(holds) * self._scale)

    def tighten(self, holds: Holds, claimed: int) -> bool | None:
        """Cut off what a solution claims too much.

        Parameters
        ----------
        holds : callable
            Tells of literals whether they hold in the solution.
        claimed : int
            The value of `total` in it.

        Returns
        -------
        bool or None
            Whether what is left is rounded up, not exact; None where nothing is to be cut off, or has been before.
        """
        if claimed <= self.most(holds):
            return None
        true = [(chance, literal) for chance, literal in self._rolled if holds(literal)]
        key, chances = frozenset(id(literal) for _, literal in true), tuple(sorted(chance for chance, _ in true))
        fails = prod((1 - chance for chance in chances), start=Fraction(1))
        held, scale = (1 - fails) * self._scale, self._scale
        # Whoever makes rolls of the same chances, no cut is closer than a tangent.
        closest = chances in self._touched and claimed <= ceil(held)
        if len(true) < 2 or key in self._cut or closest:
            return None
        self._cut.add(key)
        if chances not in self._touched and self._post_tangent_at(chances, held):
            self._touched.add(chances)
        others = [(chance, literal) for chance, literal in self._rolled if id(literal) not in key]
        # Whoever comes on top of them adds what it adds to all of them at most ...
        self._post([(ceil(chance * fails * scale), literal) for chance, literal in others], ceil(held))
        # ... and whoever is missing of them takes away what it adds to all others at least.
        missing = [(floor(chance * fails / (1 - chance) * scale), literal) for chance, literal in true]
        self._post(
            [*((ceil(chance * scale), literal) for chance, literal in others), *missing],
            ceil(held) - sum(weight for weight, _ in missing),
        )
        return held.denominator > 1

    def _post_tangent_at(self, chances: Sequence[Fraction], held: Fraction) -> bool:
        """Ensure that no rolls of the same chances claim more than these come to, whoever makes them; tell whether it is.

        Every weight is half a unit of the finer scale off at most, and the same where chances are the same. Whatever else is
        rolled, the sum is off by less than what is added, half a unit of the scale itself at most: nothing is bounded below
        what it is. Rolls so many that it needn't be whole may claim a unit more: what they come to, rounded up.
        """
        errors = len(self._rolled) + len(chances)
        fine = 2 * errors * (1 if self._many is False else Unions.finer)
        slope = float(self._scale - held) * fine
        weight = {chance: round(-log(1 - chance) * slope) for chance in {one for one, _ in self._rolled}}
        weights = [weight[chance] for chance, _ in self._rolled]
        literals = [literal for _, literal in self._rolled]
        if sum(weights) + self._scale * fine > Unions.exact:
            return False
        if self._certain is not False:
            weights.append(self._scale * fine)
            literals.append(self._certain)
        if self._many is not False:
            weights.append(fine)
            literals.append(self._many)
        constant = ceil(held * fine) + errors - sum(weight[chance] for chance in chances)
        self._model.add(self.total * fine <= cp_model.LinearExpr.weighted_sum(literals, weights) + constant)
        return True
