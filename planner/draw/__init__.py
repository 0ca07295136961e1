"""Pictures of boards, plans and reach: SVG, PNG, and pages to step through.

`planner.draw.picture.Picture` is the whole of it. Nothing here searches, and no solver is loaded. Commands that take
``--draw FILE`` call `ready` before their work and `save` after it.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
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


def save(path: Path | None, answer: object, scenario: Scenario) -> None:
    """Write an answer as a picture; None for the path: none is wanted.

    Parameters
    ----------
    path : Path or None
        The file; its name ends with ``.svg``, ``.png`` or ``.html``, a page to step through the plan.
    answer : object
        An answer, as `planner.draw.answer_pictures.picture_of` takes it.
    scenario : Scenario
        To which it belongs.

    Raises
    ------
    InputError
        As `ready`; or if the file can't be written.
    """
    if path is not None:
        from planner.draw.answer_pictures import picture_of

        picture_of(answer, scenario).save(path)
