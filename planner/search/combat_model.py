"""What models of combats have in common: each unit stays, ends somewhere, or attacks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
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
from planner.search.combat_routes import add_detours, routes_of
from planner.solver.cp_sat import new_model


class CombatModel:
    """What proposals and bounds have in common: each unit stays, ends somewhere, or attacks."""

    def __init__(self, scenario: Scenario, reach: ConditionalReach, rule: Fights, loose: bool) -> None:
        self.game: Game = scenario.game
        self.check_time = reach.check_time
        self.model = new_model()
        passable = self._passable(rule, reach.movers) if loose else frozenset[str]()
        self.routes = {unit: routes_of(reach, unit, passable, cautious=not loose) for unit in reach.movers}
        if not loose and scenario.game.situation.contested:
            for unit, routes in self.routes.items():
                add_detours(reach, unit, routes)
        self.stays: dict[str, Any] = {}
        self.detours: dict[str, dict[tuple[str, frozenset[str]], Any]] = {}
        self.ends: dict[str, dict[str, Any]] = {}
        self.parts: dict[tuple[str, str], dict[str, Any]] = {}
        entries = lcm(*(len(column.entries) for column in rule.columns))
        self.scale = reach.scale * entries
        self.mp_scale = reach.scale
        for unit, routes in self.routes.items():
            home = self.game.homes[unit]
            stays = self.stays[unit] = self.model.new_bool_var(f"{unit} stays")
            ends = {to: self.model.new_bool_var(f"{unit} to {to}") for to in routes.ends if to != home}
            self.ends[unit] = ends
            detours = {
                key: self.model.new_bool_var(f"{unit} to {key[0]} by {sorted(key[1])}") for key in routes.detours
            }
            self.detours[unit] = detours
            attacks = []
            for key in routes.attacks:
                literal = self.model.new_bool_var(f"{unit} {key[0]}x{key[1]}")
                self.parts.setdefault(key, {})[unit] = literal
                attacks.append(literal)
            self.model.add_exactly_one([stays, *ends.values(), *detours.values(), *attacks])

    def _passable(self, rule: Fights, movers: Sequence[str]) -> frozenset[str]:
        """Return the enemies' hexes that might be taken with as much certainty as the scenario asks for."""
        game = self.game
        labels = {home for enemy, home in game.homes.items() if game.is_enemy(enemy) and home in game.board.hexes}
        if game.situation.confidence < 1:
            return frozenset(labels)
        attack = sum(rule.strength_of(game.units[unit], ()) for unit in movers)
        found = set()
        for label in labels:
            foes = [game.units[enemy] for enemy in game.enemies_at(label)]
            defense = sum(rule.strength_of(unit, {foe.id for foe in foes}) for unit in foes)
            for origin in game.board.neighbours[label]:
                best = rule.columns.index(rule.column_of(game, attack, defense, origin, label))
                if any(all(harm for _, harm in column.entries) for column in rule.columns[: best + 1]):
                    found.add(label)
        return frozenset(found)

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
