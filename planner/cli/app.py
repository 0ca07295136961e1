"""The command line. Thin: it reads, calls, prints and sets the exit code; what it needs it loads when it needs it."""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path
from typing import Annotated

import typer

from planner.cli.defend import defend
from planner.cli.draw import draw
from planner.cli.explain import explain
from planner.cli.terminal import (
    BAD_INPUT,
    ILLEGAL,
    INTERRUPTED,
    LEGAL,
    NOTHING_FOUND,
    OUR_FAULT,
    READER_GONE,
    DrawOption,
    JsonOption,
    MovesArgument,
    PlanOption,
    ScenarioArgument,
    print_json,
    print_text,
    read_partial,
    read_plan,
    stopped_by_interrupt,
)
from planner.cli.verify import verify

DEFAULT_ALTERNATIVES = 3

app = typer.Typer(
    name="planner",
    help="Checks and plans the movement phases of hex-and-counter wargames, with a proof and the printed rule.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def _print_version(wanted: bool) -> None:
    if wanted:
        from planner import __version__, is_compiled

        print_text(f"planner {__version__}" + " (compiled)" * is_compiled() + "\n")
        raise typer.Exit


@app.callback()
def _every(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version, and whether compiled."
        ),
    ] = False,
) -> None:
    pass


@app.command()
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
) -> None:
    """Judge a plan: exit 0 if it is legal, 1 if it is not, with every violation and its rule; 3 if --complete can't tell."""
    from planner import api
    from planner import draw as pictures
    from planner.cli import json_output as answers
    from planner.cli import text_output as report

    pictures.ready(draw)
    position = api.load(scenario)
    if complete:
        if solver:
            raise typer.BadParameter("can't be had with --complete", param_hint="--solver")
        partial = read_partial(position, moves, plan)
        with report.progress_line() as on_progress, stopped_by_interrupt() as stop:
            result = api.complete(
                position,
                partial,
                time_limit=time_limit,
                workers=workers,
                seed=seed,
                on_progress=on_progress,
                stop=stop,
            )
        from planner.cli.complete import completion_to_json, print_completion

        if json_:
            print_json(completion_to_json(result, partial, position))
        else:
            print_completion(result, position)
        pictures.save(draw, position, result.plan, verdict=result.verdict, remarks=[result.sentence()])
        if result.interrupted:
            raise typer.Exit(INTERRUPTED)
        raise typer.Exit({"infeasible": ILLEGAL, "unknown": NOTHING_FOUND}.get(result.status, LEGAL))
    wanted = read_plan(position, moves, plan)
    verdict = api.check(position, wanted, solver=solver)
    legal_plan = None
    if nearest and not verdict.legal:
        from planner.explanation.nearest import nearest_legal

        legal_plan = nearest_legal(position, wanted)
    if json_:
        answer = answers.verdict_to_json(verdict, position.game)
        if not verdict.legal:
            answer["nearest"] = None if legal_plan is None else legal_plan.to_json()
        print_json(answer)
    else:
        report.print_verdict(verdict)
        if legal_plan is not None:
            from planner.cli.explanation_text import print_nearest

            print_nearest(legal_plan)
    pictures.save(draw, position, wanted, verdict=verdict)
    raise typer.Exit(LEGAL if verdict.legal else ILLEGAL)


@app.command()
def suggest(
    scenario: ScenarioArgument,
    time_limit: Annotated[float | None, typer.Option(min=0, help="Seconds at most; absent: until proved.")] = None,
    workers: Annotated[
        int,
        typer.Option(min=1, max=64, help="Cores to use. One: the same seed gives the same plan, unless time runs out."),
    ] = 1,
    seed: Annotated[int, typer.Option(min=0, max=2**31 - 1, help="Random seed.")] = 0,
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
) -> None:
    """Find the best plan: exit 0 with a plan, 1 if there is provably none, 3 if nothing was found or proved in time."""
    from planner import api
    from planner import draw as pictures
    from planner.cli import json_output as answers
    from planner.cli import text_output as report
    from planner.formats import files

    pictures.ready(draw)
    if within is not None and not diverse:
        raise typer.BadParameter(
            "says how good diverse plans must be: --diverse must be given, too", param_hint="--within"
        )
    position = api.load(scenario)
    partial = None if plan is None else read_partial(position, None, plan)
    several, begin = None, time.monotonic()
    with report.progress_line() as on_progress, stopped_by_interrupt() as stop:
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

            left = None if time_limit is None else max(0.0, begin + time_limit - time.monotonic())
            result = with_conflict(result, position, partial, left, stop)
    from planner.cli.alternatives import alternatives_to_json, print_alternatives
    from planner.cli.complete import print_conflict

    conflict = result.conflict
    if json_:
        told = answers.result_to_json(result, position) if several is None else alternatives_to_json(several, position)
        print_json(told if conflict is None else {**told, "conflict": conflict.to_json()})
    elif conflict is not None:
        print_text("No plan has all that is settled, proved.\n")
        print_conflict(conflict)
    elif several is not None:
        print_alternatives(several, position, alternatives or DEFAULT_ALTERNATIVES)
    else:
        report.print_result(result, position)
    interrupted = several.interrupted if several is not None else result.interrupted
    # Written last: what can't be written is at least printed.
    if plan_out is not None and result.plan is not None and result.verdict is not None:
        written = answers.plan_to_json(result.plan, position.game, result.verdict.moves)
        files.write_text(plan_out, json.dumps(written, indent=2) + "\n")
    if several is not None and draw is not None:
        from planner.draw.answer_pictures import picture_of

        picture_of(several, position).save(draw)
    else:
        pictures.save(draw, position, result.plan, verdict=result.verdict, remarks=[result.sentence()])
    if interrupted:
        raise typer.Exit(INTERRUPTED)
    raise typer.Exit({"infeasible": ILLEGAL, "unknown": NOTHING_FOUND}.get(result.status, LEGAL))


