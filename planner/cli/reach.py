"""``planner reach``: where a unit can go."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

import typer

from planner.cli.terminal import (
    LEGAL,
    AfterFileOption,
    AfterOption,
    JsonOption,
    ScenarioArgument,
    ShortOption,
    leave,
    load_position,
    print_json,
    stopped_by_interrupt,
)


def reach(
    scenario: ScenarioArgument,
    unit: Annotated[str | None, typer.Argument(help="A unit's id or name.")] = None,
    all_: Annotated[bool, typer.Option("--all", help="Every unit of the side whose phase it is.")] = False,
    alone: Annotated[bool, typer.Option("--alone", help="Leave out what takes the help of others.")] = False,
    time_limit: Annotated[float, typer.Option(min=0, help="Seconds at most; inf: until all is known.")] = 60.0,
    short: ShortOption = False,
    after: AfterOption = None,
    after_file: AfterFileOption = None,
    json_: JsonOption = False,
) -> None:
    """List where a unit can end by itself now, and only with help.

    Each hex with a plan that takes it there.
    """
    from planner import api
    from planner.cli import json_output as answers
    from planner.cli import text_output as report

    if all_ == (unit is not None):
        raise typer.BadParameter("name one unit, or ask for --all", param_hint="UNIT")
    with stopped_by_interrupt() as stop:
        position = load_position(scenario, after, after_file)
        if unit is None:
            found = api.reach_all(position, alone=alone, time_limit=time_limit, stop=stop)
        else:
            found = [api.reach(position, unit, alone=alone, time_limit=time_limit, stop=stop)]
        interrupted = stop.is_set()
        if json_:
            told = [one.to_dict() for one in found]
            answer: Mapping[str, object] = {"format": "planner/reach-all-1", "units": told} if unit is None else told[0]
            print_json(answers.after_json(answer, position))
        else:
            report.print_after(position)
            report.print_reach_all(found, report.written(short))
    leave(LEGAL, interrupted)
