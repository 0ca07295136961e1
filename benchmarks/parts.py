"""What the processor's time of an answer goes to: each moment counts for the innermost part that is at work."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import cached_property, wraps
from typing import Any

from planner.reachability.conditional_reach import ConditionalReach
from planner.scenario import Scenario
from planner.search import all_at_once, reach_cache, tie_break, tier_by_tier
from planner.search.reach_cache import ReachCache
from planner.search.replay_cache import Replays
from planner.solver import portfolio

REST = "all else"

PARTS: dict[str, tuple[tuple[Any, str], ...]] = {
    "reading": ((Scenario, "with_units"),),
    "listing": ((ReachCache, "reach"), (ConditionalReach, "_relaxed_reach"), (ConditionalReach, "possibilities")),
    "what can matter": ((ReachCache, "_that_matter"),),
    "writing the model": ((reach_cache, "build_options"), (tier_by_tier, "look_at_all")),
    "CP-SAT": ((all_at_once, "run"), (portfolio, "run"), (tie_break, "run")),
    "the referee's replays": ((Replays, "play"), (Replays, "scores")),
}
"""The functions of each part, with where they are looked up; what a glance does but run CP-SAT is writing."""


class Parts:
    """A clock of the parts, wound up anew for each answer.

    Attributes
    ----------
    spent : dict from parts to float
        The seconds that each has taken.
    """

    def __init__(self) -> None:
        self._inside: list[str] = []
        self.start()

    def start(self) -> None:
        """Begin anew."""
        self.spent = dict.fromkeys((*PARTS, REST), 0.0)
        self._since = time.process_time()

    def stop(self) -> dict[str, float]:
        """Return what each part has taken since the start."""
        self._count()
        return dict(self.spent)

    def _count(self) -> None:
        now = time.process_time()
        self.spent[self._inside[-1] if self._inside else REST] += now - self._since
        self._since = now

    def listen(self) -> None:
        """Have all functions of the parts timed from now on."""
        for part, functions in PARTS.items():
            for owner, name in functions:
                found = vars(owner)[name]
                if isinstance(found, cached_property):
                    found.func = self._timed(part, found.func)
                else:
                    setattr(owner, name, self._timed(part, found))

    def _timed(self, part: str, function: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(function)
        def call(*words: Any, **named: Any) -> Any:
            self._count()
            self._inside.append(part)
            try:
                return function(*words, **named)
            finally:
                self._count()
                self._inside.pop()

        return call
