"""What combats for one enemy's hex come to at best."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import IntEnum
from fractions import Fraction
from itertools import accumulate, chain, combinations, product
from math import lcm
from operator import or_
from typing import NamedTuple

from planner.reachability.conditional_reach import ConditionalReach
from planner.rules.combat_roles import Fights
from planner.rules.demands import Arc
from planner.search.combat_routes import Routes
from planner.search.retreats import PossibleRetreats
from planner.solver.tuning import Combats
from planner.world.forces import Unit

Foes = tuple[tuple[str, bool], ...]
"""The defenders that are left, each with whether it is demoralized."""

_Team = tuple[int, list[Unit], tuple[bool, ...]]
"""The strength of some units, themselves, and which damage some of them survive."""


class Back(IntEnum):
    """When others are thrown back to a hex that nobody defends any more: if its defenders have gone on, or in any case."""

    never = 0
    driven = 1
    always = 2


class CombatOutcome(NamedTuple):
    """What an attack may lead to.

    Attributes
    ----------
    times : int
        In how many of all cases it comes about, of as many as any column of the table tells apart.
    lost, back : frozenset of str
        Which defenders are destroyed, and which go back.
    good : bool
        Whether an attacker is in the hex.
    left : Foes
        Who is left there to be attacked.
    """

    times: int
    lost: frozenset[str]
    back: frozenset[str]
    good: bool
    left: Foes


class Prize(NamedTuple):
    """What it is worth to hold a hex, and to destroy each of its defenders."""

    held: Fraction
    dead: Mapping[str, Fraction]


class HexCombats:
    """The best that can be made of combats for one hex.

    Parameters
    ----------
    reach : ConditionalReach
        The game, and the time that there is.
    rule : Fights
        The rule.
    label : str
        The hex.
    routes : mapping from units to Routes
        Who can attack from where.
    retreats : PossibleRetreats
        Where enemies may give way. Those of other hexes may have come into this one when it is attacked, or not; what
        becomes of them counts where they come from.

    Attributes
    ----------
    candidates : tuple of str
        The units that may take part.
    visitors : tuple of str
        The enemies of other hexes who may come into it.
    refuges : tuple of str
        Where its defenders may give way.
    rings : dict from str to tuple of str
        From where its defenders may be attacked so that they have nowhere to go, if own units, or other enemies of
        theirs, hold all of some places.
    strangers : frozenset of str
        Where enemies of theirs may stand who are the attackers' enemies, too.
    quiet : bool
        Whether it might be entered without a combat.
    """

    def __init__(
        self,
        reach: ConditionalReach,
        rule: Fights,
        label: str,
        routes: Mapping[str, Routes],
        retreats: PossibleRetreats,
    ) -> None:
        self._game, self._rule, self._label, self._check_time = reach.game, rule, label, reach.check_time
        attacks = [(unit, origin, to) for unit, ways in routes.items() for origin, to in ways.attacks]
        self._origins: dict[str, set[str]] = {}
        for unit, origin, to in attacks:
            if to == label:
                self._origins.setdefault(origin, set()).add(unit)
        ending = {unit for unit, ways in routes.items() if label in ways.ends}
        self.candidates = self._game.sorted(ending.union(*self._origins.values()))
        self.quiet = any(label in ways.quiet for ways in routes.values())
        self.visitors = retreats.visitors(label)
        defenders = [self._game.units[enemy] for enemy in (*self._game.enemies_at(label), *self.visitors)]
        self.strangers = retreats.strangers(defenders)
        ring = {origin: rule.refuges(self._game, origin, label, defenders) for origin in self._origins}
        known = (place for origin in self._origins for place in retreats.refuges(origin, label))
        self.refuges = tuple(dict.fromkeys(known))
        barred = retreats.held | self.strangers
        self.rings = {origin: places for origin, places in ring.items() if places and barred.issuperset(places)}
        # Where all are kept from going anywhere, or may go, it is all one from where they are attacked.
        self._nowhere = frozenset(origin for origin, places in ring.items() if not places)
        self._form = self._origins, self.candidates, self.visitors, self._nowhere, self.rings, self.refuges
        self._foes = tuple((enemy, False) for enemy in self._game.enemies_at(label))
        self._mode: tuple[object, ...] | None = None
        self._caught, self._back, self._shut = False, Back.never, self._nowhere
        # Values are whole: an attack divides them by so many cases, and each unit attacks once.
        self._cases = lcm(*(len(column.entries) for column in rule.columns))
        self._scale, self._held, self._dead = 1, 0, dict[str, int]()
        self._values: dict[tuple[Foes, frozenset[str]], int] = {}
        cases = (((), ((one, False),), ((one, True),)) for one in self.visitors)
        self._visits: list[Foes] = [tuple(chain.from_iterable(case)) for case in product(*cases)]
        self._damages = sorted({ours for column in rule.columns for ours, _ in column.entries})
        self._cleared: dict[tuple[Foes, frozenset[str]], bool] = {}
        # By the number of a column, whether that or one before it is sure to do any harm.
        sure = (all(theirs for _, theirs in column.entries) for column in rule.columns)
        self._harmful = list(accumulate(sure, or_))
        self._columns: dict[tuple[str, int, int], int] = {}
        self._teams: dict[frozenset[str], _Team] = {}
        self._defenses: dict[Foes, int] = {}
        self._played: dict[tuple[object, ...], tuple[CombatOutcome, ...]] = {}
        self._known: dict[tuple[object, ...], frozenset[tuple[CombatOutcome, ...]]] = {}

    @property
    def too_many(self) -> bool:
        """Whether too many may take part, or come into it, to work out what that leads to."""
        return len(self.candidates) > Combats.candidates or len(self.visitors) > Combats.visitors

    def is_like(self, other: HexCombats) -> bool:
        """Tell whether the same may come about as by other routes."""
        return self._form == other._form

    def worth(
        self,
        units: frozenset[str],
        prize: Prize,
        caught: bool,
        back: Back = Back.never,
        closed: frozenset[str] = frozenset(),
    ) -> Fraction:
        """Return what some units can make of it on average.

        `caught`: if those who give way count as destroyed; `back`: when others are thrown back to the hex; `closed`: of
        `rings`, from where defenders are attacked who have nowhere to go.
        """
        shut = self._nowhere | closed
        if (mode := (prize, caught, back, shut)) != self._mode:
            self._mode, self._caught, self._back, self._shut = mode, caught, back, shut
            parts = lcm(prize.held.denominator, *(worth.denominator for worth in prize.dead.values()))
            self._scale = parts * self._cases ** len(self.candidates)
            self._held = int(prize.held * self._scale)
            self._dead = {enemy: int(worth * self._scale) for enemy, worth in prize.dead.items()}
            self._values.clear()
        return Fraction(self._value(self._foes, units), self._scale)

    def surely(self, units: frozenset[str]) -> bool:
        """Tell whether it might be certain that some units destroy all who defend it, or have them give way."""
        self._mode, self._shut = None, self._nowhere.union(self.rings)
        return self._clears(self._foes, units)

    def _clears(self, foes: Foes, left: frozenset[str]) -> bool:
        known = self._cleared.get((foes, left))
        if known is None:
            known = self._cleared[foes, left] = any(
                all(not one.left or self._clears(one.left, left - team) for one in outcomes)
                for origin, team in self._attacks(left)
                # Whoever may do no harm at all might as well not have fought.
                if self._harmful[self._column(origin, self._noted(team)[0], self._defense(foes))]
                for outcomes in self._outcomes(foes, origin, team)
            )
        return known

    def _attacks(self, left: frozenset[str]) -> Iterator[tuple[str, frozenset[str]]]:
        """Yield from where, and by whom, it may be attacked by units that have not fought yet."""
        for origin, able in self._origins.items():
            here = sorted(left & able)
            for size in range(1, len(here) + 1):
                yield from ((origin, frozenset(team)) for team in combinations(here, size))

    def _value(self, foes: Foes, left: frozenset[str]) -> int:
        """Return the best expectation, scaled, with some units that haven't fought yet, against who defends the hex."""
        known = self._values.get((foes, left))
        if known is None:
            known = self._values[foes, left] = self._best(foes, left)
        return known

    def _best(self, foes: Foes, left: frozenset[str]) -> int:
        attacks = {(self._outcomes(foes, origin, team), left - team) for origin, team in self._attacks(left)}
        return max((self._expected(outcomes, rest) for outcomes, rest in attacks), default=0)

    def _expected(self, cases: frozenset[tuple[CombatOutcome, ...]], left: frozenset[str]) -> int:
        """Return what an attack and all that follows come to on average, scaled, in the best of the cases that may be."""
        self._check_time()

        def worth(result: CombatOutcome) -> int:
            gain = sum(map(self._dead.__getitem__, result.lost | result.back if self._caught else result.lost))
            if result.left:
                return gain + self._value(result.left, left)
            return gain + (self._held if result.good or left or self._back > (not result.back) else 0)

        return max(sum(result.times * worth(result) for result in outcomes) for outcomes in cases) // self._cases

    def _outcomes(self, foes: Foes, origin: str, units: frozenset[str]) -> frozenset[tuple[CombatOutcome, ...]]:
        """Return what an attack may lead to, whoever has given way into the hex."""
        attack, team, survive = self._noted(units)
        key = foes, origin, origin in self._shut, attack, survive
        known = self._known.get(key)
        if known is None:
            found, there = set[tuple[CombatOutcome, ...]](), self._defense(foes)
            for visit in self._visits:
                column = self._column(origin, attack, there + self._defense(visit))
                how = foes, visit, origin in self._shut, column, survive
                if how not in self._played:
                    self._played[how] = self._play(foes, visit, origin, team)
                found.add(self._played[how])
            known = self._known[key] = frozenset(found)
        return known

    def _noted(self, units: frozenset[str]) -> _Team:
        if units not in self._teams:
            team = [self._game.units[unit] for unit in sorted(units)]
            survive = tuple(len(self._rule.harm(team, (), damage)[1]) < len(team) for damage in self._damages)
            self._teams[units] = sum(self._rule.strength_of(unit, ()) for unit in team), team, survive
        return self._teams[units]

    def _defense(self, there: Foes) -> int:
        """Return the strength of some enemies together."""
        if there not in self._defenses:
            shaken = {enemy for enemy, weak in there if weak}
            units = (self._game.units[enemy] for enemy, _ in there)
            self._defenses[there] = sum(self._rule.strength_of(unit, shaken) for unit in units)
        return self._defenses[there]

    def _column(self, origin: str, attack: int, defense: int) -> int:
        """Return the column of the table for an attack, by its number."""
        key = origin, attack, defense
        if key not in self._columns:
            column = self._rule.column_of(self._game, attack, defense, origin, self._label)
            self._columns[key] = self._rule.columns.index(column)
        return self._columns[key]

    def _play(self, foes: Foes, visit: Foes, origin: str, team: Sequence[Unit]) -> tuple[CombatOutcome, ...]:
        """Return what an attack leads to for the defenders of the hex while some others are there."""
        self._check_time()
        game, found = self._game, dict[CombatOutcome, int]()
        there = [game.units[enemy] for enemy in game.sorted(enemy for enemy, _ in (*foes, *visit))]
        shaken = {enemy for enemy, weak in (*foes, *visit) if weak}
        shut = origin in self._shut  # who has nowhere to go is destroyed, which is worth no less
        for result in self._rule.aftermath(game, team, there, Arc(origin, self._label), shaken, lambda *_: shut):
            alive = [(enemy, weak or enemy in result.shaken) for enemy, weak in foes if enemy not in result.eliminated]
            back = frozenset(enemy for enemy, _ in alive) & {unit for unit, _ in result.back}
            lost = frozenset(enemy for enemy, _ in foes if enemy in result.eliminated)
            left = () if len(back) == len(alive) else tuple(alive)
            after = CombatOutcome(0, lost, back, result.good, left)
            found[after] = found.get(after, 0) + int(result.probability * self._cases)
        return tuple(after._replace(times=times) for after, times in found.items())
