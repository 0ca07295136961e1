"""The search where entering an enemy's hex is a combat, whose result is drawn.

What a plan of several combats is worth follows from everything to which these may lead, and only the referee works it out.
So the solver proposes: who stays, who goes where, who attacks which hex from where, with which column of the table and with
which retreats cut off, valued combat by combat. The referee says what each proposal is worth, in each order of the combats;
what has been looked at is excluded; until a number of proposals have brought nothing better.

In a proposal two groups at most attack a hex, and nobody counts on a result. The bound is that of `combat_bound.py`; a plan
is called optimal only where it comes to it, or where all others that might be better have been gone through.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, islice, permutations, product
from math import ceil
from typing import Any

from planner.errors import DisagreementError, OutOfTimeError
from planner.objective import Control, Linear, Term
from planner.objective.goals import Eliminate, End, Hold
from planner.objective.scoring import values_of
from planner.plans.partial_plan import PartialPlan
from planner.plans.plan import Move, Plan
from planner.reachability.conditional_reach import ConditionalReach
from planner.reachability.fixed_moves import joined
from planner.referee.verdict import Verdict
from planner.rules.kinds.combat_on_entry import CombatOnEntry
from planner.scenario import Scenario
from planner.search.combat_bound import CombatBound
from planner.search.combat_model import CombatModel, total_of
from planner.search.enumeration import Census
from planner.search.plan_pool import Value
from planner.search.result import Result
from planner.solver.tuning import Combats
from planner.world.board import Board


class _Proposals(CombatModel):
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
            self.model.add(sum(groups) <= Combats.groups)
        self.model.add(sum(group for groups in targets.values() for group in groups) <= Combats.combats)
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
                    self.model.add(total_of(strength) >= least).only_enforce_if(literal)
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
        elif isinstance(term, End):
            for label in dict.fromkeys(term.at):
                terms += [(self.scale, literal) for literal in self.standing(label, [term.unit])]
                for (_, to), units in self.parts.items():
                    if to == label and term.unit in units:
                        terms.append((self.scale // 2, units[term.unit]))
        return Linear(tuple(terms)).times(term.weight * term.sign)

    def _passing(self, label: str) -> list[Any]:
        """Return, for each unit that enters a hex on its way, whether it goes that way."""
        ways = [
            (self.routes[unit].ends[to][1][:-1], literal)
            for unit, ends in self.ends.items()
            for to, literal in ends.items()
        ]
        ways += [
            (self.routes[unit].ends[origin][1], literal)
            for (origin, _), units in self.parts.items()
            for unit, literal in units.items()
        ]
        found = [literal for path, literal in ways if label in path[1:]]
        for detours in self.detours.values():
            found += [literal for (_, entered), literal in detours.items() if label in entered]
        return found

    def _at_most_one(self, terms: list[tuple[int, Any]], name: str) -> list[tuple[int, Any]]:
        """Return what several attacks come to together: their sum, but no more than certainty."""
        if not terms:
            return []
        total = self.model.new_int_var(0, self.scale, f"chance of {name}")
        self.model.add(total <= total_of(Linear(tuple(terms))))
        return [(1, total)]

    def maximize(self) -> None:
        """Make one objective of requirements and tiers."""
        tiers = [self.wanted, *self.values]
        weights: list[int] = []
        span = 1
        for tier in reversed(tiers):
            weights.insert(0, span)
            span *= sum(abs(weight) * _most(literal) for weight, literal in tier.terms) + 1
        if span > Combats.largest:
            weights = [Combats.largest // 2**20, 2**20, *(0 for _ in tiers[2:])]
        total = Linear.sum_of(tier.times(weight) for tier, weight in zip(tiers, weights, strict=True))
        self.model.maximize(total_of(total))

    def read(self, holds: Any, fixed: Mapping[str, tuple[str, ...]]) -> list[list[Move]]:
        """Return the moves of a solution: those without combat, the approaches, and the attacks.

        `fixed` tells of units whose moves are settled by which hexes they go before they attack, or to their end.
        """
        game = self.game
        quiet = [
            Move((unit,), fixed.get(unit) or self.routes[unit].ends[to][1])
            for unit, ends in self.ends.items()
            for to, literal in ends.items()
            if holds(literal)
        ]
        quiet += [
            Move((unit,), self.routes[unit].detours[key][1])
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
                path = fixed.get(unit) or self.routes[unit].ends[origin][1]
                if len(path) > 1:
                    approaches.append(Move((unit,), path))
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


def orders(board: Board, quiet: Sequence[Move], approaches: Sequence[Move], attacks: Sequence[Move]) -> Iterator[Plan]:
    """Yield the orders in which the moves of a proposal may be made.

    Attacks in any order, groups together or one unit after another, the other moves before or after them.
    """
    forms = [attacks]
    if any(len(attack.units) > 1 for attack in attacks):
        single = [Move((unit,), attack.path, attack.overruns) for attack in attacks for unit in attack.units]
        forms += [single] if len(single) <= Combats.combats else []
    for form in forms:
        for chosen in islice(_sequences(board, form), Combats.orders):
            yield Plan((*quiet, *approaches, *chosen))
            if quiet and attacks:
                yield Plan((*approaches, *chosen, *quiet))
            if len(attacks) > 1 and approaches:
                late: list[Move] = []
                for attack in chosen:
                    late += [move for move in approaches if move.units[0] in attack.units]
                    late.append(attack)
                yield Plan((*quiet, *late))


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
    best: tuple[Plan, Verdict] | None = None
    known: tuple[Fraction, ...] | None = None

    def consider(plan: Plan) -> bool:
        """Keep a plan if it is the best so far; tell whether it is one at all."""
        nonlocal best, known
        if not search.is_replayed(plan):
            return False
        verdict = search.replay(plan)
        if not verdict.legal or not search.fulfils(plan, verdict):
            return False
        value = values_of(scenario.game, tiers, verdict)
        if search.pool is not None:
            search.pool.add(plan, verdict, value)
        if known is None or value > known:
            best, known = (plan, verdict), value
        return True

    consider(Plan())
    limit = CombatBound(scenario, reach, rule)
    bounds = _bounds(search, limit)
    proposals = _Proposals(scenario, reach, rule)
    partial = search.conditions.partial
    _post_partial(partial, proposals)
    fixed = {unit: _route(partial, unit) for unit in partial.movers}
    proposals.maximize()
    idle = 0
    for _ in range(Combats.proposals):
        if (known == bounds and search.pool is None) or idle >= Combats.patience or search.late:
            break
        before = known
        solved = search.run_model(proposals.model)
        if solved.holds is None:
            break
        quiet, approaches, attacks = proposals.read(solved.holds, fixed)
        _ensure_agreement(search, Plan((*quiet, *approaches)))
        legal = []
        # Of a plan that can't be better than what is known any order will do.
        tried = Combats.few_orders if known == bounds else None
        for plan in islice(orders(scenario.game.board, quiet, approaches, attacks), tried):
            legal.append(consider(plan))
            if known is not None and known != before and known[:1] == bounds[:1]:
                bounds = _further_bounds(search, limit, bounds, known)
            if (known == bounds and search.pool is None) or search.late:
                break
        idle = 0 if known != before else idle + 1
        proposals.model.add_bool_or(proposals.another(solved.holds, exactly=not any(legal) or search.pool is not None))
    if known is not None:
        bounds = _further_bounds(search, limit, bounds, known)
    if search.pool is None and known != bounds and not search.late and tiers:
        best_of_all = _best_of_all(search, known, bounds[0])
        if best_of_all is not None:
            plan, value = best_of_all
            if known is None or value > known:
                consider(plan)
            bounds = value if known == value else bounds
    if best is None:
        return Result("unknown", search.seconds(), interrupted=search.stop.is_set())
    plan, verdict = best
    found: Result = search.replayed(plan, [], list(bounds), known == bounds, verdict)
    return found


def _post_partial(partial: PartialPlan, model: CombatModel) -> None:
    """Post what is settled of a plan into a model of proposals for combats."""
    for unit, places in partial.ends:
        ways = [literal for label, literal in model.ends.get(unit, {}).items() if label in places]
        ways += [literal for (label, _), literal in model.detours.get(unit, {}).items() if label in places]
        ways += [units[unit] for (_, to), units in model.parts.items() if to in places and unit in units]
        if model.game.homes[unit] in places:
            ways.append(model.stays.get(unit, 1))
            ways += [units[unit] for (_, _), units in model.parts.items() if unit in units]  # it may be thrown back
        model.model.add_bool_or(ways)
    for unit in partial.stays:
        if unit in model.stays:
            model.model.add_bool_or([model.stays[unit]])
    for move in partial.moves:
        for unit in move.units:
            part = move.part(unit)
            if part.overruns:
                key = part.path[-2], part.path[-1]
                ways = [units[unit] for ends, units in model.parts.items() if ends == key and unit in units]
            else:
                ways = [literal for label, literal in model.ends.get(unit, {}).items() if label == part.path[-1]]
            model.model.add_bool_or(ways)


def _route(partial: PartialPlan, unit: str) -> tuple[str, ...]:
    """Return the hexes of a unit's fixed moves, up to that from which it attacks; () where it has none."""
    whole = joined(partial.moves, unit)
    if whole is None:
        return ()
    return whole.path[: min(whole.overruns)] if whole.overruns else whole.path


