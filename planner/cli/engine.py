"""`planner engine`: the verbs as lines of JSON on standard input and output, for programs in any language."""

from __future__ import annotations

from planner.cli.terminal import READER_GONE


def engine() -> None:
    """Answer questions of another program: a line of JSON each, on standard input and output. See docs/engine.md.

    Exit 0 when it is told to quit, or when its input ends.
    """
    from planner.serving.lines import Engine

    Engine(READER_GONE).run()
