"""How far units can retreat once the moves are made, as literals: it depends on where everybody stands then."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from planner.objective import Linear
from planner.rules.roles import Controls
from planner.solver.coupling.attacks import AttackVariables
from planner.solver.cp_sat import BoolVar, Literal
from planner.world.forces import Unit

if TYPE_CHECKING:
    from planner.solver.coupling.final_position import FinalPosition

Taking = dict[str, list[BoolVar]]
"""For units the literals of which one holds if it takes part in an attack."""


@dataclass(frozen=True)
class Force:
    """Who attacks together, and makes way for each other, and which enemies their attack has left dead.

    Attributes
    ----------
    key : object
        Tells forces apart.
    dead : frozenset of str
        The enemies.
    parts : dict from units to literals
        Who attacks.
    hexes : dict from units to sets of str
        Where they may stand.
    """

    key: object
    dead: frozenset[str]
    parts: Taking
    hexes: dict[str, set[str]]


class RetreatDistances:
    """How far units can retreat.

    Parameters
    ----------
    attacks : AttackVariables
        The attacks of the model.
    """

    def __init__(self, attacks: AttackVariables) -> None:
        self._attacks = attacks
        self._outcome: FinalPosition = attacks.outcome
        self._game, self._rule = attacks.game, attacks.rule
        self._known: dict[object, Literal] = {}

    def any_of(self, literals: Iterable[Literal]) -> Literal:
        """At least one of the literals holds; of whatever is the same for several attacks there is one variable."""
        some: dict[int, Literal] = {}
        for literal in literals:
            if literal is True:
                return True
            if literal is not False:
                some[literal.index] = literal
        return self._remember(("any", frozenset(some)), partial(self._outcome.any_of, some.values()))

    def all_of(self, literals: Iterable[Literal]) -> Literal:
        """Every one of the literals holds; as `any_of`."""
        return self._outcome.negate(self.any_of([self._outcome.negate(literal) for literal in literals]))

    def enemy_reaches(self, enemy: str, far: int, force: tuple[str, ...]) -> Literal:
        """An enemy can go back so many hexes, each farther from where it stands, if those of its force make way."""
        unit, closed = self._game.units[enemy], partial(self._closed_to_enemy, enemy, force)
        return self._reaches(self._game.homes[enemy], far, unit, (f"enemy of {unit.side}", force, closed))

    def own_reaches(self, unit: str, origin: str, far: int, attack: Force) -> Literal:
        """A unit of ours that ends in a hex, and takes part in an attack, can go back so many hexes from there."""
        closed = partial(self._closed_to_own, attack)
        return self._reaches(origin, far, self._game.units[unit], ("own", attack.key, closed))

    def _reaches(
        self, origin: str, far: int, unit: Unit, those: tuple[str, object, Callable[[str], Literal]]
    ) -> Literal:
        side, force, closed = those
        ring: dict[str, Literal] = {origin: True}
        board = self._game.board
        for step in range(1, far + 1):
            after: dict[str, list[Literal]] = {}
            for label, literal in ring.items():
                for to in board.neighbours[label]:
                    if board.distance(origin, to) == step and self.can_enter(unit, label, to):
                        after.setdefault(to, []).append(literal)
            ring = {}
            for to, ways in sorted(after.items()):
                barred = self._remember((side, to, force), partial(closed, to))
                if barred is not True:
                    free = self._outcome.negate(barred)
                    make = partial(self._by_way_of, free, ways)
                    ring[to] = self._remember((side, unit.id, origin, to, force), make)
        return self.any_of(ring.values())

    def _by_way_of(self, free: Literal, ways: list[Literal]) -> Literal:
        return self.all_of([free, self.any_of(ways)])

    def _remember(self, key: object, make: Callable[[], Literal]) -> Literal:
        if key not in self._known:
            self._known[key] = make()
        return self._known[key]

    def can_enter(self, unit: Unit, origin: str, to: str) -> bool:
        """Tell whether terrain lets a unit go from one hex into another."""
        game = self._game
        features, chart = game.board.hexside(origin, to), game.rulebook.terrain
        if chart.carries(features):
            return True
        where = game.board.hexes[to], features, unit, game.situation.phase, (), game.weather(to)
        return chart.entry_cost(*where) is not None

    def _closed_to_enemy(self, enemy: str, force: tuple[str, ...], label: str) -> Literal:
        """A unit of ours, or of his other enemies, is there, or keeps him out by its ZOC, or friends are in the way."""
        game, outcome, retreats = self._game, self._outcome, self._rule.retreats
        units = [unit for unit in game.order if unit in game.friends]
        others = [e for e in game.enemies_at(label) if game.opposed(enemy, e)]
        friends = [outcome.negate(outcome.gone(e)) for e in game.enemies_at(label) if e not in (*force, *others)]
        closed = [outcome.ends(unit, label) for unit in units] + [outcome.negate(outcome.gone(e)) for e in others]
        closed = [self.any_of(closed)]
        if retreats.into_ezoc != "always":
            zone = self._remember(("own ZOC", label), lambda: self._own_zoc(label, units))
            near = [e for e in self._attacks.prospect.controllers(label) if game.opposed(enemy, e)]
            zone = self.any_of([zone, *(outcome.negate(outcome.gone(e)) for e in near)])
            saved = self.any_of(friends) if retreats.into_ezoc == "to_friends" else False
            closed.append(self.all_of([zone, outcome.negate(saved)]))
        return self.any_of([*closed, self._more_than(friends, retreats.most_friends)])

    def _more_than(self, literals: list[Literal], most: int) -> Literal:
        total = Linear(tuple((1, literal) for literal in literals))
        key = tuple(str(one) if isinstance(one, bool) else one.index for one in literals)  # True == 1
        return self._remember(("more", key, most), partial(self._outcome.at_least, total, most + 1))

    def _own_zoc(self, label: str, units: Iterable[str]) -> Literal:
        """A ZOC of ours reaches a hex."""
        game, found = self._game, list[Literal]()
        for rule in game.rulebook.of(Controls):
            found += [self._attacks.near(unit, rule.sides_towards(game, unit, label)) for unit in units]
        return self.any_of(found)

    def _closed_to_own(self, attack: Force, label: str) -> Literal:
        """An enemy stands in a hex, or keeps our units out of it by its ZOC, or friends are in the way."""
        game, outcome, retreats = self._game, self._outcome, self._rule.retreats
        closed = [outcome.negate(outcome.gone(e)) for e in game.enemies_at(label) if e not in attack.dead]
        friends = []
        for unit in (u for u in game.order if u in game.friends):
            there = outcome.ends(unit, label)
            if there is not False:
                # Who takes part stands where the target can be attacked from.
                makes_way = self.any_of(attack.parts.get(unit, ())) if label in attack.hexes.get(unit, ()) else False
                friends.append(self.all_of([there, outcome.negate(makes_way)]))
        if retreats.into_ezoc != "always":
            enemies = [enemy for enemy in self._attacks.prospect.controllers(label) if enemy not in attack.dead]
            held = self.any_of([outcome.negate(outcome.gone(enemy)) for enemy in enemies])
            saved = self.any_of(friends) if retreats.into_ezoc == "to_friends" else False
            closed.append(self.all_of([held, outcome.negate(saved)]))
        return self.any_of([*closed, self._more_than(friends, retreats.most_friends)])
