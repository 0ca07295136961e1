"""The solver as a judge of attacks: what forbids those that a plan declares, and what must be declared and isn't.

Asked of `AttackProspect`, which the model is made of, for a board on which everybody stands somewhere already.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from planner.referee.verdict import Violation
from planner.rules.attack_prospect import AttackProspect, attack_rule_in_force
from planner.rules.attack_table import AttackRule
from planner.rules.game import Game
from planner.world.declared_attack import DeclaredAttack


def judge_attacks(
    game: Game, where: Mapping[str, str], gone: Collection[str], attacks: Sequence[DeclaredAttack]
) -> list[Violation]:
    """Return what is wrong with attacks after the moves, as the solver sees it.

    Parameters
    ----------
    game : Game
        The board, the units, the rules and the situation.
    where : mapping from units to hexes
        Where the units of the phasing side stand.
    gone : collection of str
        The enemies that are eliminated.
    attacks : sequence of DeclaredAttack
        The attacks.
    """
    rule = attack_rule_in_force(game)
    if rule is None:
        paragraph = next((one.paragraph for one in game.rulebook.of(AttackRule)), "")
        return [
            _violation(paragraph, None, a.hexes[0], f"{a} comes in another phase", i) for i, a in enumerate(attacks)
        ]
    return list(_Judge(game, rule, where, gone, attacks).violations())


def _violation(
    paragraph: str, unit: str | None, at: str, what: str, attack: int | None, blame: Iterable[str] = ()
) -> Violation:
    return Violation(paragraph, unit, None, None, at, tuple(blame), what, attack=attack)


class _Judge:
    """What is wrong with some attacks; parameters as those of `judge_attacks`."""

    def __init__(
        self,
        game: Game,
        rule: AttackRule,
        where: Mapping[str, str],
        gone: Collection[str],
        attacks: Sequence[DeclaredAttack],
    ) -> None:
        self._game, self._rule, self._where, self._attacks = game, rule, where, attacks
        places = {unit: [label] for unit, label in where.items() if label in game.board.hexes}
        self._prospect = AttackProspect(game, rule, places, gone)
        self._alive = {
            label: [enemy for enemy in enemies if enemy not in gone]
            for label, enemies in self._prospect.defenders.items()
        }
        self._gone = frozenset(gone)

    def violations(self) -> Iterator[Violation]:
        """Yield everything that is wrong."""
        once = self._rule.once_paragraph or self._rule.paragraph
        attacking: dict[str, int] = dict.fromkeys(self._prospect.busy, -1)
        attacked: set[str] = set()
        first: dict[str, tuple[int, str]] = {}
        for index, attack in enumerate(self._attacks):
            whom = self._attacked_by(attack)
            yield from self._target(index, attack, whom)
            for unit in attack.attackers:
                at = self._where.get(unit) or self._game.homes.get(unit, "")
                yield from self._attacker(index, attack, unit)
                if unit in attacking:
                    yield _violation(once, unit, at or attack.hexes[0], f"{unit} attacks twice", index)
                attacking[unit] = index
                known, other = first.setdefault(at, (index, unit))
                if self._rule.attackers_together and known != index and other != unit:
                    what = f"{unit} doesn't attack what {other} attacks"
                    yield _violation(self._rule.paragraph, unit, at or attack.hexes[0], what, index)
            if again := self._game.sorted(attacked.intersection(whom)):
                where = self._game.homes[again[0]]
                yield _violation(once, None, where, f"{', '.join(again)} is attacked twice", index, again)
            attacked.update(whom)
        if self._prospect.declared is None:
            yield from self._due(attacking, attacked)
        else:
            yield from self._departures(self._prospect.declared)

    def _departures(self, declared: Sequence[DeclaredAttack]) -> Iterator[Violation]:
        """Yield which attacks have not been declared, and which of those that have are missing."""

        def sides(attack: DeclaredAttack, whom: Sequence[str]) -> tuple[frozenset[str], ...]:
            return frozenset(attack.attackers), frozenset(attack.hexes), frozenset(whom)

        left = {sides(one, one.defenders): one for one in declared}
        for index, attack in enumerate(self._attacks):
            if (one := sides(attack, self._attacked_by(attack))) in left:
                del left[one]
            else:
                yield _violation(self._rule.paragraph, None, attack.hexes[0], f"{attack} was not declared", index)
        for missing in left.values():
            yield _violation(self._rule.paragraph, None, missing.hexes[0], f"{missing} must be made", None)

    def _attacked_by(self, attack: DeclaredAttack) -> list[str]:
        there = [enemy for label in attack.hexes for enemy in self._alive.get(label, ())]
        return [enemy for enemy in there if not attack.defenders or enemy in attack.defenders]

    def _target(self, index: int, attack: DeclaredAttack, whom: Sequence[str]) -> Iterator[Violation]:
        rule, here = self._rule, attack.hexes[0]
        if len(attack.hexes) > rule.most_hexes:
            yield _violation(rule.paragraph, None, here, f"{attack} is against too many hexes", index)
        for label in attack.hexes:
            there = self._alive.get(label, [])
            if not there:
                yield _violation(rule.paragraph, None, label, f"nobody defends {label}", index)
            spared = [enemy for enemy in there if attack.defenders and enemy not in attack.defenders]
            if spared and rule.defenders_together:
                yield _violation(
                    rule.once_paragraph or rule.paragraph,
                    None,
                    label,
                    f"{attack} spares some of {label}",
                    index,
                    spared,
                )
        for enemy in attack.defenders:
            if enemy not in whom:
                yield _violation(
                    rule.paragraph, None, here, f"{enemy} doesn't defend {'+'.join(attack.hexes)}", index, [enemy]
                )
        on_map = [unit for unit in attack.attackers if unit in self._where or unit in self._game.homes]
        strengths = {u: self._where.get(u) or self._game.homes[u] for u in on_map}
        if whom and rule.below == "forbidden" and self._prospect.column(attack.hexes, whom, strengths) is None:
            yield _violation(rule.paragraph, None, here, f"{attack} is below the first column", index, whom)

    def _attacker(self, index: int, attack: DeclaredAttack, unit: str) -> Iterator[Violation]:
        game, paragraph = self._game, self._rule.paragraph
        counter, at = game.units[unit], self._where.get(unit)
        if at is None and game.is_enemy(unit):
            at = game.homes.get(unit) if unit not in self._gone else None
        if at is None or at not in game.board.hexes:
            yield _violation(paragraph, unit, attack.hexes[0], f"{unit} is off the map", index)
        elif game.is_enemy(unit) or counter.allied or not self._rule.by.matches(counter):
            yield _violation(paragraph, unit, at, f"{unit} doesn't attack", index)
        else:
            for label in attack.hexes:
                for barred in self._prospect.barred(counter, at, label):
                    yield _violation(barred, unit, at, f"{unit} can't attack {label} from {at}", index)
            if not self._prospect.strength(counter, at, attack.hexes):
                yield _violation(paragraph, unit, at, f"{unit} has no strength there", index)
        entry = self._rule.range_of(counter)
        if not entry.alone:
            for label in attack.hexes:
                if not any(self._beside(other, label) for other in attack.attackers):
                    what = f"{unit} attacks {label} from afar without anybody beside it"
                    yield _violation(entry.paragraph or paragraph, unit, at or attack.hexes[0], what, index)

    def _beside(self, unit: str, label: str) -> bool:
        at = self._where.get(unit) or self._game.homes.get(unit, "")
        return label in self._game.board.neighbours.get(at, ())

    def _due(self, attacking: Collection[str], attacked: Collection[str]) -> Iterator[Violation]:
        rule, game, prospect = self._rule, self._game, self._prospect
        paragraph = rule.must_paragraph or rule.paragraph
        able = {u: {to for to in prospect.alone(u, at) if self._alive[to]} for u, at in self._on_map()}
        for unit, at in self._on_map():
            zones = [enemy for enemy in prospect.controllers(at) if enemy not in self._gone]
            must = rule.must_attack is not None and rule.must_attack.matches(game.units[unit]) and bool(zones)
            if prospect.due is not None:
                must = unit in prospect.due[0]
            if must and able[unit] and unit not in attacking:
                yield _violation(paragraph, unit, at, f"{unit} must attack", None, game.sorted(zones))
        within = {enemy for _, at in self._on_map() for enemy in prospect.controllers(at)}
        for label, enemies in self._alive.items():
            for enemy in enemies:
                must = rule.must_be_attacked is not None and rule.must_be_attacked.matches(game.units[enemy])
                must = must and enemy in within if prospect.due is None else enemy in prospect.due[1]
                reached = any(label in hexes for hexes in able.values())
                if must and reached and enemy not in attacked:
                    yield _violation(paragraph, None, label, f"{enemy} must be attacked", None, [enemy])

    def _on_map(self) -> list[tuple[str, str]]:
        return [(unit, at) for unit, at in self._where.items() if at in self._game.board.hexes]
