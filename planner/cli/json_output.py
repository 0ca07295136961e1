"""Answers as JSON: the machine's form of everything that the command line prints."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from planner.formats.mp import format_mp
from planner.formats.probability import format_probability
from planner.plans.plan import Move, Plan
from planner.referee.verdict import PlayedMove, Verdict, Violation
from planner.rules.attack_losses import Losses
from planner.rules.attack_referee import AssessedAttack
from planner.rules.game import Game
from planner.rules.rulebook import Rulebook
from planner.scenario import Scenario
from planner.search.result import Result
from planner.world.declared_attack import DeclaredAttack

if TYPE_CHECKING:
    from planner.search.reachable import Help, Reachable, ReachReport


def after_json(answer: dict[str, object], scenario: Scenario) -> dict[str, object]:
    """Return an answer that says what had been made in the phase before the question, as players write it."""
    return {"format": answer["format"], "after": scenario.done.lines, **answer}


def move_to_json(move: Move, game: Game) -> dict[str, object]:
    """Return a move as it stands in plan files, without its MP."""
    overruns: list[str] = []
    for step in sorted(move.overruns):
        label = move.path[step]
        victims = [
            victim for rule in game.rulebook.overrunning for victim in rule.victims(game, game.enemies_at(label))
        ]
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


def plan_to_json(
    plan: Plan, game: Game, played: Iterable[PlayedMove] = (), told: Iterable[AssessedAttack] = ()
) -> dict[str, object]:
    """Return a plan as a plan file holds it, with the MP of moves that have been played, and what attacks come to."""
    mp = {id(result.move): format_mp(result.mp) for result in played if result.played}
    moves = []
    for move in plan.moves:
        written = move_to_json(move, game)
        if id(move) in mp:
            written["mp"] = mp[id(move)]
        moves.append(written)
    if plan.attacks is None:
        return {"format": "planner/plan-1", "moves": moves}
    known = {one.attack: one for one in told}
    attacks = [attack_to_json(attack, known.get(attack.declared)) for attack in plan.attacks]
    return {"format": "planner/plan-1", "moves": moves, "attacks": attacks}


def attack_to_json(attack: DeclaredAttack, told: AssessedAttack | None = None) -> dict[str, object]:
    """Return an attack as it stands in plan files, with what it comes to where that is known."""
    written: dict[str, object] = {"attackers": list(attack.attackers), "at": list(attack.hexes)}
    if attack.defenders:
        written["defenders"] = list(attack.defenders)
    if attack.result:
        written["result"] = attack.result
    if attack.ways:
        written["ways"] = [{"unit": unit, "path": list(path)} for unit, path in attack.ways]
    return written if told is None else {**written, "defenders": list(told.defenders), **_assessed_to_json(told)}


def _assessed_to_json(told: AssessedAttack) -> dict[str, object]:
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
                "losses": {"attackers": _losses_to_json(one.own), "defenders": _losses_to_json(one.enemy)},
            }
            for one in told.results
        ],
        "losses": {
            side: {"units": format_mp(lost.units), "steps": format_mp(lost.steps), "strength": format_mp(lost.strength)}
            for side, lost in zip(("attackers", "defenders"), told.losses, strict=True)
        },
    }


def _losses_to_json(losses: Losses) -> dict[str, object]:
    return {"eliminated": list(losses.eliminated), "steps": dict(losses.steps), "strength": format_mp(losses.strength)}


def violation_to_json(violation: Violation) -> dict[str, object]:
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


def verdict_to_json(verdict: Verdict, game: Game) -> dict[str, object]:
    """Return a verdict, ``planner/verdict-1``."""
    return {
        "format": "planner/verdict-1",
        "legal": verdict.legal,
        "violations": [violation_to_json(violation) for violation in verdict.violations],
        "complete": verdict.complete,
        "probability": format_probability(verdict.probability),
        "failures": [
            {
                "move": failure.move,
                "step": failure.step,
                "survives": format_mp(failure.survives),
                "possible": format_mp(failure.possible),
                "dropped": list(failure.dropped),
                "violations": [violation_to_json(violation) for violation in failure.violations],
            }
            for failure in verdict.failures
        ],
        "moves": [_played_to_json(result, game) for result in verdict.moves],
        **_attacks_to_json(verdict),
    }


def _attacks_to_json(verdict: Verdict) -> dict[str, object]:
    """Return what a verdict says of attacks: nothing where nobody declares any, and nobody must."""
    written: dict[str, object] = {}
    if verdict.attacks:
        written["attacks"] = [attack_to_json(told.attack, told) for told in verdict.attacks]
    return written | _due_to_json(verdict)


def _due_to_json(verdict: Verdict) -> dict[str, object]:
    """Return who must attack, and be attacked, where nothing is said of attacks; nothing where nobody must."""
    due = dict(zip(("attack", "be_attacked"), map(list, verdict.due), strict=True))
    return {"due": due} if any(verdict.due) else {}


def _played_to_json(result: PlayedMove, game: Game) -> dict[str, object]:
    written = move_to_json(result.move, game)
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


def result_to_json(result: Result, scenario: Scenario) -> dict[str, object]:
    """Return the answer of a search, ``planner/result-1``."""
    from planner.reachability.possible_rolls import may_roll

    plan = None
    if result.plan is not None and result.verdict is not None:
        plan = plan_to_json(result.plan, scenario.game, result.verdict.moves, result.verdict.attacks)
    return {
        "format": "planner/result-1",
        "status": result.status,
        "value": [format_mp(value) for value in result.value],
        "bound": [format_mp(bound) for bound in result.bound],
        "probability": None if result.verdict is None else format_probability(result.verdict.probability),
        "gap": result.gap,
        "seconds": result.seconds,
        "plan": plan,
        **({} if result.verdict is None else _due_to_json(result.verdict)),
        "terms": [
            {
                "tier": score.tier + 1,
                "kind": score.term.kind,
                "what": score.term.describe(),
                "count": format_mp(score.count),
                "weight": score.term.weight * score.term.sign,
                "worth": format_mp(score.worth),
                "remarks": list(score.remarks),
            }
            for score in result.terms
        ],
        "confirmed": result.confirmed,
        "interrupted": result.interrupted,
        "reason": result.reason,
        "fixed_in_advance": may_roll(scenario.game),
    }


def reach_to_json(report: ReachReport) -> dict[str, object]:
    """Return what a unit can reach, ``planner/reach-1``."""
    return {
        "format": "planner/reach-1",
        "unit": report.unit,
        "at": report.at,
        "ma": format_mp(report.ma),
        "may_move": not report.hindrances,
        "hindrances": [violation_to_json(violation) for violation in report.hindrances],
        "hexes": [_reachable_to_json(entry) for entry in report.alone],
        "with_help": [
            {**_reachable_to_json(entry), "help": [_help_to_json(h) for h in entry.help]} for entry in report.with_help
        ],
        "open": list(report.open),
        "alone": report.alone_only,
    }


def _reachable_to_json(entry: Reachable) -> dict[str, object]:
    return {
        "hex": entry.hex,
        "mp": format_mp(entry.mp),
        "path": list(entry.path),
        "overruns": list(entry.overruns),
        "must_stop": bool(entry.stop),
        "stop": [{"rule": rule, "blame": list(blame)} for rule, blame in entry.stop],
        "carried_across": list(entry.zones),
        "probability": format_probability(entry.chance),
        "plan": [str(move) for move in entry.plan.moves],
    }


def _help_to_json(help_: Help) -> dict[str, object]:
    return {help_.kind: help_.what, "by": list(help_.by)}


def rules_to_json(rulebook: Rulebook) -> dict[str, object]:
    """Return every statement of a rulebook with its state, and its rules, ``planner/rules-1``."""
    paragraphs = []
    for statement in rulebook.statements:
        rule = rulebook.by_id.get(statement.rule or "")
        paragraphs.append(
            {
                "id": statement.id,
                "paragraph": statement.paragraph,
                "rule": statement.text,
                "kind": rule.kind if rule is not None else None,
                "state": statement.state,
                "why": statement.why,
            }
        )
    return {
        "format": "planner/rules-1",
        "model": rulebook.model,
        "title": rulebook.title,
        "paragraphs": paragraphs,
        "rules": [{"id": rule.id, "kind": rule.kind, "paragraph": rule.paragraph} for rule in rulebook.rules],
    }
