"""The kinds of terms, and where each is: a file's objective loads those that it names."""

from __future__ import annotations

from typing import Annotated

from planner.formats.by_kind import ByKind
from planner.objective.base import Term

_HOMES = {
    "hold": "goals", "avoid": "together", "eliminate": "goals", "end": "goals", "stay": "goals", "odds": "goals",
    "surround": "goals", "control": "control", "battle": "battles", "worth": "nearness", "exposure": "costs",
    "units_moved": "costs", "mp_spent": "costs", "distance": "nearness", "turns": "prospects", "threat": "prospects",
    "enemy_losses": "attacks", "own_losses": "attacks", "emptied": "attacks", "attack_odds": "attacks",
    "weak_attacks": "attacks", "open_to_attack": "threats", "taken": "attack_gains", "attack_results": "attack_gains",
}  # fmt: skip
"""The file of each kind, in the order in which schemas list them."""

PARTS: ByKind[Term] = ByKind(Term, {kind: f"planner.objective.{file}" for kind, file in _HOMES.items()})
TERMS: ByKind[Term] = ByKind(
    Term, {kind: f"planner.objective.{file}" for kind, file in {**_HOMES, "together": "together"}.items()}
)

AnyPart = Annotated[Term, PARTS]
"""A goal that may be one of several that are reached together."""

AnyTerm = Annotated[Term, TERMS]
"""A term of any kind, told apart by `kind`: a part of a tier, or a hard requirement."""
