"""What a plan comes to: its substance, by which plans are told apart that differ in more than detours.

This is the one place that says when two plans are the same. Alternatives, the uniqueness of a puzzle's solution and the
distance of plans all follow from it; solvers post the same facts as literals (`planner.solver.side_constraints`), and what
they find is held against what is worked out here from the referee's replay.

The substance of a plan is a set of facts about the position after its last move, if all that is rolled goes well:

* a unit that has moved, or has been made to give way, stands in a place: which, and where;
* a unit, of whichever side, or a marker is gone from the map;
* a unit has been carried on its way.

Nothing else counts: not the paths, not the order of the moves, not who eliminated whom, not the MP. A plan is *covered* by
another one that has all of its facts and perhaps more. A plan is *essential* if it covers no other plan that is worth as
much. So a plan with a pointless move added is never essential, and what is left are the plans between which a player really
has to choose.

The *distance* of two plans is the number of units that have moved in one of them alone or to different places, of units and
markers that are gone in one of them alone, and of units that are carried in one of them alone. It is 0 exactly for plans of
the same substance.
"""

from __future__ import annotations

from collections.abc import Container, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from planner.referee.verdict import Verdict
    from planner.rules.game import Game
    from planner.world.position import Position

NOTHING: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Substance:
    """What a plan comes to.

    Attributes
    ----------
    ends : frozenset of (unit, place)
        The units that have moved, or given way, and where they stand.
    gone : frozenset of str
        The ids of units and markers that are gone from the map.
    carried : frozenset of str
        The units that a carrier has taken on their way.
    """

    ends: frozenset[tuple[str, str]] = frozenset()
    gone: frozenset[str] = NOTHING
    carried: frozenset[str] = NOTHING

    @property
    def size(self) -> int:
        """The number of facts."""
        return len(self.ends) + len(self.gone) + len(self.carried)

    def covers(self, other: Substance) -> bool:
        """Tell whether every fact of another substance is one of this."""
        return other.ends <= self.ends and other.gone <= self.gone and other.carried <= self.carried

    def distance(self, other: Substance) -> int:
        """Return the number of units and markers whose fate differs, counted as the module says."""
        mine, theirs = dict(self.ends), dict(other.ends)
        elsewhere = sum(mine.get(unit) != theirs.get(unit) for unit in mine.keys() | theirs.keys())
        return elsewhere + len(self.gone ^ other.gone) + len(self.carried ^ other.carried)

    def describe(self, game: Game) -> list[str]:
        """Return the facts as players would say them, in the order of the scenario."""
        ends = dict(self.ends)
        told = []
        for unit in game.sorted(ends):
            how = ", carried" if unit in self.carried else ""
            told.append(f"{unit} in {ends[unit]}{how}")
        return told + [f"{name} gone" for name in game.sorted(self.gone)]


def substance_of(game: Game, verdict: Verdict) -> Substance:
    """Return the substance of a plan.

    Parameters
    ----------
    game : Game
        Where everybody stood at the beginning.
    verdict : Verdict
        What the referee says of the plan.
    """
    return facts_of(game, verdict.position, verdict.tally.mp)


def facts_of(game: Game, position: Position, moved: Container[str]) -> Substance:
    """Return the substance of a plan that has led to a position, if all goes well, by the moves of some units."""
    ends, gone = set(), set(position.lost)
    for unit, home in game.homes.items():
        place = position.at.get(unit)
        if place is None:
            gone.add(unit)
        elif place != home or unit in moved:
            ends.add((unit, place))
    return Substance(frozenset(ends), frozenset(gone), frozenset(leg.unit for leg in position.legs))


def covered_by_none(substance: Substance, others: Iterable[Substance]) -> bool:
    """Tell whether a substance covers none of some others."""
    return not any(substance.covers(other) for other in others)
