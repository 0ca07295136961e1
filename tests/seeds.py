"""How many random positions a test goes through, and in which pieces."""

from __future__ import annotations

import pytest

CHUNK = 25


def in_chunks(count: int, size: int = CHUNK, begin: int = 0) -> pytest.MarkDecorator:
    """Give a test all seeds from one below a number as its `seeds`, so many at a time, so that they run side by side."""
    pieces = [range(first, min(first + size, count)) for first in range(begin, count, size)]
    return pytest.mark.parametrize("seeds", pieces, ids=lambda seeds: f"{seeds.start}-{seeds.stop - 1}")
