"""Which rule of attacks is in force: it is asked of every game, and where there is none, nothing of attacks is loaded."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from planner.rules.later_roles import Attacks

if TYPE_CHECKING:
    from planner.rules.attack_table import AttackRule
    from planner.rules.game import Game
    from planner.rules.rulebook import Rulebook


def attack_rules(rulebook: Rulebook) -> tuple[AttackRule, ...]:
    """Return the rules of attacks, in the order of the rulebook: one for each phase that has attacks after its moves."""
    return cast("tuple[AttackRule, ...]", rulebook.of(Attacks))


def attack_rule(game: Game) -> AttackRule | None:
    """Return the rule of attacks that is in force in the phase; None if there are none after it."""
    rules = attack_rules(game.rulebook)
    return next((rule for rule in rules if not rule.phases or game.situation.phase in rule.phases), None)
