"""Tables of units and of terrain: CSV, with commas, semicolons or tabs."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from pathlib import Path

from planner.errors import InputError, Problem
from planner.exchange.found import Found, FoundPiece
from planner.formats.files import read_text

MOST_ROWS = 200_000
MOST_COLUMNS = 200
UNIT_WORDS = (
    "name", "id", "type", "side", "hex", "box", "values", "attack", "defense", "ma", "steps", "size", "traits",
    "nationality",
)  # fmt: skip
"""What a table of units may say, each in a column."""
TERRAIN_WORDS = ("label", "terrain")
"""What a table of terrain says."""
_ALSO = {"hex": ("at", "label", "place"), "label": ("hex", "at", "place"), "name": ("unit",), "values": ("printed",)}


def read_table(path: Path, columns: Mapping[str, str]) -> Found:
    """Read a table: of terrain, if it has a column for it and none for types of units; otherwise of units.

    Parameters
    ----------
    path : Path
        The file, in UTF-8, with a line of headers.
    columns : mapping from words to headers
        Which column is which word of `UNIT_WORDS` or `TERRAIN_WORDS`; others are known by their headers, in small
        letters or large.

    Raises
    ------
    InputError
        If it can't be read; with every row that has too many or too few cells.
    """
    text = read_text(path)
    first = text.partition("\n")[0]
    delimiter = max(",;\t", key=first.count)
    if "\0" in text:
        raise InputError([Problem("must be text, without signs of the number 0", str(path))])
    try:
        rows = [row for row in csv.reader(io.StringIO(text), delimiter=delimiter, strict=True) if any(row)]
    except csv.Error as error:
        raise InputError([Problem(f"must be a table (CSV): {error}", str(path))]) from error
    if not rows:
        raise InputError([Problem("must have a line of headers", str(path))])
    header = [cell.strip() for cell in rows[0]]
    problems = _problems(header, rows, columns, path)
    if problems:
        raise InputError(problems)
    cells = [{name: cell.strip() for name, cell in zip(header, row, strict=True)} for row in rows[1:]]
    known = {word: name for word in (*UNIT_WORDS, *TERRAIN_WORDS) if (name := _column(word, header, columns))}
    if "terrain" in known and "type" not in known:
        return _terrain(cells, known, path)
    return _units(cells, known, path)


def _problems(header: list[str], rows: list[list[str]], columns: Mapping[str, str], path: Path) -> list[Problem]:
    """List what is wrong with a table's shape."""
    found = []
    if len(rows) > MOST_ROWS or len(header) > MOST_COLUMNS:
        found.append(Problem(f"must have at most {MOST_ROWS:,} rows and {MOST_COLUMNS} columns", str(path)))
    if len(set(header)) < len(header):
        twice = next(name for name in header if header.count(name) > 1)
        found.append(Problem(f"headers must differ, but {twice[:40]!r} comes twice", str(path)))
    for word in columns:
        if word not in (*UNIT_WORDS, *TERRAIN_WORDS):
            known = ", ".join((*UNIT_WORDS, *TERRAIN_WORDS))
            found.append(Problem(f"columns must be for {known}, not for {word[:40]!r}", "mapping: columns"))
    for index, row in enumerate(rows[1:], 2):
        if len(row) != len(header):
            found.append(Problem(f"a row must have {len(header)} cells, not {len(row)}", f"{path}: row {index}"))
    return found


def _column(word: str, header: list[str], columns: Mapping[str, str]) -> str | None:
    """Return the header of the column for a word; None if there is none."""
    if word in columns:
        return columns[word] if columns[word] in header else None
    small = {name.casefold(): name for name in reversed(header)}
    return next((small[one] for one in (word, *_ALSO.get(word, ())) if one in small), None)


def _terrain(cells: list[dict[str, str]], known: Mapping[str, str], path: Path) -> Found:
    if "label" not in known:
        raise InputError([Problem("a table of terrain must have a column for the label of the hex", str(path))])
    found = Found()
    for index, row in enumerate(cells, 2):
        label = row[known["label"]]
        if label in found.hexes:
            found.remarks.append(f"hex {label} comes twice, the second time in row {index} of {path.name}")
        found.hexes.setdefault(label, []).append(row[known["terrain"]])
    return found


def _units(cells: list[dict[str, str]], known: Mapping[str, str], path: Path) -> Found:
    missing = [word for word in ("name", "hex") if word not in known and not (word == "name" and "id" in known)]
    if missing:
        what = f"a table of units must have a column for {' and '.join(missing)}; the mapping may name it under columns"
        raise InputError([Problem(what, str(path))])
    found = Found()
    for index, row in enumerate(cells, 2):
        said = {**row, **{word: row[name] for word, name in known.items()}}
        where = f"{path.name}, row {index}"
        name = said.get("name") or said.get("id", "")
        found.pieces.append(FoundPiece(str(index), name, said["hex"], said.get("box", ""), where, "", said))
    return found
