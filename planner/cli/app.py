"""The command line: the commands, each in a file of its own, and how errors end."""

from __future__ import annotations

import contextlib
import io
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Annotated

import typer
from typer.main import get_command

from planner.cli.terminal import (
    BAD_INPUT,
    ILLEGAL,
    INTERRUPTED,
    NOTHING_FOUND,
    OUR_FAULT,
    READER_GONE,
    print_text,
)
from planner.printable import printable

if TYPE_CHECKING:
    from planner.errors import Problem


def _print_version(wanted: bool) -> None:
    if wanted:
        from planner import __version__, is_compiled

        print_text(f"planner {__version__}" + " (compiled)" * is_compiled() + "\n")
        raise typer.Exit


def _every(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version, and whether compiled."
        ),
    ] = False,
) -> None:
    pass


_FILES = {
    "check": "check", "suggest": "suggest", "reach": "reach", "rules": "rules", "apply": "apply", "schema": "schema",
    "reference": "reference", "explain": "explain", "verify": "verify", "defend": "defend", "draw": "draw",
    "match": "match", "batch": "batch", "sweep": "sweep", "compose": "compose", "engine": "engine", "serve": "serve",
    "board": "board", "mcp": "mcp", "model": "model", "new": "model", "play": "play", "hex": "hex", "import": "import_",
    "export": "export",
}  # fmt: skip
"""The commands by their names, in the order in which the help lists them, each with its file, which is loaded if needed."""


def _with(words: Iterable[str]) -> typer.Typer:
    """Return the command line with these commands."""
    made = typer.Typer(
        name="planner",
        help="Checks and plans the movement phases of hex-and-counter wargames, with a proof and the printed rule.",
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
    )
    made.callback()(_every)
    for word in words:
        file = import_module(f"planner.cli.{_FILES[word]}")
        command = getattr(file, word, None) or getattr(file, f"{word}_")  # some words have a meaning in Python
        made.command(word, cls=file.SidesCommand if word == "play" else None)(command)
    return made


@cache
def _whole() -> typer.Typer:
    return _with(_FILES)


def __getattr__(name: str) -> typer.Typer:
    if name == "app":
        return _whole()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


@cache
def _asked(word: str) -> Callable[[], object]:
    """Return the command line as far as its first word asks for it: reading every command's options takes longer."""
    return get_command(_with([word]) if word in _FILES else _whole())


def _tell(problems: Sequence[Problem]) -> None:
    """Print what is wrong with an input, with the lines of a file where they can be told."""
    from planner.formats.toml_lines import with_lines

    for problem in with_lines(problems):
        print(problem, file=sys.stderr)


def main() -> None:
    """Run the command line; every error ends as a sentence and an exit code, never as a traceback."""
    from planner.errors import DisagreementError, InputError, OutOfTimeError, PlannerError, ReaderGoneError

    if sys.stdout is None:  # closed before the planner was called
        print("the answer can't be written: standard output is closed", file=sys.stderr)
        sys.exit(BAD_INPUT)
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:  # what an old encoding lacks is written out, not fatal
            reconfigure(errors="backslashreplace")
    try:
        _asked(sys.argv[1] if len(sys.argv) > 1 else "")()
    except InputError as error:
        _tell(error.problems)
        sys.exit(BAD_INPUT)
    except OutOfTimeError as error:
        print(printable(str(error)), file=sys.stderr)
        sys.exit(NOTHING_FOUND)
    except DisagreementError as error:
        told = f"internal error: {error}\nPlease report it with this:\n{error.dump}"
        print(printable(told, keep="\n"), file=sys.stderr)
        sys.exit(OUR_FAULT)
    except ReaderGoneError:
        # Whoever read the answer has gone; Python would complain once more when it flushes at the end.
        _write_nowhere()
        sys.exit(READER_GONE)
    except PlannerError as error:
        print(printable(str(error), keep="\n"), file=sys.stderr)
        sys.exit(ILLEGAL)
    except OSError as error:
        what = "the answer can't be written" if error.filename is None else f"{error.filename} can't be read or written"
        print(printable(f"{what}: {error.strerror or error}"), file=sys.stderr)
        _write_nowhere()
        sys.exit(BAD_INPUT)
    except KeyboardInterrupt:
        _write_nowhere()  # what nobody has read is flushed in the end, which would wait for them again
        sys.exit(INTERRUPTED)


def _write_nowhere() -> None:
    """Let what is still to be written go nowhere; there is nothing to do where standard output is no file."""
    with contextlib.suppress(io.UnsupportedOperation):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    main()
