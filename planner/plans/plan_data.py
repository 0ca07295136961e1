"""Plans as data: moves and attacks as plan files hold them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NotRequired

from typing_extensions import TypedDict

from planner.world.declared_attack import DeclaredAttack

if TYPE_CHECKING:
    from planner.plans.plan import Move, Plan
    from planner.rules.game import Game


class CarriedData(TypedDict):
    """A step on which a unit is carried."""

    step: int
    by: NotRequired[str]
    """The carrier, if one is named."""


class UnitAtStepData(TypedDict):
    """A unit that does something at a step of a move."""

    step: int
    unit: str


class AttemptsData(TypedDict):
    """How often a step is tried."""

    step: int
    times: int


class MoveData(TypedDict):
    """A move as plan files hold it."""

    units: list[str]
    path: list[str]
    """The hexes, that of departure first."""
    overruns: NotRequired[list[str]]
    """The enemies that are overrun, or, without a game, the hexes."""
    carried: NotRequired[list[CarriedData]]
    drops: NotRequired[list[UnitAtStepData]]
    """Who stays behind on the way, and at which step."""
    support: NotRequired[list[UnitAtStepData]]
    """Who supports an overrun, and at which step."""
    failed: NotRequired[Literal[True]]
    damage: NotRequired[list[int]]
    """The damage that was drawn."""
    attempts: NotRequired[list[AttemptsData]]


class WayData(TypedDict):
    """The way of a unit that retreats or advances."""

    unit: str
    path: list[str]


class AttackData(TypedDict):
    """An attack as plan files hold it."""

    attackers: list[str]
    at: list[str]
    """The hexes that are attacked."""
    defenders: NotRequired[list[str]]
    result: NotRequired[str]
    ways: NotRequired[list[WayData]]


class PlanData(TypedDict):
    """A plan as a plan file holds it."""

    format: Literal["planner/plan-1"]
    moves: list[MoveData]
    attacks: NotRequired[list[AttackData]]
    closed: NotRequired[Literal[True]]
    """No others are declared than these attacks."""


def move_data(move: Move, game: Game | None = None) -> MoveData:
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
    written: MoveData = {"units": list(move.units), "path": list(move.path)}
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


def attack_data(attack: DeclaredAttack) -> AttackData:
    """Return an attack as it stands in plan files."""
    written: AttackData = {"attackers": list(attack.attackers), "at": list(attack.hexes)}
    if attack.defenders:
        written["defenders"] = list(attack.defenders)
    if attack.result:
        written["result"] = attack.result
    if attack.ways:
        written["ways"] = [{"unit": unit, "path": list(path)} for unit, path in attack.ways]
    return written


def plan_data(plan: Plan) -> PlanData:
    """Return a plan as a plan file holds it."""
    told: PlanData = {"format": "planner/plan-1", "moves": [move_data(move) for move in plan.moves]}
    if plan.attacks is not None:
        told["attacks"] = [attack_data(attack) for attack in plan.attacks]
    if plan.closed:
        told["closed"] = True
    return told
