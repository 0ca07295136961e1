"""What units might do, whatever the others do: too much of it, never too little."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from planner.reachability.label_search import LabelSearch
from planner.rules.atoms import Atom, Friend
from planner.rules.combat_roles import JointlyOverruns
from planner.world.forces import Unit

if TYPE_CHECKING:
    from planner.reachability.conditional_reach import ConditionalReach
    from planner.reachability.label import Label


class RelaxedReach:
    """Where each unit might end, and whom it might eliminate.

    Parameters
    ----------
    ends : dict from units to hexes
        Where each unit that can move might end.
    removes : dict from units to enemies
        Whom each of them might eliminate.
    groups : dict from names to units
        The groups of `Friend` atoms.
    homes : dict from units to hexes
        Where every unit on the map stands.

    Attributes
    ----------
    labels : mapping from units to sequences
        Everything that a unit can do, for units that nobody can hinder or help: the labels of their search.
    """

    def __init__(
        self,
        ends: dict[str, frozenset[str]],
        removes: dict[str, frozenset[str]],
        groups: dict[str, frozenset[str]],
        homes: dict[str, str],
    ) -> None:
        self.ends, self.removes = dict(ends), dict(removes)
        self.labels: Mapping[str, list[Label]] = {}
        self._groups, self._homes = groups, homes
        self._guests: dict[str, set[str]] = {}
        for unit, home in homes.items():
            self._guests.setdefault(home, set()).add(unit)
        for unit, labels in ends.items():
            for label in labels:
                self._guests.setdefault(label, set()).add(unit)
        self.removers: dict[str, set[str]] = {}
        for unit, victims in removes.items():
            for victim in victims:
                self.removers.setdefault(victim, set()).add(unit)

    def grow(self, unit: str, ends: Iterable[str], removes: Iterable[str]) -> tuple[set[str], set[str]]:
        """Take over that a unit might end, and eliminate, more; return the hexes and the enemies that are new for it."""
        more_ends, more_removed = set(ends) - self.ends[unit], set(removes) - self.removes[unit]
        if more_ends:
            self.ends[unit] |= more_ends
            for label in more_ends:
                self._guests.setdefault(label, set()).add(unit)
        if more_removed:
            self.removes[unit] |= more_removed
            for enemy in more_removed:
                self.removers.setdefault(enemy, set()).add(unit)
        return more_ends, more_removed

    def guests_in(self, label: str, group: str) -> set[str]:
        """Return the units of a group that stand in a hex, or might end there."""
        return self._guests.get(label, set()) & self._groups[group]

    def friends_in(self, atom: Friend) -> set[str]:
        """Return the units of the atom's group that might stand in its hex."""
        found = self.guests_in(atom.hex, atom.group)
        return {unit for unit in found if self._homes.get(unit) == atom.hex} if atom.unmoved else found

    def might_hold(self, unit: Unit, atom: Atom, by_itself: bool = True) -> bool:
        """Tell whether an atom might come about when a unit moves.

        `by_itself` says whether the unit's own overruns count: where labels don't keep them, they must.
        """
        if isinstance(atom, Friend):
            friends = self.friends_in(atom)
            return len(friends) > (unit.id in friends)
        if atom.victim and atom.friend is None:
            removers = self.removers.get(atom.victim, ())
            return len(removers) > (not by_itself and unit.id in removers)
        return True  # of the rest too little is known here


def might_end(reach: ConditionalReach, unit: str) -> frozenset[str]:
    """Return where a unit might end by what is known of the others, its hex among it: too many places, never too few.

    What it overruns together with others counts as if all of it went well, and as if it could come at any time.

    Parameters
    ----------
    reach : ConditionalReach
        The game, where nobody fights or goes on later.
    unit : str
        A phasing unit on the map.
    """
    if unit not in reach.movers:
        return frozenset([reach.game.homes[unit]])

    home = reach.game.homes[unit]
    # Who moves with it may be dropped on the way, and help it on from there.
    stack = reach.game.rulebook.stacks and reach.joint
    mates = {other for other in reach.movers if stack and other != unit and reach.game.homes[other] == home}

    def truth(counter: Unit, atom: Atom) -> bool:
        friend = atom.friend
        along = friend is not None and not friend.unmoved and not mates.isdisjoint(reach.group(friend.group))
        return along or reach.before_all(counter, atom) is not False

    search = LabelSearch(reach, unit, truth, rolled=True, overruns=True)
    return frozenset([home, *(label.hex for label in search.run())])


def might_get(reach: ConditionalReach, unit: str) -> frozenset[str]:
    """Return where a unit that may wait might get where no enemy is sure to fall: too many places, never too few.

    Enemies are gone for it whom it overruns itself, alone or with others, as if that went well: of all others a plan must
    be legal if they stay. Of all else that it needs friends are taken to do everything.

    Parameters
    ----------
    reach : ConditionalReach
        The game, for which `nobody_falls` holds.
    unit : str
        A phasing unit on the map.
    """
    homes = reach.game.homes
    if unit not in reach.movers:
        return frozenset([homes[unit]])

    def truth(_: Unit, atom: Atom) -> bool:
        return atom.friend is not None or atom.victim not in homes

    search = LabelSearch(reach, unit, truth, rolled=True, overruns=True)
    return frozenset([homes[unit], *(label.hex for label in search.run())])


def nobody_falls(reach: ConditionalReach) -> bool:
    """Tell whether no enemy is sure to be eliminated while units move, since dice decide every overrun."""
    return bool(reach.game.rulebook.of(JointlyOverruns)) and not reach.relies_on_rolls
