"""A rulebook: a game's rules and charts, and whether they fit together."""

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal, TypeVar

from pydantic import Field, model_validator

from planner.errors import Problem
from planner.formats.spelling import did_you_mean, not_among
from planner.formats.table import Table
from planner.rules.base import Rule, Way
from planner.rules.roles import Controls, Exhausts, Halts, Mobilizes, Overruns, Prices, Rolls, Sequences, Tallies
from planner.world.appearance import LookChart
from planner.world.barriers import Barrier
from planner.world.charts import CarrierChart, Forces, Hexside, Route, TerrainChart, TurnStep
from planner.world.forces import Unit
from planner.world.numbering import Numbering
from planner.world.selectors import Selector, selectors_in

R = TypeVar("R", bound=Rule)
State = Literal["enforced", "not_modelled", "open"]


class Statement(Table):
    """One thing that the printed rules say, and what has become of it."""

    id: str = Field(description="By which tests call it", max_length=20)
    paragraph: str = Field(description="The printed paragraph", max_length=40)
    text: str = Field(description="The statement in our own words", max_length=400)
    rule: str | None = Field(default=None, description="The id of the rule that enforces it")
    open: str | None = Field(default=None, description="What is missing")
    not_modelled: str | None = Field(default=None, description="Why it isn't modelled")

    @model_validator(mode="after")
    def _one_state(self) -> "Statement":
        if sum(value is not None for value in (self.rule, self.open, self.not_modelled)) != 1:
            raise ValueError("must have exactly one of rule, open and not_modelled")
        return self

    @property
    def state(self) -> State:
        """Whether it is enforced, not modelled, or open."""
        return "enforced" if self.rule is not None else "open" if self.open is not None else "not_modelled"

    @property
    def why(self) -> str:
        """Why it isn't enforced; empty if it is."""
        return self.open or self.not_modelled or ""


