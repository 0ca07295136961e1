"""How the best value changes with a scenario: a table of variants, and where it tips."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass

from planner.batch.jobs import Job
from planner.batch.results import ResultsFile
from planner.batch.variants import Value, Varied, variants_of
from planner.printable import printable
from planner.scenario import Scenario


def jobs_of(scenario: Scenario, varied: Sequence[Varied], time_limit: float | None) -> tuple[Job, ...]:
    """Return a search of each variant as jobs, in the order of the variants.

    Raises
    ------
    InputError
        If what is varied isn't there.
    """
    jobs = []
    for number, (_, data) in enumerate(variants_of(scenario, varied), 1):
        said = {"id": number, "verb": "suggest", "scenario": data, "time_limit": time_limit}
        jobs.append(Job(number, "suggest", said, f"variant {number}", time_limit))
    return tuple(jobs)


@dataclass(frozen=True)
class SweepRow:
    """What is found of a variant.

    Attributes
    ----------
    values : tuple of int or str
        What is varied.
    status : str
        As a search says it, optimal being proved; "bad input" or another word for what couldn't be searched.
    value, bound : tuple of str
        By tier: the best plan's value, and what no plan exceeds; exact, and empty where nothing is known.
    why : str
        What is wrong with it.
    moves : tuple of str
        The plan.
    """

    values: tuple[Value, ...]
    status: str
    value: tuple[str, ...] = ()
    bound: tuple[str, ...] = ()
    why: str = ""
    moves: tuple[str, ...] = ()

    @property
    def proved(self) -> bool:
        """Whether the value, or that there is none, is proved."""
        return self.status in ("optimal", "infeasible")


def rows_of(scenario: Scenario, varied: Sequence[Varied], jobs: Sequence[Job], file: ResultsFile) -> list[SweepRow]:
    """Return what is found of each variant; "not reached" where there is no result yet."""
    rows = []
    for (values, _), job in zip(variants_of(scenario, varied), jobs, strict=True):
        told = file.result(job)
        if told is None:
            rows.append(SweepRow(values, "not reached"))
        elif "error" in told:
            kind = {"input": "bad input"}.get(told["error"]["kind"], told["error"]["kind"])
            rows.append(SweepRow(values, kind, why=told["error"]["text"]))
        else:
            answer = told["answer"]
            value, bound = (tuple(map(str, answer[key])) for key in ("value", "bound"))
            rows.append(SweepRow(values, answer["status"], value, bound, moves=tuple(answer["moves"])))
    return rows


@dataclass(frozen=True)
class Tip:
    """Two variants next to each other, alike but for one step of one thing, of which one's best is otherwise.

    Attributes
    ----------
    place : str
        What differs.
    before, after : SweepRow
        The two.
    """

    place: str
    before: SweepRow
    after: SweepRow

    @property
    def proved(self) -> bool:
        """Whether both are proved."""
        return self.before.proved and self.after.proved


def tips_of(rows: Sequence[SweepRow], varied: Sequence[Varied]) -> list[Tip]:
    """Return where the best value changes from one step of a thing to the next, all else alike."""
    by_values = {row.values: row for row in rows}
    tips = []
    for row in rows:
        for index, one in enumerate(varied):
            step = one.values.index(row.values[index]) + 1
            if step < len(one.values):
                other = by_values[(*row.values[:index], one.values[step], *row.values[index + 1 :])]
                known = {"optimal", "feasible", "infeasible"}
                if {row.status, other.status} <= known and (row.value, row.status == "infeasible") != (
                    other.value,
                    other.status == "infeasible",
                ):
                    tips.append(Tip(one.place, row, other))
    return tips


def to_dict(rows: Sequence[SweepRow], tips: Sequence[Tip], varied: Sequence[Varied]) -> dict[str, object]:
    """Return it as data, ``planner/sweep-1``."""
    return {
        "format": "planner/sweep-1",
        "varied": [{"place": one.place, "values": list(one.values)} for one in varied],
        "variants": [
            {
                "values": list(row.values),
                "status": row.status,
                "value": list(row.value),
                "bound": list(row.bound),
                "moves": list(row.moves),
                "why": row.why,
            }
            for row in rows
        ],
        "tips": [
            {
                "place": tip.place,
                "from": list(tip.before.values),
                "to": list(tip.after.values),
                "proved": tip.proved,
            }
            for tip in tips
        ],
    }


def to_csv(rows: Sequence[SweepRow], varied: Sequence[Varied]) -> str:
    """Return the table as CSV: what is varied, status, and value and bound of each tier."""
    tiers = max((len(row.value) for row in rows), default=0)
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    numbers = range(1, tiers + 1)
    heads = [f"{what} {number}" for what in ("value", "bound") for number in numbers]
    writer.writerow([*(printable(one.place) for one in varied), "status", *heads])
    for row in rows:
        cells = [(*part, *[""] * (tiers - len(part))) for part in (row.value, row.bound)]
        writer.writerow([*(printable(str(one)) for one in row.values), row.status, *cells[0], *cells[1]])
    return file.getvalue()
