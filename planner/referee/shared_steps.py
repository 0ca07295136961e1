"""Moves that begin alike, as lists of legal moves are full of: what they have in common is played once.

Steps are known by what they looked at in the position from which the move began, and by what they changed. In another
position of the phase in which all of that is the same, so is what comes of the step: it isn't played again.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from planner.plans.plan import Move
from planner.referee.move_record import MoveUnderWay
from planner.referee.recording_position import (
    Change,
    RecordingPosition,
    Sight,
    Vantage,
    change,
    without_stops_between,
)
from planner.referee.verdict import PlayedMove, Violation
from planner.world.board import NOTHING
from planner.world.position import Position, UnitProgress

if TYPE_CHECKING:
    from planner.referee.referee import Referee

_Steps = tuple[tuple[str, ...], frozenset[int], tuple[tuple[int, str], ...]]
"""The first steps of a move: their path, which of them overrun, and who carries."""

MOST_KNOWN = 6_000
"""How many steps and ends are known of a phase before those that haven't been needed for longest are forgotten; some 15 MB.

Twice as many are kept, and as many of one unit at most.
"""

MOST_SIGHTS = 4
"""In how many different surroundings one step is known."""

_NOBODY = Position({})
"""In place of the position of a move that isn't being played."""


class Made(NamedTuple):
    """What becomes of a move.

    Attributes
    ----------
    violations : list of Violation
        What is wrong with it; nobody may change it.
    played : PlayedMove
        What became of it.
    changes : tuple of Change, or Position
        What it has changed; of a move that was played by itself, who stands where after it.
    """

    violations: list[Violation]
    played: PlayedMove
    changes: tuple[Change, ...] | Position

    @property
    def legal(self) -> bool:
        """Whether it could be played, and nothing is wrong with it."""
        return not self.violations and self.played.played

    def after(self, start: Position) -> Position:
        """Return who stands where after it, as a copy, if it is made in a position in which it comes to this."""
        if isinstance(self.changes, Position):
            return self.changes.copy()
        position = start.copy()
        position.in_hand = NOTHING
        change(position, self.changes)
        return position


class _State:
    """How far those who make a move have got, wherever nothing that they looked at is different.

    Attributes
    ----------
    changes : tuple of Change
        What they have changed since they set out.
    """

    __slots__ = ("changes", "ends", "steps", "under_way")

    def __init__(self, under_way: MoveUnderWay, changes: tuple[Change, ...]) -> None:
        self.under_way, self.changes = under_way, changes
        self.steps: dict[object, tuple[tuple[Sight, _State | None], ...]] = {}
        self.ends: dict[object, tuple[tuple[Sight, Made], ...]] = {}
        under_way.position = _NOBODY
        for play in under_way.plays.values():
            play.position = _NOBODY

    def is_like(self, other: _State) -> bool:
        """Tell whether both have come to the same."""
        mine, theirs = self.under_way, other.under_way
        return (self.changes, mine.plays, mine.record) == (other.changes, theirs.plays, theirs.record)

    def resumed(self, start: Position) -> tuple[MoveUnderWay, RecordingPosition]:
        """Return the move, to be gone on with in a position, which notes what is looked at and changed from now on."""
        position = RecordingPosition(start, self.changes)
        return self.under_way.carried_over(position), position


class KnownSteps:
    """The steps that are known of a phase.

    Parameters
    ----------
    referee : Referee
        Who judges them.
    """

    def __init__(self, referee: Referee) -> None:
        self.referee = referee
        self._young: dict[object, tuple[tuple[Sight, _State], ...]] = {}
        self._old: dict[object, tuple[tuple[Sight, _State], ...]] = {}
        # How many steps are known of each that begins so, and of the young in all.
        self._sizes: dict[object, int] = {}
        self._number = 0
        # For which moves it has been asked whether they are known, by how they begin, and in which position first.
        self._asked: dict[object, int] = {}

    def knows(self, move: Move, start: Position) -> bool:
        """Tell whether anything is known of moves of these units from where they begin, or should be from now on.

        Who asks for it in a second position is likely to do so in more, and noting it takes as long as playing it anew.
        """
        key = _root(move)
        if key in self._young or key in self._old:
            return True
        if len(self._asked) >= MOST_KNOWN:
            self._asked.clear()
        return self._asked.setdefault(key, id(start)) != id(start)

    def begin(self, move: Move, here: Vantage) -> tuple[Sight, _State]:
        """Return a move before its first step, and what that depends on."""
        key = _root(move)
        known = self._young.get(key)
        if known is None:
            known = self._young[key] = self._old.pop(key, ())
            self._number += self._sizes.get(key, 0)
        if (
            self._sizes.get(key, 0) >= MOST_KNOWN
        ):  # many moves are asked for of one unit: with its steps all are forgotten
            known = self._young[key] = ()
            self._sizes[key] = 0
        for sight, state in known:
            if sight.is_the_same_in(here):
                return sight, state
        start = here.position
        position = RecordingPosition(start)
        under_way = self.referee.begin_move(move, position, frozenset(start.under_way))
        found = _State(under_way, tuple(position.log.changes))
        found = next((one for _, one in known if one.is_like(found)), found)
        sight = Sight(start, position.log.looks)
        self._young[key] = ((sight, found), *known[: MOST_SIGHTS - 1])
        self._note(move)
        return sight, found

    def step(self, move: Move, step: int, state: _State, here: Vantage) -> tuple[Sight, _State | None]:
        """Return a move after one more step, and what that depends on; None: there is nobody to make it."""
        key = move.path[step], step in move.overruns, move.carrier(step), _ends(move, step)
        known = state.steps.get(key, ())
        for sight, found in known:
            if sight.is_the_same_in(here):
                return sight, found
        further, position = state.resumed(here.position)
        after: _State | None = None
        if self.referee.play_step(move, step, further):
            after = _State(further, (*state.changes, *position.log.changes))
            after = next((one for _, one in known if one is not None and one.is_like(after)), after)
        sight = Sight(here.position, position.log.looks)
        state.steps[key] = ((sight, after), *known[: MOST_SIGHTS - 1])
        self._note(move)
        return sight, after

    def end(self, move: Move, state: _State, here: Vantage) -> tuple[Sight, Made]:
        """Return what becomes of a move that ends, and what that depends on."""
        key = move.path, move.overruns, move.carried
        known = state.ends.get(key, ())
        for sight, found in known:
            if sight.is_the_same_in(here):
                return sight, found
        further, position = state.resumed(here.position)
        violations, played = self.referee.end_move(move, further)
        found = Made(violations, played, without_stops_between([*state.changes, *position.log.changes]))
        sight = Sight(here.position, position.log.looks)
        state.ends[key] = ((sight, found), *known[: MOST_SIGHTS - 1])
        self._note(move)
        return sight, found

    def _note(self, move: Move) -> None:
        """Count one more step, or end, of a move, and forget those that haven't been needed for long."""
        key = _root(move)
        self._sizes[key] = self._sizes.get(key, 0) + 1
        self._number += 1
        if self._number >= MOST_KNOWN:
            self._old, self._young, self._number = self._young, {}, 0
            self._sizes = {key: self._sizes.get(key, 0) for key in self._old}


