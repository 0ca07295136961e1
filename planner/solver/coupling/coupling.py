"""The page of contents of the coupling layer: what is ensured of the moves of all units together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from copy import copy
from dataclasses import replace
from functools import cached_property
from typing import NamedTuple

from planner.rules.atoms import Atom, Early, Foremost, Friend, Gone, GoneOrFriend, Otherwise, Room, There, Vacant
from planner.rules.demands import Tick
from planner.rules.roles import Ends
from planner.solver.coupling import carriers, eliminations, friends, order, room
from planner.solver.coupling.dependence import Dependence, dependence
from planner.solver.coupling.final_position import FinalPosition
from planner.solver.cp_sat import Literal, new_model
from planner.solver.move_order import Order


class Need(NamedTuple):
    """What it takes that a unit has what it needs of the others when it moves.

    Attributes
    ----------
    partners : callable
        Gets the layer, the unit and the atom; yields the others to whose moves the order matters.
    ensure : callable
        Gets the same, and the literal under which the atom must hold when the unit moves; posts that.
    bringers : callable
        Gets the layer and the atom; returns the literals of which one holds, by an earlier move, where the atom does; None
        where it may hold without any.
    """

    partners: Callable[..., Iterable[str]]
    ensure: Callable[..., None]
    bringers: Callable[..., Sequence[Literal] | None] = lambda model, atom: None


NEEDS: dict[type[Atom], Need] = {
    Gone: Need(eliminations.removers, eliminations.gone_in_time, eliminations.eliminated_by_then),
    There: Need(eliminations.removers, eliminations.there_in_time),
    GoneOrFriend: Need(
        eliminations.removers_and_friends,
        eliminations.gone_or_friend_in_time,
        eliminations.eliminated_or_standing_by_then,
    ),
    Friend: Need(friends.guests, friends.friend_in_time, friends.standing_by_then),
    Room: Need(room.visitors_but_some, room.room_in_time),
    Vacant: Need(room.visitors_of_group, room.vacant_in_time),
    Foremost: Need(order.everybody, order.foremost_in_time),
    Early: Need(order.column, order.early_in_time),
    Otherwise: Need(order.nobody, order.nothing_asked),
}
"""How each kind of atom is ensured. That a unit is carried is ensured of all units at once, whoever sails first."""


class Coupling(FinalPosition):
    """The coupling layer of one model; parameters as those of `Variables`.

    Attributes
    ----------
    dependence : Dependence
        What depends on what, once the rules have been posted.
    """

    FAMILIES = ("friend_in_time", "gone_in_time", "vacant_in_time", "transitive_order", "carriers", "teams")
    """Families of constraints of this layer that `without` may name."""

    dependence = Dependence()

    @cached_property
    def asking(self) -> dict[int, frozenset[Atom]]:
        """What each choice of a unit needs, by the index of its literal, as far as the unit layer tells."""
        return {}

    def need(self, unit: str, atom: Atom) -> Literal:
        """Return a literal that, if it holds, makes the atom hold when the unit moves."""
        key = (unit, atom)
        if key not in self.needs:
            self.needs[key] = self.new_literal()
        return self.needs[key]

    def post_rules(self) -> None:
        """Ensure that every need is met in time, and that the position after the last move obeys the rules."""
        for (unit, atom), literal in self.needs.items():
            self.units[unit].needs[atom] = literal
        self._put_in_order()
        if self.ensures("teams"):
            order.teams_at_one_moment(self)
        self._meet_needs()
        if self._given is None and self.asking:
            self.dependence = dependence(self, self.asking, self._bringers)
        self.berths += carriers.a_carrier_each(self)
        self._obey_rules_in_the_end()

    def copied(self, tick: Tick) -> Coupling:
        """Return the same layer with another `tick`; what is added to it from now on, isn't added to this one."""
        other = copy(self)
        for name, value in vars(self).items():
            if isinstance(value, (dict, list)):
                setattr(other, name, value.copy())
        other.model, other.tick = new_model(self.model), tick
        other.dependence = replace(self.dependence, parts=other.parts)
        return other

    def _put_in_order(self) -> None:
        """Ensures that the moves of all whose order may matter follow each other in one order."""
        pairs = {
            (unit, other)
            for unit, variables in self.units.items()
            for atom in variables.needs
            if not atom.boards
            for other in NEEDS[type(atom)].partners(self, unit, atom)
        }
        pairs |= order.partners_of_teams(self, pairs)
        given = None if self._given is None else self._given.places
        self.order = Order(self.model, pairs, given, transitive=self.ensures("transitive_order"))

    def _meet_needs(self) -> None:
        """Ensures that each unit has what it needs of the others when it moves, see `NEEDS`."""
        for unit, variables in self.units.items():
            self.tick()
            for atom, literal in variables.needs.items():
                if not atom.boards:
                    NEEDS[type(atom)].ensure(self, unit, atom, literal)

    def _bringers(self, atom: Atom) -> Sequence[Literal] | None:
        """Return the literals of which one holds, by an earlier move, where an atom does; None where it may need none."""
        return None if atom.boards else NEEDS[type(atom)].bringers(self, atom)

    def _obey_rules_in_the_end(self) -> None:
        """Ensures that the position after the last move obeys each rule, such as limits of stacking."""
        for rule in self.game.rulebook.of(Ends):
            self.tick()
            if self.ensures(rule.id):
                rule.post_end(self)
