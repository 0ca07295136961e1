"""Where ``planner`` and ``python -m planner`` begin."""

import sys

from planner.collecting import seldom


def main() -> None:
    """Run the command line; an interrupt while its parts are still being loaded ends it like any other."""
    with seldom():
        try:
            from planner.cli import main as run
        except KeyboardInterrupt:
            sys.exit(130)
        run()


if __name__ == "__main__":
    main()
