"""What commands have in common at the terminal: options, exit codes, reading plans, printing, interrupts."""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from planner.interrupts import ensure_heard
from planner.printable import json_text, printable
from planner.waiting import held, waiting_for_others

if TYPE_CHECKING:
    from planner.plans.partial_plan import PartialPlan
    from planner.plans.plan import Plan
    from planner.plans.policy import Node
    from planner.scenario import Scenario

LEGAL, ILLEGAL, BAD_INPUT, NOTHING_FOUND, OUR_FAULT, INTERRUPTED, READER_GONE = 0, 1, 2, 3, 70, 130, 141


def _shipped(incomplete: str) -> list[str]:
    """Return the scenarios that ship with the planner and whose names begin so, for the completion of shells."""
    from planner.formats.files import data_folder

    folder = data_folder("scenarios")
    names = (file.relative_to(folder).with_suffix("").as_posix() for file in folder.rglob("*.toml"))
    return sorted(name for name in names if name.startswith(incomplete))


ScenarioArgument = Annotated[
    str,
    typer.Argument(metavar="SCENARIO", help="A scenario file, or GAME/NAME of a shipped one.", autocompletion=_shipped),
]
MovesArgument = Annotated[
    list[str] | None,
    typer.Argument(metavar="[MOVES]...", help='Such as "inf w5525-w5425" "plv w5525-w5425xw5426".'),
]
PlanOption = Annotated[
    str | None, typer.Option("--plan", help="A plan file, JSON or a move a line; - reads from stdin.")
]
PolicyOption = Annotated[
    str | None,
    typer.Option("--policy", help="A plan that reacts, as `suggest --adaptive` writes it; - reads from stdin."),
]
AfterOption = Annotated[
    list[str] | None,
    typer.Option(
        "--after",
        metavar="MOVE",
        help="A move that has been made before what is asked, with what was rolled; once for each move.",
    ),
]
AfterFileOption = Annotated[
    str | None, typer.Option("--after-file", metavar="FILE", help="The same, in a plan file; - reads from stdin.")
]
UntilProvedOption = Annotated[
    float | None,
    typer.Option(min=0, help="Seconds at most; absent: until proved, or until it says why there is no proof."),
]
WorkersOption = Annotated[
    int, typer.Option(min=1, max=64, help="Cores to use. With one, the same seed gives the same answer.")
]
SeedOption = Annotated[int, typer.Option(min=0, max=2**31 - 1, help="Random seed.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print the answer as JSON.")]
DrawOption = Annotated[
    Path | None,
    typer.Option("--draw", metavar="FILE", help="Draw it as well: FILE.svg, FILE.png, or FILE.html to step through."),
]
"""What commands take that draw their answer too."""

ShortOption = Annotated[
    bool, typer.Option("--short", help="Tell long runs of steps by their ends, in text: such moves can't be read back.")
]
ForceOption = Annotated[bool, typer.Option("--force", help="Let outputs overwrite files that the command reads.")]


@contextmanager
def stopped_by_interrupt() -> Iterator[threading.Event]:
    """Turn Ctrl-C and SIGTERM into a wish to stop, so that what has been found is not lost.

    Raises
    ------
    KeyboardInterrupt
        If there was an interrupt before, and that got lost.
    """
    stop = threading.Event()
    with held(stop):
        ensure_heard()
        yield stop


def load_position(scenario: str, after: list[str] | None, after_file: str | None) -> Scenario:
    """Read a scenario, as it is after the moves that have been made."""
    from planner.errors import InputError, Problem
    from planner.plans.lines import lines_of
    from planner.scenario import load_scenario

    if empty := [one for one in after or () if not lines_of(one)]:
        raise InputError([Problem(f"must be a move that has been made, not {one[:40]!r}", "--after") for one in empty])
    position = load_scenario(scenario)
    if not after and after_file is None:
        return position
    return position.after(read_plan(position, after, after_file, "--after"))


def read_plan(scenario: Scenario, moves: list[str] | None, plan: str | None, name: str = "moves") -> Plan:
    """Read the plan that the command line gives: as moves, or in a file; `name` is what messages call the moves."""
    from planner.plans.plan import Plan

    lines, data, where = _read_lines(moves, plan, name)
    if data is None:
        with _file_named(plan, where):
            return Plan.read(lines, scenario, where)
    from planner.plans.plan_file import plan_from_json

    found = plan_from_json(data, scenario.game.homes, where)
    scenario.check_names(found, where)
    return found


