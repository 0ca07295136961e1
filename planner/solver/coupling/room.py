"""Who needs room in a hex when it moves, or nobody there at all."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import lcm

from planner.rules.atoms import Room, Vacant
from planner.solver.coupling.variables import Variables
from planner.solver.cp_sat import Literal


def visitors_but_some(model: Variables, unit: str, atom: Room) -> Iterator[str]:
    """Yield who may stand in the hex before or after its move, whoever doesn't count excepted; nobody if all have room."""
    if _may_be_short(model, unit, atom):
        yield from (other for other in _visitors(model, unit, atom) if other not in atom.but)


def _may_be_short(model: Variables, unit: str, atom: Room) -> bool:
    """Tell whether the others who may ever stand in the hex are too many, all together."""
    others = (friend for friend in model.group(atom.group) - atom.but if friend != unit)
    there = (friend for friend in others if _may_stand(model, friend, atom.hex))
    return sum((model.game.units[friend].counts(atom.of) for friend in there), Fraction(0)) > atom.size


def _may_stand(model: Variables, friend: str, label: str) -> bool:
    at_home = model.game.homes.get(friend) == label
    return at_home or (friend in model.units and bool(model.units[friend].standing(label)))


def visitors_of_group(model: Variables, unit: str, atom: Vacant) -> Iterator[str]:
    """Yield who of the group may stand in the hex before or after its move."""
    group = model.group(atom.group)
    return (other for other in _visitors(model, unit, atom) if other in group)


def _visitors(model: Variables, unit: str, atom: Room | Vacant) -> Iterator[str]:
    return (other for other in model.visitors.get(atom.hex, ()) if other in model.units and other != unit)


def room_in_time(model: Variables, unit: str, atom: Room, literal: Literal) -> None:
    """Ensures that the others who stand in the hex are small enough; who moves together with the unit doesn't count."""
    if not _may_be_short(model, unit, atom):
        return
    here: list[tuple[Fraction, Literal]] = []
    group = model.group(atom.group)
    for friend in model.visitors.get(atom.hex, ()):
        if friend not in group or friend == unit or friend in atom.but:
            continue
        size = model.game.units[friend].counts(atom.of)
        if friend not in model.units:
            if model.game.homes.get(friend) == atom.hex:
                here.append((size, True))
            continue
        standing = model.present.get((friend, atom.hex, unit))
        if standing is None:
            standing = model.present[friend, atom.hex, unit] = _standing(model, unit, friend, atom.hex)
        here.append((size, standing))
    whole = lcm(atom.size.denominator, *(size.denominator for size, _ in here))
    model.stay_within(int(atom.size * whole), [(int(size * whole), standing) for size, standing in here], literal)


def _standing(model: Variables, unit: str, friend: str, label: str) -> Literal:
    """Return a literal that holds at least where a friend stands in a hex when a unit is there."""
    variables = model.units[friend]
    at_home = model.game.homes[friend] == label and not model.together(unit, friend)
    ends = variables.standing(label)
    if not at_home and not ends:
        return False
    standing = model.new_literal()
    if at_home:
        model.add_or([standing, variables.moves])
        model.add_or([standing, model.before(friend, unit)])
    for end in ends:
        model.add_or([standing, model.negate(end), model.before(unit, friend)])
    return standing


def vacant_in_time(model: Variables, unit: str, atom: Vacant, literal: Literal) -> None:
    """Ensures that whoever stands in the hex at first moves before the unit, and whoever may end there comes later."""
    unless, timed = model.negate(literal), model.ensures("vacant_in_time")
    group = model.group(atom.group)
    for friend in model.visitors.get(atom.hex, ()):
        if friend not in group or friend == unit:
            continue
        at_home = model.game.homes.get(friend) == atom.hex
        if friend not in model.units:
            if at_home:
                model.add_or([unless])
            continue
        if at_home:
            model.add_or([unless, model.units[friend].moves])
            if timed:
                model.add_or([unless, model.before(friend, unit)])
        for elsewhere in model.elsewhere(friend, atom.hex):
            if at_home:  # it has moved away for good
                model.add_or([unless, elsewhere])
            elif timed:
                model.add_or([unless, elsewhere, model.before(unit, friend)])
