"""Where plans that react can be made up of single steps, of which every one is tried."""

from __future__ import annotations

from collections.abc import Iterable

from planner.reachability.possible_rolls import may_roll
from planner.rules.combat_roles import JointlyOverruns
from planner.scenario import Scenario


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
    held = {home for unit, home in game.homes.items() if game.is_enemy(unit)}
    if any(rule.may_support(game, label) for rule in book.of(JointlyOverruns) for label in held):
        return "where friends may support overruns"
    # Through hexes in which no move may end, only whole moves lead: such as drop nobody, and in which nothing is rolled.
    halts = all(rule.may_halt_everywhere(game) for rule in book.halting)
    stepwise = halts or ((not book.stacks or all(map(book.lets_wait, units))) and not rolled)
    return "" if stepwise else "where units may pass through hexes in which no move may end"
