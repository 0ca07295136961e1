"""Verdicts as data: what the referee says, with exact numbers as texts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NotRequired, cast

from pydantic import ConfigDict, with_config
from typing_extensions import TypedDict

from planner.formats.mp import format_mp
from planner.formats.probability import format_probability
from planner.plans.plan import Plan
from planner.plans.plan_data import AttackData, MoveData, attack_data, move_data
from planner.referee.verdict import PlayedMove, Roll, Verdict, Violation
from planner.rules.attack_losses import ExpectedLosses, Losses
from planner.rules.attack_referee import AssessedAttack
from planner.rules.game import Game
from planner.world.declared_attack import DeclaredAttack

Exact = int | str
"""An exact number: a whole number, or a fraction as text, such as "5/12"."""


class OddsData(TypedDict):
    """The odds of an attack."""

    strengths: list[Exact]
    """That of the attack, and that of the defense."""
    column: str
    """The column before shifts."""
    shifted: str
    """The column after shifts."""
    below: bool
    """Whether the odds are below the first column."""


class ShiftData(TypedDict):
    """What shifts the column of an attack."""

    name: str
    columns: int


class LossesData(TypedDict):
    """What a side loses by a result."""

    eliminated: list[str]
    steps: dict[str, int]
    """By unit: the steps that it loses."""
    strength: Exact
    """What that is worth in printed strength."""


class BothLossesData(TypedDict):
    """What both sides lose by a result."""

    attackers: LossesData
    defenders: LossesData


class PossibleResultData(TypedDict):
    """A result that an attack may have."""

    result: str
    text: str
    probability: Exact
    losses: BothLossesData


class ExpectedLossesData(TypedDict):
    """What a side loses on average."""

    units: Exact
    steps: Exact
    strength: Exact


class BothExpectedLossesData(TypedDict):
    """What both sides lose on average."""

    attackers: ExpectedLossesData
    defenders: ExpectedLossesData


class ToldAttackData(AttackData):
    """An attack as plan files hold it, with what it comes to where that is known."""

    odds: NotRequired[OddsData]
    shifts: NotRequired[list[ShiftData]]
    results: NotRequired[list[PossibleResultData]]
    losses: NotRequired[BothExpectedLossesData]
    """What both sides lose on average."""


class ToldMoveData(MoveData):
    """A move as plan files hold it, with what it costs if it has been played."""

    mp: NotRequired[Exact]


class ToldPlanData(TypedDict):
    """A plan as plan files hold it, with what moves cost and attacks come to."""

    format: Literal["planner/plan-1"]
    moves: list[ToldMoveData]
    attacks: NotRequired[list[ToldAttackData]]


class ViolationData(TypedDict):
    """One rule broken."""

    rule: str
    """The printed paragraph."""
    unit: str | None
    """The unit that breaks it; null for what concerns a hex as a whole."""
    move: int | None
    """The index of the move in the plan, from 0; null for the position after the last move."""
    step: int | None
    """The index of the hex in the path of the move; 0 is the hex of departure."""
    at: str
    """The hex."""
    blame: list[str]
    """The units that stand in the way."""
    message: str
    attack: NotRequired[int]
    """The index of the attack in the plan, from 0."""


class FailureData(TypedDict):
    """What becomes of a plan if one of its overruns fails."""

    move: int
    step: int
    survives: Exact
    """The support up to which the overrun succeeds."""
    possible: Exact
    """The support that is in range."""
    dropped: list[int]
    """The indices of the later moves that aren't made then."""
    violations: list[ViolationData]
    """What is wrong with the position after the last move."""


class StopData(TypedDict):
    """Why units must stop."""

    rule: str
    blame: list[str]


class RollData(TypedDict):
    """What is rolled in a move."""

    step: int
    probability: Exact
    dice: NotRequired[int]
    odds: NotRequired[list[Exact]]
    """The strength of attack and defense."""


class PlayedMoveData(MoveData):
    """A move that has been judged."""

    mp: Exact | None
    """The MP spent; null if it hasn't been played."""
    must_stop: NotRequired[list[StopData]]
    eliminated: NotRequired[list[str]]
    takes: NotRequired[list[str]]
    rolls: NotRequired[list[RollData]]


class DueData(TypedDict):
    """Who must attack, and who must be attacked."""

    attack: list[str]
    """Also who has declared an attack that must still be made."""
    be_attacked: list[str]


class NearestData(TypedDict):
    """The legal plan that is nearest to an illegal one."""

    plan: list[str]
    changed_moves: int
    changed_steps: int
    fewest_moves: bool
    """Whether fewer changed moves are proved not to do."""
    fewest_steps: bool
    """Whether fewer changed steps are proved not to do."""


