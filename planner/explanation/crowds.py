"""Units that are all to end in one hex, and are too many for it, whatever anybody does."""

from __future__ import annotations

from collections.abc import Iterable

from planner.explanation.needs import Aim, Need
from planner.explanation.set_down import overstacked
from planner.explanation.single_unit_bounds import Scopes, SingleUnitBounds
from planner.reachability.narrow_hexes import too_many
from planner.rules.game import Game


def crowded(bounds: SingleUnitBounds, scopes: Scopes, needs: Iterable[Need], confirm: bool) -> bool:
    """Tell whether more units are needed in one hex than may stay there together; False: it isn't known.

    Parameters
    ----------
    bounds : SingleUnitBounds
        Knows the relaxed games.
    scopes : sequence of Scope or None
        Where rules are in force.
    needs : iterable of Need
        All of what is needed.
    confirm : bool
        Whether the referee must say so, too.
    """
    if bounds.scenario.start.attacking:
        return False  # nobody moves any more, and who retreats where is another matter
    apart: dict[str, set[str]] = {}
    for aim in (need[0] for need in needs if len(need) == 1):
        if _stays(aim):
            [label] = aim.ends
            apart.setdefault(label, set()).add(aim.unit)
    for label, units in apart.items():
        game = bounds.game_with(scopes).game if len(units) > 1 else None
        if game is not None and too_many(game, units, label) and (not confirm or _refused(bounds, game, units, label)):
            return True
    return False


def _stays(aim: Aim) -> bool:
    """Tell whether a unit is to end in one hex."""
    return len(aim.ends) == 1 and not aim.removes and not aim.passing


def _refused(bounds: SingleUnitBounds, game: Game, units: set[str], label: str) -> bool:
    """Tell whether the referee lets some units not stay together in a hex in which nobody else stands."""
    position = bounds.scenario.start.copy()
    for other in position.units_in(label):
        position.remove(other, "elsewhere")
    for unit in game.sorted(units):
        position.move(unit, label)
    return overstacked(game, position, label)
