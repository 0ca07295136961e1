"""What results of attacks lead to, as the referee sees it: losses, retreats, and what becomes of those who can't retreat."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from planner.rules.attack_table import AttackRule, Suffered
from planner.rules.roles import Controls
from planner.world.board import NOTHING
from planner.world.declared_attack import DeclaredAttack

if TYPE_CHECKING:
    from planner.rules.game import Game
    from planner.world.position import Position


@dataclass(frozen=True)
class Losses:
    """What one of the sides loses by a result.

    Attributes
    ----------
    eliminated : tuple of str
        The units that are eliminated, in the order of the scenario.
    steps : tuple of (str, int)
        The steps that units lose, those of eliminated units included.
    strength : Fraction
        What that is worth in printed strength, attack of attackers and defense of defenders: of a unit that loses a part
        of its steps, that part.
    """

    eliminated: tuple[str, ...] = ()
    steps: tuple[tuple[str, int], ...] = ()
    strength: Fraction = Fraction(0)


@dataclass(frozen=True)
class ExpectedLosses:
    """What one of the sides loses on average: units, steps and printed strength."""

    units: Fraction = Fraction(0)
    steps: Fraction = Fraction(0)
    strength: Fraction = Fraction(0)


@dataclass(frozen=True)
class PossibleResult:
    """A result of the table, and what it leads to on the board as it stands.

    Attributes
    ----------
    code, text : str
        The result, abbreviated and in words.
    probability : Fraction
        How likely it is.
    own, enemy : Losses
        What attackers and defenders lose, those included who can't retreat.
    retreats : tuple of (str, int)
        Who retreats, with by how many hexes: as many as the unit can.
    emptied : tuple of str
        The hexes that were attacked in which no enemy is left.
    enterable : tuple of str
        Those of them into which one of the attackers at least may advance.
    """

    code: str
    text: str
    probability: Fraction
    own: Losses
    enemy: Losses
    retreats: tuple[tuple[str, int], ...] = ()
    emptied: tuple[str, ...] = ()
    enterable: tuple[str, ...] = ()


def expected(results: Iterable[PossibleResult]) -> tuple[ExpectedLosses, ExpectedLosses]:
    """Return what attackers and defenders lose on average over the results."""
    sums = [[Fraction(0)] * 3, [Fraction(0)] * 3]
    for one in results:
        for side, losses in zip(sums, (one.own, one.enemy), strict=True):
            side[0] += one.probability * len(losses.eliminated)
            side[1] += one.probability * sum(steps for _, steps in losses.steps)
            side[2] += one.probability * losses.strength
    return ExpectedLosses(*sums[0]), ExpectedLosses(*sums[1])


class AttackLosses:
    """Works out what results lead to in one position; parameters as those of `AttackReferee`."""

    def __init__(self, rule: AttackRule, game: Game, position: Position) -> None:
        self._rule, self._game, self._position = rule, game, position

    def result(
        self, attack: DeclaredAttack, defenders: Sequence[str], code: str, probability: Fraction
    ) -> PossibleResult:
        """Return what a result of an attack leads to, if it comes before those of all others."""
        game, meaning = self._game, self._rule.results[code]
        hit = self.hit(attack)
        lost = self._lost(hit, meaning.attackers)
        their_lost = self._lost(defenders, meaning.defenders)
        if meaning.exchange is not None:
            self._exchange(self._beside(hit, attack.hexes), lost, their_lost, meaning.exchange == "steps")
        gone = {unit for unit in their_lost if their_lost[unit] == self._steps(unit)}
        retreats = [*self._retreat(defenders, meaning.defenders.retreat, their_lost, NOTHING)]
        retreats += self._retreat(hit, meaning.attackers.retreat, lost, gone)
        own, enemy = self._losses(hit, lost), self._losses(defenders, their_lost)
        leaving = {*own.eliminated, *enemy.eliminated, *(unit for unit, _ in retreats)}
        emptied = [
            label
            for label in attack.hexes
            if not any(game.is_enemy(unit) for unit in self._position.units_in(label) if unit not in leaving)
        ]
        staying = [unit for unit in attack.attackers if unit not in leaving]
        enterable = [label for label in emptied if any(self.may_advance(unit, label) for unit in staying)]
        return PossibleResult(
            code, meaning.text, probability, own, enemy, tuple(retreats), tuple(emptied), tuple(enterable)
        )

    def hit(self, attack: DeclaredAttack) -> tuple[str, ...]:
        """Return the attackers to whom results do something, in the order of the scenario: none who are safe from afar."""
        return tuple(unit for unit in self._game.sorted(attack.attackers) if not self._is_safe(unit, attack.hexes))

    def may_advance(self, unit: str, label: str) -> bool:
        """Tell whether an attacker that stays may enter a hex that its attack has emptied."""
        advances, at = self._rule.advances, self._position.at[unit]
        return (
            advances is not None
            and advances.units.matches(self._game.units[unit])
            and self._game.board.adjacent(at, label)
            and self.can_enter(unit, at, label)
        )

    # -- losses

    def _steps(self, unit: str) -> int:
        """Return how many steps a unit still has."""
        return self._game.units[unit].steps - self._position.lost_steps.get(unit, 0)

    def _printed(self, unit: str) -> Fraction:
        """Return the printed strength that counts for a unit: in the attack of attackers, in the defense of defenders."""
        counter = self._game.units[unit]
        return counter.defense if self._game.is_enemy(unit) else counter.attack

    def _is_safe(self, unit: str, hexes: Iterable[str]) -> bool:
        """Tell whether a unit attacks from afar, and results do nothing to such."""
        return self._rule.range_of(self._game.units[unit]).safe and not self._beside([unit], hexes)

    def _lost(self, force: Sequence[str], suffered: Suffered) -> dict[str, int]:
        """Return how many steps each unit of a force, in the order of the scenario, loses."""
        left = sum(map(self._steps, force)) if suffered.eliminated else suffered.steps
        sign = 1 if self._rule.losses_first == "weakest" else -1
        lost: dict[str, int] = {}
        for unit in sorted(force, key=lambda unit: sign * self._printed(unit)):
            lost[unit] = min(left, self._steps(unit))
            left -= lost[unit]
        return lost

    def _beside(self, units: Iterable[str], hexes: Iterable[str]) -> list[str]:
        at, board = self._position.at, self._game.board
        return [unit for unit in units if any(board.adjacent(at[unit], label) for label in hexes)]

    def _exchange(
        self, beside: Sequence[str], lost: dict[str, int], their_lost: dict[str, int], by_steps: bool
    ) -> None:
        """Let those of the attackers who stand beside the defenders lose, too, what makes up for what these lose."""
        alive = [unit for unit in beside if lost[unit] < self._steps(unit)]
        if by_steps:
            left, sign = sum(their_lost.values()), 1 if self._rule.losses_first == "weakest" else -1
            for unit in sorted(alive, key=lambda unit: sign * self._printed(unit)):
                more = min(left, self._steps(unit) - lost[unit])
                lost[unit] += more
                left -= more
            return
        dead = [unit for unit, steps in their_lost.items() if steps == self._steps(unit)]
        for unit in self._least(alive, sum(map(self._printed, dead), Fraction(0))):
            lost[unit] = self._steps(unit)

    def _least(self, units: Sequence[str], worth: Fraction) -> Sequence[str]:
        """Return units that are worth so much in strength at least: the least sum, then the fewest, then the first."""
        best: dict[Fraction, tuple[int, ...]] = {Fraction(0): ()}
        for place, unit in enumerate(units):
            for total, chosen in list(best.items()):
                more, larger = total + self._printed(unit), (*chosen, place)
                known = best.get(more)
                if known is None or (len(larger), larger) < (len(known), known):
                    best[more] = larger
        enough = [total for total in best if total >= worth]
        return [units[place] for place in best[min(enough)]] if enough else units

    def _losses(self, force: Sequence[str], lost: dict[str, int]) -> Losses:
        """Return what a force loses, given how many steps each of its units does."""
        units = self._game.units
        steps = tuple((unit, lost[unit]) for unit in force if lost[unit])
        return Losses(
            tuple(unit for unit, many in steps if many == self._steps(unit)),
            steps,
            sum((self._printed(unit) * many / units[unit].steps for unit, many in steps), Fraction(0)),
        )

    # -- retreats

    def _retreat(
        self, force: Sequence[str], hexes: int, lost: dict[str, int], gone: Collection[str]
    ) -> Iterator[tuple[str, int]]:
        """Yield who of a force retreats how far; who can't go all the way loses what the rule says."""
        for unit in force:
            left = self._steps(unit) - lost[unit]
            if not hexes or not left:
                continue
            far = self.furthest(unit, hexes, force, gone)
            if far < hexes:
                fate = self._rule.retreats.cannot
                if fate == "stays":
                    continue
                lost[unit] += left if fate == "eliminated" else min(left, hexes - far)
            if far and lost[unit] < self._steps(unit):
                yield unit, far

    def furthest(self, unit: str, hexes: int, force: Collection[str], gone: Collection[str]) -> int:
        """Return how many hexes a unit can retreat, at most so many."""
        ends = {self._position.at[unit]}
        for step in range(hexes):
            ends = {to for label in ends for to in self.next_hexes(unit, label, step + 1, force, gone)}
            if not ends:
                return step
        return hexes

    def ways(self, unit: str, hexes: int, force: Collection[str], gone: Collection[str]) -> Iterator[tuple[str, ...]]:
        """Yield the ways by which a unit can retreat just so many hexes, the one in which it stands first."""
        begun: list[tuple[str, ...]] = [(self._position.at[unit],)]
        while begun:
            way = begun.pop()
            if len(way) > hexes:
                yield way
                continue
            onward = self.next_hexes(unit, way[-1], len(way), force, gone)
            begun += [(*way, label) for label in reversed(onward)]

    def next_hexes(self, unit: str, label: str, step: int, force: Collection[str], gone: Collection[str]) -> list[str]:
        """Return the hexes into which a unit may go on in a retreat with a step of some number, from 1.

        `force` are those who are attacked, or attack, with it, and don't stand in its way; `gone` those who are eliminated.
        """
        board, home = self._game.board, self._position.at[unit]
        return [
            to
            for to in board.neighbours[label]
            if board.distance(home, to) == step and self._is_open(unit, label, to, force, gone)
        ]

    def _is_open(self, unit: str, origin: str, to: str, force: Collection[str], gone: Collection[str]) -> bool:
        """Tell whether a unit that retreats may go from one hex into another."""
        game, rule = self._game, self._rule.retreats
        if not self.can_enter(unit, origin, to):
            return False
        there = [other for other in self._position.units_in(to) if other not in gone]
        if any(game.opposed(unit, other) for other in there):
            return False
        friends = sum(other not in force for other in there)
        if friends > rule.most_friends:
            return False
        if rule.into_ezoc == "always" or (rule.into_ezoc == "to_friends" and friends):
            return True
        return not any(
            other not in gone and game.opposed(unit, other) and self._has_zone(other, side, to)
            for side in game.board.neighbours[to]
            for other in self._position.units_in(side)
        )

    def can_enter(self, unit: str, origin: str, to: str) -> bool:
        """Tell whether terrain lets a unit go from one hex into another, on its own or along a route."""
        known: dict[tuple[str, str, str], bool] = self._game.cached("enterable", dict)
        way = unit, origin, to
        if way not in known:
            known[way] = self._terrain_lets(*way)
        return known[way]

    def _terrain_lets(self, unit: str, origin: str, to: str) -> bool:
        game = self._game
        chart, features = game.rulebook.terrain, game.board.hexside(origin, to)
        if chart.carries(features):
            return True
        phase, weather = game.situation.phase, game.weather(to)
        return chart.entry_cost(game.board.hexes[to], features, game.units[unit], phase, (), weather) is not None

    def _has_zone(self, unit: str, at: str, label: str) -> bool:
        game = self._game
        return any(
            rule.exerted_by.matches(game.units[unit])
            and not rule.barriers_of(game.units[unit]).matches(game.board, at, label)
            for rule in game.rulebook.of(Controls)
        )
