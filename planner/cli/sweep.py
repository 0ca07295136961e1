"""`planner sweep`: how the best value changes with a scenario, and where it tips."""

from __future__ import annotations

import importlib
import importlib.util
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from fractions import Fraction
from math import isinf
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from planner.cli.batch import progress_bar
from planner.cli.terminal import (
    LEGAL,
    NOTHING_FOUND,
    ForceOption,
    JsonOption,
    ScenarioArgument,
    ensure_outputs,
    leave,
    print_json,
    stopped_by_interrupt,
)
from planner.formats.spoken_numbers import at_most, spoken_number

if TYPE_CHECKING:
    from planner.batch.sweep import SweepRow, Tip
    from planner.batch.variants import Varied
    from planner.errors import Problem


def sweep(
    scenario: ScenarioArgument,
    vary: Annotated[
        list[str],
        typer.Option(
            metavar="PLACE=VALUES", help="What varies: units.tank.attack=3..8, weather=dry,mud; once for each."
        ),
    ],
    time_limit: Annotated[float, typer.Option(min=0, help="Seconds for each variant; inf: until proved.")] = 60.0,
    workers: Annotated[int | None, typer.Option(min=1, max=1_024, help="Processes; by default one a core.")] = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="Write the table to a file, FILE.csv or FILE.json.")
    ] = None,
    plot: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Plot it: FILE.svg, .png or .pdf (extra `plot`).")
    ] = None,
    json_: JsonOption = False,
    force: ForceOption = False,
) -> None:
    """Plan each variant of a scenario; tell where the value tips.

    Exit 0 if each variant is proved, 3 if something is open or can't be searched, 130 if it was interrupted.
    """
    from planner.batch.answering import answer
    from planner.batch.engine import Bounds
    from planner.batch.local import LocalWorkers
    from planner.batch.results import results
    from planner.batch.run import run
    from planner.batch.sweep import jobs_of, rows_of, tips_of, to_csv, to_dict
    from planner.batch.variants import read_varied
    from planner.errors import InputError, Problem
    from planner.formats.files import write_text
    from planner.printable import json_text
    from planner.reachability.worker_processes import cores
    from planner.scenario import find_scenario, load_scenario

    problems: list[Problem] = []
    varied: list[Varied] = []
    for text in vary:
        try:
            varied.append(read_varied(text))
        except InputError as error:
            problems += error.problems
    places = [one.place for one in varied]
    problems += [Problem("must be given once", f"--vary {place}") for place in set(places) if places.count(place) > 1]
    if output is not None and output.suffix not in (".csv", ".json"):
        problems.append(Problem("must end with .csv or .json", f"--output {output}"))
    if plot is not None:
        problems += _no_plot(plot)
    if problems:
        raise InputError(problems)
    ensure_outputs([scenario], [output, plot], force)
    begin = load_scenario(scenario)
    jobs = jobs_of(begin, varied, None if isinf(time_limit) else time_limit)
    with stopped_by_interrupt() as stop:  # also while it is told what it has come to
        with ExitStack() as open_:
            scratch = Path(open_.enter_context(tempfile.TemporaryDirectory()))
            file = open_.enter_context(results(scratch / "results.jsonl", jobs))
            # What a model's path counts from is the scenario's folder.
            engine = LocalWorkers(workers or cores(), answer, find_scenario(scenario).resolve().parent, Bounds())
            open_.callback(engine.close)
            show = open_.enter_context(progress_bar())
            run(jobs, engine, file, stop=stop, on_progress=show)
            rows = rows_of(begin, varied, jobs, file)
        interrupted = stop.is_set()
        tips = tips_of(rows, varied)
        with ExitStack() as outputs:  # what can't be written is at least printed, and what can't be printed written
            if plot is not None:
                outputs.callback(_plot, plot, rows, varied, begin.title)
            if output is not None:
                table = to_csv(rows, varied) if output.suffix == ".csv" else json_text(to_dict(rows, tips, varied))
                outputs.callback(write_text, output, table)
            if json_:
                print_json(to_dict(rows, tips, varied))
            else:
                _print(rows, tips, varied)
    leave(LEGAL if all(row.proved for row in rows) else NOTHING_FOUND, interrupted)


