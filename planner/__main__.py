"""Where ``planner`` and ``python -m planner`` begin."""

import gc
import sys

YOUNG = 100_000
"""How many new objects the garbage collector waits for: the program makes many that live as long as it does."""


def main() -> None:
    """Run the command line; an interrupt while its parts are still being loaded ends it like any other."""
    gc.set_threshold(YOUNG, 20, 20)
    try:
        from planner.cli import main as run
    except KeyboardInterrupt:
        sys.exit(130)
    run()


if __name__ == "__main__":
    main()
