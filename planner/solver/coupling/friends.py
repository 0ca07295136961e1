"""Who needs a friend in a hex when it moves."""

from __future__ import annotations

from collections.abc import Iterator

from planner.rules.atoms import Friend, GoneOrFriend
from planner.solver.coupling.variables import Variables
from planner.solver.cp_sat import Literal


def guests(model: Variables, unit: str, atom: Friend) -> Iterator[str]:
    """Yield who of the group stands in the hex before its move, or may stand there after it."""
    group = model.group(atom.group)
    for other in model.visitors.get(atom.hex, ()):
        if other in group and other in model.units and other != unit:
            reliable = atom.hex in model.units[other].reliable_ends and not atom.unmoved
            if reliable or model.game.homes[other] == atom.hex:
                yield other


def friend_in_time(model: Variables, unit: str, atom: Friend, literal: Literal) -> None:
    """Ensures that a friend stands in the hex when the unit moves."""
    witnesses: list[Literal] = []
    group = model.group(atom.group)
    for friend in model.visitors.get(atom.hex, ()):
        if friend in group and friend != unit:
            witnesses += witnesses_of_standing(model, unit, friend, atom)
    model.add_or([model.negate(literal), *witnesses])


def witnesses_of_standing(model: Variables, unit: str, friend: str, atom: Friend) -> Iterator[Literal]:
    """Yield literals: the friend stands in the hex when the unit moves, before its own move or after it."""
    if atom.stays and model.is_to_move_after(friend, unit):
        return
    at_home = model.game.homes.get(friend) == atom.hex
    if friend not in model.units:
        if at_home:
            yield True
        return
    variables, together = model.units[friend], model.together(unit, friend)
    timed = model.ensures("friend_in_time")
    if at_home:
        witness = model.new_literal()
        if atom.stays:
            model.add_or([~witness, model.negate(variables.moves)])
        elif together:
            model.add_or([~witness])  # it leaves the hex with the unit
        elif timed:
            model.add_or([~witness, model.negate(variables.moves), model.before(unit, friend)])
        yield witness
    if atom.unmoved or (atom.before and together):
        return
    # Whoever is dropped after a roll is there for its own stack, which goes on only if the roll went well.
    ends = variables.ends if together else variables.reliable_ends
    if atom.hex in ends:
        witness = model.new_literal()
        model.add_or([~witness, ends[atom.hex]])
        if timed:
            model.add_or([~witness, model.before(friend, unit)])
        yield witness


def standing_by_then(model: Variables, atom: Friend | GoneOrFriend) -> list[Literal] | None:
    """Return who may have come to the hex; None where somebody of the group stands there at first."""
    group = model.group(atom.group)
    friends = [friend for friend in model.visitors.get(atom.hex, ()) if friend in group]
    if any(model.game.homes.get(friend) == atom.hex for friend in friends):
        return None
    ends = (model.units[friend].reliable_ends for friend in friends)
    return [those[atom.hex] for those in ends if atom.hex in those]
