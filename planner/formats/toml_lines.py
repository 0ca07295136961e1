"""On which line of a TOML file an entry stands.

The standard library's parser doesn't tell. But the lines up to an entry are TOML too, and the first of them that have the
entry end with it: it is found by bisection, among what can be read of the beginnings of the file.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from planner.errors import InputError, Problem

LONGEST = 3_000
"""In longer files no line is looked for: each beginning is read anew."""

MOST_READ = 10_000_000
"""So many signs of beginnings are read of one file: some seconds."""

Keys = tuple[str | int, ...]


class TomlLines:
    """The lines of a TOML file.

    Parameters
    ----------
    text : str
        The file.
    """

    def __init__(self, text: str) -> None:
        self._lines = text.splitlines(keepends=True)
        self._beginnings: dict[int, object] = {}
        self._read = 0

    def line_of(self, place: str) -> int | None:
        """Return the line on which an entry begins, or the one that holds it; None if there is neither, or no way to tell.

        Parameters
        ----------
        place : str
            The path of keys, such as ``unit[3] (hq).at``.
        """
        if len(self._lines) > LONGEST:
            return None
        try:
            return self._line_of(place)
        except _TooMuchError:
            return None

    def _line_of(self, place: str) -> int | None:
        whole, keys = self._beginning(len(self._lines)), _keys(place)
        while keys and not _has(whole, keys):
            keys = keys[:-1]
        if not keys:
            return None
        without, having = 0, len(self._lines)
        while (count := self._between(without, having)) is not None:
            if _has(self._beginning(count), keys):
                having = count
            else:
                without = count
        return without + 1

    def _between(self, low: int, high: int) -> int | None:
        """Return a number of lines between two others that can be read by themselves; None: one entry fills them."""
        counts = sorted(range(low + 1, high), key=lambda count: abs(2 * count - low - high))
        return next((count for count in counts if self._beginning(count) is not None), None)

    def _beginning(self, count: int) -> object:
        """Return what so many lines hold; None if they can't be read.

        Raises
        ------
        _TooMuchError
            If too much has been read.
        """
        if count not in self._beginnings:
            text = "".join(self._lines[:count])
            self._read += len(text)
            if self._read > MOST_READ:
                raise _TooMuchError
            try:
                self._beginnings[count] = tomllib.loads(text)
            except (tomllib.TOMLDecodeError, RecursionError):
                self._beginnings[count] = None
        return self._beginnings[count]


class _TooMuchError(Exception):
    pass


def with_lines(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """Return problems with the line behind the name of the TOML file, where it can be told and isn't told yet."""
    known: dict[str, TomlLines | None] = {}
    return tuple(replace(problem, where=_with_line(problem.where, known)) for problem in problems)


@contextmanager
def lines_told() -> Iterator[None]:
    """Within it, errors of input name lines."""
    try:
        yield
    except InputError as error:
        raise type(error)(with_lines(error.problems)) from None


def _with_line(where: str, known: dict[str, TomlLines | None]) -> str:
    name, _, place = where.partition(": ")
    if not place or not name.endswith(".toml"):
        return where
    if name not in known:
        try:
            known[name] = TomlLines(Path(name).read_text(encoding="utf-8-sig")) if Path(name).is_file() else None
        except (OSError, ValueError):
            known[name] = None
    lines = known[name]
    line = None if lines is None else lines.line_of(place)
    return where if line is None else f"{name}:{line}: {place}"


def _keys(place: str) -> Keys:
    found = re.findall(r"\[(\d+)\]|([^\s.\[\]]+)", re.sub(r"\s*\([^)]*\)", "", place))
    return tuple(int(index) if index else name for index, name in found)


def _has(data: Any, keys: Keys) -> bool:
    for key in keys:
        try:
            data = data[key]
        except (IndexError, KeyError, TypeError):
            return False
    return True
