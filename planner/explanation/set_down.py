"""Positions in which units stand elsewhere, so that the referee can say what they could do there."""

from __future__ import annotations

from dataclasses import replace

from planner.rules.game import Game
from planner.rules.roles import Stacks
from planner.scenario import Scenario
from planner.world.position import Position


def overstacked(game: Game, position: Position, label: str) -> bool:
    """Tell whether the referee lets those who stand in a hex not stay there together."""
    found = (one for rule in game.rulebook.of(Stacks) for _, one in rule.check_end(game, position))
    return any(one.at == label for one in found)


def set_down(scenario: Scenario, team: tuple[str, ...], at: str) -> Scenario:
    """Return a position in which some units stand together elsewhere, and haven't moved yet."""
    game, start, homes = scenario.game, scenario.start.copy(), dict(scenario.game.homes)
    for unit in team:
        start.under_way.pop(unit, None)
        start.move(unit, at)
        homes[unit] = at
    return replace(scenario, game=replace(game, homes=homes, begun=None, _cache={}), start=start)
