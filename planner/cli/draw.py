"""The command ``planner draw``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from planner.cli.terminal import (
    LEGAL,
    AfterFileOption,
    AfterOption,
    ForceOption,
    MovesArgument,
    PlanOption,
    PolicyOption,
    ScenarioArgument,
    ensure_outputs,
    leave,
    load_position,
    read_plan,
    read_policy,
    stopped_by_interrupt,
)


def draw(
    scenario: ScenarioArgument,
    moves: MovesArgument = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="FILE", help="FILE.svg, FILE.png or FILE.html.")
    ] = None,
    plan: PlanOption = None,
    policy: PolicyOption = None,
    reach: Annotated[str | None, typer.Option("--reach", metavar="UNIT", help="Shade what a unit can reach.")] = None,
    explain: Annotated[
        str | None,
        typer.Option(
            "--explain", metavar="WHAT", help='Show what forbids moves, or a destination such as "plv to w5426".'
        ),
    ] = None,
    step: Annotated[
        int,
        typer.Option(
            "--step",
            min=0,
            metavar="N",
            help="Show the position after N of the moves; of a policy, situation N; of a game, phase N.",
        ),
    ] = 0,
    after: AfterOption = None,
    after_file: AfterFileOption = None,
    time_limit: Annotated[
        float | None, typer.Option(min=0, help="Seconds at most, for --reach (absent: 60) and --explain (absent: 10).")
    ] = None,
    force: ForceOption = False,
) -> None:
    """Draw a position, a plan, a policy, or what a unit can reach.

    As SVG or PNG, or as an HTML page to step through.
    """
    from planner import api
    from planner import draw as drawing
    from planner.cli import text_output as report
    from planner.draw.answer_pictures import picture_of
    from planner.errors import InputError, Problem

    if output is None:
        raise typer.BadParameter("must be given: the picture to write, .svg, .png or .html", param_hint="-o")
    drawing.ready(output)
    ensure_outputs([scenario, plan, policy, after_file], [output], force)
    done = None
    if scenario.endswith(".json"):
        from planner.playing.game_record import GameRecord

        if moves or plan is not None or policy is not None or after or after_file is not None:
            raise typer.BadParameter("the record of a game says itself what was done", param_hint="SCENARIO")
        record = GameRecord.load(Path(scenario))
        position, done = record.phase(step or len(record.phases), scenario)
        step = 0
    else:
        position = load_position(scenario, after, after_file)
    if sum([reach is not None, bool(moves or plan is not None), explain is not None, policy is not None]) > 1:
        raise InputError([Problem("must have moves, --policy, --reach or --explain, one of them", "command line")])
    with stopped_by_interrupt() as stop:
        if explain is not None:
            asked = [one.strip() for one in explain.split(";") if one.strip()]
            answer = api.explain(position, asked, time_limit=10.0 if time_limit is None else time_limit, stop=stop)
            shown = picture_of(answer, position)
        elif policy is not None:
            from planner.draw.policy_picture import PolicyPicture

            shown = PolicyPicture(position, read_policy(policy), step=step)
        else:
            found = (
                api.reach(position, reach, time_limit=60.0 if time_limit is None else time_limit, stop=stop)
                if reach is not None
                else None
            )
            wanted = read_plan(position, moves, plan) if moves or plan is not None else done
            shown = api.picture(position, wanted, reach=found).step_to(step)
        shown.save(output)
        for remark in shown.said:
            report.print_remark(remark)
        report.print_written(output)
    leave(LEGAL, stop.is_set())
