"""A game that is played on through its phases and turns, and the record of it, from which it can be played again."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import ConfigDict, Field

from planner.errors import InputError, PlannerError, Problem
from planner.formats.files import parse_json, read_text
from planner.formats.table import Table
from planner.formats.validation import read_sound
from planner.objective import Tally
from planner.objective.scoring import Value, score_position, tier_values
from planner.plans.plan import Plan
from planner.playing.engine_player import EngineError
from planner.playing.players import Player
from planner.playing.position import Position
from planner.scenario import Scenario
from planner.scenario.shape import VictorySection

Lines = Annotated[tuple[Annotated[str, Field(max_length=4_000)], ...], Field(max_length=4_000)]


class PhaseEntry(Table):
    """A phase that has been played."""

    side: str = Field(description="The side that moved")
    phase: str = Field(description="The phase")
    turn: int | None = Field(default=None, description="The turn")
    made: Lines = Field(default=(), description="Moves and attacks in their order, with what was rolled")


class RecordFile(Table):
    """The record of a game."""

    model_config = ConfigDict(title="planner/game-1")
    format: Literal["planner/game-1"]
    scenario: dict[str, Any] = Field(description="The scenario with which it began")
    players: dict[str, str] = Field(default_factory=dict, description="By side: how it was played")
    seed: int = Field(default=0, description="The seed of the dice")
    phases: Annotated[tuple[PhaseEntry, ...], Field(max_length=100_000)] = Field(default=(), description="The phases")
    ended: str = Field(default="", description="Why it is over")


@dataclass
class GameRecord:
    """A game that has been played.

    Attributes
    ----------
    scenario : Scenario
        With what it began.
    players : mapping from sides to str
        How each side was played.
    seed : int
        The seed of the dice.
    phases : list of PhaseEntry
        The phases that have been played, in their order.
    ended : str
        Why it is over.
    score : dict from sides to tuple of Fraction
        What each side's objective comes to in the end, tier by tier, of those that have one.
    interrupted : bool
        Whether Ctrl-C has ended it; its last phase is then as far as it had come.
    failed : str
        What is wrong with the program that should have played on; its phase, too, is as far as it had come.
    """

    scenario: Scenario
    players: Mapping[str, str]
    seed: int = 0
    phases: list[PhaseEntry] = field(default_factory=list)
    ended: str = ""
    score: dict[str, Value] = field(default_factory=dict)
    interrupted: bool = False
    failed: str = ""

    def to_dict(self, portable: bool = False) -> dict[str, object]:
        """Return the record as its file holds it; `portable`: wherever that lies, as `Scenario.portable` has it."""
        return {
            "format": "planner/game-1",
            "scenario": self.scenario.portable() if portable else self.scenario.to_dict(),
            "players": dict(self.players),
            "seed": self.seed,
            "phases": [one.model_dump(mode="json", exclude_none=True) for one in self.phases],
            "ended": self.ended,
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, object], where: str = "game", beside: Path | None = None) -> GameRecord:
        """Read a record; the games that it tells of are judged by `positions`.

        Parameters
        ----------
        data : mapping
            What its file holds.
        where : str
            What to call it in messages.
        beside : Path, optional
            The folder from which a relative model path counts.

        Raises
        ------
        InputError
            With every problem at once.
        """
        if not isinstance(data, Mapping):
            raise InputError([Problem("must be the record of a game", where)])
        shape = read_sound(dict(data), where, RecordFile, {})
        if shape.problems or shape.value is None:
            raise InputError(shape.problems or [Problem("can't be read", where)])
        file = shape.value
        scenario = Scenario.from_dict(file.scenario, f"{where}: scenario", beside)
        return cls(scenario, file.players, file.seed, list(file.phases), file.ended)

    @classmethod
    def load(cls, path: Path) -> GameRecord:
        """Read a record from its file; parameters and errors as `from_dict`."""
        data: Any = parse_json(read_text(path), str(path))
        return cls.from_dict(data, str(path), path.parent)

    def phase(self, number: int, where: str = "game") -> tuple[Scenario, Plan]:
        """Return one phase, counted from 1: the scenario as it began, and what was done in it.

        Raises
        ------
        InputError
            If there is no such phase, or something in the record can't have been done.
        """
        if not 1 <= number <= len(self.phases):
            phases = f"phases 1 to {len(self.phases)}, not {number}" if self.phases else "no phases"
            raise InputError([Problem(f"the game has {phases}", where)])
        for index, (_, begin, end) in enumerate(self.positions(where), 1):
            if index == number:
                return begin.scenario, Plan(end.made, end.attacks or None)
        raise AssertionError

    def positions(self, where: str = "game") -> Iterator[tuple[PhaseEntry, Position, Position]]:
        """Yield each phase with the position before it, and as it was when it ended; everything is judged on the way.

        Raises
        ------
        InputError
            If something in the record can't have been done: with its place.
        """
        position = Position(self.scenario)
        for index, entry in enumerate(self.phases):
            place = f"{where}: phases[{index}]"
            for name, now in (("side", position.side), ("phase", position.phase), ("turn", position.turn)):
                if getattr(entry, name) != now:
                    raise InputError([Problem(f"must be {now}, not {getattr(entry, name)}", f"{place}.{name}")])
            begin = position.copy()
            for number, text in enumerate(entry.made):
                try:
                    _replay(position, text)
                except PlannerError as error:
                    raise InputError(
                        [Problem(f"must be legal, but {error}", f"{place}.made[{number}] ({text[:60]})")]
                    ) from None
            yield entry, begin, position
            try:
                position.end_phase()
            except PlannerError as error:
                if index < len(self.phases) - 1:
                    raise InputError([Problem(f"can't have ended: {error}", place)]) from None


def record_of(position: Position) -> GameRecord:
    """Return the record of how a position came about; its last phase is as far as it has come."""
    phases = phases_of(position)
    return GameRecord(phases[0].begin, {}, phases=[_entry(one) for one in phases])


def phases_of(position: Position) -> list[Position]:
    """Return the position at the end of each phase that has been played, and as it is now."""
    walk = position.copy()
    found = [walk.copy()]
    while len(walk):
        walk.pop()
        if walk.begin is not found[0].begin:
            found.insert(0, walk.copy())
    return found


def _replay(position: Position, text: str) -> None:
    """Make a move, or an attack, whose result is known: what doesn't say that it has failed has gone through."""
    read = Plan.read([text], position.scenario, "made")
    position.push(read.moves[0].as_made() if read.moves else text)


