"""What people do: one unit after another; and what a programmer does first: random-restart local search.

Both see what a unit can do on the board as it stands, by the planner's steps, and have the referee play and judge each move
before they keep it. Where units may overrun only together, or for a roll, they make plain moves alone.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from peers.task import Task
from planner.objective import Tally, Term
from planner.objective.costs import MpSpent, UnitsMoved
from planner.objective.goals import Eliminate, End, Hold
from planner.objective.scoring import score_position, tier_values
from planner.plans.plan import Move, Plan
from planner.reachability.conditional_reach import ConditionalReach
from planner.reachability.possibility import Possibility
from planner.referee.referee import Referee
from planner.rules.atoms import Atom, Carried, Foremost, Friend, Gone, There, Vacant
from planner.rules.demands import control_of
from planner.scenario import Scenario
from planner.world.forces import Unit
from planner.world.position import Position

Value = tuple[Fraction, ...]


@dataclass
class State:
    """A plan so far, and the position after it.

    Attributes
    ----------
    faults : int
        What would be wrong if nobody else moved: a position may begin with more in a hex than may stay there.
    """

    moves: list[Move]
    position: Position
    tally: Tally
    value: Value
    faults: int = 0

    @property
    def rank(self) -> tuple[int, Value]:
        """By which states are compared."""
        return -self.faults, self.value

    def copy(self) -> State:
        """Return a state that can be changed without changing this one."""
        return State(list(self.moves), self.position.copy(), Tally(dict(self.tally.mp)), self.value, self.faults)


class Worth:
    """Tells fast by how much a move would change each tier, for the kinds of terms that most objectives are made of.

    Attributes
    ----------
    known : bool
        Whether all terms are of such kinds.
    """

    def __init__(self, scenario: Scenario) -> None:
        self._game, count = scenario.game, len(scenario.tiers)
        self._none = [0] * count
        self._hold: dict[str, list[tuple[int, int, Hold]]] = {}
        self._end: dict[tuple[str, str], list[tuple[int, int]]] = {}
        self._kill: dict[str, list[tuple[int, int]]] = {}
        self._spent: list[tuple[int, int, Term]] = []
        self.known = True
        for tier, terms in enumerate(tier.terms for tier in scenario.tiers):
            for term in terms:
                worth = term.weight * term.sign
                if isinstance(term, Hold):
                    for label in term.hexes:
                        self._hold.setdefault(label, []).append((tier, worth, term))
                elif isinstance(term, Eliminate):
                    for enemy in term.units:
                        self._kill.setdefault(enemy, []).append((tier, worth))
                elif isinstance(term, End):
                    for label in dict.fromkeys(term.at):
                        self._end.setdefault((term.unit, label), []).append((tier, worth))
                elif isinstance(term, (MpSpent, UnitsMoved)):
                    self._spent.append((tier, worth, term))
                else:
                    self.known = False

    def change(self, position: Position, unit: str, choice: Possibility) -> list[Fraction | int]:
        """Return the change of each tier if the unit makes the move."""
        found: list[Fraction | int] = list(self._none)
        here, there, counter = position.at[unit], choice.end, self._game.units[unit]
        if here != there:
            for label, sign in ((here, -1), (there, 1)):
                for tier, worth, term in self._hold.get(label, ()):
                    if term.by.matches(counter) and not any(
                        other != unit and other in self._game.friends and term.by.matches(self._game.units[other])
                        for other in position.units_in(label)
                    ):
                        found[tier] += sign * worth
                for tier, worth in self._end.get((unit, label), ()):
                    found[tier] += sign * worth
        for enemy in choice.removes:
            if enemy in position.at:
                for tier, worth in self._kill.get(enemy, ()):
                    found[tier] += worth
        for tier, worth, term in self._spent:
            if term.of.matches(counter):
                found[tier] += worth * (choice.mp if isinstance(term, MpSpent) else 1)
        return found


class Board:
    """Plays moves and lists what a unit can do next."""

    def __init__(self, scenario: Scenario) -> None:
        self.scenario, self.game = scenario, scenario.game
        self.referee = Referee(self.game)
        self.reach = ConditionalReach(self.game)
        self.movers = self.reach.movers
        self._worth = Worth(scenario)

    def begin(self) -> State:
        """Return the state before the first move."""
        position, tally = self.scenario.start.copy(), Tally()
        return State([], position, tally, self.value(position, tally), len(self.referee.check_end(position)))

    def value(self, position: Position, tally: Tally) -> Value:
        """Return what each tier is worth."""
        return tier_values(self.scenario.tiers, score_position(self.game, self.scenario.tiers, position, tally))

    def choices(self, state: State, unit: str) -> list[Possibility]:
        """Return what a unit that hasn't moved can do now, as far as one can see without playing it."""
        position = state.position

        def truth(one: Unit, atom: Atom) -> bool | None:
            if isinstance(atom, Gone):
                if atom.enemy in self.game.units:
                    return atom.enemy not in position.at
                return atom.enemy in position.lost or any(control_of(label) == atom.enemy for label in position.taken)
            if isinstance(atom, (Friend, Vacant)):
                group = self.reach.group(atom.group)
                there = any(other in group and other != one.id for other in position.units_in(atom.hex))
                return there == isinstance(atom, Friend)
            return isinstance(atom, (There, Carried, Foremost))

        return self.reach.possibilities(unit, truth) if unit in position.at else []

    def play(self, state: State, move: Move) -> bool:
        """Play a move on a state; tell whether it was legal, and left the position after it no worse."""
        broken, played = self.referee.play_move(move, state.position, state.tally.mp.keys(), len(state.moves))
        faults = len(self.referee.check_end(state.position))
        if broken or faults > state.faults:
            return False
        state.faults = faults
        state.moves.append(move)
        state.tally.mp.update(played.spent)
        state.value = self.value(state.position, state.tally)
        return True

    def improve(self, state: State, unit: str, rng: random.Random | None = None, idly: bool = False) -> State | None:
        """Return the state after the best legal move of a unit; None if no move betters anything.

        `rng` breaks ties at random; `idly` takes any legal move, for what it may open to others: mostly one into an EZOC,
        where a unit that stops lets others pass.
        """
        ranked = []
        for number, choice in enumerate(self.choices(state, unit)):
            ranked.append((self._value_after(state, choice), rng.random() if rng else -number, choice))
        if idly and rng:
            rng.shuffle(ranked)
            if rng.random() < 0.8:
                ranked.sort(key=lambda entry: not entry[2].stop)
        else:
            ranked.sort(key=lambda entry: entry[:2], reverse=True)
        for value, _, choice in ranked[:8]:
            if not idly and value <= state.value and not state.faults:
                return None
            further = state.copy()
            if self.play(further, self._move(state, choice)) and (idly or further.rank > state.rank):
                return further
        return None

    def _value_after(self, state: State, choice: Possibility) -> Value:
        """Return what each tier would be worth after a move, before anybody has judged it."""
        if self._worth.known:
            change = self._worth.change(state.position, choice.unit, choice)
            return tuple(was + more for was, more in zip(state.value, change, strict=True))
        after, tally = state.position.copy(), Tally({**state.tally.mp, choice.unit: choice.mp})
        after.move(choice.unit, choice.end)
        for enemy in choice.removes:
            if enemy in after.at:
                after.remove(enemy, "")
        return self.value(after, tally)

    def _move(self, state: State, choice: Possibility) -> Move:
        there = state.position.at
        overruns = frozenset(
            step for step in choice.overruns if any(e in there for e in self.game.enemies_at(choice.path[step]))
        )
        return Move((choice.unit,), choice.path, overruns, tuple((step, "") for step, _ in choice.carried))

    def replay(self, moves: Iterable[Move]) -> State:
        """Play moves from the start, without those that have become illegal."""
        state = self.begin()
        for move in moves:
            further = state.copy()
            if self.play(further, move):
                state = further
        return state


