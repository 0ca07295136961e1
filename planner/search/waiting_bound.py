"""What no plan exceeds where units may wait, if each were helped by all others whenever it likes.

What it is for: boards on which units wait and limits hold in the course of the phase, so that no model has all plans, and
trying every step takes too long. Each unit stays, or ends in some place for the least MP at which it could ever come there;
who stands in whose way, and when, is passed over. So plans in which nobody is in the way are proved best at once, and that
goals ask for more than there are units, or MP, is proved, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from math import ceil

from planner.objective import Linear, Term, Tier
from planner.objective.costs import MpSpent, UnitsMoved
from planner.objective.goals import Eliminate, End, Hold, Stay
from planner.objective.scoring import Value
from planner.rules.roles import Overruns
from planner.search.context import SearchContext
from planner.solver.cp_sat import BoolVar, Literal, cp_model, maximize, new_literal, new_model
from planner.solver.engine import Solved, run


class WaitingBound:
    """Bounds all plans of a search, tier by tier.

    Parameters
    ----------
    context : SearchContext
        The search; nothing must have been done in its phase.
    least : mapping from units to mappings from places to MP
        Of each unit that can move where it might end, its own place among it, and for how many MP at least.
    """

    def __init__(self, context: SearchContext, least: Mapping[str, Mapping[str, Fraction]]) -> None:
        self._context, self._game, self._least = context, context.scenario.game, least
        self._model, self._scale = new_model(), context.ground.reach.scale
        self._stays: dict[str, BoolVar] = {}
        self._ends: dict[str, dict[str, BoolVar]] = {}
        for unit, places in least.items():
            # Who comes back to where it was has moved, for no MP at least.
            self._stays[unit] = new_literal(self._model)
            self._ends[unit] = {to: new_literal(self._model) for to in places}
            self._model.add_exactly_one([self._stays[unit], *self._ends[unit].values()])
        asked = context.conditions
        for tier, wanted in asked.goals:
            self._at_least(self._worth(tier), Fraction(wanted))
        for term in context.scenario.requirements:
            if term.sign > 0:
                self._at_least(self._surely(term).times(term.weight), self._full(term))
        for term in context.scenario.requirements:
            if isinstance(term, (MpSpent, UnitsMoved)) and term.most is not None:
                self._model.add(_total(self._counted(term)) <= int(term.most * self._scale))
        for unit, wished in asked.partial.ends:
            self._at_least(self._worth(Tier(terms=(End(kind="end", unit=unit, at=wished),))), Fraction(1))
        self._model.add_bool_and([self._stays[unit] for unit in asked.partial.stays if unit in self._stays])

    def of(self, value: Value) -> list[Fraction] | None:
        """Return what no plan exceeds, tier by tier as long as a value comes to it; None if no plan does what is asked for.

        Parameters
        ----------
        value : tuple of Fraction
            What the best plan that is known is worth; empty if none is.
        """
        bounds: list[Fraction] = []
        if not self._may_be():
            return None
        for index, tier in enumerate(self._context.scenario.tiers):
            worth = self._worth(tier)
            if worth.terms:
                maximize(self._model, _total(worth))
            else:
                self._model.clear_objective()  # type: ignore[no-untyped-call]
            solved = self._solved()
            limit = worth.constant if not worth.terms else solved.bound
            if limit is None:
                break
            bounds.append(min(Fraction(limit, self._scale), self._context.highest(index)))
            if value[index : index + 1] != (bounds[-1],):
                break
            self._at_least(worth, bounds[-1])
        return bounds

    def _may_be(self) -> bool:
        """Tell whether some plan might do what is asked for; that none does must be the answer twice."""
        return any(self._solved(seed).outcome != "infeasible" for seed in range(2))

    def _solved(self, more: int = 0) -> Solved:
        """Solve the model, for a second opinion with another seed."""
        configuration = self._context.configuration
        return run(self._model, type(configuration)(1, configuration.seed + more), self._context.limits)

    def _at_least(self, worth: Linear, wanted: Fraction) -> None:
        self._model.add(_total(worth) >= ceil(wanted * self._scale))

    def _full(self, term: Term) -> Fraction:
        return Fraction(term.full(self._game) * term.weight)

    def _worth(self, tier: Tier) -> Linear:
        """Return what a tier comes to at most, scaled."""
        return Linear.sum_of(self._counted(term).times(term.weight * term.sign) for term in tier.terms)

    def _surely(self, term: Term) -> Linear:
        """Return what a term counts at most whatever is rolled, scaled."""
        if not isinstance(term, Eliminate):
            return self._counted(term)
        game = self._game
        return self._gone(term, [rule for rule in game.rulebook.overrunning if rule.best_chance(game) == 1])

    def _gone(self, term: Eliminate, able: Iterable[Overruns]) -> Linear:
        """Return how many enemies that a term counts may go by overruns of some kinds, or are gone already, scaled.

        Whoever overruns an enemy gets into its hex, if that goes through: where nobody could, the enemy stays.
        """
        game, victims = self._game, set[str]()
        entered = {label for places in self._least.values() for label in places}
        for label in {game.homes[unit] for unit in term.units if unit in game.homes} & entered:
            for rule in able:
                victims.update(rule.victims(game, game.enemies_at(label)))
        return Linear(constant=self._scale * sum(unit in victims or unit not in game.homes for unit in term.units))

    def _counted(self, term: Term) -> Linear:
        """Return what a term counts at most, or at least where it counts against a plan, scaled."""
        game, scale = self._game, self._scale
        if isinstance(term, (MpSpent, UnitsMoved)):
            own = [unit for unit in self._least if term.of.matches(game.units[unit])]
            if isinstance(term, UnitsMoved):
                return Linear(tuple((-scale, self._stays[unit]) for unit in own), scale * len(own))
            prices = ((unit, to, self._least[unit][to]) for unit in own for to in self._ends[unit])
            return Linear(tuple((int(mp * scale), self._ends[unit][to]) for unit, to, mp in prices))
        if isinstance(term, Stay):
            fixed = sum(unit not in self._stays for unit in term.units)
            return Linear(
                tuple((scale, self._stays[unit]) for unit in term.units if unit in self._stays), scale * fixed
            )
        if isinstance(term, Hold):
            holders = [unit for unit in game.friends if unit in game.homes and term.by.matches(game.units[unit])]
            return self._any_of(self._standing(label, holders) for label in term.hexes)
        if isinstance(term, End) and term.at:
            return self._any_of([[one for label in term.at for one in self._standing(label, [term.unit])]])
        if isinstance(term, Eliminate):
            return self._gone(term, game.rulebook.overrunning)
        most = Fraction(term.highest(game)) * scale
        return Linear(constant=ceil(abs(most)) if term.sign > 0 else int(abs(most)))

    def _standing(self, label: str, units: Sequence[str]) -> list[Literal]:
        """Return for each of some units that may end in a hex whether it does; 1 where it can't leave."""
        found: list[Literal] = [self._ends[unit][label] for unit in units if label in self._ends.get(unit, {})]
        here = [unit for unit in units if self._game.homes.get(unit) == label]
        return found + [self._stays.get(unit, True) for unit in here]

    def _any_of(self, groups: Iterable[Sequence[Literal]]) -> Linear:
        """Return of how many groups one holds, scaled."""
        terms = []
        for some in groups:
            one = new_literal(self._model)
            self._model.add(sum(some) >= one)
            terms.append((self._scale, one))
        return Linear(tuple(terms))


def _total(worth: Linear) -> cp_model.LinearExpr:
    return (
        cp_model.LinearExpr.weighted_sum([one for _, one in worth.terms], [each for each, _ in worth.terms])
        + worth.constant
    )
