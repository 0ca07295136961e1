"""The search where entering an enemy's hex is a combat, whose result is drawn.

What a plan of several combats is worth follows from everything to which these may lead, and only the referee works it out.
So the solver proposes: who stays, who goes where, who attacks which hex from where, with which column of the table and with
which retreats cut off, valued combat by combat. The referee says what each proposal is worth, in each order of the combats;
what has been looked at is excluded; until a number of proposals have brought nothing better.

In a proposal two groups at most attack a hex, and nobody counts on a result. So the bound is that of another model, which
overvalues every plan there is: whoever is attacked by more than one unit, or has anybody beside him, counts as destroyed,
and his hex as taken. A plan is called optimal only where it comes to that bound.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import islice, permutations
from math import ceil, lcm
from typing import Any

from ortools.sat.python import cp_model

from planner.conditional_reach import ConditionalReach
from planner.game import Game
from planner.objective import Linear, Term
from planner.objective.costs import MpSpent, UnitsMoved
from planner.objective.goals import Eliminate, End, Hold, Stay
from planner.plan import Move, Plan
from planner.results import Result, score, tier_values
from planner.rules.combat_on_entry import CombatOnEntry
from planner.scenario import Scenario

MOST_PROPOSALS = 150
MOST_ORDERS = 24
PATIENCE = 20
"""After so many proposals without a better plan the search gives up."""
MOST_GROUPS = 2
"""So many groups attack one hex in a proposal, one after another."""
LARGEST = 2**50


@dataclass
class Routes:
    """Where one unit can go by itself, and what it can attack.

    Attributes
    ----------
    ends : dict from hexes to (MP, path)
        The hexes where it may end, by the cheapest way; MP are scaled.
    attacks : dict from (hex, hex) to MP
        From where it may enter which enemy's hex, and what it has spent then.
    """

    ends: dict[str, tuple[int, tuple[str, ...]]] = field(default_factory=dict)
    attacks: dict[tuple[str, str], int] = field(default_factory=dict)


def routes_of(reach: ConditionalReach, unit: str, through_enemies: bool = False) -> Routes:
    """Return where a unit can go; `through_enemies`: as if every enemy might be gone when it comes."""
    game, counter, home = reach.game, reach.game.units[unit], reach.game.homes[unit]
    found = Routes({home: (0, (home,))})
    queue: list[tuple[int, str]] = [(0, home)]
    while queue:
        spent, here = heapq.heappop(queue)
        if spent > found.ends[here][0]:
            continue
        for step in reach.steps(unit, here):
            total, to = spent + step.cost, step.arc.to
            if step.arc.overrun or not reach.affords(counter, step, total, first=here == home):
                continue
            if game.enemies_at(to):
                key = here, to
                found.attacks[key] = min(total, found.attacks.get(key, total))
                if not through_enemies:
                    continue
            if to not in found.ends or total < found.ends[to][0]:
                found.ends[to] = total, (*found.ends[here][1], to)
                heapq.heappush(queue, (total, to))
    return found


class _Model:
    """What proposals and bounds have in common: each unit stays, ends somewhere, or attacks."""

    def __init__(self, scenario: Scenario, reach: ConditionalReach, rule: CombatOnEntry, loose: bool) -> None:
        self.game: Game = scenario.game
        self.model = cp_model.CpModel()
        self.routes = {unit: routes_of(reach, unit, loose) for unit in reach.movers}
        self.stays: dict[str, Any] = {}
        self.ends: dict[str, dict[str, Any]] = {}
        self.parts: dict[tuple[str, str], dict[str, Any]] = {}
        entries = lcm(*(len(column.entries) for column in rule.columns))
        self.scale = reach.scale * entries
        self._mp = self.scale // reach.scale
        for unit, routes in self.routes.items():
            home = self.game.homes[unit]
            stays = self.stays[unit] = self.model.new_bool_var(f"{unit} stays")
            ends = {to: self.model.new_bool_var(f"{unit} to {to}") for to in routes.ends if to != home}
            self.ends[unit] = ends
            attacks = []
            for key in routes.attacks:
                literal = self.model.new_bool_var(f"{unit} {key[0]}x{key[1]}")
                self.parts.setdefault(key, {})[unit] = literal
                attacks.append(literal)
            self.model.add_exactly_one([stays, *ends.values(), *attacks])

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
            if unit not in self.game.phasing or unit not in self.game.homes:
                continue
            if self.game.homes[unit] == label:
                found.append(self.stays.get(unit, 1))
            if label in self.ends.get(unit, {}):
                found.append(self.ends[unit][label])
        return found

    def attackers(self, label: str) -> list[Any]:
        """Return whether each unit attacks a hex, from wherever it does."""
        return [literal for (_, to), units in self.parts.items() if to == label for literal in units.values()]

    def spent(self, unit: str) -> Linear:
        """Return the MP that a unit spends, scaled."""
        routes = self.routes[unit]
        terms = [(routes.ends[to][0] * self._mp, literal) for to, literal in self.ends[unit].items()]
        terms += [(routes.attacks[key] * self._mp, units[unit]) for key, units in self.parts.items() if unit in units]
        return Linear(tuple(terms))

    def costs(self, term: Term) -> Linear | None:
        """Return what a term counts that has nothing to do with combat, scaled; None for others."""
        if isinstance(term, (UnitsMoved, MpSpent)):
            own = [unit for unit in self.routes if term.of.matches(self.game.units[unit])]
            if isinstance(term, MpSpent):
                return Linear.sum_of(self.spent(unit) for unit in own)
            return Linear(tuple((-self.scale, self.stays[unit]) for unit in own), self.scale * len(own))
        if isinstance(term, Stay):
            fixed = sum(unit not in self.routes for unit in term.units)
            terms = tuple((self.scale, self.stays[unit]) for unit in term.units if unit in self.routes)
            return Linear(terms, self.scale * fixed)
        return None

    def holders(self, term: Hold) -> list[str]:
        """Return the units that count for a term."""
        return [
            unit for unit in self.game.homes if unit in self.game.phasing and term.by.matches(self.game.units[unit])
        ]


class _Proposals(_Model):
    """Proposals: one group at most attacks a hex."""

    def __init__(self, scenario: Scenario, reach: ConditionalReach, rule: CombatOnEntry) -> None:
        super().__init__(scenario, reach, rule, loose=False)
        self._gains: dict[tuple[str, str], list[tuple[Any, Fraction, dict[str, Fraction]]]] = {}
        targets: dict[str, list[Any]] = {}
        for (origin, to), units in self.parts.items():
            active = self.any_of(units.values())
            targets.setdefault(to, []).append(active)
            self._gains[origin, to] = self._columns(rule, origin, to, units, active)
        for groups in targets.values():
            self.model.add(sum(groups) <= MOST_GROUPS)
        self.values = [Linear.sum_of(self._value(term) for term in tier.terms) for tier in scenario.tiers]
        self.wanted = Linear.sum_of(self._value(term) for term in scenario.requirements)

    def _columns(
        self, rule: CombatOnEntry, origin: str, to: str, units: dict[str, Any], active: Any
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
            held = [self.any_of(self.standing(label)) for label in refuges]
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
                    self.model.add(_sum(strength) >= least).only_enforce_if(literal)
                if cut_off and closed is not None:
                    for one in closed:
                        self.model.add(one >= 1).only_enforce_if(literal)
                good, dead = Fraction(0), dict.fromkeys((unit.id for unit in foes), Fraction(0))
                share = Fraction(1, len(drawn.entries))
                for ours, theirs in drawn.entries:
                    _, lost = rule.harm(some, (), ours)
                    _, killed = rule.harm(foes, (), theirs)
                    good += share * (theirs > ours and len(lost) < len(units))
                    for enemy in dead if theirs > ours and cut_off else killed:
                        dead[enemy] += share
                gains.append((literal, good, dead))
        self.model.add(sum(choices) == active)
        return gains

    def _value(self, term: Term) -> Linear:
        costs = self.costs(term)
        if costs is not None:
            return costs.times(term.weight * term.sign)
        terms: list[tuple[int, Any]] = []
        if isinstance(term, Hold):
            for label in dict.fromkeys(term.hexes):
                inside = self.any_of(literal for literal in self.standing(label, self.holders(term)))
                if inside is not None:
                    terms.append((self.scale, inside))
                for (origin, _), gains in self._gains.items():
                    if origin == label:  # whoever is thrown back stands there again
                        terms += [(int((1 - good) * self.scale), literal) for literal, good, _ in gains]
                taken = [gain for (_, to), gains in self._gains.items() if to == label for gain in gains]
                terms += self._at_most_one([(int(good * self.scale), literal) for literal, good, _ in taken], label)
        elif isinstance(term, Eliminate):
            for enemy in dict.fromkeys(term.units):
                found = [
                    (int(dead[enemy] * self.scale), literal)
                    for those in self._gains.values()
                    for literal, _, dead in those
                    if enemy in dead
                ]
                terms += self._at_most_one(found, enemy)
        elif isinstance(term, End):
            for label in dict.fromkeys(term.at):
                terms += [(self.scale, literal) for literal in self.standing(label, [term.unit])]
                for (_, to), units in self.parts.items():
                    if to == label and term.unit in units:
                        terms.append((self.scale // 2, units[term.unit]))
        return Linear(tuple(terms)).times(term.weight * term.sign)

    def _at_most_one(self, terms: list[tuple[int, Any]], name: str) -> list[tuple[int, Any]]:
        """Return what several attacks come to together: their sum, but no more than certainty."""
        if not terms:
            return []
        total = self.model.new_int_var(0, self.scale, f"chance of {name}")
        self.model.add(total <= _sum(Linear(tuple(terms))))
        return [(1, total)]

    def maximize(self) -> None:
        """Make one objective of requirements and tiers."""
        tiers = [self.wanted, *self.values]
        weights: list[int] = []
        span = 1
        for tier in reversed(tiers):
            weights.insert(0, span)
            span *= sum(abs(weight) * _most(literal) for weight, literal in tier.terms) + 1
        if span > LARGEST:
            weights = [LARGEST // 2**20, 2**20, *(0 for _ in tiers[2:])]
        total = Linear.sum_of(tier.times(weight) for tier, weight in zip(tiers, weights, strict=True))
        self.model.maximize(_sum(total))

    def read(self, holds: Any) -> list[list[Move]]:
        """Return the moves of a solution: those without combat, the approaches, and the attacks."""
        game = self.game
        quiet = [
            Move((unit,), self.routes[unit].ends[to][1])
            for unit, ends in self.ends.items()
            for to, literal in ends.items()
            if holds(literal)
        ]
        approaches, attacks = [], []
        for (origin, to), units in self.parts.items():
            team = [unit for unit in game.sorted(units) if holds(units[unit])]
            if not team:
                continue
            for unit in team:
                path = self.routes[unit].ends[origin][1]
                if len(path) > 1:
                    approaches.append(Move((unit,), path))
            attacks.append(Move(tuple(team), (origin, to), frozenset([1])))
        return [quiet, approaches, attacks]

    def another(self, holds: Any) -> list[Any]:
        """Return literals of which one holds in every solution with other attacks, or other retreats cut off."""
        relevant = [literal for units in self.parts.values() for literal in units.values()]
        relevant += [literal for gains in self._gains.values() for literal, _, _ in gains]
        return [~literal if holds(literal) else literal for literal in relevant]


class _Bound(_Model):
    """A model that overvalues every plan."""

    def __init__(self, scenario: Scenario, reach: ConditionalReach, rule: CombatOnEntry) -> None:
        super().__init__(scenario, reach, rule, loose=True)
        self._rule = rule
        self._single: dict[tuple[str, str, str], Any] = {}
        self.values = [Linear.sum_of(self._value(term) for term in tier.terms) for tier in scenario.tiers]

    def _more(self, label: str) -> Any:
        """Return a literal that may hold if more than one unit attacks a hex, or anybody is beside it."""
        result = self.model.new_bool_var(f"more than one against {label}")
        near = [literal for other in self.game.board.neighbours[label] for literal in self.standing(other)]
        near += self.standing(label)
        attackers = self.attackers(label)
        near += [x for other in self.game.board.neighbours[label] for x in self.attackers(other)]
        self.model.add(sum(attackers) + 2 * sum(near) >= 2).only_enforce_if(result)
        return result

    def _value(self, term: Term) -> Linear:
        costs = self.costs(term)
        if costs is not None:
            # Whoever moves may do so in some outcomes only, as far as this model knows.
            return Linear(constant=self.scale * len(term.units) * term.weight) if isinstance(term, Stay) else Linear()
        terms: list[tuple[int, Any]] = []
        if isinstance(term, Hold):
            for label in dict.fromkeys(term.hexes):
                holders = self.holders(term)
                ways = self.standing(label, holders)
                ways += [
                    x for (o, _), units in self.parts.items() if o == label for u, x in units.items() if u in holders
                ]
                inside = self.any_of(ways)
                held = [] if inside is None else [(self.scale, inside)]
                if self.game.enemies_at(label):
                    held += self._taken(label, lambda good, dead: good)
                total = self.model.new_int_var(0, self.scale, f"held {label}")
                self.model.add(total <= _sum(Linear(tuple(held))))
                terms.append((1, total))
        elif isinstance(term, Eliminate):
            for enemy in dict.fromkeys(term.units):
                if enemy not in self.game.homes:
                    terms.append((self.scale, 1))
                    continue
                terms += self._taken(self.game.homes[enemy], lambda good, dead, e=enemy: dead[e])
        else:
            return Linear(constant=self.scale * term.full(self.game) * term.weight)
        return Linear(tuple(terms)).times(term.weight)

    def _taken(self, label: str, worth: Any) -> list[tuple[int, Any]]:
        """Return what attacks of a hex come to at most: exactly, for a unit alone; all there is, for more."""
        game, rule = self.game, self._rule
        total = self.model.new_int_var(0, self.scale, f"worth of {label}")
        foes = [game.units[enemy] for enemy in game.enemies_at(label)]
        alone: list[tuple[int, Any]] = []
        for (origin, to), units in self.parts.items():
            for unit, literal in units.items():
                if to == label:
                    results = rule.aftermath(game, [game.units[unit]], foes, origin, to, (), lambda _: False)
                    good = sum((r.probability for r in results if r.good), Fraction(0))
                    dead = {
                        foe.id: sum((r.probability for r in results if foe.id in r.dead), Fraction(0)) for foe in foes
                    }
                    alone.append((int(worth(good, dead) * self.scale), literal))
        more = self._more(label)
        attacked = self.any_of(self.attackers(label))
        self.model.add(total <= _sum(Linear((*alone, (self.scale, more)))))
        if attacked is None:
            self.model.add(total == 0)
        else:
            self.model.add(total <= self.scale * attacked)
        return [(1, total)]


def _sum(total: Linear) -> Any:
    return sum(weight * literal for weight, literal in total.terms) + total.constant


def orders(quiet: Sequence[Move], approaches: Sequence[Move], attacks: Sequence[Move]) -> Iterator[Plan]:
    """Yield the orders in which the moves of a proposal may be made.

    Attacks in any order, groups together or one unit after another, the other moves before or after them.
    """
    forms = [attacks]
    if any(len(attack.units) > 1 for attack in attacks):
        single = [Move((unit,), attack.path, attack.overruns) for attack in attacks for unit in attack.units]
        forms.append(single)
    for form in forms:
        for chosen in islice(permutations(form), MOST_ORDERS):
            yield Plan((*quiet, *approaches, *chosen))
            if quiet and attacks:
                yield Plan((*approaches, *chosen, *quiet))
            if len(attacks) > 1 and approaches:
                late: list[Move] = []
                for attack in chosen:
                    late += [move for move in approaches if move.units[0] in attack.units]
                    late.append(attack)
                yield Plan((*quiet, *late))


def search_combats(search: Any) -> Result:
    """Search a scenario in which entering an enemy's hex is a combat.

    Parameters
    ----------
    search : Search
        The search; its time limit holds.
    """
    scenario, reach = search.scenario, search.reach
    rule = next(rule for rule in reach.rules if isinstance(rule, CombatOnEntry))
    tiers = scenario.tiers
    best: Plan | None = None
    known: tuple[Fraction, ...] | None = None

    def consider(plan: Plan) -> None:
        nonlocal best, known
        verdict = search.replay(plan)
        if verdict.legal and search.fulfils(verdict):
            value = tier_values(tiers, score(scenario.game, tiers, verdict))
            if known is None or value > known:
                best, known = plan, value

    consider(Plan())
    bounds = _bounds(search, _Bound(scenario, reach, rule))
    proposals = _Proposals(scenario, reach, rule)
    proposals.maximize()
    idle = 0
    for _ in range(MOST_PROPOSALS):
        if known == bounds or idle >= PATIENCE:
            break
        before = known
        solved = search.run_model(proposals.model)
        if solved.holds is None:
            break
        for plan in orders(*proposals.read(solved.holds)):
            consider(plan)
        idle = 0 if known != before else idle + 1
        proposals.model.add_bool_or(proposals.another(solved.holds))
    if best is None:
        return Result("unknown", search.seconds(), interrupted=search.stop.is_set())
    found: Result = search.replayed(best, [], list(bounds), known == bounds, search.replay(best))
    return found


def _bounds(search: Any, limit: _Bound) -> tuple[Fraction, ...]:
    """Return for each tier what no plan can exceed."""
    ceilings = [
        Fraction(tier.constant + sum(max(weight, 0) * _most(literal) for weight, literal in tier.terms), limit.scale)
        for tier in limit.values
    ]
    if limit.values:
        limit.model.maximize(_sum(limit.values[0]))
        solved = search.run_model(limit.model)
        if solved.bound is not None:
            ceilings[0] = min(ceilings[0], Fraction(solved.bound, limit.scale))
    return tuple(ceilings)


def _most(literal: Any) -> int:
    """Return the largest value of a variable, or a number."""
    return literal if isinstance(literal, int) else list(literal.proto.domain)[-1]
