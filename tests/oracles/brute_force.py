"""Brute force over orders and paths, on the referee alone: no reach, no solver.

A state is where every unit of the phasing side stands, which enemies are dead and which units have moved. A search goes
forward from the start, one move at a time, through every path that the referee lets pass, and keeps for each state the least
MP cost, as the tiers of the objective see it. Since tiers are compared lexicographically and MP add up, the lexicographic
order of these costs is the right one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import permutations
from math import prod

from planner.objective import Tally
from planner.objective.costs import MpSpent
from planner.objective.scoring import Value, score_position, tier_values
from planner.plans.plan import Plan
from planner.referee.referee import Referee
from planner.rules.play import MoveInPlay
from planner.scenario import Scenario
from planner.world.forces import Unit
from planner.world.position import Position, Stop

State = tuple[tuple[str, ...], frozenset[str], int]
"""Where the own units stand, which enemies are dead, and a bit for each own unit that has moved."""


class TooManyStatesError(Exception):
    """The position is too large for brute force."""


class BruteForce:
    """The best that a position offers, found by trying everything.

    Parameters
    ----------
    scenario : Scenario
        The position.
    cap : int
        The number of states beyond which it gives up.
    memo : bool
        Whether a step is tried once for all states that agree on what lies in its two hexes, on the dead and on the mover;
        and a move once for all that agree on the hexes and classes of the friends, and on how many there are of each, which
        limits on stacks count. Without it, everything is tried anew.

    Raises
    ------
    TooManyStatesError
        By its methods, if there are more states.
    """

    def __init__(self, scenario: Scenario, cap: int = 1_000_000, memo: bool = True) -> None:
        self._scenario = scenario
        self._game = scenario.game
        self._referee = Referee(scenario.game)
        self._cap = cap
        self._memo = memo
        self._own = tuple(unit for unit in scenario.start.at if unit in self._game.friends)
        self._enemies = {u: at for u, at in scenario.start.at.items() if u not in self._game.friends}
        self._class = [_class_of(self._game.units[unit]) for unit in self._own]
        self._steps: dict[object, tuple[Fraction, tuple[str, ...], tuple[Stop, ...]] | None] = {}
        self._prices: dict[tuple[int, Fraction], Value] = {}
        self._moves: dict[object, list[tuple[str, frozenset[str], Fraction]]] = {}

    def run(self) -> Value | None:
        """Return the optimal value of each tier, or None if no plan fulfils the requirements."""
        return self._best(self.reached())

    def reached(self, depth: int | None = None) -> dict[State, Value]:
        """Return every state that so many legal moves lead to, with what its MP add to each tier at best."""
        start: State = (tuple(self._scenario.start.at[unit] for unit in self._own), frozenset(), 0)
        level: dict[State, Value] = {start: (Fraction(0),) * len(self._scenario.tiers)}
        found = dict(level)
        while level and depth != 0:
            depth = None if depth is None else depth - 1
            following: dict[State, Value] = {}
            for state, cost in level.items():
                for successor, price in self._successors(state):
                    total = tuple(a + b for a, b in zip(cost, price, strict=True))
                    known = following.get(successor)
                    if known is None or total > known:
                        following[successor] = total
                if len(found) + len(following) > self._cap:
                    raise TooManyStatesError
            found |= following
            level = following
        return found

    def outlook(self, depth: int) -> tuple[list[tuple[str, str]], list[str], int]:
        """Look so many moves ahead.

        Returns
        -------
        list of (str, str)
            The (unit, hex) pairs of ends that need two moves at least.
        list of str
            The enemies whose elimination does.
        int
            How many states there would be if each unit could get to its ends whatever the others do.
        """
        ends: tuple[set[tuple[str, str]], set[tuple[str, str]]] = set(), set()
        dead: tuple[set[str], set[str]] = set(), set()
        for places, gone, moved in self.reached(depth):
            together = moved.bit_count() > 1
            ends[together].update(zip(self._own, places, strict=True))
            dead[together].update(gone)
        either = ends[0] | ends[1]
        states = 2 ** len(dead[0] | dead[1]) * prod(1 + sum(unit == u for u, _ in either) for unit in self._own)
        return sorted(ends[1] - ends[0]), sorted(dead[1] - dead[0]), states

    def _best(self, found: dict[State, Value]) -> Value | None:
        """Return the best value over the states in which the phase may end."""
        valued = []
        for state, cost in found.items():
            position, tally = self._position(state), self._tally(state)
            terms = score_position(self._game, self._scenario.tiers, position, tally)
            worth = tier_values(self._scenario.tiers, terms)
            valued.append((tuple(a + b for a, b in zip(worth, cost, strict=True)), state))
        valued.sort(key=lambda pair: pair[0], reverse=True)
        return next((value for value, state in valued if self._may_end(state)), None)

    def _may_end(self, state: State) -> bool:
        position, tally = self._position(state), self._tally(state)
        return not self._referee.check_end(position) and all(
            term.score(self._game, position, tally) >= term.full(self._game) for term in self._scenario.requirements
        )

    def _tally(self, state: State) -> Tally:
        """Return a tally in which every move was free: MP are counted move by move."""
        return Tally({unit: Fraction(0) for i, unit in enumerate(self._own) if state[2] >> i & 1})

    def _position(self, state: State, moving: int | None = None, at: str = "") -> Position:
        places = dict(zip(self._own, state[0], strict=True))
        if moving is not None:
            places[self._own[moving]] = at
        places |= {enemy: home for enemy, home in self._enemies.items() if enemy not in state[1]}
        return Position(places, dict.fromkeys(state[1], "gone"))

    # -- moves

    def _successors(self, state: State) -> Iterator[tuple[State, Value]]:
        places, _, moved = state
        for index in range(len(self._own)):
            if not moved >> index & 1:
                for end, gone, mp in self._moves_of(index, state):
                    ended = (*places[:index], end, *places[index + 1 :])
                    yield (ended, gone, moved | 1 << index), self._price(index, mp)

    def _price(self, index: int, mp: Fraction) -> Value:
        """Return what the MP of one move contribute to each tier."""
        if (index, mp) in self._prices:
            return self._prices[index, mp]
        tally = Tally({self._own[index]: mp})
        price = self._prices[index, mp] = tuple(
            sum(
                (
                    term.score(self._game, self._scenario.start, tally) * term.weight * term.sign
                    for term in tier.terms
                    if isinstance(term, MpSpent)
                ),
                Fraction(0),
            )
            for tier in self._scenario.tiers
        )
        return price

    def _moves_of(self, index: int, state: State) -> list[tuple[str, frozenset[str], Fraction]]:
        """List (end, dead enemies, least MP) for every move of a unit."""
        places, dead, _ = state
        others = Counter((places[i], self._class[i]) for i in range(len(self._own)) if i != index)
        key = (index, places[index], dead, frozenset(others.items()))
        if not self._memo or key not in self._moves:
            self._moves[key] = list(self._try_paths(index, state))
        return self._moves[key]

    def _try_paths(self, index: int, state: State) -> Iterator[tuple[str, frozenset[str], Fraction]]:
        """Walk every path of a unit; of two ways into the same standing, only the cheaper one goes on."""
        places, dead, _ = state
        unit, home = self._game.units[self._own[index]], places[index]
        play = MoveInPlay(self._game, self._position(state), unit, home, home)
        if any(finding for rule in self._game.rulebook.rules for finding in rule.check_pick_up(play)):
            return
        standing: dict[tuple[str, frozenset[str], tuple[Stop, ...], bool], Fraction] = {
            (home, dead, (), True): Fraction(0)
        }
        queue = list(standing)
        while queue:
            here = queue.pop()
            label, gone, stops, first = here
            spent = standing[here]
            for to in self._game.board.neighbours[label]:
                living = any(home == to and enemy not in gone for enemy, home in self._enemies.items())
                for overrun in (False, True) if living else (False,):
                    made = self._step(index, (places, gone, 0), label, to, overrun, first, spent, stops)
                    if made is None:
                        continue
                    total, removed, new_stops = made
                    there = (to, gone.union(removed), new_stops, False)
                    if there not in standing or total < standing[there]:
                        standing[there] = total
                        queue.append(there)
        ends: dict[tuple[str, frozenset[str]], Fraction] = {}
        for (label, gone, _, first), spent in standing.items():
            if not first and spent < ends.get((label, gone), spent + 1):
                ends[label, gone] = spent
        for (label, gone), spent in ends.items():
            play.position = self._position((places, gone, 0), index, label)
            if label == home or not self._referee.findings_at_end([play], label):
                yield label, gone, spent

    def _step(
        self,
        index: int,
        state: State,
        origin: str,
        to: str,
        overrun: bool,
        first: bool,
        spent: Fraction,
        stops: tuple[Stop, ...],
    ) -> tuple[Fraction, tuple[str, ...], tuple[Stop, ...]] | None:
        """Have the referee make a step: MP spent, enemies removed and stops; None if it is forbidden."""
        nearby = Counter(
            (place, self._class[i]) for i, place in enumerate(state[0]) if i != index and place in (origin, to)
        )
        near = frozenset(nearby.items())
        key = (index, origin, to, overrun, first, spent.as_integer_ratio(), stops, state[1], near)
        if self._memo and key in self._steps:
            return self._steps[key]
        position = self._position(state, index, origin)
        unit = self._game.units[self._own[index]]
        number = 1 if first else 2
        play = MoveInPlay(self._game, position, unit, origin, origin, number - 1, spent=spent, stops=list(stops))
        play.aim(to, overrun)
        made = None
        if not self._referee.findings(play) and not self._referee.findings_together([play]):
            self._referee.make_steps([play])
            made = (play.spent, play.removed, tuple(play.stops))
        self._steps[key] = made
        return made


def _class_of(unit: Unit) -> object:
    """Return all that a rule's selectors can see of a unit but its name."""
    return (unit.type, unit.traits, unit.nationalities, unit.nationality_traits, unit.steps)


def best_value(scenario: Scenario, cap: int = 1_000_000) -> Value | None:
    """Return the optimal value of each tier, found by brute force, or None if there is no plan.

    Raises
    ------
    TooManyStatesError
        If the position is too large.
    """
    return BruteForce(scenario, cap).run()


def order_matters(scenario: Scenario, plan: Plan) -> bool:
    """Tell whether some other order of a plan's moves is illegal, as the referee sees it."""
    referee = Referee(scenario.game)
    return any(
        not referee.play(Plan(moves), scenario.start).legal for moves in permutations(plan.moves) if moves != plan.moves
    )
