"""What units can do later in a phase: what has been listed of it before holds wherever nothing has changed."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from planner.reachability.conditional_reach import ConditionalReach
from planner.reachability.kept_reach import changed_later
from planner.rules.base import Way
from planner.rules.game import Game


def later_reach(known: Iterable[ConditionalReach], game: Game, minding: Collection[Way]) -> ConditionalReach:
    """Return what units can do, with all that still holds of what has been listed of a position.

    Parameters
    ----------
    known : iterable of ConditionalReach
        What has been listed of positions of the same phase; of that in which fewest places have changed it is taken over.
    game : Game
        The position.
    minding : collection of Way
        The ways for whose steps it matters whether others have been made before.
    """
    found, nearest = ConditionalReach(game), None
    for other in known:
        changed = changed_later(other.game, game, minding)
        if changed is not None and (nearest is None or len(changed) < len(nearest[1])):
            nearest = other, changed
    if nearest is not None:
        other, changed = nearest
        found.tables.take_over(other.tables, changed)
        for name in other.enemy_bits:  # steps that are taken over may speak of what is gone
            found.enemy_bits.setdefault(name, 1 << len(found.enemy_bits))
        if found.most_legs == other.most_legs:
            for unit, answers in other.known_alone.copy().items():
                found.known_alone[unit] = tuple(one for one in answers if changed.isdisjoint(one.places))
    return found
