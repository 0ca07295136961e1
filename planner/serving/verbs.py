"""What programs may ask of a position: one table of verbs, whatever carries the questions."""

from __future__ import annotations

import random
from collections.abc import Collection, Mapping
from typing import Annotated, Any

from pydantic import Field

from planner import api
from planner.errors import InputError, OutOfTimeError, Problem
from planner.explanation.parse_question import is_destination
from planner.formats.files import read_again
from planner.formats.probability import format_probability
from planner.formats.spelling import did_you_mean
from planner.formats.validation import read_sound
from planner.limits import Running
from planner.plans.plan import Plan
from planner.plans.unit_names import with_ids
from planner.playing.perft import perft
from planner.playing.position import Position
from planner.scenario import Scenario, find_scenario, load_scenario
from planner.scenario.scenario import parse_scenario
from planner.search.result import Progress
from planner.serving.asking import (
    BESIDE,
    Answer,
    Asked,
    Beside,
    MovesAsked,
    Nothing,
    Seconds,
    Session,
    Task,
    Text,
    Verb,
)
from planner.serving.board_verbs import BOARD_VERBS
from planner.version import __version__

PROTOCOL = 1
"""The version of what is asked and answered."""


class PositionAsked(Asked):
    """Which position is played on from now on: one of the three, and the moves that have been made in its phase."""

    scenario: Annotated[str, Field(max_length=1_000)] | dict[str, Any] | None = Field(
        default=None,
        description="The name of one that `shipped` lists, or what a file would hold; "
        "a file for an engine that isn't confined",
    )
    text: str | None = Field(default=None, description="The text of a scenario file")
    beside: Beside = BESIDE
    moves: tuple[Text, ...] = Field(
        default=(), strict=False, description="Moves made in the phase, with what was rolled"
    )


class MoveAsked(Asked):
    """A move."""

    move: Text


class AttacksAsked(Asked):
    """Attacks."""

    attacks: tuple[Text, ...] = Field(strict=False, description="All of them; empty: there are none")


class RollAsked(Asked):
    """What was rolled, or by which seed it is to be."""

    result: Text | None = Field(default=None, description="One of the outcomes; absent: it is rolled")
    seed: int | None = Field(default=None, description="From now on dice are rolled by this seed")


class UnitsAsked(Asked):
    """Whose moves."""

    units: Text | None = Field(default=None, description='"a", or "a+b" for two who move together; absent: everybody')


class UnitAsked(Asked):
    """A unit."""

    unit: Text
    alone: bool = Field(default=False, description="Whether to leave out what takes the help of others")
    time: Seconds | None = Field(default=60.0, description="Seconds at most; null: no limit")


class SearchAsked(Asked):
    """How to search."""

    time: Seconds | None = Field(default=None, description="Seconds at most; null: until proved")
    workers: Annotated[int, Field(ge=1, le=256)] = Field(default=1, description="Cores to use")
    seed: int = Field(default=0, ge=0, le=2**31 - 1, description="Random seed")
    adaptive: bool = Field(default=False, description="Whether the plan reacts to what is rolled")
    alternatives: Annotated[int, Field(ge=2, le=20)] | None = Field(
        default=None, description="So many of the best plans instead, which differ in substance; absent: 3 if diverse"
    )
    diverse: bool = Field(default=False, description="Of alternatives: such as are far apart and good enough")
    plan: tuple[Text, ...] = Field(
        default=(), strict=False, description='Lines of a partial plan to be completed: "inf -> w5425", "a+b -> 0303"'
    )


class WhyAsked(Asked):
    """What is asked about: moves, a destination, or goals."""

    moves: tuple[Text, ...] = Field(
        default=(), strict=False, description='Moves, or one destination such as "plv to w5426"'
    )
    require: tuple[Text, ...] = Field(default=(), strict=False, description='Goals, such as "hold w5427"')
    time: Seconds | None = Field(default=10.0, description="Seconds at most; null: no limit")


class PerftAsked(Asked):
    """How long the sequences are."""

    depth: int = Field(ge=0, le=10)


def _hello(_session: Session, _asked: Nothing, _task: Task) -> Answer:
    return {"name": "planner", "version": __version__, "protocol": PROTOCOL, "verbs": sorted(VERBS)}


