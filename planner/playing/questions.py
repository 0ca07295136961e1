"""What may be asked of a position that is played on: the questions of the package, of what is left of the phase."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal, Self, TypedDict, Unpack, overload

from planner import api
from planner.arguments import Moves, Partial
from planner.explanation.answer import Explanation
from planner.limits import Running
from planner.playing.position_text import to_word
from planner.referee.verdict import Verdict
from planner.scenario import Scenario
from planner.search.reachable import ReachReport
from planner.search.result import Progress, Result

if TYPE_CHECKING:
    from planner.search.policy import Policy


class Searching(Running, total=False):
    """How the best plan is searched for.

    Attributes
    ----------
    on_progress : callable, optional
        Gets a `Progress` whenever value or bound improves, with the best plan so far.
    partial : PartialPlan, str or iterable of str, optional
        What is settled of the plan; not of one that reacts.
    """

    on_progress: Callable[[Progress], None] | None
    partial: Partial | None


class Reaching(TypedDict, total=False):
    """How it is worked out where units can end.

    Attributes
    ----------
    alone : bool
        Whether to leave out what takes the help of others; absent: no.
    time_limit : float, optional
        Seconds at most; None: until everything is known; absent: 60.
    stop : threading.Event, optional
        Set it from another thread to stop.
    """

    alone: bool
    time_limit: float | None
    stop: threading.Event | None


class Questions:
    """Something of whose phase anything can be asked that can be asked of a scenario."""

    @property
    def settled(self) -> Scenario:
        """The scenario of what is left of the phase."""
        raise NotImplementedError

    def copy(self) -> Self:
        """Return an independent one."""
        raise NotImplementedError

    def to_dict(self) -> dict[str, Any]:
        """Return the position as what a scenario file would hold; `Scenario.from_dict` reads it.

        Raises
        ------
        RollDueError
            If a roll is due.
        """
        return self.settled.to_dict()

    def to_text(self) -> str:
        """Return the position as one word of letters, digits, ``-``, ``_`` and ``.``; `Position.from_text` reads it.

        The path of a game's own folder is in it as a whole: the word is read from any folder.

        Raises
        ------
        RollDueError
            If a roll is due.
        """
        return to_word(self.settled.portable())

    def check(self, moves: Moves) -> Verdict:
        """Judge a plan for what is left of the phase; as `planner.check`."""
        return api.check(self.settled, moves)

    @overload
    def reach(self, unit: str, **asked: Unpack[Reaching]) -> ReachReport: ...

    @overload
    def reach(self, unit: None = None, **asked: Unpack[Reaching]) -> list[ReachReport]: ...

    def reach(self, unit: str | None = None, **asked: Unpack[Reaching]) -> ReachReport | list[ReachReport]:
        """Return where a unit can get to, as `planner.reach`; without one, where each can, as `planner.reach_all`."""
        return api.reach_all(self.settled, **asked) if unit is None else api.reach(self.settled, unit, **asked)

    @overload
    def suggest(
        self, time_limit: float | None = None, *, adaptive: Literal[False] = False, **how: Unpack[Searching]
    ) -> Result: ...

    @overload
    def suggest(
        self, time_limit: float | None = None, *, adaptive: Literal[True], **how: Unpack[Searching]
    ) -> Policy: ...

    @overload
    def suggest(
        self, time_limit: float | None = None, *, adaptive: bool, **how: Unpack[Searching]
    ) -> Result | Policy: ...

    def suggest(
        self, time_limit: float | None = None, *, adaptive: bool = False, **how: Unpack[Searching]
    ) -> Result | Policy:
        """Search for the best plan for what is left of the phase, or for the best way of playing; as `planner.suggest`."""
        search: Callable[..., Result | Policy] = api.suggest  # that a partial plan can't react is an InputError
        return search(self.settled, adaptive=adaptive, time_limit=time_limit, **how)

    async def suggest_async(self, time_limit: float | None = None, **how: Unpack[Searching]) -> Result:
        """Search as `suggest` does, in a thread; who cancels it stops the search."""
        stop = how.get("stop") or threading.Event()
        how["stop"] = stop
        asked = self.copy()
        try:
            return await asyncio.to_thread(lambda: asked.suggest(time_limit, **how))
        except asyncio.CancelledError:
            stop.set()
            raise

    def explain(
        self,
        moves: Moves | None = None,
        *,
        require: str | Iterable[str] = (),
        value: str | int | Fraction | Sequence[str | int | Fraction] | None = None,
        time_limit: float | None = 10.0,
        **running: Unpack[Running],
    ) -> Explanation:
        """Say what forbids moves, a destination, goals or a value; as `planner.explain`."""
        return api.explain(self.settled, moves, require=require, value=value, time_limit=time_limit, **running)
