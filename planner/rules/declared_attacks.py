"""Attacks that have been declared and not been rolled yet, where all are declared before the first is.

Both faces: `can_be_made` is the solver's, of its own `AttackProspect`; all else is the referee's.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from planner.rules.play import Finding
from planner.world.declared_attack import DeclaredAttack

if TYPE_CHECKING:
    from planner.rules.attack_prospect import AttackProspect
    from planner.rules.attack_referee import AttackReferee
    from planner.rules.game import Game
    from planner.world.position import Position


def left_of(judge: AttackReferee, attack: DeclaredAttack) -> DeclaredAttack | None:
    """Return what is left of an attack that was declared: those who can still make it, on those who still defend.

    Parameters
    ----------
    judge : AttackReferee
        Knows who stands where now, and which attacks have been made.
    attack : DeclaredAttack
        The attack as it was declared.

    Returns
    -------
    DeclaredAttack or None
        The attack that is made; None if there is nobody to make it, or to be attacked.
    """
    named = () if judge.rule.defenders_together else attack.defenders
    there = {label: judge.defenders_in(label) for label in attack.hexes}
    hexes = tuple(label for label, units in there.items() if any(not named or unit in named for unit in units))
    alive = tuple(unit for unit in named if any(unit in units for units in there.values()))
    attackers = attack.attackers
    while attackers and hexes:
        found = DeclaredAttack(attackers, hexes, alive)
        wrong = [fault.unit for fault in judge.check_declared([found])]
        if not wrong:
            return found
        left = tuple(unit for unit in attackers if unit not in wrong)
        if left == attackers:  # what is wrong is nobody's in particular, such as odds at which nobody attacks
            return None
        attackers = left
    return None


def same_attack(judge: AttackReferee, one: DeclaredAttack, other: DeclaredAttack) -> bool:
    """Tell whether two attacks are one, however they are written."""
    return (
        {*one.attackers} == {*other.attackers}
        and {*one.hexes} == {*other.hexes}
        and judge.defenders_of(one) == judge.defenders_of(other)
    )


def departures(
    judge: AttackReferee, declared: Sequence[DeclaredAttack], attacks: Sequence[DeclaredAttack]
) -> Iterator[tuple[int | None, Finding]]:
    """Yield where attacks depart from what has been declared: the index of one that hasn't been, None for one left out.

    Parameters
    ----------
    judge : AttackReferee
        Knows who stands where now, and which attacks have been made.
    declared : sequence of DeclaredAttack
        The attacks that were declared and have not been rolled yet.
    attacks : sequence of DeclaredAttack
        Those of which it is said that they are made.
    """
    paragraph = judge.rule.paragraph
    open_ = [(one, left) for one in declared if (left := left_of(judge, one)) is not None]
    told = ", ".join(str(one) for one, _ in open_) or "nothing"
    for index, attack in enumerate(attacks):
        same = next((pair for pair in open_ if same_attack(judge, attack.declared, pair[1])), None)
        if same is None:
            text = f"{attack.declared} is none of the attacks that have been declared: {told} is left of them"
            yield index, Finding(paragraph, text, at=attack.hexes[0])
        else:
            open_.remove(same)
    for one, left in open_:
        yield None, Finding(paragraph, f"{one} has been declared, and must be made", at=left.hexes[0])


def can_be_made(prospect: AttackProspect, attack: DeclaredAttack) -> DeclaredAttack | None:
    """Return what of a declared attack is left to those who are, as the solver sees it; nobody moves by then.

    Parameters
    ----------
    prospect : AttackProspect
        The attacks that there may be.
    attack : DeclaredAttack
        The attack as it was declared.

    Returns
    -------
    DeclaredAttack or None
        The attack with all whom it is against by name; None if it can't be made any more.
    """
    game, board, homes = prospect.game, prospect.game.board, prospect.game.homes
    named = () if prospect.rule.defenders_together else attack.defenders
    there = [(to, [e for e in prospect.defenders.get(to, ()) if not named or e in named]) for to in attack.hexes]
    hexes, whom = tuple(to for to, some in there if some), [enemy for _, some in there for enemy in some]
    able = [
        unit
        for unit in attack.attackers
        if homes.get(unit) in board.hexes
        and prospect.reached(unit, homes[unit]).issuperset(hexes)
        and prospect.strength(game.units[unit], homes[unit], hexes) > 0
    ]
    while True:  # who attacks from afar needs somebody beside each hex, who may need somebody, too
        covered = {to for to in hexes if any(board.distance(homes[unit], to) == 1 for unit in able)}
        left = [u for u in able if prospect.rule.range_of(game.units[u]).alone or covered.issuperset(hexes)]
        if left == able:
            break
        able = left
    if not able or not hexes or prospect.column(hexes, whom, {unit: homes[unit] for unit in able}) is None:
        return None
    return DeclaredAttack(tuple(able), hexes, game.sorted(whom))


def nobody_to_attack(game: Game, position: Position, label: str) -> str:
    """Say that nobody in a hex can be attacked: nobody is there, or all who are have been attacked before."""
    before = _attacked_in(game, position, label)
    if not before:
        return f"there is nobody to attack in {label}"
    have = f"{game.names(before)} {'have' if before[1:] else 'has'}"
    return f"there is nobody left to attack in {label}: {have} been attacked before"


def no_defender(game: Game, position: Position, unit: str, hexes: Sequence[str]) -> str:
    """Say why an enemy isn't among those who can be attacked in some hexes."""
    if any(unit in _attacked_in(game, position, label) for label in hexes):
        return f"{unit} can't be attacked twice"
    return f"{unit} can't be attacked: it doesn't defend {' or '.join(hexes)}"


def _attacked_in(game: Game, position: Position, label: str) -> tuple[str, ...]:
    """Return the enemies in a hex who have been attacked before, in the order of the scenario."""
    done = {unit for attack in position.attacked for unit in attack.defenders}
    return game.sorted(unit for unit in position.units_in(label) if unit in done and game.is_enemy(unit))
