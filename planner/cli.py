"""The command line. Thin: it reads, calls, prints and sets the exit code; what it needs it loads when it needs it."""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from planner.commands.verify import verify
from planner.draw import command as drawing
from planner.draw.command import DrawOption

if TYPE_CHECKING:
    from planner.partial import PartialPlan
    from planner.plan import Plan
    from planner.scenario import Scenario

DEFAULT_ALTERNATIVES = 3
LEGAL, ILLEGAL, BAD_INPUT, NOTHING_FOUND, OUR_FAULT, INTERRUPTED, READER_GONE = 0, 1, 2, 3, 70, 130, 141

app = typer.Typer(
    name="planner",
    help="Checks and plans the movement phases of hex-and-counter wargames, with a proof and the printed rule.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

ScenarioArgument = Annotated[
    str,
    typer.Argument(metavar="SCENARIO", help="A scenario file, or a shipped one such as dai_senso/manchuria."),
]
MovesArgument = Annotated[
    list[str] | None,
    typer.Argument(metavar="[MOVES]...", help='Such as "inf w5525-w5425" "plv w5525-w5425xw5426".'),
]
PlanOption = Annotated[
    str | None, typer.Option("--plan", help="A plan file, JSON or a move a line; - reads from stdin.")
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print the answer as JSON.")]


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
    nearest: Annotated[
        bool, typer.Option("--nearest/--no-nearest", help="Look for the nearest legal plan if it is illegal.")
    ] = True,
    json_: JsonOption = False,
    draw: DrawOption = None,
) -> None:
    """Judge a plan: exit 0 if it is legal, 1 if it is not, with every violation and its rule; 3 if --complete can't tell."""
    from planner import api, answers, draw as pictures, report  # noqa: I001

    pictures.ready(draw)
    position = api.load(scenario)
    if complete:
        if solver:
            raise typer.BadParameter("can't be had with --complete", param_hint="--solver")
        partial = _read_partial(position, moves, plan)
        with report.progress_line() as on_progress, stopped_by_interrupt() as stop:
            result = api.complete(position, partial, time_limit=time_limit, on_progress=on_progress, stop=stop)
        from planner.commands.complete import completion_to_json, print_completion

        if json_:
            _print_json(completion_to_json(result, partial, position))
        else:
            print_completion(result, position)
        pictures.save(draw, position, result.plan, verdict=result.verdict, remarks=[result.sentence()])
        if result.interrupted:
            raise typer.Exit(INTERRUPTED)
        raise typer.Exit({"infeasible": ILLEGAL, "unknown": NOTHING_FOUND}.get(result.status, LEGAL))
    wanted = _read_plan(position, moves, plan)
    verdict = api.check(position, wanted, solver=solver)
    legal_plan = None
    if nearest and not verdict.legal:
        from planner.explanation.nearest import nearest_legal

        legal_plan = nearest_legal(position, wanted)
    if json_:
        answer = answers.verdict_to_json(verdict, position.game)
        if not verdict.legal:
            answer["nearest"] = None if legal_plan is None else legal_plan.to_json()
        _print_json(answer)
    else:
        report.print_verdict(verdict)
        if legal_plan is not None:
            from planner.explanation.report import print_nearest

            print_nearest(legal_plan)
    pictures.save(draw, position, wanted, verdict=verdict)
    raise typer.Exit(LEGAL if verdict.legal else ILLEGAL)


@app.command()
def suggest(
    scenario: ScenarioArgument,
    time_limit: Annotated[float | None, typer.Option(min=0, help="Seconds at most; absent: until proved.")] = None,
    workers: Annotated[
        int, typer.Option(min=1, max=64, help="Threads. With one, the same seed gives the same plan.")
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
        str, typer.Option(metavar="SHARE", help="How far diverse plans may fall short of the best one, in each tier.")
    ] = "10%",
    json_: JsonOption = False,
    draw: DrawOption = None,
) -> None:
    """Find the best plan: exit 0 with a plan, 1 if there is provably none, 3 if nothing was found or proved in time."""
    from planner import api, answers, draw as pictures, files, report  # noqa: I001

    pictures.ready(draw)
    position = api.load(scenario)
    partial = None if plan is None else _read_partial(position, None, plan)
    several = None
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
                within=_share(within),
                partial=partial,
                time_limit=time_limit,
                workers=workers,
                seed=seed,
                on_progress=on_progress,
                stop=stop,
            )
            result = several.plans[0].result if several.plans else several.first
    if several is not None:
        from planner.commands.alternatives import alternatives_to_json, print_alternatives

        if json_:
            _print_json(alternatives_to_json(several, position))
        else:
            print_alternatives(several, position, alternatives or DEFAULT_ALTERNATIVES)
    elif json_:
        _print_json(answers.result_to_json(result, position))
    else:
        report.print_result(result, position)
    interrupted = several.interrupted if several is not None else result.interrupted
    # Written last: what can't be written is at least printed.
    if plan_out is not None and result.plan is not None and result.verdict is not None:
        written = answers.plan_to_json(result.plan, position.game, result.verdict.moves)
        files.write_text(plan_out, json.dumps(written, indent=2) + "\n")
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
    from planner import api, answers, report  # noqa: I001

    found = api.reach(scenario, unit, time_limit=time_limit)
    if json_:
        _print_json(answers.reach_to_json(found))
    else:
        report.print_reach(found)


