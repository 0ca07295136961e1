"""Every step of every unit with what the rules say of it: the solver's faces of all rules, asked once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import lcm, prod

from planner.reachability.equivalent_hexes import Alike
from planner.rules.base import Rule, Way
from planner.rules.demands import Arc, Before, Demand, Gone, control_of
from planner.rules.game import Game
from planner.rules.kinds.bogging import Bogging
from planner.rules.kinds.hex_to_hex import HexToHex
from planner.rules.kinds.overrun import AnyOverrun
from planner.rules.kinds.passage import Passage
from planner.rules.kinds.stacking import Stacking
from planner.rules.play import way_of, ways_from
from planner.world.forces import Unit
from planner.world.selectors import UnitSelector, selectors_in


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
    removes : tuple of str
        Who is gone after it: the victims of an overrun, and markers or control that matter to others.
    carried : bool
        Whether it needs a carrier.
    aboard : bool
        Whether it is one of a way that carries units, and so written like that, whether or not it needs a carrier.
    """

    arc: Arc
    cost: int
    now: tuple[Demand, ...]
    onward: tuple[Demand, ...]
    removes: tuple[str, ...] = ()
    carried: bool = False
    aboard: bool = False

    @property
    def free(self) -> bool:
        """Whether the step, and moving on after it, needs nothing, and nothing is gone after it."""
        return not (self.now or self.onward or self.removes or self.arc.victims is not None)

    def needs(self, leg: int) -> tuple[Demand, ...]:
        """Return what the step needs when it is the step of a path with this index."""
        return tuple(aboard(demand, leg) for demand in self.now) if self.carried else self.now


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
        self._steps: dict[str, dict[tuple[str, Before, bool], tuple[Step, ...]]] = {}
        self._overruns: dict[object, tuple[Step, ...]] = {}
        self._pick_up: dict[str, tuple[Demand, ...]] = {}
        self._limits: dict[tuple[str, str], int] = {}
        self._profiles: dict[tuple[object, ...], dict[tuple[str, Before, bool], tuple[Step, ...]]] = {}
        self._by_ma: dict[tuple[int, Fraction], dict[tuple[str, Before, bool], tuple[Step, ...]]] = {}
        self._not_plain: set[tuple[str, Before]] = set()
        self._alike = Alike(game)
        self._patterns: dict[int, dict[object, tuple[Step, ...] | None]] = {}
        self._relevant: dict[str, tuple[Rule, ...]] = {}
        # What rules that ask the same from anywhere ask of steps of a kind into a hex, by their ids.
        self._into: dict[tuple[object, ...], dict[str, tuple[Demand, ...]]] = {}

    def check_time(self) -> None:
        """Raise when the time is up; a table by itself has all the time there is."""

    @cached_property
    def rules(self) -> tuple[Rule, ...]:
        """The rules, but for those left out."""
        return tuple(rule for rule in self.game.rulebook.rules if rule.id not in self.without)

    @cached_property
    def scale(self) -> int:
        """The number by which MP are multiplied to be whole."""
        amounts = list(self.game.rulebook.terrain.amounts())
        amounts += [unit.ma for unit in self.game.units.values()]
        amounts += [amount for rule in self.game.rulebook.rules for amount in rule.amounts()]
        amounts += [way.takes for way in self.game.rulebook.ways if isinstance(way, Passage) and way.takes is not None]
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

    def overdraft(self, unit: str, overrun: bool = False, to: str | None = None) -> Demand | None:
        """Return what moving on needs after a first hex that overdrew the MA; None: no such exemption."""
        counter = self.game.units[unit]
        demands = (rule.overdraft_demand(self.game, counter, overrun, to) for rule in self.rules)
        return next((demand for demand in demands if demand is not None), None)

    def limit(self, unit: Unit, label: str) -> int:
        """Return what a unit may have spent at most on entering a hex, scaled, but for the first hex."""
        if not self._limiting:
            return self._whole_ma(unit)
        key = (unit.id, label)
        found = self._limits.get(key)
        if found is None:
            limits = (rule.entry_limit(self.game, unit, label) for rule in self._limiting)
            most = min((limit[0] for limit in limits if limit is not None), default=unit.ma)
            found = self._limits[key] = int(min(most, unit.ma) * self.scale)
        return found

    def _whole_ma(self, unit: Unit) -> int:
        found = self._limits.get((unit.id, ""))
        if found is None:
            found = self._limits[unit.id, ""] = int(unit.ma * self.scale)
        return found

    def affords(self, unit: Unit, step: Step, spent: int, first: bool) -> bool:
        """Tell whether a unit may make a step, having spent so much with it; `first`: as its first of the phase."""
        if spent <= self.limit(unit, step.arc.to):
            return True
        return first and self.overdraft(unit.id, step.arc.overrun, step.arc.to) is not None

    # -- steps

    @cached_property
    def joint(self) -> bool:
        """Whether units overrun together, so that a unit's own steps are plain ones alone."""
        return any(isinstance(rule, AnyOverrun) and rule.joint for rule in self.game.rulebook.rules)

    @cached_property
    def relies_on_rolls(self) -> bool:
        """Whether some overrun whose result is rolled may be likely enough for others to rely on it."""
        rules = [rule for rule in self.game.rulebook.rules if isinstance(rule, AnyOverrun)]
        joint = any(rule.joint and rule.best_chance >= self.game.situation.confidence for rule in rules)
        return joint or any(rule.bogs for rule in self.rules)

    @cached_property
    def rolls(self) -> bool:
        """Whether some results are rolled, or made by several units together, so that a model needs possibilities."""
        return self.joint or any(rule.bogs for rule in self.rules)

    @cached_property
    def counts_hexes(self) -> int:
        """Up to which number it matters how many hexes a unit has entered, whatever MP they cost."""
        return max((rule.counts_hexes for rule in self.rules), default=0)

    def rolls_alone(self, unit: Unit) -> bool:
        """Tell whether a unit may have to roll for steps that it makes alone."""
        return any(isinstance(rule, Bogging) and rule.who.matches(unit) for rule in self.rules)

    def roll_of(self, unit: Unit, arc: Arc, hexes: int) -> Fraction:
        """Return the probability that a unit gets on from a step that it makes alone, its how-manieth of the phase."""
        rolling = (rule for rule in self.rules if rule.bogs)
        return prod(
            (rule.arc_chance(self.game, [unit], replace(arc, hexes=hexes)) for rule in rolling), start=Fraction(1)
        )

    @cached_property
    def may_be_left_undone(self) -> bool:
        """Whether a move may rely on a result that may fail, and so be left undone."""
        return self.relies_on_rolls and self.game.situation.confidence < 1

    def arcs(self, unit: Unit, label: str, before: Before, overruns: bool = True) -> Iterable[Arc]:
        """Yield the steps that lead out of a place, plain ones and overruns."""
        for way in ways_from(self.game, label):
            for arc in way.offers(self.game, unit, label, before):
                if way_of(self.game, unit, label, arc.to, way.carries).id == way.id:
                    yield arc
                    if way.overruns and overruns and (victims := self.victims_at(arc.to)):
                        yield replace(arc, victims=victims)

    def victims_at(self, label: str) -> tuple[str, ...]:
        """Return the enemies that an overrun of a hex would eliminate."""
        enemies = self.game.enemies_at(label)
        if not enemies:
            return ()
        rules = [rule for rule in self.game.rulebook.rules if isinstance(rule, AnyOverrun)]
        return tuple(victim for rule in rules for victim in rule.victims(self.game, enemies))

    def readings(
        self,
        unit: Unit,
        origin: str,
        to: str,
        before: Before,
        overrun: bool,
        carrier: str | None,
        attempts: int = 1,
        fails: bool = False,
        hexes: int = 0,
    ) -> Iterable[Arc]:
        """Yield what a written step may mean, possible or not: one arc for each zone that it may cross."""
        way = way_of(self.game, unit, origin, to, carrier is not None)
        victims = self.victims_at(to) if overrun else None
        yield from way.readings(
            self.game,
            unit,
            Arc(origin, to, victims, way.id, "", before, carrier or "", attempts, fails=fails, hexes=hexes),
        )

    def overrun_steps(self, unit: Unit, origin: str, to: str, attempts: int = 1) -> tuple[Step, ...]:
        """Return the step by which a unit would take part in an overrun, if it may at all."""
        key = (unit.id, origin, to, attempts)
        if key not in self._overruns:
            arcs = self.readings(unit, origin, to, None, True, None, attempts) if self.victims_at(to) else ()
            steps = (step for arc in arcs for step in self.variants(unit, arc))
            self._overruns[key] = tuple(step for step in steps if all(demand.any_of for demand in step.now))
        return self._overruns[key]

    def together(self, team: Sequence[Unit], step: Step) -> Step:
        """Return a step of the first of some units with what they need to make it together."""
        demands = (demand for rule in self.rules for demand in rule.together_demands(self.game, team, step.arc))
        return replace(step, now=(*step.now, *demands))

    def chance(self, team: Sequence[Unit], arc: Arc) -> Fraction:
        """Return the probability that a step that units make together goes through."""
        return prod((rule.arc_chance(self.game, team, arc) for rule in self._rolling), start=Fraction(1))

    def after(self, arc: Arc) -> Before:
        """Return what the next step may need to know of this one."""
        way = self._way(arc.way)
        return (way.procedure, arc.zone) if way is not None and self._several_ways else None

    def _way(self, way: str) -> Way | None:
        return self.game.rulebook.way(way)

    @cached_property
    def _several_ways(self) -> bool:
        return not all(isinstance(way, HexToHex) for way in self.game.rulebook.ways)

    @cached_property
    def tokens(self) -> frozenset[str]:
        """What else than enemy units may have to be gone for some step: markers, control of places."""
        contested = (control_of(label) for label in self.game.situation.contested)
        return frozenset([*contested, *(token for rule in self.rules for token in rule.tokens(self.game))])

    @property
    def limits_entry(self) -> bool:
        """Whether a unit may have less MP on entering some hexes than its MA."""
        return bool(self._limiting)

    @cached_property
    def _limiting(self) -> tuple[Rule, ...]:
        return tuple(rule for rule in self.rules if type(rule).entry_limit is not Rule.entry_limit)

    @cached_property
    def _demanding(self) -> tuple[Rule, ...]:
        return tuple(rule for rule in self.rules if type(rule).arc_demands is not Rule.arc_demands)

    @cached_property
    def _rolling(self) -> tuple[Rule, ...]:
        return tuple(rule for rule in self.rules if type(rule).arc_chance is not Rule.arc_chance)

    @cached_property
    def _pricing(self) -> tuple[Rule, ...]:
        plain = Rule.arc_prices, Rule.arc_cost
        return tuple(rule for rule in self.rules if (type(rule).arc_prices, type(rule).arc_cost) != plain)

    @cached_property
    def _removing(self) -> tuple[Rule, ...]:
        return tuple(rule for rule in self.rules if type(rule).removals is not Rule.removals)

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
        for prices in product(*(tuple(rule.arc_prices(self.game, unit, arc)) for rule in self._pricing)):
            asked = [demand for _, wanted in prices for demand in wanted]
            cost = prices[0][0] if len(prices) == 1 else sum((mp for mp, _ in prices), Fraction(0))
            yield self._step(unit, arc, cost, [*demands, *asked])

    def _demands(self, unit: Unit, arc: Arc) -> list[Demand]:
        """List what all rules say of one step; what is the same from wherever it comes is worked out once."""
        demands: list[Demand] = []
        common = not (arc.zone or arc.carrier or arc.fails or arc.hexes) and arc.attempts == 1
        # What a step that isn't plain needs may depend on the MA.
        ma = None if (way := self._way(arc.way)) is not None and way.plain else unit.ma
        known: dict[str, tuple[Demand, ...]] | None = None
        if common:
            known = self._into.setdefault((id(self._profile(unit.id)), ma, arc.to, arc.victims, arc.way), {})
        for rule in self._demanding_of(unit):
            if known is None or rule.id not in self._from_anywhere:
                demands += rule.arc_demands(self.game, unit, arc)
                continue
            found = known.get(rule.id)
            if found is None:
                found = known[rule.id] = tuple(rule.arc_demands(self.game, unit, arc))
            demands += found
        return demands

    @cached_property
    def _from_anywhere(self) -> frozenset[str]:
        """The ids of the rules that ask the same of a step into a hex from wherever it comes."""
        return frozenset(rule.id for rule in self._demanding if rule.same_from_anywhere(self.game))

    def _step(self, unit: Unit, arc: Arc, cost: Fraction, demands: Sequence[Demand]) -> Step:
        tokens = self.tokens
        removing = self._removing if tokens else ()
        removed = (token for rule in removing for token in rule.removals(self.game, unit, arc))
        return Step(
            arc,
            cost.numerator * self.scale // cost.denominator,
            tuple(demand for demand in demands if not demand.onward),
            tuple(demand for demand in demands if demand.onward),
            (*(arc.victims or ()), *(token for token in removed if token in tokens)),
            any(atom.boards for demand in demands for atom in demand.atoms),
            (way := self._way(arc.way)) is not None and way.carries,
        )

    def _profile(self, unit: str) -> dict[tuple[str, Before, bool], tuple[Step, ...]]:
        """Return the known steps of all units that differ from a unit in nothing that a selector sees."""
        known = self._steps.get(unit)
        if known is None:
            counter = self.game.units[unit]
            key: tuple[object, ...] = (counter.side, counter.type, counter.traits, counter.nationalities, counter.steps)
            key += (counter.supplied,)
            if self.game.rulebook.terrain.takes_whole_ma:
                key += (counter.ma,)
            if self._counts_at_any_time:
                key += (counter.size, counter.defense)
            if unit in self._named_units:
                key += (unit,)
            known = self._steps[unit] = self._profiles.setdefault(key, {})
        return known

    def steps(self, unit: str, label: str, before: Before = None, overruns: bool = False) -> tuple[Step, ...]:
        """Return the steps of a unit out of a place that are possible under some conditions.

        Overruns that units make together are among them only if `overruns` says so.
        """
        known = self._profile(unit)
        overruns = overruns or not self.joint
        found = known.get((label, before, overruns))
        if found is None:
            self.check_time()
            patterns = self._patterns.setdefault(id(known), {})
            found = self._steps_from(self.game.units[unit], label, before, overruns, patterns)
            if found is None:
                # What such steps cost may depend on the MA.
                own = self._by_ma.setdefault((id(known), self.game.units[unit].ma), {})
                found = own.get((label, before, overruns))
                if found is None:
                    counter = self.game.units[unit]
                    found = own[label, before, overruns] = self._possible(
                        counter, self.arcs(counter, label, before, overruns)
                    )
                return found
            known[label, before, overruns] = found
        return found

    def _steps_from(
        self,
        unit: Unit,
        label: str,
        before: Before,
        overruns: bool,
        patterns: dict[object, tuple[Step, ...] | None],
    ) -> tuple[Step, ...] | None:
        """List the possible steps out of a place; what is known of steps between such hexes is taken from there.

        None: steps that aren't plain lead out of it.
        """
        if (label, before) in self._not_plain:
            return None
        here = self._alike.class_of(label)
        if here is None:
            arcs_out = list(self.arcs(unit, label, before, overruns))
            return self._possible(unit, arcs_out) if self._all_plain(label, before, arcs_out) else None
        board = self.game.board
        arcs: list[Arc] | None = None
        found: list[Step] = []
        if (here, before) not in patterns:
            arcs = list(self.arcs(unit, label, before, overruns))
            # Where steps lead farther than to neighbours, each hex is looked at by itself.
            far = any(arc.to not in board.neighbours[label] for arc in arcs)
            patterns[here, before] = None if far else ()
        if patterns[here, before] is None:
            arcs = list(self.arcs(unit, label, before, overruns)) if arcs is None else arcs
            return self._possible(unit, arcs) if self._all_plain(label, before, arcs) else None
        for to in board.neighbours[label]:
            there = self._alike.class_of(to)
            key = (here, there, board.hexside(label, to), before)
            pattern = None if there is None else patterns.get(key)
            if pattern is None:
                if arcs is None:
                    arcs = list(self.arcs(unit, label, before, overruns))
                if not self._all_plain(label, before, arcs):
                    return None
                steps = self._possible(unit, (arc for arc in arcs if arc.to == to))
                if there is not None and all(_says_nothing_of_places(step) for step in steps):
                    patterns[key] = steps
                found += steps
            else:
                for step in pattern:
                    arc = step.arc
                    same = Arc(label, to, None, arc.way, arc.zone, arc.before)
                    found.append(Step(same, step.cost, step.now, step.onward))
        return tuple(found)

    def _all_plain(self, label: str, before: Before, arcs: Iterable[Arc]) -> bool:
        """Tell whether some steps out of a place are all plain ones; where they aren't, it is remembered."""
        if all(self.game.rulebook.ways_by_id[arc.way].plain for arc in arcs):
            return True
        self._not_plain.add((label, before))
        return False

    def _possible(self, unit: Unit, arcs: Iterable[Arc]) -> tuple[Step, ...]:
        """Return the steps of some arcs that are possible under some conditions."""
        candidates = (step for arc in arcs for step in self.variants(unit, arc))
        useful = (_needing_victims(step) for step in candidates)
        return tuple(step for step in useful if all(demand.any_of for demand in step.now))

    @cached_property
    def _counts_at_any_time(self) -> bool:
        """Whether it matters for steps what units count towards stacking limits."""
        return any(isinstance(rule, Stacking) and rule.always for rule in self.rules)

    @cached_property
    def _named_units(self) -> frozenset[str]:
        """The units that rules, charts or the scenario name one by one, which share no steps with others."""
        book, situation = self.game.rulebook, self.game.situation
        barriers = (barrier for those in situation.restrictions.values() for barrier in those)
        return frozenset(
            unit
            for value in (*book.rules, book.terrain, book.carriers, *barriers)
            for _, selector in selectors_in(value)
            if isinstance(selector, UnitSelector)
            for unit in selector.units
        )


def _says_nothing_of_places(step: Step) -> bool:
    """Tell whether what the rules say of a plain step would be the same in other places."""
    asked = (demand for demand in (*step.now, *step.onward))
    return (
        step.arc.victims is None
        and not step.removes
        and not step.carried
        and all(demand.at is None and not demand.blame and not any(demand.any_of) for demand in asked)
    )


def _needing_victims(step: Step) -> Step:
    """Leave out what could only be fulfilled if nobody were left to be overrun: the plain step is there for that."""
    if not step.arc.victims:
        return step
    nobody = frozenset(Gone(victim) for victim in step.arc.victims)
    now = tuple(replace(d, any_of=tuple(c for c in d.any_of if not nobody <= c)) for d in step.now)
    return replace(step, now=now)


def aboard(demand: Demand, leg: int) -> Demand:
    """Say of each carrier that a demand asks for, for which step of a path it is needed."""
    if not any(atom.boards for atom in demand.atoms):
        return demand
    any_of = tuple(frozenset(atom.on_leg(leg) for atom in conjunction) for conjunction in demand.any_of)
    return replace(demand, any_of=any_of)
