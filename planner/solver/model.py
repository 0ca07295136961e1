"""A whole model: a unit layer, the coupling layer, requirements and the tiers of the objective."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from collections.abc import Sequence as SequenceOf
from dataclasses import dataclass, field, replace
from fractions import Fraction
from graphlib import CycleError
from math import lcm
from typing import overload

from planner.errors import DisagreementError, InputError, Problem
from planner.objective import Linear, Term, Tier, terms_of
from planner.objective.goals import Hold
from planner.plans.plan import Move, Plan
from planner.reachability.conditional_reach import ConditionalReach
from planner.reachability.event_reach import EventReach, Itinerary
from planner.reachability.possibility import Possibility
from planner.reachability.stakes import Stakes
from planner.reachability.team_possibility import TeamPossibility
from planner.reachability.team_reach import TeamReach
from planner.rules.attack_prospect import fineness
from planner.rules.combat_roles import JointlyOverruns
from planner.rules.game import Game
from planner.scenario import Scenario
from planner.solver.coupling import Coupling
from planner.solver.cp_sat import Holds, check_time_to_load
from planner.solver.event_layer import Events
from planner.solver.kept_coupling import couple_alone
from planner.solver.move_order import one_by_one
from planner.solver.possibility_layer import Options
from planner.solver.robust_outcome import RobustOutcome
from planner.solver.step_layer import Paths
from planner.solver.tuning import Unions
from planner.world.forces import carrier_of


class Tiers(SequenceOf[Linear]):
    """The values of an objective's tiers in a model, times its scale.

    What plans with attacks may lose, and where they may be attacked, is several times as large as what they may gain: a
    tier is written when it is first asked for, so that those before it are solved without it.

    Parameters
    ----------
    tiers : sequence of Tier
        The tiers.
    coupling : Coupling
        The coupling layer, which gets what they need.
    """

    def __init__(self, tiers: SequenceOf[Tier] = (), coupling: Coupling | None = None) -> None:
        self._tiers, self._coupling = tiers, coupling
        self._written: dict[int, Linear] = {}

    def __len__(self) -> int:
        return len(self._tiers)

    def is_written(self, index: int) -> bool:
        """Tell whether a tier has been asked for."""
        return index in self._written

    @overload
    def __getitem__(self, index: int) -> Linear: ...
    @overload
    def __getitem__(self, index: slice) -> list[Linear]: ...
    def __getitem__(self, index: int | slice) -> Linear | list[Linear]:
        if isinstance(index, slice):
            return [self[place] for place in range(*index.indices(len(self)))]
        place = range(len(self))[index]
        if place not in self._written:
            assert self._coupling is not None
            self._written[place] = tier_of(self._tiers[place], self._coupling)
        return self._written[place]


@dataclass
class Model:
    """A model of one scenario, ready to be solved tier by tier.

    Attributes
    ----------
    scenario : Scenario
        What it is a model of.
    coupling : Coupling
        The coupling layer.
    layer : Options or Paths or Events
        The unit layer.
    tiers : Tiers
        The value of each tier, times `scale`.
    """

    scenario: Scenario
    coupling: Coupling
    layer: Options | Paths | Events
    tiers: Tiers = field(default_factory=Tiers)

    @property
    def scale(self) -> int:
        """By which the tiers' values are multiplied."""
        return self.coupling.mp_scale

    # -- reading solutions

    def plan(self, holds: Holds) -> Plan:
        """Return the plan of a solution.

        Parameters
        ----------
        holds : callable
            Tells of a literal whether it holds.

        Raises
        ------
        DisagreementError
            If the solution puts the moves in no order.
        """
        return replace(self._moves(holds), attacks=self.coupling.declared(holds))

    def _moves(self, holds: Holds) -> Plan:
        """Return the moves of a solution."""
        if isinstance(self.layer, Events):
            return self.layer.plan(holds)
        moves = self._chosen(holds)
        coupling, place = self.coupling, self.scenario.game.order
        assert coupling.order is not None
        among = coupling.order.pairs().items()
        pairs = [pair for pair, literal in among if pair[0] in moves and pair[1] in moves and holds(literal)]
        try:
            ordered = one_by_one(moves, pairs, place.__getitem__)
        except CycleError as error:
            dump = f"scenario: {self.scenario.where}\nmoves:\n{Plan(tuple(moves.values()))}\n"
            raise DisagreementError("the solver's order of the moves must not run in a circle", dump) from error
        aboard = self._aboard({unit: moves[unit] for unit in ordered}, holds)
        together = self.stacks and bool(self.scenario.game.rulebook.of(JointlyOverruns))
        return Plan(tuple(aboard if together else self._without_idle_overruns(aboard)))

    @property
    def stacks(self) -> bool:
        """Whether units may move as a stack."""
        return self.scenario.game.rulebook.stacks

    def _aboard(self, moves: dict[str, Move], holds: Holds) -> list[Move]:
        """Name the marker that carries each unit on each of its legs, each berth once.

        A unit may hold a berth that it doesn't need, across another zone: the zone of the leg tells which one is meant. Of
        those who are carried together each has a marker of its own, of which a move doesn't tell.
        """
        alone = {unit: move for unit, move in moves.items() if len(move.units) == 1}
        crossed = {(unit, step): zone for unit, move in alone.items() for step, zone in move.carried}
        wanted = dict.fromkeys(crossed, "")
        used: set[str] = set()
        for unit, atom, markers, literal in self.coupling.berths:
            if crossed.get((unit, atom.leg)) == atom.zone and holds(literal):
                wanted[unit, atom.leg] = next((marker for marker in markers if marker not in used), markers[0])
                used.add(wanted[unit, atom.leg])
        return [
            replace(move, carried=tuple((step, carrier_of(wanted.get((unit, step), ""))) for step, _ in move.carried))
            for unit, move in moves.items()
        ]

    def _chosen(self, holds: Holds) -> dict[str, Move]:
        """Return the moves that were chosen, each leg with the zone that it crosses in place of its carrier."""
        moves = {}
        if isinstance(self.layer, Options):
            for unit, options in self.layer.chosen.items():
                for option, literal in options:
                    if holds(literal):
                        moves[unit] = Move((unit,), option.path, option.overruns, option.carried)
            for team, literal in self.layer.teams:
                if holds(literal):
                    moves[team.units[0]] = replace(team.move, carried=team.carried)
        elif isinstance(self.layer, Paths):
            for unit, layers in self.layer.arcs.items():
                steps = [step for layer in layers for step, literal in layer.items() if holds(literal)]
                if steps:
                    path = (steps[0].arc.origin, *(step.arc.to for step in steps))
                    overruns = frozenset(i for i, step in enumerate(steps, 1) if step.arc.overrun)
                    legs = tuple((i, step.arc.zone) for i, step in enumerate(steps, 1) if step.aboard)
                    moves[unit] = Move((unit,), path, overruns, legs)
        return moves

    def _without_idle_overruns(self, moves: list[Move]) -> list[Move]:
        """Make a plain step of each overrun whose victims an earlier move has eliminated already."""
        game = self.scenario.game
        gone: set[str] = set()
        found = []
        for move in moves:
            real = set()
            for step in sorted(move.overruns):
                enemies = game.enemies_at(move.path[step])
                victims = {v for rule in game.rulebook.overrunning for v in rule.victims(game, enemies)}
                if victims - gone:
                    real.add(step)
                    gone |= victims
            found.append(replace(move, overruns=frozenset(real)))
        return found


