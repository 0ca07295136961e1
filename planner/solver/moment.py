"""One moment of a plan, as what steps need of the others asks about it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from fractions import Fraction

from planner.rules.game import Game
from planner.world.forces import Measure


@dataclass(frozen=True)
class StepMoment:
    """What atoms ask about the moment at which units make a step together."""

    game: Game
    groups: Mapping[str, frozenset[str]]
    where: Callable[[str], str | None]
    gone: Collection[str]
    ways: Collection[str]
    later: Collection[str]
    here: frozenset[str]
    moved: frozenset[str]
    entries: Collection[tuple[str, str, str]]

    def is_gone(self, enemy: str) -> bool:
        """Tell whether an enemy unit or marker is off the map, or a place taken."""
        return enemy in self.gone or (enemy in self.game.units and enemy not in self.game.homes)

    def is_friend_in(self, hex: str, group: str, stays: bool = False, unmoved: bool = False) -> bool:
        """Tell whether another of a group stands in a hex; `stays`: one that moves no more; `unmoved`: nor has moved."""
        friends = self.groups[group] - self.here - (self.moved if unmoved else frozenset())
        return any(self.where(friend) == hex for friend in friends if not (stays and friend in self.later))

    def amount_in(self, hex: str, group: str, but: frozenset[str], of: Measure) -> Fraction:
        """Return what the others of a group who stand in a hex count together, some left out."""
        inside = (friend for friend in self.groups[group] - but - self.here if self.where(friend) == hex)
        return sum((self.game.units[friend].counts(of) for friend in inside), Fraction(0))

    def is_foremost(self, way: str) -> bool:
        """Tell whether nobody has made another step yet than of one way."""
        return all(made == way for made in self.ways)

    def entered(self, hex: str, rule: str) -> int:
        """Return how many others have entered a hex by steps of which a rule takes note."""
        return sum((by, at) == (rule, hex) and unit not in self.here for by, at, unit in self.entries)
