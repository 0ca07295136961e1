"""Where ``planner`` and ``python -m planner`` begin."""

import atexit
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from types import ModuleType
from typing import TextIO

os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")  # looking for some takes longer than any command needs
if os.environ["PYDANTIC_DISABLE_PLUGINS"] == "__all__" and "pydantic" not in sys.modules:
    # What looks for them would be loaded nevertheless, which takes a twentieth of the time of `planner check`.
    finds_none = ModuleType("pydantic.plugin._loader")
    vars(finds_none)["get_plugins"] = tuple
    sys.modules[finds_none.__name__] = finds_none

from planner.gc_pause import seldom
from planner.interrupts import INTERRUPTED, end_at_once, interrupted, raise_again
from planner.printable import printable


def main() -> None:
    """Run the command line; an interrupt while its parts are still being loaded ends it like any other."""
    with seldom(), _told_if_heard():
        try:
            raise_again()
            from planner.cli.app import main as run

            run()
        except KeyboardInterrupt:
            sys.exit(INTERRUPTED)
        except Exception as error:
            if interrupted():  # while pydantic made its validators, say, which calls that a fault of theirs
                sys.exit(INTERRUPTED)
            if os.environ.get("PLANNER_TRACEBACK"):
                raise
            _tell_fault(error)
            sys.exit(70)


class _Heard:
    """Standard error, which may be full or closed: what can't be told there changes no exit code, nor ends a server."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def __getattr__(self, name: str) -> object:
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        """Write, if that can be."""
        try:
            self._stream.write(text)
        except OSError:
            self._tell_nobody()
        return len(text)

    def flush(self) -> None:
        """Write what waits to be written, if that can be."""
        try:
            self._stream.flush()
        except OSError:
            self._tell_nobody()

    def _tell_nobody(self) -> None:
        """Let all of it go nowhere, also what waits to be written: Python would fail when it flushes that at the end."""
        with suppress(OSError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), self._stream.fileno())
            self._stream.flush()


@contextmanager
def _told_if_heard() -> Iterator[None]:
    """Let nothing that can't be written to standard error raise, nor go to standard output where it is closed."""
    before = sys.stderr
    with open(os.devnull, "w", encoding="utf-8") if before is None else nullcontext(before) as stream:
        sys.stderr = _Heard(stream)
        try:
            yield
        finally:
            sys.stderr = before


def _tell_fault(error: Exception) -> None:
    """Say in one line that the planner itself has failed; the code of an unforeseen error must not be a judgement's."""
    told = printable(str(error))[:200]
    print(
        f"internal error, a fault of planner: {type(error).__name__}: {told} (PLANNER_TRACEBACK=1 shows where)",
        file=sys.stderr,
    )


def script() -> None:
    """Run the command line in a process of its own, which ends with it."""
    try:
        main()
    except SystemExit as end:
        end_at_once()
        if not _is_watched():
            _leave(end)
        raise


def _is_watched() -> bool:
    """Tell whether a debugger or a profiler wants to have its say when everything is done."""
    monitoring = getattr(sys, "monitoring", None)  # since Python 3.12
    tools = () if monitoring is None else (monitoring.get_tool(number) for number in range(6))
    return sys.gettrace() is not None or sys.getprofile() is not None or any(tools)


def _leave(end: SystemExit) -> None:
    """End the process as Python would, but without taking hundreds of thousands of objects apart one by one.

    That takes a twentieth of a second after a small search, and several times that after a large one.
    """
    if end.code is not None and not isinstance(end.code, int):
        return
    atexit._run_exitfuncs()
    try:
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:
                stream.flush()
    except (OSError, ValueError):
        return  # Python has its own way of complaining
    os._exit(end.code or 0)


if __name__ == "__main__":
    script()
