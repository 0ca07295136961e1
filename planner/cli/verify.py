"""The command ``verify``: puzzles, and what became of them, as text and as JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from planner.cli.terminal import (
    DrawOption,
    ForceOption,
    JsonOption,
    SeedOption,
    ensure_outputs,
    print_json,
    print_text,
    stopped_by_interrupt,
)
from planner.printable import printable

if TYPE_CHECKING:
    from planner.puzzles.verification import Verification


def verify(
    files: Annotated[
        list[str], typer.Argument(metavar="FILE...", help="Scenario files, folders of them, or shipped ones.")
    ],
    time_limit: Annotated[float, typer.Option(min=0, help="Seconds for each file; inf: until all is settled.")] = 60.0,
    cooks: Annotated[
        int,
        typer.Option(min=0, max=100, help="Other solutions to look for."),
    ] = 3,
    workers: Annotated[int, typer.Option(min=1, max=64, help="Cores to use.")] = 1,
    seed: SeedOption = 0,
    json_: JsonOption = False,
    junit: Annotated[Path | None, typer.Option(metavar="FILE", help="Write JUnit XML.")] = None,
    sarif: Annotated[Path | None, typer.Option(metavar="FILE", help="Write SARIF with rule ids.")] = None,
    draw: DrawOption = None,
    force: ForceOption = False,
) -> None:
    """Settle what puzzles claim.

    Exit 0 if all of it holds, 1 if something fails, 2 for bad input, 3 if something is open, 130 if it was interrupted: what
    wasn't reached is reported as such.
    """
    from planner import draw as pictures
    from planner.errors import ReaderGoneError
    from planner.formats.files import ensure_no_pipes
    from planner.limits import Limits
    from planner.puzzles.verification import exit_code
    from planner.puzzles.verify import files_in
    from planner.puzzles.verify import verify as verify_all
    from planner.scenario import load_scenario

    pictures.ready(draw)
    ensure_outputs(map(str, files_in(files)), [junit, sarif, draw], force)
    if draw is not None and (len(files) > 1 or Path(files[0]).is_dir()):
        raise typer.BadParameter("can be had for one file only", param_hint="--draw")
    if draw is not None:
        ensure_no_pipes(files_in(files))
    found: list[Verification] = []
    gone: ReaderGoneError | None = None
    with stopped_by_interrupt() as stop, ExitStack() as outputs:
        # Written last, but in any case: what can't be written is at least printed, and what can't be printed written.
        outputs.callback(_write, found, None, sarif)
        outputs.callback(_write, found, junit, None)
        for one in verify_all(files, time_limit, cooks, Limits.within(None, stop, seed, workers)):
            found.append(one)
            if draw is not None and not one.problems:
                outputs.callback(pictures.save, draw, one, load_scenario(files[0]))
            if not json_ and gone is None:
                try:
                    print_text(text_of(one))
                except ReaderGoneError as error:
                    gone = error
                    stop.set()  # what is left is reported as not reached
        if gone is not None:
            raise gone
        if json_:
            print_json(verifications_to_json(found))
        elif len(found) > 1:
            print_text(f"{_summary(found)}\n")
    raise typer.Exit(exit_code(found))


def _write(found: Sequence[Verification], junit: Path | None, sarif: Path | None) -> None:
    """Write reports for other programs."""
    from planner.formats.files import write_text

    if not found:
        return
    if junit is not None:
        from planner.puzzles.junit import junit_xml

        write_text(junit, junit_xml(found))
    if sarif is not None:
        from planner.puzzles.sarif import sarif_text

        write_text(sarif, sarif_text(found))


def text_of(one: Verification) -> str:
    """Return what became of a file as players read it."""
    if one.outcome == "not reached" and not one.checks:
        return _printable([f"{one.where}: not reached"])
    lines = [f"{one.where}: {one.outcome} ({one.seconds:.2f} s)"]
    lines += [f"  {problem}" for problem in one.problems]
    if one.fault is not None:
        lines.append(f"  internal error: {one.fault}")
    quiet = [check for check in one.checks if check.kind == "verdict" and check.outcome == "holds"]
    names = {check.name for check in one.checks}
    for check in one.checks:
        if check in quiet:
            continue
        lines.append(f"  {check.name} {_WORDS[check.outcome]}: {check.message}")
        shown = check.outcome != "holds" or (check.kind == "claim" and "solution" not in names)
        for plan in check.plans if shown else ():
            lines += [f"    {line}" for line in (str(plan) or "nobody moves").splitlines()]
            lines += ["    --"] if plan is not check.plans[-1] else []
    if quiet:
        lines.append(f"  {len(quiet)} {'verdict' if len(quiet) == 1 else 'verdicts'} as stated")
    return _printable(lines)


def _printable(lines: Sequence[str]) -> str:
    """Return lines as text."""
    return "".join(f"{printable(line)}\n" for line in lines)


_WORDS = {"holds": "holds", "fails": "FAILS", "unknown": "unknown", "noted": "noted", "skipped": "skipped"}


def _summary(found: Sequence[Verification]) -> str:
    number = Counter(one.outcome for one in found)
    several = {"holds": "hold", "fails": "fail"}
    counts = ", ".join(f"{n} {outcome if n == 1 else several.get(outcome, outcome)}" for outcome, n in number.items())
    return f"{len(found)} files: {counts}."


def verifications_to_json(found: Sequence[Verification]) -> dict[str, object]:
    """Return what became of several files, ``planner/verification-1``."""
    from planner.puzzles.verification import exit_code

    return {
        "format": "planner/verification-1",
        "exit_code": exit_code(found),
        "files": [one.to_dict() for one in found],
    }
