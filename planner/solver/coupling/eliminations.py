"""Who needs an enemy to be eliminated, or still there, when it moves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from planner.rules.atoms import Friend, Gone, GoneOrFriend, There
from planner.solver.coupling.friends import standing_by_then, witnesses_of_standing
from planner.solver.coupling.variables import Variables
from planner.solver.cp_sat import Literal


def removers(model: Variables, unit: str, atom: Gone | There) -> Iterable[str]:
    """Yield who may eliminate the enemy."""
    return (other for other in model.removers.get(atom.enemy, ()) if other != unit)


def removers_and_friends(model: Variables, unit: str, atom: GoneOrFriend) -> Iterator[str]:
    """Yield who may eliminate the enemy for sure, stand in the hex, or be stuck there."""
    group = model.group(atom.group)
    for other in model.others(unit):
        variables = model.units[other]
        here = (atom.hex, atom.enemy) in variables.rolls or atom.hex in {
            model.game.homes[other],
            *variables.reliable_ends,
        }
        if atom.enemy in variables.reliable_removals or (other in group and here):
            yield other


def gone_in_time(model: Variables, unit: str, atom: Gone, literal: Literal) -> None:
    """Ensures that the enemy is eliminated before the unit moves."""
    model.add_or([model.negate(literal), *_witnesses_of_elimination(model, unit, atom)])


def gone_or_friend_in_time(model: Variables, unit: str, atom: GoneOrFriend, literal: Literal) -> None:
    """Ensures that before the unit moves the enemy is eliminated, or a friend is in the hex."""
    witnesses = list(_witnesses_of_elimination(model, unit, atom))
    there = Friend(atom.hex, atom.group, atom.stays, atom.before)
    for friend in model.game.sorted(model.group(atom.group)):  # a set's own order differs from run to run
        if friend != unit:
            witnesses += witnesses_of_standing(model, unit, friend, there)
            witnesses += _witnesses_of_roll(model, unit, friend, atom)
    model.add_or([model.negate(literal), *witnesses])


def there_in_time(model: Variables, unit: str, atom: There, literal: Literal) -> None:
    """Ensures that whoever eliminates the enemy moves after the unit."""
    for other in removers(model, unit, atom):
        if not model.together(unit, other):
            removed = model.units[other].removes[atom.enemy]
            model.add_or([model.negate(literal), model.negate(removed), model.before(unit, other)])


def _witnesses_of_elimination(model: Variables, unit: str, atom: Gone | GoneOrFriend) -> Iterator[Literal]:
    """Yield literals: another one has eliminated the enemy for sure, and has moved before the unit."""
    for other in model.sure_removers.get(atom.enemy, ()):
        if other != unit and not model.together(unit, other):
            witness = model.new_literal()
            model.model.add_implication(witness, model.units[other].reliable_removals[atom.enemy])
            if model.ensures("gone_in_time"):
                model.add_or([~witness, model.before(other, unit)])
            yield witness


def _witnesses_of_roll(model: Variables, unit: str, friend: str, atom: GoneOrFriend) -> Iterator[Literal]:
    """Yield a literal: before the unit moves, the friend has made an overrun of the enemy, or is stuck in the hex."""
    rolls = model.units[friend].rolls if friend in model.units else {}
    if (atom.hex, atom.enemy) in rolls and not model.together(unit, friend):
        witness = model.new_literal()
        model.add_or([~witness, rolls[atom.hex, atom.enemy]])
        if model.ensures("gone_in_time"):
            model.add_or([~witness, model.before(friend, unit)])
        yield witness


def eliminated_by_then(model: Variables, atom: Gone | GoneOrFriend) -> list[Literal]:
    """Return when the enemy is eliminated for sure."""
    return [model.units[other].reliable_removals[atom.enemy] for other in model.sure_removers.get(atom.enemy, ())]


def eliminated_or_standing_by_then(model: Variables, atom: GoneOrFriend) -> list[Literal] | None:
    """Return when the enemy is eliminated for sure, and who may have come to the hex or got stuck there."""
    standing = standing_by_then(model, atom)
    if standing is None:
        return None
    roll = atom.hex, atom.enemy
    rolls = [model.units[other].rolls for other in model.game.sorted(model.group(atom.group)) if other in model.units]
    return [*eliminated_by_then(model, atom), *standing, *(those[roll] for those in rolls if roll in those)]
