"""Every plan of a few units, on the referee alone: where combats, or waiting, leave the search no proof."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction

from planner.errors import OutOfTimeError, TooManyOutcomesError
from planner.limits import Limits
from planner.plans.plan import Move, Plan
from planner.reachability.step_table import StepTable
from planner.referee.outcomes import Outcomes
from planner.referee.referee import Referee
from planner.referee.sharing_referee import SharingReferee
from planner.referee.verdict import PlayedMove, Violation
from planner.rules.combat_roles import Fights, JointlyOverruns
from planner.rules.game import Game
from planner.rules.odds_table import subsets
from planner.rules.roles import Sequences
from planner.scenario import Scenario
from planner.search.enumeration import state_of
from planner.search.unit_moves import LARGEST_TEAM, UnitMoves, add_cheaper, written
from planner.world.board import NOTHING
from planner.world.position import Position

MOST_MOVERS = LARGEST_TEAM
"""So many units may move at most: of larger stacks not every part is tried."""

MOST_PLACINGS = 1_000
"""Where units wait, they may be placed on the map in so many ways at most: the search knows more of larger ones."""

Hopes = Callable[[Position], bool | None]
"""Tells of a position whether what is wanted may have been achieved; None: nor is it in any position that follows it."""

MOST_HOPEFUL = 10
"""So many positions that hold what is wanted in the worst world are looked into: whether it is so in all."""


def suits(scenario: Scenario) -> bool:
    """Tell whether every plan of a scenario can be listed, as far as time allows: of moves, not of attacks after them."""
    if scenario.asks_for_attacks:
        return False
    book, movers = scenario.game.rulebook, len(StepTable(scenario.game).movers)
    if book.of(JointlyOverruns) or movers > MOST_MOVERS:
        return False
    waits = any(rule.waiting is not None for rule in book.of(Sequences))
    return bool(book.of(Fights)) or (waits and is_small(scenario))


def is_small(scenario: Scenario) -> bool:
    """Tell whether units without combats may be placed on the map in so few ways that all are soon listed."""
    game = scenario.game
    few = len(game.board.hexes) ** len(StepTable(game).movers) <= MOST_PLACINGS
    return few and not game.rulebook.of(Fights)


def every_plan_looked_at(
    scenario: Scenario,
    hopes: Hopes,
    does: Callable[[Plan], bool],
    limits: Limits,
    twice: bool,
) -> tuple[bool | None, Plan | None]:
    """Look at every plan step by step, and, `twice`, where no steps do it, at whole moves, too; there are far more of them.

    What single units can't do has been found in another way: then single steps confirm it. The parameters are those of
    `every_plan`, and so is what is returned.
    """
    answer = every_plan(scenario, hopes, does, limits)
    return every_plan(scenario, hopes, does, limits.part(0.5), True) if twice and answer[0] is False else answer


def every_plan(
    scenario: Scenario,
    hopes: Hopes,
    does: Callable[[Plan], bool],
    limits: Limits,
    whole: bool = False,
) -> tuple[bool | None, Plan | None]:
    """Look at every plan, short ones first; tell whether one does what is wanted, and which; None: it isn't known.

    Parameters
    ----------
    scenario : Scenario
        A position that `suits`.
    hopes : callable
        Tells of the position after the last move, if all goes well, whether what is wanted may have been achieved; None: nor
        is it whatever comes after it, as where more has been spent than is allowed.
    does : callable
        Tells of a plan whether it is legal and achieves it, whatever is drawn.
    limits : Limits
        When to stop.
    whole : bool
        Whether units that may wait make whole moves, too, not only single steps: it comes to the same, and so confirms it.
    """
    try:
        answer = in_the_worst_world(scenario, hopes, does, limits, whole)
    except OutOfTimeError:
        return None, None
    if answer[0] is not None:
        return answer
    referee = Referee(scenario.game)
    walks = UnitMoves(referee, limits)
    going, turns = walks.moves if whole else walks.further, _Turns(scenario.game, walks)
    queue: deque[tuple[Position, tuple[Move, ...], frozenset[str]]] = deque([(scenario.start.copy(), (), NOTHING)])
    seen: set[object] = set()
    try:
        while queue:
            limits.check()
            position, moves, stay = queue.popleft()
            hope = hopes(position)
            plan = next(filter(does, written(moves)), None) if hope else None
            if plan is not None:
                return True, plan
            if hope is None:
                continue
            for team, later, staying in turns.next(position, stay):
                for move, after in going(team, position, later):
                    state = _whatever_is_rolled(referee, scenario, (*moves, move), after, limits)
                    if state is not None and (state, staying) not in seen:
                        seen.add((state, staying))
                        queue.append((after, (*moves, move), staying))
    except (OutOfTimeError, TooManyOutcomesError):
        return None, None
    return False, None


def _whatever_is_rolled(
    referee: Referee, scenario: Scenario, moves: tuple[Move, ...], position: Position, limits: Limits
) -> object:
    """Return all that what comes after some moves can depend on, in each world; None: in one of them they are illegal.

    `position` is that after them if all goes well.
    """
    game = scenario.game
    at_best = state_of(game, position, {})
    if not game.rulebook.rolled:
        return at_best
    tree = Outcomes(referee, Plan(moves), scenario.start, limits.check)
    if any(violation.move is not None for violation in tree.violations):
        return None  # what comes later never mends a move
    sure = game.situation.confidence
    worlds = Counter(
        (
            one.probability,
            state_of(game, one.position, one.tally.mp),
            any(tree.probabilities.get(result, Fraction(0)) >= sure for result in one.failed),
        )
        for one in tree.outcomes
    )
    return at_best, frozenset(worlds.items())


def in_the_worst_world(
    scenario: Scenario, hopes: Hopes, does: Callable[[Plan], bool], limits: Limits, whole: bool
) -> tuple[bool | None, Plan | None]:
    """Look at every plan as if it were known beforehand that each combat goes as badly as it can.

    A plan has to stand whatever is drawn, so it stands, and does what is wanted, in the world in which each combat has its
    worst result, too: where none does there, there is none. In that one world what has been drawn before needn't be
    remembered, so that the position is all that counts. Plans that do it there may do it everywhere.

    Parameters
    ----------
    scenario, hopes, does, limits, whole
        As those of `every_plan`.

    Raises
    ------
    OutOfTimeError
        If it gets late.
    """
    if scenario.game.situation.confidence < 1:
        return None, None  # plans may rely on what is likely
    game = scenario.game
    # Long moves begin as shorter ones do: but for combats, which have their worst result, that is played once.
    judge = _Unlucky(game) if game.rulebook.of(Fights) else SharingReferee(game, thorough=False)
    walks = UnitMoves(judge, limits)
    going, turns = walks.moves if whole else walks.further, _Turns(game, walks)
    queue: deque[tuple[Position, tuple[Move, ...], frozenset[str]]] = deque([(scenario.start.copy(), (), NOTHING)])
    seen, hopeful = _Seen(scenario.game), 0
    seen.add(scenario.start, NOTHING)
    while queue and hopeful < MOST_HOPEFUL:
        limits.check()
        position, moves, stay = queue.popleft()
        hope = hopes(position)
        if hope is None:
            continue
        if hope:
            hopeful += 1
            plan = next(filter(does, written(moves)), None)
            if plan is not None:
                return True, plan
            continue  # whatever comes of it, it isn't hopeless
        for team, later, staying in turns.next(position, stay):
            for move, after in going(team, position, later):
                if seen.add(after, staying):
                    queue.append((after, (*moves, move), staying))
    return (None if hopeful else False), None


class _Turns:
    """Who may move next, and who afterwards: where only a friend helps who moves no more, that is settled first.

    Parameters
    ----------
    game : Game
        The game.
    walks : UnitMoves
        Who can move.
    """

    def __init__(self, game: Game, walks: UnitMoves) -> None:
        self._own, self._walks = StepTable(game).movers, walks
        self._lasting = game.rulebook.some_must_stay

    def next(
        self, position: Position, stay: frozenset[str]
    ) -> Iterator[tuple[tuple[str, ...], frozenset[str], frozenset[str]]]:
        """Yield those who may make a move together, who may move later then, and who stays where he is for good.

        Parameters
        ----------
        position : Position
            The board as it stands.
        stay : frozenset of str
            Who moves no more, as has been settled for the sake of a move before.
        """
        for team in list(self._walks.teams(position, stay)):
            others = [unit for unit in self._own if unit not in team and unit not in stay]
            if not self._lasting:
                yield team, frozenset(others), NOTHING
                continue
            able = [unit for unit in others if unit not in position.under_way or self._walks.may_go_on(unit)]
            for later in map(frozenset, subsets(able)):
                yield team, later, stay.union(able) - later


class _Seen:
    """Positions from which everything has been tried that may be done, in a world in which it is known what is drawn."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._spent: dict[object, list[tuple[Fraction, ...]]] = {}

    def add(self, position: Position, stay: frozenset[str]) -> bool:
        """Add a position in which some move no more; tell whether there was none like it in which nobody has spent more."""
        spent = tuple(progress.spent for _, progress in sorted(position.under_way.items()))
        known = self._spent.setdefault((_but_for_mp(self._game, position), stay), [])
        return add_cheaper(known, spent) is not None


