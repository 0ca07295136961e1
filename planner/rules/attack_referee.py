"""Attacks as the referee sees them: who may attack whom, at which odds, and what must be attacked.

Nothing of it is the solver's face's: that reads the parameters for itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor
from typing import TYPE_CHECKING

from planner.formats.mp import format_mp
from planner.formats.spoken_numbers import spoken_number
from planner.rules.attack_losses import AttackLosses, ExpectedLosses, PossibleResult, expected
from planner.rules.attack_table import AttackRule, StrengthFactor
from planner.rules.declared_attacks import departures, left_of, no_defender, nobody_to_attack
from planner.rules.play import Finding
from planner.rules.roles import Controls
from planner.world.declared_attack import DeclaredAttack
from planner.world.position import Position

if TYPE_CHECKING:
    from planner.rules.game import Game

MOST_KNOWN = 4_000
"""How many attacks a game knows the worth of, before it forgets them."""


@dataclass(frozen=True)
class AssessedAttack:
    """What a declared attack comes to, by itself, on the board as it stands once the moves are made.

    Attributes
    ----------
    attack : DeclaredAttack
        The attack.
    defenders : tuple of str
        Who is attacked, in the order of the scenario.
    strengths : tuple of (Fraction, Fraction)
        The strength of attack and defense.
    odds, shifted : str
        The column before and after shifts, as players call it.
    columns : tuple of (int, int)
        The same, as indices.
    below : bool
        Whether the odds are below the first column.
    shifts : tuple of (str, int)
        What shifts the column, and by how many columns.
    results : tuple of PossibleResult
        What may come of it, in the order in which the rulebook has the results; empty below the first column where such
        attacks are forbidden.
    """

    attack: DeclaredAttack
    defenders: tuple[str, ...]
    strengths: tuple[Fraction, Fraction]
    odds: str
    shifted: str
    columns: tuple[int, int]
    below: bool
    shifts: tuple[tuple[str, int], ...]
    results: tuple[PossibleResult, ...]

    @property
    def losses(self) -> tuple[ExpectedLosses, ExpectedLosses]:
        """What the attackers, and what the defenders, lose on average."""
        return expected(self.results)

    @property
    def label(self) -> str:
        """The odds, before and after shifts: ``3:1, 2:1 for the forest``."""
        if not self.results:
            return f"less than {self.odds}"
        because = f", {self.shifted} for {' and '.join(name for name, _ in self.shifts)}" if self.shifts else ""
        return f"{f'less than {self.odds}, as ' * self.below}{self.odds}{because}"

    def __str__(self) -> str:
        told = ", ".join(f"{one.code} {format_mp(one.probability)}" for one in self.results)
        return f"{self.attack}  {self.label}: {told or 'illegal'}"


@dataclass(frozen=True)
class AttackFault:
    """Something that is wrong with the attacks that are declared.

    Attributes
    ----------
    attack : int or None
        The index of the attack; None for what isn't attacked, or doesn't attack, but must.
    unit : str or None
        The unit at fault; None for what concerns an attack as a whole.
    finding : Finding
        What is wrong, and where.
    """

    attack: int | None
    unit: str | None
    finding: Finding


class AttackReferee:
    """Judges the attacks that may be declared in one position.

    Parameters
    ----------
    rule : AttackRule
        The rule.
    game : Game
        Board, units, rules and situation.
    position : Position
        Who stands where once the moves are made; it isn't changed.
    """

    def __init__(self, rule: AttackRule, game: Game, position: Position) -> None:
        self.rule = self._rule = rule
        self._game, self._position = game, position
        self._duty = rule.must_paragraph or rule.paragraph
        self._once = rule.once_paragraph or rule.paragraph
        self._losses = AttackLosses(rule, game, position)

    # -- who is where

    def defenders_in(self, label: str) -> tuple[str, ...]:
        """Return the enemies that defend a hex and haven't been attacked yet, in the order of the scenario."""
        game = self._game
        done = {unit for attack in self._position.attacked for unit in attack.defenders}
        return game.sorted(
            unit
            for unit in self._position.units_in(label)
            if game.is_enemy(unit) and self._rule.against.matches(game.units[unit]) and unit not in done
        )

    def defenders_of(self, attack: DeclaredAttack) -> tuple[str, ...]:
        """Return the enemies that an attack is against, in the order of the scenario."""
        all_ = [unit for label in attack.hexes for unit in self.defenders_in(label)]
        return self._game.sorted(unit for unit in all_ if not attack.defenders or unit in attack.defenders)

    def _beside(self, unit: str, label: str) -> bool:
        at = self._position.at.get(unit)
        return at is not None and self._game.board.adjacent(at, label)

    def _from_afar(self, unit: str, hexes: Iterable[str]) -> bool:
        return not any(self._beside(unit, label) for label in hexes)

    # -- who may attack whom

    def may_attack(self, unit: str, hexes: Sequence[str]) -> Iterator[Finding]:
        """Yield what forbids a unit to attack some hexes at once, whoever does so with it, and whatever the odds."""
        game, rule, at = self._game, self._rule, self._position.at.get(unit)
        counter = game.units[unit]
        if at is None or at not in game.board.hexes:
            yield Finding(rule.paragraph, f"{unit} can't attack: it is not on the map")
            return
        if not game.may_be_moved(unit):
            yield Finding(rule.paragraph, f"{unit} may not attack: it belongs to {counter.side}", at=at)
            return
        if not rule.by.matches(counter):
            yield Finding(rule.paragraph, f"{unit} is not a unit that attacks", at=at)
            return
        for label in hexes:
            yield from self._may_attack_one(unit, at, label)
        if not self._attack_of(unit, tuple(hexes)):
            yield Finding(rule.paragraph, f"{unit} has no strength in an attack of {' and '.join(hexes)}", at=at)

    def _may_attack_one(self, unit: str, at: str, label: str) -> Iterator[Finding]:
        game, rule, counter = self._game, self._rule, self._game.units[unit]
        board = game.board
        beside, entry = board.adjacent(at, label), rule.range_of(counter)
        if not beside and not (at != label and board.within(at, label, entry.range)):
            far = "it must stand beside it" if entry.range == 1 else f"its range is {entry.range} hexes"
            yield Finding(entry.paragraph or rule.paragraph, f"{unit} can't attack {label} from {at}: {far}", at=at)
            return
        if beside and not rule.uncrossable and not game.crossable(at, label):
            text = f"{unit} can't attack {label} from {at}: nobody can cross the hexside between them"
            yield Finding(rule.paragraph, text, at=at)
        if beside and rule.only_across is not None and not rule.only_across.matches(board, at, label):
            text = f"{unit} can't attack {label} from {at}: not across the hexside between them"
            yield Finding(rule.paragraph, text, at=at)
        place, stand = board.places[label], board.places[at]
        for bar in rule.bars:
            if (
                bar.units.matches(counter)
                and (bar.hexsides is None or (beside and bar.hexsides.matches(board, at, label)))
                and (bar.hexes is None or bar.hexes.matches(place, game.weather(label)))
                and (bar.from_hexes is None or bar.from_hexes.matches(stand, game.weather(at)))
            ):
                text = f"{unit} may not attack {label} from {at}: {bar.because}"
                yield Finding(bar.paragraph or rule.paragraph, text, at=at)

    def _without_company(self, unit: str, attackers: Iterable[str], hexes: Iterable[str]) -> Iterator[Finding]:
        """Yield the hexes that a unit attacks from afar although nobody attacks from beside them."""
        entry = self._rule.range_of(self._game.units[unit])
        if entry.alone:
            return
        for label in hexes:
            if not self._beside(unit, label) and not any(self._beside(other, label) for other in attackers):
                text = f"{unit} may not attack {label} from afar: none of the attackers stands beside it"
                yield Finding(entry.paragraph or self._rule.paragraph, text, at=self._position.at.get(unit, ""))

    def _can_attack(self, unit: str, label: str) -> bool:
        """Tell whether a unit may attack a hex by itself, whatever the odds."""
        return not any(self.may_attack(unit, (label,))) and not any(self._without_company(unit, (unit,), (label,)))

    # -- what must be

    def duties(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the units that must still attack, and the enemies that must still be attacked."""
        if self.declared is not None:  # whoever had to when they were declared is in them
            left = [one for attack in self.declared if (one := left_of(self, attack)) is not None]
            return self._game.sorted(unit for one in left for unit in one.attackers), ()
        attackers, enemies = self._duties_at_first() if self._position.due is None else self._position.due
        # Who had to when the attacks began need not where a question lifts that since.
        attackers = attackers if self._rule.must_attack is not None else ()
        enemies = enemies if self._rule.must_be_attacked is not None else ()
        at, done = self._position.at, self._position.attacked
        busy = {unit for attack in done for unit in (*attack.attackers, *attack.defenders)}
        return (
            tuple(unit for unit in attackers if unit in at and unit not in busy and self._has_targets(unit)),
            tuple(unit for unit in enemies if unit in at and unit not in busy and self._has_attackers(unit)),
        )

    @property
    def declared(self) -> tuple[DeclaredAttack, ...] | None:
        """The attacks that have been declared and not been rolled, if no others may be; None: others may be declared."""
        return self._position.declared if self._rule.declared == "at_once" else None

    def _duties_at_first(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        game, rule, position = self._game, self._rule, self._position
        own = [unit for unit in game.sorted(position.at) if game.may_be_moved(unit)]
        foes = [unit for unit in game.sorted(position.at) if game.is_enemy(unit)]
        must, whom = rule.must_attack, rule.must_be_attacked
        attackers = [
            unit
            for unit in own
            if must is not None and must.matches(game.units[unit]) and any(self._in_zone(enemy, unit) for enemy in foes)
        ]
        enemies = [
            enemy
            for enemy in foes
            if whom is not None
            and whom.matches(game.units[enemy])
            and rule.against.matches(game.units[enemy])
            and any(self._in_zone(enemy, unit) for unit in own)
        ]
        return tuple(attackers), tuple(enemies)

    def _has_targets(self, unit: str) -> bool:
        busy = {other for attack in self._position.attacked for other in attack.attackers}
        foes = {self._position.at[enemy] for enemy in self._position.at if self._game.is_enemy(enemy)}
        return unit not in busy and any(self.defenders_in(label) and self._can_attack(unit, label) for label in foes)

    def _has_attackers(self, enemy: str) -> bool:
        label = self._position.at[enemy]
        busy = {other for attack in self._position.attacked for other in attack.attackers}
        return any(
            unit not in busy and self._can_attack(unit, label)
            for unit in self._position.at
            if not self._game.is_enemy(unit)
        )

    def _in_zone(self, enemy: str, unit: str) -> bool:
        """Tell whether a unit stands in an enemy's ZOC."""
        game, at = self._game, self._position.at
        return game.board.adjacent(at[enemy], at[unit]) and any(
            rule.exerted_by.matches(game.units[enemy])
            and not rule.barriers_of(game.units[enemy]).matches(game.board, at[enemy], at[unit])
            for rule in game.rulebook.of(Controls)
        )

    # -- everything that is wrong

    def check(self, attacks: Sequence[DeclaredAttack]) -> list[AttackFault]:
        """Return everything that is wrong with attacks that are declared together, and with what isn't declared."""
        found = self.check_declared(attacks)
        if self.declared is not None:
            return [*found, *(AttackFault(i, None, one) for i, one in departures(self, self.declared, attacks))]
        attacking = {unit for attack in attacks for unit in attack.attackers}
        attacked = {unit for attack in attacks for unit in self.defenders_of(attack)}
        attackers, enemies = self.duties()
        at = self._position.at
        for unit in attackers:
            if unit not in attacking:
                foes = self._game.sorted(e for e in at if self._game.is_enemy(e) and self._in_zone(e, unit))
                because = f": it is in the ZOC of {self._game.names(foes)}" if foes else ""
                found.append(AttackFault(None, unit, self._due(f"{unit} must attack{because}", foes, at[unit])))
        for enemy in enemies:
            if enemy not in attacked:
                text = f"{enemy} in {at[enemy]} must be attacked"
                near = self._game.sorted(u for u in at if self._game.may_be_moved(u) and self._in_zone(enemy, u))
                text += f": {self._game.names(near)} {'is' if len(near) == 1 else 'are'} in its ZOC" if near else ""
                found.append(AttackFault(None, None, self._due(text, (enemy,), at[enemy])))
        return found

    def check_declared(self, attacks: Sequence[DeclaredAttack]) -> list[AttackFault]:
        """Return what is wrong with attacks that are declared together, whatever else must be attacked."""
        found = [AttackFault(i, unit, one) for i, attack in enumerate(attacks) for unit, one in self._check_one(attack)]
        found += self._check_twice(attacks)
        return [*found, *self._check_together(attacks)] if self._rule.attackers_together else found

    def _due(self, text: str, blame: tuple[str, ...], at: str) -> Finding:
        return Finding(self._duty, text, blame, at)

    def _check_one(self, attack: DeclaredAttack) -> Iterator[tuple[str | None, Finding]]:
        """Yield what is wrong with one attack by itself, and with its units."""
        game, rule = self._game, self._rule
        where = attack.hexes[0]
        if len(attack.hexes) > rule.most_hexes:
            most = "one hex" if rule.most_hexes == 1 else f"{rule.most_hexes} hexes"
            yield (
                None,
                Finding(rule.paragraph, f"an attack is against {most} at most, not {len(attack.hexes)}", at=where),
            )
        for label in attack.hexes:
            there = self.defenders_in(label)
            if not there:
                yield None, Finding(rule.paragraph, nobody_to_attack(game, self._position, label), at=label)
            spared = [unit for unit in there if attack.defenders and unit not in attack.defenders]
            if spared and rule.defenders_together:
                text = f"all who defend {label} must be attacked together: {game.names(spared)} too"
                yield None, Finding(self._once, text, tuple(spared), label)
        for unit in attack.defenders:
            if unit not in self.defenders_of(attack):
                text = no_defender(game, self._position, unit, attack.hexes)
                yield None, Finding(rule.paragraph, text, (unit,), where)
        for unit in attack.attackers:
            for found in (
                *self.may_attack(unit, attack.hexes),
                *self._without_company(unit, attack.attackers, attack.hexes),
            ):
                yield unit, found
        defenders = self.defenders_of(attack)
        if defenders and rule.below == "forbidden":
            attack_, defense = self.strengths(attack)
            if self._column(attack_, defense) < 0:
                how = "to" if rule.odds == "ratio" else "less"
                told = f"{spoken_number(attack_)} {how} {spoken_number(defense)} is less than {rule.columns[0].text}"
                text = f"{' + '.join(attack.attackers)} can't attack {' + '.join(attack.hexes)}: {told}"
                amounts = ("attack", attack_), ("defense", defense)
                yield None, Finding(rule.paragraph, text, defenders, where, amounts=amounts)

    def _check_twice(self, attacks: Sequence[DeclaredAttack]) -> Iterator[AttackFault]:
        """Yield who attacks, and who is attacked, more than once."""
        game, paragraph, at = self._game, self._once, self._position.at
        attacked_before = {unit for attack in self._position.attacked for unit in attack.attackers}
        attacking, attacked = set(attacked_before), set[str]()
        for index, attack in enumerate(attacks):
            for unit in attack.attackers:
                if unit in attacking:
                    yield AttackFault(
                        index, unit, Finding(paragraph, f"{unit} may not attack twice", at=at.get(unit, ""))
                    )
            again = game.sorted(attacked.intersection(self.defenders_of(attack)))
            if again:
                text = f"{game.names(again)} can't be attacked twice"
                yield AttackFault(index, None, Finding(paragraph, text, again, at[again[0]]))
            attacking.update(attack.attackers)
            attacked.update(self.defenders_of(attack))

    def _check_together(self, attacks: Sequence[DeclaredAttack]) -> Iterator[AttackFault]:
        """Yield the units that don't attack what those of their hex attack who come first."""
        paragraph, at = self._rule.paragraph, self._position.at
        first: dict[str, tuple[int, str]] = {}
        for index, attack in enumerate(attacks):
            for unit in attack.attackers:
                label = at.get(unit, "")
                known, other = first.setdefault(label, (index, unit))
                if known != index and other != unit:
                    text = f"{unit} must attack what {other} attacks: both stand in {label}"
                    yield AttackFault(index, unit, Finding(paragraph, text, (other,), label))

    # -- strengths and odds

    def strengths(self, attack: DeclaredAttack) -> tuple[Fraction, Fraction]:
        """Return the strength of attack and defense, with all factors and rounded."""
        own = [self._attack_of(unit, attack.hexes) for unit in attack.attackers]
        theirs = [self._defense_of(enemy, attack) for enemy in self.defenders_of(attack)]
        return self._total(own), self._total(theirs)

    def _total(self, strengths: Iterable[Fraction]) -> Fraction:
        if self._rule.rounding == "exact":
            return sum(strengths, Fraction(0))
        to_whole = floor if self._rule.rounding == "down" else ceil
        if self._rule.rounded == "total":
            return Fraction(to_whole(sum(strengths, Fraction(0))))
        return Fraction(sum(to_whole(strength) for strength in strengths))

    def _attack_of(self, unit: str, hexes: tuple[str, ...]) -> Fraction:
        """Return the strength of an attacker before rounding."""
        strength, at = self._game.units[unit].attack, self._position.at.get(unit)
        for factor in self._rule.factors:
            if at is not None and factor.of == "attack" and self._multiplies_attack(factor, unit, at, hexes):
                strength *= factor.times
        return strength

    def _multiplies_attack(self, factor: StrengthFactor, unit: str, at: str, hexes: tuple[str, ...]) -> bool:
        game, board = self._game, self._game.board
        if not factor.units.matches(game.units[unit]):
            return False
        if factor.hexes is not None and not any(factor.hexes.matches(board.places[h], game.weather(h)) for h in hexes):
            return False
        if factor.hexsides is not None and not all(
            board.adjacent(at, label) and factor.hexsides.matches(board, at, label) for label in hexes
        ):
            return False
        if factor.from_hexes is not None and not factor.from_hexes.matches(board.places[at], game.weather(at)):
            return False
        return factor.from_afar is None or factor.from_afar == self._from_afar(unit, hexes)

    def _defense_of(self, enemy: str, attack: DeclaredAttack) -> Fraction:
        """Return the strength of a defender before rounding."""
        game, board = self._game, self._game.board
        label, strength = self._position.at[enemy], game.units[enemy].defense
        sides = [self._position.at[unit] for unit in attack.attackers if self._beside(unit, label)]
        for factor in self._rule.factors:
            hexes, hexsides = factor.hexes, factor.hexsides
            if (
                factor.of == "defense"
                and factor.units.matches(game.units[enemy])
                and (hexes is None or hexes.matches(board.places[label], game.weather(label)))
                and (hexsides is None or (sides and all(hexsides.matches(board, side, label) for side in sides)))
            ):
                strength *= factor.times
        return strength

    def _column(self, attack: Fraction, defense: Fraction) -> int:
        """Return the index of the column before shifts; -1: below the first."""
        columns = self._rule.columns
        if self._rule.odds == "ratio":
            return sum(attack >= column.threshold * defense for column in columns) - 1
        return sum(attack - defense >= column.threshold for column in columns) - 1

    def shifts(self, attack: DeclaredAttack) -> tuple[tuple[str, int], ...]:
        """Return what shifts the column of an attack, and by how many columns."""
        game, board, at = self._game, self._game.board, self._position.at
        pairs = [(at[unit], label) for unit in attack.attackers for label in attack.hexes if self._beside(unit, label)]
        own = [game.units[unit] for unit in attack.attackers]
        theirs = [game.units[enemy] for enemy in self.defenders_of(attack)]
        markers = [
            marker
            for label in attack.hexes
            for marker in game.markers_at(label)
            if not game.situation.befriends(marker.side) and marker.id not in self._position.lost
        ]
        found = []
        for shift in self._rule.shifts:
            hexes, sides = shift.hexes, shift.hexsides
            if (
                (hexes is None or any(hexes.matches(board.places[h], game.weather(h)) for h in attack.hexes))
                and (shift.markers is None or any(map(shift.markers.matches, markers)))
                and (sides is None or (pairs and all(sides.matches(board, a, b) for a, b in pairs)))
                and (shift.attackers is None or any(map(shift.attackers.matches, own)))
                and (shift.defenders is None or any(map(shift.defenders.matches, theirs)))
            ):
                found.append((shift.name, shift.columns))
        return tuple(found)

    def assess(self, attack: DeclaredAttack) -> AssessedAttack:
        """Return what an attack comes to by itself; it must be against somebody, by units on the map.

        It is asked for again and again while an attack is judged and made, and depends on few things.
        """
        position = self._position
        if type(position) is not Position:  # one that notes what is looked at
            return self._assessed(attack)
        known: dict[object, AssessedAttack] = self._game.cached(("assessed", self._rule.id), dict)
        done = frozenset(unit for made in position.attacked for unit in made.defenders)
        hurt = frozenset(position.lost_steps.items())
        key = attack, frozenset(position.at.items()), done, hurt, frozenset(position.lost)
        found = known.get(key)
        if found is None:
            if len(known) >= MOST_KNOWN:
                known.clear()
            found = known[key] = self._assessed(attack)
        return found

    def _assessed(self, attack: DeclaredAttack) -> AssessedAttack:
        rule = self._rule
        strengths, shifts, defenders = self.strengths(attack), self.shifts(attack), self.defenders_of(attack)
        column = self._column(*strengths)
        last = len(rule.columns) - 1
        columns = max(column, 0), max(column, 0)
        if column < 0 and rule.below == "forbidden":
            odds = rule.columns[0].text
            return AssessedAttack(attack, defenders, strengths, odds, odds, columns, True, shifts, ())
        shifted = min(max(max(column, 0) + sum(by for _, by in shifts), 0), last)
        weights: dict[str, int] = {}
        for code, ways in zip(rule.columns[shifted].results, rule.sums, strict=True):
            weights[code] = weights.get(code, 0) + ways
        total = sum(weights.values())
        results = tuple(
            self._losses.result(attack, defenders, code, Fraction(weights[code], total))
            for code in rule.results
            if code in weights
        )
        columns = max(column, 0), shifted
        names = rule.columns[columns[0]].text, rule.columns[shifted].text
        return AssessedAttack(attack, defenders, strengths, *names, columns, column < 0, shifts, results)
