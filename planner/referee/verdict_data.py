"""Verdicts as data: what the referee says, with exact numbers as texts."""

from __future__ import annotations

from collections.abc import Iterable

from planner.formats.mp import format_mp
from planner.formats.probability import format_probability
from planner.plans.plan import Plan
from planner.plans.plan_data import attack_data, move_data
from planner.referee.verdict import PlayedMove, Verdict, Violation
from planner.rules.attack_losses import Losses
from planner.rules.attack_referee import AssessedAttack
from planner.rules.game import Game
from planner.world.declared_attack import DeclaredAttack


def told_plan_data(
    plan: Plan, game: Game | None, played: Iterable[PlayedMove] = (), told: Iterable[AssessedAttack] = ()
) -> dict[str, object]:
    """Return a plan as a plan file holds it, with the MP of moves that have been played, and what attacks come to."""
    mp = {id(result.move): format_mp(result.mp) for result in played if result.played}
    moves = []
    for move in plan.moves:
        written = move_data(move, game)
        if id(move) in mp:
            written["mp"] = mp[id(move)]
        moves.append(written)
    if plan.attacks is None:
        return {"format": "planner/plan-1", "moves": moves}
    known = {one.attack: one for one in told}
    attacks = [told_attack_data(attack, known.get(attack.declared)) for attack in plan.attacks]
    return {"format": "planner/plan-1", "moves": moves, "attacks": attacks}


def told_attack_data(attack: DeclaredAttack, told: AssessedAttack | None = None) -> dict[str, object]:
    """Return an attack as it stands in plan files, with what it comes to where that is known."""
    written = attack_data(attack)
    return written if told is None else {**written, "defenders": list(told.defenders), **_assessed_data(told)}


def _assessed_data(told: AssessedAttack) -> dict[str, object]:
    return {
        "odds": {
            "strengths": list(map(format_mp, told.strengths)),
            "column": told.odds,
            "shifted": told.shifted,
            "below": told.below,
        },
        "shifts": [{"name": name, "columns": columns} for name, columns in told.shifts],
        "results": [
            {
                "result": one.code,
                "text": one.text,
                "probability": format_probability(one.probability),
                "losses": {"attackers": _losses_data(one.own), "defenders": _losses_data(one.enemy)},
            }
            for one in told.results
        ],
        "losses": {
            side: {"units": format_mp(lost.units), "steps": format_mp(lost.steps), "strength": format_mp(lost.strength)}
            for side, lost in zip(("attackers", "defenders"), told.losses, strict=True)
        },
    }


def _losses_data(losses: Losses) -> dict[str, object]:
    return {"eliminated": list(losses.eliminated), "steps": dict(losses.steps), "strength": format_mp(losses.strength)}


def violation_data(violation: Violation) -> dict[str, object]:
    """Return a violation."""
    return {
        "rule": violation.rule,
        "unit": violation.unit,
        "move": violation.move,
        "step": violation.step,
        "at": violation.at,
        "blame": list(violation.blame),
        "message": violation.message,
        **({} if violation.attack is None else {"attack": violation.attack}),
    }


def verdict_data(verdict: Verdict, game: Game | None) -> dict[str, object]:
    """Return a verdict, ``planner/verdict-1``."""
    return {
        "format": "planner/verdict-1",
        "legal": verdict.legal,
        "violations": [violation_data(violation) for violation in verdict.violations],
        "complete": verdict.complete,
        "probability": format_probability(verdict.probability),
        "failures": [
            {
                "move": failure.move,
                "step": failure.step,
                "survives": format_mp(failure.survives),
                "possible": format_mp(failure.possible),
                "dropped": list(failure.dropped),
                "violations": [violation_data(violation) for violation in failure.violations],
            }
            for failure in verdict.failures
        ],
        "moves": [_played_data(result, game) for result in verdict.moves],
        **_attacks_data(verdict),
    }


def _attacks_data(verdict: Verdict) -> dict[str, object]:
    """Return what a verdict says of attacks: nothing where nobody declares any, and nobody must."""
    written: dict[str, object] = {}
    if verdict.attacks:
        written["attacks"] = [told_attack_data(told.attack, told) for told in verdict.attacks]
    return written | due_data(verdict)


def due_data(verdict: Verdict) -> dict[str, object]:
    """Return who must attack, and be attacked, where nothing is said of attacks; nothing where nobody must."""
    due = dict(zip(("attack", "be_attacked"), map(list, verdict.due), strict=True))
    return {"due": due} if any(verdict.due) else {}


def _played_data(result: PlayedMove, game: Game | None) -> dict[str, object]:
    written = move_data(result.move, game)
    written["mp"] = format_mp(result.mp) if result.played else None
    if result.stopped:
        written["must_stop"] = [{"rule": stop.paragraph, "blame": list(stop.enemies)} for stop in result.stopped]
    if result.removed:
        written["eliminated"] = list(result.removed)
    if result.taken:
        written["takes"] = list(result.taken)
    if result.rolls:
        written["rolls"] = [
            {
                "step": r.step,
                "probability": format_probability(r.chance),
                **({"dice": r.dice} if r.dice else {}),
                **({"odds": [format_mp(strength) for strength in r.strengths]} if r.strengths else {}),
            }
            for r in result.rolls
        ]
    return written
