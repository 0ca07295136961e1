"""Which attacks there may be once the moves are made, as the solver sees them: whom, by whom, from where, at which odds.

The solver's face of the kind of rule `attack`. Nothing here looks at a position: units may end in several hexes, and
enemies may be gone by then. The referee's face says the same of one position, without any of this.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product
from math import ceil, lcm

from planner.errors import InputError, Problem
from planner.rules.attack_table import AttackRange, AttackRule, ColumnShift, StrengthFactor
from planner.rules.declared_attacks import can_be_made
from planner.rules.demands import Tick, no_tick
from planner.rules.game import Game
from planner.rules.roles import Controls
from planner.world.forces import Unit
from planner.world.selectors import HexsideSelector, UnitSelector

MOST_CONDITIONS = 6
"""That odds of one attack may depend on; what they come to together multiplies."""
MOST_TARGETS = 50_000


@dataclass(frozen=True)
class Part:
    """How a unit may take part in an attack.

    Attributes
    ----------
    unit : str
        The unit.
    hexes : frozenset of str
        Where it must stand.
    strength : Fraction
        Its strength in the attack.
    signs : tuple of int
        For each condition of the target: 1 if it speaks for it, -1 if it rules it out, 0 if it has no say.
    beside, afar : frozenset of str
        The attacked hexes beside which it stands, and those that it may attack only together with somebody beside them.
    safe : bool
        Whether results do nothing to it.
    """

    unit: str
    hexes: frozenset[str]
    strength: Fraction
    signs: tuple[int, ...]
    beside: frozenset[str]
    afar: frozenset[str]
    safe: bool


@dataclass(frozen=True)
class Mode:
    """How an attack may come out before the dice are rolled.

    Attributes
    ----------
    column : int
        The index of its column, after shifts.
    least, most : int or None
        The attackers' strength, times the target's `scale`; None: any.
    states : tuple of int
        For each condition of the target: 1 if it holds, -1 if somebody rules it out, 0 if nobody has a say.
    """

    column: int
    least: int | None
    most: int | None
    states: tuple[int, ...]

    def takes(self, part: Part) -> bool:
        """Tell whether a unit may take part so that the attack comes out like this."""
        return all(
            sign == 0 or state == -1 or (sign == 1 and state == 1)
            for sign, state in zip(part.signs, self.states, strict=True)
        )


@dataclass(frozen=True)
class Target:
    """Whom one attack may be against.

    Attributes
    ----------
    hexes, defenders : tuple of str
        The hexes and the enemies in them that are attacked.
    gone : tuple of str
        Other enemies that would defend, and must be gone.
    whole : bool
        Whether nobody else defends the hexes.
    parts : tuple of Part
        Who may take part.
    scale : int
        By which strengths are multiplied to be whole.
    modes : tuple of Mode
        How it may come out.
    """

    hexes: tuple[str, ...]
    defenders: tuple[str, ...]
    gone: tuple[str, ...]
    whole: bool
    parts: tuple[Part, ...]
    scale: int
    modes: tuple[Mode, ...]


_Condition = tuple[HexsideSelector, tuple[str, ...]] | UnitSelector
"""All who stand beside some hexes attack them across certain hexsides; or one attacker at least is of a kind."""


def attack_rule_in_force(game: Game) -> AttackRule | None:
    """Return the rule of the attacks after this phase; None: there are none."""
    phase = game.situation.phase
    return next((rule for rule in game.rulebook.of(AttackRule) if not rule.phases or phase in rule.phases), None)


def fineness(game: Game) -> int:
    """Return by what averages over the results of attacks are multiplied to be whole."""
    rule = attack_rule_in_force(game)
    if rule is None:
        return 1
    per_step = (value / unit.steps for unit in game.units.values() for value in (unit.attack, unit.defense))
    return sum(rule.sums) * lcm(*(value.denominator for value in per_step))


class AttackProspect:
    """The attacks that there may be.

    Parameters
    ----------
    game : Game
        The board, the units, the rules and the situation.
    rule : AttackRule
        The rule in force.
    places : mapping from units to hexes
        Where each unit of the phasing side may stand after the moves.
    mortal : iterable of str
        The enemies that may be gone by then.
    tick : callable
        Called now and then; raises when the time is up.
    """

    def __init__(
        self,
        game: Game,
        rule: AttackRule,
        places: Mapping[str, Sequence[str]],
        mortal: Iterable[str],
        tick: Tick = no_tick,
    ) -> None:
        self.game, self.rule = game, rule
        self._places, self._mortal, self._tick = places, frozenset(mortal), tick
        made = () if game.begun is None else game.begun.position.attacked
        self.due = None if game.begun is None else game.begun.position.due
        self._attacked = {enemy for attack in made for enemy in attack.defenders}
        self.busy = {unit for attack in made for unit in attack.attackers}
        self.defenders = {
            label: enemies
            for label in game.board.hexes
            if (enemies := tuple(filter(self._defends, game.enemies_at(label))))
        }
        self._reached: dict[tuple[str, str], frozenset[str]] = {}
        self._in_range: dict[tuple[str, int], tuple[str, ...]] = {}
        begun = None if game.begun is None or rule.declared == "one_by_one" else game.begun.position.declared
        self.declared = (
            None if begun is None else tuple(one for one in (can_be_made(self, attack) for attack in begun) if one)
        )
        """What is left of the attacks that have been declared and must be made, no others; None: others may be declared."""

    def _defends(self, enemy: str) -> bool:
        return enemy not in self._attacked and self.rule.against.matches(self.game.units[enemy])

    # -- who can attack what

    def reached(self, unit: str, label: str) -> frozenset[str]:
        """Return the hexes that a unit can attack from where it stands, each for itself, if somebody defends them."""
        if (unit, label) not in self._reached:
            counter = self.game.units[unit]
            near = label, self.rule.range_of(counter).range
            if near not in self._in_range:
                self._in_range[near] = tuple(at for at in self.defenders if self.game.board.within(at, *near))
            self._reached[unit, label] = frozenset(at for at in self._in_range[near] if self.may(counter, label, at))
        return self._reached[unit, label]

    def may(self, unit: Unit, origin: str, to: str) -> bool:
        """Tell whether a unit of any side can attack a hex from where it stands, if somebody defends it."""
        able = self.rule.by.matches(unit) and not unit.allied and unit.id not in self.busy
        return able and not any(True for _ in self.barred(unit, origin, to))

    def barred(self, unit: Unit, origin: str, to: str) -> Iterator[str]:
        """Yield the paragraphs of what keeps a unit from attacking a hex from where it stands."""
        game, rule = self.game, self.rule
        away = game.board.distance(origin, to)
        entry = rule.range_of(unit)
        if not away or away > entry.range:
            yield entry.paragraph or rule.paragraph
            return
        if away == 1:
            if not rule.uncrossable and not game.crossable(origin, to):
                yield rule.paragraph
            if rule.only_across is not None and not rule.only_across.matches(game.board, origin, to):
                yield rule.paragraph
        for bar in rule.bars:
            fits = bar.units.matches(unit)
            fits = fits and (bar.hexsides is None or (away == 1 and bar.hexsides.matches(game.board, origin, to)))
            fits = fits and (bar.hexes is None or bar.hexes.matches(game.board.places[to], game.weather(to)))
            there = game.board.places[origin]
            if fits and (bar.from_hexes is None or bar.from_hexes.matches(there, game.weather(origin))):
                yield bar.paragraph or rule.paragraph

    def controllers(self, label: str) -> list[str]:
        """Return the enemies whose ZOC reaches a hex as long as they live."""
        game = self.game
        return [
            enemy
            for side in game.board.neighbours[label]
            for enemy in game.enemies_at(side)
            if any(
                rule.exerted_by.matches(game.units[enemy])
                and not rule.barriers_of(game.units[enemy]).matches(game.board, side, label)
                for rule in game.rulebook.of(Controls)
            )
        ]

    def column(self, hexes: Sequence[str], defenders: Sequence[str], attackers: Mapping[str, str]) -> int | None:
        """Return the index of the column of an attack by units that stand somewhere; None: the odds are too low for it."""
        apart: dict[str, list[str]] = {unit: [label] for unit, label in attackers.items()}
        target = self._target(tuple(hexes), self.game.sorted(defenders), (), apart, weak=True)
        strength = int(sum((part.strength for part in target.parts), Fraction(0)) * target.scale)
        for mode in target.modes:
            told = zip(mode.states, zip(*(part.signs for part in target.parts), strict=True), strict=True)
            if all(state == (-1 if -1 in signs else int(1 in signs)) for state, signs in told) and (
                (mode.least is None or strength >= mode.least) and (mode.most is None or strength <= mode.most)
            ):
                return mode.column
        return None

    def alone(self, unit: str, label: str) -> frozenset[str]:
        """Return the hexes that a unit can attack from where it stands by itself, whatever the odds."""
        counter, board = self.game.units[unit], self.game.board
        far = self.rule.range_of(counter).alone
        near = (to for to in self.reached(unit, label) if far or board.distance(label, to) == 1)
        return frozenset(to for to in near if self.strength(counter, label, (to,)))

    def strength(self, unit: Unit, origin: str, hexes: Sequence[str]) -> Fraction:
        """Return the strength with which a unit attacks some hexes together, before it is rounded."""
        strength = unit.attack
        for factor in self.rule.factors:
            if factor.of == "attack" and factor.units.matches(unit) and self._favours(factor, origin, hexes):
                strength *= factor.times
        return strength

    def _favours(self, factor: StrengthFactor, origin: str, hexes: Sequence[str]) -> bool:
        """Tell whether the places fit an attacker's factor."""
        game, board = self.game, self.game.board
        beside = [to for to in hexes if board.distance(origin, to) == 1]
        fits = factor.hexes is None or any(factor.hexes.matches(board.places[to], game.weather(to)) for to in hexes)
        if factor.hexsides is not None:
            fits = fits and len(beside) == len(hexes)
            fits = fits and all(factor.hexsides.matches(board, origin, to) for to in hexes)
        if factor.from_hexes is not None:
            fits = fits and factor.from_hexes.matches(board.places[origin], game.weather(origin))
        return fits and factor.from_afar in (None, not beside)

    def _rounded(self, strength: Fraction) -> Fraction:
        if self.rule.rounding == "exact":
            return strength
        return Fraction(strength.__floor__() if self.rule.rounding == "down" else ceil(strength))

    # -- whom one attack may be against

    def targets(self) -> Iterator[Target]:
        """Yield whom one attack may be against, with who may take part and how it may come out.

        Raises
        ------
        InputError
            If there are too many of them, or odds that depend on too much.
        """
        where: dict[tuple[str, ...], dict[str, list[str]]] = {}
        for unit, labels in self._places.items():
            self._tick()
            for label in labels:
                within = sorted(self.reached(unit, label))
                for size in range(1, min(self.rule.most_hexes, len(within)) + 1):
                    for hexes in combinations(within, size):
                        where.setdefault(hexes, {}).setdefault(unit, []).append(label)
        count = 0
        for hexes, units in sorted(where.items()):
            self._tick()
            for attacked, gone in self._forces(hexes):
                count += 1
                if count > MOST_TARGETS:
                    raise _too_much(f"there must be at most {MOST_TARGETS:,} attacks to choose from")
                found = self._target(hexes, attacked, gone, units)
                if found.modes:
                    yield found

    def _forces(self, hexes: Sequence[str]) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
        """Yield which enemies in some hexes may be attacked at once, with those that must be gone."""
        every = [enemy for label in hexes for enemy in self.defenders[label]]
        apart = not self.rule.defenders_together
        optional = every if apart else [enemy for enemy in every if enemy in self._mortal]
        for size in range(len(optional) + 1):
            for out in combinations(optional, size):
                rest = [enemy for enemy in every if enemy not in out]
                if all(any(enemy in rest for enemy in self.defenders[label]) for label in hexes):
                    yield self.game.sorted(rest), () if apart else out

    def _target(
        self,
        hexes: tuple[str, ...],
        attacked: tuple[str, ...],
        gone: tuple[str, ...],
        units: dict[str, list[str]],
        weak: bool = False,
    ) -> Target:
        """Return who may take part in an attack, and how it may come out; `weak`: whoever has no strength in it, too."""
        conditions = list(dict.fromkeys(self._conditions(hexes, attacked)))
        grouped: dict[tuple[object, ...], list[str]] = {}
        for unit, labels in units.items():
            for label in labels:
                strength = self.strength(self.game.units[unit], label, hexes)
                if strength > 0 or weak:
                    strength = self._rounded(strength) if self.rule.rounded == "each" else strength
                    signs = tuple(self._sign(condition, unit, label) for condition in conditions)
                    grouped.setdefault((unit, strength, signs, *self._posture(unit, label, hexes)), []).append(label)
        parts = [
            Part(unit, frozenset(labels), strength, signs, beside, afar, safe)  # type: ignore[arg-type]
            for (unit, strength, signs, beside, afar, safe), labels in grouped.items()
        ]
        scale = lcm(*(part.strength.denominator for part in parts)) if parts else 1
        every = len([enemy for label in hexes for enemy in self.defenders.get(label, ())])
        modes = tuple(self._modes(hexes, attacked, conditions, parts, scale)) if parts else ()
        return Target(hexes, attacked, gone, len(attacked) + len(gone) == every, tuple(parts), scale, modes)

    def _posture(self, unit: str, label: str, hexes: Sequence[str]) -> tuple[frozenset[str], frozenset[str], bool]:
        entry: AttackRange = self.rule.range_of(self.game.units[unit])
        beside = frozenset(to for to in hexes if self.game.board.distance(label, to) == 1)
        afar = frozenset(hexes) - beside
        return beside, frozenset() if entry.alone else afar, entry.safe and not beside

    def threats(self, label: str) -> list[tuple[str, Fraction, bool]]:
        """Return the enemies that could attack a hex from where they stand: with what, and whether only beside another."""
        game, found = self.game, []
        for enemy, home in game.homes.items():
            unit = game.units[enemy]
            if game.is_enemy(enemy) and home in game.board.hexes and self.may(unit, home, label):
                beside = game.board.distance(home, label) == 1
                strength = self.strength(unit, home, (label,))
                if strength:
                    found.append((enemy, strength, not beside and not self.rule.range_of(unit).alone))
        return found

    def steadfast(self, unit: Unit, label: str) -> Fraction:
        """Return the strength of a unit that defends a hex, whoever attacks from wherever."""
        strength = unit.defense
        for factor in self.rule.factors:
            here = factor.hexes is None or factor.hexes.matches(self.game.board.places[label], self.game.weather(label))
            if factor.of == "defense" and factor.hexsides is None and here and factor.units.matches(unit):
                strength *= factor.times
        return strength

    # -- what the odds depend on

    def _conditions(self, hexes: tuple[str, ...], attacked: Sequence[str]) -> Iterator[_Condition]:
        for shift in self.rule.shifts:
            if self._applies(shift, hexes, attacked):
                if shift.hexsides is not None:
                    yield shift.hexsides, hexes
                if shift.attackers is not None:
                    yield shift.attackers
        for enemy in attacked:
            for factor in self._defensive(enemy):
                if factor.hexsides is not None:
                    yield factor.hexsides, (self.game.homes[enemy],)

    def _applies(self, shift: ColumnShift, hexes: Sequence[str], attacked: Sequence[str]) -> bool:
        """Tell whether a shift applies as far as it doesn't depend on the attackers."""
        game, now = self.game, self.game.situation
        places = [(game.board.places[label], game.weather(label)) for label in hexes]
        return (
            (shift.hexes is None or any(shift.hexes.matches(*place) for place in places))
            and (
                shift.markers is None
                or any(
                    not now.befriends(m.side) and shift.markers.matches(m)
                    for label in hexes
                    for m in game.markers_at(label)
                )
            )
            and (shift.defenders is None or any(shift.defenders.matches(game.units[enemy]) for enemy in attacked))
        )

    def _defensive(self, enemy: str) -> Iterator[StrengthFactor]:
        """Yield the factors of a defender's strength that apply as far as they don't depend on the attackers."""
        game, label = self.game, self.game.homes[enemy]
        for factor in self.rule.factors:
            here = factor.hexes is None or factor.hexes.matches(game.board.places[label], game.weather(label))
            if factor.of == "defense" and here and factor.units.matches(game.units[enemy]):
                yield factor

    def _sign(self, condition: _Condition, unit: str, label: str) -> int:
        if isinstance(condition, UnitSelector):
            return int(condition.matches(self.game.units[unit]))
        selector, about = condition
        beside = [to for to in about if self.game.board.distance(label, to) == 1]
        if not beside:
            return 0
        return 1 if all(selector.matches(self.game.board, label, to) for to in beside) else -1

    # -- how it may come out

    def _modes(
        self,
        hexes: tuple[str, ...],
        attacked: Sequence[str],
        conditions: Sequence[_Condition],
        parts: Sequence[Part],
        scale: int,
    ) -> Iterator[Mode]:
        if len(conditions) > MOST_CONDITIONS:
            raise _too_much(f"the odds of an attack must depend on at most {MOST_CONDITIONS} conditions")
        possible = []
        for index in range(len(conditions)):
            signs = {part.signs[index] for part in parts}
            possible.append([state for state in (1, 0, -1) if state in signs or state == 0])
        for states in product(*possible):
            holds = {condition for condition, state in zip(conditions, states, strict=True) if state == 1}
            fitting = [part for part in parts if Mode(0, None, None, states).takes(part)]
            most: dict[str, Fraction] = {}
            for part in fitting:
                most[part.unit] = max(most.get(part.unit, Fraction(0)), part.strength)
            everything = int(sum(most.values(), Fraction(0)) * scale)
            for column, least, highest in self._intervals(hexes, attacked, holds, scale):
                if fitting and (least is None or least <= everything) and (highest is None or highest >= 0):
                    yield Mode(column, least, highest, states)

    def _intervals(
        self, hexes: tuple[str, ...], attacked: Sequence[str], holds: set[_Condition], scale: int
    ) -> list[tuple[int, int | None, int | None]]:
        """Return the columns after shifts, each with the attackers' strengths, scaled."""
        rule, last = self.rule, len(self.rule.columns) - 1
        defense = self._defense(attacked, holds)
        shift = sum(s.columns for s in rule.shifts if self._applies(s, hexes, attacked) and self._met(s, hexes, holds))
        if rule.odds == "ratio" and defense == 0:
            return [(max(0, min(last, last + shift)), None, None)]
        needed: list[int] = []
        for entry in rule.columns:
            strength = entry.threshold * defense if rule.odds == "ratio" else entry.threshold + defense
            if rule.rounded == "total" and rule.rounding == "down":
                needed.append(ceil(strength) * scale)
            elif rule.rounded == "total" and rule.rounding == "up":
                needed.append((ceil(strength) - 1) * scale + 1)
            else:
                needed.append(ceil(strength * scale))
        found: list[tuple[int, int | None, int | None]] = []
        for index, least in enumerate(needed):
            first = None if index == 0 and rule.below == "lowest" else least
            most = needed[index + 1] - 1 if index < last else None
            column = max(0, min(last, index + shift))
            if found and found[-1][0] == column:
                found[-1] = (column, found[-1][1], most)
            else:
                found.append((column, first, most))
        return found

    def _met(self, shift: ColumnShift, hexes: tuple[str, ...], holds: set[_Condition]) -> bool:
        across = shift.hexsides is None or (shift.hexsides, hexes) in holds
        return across and (shift.attackers is None or shift.attackers in holds)

    def _defense(self, attacked: Sequence[str], holds: set[_Condition]) -> Fraction:
        total = Fraction(0)
        for enemy in attacked:
            strength = self.game.units[enemy].defense
            for factor in self._defensive(enemy):
                if factor.hexsides is None or (factor.hexsides, (self.game.homes[enemy],)) in holds:
                    strength *= factor.times
            total += self._rounded(strength) if self.rule.rounded == "each" else strength
        return self._rounded(total) if self.rule.rounded == "total" else total


def _too_much(what: str) -> InputError:
    return InputError([Problem(what, "attacks")])
