"""How likely it is that several things come about together, where results are rolled: a probability that is no sum.

It is no greater than that of each of them, and what it is exactly follows, for one solution, from all ways in which those
rolls may fall that have to do with it. So it is bounded by each of them, and cut down for solutions that claim more: where
the units and enemies that were asked about do the same, it is no more than it was worked out to be.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from fractions import Fraction
from math import ceil, floor
from typing import Any

from planner.objective import Linear
from planner.reachability.team_possibility import TeamPossibility
from planner.solver.coupling.variables import Variables
from planner.solver.cp_sat import Holds, Literal, cp_model

Truth = Callable[[Any], Linear]
"""Says of a `World` whether something holds: 1 or 0."""

Chosen = Sequence[tuple[TeamPossibility, Literal]]


class _OpenError(Exception):
    """How a team's rolls fall must be said first."""

    def __init__(self, team: TeamPossibility) -> None:
        super().__init__()
        self.team = team


class World:
    """What a solution comes to if its rolls fall in one way, as an `OutcomeModel` of plain truth values.

    Parameters
    ----------
    model : Variables
        What the units may do.
    holds : callable
        Tells of literals whether they hold in the solution.
    chosen : sequence of (TeamPossibility, literal)
        The teams that move in it.
    passed : dict from teams to int
        Of teams, how many of their rolls go through.

    Attributes
    ----------
    facts : dict of int to literal
        By their indices, the literals on which rests what has been asked so far: in every solution in which they hold, the
        same rolls decide it in the same way.
    """

    confidence = Fraction(1)
    chancy = False

    def __init__(self, model: Variables, holds: Holds, chosen: Chosen, passed: dict[int, int]) -> None:
        self.game, self.mp_scale = model.game, model.mp_scale
        self.facts: dict[int, Literal] = {}
        self._model, self._holds, self._chosen, self._passed = model, holds, chosen, passed

    # -- what is known of the solution

    def _true(self, literal: Literal) -> bool:
        return literal if isinstance(literal, bool) else bool(self._holds(literal))

    def _is(self, literal: Literal) -> bool:
        """Tell whether a literal holds, and note that this matters."""
        found = self._true(literal)
        if not isinstance(literal, bool):
            fact = literal if found else ~literal
            self.facts[fact.index] = fact
        return found

    def _rolls_of(self, team: TeamPossibility) -> int:
        if id(team) not in self._passed:
            raise _OpenError(team)
        return self._passed[id(team)]

    def _where(self, unit: str) -> tuple[str | None, bool]:
        """Return where a unit stands in the end, and whether a roll that has failed keeps it there."""
        variables = self._model.units.get(unit)
        if variables is None:
            return self.game.homes.get(unit), False
        for team, literal in self._chosen:
            if unit in team.units:
                self._is(literal)
                passed = self._rolls_of(team)
                if passed < len(team.forks) and unit in team.forks[passed].units:
                    return team.forks[passed].at, True
                return team.ends[team.units.index(unit)], False
        here = next(label for label, literal in variables.reliable_ends.items() if self._true(literal))
        self._is(variables.reliable_ends[here])
        return here, False

    # -- as terms ask

    def ends(self, unit: str, label: str) -> bool:
        """The unit ends the phase in the hex."""
        return self._where(unit)[0] == label

    stands = ends

    def ends_among(self, unit: str, labels: Collection[str]) -> bool:
        """The unit ends the phase in one of some hexes."""
        return self._where(unit)[0] in labels

    def possible_ends(self, unit: str) -> tuple[str, ...]:
        """The hex in which the unit ends."""
        here = self._where(unit)[0]
        return () if here is None else (here,)

    possible_places = possible_ends

    def arrivals(self, unit: str) -> list[tuple[str, int, Fraction, Literal]]:
        """Where the unit ends its move, if it moves and isn't stuck."""
        here, stuck = self._where(unit)
        if here is None or stuck or not self.moves(unit):
            return []
        return [(here, 0, Fraction(1), True)]

    def moves(self, unit: str) -> bool:
        """The unit makes a move."""
        variables = self._model.units.get(unit)
        return variables is not None and self._is(variables.moves)

    surely_moves = moves

    def gone(self, enemy: str) -> bool:
        """The enemy is eliminated by the end of the phase."""
        if enemy not in self.game.homes:
            return True
        for team, literal in self._chosen:
            chance = next((chance for victim, chance in team.removes if victim == enemy), None)
            if chance is not None:
                self._is(literal)
                passed = self._rolls_of(team)
                return passed == len(team.forks) or chance >= (team.forks[passed - 1].chance if passed else 1)
        every = self._model.units.values()
        for literal in (variables.reliable_removals.get(enemy, False) for variables in every):
            if self._true(literal):
                return self._is(literal)
        return any(self._is(variables.removes[enemy]) for variables in every if enemy in variables.removes)

    def any_of(self, literals: Iterable[bool]) -> bool:
        """At least one of the literals holds."""
        return any(literals)

    def all_of(self, literals: Iterable[bool]) -> bool:
        """Every one of the literals holds."""
        return all(literals)

    def at_least(self, total: Linear, bound: int) -> bool:
        """The sum reaches the bound."""
        return value_of(total) >= bound

    def negate(self, literal: bool) -> bool:
        """The literal does not hold."""
        return not literal


