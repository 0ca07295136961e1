"""``planner defend``: where to place defenders so that no enemy plan achieves its goal."""

from __future__ import annotations

from typing import Annotated

import typer

from planner.commands.terminal import (
    ILLEGAL,
    LEGAL,
    NOTHING_FOUND,
    DrawOption,
    JsonOption,
    ScenarioArgument,
    print_json,
)


def defend(
    scenario: ScenarioArgument,
    every: Annotated[bool, typer.Option("--all", help="List all placements that hold.")] = False,
    time_limit: Annotated[float | None, typer.Option(min=0.1, help="Seconds at most; absent: until proved.")] = None,
    json_: JsonOption = False,
    draw: DrawOption = None,
) -> None:
    """Place or move defenders so that no enemy plan achieves its goal, or its best is as bad as possible.

    Exit 0 with a placement that holds, or that is proved best; 1 if none holds, proved; 3 if that is not known.
    """
    from planner import api
    from planner import draw as pictures
    from planner.defense import report
    from planner.solver.defense import defend as search

    pictures.ready(draw)
    position = api.load(scenario)
    found = search(position, time_limit, every)
    if json_:
        print_json(found.to_json())
    else:
        report.print_defense(found, every)
    if draw is not None:
        from planner.draw.told import of_defense

        of_defense(position, found).save(draw)
    raise typer.Exit({"fails": ILLEGAL, "unknown": NOTHING_FOUND}.get(found.status, LEGAL))
