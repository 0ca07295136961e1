"""What the rolls of a plan may lead to, on the referee alone: every outcome with its exact probability.

A step whose result is rolled goes through or fails. If it fails, its units stay where they made the attempt, and their move
is over. A later move that isn't legal then is not made. But only results whose probability reaches the scenario's confidence
may be relied upon: where any of the others fail, every later move must be legal all the same.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction

from planner.errors import Problem, TooManyOutcomesError
from planner.objective import Tally
from planner.plans.plan import Move, Plan
from planner.referee.recording_position import Memory
from planner.referee.referee import Referee, tally_of
from planner.referee.verdict import Outcome, PlayedMove, Result, Roll, Violation
from planner.rules.combat_roles import Bogs
from planner.world.position import Position

MOST_OUTCOMES = 20_000

MANY_OUTCOMES = 16
"""From how many on it is worth while to remember what moves have come to: noting what they look at takes time, too.

Where so many are to be expected, what the first of them come to is remembered, too: that halves the time for 64 outcomes.
"""


class Outcomes:
    """Every outcome of a plan.

    Parameters
    ----------
    referee : Referee
        Plays the moves.
    plan : Plan
        The plan; illegal moves are played as written as long as nothing has failed.
    start : Position
        Who stands where when the phase begins; left as it is.
    check_time : callable, optional
        Raises something when the time is up; called all the time.

    Attributes
    ----------
    outcomes : tuple of Outcome
        Their probabilities add up to 1.
    probabilities : dict from Result to Fraction
        How likely each result is to go through, with everything on which it rests.
    violations : list of Violation
        What is illegal if results fail that may not be relied upon, once each.

    Raises
    ------
    TooManyOutcomesError
        If there are more than `MOST_OUTCOMES`.
    """

    def __init__(
        self, referee: Referee, plan: Plan, start: Position, check_time: Callable[[], None] | None = None
    ) -> None:
        # Moves are played on the position itself, not a copy: a referee that shares knows what it has played from it.
        self._referee, self._moves, self._start = referee, plan.moves, start
        self._check_time = check_time
        self._memory: Memory[tuple[list[Violation], PlayedMove]] = Memory()
        self._later = [
            frozenset(unit for other in plan.moves[index + 1 :] for unit in other.units)
            for index in range(len(plan.moves))
        ]
        # Each attempt may fail; those that can't are few where others can.
        self._many = 2 ** sum(len(move.overruns) for move in plan.moves) >= MANY_OUTCOMES
        self._bogs = bool(referee.game.rulebook.of(Bogs))
        word = referee.game.rulebook.encounter
        self._attempt = f"{word} {'for' if word == 'combat' else 'of'}"
        self._found: list[Outcome] = []
        self._passed: dict[Result, Fraction] = {}
        self._seen: dict[object, Violation] = {}
        self._reliable: frozenset[Result] | None = None
        self._stumbles = False
        self._explore(0, start, tally_of(start, plan), Fraction(1), (), False)
        self.outcomes = tuple(self._found)
        self.probabilities: Mapping[Result, Fraction] = dict(self._passed)
        confidence = referee.game.situation.confidence
        # What was not come by, because something before it is illegal, is as doubtful as anything.
        self._reliable = frozenset(result for result, chance in self._passed.items() if chance >= confidence)
        if self._stumbles:  # otherwise nothing is illegal whatever fails
            self._explore(0, start, tally_of(start, plan), Fraction(1), (), False)
        self.violations = list(self._seen.values())

    def _explore(
        self,
        index: int,
        position: Position,
        tally: Tally,
        probability: Fraction,
        failed: tuple[Result, ...],
        other: bool,
    ) -> None:
        """Go on from a move; `other` tells whether anything has come out otherwise than if all goes well."""
        if self._check_time is not None:
            self._check_time()
        if index == len(self._moves):
            if self._reliable is None:
                self._stumbles = self._stumbles or (other and bool(self._referee.check_end(position)))
                here = position.copy() if position is self._start else position
                self._found.append(Outcome(probability, here, tally, failed))
                if len(self._found) > MOST_OUTCOMES:
                    what = f"a plan must have at most {MOST_OUTCOMES} outcomes of its rolls"
                    raise TooManyOutcomesError([Problem(what, "moves")])
            elif other:
                self._note(self._referee.check_end(position), failed)
            return
        move = self._moves[index]
        after, (broken, played) = self._play(index, move, position, tally)
        if broken and other:
            if self._reliable is None:
                self._stumbles = True
                self._explore(index + 1, position, tally, probability, failed, True)
                return
            self._note(broken, failed)
        for roll in played.rolls:
            if roll.results:
                probability *= self._other_results(index, roll, position, tally, probability, failed)
                failed = failed if roll.results[0].good else (*failed, (index, roll.step))
                continue
            if self._reliable is None or (index, roll.step) not in self._reliable:
                stuck, spent, ending = self._stuck(move, roll, position, tally, index)
                if self._reliable is None:
                    self._stumbles = self._stumbles or bool(ending)
                else:
                    self._note(ending, (*failed, (index, roll.step)))
                self._explore(
                    index + 1, stuck, spent, probability * (1 - roll.chance), (*failed, (index, roll.step)), True
                )
            if self._reliable is None:
                probability *= roll.chance
                result = (index, roll.step)
                self._passed[result] = self._passed.get(result, Fraction(0)) + probability
        self._explore(index + 1, after, _with(tally, played), probability, failed, other)

    def _other_results(
        self,
        index: int,
        roll: Roll,
        position: Position,
        tally: Tally,
        probability: Fraction,
        failed: tuple[Result, ...],
    ) -> Fraction:
        """Follow every result of a combat but the first, and return how likely that one is."""
        best = roll.results[0]
        key = index, roll.step
        for number, result in enumerate(roll.results[1:], 1):
            as_well = result.good == best.good
            if self._reliable is None or as_well or key not in self._reliable:
                after, (_, played) = self._play(index, self._moves[index], position, tally, (roll.step, number))
                worse = failed if result.good else (*failed, key)
                self._explore(index + 1, after, _with(tally, played), probability * result.probability, worse, True)
        if self._reliable is None:
            self._passed[key] = self._passed.get(key, Fraction(0)) + probability * roll.chance
        return best.probability

    def _play(
        self, index: int, move: Move, position: Position, tally: Tally, result: tuple[int, int] | None = None
    ) -> tuple[Position, tuple[list[Violation], PlayedMove]]:
        """Play a move; return the position after it, what is wrong and what became of it.

        `result` tells of a step into a combat which of its results comes about.
        """
        moved = [unit for unit in move.units if unit in tally.mp]
        results = {} if result is None else dict([result])

        def play(there: Position) -> tuple[list[Violation], PlayedMove]:
            return self._referee.play_move(move, there, moved, index, self._later[index], results)

        if not self._many and len(self._found) < MANY_OUTCOMES:
            after, broken, played = self._referee.play_on(position, move, moved, index, self._later[index], results)
            return after, (broken, played)
        return self._memory.do((move, index, result, tuple(moved)), position, play)

    def _stuck(
        self, move: Move, roll: Roll, position: Position, tally: Tally, index: int
    ) -> tuple[Position, Tally, list[Violation]]:
        """Return the position in which an attempt has failed, and what forbids its units to end where they made it."""
        stuck, broken = position, list[Violation]()
        if position.in_hand is not None:
            stuck = position.copy()
            stuck.in_hand = None
        last = roll.step if roll.bogs else roll.step - 1
        if last:
            stuck, (broken, _) = self._play(index, replace(move.until(last), failed=roll.bogs), position, tally)
        return stuck, replace(tally, mp={**tally.mp, **dict(roll.spent)}), [one for one in broken if one.halt]

    def _note(self, broken: list[Violation], failed: tuple[Result, ...]) -> None:
        hexes = [self._moves[move].path[step] for move, step in failed]
        for violation in broken:
            if not hexes:
                words = f"if a combat ends otherwise, {violation.message}"
            elif self._bogs:
                words = f"if a unit bogs down in {' and in '.join(hexes)}, {violation.message}"
            else:
                words = f"if the {self._attempt} {' and '.join(hexes)} fails, {violation.message}"
            self._seen.setdefault((violation.key, violation.blame), replace(violation, message=words))


def _with(tally: Tally, played: PlayedMove) -> Tally:
    return replace(tally, mp={**tally.mp, **dict(played.spent)})
