"""Positions in which units stand elsewhere, so that the referee can say what they could do from there."""

from __future__ import annotations

from dataclasses import replace

from planner.scenario import Scenario


def set_down(scenario: Scenario, team: tuple[str, ...], at: str) -> Scenario:
    """Return a position in which some units stand together elsewhere, and haven't moved yet."""
    game, start, homes = scenario.game, scenario.start.copy(), dict(scenario.game.homes)
    for unit in team:
        start.under_way.pop(unit, None)
        start.move(unit, at)
        homes[unit] = at
    return replace(scenario, game=replace(game, homes=homes, begun=None, _cache={}), start=start)
