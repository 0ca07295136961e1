"""The instances of benchmarks/, for tests that want something large."""

from __future__ import annotations

import sys
from pathlib import Path

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"
if str(BENCHMARKS) not in sys.path:
    sys.path.append(str(BENCHMARKS))

import families  # noqa: E402


def front(units: int, seed: int) -> str:
    """Return a dense front as the text of a scenario file."""
    made = families.draft("dense", str(units), seed)
    assert not made.wide, "its rule system would have to lie beside it"
    return made.text
