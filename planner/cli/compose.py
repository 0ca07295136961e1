"""`planner compose`: looks for puzzles, each with its proof, hints, tries and a picture."""

from __future__ import annotations

import threading
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

import typer

from planner.cli.terminal import LEGAL, NOTHING_FOUND, leave, output_folder, print_text, stopped_by_interrupt

LONGEST = 31_536_000.0
"""Seconds, a year; no clock waits for any number of them."""


def compose(
    scenarios: Annotated[
        list[str],
        typer.Argument(metavar="SCENARIO...", help="What is varied: files, folders, or all of a game."),
    ],
    output: Annotated[
        Path, typer.Option("-o", "--output", help="The folder of the puzzles; what was tried there counts.")
    ],
    count: Annotated[int, typer.Option(min=1, max=10_000, help="How many puzzles are wanted.")] = 10,
    theme: Annotated[str, typer.Option(help="any, relief, last_berth, sacrifice or overrun.")] = "any",
    seed: Annotated[int, typer.Option(min=0, help="By which variations are drawn.")] = 0,
    tries: Annotated[
        int, typer.Option(min=1, max=1_000_000, help="How many variations are looked at, at most.")
    ] = 10_000,
    time_limit: Annotated[float, typer.Option(min=0, help="Seconds at most.")] = 600.0,
    workers: Annotated[int | None, typer.Option(min=1, max=1_024, help="Processes; by default one a core.")] = None,
) -> None:
    """Look for puzzles: with one solution, proved.

    Its moves do it in no other order, and greedy play misses it.

    Exit 0 with as many as are wanted, 3 with fewer, 130 if it was interrupted: the same command goes on.
    """
    from planner import api
    from planner.batch.engine import Bounds
    from planner.batch.local import LocalWorkers
    from planner.batch.results import results
    from planner.composing.compose import Bank, Puzzle, compose_one, jobs_of, seeds_of
    from planner.composing.compose import compose as look
    from planner.composing.judging import THEMES
    from planner.errors import InputError, Problem
    from planner.formats.files import write_text
    from planner.reachability.worker_processes import cores

    if theme not in THEMES:
        raise InputError([Problem(f"must be one of {', '.join(THEMES)}, not {theme[:40]!r}", "--theme")])
    jobs = jobs_of(seeds_of(scenarios), theme, seed, tries)
    bank = Bank.of(jobs, count)  # all is loaded before the time counts
    output_folder(output)

    def keep(puzzle: Puzzle) -> None:
        file = output / f"{puzzle.model}_{puzzle.number:05d}.toml"
        write_text(file, puzzle.text)
        api.picture(file).save(file.with_suffix(".svg"))
        near = f"{puzzle.near_misses} near {'miss' if puzzle.near_misses == 1 else 'misses'}"
        told = f"{puzzle.depth} moves, {puzzle.units} units, {near}, {puzzle.stars} of 5 stars"
        print_text(f"{file}: {told}\n")

    with ExitStack() as open_:
        file = open_.enter_context(results(output / "tries.jsonl", jobs))
        engine = LocalWorkers(workers or cores(), compose_one, Path(), Bounds(seconds=120))
        open_.callback(engine.close)
        stop = open_.enter_context(stopped_by_interrupt())
        late = threading.Event()

        def end() -> None:
            late.set()
            stop.set()

        timer = threading.Timer(min(time_limit, LONGEST), end)
        timer.daemon = True
        timer.start()
        open_.callback(timer.cancel)
        look(jobs, engine, file, bank, stop, keep)
        interrupted = stop.is_set() and not late.is_set()
    told = f"{_counted(len(bank.puzzles), 'puzzle')} of {_counted(bank.looked_at, 'variation')}"
    told += f"; {bank.alike} more {'was' if bank.alike == 1 else 'were'} like another one"
    told += f"; {bank.failed} couldn't be looked at" * bool(bank.failed)
    print_text(f"{told}.\n")
    if not bank.full:
        cut = "It was interrupted" if interrupted else "The time ran out" if late.is_set() else ""
        all_ = bank.looked_at == len(jobs)
        print_text(
            "These are all --tries; another --seed draws others.\n" if all_ else f"{cut}: the same command goes on.\n"
        )
    leave(LEGAL if bank.full else NOTHING_FOUND, interrupted)


def _counted(number: int, what: str) -> str:
    return f"{number:,} {what}{'s' * (number != 1)}"
