"""``planner apply``: plays a plan and writes the position after it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from planner.cli.terminal import (
    ILLEGAL,
    AfterFileOption,
    AfterOption,
    ForceOption,
    MovesArgument,
    PlanOption,
    ScenarioArgument,
    ShortOption,
    ensure_outputs,
    load_position,
    read_plan,
)


def apply(
    scenario: ScenarioArgument,
    moves: MovesArgument = None,
    output: Annotated[Path | None, typer.Option("-o", "--output", help="The scenario file to write.")] = None,
    plan: PlanOption = None,
    phase: Annotated[str | None, typer.Option(help="The phase to go on with; by default the next one.")] = None,
    short: ShortOption = False,
    stay: Annotated[
        bool, typer.Option("--stay", help="Stay in the phase: the moves have been made, with what is written of rolls.")
    ] = False,
    after: AfterOption = None,
    after_file: AfterFileOption = None,
    force: ForceOption = False,
) -> None:
    """Play a legal plan and write the position after it.

    It is a scenario, ready for the next phase.
    """
    from planner import api
    from planner.cli import text_output as report
    from planner.referee.attacks import violations_of
    from planner.scenario import next_phase
    from planner.scenario.phase_in_progress import ensure_decided

    if output is None:
        raise typer.BadParameter("must be given: the scenario file to write", param_hint="-o")
    ensure_outputs([scenario, plan, after_file], [output], force)
    if stay and phase is not None:
        raise typer.BadParameter("can't be had with --stay", param_hint="--phase")
    position = load_position(scenario, after, after_file)
    if stay:
        next_phase.write_in_progress(position.after(read_plan(position, moves, plan)), output)
        report.print_written(output)
        return
    played = read_plan(position, moves, plan)
    verdict = api.check(position, played)
    if verdict.legal and played.attacks is None:  # the phase ends, and with it the time for attacks
        verdict = replace(verdict, violations=tuple(violations_of(position.game.at_first, verdict.position, ())))
    if not verdict.legal:
        report.print_verdict(verdict, report.written(short))
        raise typer.Exit(ILLEGAL)
    ensure_decided(position, played)
    next_phase.write_after(position, verdict.position, output, phase)
    report.print_written(output)