@dataclass(frozen=True)
class ReliedResults:
    """How the fast form takes it that moves may rely on results that are rolled.

    Attributes
    ----------
    confidence : Fraction
        How likely a result must be at least that others rely on.
    bounding : bool
        Whether every move is valued as if it were made or left undone, whichever is better.
    """

    confidence: Fraction = Fraction(1)
    bounding: bool = False


def build_options(
    scenario: Scenario,
    possibilities: dict[str, list[Possibility]],
    reach: ConditionalReach,
    relying: ReliedResults = ReliedResults(),
    teams: SequenceOf[TeamPossibility] | None = None,
    goals: SequenceOf[Tier] = (),
) -> Model:
    """Build the fast form; `teams` where they have been listed, `goals` if more will be asked for than the objective."""
    if teams is None:
        teams = list_teams(scenario, reach)
    check_time_to_load(reach.limits)
    if not teams and not reach.without and relying == ReliedResults():
        scale = _scale(scenario, reach, teams, goals)
        alone = couple_alone(scenario.game, scale, possibilities, scenario.memory, reach.check_time)
        return _finish(scenario, *alone)
    coupling = _coupling(scenario, reach, teams, goals)
    layer = Options(coupling, possibilities, teams, relying.confidence, relying.bounding)
    coupling.post_rules()
    return _finish(scenario, coupling, layer)


