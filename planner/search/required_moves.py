"""What is required, by hand, on the referee alone: the units that it names go there, or whoever is nearest, and no others.

What it is for: that nobody moves is no plan where something is required, or where the position must not stay as it is; what
units can do isn't listed yet, and most of that is known for all of them or for none. A unit goes straight towards where it
is wanted, and looks about a little; what takes others out of its way is left to the search.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from heapq import heappop, heappush

from planner.objective import Tally, Term
from planner.objective.goals import End
from planner.plans.plan import Move, Plan
from planner.referee.referee import tally_of
from planner.referee.sharing_referee import SharingReferee
from planner.search.context import SearchContext
from planner.search.unit_moves import UnitMoves
from planner.solver.tuning import RequiredPlan
from planner.world.position import Position


class RequiredMoves:
    """Where that nobody else moves isn't enough: a plan of as little as is required.

    Of the scenarios that ship, and have a plan, five have none in which nobody moves: in three of these it is there after 1
    to 3 % of the search. The two others, where units must stop for each other, or support an overrun, have no tier: what
    they ask for is any plan, so that the search ends with the first one.
    """

    def suits(self, context: SearchContext) -> bool:
        """Tell whether a plan is worth something, or somebody waits for one, and none is known."""
        return (bool(context.scenario.tiers) or context.on_progress is not None) and context.incumbent is None

    def run(self, context: SearchContext) -> None:
        """Make the plan, and remember it, if the referee has nothing against it."""
        settled = context.conditions.partial
        made = _ByHand(context)
        if made.begin(settled.moves):
            ends = [End(kind="end", unit=unit, at=places) for unit, places in settled.ends]
            made.fulfil([*(term for term in context.scenario.requirements if term.sign > 0), *ends])
            plan = Plan(tuple(made.moves), settled.attacks if context.scenario.asks_for_attacks else None)
            verdict = context.judged(plan)
            if verdict is not None:
                context.remember(plan, context.value(verdict))
                context.provisional = True


class _ByHand:
    """A plan that is being made, move by move."""

    def __init__(self, context: SearchContext) -> None:
        self._context, self._game, self.moves = context, context.scenario.game, list[Move]()
        self._position, self._tally = context.scenario.start.copy(), tally_of(context.scenario.start)
        self._referee = SharingReferee(self._game)
        self._ways = UnitMoves(self._referee, context.limits)
        self._left = RequiredPlan.steps

    def begin(self, moves: Sequence[Move]) -> bool:
        """Make the moves that are settled; tell whether they can be made."""
        return all(self._made(move) for move in moves)

    def fulfil(self, wanted: Sequence[Term]) -> None:
        """Do what is wanted, one after the other, and leave the board as it may stay."""
        for term in wanted:
            places = [self._game.homes.get(name, name) for name in term.depends_on() or ()]
            concerned = term.concerns()
            for unit in self._nearest_first(None if concerned is None else frozenset(concerned), places):
                if term.holds(self._game, self._position, self._tally):
                    break
                self._go(unit, places, term.holds)
        while self._clears():
            pass

    def _clears(self) -> bool:
        """Let somebody go so that less is wrong with where all stand; tell whether anything is, and anybody could."""
        wrong = self._wrong(self._position)
        places = [one.at for one in self._referee.check_end(self._position)]
        for unit in self._nearest_first(None, places) if wrong[0] else ():
            self._go(unit, (), lambda _, after, __: self._wrong(after) < wrong)
            if self._wrong(self._position) < wrong:
                return True
        return False

    def _wrong(self, position: Position) -> tuple[int, int]:
        """Return how much is wrong with where all stand: how many things, and how many units stand where they are."""
        found = self._referee.check_end(position)
        return len(found), sum(len(position.units_in(one.at)) for one in found)

    def _nearest_first(self, concerned: Collection[str] | None, places: Sequence[str]) -> list[str]:
        """Return those who may move, if only some are concerned of them; who is nearest to a place comes first."""
        moved = (unit for move in self.moves for unit in move.units)
        position, done = self._position, frozenset((*self._context.conditions.partial.stays, *moved))
        free = [team[0] for team in self._ways.teams(position, done) if len(team) == 1]
        near = {u: self._hexes(position.at[u], places) for u in free if concerned is None or u in concerned}
        return sorted(near, key=near.__getitem__)[: RequiredPlan.units]

    def _hexes(self, here: str, places: Sequence[str]) -> int:
        """Return how far it is to the nearest of some places, as the crow flies; 0 where that can't be told."""
        far = (self._game.board.distance(here, place) for place in places)
        return min((hexes for hexes in far if hexes is not None), default=0)

    def _go(self, unit: str, places: Sequence[str], enough: Callable[..., bool]) -> None:
        """Let a unit make the first legal move that is found to be enough, if any is: straight ahead is tried first."""
        start, game = self._position, self._game
        faults = len(self._referee.check_end(start))
        open_: list[tuple[int, int, int, Move]] = [(0, 0, 0, Move((unit,), (start.at[unit],)))]
        seen = set[object]()
        for _ in range(self._hexes(start.at[unit], places) + RequiredPlan.aside):
            if not open_ or self._left <= 0:
                return
            for move in self._ways.extended(heappop(open_)[-1], start):
                self._context.limits.check()
                self._left -= 1
                after, broken, played = self._referee.play_on(start, move, self._tally.mp)
                key = self._ways.key(after, move.units)
                if not played.played or key in seen or not all(one.halt for one in broken):
                    continue
                seen.add(key)
                tally = Tally({**self._tally.mp, **dict(played.spent)})
                if not broken and enough(game, after, tally) and len(self._referee.check_end(after)) <= faults:
                    self._made(move)
                    return
                heappush(open_, (self._hexes(move.path[-1], places), len(move.path), len(seen), move))

    def _made(self, move: Move) -> bool:
        """Make a move; tell whether it can be made."""
        after, broken, played = self._referee.play_on(self._position, move, self._tally.mp, len(self.moves))
        if broken or not played.played:
            return False
        self._position = after
        self._tally.mp.update(played.spent)
        self.moves.append(move)
        return True