def _set_position(session: Session, asked: PositionAsked, _task: Task) -> Answer:
    given = [one for one in (asked.scenario, asked.text) if one is not None]
    if len(given) != 1:
        raise InputError([Problem("exactly one of scenario and text must be given", "position")])
    shelf, text = session.shelf, asked.text or ""
    if isinstance(asked.scenario, str):
        if shelf is None:
            path = find_scenario(asked.scenario)
            scenario, text = load_scenario(path), read_again(path) if path.suffix == ".toml" else ""
        else:
            scenario, text = shelf.load(asked.scenario)
    else:
        data = asked.scenario or {} if asked.text is None else parse_scenario(asked.text)
        scenario = Scenario.from_dict(data) if shelf is None else shelf.read(data, asked.beside)
    session.position = Position(scenario.after(asked.moves) if asked.moves else scenario)
    session.text = "" if text.lstrip().startswith("{") else text
    return _state(session)


def _state(session: Session, _asked: Nothing | None = None, _task: Task | None = None) -> Answer:
    position = session.position
    answer: Answer = {"side": position.side, "phase": position.phase}
    if position.turn is not None:
        answer["turn"] = position.turn
    answer["at"] = position.at
    answer["made"] = [str(one) for one in (*position.made, *position.attacks)]
    if position.declared is not None:
        answer["declared"] = [str(one) for one in position.declared]
    if position.to_declare:
        answer["to_declare"] = True
    if position.outcomes:
        answer["outcomes"] = [
            {"move": str(one.move), "probability": format_probability(one.probability)} for one in position.outcomes
        ]
    else:
        broken = position.problems()
        answer["may_end"] = not broken
        if broken:
            answer["violations"] = [one.to_dict() for one in broken]
    return answer


def _push(session: Session, asked: MoveAsked, _task: Task) -> Answer:
    session.position.push(asked.move)
    return _state(session)


def _declare(session: Session, asked: AttacksAsked, _task: Task) -> Answer:
    session.position.declare(asked.attacks)
    return _state(session)


def _pop(session: Session, _asked: Nothing, _task: Task) -> Answer:
    session.position.pop()
    return _state(session)


def _roll(session: Session, asked: RollAsked, _task: Task) -> Answer:
    dice = session.dice if asked.seed is None else random.Random(asked.seed)
    found = session.position.roll(dice, asked.result)
    session.dice = dice
    told: Answer = {"move": str(found.move), "probability": format_probability(found.probability)}
    return {"rolled": told, **_state(session)}


def _end_phase(session: Session, _asked: Nothing, _task: Task) -> Answer:
    session.position.end_phase()
    return _state(session)


def _legal(session: Session, asked: UnitsAsked, task: Task) -> Answer:
    moves = []
    for move in session.position.legal_moves(asked.units):
        if task.stop.is_set():
            raise OutOfTimeError("it was stopped while moves were listed")
        moves.append(str(move))
    return {"moves": moves}


def _targets(session: Session, _asked: Nothing, _task: Task) -> Answer:
    return {"targets": {label: list(units) for label, units in session.position.targets().items()}}


def _save(session: Session, _asked: Nothing, _task: Task) -> Answer:
    return {"scenario": session.position.to_dict()}


def _check(session: Session, asked: MovesAsked, _task: Task) -> Answer:
    return dict(session.position.check(asked.moves).to_dict())


def _reach(session: Session, asked: UnitAsked, task: Task) -> Answer:
    scenario = session.position.settled
    found = api.reach(scenario, asked.unit, alone=asked.alone, time_limit=asked.time, stop=task.stop)
    return dict(found.to_dict())


def _go(session: Session, asked: SearchAsked, task: Task) -> Answer:
    scenario = session.position.settled

    def tell(progress: Progress) -> None:
        told: Answer = {"tier": progress.tier, "seconds": round(progress.seconds, 3)}
        numbers = {"value": progress.value, "bound": progress.bound}
        told.update({name: str(one) for name, one in numbers.items() if one is not None})
        if progress.plan is not None:
            told["moves"] = _to_push(progress.plan)
            told["worth"] = [str(one) for one in progress.plan_value]
        task.tell(told)

    limits = Running(workers=asked.workers, seed=asked.seed, stop=task.stop)
    partial, several = asked.plan or None, asked.alternatives or (3 if asked.diverse else None)
    if asked.adaptive:
        if partial is not None or several is not None:
            raise InputError([Problem("can't be had with plan, alternatives or diverse", "adaptive")])
        policy = api.suggest(scenario, adaptive=True, time_limit=asked.time, on_progress=tell, **limits)
        return policy.to_dict()
    if several is not None:
        many = api.alternatives(
            scenario,
            several,
            diverse=asked.diverse,
            partial=partial,
            time_limit=asked.time,
            on_progress=tell,
            **limits,
        )
        return {**many.to_dict(), "moves": [_to_push(one.result.plan) for one in many.plans]}
    if partial is None:
        result = api.suggest(scenario, time_limit=asked.time, on_progress=tell, **limits)
    else:
        result = api.complete(scenario, partial, time_limit=asked.time, on_progress=tell, **limits)
    why = {} if result.conflict is None else {"conflict": result.conflict.to_dict()}
    return {**result.to_dict(), "moves": _to_push(result.plan), **why}


