"""Plan files: plans, whole or partial, as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import ConfigDict, Field, ValidationError

from planner.errors import InputError, Problem
from planner.formats.ids import BOX_ID, HEX_LABEL, RESULT_CODE, UNIT_ID
from planner.formats.table import Table, UnitId
from planner.formats.validation import problems_of
from planner.plans.attack_text import faults
from planner.plans.lines import MOST_MOVES
from planner.plans.plan import LONGEST_PATH, MOST_ATTEMPTS, Move, Plan
from planner.world.declared_attack import DeclaredAttack

Place = Annotated[str, Field(pattern=rf"^({HEX_LABEL}|{BOX_ID})$")]


class CarriedFile(Table):
    """A step of a move in a plan file that a carrier makes possible."""

    step: int = Field(ge=1, le=LONGEST_PATH, description="The index into the path of the place where the unit lands")
    by: str = Field(
        default="", pattern=rf"^({UNIT_ID})?$", description="The id of the carrier's marker; absent: any that fits"
    )


class DropFile(Table):
    """A unit that is dropped by a stack on its way, in a plan file."""

    step: int = Field(ge=1, le=LONGEST_PATH, description="The index into the path of the hex in which it is dropped")
    unit: UnitId = Field(description="Its id")


class AttemptsFile(Table):
    """An overrun that may be tried more than once, in a plan file."""

    step: int = Field(ge=1, le=LONGEST_PATH, description="The index into the path of the hex that is overrun")
    times: int = Field(ge=2, le=MOST_ATTEMPTS, description="How often at most")


class SupportFile(Table):
    """A unit that supports an overrun, in a plan file."""

    step: int = Field(ge=1, le=LONGEST_PATH, description="The index into the path of the hex that is overrun")
    unit: UnitId = Field(description="Its id")


_ANSWERED = "Written in answers, passed over when read"
Damage = Annotated[int, Field(ge=0, le=99)]


class MoveFile(Table):
    """A move in a plan file."""

    units: list[UnitId] = Field(min_length=1, max_length=100, description="Unit ids")
    path: list[Place] = Field(
        min_length=2, max_length=LONGEST_PATH, description="Hex labels and ids of boxes, the place of departure first"
    )
    overruns: list[str] = Field(
        default_factory=list, max_length=100, description="Enemy units overrun; a hex, where nobody is known there"
    )
    carried: list[CarriedFile] = Field(
        default_factory=list, max_length=100, description="The steps for which a carrier takes the units"
    )
    drops: list[DropFile] = Field(
        default_factory=list, max_length=100, description="Who is dropped on the way, and where"
    )
    attempts: list[AttemptsFile] = Field(
        default_factory=list, max_length=100, description="The overruns that may be tried more than once"
    )
    support: list[SupportFile] = Field(default_factory=list, max_length=1_000, description="Who supports which overrun")
    failed: bool = Field(
        default=False,
        description="Whether a roll for the last step has failed: units that overrun aren't there, others bog down there",
    )
    damage: tuple[Damage, Damage] | None = Field(
        default=None,
        description="The damage to attackers and defenders that has been drawn for a combat in the last hex",
    )
    mp: int | str | None = Field(default=None, description="MP spent; written in answers, passed over when read")


class WayFile(Table):
    """Where a unit goes on account of an attack that has been made, in a plan file."""

    unit: UnitId = Field(description="The unit")
    path: list[Annotated[str, Field(pattern=rf"^{HEX_LABEL}$")]] = Field(
        min_length=2, max_length=25, description="Hex labels, the one in which it stands first"
    )


class AttackFile(Table):
    """An attack that is declared once the moves are made, in a plan file; answers tell what it comes to, too."""

    attackers: list[UnitId] = Field(min_length=1, max_length=100, description="Who attacks")
    at: list[Annotated[str, Field(pattern=rf"^{HEX_LABEL}$")]] = Field(
        min_length=1, max_length=6, description="The hexes that are attacked"
    )
    defenders: list[UnitId] = Field(
        default_factory=list, max_length=100, description="Who is attacked; absent: all who defend the hexes"
    )
    result: str = Field(
        default="", pattern=rf"^({RESULT_CODE})?$", description="The result that has been rolled; absent: none has yet"
    )
    ways: list[WayFile] = Field(default_factory=list, max_length=200, description="Who goes where on account of it")
    odds: dict[str, object] | None = Field(default=None, description=_ANSWERED)
    shifts: list[object] | None = Field(default=None, description=_ANSWERED)
    results: list[object] | None = Field(default=None, description=_ANSWERED)
    losses: dict[str, object] | None = Field(default=None, description=_ANSWERED)


class EndFile(Table):
    """A destination in a partial plan."""

    unit: UnitId = Field(description="The unit")
    at: list[Place] = Field(
        min_length=1, max_length=LONGEST_PATH, description="Where it must end: in one of these places"
    )


class PlanFile(Table):
    """A plan file, whole or partial."""

    model_config = ConfigDict(title="planner/plan-1")
    format: Literal["planner/plan-1"]
    moves: list[MoveFile] = Field(
        default_factory=list, max_length=MOST_MOVES, description="The moves in their order; absent: none"
    )
    attacks: list[AttackFile] | None = Field(
        default=None,
        max_length=MOST_MOVES,
        description="The attacks that are declared after them; empty: none is; absent: nothing is said of attacks",
    )
    closed: bool = Field(
        default=False,
        description="Whether no others are declared: of attacks that have been made, or of a partial plan",
    )
    end: list[EndFile] = Field(
        default_factory=list, max_length=MOST_MOVES, description="Of a partial plan: destinations that are fixed"
    )
    stay: list[UnitId] = Field(
        default_factory=list, max_length=MOST_MOVES, description="Of a partial plan: units that are left alone"
    )


def plan_from_json(data: object, homes: Mapping[str, str], where: str) -> Plan:
    """Read a plan from decoded JSON.

    Parameters
    ----------
    data : object
        What the JSON text holds.
    homes : mapping from unit ids to hex labels
        Where each unit stands when the phase begins: it tells which hex of a path an overrun enters.
    where : str
        What to call the input in messages.

    Raises
    ------
    InputError
        With every problem at once.
    """
    file = plan_file(data, where)
    problems = [
        Problem("a plan with this key is partial: it can be completed, not judged as it is", f"{where}: {key}")
        for key, entries in (("end", file.end), ("stay", file.stay))
        if entries
    ]
    if problems:
        raise InputError(problems)
    attacks = attacks_of(file, where)
    if attacks is None and file.closed:
        attacks = ()
    return Plan(moves_of(file, homes, where), attacks, file.closed and bool(attacks))


def plan_file(data: object, where: str) -> PlanFile:
    """Check the shape of decoded JSON.

    Raises
    ------
    InputError
        With every problem at once.
    """
    if isinstance(data, Mapping) and data.get("format") == "planner/policy-1":
        what = "is a plan that reacts, planner/policy-1: check and draw take it with --policy"
        raise InputError([Problem(what, where)])
    try:
        return PlanFile.model_validate(data)
    except ValidationError as error:
        raise InputError(problems_of(error, where, PlanFile, data)) from error


def moves_of(file: PlanFile, homes: Mapping[str, str], where: str) -> tuple[Move, ...]:
    """Return the moves of a plan file; parameters and errors as those of `plan_from_json`."""
    problems: list[Problem] = []
    moves = [_move_of(entry, homes, f"{where}: moves[{index}]", problems) for index, entry in enumerate(file.moves)]
    if problems:
        raise InputError(problems)
    return tuple(moves)


def attacks_of(file: PlanFile, where: str) -> tuple[DeclaredAttack, ...] | None:
    """Return the attacks of a plan file; parameters and errors as those of `plan_from_json`."""
    if file.attacks is None:
        return None
    found = [
        DeclaredAttack(
            tuple(entry.attackers),
            tuple(entry.at),
            tuple(entry.defenders),
            entry.result,
            tuple((way.unit, tuple(way.path)) for way in entry.ways),
        )
        for entry in file.attacks
    ]
    problems = [
        Problem(what, f"{where}: attacks[{index}]") for index, attack in enumerate(found) for what in faults(attack)
    ]
    if problems:
        raise InputError(problems)
    return tuple(found)


def _move_of(entry: MoveFile, homes: Mapping[str, str], where: str, problems: list[Problem]) -> Move:
    """Return one move; what is wrong with it is added to the problems."""

    def ensure(holds: bool, what: str, key: str) -> None:
        if not holds:
            problems.append(Problem(what, f"{where}.{key}"))

    overruns: set[int] = set()
    for victim in entry.overruns:
        home = homes.get(victim, victim if victim in entry.path[1:] else None)
        steps = [step for step, label in enumerate(entry.path) if step and label == home]
        known = home is not None
        ensure(known, f"overruns must name units on the map, or hexes of the path, not {victim!r}", "overruns")
        ensure(not known or bool(steps), f"the path must enter {home}, the hex of {victim}", "overruns")
        overruns.update(steps[:1])
    carried = {leg.step: leg.by for leg in entry.carried}
    ensure(len(carried) == len(entry.carried), "each step must come once", "carried")
    ensure(all(step < len(entry.path) for step in carried), "a step must lie within the path", "carried")
    ensure(overruns.isdisjoint(carried), "an overrun can't be made aboard a carrier", "carried")
    attempts = {overrun.step: overrun.times for overrun in entry.attempts}
    move = Move(
        tuple(entry.units),
        tuple(entry.path),
        frozenset(overruns),
        tuple(sorted(carried.items())),
        tuple(sorted((drop.step, drop.unit) for drop in entry.drops)),
        tuple(sorted(attempts.items())),
        tuple(sorted((helper.step, helper.unit) for helper in entry.support)),
        entry.failed,
        entry.damage,
    )
    problems += [Problem(what, where) for what in move.faults()]
    ensure(all(step < len(move.path) for step, _ in move.drops), "a step must lie within the path", "drops")
    ensure(len(attempts) == len(entry.attempts), "each step must come once", "attempts")
    ensure(attempts.keys() <= overruns, "a step must be an overrun", "attempts")
    ensure({step for step, _ in move.support} <= overruns, "a step must be an overrun", "support")
    return move
