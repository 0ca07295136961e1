"""What a unit can't come to even if the others did all that it needs: the explicit form, for one unit at a time."""

from __future__ import annotations

from collections.abc import Collection
from fractions import Fraction
from math import floor

from planner.limits import Limits
from planner.reachability.conditional_reach import ConditionalReach
from planner.rules.combat_roles import Fights
from planner.rules.demands import Atom
from planner.solver.coupling import Coupling
from planner.solver.engine import Configuration, another, run
from planner.solver.step_layer import Paths


class _Obliging(Coupling):
    """A coupling layer in which the others have always done what a unit needs."""

    def need(self, unit: str, atom: Atom) -> bool:
        """Grant it, but where no unit overruns or fights, so that an enemy can't be gone."""
        book = self.game.rulebook
        removable = bool(book.overrunning) or bool(book.of(Fights))
        return removable or atom.friend is not None or atom.victim not in self.game.homes


def unreachable(
    reach: ConditionalReach,
    unit: str,
    ends: Collection[str],
    removes: Collection[str],
    limits: Limits | None = None,
    within: Fraction | None = None,
) -> bool | None:
    """Tell whether a unit can't end in any of some hexes, nor eliminate any of some enemies, whoever helps it.

    Parameters
    ----------
    reach : ConditionalReach
        Tells the steps of the game; of its units, only this one is looked at.
    unit : str
        A phasing unit on the map.
    ends, removes : collection of str
        What it can't come to.
    limits : Limits, optional
        When to stop.
    within : Fraction, optional
        The MP that it may spend in the phase at most; absent: as many as it has.

    Returns
    -------
    bool or None
        None: it got late. False means no more than that it could if the others did all that it needs.

    Raises
    ------
    OutOfTimeError
        If it gets late while the model is being built.
    """
    limits = limits or Limits()
    game = reach.game
    coupling = _Obliging(game, reach.scale, tick=reach.check_time)
    if unit in reach.movers:
        Paths(coupling, reach, only=[unit], together=reach.relies_on_rolls)
    variables = coupling.units.get(unit)
    if variables is None:
        return game.homes[unit] not in ends
    wanted = [literal for label, literal in variables.ends.items() if label in ends]
    wanted += [literal for enemy, literal in variables.removes.items() if enemy in removes]
    coupling.add_or(wanted)
    if within is not None:
        coupling.model.add(coupling.expression(coupling.mp(unit)) <= floor(within * coupling.mp_scale))
    configuration = Configuration(limits.workers, another(limits.seed), presolve=True, subsolvers=())
    outcome = run(coupling.model, configuration, limits).outcome
    return None if outcome == "unknown" else outcome == "infeasible"
