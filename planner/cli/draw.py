"""The command ``planner draw``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from planner.cli.terminal import (
    LEGAL,
    ForceOption,
    MovesArgument,
    PlanOption,
    ScenarioArgument,
    ensure_outputs,
    leave,
    read_plan,
    stopped_by_interrupt,
)


def draw(
    scenario: ScenarioArgument,
    moves: MovesArgument = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="FILE", help="FILE.svg, FILE.png or FILE.html.")
    ] = None,
    plan: PlanOption = None,
    reach: Annotated[str | None, typer.Option("--reach", metavar="UNIT", help="Shade what a unit can reach.")] = None,
    explain: Annotated[
        str | None,
        typer.Option(
            "--explain", metavar="WHAT", help='Show what forbids moves, or a destination such as "plv to w5426".'
        ),
    ] = None,
    after: Annotated[
        int, typer.Option("--after", min=0, metavar="N", help="Show the position after N of the moves.")
    ] = 0,
    time_limit: Annotated[
        float | None, typer.Option(min=0, help="Seconds at most, for --reach (absent: 60) and --explain (absent: 10).")
    ] = None,
    force: ForceOption = False,
) -> None:
    """Draw a position, a plan, or what a unit can reach: as SVG or PNG, or as an HTML page to step through."""
    from planner import api
    from planner import draw as drawing
    from planner.cli import text_output as report
    from planner.draw.answer_pictures import picture_of
    from planner.errors import InputError, Problem

    if output is None:
        raise typer.BadParameter("must be given: the picture to write, .svg, .png or .html", param_hint="-o")
    drawing.ready(output)
    ensure_outputs([scenario, plan], [output], force)
    position = api.load(scenario)
    if sum([reach is not None, bool(moves or plan is not None), explain is not None]) > 1:
        raise InputError([Problem("must have moves, --reach or --explain, one of them", "command line")])
    with stopped_by_interrupt() as stop:
        if explain is not None:
            asked = [one.strip() for one in explain.split(";") if one.strip()]
            answer = api.explain(position, asked, time_limit=10.0 if time_limit is None else time_limit, stop=stop)
            shown = picture_of(answer, position)
        else:
            found = (
                api.reach(position, reach, time_limit=60.0 if time_limit is None else time_limit, stop=stop)
                if reach is not None
                else None
            )
            wanted = read_plan(position, moves, plan) if moves or plan is not None else None
            shown = api.picture(position, wanted, reach=found, after=after)
        shown.save(output)
        for remark in shown.said:
            report.print_remark(remark)
        report.print_written(output)
    leave(LEGAL, stop.is_set())
