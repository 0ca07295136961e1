"""The possibilities of the units as a 0/1 program that belongs to no solver: clauses, sums and a few edges of order.

It is written apart from `planner.solver`, from the same possibilities, rules and terms, so that a proof by another solver
is a second opinion on the coupling layer too.

Literals are whole numbers other than 0; minus means not. An expression may also be plain ``True`` or ``False``.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from graphlib import TopologicalSorter
from itertools import combinations
from typing import Any

from planner.objective import Linear
from planner.plans.plan import Move, Plan
from planner.reachability.conditional_reach import ConditionalReach
from planner.reachability.event_reach import waits
from planner.reachability.possibility import Possibility
from planner.rules.atoms import Atom, Carried, Friend, Gone, Vacant
from planner.rules.demands import Demand
from planner.rules.kinds.combat_on_entry import CombatOnEntry
from planner.rules.roles import Ends
from planner.scenario import Scenario

Expression = int | bool


class UnsuitedError(Exception):
    """The rules need more than such a program says: rolls, stacks, waiting."""


@dataclass
class Mover:
    """A unit that may move.

    Attributes
    ----------
    stays : int
        The literal that it makes no move.
    options : list of (Possibility, int)
        What else it may do; exactly one of all these holds.
    ends : dict from hexes to literals
        Where a move of it ends.
    kills : dict from enemies to literals
        Who is gone on its account.
    """

    stays: int
    options: list[tuple[Possibility, int]]
    ends: dict[str, Expression] = field(default_factory=dict)
    kills: dict[str, Expression] = field(default_factory=dict)


class Program:
    """A 0/1 program for one scenario: an `Outcome` and an `EndState` of its own.

    Parameters
    ----------
    scenario : Scenario
        What is to be planned.
    reach : ConditionalReach
        What the units may do.
    total_order : bool
        Whether interacting units get an order by clauses, triangle by triangle; without it, `edges` must not run in a
        circle, and the solver sees to that.

    Attributes
    ----------
    size : int
        The number of variables, from 1 on.
    clauses : list of lists of literals
        Of each at least one holds.
    sums : list of (terms, limit)
        Weighted literals that must not come to more than the limit.
    choices : list of lists of literals
        Of each exactly one holds.
    edges : list of (unit, unit, literal)
        The first moves before the second if the literal holds.
    tiers : list of Linear
        The objective, times `mp_scale`.

    Raises
    ------
    UnsuitedError
        If there is more to the rules.
    """

    chancy = False
    confidence = Fraction(1)

    def __init__(self, scenario: Scenario, reach: ConditionalReach, total_order: bool = True) -> None:
        game = scenario.game
        if reach.joint or waits(game) or any(isinstance(rule, CombatOnEntry) for rule in game.rulebook.rules):
            raise UnsuitedError("units move together, wait for each other or fight on their way")
        if any(reach.rolls_alone(game.units[unit]) for unit in reach.movers):
            raise UnsuitedError("results are rolled")
        self.scenario, self.game, self.mp_scale = scenario, game, reach.scale
        self.size = 0
        self.clauses: list[list[int]] = []
        self.sums: list[tuple[list[tuple[int, int]], int]] = []
        self.choices: list[list[int]] = []
        self.edges: list[tuple[str, str, int]] = []
        self._total = total_order
        self._before: dict[tuple[str, str], int] = {}
        self._gone: dict[str, Expression] = {}
        self._groups = {name: members for rule in game.rulebook.rules for name, members in rule.groups(game).items()}
        self.movers: dict[str, Mover] = {}
        for unit in reach.movers:
            self._add_mover(unit, reach.possibilities(unit))
        self._post_needs()
        if total_order:
            self._make_transitive()
        for rule in game.rulebook.of(Ends):
            rule.post_end(self)
        for requirement in scenario.requirements:
            total = requirement.post(self)
            self._at_most([(-weight, x) for weight, x in total.terms], total.constant - requirement.full(game))
        self.tiers = [
            Linear.sum_of(term.on_average(self).times(term.weight * term.sign) for term in tier.terms)
            for tier in scenario.tiers
        ]

    # -- variables

    def new(self) -> int:
        """Return a fresh variable."""
        self.size += 1
        return self.size

    def _add_mover(self, unit: str, possibilities: Sequence[Possibility]) -> None:
        if not possibilities:
            return
        mover = self.movers[unit] = Mover(self.new(), [(found, self.new()) for found in possibilities])
        self.choices.append([mover.stays, *(literal for _, literal in mover.options)])
        ends: dict[str, list[int]] = {}
        kills: dict[str, list[int]] = {}
        for option, literal in mover.options:
            ends.setdefault(option.end, []).append(literal)
            for enemy in option.removes:
                kills.setdefault(enemy, []).append(literal)
        mover.ends = {label: self.any_of(literals) for label, literals in ends.items()}
        mover.kills = {enemy: self.any_of(literals) for enemy, literals in kills.items()}

    def before(self, one: str, other: str) -> int:
        """Return the literal that one unit moves before another."""
        if (one, other) not in self._before:
            literal = self._before[one, other] = self.new()
            if self._total:
                self._before[other, one] = -literal
            else:
                self.edges.append((one, other, literal))
        return self._before[one, other]

    def _make_transitive(self) -> None:
        import networkx as nx  # a tenth of a second, which peers that have no need of it don't wait for

        graph: nx.Graph = nx.Graph()
        graph.add_edges_from(sorted({(min(pair), max(pair)) for pair in self._before}))
        triangles: set[tuple[str, str, str]] = set()
        for component in sorted(nx.connected_components(graph), key=min):
            _, tree = nx.approximation.treewidth_min_degree(graph.subgraph(sorted(component)))
            triangles.update(
                three for bag in sorted(sorted(bag) for bag in tree.nodes) for three in combinations(bag, 3)
            )
        for a, b, c in sorted(triangles):
            self.add_or([self.before(b, a), self.before(c, b), self.before(a, c)])
            self.add_or([self.before(a, b), self.before(b, c), self.before(c, a)])

    # -- needs

    def _post_needs(self) -> None:
        needs: dict[tuple[str, Atom], list[int]] = {}
        for unit, mover in self.movers.items():
            for option, literal in mover.options:
                for atom in sorted(option.needs, key=repr):
                    needs.setdefault((unit, atom), []).append(literal)
        passages: dict[str, list[tuple[str, Carried, Expression]]] = {}
        for (unit, atom), literals in needs.items():
            needed = self.any_of(literals)
            if isinstance(atom, Carried):
                passages.setdefault(atom.zone, []).append((unit, atom, needed))
            elif isinstance(atom, Vacant):
                self._post_vacant(unit, atom, needed)
            elif isinstance(atom, (Gone, Friend)):
                self.add_or([self.negate(needed), *self._witnesses(unit, atom)])
            else:
                raise UnsuitedError(f"it needs {atom}")
        for wanted in passages.values():
            self._post_carriers(wanted)

    def _witnesses(self, unit: str, atom: Gone | Friend) -> Iterable[Expression]:
        """Yield what makes an atom hold when a unit moves."""
        if isinstance(atom, Gone):
            for other, mover in self.movers.items():
                if other != unit and atom.enemy in mover.kills:
                    yield self._both(mover.kills[atom.enemy], self.before(other, unit))
            return
        for friend in self.game.sorted(self._groups[atom.group] - {unit}):
            at_home = self.game.homes.get(friend) == atom.hex
            if friend not in self.movers:
                if at_home:
                    yield True
                continue
            one = self.movers[friend]
            if at_home:
                yield one.stays
                if not atom.stays:
                    yield self.before(unit, friend)
            if atom.hex in one.ends:
                yield self._both(one.ends[atom.hex], self.before(friend, unit))

    def _both(self, one: Expression, other: Expression) -> Expression:
        """Return a literal that, if it holds, makes two others hold."""
        witness = self.new()
        self.add_or([-witness, one])
        self.add_or([-witness, other])
        return witness

    def _post_vacant(self, unit: str, atom: Vacant, needed: Expression) -> None:
        free = self.negate(needed)
        for friend in self.game.sorted(self._groups[atom.group] - {unit}):
            at_home = self.game.homes.get(friend) == atom.hex
            if friend not in self.movers:
                if at_home:
                    self.add_or([free])
                continue
            one = self.movers[friend]
            if at_home:
                self.add_or([free, -one.stays])
                self.add_or([free, self.before(friend, unit)])
            if atom.hex in one.ends:
                end = self.negate(one.ends[atom.hex])
                self.add_or([free, end] if at_home else [free, end, self.before(unit, friend)])

    def _post_carriers(self, wanted: list[tuple[str, Carried, Expression]]) -> None:
        """Ensure that each passage across one zone has a marker of its own; markers that are alike are one class."""
        sets = list(dict.fromkeys(atom.by for _, atom, _ in wanted))
        classes: dict[tuple[bool, ...], int] = {}
        for marker in dict.fromkeys(marker for by in sets for marker in by):
            alike = tuple(marker in by for by in sets)
            classes[alike] = classes.get(alike, 0) + 1
        aboard: dict[tuple[bool, ...], list[tuple[int, Expression]]] = {}
        for _, atom, needed in wanted:
            berths = [(alike, self.new()) for alike in classes if alike[sets.index(atom.by)]]
            self.add_or([self.negate(needed), *(berth for _, berth in berths)])
            for alike, berth in berths:
                aboard.setdefault(alike, []).append((1, berth))
        for alike, berths in aboard.items():
            self._at_most(berths, classes[alike])

    # -- the position after the last move

    def moves(self, unit: str) -> Expression:
        """The unit makes a move."""
        return -self.movers[unit].stays if unit in self.movers else False

    surely_moves = moves

    def ends(self, unit: str, label: str) -> Expression:
        """The unit ends the phase in the hex."""
        at_home = self.game.homes.get(unit) == label
        if unit not in self.movers:
            return at_home
        one = self.movers[unit]
        return self.any_of([*([one.stays] if at_home else []), one.ends.get(label, False)])

    stands = ends

    def possible_ends(self, unit: str) -> Sequence[str]:
        """The hexes in which the unit might end."""
        home = self.game.homes.get(unit)
        ends = self.movers[unit].ends if unit in self.movers else {}
        return () if home is None else tuple(dict.fromkeys([home, *ends]))

    possible_stands = possible_places = possible_ends

    def gone(self, enemy: str) -> Expression:
        """The enemy is eliminated by the end of the phase."""
        if enemy not in self._gone:
            killers = (one.kills[enemy] for one in self.movers.values() if enemy in one.kills)
            self._gone[enemy] = self.any_of(killers) if enemy in self.game.homes else True
        return self._gone[enemy]

    def ends_among(self, unit: str, labels: Collection[str]) -> Expression:
        """The unit ends the phase in one of some hexes."""
        return self.any_of(self.ends(unit, label) for label in self.possible_ends(unit) if label in labels)

    def arrivals(self, unit: str) -> Sequence[tuple[str, int, Fraction, Expression]]:
        """Where the unit may end a move: hex, hexes entered, probability, and the literal."""
        options = self.movers[unit].options if unit in self.movers else []
        return [(option.end, len(option.path) - 1, Fraction(1), literal) for option, literal in options]

    def mp(self, unit: str) -> Linear:
        """The MP that the unit spends, times `mp_scale`."""
        options = self.movers[unit].options if unit in self.movers else []
        return Linear(tuple((int(option.mp * self.mp_scale), literal) for option, literal in options if option.mp))

    def choice(self, name: str) -> Expression:
        """Return a literal that the solver chooses."""
        return self.new()

    def limit(self, expressions: Iterable[Expression], most: int) -> None:
        """Ensure that at most so many of some expressions hold."""
        self._at_most([(1, expression) for expression in expressions], most)

    def at_most(self, terms: Sequence[tuple[int, Expression]], limit: int, demand: Demand) -> None:
        """Ensure that a weighted sum stays within a limit."""
        self._at_most(terms, limit)

    def _at_most(self, terms: Iterable[tuple[int, Expression]], limit: int) -> None:
        rest, limit = self.literals_of(terms, limit)
        if sum(weight for weight, _ in rest if weight > 0) > limit:
            self.sums.append((rest, limit))

    @staticmethod
    def literals_of(terms: Iterable[tuple[int, Expression]], limit: int = 0) -> tuple[list[tuple[int, int]], int]:
        """Return weighted literals without plain truth values, which come off the limit."""
        rest: list[tuple[int, int]] = []
        for weight, x in terms:
            if x is True:
                limit -= weight
            elif x is not False:
                rest.append((weight, x))
        return rest, limit

    # -- logic

    def add_or(self, expressions: Iterable[Expression]) -> None:
        """Ensure that at least one expression holds."""
        clause = []
        for x in expressions:
            if x is True:
                return
            if x is not False:
                clause.append(x)
        self.clauses.append(clause)

    def any_of(self, expressions: Iterable[Expression]) -> Expression:
        """At least one of the expressions holds."""
        literals = [x for x in expressions if x is not False]
        if any(x is True for x in literals):
            return True
        if len(literals) < 2:
            return literals[0] if literals else False
        result = self.new()
        self.clauses.append([-result, *literals])
        self.clauses += [[-x, result] for x in literals]
        return result

    def all_of(self, expressions: Iterable[Expression]) -> Expression:
        """Every one of the expressions holds."""
        return self.negate(self.any_of([self.negate(x) for x in expressions]))

    def negate(self, expression: Expression) -> Expression:
        """The expression does not hold."""
        return (not expression) if isinstance(expression, bool) else -expression

    def at_least(self, total: Linear, bound: int) -> Expression:
        """The sum reaches the bound."""
        terms, missing = self.literals_of(total.terms, bound - total.constant)
        low, high = sum(min(0, w) for w, _ in terms), sum(max(0, w) for w, _ in terms)
        if low >= missing:
            return True
        if high < missing:
            return False
        result = self.new()
        # result: sum >= missing; not result: sum <= missing - 1.
        self.sums.append(([*((-w, x) for w, x in terms), (missing - low, result)], -low))
        self.sums.append(([*terms, (-(high - missing + 1), result)], missing - 1))
        return result

    # -- reading solutions

    def value(self, tier: int, holds: Callable[[int], bool]) -> Fraction:
        """Return what a tier is worth in a solution."""
        total = self.tiers[tier]
        return Fraction(total.constant + sum(w for w, x in total.terms if x is True or (x and holds(x))), self.mp_scale)

    def plan(self, holds: Callable[[int], bool]) -> Plan:
        """Return the plan of a solution; overruns of those who are gone by then are plain steps."""
        chosen = {
            unit: option for unit, one in self.movers.items() for option, literal in one.options if holds(literal)
        }
        among = self._before.items()
        pairs = [pair for pair, literal in among if pair[0] in chosen and pair[1] in chosen and holds(literal)]
        gone: set[str] = set()
        moves = []
        for unit in _in_order(chosen, pairs):
            option = chosen[unit]
            rules = self.game.rulebook.overrunning
            real = set()
            for step in sorted(option.overruns):
                victims = {
                    v for rule in rules for v in rule.victims(self.game, self.game.enemies_at(option.path[step]))
                }
                if victims - gone:
                    real.add(step)
                    gone |= victims
            legs = tuple((step, "") for step, _ in option.carried)
            moves.append(Move((unit,), option.path, frozenset(real), legs))
        return Plan(tuple(moves))


def holding(values: Any) -> Callable[[int], bool]:
    """Return what tells of a literal whether it holds, by the truth values of the variables, the first at 0."""
    return lambda literal: bool(values[literal - 1]) if literal > 0 else not values[-literal - 1]


def _in_order(units: Iterable[str], pairs: Iterable[tuple[str, str]]) -> list[str]:
    """Return units in an order that keeps to pairs of which the first moves before the second."""
    sorter: TopologicalSorter[str] = TopologicalSorter(dict.fromkeys(units, ()))
    for one, other in pairs:
        sorter.add(other, one)
    return list(sorter.static_order())
