"""What the attacks after the moves may come to, on average: losses, and hexes that are emptied or can be entered.

All of it is additive: an attack's results are those of the board after the last move, as if there were no other attack.
Where somebody must retreat, it matters where everybody else stands then.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import combinations
from math import lcm
from typing import TYPE_CHECKING

from planner.objective import Linear
from planner.rules.attack_prospect import Part
from planner.rules.attack_table import AttackResult
from planner.rules.roles import Controls
from planner.solver.coupling.attacks import Attacks, Engaged
from planner.solver.cp_sat import BoolVar, Holds, Literal, cp_model
from planner.world.forces import Unit

if TYPE_CHECKING:
    from planner.solver.coupling.final_position import FinalPosition

Value = Mapping[str, Fraction]
"""What it counts that a unit is eliminated, or that it loses a step."""

Taking = dict[str, list[BoolVar]]
"""For units the literals of which one holds if it takes part in an attack."""


@dataclass(frozen=True)
class _Force:
    """Who attacks together, and makes way for each other, and which enemies their attack has left dead."""

    key: object
    dead: frozenset[str]
    parts: Taking


class Exchange:
    """Who of the attackers is lost by an exchange: the least strength that will do, then the fewest units, then the first.

    That is no constraint that could be written down beforehand: it is cut off where a solution has it otherwise.

    Parameters
    ----------
    outcome : FinalPosition
        Gets the constraints.
    here : dict from units to literals
        Who takes part.
    lost : dict from units to literals
        Who is lost.
    due : Fraction
        What they must be worth.
    made : literal
        Whether the attack is made so.

    Attributes
    ----------
    total : literal
        One of those that are cut off.
    """

    def __init__(
        self,
        outcome: FinalPosition,
        here: Mapping[str, Literal],
        lost: Mapping[str, cp_model.IntVar],
        due: Fraction,
        made: Literal,
    ) -> None:
        self._outcome, self._here, self._lost, self._due, self._made = outcome, here, lost, due, made
        self.total = next(iter(lost.values()))

    def most(self, holds: Holds) -> int:
        """Return what may be claimed: anything, see `tighten`."""
        return 1

    def tighten(self, holds: Holds, claimed: int) -> bool | None:
        """Ensure who is lost of those who take part in a solution; None if that is what it says."""
        if not holds(self._made):
            return None
        units, outcome = self._outcome.game.units, self._outcome
        there = outcome.game.sorted(unit for unit, literal in self._here.items() if holds(literal))
        some = (chosen for size in range(len(there) + 1) for chosen in combinations(there, size))
        worth = ((sum((units[unit].attack for unit in chosen), Fraction(0)), chosen) for chosen in some)
        lost = min(
            ((total, len(those), index, those) for index, (total, those) in enumerate(worth) if total >= self._due),
            default=(0, 0, 0, there),
        )[-1]
        if {unit for unit, literal in self._lost.items() if holds(literal)} == set(lost):
            return None
        otherwise = [outcome.negate(self._made)]
        otherwise += [outcome.negate(literal) if unit in there else literal for unit, literal in self._here.items()]
        for unit, literal in self._lost.items():
            outcome.add_or([*otherwise, literal if unit in lost else outcome.negate(literal)])
        return False


class AttackResults:
    """What the attacks of one model come to on average.

    Parameters
    ----------
    attacks : Attacks
        The attacks.

    Attributes
    ----------
    attacks : Attacks
        The attacks.
    """

    def __init__(self, attacks: Attacks) -> None:
        self.attacks, self._outcome = attacks, attacks.outcome
        self._game, self._rule = attacks.game, attacks.rule
        self._known: dict[object, Literal] = {}
        columns = self._rule.columns
        ways = sum(self._rule.sums)
        self._chances: list[dict[str, Fraction]] = []
        for column in columns:
            counted: Counter[str] = Counter()
            for code, throws in zip(column.results, self._rule.sums, strict=True):
                counted[code] += throws
            self._chances.append({code: Fraction(throws, ways) for code, throws in counted.items()})

    def _results(self, attack: Engaged) -> Iterator[tuple[Fraction, AttackResult]]:
        for code, chance in self._chances[attack.mode.column].items():
            yield chance, self._rule.results[code]

    def _by_target(self) -> Iterator[list[Engaged]]:
        """Yield the ways in which an attack on the same enemies may come out."""
        found: dict[object, list[Engaged]] = {}
        for attack in self.attacks.engaged:
            found.setdefault((attack.target.defenders, attack.target.gone), []).append(attack)
        yield from found.values()

    def _by_column(self) -> Iterator[list[Engaged]]:
        """Yield the ways in which an attack on the same enemies comes to the same column."""
        for attacks in self._by_target():
            yield from _in_columns(attacks)

    def _scaled(self, value: Fraction) -> int:
        scaled = value * self._outcome.mp_scale
        assert scaled.denominator == 1, "the model's scale must fit the chances of attacks"
        return int(scaled)

    def column_of(self, odds: str) -> int:
        """The index of a column of the table, by its name."""
        return [column.text for column in self._rule.columns].index(odds)

    def attacked(self, enemies: Collection[str], least: int) -> Literal:
        """One of some enemies is attacked in a column, or in one after it."""
        good = (attack for attack in self.attacks.engaged if attack.mode.column >= least)
        return self._outcome.any_of(a.made for a in good if not set(enemies).isdisjoint(a.target.defenders))

    def below(self, least: int) -> Linear:
        """How many attacks are made in columns before one."""
        weak = (attack for attack in self.attacks.engaged if attack.mode.column < least)
        return Linear(tuple((1, attack.made) for attack in weak))

    # -- enemies

    def enemy_losses(self, each: Value, per_step: Value) -> Linear:
        """Return what the enemies lose on average, scaled: what units are worth, and steps of those that are left."""
        terms: list[tuple[int, Literal]] = []
        for alike in self._by_column():
            self._outcome.tick()
            sure, perhaps = Fraction(0), dict[tuple[str, int, int], Fraction]()
            for chance, result in self._results(alike[0]):
                for enemy, lost, left in self._harm(alike[0].target.defenders, result):
                    sure += chance * (lost * per_step[enemy] + (0 if left else each[enemy]))
                    if left and result.defenders.retreat:
                        key = enemy, left, result.defenders.retreat
                        perhaps[key] = perhaps.get(key, Fraction(0)) + chance
            made = self._outcome.any_of(attack.made for attack in alike)
            if sure:
                terms.append((self._scaled(sure), made))
            for (enemy, left, far), chance in perhaps.items():
                for units, steps, literal in self._not_far_enough(enemy, left, far, alike[0].target.defenders):
                    worth = units * each[enemy] + steps * per_step[enemy]
                    terms.append((self._scaled(chance * worth), self._both(made, literal)))
        return Linear(tuple((weight, literal) for weight, literal in terms if weight))

    def _harm(self, enemies: Iterable[str], result: AttackResult) -> Iterator[tuple[str, int, int]]:
        """Yield who loses how many steps, and how many are left, before anybody retreats."""
        units = [self._game.units[enemy] for enemy in enemies]
        strongest = self._rule.losses_first == "strongest"
        steps = result.defenders.steps
        for unit in sorted(units, key=lambda u: (-u.defense if strongest else u.defense, self._game.order[u.id])):
            has = self._steps(unit.id)
            lost = has if result.defenders.eliminated else min(steps, has)
            steps -= lost if not result.defenders.eliminated else 0
            yield unit.id, lost, has - lost

    def _steps(self, unit: str) -> int:
        """Return how many steps a unit has left."""
        begun = self._game.begun
        return self._game.units[unit].steps - (begun.position.lost_steps.get(unit, 0) if begun else 0)

    def _not_far_enough(
        self, enemy: str, left: int, far: int, force: tuple[str, ...]
    ) -> Iterator[tuple[int, int, Literal]]:
        """Yield how many units and steps more it loses if it can't retreat all the way, with when that is so."""
        cannot, outcome = self._rule.retreats.cannot, self._outcome
        if cannot == "eliminated":
            yield 1, left, outcome.negate(self._enemy_reaches(enemy, far, force))
        elif cannot == "loses_steps":
            for missing in range(1, min(left, far) + 1):
                short = outcome.negate(self._enemy_reaches(enemy, far - missing + 1, force))
                yield int(missing == left), 1, short

    def _both(self, one: Literal, other: Literal) -> Literal:
        """Both literals hold."""
        if one is False or other is False:
            return False
        if one is True or other is True:
            return other if one is True else one
        key = (one.index, other.index)
        if key not in self._known:
            self._known[key] = self._outcome.all_of([one, other])
        return self._known[key]

    def emptied(self, label: str) -> Linear:
        """Return the probability that an attack leaves no enemy in a hex, scaled."""
        terms: list[tuple[int, Literal]] = []
        here = set(self._game.enemies_at(label))
        for alike in self._by_column():
            target = alike[0].target
            if label not in target.hexes or not here <= {*target.defenders, *target.gone}:
                continue
            made = self._outcome.any_of(attack.made for attack in alike)
            for chance, result in self._results(alike[0]):
                leaves = [
                    self._leaves(enemy, left, result.defenders.retreat, target.defenders)
                    for enemy, _, left in self._harm(target.defenders, result)
                    if enemy in here
                ]
                terms.append((self._scaled(chance), self._outcome.all_of([made, *leaves])))
        return Linear(tuple((weight, literal) for weight, literal in terms if literal is not False))

    def _leaves(self, enemy: str, left: int, far: int, force: tuple[str, ...]) -> Literal:
        """The enemy is no longer in its hex: eliminated, or gone back."""
        cannot, outcome = self._rule.retreats.cannot, self._outcome
        if not left or (far and cannot == "eliminated"):
            return True
        if not far:
            return False
        if cannot == "stays":
            return self._enemy_reaches(enemy, far, force)
        gone = self._enemy_reaches(enemy, 1, force)
        if left > far:
            return gone
        return outcome.any_of([gone, outcome.negate(self._enemy_reaches(enemy, far - left + 1, force))])

    # -- how far units can retreat

    def _enemy_reaches(self, enemy: str, far: int, force: tuple[str, ...]) -> Literal:
        """An enemy can go back so many hexes, each farther from where it stands, if those of its force make way."""
        closed = partial(self._closed_to_enemy, force)
        return self._reaches(self._game.homes[enemy], far, self._game.units[enemy], ("enemy", force, closed))

    def _own_reaches(self, unit: str, origin: str, far: int, attack: _Force) -> Literal:
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
                    if board.distance(origin, to) == step and self._can_enter(unit, label, to):
                        after.setdefault(to, []).append(literal)
            ring = {}
            for to, ways in sorted(after.items()):
                barred = self._remember((side, to, force), partial(closed, to))
                if barred is not True:
                    free = self._outcome.negate(barred)
                    make = partial(self._by_way_of, free, ways)
                    ring[to] = self._remember((side, unit.id, origin, to, force), make)
        return self._outcome.any_of(ring.values())

    def _by_way_of(self, free: Literal, ways: list[Literal]) -> Literal:
        return self._outcome.all_of([free, self._outcome.any_of(ways)])

    def _remember(self, key: object, make: Callable[[], Literal]) -> Literal:
        if key not in self._known:
            self._known[key] = make()
        return self._known[key]

    def _can_enter(self, unit: Unit, origin: str, to: str) -> bool:
        """Tell whether terrain lets a unit go from one hex into another."""
        game = self._game
        features, chart = game.board.hexside(origin, to), game.rulebook.terrain
        if any(route.feature in features for route in chart.routes):
            return True
        where = game.board.hexes[to], features, unit, game.situation.phase, (), game.weather(to)
        return chart.entry_cost(*where) is not None

    def _closed_to_enemy(self, force: tuple[str, ...], label: str) -> Literal:
        """A unit of ours stands in a hex, or keeps an enemy out of it by its ZOC, or friends are in the way."""
        game, outcome, retreats = self._game, self._outcome, self._rule.retreats
        units = [unit for unit in game.order if unit in game.phasing]
        friends = [outcome.negate(outcome.gone(e)) for e in game.enemies_at(label) if e not in force]
        closed = [self._remember(("own in", label), lambda: outcome.any_of(outcome.ends(u, label) for u in units))]
        if retreats.into_ezoc != "always":
            zone = self._remember(("own ZOC", label), lambda: self._own_zoc(label, units))
            saved = outcome.any_of(friends) if retreats.into_ezoc == "to_friends" else False
            closed.append(outcome.all_of([zone, outcome.negate(saved)]))
        return outcome.any_of([*closed, self._more_than(friends, retreats.most_friends)])

    def _more_than(self, literals: list[Literal], most: int) -> Literal:
        return self._outcome.at_least(Linear(tuple((1, literal) for literal in literals)), most + 1)

    def _own_zoc(self, label: str, units: Iterable[str]) -> Literal:
        """A ZOC of ours reaches a hex."""
        game, found = self._game, list[Literal]()
        for rule in game.rulebook.of(Controls):
            sides = [s for s in game.board.neighbours[label] if not rule.blocked_by.matches(game.board, s, label)]
            exerting = (unit for unit in units if rule.exerted_by.matches(game.units[unit]))
            found += [self.attacks.near(unit, frozenset(sides)) for unit in exerting]
        return self._outcome.any_of(dict.fromkeys(found))

    def _closed_to_own(self, attack: _Force, label: str) -> Literal:
        """An enemy stands in a hex, or keeps our units out of it by its ZOC, or friends are in the way."""
        game, outcome, retreats = self._game, self._outcome, self._rule.retreats
        closed = [outcome.negate(outcome.gone(e)) for e in game.enemies_at(label) if e not in attack.dead]
        friends = []
        for unit in (u for u in game.order if u in game.phasing):
            there = outcome.ends(unit, label)
            if there is not False:
                makes_way = outcome.any_of(attack.parts.get(unit, ()))
                friends.append(outcome.all_of([there, outcome.negate(makes_way)]))
        if retreats.into_ezoc != "always":
            enemies = [enemy for enemy in self.attacks.prospect.controllers(label) if enemy not in attack.dead]
            held = outcome.any_of([outcome.negate(outcome.gone(enemy)) for enemy in enemies])
            saved = outcome.any_of(friends) if retreats.into_ezoc == "to_friends" else False
            closed.append(outcome.all_of([held, outcome.negate(saved)]))
        return outcome.any_of([*closed, self._more_than(friends, retreats.most_friends)])

    # -- our own

    def own_losses(self, each: Value, per_step: Value) -> Linear:
        """Return what our own units lose on average, scaled; as `enemy_losses`."""
        terms: list[tuple[int, Literal]] = []
        for attacks in self._by_target():
            self._outcome.tick()
            retreats: dict[tuple[int, frozenset[str]], list[tuple[Fraction, Engaged]]] = {}
            for alike in _in_columns(attacks):
                for chance, result in self._results(alike[0]):
                    taking = _taking(alike, lambda part: not part.safe)
                    beside = _taking(alike, lambda part: not part.safe and bool(part.beside))
                    harm = list(self._harm(alike[0].target.defenders, result))
                    dead = frozenset(enemy for enemy, _, left in harm if not left)
                    if result.attackers.eliminated:
                        terms += self._all_lost(taking, chance, each, per_step)
                    elif result.attackers.steps:
                        terms += self._step_by_step(taking, result.attackers.steps, chance, each, per_step)
                    elif result.exchange == "steps":
                        steps = sum(lost for _, lost, _ in harm)
                        terms += self._step_by_step(beside, steps, chance, each, per_step)
                    elif result.exchange == "strength":
                        due = sum((self._game.units[enemy].defense for enemy in dead), Fraction(0))
                        terms += self._exchanged(beside, alike, due, chance, each, per_step)
                    if result.attackers.retreat and not result.attackers.eliminated:
                        retreats.setdefault((result.attackers.retreat, dead), []).extend((chance, a) for a in alike)
            for (far, dead), some in retreats.items():
                terms += self._cut_off(attacks, far, dead, some, each, per_step)
        return Linear(tuple((weight, literal) for weight, literal in terms if weight and literal is not False))

    def _all_lost(
        self, taking: Taking, chance: Fraction, each: Value, per_step: Value
    ) -> Iterator[tuple[int, Literal]]:
        for unit, literals in taking.items():
            worth = self._scaled(chance * (each[unit] + self._steps(unit) * per_step[unit]))
            yield from ((worth, literal) for literal in literals)

    def _step_by_step(
        self, taking: Taking, due: int, chance: Fraction, each: Value, per_step: Value
    ) -> Iterator[tuple[int, Literal]]:
        """Yield what attackers lose on average by so many steps, one unit after another."""
        outcome, before = self._outcome, list[tuple[int, Literal]]()
        sign = -1 if self._rule.losses_first == "strongest" else 1
        for unit in sorted(taking, key=lambda u: (sign * self._game.units[u].attack, self._game.order[u])):
            steps, here = self._steps(unit), outcome.any_of(taking[unit])
            for lost in range(1, min(steps, due) + 1):
                spared = outcome.at_least(Linear(tuple(before)), due - lost + 1)
                worth = per_step[unit] + (each[unit] if lost == steps else 0)
                yield self._scaled(chance * worth), outcome.all_of([here, outcome.negate(spared)])
            before.append((steps, here))

    def _exchanged(
        self, taking: Taking, alike: list[Engaged], due: Fraction, chance: Fraction, each: Value, per_step: Value
    ) -> list[tuple[int, Literal]]:
        """Return what attackers lose on average by an exchange: units worth as little as will do."""
        outcome, model, units = self._outcome, self._outcome.model, self._game.units
        if not due or not taking:
            return []
        every = outcome.new_literal("all are lost")
        made = outcome.any_of(attack.made for attack in alike)
        scale = lcm(due.denominator, *(units[unit].attack.denominator for unit in taking))
        total, terms, lost = list[cp_model.LinearExpr](), list[tuple[int, Literal]](), dict[str, cp_model.IntVar]()
        for unit, takes in taking.items():
            gone = lost[unit] = outcome.new_literal(f"{unit} is exchanged")
            model.add(gone <= sum(takes))
            model.add(gone >= sum(takes) - (1 - every))
            total.append(int(min(units[unit].attack, due) * scale) * gone)  # more of one unit than is due is of no use
            terms.append((self._scaled(chance * (each[unit] + self._steps(unit) * per_step[unit])), gone))
        model.add(sum(total) >= int(due * scale) * made - int(due * scale) * every)
        if any(each[u] or self._steps(u) * per_step[u] != units[u].attack for u in taking):
            # Where less strength may count for more, it isn't left to the objective who is lost.
            here = {unit: outcome.any_of(takes) for unit, takes in taking.items()}
            outcome.unions.append(Exchange(outcome, here, lost, due, made))
        return terms

    def _cut_off(
        self,
        attacks: list[Engaged],
        far: int,
        dead: frozenset[str],
        some: list[tuple[Fraction, Engaged]],
        each: Value,
        per_step: Value,
    ) -> Iterator[tuple[int, Literal]]:
        """Yield what units lose on average by retreats that they can't make, as results leave some enemies dead."""
        target = attacks[0].target
        force = _Force((target.defenders, target.gone, dead), dead, _taking(attacks, lambda part: not part.safe))
        places: dict[str, set[str]] = {}
        for part in (part for part in target.parts if not part.safe):
            places.setdefault(part.unit, set()).update(part.hexes)
        for unit, labels in places.items():
            steps = self._steps(unit)
            if self._rule.retreats.cannot == "stays":
                continue
            whole = self._rule.retreats.cannot == "eliminated"
            for missing in range(1, 2 if whole else min(steps, far) + 1):
                lost = steps if whole else 1
                worth = lost * per_step[unit] + (each[unit] if whole or missing == steps else 0)
                weighted: list[tuple[int, BoolVar]] = [
                    (self._scaled(chance * worth), taken)
                    for chance, attack in some
                    for part, taken in attack.parts
                    if part.unit == unit and not part.safe
                ]
                yield from self._if_stuck(unit, labels, far - missing + 1, force, weighted)

    def _if_stuck(
        self, unit: str, labels: Iterable[str], far: int, force: _Force, weighted: list[tuple[int, BoolVar]]
    ) -> list[tuple[int, Literal]]:
        """Return a sum of which a unit loses nothing if it can go back so far from where it ends."""
        outcome, model = self._outcome, self._outcome.model
        stuck = []
        for label in sorted(labels):
            free = self._own_reaches(unit, label, far, force)
            if free is not True:
                stuck.append(outcome.all_of([outcome.ends(unit, label), outcome.negate(free)]))
        cut_off = outcome.any_of(stuck)
        if isinstance(cut_off, bool):
            return list(weighted) if cut_off else []
        summed: dict[int, int] = {}
        for weight, literal in weighted:
            summed[literal.index] = summed.get(literal.index, 0) + weight
        most = max(summed.values(), default=0)
        if not most:
            return []
        loss = model.new_int_var(0, most, f"{unit} cut off")
        expected = sum(weight * literal for weight, literal in weighted)
        model.add(loss <= expected)
        model.add(loss <= most * cut_off)
        model.add(loss >= expected - most * (1 - cut_off))
        return [(1, loss)]


def _in_columns(attacks: Iterable[Engaged]) -> Iterator[list[Engaged]]:
    """Yield the ways in which an attack comes to the same column."""
    found: dict[int, list[Engaged]] = {}
    for attack in attacks:
        found.setdefault(attack.mode.column, []).append(attack)
    yield from found.values()


def _taking(attacks: Iterable[Engaged], fits: Callable[[Part], bool]) -> Taking:
    """Return, for each unit, the literals of which one holds if it takes part in one of some attacks as some part."""
    found: Taking = {}
    for attack in attacks:
        for part, taken in attack.parts:
            if fits(part):
                found.setdefault(part.unit, []).append(taken)
    return found
