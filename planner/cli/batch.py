"""`planner batch`: many questions, answered by several processes, with results that survive whatever happens."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from planner.cli.terminal import BAD_INPUT, ILLEGAL, LEGAL, ensure_outputs, leave, print_text, stopped_by_interrupt

if TYPE_CHECKING:
    from planner.batch.run import BatchCounts
    from planner.errors import Problem


def batch(
    jobs: Annotated[Path, typer.Argument(metavar="JOBS", help="The jobs, a line of JSON each: docs/batch.md.")],
    folders: Annotated[
        list[str] | None, typer.Argument(metavar="[FOLDER]...", help="With --make: scenarios, or folders of them.")
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o", "--output", help="The results, a line of JSON each; what is there already isn't done again."
        ),
    ] = None,
    make: Annotated[
        str | None,
        typer.Option(metavar="VERB", help="Write JOBS: this is asked of each scenario in the folders."),
    ] = None,
    workers: Annotated[
        int | None, typer.Option(min=1, max=1_024, help="Processes; by default one for each core.")
    ] = None,
    time_limit: Annotated[
        float | None, typer.Option(min=0, help="Seconds for each job that says none and may have a limit.")
    ] = None,
    hard_limit: Annotated[
        float | None,
        typer.Option(min=0.1, help="Seconds after which a job is ended; by default twice its own limit and 30 more."),
    ] = None,
    memory: Annotated[
        int | None, typer.Option(min=50, metavar="MIB", help="MiB that a job may use before it is ended.")
    ] = None,
    ray: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="Work on a Ray cluster, such as auto: docs/cluster.md.")
    ] = None,
    retry: Annotated[bool, typer.Option("--retry", help="Do jobs again that have failed in a run before.")] = False,
    times: Annotated[bool, typer.Option("--times", help="Write into results how many seconds they took.")] = False,
    force: Annotated[bool, typer.Option("--force", help="With --make: overwrite JOBS.")] = False,
) -> None:
    """Answer many jobs, one after another or side by side.

    After an end of whatever kind, the same command goes on.

    Exit 0 if every job is answered, 1 if some can't be, 2 if some lines are no jobs (the others are done), 130 if it was
    interrupted.
    """
    if make is not None:
        given: dict[str, object] = {
            "-o": output,
            "--workers": workers,
            "--time-limit": time_limit,
            "--hard-limit": hard_limit,
        }
        given |= {"--memory": memory, "--ray": ray, "--retry": retry or None, "--times": times or None}
        for option, value in given.items():
            if value is not None:
                what = "can't be had with --make, which writes jobs and answers none"
                raise typer.BadParameter(what, param_hint=option)
        _make(jobs, make, folders or [], force)
        return
    if folders:
        raise typer.BadParameter("can be had with --make only", param_hint="FOLDER")
    if output is None:
        raise typer.BadParameter("must be given: the file of results", param_hint="-o")
    from planner.batch.answering import answer
    from planner.batch.engine import Bounds, Engine
    from planner.batch.jobs import read_jobs
    from planner.batch.local import LocalWorkers, can_watch_memory
    from planner.batch.results import results
    from planner.batch.run import run
    from planner.reachability.worker_processes import cores

    if ray is not None and workers is not None:
        raise typer.BadParameter("can't be had with --ray: each node has as many as cores", param_hint="--workers")
    if output.exists() and jobs.exists() and output.samefile(jobs):
        raise typer.BadParameter("must be another file than that of the jobs", param_hint="-o")
    ensure_outputs([], [output], False)
    if memory is not None and not can_watch_memory():
        raise typer.BadParameter("can be had on Linux only", param_hint="--memory")
    found = read_jobs(jobs, time_limit)
    _tell(found.problems)
    if not found.jobs and found.problems:
        raise typer.Exit(BAD_INPUT)
    bounds = Bounds(hard_limit, None if memory is None else memory * 2**20)
    folder = jobs.resolve().parent
    with ExitStack() as open_:
        engine: Engine
        if ray is None:
            engine = LocalWorkers(workers or cores(), answer, folder, bounds)
        else:
            from planner.batch.cluster import RayWorkers

            engine = RayWorkers(ray, answer, folder, bounds, lambda told: print(told, file=sys.stderr))
        open_.callback(engine.close)
        # After the engine: without Ray, or its cluster, nothing is begun.
        file = open_.enter_context(results(output, found.jobs, retry))
        # Only now: Ray has handlers of its own.
        stop = open_.enter_context(stopped_by_interrupt())
        show = open_.enter_context(progress_bar())
        counts = run(found.jobs, engine, file, stop=stop, on_progress=show, times=times)
    print_text(_summary(counts, found.bad_lines, output))
    code = BAD_INPUT if found.problems else ILLEGAL if counts.failed else LEGAL
    leave(code, bool(counts.left))


def _make(jobs: Path, verb: str, folders: list[str], force: bool) -> None:
    """Write jobs."""
    from planner.batch.jobs import jobs_of
    from planner.errors import InputError, Problem
    from planner.formats.files import write_text

    if jobs.exists() and not force:
        raise InputError([Problem("is there already; --force lets it be overwritten", str(jobs))])
    ensure_outputs([], [jobs], True)
    made = [
        json.dumps(one) for one in jobs_of(verb, folders, jobs.parent)
    ]  # ASCII: no name of a file steers who shows it
    write_text(jobs, "".join(f"{line}\n" for line in made))
    print_text(f"{len(made)} {'job' if len(made) == 1 else 'jobs'} written to {jobs}\n")


def _tell(problems: tuple[Problem, ...]) -> None:
    for problem in problems:
        print(problem, file=sys.stderr)


def _summary(counts: BatchCounts, bad_lines: int, output: Path) -> str:
    """Return what a batch has come to, as a sentence or two."""
    parts = [f"{counts.before + counts.done - counts.failed:,} of {counts.jobs:,} jobs answered"]
    parts += [f"{counts.before:,} done before"] * bool(counts.before)
    parts += [f"{counts.failed:,} failed"] * bool(counts.failed)
    parts += [f"{counts.again:,} begun a second time"] * bool(counts.again)
    parts += [f"{counts.left:,} left: the same command goes on with them"] * bool(counts.left)
    parts += [f"{bad_lines:,} {'line is no job' if bad_lines == 1 else 'lines are no jobs'}"] * bool(bad_lines)
    return f"{output}: {'; '.join(parts)}.\n"


@contextmanager
def progress_bar() -> Iterator[Callable[[BatchCounts], None] | None]:
    """Show how far it is, on stderr, if that is a terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True, markup=False, emoji=False, highlight=False)
    if not console.is_terminal:
        yield None
        return
    columns = (BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[told]}"), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("", total=None, told="")

        def show(counts: BatchCounts) -> None:
            speed = bar.tasks[0].speed
            told = "" if speed is None else f"{speed:.1f}/s "
            told += f"{counts.failed:,} failed" if counts.failed else ""
            bar.update(task, total=counts.jobs - counts.before, completed=counts.done, told=told)

        yield show
