"""A first plan of a phase with attacks: hex after hex, whoever can come up to it together, the most worthwhile first.

What it is for: what a move brings depends on who attacks with it, so that no unit's move is worth anything by itself.
Without it nobody moves until the solver has a plan.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from functools import cached_property

from planner.errors import OutOfTimeError
from planner.objective import Tally
from planner.objective.scoring import Value, score_position, tier_values
from planner.plans.plan import Move, Plan
from planner.reachability.possibility import Possibility
from planner.rules.attack_referee import AttackReferee
from planner.rules.attack_rule import attack_rule
from planner.search.greedy import FirstPlan, GreedyBoard
from planner.solver.tuning import Greedy
from planner.world.declared_attack import DeclaredAttack

_Way = Possibility | None
"""How a unit comes to where it attacks from; None: it stands there."""

_Attacked = tuple[Value, GreedyBoard, DeclaredAttack]
"""An attack: what it is worth, divided among all who come for it, the board on which it is made, and it itself."""


class FirstAttacks(FirstPlan):
    """Makes first plans with attacks; parameters and attributes as those of `FirstPlan`.

    Attacks are declared on one hex each, by as many as come as long as that is worth more. What they are worth is taken
    as if each were the only one: what a plan comes to as a whole is said by whoever replays it.
    """

    @cached_property
    def _near(self) -> dict[tuple[str, int], frozenset[str]]:
        """What lies so near to a hex, as far as that has been asked."""
        return {}

    @cached_property
    def _values(self) -> dict[tuple[tuple[Move, ...], tuple[DeclaredAttack, ...]], Value]:
        """What each tier comes to after moves and with attacks, as far as that has been asked."""
        return {}

    @cached_property
    def _tried(self) -> dict[tuple[object, ...], tuple[_Attacked | None, dict[str, Possibility]]]:
        """The best attack on each hex beside others after moves, as far as that has been asked, and what all do by then."""
        return {}

    def _counts(self, end: str, removes: Sequence[str]) -> bool:
        """Tell that whatever a unit does may count: where it ends, it may attack from."""
        return True

    def plans(self) -> Iterator[Plan]:
        """Yield plans: nobody moves; with what a unit can have by itself first, and without; the others move, too, or not.

        When the time is up, with what has been found by then.
        """
        yield Plan(attacks=())
        for leading in (True, False):
            self.chosen = {}
            board, attacks = self._begun(), dict[str, DeclaredAttack]()
            with suppress(OutOfTimeError):
                if leading:
                    self._go_on(board, leading=True)
                    if not board.moves:
                        continue
                hexes = self._in_order(board)
                for now in self._joined(board, hexes, attacks):  # so that it is what it is when the time is up
                    board = now
                self._do_duties(board, attacks)
                for now in self._joined(board, hexes, attacks):
                    board = now
            with suppress(OutOfTimeError):
                self._do_duties(board, attacks)
            yield Plan(tuple(board.moves), tuple(attacks.values()))
            rest, more = self._copy(board), dict(attacks)
            with suppress(OutOfTimeError):
                self._go_on(rest, {unit for attack in attacks.values() for unit in attack.attackers})
            if len(rest.moves) > len(board.moves):
                with suppress(OutOfTimeError):
                    self._do_duties(rest, more)
                yield Plan(tuple(rest.moves), tuple(more.values()))

    def _joined(
        self, board: GreedyBoard, hexes: Sequence[str], attacks: dict[str, DeclaredAttack]
    ) -> Iterator[GreedyBoard]:
        """Attack each hex, or join the attack on it, where that is worth more; yield the board on which that is done."""
        for label in hexes:
            attacked = self._attacked(board, label, attacks)
            if attacked is not None:
                _, board, attacks[label] = attacked
                yield board

    def _do_duties(self, board: GreedyBoard, attacks: dict[str, DeclaredAttack]) -> None:
        """Let those attack who must, and those be attacked who must be, in the way that is worth most.

        That may take more than the time for a first plan, which is illegal without it, but no more than there is.
        """
        rule, game, at = attack_rule(self._game), self._game, board.position.at
        if rule is None:
            return
        self._reach.check_time()
        judge = AttackReferee(rule, game, board.position)
        foes = [unit for unit in game.sorted(at) if game.is_enemy(unit)]
        held = [label for label in dict.fromkeys(at[unit] for unit in foes) if judge.defenders_in(label)]
        must_attack, must_be_attacked = judge.duties()

        def due(declared: Mapping[str, DeclaredAttack]) -> list[tuple[str, bool]]:
            """Return who must still do something, and whether that is to attack."""
            attacking = {unit for attack in declared.values() for unit in attack.attackers}
            attacked = {unit for attack in declared.values() for unit in judge.defenders_of(attack)}
            left = [(unit, True) for unit in must_attack if unit not in attacking]
            return [*left, *((unit, False) for unit in must_be_attacked if unit not in attacked)]

        while still := due(attacks):
            busy = {unit for attack in attacks.values() for unit in attack.attackers}
            free = [unit for unit in game.sorted(at) if game.may_be_moved(unit) and unit not in busy]
            better: list[tuple[Value, int, dict[str, DeclaredAttack]]] = []
            for unit in [still[0][0]] if still[0][1] else free:
                for label in held:
                    self._reach.check_time()
                    if not any(judge.may_attack(unit, (label,))):
                        who = (unit, *(attacks[label].attackers if label in attacks else ()))
                        tried = attacks | {label: DeclaredAttack(game.sorted(who), (label,))}
                        if len(due(tried)) + len(judge.check_declared([*tried.values()])) < len(still):
                            better.append((self._value(board, tuple(tried.values())), -len(better), tried))
            if not better:
                return
            attacks.update(max(better, key=lambda one: one[:2])[2])

    @staticmethod
    def _copy(board: GreedyBoard) -> GreedyBoard:
        return replace(board, moves=list(board.moves), tally=replace(board.tally, mp=dict(board.tally.mp)))

    def _in_order(self, board: GreedyBoard) -> list[str]:
        """Return the hexes of enemies that are worth an attack as the board stands, the most worthwhile first."""
        at, game, chosen = board.position.at, self._game, self.chosen
        foes = [unit for unit in game.sorted(at) if game.is_enemy(unit)] if attack_rule(game) is not None else []
        attacked = {}
        for label in dict.fromkeys(at[unit] for unit in foes if at[unit] in game.board.hexes):
            attacked[label] = self._attacked(board, label, {})
            self.chosen = chosen
        worthwhile = {label: done[0] for label, done in attacked.items() if done is not None}
        return sorted(worthwhile, key=lambda label: worthwhile[label], reverse=True)

    def _attacked(self, board: GreedyBoard, label: str, attacks: Mapping[str, DeclaredAttack]) -> _Attacked | None:
        """Return the best attack on a hex beside others, or to join that on it; None if nothing is worth more."""
        key = tuple(board.moves), label, frozenset(attacks.values())
        if key not in self._tried:
            self._tried[key] = self._attack(board, label, attacks), self.chosen
        best, chosen = self._tried[key]
        self.chosen = dict(chosen)  # whoever goes on moves others, too
        return best

    def _attack(self, board: GreedyBoard, label: str, attacks: Mapping[str, DeclaredAttack]) -> _Attacked | None:
        """Look for the best attack on a hex; what all do by then is chosen."""
        self._limits.check()
        begun = attacks.get(label)
        others = [attack for other, attack in attacks.items() if other != label]
        before = self._value(board, () if begun is None else (begun,))
        who = [] if begun is None else list(begun.attackers)
        trial, best, most, chosen, new = self._copy(board), None, tuple(Fraction(0) for _ in before), self.chosen, 0
        came, self.chosen = chosen, dict(chosen)
        for unit, ways in self._comers(
            board, label, {unit for attack in attacks.values() for unit in attack.attackers}
        ):
            self._reach.check_time()
            self._limits.check()
            if not any(way is None or self._make(trial, way) for way in ways[: Greedy.tried]):
                continue
            who.append(unit)
            new += 1
            attack = DeclaredAttack(self._game.sorted(who), (label,))
            if not self._may_be_declared(trial, [*others, attack]):
                continue
            gain = tuple((now - was) / new for now, was in zip(self._value(trial, (attack,)), before, strict=True))
            if gain > most:
                most, best, came = gain, (gain, self._copy(trial), attack), dict(self.chosen)
        self.chosen = came
        return best

    def _comers(self, board: GreedyBoard, label: str, busy: set[str]) -> list[tuple[str, list[_Way]]]:
        """Return who can attack a hex, the strongest first, each with its ways to where it can do so, the cheapest first."""
        rule, game, position = attack_rule(self._game), self._game, board.position.copy()
        assert rule is not None
        judge = AttackReferee(rule, game, position)
        found: list[tuple[Fraction, str, list[_Way]]] = []
        for unit in game.sorted(board.position.at):
            counter, there = game.units[unit], board.position.at[unit]
            if unit in busy or not game.may_be_moved(unit) or not rule.by.matches(counter):
                continue
            near: list[Possibility] = []
            if unit in self._movers and unit not in self.chosen:
                near = self._able(board, unit, self._close(label, rule.range_of(counter).range))
            ways, strength = list[_Way](), Fraction(0)
            for way in [None, *sorted(near, key=lambda way: way.mp)]:
                position.move(unit, there if way is None else way.end)
                if not any(judge.may_attack(unit, (label,))):
                    strength = strength or judge.strengths(DeclaredAttack((unit,), (label,)))[0]
                    ways.append(way)
            position.move(unit, there)
            if ways:
                found.append((strength, unit, ways))
        found.sort(key=lambda one: one[0], reverse=True)
        return [(unit, ways) for _, unit, ways in found]

    def _close(self, label: str, hexes: int) -> frozenset[str]:
        """Return what lies at most so many hexes from a hex."""
        if (label, hexes) not in self._near:
            self._near[label, hexes] = frozenset(self._game.board.around(label, hexes))
        return self._near[label, hexes]

    def _may_be_declared(self, board: GreedyBoard, attacks: Sequence[DeclaredAttack]) -> bool:
        """Tell whether nothing is wrong with attacks but that others are due."""
        rule = attack_rule(self._game)
        assert rule is not None
        return not AttackReferee(rule, self._game, board.position).check_declared(attacks)

    def _value(self, board: GreedyBoard, attacks: tuple[DeclaredAttack, ...]) -> Value:
        """Return what each tier comes to."""
        key, tiers = (tuple(board.moves), attacks), self._scenario.tiers
        if key not in self._values:
            self._scores -= sum(len(tier.terms) for tier in tiers)
            scores = score_position(self._game, tiers, board.position, Tally(board.tally.mp, attacks))
            self._values[key] = tier_values(tiers, scores)
        return self._values[key]
