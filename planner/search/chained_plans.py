"""Plans in which units help those who help, put together need by need, from the unit that is to get somewhere backwards.

What is known of a unit is one plan for each hex, and plans of several units often move the same unit, each to another place.
Here everything that a move needs is asked for anew: first what is needed farthest along its path, which tends to bring
about the rest, of whoever hasn't moved yet and needs least himself. Only the needs that are listed are looked at: the
referee is asked about whole plans.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import NamedTuple

from planner.plans.plan import Move, Plan
from planner.reachability.conditional_reach import ConditionalReach
from planner.rules.atom_order import in_order
from planner.rules.atoms import Atom, Conjunction
from planner.rules.game import Game
from planner.search.reach_cache import ReachCache
from planner.search.witness_moves import cheapest
from planner.solver.tuning import Chaining as Tuned
from planner.world.forces import Measure


class ChainedMove(NamedTuple):
    """A move that can be made, if all that it needs is brought about.

    Attributes
    ----------
    move : Move
        The move.
    ends : tuple of str
        Where each of its units ends.
    needs : frozenset of Atom
        What must hold when it is made.
    removes : tuple of str
        Who and what is gone after it.
    sure : bool
        Whether it is sure enough to be relied upon; otherwise nothing but what it hedges can be.
    hedges : frozenset of (str, str)
        Enemies whom it eliminates, each with the hex in which its units are stuck if that fails.
    stuck : tuple of (str, str)
        Those of its units that are stuck if everything fails that can, each with the hex.
    """

    move: Move
    ends: tuple[str, ...]
    needs: Conjunction
    removes: tuple[str, ...] = ()
    sure: bool = True
    hedges: frozenset[tuple[str, str]] = frozenset()
    stuck: tuple[tuple[str, str], ...] = ()

    def at_worst(self) -> Iterable[tuple[str, str]]:
        """Return where its units are if everything fails that can."""
        return (dict(zip(self.move.units, self.ends, strict=True)) | dict(self.stuck)).items()

    def brings(self, atom: Atom, where: str) -> bool:
        """Tell whether it seems to bring about something about a hex."""
        if not self.sure:
            return (atom.victim, where) in self.hedges
        return atom.victim in self.removes or (atom.friend is not None and where in self.ends)


@dataclass(frozen=True)
class _Made:
    """Moves that have been put together, and what has come of them; as a view, whatever an atom may ask of it."""

    reach: ConditionalReach
    at: Mapping[str, str]
    gone: frozenset[str] = frozenset()
    moves: tuple[Move, ...] = ()
    moved: frozenset[str] = frozenset()
    hedged: frozenset[tuple[str, str]] = frozenset()
    besides: frozenset[str] = frozenset()
    """Who doesn't count: those who ask."""

    def after(self, way: ChainedMove) -> _Made:
        """Return what comes of one more move; it overruns nobody who is gone by then."""
        move, enemies = way.move, self.reach.game.enemies_at
        left = frozenset(step for step in move.overruns if not self.gone.issuperset(enemies(move.path[step])))
        if left != move.overruns and not move.attempts:
            move = replace(move, overruns=left)
        at = {**self.at, **dict(zip(move.units, way.ends, strict=True))}
        if not way.sure:  # nobody can tell where its units are
            at = {unit: label for unit, label in at.items() if unit not in move.units}
        moved, gone = self.moved.union(move.units), self.gone.union(way.removes)
        return _Made(self.reach, at, gone, (*self.moves, move), moved, self.hedged | way.hedges)

    def missing(self, way: ChainedMove) -> list[Atom]:
        """Return what a move needs that doesn't hold, what is needed farthest along its path first."""
        view = replace(self, besides=frozenset(way.move.units))
        path = {label: step for step, label in enumerate(way.move.path)}
        missing = in_order(atom for atom in way.needs if atom.helped and not atom.holds(view))
        found = [(_where(self.reach, atom), atom) for atom in missing]
        left = [(path.get(label, 0), atom) for label, atom in found if (atom.victim, label) not in self.hedged]
        return [atom for _, atom in sorted(left, key=lambda one: -one[0])]

    def is_gone(self, enemy: str) -> bool:
        """Tell whether an enemy is off the map, or something taken."""
        return enemy in self.gone or (enemy in self.reach.game.units and enemy not in self.at)

    def is_friend_in(self, hex: str, group: str, stays: bool = False, unmoved: bool = False) -> bool:
        """Tell whether another unit of a group stands in a hex; who has moved moves no more."""
        return any(not unmoved or one not in self.moved for one in self.units_in(hex, group))

    def units_in(self, hex: str, group: str) -> list[str]:
        """Return those of a group who stand in a hex, in the order of the scenario."""
        friends = self.reach.group(group)
        return [one for one, label in self.at.items() if label == hex and one in friends and one not in self.besides]

    def amount_in(self, hex: str, group: str, but: frozenset[str], of: Measure) -> Fraction:
        """Return what the others of a group who stand in a hex count together."""
        units = self.reach.game.units
        return sum((units[one].counts(of) for one in self.units_in(hex, group) if one not in but), Fraction(0))

    def is_foremost(self, way: str) -> bool:
        """Take it that nobody has made another step."""
        return True

    def entered(self, hex: str, rule: str) -> int:
        """Take it that nobody has entered the hex before."""
        return 0


