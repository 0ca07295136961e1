"""What no way of playing is worth more than, on average.

Whatever is rolled, what has been done in the end is a plan in a game in which all that is rolled goes as one likes: whoever
fails stands where it might as well have stayed. So no average is above the best plan of that game. Where the best way of
playing reaches that in a tier, it does so whatever is rolled, and the tiers after it are bounded by the best such plan.

A unit that may bog down on its way is worth less than that to a goal which it fails when it does: only as much as how
likely it gets there. Nothing is lost by this: to the value of each move, something is added that is 0 on average,
namely what was to be had times the difference between that probability and what has come of it (a penalty for knowing
the future: Brown, Smith & Sun 2010). Who has bogged down then has the value of the best way that leads on from there.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from math import lcm, prod

from planner.errors import OutOfTimeError
from planner.limits import Limits
from planner.objective import Linear, Tier
from planner.objective.battles import ReadyToBattle
from planner.objective.scoring import Value
from planner.reachability.conditional_reach import ConditionalReach
from planner.rules.combat_roles import Bogs, Fights
from planner.rules.roles import Obliges, Rolls
from planner.scenario import Scenario
from planner.search.combat_frequencies import CombatFrequencies
from planner.search.confirmation import unconfirmed
from planner.search.context import SearchContext
from planner.search.overrun_bound import Priced, likely_gone, priced_bounds
from planner.search.shared_attempts import shared_bound
from planner.solver.cp_sat import maximize
from planner.solver.model import Model, most, tier_of
from planner.solver.tuning import Adapting


def with_luck(scenario: Scenario, bounding: bool = True) -> Scenario | None:
    """Return the scenario where every roll goes as one likes; None if no such game can be written down.

    Of combats, whose results have more to them than that, nothing is known; nor, if it is to be a bound, where units have to
    move that may be stuck.
    """
    game = scenario.game
    book, phase = game.rulebook, game.situation.phase
    obliged = any(not rule.phases or phase in rule.phases for rule in book.of(Obliges))
    if book.of(Fights) or (bounding and obliged):
        return None
    lucky = {rule.id: rule.with_luck() for rule in book.of(Rolls)}
    rules = tuple(lucky.get(rule.id, rule) for rule in book.rules)
    return replace(scenario, game=replace(game, rulebook=replace(book, rules=rules), _cache={}))


def bound_of(scenario: Scenario, value: Value, limits: Limits) -> Value:
    """Return for each tier what no way of playing exceeds that is worth as much as a known one in the tiers before it.

    Parameters
    ----------
    scenario : Scenario
        The position; its phase may be in progress.
    value : tuple of Fraction
        What the best known way of playing is worth; none known: empty.
    limits : Limits
        When it must end.
    """
    bounds = [most(tier, scenario.game) for tier in scenario.tiers]
    try:
        shared = shared_bound(scenario, limits)
        if shared is not None:
            bounds[0] = min(bounds[0], shared)
        # Where attempts are shared out, the game with luck is rarely closer in the first tier, and takes longer.
        left = limits if shared is None else limits.part(Adapting.share_luck)
        for index, bound in enumerate(_bounds(scenario, value, left)):
            bounds[index] = min(bounds[index], bound)
    except OutOfTimeError:
        pass
    return tuple(bounds)


def _bounds(scenario: Scenario, value: Value, limits: Limits) -> Iterator[Fraction]:
    """Yield what the tiers are worth at most, as long as the one before it is worth as much as is known to be had."""
    lucky = with_luck(scenario)
    if lucky is not None:
        yield from _Lucky(scenario, lucky, limits).bounds(value)
        return
    reach = ConditionalReach(scenario.game, limits)
    for rule in reach.of(Fights):
        yield from CombatFrequencies(scenario, reach, rule).bounds(value)
        return


class _Lucky:
    """The game in which rolls go as one likes."""

    def __init__(self, scenario: Scenario, lucky: Scenario, limits: Limits) -> None:
        self._scenario, self._game = scenario, scenario.game
        self._bogging = self._game.rulebook.of(Bogs)
        self._context = SearchContext(lucky, limits, unconfirmed)

    def bounds(self, value: Value) -> Iterator[Fraction]:
        """Yield what the tiers are worth at most, as long as the one before it is worth as much as is known to be had."""
        context, model = self._context, self._context.model
        if not context.complete:  # units may wait for each other in ways that the model doesn't have
            return
        for index, tier in enumerate(context.scenario.tiers):
            worth, factor = self._worth(tier, model)
            scale = model.scale * factor
            expression = model.coupling.expression(worth)
            if isinstance(expression, int):
                bound = Fraction(expression, scale)
            else:
                maximize(model.coupling.model, expression)
                solved = context.solve(model, index, told=False)
                if solved.bound is None:
                    return
                found = Priced(Fraction(solved.bound, scale), expression, solved.bound)
                if index == 0 and value[:1] != (found.bound,):
                    found = min([found, *self._with_prices(model, worth, scale)], key=lambda one: one.bound)
                bound = found.bound
            yield bound
            if index >= len(value) or value[index] != bound:
                return
            if not isinstance(expression, int):
                # At prices: who is worth the bound on average need not be so whatever is rolled, but for what is paid.
                model.coupling.model.add(found.paid >= found.least)

    def _with_prices(self, model: Model, worth: Linear, scale: int) -> Iterator[Priced]:
        """Yield bounds of the first tier from how likely enemies are overrun at best."""
        likely = likely_gone(self._scenario, self._context.ground.reach)
        if likely:
            yield from priced_bounds(self._context, model, worth, scale, likely)

    def _worth(self, tier: Tier, model: Model) -> tuple[Linear, int]:
        """Return what a tier is worth at most, times the model's scale and another factor."""
        total = tier_of(tier, model.coupling)
        if not self._bogging or any(map(self._game.rulebook.lets_wait, self._game.units.values())):
            return total, 1
        changes: list[tuple[Fraction, object]] = []
        for term in tier.terms:
            if isinstance(term, ReadyToBattle) and term.weight * term.sign > 0:
                counted = {
                    id(literal): weight for weight, literal in tier_of(Tier(terms=(term,)), model.coupling).terms
                }
                for unit in self._context.ground.reach.movers:
                    changes += self._of_unit(unit, model, counted)
        factor = lcm(*(change.denominator for change, _ in changes))
        return Linear.sum_of([
            total.times(factor),
            Linear(tuple((int(change * factor), literal) for change, literal in changes if change)),
        ]), factor  # fmt: skip

    def _of_unit(self, unit: str, model: Model, counted: dict[int, int]) -> Iterator[tuple[Fraction, object]]:
        """Yield by how much less, or more, each way of a unit is worth than if it couldn't bog down."""
        arrivals = model.coupling.arrivals(unit)
        best: dict[str, int] = {}
        for label, _, _, literal in arrivals:
            best[label] = max(best.get(label, 0), counted.get(id(literal), 0))
        if not any(best.values()):
            return
        safe, stuck = self._prospects(unit, best)
        for label, _, _, literal in arrivals:
            plain = counted.get(id(literal), 0)
            yield max(plain * safe.get(label, Fraction(1)), stuck.get(label, Fraction(0))) - plain, literal

    def _prospects(self, unit: str, best: dict[str, int]) -> tuple[dict[str, Fraction], dict[str, Fraction]]:
        """Return how likely a unit gets to each hex at best, and what was to be had by who bogs down there."""
        reach, home = self._context.ground.reach, self._game.homes[unit]
        departure, counter = reach.departed(unit), self._game.units[unit]
        layer = {home: (departure.spent, Fraction(1))}
        layers, arcs = [layer], list[dict[tuple[str, str], Fraction]]()
        # Once dice don't depend on the number of hexes any more, going round in a circle is of no use.
        longest = reach.counts_hexes + len(self._game.board.places)
        while layer and len(layers) <= longest:
            further: dict[str, tuple[int, Fraction]] = {}
            chances: dict[tuple[str, str], Fraction] = {}
            hexes = departure.steps + len(layers)
            for here, (spent, likely) in layer.items():
                for step in reach.steps(unit, here):
                    total, to = spent + step.cost, step.arc.to
                    if not reach.affords(counter, step, total, first=hexes == 1):
                        continue
                    arc = replace(step.arc, hexes=hexes)
                    chance = prod(
                        (rule.arc_chance(self._game, [counter], arc) for rule in self._bogging), start=Fraction(1)
                    )
                    had = further.get(to, (total, Fraction(0)))
                    further[to] = min(had[0], total), max(had[1], likely * chance)
                    chances[here, to] = max(chance, chances.get((here, to), Fraction(0)))
            layer = further
            layers.append(layer)
            arcs.append(chances)
        safe: dict[str, Fraction] = {}
        stuck: dict[str, Fraction] = {}
        ahead: dict[str, Fraction] = {}
        for before, at, chances in zip(reversed(layers[:-1]), reversed(layers[1:]), reversed(arcs), strict=True):
            value = {label: max(Fraction(best.get(label, 0)), ahead.get(label, Fraction(0))) for label in at}
            ahead = {}
            for (here, to), chance in chances.items():
                ahead[here] = max(ahead.get(here, Fraction(0)), chance * value[to])
                if chance < 1:
                    stuck[to] = max(stuck.get(to, Fraction(0)), before[here][1] * chance * value[to])
            for label, (_, likely) in at.items():
                safe[label] = max(safe.get(label, Fraction(0)), likely)
        return safe, stuck
