"""``planner reach``: where a unit can go."""

from __future__ import annotations

from typing import Annotated

import typer

from planner.cli.terminal import JsonOption, ScenarioArgument, print_json


def reach(
    scenario: ScenarioArgument,
    unit: Annotated[str, typer.Argument(help="A unit's id or name.")],
    time_limit: Annotated[float | None, typer.Option(min=0, help="Seconds at most.")] = None,
    json_: JsonOption = False,
) -> None:
    """List the hexes that a unit can reach by itself now, and those that it could reach only with help."""
    from planner import api
    from planner.cli import json_output as answers
    from planner.cli import text_output as report

    found = api.reach(scenario, unit, time_limit=time_limit)
    if json_:
        print_json(answers.reach_to_json(found))
    else:
        report.print_reach(found)
