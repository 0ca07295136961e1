"""Moves in which units are called as on their counters, written with their ids."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from planner.plans.lines import lines_of

if TYPE_CHECKING:
    from planner.rules.game import Game


def with_ids(texts: str | Iterable[str], game: Game) -> list[str]:
    """Return the lines of moves with the ids of units in place of their names, such as ``1/26 Inf w5525-w5425``.

    Names count where units can stand in a move: at its beginning, after ``+`` and ``/``, and in parentheses; large and small
    letters are the same. What is an id of some unit stays what it is.

    Raises
    ------
    InputError
        If it is neither a text nor several.
    """
    lines = lines_of(texts)
    taken = {unit.casefold() for unit in game.units}
    ids = {
        unit.name.casefold(): unit.id
        for unit in game.units.values()
        if unit.name.strip() and unit.name.casefold() not in taken
    }
    if not ids:
        return lines
    names = "|".join(re.escape(name) for name in sorted(ids, key=len, reverse=True))
    called = re.compile(rf"(?P<before>(?:^|[+/(,])\s*)(?P<name>{names})(?=\s|$|[+/),:])", re.IGNORECASE)
    return [called.sub(lambda found: found["before"] + ids[found["name"].casefold()], line) for line in lines]
