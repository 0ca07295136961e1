"""What no way of playing is worth more than where units share out their attempts to overrun: a linear program.

Whatever is rolled, each unit has done something in the end: it has tried enemies, each so many times, and ended somewhere,
all within its MP. So of each way of playing it can be said how often each unit does what. Those who begin the phase in one
hex, and nobody else, may try an enemy together; how it is tried is told by orders: who tries first, who if that fails, and
so on. What units do in all orders together they do at most as often as in what they have done in the end; an enemy is gone
at most as often as its orders go through; and nobody holds a hex more often than somebody is there.

Orders are too many to be listed: those that pay at the prices of the units' attempts are added as they are found (Dantzig
and Wolfe 1960). What is proved in the end needs no more of them than their best at given prices. What lies in the units'
way, and who helps whom past it, is left out: they go as if all enemies were gone.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import prod

from planner.limits import Limits
from planner.objective import Tier
from planner.objective.goals import Eliminate, Hold
from planner.reachability.conditional_reach import ConditionalReach
from planner.rules.combat_roles import JointlyOverruns
from planner.scenario import Scenario
from planner.search.overrun_bound import Stronghold, the_rule
from planner.solver.linear_bound import Column, LinearProgram
from planner.solver.model import most
from planner.solver.tuning import SharedAttempts

_Tried = tuple[tuple[str, int], ...]
"""Hexes of enemies, each with how often it was tried."""
_Done = tuple[str | None, _Tried]
"""What a unit has done in the end: where it is, None: nowhere of worth; and what it has tried."""
_Field = dict[str, int]
"""MP spent, scaled, at least, until a unit is somewhere."""
_Sum = dict[Column, Fraction]
ONE = Fraction(1)


def shared_bound(scenario: Scenario, limits: Limits) -> Fraction | None:
    """Return what the first tier is worth at most on average; None where attempts aren't shared out, or too many ways are.

    Raises
    ------
    OutOfTimeError
        If the time is up before anything is known.
    """
    rule = the_rule(scenario.game)
    if rule is None or not scenario.tiers or any(way.carries for way in scenario.game.rulebook.ways):
        return None
    reach = ConditionalReach(scenario.game, limits)
    if reach.spends_at_once or rule.entry_at_most is None or rule.entry_at_most > (rule.price or 0):
        return None
    try:
        return _Sharing(scenario, reach, rule, limits).bound()
    except _TooManyError:
        return None


class _TooManyError(Exception):
    """There are too many ways to share out attempts."""


@dataclass
class _Rows:
    """The numbers of rows of the program whose prices orders are looked for at.

    Attributes
    ----------
    tried : dict from (hex, unit)
        A unit tries a hex no more often than it has done so in the end.
    orders, gone : dict from hexes
        One order at a time; the enemies are gone no more often than an order goes through.
    """

    tried: dict[tuple[str, str], int]
    orders: dict[str, int]
    gone: dict[str, int]


class _Sharing:
    """The linear program of a scenario's first tier."""

    def __init__(self, scenario: Scenario, reach: ConditionalReach, rule: JointlyOverruns, limits: Limits) -> None:
        self._game, self._reach, self._rule, self._limits = scenario.game, reach, rule, limits
        assert rule.price is not None
        self._price = int(rule.price * reach.scale)
        self._tier: Tier = scenario.tiers[0]
        game = self._game
        goals = [
            term for term in self._tier.terms if isinstance(term, (Hold, Eliminate)) and term.weight * term.sign > 0
        ]
        self._ends = {label for term in goals if isinstance(term, Hold) for label in term.hexes}
        labels = self._ends | {
            game.homes[enemy]
            for term in goals
            if isinstance(term, Eliminate)
            for enemy in term.units
            if enemy in game.homes
        }
        self._labels = sorted(label for label in labels if game.enemies_at(label))
        self._done = {unit: self._ways(unit) for unit in reach.movers}
        self._strongholds = {}
        for label in self._labels:
            counts = {unit: max(dict(tried).get(label, 0) for _, tried in done) for unit, done in self._done.items()}
            tries = {unit: count for unit, count in counts.items() if count}
            self._strongholds[label] = Stronghold.of(game, rule, label, tries)
            if prod(count + 1 for count in tries.values()) > SharedAttempts.states:
                raise _TooManyError

    def bound(self) -> Fraction:
        """Return what the tier is worth at most."""
        orders: dict[str, list[tuple[tuple[tuple[str, ...], Fraction], ...]]] = {label: [] for label in self._labels}
        prices: list[float] = []
        for _ in range(SharedAttempts.rounds):
            program, worth, _, rows = self._program()
            for label, some in orders.items():
                for order in some:
                    self._add_order(program, rows, label, order)
            prices = program.prices(worth)
            better = False
            for label, held in self._strongholds.items():
                if self._limits.late:
                    break
                paid = {unit: prices[rows.tried[label, unit]] for unit in held.tries}
                value, order = held.best(prices[rows.gone[label]], paid)
                if value > prices[rows.orders[label]] + SharedAttempts.least and order not in orders[label]:
                    orders[label].append(order)
                    better = True
            if not better or self._limits.late:
                break
        return self._proved(rows, prices)

    def _proved(self, rows: _Rows, prices: list[float]) -> Fraction:
        """Return the bound that prices of attempts prove, whatever the orders: none is worth more than the best at them."""
        program, worth, constant, own = self._program()
        for label, held in self._strongholds.items():
            program.rows[own.gone[label]] = {}, Fraction(0)  # there are no orders in this one
            paid = {unit: _simple(prices[rows.tried[label, unit]]) for unit in held.tries}
            value = _simple(prices[rows.gone[label]])
            total: _Sum = {("gone", label): value, **{("n", label, unit): -price for unit, price in paid.items()}}
            program.add(total, Fraction(held.best(value, paid)[0]))
            program.add({("gone", label): ONE}, ONE if held.likely is None else held.likely)
            for unit, count in held.tries.items():
                program.limits["n", label, unit] = Fraction(count)
                total = {("n", label, unit): ONE}
                program.add(total | self._tried(label, unit), 0)
        return constant + program.most(worth)

    # -- the program

    def _program(self) -> tuple[LinearProgram, _Sum, Fraction, _Rows]:
        """Return the program without any orders, what the tier is worth, beside what it is worth whatever is done."""
        program, rows = LinearProgram(), _Rows({}, {}, {})
        for unit, done in self._done.items():
            program.add({(unit, one): ONE for one in done}, 1)
        for label, held in self._strongholds.items():
            for unit in held.tries:
                rows.tried[label, unit] = len(program.rows)
                program.add(self._tried(label, unit), 0)
            rows.orders[label] = len(program.rows)
            program.add({}, 1)
            rows.gone[label] = len(program.rows)
            program.add({("gone", label): ONE}, 0)
        worth, constant = self._worth(program)
        return program, worth, constant, rows

    def _tried(self, label: str, unit: str) -> _Sum:
        """Return, less than nothing, how often a unit has tried a hex."""
        return {(unit, one): Fraction(-dict(one[1])[label]) for one in self._done[unit] if label in dict(one[1])}

    def _worth(self, program: LinearProgram) -> tuple[_Sum, Fraction]:
        total: _Sum = {}
        constant = Fraction(0)
        for term in self._tier.terms:
            weight = Fraction(term.weight * term.sign)
            if weight > 0 and isinstance(term, Hold):
                for label in term.hexes:
                    held: Column = "held", label, term.by
                    total[held] = total.get(held, Fraction(0)) + weight
                    self._add_held(program, held, label, term)
            elif weight > 0 and isinstance(term, Eliminate):
                for enemy in term.units:
                    home = self._game.homes.get(enemy)
                    if home is None:
                        constant += weight
                    else:
                        total["gone", home] = total.get(("gone", home), Fraction(0)) + weight
            else:
                constant += most(Tier(terms=(term,)), self._game)
        return total, constant

    def _add_held(self, program: LinearProgram, held: Column, label: str, term: Hold) -> None:
        """Limit how often a hex is held: no more often than somebody is there, and no enemies."""
        game = self._game
        stand = [unit for unit in game.friends if game.homes.get(unit) == label and term.by.matches(game.units[unit])]
        if not any(unit not in self._done for unit in stand):
            there: _Sum = {
                (unit, one): -ONE
                for unit, done in self._done.items()
                if term.by.matches(game.units[unit])
                for one in done
                if one[0] == label
            }
            program.add({held: ONE, **there}, 0)
        if game.enemies_at(label):
            program.add({held: ONE, ("gone", label): -ONE}, 0)

    def _add_order(
        self, program: LinearProgram, rows: _Rows, label: str, order: tuple[tuple[tuple[str, ...], Fraction], ...]
    ) -> None:
        """Add a column: units try in an order until it goes through."""
        left, often = ONE, dict[str, Fraction]()
        for team, chance in order:
            for unit in team:
                often[unit] = often.get(unit, Fraction(0)) + left
            left *= 1 - chance
        column: Column = "order", label, order
        for row, weight in (
            (rows.orders[label], ONE),
            (rows.gone[label], left - 1),
            *((rows.tried[label, unit], times) for unit, times in often.items()),
        ):
            total, limit = program.rows[row]
            program.rows[row] = {**total, column: weight}, limit

    # -- what units can do

    def _ways(self, unit: str) -> list[_Done]:
        """Return what a unit may have done in the end, but for what is less than something else."""
        found: dict[str | None, list[_Tried]] = {}
        for tried, field in self._fields(unit):
            for end in (None, *sorted(self._ends.intersection(field))):
                found.setdefault(end, []).append(tried)
        return [(end, tried) for end, some in found.items() for tried in _undominated(some)]

    def _fields(self, unit: str) -> Iterator[tuple[_Tried, _Field]]:
        """Yield what a unit may try, and how soon it may be where after it."""
        counter, reach = self._game.units[unit], self._reach
        able = self._rule.by.matches(counter)
        known: dict[_Tried, _Field] = {}
        begin = self._flood(unit, {self._game.homes[unit]: reach.departed(unit).spent})
        stack: list[tuple[_Tried, _Field]] = [((), begin)]
        floods = 0
        while stack:
            tried, field = stack.pop()
            yield tried, field
            for label in self._labels if able else ():
                allowed = max(reach.limit(counter, label), int(counter.ma * reach.scale))
                near = (place for place in self._game.board.neighbours.get(label, ()) if place in field)
                after = {place: field[place] + self._price for place in near if field[place] + self._price <= allowed}
                if not after:
                    continue
                after[label] = min(after.values())
                more = dict(tried)
                more[label] = more.get(label, 0) + 1
                key = tuple(sorted(more.items()))
                there = self._flood(unit, after)
                had = known.get(key, {})
                if had and all(place in had and had[place] <= spent for place, spent in there.items()):
                    continue
                known[key] = {**there, **{place: min(spent, there.get(place, spent)) for place, spent in had.items()}}
                stack.append((key, there))
                floods += 1
                if floods > SharedAttempts.ways:
                    raise _TooManyError

    def _flood(self, unit: str, begin: Mapping[str, int]) -> _Field:
        """Return how soon a unit can be where, as if all enemies were gone when it comes."""
        self._limits.check("while it was worked out where units can be")
        reach, counter, home = self._reach, self._game.units[unit], self._game.homes[unit]
        field = dict(begin)
        queue = [(spent, label) for label, spent in begin.items()]
        heapq.heapify(queue)
        while queue:
            spent, here = heapq.heappop(queue)
            if spent > field[here]:
                continue
            for step in reach.steps(unit, here):
                total, to = spent + step.cost, step.arc.to
                if step.arc.overrun or (to in field and field[to] <= total):
                    continue
                if reach.affords(counter, step, total, first=here == home):
                    field[to] = total
                    heapq.heappush(queue, (total, to))
        return field


def _undominated(some: list[_Tried]) -> list[_Tried]:
    """Return those that aren't part of another one."""
    kept: list[tuple[_Tried, dict[str, int]]] = []
    for tried in sorted(set(some), key=lambda one: (-sum(count for _, count in one), one)):
        if not any(all(more.get(label, 0) >= count for label, count in tried) for _, more in kept):
            kept.append((tried, dict(tried)))
    return [tried for tried, _ in kept]


def _simple(price: float) -> Fraction:
    """Return a price as a simple fraction."""
    return Fraction(max(0, round(price * SharedAttempts.finest)), SharedAttempts.finest)
