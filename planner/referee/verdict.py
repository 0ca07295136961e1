"""What the referee says: violations, moves as they were played, outcomes of rolls, verdicts."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from math import prod
from typing import TYPE_CHECKING

from planner.errors import PlannerError
from planner.notebook import Shown
from planner.objective import Tally, Term
from planner.plans.plan import Move
from planner.rules.play import Resolution
from planner.world.declared_attack import DeclaredAttack
from planner.world.position import Position, Stop

if TYPE_CHECKING:
    from planner.referee.combined_outcomes import CombinedOutcomes, Outcome
    from planner.referee.verdict_data import VerdictData, ViolationData
    from planner.rules.attack_referee import AssessedAttack
    from planner.rules.game import Game


@dataclass(frozen=True)
class Violation:
    """One rule broken.

    Attributes
    ----------
    rule : str
        The printed paragraph.
    unit : str or None
        The unit that breaks it; None for what concerns a hex as a whole.
    move : int or None
        The index of the move in the plan; None for the position after the last move.
    step : int or None
        The index of `at` in the path of the move; 0 is the hex of departure.
    at : str
        The hex.
    blame : tuple of str
        The units that stand in the way, in the order of the scenario.
    message : str
        One sentence.
    left, cost : Fraction or None
        Of a step that can't be paid: the MP that remain, and what it costs.
    attack : int or None
        The index of the attack in the plan; None for what no attack that is declared is at fault.
    halt : bool
        Whether it is that the move ends where it does, so that going on would mend it.
    amounts : tuple of (str, Fraction)
        What the sentence names besides; `Finding` says what.
    """

    rule: str
    unit: str | None
    move: int | None
    step: int | None
    at: str
    blame: tuple[str, ...]
    message: str
    left: Fraction | None = None
    cost: Fraction | None = None
    attack: int | None = None
    halt: bool = False
    amounts: tuple[tuple[str, Fraction], ...] = ()

    def to_dict(self) -> ViolationData:
        """Return it as data, as verdicts hold it."""
        from planner.referee.verdict_data import violation_data

        return violation_data(self)

    def __str__(self) -> str:
        return f"{self.rule}: {self.message}" if self.rule else self.message

    @property
    def key(self) -> tuple[str, str | None, int | None, int | None, str]:
        """What is broken and where, without blame and words: by this the two faces of a rule are compared."""
        return self.rule, self.unit, self.move, self.step, self.at


def not_among(known: Iterable[Violation], found: Iterable[Violation]) -> list[Violation]:
    """Return what of some violations hasn't been reported."""
    reported = {(one.key, one.blame) for one in known}
    return [one for one in found if (one.key, one.blame) not in reported]


@dataclass(frozen=True)
class Roll:
    """A step whose result is rolled.

    Attributes
    ----------
    step : int
        The index into the path of the hex that is overrun.
    chance : Fraction
        The probability that it goes through once it is tried.
    spent : tuple of (str, Fraction)
        What each unit of the move has spent once it has been tried.
    bogs : bool
        Whether a unit that fails is stuck in the hex itself, not in the one before it.
    dice : int
        How many dice are rolled; 0 where a table is.
    results : tuple of Resolution
        Of a combat, everything that it may lead to; the first is the one that is played if all goes well.
    strengths : tuple of (Fraction, Fraction), or None
        The strength of attack and defense; None where nobody is fought.
    rule : str
        The printed paragraph by which it is rolled.
    """

    step: int
    chance: Fraction
    spent: tuple[tuple[str, Fraction], ...]
    bogs: bool = False
    dice: int = 0
    results: tuple[Resolution, ...] = ()
    strengths: tuple[Fraction, Fraction] | None = None
    rule: str = ""

    def results_of(self, move: Move) -> list[tuple[tuple[Move, ...], Fraction]]:
        """Return what may come of a move that ends with the roll: as it has then been made, and how likely it is.

        Of a combat, each result comes once, with the move once for each draw that leads to it.
        """
        if self.results:
            return [
                (tuple(replace(move, damage=entry).as_made() for entry in sorted(result.entries)), result.probability)
                for result in self.results
            ]
        well = [((move.as_made(),), self.chance)] if self.chance else []
        return [*well, ((replace(move, failed=True).as_made(),), 1 - self.chance)]


