"""How far units come by themselves in a turn: the notion of reach that all terms share which look beyond the phase.

As if nobody else stood on the board: what steps cost by the charts, on foot and along routes, what MP hold beyond the MA,
limits to steps of a kind, steps that take all MP, routes to which units are bound, and a first hex, or one entered while MP
are left, that may cost more than there is. Who is in whose way, and ZOCs, are left to the phases in which they will matter.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import count
from typing import TYPE_CHECKING

from planner.rules.demands import Arc
from planner.rules.later_roles import Binds
from planner.rules.roles import Exempts, Exhausts, Phased, Tallies
from planner.world.charts import counts_with

if TYPE_CHECKING:
    from planner.rules.game import Game
    from planner.world.forces import Unit

Spent = tuple[Fraction, ...]
"""MP spent in a turn, and what each rule adds up that holds further MP, or limits steps of a kind."""

SOME = Fraction(1, 10**9)
"""Less than any MP that are left, if some are: what must be left counts as spent."""

Way = tuple[str, "Way | None"]
"""A hex, and the way by which it has been reached."""


class March:
    """What steps cost a unit in a phase, and what it may spend.

    Parameters
    ----------
    game : Game
        The game: units by themselves, whoever else is there.
    unit : Unit
        The unit, of any side.
    phase : str
        The phase; empty: the one that is planned.
    """

    def __init__(self, game: Game, unit: Unit, phase: str = "") -> None:
        self.game, self.unit, self._phase = game, unit, phase or game.situation.phase
        exempting = (rule for rule in game.rulebook.of(Exempts) if rule.who.matches(unit))
        dear = [rule for rule in exempting if not rule.phases or self._phase in rule.phases]
        self._exempt, self._anywhere = bool(dear), any(rule.anywhere for rule in dear)
        held = ((r, r.cap(unit, self._phase), r.further_mp(unit, self._phase)) for r in game.rulebook.of(Tallies))
        self._tallies = [(rule, cap, mp) for rule, cap, mp in held if cap is not None]
        self._routes = [r.along for r in game.rulebook.of(Binds) if r.who.matches(unit) and self._holds(r)]
        self._exhausting = [rule for rule in game.rulebook.of(Exhausts) if self._holds(rule)]
        self.nothing: Spent = (Fraction(0),) * (1 + len(self._tallies))

    def _holds(self, rule: Phased) -> bool:
        return not rule.phases or self._phase in rule.phases

    def after(self, spent: Spent, origin: str, to: str, least: Fraction | None = None) -> Spent | None:
        """Return what has been spent with one step to a neighbour more; None if nobody may make it.

        With `least`, that is what counts, not what the step costs: so much must be left for it.
        """
        side = self.game.board.hexside(origin, to)
        mp = ground_price(self.game, self.unit, origin, to, self._phase)
        if mp is None or any(side.isdisjoint(along) for along in self._routes):
            return None
        arc, mp = Arc(origin, to), mp if least is None else least
        more = (rule.arc_adds(self.game, self.unit, arc, mp) for rule, *_ in self._tallies)
        then = (spent[0] + mp, *(had + adds for had, adds in zip(spent[1:], more, strict=True)))
        within = all(
            had <= cap for had, (_, cap, further) in zip(then[1:], self._tallies, strict=True) if further is None
        )
        return then if within else None

    def _exhausts(self, origin: str, to: str) -> bool:
        """Tell whether a step takes all MP that are left."""
        return any(rule.arc_exhausts(self.game, self.unit, Arc(origin, to)) for rule in self._exhausting)

    def _rested(self, spent: Spent) -> bool:
        """Tell whether a step has taken all MP that were left."""
        return any(had and rule.takes_all for had, (rule, *_) in zip(spent[1:], self._tallies, strict=True))

    def _some_left(self, spent: Spent, origin: str, to: str) -> bool:
        """Tell whether MP are left for a step, of the MA or others that hold for it."""
        if spent[0] < self.unit.ma or self._rested(spent):
            return spent[0] < self.unit.ma
        with_it = self.after(spent, origin, to, SOME)
        return with_it is not None and self.allows(with_it)

    def allows(self, spent: Spent) -> bool:
        """Tell whether a unit may spend so much in a turn."""
        beyond = spent[0] - self.unit.ma
        return beyond <= 0 or any(
            mp is not None and beyond <= mp and had <= cap
            for had, (_, cap, mp) in zip(spent[1:], self._tallies, strict=True)
        )

    def forward(self, starts: Sequence[str]) -> dict[str, tuple[Fraction, list[str]]]:
        """Return the hexes that a unit can reach in one turn: what it spends at least, and by which hexes it comes there."""
        found: dict[str, tuple[Fraction, list[str]]] = {}
        fronts: dict[str, list[Spent]] = {}
        dear: dict[str, tuple[Fraction, Way]] = {}
        number = count()  # of two that are alike the first counts
        queue: list[tuple[Spent, int, Way]] = [(self.nothing, next(number), (start, None)) for start in starts]
        while queue:
            spent, _, way = heapq.heappop(queue)
            label = way[0]
            if _beaten(spent, fronts.get(label, ())):
                continue
            fronts.setdefault(label, []).append(spent)
            found.setdefault(label, (spent[0], _hexes(way)))
            # Who has spent nothing may make a first step, whatever it costs; others must have MP left.
            first = way[1] is None
            for other in self._before(label):
                then, resting = self.after(spent, label, other), self._exhausts(label, other)
                left = self._some_left(spent, label, other)
                overdraws = self._exempt and (first or (self._anywhere and left))
                if then is None or (resting and not left and not overdraws):
                    continue
                if resting:
                    then = max(then[0], self.unit.ma), *then[1:]
                if self.allows(then) and not (then[0] > spent[0] and self._rested(spent)):
                    heapq.heappush(queue, (then, next(number), (other, way)))
                elif overdraws and (other not in dear or then[0] < dear[other][0]):
                    dear[other] = then[0], (other, way)  # a hex that costs too much is the last
        return {label: (mp, _hexes(way)) for label, (mp, way) in dear.items()} | found

    def backward(self, ends: Iterable[str]) -> set[str]:
        """Return the hexes from which a unit can reach one of some hexes in one turn."""
        ends = tuple(ends)
        found = set(self._backward({end: [self.nothing] for end in ends}))
        last = ((o, self.after(self.nothing, o, e, SOME)) for e in ends for o in self._before(e) if self._exempt)
        dear: dict[str, list[Spent]] = {}
        for origin, then in last:
            if then is not None:
                dear.setdefault(origin, []).append(then)
        return found.union(dear, self._backward(dear) if self._anywhere else ())

    def _backward(self, ends: dict[str, list[Spent]]) -> dict[str, list[Spent]]:
        """Return from where a unit can reach some hexes in one turn, with so much to be spent there, and what that takes."""
        fronts = {label: list(some) for label, some in ends.items()}
        open_ = [(end, spent) for end, some in ends.items() for spent in some if self.allows(spent)]
        while open_:
            label, spent = open_.pop()
            if spent not in fronts[label]:
                continue  # something cheaper has been found since
            for origin in self._before(label):
                then = self.after(spent, origin, label)
                if then is not None and self._exhausts(origin, label):
                    # Nothing is left, and some was.
                    then = None if spent[0] else then if then[0] else self.after(spent, origin, label, SOME)
                if then is None or not self.allows(then) or _beaten(then, fronts.get(origin, ())):
                    continue
                kept = [one for one in fronts.get(origin, ()) if not _beaten(one, [then])]
                fronts[origin] = [*kept, then]
                open_.append((origin, then))
        return fronts

    def _before(self, label: str) -> Iterable[str]:
        return self.game.board.neighbours.get(label, ())


def _beaten(spent: Spent, others: Iterable[Spent]) -> bool:
    """Tell whether something else costs no more in any respect."""
    return any(all(less <= more for less, more in zip(other, spent, strict=True)) for other in others)


def _hexes(way: Way) -> list[str]:
    found, before = [way[0]], way[1]
    while before is not None:
        found.append(before[0])
        before = before[1]
    return found[::-1]


def ground_price(game: Game, unit: Unit, origin: str, to: str, phase: str = "") -> Fraction | None:
    """Return what a step to a neighbouring hex costs a unit by the charts, on foot or along a route; None: prohibited."""
    chart, phase = game.rulebook.terrain, phase or game.situation.phase
    into, along, weather = game.board.hexes[to], game.board.hexside(origin, to), game.weather(to)
    prices: dict[object, Fraction | None] = game.cached(("ground prices", unit.id, phase), dict)
    key = into.terrain, into.also, along, weather
    if key not in prices:
        plain = chart.entry_cost(into, along, unit, phase, (), weather)
        found = [] if plain is None else [plain.of(unit.ma)]
        routes = [
            (price, route)
            for route in chart.routes
            if route.feature in along and counts_with(route, along)
            for price in [next((price for price in route.prices if price.fits(unit, phase, weather)), None)]
            if price is not None and not price.prohibited
        ]
        if any(route.overrides for _, route in routes):
            found = []
        for price, route in routes:
            across = chart.hexside_cost(along, unit, phase, (), weather) if route.plus_hexside else None
            if across is not None or not route.plus_hexside:
                on_top = Fraction(0) if across is None else across.of(unit.ma)
                found.append(unit.ma if price.all else (price.mp or Fraction(0)) + on_top)
        prices[key] = min(found, default=None)
    return prices[key]