class _Unlucky(Referee):
    """A referee in whose world the first combat of each move has its worst result."""

    def play_move(
        self,
        move: Move,
        position: Position,
        moved: Iterable[str],
        index: int = 0,
        later: frozenset[str] = frozenset(),
        results: Mapping[int, int] | None = None,
    ) -> tuple[list[Violation], PlayedMove]:
        """Play one move; what is wrong with it is judged as if all went well, as it is for any plan."""
        if not move.overruns:
            return super().play_move(move, position, moved, index, later, results)
        moved = tuple(moved)
        broken, played = super().play_move(move, position.copy(), moved, index, later)
        drawn = next((roll for roll in played.rolls if roll.results), None)
        worst = {} if drawn is None else {drawn.step: len(drawn.results) - 1}
        return broken, super().play_move(move, position, moved, index, later, worst)[1]


def _but_for_mp(game: Game, position: Position) -> object:
    """Return all of a position, but for MP, that what comes after it may depend on, where it is known what is drawn."""
    counted = 1 + max(rule.counts_hexes for rule in game.rulebook.rules)
    under_way = tuple(
        (unit, min(one.steps, counted), one.way, one.zones, one.tallies, tuple(replace(s, step=0) for s in one.stops))
        for unit, one in sorted(position.under_way.items())
    )
    return frozenset(position.at.items()), under_way, game.counted(position.taken), *position.happened
