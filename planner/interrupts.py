"""Ctrl-C, and SIGTERM likewise, while the command line is being loaded, and while its process ends.

Nothing can be lost then, and Python would print where it was. Only the interpreter's own start can't be helped.
It imports next to nothing, as until then Python's own words are what an interrupt brings.
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


_seen: list[int] = []

_BEFORE = {signal.SIGINT: signal.default_int_handler, signal.SIGTERM: signal.SIG_DFL}
"""What Python does by itself; whatever else is done is somebody's wish, such as that of `nohup`, and left alone."""


def end_at_once() -> None:
    """Let Ctrl-C, and SIGTERM, end the process without a word, from now on."""
    for number, plain in _BEFORE.items():
        if signal.getsignal(number) in (plain, _raise):
            signal.signal(number, _end)


def raise_again() -> None:
    """Let Ctrl-C raise `KeyboardInterrupt` again, as everywhere in Python, and SIGTERM as well."""
    for number in _BEFORE:
        if signal.getsignal(number) is _end:
            signal.signal(number, _raise)
            sys.unraisablehook = _pass_over


def interrupted() -> bool:
    """Tell whether somebody has interrupted it since: libraries may tell another error than `KeyboardInterrupt`."""
    return bool(_seen)


def ensure_heard() -> None:
    """Raise `KeyboardInterrupt` if somebody has interrupted it, and that got lost.

    What is raised in a finalizer or in a weak reference's callback, such as those of imports, doesn't reach anybody.

    Raises
    ------
    KeyboardInterrupt
        If there was an interrupt since the command line's parts began to be loaded.
    """
    if _seen:
        raise KeyboardInterrupt


def _raise(number: int, frame: FrameType | None) -> None:
    _seen.append(number)
    raise KeyboardInterrupt


def _pass_over(raised: "sys.UnraisableHookArgs") -> None:
    """Tell what was raised where nobody can catch it, but for interrupts: `ensure_heard` tells of those."""
    if not issubclass(raised.exc_type, KeyboardInterrupt):
        sys.__unraisablehook__(raised)


def _end(number: int, frame: FrameType | None) -> None:
    os._exit(INTERRUPTED)


if is_command_line():
    end_at_once()
