"""What an attack that is asked about comes to, and what would raise its odds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from planner.explanation.answer import Instance, Remedy
from planner.referee.verdict_data import told_attack_data
from planner.rules.attack_referee import AssessedAttack

if TYPE_CHECKING:
    from planner.explanation.answer_data import AttackOddsData


@dataclass(frozen=True)
class OddsOfAttack:
    """What an attack comes to, and what would raise its odds.

    Attributes
    ----------
    told : tuple of AssessedAttack
        As it is asked about, where it is possible; else as each of the remedies makes it, in their order.
    lacking : Instance or None
        What it lacks for the next better column, where it is possible; None: there is none, or nobody moves any more.
    raising : tuple of Remedy
        How others come up and join, or how the attackers go elsewhere, so that it reaches that column.
    settled : bool
        Whether nothing is open: it is known how that column is reached, or that nothing that the side does reaches it.
    """

    told: tuple[AssessedAttack, ...]
    lacking: Instance | None = None
    raising: tuple[Remedy, ...] = ()
    settled: bool = True

    def to_dict(self) -> AttackOddsData:
        """Return the same as JSON has it."""
        return {
            "told": [told_attack_data(one.attack, one) for one in self.told],
            "lacking": None if self.lacking is None else self.lacking.to_dict(),
            "raising": [remedy.to_dict() for remedy in self.raising],
            "settled": self.settled,
        }