class SharedSteps:
    """Plays moves from one position.

    Parameters
    ----------
    referee : Referee
        Who judges them.
    start : Position
        Who stands where before each of them; left as it is.
    known : KnownSteps, optional
        What is known of steps in other positions of the phase, with the same referee.
    """

    def __init__(self, referee: Referee, start: Position, known: KnownSteps | None = None) -> None:
        self._referee, self._start, self._here = referee, start, Vantage(start)
        self._steps = known or KnownSteps(referee)
        self._known: dict[tuple[tuple[str, ...], _Steps, bool], tuple[_State, tuple[Sight, ...]]] = {}

    @property
    def here(self) -> Vantage:
        """The position from which moves are played."""
        return self._here

    def make(self, move: Move, once: bool = False) -> Made:
        """Play a move as `Referee.play_move` does; `once`: nothing is noted of moves of a first position."""
        if once and not self._steps.knows(move, self._start):
            return self._played_alone(move)
        return self.judged(move)[0]

    def judged(self, move: Move) -> tuple[Made, tuple[Sight, ...] | None]:
        """Play a move, and tell what the result depends on: where all of that looks the same, the result is the same.

        None: it holds in no other position.
        """
        if not _plain(move) or self.goes_on(move.units):
            return self._played_alone(move), None
        state, sights = self._after(move, len(move.path) - 1)
        sight, made = self._steps.end(move, state, self._here)
        return made, (*sights, sight)

    def _played_alone(self, move: Move) -> Made:
        position = self._start.copy()
        violations, played = self._referee.play_move(move, position, position.under_way.keys())
        return Made(violations, played, position)

    def play(self, move: Move) -> tuple[list[Violation], PlayedMove, Position]:
        """Play a move; return what is wrong, what became of it, and who stands where then."""
        made = self.make(move)
        return made.violations.copy(), made.played, made.after(self._start)

    def progress(self, move: Move) -> tuple[UnitProgress, ...]:
        """Return how far each of those who have made a move has got if they go on together: none is left in its end."""
        if self.goes_on(move.units):
            under_way = self.play(move)[2].under_way
            return tuple(under_way[unit] for unit in move.units)
        longer = replace(move, path=(*move.path, move.path[0]))
        plays = self._after(longer, len(move.path) - 1)[0].under_way.plays
        return tuple(plays[unit].progress() for unit in move.units)

    def goes_on(self, units: tuple[str, ...]) -> bool:
        """Tell whether a move of some units goes on with one that isn't over."""
        return self._start.in_hand.issuperset(units)

    def _after(self, move: Move, steps: int) -> tuple[_State, tuple[Sight, ...]]:
        """Return a move whose first steps have been made, and what that depends on."""
        made = steps
        while (known := self._known.get(_name(move, made))) is None and made:
            made -= 1
        if known is None:
            sight, state = self._steps.begin(move, self._here)
            known = self._known[_name(move, 0)] = state, (sight,)
        state, sights = known
        for step in range(made + 1, steps + 1):
            sight, further = self._steps.step(move, step, state, self._here)
            sights = (*sights, sight)
            if further is None:
                break
            state = further
            self._known[_name(move, step)] = state, sights
        return state, sights


def _root(move: Move) -> tuple[tuple[str, ...], str]:
    """Return what tells where steps are kept: who moves, and from where."""
    return move.units, move.path[0]


def _plain(move: Move) -> bool:
    """Tell whether nothing is said of a move's steps but where they lead, whether they overrun, and who carries."""
    return not (move.drops or move.attempts or move.support or move.failed or move.damage or move.made)


def _ends(move: Move, step: int) -> bool:
    """Tell whether those who move together end their move with a step: they are friends there, but not on their way."""
    return len(move.units) > 1 and step == len(move.path) - 1


def _name(move: Move, steps: int) -> tuple[tuple[str, ...], _Steps, bool]:
    """Return what the first steps of moves that begin alike have in common."""
    ends = len(move.units) > 1 and _ends(move, steps)
    if not move.overruns and not move.carried:
        return move.units, (move.path[: steps + 1], move.overruns, ()), ends
    overruns = frozenset(one for one in move.overruns if one <= steps)
    carried = tuple(one for one in move.carried if one[0] <= steps)
    return move.units, (move.path[: steps + 1], overruns, carried), ends