@app.command()
def rules(
    model: Annotated[str, typer.Argument(help="A model, such as dai_senso, or the path of a model's folder.")],
    json_: JsonOption = False,
) -> None:
    """List every statement of the printed rules: the kind of rule that carries it, and whether it is enforced."""
    from planner import answers, report, rulebook

    folder = Path(model) / "rulebook.toml"
    found = rulebook.load_rulebook(
        rulebook.model_folder(f"./{model}" if "/" not in model and folder.is_file() else model)
    )
    if json_:
        _print_json(answers.rules_to_json(found))
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
    from planner import api, next_phase, report

    if output is None:
        raise typer.BadParameter("must be given: the scenario file to write", param_hint="-o")
    position = api.load(scenario)
    verdict = api.check(position, _read_plan(position, moves, plan))
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
    from planner.schema import json_schema, schemas

    if kind not in schemas():
        raise typer.BadParameter(f"must be one of {', '.join(schemas())}", param_hint="KIND")
    print_text(json_schema(kind))


app.command()(verify)


@app.command()
def reference() -> None:
    """Print the reference page: every kind of rule, chart and term with its parameters, as Markdown."""
    from planner.reference import reference_page

    print_text(reference_page())


app.command()(drawing.draw)


@contextmanager
def stopped_by_interrupt() -> Iterator[threading.Event]:
    """Turn Ctrl-C into a wish to stop, so that what has been found is not lost."""
    stop = threading.Event()
    before = signal.signal(signal.SIGINT, lambda *_: stop.set())
    try:
        yield stop
    finally:
        signal.signal(signal.SIGINT, before)


def _read_plan(scenario: Scenario, moves: list[str] | None, plan: str | None) -> Plan:
    """Read the plan that the command line gives: as moves, or in a file."""
    from planner.plan import Plan, plan_from_json

    lines, data, where = _read_lines(moves, plan)
    found = Plan.parse(lines) if data is None else plan_from_json(data, scenario.game.homes, where)
    scenario.check_names(found, where)
    return found


def _read_partial(scenario: Scenario, moves: list[str] | None, plan: str | None) -> PartialPlan:
    """Read the partial plan that the command line gives: as lines, or in a file."""
    from planner.partial import PartialPlan

    lines, data, where = _read_lines(moves, plan)
    found = PartialPlan.parse(lines) if data is None else PartialPlan.from_json(data, scenario.game.homes, where)
    found.check_names(scenario, where)
    return found


def _read_lines(moves: list[str] | None, plan: str | None) -> tuple[str | list[str], Any, str]:
    """Return the lines of a plan, or the decoded JSON of its file, and what to call it in messages."""
    from planner.errors import InputError, Problem
    from planner.files import read_text

    if moves and plan is not None:
        raise InputError([Problem("must have moves or --plan, not both", "command line")])
    if plan is None:
        return moves or [], None, "moves"
    where = "stdin" if plan == "-" else plan
    text = sys.stdin.read() if plan == "-" else read_text(Path(plan))
    if not text.lstrip().startswith(("{", "[")):
        return text, None, where
    try:
        return text, json.loads(text), where
    except (ValueError, RecursionError) as error:
        raise InputError([Problem(f"not JSON: {error}", where)]) from error


def _share(text: str) -> Fraction:
    """Read a share: a percentage, a fraction or a decimal number."""
    from planner.chance import parse_probability
    from planner.errors import InputError, Problem

    try:
        return parse_probability(text.rstrip("%")) if "%" not in text else Fraction(text.strip().rstrip("%")) / 100
    except (ValueError, ZeroDivisionError) as error:
        raise InputError(
            [Problem(f'must be a share such as "10%" or "1/10", not {text[:40]!r}', "--within")]
        ) from error


def _print_json(answer: Any) -> None:
    print_text(json.dumps(answer, indent=2, ensure_ascii=False) + "\n")


def print_text(text: str) -> None:
    """Print text at once; raises `ReaderGoneError` if nobody reads it any more."""
    from planner.errors import ReaderGoneError

    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError as error:
        raise ReaderGoneError from error


# They register themselves, with the options above.
from planner.commands import defend as defend  # noqa: E402
from planner.commands import explain as explain  # noqa: E402


def main() -> None:
    """Run the command line; every error ends as a sentence and an exit code, never as a traceback."""
    from planner.errors import DisagreementError, InputError, OutOfTimeError, PlannerError, ReaderGoneError

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
