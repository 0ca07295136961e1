"""Ctrl-C while the command line is being loaded, and while its process ends.

Nothing can be lost then, and Python would print where it was. Only the interpreter's own start can't be helped.
"""

import os
import signal
import sys
from types import FrameType

INTERRUPTED = 130
"""The exit code of whoever was interrupted."""


def is_command_line() -> bool:
    """Tell whether this process is ``planner``, or ``python -m planner``, also before anything of it has been run."""
    if sys.argv[:1] == ["-m"]:  # so it is while the package is looked for
        return ("-m", "planner") in zip(sys.orig_argv, sys.orig_argv[1:], strict=False)
    return os.path.splitext(os.path.basename(sys.argv[0] if sys.argv else ""))[0] == "planner"


def end_at_once() -> None:
    """Let Ctrl-C end the process without a word, from now on."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _end)


def raise_again() -> None:
    """Let Ctrl-C raise `KeyboardInterrupt` again, as everywhere in Python."""
    if signal.getsignal(signal.SIGINT) is _end:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _end(number: int, frame: FrameType | None) -> None:
    os._exit(INTERRUPTED)


if is_command_line():
    end_at_once()
