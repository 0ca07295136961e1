"""How a unit gets about if nothing but terrain mattered: the same whatever a search of its team is for."""

from __future__ import annotations

from typing import NamedTuple


class UnitGround(NamedTuple):
    """How a unit gets about if nothing but terrain, and what the rules say of the unit, mattered.

    Attributes
    ----------
    ways_in : dict from hex labels to lists of (str, int)
        The hexes from which it gets into one, each with the MP of the step, scaled.
    overruns : list of (str, str, int)
        From where it might take part in overruns, of which hexes, with the MP, scaled.
    hexes : frozenset of str
        Where it gets, its own hex among them.
    """

    ways_in: dict[str, list[tuple[str, int]]]
    overruns: list[tuple[str, str, int]]
    hexes: frozenset[str]