def _to_push(plan: Plan | None) -> list[str]:
    """Return the moves of a plan, then its attacks, as `push` takes them one by one."""
    return [] if plan is None else [*map(str, plan.moves), *map(str, plan.attacks or ())]


def _why(session: Session, asked: WhyAsked, task: Task) -> Answer:
    scenario, moves = session.position.settled, None
    if asked.moves:
        lines = with_ids(asked.moves, scenario.game)
        moves = lines if any(map(is_destination, lines)) else tuple(lines)
    found = api.explain(scenario, moves, require=asked.require, time_limit=asked.time, stop=task.stop)
    return dict(found.to_dict())


def _perft(session: Session, asked: PerftAsked, task: Task) -> Answer:
    return {"sequences": perft(session.position, asked.depth, stop=task.stop)}


VERBS: dict[str, Verb] = {
    "hello": Verb("Say who answers, and what may be asked.", Nothing, _hello),
    "position": Verb("Play on a position from now on.", PositionAsked, _set_position, changes=True),
    "state": Verb("Say who stands where, what is due, and whether the phase may end.", Nothing, _state),
    "save": Verb("Return the position as a scenario.", Nothing, _save),
    "legal": Verb("List the moves that may be made now.", UnitsAsked, _legal),
    "targets": Verb("List the hexes that may be attacked, each with who may take part.", Nothing, _targets),
    "push": Verb("Make a move, or an attack.", MoveAsked, _push, changes=True),
    "declare": Verb("Declare all attacks before the first is rolled.", AttacksAsked, _declare, changes=True),
    "roll": Verb("Roll what is due, or enter what was rolled.", RollAsked, _roll, changes=True),
    "pop": Verb("Take back the last push, roll or end of a phase.", Nothing, _pop, changes=True),
    "end_phase": Verb(
        "End the phase: the next one begins, of this side or another.", Nothing, _end_phase, changes=True
    ),
    "check": Verb("Judge a plan for what is left of the phase.", MovesAsked, _check),
    "reach": Verb("List where a unit can end, by itself and with help.", UnitAsked, _reach, slow=True),
    "go": Verb("Search for the best plan for what is left of the phase.", SearchAsked, _go, slow=True),
    "why": Verb("Say what forbids moves, a destination or goals.", WhyAsked, _why, slow=True),
    "perft": Verb("Count the sequences of moves of a length.", PerftAsked, _perft, slow=True),
    **BOARD_VERBS,
}
"""Everything that may be asked."""


def unknown_keys(
    verb: Verb, said: Mapping[str, object], beside: Collection[str] = (), where: str = "request: "
) -> list[Problem]:
    """Return what is said with a verb that nobody asks for, each with the nearest key that there is.

    Parameters
    ----------
    verb : Verb
        The verb.
    said : mapping from keys to values
        What is said with it.
    beside : collection of str
        The keys besides those of the verb that may stand in the same request; they aren't in `said` any more.
    where : str
        What to put before a key to tell its place.
    """
    known = [*verb.asks.model_fields, *beside]
    return [
        Problem(f"unknown key {key[:60]!r}{did_you_mean(key[:60], known)}", f"{where}{key[:60]}")
        for key in said
        if key not in verb.asks.model_fields
    ]


def read_asked(verb: Verb, said: Mapping[str, object], beside: Collection[str]) -> Asked:
    """Read what is said with a verb; `beside` as in `unknown_keys`.

    Raises
    ------
    InputError
        With every problem at once.
    """
    unknown = unknown_keys(verb, said, beside)
    shape = read_sound(
        {key: one for key, one in said.items() if key in verb.asks.model_fields}, "request", verb.asks, {}
    )
    if unknown:
        raise InputError([*unknown, *shape.problems])
    if shape.problems or shape.value is None:
        raise InputError(shape.problems or [Problem("can't be read", "request")])
    return shape.value
