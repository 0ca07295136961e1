"""``planner reach``: where a unit can go."""

from __future__ import annotations

from typing import Annotated

import typer

from planner.cli.terminal import JsonOption, ScenarioArgument, print_json


def reach(
    scenario: ScenarioArgument,
    unit: Annotated[str | None, typer.Argument(help="A unit's id or name.")] = None,
    all_: Annotated[bool, typer.Option("--all", help="Every unit of the side whose phase it is.")] = False,
    alone: Annotated[bool, typer.Option("--alone", help="Leave out what takes the help of others.")] = False,
    time_limit: Annotated[float | None, typer.Option(min=0, help="Seconds at most.")] = None,
    json_: JsonOption = False,
) -> None:
    """List the hexes in which a unit can end by itself now, and only with help, each with a plan that takes it there."""
    from planner import api
    from planner.cli import json_output as answers
    from planner.cli import text_output as report

    if all_ == (unit is not None):
        raise typer.BadParameter("name one unit, or ask for --all", param_hint="UNIT")
    if unit is None:
        every = api.reach_all(scenario, alone=alone, time_limit=time_limit)
        if json_:
            print_json({"format": "planner/reach-all-1", "units": [answers.reach_to_json(one) for one in every]})
        else:
            for one in every:
                report.print_reach(one)
        return
    found = api.reach(scenario, unit, alone=alone, time_limit=time_limit)
    if json_:
        print_json(answers.reach_to_json(found))
    else:
        report.print_reach(found)
