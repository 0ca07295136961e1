"""What no way of playing is worth more than where units share out their attempts to overrun: a linear program.

Whatever is rolled, each unit has done something in the end: it has tried enemies, each so many times, and ended somewhere,
all within its MP. So of each way of playing it can be said how often each unit does what. Those who begin the phase in one
hex, and nobody else, may try an enemy together; how it is tried is told by orders: who tries first, who if that fails, and
so on. Hexes that the same units may try have their orders in common, if these aren't too many: who goes where next is told
for each case by itself. What a unit does in all orders together, here once, there twice, it does no more often than in what
it has done in the end; an enemy is gone at most as often as its orders go through; and nobody holds a hex more often than
somebody is there.

Orders are too many to be listed: those that pay at the prices of the units' attempts are added as they are found (Dantzig
and Wolfe 1960). What is proved in the end needs no more of them than their best at given prices. Whoever has gone
through a hex of enemies needs them gone, and where a zone would have stopped it, them gone or a friend who has stayed: in
the end so often, in whatever order. Where all need it who hold a hex, or try an enemy, that is so no more often, however
they share it out: whoever does it without the need counts, or the need is met. Enemies who are worth nothing take MP that
are left. Where too many may try an enemy, attempts are counted, whatever their order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import NamedTuple

from planner.limits import Limits
from planner.objective import Tier
from planner.objective.goals import Eliminate, Hold
from planner.reachability.conditional_reach import ConditionalReach
from planner.reachability.undisturbed import groups_of
from planner.rules.combat_roles import JointlyOverruns
from planner.rules.play import overrun_links
from planner.rules.roles import Exempts
from planner.scenario import Scenario
from planner.search.attempt_ways import AttemptNeed, AttemptWay, AttemptWays, TooManyError
from planner.search.attempts_in_turn import BestTurns, Contest, Team, Tries
from planner.search.overrun_bound import Stronghold, only_overrun, the_rule
from planner.solver.linear_bound import Column, LinearProgram
from planner.solver.model import most
from planner.solver.tuning import SharedAttempts

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
    if only_overrun(reach):
        return None
    try:
        return _Sharing(scenario, reach, rule, limits).bound()
    except TooManyError:
        return None


@dataclass
class _Rows:
    """The numbers of rows of the program whose prices orders are looked for at.

    Attributes
    ----------
    tried : dict from (Contest, unit, Tries)
        A unit tries the hexes of a contest so often, or more often, no more often than it has done so in the end.
    orders : dict from Contest
        One order at a time.
    gone : dict from hexes
        The enemies are gone no more often than an order goes through.
    """

    tried: dict[tuple[Contest, str, Tries], int]
    orders: dict[Contest, int]
    gone: dict[str, int]


class _Near(NamedTuple):
    """What a unit can do that is beside a hex of enemies.

    Attributes
    ----------
    left : int
        MP that it has left at most, scaled; below 0: it doesn't get there.
    tries : int
        How often it may try them.
    entry : int
        MP that entering the hex takes at most, scaled.
    """

    left: int
    tries: int
    entry: int


class _InTheWay(NamedTuple):
    """Enemies that are worth nothing, but in the way.

    Attributes
    ----------
    teams : list of (tuple of str, Fraction)
        Who may try them together, and how likely that goes through.
    near : dict from units to _Near
        What each unit can do there.
    """

    teams: list[Team]
    near: dict[str, _Near]


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
        ends = {label for term in goals if isinstance(term, Hold) for label in term.hexes}
        labels = ends | {
            game.homes[enemy]
            for term in goals
            if isinstance(term, Eliminate)
            for enemy in term.units
            if enemy in game.homes
        }
        self._labels = sorted(label for label in labels if game.enemies_at(label))
        ways = AttemptWays(reach, rule, self._labels, ends, limits)
        self._done = ways.ways
        self._others = self._in_the_way(ways)
        self._strongholds: dict[str, Stronghold] = {}
        for label in self._labels:
            counts = {unit: max(dict(one.tried).get(label, 0) for one in some) for unit, some in self._done.items()}
            tries = {unit: count for unit, count in counts.items() if count}
            self._strongholds[label] = Stronghold.of(game, rule, label, tries)
        # Where there are too many orders to try in, the best of them isn't looked for.
        self._crowded = [label for label in self._labels if self._contest([label]).size > SharedAttempts.situations]
        self._contests = self._joined([label for label in self._labels if label not in self._crowded])

    def _contest(self, labels: Sequence[str]) -> Contest:
        """Return who may try some hexes."""
        held = {label: self._strongholds[label] for label in labels}
        able = {}
        for unit, done in self._done.items():
            if any(unit in one.tries for one in held.values()):
                able[unit] = frozenset(tuple(dict(one.tried).get(label, 0) for label in labels) for one in done)
        teams = {label: [team for some in one.stacks for team in some] for label, one in held.items()}
        waiting = frozenset[str]().union(*(one.waiting for one in held.values()))
        return Contest(able, teams, waiting, lambda: self._limits.check("while it was worked out who tries what next"))

    def _joined(self, apart: list[str]) -> list[Contest]:
        """Return contests of hexes that the same units may try, as far as there aren't too many situations in them."""
        contests = [self._contest([label]) for label in apart]
        refused: set[tuple[str, ...]] = set()
        while True:
            pairs = sorted(combinations(contests, 2), key=lambda two: -len(two[0].tries.keys() & two[1].tries.keys()))
            for one, other in pairs:
                if one.tries.keys().isdisjoint(other.tries):
                    return contests
                hexes = *one.hexes, *other.hexes
                if hexes in refused:
                    continue
                both = self._contest(hexes)
                if both.size <= SharedAttempts.situations:
                    contests = [some for some in contests if some not in (one, other)] + [both]
                    break
                refused.add(hexes)
            else:
                return contests

    def bound(self) -> Fraction:
        """Return what the tier is worth at most.

        Raises
        ------
        OutOfTimeError
            If the time is up before all orders have been looked at once; from then on, what is known is good enough.
        """
        program, worth, _, rows = self._program()
        prices = program.prices(worth)
        for _ in range(SharedAttempts.rounds):
            better = False
            for contest in self._contests:
                better |= self._add_order(program, rows, contest, prices)
            if not better or self._limits.late:
                break
            prices = program.prices(worth)
        return self._proved(rows, prices)

    def _proved(self, rows: _Rows, prices: list[float]) -> Fraction:
        """Return the bound that prices of attempts prove, whatever the orders: none is worth more than the best at them."""
        program, worth, constant, own = self._program()
        for contest in self._contests:
            total: _Sum = {}
            values = {label: _simple(prices[rows.gone[label]]) for label in contest.hexes}
            for label, value in values.items():
                program.rows[own.gone[label]] = {}, Fraction(0)  # there are no orders in this one
                likely = self._strongholds[label].likely
                program.add({("gone", label): ONE}, ONE if likely is None else likely)
                total["gone", label] = value
            paid = {}
            for unit, tries in self._tries_in(contest):
                price = paid[unit, tries] = _simple(prices[rows.tried[contest, unit, tries]])
                column = "tried", contest.hexes, unit, tries
                total[column] = -price
                program.add({column: ONE} | self._has_tried(contest, unit, tries), 0)
            program.add(total, BestTurns(contest, values, paid).exact)
        return constant + program.most(worth)

    # -- the program

    def _program(self) -> tuple[LinearProgram, _Sum, Fraction, _Rows]:
        """Return the program without any orders, what the tier is worth, beside what it is worth whatever is done."""
        program, rows = LinearProgram(), _Rows({}, {}, {})
        for unit, done in self._done.items():
            program.add({(unit, one): ONE for one in done}, 1)
        for contest in self._contests:
            for unit, tries in self._tries_in(contest):
                rows.tried[contest, unit, tries] = len(program.rows)
                program.add(self._has_tried(contest, unit, tries), 0)
            rows.orders[contest] = len(program.rows)
            program.add({}, 1)
            for label in contest.hexes:
                rows.gone[label] = len(program.rows)
                program.add({("gone", label): ONE}, 0)
        for unit, done in self._done.items():
            self._add_needs(program, unit, done)
        self._add_others(program)
        self._add_crowded(program)
        for label in self._labels:
            some = [(unit, one) for unit, done in self._done.items() for one in done if label in dict(one.tried)]
            self._add_needed(program, ("gone", label), some)
        worth, constant = self._worth(program)
        return program, worth, constant, rows

    def _tried(self, label: str, unit: str) -> _Sum:
        """Return, less than nothing, how often a unit has tried a hex."""
        return {(unit, one): Fraction(-dict(one.tried)[label]) for one in self._done[unit] if label in dict(one.tried)}

    def _has_tried(self, contest: Contest, unit: str, tries: Tries) -> _Sum:
        """Return, less than nothing, how likely a unit has tried the hexes of a contest so often, or more often."""
        least = dict(zip(contest.hexes, tries, strict=True)).items()
        return {
            (unit, one): -ONE
            for one in self._done[unit]
            if all(dict(one.tried).get(label, 0) >= count for label, count in least)
        }

    @staticmethod
    def _tries_in(contest: Contest) -> Iterator[tuple[str, Tries]]:
        """Yield all that units may try in a contest."""
        return ((unit, one) for unit, some in contest.tries.items() for one in some if any(one))

    def _add_needs(self, program: LinearProgram, unit: str, done: list[AttemptWay]) -> None:
        """Limit how often a unit has done what needs others: no more often than enemies are gone, or friends have stayed."""
        for need in sorted({need for one in done for need in one.needs}, key=repr):
            met = self._met(need, unit)
            if met is not None:
                program.add({**{(unit, one): ONE for one in done if need in one.needs}, **met}, 0)

    def _met(self, need: AttemptNeed, unit: str | None = None) -> _Sum | None:
        """Return, less than nothing, how often a need is met, by others than a unit; None: always."""
        groups, homes = groups_of(self._game), self._game.homes
        friends = groups.get(need.group, frozenset()) - {unit} if need.stay is not None else frozenset()
        if any(homes.get(friend) == need.stay and friend not in self._done for friend in friends):
            return None
        stay: _Sum = {
            (friend, one): -ONE
            for friend in self._game.sorted(friends & self._done.keys())
            for one in self._done[friend]
            if one.end == need.stay
        }
        return {**stay, ("gone", need.enemies): -ONE}

    def _add_needed(self, program: LinearProgram, what: Column, ways: list[tuple[str, AttemptWay]]) -> None:
        """Limit how often something is so that takes one of some ways: what all those need that are taken has come about.

        So those who share it out among them, each when the others don't, have no more of it than what they need comes about.
        """
        for need in sorted({need for _, one in ways for need in one.needs}, key=repr):
            met = self._met(need)
            if met is None or what == ("gone", need.enemies):
                continue
            total: _Sum = {what: ONE, **met}
            for column in ways:
                if need not in column[1].needs:
                    total[column] = -ONE
            program.add(total, 0)

    def _in_the_way(self, ways: AttemptWays) -> dict[str, _InTheWay]:
        """Return the enemies that are worth nothing, but in the way."""
        found = {}
        for label in sorted({need.enemies for some in ways.ways.values() for one in some for need in one.needs}):
            near = {unit: self._near(ways, unit, label) for unit in self._reach.movers if label not in self._labels}
            able = {unit: one.tries for unit, one in near.items() if one.tries > 0}
            waits = any(self._game.rulebook.lets_wait(self._game.units[unit]) for unit in able)
            if label not in self._labels and not waits:  # who may join others on the way has too many to do it with
                stacks = Stronghold.of(self._game, self._rule, label, able).stacks
                found[label] = _InTheWay([team for some in stacks for team in some], near)
        return found

    def _add_crowded(self, program: LinearProgram) -> None:
        """Limit how often enemies are gone whom many may try: no more often than attempts go through, in whatever order."""
        for label, held in ((label, self._strongholds[label]) for label in self._crowded):
            program.limits["gone", label] = ONE if held.likely is None else held.likely
            gone: _Sum = {("gone", label): ONE}
            often: dict[str, _Sum] = {unit: self._tried(label, unit) for unit in held.tries}
            for team, chance in (team for some in held.stacks for team in some):
                column: Column = "try", label, team
                program.limits[column] = Fraction(min(held.tries[unit] for unit in team))
                gone[column] = -chance
                for unit in team:
                    often[unit][column] = ONE
            for row in (gone, *often.values()):
                program.add(row, 0)

    def _near(self, ways: AttemptWays, unit: str, label: str) -> _Near:
        """Return what a unit can do that is beside a hex of enemies."""
        near = overrun_links(self._game, label)
        costs = [step.cost for place in near for step in self._reach.steps(unit, place) if step.arc.to == label]
        left = ways.left_beside(unit, label)
        return _Near(left, left // self._price, min(self._price, max(costs, default=self._price)))

    def _add_others(self, program: LinearProgram) -> None:
        """Limit how often enemies in the way are gone: attempts at them take MP that are left, but what entering takes."""
        exempt = bool(self._reach.of(Exempts))
        for label, (teams, near) in self._others.items():
            beside = overrun_links(self._game, label) if exempt else ()
            gone: _Sum = {("gone", label): ONE}
            spent: dict[str, _Sum] = {}
            for team, chance in teams:
                column: Column = "other", label, team
                program.limits[column] = Fraction(min(near[unit].tries for unit in team))
                gone[column] = -chance
                for unit in team:
                    spent.setdefault(unit, {})[column] = self._price - chance * near[unit].entry
            program.add(gone, 0)
            for unit, total in spent.items():
                mp, tries, entry = near[unit]
                if self._game.homes[unit] in beside:  # its first step after attempts from there may overdraw its MA
                    continue
                left = {one: min(one.left, mp) for one in self._done[unit]}
                program.add({**total, **{(unit, one): Fraction(-some) for one, some in left.items()}}, 0)
                # Of those who succeed in the end, the last attempt takes the place of a step.
                most: _Sum = {
                    (unit, one): Fraction(-min(tries, (some + entry) // self._price)) for one, some in left.items()
                }
                program.add({**dict.fromkeys(total, ONE), **most}, 0)

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
            there = [
                (unit, one)
                for unit, done in self._done.items()
                if term.by.matches(game.units[unit])
                for one in done
                if one.end == label
            ]
            program.add({held: ONE, **dict.fromkeys(there, -ONE)}, 0)
            self._add_needed(program, held, there)
        if game.enemies_at(label):
            program.add({held: ONE, ("gone", label): -ONE}, 0)

    def _add_order(self, program: LinearProgram, rows: _Rows, contest: Contest, prices: list[float]) -> bool:
        """Add a column, the best order at given prices; tell whether it is better than those known."""
        paid = {(unit, tries): prices[rows.tried[contest, unit, tries]] for unit, tries in self._tries_in(contest)}
        best = BestTurns(contest, {label: prices[rows.gone[label]] for label in contest.hexes}, paid)
        if best.value <= prices[rows.orders[contest]] + SharedAttempts.least:
            return False
        gone, tried = best.frequencies()
        column: Column = "order", contest.hexes, tuple(gone.items()), tuple(tried.items())
        weights = {rows.orders[contest]: ONE}
        weights |= {rows.gone[label]: Fraction(-often) for label, often in gone.items()}
        weights |= {rows.tried[contest, unit, tries]: Fraction(often) for (unit, tries), often in tried.items()}
        new = column not in program.rows[rows.orders[contest]][0]
        for row, weight in weights.items():
            total, limit = program.rows[row]
            program.rows[row] = {**total, column: weight}, limit
        return new


def _simple(price: float) -> Fraction:
    """Return a price as a simple fraction."""
    return Fraction(max(0, round(price * SharedAttempts.finest)), SharedAttempts.finest)
