"""What a team can do, as the models take it: where its units end, what they spend, and what is rolled on the way."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from planner.plans.plan import Move
from planner.rules.atoms import Atom


@dataclass(frozen=True)
class Fork:
    """A roll of a team's move.

    Attributes
    ----------
    step : int
        The index into the path of the hex that is overrun, or entered.
    at : str
        Where the units are stuck if it fails.
    chance : Fraction
        The probability that it and all rolls before it go through.
    units : tuple of str
        Who takes part.
    """

    step: int
    at: str
    chance: Fraction
    units: tuple[str, ...]


@dataclass(frozen=True)
class TeamPossibility:
    """Something that a team can do, given its conditions.

    Attributes
    ----------
    units : tuple of str
        The units, in the order of the scenario.
    path : tuple of str
        The hexes, the hex of departure first.
    ends : tuple of str
        Where each unit ends if all goes through.
    mp : tuple of Fraction
        What each unit then has spent on it.
    expected_mp : tuple of Fraction
        What each unit spends on average over the rolls.
    overruns : frozenset of int
        The indices into the path of the hexes that are overrun.
    attempts : tuple of (int, int)
        Those of them that are tried more than once, and how often at most.
    drops : tuple of (int, str)
        Who is dropped where.
    needs : frozenset of Atom
        What must hold when the team moves.
    removes : tuple of (str, Fraction)
        The enemies that are gone if all goes through, each with the probability that it is gone.
    forks : tuple of Fork
        The rolls.
    carried : tuple of (int, str)
        The indices into the path of the hexes to which the units are carried, each with the zone that is crossed.
    """

    units: tuple[str, ...]
    path: tuple[str, ...]
    ends: tuple[str, ...]
    mp: tuple[Fraction, ...]
    expected_mp: tuple[Fraction, ...]
    overruns: frozenset[int]
    attempts: tuple[tuple[int, int], ...]
    drops: tuple[tuple[int, str], ...]
    needs: frozenset[Atom]
    removes: tuple[tuple[str, Fraction], ...]
    forks: tuple[Fork, ...]
    carried: tuple[tuple[int, str], ...] = ()

    @property
    def move(self) -> Move:
        """The move by which the team does it, whichever carriers are left for it."""
        legs = tuple((step, "") for step, _ in self.carried)
        return Move(self.units, self.path, self.overruns, legs, drops=self.drops, attempts=self.attempts)

    @property
    def aboard(self) -> tuple[str, ...]:
        """The units that are carried on their way: not those that have been dropped before."""
        dropped, last = {unit: step for step, unit in self.drops}, len(self.path)
        return tuple(unit for unit in self.units if any(step <= dropped.get(unit, last) for step, _ in self.carried))

    @property
    def chance(self) -> Fraction:
        """The probability that all of it goes through."""
        return self.forks[-1].chance if self.forks else Fraction(1)

    def places(self, unit: str) -> Iterator[tuple[str, Fraction]]:
        """Yield every place in which a unit may stand after the move, with its probability; a place may come twice."""
        left = Fraction(1)
        for fork in self.forks:
            if unit in fork.units:
                yield fork.at, left - fork.chance
                left = fork.chance
        yield self.ends[self.units.index(unit)], left

    @property
    def stops(self) -> set[str]:
        """The hexes in which some of its units may stand after the move."""
        return {*self.ends, *(fork.at for fork in self.forks)}

    def stands_in(self, label: str, units: frozenset[str]) -> Fraction:
        """Return the probability that one of some units stands in a hex after the move."""
        found, left = Fraction(0), Fraction(1)
        dropped: set[str] = set()
        for fork in self.forks:
            dropped |= set(self.units) - set(fork.units)
            stuck = fork.at == label and not units.isdisjoint(fork.units)
            if stuck or any(unit in units and end == label for unit, end in self._ends() if unit in dropped):
                found += left - fork.chance
            left = fork.chance
        return found + left * any(unit in units and end == label for unit, end in self._ends())

    def _ends(self) -> Iterator[tuple[str, str]]:
        return zip(self.units, self.ends, strict=True)
