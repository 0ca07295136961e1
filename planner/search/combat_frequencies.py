"""What no way of playing exceeds where entering an enemy's hex is a combat: how often all is done, in a linear program.

Each unit does one thing in the end: it stays, ends somewhere, or attacks. So of each way of playing it can be said how often
each unit does what, and how often which units attack which enemies, in which state these are. That is a solution of a linear
program: what a unit does adds up to 1 at most; enemies are attacked in a state at most as often as they come into it, by the
results of attacks before; and nobody holds a hex more often than somebody is there. Units come from wherever they could get
if the enemies were gone from all other hexes. Retreats are cut off wherever anybody could be there to do so; of those who
give way, as many count as destroyed as somebody might catch. Where defenders may give way onto others, all counts as had.
Whoever goes where enemies may have given way may be thrown back by them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, MutableMapping
from fractions import Fraction
from itertools import combinations
from typing import NamedTuple, TypeVar

from planner.objective import Term, Tier
from planner.objective.costs import MpSpent, UnitsMoved
from planner.objective.goals import Eliminate, Hold, Stay
from planner.objective.scoring import Value
from planner.objective.together import Together
from planner.reachability.conditional_reach import ConditionalReach
from planner.rules.combat_roles import Fights
from planner.rules.demands import Arc
from planner.scenario import Scenario
from planner.search.combat_routes import Routes, routes_of
from planner.search.hex_combats import Foes
from planner.search.retreats import PossibleRetreats
from planner.solver.linear_bound import Column, LinearProgram
from planner.solver.model import most
from planner.solver.tuning import Combats, Frequencies
from planner.world.selectors import UnitSelector

Total = dict[Column, Fraction]
_State = tuple[Foes, frozenset[str]]
"""The defenders of a hex, and who has attacked it already."""


class CombatAttack(NamedTuple):
    """An attack: on which hex, in which state, from where and by whom, and whether retreats are cut off."""

    label: str
    foes: Foes
    used: frozenset[str]
    origin: str
    team: tuple[str, ...]
    closed: bool


AnyColumn = TypeVar("AnyColumn", bound=Column)
ONE = Fraction(1)


class CombatFrequencies:
    """The linear program of a scenario.

    Parameters
    ----------
    scenario : Scenario
        The position; its phase may be in progress.
    reach : ConditionalReach
        What its units can do.
    rule : Fights
        The rule of combat.
    """

    def __init__(self, scenario: Scenario, reach: ConditionalReach, rule: Fights) -> None:
        self._scenario, self._game, self._reach, self._rule = scenario, scenario.game, reach, rule
        self._program = LinearProgram()
        game = self._game
        self._strongholds = tuple(
            label
            for label in dict.fromkeys(game.homes.values())
            if label in game.board.hexes and game.enemies_at(label)
        )
        self._routes = self._routes_with(frozenset(self._strongholds))
        self._retreats = PossibleRetreats(game, rule, self._routes)
        self._driven = frozenset[str]().union(*map(self._retreats.driven, self._strongholds))
        self._does: dict[str, Total] = {}
        self._attacks: dict[str, dict[CombatAttack, tuple[str, tuple[str, ...]]]] = {}
        self._eliminated: dict[str, Total] = {}
        self._emptied: dict[str, Total] = {}
        self._fled: dict[tuple[str, str], dict[CombatAttack, Fraction]] = {}
        for unit, routes in self._routes.items():
            self._does[unit] = {("stays", unit): ONE}
            self._does[unit] |= {("ends", unit, to): ONE for to in routes.ends if to != game.homes[unit]}
        for label in self._strongholds:
            self._assail(label)
        for label in self._strongholds:
            self._catch(label)
        for doings in self._does.values():
            self._program.add(doings, 1)

    def bounds(self, value: Value) -> Iterator[Fraction]:
        """Yield what the tiers are worth at most, as long as the one before it is worth as much as is known to be had."""
        for index, tier in enumerate(self._scenario.tiers):
            total, constant = self._worth(tier)
            bound = min(self._program.most(total) + constant, most(tier, self._game))
            yield bound
            if index >= len(value) or value[index] != bound:
                return
            self._program.add({column: -weight for column, weight in total.items()}, constant - bound)

    def _routes_with(self, passable: frozenset[str]) -> dict[str, Routes]:
        return {unit: routes_of(self._reach, unit, passable) for unit in self._reach.movers}

    # -- combats

    def _assail(self, label: str) -> None:
        """Add the attacks on a hex: what they do to its defenders, and how often each state of these comes about."""
        game, rule = self._game, self._rule
        self._attacks[label] = {}
        origins: dict[str, list[str]] = {}
        for unit, routes in self._routes.items():
            for origin, to in routes.attacks:
                if to == label:
                    origins.setdefault(origin, []).append(unit)
        candidates = {unit for units in origins.values() for unit in units}
        if len(candidates) > Combats.candidates or self._retreats.visitors(label):
            self._count_as_had(label, origins)
            return
        before = self._routes_with(frozenset(self._strongholds) - {label})
        defenders = [game.units[enemy] for enemy in game.enemies_at(label)]
        strangers = self._retreats.strangers(defenders)
        closed = {
            origin: self._may_be_closed(before, rule.refuges(game, origin, label, defenders), strangers)
            for origin in origins
        }
        first: _State = (tuple((enemy, False) for enemy in game.enemies_at(label)), frozenset())
        flows: dict[_State, Total] = {first: {}}
        queue = [first]
        while queue:
            state = queue.pop()
            for column in self._ways(label, state, origins, closed):
                self._attacks[label][column] = column.origin, column.team
                add(flows[state], column, ONE)
                used = state[1].union(column.team) if len(candidates) <= Frequencies.candidates else state[1]
                for foes, chance in self._results(column):
                    after = foes, used
                    if after not in flows:
                        flows[after] = {}
                        queue.append(after)
                    add(flows[after], column, -chance)
        for state, flow in flows.items():
            self._program.add(flow, int(state == first))
        self._use(label)

    @staticmethod
    def _ways(
        label: str, state: _State, origins: dict[str, list[str]], closed: dict[str, bool]
    ) -> Iterator[CombatAttack]:
        """Yield every attack that may be made on a hex by units that haven't attacked it before."""
        foes, used = state
        for origin, units in origins.items():
            left = [unit for unit in units if unit not in used]
            for size in range(1, len(left) + 1):
                for team in combinations(left, size):
                    for form in (False, True) if closed[origin] else (False,):
                        yield CombatAttack(label, foes, used, origin, team, form)

    def _results(self, attack: CombatAttack) -> Iterator[tuple[Foes, Fraction]]:
        """Note what an attack does on average; yield in which state it leaves the defenders who stay, and how likely."""
        game, label = self._game, attack.label
        shaken = {enemy for enemy, weak in attack.foes if weak}
        units = [game.units[unit] for unit in attack.team]
        there = [game.units[enemy] for enemy, _ in attack.foes]
        arc = Arc(attack.origin, label)
        for result in self._rule.aftermath(game, units, there, arc, shaken, lambda *_: attack.closed):
            chance = result.probability
            for enemy, _ in attack.foes:
                if enemy in result.eliminated:
                    add(self._eliminated.setdefault(enemy, {}), attack, chance)
            alive = [enemy for enemy, _ in attack.foes if enemy not in result.eliminated]
            back = {unit for unit, _ in result.back}
            if not alive or back >= set(alive):
                add(self._emptied.setdefault(label, {}), attack, chance)
                for enemy in alive:
                    add(self._fled.setdefault((label, enemy), {}), attack, chance)
            else:
                yield tuple((enemy, enemy in shaken or enemy in result.shaken) for enemy in alive), chance

    def _catch(self, label: str) -> None:
        """Count as destroyed who has given way, as often as somebody might catch it who hasn't attacked the hex."""
        origins = {attack.origin for attack in self._attacks[label]}
        places = {place for origin in origins for place in self._rule.refuges(self._game, origin, label, []) or ()}
        catching: dict[str, Total] = {}
        for unit, doings in self._does.items():
            for column in doings:
                if self._where(unit, column) in places:
                    catching.setdefault(unit, {})[column] = -ONE
        for (_, enemy), flow in [item for item in self._fled.items() if item[0][0] == label]:
            every: Total = {}
            for unit, doings in catching.items():
                caught = ("caught", label, enemy, unit)
                every[caught] = ONE
                free: Total = {a: -n for a, n in flow.items() if unit not in a.team and unit not in a.used}
                self._program.add({caught: ONE} | free, 0)
                self._program.add({caught: ONE} | doings, 0)
                add(self._eliminated.setdefault(enemy, {}), caught, ONE)
            self._program.add(every | {column: -chance for column, chance in flow.items()}, 0)

    def _where(self, unit: str, column: Column) -> str:
        """Return the hex in which a unit ends, or which it attacks."""
        if isinstance(column, CombatAttack):
            return column.label
        return column[2] if isinstance(column, tuple) and len(column) == 3 else self._game.homes[unit]

    def _may_be_closed(
        self, before: dict[str, Routes], places: tuple[str, ...] | None, strangers: Collection[str]
    ) -> bool:
        """Tell whether own units, or enemies of theirs, might stand in all places to which defenders could go."""
        if not places:
            return True
        own = [unit for unit in self._game.homes if unit in self._game.friends]
        return all(
            place in strangers
            or any(self._game.homes[unit] == place or (unit in before and place in before[unit].ends) for unit in own)
            for place in places
        )

    def _count_as_had(self, label: str, origins: dict[str, list[str]]) -> None:
        """Let whoever attacks have all that is to be had in a hex."""
        had: Total = {}
        for origin, units in origins.items():
            for unit in units:
                column = CombatAttack(label, (), frozenset(), origin, (unit,), False)
                self._attacks[label][column] = origin, (unit,)
                had[column] = ONE
        for kept in (
            self._emptied.setdefault(label, {}),
            *(self._eliminated.setdefault(enemy, {}) for enemy in self._game.enemies_at(label)),
        ):
            kept |= had
        self._use(label)

    def _use(self, label: str) -> None:
        for column, (_, team) in self._attacks[label].items():
            for unit in team:
                self._does[unit][column] = ONE

    # -- the objective

    def _worth(self, tier: Tier) -> tuple[Total, Fraction]:
        """Return what a tier is worth at most."""
        total: Total = {}
        constant = Fraction(0)
        for term in tier.terms:
            weight = Fraction(term.weight * term.sign)
            if isinstance(term, Together):  # it comes about no more often than one of its parts
                fitting = (part for part in term.parts() if isinstance(part, (Hold, Eliminate)))
                term = next(fitting, term)
            if isinstance(term, Hold):
                parts = [self._held(label, term) for label in term.hexes]
                self._hold_apart(column for part, _ in parts for column in part)
            elif isinstance(term, Eliminate):
                parts = [
                    (self._often(("gone", enemy), self._eliminated.get(enemy, {})), Fraction(0))
                    if enemy in self._game.homes
                    else ({}, ONE)
                    for enemy in term.units
                ]
            elif (cost := self._cost(term)) is not None:
                parts = [cost]
            else:
                full = len(term.units) if isinstance(term, Stay) else term.full(self._game)
                parts = [({}, Fraction(full) if weight > 0 else Fraction(0))]
            for part, more in parts:
                constant += weight * more
                for column, count in part.items():
                    add(total, column, weight * count)
        return total, constant

    def _often(self, goal: Column, ways: Total) -> Total:
        """Return how often a goal is reached: no more often than one of the ways to it is gone, and than always."""
        self._program.add({goal: ONE, **{column: -count for column, count in ways.items()}}, 0)
        return {goal: ONE}

    def _held(self, label: str, term: Hold) -> tuple[Total, Fraction]:
        """Return how often a hex is held."""
        game = self._game
        if game.enemies_at(label):
            quiet: Total = {("ends", unit, label): ONE for unit, ways in self._routes.items() if label in ways.quiet}
            return self._often(("held", label), {**self._emptied.get(label, {}), **quiet}), Fraction(0)
        holding: dict[tuple[str, str, str, UnitSelector], Fraction] = {}
        for unit, home in game.homes.items():
            if unit not in game.friends or not term.by.matches(game.units[unit]):
                continue
            if unit not in self._routes:
                if home == label:
                    return {}, ONE
                continue
            ways = {column: -ONE for column in self._does[unit] if self._may_be_in(label, unit, column)}
            if ways:
                holds = "holds", unit, label, term.by
                holding[holds] = ONE
                self._program.add({holds: ONE, **ways}, 0)
        one_counts: Total = dict(holding.items())
        self._program.add(one_counts, 1)
        # None of some units holds a hex while they attack together from elsewhere.
        attacks = [attack for some in self._attacks.values() for attack in some if attack.origin != label]
        holders = frozenset(unit for _, unit, _, _ in holding)
        for group in dict.fromkeys(holders.intersection(attack.team) for attack in attacks):
            if len(group) > 1:
                apart: Total = {attack: ONE for attack in attacks if group.issubset(attack.team)}
                apart |= {holds: ONE for holds in holding if holds[1] in group}
                self._program.add(apart, 1)
        return one_counts, Fraction(0)

    def _hold_apart(self, columns: Iterable[Column]) -> None:
        """Let nobody hold more than one hex without enemies at a time."""
        holding: dict[str, Total] = {}
        for column in columns:
            if isinstance(column, tuple) and column[0] == "holds":
                holding.setdefault(column[1], {})[column] = ONE
        for held in holding.values():
            self._program.add(held, 1)

    def _may_be_in(self, label: str, unit: str, column: Column) -> bool:
        """Tell whether a unit may end in a hex without enemies with what it does; fights may throw it back there."""
        if isinstance(column, CombatAttack):
            return column.origin == label
        where, been = self._where(unit, column), self._routes[unit].ends
        return where == label or (where in self._driven and label in been and self._game.board.adjacent(where, label))

    def _cost(self, term: Term) -> tuple[Total, Fraction] | None:
        """Return what a term counts at least that has nothing to do with combat; None for others."""
        game = self._game
        if not isinstance(term, (UnitsMoved, MpSpent)):
            return None
        counted = [unit for unit in game.friends if term.of.matches(game.units[unit])]
        own = [unit for unit in self._routes if unit in counted]
        if isinstance(term, UnitsMoved):
            moved = sum(map(game.has_moved, counted))
            fresh = [unit for unit in own if not game.has_moved(unit)]
            return {("stays", unit): -ONE for unit in fresh}, Fraction(moved + len(fresh))
        total: Total = {}
        for unit in own:
            routes, scale = self._routes[unit], self._reach.scale
            had = routes.ends[game.homes[unit]][0]
            for to, (mp, _) in routes.ends.items():
                if to != game.homes[unit]:
                    add(total, ("ends", unit, to), Fraction(mp - had, scale))
            for label, attacks in self._attacks.items():
                for column, (origin, team) in attacks.items():
                    if unit in team:
                        add(total, column, Fraction(routes.attacks[origin, label][0] - had, scale))
        return total, sum((game.spent(unit) for unit in counted), Fraction(0))


def add(total: MutableMapping[AnyColumn, Fraction], column: AnyColumn, count: Fraction) -> None:
    """Add a column to a sum, so many times."""
    total[column] = total.get(column, Fraction(0)) + count
