"""``planner explain``: why not, and what would help."""

from __future__ import annotations

import gc
from contextlib import ExitStack
from typing import TYPE_CHECKING, Annotated

import typer

from planner.cli.terminal import (
    ILLEGAL,
    LEGAL,
    NOTHING_FOUND,
    AfterFileOption,
    AfterOption,
    DrawOption,
    ForceOption,
    JsonOption,
    PlanOption,
    ScenarioArgument,
    SeedOption,
    WorkersOption,
    ensure_outputs,
    leave,
    load_position,
    print_json,
    read_plan,
    stopped_by_interrupt,
)

if TYPE_CHECKING:
    from planner.plans.plan import Plan


def explain(
    scenario: ScenarioArgument,
    moves: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[MOVES]...",
            help='Moves in their order, a destination such as "plv to w5426", or an attack: "a+b -> 0303 at 3:1".',
        ),
    ] = None,
    plan: PlanOption = None,
    require: Annotated[
        list[str] | None, typer.Option("--require", help='A goal, such as "hold w5427" or "eliminate inf111".')
    ] = None,
    value: Annotated[str | None, typer.Option("--value", help='The value of each tier, such as "1, -20".')] = None,
    time_limit: Annotated[float, typer.Option(min=0, help="Seconds at most.")] = 10.0,
    workers: WorkersOption = 1,
    seed: SeedOption = 0,
    after: AfterOption = None,
    after_file: AfterFileOption = None,
    json_: JsonOption = False,
    draw: DrawOption = None,
    force: ForceOption = False,
) -> None:
    """Say what forbids moves, a goal or a value; what would help.

    A destination and an attack, too. Without any of them: what forbids what the scenario requires.

    Exit 0 if nothing forbids it, 1 if something does, 3 if that is not known, 130 if it was interrupted.
    """
    from planner import api
    from planner import draw as pictures
    from planner.cli import explanation_text as report
    from planner.cli.json_output import after_json
    from planner.cli.text_output import print_after
    from planner.errors import InputError, Problem
    from planner.explanation import parse_question as question
    from planner.explanation.attack_question import is_attack_question
    from planner.limits import Running
    from planner.plans.unit_names import with_ids

    pictures.ready(draw)
    ensure_outputs([scenario, plan, after_file], [draw], force)
    position = load_position(scenario, after, after_file)
    asked: list[str] | Plan | None = None
    moves = with_ids(moves, position.game) if moves else moves
    if moves and plan is None and (any(map(question.is_destination, moves)) or is_attack_question(moves)):
        asked = moves
    elif moves or plan is not None:
        asked = read_plan(position, moves, plan)
        if not asked.moves and asked.attacks is None:
            raise InputError([Problem("must have at least one move, or say something of attacks", plan or "moves")])
    with stopped_by_interrupt() as stop, ExitStack() as outputs:
        running = Running(workers=workers, seed=seed, stop=stop)
        found = api.explain(position, asked, require=require or (), value=value, time_limit=time_limit, **running)
        outputs.callback(pictures.save, draw, found, position)
        if json_:
            print_json(after_json(found.to_dict(), position))
        else:
            print_after(position)
            report.print_explanation(found)
    if found.interrupted:
        # What all the relaxed games hold goes with the process: collecting it first would keep the player waiting.
        gc.freeze()
    leave({"possible": LEGAL, "unknown": NOTHING_FOUND}.get(found.status, ILLEGAL), found.interrupted)
