"""What units might do, whatever the others do: too much of it, never too little."""

from __future__ import annotations

from planner.forces import Unit
from planner.rules.base import Atom, Carried, Friend, Gone


class Outlook:
    """Where each unit might end, and whom it might eliminate.

    Parameters
    ----------
    ends : dict from units to hexes
        Where each unit that can move might end.
    kills : dict from units to enemies
        Whom each of them might eliminate.
    groups : dict from names to units
        The groups of `Friend` atoms.
    homes : dict from units to hexes
        Where every unit on the map stands.
    """

    def __init__(
        self,
        ends: dict[str, frozenset[str]],
        kills: dict[str, frozenset[str]],
        groups: dict[str, frozenset[str]],
        homes: dict[str, str],
    ) -> None:
        self.ends, self.kills = ends, kills
        self._groups = groups
        self._guests: dict[str, set[str]] = {}
        for unit, home in homes.items():
            self._guests.setdefault(home, set()).add(unit)
        for unit, labels in ends.items():
            for label in labels:
                self._guests.setdefault(label, set()).add(unit)
        self.killers: dict[str, set[str]] = {}
        for unit, victims in kills.items():
            for victim in victims:
                self.killers.setdefault(victim, set()).add(unit)
        self._friends: dict[Friend, frozenset[str]] = {}

    def friends_in(self, atom: Friend) -> frozenset[str]:
        """Return the units of the atom's group that might stand in its hex."""
        found = self._friends.get(atom)
        if found is None:
            found = self._friends[atom] = self._groups[atom.group] & self._guests.get(atom.hex, set())
        return found

    def might_hold(self, unit: Unit, atom: Atom, by_itself: bool = True) -> bool:
        """Tell whether an atom might come about when a unit moves.

        `by_itself` says whether the unit's own overruns count: where labels don't keep them, they must.
        """
        if isinstance(atom, Friend):
            friends = self.friends_in(atom)
            return len(friends) > (unit.id in friends)
        if isinstance(atom, Gone):
            killers = self.killers.get(atom.enemy, ())
            return len(killers) > (not by_itself and unit.id in killers)
        # Of the rest too little is known here.
        return not isinstance(atom, Carried) or bool(atom.by)
