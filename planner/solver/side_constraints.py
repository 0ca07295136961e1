"""What a search is asked for beside the scenario's own objective: a partial plan, other plans to stay away from, goals.

Each condition is posted into a model as literals and held against the referee's replay by `Conditions.hold_for`. The
facts of a plan's substance have one literal each: the no-good of a known plan is the clause that one of its facts
doesn't hold, so that a search never comes back to a plan that covers it.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from itertools import permutations
from math import ceil

from planner.objective import Linear, Tier
from planner.objective.scoring import values_of
from planner.plans.partial_plan import PartialPlan
from planner.plans.plan import Plan
from planner.referee.plan_facts import Substance, covered_by_none, substance_of
from planner.referee.verdict import Verdict
from planner.scenario import Scenario
from planner.solver.cp_sat import Holds, Literal
from planner.solver.event_layer import Events
from planner.solver.model import Model, tier_of
from planner.solver.possibility_layer import Options


class Facts:
    """The facts of a model's plans, a literal each.

    Parameters
    ----------
    model : Model
        The model; its rules must have been posted.
    """

    def __init__(self, model: Model) -> None:
        self._model, self._coupling, self._game = model, model.coupling, model.scenario.game

    @cached_property
    def ends(self) -> dict[tuple[str, str], Literal]:
        """For each unit and each place whether it has moved, and stands there."""
        coupling, homes = self._coupling, self._game.homes
        found = {}
        for unit, variables in coupling.units.items():
            stays = coupling.negate(variables.moves)
            for label, literal in variables.ends.items():
                if label != homes[unit]:
                    found[unit, label] = literal
                elif not _same(literal, stays):
                    found[unit, label] = coupling.all_of([variables.moves, literal])
        return found

    @cached_property
    def gone(self) -> dict[str, Literal]:
        """For each enemy and each marker whether it is eliminated."""
        coupling, game = self._coupling, self._game
        found = {enemy: coupling.gone(enemy) for enemy in game.homes if game.is_enemy(enemy)}
        for marker in game.sorted(game.removable):
            found[marker] = coupling.any_of(v.removes[marker] for v in coupling.units.values() if marker in v.removes)
        return found

    @cached_property
    def carried(self) -> dict[str, Literal]:
        """For each unit whether it has been carried."""
        layer, coupling = self._model.layer, self._coupling
        aboard: dict[str, list[Literal]] = {}
        if isinstance(layer, Options):
            for unit, options in layer.chosen.items():
                aboard[unit] = [literal for option, literal in options if option.carried]
            for team, literal in layer.teams:
                for unit in team.units if team.carried else ():
                    if team.move.part(unit).carried:
                        aboard.setdefault(unit, []).append(literal)
        elif not isinstance(layer, Events):
            for unit, layers in layer.arcs.items():
                aboard[unit] = [literal for some in layers for step, literal in some.items() if step.carried]
        return {unit: coupling.any_of(literals) for unit, literals in aboard.items() if literals}

    @cached_property
    def attacks(self) -> dict[tuple[str, str], Literal]:
        """For each unit and each target of an attack whether it takes part in one."""
        found = self._coupling.taking_part()
        return {pair: self._coupling.any_of(literals) for pair, literals in found.items()}

    def all_of(self, substance: Substance) -> list[Literal]:
        """Return the literals of a substance's facts; False for a fact that no plan of the model has."""
        return [
            *(self.ends.get(pair, False) for pair in sorted(substance.ends)),
            *(self.gone.get(name, False) for name in sorted(substance.gone)),
            *(self.carried.get(unit, False) for unit in sorted(substance.carried)),
            *(self.attacks.get(pair, False) for pair in sorted(substance.attacks)),
        ]

    def number(self) -> Linear:
        """Return how many facts a plan has."""
        every = [*self.ends.values(), *self.gone.values(), *self.carried.values(), *self.attacks.values()]
        return Linear(tuple((1, literal) for literal in every))

    def distance(self, other: Substance, places: Container[str] | None = None) -> Linear:
        """Return the distance of a plan from a known one, by where units stand in some places; absent: in any."""
        coupling = self._coupling
        own: dict[str, dict[str, Literal]] = {unit: {} for unit in coupling.units}
        for (unit, place), literal in self.ends.items():
            if places is None or place in places:
                own[unit][place] = literal
        theirs = {unit: place for unit, place in other.ends if places is None or place in places}
        terms: list[tuple[int, Literal]] = []
        for unit, ends in own.items():
            if unit in theirs:
                terms.append((1, coupling.negate(ends.get(theirs[unit], False))))
            else:
                terms.append((1, coupling.any_of(ends.values())))
        for facts, known in ((self.gone, other.gone), (self.carried, other.carried)):
            for name, literal in facts.items():
                terms.append((1, self._coupling.negate(literal) if name in known else literal))
        # No plan of the model has the other facts, so that all are as far from them.
        unknown = [*(theirs.keys() - own.keys()), *(other.gone - self.gone.keys())]
        return Linear(tuple(terms), len(unknown) + len(other.carried - self.carried.keys()))

    def read(self, holds: Holds) -> Substance:
        """Return the substance of a solution."""
        return Substance(
            frozenset(pair for pair, literal in self.ends.items() if literal is True or _true(holds, literal)),
            frozenset(name for name, literal in self.gone.items() if _true(holds, literal)),
            frozenset(unit for unit, literal in self.carried.items() if _true(holds, literal)),
            frozenset(pair for pair, literal in self.attacks.items() if _true(holds, literal)),
        )


