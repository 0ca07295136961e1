"""What a position that is played on has to do with attacks after the moves: which there have been, and which may be."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from planner.errors import InputError, Problem
from planner.playing.attacking import targets
from planner.playing.moment import committed
from planner.referee import attack_outcomes
from planner.referee.attacks import violations_of
from planner.rules.attack_rule import attack_rule
from planner.world.declared_attack import DeclaredAttack

if TYPE_CHECKING:
    from planner.plans.plan import Move
    from planner.playing.moment import Moment
    from planner.referee.verdict import Violation


class Attacking:
    """The part of a position that is about attacks after the moves."""

    _now: Moment

    @abstractmethod
    def _ensure_settled(self) -> Moment: ...

    @abstractmethod
    def _read(self, move: Move | DeclaredAttack | str) -> Move | DeclaredAttack: ...

    @abstractmethod
    def _enter(self, moment: Moment) -> None: ...

    @property
    def attacks(self) -> tuple[DeclaredAttack, ...]:
        """The attacks that have been made after them, with what was rolled and who went where."""
        before = self._now.phase.scenario.done.attacks or ()
        return (*(one for one in before if one.result), *self._now.attacks)

    @property
    def declared(self) -> tuple[DeclaredAttack, ...] | None:
        """The attacks that have been declared and are still to be rolled, no others; None: others may be declared."""
        return self._now.standing.declared

    @property
    def to_declare(self) -> bool:
        """Whether attacks are declared together, before the first is rolled, and none has been declared or made."""
        rule = attack_rule(self._now.phase.game)
        return rule is not None and rule.declared == "at_once" and self.declared is None and not self.attacks

    def targets(self) -> dict[str, tuple[str, ...]]:
        """Return which hexes may be attacked now, and who may take part in it; empty where there are no attacks.

        Whether an attack is legal depends on all who make it: `is_legal` tells.

        Raises
        ------
        RollDueError
            If a roll is due.
        """
        now = self._ensure_settled()
        return targets(now.phase.game, now.standing)

    def declare(self, attacks: Iterable[DeclaredAttack | str]) -> None:
        """Declare all attacks of a phase before the first is rolled: from then on these are made, and no others.

        Each is then pushed when its turn comes. Where nothing is declared so, an attack is declared when it is pushed.

        Parameters
        ----------
        attacks : iterable of DeclaredAttack or str
            All of them; empty: there are none.

        Raises
        ------
        InputError
            If one isn't an attack, something is wrong with them, or attacks are declared one by one in the game.
        RollDueError
            If a roll is due.
        """
        if isinstance(attacks, (str, Mapping)) or not isinstance(attacks, Iterable):
            raise InputError([Problem(f"must be several attacks, not {attacks!r:.60}", "attacks")])
        self._enter(committed(self._ensure_settled(), [self._read(one) for one in attacks]))

    def left_of(self, attack: DeclaredAttack) -> DeclaredAttack | None:
        """Return what is left of an attack that has been declared: who can still make it, on whom; None: nothing.

        Raises
        ------
        InputError
            If it is no attack.
        RollDueError
            If a roll is due.
        """
        now = self._ensure_settled()
        if not isinstance(attack, DeclaredAttack):
            raise InputError([Problem(f"must be a DeclaredAttack, not {attack!r:.60}", "attack")])
        return attack_outcomes.left_of(now.phase.game, now.standing, attack)

    def attacks_due(self) -> list[Violation]:
        """Return the attacks that must still be made before the phase may end, each as what is broken without it."""
        now = self._ensure_settled()
        return violations_of(now.phase.game, now.standing, ()) if attack_rule(now.phase.game) is not None else []
