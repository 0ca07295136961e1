"""Every plan of a few units, on the referee alone: where combats, or waiting, leave the search no proof."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from operator import le

from planner.errors import InputError, OutOfTimeError
from planner.limits import Limits
from planner.plans.plan import Move, Plan
from planner.reachability.step_table import StepTable
from planner.referee.referee import Referee
from planner.referee.sharing_referee import SharingReferee
from planner.referee.verdict import PlayedMove, Violation
from planner.rules.combat_roles import Fights, JointlyOverruns
from planner.rules.game import Game
from planner.rules.roles import Controls, Sequences
from planner.scenario import Scenario
from planner.search.unit_moves import LARGEST_TEAM, UnitMoves, written
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
    """Tell whether every plan of a scenario can be listed, as far as the time allows."""
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
    game, own = scenario.game, StepTable(scenario.game).movers
    fights = bool(game.rulebook.of(Fights))
    try:
        answer = in_the_worst_world(scenario, hopes, does, limits, whole)
    except OutOfTimeError:
        return None, None
    if answer[0] is not None:
        return answer
    walks = UnitMoves(Referee(scenario.game), limits)
    going = walks.moves if whole else walks.further
    queue: deque[tuple[Position, tuple[Move, ...], _Drawn]] = deque([(scenario.start.copy(), (), _Drawn())])
    seen: dict[object, list[frozenset[object]]] = {}
    try:
        while queue:
            limits.check()
            position, moves, drawn = queue.popleft()
            hope = hopes(position)
            plan = next(filter(does, written(moves)), None) if hope else None
            if plan is not None:
                return True, plan
            if hope is None:
                continue
            for team in list(walks.teams(position)):
                others = frozenset(unit for unit in own if unit not in team)
                for move, after in going(team, position, others):
                    then = drawn.then(move, _state(game, position)) if fights else drawn  # else nothing is drawn
                    if fights and move.overruns:
                        then = replace(then, doubtful=_doubtful(scenario, Plan((*moves, move)), after))
                    # Until something has been drawn, it is the position alone that counts; then also from where it was
                    # drawn for, and by which steps units have gone since, which something else that is drawn may bar.
                    known = seen.setdefault((then.fights, _state(game, after)), [])
                    if not any(steps <= then.steps for steps in known):
                        known.append(then.steps)
                        queue.append((after, (*moves, move), then))
    except OutOfTimeError:
        return None, None
    return False, None


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
    own = StepTable(scenario.game).movers
    game = scenario.game
    # Long moves begin as shorter ones do: but for combats, which have their worst result, that is played once.
    judge = _Unlucky(game) if game.rulebook.of(Fights) else SharingReferee(game, thorough=False)
    walks = UnitMoves(judge, limits)
    going = walks.moves if whole else walks.further
    queue: deque[tuple[Position, tuple[Move, ...]]] = deque([(scenario.start.copy(), ())])
    seen, hopeful = _Seen(scenario.game), 0
    seen.add(scenario.start)
    while queue and hopeful < MOST_HOPEFUL:
        limits.check()
        position, moves = queue.popleft()
        hope = hopes(position)
        if hope is None:
            continue
        if hope:
            hopeful += 1
            plan = next(filter(does, written(moves)), None)
            if plan is not None:
                return True, plan
            continue  # whatever comes of it, it isn't hopeless
        for team in list(walks.teams(position)):
            for move, after in going(team, position, frozenset(unit for unit in own if unit not in team)):
                if seen.add(after):
                    queue.append((after, (*moves, move)))
    return (None if hopeful else False), None


class _Seen:
    """Positions from which everything has been tried that may be done, in a world in which it is known what is drawn."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._spent: dict[object, list[tuple[Fraction, ...]]] = {}

    def add(self, position: Position) -> bool:
        """Add a position, unless one like it is there in which nobody has spent more; tell whether it was added."""
        spent = tuple(progress.spent for _, progress in sorted(position.under_way.items()))
        known = self._spent.setdefault(_but_for_mp(self._game, position), [])
        if any(all(map(le, less, spent)) for less in known):
            return False
        known[:] = [more for more in known if not all(map(le, spent, more))]
        known.append(spent)
        return True


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


@dataclass(frozen=True)
class _Drawn:
    """What has been drawn so far: for which moves, in which positions; and all steps since the last of them that may matter.

    Those matter that lead into or out of a hex in which somebody stands if something else is drawn; None: any.
    """

    fights: tuple[object, ...] = ()
    steps: frozenset[object] = frozenset()
    doubtful: frozenset[str] | None = frozenset()

    def then(self, move: Move, state: object) -> _Drawn:
        """Return the same after one more move, from a state."""
        if move.overruns:
            return _Drawn((*self.fights, (move, self.steps, state)), frozenset())
        if not self.fights:
            return self
        pairs = zip(move.path, move.path[1:], strict=False)
        doubtful = self.doubtful
        steps = {(move.units, pair) for pair in pairs if doubtful is None or not doubtful.isdisjoint(pair)}
        return replace(self, steps=self.steps | steps)


def _doubtful(scenario: Scenario, plan: Plan, after: Position) -> frozenset[str] | None:
    """Return the hexes in which somebody stands if something else is drawn; None: it may matter by which steps units go."""
    if scenario.game.rulebook.of(Controls):
        return None
    try:
        worlds = Referee(scenario.game).play(plan, scenario.start).all_outcomes()
    except InputError:
        return None
    return frozenset(
        label for position, _ in worlds for unit, label in position.at.items() if after.at.get(unit) != label
    )


def _state(game: Game, position: Position) -> object:
    """Return what of a position counts for what comes after it, if all goes well."""
    return _placed(game, position), tuple(progress.spent for _, progress in sorted(position.under_way.items()))


def _placed(game: Game, position: Position) -> object:
    """Return the same but for the MP that units have spent."""
    under_way = (
        (unit, progress.tallies, tuple((stop.at, stop.enemies) for stop in progress.stops))
        for unit, progress in sorted(position.under_way.items())
    )
    noted = frozenset(position.lost), frozenset(position.ways), frozenset(position.entered), frozenset(position.relied)
    return frozenset(position.at.items()), tuple(under_way), game.counted(position.taken), noted


def _but_for_mp(game: Game, position: Position) -> object:
    """Return all of a position, but for MP, that what comes after it may depend on, where it is known what is drawn."""
    marked = (position.failed, position.used, position.bogged, position.demoralized, position.given.items())
    return _placed(game, position), tuple(map(frozenset, marked)), position.legs, position.committed
