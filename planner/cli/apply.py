"""``planner apply``: plays a plan and writes the position after it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from planner.cli.terminal import (
    ILLEGAL,
    ForceOption,
    MovesArgument,
    PlanOption,
    ScenarioArgument,
    ensure_outputs,
    read_plan,
)


def apply(
    scenario: ScenarioArgument,
    moves: MovesArgument = None,
    output: Annotated[Path | None, typer.Option("-o", "--output", help="The scenario file to write.")] = None,
    plan: PlanOption = None,
    phase: Annotated[str | None, typer.Option(help="The phase to go on with; by default the next one.")] = None,
    force: ForceOption = False,
) -> None:
    """Play a legal plan and write the position after it as a scenario, ready for the next phase."""
    from planner import api
    from planner.cli import text_output as report
    from planner.scenario import next_phase

    if output is None:
        raise typer.BadParameter("must be given: the scenario file to write", param_hint="-o")
    ensure_outputs([scenario, plan], [output], force)
    position = api.load(scenario)
    verdict = api.check(position, read_plan(position, moves, plan))
    if not verdict.legal:
        report.print_verdict(verdict)
        raise typer.Exit(ILLEGAL)
    next_phase.write_after(position, verdict.position, output, phase)
    report.print_written(output)
