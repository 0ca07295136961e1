"""How likely enemies are overrun at best, and what that says of the value of every way of playing.

However often which units try, an enemy is gone with no more than the probability that all who can get there make of it,
trying in the best groups and the best order as often as their MP allow. What has been done in the end is a plan of the game
with luck; of all these plans together, weighted by how likely they come about, no more than that share may do without the
enemy. Prices of the enemies make of this a bound (Lagrangian relaxation): what the enemies come to at their prices, and the
best plan of the game with luck that pays for each enemy who is gone. The prices are those of the plans found so far.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations
from typing import NamedTuple

from planner.objective import Linear
from planner.reachability.conditional_reach import ConditionalReach
from planner.rules.combat_roles import JointlyOverruns
from planner.rules.game import Game
from planner.rules.play import overrun_links
from planner.rules.roles import Exempts
from planner.scenario import Scenario
from planner.search.attempts_in_turn import BestTurns, Contest, Team
from planner.search.combat_routes import routes_of
from planner.search.context import SearchContext
from planner.solver.cp_sat import Expression, maximize
from planner.solver.linear_bound import Column, LinearProgram
from planner.solver.model import Model
from planner.solver.tuning import EnemyPrices

ONE = Fraction(1)


def the_rule(game: Game) -> JointlyOverruns | None:
    """Return the one rule by which enemies are overrun, where it is rolled and paid out of the MA; None in other games."""
    rule = next((rule for rule in game.rulebook.of(JointlyOverruns) if rule.rolled), None)
    plain = rule is not None and rule.support is None and rule.price
    overdrawn = any(
        exempting.overdraft_demand(game, unit, overrun=True)
        for exempting in game.rulebook.of(Exempts)
        for unit in game.units.values()
    )
    return rule if plain and not overdrawn else None


def only_overrun(reach: ConditionalReach) -> bool:
    """Tell whether units may overrun enemies into whose hex no plain step leads once they are gone."""
    strongholds = {home for enemy, home in reach.game.homes.items() if reach.game.is_enemy(enemy)}
    for label in strongholds:
        for origin in overrun_links(reach.game, label):
            for unit in reach.movers:
                into = [step.arc for step in reach.steps(unit, origin, overruns=True) if step.arc.to == label]
                if into and all(arc.overrun for arc in into):
                    return True
    return False


class Stronghold(NamedTuple):
    """A hex of enemies, and who may try it.

    Attributes
    ----------
    tries : dict from units to int
        How often each unit may try it at most.
    stacks : tuple
        For each hex from which they come, the groups that may try it together, with how likely that goes through.
    waiting : frozenset of str
        Those whose moves aren't over when others move.
    """

    tries: dict[str, int]
    stacks: tuple[tuple[Team, ...], ...]
    waiting: frozenset[str]

    @classmethod
    def of(cls, game: Game, rule: JointlyOverruns, label: str, tries: dict[str, int]) -> Stronghold:
        """Return the stronghold of a hex; those who begin the phase in one hex may try it together."""
        by_hex: dict[str, list[str]] = {}
        waiting = frozenset(unit for unit in tries if game.rulebook.lets_wait(game.units[unit]))
        for unit in tries:  # who may wait may join others on the way
            by_hex.setdefault("" if waiting else game.homes[unit], []).append(unit)
        defense = rule.defense_in(game, label)
        strengths = {unit: rule.attack_of(game, game.units[unit], label) for unit in tries}
        stacks = []
        for units in by_hex.values():
            teams = list[Team]()
            for team in (team for size in range(1, len(units) + 1) for team in combinations(units, size)):
                attack = sum((strengths[unit] for unit in team), Fraction(0))
                fitting = [column.chance for column in rule.results if attack >= column.odds * defense]
                if fitting and fitting[-1]:
                    teams.append((team, fitting[-1]))
            stacks.append(tuple(teams))
        return cls(tries, tuple(stacks), waiting)

    @property
    def likely(self) -> Fraction | None:
        """How likely the enemies are overrun if all try as often and as well as they can; None: too much to work out."""
        left = ONE
        for teams in self.stacks:  # one stack's dice have nothing to do with another's
            units = {unit for team, _ in teams for unit in team}
            able = {unit: frozenset([(count,)]) for unit, count in self.tries.items() if unit in units}
            contest = Contest(able, {"": teams}, self.waiting)
            if contest.size > EnemyPrices.states:
                return None
            free = {(unit, one): Fraction(0) for unit, some in contest.tries.items() for one in some}
            left *= 1 - BestTurns(contest, {"": ONE}, free).exact
        return 1 - left


def likely_gone(scenario: Scenario, reach: ConditionalReach) -> dict[str, Fraction]:
    """Return how likely each enemy is overrun at best, of those of whom that is known and who aren't for certain."""
    game, rule = scenario.game, the_rule(scenario.game)
    if rule is None or rule.price is None:
        return {}
    price = rule.price * reach.scale
    strongholds = frozenset(home for enemy, home in game.homes.items() if game.is_enemy(enemy))
    # An overrun may be a cheaper way into a hex than to enter it, or the only one.
    routes = {unit: routes_of(reach, unit, strongholds, overruns=True) for unit in reach.movers}
    found: dict[str, Fraction] = {}
    for label in sorted(strongholds):
        tries: dict[str, int] = {}
        for unit, known in routes.items():
            near = [known.ends[place][0] for place in overrun_links(game, label) if place in known.ends]
            if near and rule.by.matches(game.units[unit]):
                allowed = max(reach.limit(game.units[unit], label), int(game.units[unit].ma * reach.scale))
                tries[unit] = int((allowed - min(near)) // price)
        tries = {unit: count for unit, count in tries.items() if count > 0}
        chance = Stronghold.of(game, rule, label, tries).likely
        if chance is not None and chance < 1:
            found |= dict.fromkeys((enemy for enemy in game.enemies_at(label)), chance)
    return found


class Priced(NamedTuple):
    """What the first tier is worth at most at some prices.

    Attributes
    ----------
    bound : Fraction
        No way of playing is worth more.
    paid : Expression
        What a plan of the game with luck is worth, less the prices of the enemies who are gone.
    least : int
        What that comes to at most: whatever is rolled, where a way of playing is worth as much as `bound`.
    """

    bound: Fraction
    paid: Expression
    least: int


def priced_bounds(
    context: SearchContext, model: Model, worth: Linear, scale: int, likely: dict[str, Fraction]
) -> Iterator[Priced]:
    """Yield bounds of the first tier.

    Parameters
    ----------
    context, model : SearchContext and Model
        The game with luck, and its model; its objective is set.
    worth : Linear
        What the tier is worth, times `scale`.
    scale : int
        By which everything that the model counts is multiplied, so that it is whole.
    likely : dict from enemies to Fraction
        How likely each is gone at best.
    """
    coupling = model.coupling
    gone = {enemy: coupling.gone(enemy) for enemy in likely}
    prices = dict.fromkeys(likely, Fraction(0))
    plans: list[tuple[Fraction, frozenset[str]]] = []
    for _ in range(EnemyPrices.rounds):
        paid = Linear(
            tuple((-int(price * EnemyPrices.finest), gone[enemy]) for enemy, price in prices.items() if price)
        )
        expression = coupling.expression(Linear.sum_of([worth.times(EnemyPrices.finest), paid.times(scale)]))
        if isinstance(expression, int):
            return
        maximize(coupling.model, expression)
        solved = context.solve(model, 0, told=False)
        if solved.bound is None:
            return
        whole = scale * EnemyPrices.finest
        had = sum((prices[enemy] * chance for enemy, chance in likely.items()), Fraction(0))
        yield Priced(Fraction(solved.bound, whole) + had, expression, solved.bound)
        if solved.holds is None or solved.value is None:
            return
        lost = frozenset(enemy for enemy, literal in gone.items() if solved.holds(literal))
        plan = Fraction(solved.value, whole) + sum((prices[enemy] for enemy in lost), Fraction(0)), lost
        if plan in plans:
            return
        plans.append(plan)
        prices = _prices(plans, likely)


def _prices(plans: list[tuple[Fraction, frozenset[str]]], likely: dict[str, Fraction]) -> dict[str, Fraction]:
    """Return what enemies are worth to mixtures of plans in which each is gone no more often than is likely."""
    program = LinearProgram()
    objective: dict[Column, Fraction] = {index: value for index, (value, _) in enumerate(plans)}
    for enemy, chance in likely.items():
        program.add({index: Fraction(1) for index, (_, lost) in enumerate(plans) if enemy in lost}, chance)
    program.add(dict.fromkeys(objective, Fraction(1)), 1)
    rounded = (
        Fraction(max(0, round(price * EnemyPrices.finest)), EnemyPrices.finest) for price in program.prices(objective)
    )
    return dict(zip(likely, rounded, strict=False))