@dataclass(frozen=True)
class Survival:
    """How much defenders' support an overrun survives.

    Attributes
    ----------
    step : int
        The index into the path of the hex that is overrun.
    strength : Fraction
        The support that it survives.
    possible : Fraction
        The support that is in range.
    """

    step: int
    strength: Fraction
    possible: Fraction


@dataclass(frozen=True)
class PlayedMove:
    """A move as it was played.

    Attributes
    ----------
    move : Move
        The move.
    mp : Fraction
        What it cost; of a stack, what the unit spent that spent most.
    stopped : tuple of Stop
        Why the unit had to end its move where it did; empty if it could have gone on.
    removed : tuple of str
        The enemies that it eliminated.
    played : bool
        False for a move that could not be played at all; see `Referee.play`.
    taken : tuple of str
        The places and markers that it took from the enemy; of places, those that matter to somebody.
    spent : tuple of (str, Fraction)
        What each of its units spent.
    rolls : tuple of Roll
        The steps whose result is rolled.
    survivals : tuple of Survival
        The overruns that defenders' support may keep from succeeding.
    combats : frozenset of int
        The steps that were combats, whether they are written as such or not.
    certain : tuple of str
        What combats lead to that have one result alone.
    """

    move: Move
    mp: Fraction = Fraction(0)
    stopped: tuple[Stop, ...] = ()
    removed: tuple[str, ...] = ()
    played: bool = True
    taken: tuple[str, ...] = ()
    spent: tuple[tuple[str, Fraction], ...] = ()
    rolls: tuple[Roll, ...] = ()
    survivals: tuple[Survival, ...] = ()
    combats: frozenset[int] = frozenset()
    certain: tuple[str, ...] = ()

    @property
    def fights_on_its_way(self) -> bool:
        """Whether a combat before its end has results after which it may go on differently."""
        return any(roll.results and roll.step < len(self.move.path) - 1 for roll in self.rolls)

    def results(self) -> list[tuple[tuple[Move, ...], Fraction]]:
        """Return what may come of it, as `Roll.results_of` has it: all of it, or that it ends where a roll fails.

        It must not fight on its way.
        """
        found: list[tuple[tuple[Move, ...], Fraction]] = []
        likely, last = Fraction(1), len(self.move.path) - 1
        for roll in self.rolls:
            results = roll.results_of(self.move.until(roll.step) if roll.step < last else self.move)
            if roll.step == last:
                return [*((made, likely * chance) for made, chance in results), *found]
            found.append((results[-1][0], likely * results[-1][1]))
            likely *= roll.chance
        return [((self.move.as_made(),), likely), *found] if likely else found


@dataclass(frozen=True)
class Failure:
    """What becomes of a plan if one of its overruns fails.

    Attributes
    ----------
    move : int
        The index of the move.
    step : int
        The index into its path of the hex that isn't taken.
    survives : Fraction
        The support up to which the overrun succeeds.
    possible : Fraction
        The support that is in range.
    dropped : tuple of int
        The indices of the later moves that aren't made then: those of its units, and those that have become illegal.
    violations : tuple of Violation
        What is wrong with the position after the last move.
    """

    move: int
    step: int
    survives: Fraction
    possible: Fraction
    dropped: tuple[int, ...]
    violations: tuple[Violation, ...]


