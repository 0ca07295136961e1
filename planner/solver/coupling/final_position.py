"""The position after the last move, as rules and objective look at it (`EndState` and `OutcomeModel`)."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Collection, Iterable, Sequence
from fractions import Fraction
from functools import cached_property
from math import ceil, floor, log2, prod
from typing import Any

from planner.objective import Linear
from planner.reachability.team_possibility import TeamPossibility
from planner.rules.attack_prospect import attack_rule_in_force
from planner.rules.demands import control_of
from planner.solver.coupling.attack_results import AttackResultSums
from planner.solver.coupling.attacks import AttackVariables
from planner.solver.coupling.threats import Threats
from planner.solver.coupling.variables import Variables
from planner.solver.cp_sat import Holds, Literal
from planner.solver.joint_chance import JointChance
from planner.solver.probability_union import Union
from planner.world.declared_attack import DeclaredAttack


class FinalPosition(Variables):
    """What the units' moves come to."""

    @cached_property
    def attacks(self) -> AttackResultSums | None:
        """The attacks that are declared then; not to be asked before the rules have been posted."""
        rule = attack_rule_in_force(self.game)
        # They are its own; if it were theirs, too, only the collector would free all that a model holds.
        return None if rule is None else AttackResultSums(AttackVariables(weakref.proxy(self), rule))

    @cached_property
    def _threats(self) -> Threats | None:
        rule = attack_rule_in_force(self.game)
        return None if rule is None else Threats(weakref.proxy(self), rule)

    def open_in(self, label: str, odds: tuple[Fraction, Fraction]) -> Literal:
        """The enemies, as they stand, could attack those in a hex at certain odds, all who can together."""
        return False if self._threats is None else self._threats.open_in(label, *odds)

    def taking_part(self) -> dict[tuple[str, str], list[Literal]]:
        """Return, for each unit and each target, the literals of which one holds if it takes part in an attack on it."""
        attacks = self.__dict__.get("attacks")
        return {} if attacks is None else attacks.attacks.by_target()

    def declared(self, holds: Holds) -> tuple[DeclaredAttack, ...] | None:
        """Return the attacks of a solution; None where nobody has asked for them."""
        attacks = self.__dict__.get("attacks")
        return None if attacks is None else attacks.attacks.declared(holds)

    # -- units

    def goes_on(self, unit: str) -> Literal:
        """The unit makes a move from where it is now."""
        return self.units[unit].moves if unit in self.units else False

    def moves(self, unit: str) -> Literal:
        """The unit makes a move in the phase."""
        return self.game.has_moved(unit) or self.goes_on(unit)

    def surely_moves(self, unit: str) -> Literal:
        """The unit makes a move in the phase whatever is rolled."""
        sure = self.units[unit].surely_moves if unit in self.units else None
        return self.moves(unit) if sure is None else self.game.has_moved(unit) or sure

    def mp(self, unit: str) -> Linear:
        """The MP that the unit spends in the phase, times `mp_scale`."""
        return self._with_spent(unit, self.units[unit].mp() if unit in self.units else Linear())

    def most_mp(self, unit: str) -> Linear:
        """The MP that the unit spends if all goes well, times `mp_scale`: it never spends more."""
        most = self.units[unit].most_mp if unit in self.units else None
        return self.mp(unit) if most is None else self._with_spent(unit, most())

    def _with_spent(self, unit: str, further: Linear) -> Linear:
        """Return what the unit spends from now on, and what it has spent in the phase before what is asked."""
        before = int(self.game.spent(unit) * self.mp_scale)
        return Linear(further.terms, further.constant + before) if before else further

    def arrivals(self, unit: str) -> Sequence[tuple[str, int, Fraction, Literal]]:
        """Where the unit may end a move without being stuck: hex, hexes entered, probability, and the literal."""
        found = self.units[unit].arrivals() if unit in self.units else ()
        begun = self.game.begun
        if (
            begun is None
            or not self.game.has_moved(unit)
            or unit in begun.position.bogged
            or unit not in self.game.homes
        ):
            return found
        here = (
            self.game.homes[unit],
            begun.position.under_way[unit].steps,
            Fraction(1),
            self.negate(self.goes_on(unit)),
        )
        return (*found, here)

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

    def possible_places(self, unit: str) -> Sequence[str]:
        """The hexes in which the unit might stand when the phase is over, whatever is rolled."""
        places = self.units[unit].places if unit in self.units else None
        stands = self.possible_stands(unit)
        return stands if places is None else tuple(dict.fromkeys([*stands, *places]))

    def stands(self, unit: str, label: str) -> Literal:
        """The unit may stand in the hex when the phase is over: it ends there, or is stuck there if a roll fails."""
        variables = self.units.get(unit)
        if variables is None:
            return self.game.homes.get(unit) == label
        return self.any_of(variables.standing(label)) if variables.stuck else variables.ends.get(label, False)

    def possible_stands(self, unit: str) -> Sequence[str]:
        """The hexes in which the unit may stand when the phase is over."""
        stuck = self.units[unit].stuck if unit in self.units else ()
        ends = self.possible_ends(unit)
        return tuple(dict.fromkeys([*ends, *stuck])) if stuck else ends

    # -- enemies and places

    def eliminated_if(self, enemy: str, literal: Literal) -> None:
        """Take over that an enemy is eliminated in the end, whatever is rolled, exactly if a literal holds."""
        self._gone[enemy] = self._surely_gone[enemy] = literal

    def gone(self, enemy: str) -> Literal:
        """The enemy is eliminated by the end of the phase."""
        if enemy not in self._gone:
            removers = (v.removes[enemy] for v in self.units.values() if enemy in v.removes)
            self._gone[enemy] = self.any_of(removers) if enemy in self.game.homes else True
        return self._gone[enemy]

    def surely_gone(self, enemy: str) -> Literal:
        """The enemy is eliminated by the end of the phase whatever is rolled."""
        if enemy not in self._surely_gone:
            removers = (v.reliable_removals[enemy] for v in self.units.values() if enemy in v.reliable_removals)
            self._surely_gone[enemy] = self.any_of(removers) if enemy in self.game.homes else True
        return self._surely_gone[enemy]

    def taken(self, label: str) -> Literal:
        """Some unit has taken the place by entering it."""
        token = control_of(label)
        return self.any_of(variables.removes[token] for variables in self.units.values() if token in variables.removes)

    # -- expected values, where results are rolled

    @property
    def chancy(self) -> bool:
        """Whether results may be rolled."""
        return any(team.chance < 1 for team, _ in self.teams)

    def gone_on_average(self, enemy: str) -> Linear:
        """The probability that the enemy is eliminated, times `mp_scale`: whoever overruns it does so while it is there."""
        if enemy not in self.game.homes:
            return Linear(constant=self.mp_scale)
        deaths = [death for variables in self.units.values() for death in variables.deaths.get(enemy, ())]
        # Of an overrun that isn't rolled for it may be that somebody else has made it before: then it is a plain step.
        sure = self.any_of(literal for chance, literal in deaths if chance == 1)
        rolled = ((int(chance * self.mp_scale), literal) for chance, literal in deaths if chance < 1)
        return Linear(((self.mp_scale, sure), *rolled))

    def end_on_average(self, unit: str, label: str) -> Linear:
        """The probability that the unit stands in the hex in the end, times `mp_scale`."""
        if unit not in self.units:
            return Linear(constant=self.mp_scale * (self.game.homes.get(unit) == label))
        places = self.units[unit].stands_likely(label)
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
            sure += [literal for chance, literal in self.units[unit].stands_likely(label) if chance == 1]
        rolled: list[tuple[Fraction, Literal]] = []
        rolling: set[str] = set()
        self.tick()
        for team, literal in self._teams_at.get(label, ()):
            chance = team.stands_in(label, frozenset(units))
            if chance == 1:
                sure.append(literal)
            elif chance:
                rolled.append((chance, literal))
                rolling.update(team.units)
        certain = self.any_of(dict.fromkeys(sure))
        if certain is True or not rolled:
            return Linear(((self.mp_scale, certain),))
        union = Union(self.model, self.mp_scale, certain, rolled, len(rolling), label)
        self.unions.append(union)
        return Linear(((1, union.total),))

    def joint_chance(self, truth: Callable[[Any], Linear], bounds: Iterable[Linear], name: str) -> Linear:
        """The probability that something holds that rests on several rolls, times `mp_scale`; at most so much.

        What it is exactly is settled by `tighten`.
        """
        found = JointChance(self, truth, bounds, name)
        self.unions.append(found)
        return Linear(((1, found.total),))

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