def list_teams(
    scenario: Scenario,
    reach: ConditionalReach,
    goals: SequenceOf[Tier] = (),
    places: Iterable[str] = (),
    apart: frozenset[str] | None = None,
    but: frozenset[str] = frozenset(),
) -> list[TeamPossibility]:
    """Return the possibilities of all units that move together, or roll.

    Parameters
    ----------
    scenario : Scenario
        The objective.
    reach : ConditionalReach
        What single units can do.
    goals : sequence of Tier
        What matters besides.
    places : iterable of str
        Where it matters besides who ends there.
    apart : frozenset of str, optional
        The units of which it matters wherever they end; absent: as `Stakes` has it.
    but : frozenset of str
        The units that are in no team, such as those whose moves are settled.
    """
    matter = what_matters(scenario, goals)
    if matter is None:
        return TeamReach(reach).all_possibilities(but)
    only = _of_whom_alone(scenario, goals)
    for place in places:
        only.pop(place, None)
    return TeamReach(reach, Stakes(matter.union(places), only, apart)).all_possibilities(but)


def _of_whom_alone(scenario: Scenario, goals: SequenceOf[Tier]) -> dict[str, frozenset[str]]:
    """Return, of places of which it matters of some units alone that they end there, these units."""
    found: dict[str, set[str]] = {}
    anybody: set[str] = set()
    for term in terms_of((*scenario.tiers, *goals), scenario.requirements):
        units = term.concerns()
        for name in term.depends_on() or ():
            if units is None:
                anybody.add(name)
            else:
                found.setdefault(name, set()).update(units)
    return {name: frozenset(units) for name, units in found.items() if name not in anybody}


def what_matters(scenario: Scenario, goals: SequenceOf[Tier] = ()) -> frozenset[str] | None:
    """Return the hexes and enemies on which objective, requirements and further goals depend; None: it may be any."""
    found: set[str] = set()
    for term in terms_of((*scenario.tiers, *goals), scenario.requirements):
        names = term.depends_on()
        if names is None:
            return None
        found.update(names)
    return frozenset(found)


def build_paths(scenario: Scenario, reach: ConditionalReach) -> Model:
    """Build the explicit form."""
    coupling = _coupling(scenario, reach)
    layer = Paths(coupling, reach)
    coupling.post_rules()
    return _finish(scenario, coupling, layer)


def build_events(
    scenario: Scenario,
    reach: ConditionalReach,
    events: EventReach | None = None,
    itineraries: Mapping[str, SequenceOf[Itinerary]] | None = None,
) -> Model:
    """Build the form for games in which units may wait for each other; `itineraries` where they have been listed.

    Raises
    ------
    UnsuitedError
        If there is more to the rules than events.
    """
    events = events or EventReach(reach)
    if itineraries is None:
        itineraries = {unit: events.itineraries(unit) for unit in reach.movers}
    check_time_to_load(reach.limits)
    coupling = _coupling(scenario, reach)
    layer = Events(coupling, events, itineraries)
    coupling.post_rules()
    return _finish(scenario, coupling, layer)


def _coupling(
    scenario: Scenario,
    reach: ConditionalReach,
    teams: SequenceOf[TeamPossibility] = (),
    goals: SequenceOf[Tier] = (),
) -> Coupling:
    scale = _scale(scenario, reach, teams, goals)
    return Coupling(scenario.game, scale, without=reach.without, tick=reach.check_time)