def _best_of_all(search: Any, known: tuple[Fraction, ...] | None, highest: Fraction) -> tuple[Plan, Value] | None:
    """Return the best plan of a small position, and what it is worth; None if there are too many, or no time.

    Proposals follow a pattern; here all other plans that might be better are gone through, too.
    """
    soon = time.monotonic() + Combats.longest
    deadline = soon if search.deadline is None else min(soon, search.deadline)
    census = Census(search, known, highest, deadline, Combats.others)
    every = census.run()
    if every is None or not (entries := every.all()):
        return None
    _, value, plan, _ = entries[0]
    try:
        return census.tidy(plan), value
    except OutOfTimeError:
        return plan, value


def _ensure_agreement(search: Any, plan: Plan) -> None:
    """Raise `DisagreementError` if moves that come before all combats are illegal one by one."""
    verdict = search.replay(plan)
    found = "; ".join(str(violation) for violation in verdict.violations if violation.move is not None)
    if found:
        dump = f"scenario: {search.scenario.where}\nplan:\n{plan}\n"
        raise DisagreementError(f"the referee rejects the solver's plan: {found}", dump)


def _bounds(search: Any, limit: CombatBound) -> tuple[Fraction, ...]:
    """Return for each tier what no plan can exceed."""
    ceilings = list(limit.ceilings)
    if ceilings:
        limit.model.maximize(total_of(limit.first))
        solved = search.run_model(limit.model)
        if solved.bound is not None:
            ceilings[0] = min(ceilings[0], Fraction(solved.bound, limit.scale))
    return tuple(ceilings)


def _further_bounds(
    search: Any, limit: CombatBound, bounds: tuple[Fraction, ...], known: tuple[Fraction, ...]
) -> tuple[Fraction, ...]:
    """Return the bounds, those of tiers that count moves and MP for plans that are as good before them."""
    found = list(bounds)
    tiers = search.scenario.tiers
    expression = total_of(limit.first)
    for index in range(1, len(found)):
        if found[index - 1] != known[index - 1]:
            break
        limit.model.add(expression >= ceil(known[index - 1] * limit.scale))
        price = limit.price_of(tiers[index])
        if price is None:
            break
        expression = total_of(price)
        limit.model.maximize(expression)
        solved = search.run_model(limit.model)
        if solved.bound is None:
            break
        found[index] = min(found[index], Fraction(solved.bound, limit.scale))
    return tuple(found)


def _most(literal: Any) -> int:
    """Return the largest value of a variable, or a number."""
    return literal if isinstance(literal, int) else list(literal.proto.domain)[-1]
