"""What a unit can't come to even if the others did all that it needs: the explicit form, for one unit at a time."""

from __future__ import annotations

from itertools import pairwise
from math import floor

from planner.explanation.needs import Aim, moves_eliminate
from planner.limits import Limits
from planner.reachability.conditional_reach import ConditionalReach
from planner.reachability.relaxed_reach import nobody_falls
from planner.reachability.step_rules import Step
from planner.reachability.undisturbed import AtTheStart, groups_of, leaves_no_room, those_who_stay
from planner.rules.atoms import Atom
from planner.rules.game import Game
from planner.solver.coupling import Coupling
from planner.solver.cp_sat import BoolVar
from planner.solver.engine import Configuration, another, run
from planner.solver.step_layer import Paths, possible_layers


class _Obliging(Coupling):
    """A coupling layer in which the others have always done what a unit needs."""

    staying: AtTheStart | None = None
    """Those who can't move."""
    closed: frozenset[str] = frozenset()
    """The enemies' hexes that stay theirs."""
    all_stay: bool = False
    """Whether no enemy is ever gone."""

    def need(self, unit: str, atom: Atom) -> bool:
        """Grant it, but that an enemy is gone who stays, and room where those who can't move leave none."""
        return _granted(atom, self.game, self.closed, self.all_stay) and not leaves_no_room(self.staying, atom)


def _granted(atom: Atom, game: Game, closed: frozenset[str], all_stay: bool) -> bool:
    if atom.victim is not None and game.homes.get(atom.victim) in closed:
        return False
    return not all_stay or atom.friend is not None or atom.victim not in game.homes


def unreachable(
    reach: ConditionalReach,
    aim: Aim,
    limits: Limits | None = None,
    surely: bool = False,
    closed: frozenset[str] = frozenset(),
) -> bool | None:
    """Tell whether a unit can't come to something, whoever helps it.

    Parameters
    ----------
    reach : ConditionalReach
        Tells the steps of the game; of its units, only this one is looked at.
    aim : Aim
        What it can't come to.
    limits : Limits, optional
        When to stop.
    surely : bool
        Whether it must come to it wherever it may get stuck on its own.
    closed : frozenset of str
        Hexes that stay the enemies', whatever the others do, so that it doesn't end there either; nor does it take part in
        overruns of them, but of those that it is to remove.

    Returns
    -------
    bool or None
        None: it got late. False means no more than that it could if the others did all that it needs.

    Raises
    ------
    OutOfTimeError
        If it gets late while the model is being built.
    """
    limits, unit = limits or Limits(), aim.unit
    game = reach.game
    all_stay = not moves_eliminate(game) or nobody_falls(reach)
    if unit in reach.movers and game.homes[unit] not in aim.ends and not _comes_near(reach, aim, closed, all_stay):
        return True
    coupling = _Obliging(game, reach.scale, tick=reach.check_time)
    coupling.closed, coupling.all_stay = closed, all_stay
    coupling.staying = those_who_stay(game, groups_of(game), reach.movers)
    if unit in reach.movers:
        paths = Paths(coupling, reach, only=[unit], together=reach.relies_on_rolls)
        if reach.joint:
            _leave_closed(coupling, aim, paths.arcs.get(unit, []))
        if surely and reach.rolls_alone(game.units[unit]):
            _stay_where_it_may_be_stuck(coupling, reach, aim, paths.arcs.get(unit, []))
    variables = coupling.units.get(unit)
    if variables is None:
        return game.homes[unit] not in aim.ends
    wanted = [literal for label, literal in variables.ends.items() if label in aim.ends - closed]
    if aim.passing and unit in reach.movers:
        steps = (one for steps in paths.arcs.get(unit, []) for one in steps.items())
        wanted += [literal for step, literal in steps if step.arc.to in aim.ends - closed]
    wanted += [literal for enemy, literal in variables.removes.items() if enemy in aim.removes]
    coupling.add_or(wanted)
    if aim.within is not None:
        coupling.model.add(coupling.expression(coupling.mp(unit)) <= floor(aim.within * coupling.mp_scale))
    configuration = Configuration(limits.workers, another(limits.seed), presolve=True, subsolvers=())
    outcome = run(coupling.model, configuration, limits).outcome
    return None if outcome == "unknown" else outcome == "infeasible"


def _comes_near(reach: ConditionalReach, aim: Aim, closed: frozenset[str], all_stay: bool) -> bool:
    """Tell whether a unit has the MP for what it is to come to, and nothing forbids the last step there outright."""
    layers, ends = possible_layers(reach, aim.unit, reach.relies_on_rolls), aim.ends - closed
    own = {victim for layer in layers for step in layer for victim in step.removes}

    def granted(atom: Atom) -> bool:
        return _granted(atom, reach.game, closed, all_stay) or (bool(atom.victim) and not own.isdisjoint(atom.names))

    def possible(step: Step, index: int) -> bool:
        return all(any(all(map(granted, some)) for some in demand.any_of) for demand in step.needs(index))

    return any(
        (step.arc.to in ends or not aim.removes.isdisjoint(step.removes)) and possible(step, index)
        for index, layer in enumerate(layers, 1)
        for step in layer
    )


def _leave_closed(coupling: _Obliging, aim: Aim, arcs: list[dict[Step, BoolVar]]) -> None:
    """Ensure that a unit takes part in no overrun of a hex that stays the enemies', but where that is its aim."""
    for step, literal in (one for steps in arcs for one in steps.items()):
        if step.arc.overrun and step.arc.to in coupling.closed and aim.removes.isdisjoint(step.removes):
            coupling.model.add(literal == 0)


def _stay_where_it_may_be_stuck(
    coupling: Coupling, reach: ConditionalReach, aim: Aim, arcs: list[dict[Step, BoolVar]]
) -> None:
    """Ensure that a unit goes no further than where it may get stuck, nor there if it is to be sound."""
    unit, before = reach.game.units[aim.unit], reach.departed(aim.unit).steps
    nothing: dict[Step, BoolVar] = {}
    for index, (steps, following) in enumerate(pairwise([*arcs, nothing]), before + 1):
        for step, literal in steps.items():
            if reach.roll_of(unit, step.arc, index) == 1:
                continue
            if aim.sound:
                coupling.model.add(literal == 0)
            elif following:
                coupling.model.add(sum(following.values()) == 0).only_enforce_if(literal)
