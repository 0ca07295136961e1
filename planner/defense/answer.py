"""What a search for a defense answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from planner.defense.placement import OFF, Placement
from planner.formats.mp import format_mp
from planner.formats.spoken_numbers import spoken_number
from planner.notebook import Shown
from planner.objective.scoring import Value
from planner.plans.plan import Plan

DefenseStatus = Literal["holds", "best", "feasible", "fails", "unknown"]
"""holds: proved that no enemy plan achieves its goal. best: none holds, or there is no goal, and proved that the enemy's
best can't be made worse. feasible: the worst so far for the enemy. fails: proved that no placement holds, and there is no
value to compare. unknown: neither a placement nor a proof was found."""


@dataclass(frozen=True)
class Accepted:
    """A placement that holds, or keeps the enemy's best as bad as possible.

    Attributes
    ----------
    placement : Placement
        Who is placed where.
    value : tuple of Fraction
        The enemy's best by tiers, where it still has a plan; empty where it has none.
    plan : Plan or None
        The enemy's best plan; None where none achieves its goal, or, where the best is compared, where it has no legal plan.
    confirmed : bool
        Whether two configurations of the solver agree that the enemy can do no better.
    """

    placement: Placement
    value: Value
    plan: Plan | None
    confirmed: bool

    def to_dict(self) -> dict[str, object]:
        """Return the placement as JSON has it."""
        return {
            "placement": dict(self.placement.at),
            "value": [format_mp(value) for value in self.value],
            "plan": None if self.plan is None else self.plan.lines,
            "confirmed": self.confirmed,
        }


@dataclass(frozen=True)
class Refutation:
    """An enemy plan, and the placements that it breaks: each of them has been replayed on the referee.

    Attributes
    ----------
    plan : Plan
        The enemy's plan.
    value : tuple of Fraction
        The least that it is worth to the enemy under any of them, by tiers; empty where it is a goal that it achieves.
    places : tuple of (unit, tuple of str)
        It breaks every placement that obeys the rules and puts each unit into one of these places; an empty string stands
        for off the map.
    count : int
        How many placements these are.
    """

    plan: Plan
    value: Value
    places: tuple[tuple[str, tuple[str, ...]], ...]
    count: int

    def breaks(self, places: dict[str, str]) -> bool:
        """Tell whether it breaks a placement that obeys the rules, given the place of each defender."""
        return all(places[unit] in those for unit, those in self.places)

    def to_dict(self) -> dict[str, object]:
        """Return the refutation as JSON has it."""
        return {
            "plan": self.plan.lines,
            "value": [format_mp(value) for value in self.value],
            "places": {unit: [label if label != OFF else None for label in those] for unit, those in self.places},
            "count": self.count,
        }


@dataclass(frozen=True)
class Defense(Shown):
    """Where to place defenders.

    Attributes
    ----------
    status : DefenseStatus
        What is proved.
    accepted : tuple of Accepted
        The placement found, the one with the fewest units placed; or all of them.
    refutations : tuple of Refutation
        For every placement that was rejected, an enemy plan that breaks it; where the best is to be as bad as possible, one
        that is worth as much to the enemy as its best under the accepted placement, or more where all are listed.
    rejected : int
        How many placements the refutations break, each counted once.
    undecided : tuple of Placement
        Placements of which nothing is known: the time ran out, or the enemy's search proved nothing.
    complete : bool
        Whether it is proved that `accepted` are all that hold, or all that are as bad for the enemy.
    space : int
        How many placements there are, those that break rules of stacking among them.
    searches : int
        How many of them the enemy's search has looked at.
    seconds : float
        How long it took.
    broken : tuple of Refutation
        Where the enemy has a goal, and it is proved that it achieves it under every placement: the plans that show it. Then
        the rest says how its best can be made as bad as possible, by the objective alone: the goal is left out.
    interrupted : bool
        Whether somebody stopped the search before everything was settled.
    hurried : bool
        Whether the time ran out before everything was settled.
    """

    status: DefenseStatus
    accepted: tuple[Accepted, ...]
    refutations: tuple[Refutation, ...]
    rejected: int
    undecided: tuple[Placement, ...]
    complete: bool
    space: int
    searches: int
    seconds: float
    broken: tuple[Refutation, ...] = ()
    interrupted: bool = False
    hurried: bool = False

    @property
    def goal_left_out(self) -> bool:
        """Whether no placement keeps the enemy from its goal, so that they are compared by its objective alone."""
        return bool(self.broken)

    def sentence(self, every: bool) -> str:
        """Return what is proved, in one sentence.

        Parameters
        ----------
        every : bool
            Whether all placements that hold were asked for.
        """
        count = len(self.accepted)
        rest = ("it is the only one" if count == 1 else "these are all") if self.complete else "there may be more"
        if self.status == "holds":
            confirmed = "proved and confirmed" if all(one.confirmed for one in self.accepted) else "proved"
            if not every:
                return f"Holds, {confirmed}: no enemy plan achieves its goal."
            return f"{count} placement{'s hold' if count > 1 else ' holds'}, {confirmed}; {rest}."
        if self.status in ("best", "feasible"):
            worth = " / ".join(map(spoken_number, self.accepted[0].value))
            several = ""
            if every and self.status == "best":
                several = f"; {count} placement{'s do' if count > 1 else ' does'} it, {rest}"
            if not self.accepted[0].value:
                return f"The enemy has no legal plan, proved{several}."
            apart = "its goal, which nothing prevents, left out, " if self.goal_left_out else ""
            best = f"{apart}the enemy's best is {worth}, as bad as any placement"
            if self.status == "best":
                return f"{best[0].upper()}{best[1:]} makes it, proved{several}."
            return f"Not proved: {best} so far makes it."
        return {
            "fails": "No placement holds, proved: each is broken by an enemy plan.",
            "unknown": "Unknown: no placement was proved to hold, and not all were ruled out.",
        }[self.status]

    def to_dict(self) -> dict[str, object]:
        """Return the answer, ``planner/defense-1``."""
        return {
            "format": "planner/defense-1",
            "status": self.status,
            "accepted": [one.to_dict() for one in self.accepted],
            "refutations": [one.to_dict() for one in self.refutations],
            "rejected": self.rejected,
            "broken": [one.to_dict() for one in self.broken],
            "goal_left_out": self.goal_left_out,
            "undecided": [dict(one.at) for one in self.undecided],
            "complete": self.complete,
            "space": self.space,
            "searches": self.searches,
            "seconds": self.seconds,
            "interrupted": self.interrupted,
            "hurried": self.hurried,
        }
