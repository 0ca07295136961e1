"""A terminal, with colours and lines as wide as it is."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.text import Text

from planner.cli.console import shown
from planner.errors import ReaderGoneError
from planner.printable import printable


class RichConsole(Console):
    """The console of rich, which nothing from a file steers."""

    def render_str(self, text: str, **how: Any) -> Text:
        """Take a text from wherever it is; what a file holds must not steer the terminal."""
        return super().render_str(shown(self, text), **how)

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """Do the same for what comes with a style of its own, line by line."""
        for segment in super().render(renderable, options):
            yield segment if segment.control else segment._replace(text=printable(segment.text, keep="\n"))

    def on_broken_pipe(self) -> None:
        """Leave it to the command line, which knows its exit codes."""
        raise ReaderGoneError
