"""Where answers are printed: a terminal, for which rich is loaded, or a file or pipe, for which nothing is."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, TextIO, TypeAlias

from planner.errors import ReaderGoneError
from planner.formats.spoken_numbers import written_out
from planner.printable import printable

if TYPE_CHECKING:
    from planner.cli.rich_console import RichConsole

WIDTH_OF_FILES = 100_000
"""Columns of what isn't a terminal: nothing is wrapped there."""


class PlainConsole:
    """What isn't a terminal: nothing is wrapped or coloured there, and rich, which takes long to load, isn't needed."""

    is_terminal = False
    width = WIDTH_OF_FILES

    @property
    def encoding(self) -> str:
        """The encoding of the output, in small letters."""
        return (getattr(sys.stdout, "encoding", None) or "utf-8").lower()

    def print(self, text: str = "", style: str = "", soft_wrap: bool = False) -> None:
        """Write a line at once; `style` and `soft_wrap` are for terminals."""
        if sys.stdout is None:
            return
        try:
            sys.stdout.write(shown(self, text) + "\n")
            sys.stdout.flush()
        except BrokenPipeError:
            raise ReaderGoneError from None


Console: TypeAlias = "PlainConsole | RichConsole"
"""Where answers are printed."""


def console_for_answers() -> Console:
    """Return the console on which answers are printed: names come from files, and mean no markup."""
    if not maybe_terminal(sys.stdout):
        return PlainConsole()
    from planner.cli.rich_console import RichConsole

    console = RichConsole(markup=False, emoji=False, highlight=False)
    if not console.is_terminal:
        console.width = WIDTH_OF_FILES  # rich assumes 80 columns for files and pipes, and would fold paths
    return console


def maybe_terminal(stream: TextIO | None) -> bool:
    """Tell whether rich might take a stream for a terminal: it is one, or the environment says so."""
    told = any(os.environ.get(name) for name in ("FORCE_COLOR", "TTY_COMPATIBLE"))
    return told or (stream is not None and not stream.closed and stream.isatty())


def shown(console: Console, text: str) -> str:
    """Return a text as it comes to stand there: so wide it is.

    What a file holds must not steer the terminal, and signs of fractions are written out where the terminal has none.
    """
    clean = printable(text)
    return clean if "utf" in console.encoding else written_out(clean)


def wide(text: str) -> int:
    """Return how many columns a text takes."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)
