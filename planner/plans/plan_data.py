"""Plans as data: moves and attacks as plan files hold them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from planner.world.declared_attack import DeclaredAttack

if TYPE_CHECKING:
    from planner.plans.plan import Move, Plan
    from planner.rules.game import Game


def move_data(move: Move, game: Game | None = None) -> dict[str, object]:
    """Return a move as it stands in plan files, without its MP; without a game, hexes stand for whom it overruns."""
    overruns: list[str] = []
    for step in sorted(move.overruns):
        label = move.path[step]
        victims = (
            []
            if game is None
            else [v for r in game.rulebook.overrunning for v in r.victims(game, game.enemies_at(label))]
        )
        overruns += victims or [label]
    written: dict[str, object] = {"units": list(move.units), "path": list(move.path)}
    if overruns:
        written["overruns"] = overruns
    if move.carried:
        written["carried"] = [{"step": step, "by": by} if by else {"step": step} for step, by in move.carried]
    if move.drops:
        written["drops"] = [{"step": step, "unit": unit} for step, unit in move.drops]
    if move.support:
        written["support"] = [{"step": step, "unit": unit} for step, unit in move.support]
    if move.failed:
        written["failed"] = True
    if move.damage is not None:
        written["damage"] = list(move.damage)
    if move.attempts:
        written["attempts"] = [{"step": step, "times": times} for step, times in move.attempts]
    return written


def attack_data(attack: DeclaredAttack) -> dict[str, object]:
    """Return an attack as it stands in plan files."""
    written: dict[str, object] = {"attackers": list(attack.attackers), "at": list(attack.hexes)}
    if attack.defenders:
        written["defenders"] = list(attack.defenders)
    if attack.result:
        written["result"] = attack.result
    if attack.ways:
        written["ways"] = [{"unit": unit, "path": list(path)} for unit, path in attack.ways]
    return written


def plan_data(plan: Plan) -> dict[str, object]:
    """Return a plan as a plan file holds it."""
    told: dict[str, object] = {"format": "planner/plan-1", "moves": [move_data(move) for move in plan.moves]}
    return told if plan.attacks is None else {**told, "attacks": [attack_data(attack) for attack in plan.attacks]}