class ChainedPlans:
    """Puts plans together in which units help those who help.

    Parameters
    ----------
    reach : ConditionalReach
        What the listed moves are of.
    at : mapping from units to hex labels
        Who stands where.
    ways : sequence of ChainedMove
        What can be done, the cheapest first.
    """

    def __init__(self, reach: ConditionalReach, at: Mapping[str, str], ways: Sequence[ChainedMove]) -> None:
        self._reach, self._start = reach, _Made(reach, at)
        if reach.game.situation.confidence == 1:  # otherwise two chances may be enough together
            ways = self._possible(ways)
        self._to: dict[tuple[str, str], list[ChainedMove]] = {}
        self._coming: dict[str, list[ChainedMove]] = {}
        self._removing: dict[str, list[ChainedMove]] = {}
        self._leaving: dict[str, list[ChainedMove]] = {}
        for way in ways:
            for unit, end in zip(way.move.units, way.ends, strict=True):
                self._to.setdefault((unit, end), []).append(way)
                if way.sure and end != at[unit]:
                    self._leaving.setdefault(unit, []).append(way)
            for end in dict.fromkeys(way.ends if way.sure else ()):
                self._coming.setdefault(end, []).append(way)
            for name in (*way.removes, *(enemy for enemy, _ in way.hedges)):
                self._removing.setdefault(name, []).append(way)
        self._looks = 0

    def _possible(self, ways: Sequence[ChainedMove]) -> list[ChainedMove]:
        """Return the moves whose needs are seen to one by one, if everything fails that can, whoever has moved already.

        What isn't among them no plan has: whatever comes of its rolls, it must be legal, and in the worst case some need of
        such a move would have to be seen to by a move of which that is true as well.
        """
        standing: dict[str, set[str]] = {}
        for unit, label in self._start.at.items():
            standing.setdefault(label, set()).add(unit)
        gone, possible = set[str](), list[int]()
        mattering: dict[tuple[Conjunction, frozenset[str]], Conjunction] = {}
        waiting: dict[tuple[Conjunction, tuple[str, ...]], list[int]] = {}  # many moves need the same
        for number, way in enumerate(ways):
            dropped = frozenset(way.ends if len(way.ends) > 1 else ())  # who is dropped may stand there for the rest
            if (needs := mattering.get((way.needs, dropped))) is None:
                needs = frozenset(atom for atom in way.needs if _takes_others(atom, dropped))
                mattering[way.needs, dropped] = needs
            waiting.setdefault((needs, way.move.units), []).append(number)

        def may_hold(atom: Atom, units: tuple[str, ...]) -> bool:
            if atom.victim and (atom.victim in gone or self._start.is_gone(atom.victim)):
                return True
            group = frozenset[str]() if atom.friend is None else self._reach.group(atom.friend.group)
            there = standing.get(_where(self._reach, atom), ())
            return any(one in group and one not in units for one in there)

        news = True
        while news:
            some = [key for key in waiting if all(may_hold(atom, key[1]) for atom in key[0])]
            for number in [number for key in some for number in waiting.pop(key)]:
                possible.append(number)
                gone.update(ways[number].removes)
                for unit, label in ways[number].at_worst():
                    standing.setdefault(label, set()).add(unit)
            news = bool(some)
        return [ways[number] for number in sorted(possible)]

    def may_take(self, unit: str, label: str) -> bool:
        """Tell whether any plan might take a unit to a place, by what is listed."""
        return (unit, label) in self._to

    def taking(self, unit: str, label: str) -> Iterator[Plan]:
        """Yield plans that may take a unit to a place, the last move being its own; few of them."""
        different: dict[Conjunction, ChainedMove] = {}
        for way in self._to.get((unit, label), ()):  # the cheapest of each, and of these the cheapest first
            different.setdefault(way.needs, way)
        for way in sorted(different.values(), key=lambda way: len(self._start.missing(way)))[: Tuned.ways]:
            self._looks = Tuned.looks
            for made in self._made(way, self._start, frozenset(way.move.units), Tuned.depth):
                yield Plan(made.moves)

    def _made(self, way: ChainedMove, made: _Made, kept: frozenset[str], depth: int) -> Iterator[_Made]:
        """Yield what comes of a move after moves that bring about what it needs, by others than those who are kept."""
        self._looks -= 1
        missing = made.missing(way)
        if not missing:
            yield made.after(way)
        elif depth and self._looks > 0:
            for helper in self._helpers(way, missing, made, kept):
                for helped in self._made(helper, made, kept.union(helper.move.units), depth - 1):
                    if len(helped.missing(way)) < len(missing):
                        yield from self._made(way, helped, kept.union(helped.moved), depth)
                    if self._looks <= 0:
                        return

    def _helpers(self, way: ChainedMove, missing: list[Atom], made: _Made, kept: frozenset[str]) -> list[ChainedMove]:
        """Return moves that bring about the first thing that another move needs; first those that leave least to be done."""
        atom, busy, overrun = missing[0], kept | made.moved, self._overrun(way)
        if (space := atom.space) is not None:
            there = [one for one in made.units_in(space.hex, space.group) if one not in kept]
            some = [one for one in self._leaving.get(there[0], ()) if space.hex not in one.ends] if there else []
        else:
            friend, label = atom.friend, _where(self._reach, atom)
            some = [one for one in self._removing.get(atom.victim, ()) if one.brings(atom, label)]
            if friend is not None:
                group = self._reach.group(friend.group)
                some += [one for one in self._coming.get(friend.hex, ()) if _comes(one, friend.hex, group)]
        able = [one for one in some if busy.isdisjoint(one.move.units)]
        able.sort(key=lambda one: len(one.needs))

        def to_do(one: ChainedMove) -> tuple[bool, int, int]:
            """Whoever is to be overrun should be there still."""
            done = sum(one.brings(other, _where(self._reach, other)) for other in missing)
            return not overrun.isdisjoint(one.removes), len(made.missing(one)), -done

        return sorted(able[: Tuned.compared], key=to_do)[: Tuned.helpers]

    def _overrun(self, way: ChainedMove) -> frozenset[str]:
        """Return the enemies whom a move overruns."""
        enemies = self._reach.game.enemies_at
        return frozenset(enemy for step in way.move.overruns for enemy in enemies(way.move.path[step]))


