"""``planner suggest``: finds the best plan, or several."""

from __future__ import annotations

import json
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from planner.cli.terminal import (
    AfterFileOption,
    AfterOption,
    DrawOption,
    ForceOption,
    JsonOption,
    ScenarioArgument,
    SeedOption,
    ShortOption,
    UntilProvedOption,
    ensure_outputs,
    leave_with_result,
    load_position,
    print_json,
    print_text,
    read_partial,
    stopped_by_interrupt,
)

if TYPE_CHECKING:
    from planner.cli.text_output import Written
    from planner.limits import Running
    from planner.scenario import Scenario

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
    short: ShortOption = False,
    after: AfterOption = None,
    after_file: AfterFileOption = None,
    adaptive: Annotated[
        bool,
        typer.Option("--adaptive", help="Find a plan that reacts to what is rolled, instead of one fixed in advance."),
    ] = False,
    json_: JsonOption = False,
    draw: DrawOption = None,
    force: ForceOption = False,
) -> None:
    """Find the best plan, with a proof where there is time for one.

    Of plans that are worth the same, it is the shortest: the fewest moves, then the least MP.

    Exit 0 with a plan, 1 if there is provably none, 3 if nothing was found or proved in time.
    """
    from planner import api
    from planner import draw as pictures
    from planner.cli import text_output
    from planner.formats import files
    from planner.formats.mp import format_mp
    from planner.limits import Limits, Running
    from planner.reachability.possible_rolls import may_roll

    pictures.ready(draw)
    ensure_outputs([scenario, plan, after_file], [draw, plan_out], force)
    if within is not None and not diverse:
        raise typer.BadParameter(
            "says how good diverse plans must be: --diverse must be given, too", param_hint="--within"
        )
    if adaptive and (plan is not None or alternatives is not None or diverse):
        raise typer.BadParameter("can't be had with --plan, --alternatives or --diverse", param_hint="--adaptive")
    position = load_position(scenario, after, after_file)
    if adaptive:
        _react(
            position,
            time_limit,
            Running(workers=workers, seed=seed),
            (plan_out, draw),
            None if json_ else text_output.written(short),
        )
    partial = None if plan is None else read_partial(position, None, plan)
    write = text_output.written(short)
    several, limits = None, Limits.within(time_limit)
    with stopped_by_interrupt() as stop, ExitStack() as outputs:
        running = Running(workers=workers, seed=seed, stop=stop)
        with text_output.progress_line() as tell:
            if alternatives is None and not diverse:
                result = api.suggest(position, time_limit=time_limit, on_progress=tell, partial=partial, **running)
            else:
                several = api.alternatives(
                    position,
                    alternatives or DEFAULT_ALTERNATIVES,
                    diverse=diverse,
                    within=within,
                    partial=partial,
                    time_limit=time_limit,
                    on_progress=tell,
                    **running,
                )
                result = several.plans[0].result if several.plans else several.first
            if partial is not None and result.status == "infeasible":
                from planner.explanation.partial_plan_conflict import with_conflict
                from planner.notebook import shown_with

                told_why = with_conflict(result, position, partial, Limits.within(limits.left(), stop))
                result = shown_with(told_why, position)
        # Written last, but in any case: what can't be written is at least printed, and what can't be printed written.
        outputs.callback(pictures.save, draw, several or result, position)
        if plan_out is not None and result.plan is not None and result.verdict is not None:
            from planner.referee.verdict_data import told_plan_data

            written = told_plan_data(result.plan, position.game, result.verdict.moves, result.verdict.attacks)
            outputs.callback(files.write_text, plan_out, json.dumps(written, indent=2) + "\n")
        conflict = result.conflict
        rolled = partial is None and may_roll(position.game) and not position.asks_for_attacks
        reacting = None
        if rolled:
            from planner.search.adaptive import in_passing

            fixed = None if result.plan is None else result.value
            reacting = in_passing(position, Limits.within(limits.left(), stop), fixed)
        if json_:
            from planner.cli import json_output

            told: dict[str, object] = {**(result if several is None else several).to_dict()}
            told |= {} if conflict is None else {"conflict": conflict.to_dict()}
            told |= {"reacting": None if reacting is None else [format_mp(one) for one in reacting]} if rolled else {}
            print_json(json_output.after_json(told, position))
        elif conflict is not None:
            from planner.cli import completion_output

            text_output.print_after(position)
            print_text("No plan has all that is settled, proved.\n")
            completion_output.print_conflict(conflict)
        elif several is not None:
            from planner.cli import alternatives_output

            text_output.print_after(position)
            alternatives_output.print_alternatives(several, position, alternatives or DEFAULT_ALTERNATIVES, write)
            text_output.print_reacting(position, result, reacting)
        else:
            text_output.print_after(position)
            text_output.print_result(result, position, write=write)
            text_output.print_reacting(position, result, reacting)
    leave_with_result(result.status, (several or result).interrupted)


def _react(
    position: Scenario,
    time_limit: float | None,
    running: Running,
    outputs: tuple[Path | None, Path | None],
    write: Written | None,
) -> NoReturn:
    """Find a plan that reacts, write it and its picture, and leave; `write` says how text has moves, None asks for JSON."""
    from planner import api
    from planner import draw as pictures
    from planner.cli import json_output, policy_output, text_output
    from planner.formats import files

    with stopped_by_interrupt() as stop, ExitStack() as written:
        running["stop"] = stop
        with text_output.progress_line() as on_progress:
            found = api.suggest(position, adaptive=True, time_limit=time_limit, on_progress=on_progress, **running)
        told = found.to_dict()
        plan_out, draw = outputs
        written.callback(pictures.save, draw, found, position)
        if plan_out is not None and found.root is not None:
            written.callback(files.write_text, plan_out, json.dumps(told, indent=2) + "\n")
        if write is None:
            print_json(json_output.after_json(told, position))
        else:
            text_output.print_after(position)
            policy_output.print_policy(found, write, position.asks_for_attacks)
    leave_with_result(found.status, found.interrupted)
