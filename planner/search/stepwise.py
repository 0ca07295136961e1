"""Where plans that react can be made up of single steps, of which every one is tried."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import product

from planner.plans.plan import Move
from planner.reachability.possible_rolls import may_roll
from planner.rules.combat_roles import JointlyOverruns
from planner.rules.game import Game
from planner.rules.odds_table import subsets
from planner.scenario import Scenario
from planner.world.position import Position


def hindrance(scenario: Scenario, movers: Iterable[str]) -> str:
    """Return where it is, as messages say it, that not every step can be tried; empty: it can.

    Parameters
    ----------
    scenario : Scenario
        The position.
    movers : iterable of str
        The units that may move.
    """
    game, book, rolled = scenario.game, scenario.game.rulebook, may_roll(scenario.game)
    units = [game.units[unit] for unit in movers]
    # Through hexes in which no move may end, only whole moves lead: such as drop nobody, and in which nothing is rolled.
    halts = all(rule.may_halt_everywhere(game) for rule in book.halting)
    stepwise = halts or ((not book.stacks or all(map(book.lets_wait, units))) and not rolled)
    return "" if stepwise else "where units may pass through hexes in which no move may end"


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
