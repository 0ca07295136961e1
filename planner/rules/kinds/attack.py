"""Attacks after the moves: who attacks whom, at which odds, and what the results of a table mean."""

from __future__ import annotations

from typing import ClassVar, Literal

from planner.rules.attack_table import AttackRule


class Attack(AttackRule):
    """Says which attacks may, and must, be declared once the moves of a phase are made, and what may come of them.

    It forbids no move. All attacks are declared on the board as it stands after the last move; each unit takes part in one
    at most, and each defender is attacked once. Strengths are multiplied, added up and compared, the column is shifted, and
    what the dice then give is looked up in the table.
    """

    kind: Literal["attack"]

    looks_near: ClassVar[bool] = True
    summary: ClassVar[str] = (
        "Units attack once the moves are made; odds, shifts and a table say what becomes of both sides."
    )
