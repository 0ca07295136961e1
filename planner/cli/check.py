"""``planner check``: judges a plan, or says whether a partial one can be completed."""

from __future__ import annotations

from contextlib import ExitStack
from typing import Annotated

import typer

from planner.cli.terminal import (
    ILLEGAL,
    LEGAL,
    DrawOption,
    ForceOption,
    JsonOption,
    MovesArgument,
    PlanOption,
    ScenarioArgument,
    ensure_outputs,
    leave,
    leave_with_result,
    print_json,
    read_partial,
    read_plan,
    stopped_by_interrupt,
)


def check(
    scenario: ScenarioArgument,
    moves: MovesArgument = None,
    plan: PlanOption = None,
    solver: Annotated[bool, typer.Option("--solver", help="Let the CP-SAT model judge, not the referee.")] = False,
    complete: Annotated[
        bool, typer.Option("--complete", help="Say whether a partial plan can be completed, and complete it.")
    ] = False,
    time_limit: Annotated[float | None, typer.Option(min=0, help="Seconds at most, with --complete.")] = None,
    workers: Annotated[int, typer.Option(min=1, max=64, help="Cores to use, with --complete.")] = 1,
    seed: Annotated[int, typer.Option(min=0, max=2**31 - 1, help="Random seed, with --complete.")] = 0,
    nearest: Annotated[
        bool, typer.Option("--nearest/--no-nearest", help="Look for the nearest legal plan if it is illegal.")
    ] = True,
    json_: JsonOption = False,
    draw: DrawOption = None,
    force: ForceOption = False,
) -> None:
    """Judge a plan: exit 0 if it is legal, 1 if it is not, with every violation and its rule; 3 if --complete can't tell."""
    from planner import api
    from planner import draw as pictures
    from planner.cli import completion_output, json_output, text_output

    pictures.ready(draw)
    ensure_outputs([scenario, plan], [draw], force)
    position = api.load(scenario)
    if complete:
        if solver:
            raise typer.BadParameter("can't be had with --complete", param_hint="--solver")
        partial = read_partial(position, moves, plan)
        with stopped_by_interrupt() as stop, ExitStack() as outputs:
            with text_output.progress_line() as on_progress:
                result = api.complete(
                    position,
                    partial,
                    time_limit=time_limit,
                    workers=workers,
                    seed=seed,
                    on_progress=on_progress,
                    stop=stop,
                )
            outputs.callback(pictures.save, draw, result, position)
            if json_:
                print_json(completion_output.completion_to_json(result, partial, position))
            else:
                completion_output.print_completion(result, position)
        leave_with_result(result.status, result.interrupted)
    wanted = read_plan(position, moves, plan)
    verdict = api.check(position, wanted, solver=solver)
    legal_plan = None
    with stopped_by_interrupt() as stop, ExitStack() as outputs:
        if nearest and not verdict.legal:
            from planner.explanation.nearest import TIME_LIMIT, nearest_legal

            legal_plan = nearest_legal(position, wanted, TIME_LIMIT, stop)
        outputs.callback(pictures.save, draw, verdict, position)
        if json_:
            answer = json_output.verdict_to_json(verdict, position.game)
            if not verdict.legal:
                answer["nearest"] = None if legal_plan is None else legal_plan.to_json()
            print_json(answer)
        else:
            text_output.print_verdict(verdict)
            if legal_plan is not None:
                from planner.cli.explanation_text import print_nearest

                print_nearest(legal_plan)
        interrupted = stop.is_set()
    leave(LEGAL if verdict.legal else ILLEGAL, interrupted and not verdict.legal)