def read_partial(scenario: Scenario, moves: list[str] | None, plan: str | None) -> PartialPlan:
    """Read the partial plan that the command line gives: as lines, or in a file."""
    from planner.plans.partial_plan import PartialPlan

    lines, data, where = _read_lines(moves, plan)
    if data is None:
        with _file_named(plan, where):
            return PartialPlan.read(lines, scenario, where)
    return PartialPlan.from_json(data, scenario.game.homes, where).meant_in(scenario, where)


@contextmanager
def _file_named(plan: str | None, where: str) -> Iterator[None]:
    """Name the file, if there is one, in what is wrong with a line of it."""
    from planner.errors import InputError

    try:
        yield
    except InputError as error:
        if plan is None:
            raise
        raise type(error)(
            one if f"{one.where}: ".startswith(f"{where}: ") else replace(one, where=f"{where}: {one.where}")
            for one in error.problems
        ) from None


def read_policy(policy: str) -> Node:
    """Read a plan that reacts from the file that the command line gives, or from stdin."""
    from planner.formats.files import read_text
    from planner.plans.policy import parse

    where = "stdin" if policy == "-" else policy
    text = _read_stdin() if policy == "-" else read_text(Path(policy))
    return parse(text, where)


def _read_lines(moves: list[str] | None, plan: str | None, name: str = "moves") -> tuple[str | list[str], object, str]:
    """Return the lines of a plan, or the decoded JSON of its file, and what to call it in messages."""
    from planner.errors import InputError, Problem
    from planner.formats.files import parse_json, read_text

    if moves and plan is not None:
        what = "moves or --plan" if name == "moves" else "--after or --after-file"
        raise InputError([Problem(f"must have {what}, not both", "command line")])
    if plan is None:
        return moves or [], None, name
    where = "stdin" if plan == "-" else plan
    text = _read_stdin() if plan == "-" else read_text(Path(plan))
    if not text.lstrip().startswith(("{", "[")):
        return text, None, where
    return text, parse_json(text, where), where


def _read_stdin() -> str:
    from planner.errors import InputError, Problem
    from planner.formats.files import BYTE_ORDER_MARK

    if sys.stdin is None:
        raise InputError([Problem("can't be read: standard input is closed", "-")])
    with waiting_for_others():
        return sys.stdin.read().removeprefix(BYTE_ORDER_MARK)


def ensure_outputs(inputs: Iterable[str | None], outputs: Iterable[Path | None], force: bool) -> None:
    """Ensure that files can be written before any work is done; what is read is overwritten only by force."""
    from planner.formats.files import ensure_writable
    from planner.rules.rulebook_file import is_of_a_model
    from planner.scenario import find_scenario

    outputs = list(outputs)
    kept = [] if force else [find_scenario(one) for one in inputs if one not in (None, "-")]
    kept += [] if force else [path for path in outputs if path is not None and is_of_a_model(path)]
    ensure_writable(*outputs, inputs=kept)


def output_folder(folder: Path) -> Path:
    """Return the folder of `-o`, made if there is none; raises `InputError` if there can't be one."""
    from planner.errors import InputError, Problem

    try:
        folder.mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        raise InputError([Problem(f"must be a folder, and {folder} is a file", "-o")]) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError([Problem(f"the folder {folder} can't be made: {reason}", "-o")]) from None
    return folder


def leave(code: int, interrupted: bool) -> NoReturn:
    """End the command, with the code of an interrupt if it was interrupted."""
    raise typer.Exit(INTERRUPTED if interrupted else code)


def leave_with_result(status: str, interrupted: bool) -> NoReturn:
    """End the command with the code of what a search has found."""
    leave({"infeasible": ILLEGAL, "unknown": NOTHING_FOUND}.get(status, LEGAL), interrupted)


def print_json(answer: object) -> None:
    """Print an answer as JSON, which is JSON in any encoding."""
    text = json_text(answer)
    _write(text if _knows_unicode() else "".join(sign if sign.isascii() else json.dumps(sign)[1:-1] for sign in text))


def print_text(text: str) -> None:
    """Print text at once, in which nothing steers the terminal; raises `ReaderGoneError` if nobody reads it any more."""
    from planner.formats.spoken_numbers import written_out

    clean = printable(text, keep="\n\t")
    _write(clean if _knows_unicode() else written_out(clean))


def _knows_unicode() -> bool:
    return "utf" in (sys.stdout.encoding or "utf").lower()


def _write(text: str) -> None:
    from planner.errors import ReaderGoneError

    try:
        with waiting_for_others():
            sys.stdout.write(text)
            sys.stdout.flush()
    except BrokenPipeError as error:
        raise ReaderGoneError from error
