"""Hexes in which not all units of a team may end together: whoever has overrun one must go on, wherever to."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field

from planner.reachability.step_rules import StepRules
from planner.rules.demands import Demand
from planner.rules.game import Game
from planner.rules.roles import Ends, Obliges, Spaces, Stacks
from planner.world.forces import Unit


@dataclass
class _Together:
    """An `EndState` in which units stand together in each of some hexes, and nobody else anywhere.

    Attributes
    ----------
    game : Game
        The game.
    units : frozenset of str
        The units.
    hexes : sequence of str
        The hexes.
    moved : bool
        Whether everybody has made a move.
    narrow : bool
        Whether some rule has something against it.
    """

    game: Game
    units: frozenset[str]
    hexes: Sequence[str]
    moved: bool = True
    narrow: bool = field(default=False)

    def moves(self, unit: str) -> bool:
        """Return whether it makes a move."""
        return self.moved

    def negate(self, literal: bool) -> bool:
        """Return the contrary."""
        return not literal

    def all_of(self, literals: Iterable[bool]) -> bool:
        """Return whether every one of some holds."""
        return all(literals)

    def gone(self, enemy: str) -> bool:
        """Return that no enemy need be eliminated."""
        return False

    def taken(self, label: str) -> bool:
        """Return that no place need be taken."""
        return False

    def stands(self, unit: str, label: str) -> bool:
        """Return whether it stands in a hex."""
        return unit in self.units and label in self.hexes

    def possible_stands(self, unit: str) -> Sequence[str]:
        """Return where it stands."""
        return self.hexes if unit in self.units else ()

    def at_most(self, terms: Sequence[tuple[int, bool]], limit: int, demand: Demand) -> None:
        """Note that a sum is too large."""
        self.narrow = self.narrow or sum(weight * holds for weight, holds in terms) > limit


def too_narrow(reach: StepRules, team: Sequence[Unit], hexes: Collection[str]) -> bool:
    """Tell whether a team may not end as a whole in one of some hexes in which nobody else stands.

    Parameters
    ----------
    reach : StepRules
        The rules.
    team : sequence of Unit
        The units.
    hexes : collection of str
        The hexes, none of which is that in which they begin.
    """
    together = _Together(reach.game, frozenset(unit.id for unit in team), sorted(hexes))
    for rule in reach.of(Ends) if hexes else ():
        rule.post_end(together)
    halting = (demand for label in together.hexes for demand in reach.halt(team, label))
    return together.narrow or not all(demand.any_of for demand in halting)


def too_many(game: Game, units: Collection[str], label: str) -> bool:
    """Tell whether some units may not end in a hex together, whoever else is there.

    Parameters
    ----------
    game : Game
        The game.
    units : collection of str
        The units.
    label : str
        The hex.
    """
    together = _Together(game, frozenset(units), [label])
    for rule in (*game.rulebook.of(Stacks), *game.rulebook.of(Spaces)):  # others only help whoever needs company
        rule.post_end(together)
    return together.narrow


def room_for_all(game: Game) -> bool:
    """Tell whether it is known that units may stay wherever they get to, all friends in one hex even, and need not move.

    Parameters
    ----------
    game : Game
        The game.
    """
    book = game.rulebook
    crowding = {rule.id for rule in (*book.of(Stacks), *book.of(Spaces))}
    obliging = {rule.id for rule in book.of(Obliges)}
    nobody = _Together(game, frozenset(), (), moved=False)
    for rule in (one for one in book.of(Ends) if one.id not in crowding):
        if rule.id not in obliging:
            return False  # whoever needs company, or is due somewhere, may not stay anywhere
        rule.post_end(nobody)
    if nobody.narrow or any(too_many(game, game.friends, label) for label in game.board.hexes):
        return False
    return all(rule.may_halt_everywhere(game) for rule in book.halting)
