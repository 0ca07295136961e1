"""The best way of playing a small position with attacks after the moves, on the referee alone: every move, every result."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import chain, combinations, product

from planner.errors import InputError
from planner.objective.scoring import Value, score_position, tier_values
from planner.plans.plan import Move, Plan
from planner.referee.attacks import AttackInTheMaking, violations_of
from planner.referee.referee import Referee, tally_of
from planner.rules.attack_referee import AttackReferee
from planner.rules.attack_rule import attack_rule
from planner.rules.game import Game
from planner.scenario import Scenario
from planner.world.declared_attack import DeclaredAttack
from tests.oracles.attack_plans import allotments
from tests.oracles.brute_force import TooManyStatesError

Pending = frozenset[DeclaredAttack] | None


def best_of_all(scenario: Scenario, cap: int) -> Value | None:
    """Return the value of the best way to move, by two steps each at most, and to attack after that; else as `BestAttacks`.

    Raises
    ------
    TooManyStatesError
        If there are more situations than the cap after some moves.
    """
    game, start = scenario.game.at_first, scenario.start
    found = [BestAttacks(scenario, cap).value()]
    moved = {unit for move in scenario.done.moves for unit in move.units}
    for unit in (
        one for one in game.sorted(start.at) if one in game.friends and one not in moved and game.units[one].ma
    ):
        for way in BestAttacks.ways(start.at[unit], game)[1:]:
            try:
                then = scenario.after(Plan((Move((unit,), way),)))
            except InputError:
                continue
            found.append(best_of_all(then, cap))
    return max((value for value in found if value is not None), default=None)


class BestAttacks:
    """The value of the best way to attack from a position in which nobody moves any more.

    Parameters
    ----------
    now : Scenario
        The position after the moves.
    cap : int
        The number of situations beyond which it gives up.
    """

    def __init__(self, now: Scenario, cap: int) -> None:
        self._now, self._cap, self._known = now, cap, dict[object, Value | None]()
        self._tried = 0
        rule = attack_rule(now.game)
        assert rule is not None
        self._rule, self._at_once = rule, rule.declared == "at_once"

    def value(self) -> Value | None:
        """Return what it is worth on average; None if whatever is done fails a requirement.

        Raises
        ------
        TooManyStatesError
            If there are more situations than the cap.
        """
        game, start = self._now.game.at_first, self._now.start
        if Referee(game).check_end(start):
            return None
        if not self._at_once:
            return self._of(self._now, None)
        values = [self._of(self._now, frozenset(some)) for some in allotments(replace(self._now, game=game), start)]
        return max((value for value in values if value is not None), default=None)

    def _of(self, now: Scenario, pending: Pending) -> Value | None:
        key = now.done.attacks, pending
        if key not in self._known:
            if len(self._known) > self._cap:
                raise TooManyStatesError
            self._known[key] = self._best(now, pending)
        return self._known[key]

    def _best(self, now: Scenario, pending: Pending) -> Value | None:
        options = [*self._options(now, pending)]
        found = [self._ended(now)] if pending is None or not options else []
        for attack, rest in options:
            mean: Value | None = tuple(Fraction(0) for _ in now.tiers)
            for code, chance in self._chances(now, attack):
                values = [self._of(then, rest) for then in self._after(now, attack, code)]
                best = max((value for value in values if value is not None), default=None)
                if best is None or mean is None:
                    mean = None
                else:
                    mean = tuple(sofar + chance * one for sofar, one in zip(mean, best, strict=True))
            found.append(mean)
        return max((value for value in found if value is not None), default=None)

    def _options(self, now: Scenario, pending: Pending) -> Iterator[tuple[DeclaredAttack, Pending]]:
        """Yield each attack that may be rolled next, with what is declared besides."""
        if pending is not None:
            for attack in sorted(pending, key=str):
                left = self._left(now, attack)
                if left is not None:
                    yield left, pending - {attack}
            return
        game, at = now.game.at_first, now.start.at
        own = [unit for unit in game.sorted(at) if not game.is_enemy(unit)]
        foes = [unit for unit in game.sorted(at) if game.is_enemy(unit)]
        hexes = sorted({at[unit] for unit in foes})
        teams = [*chain(*(combinations(own, size) for size in range(1, len(own) + 1)))]
        where = [*chain(*(combinations(hexes, size) for size in range(1, self._rule.most_hexes + 1)))]
        whom = [(), *chain(*(combinations(foes, size) for size in range(1, len(foes) + 1)))]
        seen: set[object] = set()
        for attack in (DeclaredAttack(*one) for one in product(teams, where, whom)):
            judge = AttackReferee(self._rule, game, now.start)
            if not any(fault.attack is not None for fault in judge.check([attack])):
                same = attack.attackers, attack.hexes, judge.defenders_of(attack)
                if same not in seen:
                    yield attack, None
                seen.add(same)

    def _left(self, now: Scenario, attack: DeclaredAttack) -> DeclaredAttack | None:
        """Return the largest part of an attack that can be made: by all of whom nothing keeps, on whoever is still there."""
        game, judge = now.game.at_first, AttackReferee(self._rule, now.game.at_first, now.start)
        named = () if self._rule.defenders_together else attack.defenders
        hexes = [h for h in attack.hexes if any(not named or u in named for u in judge.defenders_in(h))]
        if not hexes:
            return None
        alive = tuple(unit for unit in named if any(unit in judge.defenders_in(h) for h in hexes))
        for size in range(len(attack.attackers), 0, -1):
            for some in combinations(attack.attackers, size):
                part = DeclaredAttack(game.sorted(some), tuple(hexes), alive)
                if not any(fault.attack is not None for fault in judge.check([part])):
                    return part
        return None

    def _chances(self, now: Scenario, attack: DeclaredAttack) -> list[tuple[str, Fraction]]:
        told = AttackReferee(self._rule, now.game.at_first, now.start).assess(attack)
        column = self._rule.columns[told.columns[1]].results
        total = sum(self._rule.sums)
        codes = dict.fromkeys(column)
        return [
            (code, Fraction(sum(n for one, n in zip(column, self._rule.sums, strict=True) if one == code), total))
            for code in codes
        ]

    def _after(self, now: Scenario, attack: DeclaredAttack, code: str) -> Iterator[Scenario]:
        """Yield each position after a result, by every end to which own units may retreat, or advance."""
        game, start = now.game.at_first, now.start
        rolled = replace(attack, result=code)
        plain = start.copy()
        assert not Referee(game).make_attack(rolled, plain)
        seen: set[object] = set()
        ways = [self.ways(start.at[unit], game) for unit in attack.attackers]
        for chosen in product(*ways):
            self._tried += 1
            if self._tried > 40 * self._cap:
                raise TooManyStatesError
            gone = tuple((u, way) for u, way in zip(attack.attackers, chosen, strict=True) if len(way) > 1)
            there = start.copy()
            if Referee(game).make_attack(replace(rolled, ways=gone), there):
                continue
            if any(game.is_enemy(u) and there.at.get(u) != plain.at.get(u) for u in start.at):
                continue  # where enemies retreat, they choose
            if there.key not in seen:
                seen.add(there.key)
                made = AttackInTheMaking(game, start, replace(rolled, ways=gone)).decided()
                yield now.after(Plan((), (made,)))

    @staticmethod
    def ways(home: str, game: Game) -> list[tuple[str, ...]]:
        """Return every way of two steps at most, and none."""
        board = game.board
        once = [(home, one) for one in board.neighbours[home]]
        return [(home,), *once, *((*way, to) for way in once for to in board.neighbours[way[-1]] if to != home)]

    def _ended(self, now: Scenario) -> Value | None:
        game, start = now.game.at_first, now.start
        if violations_of(game, start, ()) and not (self._at_once and now.done.attacks):
            return None
        tally = tally_of(start)
        if not all(term.holds(game, start, tally) for term in now.requirements):
            return None
        return tier_values(now.tiers, score_position(game, now.tiers, start, tally))
