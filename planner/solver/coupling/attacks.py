"""The attacks after the moves: who attacks whom, in which column, and who must.

Each way in which an attack may come out before the dice are rolled, its *mode*, has a literal, and each unit that may take
part in it then has one more. So a threshold of the odds is a sum of its own units' strengths and nothing else, and the
linear relaxation is close: with one set of units for all columns of an attack it is several times farther from the truth.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING

from planner.referee.plan_facts import whom
from planner.rules.attack_prospect import AttackProspect, Mode, Part, Target
from planner.rules.attack_table import AttackRule
from planner.solver.coupling.combinations import smallest
from planner.solver.cp_sat import BoolVar, Holds, Literal
from planner.solver.tuning import Combinations
from planner.world.declared_attack import DeclaredAttack

if TYPE_CHECKING:
    from planner.solver.coupling.final_position import FinalPosition


@dataclass(frozen=True)
class Engaged:
    """A way in which an attack may come out.

    Attributes
    ----------
    target : Target
        Whom it is against.
    mode : Mode
        How it comes out.
    made : literal
        It is declared, and comes out like this.
    parts : tuple of (Part, literal)
        Who takes part then.
    """

    target: Target
    mode: Mode
    made: BoolVar
    parts: tuple[tuple[Part, BoolVar], ...]


class AttackVariables:
    """The attacks of one model.

    Parameters
    ----------
    outcome : FinalPosition
        Where the units end, and who is gone; gets the constraints.
    rule : AttackRule
        The rule in force.
    """

    FAMILIES = (
        "attack_places", "attack_odds", "attack_once", "attack_companions", "attackers_together", "must_attack",
        "must_be_attacked", "attacks_declared",
    )  # fmt: skip
    """Families of constraints that `without` may name."""

    def __init__(self, outcome: FinalPosition, rule: AttackRule) -> None:
        game = outcome.game
        self.outcome, self.rule, self.game = outcome, rule, game
        self._units = [unit for unit in game.order if unit in game.friends and not game.units[unit].allied]
        places = {unit: [at for at in outcome.possible_ends(unit) if at in game.board.hexes] for unit in self._units}
        enemies = [unit for unit in game.homes if game.is_enemy(unit)]
        mortal = [enemy for enemy in enemies if outcome.gone(enemy) is not False]
        self.prospect = AttackProspect(game, rule, places, mortal, outcome.tick)
        self.engaged: list[Engaged] = []
        self._near: dict[tuple[str, frozenset[str]], Literal] = {}
        for target in self.prospect.targets():
            outcome.tick()
            self._add(target)
        self._once_each()
        if self.prospect.declared is not None:
            if outcome.ensures("attacks_declared"):
                self.settle(self.prospect.declared, closed=True)
            return
        if rule.attackers_together and outcome.ensures("attackers_together"):
            self._together()
        if rule.must_attack is not None and outcome.ensures("must_attack"):
            self._who_must_attack()
        if rule.must_be_attacked is not None and outcome.ensures("must_be_attacked"):
            self._who_must_be_attacked()

    # -- what an attack takes

    def near(self, unit: str, hexes: frozenset[str]) -> Literal:
        """The unit ends in one of some hexes."""
        if (unit, hexes) not in self._near:
            self._near[unit, hexes] = self.outcome.ends_among(unit, hexes)
        return self._near[unit, hexes]

    def _add(self, target: Target) -> None:
        outcome, model = self.outcome, self.outcome.model
        conditions = [outcome.negate(outcome.gone(enemy)) for enemy in target.defenders]
        conditions += [outcome.gone(enemy) for enemy in target.gone]
        conditions = [literal for literal in conditions if literal is not True]
        if any(literal is False for literal in conditions):
            return
        shares: dict[Part, list[BoolVar]] = {part: [] for part in target.parts}
        for mode in target.modes:
            made = outcome.new_literal()
            parts = tuple((p, outcome.new_literal()) for p in target.parts if mode.takes(p))
            for part, taken in parts:
                shares[part].append(taken)
                model.add_implication(taken, made)
            for literal in conditions:
                model.add_implication(made, literal)
            self.engaged.append(found := Engaged(target, mode, made, parts))
            self._reach_column(found)
            self._meet_conditions(found)
        if outcome.ensures("attack_places"):
            for part, share in shares.items():
                near = self.near(part.unit, part.hexes)
                if share and near is not True:
                    model.add(sum(share) <= near)

    def _reach_column(self, attack: Engaged) -> None:
        """Ensures that the attackers' strength is what the column takes, and that there are attackers."""
        model, mode, scale = self.outcome.model, attack.mode, attack.target.scale
        self.outcome.add_or([self.outcome.negate(attack.made), *(taken for _, taken in attack.parts)])
        if not self.outcome.ensures("attack_odds"):
            return
        strength = sum(int(part.strength * scale) * taken for part, taken in attack.parts)
        if mode.least is not None and mode.least > 0:
            model.add(strength >= mode.least * attack.made)
            self._combine(attack, mode.least)
        if mode.most is not None:
            model.add(strength <= max(0, mode.most) * attack.made)

    def _combine(self, attack: Engaged, least: int) -> None:
        """Ensures that there are as many attackers of each strength as some smallest combination has that is enough.

        That follows from their strength, but the relaxation doesn't see it. Of many combinations nothing is said.
        """
        model, alike = self.outcome.model, dict[int, dict[str, list[BoolVar]]]()
        for part, taken in attack.parts:
            alike.setdefault(int(part.strength * attack.target.scale), {}).setdefault(part.unit, []).append(taken)
        units = {strength: len(who) for strength, who in alike.items()}
        found = list(islice(smallest(units, least), Combinations.most + 1))
        if len(found) > Combinations.most:
            return
        ways = [attack.made if len(found) == 1 else self.outcome.new_literal() for _ in found]
        if len(ways) != 1:
            model.add(sum(ways) == attack.made)
        for strength, who in alike.items():
            need = [some[strength] * way for some, way in zip(found, ways, strict=True) if strength in some]
            if need:
                model.add(sum(taken for share in who.values() for taken in share) >= sum(need))

    def _meet_conditions(self, attack: Engaged) -> None:
        """Ensures that what the odds depend on is as the mode has it, and that nobody attacks alone who mustn't."""
        outcome = self.outcome
        unless = outcome.negate(attack.made)
        for index, state in enumerate(attack.mode.states):
            if state:
                outcome.add_or([unless, *(taken for part, taken in attack.parts if part.signs[index] == state)])
        if not outcome.ensures("attack_companions"):
            return
        for part, taken in attack.parts:
            for label in sorted(part.afar):
                beside = (other for one, other in attack.parts if label in one.beside)
                outcome.add_or([outcome.negate(taken), *beside])

    # -- what attacks have to do with each other

    def taking_part(self, unit: str) -> list[Literal]:
        """Return the literals of which one holds if the unit is in an attack."""
        return self._by_unit.get(unit, [])

    @cached_property
    def _by_unit(self) -> dict[str, list[Literal]]:
        found: dict[str, list[Literal]] = {}
        for attack in self.engaged:
            for part, taken in attack.parts:
                found.setdefault(part.unit, []).append(taken)
        return found

    def on(self, enemy: str) -> list[Literal]:
        """Return the literals of which one holds if the enemy is attacked."""
        return [attack.made for attack in self.engaged if enemy in attack.target.defenders]

    def joined(self, attack: DeclaredAttack, least: int) -> Literal:
        """Return whether an attack is made, by others too perhaps, in a column or in one after it."""
        found = []
        for one in self.engaged:
            whom = set(one.target.defenders) == set(attack.defenders) if attack.defenders else one.target.whole
            if one.mode.column >= least and set(one.target.hexes) == set(attack.hexes) and whom:
                taking = [
                    self.outcome.any_of(taken for part, taken in one.parts if part.unit == unit)
                    for unit in attack.attackers
                ]
                found.append(self.outcome.all_of([one.made, *taking]))
        return self.outcome.any_of(found)

    def _once_each(self) -> None:
        """Ensures that each unit is in one attack at most, and each enemy attacked once at most."""
        if not self.outcome.ensures("attack_once"):
            return
        for taken in self._by_unit.values():
            self.outcome.model.add_at_most_one(taken)
        for enemies in self.prospect.defenders.values():
            for enemy in enemies:
                self.outcome.model.add_at_most_one(self.on(enemy))

    def _together(self) -> None:
        """Ensures that all units of a hex that attack are in the same attack."""
        outcome = self.outcome
        targets: dict[str, dict[tuple[str, ...], Literal]] = {}
        for attack in self.engaged:
            for part, taken in attack.parts:
                for label in sorted(part.hexes):
                    from_here = targets.setdefault(label, {})
                    if attack.target.defenders not in from_here:
                        from_here[attack.target.defenders] = outcome.new_literal()
                    ends = outcome.ends(part.unit, label)
                    outcome.add_or([outcome.negate(taken), outcome.negate(ends), from_here[attack.target.defenders]])
        for literals in targets.values():
            outcome.model.add_at_most_one(literals.values())

    # -- who must attack, and be attacked

    def settle(self, attacks: Sequence[DeclaredAttack], closed: bool) -> None:
        """Ensures that some attacks are made, each by just its attackers; if `closed`, no others."""
        outcome, made = self.outcome, [list[Literal]() for _ in attacks]
        for attack in self.engaged:
            index = next((i for i, one in enumerate(attacks) if _is_against(attack.target, one)), None)
            if index is None and not closed:
                continue
            unless = outcome.negate(attack.made)
            wanted = set() if index is None else {*attacks[index].attackers}
            if index is None or not wanted <= {part.unit for part, _ in attack.parts}:
                outcome.add_or([unless])
                continue
            made[index].append(attack.made)
            for unit in sorted(wanted):
                outcome.add_or([unless, *(taken for part, taken in attack.parts if part.unit == unit)])
            for part, taken in attack.parts:
                if part.unit not in wanted:
                    outcome.add_or([unless, outcome.negate(taken)])
        for ways in made:
            outcome.add_or(ways)

    def _who_must_attack(self) -> None:
        """Ensures that units in an EZOC that can attack anybody do."""
        must, due = self.rule.must_attack, self.prospect.due
        assert must is not None
        if due is not None:  # attacks have been made: who had to when they began still has to, and nobody else
            for unit in due[0]:
                home = None if unit in self.prospect.busy else self.game.homes.get(unit)
                if home is not None and self.prospect.alone(unit, home):
                    self.outcome.add_or(self.taking_part(unit))
            return
        for unit in self._units:
            if not must.matches(self.game.units[unit]) or not self.game.units[unit].attack:
                continue
            for label in self.outcome.possible_ends(unit):
                if label not in self.game.board.hexes or not (controllers := self.prospect.controllers(label)):
                    continue
                foes = {e for to in self.prospect.alone(unit, label) for e in self.prospect.defenders[to]}
                pairs = {(one, one) for one in controllers if one in foes}
                alone = {one for one, _ in pairs}
                pairs |= {(one, foe) for one in controllers if one not in alone for foe in foes}
                for pair in sorted(pairs):
                    self._demand([(unit, label)], pair, self.taking_part(unit))

    def _who_must_be_attacked(self) -> None:
        """Ensures that enemies are attacked in whose ZOC a unit stands, if anybody can attack them."""
        must, outcome, due = self.rule.must_be_attacked, self.outcome, self.prospect.due
        assert must is not None
        for label, enemies in self.prospect.defenders.items():
            for enemy in enemies:
                if not must.matches(self.game.units[enemy]):
                    continue
                able = {u: self._from_where(u, label) for u in self._units}
                anybody = outcome.any_of(self.near(unit, hexes) for unit, hexes in able.items() if hexes)
                if anybody is False:
                    continue
                if due is not None:
                    if enemy in due[1]:
                        outcome.add_or(self.on(enemy))
                    continue
                for side in self.game.board.neighbours[label]:
                    if enemy not in self.prospect.controllers(side):
                        continue
                    for unit in self._units:
                        if outcome.ends(unit, side) is not False:
                            extra = [] if side in able[unit] else [anybody]
                            self._demand([(unit, side)], (enemy,), self.on(enemy), extra)

    def _from_where(self, unit: str, to: str) -> frozenset[str]:
        ends = self.outcome.possible_ends(unit)
        return frozenset(at for at in ends if at in self.game.board.hexes and to in self.prospect.alone(unit, at))

    def _demand(
        self,
        standing: Iterable[tuple[str, str]],
        alive: Iterable[str],
        one_of: Iterable[Literal],
        if_too: Iterable[Literal] = (),
    ) -> None:
        """Ensure one of some literals if units stand somewhere, and enemies live, and others hold."""
        outcome = self.outcome
        unless = [outcome.negate(outcome.ends(unit, label)) for unit, label in standing]
        unless += [outcome.gone(enemy) for enemy in dict.fromkeys(alive)]
        unless += [outcome.negate(literal) for literal in if_too]
        outcome.add_or([*unless, *one_of])

    # -- reading solutions

    def declared(self, holds: Holds) -> tuple[DeclaredAttack, ...]:
        """Return the attacks of a solution."""
        found = []
        for attack in self.engaged:
            if holds(attack.made):
                who = self.game.sorted({part.unit for part, taken in attack.parts if holds(taken)})
                found.append(_declared(attack, who))
        return tuple(found)

    def by_target(self) -> dict[tuple[str, str], list[Literal]]:
        """Return, for each unit and each target, the literals of which one holds if it takes part in an attack on it."""
        found: dict[tuple[str, str], list[Literal]] = {}
        for attack in self.engaged:
            target = whom(_declared(attack, ()))
            for part, taken in attack.parts:
                found.setdefault((part.unit, target), []).append(taken)
        return found


def _is_against(target: Target, attack: DeclaredAttack) -> bool:
    """Tell whether a target is that of an attack: whom it names, or all who defend its hexes."""
    same = {*target.hexes} == {*attack.hexes}
    return same and ({*target.defenders} == {*attack.defenders} if attack.defenders else target.whole)


def _declared(attack: Engaged, who: tuple[str, ...]) -> DeclaredAttack:
    named = () if attack.target.whole else attack.target.defenders
    return DeclaredAttack(who, attack.target.hexes, named)
