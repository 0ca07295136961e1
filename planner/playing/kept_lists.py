"""What has been judged of the moves of some units: kept for positions of the phase in which little is different.

A result holds as long as all that was looked at for it looks the same; only what may have become another thing is judged
again. That leaves a list of many moves, of which the last one that was made touches a few.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple, Protocol

from planner.plans.plan import Move
from planner.referee.recording_position import Sight, Vantage
from planner.referee.shared_steps import Made, SharedSteps
from planner.rules.play import NO_MP
from planner.world.position import Position, UnitProgress

MOST_SIGHTS = 30_000
"""How many sights the lists of a phase may keep together; most are kept with the steps that are known, too."""

MOST_UNUSED = 3
"""How many times as many moves as come into question may be kept for some units before what is kept is forgotten."""

Team = tuple[str, ...]


class KeptList(NamedTuple):
    """What has been judged for some units in one position.

    Attributes
    ----------
    position : Position
        The position.
    judged : dict from Move to Made or None
        What becomes of each move; None: it is illegal.
    numbers : dict from Move to int
        Which bit stands for each move.
    sights : dict from Sight to int
        All that the results depend on, each with the bits of the moves that do.
    source : object
        From what the moves came that were asked for.
    moves : tuple of Move, or None
        All legal ones in their order, if what was judged decides which those are; None: more may.
    """

    position: Position
    judged: dict[Move, Made | None]
    numbers: dict[Move, int]
    sights: dict[Sight, int]
    source: object
    moves: tuple[Move, ...] | None

    def doubtful_in(self, here: Vantage) -> int:
        """Return the bits of the moves that may come to something else in another position."""
        news, found = here.news_since(self.position), 0
        for sight, those in self.sights.items():
            if not sight.looks.isdisjoint(news) and those & ~found and not sight.is_seen_in(here.position):
                found |= those
        return found


class KeptLists:
    """What has been judged in a phase."""

    def __init__(self) -> None:
        self._known: dict[Team, KeptList] = {}

    def of(self, team: Team) -> KeptList | None:
        """Return what has been judged last for some units."""
        return self._known.get(team)

    def keep(self, team: Team, kept: KeptList) -> None:
        """Keep what has been judged, and forget what hasn't been asked for longest where it becomes too much."""
        self._known.pop(team, None)
        self._known[team] = kept
        number = sum(len(one.sights) for one in tuple(self._known.values()))
        for other in tuple(self._known):
            if number <= MOST_SIGHTS or other == team:
                break
            gone = self._known.pop(other, None)
            number -= 0 if gone is None else len(gone.sights)


class Judged(Protocol):
    """What is known at one time."""

    @property
    def standing(self) -> Position:
        """Who stands where."""

    @property
    def steps(self) -> SharedSteps:
        """Who plays moves from there."""

    @property
    def lists(self) -> KeptLists:
        """What has been judged in the phase."""

    def lists_moves(self, team: Team, judged: dict[Move, Made | None]) -> None:
        """Keep in mind what becomes of moves that have been judged, and of those that will be."""


class Judge:
    """Judges the moves of one list.

    Parameters
    ----------
    now : Judged
        Who plays them, and where it is kept what becomes of them; others may forget it at any time.
    team : tuple of str
        Whose moves they are.
    check_time : callable
        Raises `OutOfTimeError` once somebody has stopped it.
    """

    def __init__(self, now: Judged, team: Team, check_time: Callable[[], None]) -> None:
        self.steps, self._lists, self._team, self._check_time = now.steps, now.lists, team, check_time
        self._kept = None if self.steps.goes_on(team) else self._lists.of(team)
        self._judged: dict[Move, Made | None] = {}
        self._numbers: dict[Move, int] = {}
        self._sights: dict[Sight, int] = {}
        self._doubtful: dict[Move, Made | None] = {}
        if self._kept is not None:
            self._take_over(self._kept)
        # Whether what has been judged may hold elsewhere, and whether it decides alone what is listed.
        self._lasting, self._enough = not self.steps.goes_on(team), True
        now.lists_moves(team, self._judged)

    def _take_over(self, kept: KeptList) -> None:
        """Take over all that is still so."""
        doubtful = kept.doubtful_in(self.steps.here)
        self._judged.update(kept.judged)
        self._numbers = kept.numbers.copy()
        if doubtful:
            self._sights = {sight: left for sight, those in kept.sights.items() if (left := those & ~doubtful)}
            for move, number in self._numbers.items():
                if doubtful >> number & 1:
                    self._doubtful[move] = self._judged.pop(move)
        else:
            self._sights = kept.sights.copy()

    @property
    def source(self) -> object:
        """From what the moves came that were asked for last; None if nothing is known of that."""
        return None if self._kept is None else self._kept.source

    def moves_from(self, source: object, ways: int) -> tuple[Move, ...] | None:
        """Return the legal moves that come from something, of which there are so many ways, if they are as they were.

        What may have changed is judged again for that. None: they aren't, or weren't kept.
        """
        kept = self._kept
        if kept is None or kept.source is not source:
            if len(self._judged) > MOST_UNUSED * (ways + 20):
                self._judged.clear()
                self._numbers, self._sights = {}, {}
            return None
        if kept.moves is None:
            return None
        same = True
        for move, before in self._doubtful.items():
            mp = self.mp(move)
            same = same and (mp is None if before is None else mp == before.played.mp)
        if same:
            self.keep(source, kept.moves)
        return kept.moves if same else None

    def mp(self, move: Move) -> Fraction | None:
        """Return the MP of a move, None if it is illegal."""
        try:
            made = self._judged[move]
        except KeyError:
            made = self._judge(move)
        return None if made is None else made.played.mp

    def _judge(self, move: Move) -> Made | None:
        self._check_time()
        made, sights = self.steps.judged(move)
        if sights is None:
            self._lasting = False
        else:
            bit = 1 << self._numbers.setdefault(move, len(self._numbers))
            for sight in sights:
                self._sights[sight] = self._sights.get(sight, 0) | bit
        found = self._judged[move] = made if made.legal else None
        return found

    def mp_of_passing(self, move: Move) -> Fraction | None:
        """Return the MP of a move that may be gone on with, though it may not end where it has come to; else None."""
        mp = self.mp(move)
        if mp is None:
            self._enough = False
            made = self.steps.judged(move)[0]
            mp = made.played.mp if made.played.played and all(one.halt for one in made.violations) else None
        return mp

    def known(self, move: Move) -> Fraction:
        """Return the MP of a move that is legal, or isn't one yet."""
        mp = self.mp(move) if len(move.path) > 1 else NO_MP
        assert mp is not None
        return mp

    def progress(self, move: Move) -> tuple[UnitProgress, ...]:
        """Return how far each of those who have made a move has got if they go on together."""
        self._enough = False
        return self.steps.progress(move)

    def keep(self, source: object, moves: tuple[Move, ...] | None) -> None:
        """Keep what has been judged; `moves` are all legal ones that came from the source, None if that isn't known."""
        if self._lasting:
            moves = moves if self._enough else None
            position = self.steps.here.position
            kept = KeptList(position, self._judged.copy(), self._numbers, self._sights, source, moves)
            self._lists.keep(self._team, kept)
