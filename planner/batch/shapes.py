"""What a job may say: its verbs are named as the commands are, its options as theirs."""

from __future__ import annotations

from math import isfinite
from typing import Annotated

from pydantic import AfterValidator, Field

from planner.formats.table import Table
from planner.limits import Running


def _finite(seconds: float) -> float:
    if not isfinite(seconds):
        raise ValueError("must be a number of seconds, or null: no limit")
    return seconds


Seconds = Annotated[float, Field(ge=0), AfterValidator(_finite)]
Text = Annotated[str, Field(max_length=4_000)]
Lines = Annotated[tuple[Text, ...], Field(max_length=4_000)]
Id = Annotated[str, Field(min_length=1, max_length=300)] | Annotated[int, Field(strict=True)]


class JobLine(Table):
    """What every job says."""

    id: Id = Field(description="What the job is called: a text or a whole number, no two alike")
    verb: str = Field(description="What is asked")
    scenario: Annotated[str, Field(max_length=1_000)] | dict[str, object] = Field(
        description="A file, by its path from the folder of the jobs; the name of a shipped one; or what a file would hold"
    )


class _OfPhase(JobLine):
    after: Lines = Field(default=(), description="Moves that have been made before what is asked, with what was rolled")


class _Search(_OfPhase):
    time_limit: Seconds | None = Field(default=None, description="Seconds at most; null: no limit")
    workers: Annotated[int, Field(ge=1, le=64)] = Field(default=1, description="Cores to use")
    seed: int = Field(default=0, ge=0, le=2**31 - 1, description="Random seed")

    @property
    def running(self) -> Running:
        """How it is searched."""
        return Running(workers=self.workers, seed=self.seed)


class CheckAsked(_OfPhase):
    """Judge a plan."""

    moves: Lines = ()
    solver: bool = False


class SuggestAsked(_Search):
    """Find the best plan, or several, or one that reacts."""

    adaptive: bool = False
    plan: Lines | None = Field(default=None, description="A partial plan to be completed")
    alternatives: Annotated[int, Field(ge=1, le=1_000)] | None = None
    diverse: bool = False
    within: Text | None = None


class ReachAsked(_OfPhase):
    """List where a unit, or without one each of the side, can end."""

    unit: Text | None = None
    alone: bool = False
    time_limit: Seconds | None = 60.0


class ExplainAsked(_Search):
    """Say what forbids moves, a destination, goals or a value."""

    moves: Lines = ()
    require: Lines = ()
    value: Text | None = None
    time_limit: Seconds | None = 10.0


class VerifyAsked(JobLine):
    """Settle what a puzzle claims."""

    cooks: Annotated[int, Field(ge=0, le=100)] = 3
    time_limit: Seconds | None = 60.0
    workers: Annotated[int, Field(ge=1, le=64)] = 1
    seed: int = Field(default=0, ge=0, le=2**31 - 1)


class DefendAsked(JobLine):
    """Place defenders."""

    all: bool = False
    place: Lines = ()
    most: Annotated[int, Field(ge=0)] | None = None
    require: Lines = ()
    time_limit: Seconds | None = None
    workers: Annotated[int, Field(ge=1, le=64)] = 1
    seed: int = Field(default=0, ge=0, le=2**31 - 1)


class ApplyAsked(_OfPhase):
    """Play a legal plan; the answer holds the position after it as a scenario."""

    moves: Lines = ()
    phase: Text | None = None
    stay: bool = False


ASKED: dict[str, type[JobLine]] = {
    "check": CheckAsked,
    "suggest": SuggestAsked,
    "reach": ReachAsked,
    "explain": ExplainAsked,
    "verify": VerifyAsked,
    "defend": DefendAsked,
    "apply": ApplyAsked,
}
"""By verb: the shape of the job's line."""
