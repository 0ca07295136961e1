"""The best way of playing a small position, on the referee alone: every move, every result, every situation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations

from planner.objective import Tally
from planner.objective.costs import MpSpent, UnitsMoved
from planner.objective.goals import Eliminate, End, Hold
from planner.objective.scoring import Value, score_position, tier_values
from planner.plans.plan import Move
from planner.referee.referee import Referee
from planner.referee.verdict import Roll
from planner.scenario import Scenario
from planner.scenario.phase_in_progress import Making
from planner.world.position import Position
from tests.oracles.brute_force import TooManyStatesError


class BestPlay:
    """The value of the best way of playing: whole moves are tried, cut where the first die is rolled.

    Situations are told apart by all that has been done in them, but for the order of the moves of those who don't touch,
    and for how those came to where they are whose moves are over: of them it counts what they have spent, where that counts.

    Parameters
    ----------
    scenario : Scenario
        The position.
    cap : int
        The number of situations beyond which it gives up.
    """

    def __init__(self, scenario: Scenario, cap: int = 1_500) -> None:
        self._cap = cap
        self._scenario, self._game = scenario, scenario.game.at_first
        self._referee, self._making = Referee(scenario.game), Making(scenario.game)
        self._known: dict[object, Value | None] = {}
        terms = [one for tier in scenario.tiers for one in tier.terms] + list(scenario.requirements)
        self._mp_count = any(isinstance(term, MpSpent) for term in terms)
        self._all_counts = any(not isinstance(term, (Hold, Eliminate, End, UnitsMoved, MpSpent)) for term in terms)

    def value(self) -> Value | None:
        """Return what the best way of playing is worth on average; None if none fulfils the requirements.

        Raises
        ------
        TooManyStatesError
            If there are more situations than the cap.
        """
        start = self._scenario.start.copy()
        return self._of(start, self._key(start))

    def _of(self, now: Position, key: object) -> Value | None:
        if key in self._known:
            return self._known[key]
        if len(self._known) >= self._cap:
            raise TooManyStatesError
        self._known[key] = None
        best = self._ended(now)
        for results in list(self._options(now)):
            values = [(chance, self._of(after, name)) for chance, after, name in results]
            if all(value is not None for _, value in values):
                mean = tuple(
                    sum((chance * value[tier] for chance, value in values if value is not None), Fraction(0))
                    for tier in range(len(self._scenario.tiers))
                )
                best = mean if best is None else max(best, mean)
        self._known[key] = best
        return best

    def _key(self, now: Position) -> object:
        moved = [
            (unit, one if self._all_counts or self._may_move(unit, now) else one.spent if self._mp_count else None)
            for unit, one in sorted(now.under_way.items())
        ]
        return repr((
            sorted(now.at.items()), moved, sorted(now.failed), sorted(now.demoralized),
            sorted(now.lost), sorted(now.taken), sorted(now.given), sorted(now.bogged), now.relied,
            sorted(now.in_hand), now.legs,
        ))  # fmt: skip

    def _may_move(self, unit: str, now: Position) -> bool:
        return unit not in now.under_way or unit in now.in_hand or self._game.rulebook.lets_wait(self._game.units[unit])

    def _ended(self, now: Position) -> Value | None:
        tally = Tally({unit: progress.spent for unit, progress in now.under_way.items()})
        game, scenario = self._game, self._scenario
        if self._referee.check_end(now) or not all(term.holds(game, now, tally) for term in scenario.requirements):
            return None
        return tier_values(scenario.tiers, score_position(game, scenario.tiers, now, tally))

    def _options(self, now: Position) -> Iterator[list[tuple[Fraction, Position, object]]]:
        """Yield for each move, up to its first roll, what may come of it: how likely, the position, its key.

        A move that is over without a roll isn't gone on with, since longer ones are tried as such; but of a stack, some
        units may go on. Of moves of the same units after which all is the same, only the first is made longer. Who may not
        stop where it has rolled goes on at once.
        """
        book = self._game.rulebook
        at: dict[str, list[str]] = {}
        for unit, label in now.at.items():
            if unit in self._game.friends and self._may_move(unit, now):
                at.setdefault(label, []).append(unit)
        for home, units in at.items():
            for size in range(1, (len(units) if book.stacks else 1) + 1):
                for team in combinations(units, size):
                    level, known = [Move(team, (home,))], set[object]()
                    while level:
                        further = []
                        for longer in (longer for move in level for longer in self._longer(now, move)):
                            after = now.copy()
                            broken, played = self._referee.play_move(longer, after, now.under_way.keys())
                            if broken:
                                further += [longer] if played.played and all(one.halt for one in broken) else []
                                continue
                            if played.rolls:
                                results = [self._made(*one, now) for one in _results(longer, played.rolls)]
                                if all(one is not None for one in results):
                                    yield [one for one in results if one is not None]
                                continue
                            self._making.note(longer, now, after)
                            key = self._key(after)
                            if key in known:
                                continue
                            known.add(key)
                            further.append(longer)
                            if size == 1 and after.in_hand:
                                after.in_hand = frozenset()
                                key = self._key(after)
                            yield [(Fraction(1), after, key)]
                        level = further

    def _made(self, chance: Fraction, move: Move, now: Position) -> tuple[Fraction, Position, object] | None:
        """Return the position after a move as it has been made, beside how likely that is, and by what it is told.

        None: it may not end there.
        """
        after = now.copy()
        if self._making.make(move, after):
            return None
        return chance, after, self._key(after)

    def _longer(self, now: Position, move: Move) -> Iterator[Move]:
        here, step = move.path[-1], len(move.path)
        board = self._game.board
        for to in (*board.neighbours.get(here, ()), *board.box_links.get(here, ())):
            yield replace(move, path=(*move.path, to))
            if any(self._game.is_enemy(unit) for unit in now.units_in(to)) and self._game.rulebook.overrunning:
                yield replace(move, path=(*move.path, to), overruns=move.overruns | {step})
        for to in sorted({to for zone in board.zones_of(here) for to in board.zones[zone]}.difference(move.path)):
            yield replace(move, path=(*move.path, to), carried=(*move.carried, (step, "")))


def _results(move: Move, rolls: Sequence[Roll]) -> Iterator[tuple[Fraction, Move]]:
    likely = Fraction(1)
    for roll in rolls:
        if roll.results:
            yield from ((likely * one.probability, replace(move, damage=max(one.entries))) for one in roll.results)
            return
        yield likely * (1 - roll.chance), replace(move.until(roll.step), failed=True)
        likely *= roll.chance
    yield likely, move
