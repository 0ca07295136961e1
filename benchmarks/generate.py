"""Writes an instance of a family as a scenario file.

Usage: ``python benchmarks/generate.py FAMILY SIZE SEED [-o FOLDER]``, or ``--list`` for families and sizes.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from families import FAMILIES, SIZES, write


def main() -> None:
    """Read the command line, write, and print the path."""
    parser = argparse.ArgumentParser(description="Writes an instance of a family as a scenario file.")
    parser.add_argument("family", nargs="?", help=", ".join(FAMILIES))
    parser.add_argument("size", nargs="?", help="such as 80, 40/ma=6-10 or, of shipped scenarios, dai_senso/manchuria")
    parser.add_argument("seed", nargs="?", type=int, default=0)
    parser.add_argument(
        "-o", "--output", type=Path, default=Path(), help="the folder in which to write; by default, here"
    )
    parser.add_argument(
        "--list", action="store_true", help="list families, and the sizes that a full measurement takes"
    )
    arguments = parser.parse_args()
    if arguments.list:
        for family, sizes in SIZES.items():
            print(f"{family}: {'  '.join(sizes)}")
        return
    if arguments.family is None or arguments.size is None:
        parser.error("must have a family and a size")
    try:
        print(write(arguments.family, arguments.size, arguments.seed, arguments.output))
    except (ValueError, OSError) as error:
        print(f"{error} @ {arguments.family} {arguments.size}", file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    main()
