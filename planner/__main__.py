"""Where ``planner`` and ``python -m planner`` begin."""

import atexit
import os
import sys

os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")  # looking for some takes longer than any command needs

from planner.collecting import seldom


def main() -> None:
    """Run the command line; an interrupt while its parts are still being loaded ends it like any other."""
    try:
        with seldom():
            try:
                from planner.cli import main as run
            except KeyboardInterrupt:
                sys.exit(130)
            run()
    except SystemExit as end:
        if sys.gettrace() is None and sys.getprofile() is None:
            _leave(end)
        raise


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
    main()
