"""The best way of playing a small position, on the referee alone: every move, every result, every situation."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import combinations

from planner.objective import Tally
from planner.objective.scoring import score_position, tier_values
from planner.plans.plan import Move
from planner.referee.referee import Referee
from planner.scenario import Scenario
from tests.oracles.brute_force import TooManyStatesError

Value = tuple[Fraction, ...]


class BestPlay:
    """The value of the best way of playing: whole moves are tried, cut where the first die is rolled.

    Situations are told apart by all that has been done in them, but for the order of the moves of those who don't touch.

    Parameters
    ----------
    scenario : Scenario
        The position.
    cap : int
        The number of situations beyond which it gives up.
    """

    def __init__(self, scenario: Scenario, cap: int = 1_500) -> None:
        self._cap = cap
        self._scenario = scenario
        self._known: dict[object, Value | None] = {}

    def value(self) -> Value | None:
        """Return what the best way of playing is worth on average; None if none fulfils the requirements.

        Raises
        ------
        TooManyStatesError
            If there are more situations than the cap.
        """
        return self._of(self._scenario)

    def _of(self, now: Scenario) -> Value | None:
        key = self._key(now)
        if key in self._known:
            return self._known[key]
        if len(self._known) >= self._cap:
            raise TooManyStatesError
        self._known[key] = None
        best = self._ended(now)
        for results in self._options(now):
            values = [(chance, self._of(now.after([str(made)]))) for chance, made in results]
            if all(value is not None for _, value in values):
                mean = tuple(
                    sum((chance * value[tier] for chance, value in values if value is not None), Fraction(0))
                    for tier in range(len(now.tiers))
                )
                best = mean if best is None else max(best, mean)
        self._known[key] = best
        return best

    @staticmethod
    def _key(now: Scenario) -> object:
        start = now.start
        return repr((
            sorted(start.at.items()), sorted(start.under_way.items()), sorted(start.failed), sorted(start.demoralized),
            sorted(start.lost), sorted(start.taken), sorted(start.given), sorted(start.bogged), start.relied,
            start.in_hand and (sorted(start.in_hand.units), start.in_hand.move and start.in_hand.move.path[-2:]),
        ))  # fmt: skip

    @staticmethod
    def _ended(now: Scenario) -> Value | None:
        tally = Tally({unit: progress.spent for unit, progress in now.start.under_way.items()})
        referee = Referee(now.game)
        if referee.check_end(now.start) or not all(term.holds(now.game, now.start, tally) for term in now.requirements):
            return None
        return tier_values(now.tiers, score_position(now.game, now.tiers, now.start, tally))

    def _options(self, now: Scenario) -> Iterator[list[tuple[Fraction, Move]]]:
        """Yield for each move, up to its first roll, what may come of it, as it is written then."""
        referee, game = Referee(now.game), now.game
        hand = now.start.in_hand.units if now.start.in_hand is not None else frozenset()
        at: dict[str, list[str]] = {}
        for unit, label in now.start.at.items():
            free = unit not in now.start.under_way or unit in hand or game.rulebook.lets_wait(game.units[unit])
            if unit in game.phasing and free:
                at.setdefault(label, []).append(unit)
        for home, units in at.items():
            for size in range(1, (len(units) if game.rulebook.stacks else 1) + 1):
                for team in combinations(units, size):
                    level = [Move(team, (home,))]
                    while level:
                        further = []
                        for move in level:
                            for longer in self._longer(now, move):
                                broken, played = referee.play_move(longer, now.start.copy(), now.start.under_way.keys())
                                if broken:
                                    continue
                                if played.rolls:
                                    yield self._results(longer, played.rolls[0])
                                else:
                                    yield [(Fraction(1), longer)]
                                    if len(longer.path) < 4:
                                        further.append(longer)
                        level = further

    @staticmethod
    def _longer(now: Scenario, move: Move) -> Iterator[Move]:
        here, step = move.path[-1], len(move.path)
        for to in (*now.game.board.neighbours.get(here, ()), *now.game.board.box_links.get(here, ())):
            yield replace(move, path=(*move.path, to))
            if any(now.game.is_enemy(unit) for unit in now.start.units_in(to)) and now.game.rulebook.overrunning:
                yield replace(move, path=(*move.path, to), overruns=move.overruns | {step})

    @staticmethod
    def _results(move: Move, roll: object) -> list[tuple[Fraction, Move]]:
        if roll.results:
            return [(one.probability, replace(move, damage=max(one.entries))) for one in roll.results]
        return [(roll.chance, move), (1 - roll.chance, replace(move, failed=True))]
