"""By what the moves of units that move together may matter, where nobody may rely on them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Stakes:
    """By what a team's move may matter.

    Attributes
    ----------
    names : frozenset of str or None
        The hexes, and the enemies, on which the objective depends; None: all.
    only : mapping from hexes to frozensets of str
        Of some of these hexes: the units of which alone it matters that they end there.
    apart : frozenset of str or None
        The units of which it matters where they end, wherever that is; None: nobody, or if it isn't always welcome that more
        is eliminated, everybody.
    """

    names: frozenset[str] | None = None
    only: Mapping[str, frozenset[str]] = field(default_factory=dict)
    apart: frozenset[str] | None = None

    def told_apart(self, unit: str) -> bool:
        """Tell whether it matters where a unit ends, wherever that is."""
        return self.names is None or (self.apart is not None and unit in self.apart)

    def of(self, unit: str) -> frozenset[str] | None:
        """Return what matters of a unit's moves: hexes, and enemies; None: all."""
        if self.names is None or self.told_apart(unit):
            return None
        return frozenset(name for name in self.names if name not in self.only or unit in self.only[name])