def _scale(
    scenario: Scenario, reach: ConditionalReach, teams: SequenceOf[TeamPossibility], goals: SequenceOf[Tier]
) -> int:
    """Return by which everything that a model counts is multiplied, so that it is whole."""
    # Expected values are no whole MP.
    fractions = {mp for team in teams for mp in team.expected_mp}
    fractions |= {chance for team in teams for unit in team.units for _, chance in team.places(unit)}
    fractions |= {fork.chance for team in teams for fork in team.forks}
    scale = lcm(reach.scale, *(fraction.denominator for fraction in fractions))
    scale = _fine_enough(scale, (*scenario.tiers, *goals), teams)
    if scenario.asks_for_attacks:
        scale = lcm(scale, fineness(scenario.game))
    if scale > Unions.largest:
        what = (
            "what plans may come to, in MP and probabilities, has no common denominator below 2**60, and can't be searched: "
            "fewer dice to roll in one move, or simpler fractions, would help"
        )
        raise InputError([Problem(what, scenario.where)])
    return scale


def _fine_enough(scale: int, tiers: SequenceOf[Tier], teams: SequenceOf[TeamPossibility]) -> int:
    """Return a multiple of a scale in which probabilities are whole that rest on several rolls."""
    terms = terms_of(tiers)
    goals = [term for term in terms if isinstance(term, Hold)]
    if any(term.joint for term in terms):
        chances = {fork.chance for team in teams for fork in team.forks}
        units = {unit for team in teams for unit in team.units}
        scale = _with_products(scale, lcm(*(chance.denominator for chance in chances)), len(units))
    stopping: dict[str, list[TeamPossibility]] = {}
    for team in teams:
        for label in team.stops:
            stopping.setdefault(label, []).append(team)
    for label in dict.fromkeys(label for goal in goals for label in goal.hexes):
        likely: dict[Fraction, set[str]] = {}
        for team in stopping.get(label, ()):
            chance = team.stands_in(label, frozenset(team.units))
            if 0 < chance < 1:
                likely.setdefault(chance, set()).update(team.units)
        several = len(set().union(*likely.values()))
        scale = _with_products(scale, lcm(*(chance.denominator for chance in likely)), several)
    return scale


def _with_products(scale: int, one: int, several: int) -> int:
    """Return a multiple of a scale in which products of several numbers of a denominator are whole, if it isn't too fine."""
    product = 1
    for _ in range(several):
        product *= one
        if lcm(scale, product) > Unions.finest:
            break
        scale = lcm(scale, product)
    return scale


def _finish(scenario: Scenario, coupling: Coupling, layer: Options | Paths | Events) -> Model:
    for requirement in scenario.requirements:
        spare = coupling.expression(requirement.required(RobustOutcome(coupling)))
        if isinstance(spare, int):
            if spare < 0:
                coupling.add_or([])
        else:
            coupling.model.add(spare >= 0)
    model = Model(scenario, coupling, layer, Tiers(scenario.tiers, coupling))
    if not scenario.asks_for_attacks:
        list(model.tiers)
    elif coupling.attacks is None:
        raise AssertionError("terms about attacks need a rule of attacks")
    return model


def tier_of(tier: Tier, coupling: Coupling) -> Linear:
    """Return the value of a tier in a model, times its scale."""
    parts = [_scaled(term, coupling) for term in tier.terms]
    return Linear(tuple(t for part in parts for t in part.terms), sum(part.constant for part in parts))


def _scaled(term: Term, coupling: Coupling) -> Linear:
    return term.on_average(coupling).times(term.weight * term.sign)


def ceiling(total: Linear, coupling: Coupling) -> int:
    """Return the most that a sum could be if its terms had nothing to do with each other."""
    return span(total, coupling)[1]


def span(total: Linear, coupling: Coupling) -> tuple[int, int]:
    """Return the least and the most that a sum could be if its terms had nothing to do with each other."""
    # All are truth values but the probabilities that a hex is held.
    shares = {id(union.total) for union in coupling.unions}
    least = most = total.constant
    for weight, term in total.terms:
        if term is False:
            continue
        if id(term) in shares:
            weight *= coupling.mp_scale
        if weight > 0 or term is True:
            most += weight
        if weight < 0 or term is True:
            least += weight
    return least, most


def most(tier: Tier, game: Game) -> Fraction:
    """Return what a tier can come to at most by what its terms count."""
    return Fraction(sum(term.highest(game) * term.weight for term in tier.terms))


def unscaled(value: int, scale: int) -> Fraction:
    """Return a tier's value from the model's."""
    return Fraction(value, scale)
