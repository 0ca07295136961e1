"""What a plan comes to: its substance, by which plans are told apart that differ in more than detours.

This is the one place that says when two plans are the same. Alternatives, the uniqueness of a puzzle's solution and the
distance of plans all follow from it; solvers post the same facts as literals (`planner.solver.side_constraints`), and what
they find is held against what is worked out here from the referee's replay.

The substance of a plan is a set of facts about the position after its last move, if all that is rolled goes well:

* a unit that has moved, or has been made to give way, stands in a place: which, and where;
* a unit, of whichever side, or a marker is gone from the map;
* a unit has been carried on its way;
* a unit takes part in an attack that is declared: against whom.

Nothing else counts: not the paths, not the order of the moves, not who eliminated whom, not the MP. A plan is *covered* by
another one that has all of its facts and perhaps more. A plan is *essential* if it covers no other plan that is worth as
much. So a plan with a pointless move added is never essential, and what is left are the plans between which a player really
has to choose.

The *distance* of two plans is the number of units that have moved to different places of which one matters to what the plans
are for, or in one plan alone to such a place, of units and markers that are gone in one of them alone, and of units that are
carried in one of them alone. Plans aren't apart by who stands in which of the hexes that matter to nothing.
"""

from __future__ import annotations

from collections.abc import Container, Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from planner.plans.plan import units_of
from planner.world.declared_attack import DeclaredAttack

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
    attacks : frozenset of (unit, str)
        The units that take part in an attack, and against whom, as it is written.
    """

    ends: frozenset[tuple[str, str]] = frozenset()
    gone: frozenset[str] = NOTHING
    carried: frozenset[str] = NOTHING
    attacks: frozenset[tuple[str, str]] = frozenset()

    @property
    def size(self) -> int:
        """The number of facts."""
        return len(self.ends) + len(self.gone) + len(self.carried) + len(self.attacks)

    def covers(self, other: Substance) -> bool:
        """Tell whether every fact of another substance is one of this."""
        same = other.ends <= self.ends and other.gone <= self.gone and other.carried <= self.carried
        return same and other.attacks <= self.attacks

    def distance(self, other: Substance, places: Container[str] | None = None) -> int:
        """Return the number of units and markers whose fate differs, counted as the module says.

        Parameters
        ----------
        other : Substance
            What another plan comes to.
        places : container of str, optional
            The places that matter; absent: all.
        """
        mine, theirs = (
            {unit: place for unit, place in ends if places is None or place in places}
            for ends in (self.ends, other.ends)
        )
        elsewhere = sum(mine.get(unit) != theirs.get(unit) for unit in mine.keys() | theirs.keys())
        return elsewhere + len(self.gone ^ other.gone) + len(self.carried ^ other.carried)

    def describe(self, game: Game) -> list[str]:
        """Return the facts as players would say them, in the order of the scenario."""
        ends = dict(self.ends)
        told = []
        for unit in game.sorted(ends):
            how = ", carried" if unit in self.carried else ""
            told.append(f"{unit} in {ends[unit]}{how}")
        told += [f"{name} gone" for name in game.sorted(self.gone)]
        targets = sorted({target for _, target in self.attacks})
        who = {target: game.sorted(unit for unit, other in self.attacks if other == target) for target in targets}
        return told + [f"{'+'.join(units)} -> {target}" for target, units in who.items()]


def substance_of(game: Game, verdict: Verdict) -> Substance:
    """Return the substance of a plan.

    Parameters
    ----------
    game : Game
        Where everybody stood at the beginning.
    verdict : Verdict
        What the referee says of the plan.
    """
    attacks = frozenset((unit, whom(attack)) for attack in verdict.tally.attacks for unit in attack.attackers)
    if game.begun is None:
        return replace(facts_of(game, verdict.position, verdict.tally.mp), attacks=attacks)
    # Of a phase in progress, what is done from here on.
    before, moves = game.begun.position, [one.move for one in verdict.moves if one.played]
    found = facts_of(game, verdict.position, units_of(moves))
    return Substance(
        found.ends,
        found.gone - before.lost,
        found.carried - {leg.unit for leg in before.legs}
        | {unit for move in moves for unit in move.units if move.part(unit).carried},
        attacks,
    )


def whom(attack: DeclaredAttack) -> str:
    """Return against whom an attack is, as it is written, its hexes in order."""
    return str(replace(attack, attackers=(), hexes=tuple(sorted(attack.hexes)))).removeprefix(" -> ")


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
