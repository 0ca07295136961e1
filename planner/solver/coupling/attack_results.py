"""What the attacks after the moves may come to, on average: losses, and hexes that are emptied or can be entered.

All of it is additive: an attack's results are those of the board after the last move, as if there were no other attack.
Where somebody must retreat, it matters where everybody else stands then.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations

from planner.objective import Linear
from planner.rules.attack_prospect import Part, Target
from planner.rules.attack_table import AttackResult
from planner.solver.coupling.attacks import AttackVariables, Engaged
from planner.solver.coupling.exchange import Exchange, exchanged, may_lose_all
from planner.solver.coupling.retreats import Force, RetreatDistances, Taking
from planner.solver.cp_sat import Literal
from planner.world.declared_attack import DeclaredAttack

Value = Mapping[str, Fraction]
"""What it counts that a unit is eliminated, or that it loses a step."""


@dataclass
class _Suffering:
    """What an attack and its result do to those who take part, before anybody retreats.

    Attributes
    ----------
    dead : frozenset of str
        The enemies that are eliminated.
    taking : dict from units to literals
        Who takes part, and isn't safe.
    lost : dict from units to sequences of literals
        For each step that it may lose, one of these holds if it loses so many, or more.
    exchange : Exchange or None
        What decides it, if it is an exchange of strength.
    """

    dead: frozenset[str]
    taking: Taking
    lost: dict[str, list[Sequence[Literal]]] = field(default_factory=dict)
    exchange: Exchange | None = None


class AttackResultSums:
    """What the attacks of one model come to on average.

    Parameters
    ----------
    attacks : AttackVariables
        The attacks.

    Attributes
    ----------
    attacks : AttackVariables
        The attacks.
    """

    def __init__(self, attacks: AttackVariables) -> None:
        self.attacks, self._outcome = attacks, attacks.outcome
        self._game, self._rule = attacks.game, attacks.rule
        self._retreats = RetreatDistances(attacks)
        self._suffered: dict[object, _Suffering] = {}
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

    def joined(self, attack: DeclaredAttack, least: int) -> Literal:
        """An attack is made, by others too perhaps, in a column or in one after it."""
        return self.attacks.joined(attack, least)

    def below(self, least: int) -> Linear:
        """How many attacks are made in columns before one."""
        weak = (attack for attack in self.attacks.engaged if attack.mode.column < least)
        return Linear(tuple((1, attack.made) for attack in weak))

    # -- enemies

    def enemy_losses(self, each: Value, per_step: Value) -> Linear:
        """Return what the enemies lose on average, scaled: what units are worth, and steps of those that are left."""
        terms: list[tuple[int, Literal]] = []
        for attacks in self._by_target():
            self._outcome.tick()
            cut_off: dict[Literal, dict[int, Literal]] = {}
            for alike in _in_columns(attacks):
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
                        terms.append((self._scaled(chance * worth), both := self._retreats.all_of([made, literal])))
                        if not isinstance(literal, bool) and not isinstance(both, bool):
                            # Whoever stands beside it, and another result, may ask for the very same.
                            cut_off.setdefault(literal, {})[both.index] = both
            for literal, columns in cut_off.items():
                # Follows from one column at most, but the relaxation doesn't see it.
                self._outcome.model.add_at_most_one([*columns.values(), self._outcome.negate(literal)])
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
            yield 1, left, outcome.negate(self._retreats.enemy_reaches(enemy, far, force))
        elif cannot == "loses_steps":
            for missing in range(1, min(left, far) + 1):
                short = outcome.negate(self._retreats.enemy_reaches(enemy, far - missing + 1, force))
                yield int(missing == left), 1, short

    def emptied(self, label: str) -> Linear:
        """Return the probability that an attack leaves no enemy in a hex, scaled."""
        terms: list[tuple[int, Literal]] = []
        for alike in self._by_column():
            target = alike[0].target
            if label in target.hexes and self._cleared(target, label):
                made = self._outcome.any_of(attack.made for attack in alike)
                for chance, result in self._results(alike[0]):
                    left = self._emptied_by(target, label, result)
                    terms.append((self._scaled(chance), self._outcome.all_of([made, left])))
        return _merged(terms)

    def _cleared(self, target: Target, label: str) -> bool:
        """Tell whether all enemies in a hex are attacked, or must be gone by then."""
        return {*self._game.enemies_at(label)} <= {*target.defenders, *target.gone}

    def _emptied_by(self, target: Target, label: str, result: AttackResult) -> Literal:
        """A result leaves no enemy in a hex of which all are attacked."""
        here, far = {*self._game.enemies_at(label)}, result.defenders.retreat
        harm = self._harm(target.defenders, result)
        return self._outcome.all_of(
            [self._leaves(enemy, left, far, target.defenders) for enemy, _, left in harm if enemy in here]
        )

    def _leaves(self, enemy: str, left: int, far: int, force: tuple[str, ...]) -> Literal:
        """The enemy is no longer in its hex: eliminated, or gone back."""
        cannot, outcome = self._rule.retreats.cannot, self._outcome
        if not left or (far and cannot == "eliminated"):
            return True
        if not far:
            return False
        if cannot == "stays":
            return self._retreats.enemy_reaches(enemy, far, force)
        gone = self._retreats.enemy_reaches(enemy, 1, force)
        if left > far:
            return gone
        return outcome.any_of([gone, outcome.negate(self._retreats.enemy_reaches(enemy, far - left + 1, force))])

    # -- our own

    def own_losses(self, each: Value, per_step: Value) -> Linear:
        """Return what our own units lose on average, scaled; as `enemy_losses`."""
        terms: list[tuple[int, Literal]] = []
        for attacks in self._by_target():
            self._outcome.tick()
            retreats: dict[tuple[int, frozenset[str]], list[tuple[Fraction, _Suffering]]] = {}
            for chance, result, alike in self._results_alike(attacks):
                suffering = self._suffering(alike, result)
                if suffering.exchange and any(
                    each[u] + self._steps(u) * per_step[u] != self._game.units[u].attack for u in suffering.taking
                ):
                    # Where less strength may count for more, it isn't left to the objective who is lost.
                    suffering.exchange.settle()
                for unit, lost in suffering.lost.items():
                    for number, literals in enumerate(lost, 1):
                        worth = per_step[unit] + (each[unit] if number == self._steps(unit) else 0)
                        terms += ((self._scaled(chance * worth), literal) for literal in literals)
                if result.attackers.retreat and not result.attackers.eliminated:
                    retreats.setdefault((result.attackers.retreat, suffering.dead), []).append((chance, suffering))
            for (far, dead), some in retreats.items():
                terms += self._cut_off(self._force(attacks, dead), far, some, each, per_step)
        return _merged(terms)

    def _results_alike(self, attacks: list[Engaged]) -> Iterator[tuple[Fraction, AttackResult, list[Engaged]]]:
        """Yield results with how likely they are in some columns: an exchange that is as likely in several of them once."""
        alike: dict[tuple[Fraction, AttackResult, int | None], list[Engaged]] = {}
        for attack in attacks:
            chances: dict[AttackResult, Fraction] = {}  # results of several codes may mean the same
            for chance, result in self._results(attack):
                chances[result] = chances.get(result, Fraction(0)) + chance
            for result, chance in chances.items():
                apart = result.exchange != "strength" or may_lose_all(self._game, attack, self._due(attack, result))
                alike.setdefault((chance, result, attack.mode.column if apart else None), []).append(attack)
        for (chance, result, _), those in alike.items():
            yield chance, result, those

    def _due(self, attack: Engaged, result: AttackResult) -> Fraction:
        """Return what attackers must be worth who are lost by an exchange of strength."""
        harm = self._harm(attack.target.defenders, result)
        return sum((self._game.units[enemy].defense for enemy, _, left in harm if not left), Fraction(0))

    def _force(self, attacks: list[Engaged], dead: frozenset[str]) -> Force:
        """Return who attacks some enemies, in whatever column."""
        target = attacks[0].target
        hexes: dict[str, set[str]] = {}
        for part in (part for part in target.parts if not part.safe):
            hexes.setdefault(part.unit, set()).update(part.hexes)
        return Force((target.defenders, target.gone, dead), dead, _taking(attacks), hexes)

    def _suffering(self, alike: list[Engaged], result: AttackResult) -> _Suffering:
        """Return what an attack in a column, and a result, do to those who take part, before anybody retreats."""
        target, harm = alike[0].target, result.attackers
        key = target.defenders, target.gone, tuple(attack.made.index for attack in alike), result
        if key not in self._suffered:
            taking, beside = _taking(alike), _taking(alike, lambda part: bool(part.beside))
            their_harm = list(self._harm(target.defenders, result))
            dead = frozenset(enemy for enemy, _, left in their_harm if not left)
            found = self._suffered[key] = _Suffering(dead, taking)
            if harm.eliminated:
                found.lost = {unit: [literals] * self._steps(unit) for unit, literals in taking.items()}
            elif harm.steps or result.exchange == "steps":
                due = harm.steps or sum(lost for _, lost, _ in their_harm)
                found.lost = self._step_by_step(taking if harm.steps else beside, due)
            elif result.exchange == "strength":
                found.exchange = exchanged(self._outcome, beside, alike, self._due(alike[0], result))
                lost = found.exchange.lost if found.exchange else {}
                found.lost = {unit: [[gone]] * self._steps(unit) for unit, gone in lost.items()}
        return self._suffered[key]

    def _step_by_step(self, taking: Taking, due: int) -> dict[str, list[Sequence[Literal]]]:
        """Return who loses which steps if so many are lost, one unit after another."""
        outcome, before, found = self._outcome, list[tuple[int, Literal]](), dict[str, list[Sequence[Literal]]]()
        sign = -1 if self._rule.losses_first == "strongest" else 1
        for unit in sorted(taking, key=lambda u: (sign * self._game.units[u].attack, self._game.order[u])):
            steps, here = self._steps(unit), outcome.any_of(taking[unit])
            for lost in range(1, min(steps, due) + 1):
                spared = outcome.at_least(Linear(tuple(before)), due - lost + 1)
                found.setdefault(unit, []).append([outcome.all_of([here, outcome.negate(spared)])])
            before.append((steps, here))
        return found

    def _left(self, suffering: _Suffering, unit: str, steps: int) -> Iterator[tuple[int, Literal]]:
        """Yield what adds up to 1 if a unit takes part and keeps so many steps before it retreats, and otherwise to 0."""
        lost = suffering.lost.get(unit, [])
        yield from ((1, literal) for literal in suffering.taking.get(unit, ()))
        if 0 <= (first := self._steps(unit) - steps) < len(lost):
            yield from ((-1, literal) for literal in lost[first])
        elif first < 0:
            yield from ((-1, literal) for literal in suffering.taking.get(unit, ()))

    def _cut_off(
        self, force: Force, far: int, some: list[tuple[Fraction, _Suffering]], each: Value, per_step: Value
    ) -> Iterator[tuple[int, Literal]]:
        """Yield what units lose on average by retreats that they can't make, as results leave some enemies dead."""
        cannot = self._rule.retreats.cannot
        for unit in force.parts if cannot != "stays" else ():
            steps = self._steps(unit)
            for missing in range(1, 2 if cannot == "eliminated" else min(steps, far) + 1):
                # Who is eliminated loses every step that is left, and otherwise one for each hex that is missing.
                worth = [(per_step[unit], step) for step in range(1, steps + 1)] + [(each[unit], 1)]
                if cannot != "eliminated":
                    worth = [(per_step[unit] + each[unit], missing), (-each[unit], missing + 1)]
                weighted = [
                    (self._scaled(chance * value) * sign, literal)
                    for chance, suffering in some
                    for value, left in worth
                    for sign, literal in self._left(suffering, unit, left)
                ]
                yield from self._if_stuck(unit, far - missing + 1, force, _merged(weighted))

    def _if_stuck(self, unit: str, far: int, force: Force, weighted: Linear) -> Sequence[tuple[int, Literal]]:
        """Return a sum of which a unit loses nothing if it can go back so far from where it ends."""
        outcome, model = self._outcome, self._outcome.model
        stuck = []
        for label in sorted(force.hexes.get(unit, ())):
            free = self._retreats.own_reaches(unit, label, far, force)
            if free is not True:
                stuck.append(self._retreats.all_of([outcome.ends(unit, label), outcome.negate(free)]))
        cut_off = self._retreats.any_of(stuck)
        if isinstance(cut_off, bool):
            return weighted.terms if cut_off else ()
        most = max((weight for weight, _ in weighted.terms), default=0)
        if most <= 0:
            return ()
        loss = model.new_int_var(0, most, f"{unit} cut off")
        expected = outcome.expression(weighted)
        model.add(loss <= expected)
        model.add(loss <= most * cut_off)
        model.add(loss >= expected - most * (1 - cut_off))
        return [(1, loss)]

    # -- hexes that are taken, and results

    def taken(self, hexes: Collection[str]) -> Linear:
        """Return how many of some hexes attackers may enter on average, scaled: each of them one at most."""
        terms: list[tuple[int, Literal]] = []
        for attacks in self._by_target() if self._rule.advances is not None else ():
            target = attacks[0].target
            wanted = [label for label in target.hexes if label in hexes and self._cleared(target, label)]
            for alike in _in_columns(attacks) if wanted else ():
                self._outcome.tick()
                made = self._outcome.any_of(attack.made for attack in alike)
                for chance, result in self._results(alike[0]):
                    for all_ in self._entered(attacks, alike, result, wanted):
                        terms.append((self._scaled(chance), self._outcome.all_of([made, *all_])))
        return _merged(terms)

    def _entered(
        self, attacks: list[Engaged], alike: list[Engaged], result: AttackResult, wanted: list[str]
    ) -> Iterator[list[Literal]]:
        """Yield what must hold so that one of some hexes can be entered after a result, then so that two can, and so on.

        As many can be as there are, less those of some of them that are more than the units that could enter any of those.
        """
        outcome = self._outcome
        ways: dict[str, dict[str, Literal]] = {}
        for label in wanted:
            emptied = self._emptied_by(alike[0].target, label, result)
            if emptied is not False:
                for unit, stays in self._entering(attacks, alike, result, label):
                    ways.setdefault(unit, {})[label] = outcome.all_of([emptied, stays])
        for many in range(1, len(wanted) + 1):
            demands: list[Literal] = []
            for size in range(len(wanted) - many + 1, len(wanted) + 1):
                for some in combinations(wanted, size):
                    able = [outcome.any_of(to[one] for one in some if one in to) for to in ways.values()]
                    able = [literal for literal in able if literal is not False]
                    need = many - len(wanted) + size
                    demands.append(
                        outcome.any_of(able)
                        if need == 1
                        else outcome.at_least(Linear(tuple((1, literal) for literal in able)), need)
                    )
            if any(demand is False for demand in demands):
                return
            yield demands

    def _entering(
        self, attacks: list[Engaged], alike: list[Engaged], result: AttackResult, label: str
    ) -> Iterator[tuple[str, Literal]]:
        """Yield who takes part beside a hex and could enter it, and when such a unit is neither eliminated nor goes back."""
        outcome, advances, cannot = self._outcome, self._rule.advances, self._rule.retreats.cannot
        suffering, far = self._suffering(alike, result), result.attackers.retreat
        assert advances is not None
        if suffering.exchange is not None:
            suffering.exchange.settle()
        force = self._force(attacks, suffering.dead) if far else None
        found: dict[str, list[Literal]] = {}
        for part, taken in (pair for attack in alike for pair in attack.parts if label in pair[0].beside):
            unit = self._game.units[part.unit]
            origins = [at for at in sorted(part.hexes) if self._retreats.can_enter(unit, at, label)]
            if not advances.units.matches(unit) or not origins or (far and cannot == "eliminated"):
                continue
            if force is None:
                near = self.attacks.near(part.unit, frozenset(origins))
                found.setdefault(part.unit, []).append(outcome.all_of([taken, near]))
                continue
            least = far if cannot == "stays" else 1  # who loses steps goes as far as it can
            for at in origins:
                free = outcome.negate(self._retreats.own_reaches(part.unit, at, least, force))
                found.setdefault(part.unit, []).append(outcome.all_of([taken, outcome.ends(part.unit, at), free]))
        for name, ways in found.items():
            left = far + 1 if far and cannot == "loses_steps" else 1
            lost, first = suffering.lost.get(name, []), self._steps(name) - left
            out = lost[first] if 0 <= first < len(lost) else [first < 0]
            yield name, outcome.all_of([outcome.any_of(ways), outcome.negate(outcome.any_of(out))])

    def resulting(self, target: str, codes: Collection[str]) -> Linear:
        """Return the probability that an attack on an enemy, or on all in a hex, gives one of some results, scaled."""
        whole, terms = target not in self._game.units, list[tuple[int, Literal]]()
        there = self.attacks.prospect.defenders.get(target, ())
        for attack in self.attacks.engaged:
            aim = attack.target
            on_it = (
                target in aim.hexes and {*there} <= {*aim.defenders, *aim.gone} if whole else target in aim.defenders
            )
            if on_it:
                chances = self._chances[attack.mode.column]
                terms.append(
                    (self._scaled(sum((chances.get(one, Fraction(0)) for one in codes), Fraction(0))), attack.made)
                )
        return _merged(terms)


def _in_columns(attacks: Iterable[Engaged]) -> Iterator[list[Engaged]]:
    """Yield the ways in which an attack comes to the same column."""
    found: dict[int, list[Engaged]] = {}
    for attack in attacks:
        found.setdefault(attack.mode.column, []).append(attack)
    yield from found.values()


def _taking(attacks: Iterable[Engaged], fits: Callable[[Part], bool] = lambda part: True) -> Taking:
    """Return who may take part in some attacks as some part and isn't safe: literals of which one holds if a unit does."""
    found: Taking = {}
    for attack in attacks:
        for part, taken in attack.parts:
            if not part.safe and fits(part):
                found.setdefault(part.unit, []).append(taken)
    return found


def _merged(terms: Iterable[tuple[int, Literal]]) -> Linear:
    """Return a sum in which each literal comes once."""
    found: dict[object, tuple[int, Literal]] = {}
    for weight, literal in terms:
        if literal is not False:
            key = literal if literal is True else literal.index
            found[key] = found.get(key, (0, literal))[0] + weight, literal
    return Linear(tuple((weight, literal) for weight, literal in found.values() if weight))
