"""Reading and writing files, so that nothing is lost and every fault is a sentence."""

from __future__ import annotations

import errno
import json
import os
import re
import tempfile
import tomllib
from collections.abc import Callable, Collection, Iterable
from contextlib import suppress
from functools import cache
from math import isfinite
from pathlib import Path
from typing import TypeVar

from planner.errors import InputError, Problem
from planner.waiting import waiting_for_others

LARGEST_FILE = 32 * 2**20
"""Bytes; a scenario of 10,000 hexes and 400 units has less than one of the 32 MiB."""

BYTE_ORDER_MARK = "\ufeff"

DEEPEST = 40
"""How deep tables and lists may be nested; nothing that has a meaning is deeper than a dozen."""

_TOO_DEEP = "tables and lists must be nested at most {} levels deep"

_KEY = r"""(?:[A-Za-z0-9_-]+|"[^"\n]*"|'[^'\n]*')"""
_DEEP_KEY = re.compile(rf"(?:^|[\[{{,])[ \t]*{_KEY}(?:[ \t]*\.[ \t]*{_KEY}){{{DEEPEST},}}+[ \t]*[=\]]", re.MULTILINE)
"""A key of so many parts, as it is written before what it stands for, or as the name of a table."""

T = TypeVar("T")


@cache
def data_folder(name: str) -> Path:
    """Return the folder of the models or scenarios that ship with the planner, installed or run from a checkout."""
    package = Path(__file__).resolve().parents[1]
    installed = package / "_data" / name
    return installed if installed.is_dir() else package.parent / name


def read_text(path: Path) -> str:
    """Read a UTF-8 text file, without the mark that some editors of Windows put before it.

    Raises
    ------
    InputError
        If there is no such file, it can't be read, is larger than `LARGEST_FILE`, or isn't UTF-8.
    """
    try:
        with waiting_for_others(), path.open("rb") as file:
            content = file.read(LARGEST_FILE + 1)
        if len(content) > LARGEST_FILE:
            raise InputError([Problem(f"a file must have at most {LARGEST_FILE // 2**20} MiB", str(path))])
        return content.decode("utf-8").removeprefix(BYTE_ORDER_MARK)
    except FileNotFoundError as error:
        raise InputError([Problem("no such file", str(path))]) from error
    except UnicodeDecodeError as error:
        raise InputError([Problem(f"must be UTF-8 text, but byte {error.start} is not", str(path))]) from error
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError([Problem(f"can't be read: {reason}", str(path))]) from error


def read_again(path: Path) -> str:
    """Return the text of a file that has been read before; empty where that was a pipe, which can be read once."""
    return read_text(path) if path.is_file() else ""


def ensure_no_pipes(paths: Iterable[Path]) -> None:
    """Ensure that files can be read more than once; what isn't there is told by whoever reads it.

    Raises
    ------
    InputError
        With each that is a pipe, or a device.
    """
    pipes = [path for path in paths if _is_special(path)]
    if pipes:
        raise InputError(
            [Problem("must be a file that can be read more than once, no pipe", str(path)) for path in pipes]
        )


def parse_toml(text: str, where: str) -> dict[str, object]:
    """Decode TOML.

    Raises
    ------
    InputError
        If the text isn't TOML, or nested deeper than `DEEPEST`; the place has line and column.
    """
    if _DEEP_KEY.search(text):  # the parser would take minutes
        raise InputError([Problem(_TOO_DEEP.format(DEEPEST), where)])
    return _shallow(_parsed(tomllib.loads, text, "TOML", where), where)


def parse_json(text: str, where: str, deepest: int = DEEPEST) -> object:
    """Decode JSON.

    Parameters
    ----------
    text, where : str
        The text, and what to call it in messages.
    deepest : int
        How deep it may be nested.

    Raises
    ------
    InputError
        If the text isn't JSON, or nested deeper, where the place has line and column; or if a key comes twice in an object.
    """
    return _shallow(_parsed(_strictly, text, "JSON", where), where, deepest)


def _strictly(text: str) -> object:
    """Decode JSON without the numbers that it doesn't have, and that couldn't be written again, and with each key once."""
    return json.loads(text, parse_constant=_finite, parse_float=_finite, object_pairs_hook=_each_once)


class _TwiceError(ValueError):
    """A key comes twice in an object: what it says first would pass unnoticed."""


def _each_once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found: dict[str, object] = {}
    for key, value in pairs:
        if key in found:
            raise _TwiceError(f"key {key[:60]!r} comes twice")
        found[key] = value
    return found


def _finite(text: str) -> float:
    number = float(text)
    if not isfinite(number):
        raise ValueError(f"{text[:20]} is no number of JSON, or too large")
    return number