@app.command()
def reach(
    scenario: ScenarioArgument,
    unit: Annotated[str, typer.Argument(help="A unit's id or name.")],
    time_limit: Annotated[float | None, typer.Option(min=0, help="Seconds at most.")] = None,
    json_: JsonOption = False,
) -> None:
    """List the hexes that a unit can reach by itself now, and those that it could reach only with help."""
    from planner import api
    from planner.cli import json_output as answers
    from planner.cli import text_output as report

    found = api.reach(scenario, unit, time_limit=time_limit)
    if json_:
        print_json(answers.reach_to_json(found))
    else:
        report.print_reach(found)


@app.command()
def rules(
    model: Annotated[str, typer.Argument(help="A shipped model, or the path of a model's folder.")],
    json_: JsonOption = False,
) -> None:
    """List every statement of the printed rules: the kind of rule that carries it, and whether it is enforced."""
    from planner.cli import json_output as answers
    from planner.cli import text_output as report
    from planner.rules import rulebook_file

    folder = Path(model) / "rulebook.toml"
    found = rulebook_file.load_rulebook(
        rulebook_file.model_folder(f"./{model}" if "/" not in model and folder.is_file() else model)
    )
    if json_:
        print_json(answers.rules_to_json(found))
    else:
        report.print_rules(found)


@app.command()
def apply(
    scenario: ScenarioArgument,
    moves: MovesArgument = None,
    output: Annotated[Path | None, typer.Option("-o", "--output", help="The scenario file to write.")] = None,
    plan: PlanOption = None,
    phase: Annotated[str | None, typer.Option(help="The phase to go on with; by default the next one.")] = None,
) -> None:
    """Play a legal plan and write the position after it as a scenario, ready for the next phase."""
    from planner import api
    from planner.cli import text_output as report
    from planner.scenario import next_phase

    if output is None:
        raise typer.BadParameter("must be given: the scenario file to write", param_hint="-o")
    position = api.load(scenario)
    verdict = api.check(position, read_plan(position, moves, plan))
    if not verdict.legal:
        report.print_verdict(verdict)
        raise typer.Exit(ILLEGAL)
    next_phase.write_after(position, verdict.position, output, phase)
    report.print_written(output)


@app.command()
def schema(
    kind: Annotated[str, typer.Argument(help="scenario, plan, rulebook, terrain, forces or statements.")],
) -> None:
    """Print the JSON Schema of a kind of file."""
    from planner.cli.schema import json_schema, schemas

    if kind not in schemas():
        raise typer.BadParameter(f"must be one of {', '.join(schemas())}", param_hint="KIND")
    print_text(json_schema(kind))


@app.command()
def reference() -> None:
    """Print the reference page: every kind of rule, chart and term with its parameters, as Markdown."""
    from planner.cli.reference import reference_page

    print_text(reference_page())


for command in (explain, verify, defend, draw):
    app.command()(command)


def main() -> None:
    """Run the command line; every error ends as a sentence and an exit code, never as a traceback."""
    from planner.errors import DisagreementError, InputError, OutOfTimeError, PlannerError, ReaderGoneError

    if sys.stdout is None:  # closed before the planner was called
        if sys.stderr is not None:
            print("the answer can't be written: standard output is closed", file=sys.stderr)
        sys.exit(BAD_INPUT)
    try:
        app()
    except InputError as error:
        for problem in error.problems:
            print(problem, file=sys.stderr)
        sys.exit(BAD_INPUT)
    except OutOfTimeError as error:
        print(error, file=sys.stderr)
        sys.exit(NOTHING_FOUND)
    except DisagreementError as error:
        print(f"internal error: {error}\nPlease report it with this:\n{error.dump}", file=sys.stderr)
        sys.exit(OUR_FAULT)
    except ReaderGoneError:
        # Whoever read the answer has gone; Python would complain once more when it flushes at the end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(READER_GONE)
    except PlannerError as error:
        print(error, file=sys.stderr)
        sys.exit(ILLEGAL)
    except OSError as error:
        print(f"the answer can't be written: {error.strerror or error}", file=sys.stderr)
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(BAD_INPUT)
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)


if __name__ == "__main__":
    main()