def value_of(total: Linear) -> int:
    """Return what a sum of plain truth values comes to."""
    return total.constant + sum(weight for weight, term in total.terms if term is True)


class JointChance:
    """The probability that something holds that rests on several rolls.

    Parameters
    ----------
    model : Variables
        What the units may do; gets the constraints.
    truth : callable
        Says of a `World` whether it holds.
    bounds : iterable of Linear
        Probabilities, scaled, none of which it exceeds.
    name : str
        For the solver's log.

    Attributes
    ----------
    total : expression
        The probability, scaled; at most so much.
    """

    def __init__(self, model: Variables, truth: Truth, bounds: Iterable[Linear], name: str) -> None:
        self._model, self._truth = model, truth
        self._cut: set[frozenset[int]] = set()
        # Where moves may rely on rolls, or count as left undone, what comes of a solution isn't known here.
        self._exact = model.confidence == 1
        self.total = model.model.new_int_var(0, model.mp_scale, f"probability of {name}")
        for bound in bounds:
            model.model.add(self.total <= model.expression(bound))

    def chance(self, holds: Holds) -> tuple[Fraction, dict[int, Literal]]:
        """Return how likely it is in a solution, and the literals on which that rests."""
        chosen = [(team, literal) for team, literal in self._model.teams if holds(literal)]
        facts: dict[int, Literal] = {}

        def explore(passed: dict[int, int]) -> Fraction:
            world = World(self._model, holds, chosen, passed)
            try:
                return Fraction(value_of(self._truth(world)))
            except _OpenError as unsaid:
                found, left = Fraction(0), Fraction(1)
                for number, fork in enumerate(unsaid.team.forks):
                    if fork.chance < left:
                        found += (left - fork.chance) * explore({**passed, id(unsaid.team): number})
                    left = fork.chance
                return found + left * explore({**passed, id(unsaid.team): len(unsaid.team.forks)})
            finally:
                facts.update(world.facts)

        return explore({}), facts

    def most(self, holds: Holds) -> int:
        """Return what a solution may claim at most without claiming too much, scaled."""
        return floor(self.chance(holds)[0] * self._model.mp_scale) if self._exact else self._model.mp_scale

    def tighten(self, holds: Holds, claimed: int) -> bool | None:
        """Cut off what a solution claims too much; as `Union.tighten`."""
        if not self._exact or claimed <= self.most(holds):
            return None
        chance, facts = self.chance(holds)
        key = frozenset(facts)
        if key in self._cut:
            return None
        self._cut.add(key)
        scale = self._model.mp_scale
        worth = ceil(chance * scale)
        otherwise = cp_model.LinearExpr.sum([self._model.negate(fact) for fact in facts.values()]) if facts else 0
        self._model.model.add(self.total <= worth + (scale - worth) * otherwise)
        return (chance * scale).denominator > 1
