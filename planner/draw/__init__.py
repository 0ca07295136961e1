"""Pictures of boards, plans and reach: SVG, PNG, and pages to step through.

`planner.draw.picture.Picture` is the whole of it. Nothing here searches, and no solver is loaded. Commands that take
``--draw FILE`` call `ready` before their work and `save` after it.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from planner.draw.notes import Note
    from planner.plans.plan import Plan
    from planner.reachability.reach_report import ReachReport
    from planner.referee.verdict import Verdict
    from planner.scenario import Scenario


def ready(path: Path | None) -> None:
    """Ensure, before a long search, that a picture can be written; None: none is wanted.

    Raises
    ------
    InputError
        If the name of the file asks for no format that there is, what the format needs isn't installed, or there is no such
        folder.
    """
    if path is None:
        return
    from planner.draw.picture import format_of
    from planner.errors import InputError, Problem

    if format_of(path) == ".png":
        from planner.draw.png import available

        available()
    if not path.parent.is_dir():
        raise InputError([Problem("can't be written: no such folder", str(path))])


def save(
    path: Path | None,
    scenario: Scenario,
    plan: Plan | None = None,
    *,
    verdict: Verdict | None = None,
    reach: ReachReport | None = None,
    notes: Iterable[Note] = (),
    remarks: Iterable[str] = (),
) -> None:
    """Write a picture; None for the path: none is wanted.

    Parameters
    ----------
    path : Path or None
        The file; its name ends with ``.svg``, ``.png`` or ``.html``, a page to step through the plan.
    scenario : Scenario
        The position.
    plan : Plan, optional
        Moves to show, legal or not.
    verdict : Verdict, optional
        What is wrong with them; absent: the referee is asked.
    reach : ReachReport, optional
        What a unit reaches.
    notes : iterable of Note
        What else is to be said of hexes: each is marked, with a tag of a few letters such as a paragraph.
    remarks : iterable of str
        What is to be said of the whole, a sentence each: pages have it above the map, pictures in the legend.

    Raises
    ------
    InputError
        As `ready`; or if the file can't be written.
    """
    if path is None:
        return
    from planner.draw.picture import Picture

    Picture(scenario, plan, verdict=verdict, reach=reach, notes=tuple(notes), remarks=tuple(remarks)).save(path)
