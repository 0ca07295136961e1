"""Where units can go by themselves where entering an enemy's hex is a combat, and what they can attack from there."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import count
from operator import le

from planner.plans.plan import Move
from planner.reachability.conditional_reach import ConditionalReach
from planner.reachability.step_rules import Step, Tally
from planner.reachability.undisturbed import groups_of
from planner.rules.demands import Before, Demand
from planner.rules.game import Game
from planner.world.forces import Measure

Spent = tuple[int, Tally]
"""MP that have been spent, scaled, and what rules have added up."""


@dataclass
class Routes:
    """Where one unit can go by itself, and what it can attack.

    Attributes
    ----------
    ends : dict from hexes to (MP, Move)
        The hexes where it may end, by the cheapest way; MP are scaled. For its home, a move without a step.
    detours : dict from (hex, hexes) to (MP, Move)
        Where it may end, its home too, having entered some contested hexes, which it doesn't on the cheapest way.
    attacks : dict from (hex, hex) to (MP, Move)
        From where it may enter which enemy's hex, what it has spent then, and how it comes to where from.
    quiet : set of str
        The enemies' hexes that it may enter without a combat, from afar or as they are boxes.
    sure : bool
        Whether nothing of that depends on what others do, such as who has had an order, nor on where they are when a move
        ends.
    """

    ends: dict[str, tuple[int, Move]] = field(default_factory=dict)
    detours: dict[tuple[str, frozenset[str]], tuple[int, Move]] = field(default_factory=dict)
    attacks: dict[tuple[str, str], tuple[int, Move]] = field(default_factory=dict)
    quiet: set[str] = field(default_factory=set)
    sure: bool = True


class AsItStands:
    """What atoms ask, as long as nobody has moved.

    Parameters
    ----------
    game : Game
        The position.
    unit : str
        Who is to move.
    """

    def __init__(self, game: Game, unit: str) -> None:
        self._game, self._unit, self._groups = game, unit, groups_of(game)

    def fulfils(self, demands: Iterable[Demand]) -> bool:
        """Tell whether all of some demands are fulfilled."""
        return all(any(all(atom.holds(self) for atom in conjunction) for conjunction in d.any_of) for d in demands)

    def is_gone(self, enemy: str) -> bool:
        """Tell whether an enemy unit is off the map."""
        return enemy in self._game.units and enemy not in self._game.homes

    def _inside(self, hex: str, group: str) -> list[str]:
        others = self._groups[group] - {self._unit}
        return [friend for friend in others if self._game.homes.get(friend) == hex]

    def is_friend_in(self, hex: str, group: str, stays: bool = False, unmoved: bool = False) -> bool:
        """Tell whether another of a group stands in a hex."""
        return any(not (unmoved and self._game.has_moved(friend)) for friend in self._inside(hex, group))

    def amount_in(self, hex: str, group: str, but: frozenset[str], of: Measure) -> Fraction:
        """Return what the others of a group who stand in a hex count together, some left out."""
        inside = (friend for friend in self._inside(hex, group) if friend not in but)
        return sum((self._game.units[friend].counts(of) for friend in inside), Fraction(0))

    def is_foremost(self, way: str) -> bool:
        """Tell that nobody has made another step yet than of one way."""
        return True

    def entered(self, hex: str, rule: str) -> int:
        """Return that nobody has entered a hex yet."""
        return 0


def fights_in(game: Game, here: str, to: str) -> bool:
    """Tell whether a step leads onto enemies across a hexside: nobody fights who comes from afar, or into a box."""
    return bool(game.enemies_at(to)) and game.board.adjacent(here, to)


class _Steps:
    """The steps that one unit can pay for; parameters are those of `routes_of`."""

    def __init__(self, reach: ConditionalReach, unit: str, cautious: bool, overruns: bool = False) -> None:
        self._reach, self._unit, self._game = reach, reach.game.units[unit], reach.game
        self._overruns = overruns
        self._begun = reach.departed(unit).steps > 0
        self._standing = AsItStands(reach.game, unit) if cautious else None
        self.sure = True

    def out_of(self, here: str, before: Before, spent: Spent, first: bool) -> Iterator[tuple[Step, Spent, bool]]:
        """Yield the steps, what has been spent after them, and whether the unit may go on; onto enemies or not."""
        for step in self._reach.steps(self._unit.id, here, before, self._overruns):
            onto = fights_in(self._game, here, step.arc.to)
            if step.arc.overrun and not self._overruns:
                continue
            paid = self._reach.pay(self._unit, step, *spent, first and not self._begun)
            if paid is None:
                continue
            total, sums, barring = paid
            self.sure = self.sure and (onto or not (step.now or step.onward))
            if self._had(step.now):
                barred = barring is not None or any(not demand.any_of for demand in step.onward)
                yield step, (total, sums), not barred and (onto or self._had(step.onward))

    def _had(self, demands: Iterable[Demand]) -> bool:
        return self._standing is None or self._standing.fulfils(demands)


def routes_of(
    reach: ConditionalReach,
    unit: str,
    passable: frozenset[str] = frozenset(),
    cautious: bool = False,
    overruns: bool = False,
    through: str = "",
) -> Routes:
    """Return where a unit can go, as if the enemies were gone from some hexes when it comes.

    What depends on others is to be had; `cautious`: only if it is as long as nobody has moved. `overruns`: by overruns that
    go through, too. `through`: by ways on which it is in some hex, be it first or last; it ends at home then only if it can
    come back there.
    """
    reach.check_time()
    home, departure = reach.game.homes[unit], reach.departed(unit)
    still, numbers, steps = Move((unit,), (home,)), count(), _Steps(reach, unit, cautious, overruns)
    seen = through in ("", home)
    found = Routes({home: (departure.spent, still)} if seen else {})
    if departure.pending:
        return found
    start: Spent = departure.spent, reach.tally_before(reach.game.units[unit])
    kept: dict[tuple[str, Before, bool], list[Spent]] = {(home, departure.before, seen): [start]}
    queue: list[tuple[int, str, int, Before, Spent, Move, bool]] = [
        (departure.spent, home, next(numbers), departure.before, start, still, seen)
    ]
    while queue:
        _, here, _, before, spent, way, seen = heapq.heappop(queue)
        if spent not in kept[here, before, seen]:
            continue  # something cheaper has been found since
        for step, then, goes_on in steps.out_of(here, before, spent, len(way.path) == 1):
            to, longer, after = step.arc.to, _longer(way, step), reach.after(step.arc)
            if fights_in(reach.game, here, to):
                if seen and ((here, to) not in found.attacks or then[0] < found.attacks[here, to][0]):
                    found.attacks[here, to] = then[0], way
                if to not in passable:
                    continue
            elif reach.game.enemies_at(to):
                found.quiet.add(to)
            has_seen = seen or to == through
            if has_seen and (to not in found.ends or then[0] < found.ends[to][0]):
                found.ends[to] = then[0], longer
            rivals = kept.setdefault((to, after, has_seen), [])
            if goes_on and not any(_as_good(rival, then) for rival in rivals):
                rivals[:] = [*(rival for rival in rivals if not _as_good(then, rival)), then]
                heapq.heappush(queue, (then[0], to, next(numbers), after, then, longer, has_seen))
    found.sure = steps.sure and not reach.limiting_halts and not reach.pick_up(unit)
    return found


def add_detours(reach: ConditionalReach, unit: str, routes: Routes) -> None:
    """Work out the ways on which a unit enters contested hexes before it ends somewhere."""
    game, home, departure, numbers = reach.game, reach.game.homes[unit], reach.departed(unit), count()
    contested, steps = game.situation.contested, _Steps(reach, unit, cautious=True)
    start: Spent = departure.spent, reach.tally_before(game.units[unit])
    first = home, departure.before, frozenset[str]()
    known: dict[tuple[str, Before, frozenset[str]], tuple[Spent, Move]] = {first: (start, Move((unit,), (home,)))}
    queue: list[tuple[int, str, list[str], int, Before, Spent, frozenset[str]]] = (
        [] if departure.pending else [(departure.spent, home, [], next(numbers), departure.before, start, frozenset())]
    )
    while queue:
        _, here, _, _, before, spent, entered = heapq.heappop(queue)
        if spent != known[here, before, entered][0]:
            continue
        way = known[here, before, entered][1]
        for step, then, goes_on in steps.out_of(here, before, spent, len(way.path) == 1):
            to = step.arc.to
            key = to, reach.after(step.arc), entered | ({to} & contested)
            if not fights_in(game, here, to) and (key not in known or then[0] < known[key][0][0]):
                known[key] = then, _longer(way, step)
                if goes_on:
                    heapq.heappush(queue, (then[0], to, sorted(key[2]), next(numbers), key[1], then, key[2]))
    ends: dict[tuple[str, frozenset[str]], tuple[int, Move]] = {}
    for (to, _, entered), ((mp, _), way) in known.items():
        if (to, entered) not in ends or mp < ends[to, entered][0]:
            ends[to, entered] = mp, way
    for (to, entered), (mp, way) in ends.items():
        plain = frozenset(routes.ends[to][1].path[1:])
        rivals = (other for (there, more), other in ends.items() if there == to and more > entered)
        if not entered <= plain and not any(other[0] <= mp for other in rivals):
            routes.detours[to, entered] = mp, way


def _longer(way: Move, step: Step) -> Move:
    """Return a move with one more step, as it is written."""
    carried = (*way.carried, (len(way.path), "")) if step.aboard else way.carried
    return replace(way, path=(*way.path, step.arc.to), carried=carried)


def _as_good(one: Spent, other: Spent) -> bool:
    """Tell whether whoever has spent so much can go on as well as another one."""
    return one[0] <= other[0] and all(map(le, one[1], other[1]))