@dataclass(eq=False)
class Rulebook:
    """A game's rules and charts.

    Attributes
    ----------
    model : str
        The name of its folder.
    title : str
        What players call the game.
    numbering : Numbering
        How its map numbers hexes.
    rules : tuple of Rule
        In the order of the printed rulebook.
    terrain : TerrainChart
        The terrain effects chart.
    forces : Forces
        Sides, unit types, markers, nationalities, countries, phases.
    any_step : Way
        How units move if no rule says how they get from place to place.
    carriers : CarrierChart
        Which markers carry which units.
    looks : LookChart
        How its maps and counters look, where names don't say it.
    reads_statements : callable
        Returns every statement of the printed rules with its state: what `statements` is.
    whole : bool
        Whether every rule of the file could be read: otherwise nobody knows that a rule is missing.
    lost : frozenset of str
        The names of what couldn't be read: who uses them isn't to blame.
    thinned : frozenset of str
        The tables and lists of which something couldn't be read, by their places: ``numbering``, ``rule[3].columns``.
    """

    model: str
    title: str
    numbering: Numbering
    rules: tuple[Rule, ...]
    terrain: TerrainChart
    forces: Forces
    any_step: Way
    carriers: CarrierChart = field(default_factory=CarrierChart)
    looks: LookChart = field(default_factory=LookChart)
    reads_statements: Callable[[], tuple[Statement, ...]] = tuple
    whole: bool = True
    lost: frozenset[str] = frozenset()
    thinned: frozenset[str] = frozenset()
    _by_role: dict[type[Rule], tuple[Any, ...]] = field(default_factory=dict, init=False, repr=False)

    @cached_property
    def statements(self) -> tuple[Statement, ...]:
        """Every statement of the printed rules with its state; few commands look at them.

        Raises
        ------
        InputError
            If they are read only now, and something is wrong with them.
        """
        return self.reads_statements()

    def of(self, role: type[R]) -> tuple[R, ...]:
        """Return the rules that have a role, in the order of the rulebook."""
        found: tuple[R, ...] | None = self._by_role.get(role)
        if found is None:
            found = self._by_role[role] = tuple(rule for rule in self.rules if isinstance(rule, role))
        return found

    def lacks(self, role: type[Rule]) -> bool:
        """Tell whether no rule has a role, not one that couldn't be read either, as far as is known."""
        return self.whole and not self.of(role)

    @cached_property
    def some_must_stay(self) -> bool:
        """Whether a friend helps somewhere only if it moves no more: it matters then who still moves."""
        return self.terrain.some_must_stay or any(rule.negated_for_good for rule in self.of(Controls))

    @cached_property
    def selectors(self) -> tuple[Selector, ...]:
        """Every selector of its rules and charts, however deep."""
        parts = (*self.rules, self.terrain, self.carriers)
        return tuple(selector for part in parts for _, selector in selectors_in(part))

    @cached_property
    def paying(self) -> tuple[Prices, ...]:
        """The rules by which a step may cost MP."""
        return self.of(Prices)

    @cached_property
    def overrunning(self) -> tuple[Overruns, ...]:
        """The rules by which units overrun."""
        return self.of(Overruns)

    @cached_property
    def encounter(self) -> str:
        """What messages call it when units enter an enemy's hex: "overrun" or "combat"; "overrun" where nothing says it."""
        return next((rule.encounter for rule in self.rules if rule.encounter), "overrun")

    @cached_property
    def halting(self) -> tuple[Halts, ...]:
        """The rules that may forbid a move to end in a place through which units might pass."""
        return tuple(rule for rule in self.of(Halts) if rule.limits_halts)

    @cached_property
    def tallying(self) -> tuple[Tallies, ...]:
        """The rules that add up something of a unit's steps."""
        return self.of(Tallies)

    @cached_property
    def exhausting(self) -> tuple[Exhausts, ...]:
        """The rules by which a step may take all MP that are left."""
        return self.of(Exhausts)

    @cached_property
    def minding_control(self) -> tuple[Rule, ...]:
        """The rules to which it may matter whose a place is."""
        return tuple(rule for rule in self.rules if rule.overrides(Rule.minds_control))

    @cached_property
    def sequence(self) -> Sequences | None:
        """The rule that says how moves follow each other; None where nothing does."""
        return next(iter(self.of(Sequences)), None)

    @cached_property
    def stacks(self) -> bool:
        """Whether units may move as a stack."""
        return any(rule.stacks for rule in self.of(Sequences))

    def lets_wait(self, unit: Unit) -> bool:
        """Tell whether a unit may break off its move and go on later."""
        return any(rule.lets_wait(unit) for rule in self.of(Sequences))

    def mobilized(self, unit: Unit, phase: str) -> Unit:
        """Return a unit with the MA that it has in a phase by its counter, its traits and its supply."""
        printed = unit.ma if unit.printed_ma is None else unit.printed_ma
        now = unit if unit.ma == printed else replace(unit, ma=printed)
        for rule in self.of(Mobilizes):
            effective = rule.effective(now, phase)
            now = now if effective == now.ma else replace(now, ma=effective)
        told = None if now.ma == printed else printed
        return now if now.printed_ma == told else replace(now, printed_ma=told)

    @cached_property
    def rolled(self) -> bool:
        """Whether some results are rolled or drawn."""
        return any(rule.rolled for rule in self.of(Rolls))

    @cached_property
    def by_id(self) -> dict[str, Rule]:
        """The rules by their ids."""
        return {rule.id: rule for rule in self.rules}

    @cached_property
    def ways(self) -> tuple[Way, ...]:
        """The rules that say how units get from place to place; a rulebook without any has plain steps to neighbours."""
        return self.of(Way) or (self.any_step,)

    @cached_property
    def ways_by_id(self) -> dict[str, Way]:
        """The ways by their ids."""
        return {way.id: way for way in self.ways}

    def way(self, name: str) -> Way | None:
        """Return the way with an id; None if there is none."""
        return self.ways_by_id.get(name)

    def known(self, chart: str) -> Collection[str]:
        """Return the names that a chart has.

        Parameters
        ----------
        chart : str
            The name of a chart of the forces, or "terrain", "features", "nationality_traits" or "marker_traits".
        """
        forces = self.forces
        if chart == "terrain":
            return self.terrain.terrain
        if chart == "features":
            return self.terrain.features()
        if chart == "unit_traits":
            return {*forces.unit_traits, *(trait for kind in forces.unit_types.values() for trait in kind.traits)}
        if chart == "marker_traits":
            return {trait for kind in forces.marker_types.values() for trait in kind.traits}
        if chart == "nationality_traits":
            return {trait for nationality in forces.nationalities.values() for trait in nationality.traits}
        found: dict[str, object] = getattr(forces, chart)
        return found

    def unknown(self, chart: str, names: Iterable[str]) -> Iterable[str]:
        """Yield a sentence for each name that a chart doesn't have."""
        if chart == "unit_traits" and any(part.startswith("unit_types.") for part in self.thinned):
            return  # types name traits that no chart has
        known = self.known(chart)
        what = _ONE_OF.get(chart, chart.removesuffix("s").replace("_", " "))
        for name in names:
            if name not in known:
                yield not_among(what, name, known)

    def unknown_ways(self, field: str, names: Iterable[str]) -> Iterable[str]:
        """Yield a sentence for each name that no rule has that says how units get from one place to another."""
        known = sorted(way.id for way in self.ways)
        for name in names:
            if name not in known:
                yield f"{field} must be among {', '.join(known)}, not {name!r}"

    @cached_property
    def fights(self) -> bool:
        """Whether every entry of an enemy's hex is a combat, and none an overrun, however it is written."""
        return self.encounter == "combat"

    def beside_caps(self, instead: str) -> Iterable[str]:
        """Yield that a rule that follows each unit's MP doesn't go with limits by hexes, and what to write instead."""
        for rule in self.rules:
            if not rule.adds_up:
                yield f"it doesn't go with {rule.kind} ({rule.id}), after which nobody follows each unit's MP: {instead}"

    def unknown_in(self, value: object) -> Iterable[tuple[str, str]]:
        """Yield what is wrong, and where, for each name in a selector that the charts don't have."""
        for place, selector in selectors_in(value):
            for test, chart in selector.charts.items():
                names = getattr(selector, test)
                if not names:
                    continue  # as of most tests: what a chart has takes longer to list
                for text in self.unknown(chart, names):
                    yield text, f"{place}.{test}" if place else test

    def unknown_in_barrier(self, barrier: Barrier) -> Iterable[str]:
        """Yield what is wrong with each name in a barrier that the charts don't have."""
        yield from self.unknown("status", barrier.home_status)
        yield from self.unknown("country_traits", barrier.home_traits)
        for flag in (barrier.flag, barrier.unless_flag):
            if flag is not None and flag not in self.forces.flags:
                yield not_among("flag", flag, self.forces.flags)
        if barrier.while_any is not None:
            yield from self.unknown("status", [barrier.while_any.status])

    def next_phase(self, side: str, phase: str) -> str:
        """Return the movement phase that follows one of a side: the one that is named, or its next step of the turn."""
        own = [step.phase for step in self.turn if step.side == side]
        following = own[(own.index(phase) + 1) % len(own)] if phase in own else phase
        return self.forces.phases[phase].next or following

    @cached_property
    def turn(self) -> tuple[TurnStep, ...]:
        """The steps of a turn, in their order: those of the chart, or all phases of one side, then of the next."""
        every = (TurnStep(side=side, phase=phase) for side in self.forces.sides for phase in self.forces.phases)
        return self.forces.turn or tuple(every)

    def next_step(self, side: str, phase: str) -> tuple[TurnStep, bool]:
        """Return the step of the turn that follows a side's phase, and whether a new turn begins with it.

        After a phase that is no step of the turn, it is that side's first step, in the same turn.
        """
        now = TurnStep(side=side, phase=phase)
        if now not in self.turn:
            return next((step for step in self.turn if step.side == side), self.turn[0]), False
        later = (self.turn.index(now) + 1) % len(self.turn)
        return self.turn[later], later == 0

    def same_turn(self, side: str, phase: str, later: str) -> bool:
        """Tell whether one phase of a side follows another before its first phase comes again, and with it its next turn."""
        own = [step.phase for step in self.turn if step.side == side]
        between = [self.next_phase(side, phase)]
        while between[-1] != later and between[-1] not in between[:-1]:
            between.append(self.next_phase(side, between[-1]))
        if between[-1] == later:
            return phase != later and not {*own[:1]} & {*between}
        return phase not in own or later not in own or own.index(phase) < own.index(later)

    def problems(self, where: str) -> list[Problem]:
        """List what doesn't fit together: rules with one id, names that no chart has."""
        found = []
        seen: set[str] = set()
        entering = [rule for rule in self.rules if rule.encounter]
        for index, rule in enumerate(self.rules):
            place = f"{where}/rulebook.toml: rule[{index}] ({rule.id})"
            if rule.id in seen:
                found.append(Problem(f"rule ids must differ, but {rule.id!r} comes twice", place))
            seen.add(rule.id)
            found += [Problem(text, place) for text in rule.problems(self)]
            if rule in entering[1:]:  # each would eliminate the enemies
                first = f"it doesn't go with {entering[0].kind} ({entering[0].id})"
                one = "of rules that say what becomes of enemies whose hex is entered a rulebook has one"
                found.append(Problem(f"{first}: {one}. Leave out one of them", place))
            found += [Problem(text, f"{place}.{key}") for text, key in self.unknown_in(rule)]
        for name, phase in self.forces.phases.items():
            if phase.next is not None and phase.next not in self.forces.phases:
                near = did_you_mean(phase.next, self.forces.phases)
                what = f"next must be a phase, not {phase.next!r}{near}"
                found.append(Problem(what, f"{where}/forces.toml: phases.{name}"))
        for index, alliance in enumerate(self.forces.alliances):
            place = f"{where}/forces.toml: alliances[{index}]"
            found += [Problem(text, place) for text in self.unknown("sides", alliance)]
            if len(set(alliance)) < 2:
                found.append(Problem("an alliance must be of two sides or more", place))
        for index, step in enumerate(self.forces.turn):
            place = f"{where}/forces.toml: turn[{index}]"
            for key, known in (("side", self.forces.sides), ("phase", self.forces.phases)):
                if (name := getattr(step, key)) not in known:
                    near = did_you_mean(name, known)
                    found.append(
                        Problem(f"{key} must be one of {', '.join(known)}, not {name!r}{near}", f"{place}.{key}")
                    )
        for name, marker_type in self.forces.marker_types.items():
            if marker_type.status is not None:
                for text in self.unknown("status", [marker_type.status]):
                    found.append(Problem(text, f"{where}/forces.toml: marker_types.{name}"))
        for name, country in self.forces.countries.items():
            for chart, key, names in (
                ("sides", "side", [country.side]),
                ("countries", "dependent_of", [country.dependent_of]),
                ("country_traits", "traits", country.traits),
            ):
                for text in self.unknown(chart, [n for n in names if n is not None]):
                    found.append(Problem(text, f"{where}/forces.toml: countries.{name}.{key}"))
        for chart_file, chart_value in (("terrain", self.terrain), ("carriers", self.carriers)):
            found += [Problem(text, f"{where}/{chart_file}.toml: {key}") for text, key in self.unknown_in(chart_value)]
        found += [Problem(text, f"{where}/terrain.toml: {place}") for text, place in self._terrain_problems()]
        found += [Problem(text, f"{where}/look.toml: {key}") for text, key in self.looks.problems(self)]
        return found

    def statement_problems(self, where: str) -> Iterator[Problem]:
        """Yield each statement that is said to be enforced by a rule that there isn't."""
        known = {rule.id for rule in self.rules}
        for index, statement in enumerate(self.statements if self.whole else ()):
            if statement.rule is not None and statement.rule not in known:
                place = f"{where}/statements.toml: statement[{index}] ({statement.id})"
                yield Problem(f"rule must be one of the rulebook's, not {statement.rule!r}", place)

    def _terrain_problems(self) -> Iterator[tuple[str, str]]:
        chart = self.terrain
        prices = [(f"terrain.{name}", entry.prices) for name, entry in chart.terrain.items()]
        prices += [(f"hexsides.{name}", entry.prices) for name, entry in chart.hexsides.items()]
        prices += [(f"routes ({route.feature})", route.prices) for route in chart.routes]
        for place, entries in prices:
            for price in entries:
                yield from ((text, place) for text in self.unknown("phases", price.phases))
                yield from ((text, place) for text in self.unknown("weather", price.weather))
        beside: list[tuple[str, Hexside | Route]] = [
            (f"hexsides.{name}", side) for name, side in chart.hexsides.items()
        ]
        beside += [(f"routes ({route.feature})", route) for route in chart.routes]
        for place, entry in beside:
            yield from ((text, f"{place}.not_with") for text in self.unknown("features", entry.not_with))
            yield from ((text, f"{place}.unless") for text in self.unknown("features", entry.unless))
            if entry.unless and not entry.not_with:
                yield "unless says nothing without not_with", f"{place}.unless"


_ONE_OF = {"countries": "country", "nationalities": "nationality", "status": "status", "features": "feature"}
"""What an entry of a chart is called, where it isn't the chart's name without an s."""
