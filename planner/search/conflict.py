"""What of a partial plan can't be had."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from planner.search.answer_types import ConflictData


@dataclass(frozen=True)
class Conflict:
    """What of a partial plan can't be had.

    Attributes
    ----------
    items : tuple of str
        The lines of the partial plan that can't be had together, as players write them; empty where there is no plan at
        all, whatever is settled.
    minimal : bool
        Whether it is proved that each of them is needed: without any one of them the others can be had.
    requirements : bool
        Whether they can't be had because of the scenario's hard requirements.
    reasons : tuple of (str, tuple of str)
        For lines that a rule forbids, what it says; of a destination, what keeps the unit from there without help, or how it
        could get there, as its only line, if rolls go well.
    """

    items: tuple[str, ...]
    minimal: bool = True
    requirements: bool = False
    reasons: tuple[tuple[str, tuple[str, ...]], ...] = ()

    def sentences(self) -> list[str]:
        """Return all of it, a line each."""
        if not self.items:
            because = ": the requirements can't be fulfilled; `planner explain` tells why" if self.requirements else ""
            return [f"There is no plan at all, whatever is settled{because}."]
        why = " if every requirement is to be fulfilled" if self.requirements else ""
        together = " together" if len(self.items) > 1 else ""
        doubt = "" if self.minimal else " (perhaps fewer of them are to blame)"
        found = [f"Can't be had{together}{why}{doubt}:", *(f"  {item}" for item in self.items)]
        for item, told in self.reasons:
            found += [f"{item}:", *(f"  {line}" for line in told)]
        return found

    def to_dict(self) -> ConflictData:
        """Return it as answers have it."""
        return {
            "items": list(self.items),
            "minimal": self.minimal,
            "requirements": self.requirements,
            "reasons": [{"item": item, "because": list(told)} for item, told in self.reasons],
        }
