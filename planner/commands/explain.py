"""``planner explain``: why not, and what would help."""

from __future__ import annotations

from typing import Annotated

import typer

from planner.cli import (
    ILLEGAL,
    LEGAL,
    NOTHING_FOUND,
    JsonOption,
    PlanOption,
    ScenarioArgument,
    _print_json,
    _read_plan,
    app,
)


@app.command()
def explain(
    scenario: ScenarioArgument,
    moves: Annotated[
        list[str] | None,
        typer.Argument(metavar="[MOVES]...", help='Moves in their order, or a destination such as "plv to w5426".'),
    ] = None,
    plan: PlanOption = None,
    require: Annotated[
        list[str] | None, typer.Option("--require", help='A goal, such as "hold w5427" or "eliminate inf111".')
    ] = None,
    value: Annotated[str | None, typer.Option("--value", help='The value of each tier, such as "1, -20".')] = None,
    time_limit: Annotated[float, typer.Option(min=0.1, help="Seconds at most.")] = 10.0,
    json_: JsonOption = False,
) -> None:
    """Say what forbids moves, a destination, a goal or a value, and what would make it possible.

    Exit 0 if nothing forbids it, 1 if something does, 3 if that is not known.
    """
    from planner import api
    from planner.errors import InputError, Problem
    from planner.explain import ask, question, report

    position = api.load(scenario)
    asked = [bool(moves) or plan is not None, bool(require), value is not None]
    if sum(asked) != 1:
        raise InputError([Problem("must have one of moves, a destination, --require and --value", "command line")])
    if value is not None:
        found = ask.explain_value(position, question.read_value(position, value), time_limit)
    elif require:
        found = ask.explain_goals(position, [question.read_goal(position, text) for text in require], time_limit)
    elif moves and any(map(question.is_destination, moves)):
        if len(moves) > 1 or plan is not None:
            raise InputError([Problem("a destination must be asked about alone", "command line")])
        found = ask.explain_destination(position, question.read_destination(position, moves[0]), time_limit)
    else:
        found = ask.explain_moves(position, _read_plan(position, moves, plan), time_limit)
    if json_:
        _print_json(found.to_json())
    else:
        report.print_explanation(found)
    raise typer.Exit({"possible": LEGAL, "unknown": NOTHING_FOUND}.get(found.status, ILLEGAL))
