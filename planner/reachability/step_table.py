"""Every step of every unit with what the rules say of it: the solver's faces of all rules, asked once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from itertools import count, product

from planner.plans.plan import Move
from planner.reachability.equivalent_hexes import EquivalentHexes
from planner.reachability.ground import UnitGround
from planner.reachability.step_rules import Step, StepRules
from planner.rules.atoms import Gone
from planner.rules.base import Rule, Way
from planner.rules.demands import Arc, Before, Demand
from planner.rules.game import Game
from planner.rules.play import NO_MP, way_of, ways_from
from planner.rules.roles import Exhausts, Prices, Removes, Stacks
from planner.world.forces import Unit
from planner.world.selectors import UnitSelector, selectors_in

_Place = tuple[str, Before, bool]
"""A place that is left, the step before, and whether joint overruns count."""

Leads = tuple[tuple[str, Step], ...]
"""Where steps lead, each with what is a step there, or one that is like it between other hexes (`Step.between`)."""

_Known = dict[_Place, Leads]
"""Steps by the place that they leave."""

_Pattern = dict[object, tuple[Step, ...]]
"""Steps by the classes of the hexes that they leave and enter; nothing by that of a hex out of which all are such."""


class StepTables:
    """The steps that have been listed of one game.

    Parameters
    ----------
    game : Game
        The game.

    Attributes
    ----------
    profiles : dict
        The known steps of all units that no selector tells apart, by what it sees of them.
    patterns : dict
        Those between hexes that no rule tells apart, by the identity of the former.
    by_ma : dict
        The known steps that depend on the MA, too, by the same identity and the MA.
    not_plain : set
        The places that are left by other ways, too, with the steps before.
    alike : EquivalentHexes
        The classes of hexes.
    """

    def __init__(self, game: Game) -> None:
        self.profiles: dict[tuple[object, ...], _Known] = {}
        self.patterns: dict[int, _Pattern] = {}
        self.by_ma: dict[tuple[int, Fraction], _Known] = {}
        self.not_plain: set[tuple[str, Before]] = set()
        self.alike = EquivalentHexes(game)

    def take_over(self, other: StepTables, changed: frozenset[str]) -> None:
        """Take over the steps of another game of the same ground, but for those out of places where they have changed."""
        self.not_plain = {known for known in other.not_plain.copy() if known[0] not in changed}
        renamed = {}
        for profile, known in other.profiles.copy().items():
            own = self.profiles[profile] = _unchanged(known, changed)
            renamed[id(known)] = id(own)
        for number, pattern in other.patterns.copy().items():
            if number in renamed:  # another thread may have gone on meanwhile
                self.patterns[renamed[number]] = pattern.copy()
        for (number, ma), known in other.by_ma.copy().items():
            if number in renamed:
                self.by_ma[renamed[number], ma] = _unchanged(known, changed)
        self.alike.take_over(other.alike)  # last, so that there is no pattern whose classes have no numbers


def _unchanged(known: _Known, changed: frozenset[str]) -> _Known:
    """Return known steps but for those out of some places."""
    copied = known.copy()
    return {key: steps for key, steps in copied.items() if key[0] not in changed} if changed else copied


class StepTable(StepRules):
    """The steps of one game; parameters are those of `StepRules`."""

    def __init__(self, game: Game, without: frozenset[str] = frozenset()) -> None:
        super().__init__(game, without)
        self.tables = StepTables(game)
        self._steps: dict[str, _Known] = {}
        # Steps with their own places, by the identity of what is known of them.
        self._placed: dict[int, tuple[Leads, tuple[Step, ...]]] = {}
        self._overruns: dict[object, tuple[Step, ...]] = {}
        # Units of a profile that differ by their names alone, by a number: what they overrun is the same.
        self._kinds: dict[str, int] = {}
        self._kinds_by_look: dict[tuple[int, Unit], int] = {}
        self._numbers = count()  # no number is given twice, whichever thread asks for one
        self._relevant: dict[str, tuple[Rule, ...]] = {}
        self.grounds: dict[object, UnitGround] = {}
        # What is asked of steps of a kind into a hex, in order; rules that don't ask the same from anywhere in their places.
        self._into: dict[tuple[object, ...], list[Rule | tuple[Demand, ...]]] = {}
        self._from_anywhere: dict[str, frozenset[str]] = {}

    def forget_units_unlike(self, game: Game) -> None:
        """Forget what is known of friends if some have got or lost traits, by which steps are known, since another game."""
        units = self.game.units
        if any(units[unit].traits != game.units[unit].traits for unit in game.friends):
            self._steps, self._overruns, self._relevant, self._tallied, self._entry_limits = {}, {}, {}, {}, {}
            self._kinds, self._kinds_by_look = {}, {}

    def _ways_on(self, label: str, before: Before) -> tuple[Way, ...]:
        """Return the ways by which steps out of a place may be possible."""
        ways = ways_from(self.game, label)
        return tuple(way for way in ways if way.may_follow(before) or way.id in self.without)

    def _arcs_on(self, unit: Unit, label: str, before: Before, overruns: bool) -> Iterator[Arc]:
        """Yield the steps that lead out of a place and may be possible, plain ones and overruns."""
        for way in self._ways_on(label, before):
            yield from self._arcs_of(way, unit, label, before, overruns)

    def _arcs_of(self, way: Way, unit: Unit, label: str, before: Before, overruns: bool) -> Iterator[Arc]:
        """Yield the steps of one way that lead out of a place, plain ones and overruns."""
        for arc in way.offers(self.game, unit, label, before):
            if way_of(self.game, unit, label, arc.to, way.carries).id == way.id:
                yield arc
                if way.overruns and overruns and (victims := self.victims_at(arc.to)):
                    yield replace(arc, victims=victims)

    def readings(self, unit: Unit, move: Move, step: int, before: Before = None) -> Iterable[Arc]:
        """Yield what a step of a written move may mean, possible or not: one arc for each zone that it may cross."""
        (origin, to), carrier = move.path[step - 1 : step + 1], move.carrier(step)
        overrun = step in move.overruns and not self.game.rulebook.fights
        victims = self.victims_at(to) if overrun else None
        way = way_of(self.game, unit, origin, to, carrier is not None)
        hexes = self.departed(unit.id).steps + step
        arc = Arc(origin, to, victims, way.id, "", before, carrier or "", move.tries(step), hexes=hexes)
        yield from way.readings(self.game, unit, arc)

    def overrun_steps(
        self, unit: Unit, origin: str, to: str, attempts: int = 1, before: Before = None
    ) -> tuple[Step, ...]:
        """Return the step by which a unit would take part in an overrun, if it may at all."""
        key = (self.kind_of(unit), origin, to, attempts, before)
        found = self._overruns.get(key)
        if found is None:
            way, victims = way_of(self.game, unit, origin, to), self.victims_at(to)
            arc = Arc(origin, to, victims, way.id, before=before, attempts=attempts)
            arcs = way.readings(self.game, unit, arc) if victims else ()
            steps = (step for arc in arcs for step in self.variants(unit, arc))
            found = self._overruns[key] = tuple(step for step in steps if all(demand.any_of for demand in step.now))
        return found

    def kind_of(self, unit: Unit) -> int:
        """Return a number that units have in common which differ by their names alone, and of which rules say the same."""
        found = self._kinds.get(unit.id)
        if found is None:
            look = id(self.profile(unit.id)), replace(unit, id="", name="")
            found = self._kinds[unit.id] = self._kinds_by_look.setdefault(look, next(self._numbers))
        return found

    @cached_property
    def _demanding(self) -> tuple[Rule, ...]:
        return tuple(rule for rule in self.rules if rule.overrides(Rule.arc_demands))

    @cached_property
    def _pricing(self) -> tuple[Prices, ...]:
        return self.of(Prices)

    @cached_property
    def _removing(self) -> tuple[Removes, ...]:
        return self.of(Removes)

    @cached_property
    def _exhausting(self) -> tuple[Exhausts, ...]:
        phase = self.game.situation.phase
        return tuple(rule for rule in self.of(Exhausts) if not rule.phases or phase in rule.phases)

    def _demanding_of(self, unit: Unit) -> tuple[Rule, ...]:
        """Return the rules that may ask anything of a unit's steps."""
        found = self._relevant.get(unit.id)
        if found is None:
            found = tuple(rule for rule in self._demanding if rule.concerns(self.game, unit))
            self._relevant[unit.id] = found
        return found

    def variants(self, unit: Unit, arc: Arc) -> Iterable[Step]:
        """Yield what the rules say of one step, possible or not: once for each price that may be paid."""
        demands = self._demands(unit, arc)
        for prices in product(*[tuple(rule.arc_prices(self.game, unit, arc)) for rule in self._pricing]):
            asked, cost = demands, NO_MP
            for mp, wanted in prices:
                if wanted:
                    asked = [*asked, *wanted]
                if mp:
                    cost = cost + mp if cost else mp
            yield self._step(unit, arc, cost, asked)

    def _demands(self, unit: Unit, arc: Arc) -> list[Demand]:
        """List what all rules say of one step; what is the same from wherever it comes is worked out once."""
        if arc.zone or arc.carrier or arc.fails or arc.hexes or arc.attempts != 1:
            return [demand for rule in self._demanding_of(unit) for demand in rule.arc_demands(self.game, unit, arc)]
        # What a step that isn't plain needs may depend on the MA.
        ma = None if (way := self._way(arc.way)) is not None and way.plain else unit.ma
        key = (id(self.profile(unit.id)), ma, arc.to, arc.victims, arc.way, arc.before)
        known = self._into.get(key)
        if known is None:
            known = self._into[key] = self._asked_into(unit, arc)
        demands: list[Demand] = []
        for asked in known:
            demands += asked if isinstance(asked, tuple) else asked.arc_demands(self.game, unit, arc)
        return demands

    def _asked_into(self, unit: Unit, arc: Arc) -> list[Rule | tuple[Demand, ...]]:
        """List what rules ask of a step that would ask the same from anywhere, and the other rules, in their order."""
        same = self._from_anywhere.get(arc.way)
        if same is None:
            rules = (rule for rule in self._demanding if rule.same_from_anywhere(self.game, arc.way))
            same = self._from_anywhere[arc.way] = frozenset(rule.id for rule in rules)
        found: list[Rule | tuple[Demand, ...]] = []
        for rule in self._demanding_of(unit):
            if rule.id not in same:
                found.append(rule)
            elif asked := tuple(rule.arc_demands(self.game, unit, arc)):
                found.append(asked)
        return found

    def _step(self, unit: Unit, arc: Arc, cost: Fraction, demands: Sequence[Demand]) -> Step:
        tokens, way = self.tokens, self._way(arc.way)
        removes: tuple[str, ...] = arc.victims or ()
        for rule in self._removing if tokens else ():
            removes += tuple([token for token in rule.removals(self.game, unit, arc) if token in tokens])
        rests = (rule.arc_exhausts(self.game, unit, arc) for rule in self._exhausting)
        return Step(
            arc,
            cost.numerator * self.scale // cost.denominator,
            tuple([demand for demand in demands if not demand.onward]),
            tuple([demand for demand in demands if demand.onward]),
            removes,
            any(atom.boards for demand in demands for atoms in demand.any_of for atom in atoms),
            way is not None and way.carries,
            next((rest for rest in rests if rest is not None), None),
        )

    def depends_on_ma(self, label: str, before: Before) -> bool:
        """Tell of a place whose steps have been listed whether they may depend on the MA of who leaves it."""
        return (label, before) in self.tables.not_plain

    def profile(self, unit: str) -> _Known:
        """Return the known steps of all units that differ from a unit in nothing that a selector sees."""
        known = self._steps.get(unit)
        if known is None:
            counter = self.game.units[unit]
            key: tuple[object, ...] = (counter.side, counter.type, counter.traits, counter.nationalities)
            key += (counter.steps, counter.supplied, counter.arrives)
            if self.game.rulebook.terrain.takes_whole_ma:
                key += (counter.ma,)
            if self._counts_at_any_time:
                key += (counter.size, counter.defense)
            if unit in self._named_units:
                key += (unit,)
            known = self._steps[unit] = self.tables.profiles.setdefault(key, {})
        return known

    def steps(self, unit: str, label: str, before: Before = None, overruns: bool = False) -> tuple[Step, ...]:
        """Return the steps of a unit out of a place that are possible under some conditions.

        Overruns that units make together are among them only if `overruns` says so.
        """
        leads = self.leads(unit, label, before, overruns)
        found = self._placed.get(id(leads))
        if found is None:
            found = self._placed[id(leads)] = leads, tuple([step.between(label, to) for to, step in leads])
        return found[1]

    def leads(self, unit: str, label: str, before: Before = None, overruns: bool = False) -> Leads:
        """Return where the steps of a unit out of a place lead, and what they are; as `steps`, but for what is alike."""
        known = self.profile(unit)
        overruns = overruns or not self.joint
        found = known.get((label, before, overruns))
        if found is None:
            self.check_time()
            counter, patterns = self.game.units[unit], self.tables.patterns.setdefault(id(known), {})
            found = self._leads_from(counter, label, before, overruns, patterns)
            if found is None:
                # What such steps cost may depend on the MA.
                own = self.tables.by_ma.setdefault((id(known), counter.ma), {})
                found = own.get((label, before, overruns))
                if found is None:
                    found = own[label, before, overruns] = _leads(
                        self._possible(counter, self._arcs_on(counter, label, before, overruns))
                    )
                return found
            known[label, before, overruns] = found
        return found

    def _leads_from(self, unit: Unit, label: str, before: Before, overruns: bool, patterns: _Pattern) -> Leads | None:
        """List where the possible steps out of a place lead; what is known of steps between such hexes is taken from there.

        None: steps that aren't plain lead out of it.
        """
        if (label, before) in self.tables.not_plain:
            return None
        here, neighbours = self.tables.alike.class_of(label), self.game.board.neighbours[label]
        arcs: list[Arc] | None = None
        if here is None or patterns.get((here, before)) is None:
            if not self._all_plain(unit, label, before):
                return None
            arcs = list(self._arcs_on(unit, label, before, overruns))
            # Where steps lead farther than to neighbours, each hex is looked at by itself.
            if here is None or any(arc.to not in neighbours for arc in arcs):
                return _leads(self._possible(unit, arcs))
            patterns[here, before] = ()
        found: list[tuple[str, Step]] = []
        for to, key in self.tables.alike.around(label):
            pattern = None if key is None else patterns.get((key, before))
            if pattern is None:
                if arcs is None:
                    if not self._all_plain(unit, label, before):
                        return None
                    arcs = list(self._arcs_on(unit, label, before, overruns))
                steps = self._possible(unit, (arc for arc in arcs if arc.to == to))
                if key is not None and all(map(_says_nothing_of_places, steps)):
                    patterns[key, before] = steps
            else:
                steps = pattern
            found += [(to, step) for step in steps]
        return tuple(found)

    def _all_plain(self, unit: Unit, label: str, before: Before) -> bool:
        """Tell whether all steps out of a place are plain ones; where they aren't, it is remembered."""
        for way in self._ways_on(label, before):
            if not way.plain and any(True for _ in self._arcs_of(way, unit, label, before, overruns=False)):
                self.tables.not_plain.add((label, before))
                return False
        return True

    def _possible(self, unit: Unit, arcs: Iterable[Arc]) -> tuple[Step, ...]:
        """Return the steps of some arcs that are possible under some conditions."""
        candidates = (step for arc in arcs for step in self.variants(unit, arc))
        useful = (_needing_victims(step) if step.arc.victims else step for step in candidates)
        return tuple([step for step in useful if not step.now or all(demand.any_of for demand in step.now)])

    @cached_property
    def _counts_at_any_time(self) -> bool:
        """Whether it matters for steps what units count towards stacking limits."""
        return any(rule.when == "always" for rule in self.of(Stacks))

    @cached_property
    def _named_units(self) -> frozenset[str]:
        """The units that rules, charts or the scenario name one by one, which share no steps with others."""
        barriers = (barrier for those in self.game.situation.restrictions.values() for barrier in those)
        selectors = (selector for barrier in barriers for _, selector in selectors_in(barrier))
        return frozenset(
            unit
            for selector in (*self.game.rulebook.selectors, *selectors)
            if isinstance(selector, UnitSelector)
            for unit in selector.units
        )


def _leads(steps: Iterable[Step]) -> Leads:
    return tuple((step.arc.to, step) for step in steps)


def _says_nothing_of_places(step: Step) -> bool:
    """Tell whether what the rules say of a step would be the same in other places."""
    asked = (demand for demand in (*step.now, *step.onward))
    return (
        step.arc.victims is None
        and not step.removes
        and not step.carried
        and not step.aboard
        and all(demand.at is None and not demand.blame and not any(True for _ in demand.atoms) for demand in asked)
    )


def _needing_victims(step: Step) -> Step:
    """Leave out what could only be fulfilled if nobody were left to be overrun: the plain step is there for that."""
    nobody = frozenset([Gone(victim) for victim in step.arc.victims or ()])
    if not any(nobody <= conjunction for demand in step.now for conjunction in demand.any_of):
        return step
    now = tuple(replace(d, any_of=tuple(c for c in d.any_of if not nobody <= c)) for d in step.now)
    return replace(step, now=now)
