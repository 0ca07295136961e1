"""What the rolls of a plan may lead to, on the referee alone: every outcome with its exact probability.

A step whose result is rolled goes through or fails. If it fails, its units stay where they made the attempt, and their move
is over. A later move that isn't legal then is not made. But only results whose probability reaches the scenario's confidence
may be relied upon: where any of the others fail, every later move must be legal all the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

from planner.errors import Problem, TooManyOutcomesError
from planner.objective import Tally
from planner.plans.plan import Move, Plan
from planner.referee.combined_outcomes import TOO_MANY, CombinedMove, Outcome, Result
from planner.referee.recording_position import SightMemory, change
from planner.referee.referee import Referee, tally_of
from planner.referee.verdict import PlayedMove, Roll, Violation
from planner.rules.combat_roles import Bogs, Fights
from planner.world.position import Position

MOST_OUTCOMES = 20_000

MANY_OUTCOMES = 16
"""From how many on it is worth while to remember what moves have come to: noting what they look at takes time, too.

Where so many are to be expected, what the first of them come to is remembered, too: that halves the time for 64 outcomes.
"""


class OutcomeBranch(NamedTuple):
    """Where some of the rolls have led to.

    Attributes
    ----------
    position : Position
        Who stands where.
    tally : Tally
        What has been spent.
    probability : Fraction
        How likely it is.
    failed : tuple of Result
        The results that have failed.
    other : bool
        Whether anything has come out otherwise than if all goes well.
    strays : int
        How many rolls have.
    made : tuple of CombinedMove
        Where part of a plan is gone through, what has become of each of its moves.
    """

    position: Position
    tally: Tally
    probability: Fraction = Fraction(1)
    failed: tuple[Result, ...] = ()
    other: bool = False
    strays: int = 0
    made: tuple[CombinedMove, ...] = ()


Done = tuple[list[Violation], PlayedMove]
"""What is wrong with a move, and what became of it."""


class Others(NamedTuple):
    """The moves of a plan of which nothing is rolled while others are gone through: what they do if all goes well.

    Attributes
    ----------
    memory : SightMemory
        What moves have come to.
    most : int
        How many outcomes there may be.
    runs : mapping from int to (int, tuple of CombinedMove, mapping)
        For the first of such moves that follow each other, the index of the next one that is gone through, what becomes of
        them, and what their units have spent then.
    """

    memory: SightMemory[Done]
    most: int
    runs: Mapping[int, tuple[int, tuple[CombinedMove, ...], Mapping[str, Fraction]]]


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
    others : Others, optional
        The moves that go well; violations aren't listed then.
    strays : int, optional
        Only list what is illegal where at most so many rolls come to something else than if all goes well, and none of
        these can be relied upon; None: go through all outcomes.

    Attributes
    ----------
    outcomes : tuple of Outcome
        Their probabilities add up to 1.
    probabilities : dict from Result to Fraction
        How likely each result is to go through, with everything on which it rests.
    violations : list of Violation
        What is illegal if results fail that may not be relied upon, once each.
    stumbles : bool
        Whether anything is illegal in any of them.
    disturbed : int or None
        Beside others, the first of these that was found not to do what it does if all goes well; then nothing is known.
    made : list of tuple of CombinedMove
        Beside others, what becomes of the moves in each outcome.

    Raises
    ------
    TooManyOutcomesError
        If there are more than `MOST_OUTCOMES`, or than may be beside others.
    """

    def __init__(
        self,
        referee: Referee,
        plan: Plan,
        start: Position,
        check_time: Callable[[], None] | None = None,
        others: Others | None = None,
        strays: int | None = None,
    ) -> None:
        # Moves are played on the position itself, not a copy: a referee that shares knows what it has played from it.
        self._referee, self._moves, self._start = referee, plan.moves, start
        self._check_time, self._others = check_time, others
        self._memory: SightMemory[Done] = SightMemory() if others is None else others.memory
        self._later = later_units(plan)
        # Each attempt may fail; those that can't are few where others can.
        self._many = others is not None or 2 ** sum(len(move.overruns) for move in plan.moves) >= MANY_OUTCOMES
        self._bogs = bool(referee.game.rulebook.of(Bogs))
        movers = [unit for move in plan.moves for unit in move.units]
        self._steady = not (referee.game.rulebook.of(Fights) or (self._bogs and len(set(movers)) < len(movers)))
        word = referee.game.rulebook.encounter
        self._attempt = f"{word} {'for' if word == 'combat' else 'of'}"
        self._found: list[Outcome] = []
        self._passed: dict[Result, Fraction] = {}
        self._seen: dict[object, Violation] = {}
        self._reliable: frozenset[Result] | None = None
        self.stumbles = False
        self.disturbed: int | None = None
        self.made: list[tuple[CombinedMove, ...]] = []
        begin = OutcomeBranch(start, tally_of(start, plan))
        self._strays = strays
        if strays is not None:
            self._reliable = frozenset()
        self._explore(0, begin)
        self.outcomes = tuple(self._found)
        self.probabilities: Mapping[Result, Fraction] = dict(self._passed)
        confidence = referee.game.situation.confidence
        if strays is not None:
            self.violations = list(self._seen.values())
            return
        # What was not come by, because something before it is illegal, is as doubtful as anything.
        self._reliable = frozenset(result for result, chance in self._passed.items() if chance >= confidence)
        if self.stumbles and others is None:  # otherwise nothing is illegal whatever fails
            self._explore(0, begin)
        self.violations = list(self._seen.values())

    def _explore(self, index: int, here: OutcomeBranch) -> None:
        """Go on from a move."""
        if self._check_time is not None:
            self._check_time()
        if self._others is not None and index in self._others.runs:
            if self.stumbles or self.disturbed is not None:
                return
            index, others, spent = self._others.runs[index]
            position = here.position.copy()
            for one in others:
                if one.sight is not None and not one.sight.is_seen_in(position):
                    self.disturbed = one.move
                    return
                change(position, one.changes)
            here = here._replace(position=position, tally=replace(here.tally, mp={**here.tally.mp, **spent}))
        if index == len(self._moves):
            self._end(here)
            return
        move = self._moves[index]
        after, (broken, played) = self._play(index, move, here)
        if broken and here.other:
            if self._reliable is None:
                self.stumbles = True
                self._explore(index + 1, here._replace(other=True))
                return
            self._note(broken, here.failed)
        for roll in played.rolls:
            if roll.results:
                less = self._other_results(index, roll, here)
                failed = here.failed if roll.results[0].good else (*here.failed, (index, roll.step))
                here = here._replace(probability=here.probability * less, failed=failed)
                continue
            if self._may_stray(index, roll, here):
                stuck, ending = self._stuck(move, roll, here, index)
                if self._reliable is None:
                    self.stumbles = self.stumbles or bool(ending)
                else:
                    self._note(ending, stuck.failed)
                self._explore(index + 1, stuck)
            here = here._replace(probability=here.probability * roll.chance)
            if self._reliable is None:
                result = (index, roll.step)
                self._passed[result] = self._passed.get(result, Fraction(0)) + here.probability
        gone_on = after._replace(probability=here.probability, failed=here.failed)
        self._explore(index + 1, _with(gone_on, played))

    def _may_stray(self, index: int, roll: Roll, here: OutcomeBranch, as_well: bool = False) -> bool:
        """Tell whether to look at another result of a roll than the first; `as_well`: it is as good as that.

        Where few strays are looked at, only where it is known that the result may not be relied upon. How likely an overrun
        is rests on who makes it, and on enemies whom nobody joins: whatever else fails, it is no likelier. A combat may be:
        who isn't driven back doesn't join those who are fought next. So may it be that a unit gets on whose dice depend on
        how many hexes it has entered, where it moves twice and the first move isn't made. Of these it is only known that
        they fail as often as they do here.
        """
        if self._strays is not None:
            most = roll.chance if self._steady else 1 - here.probability * (1 - roll.chance)
            return here.strays < self._strays and (as_well or most < self._referee.game.situation.confidence)
        return self._reliable is None or as_well or (index, roll.step) not in self._reliable

    def _end(self, here: OutcomeBranch) -> None:
        """Look at the position after the last move."""
        if self._reliable is None:
            self.stumbles = self.stumbles or (here.other and bool(self._referee.check_end(here.position)))
            position = here.position.copy() if here.position is self._start else here.position
            self._found.append(Outcome(here.probability, position, here.tally, here.failed))
            self.made.append(here.made)
            most = MOST_OUTCOMES if self._others is None else self._others.most
            if len(self._found) > most:
                raise TooManyOutcomesError([Problem(TOO_MANY.format(most), "moves")])
        elif here.other:
            self._note(self._referee.check_end(here.position), here.failed)

    def _other_results(self, index: int, roll: Roll, here: OutcomeBranch) -> Fraction:
        """Follow every result of a combat but the first, and return how likely that one is."""
        best = roll.results[0]
        key = index, roll.step
        for number, result in enumerate(roll.results[1:], 1):
            as_well = result.good == best.good
            if self._may_stray(index, roll, here, as_well):
                after, (broken, played) = self._play(index, self._moves[index], here, (roll.step, number))
                worse = here.failed if result.good else (*here.failed, key)
                halts = [one for one in broken if one.halt]
                if self._reliable is None:
                    self.stumbles = self.stumbles or bool(halts)
                else:
                    self._note(halts, worse)
                probability = here.probability * result.probability
                after = after._replace(probability=probability, failed=worse, other=True, strays=here.strays + 1)
                self._explore(index + 1, _with(after, played))
        if self._reliable is None:
            self._passed[key] = self._passed.get(key, Fraction(0)) + here.probability * roll.chance
        return best.probability

    def _play(
        self, index: int, move: Move, here: OutcomeBranch, result: tuple[int, int] | None = None
    ) -> tuple[OutcomeBranch, Done]:
        """Play a move; return where it leads to, what has been spent apart, what is wrong and what became of it.

        `result` tells of a step into a combat which of its results comes about.
        """
        position = here.position
        moved = [unit for unit in move.units if unit in here.tally.mp]
        results = {} if result is None else dict([result])

        def play(there: Position) -> Done:
            return self._referee.play_move(move, there, moved, index, self._later[index], results)

        if not self._many and len(self._found) < MANY_OUTCOMES:
            after, broken, played = self._referee.play_on(position, move, moved, index, self._later[index], results)
            return here._replace(position=after), (broken, played)
        key = move, index, result, tuple(moved)
        if self._others is None:
            after, done = self._memory.do(key, position, play)
            return here._replace(position=after), done
        sight, done, changes = self._memory.done(key, position, play)
        after = position.copy()
        change(after, changes)
        return here._replace(position=after, made=(*here.made, CombinedMove(index, changes, sight))), done

    def _stuck(self, move: Move, roll: Roll, here: OutcomeBranch, index: int) -> tuple[OutcomeBranch, list[Violation]]:
        """Return where an attempt leads to that has failed, and what forbids its units to end where they made it."""
        # Whoever may wait doesn't go on after it, and nobody tries the hex again where that is the rule.
        stuck, (broken, _) = self._play(index, replace(move.until(roll.step), failed=True), here)
        stuck = stuck._replace(
            tally=replace(here.tally, mp={**here.tally.mp, **dict(roll.spent)}),
            probability=here.probability * (1 - roll.chance),
            failed=(*here.failed, (index, roll.step)),
            other=True,
            strays=here.strays + 1,
        )
        return stuck, [one for one in broken if one.halt]

    def _note(self, broken: list[Violation], failed: tuple[Result, ...]) -> None:
        hexes = _counted(self._moves[move].path[step] for move, step in failed)
        for violation in broken:
            if not hexes:
                words = f"if a combat ends otherwise, {violation.message}"
            elif self._bogs:
                words = f"if a unit bogs down in {' and in '.join(hexes)}, {violation.message}"
            else:
                words = f"if the {self._attempt} {' and '.join(hexes)} fails, {violation.message}"
            self._seen.setdefault((violation.key, violation.blame), replace(violation, message=words))


def _counted(hexes: Iterable[str]) -> list[str]:
    """Return hexes, each with how often it is among them if it is more than once."""
    often = {1: "", 2: " (twice)"}
    return [f"{label}{often.get(many, f' ({many} times)')}" for label, many in Counter(hexes).items()]


def illegal_with_few_strays(referee: Referee, plan: Plan, start: Position) -> list[Violation]:
    """Return what is illegal if one roll, or if that does no harm, two, come to something else than if all goes well.

    That is known of plans whose outcomes are too many to be gone through, too. There may be more that is illegal. It takes
    its time, which a search doesn't have.
    """
    for strays in (1, 2):
        found = Outcomes(referee, plan, start, strays=strays).violations
        if found:
            return found
    return []


def _with(branch: OutcomeBranch, played: PlayedMove) -> OutcomeBranch:
    return branch._replace(tally=replace(branch.tally, mp={**branch.tally.mp, **dict(played.spent)}))


def later_units(plan: Plan) -> list[frozenset[str]]:
    """Return, for each move, the units that move after it."""
    every = [frozenset(move.units) for move in plan.moves]
    return [frozenset[str]().union(*every[index + 1 :]) for index in range(len(every))]
