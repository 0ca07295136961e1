"""What models of combats have in common: each unit stays, ends somewhere, or attacks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from math import lcm
from typing import Any

from planner.objective import Linear, Term
from planner.objective.costs import MpSpent, UnitsMoved
from planner.objective.goals import Hold, Stay
from planner.reachability.conditional_reach import ConditionalReach
from planner.rules.combat_roles import Fights
from planner.rules.game import Game
from planner.scenario import Scenario
from planner.search.combat_routes import Routes
from planner.solver.cp_sat import new_model


class CombatModel:
    """What proposals and bounds have in common: each unit stays, ends somewhere, or attacks."""

    def __init__(self, scenario: Scenario, reach: ConditionalReach, rule: Fights, routes: Mapping[str, Routes]) -> None:
        self.game: Game = scenario.game
        self.check_time = reach.check_time
        self.model = new_model()
        self.routes = dict(routes)
        self.stays: dict[str, Any] = {}
        self.detours: dict[str, dict[tuple[str, frozenset[str]], Any]] = {}
        self.ends: dict[str, dict[str, Any]] = {}
        self.parts: dict[tuple[str, str], dict[str, Any]] = {}
        entries = lcm(*(len(column.entries) for column in rule.columns))
        self.scale = reach.scale * entries
        self.mp_scale = reach.scale
        for unit, own in self.routes.items():
            home = self.game.homes[unit]
            stays = self.stays[unit] = self.model.new_bool_var(f"{unit} stays")
            ends = {to: self.model.new_bool_var(f"{unit} to {to}") for to in own.ends if to != home}
            self.ends[unit] = ends
            detours = {key: self.model.new_bool_var(f"{unit} to {key[0]} by {sorted(key[1])}") for key in own.detours}
            self.detours[unit] = detours
            attacks = []
            for key in own.attacks:
                literal = self.model.new_bool_var(f"{unit} {key[0]}x{key[1]}")
                self.parts.setdefault(key, {})[unit] = literal
                attacks.append(literal)
            self.model.add_exactly_one([stays, *ends.values(), *detours.values(), *attacks])

    def any_of(self, literals: Iterable[Any]) -> Any:
        """Return a literal that holds exactly if one of some does."""
        those = list(literals)
        if len(those) < 2:
            return those[0] if those else None
        result = self.model.new_bool_var("any")
        self.model.add_max_equality(result, those)
        return result

    def standing(self, label: str, units: Iterable[str] | None = None) -> list[Any]:
        """Return for each unit that may be in a hex without combat whether it is."""
        found = []
        for unit in self.game.homes if units is None else units:
            if unit not in self.game.friends or unit not in self.game.homes:
                continue
            if self.game.homes[unit] == label:
                found.append(self.stays.get(unit, 1))
            if label in self.ends.get(unit, {}):
                found.append(self.ends[unit][label])
            found += [literal for (to, _), literal in self.detours.get(unit, {}).items() if to == label]
        return found

    def attackers(self, label: str) -> list[object]:
        """Return whether each unit attacks a hex, from wherever it does."""
        return [literal for (_, to), units in self.parts.items() if to == label for literal in units.values()]

    def spent(self, unit: str) -> Linear:
        """Return the MP that a unit spends, scaled."""
        routes, mp = self.routes[unit], self.scale // self.mp_scale
        had = routes.ends[self.game.homes[unit]][0]
        terms = [((routes.ends[to][0] - had) * mp, literal) for to, literal in self.ends[unit].items()]
        terms += [((routes.detours[key][0] - had) * mp, literal) for key, literal in self.detours[unit].items()]
        terms += [
            ((routes.attacks[key][0] - had) * mp, units[unit]) for key, units in self.parts.items() if unit in units
        ]
        return Linear(tuple(terms))

    def costs(self, term: Term) -> Linear | None:
        """Return what a term counts that has nothing to do with combat, scaled; None for others."""
        if isinstance(term, (UnitsMoved, MpSpent)):
            game = self.game
            counted = [unit for unit in game.friends if term.of.matches(game.units[unit])]
            own = [unit for unit in self.routes if unit in counted]
            if isinstance(term, MpSpent):
                before = sum((game.spent(unit) for unit in counted), Fraction(0))
                return Linear.sum_of([*(self.spent(unit) for unit in own), Linear(constant=int(before * self.scale))])
            fresh = [unit for unit in own if not game.has_moved(unit)]
            moved = sum(map(game.has_moved, counted))
            return Linear(tuple((-self.scale, self.stays[unit]) for unit in fresh), self.scale * (len(fresh) + moved))
        if isinstance(term, Stay):
            fixed = sum(unit not in self.routes and not self.game.has_moved(unit) for unit in term.units)
            fresh = [unit for unit in term.units if unit in self.routes and not self.game.has_moved(unit)]
            return Linear(tuple((self.scale, self.stays[unit]) for unit in fresh), self.scale * fixed)
        return None

    def holders(self, term: Hold) -> list[str]:
        """Return the units that count for a term."""
        return [
            unit for unit in self.game.homes if unit in self.game.friends and term.by.matches(self.game.units[unit])
        ]


def total_of(total: Linear) -> Any:
    """Return a sum as an expression of the solver."""
    return sum(weight * literal for weight, literal in total.terms) + total.constant
