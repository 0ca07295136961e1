"""A position in memory: moves and attacks are pushed and popped, dice rolled, phases ended."""

from __future__ import annotations

import random
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Self

from planner.arguments import as_scenario, ensure
from planner.errors import InputError, PlannerError, Problem
from planner.plans.plan import Move, Plan
from planner.playing.attacking import named, possible_results
from planner.playing.attacking_position import Attacking
from planner.playing.legal_moves import MoveGenerator, listed
from planner.playing.moment import (
    Moment,
    NothingToRollError,
    PlayedPhase,
    RollDueError,
    RollOutcome,
    after,
    attacked,
    broken,
    drawn,
    if_it_fails,
    made_plainly,
    waiting,
)
from planner.playing.position_text import from_word
from planner.playing.questions import Questions
from planner.referee.referee import tally_of
from planner.referee.shared_steps import Made
from planner.referee.verdict import IllegalPlanError, PlayedMove, Verdict, Violation
from planner.scenario import Scenario
from planner.scenario.next_phase import next_step
from planner.scenario.phase_in_progress import reached
from planner.world.declared_attack import DeclaredAttack


class Position(Attacking, Questions):
    """A position, and how it came about.

    Every method leaves the position as it was if it raises. Copies are independent; a position may be read, and copied,
    from several threads at once, but each is changed by one.

    Parameters
    ----------
    scenario : Scenario, str or Path
        Where to begin; its phase may be in progress.

    Raises
    ------
    InputError
        If the scenario can't be read.
    """

    def __init__(self, scenario: Scenario | str | Path) -> None:
        ensure(scenario=scenario)
        begin = as_scenario(scenario)
        self._now = Moment(PlayedPhase(begin), begin.start)
        self._trail: list[Moment] = []

    # -- what it is

    @property
    def scenario(self) -> Scenario:
        """The position as a scenario whose phase is in progress; anything can be asked of it."""
        now = self._now
        begin = now.phase.scenario
        same = not now.made and not now.attacks and now.standing.declared == begin.start.declared
        return begin if same else reached(begin, now.standing, now.made, now.attacks)

    @property
    def begin(self) -> Scenario:
        """The scenario with which its phase began."""
        return self._now.phase.scenario

    @property
    def side(self) -> str:
        """The side that moves."""
        return self._now.phase.game.situation.phasing

    @property
    def phase(self) -> str:
        """The phase."""
        return self._now.phase.game.situation.phase

    @property
    def turn(self) -> int | None:
        """The turn; None where neither the scenario nor the game so far has counted any."""
        return self._now.phase.game.situation.turn

    @property
    def at(self) -> dict[str, str]:
        """Who stands where: hexes by units."""
        return dict(self._now.standing.at)

    @property
    def made(self) -> tuple[Move, ...]:
        """The moves that have been made in this phase, with what was rolled."""
        return (*self._now.phase.scenario.done.moves, *self._now.made)

    @property
    def outcomes(self) -> tuple[RollOutcome, ...]:
        """What may come of the roll that is due; empty if none is."""
        return self._now.due

    @property
    def key(self) -> tuple[object, ...]:
        """What equal positions have in common, and no others: by it they may be kept in a dict."""
        now, situation = self._now, self._now.phase.game.situation
        due = (*(one.move for one in now.due), now.rest)
        return situation.phasing, situation.phase, situation.turn, now.standing.key, due

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position) or self.key != other.key:
            return False
        one, two = self._now.phase, other._now.phase
        return one is two or one.ground == two.ground

    def __hash__(self) -> int:
        return hash(self.key)

    def __len__(self) -> int:
        """Return how many pushes, rolls and ended phases can be popped."""
        return len(self._trail)

    def __repr__(self) -> str:
        made = f", {len(self.made)} made" if self.made else ""
        return f"<Position {self._now.phase.scenario.where}: {self.side}, {self.phase}{made}>"

    def copy(self) -> Position:
        """Return an independent position, with the same way back."""
        twin = Position.__new__(Position)
        twin._now, twin._trail = self._now, self._trail.copy()
        return twin

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Return the position that `to_text` wrote, without the way by which it came about.

        Raises
        ------
        InputError
            If it isn't one.
        """
        ensure(text=text)
        return cls(Scenario.from_dict(from_word(text)))

    # -- moves

    def legal_moves(
        self, units: str | None = None, *, to: str | None = None, stop: threading.Event | None = None
    ) -> Iterator[Move]:
        """Yield the moves that may be made now: to each other hex the cheapest way, then those that end with a fight.

        Rules that hold at the end of a phase, stacking for one, don't count yet: `problems` tells of them.

        Parameters
        ----------
        units : str, optional
            Whose moves: ``"a"``, or ``"a+b"`` for two who move together; by default each unit's of the side that moves.
        to : str, optional
            A hex: all moves that end or fight in it, and no others than such as lead to it or beside it; much cheaper.
        stop : threading.Event, optional
            Set it from another thread, and no more of them are listed.

        Raises
        ------
        InputError
            If there are no such units.
        RollDueError
            If a roll is due.
        OutOfTimeError
            If it was stopped.
        """
        ensure(**{name: value for name, value in (("units", units), ("to", to), ("stop", stop)) if value is not None})
        generator = self.generator(stop)
        team = () if units is None else tuple(one.strip() for one in units.split("+"))
        now = self._now
        found = listed(generator, now.standing, team, to)
        if not now.phase.game.rulebook.halting:
            return found
        return (move for move in found if not if_it_fails(now, move, now.steps.make(move).played))

    def generator(self, stop: threading.Event | None = None) -> MoveGenerator:
        """Return what lists moves now, before and after they are judged, until it is stopped.

        Raises
        ------
        RollDueError
            If a roll is due.
        """
        now = self._ensure_settled()
        return MoveGenerator(now.phase.reach_from(self.scenario), now, stop)

    def preview(self, move: Move) -> PlayedMove:
        """Return what becomes of a move that may be made now, as far as nothing is rolled for it.

        Raises
        ------
        InputError
            If it names what isn't there.
        """
        if not isinstance(move, Move):
            raise InputError([Problem(f"must be a Move, not {move!r:.60}", "move")])
        known = self._now.becoming(move)
        return (known or self._judged(move)).played

    def is_legal(self, move: Move | DeclaredAttack | str) -> bool:
        """Tell whether a move, or an attack, may be made now.

        Raises
        ------
        InputError
            If it isn't a move, or names what isn't there.
        """
        return not self.violations(move)

    def violations(self, move: Move | DeclaredAttack | str) -> list[Violation]:
        """Return what forbids a move, or an attack; empty if it may be made.

        Raises
        ------
        InputError
            If it isn't a move, or names what isn't there.
        RollDueError
            If a roll is due.
        """
        now, read = self._ensure_settled(), self._read(move)
        if isinstance(read, DeclaredAttack):
            return now.phase.referee.make_attack(read, now.standing.copy())
        return broken(now, read, self._judged(read))

    def push(self, move: Move | DeclaredAttack | str) -> None:
        """Make a move, or an attack. Where something is rolled for it that isn't written, `roll` comes next.

        Parameters
        ----------
        move : Move, DeclaredAttack or str
            The move; ``a 0101!0102`` has failed, ``a 0101x0102=0:1`` is what was drawn; a move whose `made` says so has
            gone through. Or an attack: ``a+b -> 0303``, with its result ``a+b -> 0303=DR e1 0303-0404``.

        Raises
        ------
        InputError
            If it isn't a move, or names what isn't there.
        IllegalPlanError
            If the rules forbid it.
        RollDueError
            If a roll is due.
        """
        self._ensure_settled()
        read = self._read(move)
        if isinstance(read, DeclaredAttack):
            self._attack(read)
        else:
            self._step(read)

    def _attack(self, attack: DeclaredAttack) -> None:
        """Make an attack, or declare one for which something is rolled."""
        now = self._now
        wrong = now.phase.referee.make_attack(attack, now.standing.copy())
        if wrong:
            raise IllegalPlanError(Verdict(tuple(wrong), (), now.standing, tally_of(now.standing)))
        if attack.result:
            self._enter(attacked(now, attack))
            return
        results = possible_results(now.phase.game, now.standing, attack)
        self._enter(replace(now, due=tuple(RollOutcome(one, chance) for one, chance in results), known={}, listed={}))

    def _step(self, move: Move) -> None:
        """Make a move, or begin one for which something is rolled."""
        now = self._now
        following = now.known.get(move)
        if following is None:
            known = now.becoming(move)
            if known is None:
                known = self._judged(move)
            if wrong := broken(now, move, known):
                raise IllegalPlanError(Verdict(tuple(wrong), (known.played,), now.standing, tally_of(now.standing)))
            rolls = known.played.rolls
            following = waiting(now, known.played) if rolls else made_plainly(now, move, known.after(now.standing))
            now.comes(move, following)
        self._enter(following)

    def _judged(self, move: Move) -> Made:
        self._ensure_named(move)
        return self._now.steps.make(move, once=True)

    def roll(self, dice: random.Random | None = None, result: Move | DeclaredAttack | str | None = None) -> RollOutcome:
        """Roll what is due, or enter what was rolled.

        Parameters
        ----------
        dice : random.Random, optional
            What rolls, by the exact probabilities; absent: Python's own.
        result : Move, DeclaredAttack or str, optional
            What was rolled at the table: one of `outcomes`, by its move; of an attack, with who went where.

        Returns
        -------
        RollOutcome
            What was rolled.

        Raises
        ------
        InputError
            If it isn't one of the outcomes.
        NothingToRollError
            If nothing is to be rolled.
        """
        if dice is not None:
            ensure(dice=dice)
        now = self._now
        if not now.due:
            raise NothingToRollError("nothing is to be rolled")
        found = drawn(now.due, dice or random.Random()) if result is None else named(now, str(result))
        before = self._now, self._trail.copy()
        following = now.known.get(found.move)
        if following is None:
            made = found.move
            following = attacked(now, made) if isinstance(made, DeclaredAttack) else after(now, made)
            now.comes(made, following)
        self._enter(following)
        if now.rest is not None and not found.failed:
            try:
                self._go_on(now.rest)
            except BaseException:
                self._now, self._trail = before
                raise
        return found

    def _go_on(self, rest: Move) -> None:
        """Go on with a move whose roll went well, unless it can't be gone on with; that is no further entry to pop."""
        rest = replace(
            rest, units=tuple(unit for unit in rest.units if self._now.standing.at.get(unit) == rest.path[0])
        )
        if rest.units and not self.violations(rest):
            trail = self._trail.copy()
            self._step(rest)
            self._trail = trail

    def pop(self) -> None:
        """Take back the last push, roll or end of a phase.

        Raises
        ------
        PlannerError
            If there is nothing to take back.
        """
        if not self._trail:
            raise PlannerError("there is nothing to take back")
        self._now = self._trail.pop()

    @property
    def can_take_back(self) -> bool:
        """Whether a player could take back the last thing done: within the phase, and before anything was rolled for it."""
        last = self._trail[-1] if self._trail else None
        return last is not None and last.phase is self._now.phase and not last.due and not self._now.due

    # -- phases

    def problems(self) -> list[Violation]:
        """Return what forbids to end the phase now, attacks that must still be made among it; empty if it may end."""
        self._ensure_settled()
        return [*self._now.phase.referee.check_end(self._now.standing), *self.attacks_due()]

    def end_phase(self) -> None:
        """End the phase: the next step of the turn begins, of this side or another, or the next turn.

        Raises
        ------
        IllegalPlanError
            If something forbids it.
        RollDueError
            If a roll is due.
        InputError
            If the scenario can't be gone on with.
        """
        broken, standing = self.problems(), self._now.standing
        if broken:
            raise IllegalPlanError(Verdict(tuple(broken), (), standing, tally_of(standing)))
        later = next_step(self._now.phase.scenario, standing)
        self._now.phase.forget()
        self._enter(Moment(PlayedPhase(later), later.start))

    # -- within

    @property
    def settled(self) -> Scenario:
        """The scenario of what is left of the phase.

        Raises
        ------
        RollDueError
            If a roll is due.
        """
        self._ensure_settled()
        return self.scenario

    def _ensure_named(self, move: Move) -> None:
        """Ensure that a move, which nobody has read, is one of units that are here, to places that are on the map."""
        standing, phase = self._now.standing, self._now.phase
        if not (standing.at.keys() >= set(move.units) and all(label in phase.game.board for label in move.path)):
            replace(phase.scenario, start=standing).check_names(Plan((move,)), "move")

    def _ensure_settled(self) -> Moment:
        if self._now.due:
            listed = ", ".join(f"{one.move} ({one.probability})" for one in self._now.due)
            raise RollDueError(f"a roll is due first: {listed}")
        return self._now

    def _enter(self, moment: Moment) -> None:
        self._trail.append(self._now)
        self._now = moment

    def _read(self, move: Move | DeclaredAttack | str) -> Move | DeclaredAttack:
        if isinstance(move, Move):
            return move
        as_it_stands = replace(self._now.phase.scenario, start=self._now.standing)
        if isinstance(move, DeclaredAttack):
            as_it_stands.check_names(Plan((), (move,)), "move")
            return move
        ensure(move=move)
        plan = Plan.read([move], as_it_stands, "move")
        attacks = plan.attacks or ()
        if len(plan.moves) + len(attacks) != 1:
            raise InputError([Problem("must be a move or an attack", "move")])
        return plan.moves[0] if plan.moves else attacks[0]
