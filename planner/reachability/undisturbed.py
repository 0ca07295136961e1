"""The groups of units of which atoms speak, and what they ask about the board as it stands, while nobody else moves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from planner.rules.atoms import Atom
from planner.rules.combat_roles import Fights, JointlyOverruns
from planner.rules.game import Game
from planner.world.forces import Measure


@dataclass(frozen=True)
class AtTheStart:
    """What atoms of a unit ask about the board as it stands."""

    game: Game
    groups: Mapping[str, frozenset[str]]
    unit: str

    def is_gone(self, enemy: str) -> bool:
        """Tell that nobody is gone yet."""
        return False

    def _inside(self, hex: str, group: str) -> frozenset[str]:
        members = self.groups[group]
        return frozenset(one for one in self.game.units_at(hex) if one in members and one != self.unit)

    def is_friend_in(self, hex: str, group: str, stays: bool = False, unmoved: bool = False) -> bool:
        """Tell whether another unit of a group stands in a hex; nobody else moves."""
        return bool(self._inside(hex, group))

    def amount_in(self, hex: str, group: str, but: frozenset[str], of: Measure) -> Fraction:
        """Return what the others of a group who stand in a hex count together, some left out."""
        return sum((self.game.units[friend].counts(of) for friend in self._inside(hex, group) - but), Fraction(0))

    def is_foremost(self, way: str) -> bool:
        """Tell that nobody has made a step yet."""
        return True

    def entered(self, hex: str, rule: str) -> int:
        """Return how many others have entered a hex."""
        return self.game.entered_before(hex, rule, self.unit)


def groups_of(game: Game) -> dict[str, frozenset[str]]:
    """Return the groups of units of which atoms speak, by their names."""
    return {name: members for rule in game.rulebook.rules for name, members in rule.groups(game).items()}


def those_who_stay(game: Game, groups: Mapping[str, frozenset[str]], movers: Sequence[str]) -> AtTheStart | None:
    """Return what atoms ask of those alone who can't move; None where units fight, or overrun together, beside them."""
    if game.rulebook.of(Fights):
        return None
    if game.rulebook.of(JointlyOverruns):
        return None
    return AtTheStart(game, {name: members.difference(movers) for name, members in groups.items()}, "")


def leaves_no_room(staying: AtTheStart | None, atom: Atom) -> bool:
    """Tell whether an atom asks for room in a hex where those leave none who stay whatever the others do."""
    return staying is not None and atom.space is not None and not atom.space.holds(staying)
