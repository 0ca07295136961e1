"""What can go wrong, as one family: malformed, ambiguous and illegal input, and faults of our own.

Illegal plans are `planner.referee.verdict.IllegalPlanError`, since that holds a verdict.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from planner.printable import printable

MOST_PROBLEMS = 100
"""More of one input are counted, not told: nobody reads them."""


class PlannerError(Exception):
    """Parent of every error that the planner raises on purpose."""


@dataclass(frozen=True, order=True)
class Problem:
    """One thing that is wrong with an input.

    Attributes
    ----------
    what : str
        The relation that must hold and doesn't, in a player's words.
    where : str
        The place: a file and the path of keys inside it.
    count : int
        For how many it stands: more than one where some are counted and not told.
    """

    what: str
    where: str
    count: int = 1

    def __str__(self) -> str:
        return printable(f"{self.what} @ {self.where}")


class InputError(PlannerError):
    """Input that can't be read as what it claims to be: all its problems at once.

    Parameters
    ----------
    problems : iterable of Problem
        At least one. Of more than `MOST_PROBLEMS` the rest is counted in one that stands last.
    """

    def __init__(self, problems: Iterable[Problem]) -> None:
        found = tuple(problems)
        more = sum(problem.count for problem in found[MOST_PROBLEMS:])
        if more:
            found = (*found[:MOST_PROBLEMS], Problem(f"and {more:,} more", found[-1].where.partition(": ")[0], more))
        self.problems = found
        super().__init__("\n".join(map(str, self.problems)))


class AmbiguousInputError(InputError):
    """Input that can be read in two ways, such as a name that two units bear."""


class TooManyOutcomesError(InputError):
    """A plan whose rolls have more outcomes than the referee goes through."""


class DisagreementError(PlannerError):
    """Solver and referee disagree about one position: a fault of the planner, never a plan.

    Parameters
    ----------
    what : str
        Which of the two said what.
    dump : str
        The instance, complete enough to repeat the fault.
    """

    def __init__(self, what: str, dump: str) -> None:
        self.dump = dump
        super().__init__(what)


class ReaderGoneError(PlannerError):
    """Whoever was reading the answer has closed the pipe."""


class TooManyWaysError(PlannerError):
    """A unit has more ways to get anywhere than somebody wants to hear of; whoever has said how many catches it."""


class OutOfTimeError(PlannerError):
    """The time limit ran out before anything was found or proved."""
