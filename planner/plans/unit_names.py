"""Moves in which units are called as on their counters, written with their ids."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from planner.errors import AmbiguousInputError, Problem
from planner.plans.lines import lines_of

if TYPE_CHECKING:
    from planner.rules.game import Game


_IN_MOVES = r"^|[+/(,]"
_IN_GOALS = r"^|,|\b(?:and|eliminate|stay|surround|odds\s+\S+)\s"
"""After what the names of units stand."""


def with_ids(texts: str | Iterable[str], game: Game, goals: bool = False) -> list[str]:
    """Return the lines of moves with the ids of units in place of their names, such as ``1/26 Inf w5525-w5425``.

    Names count where units can stand in a move: at its beginning, after ``+`` and ``/``, and in parentheses; large and small
    letters are the same. What is an id of some unit stays what it is.

    Parameters
    ----------
    texts : str or iterable of str
        The lines.
    game : Game
        The units.
    goals : bool
        Whether they are goals, such as ``eliminate 1/26 Inf and 2/26 Inf to w5425``, where names stand elsewhere.

    Raises
    ------
    AmbiguousInputError
        With every name that several units bear.
    InputError
        If it is neither a text nor several.
    """
    lines = lines_of(texts, "" if goals else ";")
    taken = {unit.casefold() for unit in game.units}
    ids: dict[str, list[str]] = {}
    for unit in game.units.values():
        if printed(unit.name) and printed(unit.name) not in taken:
            ids.setdefault(printed(unit.name), []).append(unit.id)
    if not ids:
        return lines
    names = "|".join(r"\s+".join(map(re.escape, name.split())) for name in sorted(ids, key=len, reverse=True))
    called = re.compile(
        rf"(?P<before>(?:{_IN_GOALS if goals else _IN_MOVES})\s*)(?P<name>{names})(?=\s|$|[+/),:])", re.IGNORECASE
    )
    problems = [
        Problem(
            f"{found['name']!r} may be any of {', '.join(ids[printed(found['name'])])}",
            f"{'goal' if goals else 'move'} {line[:80]!r}",
        )
        for line in lines
        for found in called.finditer(line)
        if len(ids[printed(found["name"])]) > 1
    ]
    if problems:
        raise AmbiguousInputError(problems)
    return [called.sub(lambda found: found["before"] + ids[printed(found["name"])][0], line) for line in lines]


def printed(name: str) -> str:
    """Return a name as it is compared: large and small letters are the same, and so are one space and several."""
    return " ".join(name.split()).casefold()