def _comes(way: ChainedMove, label: str, group: frozenset[str]) -> bool:
    """Tell whether a move takes somebody of a group to a hex."""
    return any(end == label and unit in group for unit, end in zip(way.move.units, way.ends, strict=True))


def _takes_others(atom: Atom, own: Collection[str]) -> bool:
    """Tell whether others must bring something about, if a move's own units may stand in some hexes."""
    if not atom.helped or atom.space is not None:
        return False
    friend = atom.friend
    return bool(atom.victim) if friend is None else friend.before or friend.hex not in own


def _where(reach: ConditionalReach, atom: Atom) -> str:
    """Return the hex that an atom is about."""
    about = atom.friend or atom.space
    return about.hex if about is not None else reach.game.homes.get(atom.victim, "")


def all_ways(game: Game, listed: ReachCache) -> Iterator[ChainedMove]:
    """Yield all that units, and teams, can do; what is rolled for is done by teams."""
    least, enemies_at = game.situation.confidence, game.enemies_at
    for some in listed.possibilities.values():
        yield from (ChainedMove(one.move, (one.end,), one.needs, one.removes) for one in cheapest(some))
    for team in listed.teams:
        first = next((fork for fork in team.forks if fork.chance < 1), None)
        if first is None or team.chance >= least:
            yield ChainedMove(team.move, team.ends, team.needs, tuple(name for name, _ in team.removes))
            continue
        stuck = tuple((unit, first.at) for unit in first.units)
        hedges = frozenset((enemy, first.at) for enemy in enemies_at(team.path[first.step]))
        surely = tuple(name for name, chance in team.removes if chance == 1)
        yield ChainedMove(team.move, team.ends, team.needs, surely, False, hedges, stuck)