def one_after_another(
    board: Board, task: Task, state: State, order: Iterable[str], rng: random.Random | None = None
) -> State:
    """Let each unit that hasn't moved make its best move, again until nobody has one."""
    left = [unit for unit in order if unit not in state.tally.mp]
    while left and task.left() > 0.3:
        still = []
        for unit in left:
            further = board.improve(state, unit, rng) if task.left() > 0.3 else None
            if further is None:
                still.append(unit)
            else:
                state = further
        if len(still) == len(left):
            break
        left = still
    return state


def greedy(task: Task) -> None:
    """One unit after another, in the order of the scenario."""
    scenario = task.load()
    with task.phase("solve"):
        board = Board(scenario)
        state = one_after_another(board, task, board.begin(), board.movers)
    _finish(task, scenario, state)


def local(task: Task) -> None:
    """Take moves back, make others; begin anew from a random order when nothing has got better for long."""
    scenario = task.load()
    rng = random.Random(f"local search {task.seed}")
    with task.phase("solve"):
        board = Board(scenario)
        best = one_after_another(board, task, board.begin(), board.movers)
        if not best.faults:
            task.note(best.value)
        state, dry = best, 0
        while task.left() > 0.5 and board.movers:
            if dry > 20 + 2 * len(board.movers):
                order = list(board.movers)
                rng.shuffle(order)
                state, dry = one_after_another(board, task, board.begin(), order, rng), 0
            else:
                other = _changed(board, task, state, rng)
                dry = 0 if other.rank > state.rank else dry + 1
                # What is worth as much in the first tier may open the way to more.
                alike = (other.faults, other.value[:1]) == (state.faults, state.value[:1])
                if other.rank >= state.rank or (alike and rng.random() < 0.2):
                    state = other
            if state.rank > best.rank:
                best = state
                if not best.faults:
                    task.note(best.value)
    _finish(task, scenario, best)


def _changed(board: Board, task: Task, state: State, rng: random.Random) -> State:
    """Return a neighbour: a few moves taken back, perhaps one made for others' sake, and then the best for some units."""
    unmoved = [unit for unit in board.movers if unit not in state.tally.mp]
    back = {move.units[0] for move in rng.sample(state.moves, min(len(state.moves), rng.randint(1, 3)))}
    other = board.replay(move for move in state.moves if move.units[0] not in back)
    if rng.random() < 0.6 and (free := [unit for unit in board.movers if unit not in other.tally.mp]):
        other = board.improve(other, rng.choice(free), rng, idly=True) or other
    few = [*back, *rng.sample(unmoved, min(len(unmoved), 8))]
    rng.shuffle(few)
    return one_after_another(board, task, other, few, rng)


def _finish(task: Task, scenario: Scenario, state: State) -> None:
    """Answer with a plan, unless it leaves a requirement open."""
    game = scenario.game
    open_ones = [r for r in scenario.requirements if r.score(game, state.position, state.tally) < r.full(game)]
    if open_ones or state.faults:
        task.finish(scenario, "unknown", None, note="leaves a requirement open, or a position that isn't legal")
    else:
        task.finish(scenario, "feasible", Plan(tuple(state.moves)))
