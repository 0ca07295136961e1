"""How steps are written of which plans that react are made up."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise, product

from planner.plans.plan import Move
from planner.plans.policy import Made
from planner.reachability.conditional_reach import ConditionalReach
from planner.referee.referee import Referee
from planner.rules.combat_roles import Bogs, JointlyOverruns
from planner.rules.game import Game
from planner.rules.odds_table import subsets
from planner.rules.play import MoveInPlay
from planner.world.position import Position


def aboard(move: Move) -> list[str]:
    """Return the units that a move takes to its end: the others have been dropped."""
    dropped = {unit for _, unit in move.drops}
    return [unit for unit in move.units if unit not in dropped]


def returns(reach: ConditionalReach) -> tuple[bool, bool]:
    """Tell whether who comes back to a place may have come to something: anywhere, or where it began; see `leads_on`."""
    game = reach.game
    # Whoever might have bogged down on its way has come to something, too.
    takes = bool(game.situation.contested or game.removable or game.rulebook.of(Bogs))
    return takes, not reach.staying_is_as_good


def leads_on(move: Move, to: str, takes: bool, comes_home: bool) -> bool:
    """Tell whether a move that goes on to a place may come to what it hasn't come to before.

    Parameters
    ----------
    move : Move
        The move; it may not end where it has come to.
    to : str
        The place.
    takes : bool
        Whether places or markers may be taken on the way, or it may bog down, so that it may come back.
    comes_home : bool
        Whether it may matter that a move is made, though it ends where it began.
    """
    if takes:
        return (move.end, to) not in pairwise(move.path)
    if move.overruns:  # where it was before, it comes to a board on which fewer enemies are left
        return to not in move.path[max(move.overruns) :]
    return to not in move.path or (comes_home and to == move.path[0])


def may_end_at_home(referee: Referee, move: Move, position: Position) -> bool:
    """Tell whether those who make a move might end another one where it begins: else only this one may come back there.

    Parameters
    ----------
    referee : Referee
        Who judges moves.
    move : Move
        The move.
    position : Position
        Where everybody stands before it.
    """
    game, home = referee.game, move.path[0]
    stack = [MoveInPlay(game, position, game.units[unit], home, home) for unit in move.units]
    return not referee.findings_at_end(stack, home)


def dropping(move: Move) -> Iterator[Move]:
    """Yield a move that may not end where it has come to, to be gone on with: by all, or with some left there."""
    yield move
    units = aboard(move)
    for left in subsets(units):
        if 0 < len(left) < len(units):
            yield replace(move, drops=move.drops + tuple((len(move.path) - 1, unit) for unit in left))


def overruns_of(game: Game, move: Move, position: Position, most: int) -> Iterator[Move]:
    """Yield the overruns as which the last step of a move may be meant.

    Parameters
    ----------
    game : Game
        The game.
    move : Move
        The move, its last step written as a plain one.
    position : Position
        Where everybody stands.
    most : int
        How often it may be tried.
    """
    step, rules = len(move.path) - 1, game.rulebook.of(JointlyOverruns)
    idle = ((unit, at) for unit, at in position.at.items() if unit not in move.units and unit not in position.used)
    helpers = {unit for unit, at in idle if any(rule.supports_from(game, unit, at, move.end) for rule in rules)}
    for tries, some in product(range(1, most + 1), subsets(game.sorted(helpers))):
        again = ((step, tries),) if tries > 1 else ()
        support = tuple((step, unit) for unit in some)
        yield replace(
            move, overruns=move.overruns | {step}, attempts=move.attempts + again, support=move.support + support
        )


def as_made(move: Move, end: Move, step: Made) -> Move:
    """Return a move as it has been made, by what has come of its end, in which it may have got less far."""
    assert isinstance(step, Move)
    made = move.until(len(move.path) - 1 - len(end.path) + len(step.path))
    return replace(made, failed=step.failed, damage=step.damage).as_made()
