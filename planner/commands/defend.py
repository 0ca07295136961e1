"""``planner defend``: where to place defenders so that no enemy plan achieves its goal."""

from __future__ import annotations

from typing import Annotated

import typer

from planner.cli import ILLEGAL, LEGAL, NOTHING_FOUND, JsonOption, ScenarioArgument, _print_json, app


@app.command()
def defend(
    scenario: ScenarioArgument,
    every: Annotated[bool, typer.Option("--all", help="List all placements that hold.")] = False,
    time_limit: Annotated[float | None, typer.Option(min=0.1, help="Seconds at most; absent: until proved.")] = None,
    json_: JsonOption = False,
) -> None:
    """Place or move defenders so that no enemy plan achieves its goal, or its best is as bad as possible.

    Exit 0 with a placement that holds, or that is proved best; 1 if none holds, proved; 3 if that is not known.
    """
    from planner import api
    from planner.defence import report
    from planner.solver.defence import defend as search

    found = search(api.load(scenario), time_limit, every)
    if json_:
        _print_json(found.to_json())
    else:
        report.print_defence(found, every)
    raise typer.Exit({"fails": ILLEGAL, "unknown": NOTHING_FOUND}.get(found.status, LEGAL))