def _same(one: Literal, other: Literal) -> bool:
    """Tell whether two literals are the same one."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    return bool(one.index == other.index)


def _true(holds: Holds, literal: Literal) -> bool:
    return literal if isinstance(literal, bool) else bool(holds(literal))


@dataclass(frozen=True)
class Conditions:
    """What a search is asked for beside the scenario's own objective.

    Attributes
    ----------
    partial : PartialPlan
        What is settled of the plan.
    against : tuple of Substance
        What the plan must not cover.
    goals : tuple of (Tier, Fraction)
        What must be worth so much at least.
    apart : tuple of (Substance, int)
        From which plans it must be how far away at least.
    places : frozenset of str or None
        The places that matter to that; None: all.
    exact : bool
        Whether plans are told apart by substance, so that of plans that are worth as much the one with the fewest facts
        counts.
    """

    partial: PartialPlan = field(default_factory=PartialPlan)
    against: tuple[Substance, ...] = ()
    goals: tuple[tuple[Tier, Fraction], ...] = ()
    apart: tuple[tuple[Substance, int], ...] = ()
    places: frozenset[str] | None = None
    exact: bool = False

    def __bool__(self) -> bool:
        return bool(self.partial or self.against or self.goals or self.apart)

    def of(self, scenario: Scenario) -> Scenario:
        """Return the scenario with plans that say who attacks whom, if something is settled of attacks."""
        return replace(scenario, attacking=True) if self.partial.settles_attacks else scenario

    def hold_for(self, scenario: Scenario, plan: Plan, verdict: Verdict) -> bool:
        """Tell, from the referee's replay, whether a plan fulfils all of them."""
        if not self.partial.holds_in(verdict.moves, verdict.position, verdict.attacks):
            return False
        if self.against or self.apart:
            substance = substance_of(scenario.game, verdict)
            if not covered_by_none(substance, self.against):
                return False
            if any(substance.distance(other, self.places) < least for other, least in self.apart):
                return False
        tiers = [tier for tier, _ in self.goals]
        worth = values_of(scenario.game, tiers, verdict)
        return all(value >= least for value, (_, least) in zip(worth, self.goals, strict=True))

    # -- into models

    def post(self, model: Model) -> None:
        """Post them into a model whose rules have been posted."""
        coupling = model.coupling
        for tier, least in self.goals:
            expression = coupling.expression(tier_of(tier, coupling))
            if not isinstance(expression, int):
                coupling.model.add(expression >= ceil(least * model.scale))
            elif expression < least * model.scale:
                coupling.add_or([])
        self._post_partial(model)
        if not self.against and not self.apart:
            return
        facts = Facts(model)
        for substance in self.against:
            coupling.add_or([coupling.negate(literal) for literal in facts.all_of(substance)])
        for substance, away in self.apart:
            expression = coupling.expression(facts.distance(substance, self.places))
            if not isinstance(expression, int):
                coupling.model.add(expression >= away)
            elif expression < away:
                coupling.add_or([])

    def _post_partial(self, model: Model) -> None:
        coupling, partial = model.coupling, self.partial
        if partial.settles_attacks:
            found = coupling.attacks
            if found is None:
                coupling.add_or([] if partial.attacks else [True])
            else:
                found.attacks.settle(partial.attacks, partial.closed)
        for unit, places in partial.ends:
            coupling.add_or([coupling.ends(unit, place) for place in places])
        for unit in partial.stays:
            coupling.add_or([coupling.negate(coupling.goes_on(unit))])
        for unit in partial.movers:
            coupling.add_or([coupling.goes_on(unit)])
        if isinstance(model.layer, Events):
            for move in partial.moves:
                for step in sorted(move.overruns):
                    model.layer.made_by(move.path[step], move.units, move.supporters(step))
            model.layer.in_order([move.path[step] for move in partial.moves for step in sorted(move.overruns)])
            for unit, labels in _overruns_later(partial):
                model.layer.done_before(unit, labels)
            for one, other in _begun_before(partial):
                model.layer.none_foremost(other, after=one)
            return
        if coupling.order is None:
            return
        known = coupling.order.pairs()
        for one, other in _in_order(partial):
            if (one, other) in known:
                coupling.add_or([known[one, other]])


def _overruns_later(partial: PartialPlan) -> Iterator[tuple[str, list[str]]]:
    """Yield each unit with the hexes that are overrun once it has made its fixed moves."""
    for unit in partial.movers:
        last = max(index for index, move in enumerate(partial.moves) if unit in move.units)
        yield unit, [move.path[step] for move in partial.moves[last + 1 :] for step in sorted(move.overruns)]


def _begun_before(partial: PartialPlan) -> Iterator[tuple[str, str]]:
    """Yield the pairs of units of which the first has begun its fixed moves before the second has made all of its own."""
    made = {unit: [rank for rank, move in enumerate(partial.moves) if unit in move.units] for unit in partial.movers}
    yield from ((one, other) for one, other in permutations(made, 2) if made[one][0] < made[other][-1])


def _in_order(partial: PartialPlan) -> Iterator[tuple[str, str]]:
    """Yield the pairs of units of which the first makes its fixed moves before the second; not where they take turns."""
    found = {
        (one, other): None
        for index, move in enumerate(partial.moves)
        for later in partial.moves[index + 1 :]
        for one in move.units
        for other in later.units
        if one != other
    }
    yield from (pair for pair in found if pair[::-1] not in found)