def _print(rows: Sequence[SweepRow], tips: Sequence[Tip], varied: Sequence[Varied]) -> None:
    """Print table and tips as players read them."""
    from planner.cli.console import console_for_answers
    from planner.cli.text_output import print_rows

    console = console_for_answers()
    cells = [(*map(str, row.values), _value(row), _status(row)) for row in rows]
    print_rows(console, cells, (*(one.place for one in varied), "value", ""), whole=len(varied) + 1)
    many = len(varied) > 1
    for tip in tips:
        index = next(number for number, one in enumerate(varied) if one.place == tip.place)
        pairs = zip(varied, tip.before.values, strict=True)
        others = [f"{one.place} {value}" for one, value in pairs if one.place != tip.place]
        told = f"tips between {tip.place} {tip.before.values[index]} and {tip.after.values[index]}"
        told += f" ({', '.join(others)})" if many else ""
        told += f": {_value(tip.before)}, then {_value(tip.after)}"
        console.print(f"{told}; {'proved' if tip.proved else 'not proved'}")
    if not tips:
        known = all(row.proved for row in rows)
        console.print("it tips nowhere" if known else "no tip is known; not every variant is proved")


def _value(row: SweepRow) -> str:
    return " / ".join(spoken_number(Fraction(one)) for one in row.value) or (
        "none" if row.status == "infeasible" else "-"
    )


def _status(row: SweepRow) -> str:
    words = {"optimal": "proved", "infeasible": "no plan, proved"}
    words["feasible"] = f"not proved: at most {' / '.join(at_most(Fraction(one)) for one in row.bound)}"
    return words.get(row.status, f"{row.status}: {row.why.splitlines()[0]}" if row.why else row.status)


def _no_plot(plot: Path) -> list[Problem]:
    """Return why there can't be a plot, if there can't."""
    from planner.errors import Problem

    if plot.suffix not in (".svg", ".png", ".pdf"):
        return [Problem("must end with .svg, .png or .pdf", f"--plot {plot}")]
    if importlib.util.find_spec("matplotlib") is None:
        return [Problem("must come with Matplotlib: pip install '.[plot]' in a clone", "--plot")]
    return []


def _plot(plot: Path, rows: Sequence[SweepRow], varied: Sequence[Varied], title: str) -> None:
    """Draw the first tier over the first thing that varies, a line for each combination of the others."""
    figures = importlib.import_module("matplotlib.figure")
    figure = figures.Figure(figsize=(8, 5), layout="constrained")
    axes = figure.subplots()
    steps = varied[0].values
    for rest in dict.fromkeys(row.values[1:] for row in rows):
        line = [row for row in rows if row.values[1:] == rest]
        known = [(steps.index(row.values[0]), float(Fraction(row.value[0])), row.proved) for row in line if row.value]
        label = ", ".join(f"{one.place} {value}" for one, value in zip(varied[1:], rest, strict=True))
        (drawn,) = axes.plot([x for x, *_ in known], [y for _, y, _ in known], label=label or None)
        for proved, face in ((True, drawn.get_color()), (False, "none")):
            points = [(x, y) for x, y, is_proved in known if is_proved == proved]
            axes.scatter([x for x, _ in points], [y for _, y in points], facecolors=face, edgecolors=drawn.get_color())
    axes.set_xticks(range(len(steps)), [str(one) for one in steps])
    axes.set_xlabel(varied[0].place)
    axes.set_ylabel("best value, first tier (hollow: not proved)")
    axes.set_title(title)
    if len(varied) > 1:
        axes.legend()
    figure.savefig(plot, metadata={"Date": None} if plot.suffix == ".svg" else None)