@with_config(ConfigDict(title="planner/verdict-1", use_attribute_docstrings=True))
class VerdictData(TypedDict):
    """What the referee says of a plan."""

    format: Literal["planner/verdict-1"]
    after: NotRequired[list[str]]
    """What had been made in the phase before; the command line says it."""
    legal: bool
    violations: list[ViolationData]
    complete: bool
    """Whether nothing that is wrong can be missing."""
    probability: Exact
    """The probability that everything goes as it is written."""
    failures: list[FailureData]
    moves: list[PlayedMoveData]
    attacks: NotRequired[list[ToldAttackData]]
    due: NotRequired[DueData]
    """Who must attack, and be attacked, where nothing is said of attacks."""
    nearest: NotRequired[NearestData | None]
    """Of an illegal plan: the nearest legal one; the command line looks for it."""


def told_plan_data(
    plan: Plan, game: Game | None, played: Iterable[PlayedMove] = (), told: Iterable[AssessedAttack] = ()
) -> ToldPlanData:
    """Return a plan as a plan file holds it, with the MP of moves that have been played, and what attacks come to."""
    results = dict(enumerate(played))  # of an equal plan, perhaps, that has been played before: by their places
    moves: list[ToldMoveData] = []
    for index, move in enumerate(plan.moves):
        written = cast("ToldMoveData", move_data(move, game))
        result = results.get(index)
        if result is not None and result.played and result.move == move:
            written["mp"] = format_mp(result.mp)
        moves.append(written)
    if plan.attacks is None:
        return {"format": "planner/plan-1", "moves": moves}
    known = {one.attack: one for one in told}
    attacks = [told_attack_data(attack, known.get(attack.declared)) for attack in plan.attacks]
    return {"format": "planner/plan-1", "moves": moves, "attacks": attacks}


def told_attack_data(attack: DeclaredAttack, told: AssessedAttack | None) -> ToldAttackData:
    """Return an attack as it stands in plan files, with what it comes to where that is known."""
    written = cast("ToldAttackData", attack_data(attack))
    if told is None:
        return written
    own, enemy = map(_expected_data, told.losses)
    written["defenders"] = list(told.defenders)
    written["odds"] = {
        "strengths": list(map(format_mp, told.strengths)),
        "column": told.odds,
        "shifted": told.shifted,
        "below": told.below,
    }
    written["shifts"] = [{"name": name, "columns": columns} for name, columns in told.shifts]
    written["results"] = [
        {
            "result": one.code,
            "text": one.text,
            "probability": format_probability(one.probability),
            "losses": {"attackers": _losses_data(one.own), "defenders": _losses_data(one.enemy)},
        }
        for one in told.results
    ]
    written["losses"] = {"attackers": own, "defenders": enemy}
    return written


def _expected_data(lost: ExpectedLosses) -> ExpectedLossesData:
    return {"units": format_mp(lost.units), "steps": format_mp(lost.steps), "strength": format_mp(lost.strength)}


def _losses_data(losses: Losses) -> LossesData:
    return {"eliminated": list(losses.eliminated), "steps": dict(losses.steps), "strength": format_mp(losses.strength)}


def violation_data(violation: Violation) -> ViolationData:
    """Return a violation."""
    written: ViolationData = {
        "rule": violation.rule,
        "unit": violation.unit,
        "move": violation.move,
        "step": violation.step,
        "at": violation.at,
        "blame": list(violation.blame),
        "message": violation.message,
    }
    if violation.attack is not None:
        written["attack"] = violation.attack
    return written


def verdict_data(verdict: Verdict, game: Game | None) -> VerdictData:
    """Return a verdict, ``planner/verdict-1``."""
    written: VerdictData = {
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
    }
    # Nothing is said of attacks where nobody declares any, and nobody must.
    if verdict.declared:
        told = {one.attack: one for one in verdict.attacks}
        written["attacks"] = [told_attack_data(one.declared, told.get(one.declared)) for one in verdict.declared]
    due = due_data(verdict)
    if due is not None:
        written["due"] = due
    return written


def due_data(verdict: Verdict) -> DueData | None:
    """Return who must attack, and be attacked, where nothing is said of attacks; None where nobody must."""
    attack, be_attacked = map(list, verdict.due)
    return {"attack": attack, "be_attacked": be_attacked} if attack or be_attacked else None


def _played_data(result: PlayedMove, game: Game | None) -> PlayedMoveData:
    written = cast("PlayedMoveData", move_data(result.move, game))
    written["mp"] = format_mp(result.mp) if result.played else None
    if result.stopped:
        written["must_stop"] = [{"rule": stop.paragraph, "blame": list(stop.enemies)} for stop in result.stopped]
    if result.removed:
        written["eliminated"] = list(result.removed)
    if result.taken:
        written["takes"] = list(result.taken)
    if result.rolls:
        written["rolls"] = list(map(_roll_data, result.rolls))
    return written


def _roll_data(roll: Roll) -> RollData:
    written: RollData = {"step": roll.step, "probability": format_probability(roll.chance)}
    if roll.dice:
        written["dice"] = roll.dice
    if roll.strengths:
        written["odds"] = [format_mp(strength) for strength in roll.strengths]
    return written
