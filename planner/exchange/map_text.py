"""The map of a scenario file, as text: rows of signs, traits of hexes, hexsides."""

from __future__ import annotations

import string
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby

from planner.rules.rulebook import Rulebook

_SPARE = string.ascii_letters + string.digits + "+=%&*<>!?"
"""Signs for terrain that has none in the game's chart."""


def rows_of(terrain: Mapping[str, str], rulebook: Rulebook) -> tuple[list[str], dict[str, str]]:
    """Return the rows of a map, each with the label of its first hex, and the legend of signs that aren't the game's.

    Parameters
    ----------
    terrain : mapping from labels to terrain
        The hexes; all labels follow the game's numbering.
    rulebook : Rulebook
        The game.
    """
    numbering, chart = rulebook.numbering, rulebook.terrain.terrain
    signs = {name: chart[name].symbol for name in dict.fromkeys(terrain.values()) if chart[name].symbol}
    taken = {entry.symbol for entry in chart.values()}
    spare = (sign for sign in _SPARE if sign not in taken)
    legend = {next(spare): name for name in dict.fromkeys(terrain.values()) if name not in signs}
    signs |= {name: sign for sign, name in legend.items()}
    down = -1 if numbering.rows_count == "north" else 1
    spots = sorted((sheet, down * row, column) for sheet, row, column in map(numbering.row_and_column, terrain))
    rows = []
    for (sheet, row), cells in groupby(spots, key=lambda spot: spot[:2]):
        columns = [column for _, _, column in cells]
        for first, last in _runs(columns):
            label = numbering.label(sheet, down * row, first)
            known = (terrain.get(numbering.label(sheet, down * row, one)) for one in range(first, last + 1))
            rows.append(f"{label}: {' '.join('_' if name is None else signs[name] for name in known)}")
    return rows, legend


def _runs(columns: list[int]) -> Iterator[tuple[int, int]]:
    """Yield first and last of the columns of a row; where many are missing, it is written as two."""
    first = last = columns[0]
    for column in columns[1:]:
        if column - last > 20:
            yield first, last
            first = column
        last = column
    yield first, last


def chains_of(hexsides: Iterable[tuple[str, str]]) -> list[str]:
    """Return pairs of hexes as chains, each as long as the pairs follow each other."""
    chains: list[list[str]] = []
    for a, b in dict.fromkeys(hexsides):
        if chains and chains[-1][-1] == a:
            chains[-1].append(b)
        else:
            chains.append([a, b])
    return [" ".join(chain) for chain in chains]
