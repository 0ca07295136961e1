"""Where ``planner`` and ``python -m planner`` begin."""

import gc
import sys

from planner.collecting import OLDER, YOUNG


def main() -> None:
    """Run the command line; an interrupt while its parts are still being loaded ends it like any other."""
    gc.set_threshold(YOUNG, OLDER, OLDER)
    try:
        from planner.cli import main as run
    except KeyboardInterrupt:
        sys.exit(130)
    run()


if __name__ == "__main__":
    main()
