"""``planner suggest``: finds the best plan, or several."""

from __future__ import annotations

import json
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

import typer

from planner.cli.terminal import (
    DrawOption,
    ForceOption,
    JsonOption,
    ScenarioArgument,
    SeedOption,
    UntilProvedOption,
    ensure_outputs,
    leave_with_result,
    print_json,
    print_text,
    read_partial,
    stopped_by_interrupt,
)

DEFAULT_ALTERNATIVES = 3


def suggest(
    scenario: ScenarioArgument,
    time_limit: UntilProvedOption = None,
    workers: Annotated[
        int,
        typer.Option(min=1, max=64, help="Cores to use. One: the same seed gives the same plan, unless time runs out."),
    ] = 1,
    seed: SeedOption = 0,
    plan_out: Annotated[Path | None, typer.Option(help="Write the best plan to a JSON file.")] = None,
    plan: Annotated[
        str | None,
        typer.Option("--plan", help="A partial plan to be completed, JSON or a line each; - reads from stdin."),
    ] = None,
    alternatives: Annotated[
        int | None, typer.Option(min=1, metavar="K", help="Find the K best plans that differ in substance.")
    ] = None,
    diverse: Annotated[
        bool, typer.Option("--diverse", help="Find alternatives that are good and as different as possible.")
    ] = False,
    within: Annotated[
        str | None,
        typer.Option(metavar="SHARE", help="How far diverse plans may fall short of the best one, in each tier: 10%."),
    ] = None,
    json_: JsonOption = False,
    draw: DrawOption = None,
    force: ForceOption = False,
) -> None:
    """Find the best plan: exit 0 with a plan, 1 if there is provably none, 3 if nothing was found or proved in time."""
    from planner import api
    from planner import draw as pictures
    from planner.cli import alternatives_output, completion_output, json_output, text_output
    from planner.formats import files
    from planner.limits import Limits

    pictures.ready(draw)
    ensure_outputs([scenario, plan], [draw, plan_out], force)
    if within is not None and not diverse:
        raise typer.BadParameter(
            "says how good diverse plans must be: --diverse must be given, too", param_hint="--within"
        )
    position = api.load(scenario)
    partial = None if plan is None else read_partial(position, None, plan)
    several, limits = None, Limits.within(time_limit)
    with stopped_by_interrupt() as stop, ExitStack() as outputs:
        with text_output.progress_line() as on_progress:
            if alternatives is None and not diverse:
                result = api.suggest(
                    position,
                    time_limit=time_limit,
                    workers=workers,
                    seed=seed,
                    on_progress=on_progress,
                    stop=stop,
                    partial=partial,
                )
            else:
                several = api.alternatives(
                    position,
                    alternatives or DEFAULT_ALTERNATIVES,
                    diverse=diverse,
                    within=within,
                    partial=partial,
                    time_limit=time_limit,
                    workers=workers,
                    seed=seed,
                    on_progress=on_progress,
                    stop=stop,
                )
                result = several.plans[0].result if several.plans else several.first
            if partial is not None and result.status == "infeasible":
                from planner.explanation.partial_plan_conflict import with_conflict

                result = with_conflict(result, position, partial, limits.left(), stop)
        # Written last, but in any case: what can't be written is at least printed, and what can't be printed written.
        outputs.callback(pictures.save, draw, several or result, position)
        if plan_out is not None and result.plan is not None and result.verdict is not None:
            written = json_output.plan_to_json(result.plan, position.game, result.verdict.moves)
            outputs.callback(files.write_text, plan_out, json.dumps(written, indent=2) + "\n")
        conflict = result.conflict
        if json_:
            told = (
                json_output.result_to_json(result, position)
                if several is None
                else alternatives_output.alternatives_to_json(several, position)
            )
            print_json(told if conflict is None else {**told, "conflict": conflict.to_json()})
        elif conflict is not None:
            print_text("No plan has all that is settled, proved.\n")
            completion_output.print_conflict(conflict)
        elif several is not None:
            alternatives_output.print_alternatives(several, position, alternatives or DEFAULT_ALTERNATIVES)
        else:
            text_output.print_result(result, position)
    leave_with_result(result.status, (several or result).interrupted)
