"""Whether any moves bring an attack to the odds that are asked for, and what odds they can bring it to: by the solver."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Never, cast

from planner.errors import InputError, OutOfTimeError
from planner.limits import Limits
from planner.objective import Linear, Tally, Tier
from planner.objective.attacks import AttackTerm
from planner.objective.base import OutcomeModel
from planner.plans.plan import Plan
from planner.referee.referee import Referee
from planner.rules.attack_referee import AttackReferee
from planner.rules.attack_rule import attack_rule
from planner.rules.game import Game
from planner.scenario import Scenario
from planner.search.search import Search
from planner.world.declared_attack import DeclaredAttack
from planner.world.position import Position


class Sought(AttackTerm):
    """Counts the columns up to that of an attack by some units, and others perhaps; 0: it isn't made.

    Attributes
    ----------
    attack : DeclaredAttack
        Who must take part at least, and whom it is against.
    full_at : int
        So many columns are counted at most.
    """

    kind: str = "sought"
    attack: DeclaredAttack
    full_at: int

    def full(self, game: Game) -> int:
        """Return how many columns are counted at most."""
        return self.full_at

    def describe(self) -> str:
        """Return what the term counts."""
        return f"columns of {self.attack}"

    # -- the referee's face

    def score(self, game: Game, position: Position, tally: Tally) -> Fraction:
        """Return one more than the index of the best column of such an attack."""
        attack, rule = self.attack, attack_rule(game)
        if rule is None:
            return Fraction(0)
        judge = AttackReferee(rule, game, position)
        same = [
            one.columns[1] + 1
            for one in self._assessed(game, position, tally)
            if {*attack.attackers} <= {*one.attack.attackers}
            and {*attack.hexes} == {*one.attack.hexes}
            and {*judge.defenders_of(attack)} == {*one.defenders}
        ]
        return Fraction(min(max(same, default=0), self.full_at))

    # -- the solver's face

    def on_average(self, outcome: OutcomeModel) -> Linear:
        """Add up, over the columns, whether such an attack reaches them."""
        attacks = outcome.attacks
        if attacks is None:
            return Linear()
        return Linear(tuple((outcome.mp_scale, attacks.joined(self.attack, n)) for n in range(self.full_at)))


def sought(scenario: Scenario, attack: DeclaredAttack, least: int, limits: Limits) -> tuple[bool | None, Plan | None]:
    """Tell whether moves bring an attack to a column, with whoever joins it.

    Parameters
    ----------
    scenario : Scenario
        The position; what it is for, what it requires, and what must be attacked besides, doesn't count.
    attack : DeclaredAttack
        The attack, with those who must take part.
    least : int
        The index of the column, after shifts.
    limits : Limits
        When to stop.

    Returns
    -------
    possible : bool or None
        False: proved. None: not known.
    plan : Plan or None
        Where it is possible, moves, and the attack as it is made then, with nobody that isn't needed. Where it isn't, moves
        and attack of the best column that there is; None: there is none, or it isn't known to be the best.
    """
    free = _without_duties(scenario)
    if free is None:
        return None, None
    term = Sought(attack=attack, full_at=least + 1)
    tier = Tier.model_construct(terms=cast("tuple[Never, ...]", (term,)))  # no term that scenarios have
    asked = replace(free, requirements=(), tiers=(tier,))
    try:
        found = Search(asked, limits).run()
    except OutOfTimeError:
        return None, None
    if found.status == "infeasible":  # the moves can't end as rules demand, whoever attacks
        return False, None
    reached = found.value[0] if found.value else Fraction(0)
    if reached > least and found.plan is not None:
        return True, _with_fewer(asked, found.plan, term)
    if not found.bound or found.bound[0] > least:
        return None, None
    if not reached or found.plan is None or reached < found.bound[0]:
        return False, None
    return False, _with_fewer(asked, found.plan, term.model_copy(update={"full_at": int(reached)}))


def _without_duties(scenario: Scenario) -> Scenario | None:
    """Return the scenario where nothing must be attacked; None where some have been declared or made."""
    if scenario.start.due is not None or scenario.start.declared is not None:
        return None
    game = scenario.game
    rules = tuple(rule.without_duties() for rule in game.rulebook.rules)
    return replace(scenario, game=replace(game, rulebook=replace(game.rulebook, rules=rules), _cache={}))


def _with_fewer(scenario: Scenario, plan: Plan, term: Sought) -> Plan:
    """Return a plan that does the same, without moves, attacks and attackers that can be left out."""
    referee = Referee(scenario.game)

    def does(one: Plan) -> bool:
        try:
            verdict = referee.play(one, scenario.start, rolls=False)
        except InputError:
            return False
        return verdict.legal and term.holds(scenario.game, verdict.position, verdict.tally)

    wanted = {*term.attack.hexes}, {*term.attack.attackers}
    attack = next(a for a in plan.attacks or () if {*a.hexes} == wanted[0] and wanted[1] <= {*a.attackers})
    plan = Plan(plan.moves, (attack,))
    for unit in (one for one in attack.attackers if one not in term.attack.attackers):
        fewer = replace(attack, attackers=tuple(one for one in attack.attackers if one != unit))
        for moves in (tuple(move for move in plan.moves if unit not in move.units), plan.moves):
            if does(Plan(moves, (fewer,))):
                attack, plan = fewer, Plan(moves, (fewer,))
                break
    for move in plan.moves:
        fewer_moves = Plan(tuple(one for one in plan.moves if one != move), (attack,))
        if does(fewer_moves):
            plan = fewer_moves
    return plan
