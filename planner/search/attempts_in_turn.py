"""Who tries which enemies in turn, by what has come of it: the best way at given prices of attempts.

Units go on trying as long as they are in hand: all of them or some, here or elsewhere. As soon as others move, their moves
are over, and so are those of whoever was left behind; only units that may wait go on later. So each situation is told by
what has been overrun, who has tried what so far, and whose move is over.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import prod
from typing import NamedTuple

Tries = tuple[int, ...]
"""How often a unit tries each of some hexes."""
Team = tuple[tuple[str, ...], Fraction]
"""Units that try together, and how likely that goes through."""

_Situation = tuple[int, ...]
"""What each unit has tried, by its number; then which hexes have been overrun, in bits."""
_OVER = -1


class _Option(NamedTuple):
    """Something to do in a situation: an attempt; without one, units in hand are left where they are.

    Attributes
    ----------
    hex : int
        The number of the hex.
    chance : Fraction
        How likely it goes through; 0 if nothing is tried.
    tries : tuple of (int, int, int)
        The units, with the numbers of what each has tried before and afterwards.
    failed, gone : _Situation
        What follows.
    rough : float
        How likely it goes through, in floating point.
    """

    hex: int
    chance: Fraction
    tries: tuple[tuple[int, int, int], ...]
    failed: _Situation
    gone: _Situation
    rough: float


class Contest:
    """Hexes of enemies, with who may try them.

    Parameters
    ----------
    able : dict from units to iterables of Tries
        What each may try at most, hex by hex; whoever may do so may do less.
    teams : dict from hexes to sequences of Team
        Who may try each of them together.
    waiting : frozenset of str
        Those whose moves aren't over when others move.
    check_time : callable, optional
        Raises something when the time is up; called now and then while situations are looked at for the first time.
    """

    def __init__(
        self,
        able: Mapping[str, frozenset[Tries]],
        teams: Mapping[str, Sequence[Team]],
        waiting: frozenset[str],
        check_time: Callable[[], None] | None = None,
    ) -> None:
        self._check_time = check_time
        self.hexes = tuple(teams)
        self.tries = {unit: _all_below(some) for unit, some in able.items()}
        units = tuple(self.tries)
        self._waiting = tuple(unit in waiting for unit in units)
        chances: dict[tuple[str, ...], list[Fraction]] = {}
        for number, label in enumerate(self.hexes):
            for team, chance in teams[label]:
                chances.setdefault(team, [Fraction(0)] * len(self.hexes))[number] = chance
        self._teams = [
            (tuple(map(units.index, team)), tuple((i, chance) for i, chance in enumerate(some) if chance))
            for team, some in chances.items()
        ]
        self._next = [_steps(some) for some in self.tries.values()]
        self._options: dict[_Situation, tuple[_Option, ...]] = {}

    @property
    def size(self) -> int:
        """How many situations there are, or some more."""
        free = prod(len(some) for some, waits in zip(self.tries.values(), self._waiting, strict=True) if waits)
        own = [len(some) for some, waits in zip(self.tries.values(), self._waiting, strict=True) if not waits]
        teams = {tuple(u for u in team if not self._waiting[u]) for team, _ in self._teams}
        every = [*self.tries.values()]
        in_hand = sum(min(len(every[u]) for u in team) * (1 << len(own) - len(team)) for team in teams if team)
        return (free << len(self.hexes)) * ((1 << len(own)) + in_hand)

    def options(self, now: _Situation) -> tuple[_Option, ...]:
        """Return what may be done in a situation; it is worked out once for all prices."""
        found = self._options.get(now)
        if found is None:
            if self._check_time is not None and not len(self._options) % 100:
                self._check_time()
            found = self._options[now] = tuple(self._worked_out(now))
        return found

    def _worked_out(self, now: _Situation) -> Iterator[_Option]:
        *tried, gone = now
        waiting = self._waiting
        hand = [unit for unit, count in enumerate(tried) if count > 0 and not waiting[unit]]
        if hand:
            over = tuple(
                _OVER if count > 0 and not waits else count for count, waits in zip(tried, waiting, strict=True)
            )
            yield _Option(0, Fraction(0), (), (*over, gone), now, 0.0)
        ready = {unit for unit, count in enumerate(tried) if waiting[unit] or (not count and not hand)}.union(hand)
        for team, chances in self._teams:
            if not ready.issuperset(team):
                continue
            after = [*tried]
            for unit in hand:
                after[unit] = _OVER
            for label, chance in chances:
                steps = [(unit, tried[unit], self._next[unit][tried[unit]][label]) for unit in team]
                if gone >> label & 1 or any(then == _OVER for _, _, then in steps):
                    continue
                for unit, _, then in steps:
                    after[unit] = then
                yield _Option(label, chance, tuple(steps), (*after, gone), (*after, gone | 1 << label), float(chance))

    @property
    def begin(self) -> _Situation:
        """The situation in which nobody has tried anything."""
        return (*(0 for _ in self.tries), 0)


class BestTurns:
    """The best way to try enemies in turn.

    Parameters
    ----------
    contest : Contest
        The hexes, and who may try them.
    worth : mapping from hexes to Fraction or float
        What it is worth that the enemies of a hex are gone.
    prices : mapping from (unit, Tries) to the same
        What it costs that a unit has tried so much, or more, of which each counts.
    """

    def __init__(
        self,
        contest: Contest,
        worth: Mapping[str, Fraction] | Mapping[str, float],
        prices: Mapping[tuple[str, Tries], Fraction] | Mapping[tuple[str, Tries], float],
    ) -> None:
        self._contest = contest
        self._worth = [Fraction(worth[label]) for label in contest.hexes]
        self._costs = [
            [
                sum((Fraction(prices[unit, less]) for less in some[1:] if _covers(one, less)), Fraction(0))
                for one in some
            ]
            for unit, some in contest.tries.items()
        ]
        self._rough_worth = [*map(float, self._worth)]
        self._rough_costs = [[*map(float, some)] for some in self._costs]
        self._rough: dict[_Situation, float] = {}
        self._exact: dict[_Situation, Fraction] = {}
        # Sums of some hundred numbers, each rounded to one part in 2**53, differ by less.
        self._least = 1e-9 * (1 + sum(map(abs, self._rough_worth)) + sum(max(some) for some in self._rough_costs))

    @property
    def value(self) -> float:
        """What the best way comes to, in floating point."""
        return self._roughly(self._contest.begin)

    @property
    def exact(self) -> Fraction:
        """What it comes to: only what is the best in floating point, or as good as that, is worked out."""
        return self._exactly(self._contest.begin)

    def frequencies(self) -> tuple[dict[str, float], dict[tuple[str, Tries], float]]:
        """Return how often each hex is gone, and how often each unit has tried so much, or more, in the best way."""
        contest = self._contest
        names, tries = [*contest.tries], [*contest.tries.values()]
        gone: dict[str, float] = dict.fromkeys(contest.hexes, 0.0)
        tried: dict[tuple[str, Tries], float] = {}
        stack = [(contest.begin, 1.0)]
        while stack:
            now, often = stack.pop()
            value, option = max(
                ((self._rough_of(option), option) for option in contest.options(now)),
                key=lambda one: one[0],
                default=(0.0, None),
            )
            if option is None or value <= 0:
                continue
            for unit, before, then in option.tries:
                for one in tries[unit]:
                    if _covers(tries[unit][then], one) and not _covers(tries[unit][before], one):
                        tried[names[unit], one] = tried.get((names[unit], one), 0.0) + often
            stack.append((option.failed, often * (1 - option.rough)))
            if option.rough:
                gone[contest.hexes[option.hex]] += often * option.rough
                stack.append((option.gone, often * option.rough))
        return gone, tried

    def _roughly(self, now: _Situation) -> float:
        found = self._rough.get(now)
        if found is None:
            found = self._rough[now] = max([0.0, *map(self._rough_of, self._contest.options(now))])
        return found

    def _rough_of(self, option: _Option) -> float:
        if not option.tries:
            return self._roughly(option.failed)
        chance, costs, paid = option.rough, self._rough_costs, 0.0
        for unit, before, then in option.tries:
            paid += costs[unit][then] - costs[unit][before]
        won = self._rough_worth[option.hex] + self._roughly(option.gone)
        return chance * won + (1 - chance) * self._roughly(option.failed) - paid

    def _exactly(self, now: _Situation) -> Fraction:
        found = self._exact.get(now)
        if found is None:
            near = self._roughly(now) - self._least
            found = max(
                (self._exact_of(option) for option in self._contest.options(now) if self._rough_of(option) >= near),
                default=Fraction(0),
            )
            found = self._exact[now] = max(found, Fraction(0))
        return found

    def _exact_of(self, option: _Option) -> Fraction:
        if not option.tries:
            return self._exactly(option.failed)
        costs = self._costs
        paid = sum((costs[unit][then] - costs[unit][before] for unit, before, then in option.tries), Fraction(0))
        won = self._worth[option.hex] + self._exactly(option.gone)
        return option.chance * won + (1 - option.chance) * self._exactly(option.failed) - paid


def _covers(one: Tries, less: Tries) -> bool:
    return all(had >= count for had, count in zip(one, less, strict=True))


def _all_below(some: frozenset[Tries]) -> tuple[Tries, ...]:
    """Return what somebody may try who may do any of some, or less; first nothing."""
    return tuple(sorted({one for had in some for one in product(*(range(count + 1) for count in had))}))


def _steps(some: tuple[Tries, ...]) -> list[list[int]]:
    """Return for each of some the numbers of what has been tried after one more attempt at each hex."""
    numbers = {one: number for number, one in enumerate(some)}
    return [
        [numbers.get((*one[:label], one[label] + 1, *one[label + 1 :]), _OVER) for label in range(len(one))]
        for one in some
    ]
