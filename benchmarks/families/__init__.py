"""Families of instances: scenario files by seed, for measuring.

A *size* is written ``UNITS/KEY=VALUE/…``, such as ``80``, ``40/ma=6-10`` or ``200/tiers=1``; what keys there are says each
family. The same family, size and seed give the same file, byte for byte.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from families import crowded, fronts, goals, islands, joint, legs, shipped, stacks, villages
from families.drafting import Draft, Size

FAMILIES: dict[str, Callable[[Size, int], Draft]] = {
    "dense": fronts.dense,
    "sparse": fronts.sparse,
    "legs": legs.legs,
    "islands": islands.islands,
    "crowded": crowded.crowded,
    "stacks": stacks.stacks,
    "joint": joint.joint,
    "goals": goals.goals,
    "villages": villages.villages,
    "shipped": shipped.shipped,
}
"""Every family by its name."""

SIZES: dict[str, tuple[str, ...]] = {
    "dense": ("10", "20", "40", "80", "120", "200", "200/tiers=1", "40/ma=6-10"),
    "sparse": ("10", "20", "40", "80", "120", "200"),
    "legs": tuple(
        f"{units}/hexes={hexes}/ma={ma}" for hexes in (2000, 10000) for units in (40, 80) for ma in ("10-14", "16-20")
    ),
    "islands": ("20", "40", "60", "80"),
    "crowded": ("20", "40", "60"),
    "stacks": ("30", "60", "120"),
    "joint": ("12", "24", "48"),
    "goals": ("45",),
    "villages": ("20",),
    "shipped": tuple(shipped.names()),
}
"""The sizes that a full measurement takes."""


def draft(family: str, size: str, seed: int) -> Draft:
    """Return an instance.

    Raises
    ------
    ValueError
        With a sentence, if there is no such family or size.
    """
    if family not in FAMILIES:
        raise ValueError(f"family must be one of {', '.join(FAMILIES)}, not {family!r}")
    parsed = Size.named(size) if family == "shipped" else Size.parse(size)
    found = FAMILIES[family](parsed, seed)
    if unused := parsed.unused():
        raise ValueError(f"{family} has no {', '.join(unused)}")
    return found


def write(family: str, size: str, seed: int, folder: Path) -> Path:
    """Write an instance into a folder, with the rule system that it may need, and return the scenario file.

    Raises
    ------
    ValueError
        As `draft`.
    """
    path = folder / f"{family}-{size.replace('/', '_').replace('=', '')}-{seed}.toml"
    draft(family, size, seed).write(path)
    return path
