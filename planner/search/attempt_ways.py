"""What a unit may have done in the end where enemies are overrun: whom it has tried, where it is, and what that took.

Of what others must do for it, what has come about by the end of the phase is told: enemies whose hexes it has gone through
are gone, and where an EZOC would have stopped it, either the enemy is gone, or a friend is there who has stayed.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from planner.limits import Limits
from planner.reachability.conditional_reach import ConditionalReach
from planner.reachability.step_rules import Step
from planner.rules.combat_roles import JointlyOverruns
from planner.rules.demands import Demand
from planner.rules.play import overrun_links
from planner.solver.tuning import SharedAttempts

Tried = tuple[tuple[str, int], ...]
"""Hexes of enemies, each with how often it was tried."""


class AttemptNeed(NamedTuple):
    """What has come about in the end: the enemies of a hex are gone, or a friend has stayed.

    Attributes
    ----------
    enemies : str
        The hex of the enemies.
    stay : str or None
        Where one of a group may stay instead; None: that is of no use.
    group : str
        The group, as rules call it.
    """

    enemies: str
    stay: str | None = None
    group: str = ""


class AttemptWay(NamedTuple):
    """What a unit has done in the end.

    Attributes
    ----------
    end : str or None
        Where it is; None: nowhere of worth.
    tried : tuple
        Whom it has tried, and how often.
    needs : frozenset of AttemptNeed
        What has come about.
    left : int
        MP that it may have left, scaled.
    """

    end: str | None
    tried: Tried
    needs: frozenset[AttemptNeed]
    left: int


class TooManyError(Exception):
    """There are too many ways to share out attempts."""


_Label = tuple[int, int, int]
"""MP spent, scaled, until a unit is somewhere, what it needs for it, and what it needs to go on; the latter two in bits."""
_Field = dict[str, list[_Label]]


class AttemptWays:
    """What units can have done in the end.

    Parameters
    ----------
    reach : ConditionalReach
        What their steps need.
    rule : JointlyOverruns
        The rule under which they overrun.
    labels : list of str
        The hexes of enemies whom it is worth something to try.
    ends : set of str
        Where it is worth something to be.
    limits : Limits
        When it must end.
    """

    def __init__(
        self, reach: ConditionalReach, rule: JointlyOverruns, labels: list[str], ends: set[str], limits: Limits
    ) -> None:
        assert rule.price is not None
        self._game, self._reach, self._rule, self._limits = reach.game, reach, rule, limits
        self._labels, self._price = labels, int(rule.price * reach.scale)
        self._bits: dict[AttemptNeed, int] = {}
        self._of_steps: dict[int, tuple[Step, int, int]] = {}
        fields = {unit: list(self._fields(unit)) for unit in reach.movers}
        found = {unit: list(self._ending(unit, some, {None, *ends})) for unit, some in fields.items()}
        used = 0
        for ways in found.values():
            for _, _, needs, _ in ways:
                used |= needs
        # Who stays where others need it may need others himself.
        stays = {need.stay for need in self._needs(used) if need.stay is not None} - ends
        known = sum(1 << bit for need, bit in self._bits.items() if need.stay is None or need.stay in stays | ends)
        self.ways = {
            unit: [
                AttemptWay(end, tried, frozenset(self._needs(needs & known)), left)
                for end, tried, needs, left in _undominated(
                    [
                        *((end, tried, needs & known, left) for end, tried, needs, left in ways),
                        *(
                            (end, tried, needs & known, left)
                            for end, tried, needs, left in self._ending(unit, fields[unit], set(stays))
                        ),
                    ]
                )
            ]
            for unit, ways in found.items()
        }
        self._fields_of = fields

    def left_beside(self, unit: str, label: str) -> int:
        """Return how many MP, scaled, a unit has left beside a hex of enemies, if all goes well; -1: it never is there."""
        field = self._fields_of[unit][0][1] if self._rule.by.matches(self._game.units[unit]) else {}
        near = [one[0] for place in overrun_links(self._game, label) for one in field.get(place, ())]
        return max(-1, self.allowed(unit) - min(near)) if near else -1

    def _needs(self, bits: int) -> Iterator[AttemptNeed]:
        return (need for need, bit in self._bits.items() if bits >> bit & 1)

    def _ending(
        self, unit: str, fields: list[tuple[Tried, _Field]], ends: set[str | None]
    ) -> Iterator[tuple[str | None, Tried, int, int]]:
        allowed = self.allowed(unit)
        for tried, field in fields:
            for end in ends:
                labels = [one for some in field.values() for one in some] if end is None else field.get(end, ())
                for spent, needs in {(spent, needs) for spent, needs, _ in labels}:
                    yield end, tried, needs, max(0, allowed - spent)

    def allowed(self, unit: str) -> int:
        """Return how many MP a unit may spend at most, scaled, wherever it goes and whomever it tries."""
        counter = self._game.units[unit]
        places = [self._game.homes[unit], *self._labels]
        return max([int(counter.ma * self._reach.scale), *(self._reach.limit(counter, one) for one in places)])

    def _beside(self, unit: str, label: str, field: _Field) -> dict[str, list[_Label]]:
        """Return the situations in which a unit has tried a hex from each of those beside it, after having been there."""
        counter = self._game.units[unit]
        allowed = max(self._reach.limit(counter, label), int(counter.ma * self._reach.scale))
        found = {}
        for place in overrun_links(self._game, label):
            some = [
                (spent + self._price, needs, onward)
                for spent, needs, onward in field.get(place, ())
                if spent + self._price <= allowed
            ]
            if some:
                found[place] = some
        return found

    def _fields(self, unit: str) -> Iterator[tuple[Tried, _Field]]:
        """Yield what a unit may try, and how soon it may be where after it."""
        able = self._rule.by.matches(self._game.units[unit])
        known: dict[Tried, _Field] = {}
        begin = self._flood(unit, {self._game.homes[unit]: [(self._reach.departed(unit).spent, 0, 0)]})
        stack: list[tuple[Tried, _Field]] = [((), begin)]
        floods = 0
        while stack:
            tried, field = stack.pop()
            yield tried, field
            for label in self._labels if able else ():
                after = self._beside(unit, label, field)
                if not after:
                    continue
                after[label] = [(spent, needs, 0) for some in after.values() for spent, needs, _ in some]
                more = dict(tried)
                more[label] = more.get(label, 0) + 1
                key = tuple(sorted(more.items()))
                there = self._flood(unit, after)
                had = known.get(key, {})
                if had and all(
                    any(_no_worse(other, one) for other in had.get(place, ()))
                    for place, some in there.items()
                    for one in some
                ):
                    continue
                known[key] = {place: [*had.get(place, ()), *there.get(place, ())] for place in {**had, **there}}
                stack.append((key, there))
                floods += 1
                if floods > SharedAttempts.ways:
                    raise TooManyError

    def _flood(self, unit: str, begin: Mapping[str, Iterable[_Label]]) -> _Field:
        """Return how soon a unit can be where, and what has come about in the end if it is."""
        self._limits.check("while it was worked out where units can be")
        reach, counter, home = self._reach, self._game.units[unit], self._game.homes[unit]
        field: _Field = {}
        queue: list[tuple[int, int, int, str]] = []

        def add(place: str, label: _Label) -> None:
            some = field.setdefault(place, [])
            if any(_no_worse(one, label) for one in some):
                return
            if len(some) >= SharedAttempts.labels:
                # Of two, what both need is needed in any case.
                other = max(some, key=lambda one: ((one[1] & label[1]).bit_count(), -abs(one[0] - label[0])))
                label = min(other[0], label[0]), other[1] & label[1], other[2] & label[2]
            some[:] = [one for one in some if not _no_worse(label, one)]
            some.append(label)
            heapq.heappush(queue, (*label, place))

        for place, labels in begin.items():
            for label in labels:
                add(place, label)
        while queue:
            spent, needs, onward, here = heapq.heappop(queue)
            if (spent, needs, onward) not in field[here]:
                continue
            for step in reach.steps(unit, here):
                if step.arc.overrun or not reach.affords(counter, step, spent + step.cost, first=here == home):
                    continue
                now, then = self._of_step(step)
                add(step.arc.to, (spent + step.cost, needs | onward | now, then))
        return field

    def _of_step(self, step: Step) -> tuple[int, int]:
        """Return what a step needs, and moving on after it, as far as the end of the phase tells of it."""
        known = self._of_steps.get(id(step))
        if known is None or known[0] is not step:
            now = sum({1 << self._bit(need) for demand in step.now for need in self._in_the_end(demand)})
            then = sum({1 << self._bit(need) for demand in step.onward for need in self._in_the_end(demand)})
            known = self._of_steps[id(step)] = step, now, then
        return known[1:]

    def _bit(self, need: AttemptNeed) -> int:
        return self._bits.setdefault(need, len(self._bits))

    def _in_the_end(self, demand: Demand) -> Iterator[AttemptNeed]:
        """Yield what has come about in the end where a demand was met, if that is known of each way to meet it."""
        homes = self._game.homes
        atoms = [next(iter(some)) for some in demand.any_of if len(some) == 1]
        gone = {homes.get(atom.victim) for atom in atoms if atom.victim}
        staying = [friend for atom in atoms if (friend := atom.friend) is not None and friend.stays]
        stays = {(friend.hex, friend.group) for friend in staying}
        clear = len(atoms) == len(demand.any_of) and all(
            atom.friend is None or atom.friend in staying for atom in atoms
        )
        if not clear or len(gone) != 1 or len(stays) > 1:
            return
        [enemies] = gone
        if enemies is None:
            return
        if not stays:
            yield AttemptNeed(enemies)
        for place, group in stays:
            yield AttemptNeed(enemies, place, group)


def _no_worse(one: _Label, other: _Label) -> bool:
    """Tell whether one way to come to be somewhere takes no more MP, and needs nothing else, than another."""
    return one[0] <= other[0] and not one[1] & ~other[1] and not one[2] & ~(other[1] | other[2])


def _undominated(some: list[tuple[str | None, Tried, int, int]]) -> list[tuple[str | None, Tried, int, int]]:
    """Return those that take not more than another one for no more attempts."""
    kept: dict[str | None, list[tuple[dict[str, int], int, int]]] = {}
    found = []
    order = sorted(
        set(some),
        key=lambda one: (-sum(count for _, count in one[1]), one[2].bit_count(), -one[3], one[1], one[0] or ""),
    )
    for one in order:
        end, tried, needs, left = one
        before = kept.setdefault(end, [])
        if not any(
            not theirs & ~needs and more >= left and all(had.get(label, 0) >= count for label, count in tried)
            for had, theirs, more in before
        ):
            before.append((dict(tried), needs, left))
            found.append(one)
    return found
