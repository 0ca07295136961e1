"""When two puzzles are alike: the same up to the symmetries of the hex grid, wherever they stand on the map."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from planner.plans.plan import Plan
from planner.scenario import Scenario

Cube = tuple[int, int, int]
Drawn = list[tuple[str, Cube]]
"""What stands where, or goes where: words that tell what it is, and cube coordinates."""


def signature(scenario: Scenario, plan: Plan) -> tuple[str, str]:
    """Return what alike puzzles have in common: the units and where they stand; the units that move, and their ways.

    Terrain doesn't count: puzzles that differ in it alone are taken for alike.
    """
    game, start = scenario.game, scenario.start
    cubes = _cubes(scenario)
    standing: Drawn = []
    for unit in sorted(start.at):
        counter, at = game.units[unit], start.at[unit]
        mine = "own" if unit in game.friends else "other"
        if at in cubes:
            standing.append((f"{mine} {counter.type} {counter.attack} {counter.defense} {counter.ma}", cubes[at]))
    moving: Drawn = []
    for number, move in enumerate(plan.moves):
        kinds = "+".join(sorted(game.units[unit].type for unit in move.units))
        moving += [(f"{number} {kinds}", cubes[at]) for at in move.path if at in cubes]
    return canonical(standing), canonical(moving)


def _cubes(scenario: Scenario) -> dict[str, Cube]:
    """Return the cube coordinates of every hex of the map."""
    found = {}
    for label, place in scenario.game.board.coordinates.items():
        across = (place.place - place.line) // 2
        found[label] = (place.line, across, -place.line - across)
    return found


def canonical(drawn: Drawn) -> str:
    """Return a text that is the same for what can be turned, mirrored and shifted into each other, and for nothing else."""
    return min((_shifted(turned) for turned in _turned(drawn)), default="")


def _turned(drawn: Drawn) -> Iterator[Drawn]:
    """Yield it turned by each sixth of a circle, and mirrored."""
    for mirrored in (False, True):
        now = [(what, (a, c, b) if mirrored else (a, b, c)) for what, (a, b, c) in drawn]
        for _ in range(6):
            yield now
            now = [(what, (-c, -a, -b)) for what, (a, b, c) in now]


def _shifted(drawn: Iterable[tuple[str, Cube]]) -> str:
    """Return it as text, counted from its own corner."""
    drawn = list(drawn)
    left, low = min(at[0] for _, at in drawn), min(at[1] for _, at in drawn)
    return "; ".join(sorted(f"{what} {a - left} {b - low}" for what, (a, b, _) in drawn))
