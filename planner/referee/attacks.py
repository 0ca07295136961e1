"""Attacks after the moves: what is wrong with those that a plan declares, what they come to, and how they are made."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from itertools import product

from planner.referee.move_record import give_up
from planner.referee.verdict import Violation
from planner.rules.attack_losses import AttackLosses, PossibleResult
from planner.rules.attack_referee import AssessedAttack, AttackFault, AttackReferee
from planner.rules.attack_rule import attack_rule
from planner.rules.attack_table import AttackRule
from planner.rules.declared_attacks import departures, left_of, same_attack
from planner.rules.destinations import box_of
from planner.rules.game import Game
from planner.rules.play import Finding
from planner.world.declared_attack import DeclaredAttack, MadeAttack
from planner.world.position import Position

Enter = Callable[[Position, str, str], None]
"""Lets a unit of the phasing side enter a hex of a position, with all that this changes."""


def violations_of(game: Game, position: Position, attacks: Sequence[DeclaredAttack]) -> list[Violation]:
    """Return everything that is wrong with the attacks that are declared on a position, and with what isn't declared."""
    rule = attack_rule(game)
    if rule is None:
        return _out_of_phase(game, attacks)
    judge = AttackReferee(rule, game, position)
    return [_violation(fault, attacks) for fault in judge.check([attack.declared for attack in attacks])]


def assessed(game: Game, position: Position, attacks: Sequence[DeclaredAttack]) -> tuple[AssessedAttack, ...]:
    """Return what attacks come to, each by itself; those that are against nobody, or by units off the map, are left out."""
    rule = attack_rule(game)
    if rule is None:
        return ()
    judge = AttackReferee(rule, game, position)
    return tuple(
        judge.assess(attack.declared)
        for attack in attacks
        if judge.defenders_of(attack) and all(position.at.get(unit) in game.board.hexes for unit in attack.attackers)
    )


