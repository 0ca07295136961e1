"""What the solver proposes where entering an enemy's hex is a combat: who stays, goes where, or attacks which hex."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, permutations, product
from math import ceil, floor
from typing import Any

from planner.objective import Linear, Term
from planner.objective.control import Control
from planner.objective.costs import MpSpent, UnitsMoved
from planner.objective.goals import Eliminate, End, Hold
from planner.objective.together import Together
from planner.plans.partial_plan import PartialPlan
from planner.plans.plan import Move, Plan
from planner.reachability.conditional_reach import ConditionalReach
from planner.rules.combat_roles import Fights
from planner.rules.game import Game
from planner.scenario import Scenario
from planner.search.combat_model import CombatModel, total_of
from planner.search.combat_routes import add_detours, routes_of
from planner.solver.tuning import Combats
from planner.world.board import Board
from planner.world.forces import Unit


class ProposedCombats(CombatModel):
    """Proposals: one group at most attacks a hex."""

    def __init__(self, scenario: Scenario, reach: ConditionalReach, rule: Fights) -> None:
        routes = {unit: routes_of(reach, unit, cautious=True) for unit in reach.movers}
        for unit in routes if scenario.game.situation.contested else ():
            add_detours(reach, unit, routes[unit])
        super().__init__(scenario, reach, rule, routes)
        self._gains: dict[tuple[str, str], list[tuple[object, Fraction, dict[str, Fraction]]]] = {}
        targets: dict[str, list[Any]] = {}
        for (origin, to), units in self.parts.items():
            active = self.any_of(units.values())
            targets.setdefault(to, []).append(active)
            self._gains[origin, to] = self._columns(rule, origin, to, units, active)
        for groups in targets.values():
            self.model.add(sum(groups) <= Combats.groups)
        self.model.add(sum(group for groups in targets.values() for group in groups) <= Combats.combats)
        self.values = [Linear.sum_of(self._value(term) for term in tier.terms) for tier in scenario.tiers]
        self.wanted = Linear.sum_of(self._value(term) for term in scenario.requirements if term.sign > 0)
        for term in scenario.requirements:
            if (
                isinstance(term, (MpSpent, UnitsMoved))
                and term.most is not None
                and (spent := self.costs(term)) is not None
            ):
                self.model.add(total_of(spent) <= floor(term.most * self.scale))

    def _columns(
        self, rule: Fights, origin: str, to: str, units: dict[str, object], active: object
    ) -> list[tuple[Any, Fraction, dict[str, Fraction]]]:
        """Return, for each column and each state of the retreats, a literal with what it gains."""
        game = self.game
        foes = [game.units[enemy] for enemy in game.enemies_at(to)]
        defense = sum(rule.strength_of(unit, ()) for unit in foes)
        strength = Linear(tuple((rule.strength_of(game.units[unit], ()), literal) for unit, literal in units.items()))
        some = [game.units[unit] for unit in list(units)[:2]]
        refuges = rule.refuges(game, origin, to, foes)
        closed = None
        if refuges:
            held = [1 if self._is_barred(foes, label) else self.any_of(self.standing(label)) for label in refuges]
            closed = None if any(literal is None for literal in held) else held
        gains, choices = [], []
        for column in rule.columns:
            least = ceil(Fraction(defense * (100 + column.from_percent), 100))
            if defense and sum(weight for weight, _ in strength.terms) < least:
                continue
            drawn = rule.column_of(game, max(least, 0), defense, origin, to)
            for cut_off in (False, True) if closed is not None else (refuges is None or not refuges,):
                literal = self.model.new_bool_var(f"{origin}x{to} {column.from_percent} {cut_off}")
                choices.append(literal)
                if defense:
                    self.model.add(total_of(strength) >= least).only_enforce_if(literal)
                if cut_off and closed is not None:
                    for one in closed:
                        self.model.add(one >= 1).only_enforce_if(literal)
                good, dead = Fraction(0), dict.fromkeys((unit.id for unit in foes), Fraction(0))
                share = Fraction(1, len(drawn.entries))
                for ours, theirs in drawn.entries:
                    _, lost = rule.harm(some, (), ours)
                    _, destroyed = rule.harm(foes, (), theirs)
                    good += share * (theirs > ours and len(lost) < len(units))
                    for enemy in dead if theirs > ours and cut_off else destroyed:
                        dead[enemy] += share
                gains.append((literal, good, dead))
        self.model.add(sum(choices) == active)
        return gains

    def _is_barred(self, foes: Sequence[Unit], label: str) -> bool:
        """Tell whether another enemy of some foes keeps them from a hex."""
        return any(self.game.opposed(foe.id, other) for foe in foes for other in self.game.enemies_at(label))

    def _value(self, term: Term) -> Linear:
        costs = self.costs(term)
        if costs is not None:
            return costs.times(term.weight * term.sign)
        terms: list[tuple[int, object]] = []
        if isinstance(term, (Hold, Control)):
            for label in term.hexes:
                if isinstance(term, Control) and term.is_had(self.game, label):
                    terms.append((self.scale, 1))
                    continue
                ways = self.standing(label, self.holders(term) if isinstance(term, Hold) else None)
                inside = self.any_of([*ways, *(self._passing(label) if isinstance(term, Control) else ())])
                if inside is not None:
                    terms.append((self.scale, inside))
                for (origin, _), gains in self._gains.items():
                    if origin == label:  # whoever is thrown back stands there again
                        terms += [(int((1 - good) * self.scale), literal) for literal, good, _ in gains]
                taken = [gain for (_, to), gains in self._gains.items() if to == label for gain in gains]
                terms += self._at_most_one([(int(good * self.scale), literal) for literal, good, _ in taken], label)
        elif isinstance(term, Eliminate):
            for enemy in term.units:
                found = [
                    (int(dead[enemy] * self.scale), literal)
                    for those in self._gains.values()
                    for literal, _, dead in those
                    if enemy in dead
                ]
                terms += self._at_most_one(found, enemy)
        elif isinstance(term, Together):  # the more of its parts are had, the better
            for part in term.parts():
                terms += self._value(part).terms
        elif isinstance(term, End):
            for label in dict.fromkeys(term.at):
                terms += [(self.scale, literal) for literal in self.standing(label, [term.unit])]
                for (_, to), units in self.parts.items():
                    if to == label and term.unit in units:
                        terms.append((self.scale // 2, units[term.unit]))
        return Linear(tuple(terms)).times(term.weight * term.sign)

    def _passing(self, label: str) -> list[object]:
        """Return, for each unit that enters a hex on its way, whether it goes that way."""
        ways = [
            (self.routes[unit].ends[to][1].path[:-1], literal)
            for unit, ends in self.ends.items()
            for to, literal in ends.items()
        ]
        ways += [
            (self.routes[unit].attacks[key][1].path, literal)
            for key, units in self.parts.items()
            for unit, literal in units.items()
        ]
        found = [literal for path, literal in ways if label in path[1:]]
        for detours in self.detours.values():
            found += [literal for (_, entered), literal in detours.items() if label in entered]
        return found

    def _at_most_one(self, terms: list[tuple[int, object]], name: str) -> list[tuple[int, object]]:
        """Return what several attacks come to together: their sum, but no more than certainty."""
        if not terms:
            return []
        total = self.model.new_int_var(0, self.scale, f"chance of {name}")
        self.model.add(total <= total_of(Linear(tuple(terms))))
        return [(1, total)]

    def post_partial(self, partial: PartialPlan) -> None:
        """Post what is settled of a plan."""
        for unit, places in partial.ends:
            ways = [literal for label, literal in self.ends.get(unit, {}).items() if label in places]
            ways += [literal for (label, _), literal in self.detours.get(unit, {}).items() if label in places]
            ways += [units[unit] for (_, to), units in self.parts.items() if to in places and unit in units]
            if self.game.homes[unit] in places:
                ways.append(self.stays.get(unit, 1))
                ways += [units[unit] for (_, _), units in self.parts.items() if unit in units]  # it may be thrown back
            self.model.add_bool_or(ways)
        for unit in partial.stays:
            if unit in self.stays:
                self.model.add_bool_or([self.stays[unit]])
        for move in partial.moves:
            for unit in move.units:
                part = move.part(unit)
                if part.overruns:
                    key = part.path[-2], part.path[-1]
                    ways = [units[unit] for ends, units in self.parts.items() if ends == key and unit in units]
                else:
                    ways = [literal for label, literal in self.ends.get(unit, {}).items() if label == part.path[-1]]
                    ways += [
                        units[unit] for ends, units in self.parts.items() if ends == part.path[-2:] and unit in units
                    ]
                self.model.add_bool_or(ways)

    def maximize(self, short: bool = False) -> None:
        """Make one objective of requirements and tiers, and of how short plans are, if the solver has numbers that large."""
        tiers = [self.wanted, *self.values]
        if short:
            tiers += [self._value(term) for term in (UnitsMoved(kind="units_moved"), MpSpent(kind="mp_spent"))]
        weights, span = _weights(tiers)
        if short and span > Combats.largest:
            tiers = tiers[:-2]
            weights, span = _weights(tiers)
        if span > Combats.largest:
            weights = [Combats.largest // 2**20, 2**20, *(0 for _ in tiers[2:])]
        total = Linear.sum_of(tier.times(weight) for tier, weight in zip(tiers, weights, strict=True))
        self.model.maximize(total_of(total))

    def read(self, holds: Any, fixed: Mapping[str, Move | None]) -> list[list[Move]]:
        """Return the moves of a solution: those without combat, the approaches, and the attacks.

        `fixed` tells of units whose moves are settled how they go before they attack, or to their end.
        """
        game = self.game
        quiet = [
            fixed.get(unit) or self.routes[unit].ends[to][1]
            for unit, ends in self.ends.items()
            for to, literal in ends.items()
            if holds(literal)
        ]
        quiet += [
            self.routes[unit].detours[key][1]
            for unit, detours in self.detours.items()
            for key, literal in detours.items()
            if holds(literal)
        ]
        approaches, attacks = [], []
        for (origin, to), units in self.parts.items():
            team = [unit for unit in game.sorted(units) if holds(units[unit])]
            if not team:
                continue
            for unit in team:
                way = fixed.get(unit) or self.routes[unit].attacks[origin, to][1]
                way = way.until(len(way.path) - 2) if way.end == to else way
                if len(way.path) > 1:
                    approaches.append(way)
            attacks.append(Move(tuple(team), (origin, to), frozenset([1])))
        return [quiet, approaches, attacks]

    def another(self, holds: Any, exactly: bool) -> list[Any]:
        """Return literals of which one holds in every solution with other attacks, or other retreats cut off.

        `exactly`: or with other moves of any kind.
        """
        relevant = [literal for units in self.parts.values() for literal in units.values()]
        if exactly:
            relevant += [literal for ends in self.ends.values() for literal in ends.values()]
            relevant += [literal for detours in self.detours.values() for literal in detours.values()]
        relevant += [literal for gains in self._gains.values() for literal, _, _ in gains]
        return [~literal if holds(literal) else literal for literal in relevant]


def orders(game: Game, quiet: Sequence[Move], approaches: Sequence[Move], attacks: Sequence[Move]) -> Iterator[Plan]:
    """Yield the orders in which the moves of a proposal may be made.

    Attacks in any order, groups together or one unit after another, the other moves before or after them; whoever may not
    wait goes on to its attack at once, by itself.
    """
    at_once = {way.units[0]: way for way in approaches if not game.rulebook.lets_wait(game.units[way.units[0]])}
    if at_once:
        approaches = [way for way in approaches if way.units[0] not in at_once]
        attacks = [form for attack in attacks for form in _with_approaches(attack, at_once)]
    forms = [attacks]
    if any(len(attack.units) > 1 for attack in attacks):
        single = [replace(attack, units=(unit,)) for attack in attacks for unit in attack.units]
        forms += [single] if len(single) <= Combats.combats else []
    for form in forms:
        for chosen in _sequences(game.board, form):
            yield Plan((*quiet, *approaches, *chosen))
            if quiet and attacks:
                yield Plan((*approaches, *chosen, *quiet))
            if len(attacks) > 1 and approaches:
                late: list[Move] = []
                for attack in chosen:
                    late += [move for move in approaches if move.units[0] in attack.units]
                    late.append(attack)
                yield Plan((*quiet, *late))


def _with_approaches(attack: Move, approaches: Mapping[str, Move]) -> Iterator[Move]:
    """Yield an attack as it is made where some of its units make it in one move with their approach."""
    if rest := tuple(unit for unit in attack.units if unit not in approaches):
        yield replace(attack, units=rest)
    yield from (approaches[unit].then(replace(attack, units=(unit,))) for unit in attack.units if unit in approaches)


def _sequences(board: Board, attacks: Sequence[Move]) -> Iterator[tuple[Move, ...]]:
    """Yield the orders of attacks; those far from each other have nothing to do with each other, and come in one order."""
    import networkx as nx

    near: nx.Graph = nx.Graph()
    near.add_nodes_from(range(len(attacks)))
    for one, other in combinations(range(len(attacks)), 2):
        away = board.distance(attacks[one].path[-1], attacks[other].path[-1])
        if away is not None and away <= Combats.far:
            near.add_edge(one, other)
    clusters = [sorted(cluster) for cluster in nx.connected_components(near)]
    for orders_ in product(*(permutations(cluster) for cluster in clusters)):
        yield tuple(attacks[number] for cluster in orders_ for number in cluster)


def _weights(tiers: Sequence[Linear]) -> tuple[list[int], int]:
    """Return weights that make one sum of tiers, and how large it may become."""
    weights, span = list[int](), 1
    for tier in reversed(tiers):
        weights.insert(0, span)
        span *= sum(abs(weight) * _most(literal) for weight, literal in tier.terms) + 1
    return weights, span


def _most(literal: Any) -> int:
    """Return the largest value of a variable, or a number."""
    return literal if isinstance(literal, int) else list(literal.proto.domain)[-1]
