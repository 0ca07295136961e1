"""``planner defend``: where to place defenders so that no enemy plan achieves its goal."""

from __future__ import annotations

from contextlib import ExitStack
from typing import Annotated

import typer

from planner.cli.terminal import (
    ILLEGAL,
    LEGAL,
    NOTHING_FOUND,
    DrawOption,
    ForceOption,
    JsonOption,
    ScenarioArgument,
    SeedOption,
    UntilProvedOption,
    WorkersOption,
    ensure_outputs,
    leave,
    print_json,
    stopped_by_interrupt,
)


def defend(
    scenario: ScenarioArgument,
    every: Annotated[bool, typer.Option("--all", help="List all placements that hold, or are as good.")] = False,
    place: Annotated[
        list[str] | None,
        typer.Option(
            "--place",
            metavar="WHO",
            help='Who may be placed or moved, instead of what the scenario says: "hq", "hq in w5427 w5428", "hq within 2".',
        ),
    ] = None,
    most: Annotated[int | None, typer.Option("--most", min=0, help="How many are placed or moved at most.")] = None,
    require: Annotated[
        list[str] | None, typer.Option("--require", help='The enemy\'s goal, such as "eliminate inf111".')
    ] = None,
    time_limit: UntilProvedOption = None,
    workers: WorkersOption = 1,
    seed: SeedOption = 0,
    json_: JsonOption = False,
    draw: DrawOption = None,
    force: ForceOption = False,
) -> None:
    """Place or move defenders so that no enemy plan gets through.

    Or so that the best enemy plan is as bad as possible.

    Exit 0 with a placement that holds, or that is proved best; 1 if none holds, proved; 3 if that is not known; 130 if it
    was interrupted, with what has been found so far.
    """
    from planner import api
    from planner import draw as pictures
    from planner.cli import defense_text as report
    from planner.defense import request as asked

    pictures.ready(draw)
    ensure_outputs([scenario], [draw], force)
    position = asked.as_asked(api.load(scenario), place or (), most, require or ())
    with stopped_by_interrupt() as stop, ExitStack() as outputs:
        found = api.defend(position, time_limit=time_limit, every=every, workers=workers, seed=seed, stop=stop)
        outputs.callback(pictures.save, draw, found, position)
        if json_:
            print_json(found.to_dict())
        else:
            report.print_defense(found, every)
    leave({"holds": LEGAL, "best": LEGAL, "fails": ILLEGAL}.get(found.status, NOTHING_FOUND), found.interrupted)