def still_due(game: Game, position: Position) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the units that must attack, and the enemies that must be attacked, if nothing else is done."""
    rule = attack_rule(game)
    return ((), ()) if rule is None else AttackReferee(rule, game, position).duties()


def _out_of_phase(game: Game, attacks: Sequence[DeclaredAttack]) -> list[Violation]:
    paragraph = game.rulebook.of(AttackRule)[0].paragraph if game.rulebook.of(AttackRule) else ""
    text = f"no attacks are made after this phase ({game.situation.phase})"
    faults = [AttackFault(i, None, Finding(paragraph, text, at=one.hexes[0])) for i, one in enumerate(attacks)]
    return [_violation(fault, attacks) for fault in faults]


def _violation(fault: AttackFault, attacks: Sequence[DeclaredAttack]) -> Violation:
    found = fault.finding
    at = found.at or ("" if fault.attack is None else attacks[fault.attack].hexes[0])
    return Violation(
        found.paragraph,
        fault.unit,
        None,
        None,
        at,
        found.blame,
        found.message,
        attack=fault.attack,
        amounts=found.amounts,
    )


class AttackInTheMaking:
    """An attack that has been declared and rolled, on the board as it then stands.

    Parameters
    ----------
    game : Game
        Board, units, rules and situation.
    position : Position
        Who stands where, and what has been done; `make` changes it.
    attack : DeclaredAttack
        The attack, with its result, and with where units go on account of it.
    """

    def __init__(self, game: Game, position: Position, attack: DeclaredAttack) -> None:
        self._game, self._position, self._attack = game, position, attack
        self._rule = attack_rule(game)
        self._declared = [attack.declared]

    def faults(self) -> list[Violation]:
        """Return why the attack can't have been made as it is written; what must be attacked besides doesn't matter."""
        rule = self._rule
        if rule is None:
            return _out_of_phase(self._game, [self._attack])
        judge = AttackReferee(rule, self._game, self._position)
        wrong = judge.check_declared(self._declared)
        if judge.declared is not None:
            others = departures(judge, judge.declared, self._declared)
            wrong += [AttackFault(index, None, one) for index, one in others if index is not None]
        if not wrong and self._attack.result:
            texts = self._result_faults(rule, judge.assess(self._attack))
            wrong = [AttackFault(0, unit, Finding(paragraph, text)) for unit, paragraph, text in texts]
        return [_violation(fault, [self._attack]) for fault in wrong]

    def undecided(self) -> Iterator[str]:
        """Yield what must be said of a legal attack: what was rolled, and where units retreat that may choose."""
        rule = self._rule
        if rule is None:
            return
        told = AttackReferee(rule, self._game, self._position).assess(self._attack.declared)
        if not self._attack.result:
            yield f"must say what was rolled: one of {', '.join(f'={one.code}' for one in told.results)}"
            return
        for result in told.results:
            if result.code == self._attack.result:
                for unit, ways in self._open_retreats(rule, told, result):
                    if len(ways) > 1 and not self._attack.way_of(unit):
                        named = ", ".join(f"{unit} {'-'.join(way)}" for way in ways[:_SOME])
                        yield f"must say where {unit} retreats: {named}{', …' * (len(ways) > _SOME)}"

    def decided(self) -> DeclaredAttack:
        """Return the attack with a way for each who retreats and of whom nothing is said: the first to where there is room.

        Those who retreat together don't bar each other's way: where all are full, they crowd. Who could go only where an
        enemy goes that retreats, too, stays where it stands.
        """
        rule, attack = self._rule, self._attack
        assert rule is not None
        told = AttackReferee(rule, self._game, self._position).assess(attack.declared)
        result = next(one for one in told.results if one.code == attack.result)
        open_ = dict(self._open_retreats(rule, told, result))
        said = {unit: way for unit, way in attack.ways if unit in open_}
        free = {unit: [way] for unit, way in said.items()}
        free |= {unit: ways for unit, ways in open_.items() if ways and unit not in said}
        tries = (self._with_room(rule, free, _dead(result), lenience) for lenience in range(3))
        chosen = next(found for found in tries if found is not None)
        return replace(attack, ways=(*attack.ways, *((u, way) for u, way in chosen.items() if u not in said)))

    def _with_room(
        self, rule: AttackRule, open_: dict[str, list[tuple[str, ...]]], dead: Collection[str], lenience: int = 0
    ) -> dict[str, tuple[str, ...]] | None:
        """Return a way for each who retreats so that nobody crowds, the first that fit; None if there is no room for all.

        `dead` are those whom the result eliminates. With some lenience they crowd, with more some stay where they stand;
        never do units of both sides go into one hex.
        """
        staying = {unit: at for unit, at in self._position.at.items() if unit not in open_ and unit not in dead}
        opposed, ends = self._game.opposed, dict[str, list[str]]()
        for unit, at in staying.items():
            ends.setdefault(at, []).append(unit)
        found: dict[str, tuple[str, ...]] = {}

        def settle(units: Sequence[str]) -> bool:
            if not units:
                return True
            unit, tried = units[0], set[str]()
            for way in open_[unit]:
                there = ends.setdefault(way[-1], [])
                full = not lenience and len(there) > rule.retreats.most_friends
                if way[-1] in tried or full or any(opposed(unit, other) for other in there):
                    continue
                tried.add(way[-1])
                there.append(unit)
                found[unit] = way
                if settle(units[1:]):
                    return True
                there.pop()
                del found[unit]
            return lenience > 1 and settle(units[1:])

        return found if settle(tuple(open_)) else None

    def _open_retreats(
        self, rule: AttackRule, told: AssessedAttack, result: PossibleResult
    ) -> Iterator[tuple[str, list[tuple[str, ...]]]]:
        """Yield who retreats, with every way that is open to the unit."""
        losses = AttackLosses(rule, self._game, self._position)
        for unit, far in result.retreats:
            enemy = self._game.is_enemy(unit)
            force = told.defenders if enemy else losses.hit(self._attack)
            yield unit, list(losses.ways(unit, far, force, () if enemy else result.enemy.eliminated))

    def _result_faults(self, rule: AttackRule, told: AssessedAttack) -> Iterator[tuple[str | None, str, str]]:
        """Yield (unit, paragraph, text) for what is wrong with the result and with who goes where."""
        codes = {result.code: result for result in told.results}
        result = codes.get(self._attack.result)
        if result is None:
            text = f"{self._attack.result} can't have been rolled at {told.shifted}: it has {', '.join(codes)}"
            yield None, rule.paragraph, text
            return
        ways = dict(self._open_retreats(rule, told, result))
        advancing: dict[str, int] = {}
        for unit, way in self._attack.ways:
            if unit in ways:
                if way not in ways[unit]:
                    text = f"{unit} can't retreat {'-'.join(way)}"
                    yield unit, rule.retreats.paragraph or rule.paragraph, text
                continue
            because = self._no_advance(rule, told, result, unit, way)
            if because:
                paragraph = rule.paragraph if rule.advances is None else rule.advances.paragraph or rule.paragraph
                yield unit, paragraph, f"{unit} may not go {'-'.join(way)} after the attack: {because}"
                continue
            advancing[way[-1]] = advancing.get(way[-1], 0) + 1
        yield from self._crowding(rule, ways, _dead(result))
        most = None if rule.advances is None else rule.advances.most
        for label, many in advancing.items():
            if most is not None and many > most and rule.advances is not None:
                text = f"at most {most} may advance into {label}, not {many}"
                yield None, rule.advances.paragraph or rule.paragraph, text

    def choices(self) -> Iterator[DeclaredAttack]:
        """Yield the attack with each way to go on from its result: where own units retreat, and who advances.

        Enemies who may choose where to retreat go as `decided` has it. Some may turn out to be against a rule: see `faults`.
        """
        rule, game = self._rule, self._game
        assert rule is not None
        told = AttackReferee(rule, game, self._position).assess(self._attack.declared)
        result = next(one for one in told.results if one.code == self._attack.result)
        own: dict[str, list[tuple[str, ...]]] = {}
        for unit, ways in self._open_retreats(rule, told, result):
            if ways and not game.is_enemy(unit):
                own[unit] = [*{way[-1]: way for way in reversed(ways)}.values()]
        advances = [*self._advances(rule, told, result)]
        known = set[frozenset[tuple[str, str]]]()
        # If nothing is said, units stay where they stand that could go only where an enemy goes, too.
        for said in ((), *(tuple(zip(own, ends, strict=True)) for ends in product(*own.values()))):
            going = AttackInTheMaking(game, self._position, replace(self._attack, ways=said)).decided()
            ends = frozenset((unit, way[-1]) for unit, way in going.ways)
            if ends in known:
                continue
            known.add(ends)
            for onward in advances:
                yield replace(going, ways=(*going.ways, *onward))

    def _advances(
        self, rule: AttackRule, told: AssessedAttack, result: PossibleResult
    ) -> Iterator[tuple[tuple[str, tuple[str, ...]], ...]]:
        """Yield who may advance together, and where to; first nobody."""
        able: list[list[tuple[str, tuple[str, ...]] | None]] = []
        for unit in self._attack.attackers:
            ways = [(self._position.at[unit], label) for label in self._attack.hexes]
            fit = [way for way in ways if not self._no_advance(rule, told, result, unit, way)]
            retreats = any(name == unit for name, _ in result.retreats)
            able.append([None, *((unit, way) for way in fit if not retreats)])
        for chosen in product(*able):
            going = tuple(one for one in chosen if one is not None)
            many = Counter(way[-1] for _, way in going)
            if (
                rule.advances is None
                or rule.advances.most is None
                or all(n <= rule.advances.most for n in many.values())
            ):
                yield going

    def _crowding(
        self, rule: AttackRule, open_: dict[str, list[tuple[str, ...]]], dead: Collection[str]
    ) -> Iterator[tuple[str | None, str, str]]:
        """Yield who is said to retreat to an enemy, or into a hex that is full then, although there is room for all."""
        room = self._with_room(rule, {unit: ways for unit, ways in open_.items() if ways}, dead) is not None
        said = {unit: way for unit, way in self._attack.ways if way in open_.get(unit, ())}  # others are told already
        away = {*open_, *dead}
        for unit, way in said.items():
            there = [other for other, where in said.items() if where[-1] == way[-1] and other != unit]
            if foes := self._game.sorted(other for other in there if self._game.opposed(unit, other)):
                others = f"{self._game.names(foes)} retreat{'s' * (len(foes) == 1)}"
                text = f"{unit} can't retreat into {way[-1]}: {others} there, too"
                yield unit, rule.retreats.paragraph or rule.paragraph, text
                continue
            there += [friend for friend, at in self._position.at.items() if at == way[-1] and friend not in away]
            if room and len(there) > rule.retreats.most_friends:
                text = f"{unit} may not retreat into {way[-1]}, to {self._game.names(self._game.sorted(there))}"
                yield unit, rule.retreats.paragraph or rule.paragraph, f"{text}: there is room for all elsewhere"

    def _no_advance(
        self, rule: AttackRule, told: AssessedAttack, result: PossibleResult, unit: str, way: tuple[str, ...]
    ) -> str:
        """Return why a unit that doesn't retreat may not go some way on account of the attack; empty if it may."""
        game, position = self._game, self._position
        if unit in result.own.eliminated or unit in result.enemy.eliminated:
            return "it is eliminated"
        if unit not in self._attack.attackers or rule.advances is None:
            return "it doesn't retreat" if unit in told.defenders or rule.advances is None else "it has not attacked"
        if not rule.advances.units.matches(game.units[unit]):
            return "it is not a unit that advances"
        if len(way) != 2 or way[0] != position.at[unit] or way[1] not in self._attack.hexes:
            return f"it may advance from {position.at[unit]} into {' or '.join(self._attack.hexes)}"
        if not game.board.adjacent(*way):
            return f"it doesn't stand beside {way[1]}"
        leaving = {*result.enemy.eliminated, *(name for name, _ in result.retreats)}
        held = [other for other in position.units_in(way[1]) if game.is_enemy(other) and other not in leaving]
        if held:
            return f"{game.names(game.sorted(held))} {'is' if len(held) == 1 else 'are'} still there"
        if not AttackLosses(rule, game, position).can_enter(unit, *way):
            return "it can't enter that hex from there"
        return ""

    def make(self, enter: Enter) -> None:
        """Carry out an attack without faults; who may choose where to retreat and doesn't say, goes as `decided` has it.

        `enter` lets a unit of the phasing side enter a hex, with all that this changes.
        """
        rule, game, position, attack = self._rule, self._game, self._position, self._attack
        assert rule is not None
        judge = AttackReferee(rule, game, position)
        if position.due is None:
            position.due = judge.duties()
        if judge.declared is not None:
            position.declared = tuple(
                one
                for one in judge.declared
                if (left := left_of(judge, one)) is None or not same_attack(judge, left, attack.declared)
            )
        told = judge.assess(attack)
        before = {label for made in position.attacked for label in made.hexes}
        whole = tuple(
            label for label in attack.hexes if label not in before and {*judge.defenders_in(label)} <= {*told.defenders}
        )
        result = next(one for one in told.results if one.code == attack.result)
        decided, going = self.decided(), {unit for unit, _ in result.retreats}
        retreats = {unit: way for unit, way in decided.ways if unit in going}
        for losses in (result.own, result.enemy):
            for unit, steps in losses.steps:
                if unit in losses.eliminated:
                    position.remove(unit, box_of(game.units[unit], rule.eliminated_to))
                else:
                    position.lost_steps[unit] = position.lost_steps.get(unit, 0) + steps
        for unit, way in retreats.items():
            self._go(unit, way, enter)
        for unit, way in attack.ways:
            if unit not in retreats:
                self._go(unit, way, enter)
        position.attacked += (
            MadeAttack(
                attack.attackers,
                attack.hexes,
                told.defenders,
                attack.result,
                attack.ways,
                told.columns[1],
                whole,
                tuple(dict.fromkeys(way[-1] for way in retreats.values())),
            ),
        )

    def _go(self, unit: str, way: tuple[str, ...], enter: Enter) -> None:
        position = self._position
        for label in way[1:]:
            if self._game.is_enemy(unit):
                position.move(unit, label)
                give_up(self._game, position, unit, label)
            else:
                enter(position, unit, label)


def _dead(result: PossibleResult) -> frozenset[str]:
    """Return whom a result eliminates."""
    return frozenset((*result.own.eliminated, *result.enemy.eliminated))


_SOME = 6
