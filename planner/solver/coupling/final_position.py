"""The position after the last move, as rules and objective look at it (`EndState` and `Outcome`)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from fractions import Fraction
from functools import cached_property
from math import ceil, floor, log2, prod

from planner.objective import Linear
from planner.reachability.team_possibility import TeamPossibility
from planner.rules.demands import control_of
from planner.solver.coupling.variables import Variables
from planner.solver.cp_sat import Holds, Literal
from planner.solver.probability_union import Union


class FinalPosition(Variables):
    """What the units' moves come to."""

    # -- units

    def moves(self, unit: str) -> Literal:
        """The unit makes a move."""
        return self.units[unit].moves if unit in self.units else False

    def surely_moves(self, unit: str) -> Literal:
        """The unit makes a move whatever is rolled."""
        sure = self.units[unit].surely_moves if unit in self.units else None
        return self.moves(unit) if sure is None else sure

    def mp(self, unit: str) -> Linear:
        """The MP that the unit spends, times `mp_scale`."""
        return self.units[unit].mp if unit in self.units else Linear()

    def arrivals(self, unit: str) -> Sequence[tuple[str, int, Fraction, Literal]]:
        """Where the unit may end a move without being stuck: hex, hexes entered, probability, and the literal."""
        return self.units[unit].arrivals if unit in self.units else ()

    def ends(self, unit: str, label: str) -> Literal:
        """The unit ends the phase in the hex."""
        if unit in self.units:
            return self.units[unit].ends.get(label, False)
        return self.game.homes.get(unit) == label

    def ends_among(self, unit: str, labels: Collection[str]) -> Literal:
        """The unit ends the phase in one of some hexes."""
        return self.any_of(self.ends(unit, label) for label in self.possible_ends(unit) if label in labels)

    def possible_ends(self, unit: str) -> Sequence[str]:
        """The hexes in which the unit might end."""
        if unit in self.units:
            return tuple(self.units[unit].ends)
        home = self.game.homes.get(unit)
        return () if home is None else (home,)

    def stands(self, unit: str, label: str) -> Literal:
        """The unit may stand in the hex when the phase is over: it ends there, or is stuck there if a roll fails."""
        if unit not in self.units:
            return self.game.homes.get(unit) == label
        return self.any_of(self.units[unit].standing(label))

    def possible_stands(self, unit: str) -> Sequence[str]:
        """The hexes in which the unit may stand when the phase is over."""
        if unit in self.units:
            return tuple(dict.fromkeys([*self.units[unit].ends, *self.units[unit].stuck]))
        return self.possible_ends(unit)

    # -- enemies and places

    def eliminated_if(self, enemy: str, literal: Literal) -> None:
        """Take over that an enemy is eliminated in the end, whatever is rolled, exactly if a literal holds."""
        self._gone[enemy] = self._surely_gone[enemy] = literal

    def gone(self, enemy: str) -> Literal:
        """The enemy is eliminated by the end of the phase."""
        if enemy not in self._gone:
            killers = (v.kills[enemy] for v in self.units.values() if enemy in v.kills)
            self._gone[enemy] = self.any_of(killers) if enemy in self.game.homes else True
        return self._gone[enemy]

    def surely_gone(self, enemy: str) -> Literal:
        """The enemy is eliminated by the end of the phase whatever is rolled."""
        if enemy not in self._surely_gone:
            killers = (v.reliable_kills[enemy] for v in self.units.values() if enemy in v.reliable_kills)
            self._surely_gone[enemy] = self.any_of(killers) if enemy in self.game.homes else True
        return self._surely_gone[enemy]

    def taken(self, label: str) -> Literal:
        """Some unit has taken the place by entering it."""
        token = control_of(label)
        return self.any_of(variables.kills[token] for variables in self.units.values() if token in variables.kills)

    # -- expected values, where results are rolled

    @property
    def chancy(self) -> bool:
        """Whether results may be rolled."""
        return any(team.chance < 1 for team, _ in self.teams)

    def gone_on_average(self, enemy: str) -> Linear:
        """The probability that the enemy is eliminated, times `mp_scale`: whoever overruns it does so while it is there."""
        if enemy not in self.game.homes:
            return Linear(constant=self.mp_scale)
        deaths = (death for variables in self.units.values() for death in variables.deaths.get(enemy, ()))
        return Linear(tuple((int(chance * self.mp_scale), literal) for chance, literal in deaths))

    def end_on_average(self, unit: str, label: str) -> Linear:
        """The probability that the unit stands in the hex in the end, times `mp_scale`."""
        if unit not in self.units:
            return Linear(constant=self.mp_scale * (self.game.homes.get(unit) == label))
        places = self.units[unit].places.get(label, ())
        return Linear(tuple((int(chance * self.mp_scale), literal) for chance, literal in places))

    def held_on_average(self, label: str, units: Sequence[str]) -> Linear:
        """The probability that one of the units stands in the hex in the end, times `mp_scale`; at most so much.

        What several rolls come to together is settled by `tighten`.
        """
        sure: list[Literal] = []
        for unit in units:
            if unit not in self.units:
                sure.append(self.game.homes.get(unit) == label)
                continue
            sure += [literal for chance, literal in self.units[unit].places.get(label, ()) if chance == 1]
        rolled: list[tuple[Fraction, Literal]] = []
        self.tick()
        for team, literal in self._teams_at.get(label, ()):
            chance = team.stands_in(label, frozenset(units))
            if chance == 1:
                sure.append(literal)
            elif chance:
                rolled.append((chance, literal))
        certain = self.any_of(dict.fromkeys(sure))
        if certain is True or not rolled:
            return Linear(((self.mp_scale, certain),))
        union = Union(self.model, self.mp_scale, certain, rolled, label)
        self.unions.append(union)
        return Linear(((1, union.total),))

    @cached_property
    def _teams_at(self) -> dict[str, list[tuple[TeamPossibility, Literal]]]:
        """The teams that may stand in each hex; not to be asked before all of them are there."""
        found: dict[str, list[tuple[TeamPossibility, Literal]]] = {}
        for team, literal in self.teams:
            for label in team.stops:
                found.setdefault(label, []).append((team, literal))
        return found

    def tighten(self, holds: Holds, solution: Sequence[int]) -> bool:
        """Cut off what a solution claims too much where several rolls may come to the same; tell whether it did."""
        found = [union.tighten(holds, solution[union.total.index]) for union in self.unions]
        self.rounded = self.rounded or any(found)
        return any(rounded is not None for rounded in found)

    def outcomes(self, holds: Holds) -> int:
        """Return how many outcomes the rolls of a solution have at most."""
        return prod(len(team.forks) + 1 for team, literal in self.teams if team.forks and holds(literal))

    def limit_outcomes(self, most: int) -> None:
        """Ensure that rolls have no more outcomes than that; rounded so that a few combinations more are left out."""
        self.limited = True
        weighted = [(ceil(log2(len(team.forks) + 1) * 1000), literal) for team, literal in self.teams if team.forks]
        total = self.expression(Linear(tuple(weighted)))
        if not isinstance(total, int):
            self.model.add(total <= floor(log2(most) * 1000))