def play_on(
    scenario: Scenario,
    players: Mapping[str, tuple[str, Player]],
    seed: int = 0,
    turns: int | None = None,
    on_phase: Callable[[PhaseEntry, Position], None] | None = None,
) -> GameRecord:
    """Play a game through its phases and turns until it ends.

    Parameters
    ----------
    scenario : Scenario
        With what it begins.
    players : mapping from sides to (str, callable)
        By side: what its player is called, and who it is; a side without one stays where it is.
    seed : int
        The seed of the dice: the same players play the same game with it, if they don't look at the clock.
    turns : int, optional
        How many turns are played at most; absent: up to the scenario's `last_turn`, or one.
    on_phase : callable, optional
        Gets each phase that has been played, and the position at its end.

    Raises
    ------
    InputError
        If a scenario can't be gone on with.
    """
    record = GameRecord(scenario, {side: name for side, (name, _) in players.items()}, seed)
    position, dice = Position(scenario), random.Random(seed)
    first = position.turn or 1
    last: int = scenario.data.get("last_turn", first if turns is None else first + turns - 1)
    last = last if turns is None else min(last, first + turns - 1)
    phase = 0
    try:
        while (position.turn or first) <= last:
            phase += 1
            _, player = players.get(position.side, ("", _nobody))
            player(position, dice)
            entry = _entry(position)
            record.phases.append(entry)
            if on_phase is not None:
                on_phase(entry, position)
            if problems := position.problems():
                record.ended = f"{position.side} can't end its phase: {problems[0]}"
                return record
            position.end_phase()
    except (KeyboardInterrupt, EngineError) as error:
        if len(record.phases) < phase:
            record.phases.append(_entry(position))
        if isinstance(error, EngineError):
            record.failed = str(error)
            record.ended = f"{position.side} doesn't play on: {error}"
        else:
            record.ended, record.interrupted = f"interrupted in {position.side}'s phase", True
        return record
    record.ended = f"turn {last} is over"
    if last == scenario.data.get("last_turn"):
        record.ended += who_has_won(position)
    record.score = final_score(position)
    return record


def _entry(position: Position) -> PhaseEntry:
    made = (*position.made, *position.attacks)
    return PhaseEntry(
        side=position.side, phase=position.phase, turn=position.turn, made=tuple(str(one) for one in made)
    )


def _nobody(position: Position, dice: random.Random) -> None:
    """Play for a side without a player."""


class Victory(NamedTuple):
    """Who has won.

    Attributes
    ----------
    side : str
        The side whose points count, by its id.
    points : int
        What it holds is worth.
    won : bool or None
        Whether it has won; None: nobody has.
    """

    side: str
    points: int
    won: bool | None


def victory_of(position: Position) -> Victory | None:
    """Return who has won by what each side holds; None where the scenario doesn't say who has."""
    scenario = position.scenario
    if "victory" not in scenario.data:
        return None
    victory = VictorySection.model_validate(scenario.data["victory"])
    control = scenario.game.situation.control
    points = sum(many for label, many in victory.points.items() if control.get(label) == victory.side)
    won = True if points >= victory.wins_with else False if points <= victory.loses_with else None
    return Victory(victory.side, points, won)


def who_has_won(position: Position) -> str:
    """Return who has won by what each side holds, as the end of a sentence; empty where the scenario doesn't say who has."""
    victory = victory_of(position)
    if victory is None:
        return ""
    sides = position.scenario.game.rulebook.forces.sides
    own, others = sides[victory.side], " and ".join(name for side, name in sides.items() if side != victory.side)
    winner = {True: own, False: others, None: "nobody"}[victory.won]
    return f": {own} has {victory.points} point{'s' * (victory.points != 1)}, and {winner} has won"


def final_score(position: Position) -> dict[str, Value]:
    """Return what each side's objective comes to as everybody stands at the beginning of a phase; of those that have one."""
    found: dict[str, Value] = {}
    data, turn = position.to_dict(), position.scenario.game.rulebook.turn
    aims = data.pop("objective", {})
    own = {key: data.pop(key) for key in ("tier", "require") if key in data}
    aims.setdefault(position.side, own)
    for side, aim in aims.items():
        step = next(step for step in turn if step.side == side)
        seen = Scenario.from_dict(
            {**data, "phasing": side, "phase": step.phase, "objective": {side: {"tier": aim.get("tier", [])}}},
            beside=position.scenario.beside,
        )
        if seen.tiers:
            found[side] = tier_values(seen.tiers, score_position(seen.game, seen.tiers, seen.start, Tally()))
    return found