@dataclass(frozen=True)
class Verdict(Shown):
    """What the referee says of a plan; true if it is legal.

    Attributes
    ----------
    violations : tuple of Violation
        Everything that is wrong, in the order of the plan; empty if it is legal.
    moves : tuple of PlayedMove
        Every move of the plan.
    position : Position
        Who stands where after the last move, if all rolls go well.
    tally : Tally
        What has been spent, likewise.
    outcomes : sequence of Outcome
        Everything that the rolls may lead to; empty where nothing is rolled. Those of very many are made when they are asked
        for.
    failures : tuple of Failure
        What becomes of it if an overrun fails that doesn't survive all support in range.
    attacks : tuple of AssessedAttack
        What the attacks come to that are declared, each by itself on the board as it stands after the last move; those that
        are against nobody are left out.
    barred : frozenset of DeclaredAttack
        Those of them that may not be declared, so that nothing can come of them.
    declared : tuple of DeclaredAttack
        All that are declared, in the order of the plan, also those against nobody.
    due : tuple of (tuple of str, tuple of str)
        Where nothing is said of attacks, the units that must attack then, or must make what they have declared, and the
        enemies that must be attacked.
    complete : bool
        Whether everything that is wrong is listed. Of some illegal plans the solver names enough to forbid them, and so does
        the referee where the rolls have more outcomes than can be gone through.
    """

    violations: tuple[Violation, ...]
    moves: tuple[PlayedMove, ...]
    position: Position
    tally: Tally = field(default_factory=Tally)
    outcomes: Sequence[Outcome] = ()
    failures: tuple[Failure, ...] = ()
    complete: bool = True
    attacks: tuple[AssessedAttack, ...] = ()
    barred: frozenset[DeclaredAttack] = frozenset()
    declared: tuple[DeclaredAttack, ...] = ()
    due: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())

    def to_dict(self) -> VerdictData:
        """Return it as data, ``planner/verdict-1``; only the package's functions know whom moves overrun."""
        from planner.referee.verdict_data import verdict_data

        scenario = getattr(self, "_scenario", None)
        return verdict_data(self, None if scenario is None else scenario.game)

    def __bool__(self) -> bool:
        return self.legal

    def __repr__(self) -> str:
        told = "; ".join(map(str, self.violations))
        return f"<Verdict {'legal' if self.legal else f'illegal: {told}'}>"

    def chance_to_end(self, unit: str, hexes: Collection[str]) -> Fraction:
        """Return the probability that a unit ends in one of some hexes; 0 for a plan that is illegal."""
        if not self.legal:
            return Fraction(0)
        return self.probability_that(lambda position, _: position.at.get(unit) in hexes)

    @property
    def groups(self) -> CombinedOutcomes | None:
        """The outcomes, where they are those of groups of moves that have nothing to do with each other."""
        from planner.referee.combined_outcomes import CombinedOutcomes

        return self.outcomes if isinstance(self.outcomes, CombinedOutcomes) else None

    def all_outcomes(self) -> list[tuple[Position, Tally]]:
        """Return every position that the plan may lead to, with what has been spent.

        Raises
        ------
        TooManyOutcomesError
            If there are too many to be listed; `always` and `probability_that` may know all the same.
        """
        if not self.outcomes:
            return [(self.position, self.tally)]
        if self.groups is not None:
            self.groups.check_listed()
        return [(outcome.position, outcome.tally) for outcome in self.outcomes]

    def always(self, holds: Callable[[Position, Tally], bool], most: int | None = None) -> bool:
        """Tell whether something holds after the last move whatever is rolled; `most` as for `score`."""
        if self.groups is not None:
            return False not in self.groups.distribution(holds, most)
        return all(holds(position, tally) for position, tally in self.all_outcomes())

    def meets(self, requirement: Term, game: Game, most: int | None = None) -> bool:
        """Tell whether a requirement is fulfilled whatever is rolled; `most` as for `score`."""
        return all(self.always(partial(part.holds, game), most) for part in requirement.parts())

    def probability_that(self, holds: Callable[[Position, Tally], bool]) -> Fraction:
        """Return the probability that something holds after the last move."""
        if not self.outcomes:
            return Fraction(holds(self.position, self.tally))
        if self.groups is not None:
            return self.groups.distribution(holds).get(True, Fraction(0))
        likely = (one.probability for one in self.outcomes if holds(one.position, one.tally))
        return sum(likely, Fraction(0))

    @property
    def probability(self) -> Fraction:
        """The probability that all of the plan goes through."""
        if not self.outcomes:
            chances = () if self.complete else (one.chance for move in self.moves for one in move.rolls)
            return prod(chances, start=Fraction(1))
        if self.groups is not None:
            return self.groups.probability
        return sum((outcome.probability for outcome in self.outcomes if not outcome.failed), Fraction(0))

    @property
    def legal(self) -> bool:
        """Whether nothing is wrong."""
        return not self.violations


class IllegalPlanError(PlannerError):
    """A plan that was to be played breaks a rule.

    Parameters
    ----------
    verdict : Verdict
        The referee's verdict, with every violation.
    """

    def __init__(self, verdict: Verdict) -> None:
        self.verdict = verdict
        super().__init__("\n".join(str(violation) for violation in verdict.violations))
