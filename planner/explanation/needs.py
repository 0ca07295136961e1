"""What goals need of single units: where one of some units would have to get, or whom it would have to eliminate."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from planner.objective import Term
from planner.objective.control import Control
from planner.objective.costs import MpSpent
from planner.objective.goals import Eliminate, End, Hold
from planner.objective.together import Together
from planner.rules.combat_roles import Fights, JointlyOverruns
from planner.rules.game import Game
from planner.world.selectors import UnitSelector


@dataclass(frozen=True)
class Aim:
    """What one unit would have to come to.

    Attributes
    ----------
    unit : str
        A phasing unit on the map.
    ends : frozenset of str
        The hexes of which it would have to reach one.
    removes : frozenset of str
        Or the enemies of which it would have to eliminate one.
    within : Fraction or None
        The MP that it may spend in the phase at most; None: as many as it has.
    sound : bool
        Whether it must end sound: where that must be sure, it never rolls for whether it gets on.
    passing : bool
        Whether it needn't end where it gets.
    """

    unit: str
    ends: frozenset[str] = frozenset()
    removes: frozenset[str] = frozenset()
    within: Fraction | None = None
    sound: bool = False
    passing: bool = False


Need = tuple[Aim, ...]
"""What one of some units would have to come to; if none of them can, it can't be had."""


def needs_of(goal: Term, game: Game) -> list[Need]:
    """Return what a goal needs, each of it by itself; nothing where it isn't known from single units.

    Parameters
    ----------
    goal : Term
        The goal.
    game : Game
        The position.
    """
    if isinstance(goal, Together):
        return [need for one in goal.goals for need in needs_of(one, game)]
    own = [unit for unit in game.homes if unit in game.friends]
    if isinstance(goal, End) and goal.at and goal.unit in game.homes:
        return [(Aim(goal.unit, frozenset(goal.at) - set(goal.not_at)),)]
    if isinstance(goal, Hold):
        holders = [unit for unit in own if goal.by.matches(game.units[unit])]
        return [
            tuple(Aim(unit, frozenset([label])) for unit in nearest(game, holders, label))
            for label in dict.fromkeys(goal.hexes)
        ]
    if isinstance(goal, Control):
        return [
            tuple(Aim(unit, frozenset([label]), passing=True) for unit in nearest(game, own, label))
            for label in _to_be_taken(goal, game)
        ]
    # Who fights, or overruns together with others, isn't listed unit by unit.
    together = bool(game.rulebook.of(Fights)) or bool(game.rulebook.of(JointlyOverruns))
    if isinstance(goal, Eliminate) and not together:
        enemies = [enemy for enemy in dict.fromkeys(goal.units) if enemy in game.homes]
        able = own if moves_eliminate(game) else []
        return [
            tuple(Aim(unit, removes=frozenset([enemy])) for unit in nearest(game, able, game.homes[enemy]))
            for enemy in enemies
        ]
    return []


def _to_be_taken(goal: Control, game: Game) -> list[str]:
    """Return the places into which somebody has to come so that they are friendly; none where combats decide on it."""
    taken = () if game.begun is None else game.begun.position.taken
    if game.rulebook.of(Fights):
        return []
    return [label for label in dict.fromkeys(goal.hexes) if not goal.is_had(game, label) and label not in taken]


def overruns_needed(enemies: Iterable[str], game: Game) -> list[Need]:
    """Return who would have to take part in overruns that are sure to eliminate enemies, where units overrun together.

    What overruns might be made together `SingleUnitBounds.events` knows. Nothing where other fights may eliminate them, too,
    nor where overruns are rolled for: that none is sure is another matter.

    Parameters
    ----------
    enemies : iterable of str
        Enemies on the map, all of whom are to be eliminated for certain.
    game : Game
        The position.
    """
    if not game.rulebook.of(JointlyOverruns) or game.rulebook.of(Fights) or game.rulebook.rolled:
        return []
    # All units: in a relaxed game some may overrun that may not in this one.
    own = [unit for unit in game.homes if unit in game.friends]
    return [
        tuple(Aim(unit, removes=frozenset([enemy])) for unit in nearest(game, own, game.homes[enemy]))
        for enemy in enemies
    ]


def moves_eliminate(game: Game) -> bool:
    """Tell whether units may eliminate enemies while they move: by overruns, or combats in the middle of movement."""
    return bool(game.rulebook.overrunning) or bool(game.rulebook.of(Fights))


def within_limits(needs: Sequence[Need], goals: Sequence[Term], game: Game) -> list[Need]:
    """Return needs in which no unit spends more MP than goals let it, and those end sound that must."""
    limits = [goal for goal in goals if isinstance(goal, MpSpent) and goal.most is not None]

    sound = {goal.unit for goal in goals if isinstance(goal, End) and goal.sound}

    def limited(aim: Aim) -> Aim:
        aim = replace(aim, sound=True) if aim.unit in sound else aim
        most = [goal.most for goal in limits if goal.most is not None and goal.of.matches(game.units[aim.unit])]
        return replace(aim, within=Fraction(min(most))) if most else aim

    return [tuple(map(limited, need)) for need in needs] if limits or sound else list(needs)


def sure_to_move(needs: Iterable[Need], game: Game, of: UnitSelector) -> list[set[str]]:
    """Return for each unit that has to move at least, of some that count, who may be it: nobody ends in two hexes."""
    apart = list[tuple[set[str], set[str]]]()
    for need in needs:
        units, ends = {aim.unit for aim in need}, {label for aim in need for label in aim.ends}
        moves = bool(units) and not any(aim.removes or aim.passing or game.homes[aim.unit] in aim.ends for aim in need)
        counts = all(of.matches(game.units[unit]) for unit in units)
        if moves and counts and all(units.isdisjoint(others) or ends.isdisjoint(there) for others, there in apart):
            apart.append((units, ends))
    return [units for units, _ in apart]


def parts_of(goal: Term, game: Game) -> list[Term]:
    """Return a goal as several goals, each of which has one need, in the order of `needs_of`."""
    if isinstance(goal, Together):
        return [part for one in goal.goals for part, _ in zip(parts_of(one, game), needs_of(one, game), strict=False)]
    if isinstance(goal, Hold):
        return [goal.model_copy(update={"hexes": (label,)}) for label in dict.fromkeys(goal.hexes)]
    if isinstance(goal, Control):
        return [goal.model_copy(update={"hexes": (label,)}) for label in _to_be_taken(goal, game)]
    if isinstance(goal, Eliminate):
        return [
            goal.model_copy(update={"units": (enemy,)}) for enemy in dict.fromkeys(goal.units) if enemy in game.homes
        ]
    return [goal]


def nearest(game: Game, units: Iterable[str], label: str) -> list[str]:
    """Return some units by how far they are from a hex, the nearest first."""
    far = len(game.board.places)

    def away(unit: str) -> int:
        found = game.board.distance(game.homes[unit], label)
        return far if found is None else found

    return sorted(units, key=away)
