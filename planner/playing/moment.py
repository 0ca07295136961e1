"""What a position that is played on is at one time, and what comes of a move, an attack or a roll."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import Any

from planner.errors import InputError, PlannerError, Problem
from planner.plans.plan import Move, Plan
from planner.playing.kept_lists import KeptLists, Team
from planner.reachability.conditional_reach import ConditionalReach
from planner.reachability.kept_reach import after_others
from planner.reachability.later_reach import later_reach
from planner.referee.referee import Referee, tally_of
from planner.referee.shared_steps import KnownSteps, Made, SharedSteps
from planner.referee.verdict import IllegalPlanError, PlayedMove, Verdict, Violation
from planner.scenario import Scenario
from planner.scenario.phase_in_progress import Making
from planner.world.declared_attack import DeclaredAttack
from planner.world.position import Position as Standing


@dataclass(frozen=True)
class RollOutcome:
    """What may come of a roll.

    Attributes
    ----------
    move : Move or DeclaredAttack
        The move, or the attack, as it has then been made. Of an attack, who may choose where to retreat goes the first way.
    probability : Fraction
        How likely it is.
    """

    move: Move | DeclaredAttack
    probability: Fraction

    @property
    def failed(self) -> bool:
        """Whether it is a move of which the last step has failed."""
        return isinstance(self.move, Move) and self.move.failed


class RollDueError(PlannerError):
    """Something must be rolled before anything else can be done."""


class NothingToRollError(PlannerError):
    """Nothing is to be rolled."""


MOST_REACHES = 8
"""How many positions whose steps have been listed a phase keeps, such as differ in more than where friends stand."""


MOST_KEPT = 1_000
"""How many moves a phase knows the consequences of, before it forgets those that it has known longest."""


class PlayedPhase:
    """What holds as long as a phase does: the scenario as it began, and who judges and makes moves."""

    def __init__(self, scenario: Scenario) -> None:
        self.scenario, self.game = scenario, scenario.game
        self.referee, self.making = Referee(scenario.game), Making(scenario.game)
        self.steps = KnownSteps(self.referee)
        self.lists = KeptLists()
        self._minding = tuple(way for way in self.game.rulebook.ways if way.minds_ways(self.game))
        self._reaches: dict[object, ConditionalReach] = {}
        self._kept = 0
        self._young: dict[Moment, None] = {}
        self._old: dict[Moment, None] = {}

    def reach_from(self, scenario: Scenario) -> ConditionalReach:
        """Return what units can do later in the phase; where only friends have moved, steps need not be listed again."""
        standing = scenario.start
        friends = self.game.friends  # what has been done to them shows in their traits, by which steps are known
        harmed = standing.bogged - friends, standing.demoralized - friends
        sets = (standing.failed, standing.used, standing.given.items(), standing.lost, *harmed)
        enemies = frozenset((unit, at) for unit, at in standing.at.items() if unit not in friends)
        taken = self.game.counted(standing.taken)
        ways = tuple(after_others(scenario.game, way) for way in self._minding)
        settled = (enemies, taken, ways, standing.committed, *map(frozenset, sets))
        known = self._reaches.get(settled)
        if known is not None:
            return known.elsewhere(scenario.game)
        found = later_reach(tuple(self._reaches.values()), scenario.game, self._minding)
        if len(self._reaches) >= MOST_REACHES:
            self._reaches.pop(next(iter(self._reaches)), None)
        self._reaches[settled] = found
        return found

    def keep(self, moment: Moment, number: int = 1) -> None:
        """Note that a moment has come to know what becomes of more moves; what has been known long is forgotten."""
        self._young[moment] = None
        self._kept += number
        if self._kept >= MOST_KEPT:
            old, self._old, self._young, self._kept = self._old, self._young, {}, 0
            for one in tuple(old):
                one.known.clear()
                one.listed.clear()

    def forget(self) -> None:
        """Forget what has only been kept to save time: the phase is over, and may be come back to at most."""
        for one in (*self._old, *self._young):
            one.known.clear()
            one.listed.clear()
        self._old, self._young, self._kept, self._reaches = {}, {}, 0, {}
        self.steps, self.lists = KnownSteps(self.referee), KeptLists()

    @cached_property
    def ground(self) -> dict[str, Any]:
        """What equal positions have in common besides who stands where and what has been done."""
        return {key: value for key, value in self.scenario.portable().items() if key not in _NO_MATTER}


_NO_MATTER = ("done", "title", "description", "source", "verdict", "answer", "defense")


@dataclass(frozen=True, eq=False)
class Moment:
    """What a position is at one time; never changed, so that copies may share it."""

    phase: PlayedPhase
    standing: Standing
    made: tuple[Move, ...] = ()
    attacks: tuple[DeclaredAttack, ...] = ()
    due: tuple[RollOutcome, ...] = ()
    rest: Move | None = None
    """What is left of the move that rolls if the roll goes well."""
    known: dict[Move | DeclaredAttack, Moment] = field(default_factory=dict)
    """What comes after moves that have been made here before."""
    listed: dict[Team, dict[Move, Made | None]] = field(default_factory=dict)
    """What becomes of moves that have been judged for lists already, by who makes them; None: they are illegal."""

    @property
    def steps(self) -> SharedSteps:
        """Who plays moves from here."""
        return SharedSteps(self.phase.referee, self.standing, self.phase.steps)

    def comes(self, made: Move | DeclaredAttack, following: Moment) -> Moment:
        """Keep in mind what comes after something, and return it."""
        self.known[made] = following
        self.phase.keep(self)
        return following

    @property
    def lists(self) -> KeptLists:
        """What has been judged in the phase."""
        return self.phase.lists

    def lists_moves(self, team: Team, judged: dict[Move, Made | None]) -> None:
        """Keep in mind what becomes of moves that have been judged, and of those that will be."""
        self.listed[team] = judged
        self.phase.keep(self, 1 + len(judged) // 20)  # what is known of a move is shared by all lists with it

    def becoming(self, move: Move) -> Made | None:
        """Return what becomes of a move, if it has been judged for a list already and is legal."""
        known = self.listed.get(move.units)
        return None if known is None else known.get(move)


def broken(now: Moment, move: Move, known: Made) -> list[Violation]:
    """Return what forbids a move that has been judged; one that has failed may be excused."""
    found = [*known.violations]
    if found and now.phase.making.excuses(move, found, now.standing):
        return []
    return found or if_it_fails(now, move, known.played)


def if_it_fails(now: Moment, move: Move, played: PlayedMove) -> list[Violation]:
    """Return what forbids a move for which is rolled, since it may end where it may not; confidence tells what may."""
    if not played.rolls or not now.phase.game.rulebook.halting:
        return []
    verdict = now.phase.referee.play(Plan((move,)), now.standing)
    return [one for one in verdict.violations if one.move is not None]


def after(now: Moment, move: Move) -> Moment:
    """Return what is after a move that has been made, with what was rolled."""
    standing = now.standing.copy()
    if wrong := now.phase.making.enter(move, standing):
        raise IllegalPlanError(Verdict(tuple(wrong), (), standing, tally_of(standing)))
    return Moment(now.phase, standing, (*now.made, move), now.attacks)


def made_plainly(now: Moment, move: Move, standing: Standing) -> Moment:
    """Return what is after a legal move for which nothing is rolled; who stands where after it is changed."""
    now.phase.making.note(move, now.standing, standing)
    return Moment(now.phase, standing, (*now.made, move), now.attacks)


def attacked(now: Moment, attack: DeclaredAttack) -> Moment:
    """Return what is after an attack that has been made, with its result."""
    standing = now.standing.copy()
    problems = now.phase.making.attack(attack, standing)
    if problems:
        raise InputError([Problem(what, str(attack)) for what in problems])
    return Moment(now.phase, standing, now.made, (*now.attacks, attack))


def committed(now: Moment, attacks: Sequence[Move | DeclaredAttack]) -> Moment:
    """Return what is after all attacks of a phase have been declared, before the first is rolled."""
    declared = [one for one in attacks if isinstance(one, DeclaredAttack)]
    if len(declared) < len(attacks):
        wrong = next(one for one in attacks if not isinstance(one, DeclaredAttack))
        raise InputError([Problem(f"must be an attack, not {str(wrong)[:60]!r}", "attacks")])
    standing = now.standing.copy()
    if problems := now.phase.making.declare(declared, standing):
        raise InputError([Problem(what, f"attacks{'' if at is None else f'[{at}]'}") for at, what in problems])
    return Moment(now.phase, standing, now.made, now.attacks)


def waiting(now: Moment, played: PlayedMove) -> Moment:
    """Return what is once a move has been begun for which something is rolled.

    Who may not stop where it is rolled for, or may not go on from there as it is written in another move, goes on at once if
    that goes well; whoever may can still think about it.
    """
    move, roll = played.move, played.rolls[0]
    last = len(move.path) - 1
    if roll.step == last:
        return Moment(now.phase, now.standing, now.made, now.attacks, _due(roll.results_of(move)))
    until, rest = move.until(roll.step), move.beyond(roll.step)
    if not played.fights_on_its_way and not _parts(now, until.as_made(), rest):
        return Moment(now.phase, now.standing, now.made, now.attacks, _due(played.results()))
    return Moment(now.phase, now.standing, now.made, now.attacks, _due(roll.results_of(until)), rest)


def _due(results: Sequence[tuple[tuple[Move, ...], Fraction]]) -> tuple[RollOutcome, ...]:
    return tuple(RollOutcome(made[0], chance) for made, chance in results if chance)


def _parts(now: Moment, until: Move, rest: Move) -> bool:
    """Tell whether a move may be made in two: up to a roll that goes well, and the rest, which is another move then.

    Where the whole of it began, the rest may not end as a matter of course.
    """
    there = now.standing.copy()
    if now.phase.making.make(until, there):
        return False
    return not now.phase.referee.play_move(rest, there, there.under_way.keys())[0]


def drawn(outcomes: tuple[RollOutcome, ...], dice: random.Random) -> RollOutcome:
    """Return one of the outcomes, each as often as its exact probability says."""
    common = lcm(*(one.probability.denominator for one in outcomes))
    number = dice.randrange(common)
    for one in outcomes:
        number -= int(one.probability * common)
        if number < 0:
            return one
    return outcomes[-1]
