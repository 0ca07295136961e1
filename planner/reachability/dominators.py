"""Whether, among very many labels, one dominates another: only those are looked at that may."""

from __future__ import annotations

from collections.abc import Iterable

from planner.reachability.label import Label


class Dominators:
    """Labels that may dominate others where dominance is what it mostly is: fewer needs, no more MP, nobody fewer gone.

    Each is found under one of the conditions that it needs, of which whatever it dominates needs all: under that of which
    there are fewest (Zhang, "On subsumption removal and on-the-fly CNF simplification", SAT 2005).

    Parameters
    ----------
    labels : iterable of Label, optional
        The labels to begin with.
    """

    def __init__(self, labels: Iterable[Label] = ()) -> None:
        # By one bit, or none, and all that is needed.
        self._found: dict[int, dict[int, list[Label]]] = {}
        for label in labels:
            self.add(label)

    def add(self, label: Label) -> None:
        """Add a label."""
        left, least = label.cond, -1
        under: dict[int, list[Label]] = self._found.setdefault(0, {}) if not left else {}
        while left:
            bit = left & -left
            left ^= bit
            there = self._found.get(bit)
            if there is None:
                under = self._found[bit] = {}
                break
            if least < 0 or len(there) < least:
                under, least = there, len(there)
        under.setdefault(label.cond, []).append(label)

    def dominate(self, mp: int, cond: int, removes: int, but: Label | None = None) -> bool:
        """Tell whether one of them, `but` for one, is as good as a label of such cost, needs and removals, or better."""
        lacking, left, bit = ~cond, cond, 0
        while True:
            there = self._found.get(bit)
            if there:
                for needed in there:
                    if not needed & lacking:
                        for rival in there[needed]:
                            if rival.mp <= mp and rival.removes & removes == removes and rival is not but:
                                return True
            if not left:
                return False
            bit = left & -left
            left ^= bit
