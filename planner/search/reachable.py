"""What a unit can reach, hex by hex, each with the plan that takes it there and with what others do for it."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Literal

from planner.notebook import Shown
from planner.plans.plan import Move, Plan
from planner.referee.verdict import Violation

if TYPE_CHECKING:
    from planner.search.answer_types import ReachData


@dataclass(frozen=True)
class Help:
    """What other units do in the plan that takes a unit to a hex.

    Attributes
    ----------
    kind : str
        "friend_in": they move to a hex. "vacant": they leave the hex in which they stand. "gone": they eliminate an
        enemy, or a marker. "taken": they take a place, or by combat a hex, whether its defenders are eliminated or retreat.
        "joined": they overrun a hex together with the unit, or support it; or they fight for it before, and don't take it
        themselves whatever is drawn. "obliged": they move because they have to.
    what : str
        The hex, the enemy or the marker; of those who have to move, the hex that they leave.
    by : tuple of str
        All who do it together, in the order of the move; never empty.
    fought : bool
        Whether they fight a combat for the hex, instead of overrunning it.
    """

    kind: Literal["friend_in", "vacant", "gone", "taken", "joined", "obliged"]
    what: str
    by: tuple[str, ...]
    fought: bool = False

    def __str__(self) -> str:
        who = " and ".join(self.by)
        verb = {
            "friend_in": f"{who} in {self.what}",
            "vacant": f"{self.what} left by {who}",
            "taken": f"{self.what} taken by {who}",
            "joined": f"{who} in the {'fight for' if self.fought else 'overrun of'} {self.what}",
            "obliged": f"{who} must move, too",
        }
        return verb.get(self.kind, f"{self.what} eliminated by {who}")


@dataclass(frozen=True)
class Reachable:
    """A hex that a unit can reach.

    Attributes
    ----------
    hex : str
        The hex.
    mp : Fraction
        MP spent on the way, if all that is rolled goes well.
    path : tuple of str
        The way, the hex of departure first.
    overruns : tuple of str
        The enemies that it eliminates on the way.
    stop : tuple of (str, tuple of str)
        The paragraphs on whose account it must stop there, with the units to blame; empty if it could go on.
    help : tuple of Help
        What others do for it; empty if it gets there by itself.
    plan : Plan
        The witness: a legal plan that takes it there, helpers and all.
    zones : tuple of str
        The naval zones across which it is carried, one carrier in each.
    chance : Fraction
        The probability that it ends there by that plan; positive.
    fought : bool
        Whether enemies are eliminated in combats on the way, not overrun.
    sure : bool
        Whether those enemies are eliminated whatever is rolled; in combats they may retreat instead.
    """

    hex: str
    mp: Fraction
    path: tuple[str, ...]
    overruns: tuple[str, ...] = ()
    stop: tuple[tuple[str, tuple[str, ...]], ...] = ()
    help: tuple[Help, ...] = ()
    plan: Plan = field(default_factory=Plan)
    zones: tuple[str, ...] = ()
    chance: Fraction = Fraction(1)
    fought: bool = False
    sure: bool = True

    @property
    def losses(self) -> str:
        """What becomes of enemies, in words; empty if nothing does."""
        names = ", ".join(self.overruns)
        if not names or not self.fought:
            return f"overruns {names}" if names else ""
        return f"eliminates {names}" if self.chance == 1 and self.sure else f"eliminates {names} at best"

    @property
    def move(self) -> Move:
        """The move by which it gets there: the last one that it makes."""
        return next(move for move in reversed(self.plan.moves) if self.path[-1] in (move.end, *move.path))


@dataclass(frozen=True)
class ReachReport(Shown):
    """What a unit can reach.

    Attributes
    ----------
    unit, at : str
        The unit, and where it stands.
    ma : Fraction
        Its movement allowance.
    hindrances : tuple of Violation
        Why it may not move as things stand; empty if it may.
    alone : tuple of Reachable
        The hexes in which it can end by itself now, cheapest first; each once.
    with_help : tuple of Reachable
        The hexes in which it can end if others move, too, and that aren't among `alone`, cheapest first; each once.
    open : tuple of str
        The hexes of which something isn't known, because the time ran out or no proof was found: whether it can end there at
        all or, of those among `with_help`, whether it needs the help.
    alone_only : bool
        Whether help was left out.
    spent : Fraction
        The MP that it has spent before in the phase; those of each hex include them.
    """

    unit: str
    at: str
    ma: Fraction
    hindrances: tuple[Violation, ...] = ()
    alone: tuple[Reachable, ...] = ()
    with_help: tuple[Reachable, ...] = ()
    open: tuple[str, ...] = ()
    alone_only: bool = False
    spent: Fraction = Fraction(0)

    def to_dict(self) -> ReachData:
        """Return it as data, ``planner/reach-1``."""
        from planner.search.answer_data import reach_data

        return reach_data(self)

    def __repr__(self) -> str:
        alone, helped = len(self.alone), len(self.with_help)
        return f"<ReachReport of {self.unit} in {self.at}: {alone} hexes by itself, {helped} with help>"