def _parsed(parse: Callable[[str], T], text: str, kind: str, where: str) -> T:
    try:
        return parse(text)
    except RecursionError as error:
        raise InputError([Problem(f"not {kind}: nested too deeply", where)]) from error
    except _TwiceError as error:
        raise InputError([Problem(str(error), where)]) from error
    except ValueError as error:
        too_long = "set_int_max_str_digits" in str(error)  # what Python says of it is no help
        raise InputError(
            [Problem(f"not {kind}: {'a number has too many digits' if too_long else error}", where)]
        ) from error


def _shallow(data: T, where: str, deepest: int = DEEPEST) -> T:
    """Return data that is nested no deeper than anything that has a meaning: whoever walks it must not run out of stack."""
    inside: list[object] = [data]
    for _ in range(deepest):
        inside = [
            item
            for value in inside
            if isinstance(value, (dict, list))
            for item in (value.values() if isinstance(value, dict) else value)
        ]
        if not inside:
            return data
    raise InputError([Problem(_TOO_DEEP.format(deepest), where)])


def ensure_writable(*paths: Path | None, inputs: Collection[Path] = ()) -> None:
    """Ensure that files can be written, before the work is done that is to go into them; nothing is changed.

    Parameters
    ----------
    *paths : Path or None
        The files; None: none is wanted.
    inputs : collection of Path
        What must not be overwritten.

    Raises
    ------
    InputError
        With a problem for each that can't.
    """
    problems = []
    wanted = [path for path in paths if path is not None]
    for index, path in enumerate(wanted):
        try:
            if str(path) == "-":
                problems.append(Problem("must be the name of a file; - stands for what is read", str(path)))
                continue
            if any(_same(path, other) for other in inputs):
                problems.append(Problem("is read by this command; --force lets it be overwritten", str(path)))
                continue
            if any(_same(path, other) for other in wanted[:index]) and not _is_special(path):
                problems.append(Problem("each output must have a file of its own", str(path)))
                continue
            if path.is_dir():
                raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
            if path.is_fifo():  # whoever reads it would take it for the end if it were opened twice
                if not os.access(path, os.W_OK):
                    raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
                continue
            if _is_special(path):
                with path.open("ab"):
                    continue
            _ensure_no_circle(path)
            handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name[:40]}.", suffix=".tmp")
            os.close(handle)
            Path(name).unlink()
        except (OSError, ValueError) as error:
            problems.append(_cannot_be_written(error, path))
    if problems:
        raise InputError(problems)


def _same(path: Path, other: Path) -> bool:
    """Tell whether two paths lead to one file, through links or not."""
    if path.exists() and other.exists():
        return path.samefile(other)
    return resolved(path) == resolved(other)


def resolved(path: Path) -> Path:
    """Return where a path leads, through links; those that lead in a circle stay as they are."""
    return Path(os.path.realpath(path))  # Path.resolve raises RuntimeError for them


def _ensure_no_circle(path: Path) -> None:
    """Raise `OSError` if links lead in a circle: there is no file that could be written through them."""
    with suppress(FileNotFoundError):
        path.stat()


def _is_special(path: Path) -> bool:
    """Tell whether it is no file that could be replaced: a device, or a pipe."""
    return path.exists() and not path.is_file() and not path.is_dir()


def _cannot_be_written(error: Exception, path: Path) -> Problem:
    return Problem(f"can't be written: {getattr(error, 'strerror', None) or error}", str(path))


def write_text(path: Path, text: str) -> None:
    """Write a text file, as UTF-8, whole or not at all.

    Raises
    ------
    InputError
        If it can't be written; what was there before is then still there.
    """
    write_bytes(path, text.encode("utf-8"))


def write_bytes(path: Path, content: bytes) -> None:
    """Write a file whole or not at all.

    Raises
    ------
    InputError
        If it can't be written; what was there before is then still there.
    """
    if _is_special(path):
        # A device or a pipe takes what it is given; to put a file in its place would take it away from all others.
        try:
            with waiting_for_others(), path.open("wb") as device:
                device.write(content)
        except OSError as error:
            raise InputError([_cannot_be_written(error, path)]) from error
        return
    try:
        _ensure_no_circle(path)
        path = resolved(path)  # a symbolic link is written through, not replaced
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name[:40]}.", suffix=".tmp")
    except (OSError, ValueError) as error:
        raise InputError([_cannot_be_written(error, path)]) from error
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        umask = os.umask(0)
        os.umask(umask)
        Path(name).chmod(0o666 & ~umask)
        Path(name).replace(path)
    except OSError as error:
        Path(name).unlink(missing_ok=True)
        raise InputError([_cannot_be_written(error, path)]) from error
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
