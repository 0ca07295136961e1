"""The order of atoms, the same in every run: sets of them have none, and one that names a set may print it in any."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields
from functools import lru_cache

from planner.rules.atoms import Atom


def in_order(atoms: Iterable[Atom]) -> list[Atom]:
    """Return atoms in an order that depends on nothing but what they say."""
    found = list(atoms)
    return sorted(found, key=_spelled) if len(found) > 1 else found


@lru_cache(maxsize=4096)
def _spelled(atom: Atom) -> str:
    """Return what atoms are sorted by: one text each, which takes longer to write than to remember."""
    values = (getattr(atom, one.name) for one in fields(atom))
    return f"{type(atom).__name__}({[sorted(one) if isinstance(one, frozenset) else one for one in values]})"
