"""Every step of every unit with what the rules say of it: the solver's faces of all rules, asked once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import lcm

from planner.forces import Unit
from planner.game import Game
from planner.rules.base import Arc, Demand, Gone, Rule
from planner.rules.overrun import Overrun


@dataclass(frozen=True)
class Step:
    """A possible step with all that the rules say of it.

    Attributes
    ----------
    arc : Arc
        From where to where, and whom it overruns.
    cost : int
        MP, scaled by `ConditionalReach.scale`.
    now : tuple of Demand
        What the step needs.
    onward : tuple of Demand
        What moving on after it needs.
    """

    arc: Arc
    cost: int
    now: tuple[Demand, ...]
    onward: tuple[Demand, ...]


class StepTable:
    """The steps of one game.

    Parameters
    ----------
    game : Game
        The board, the units, the rules and the situation.
    without : frozenset of str
        Ids of rules to leave out, for tests that must notice it.
    """

    def __init__(self, game: Game, without: frozenset[str] = frozenset()) -> None:
        self.game = game
        self.without = without
        self._steps: dict[str, dict[str, tuple[Step, ...]]] = {}
        self._pick_up: dict[str, tuple[Demand, ...]] = {}
        self._profiles: dict[tuple[object, ...], dict[str, tuple[Step, ...]]] = {}

    def check_time(self) -> None:
        """Raise when the time is up; a table by itself has all the time there is."""

    @cached_property
    def rules(self) -> tuple[Rule, ...]:
        """The rules, but for those left out."""
        return tuple(rule for rule in self.game.rulebook.rules if rule.id not in self.without)

    @cached_property
    def scale(self) -> int:
        """The number by which MP are multiplied to be whole."""
        chart = self.game.rulebook.terrain
        amounts = [entry.mp for entry in chart.terrain.values()]
        amounts += [side.mp for side in chart.hexsides.values()]
        amounts += [price.mp for route in chart.routes for price in route.prices]
        amounts += [unit.ma for unit in self.game.units.values()]
        return lcm(*(mp.denominator for mp in amounts))

    @cached_property
    def movers(self) -> tuple[str, ...]:
        """The phasing units that may begin a move under some conditions, in the order of the scenario."""
        found = []
        for unit in self.game.homes:
            if unit in self.game.phasing and all(demand.any_of for demand in self.pick_up(unit)):
                found.append(unit)
        return tuple(found)

    def pick_up(self, unit: str) -> tuple[Demand, ...]:
        """Return what a unit needs to begin its move."""
        found = self._pick_up.get(unit)
        if found is None:
            counter, home = self.game.units[unit], self.game.homes[unit]
            demands = (rule.pick_up_demands(self.game, counter, home, self.check_time) for rule in self.rules)
            found = self._pick_up[unit] = tuple(demand for some in demands for demand in some)
        return found

    def overdraft(self, unit: str) -> Demand | None:
        """Return what moving on needs after a first hex that overdrew the MA; None: no such exemption."""
        counter = self.game.units[unit]
        demands = (rule.overdraft_demand(self.game, counter) for rule in self.rules)
        return next((demand for demand in demands if demand is not None), None)

    # -- steps

    def arcs(self, label: str) -> Iterable[tuple[str, tuple[str, ...] | None]]:
        """Yield the steps that lead out of a hex, plain ones and overruns, as (to, victims)."""
        for to in self.game.board.neighbours[label]:
            yield from self.arcs_between(label, to)

    def arcs_between(self, origin: str, to: str) -> Iterable[tuple[str, tuple[str, ...] | None]]:
        """Yield the forms of the step between two hexes, adjacent or not, as (to, victims)."""
        yield to, None
        if enemies := self.game.enemies_at(to):
            rules = [rule for rule in self.game.rulebook.rules if isinstance(rule, Overrun)]
            victims = tuple(victim for rule in rules for victim in rule.victims(self.game, enemies))
            if victims:
                yield to, victims

    def step(self, unit: Unit, arc: Arc) -> Step:
        """Return what the rules say of one step, possible or not."""
        rules = self.game.rulebook.rules
        demands = [demand for rule in self.rules for demand in rule.arc_demands(self.game, unit, arc)]
        cost = sum((rule.arc_cost(self.game, unit, arc) for rule in rules), Fraction(0))
        return Step(
            arc,
            int(cost * self.scale),
            tuple(demand for demand in demands if not demand.onward),
            tuple(demand for demand in demands if demand.onward),
        )

    def steps(self, unit: str, label: str) -> tuple[Step, ...]:
        """Return the steps of a unit out of a hex that are possible under some conditions."""
        known = self._steps.get(unit)
        if known is None:
            # Units that differ in nothing that a selector can see share their steps.
            counter = self.game.units[unit]
            key: tuple[object, ...] = (counter.side, counter.type, counter.traits, counter.nationality, counter.steps)
            if any(unit in names for names in self._named_units):
                key += (unit,)
            known = self._steps[unit] = self._profiles.setdefault(key, {})
        found = known.get(label)
        if found is None:
            counter = self.game.units[unit]
            candidates = (self.step(counter, Arc(label, to, victims)) for to, victims in self.arcs(label))
            useful = (_needing_victims(step) for step in candidates)
            found = known[label] = tuple(step for step in useful if all(demand.any_of for demand in step.now))
        return found

    @cached_property
    def _named_units(self) -> list[set[str]]:
        """The units that a rule names one by one, which share no steps with others."""
        found: set[str] = set()

        def walk(value: object) -> None:
            if isinstance(value, dict):
                for key, item in value.items():
                    if key == "units" and isinstance(item, (list, tuple)):
                        found.update(name for name in item if isinstance(name, str))
                    walk(item)
            elif isinstance(value, (list, tuple)):
                for item in value:
                    walk(item)

        for rule in self.game.rulebook.rules:
            walk(rule.model_dump())
        return [found]


def _needing_victims(step: Step) -> Step:
    """Leave out what could only be fulfilled if nobody were left to be overrun: the plain step is there for that."""
    if not step.arc.victims:
        return step
    nobody = frozenset(Gone(victim) for victim in step.arc.victims)
    now = tuple(replace(d, any_of=tuple(c for c in d.any_of if not nobody <= c)) for d in step.now)
    return replace(step, now=now)
