"""``planner check``: judges a plan, or says whether a partial one can be completed."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from planner.cli.terminal import (
    ILLEGAL,
    LEGAL,
    AfterFileOption,
    AfterOption,
    DrawOption,
    ForceOption,
    JsonOption,
    MovesArgument,
    PlanOption,
    PolicyOption,
    ScenarioArgument,
    ShortOption,
    ensure_outputs,
    leave,
    leave_with_result,
    load_position,
    print_json,
    read_partial,
    read_plan,
    read_policy,
    stopped_by_interrupt,
)

if TYPE_CHECKING:
    from planner.cli.text_output import Written
    from planner.scenario import Scenario


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
    policy: PolicyOption = None,
    nearest: Annotated[
        bool, typer.Option("--nearest/--no-nearest", help="Look for the nearest legal plan if it is illegal.")
    ] = True,
    short: ShortOption = False,
    after: AfterOption = None,
    after_file: AfterFileOption = None,
    json_: JsonOption = False,
    draw: DrawOption = None,
    force: ForceOption = False,
) -> None:
    """Judge a plan: every violation, with its rule.

    Exit 0 if it is legal, 1 if it is not, 3 if --complete can't tell.

    For SCENARIO, the record of a game may stand, GAME.json, as `play` writes it: exit 2 says what in it can't have been.
    """
    from planner import api
    from planner import draw as pictures
    from planner.cli import text_output
    from planner.cli.json_output import after_json
    from planner.limits import Running

    pictures.ready(draw)
    ensure_outputs([scenario, plan, policy, after_file], [draw], force)
    if scenario.endswith(".json"):
        if moves or plan is not None or policy is not None or after or after_file is not None:
            raise typer.BadParameter("the record of a game is judged alone", param_hint="SCENARIO")
        for asked, option in ((solver, "--solver"), (complete, "--complete"), (draw is not None, "--draw")):
            if asked:
                what = "can't be had of the record of a game" + "; `planner draw` draws it" * (option == "--draw")
                raise typer.BadParameter(what, param_hint=option)
        from planner.cli.play import judge_game

        judge_game(Path(scenario), json_)
        return
    position, write = load_position(scenario, after, after_file), text_output.written(short)
    if policy is not None:
        if moves or plan is not None or complete or solver:
            raise typer.BadParameter("must be given alone", param_hint="--policy")
        _judge(position, policy, draw, None if json_ else write)
    if complete:
        if solver:
            raise typer.BadParameter("can't be had with --complete", param_hint="--solver")
        from planner.cli import completion_output

        partial = read_partial(position, moves, plan)
        with stopped_by_interrupt() as stop, ExitStack() as outputs:
            running = Running(workers=workers, seed=seed, stop=stop)
            with text_output.progress_line() as tell:
                result = api.complete(position, partial, time_limit=time_limit, on_progress=tell, **running)
            outputs.callback(pictures.save, draw, result, position)
            if json_:
                print_json(after_json(completion_output.completion_to_json(result, partial, position), position))
            else:
                text_output.print_after(position)
                completion_output.print_completion(result, position, write)
        leave_with_result(result.status, result.interrupted)
    wanted = read_plan(position, moves, plan)
    verdict = api.check(position, wanted, solver=solver)
    legal_plan = None
    with stopped_by_interrupt() as stop, ExitStack() as outputs:
        if nearest and not verdict.legal:
            from planner.explanation.nearest import TIME_LIMIT, nearest_legal
            from planner.limits import Limits

            legal_plan = nearest_legal(position, wanted, Limits.within(TIME_LIMIT, stop))
        outputs.callback(pictures.save, draw, verdict, position)
        if json_:
            answer = verdict.to_dict()
            if not verdict.legal:
                answer["nearest"] = None if legal_plan is None else legal_plan.to_dict()
            print_json(after_json(answer, position))
        else:
            text_output.print_after(position)
            text_output.print_verdict(verdict, write, solver)
            if legal_plan is not None:
                from planner.cli.explanation_text import print_nearest

                print_nearest(legal_plan, write)
            elif nearest and not verdict.legal and wanted.attacks is not None:
                why = "attacks are declared" if wanted.attacks else "the plan says that no attack is declared"
                text_output.print_remark(f"The nearest legal plan is not looked for: {why}.")
        interrupted = stop.is_set()
    leave(LEGAL if verdict.legal else ILLEGAL, interrupted and not verdict.legal)


def _judge(position: Scenario, policy: str, draw: Path | None, write: Written | None) -> NoReturn:
    """Judge a plan that reacts, and leave; `write` says how text has moves, None asks for JSON."""
    from planner.cli import policy_output
    from planner.cli.json_output import after_json
    from planner.cli.text_output import print_after
    from planner.search.policy_judge import judge_policy

    verdict = judge_policy(position, read_policy(policy))
    with ExitStack() as outputs:
        if draw is not None and verdict.root is not None:
            from planner.draw.policy_picture import PolicyPicture

            outputs.callback(PolicyPicture(position, verdict.root).save, draw)
        if write is None:
            print_json(after_json(verdict.to_dict(), position))
        else:
            print_after(position)
            policy_output.print_judged(verdict, write)
    leave(LEGAL if verdict else ILLEGAL, False)
