"""What units can do where they may wait for each other: their parts in overruns, and what must have happened before.

A unit that may break off its move needs nobody's leave to be late. So the order of the moves matters only between overruns:
whatever a unit does before it takes part in one must be possible by then, and the rest whenever it likes. An *event* is the
overrun of one hex, which happens once at most, by units that have come to one neighbouring hex from wherever they were.

A label-setting search per unit over (hex, MP spent, parts in events, needs). A need is an enemy that must be gone, with the
number of the unit's own events that come before: needed earlier is needed more. A label is dominated by one at the same hex
with the same parts in the same order, in which no more MP are spent, no less has been taken or cleared on the way, and whose
needs the other has as early or earlier; as far as rules count hexes, both must have entered as many.

What depends on friends who stand somewhere for a while isn't looked at: `UnsuitedError` says so.
"""

from __future__ import annotations

import heapq
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from planner.reachability.conditional_reach import ConditionalReach
from planner.reachability.step_rules import Step
from planner.rules.combat_roles import Committed, JointlyOverruns
from planner.rules.demands import Arc, Before, Demand, control_of
from planner.rules.game import Game
from planner.rules.play import overrun_links
from planner.rules.roles import Overruns, Removes
from planner.world.forces import Unit

Part = tuple[str, str]
"""A part in an event: the hex from which the unit overruns, and the hex that is overrun."""


class UnsuitedError(Exception):
    """The rules of a game, or of a position, have more to them than events."""


@dataclass(frozen=True)
class Itinerary:
    """Something that a unit can do, given that certain events happen.

    Attributes
    ----------
    unit : str
        The unit.
    path : tuple of str
        The hexes, the hex of departure first.
    mp : Fraction
        MP spent on it.
    parts : tuple of (int, str, str)
        Its parts in events, in order: the index into the path of the hex that is overrun, from where, and that hex.
    needs : tuple of (str, int)
        The enemies that must be gone, each with the number of its own events that come before.
    foremost : bool
        Whether it must come before all others.
    taken : tuple of str
        What is gone by then besides enemy units: markers, control of places; in ascending order.
    """

    unit: str
    path: tuple[str, ...]
    mp: Fraction
    parts: tuple[tuple[int, str, str], ...]
    needs: tuple[tuple[str, int], ...]
    foremost: bool = False
    taken: tuple[str, ...] = ()

    @property
    def end(self) -> str:
        """Where it ends."""
        return self.path[-1]


def waits(game: Game) -> bool:
    """Tell whether units may break off their moves and go on later, and whether that may ever be of use.

    Where overruns may be supported, no other form knows by whom, whether or not those who are there may wait.
    """
    own = [unit for unit in game.homes if unit in game.friends]
    supported = [rule for rule in game.rulebook.of(JointlyOverruns) if rule.support or rule.opposition]
    overrun = any(rule.by.matches(game.units[unit]) for rule in supported for unit in own)
    return overrun or any(_may_wait(game, unit) for unit in own)


def _may_wait(game: Game, unit: str) -> bool:
    """Tell whether it may be of use that a unit waits.

    It is not where nobody depends on the unit, and whatever it depends upon stays as it is: then it may as well go last.
    Others depend on where it stands, what it takes, clears or overruns, and on what it has entered, or how, before them.
    """
    rules, counter = game.rulebook.rules, game.units[unit]
    if not game.rulebook.lets_wait(counter):
        return False
    if any(unit in members for rule in rules for members in rule.groups(game).values()):
        return True
    if any(rule.looks_at_friends(game) > 1 for rule in rules) or any(
        way.minds_ways(game) for way in game.rulebook.ways
    ):
        return True
    if _takes(game, counter):
        return True
    if any(rule.by.matches(counter) for rule in game.rulebook.overrunning):
        return True
    return any(not rule.lasting and any(rule.groups(game).values()) for rule in rules)


def _takes(game: Game, unit: Unit) -> bool:
    """Tell whether a unit may take or clear anything that keeps others from something."""
    clearing = game.rulebook.of(Removes)
    wanted = {control_of(label) for label in game.situation.contested} if clearing else set[str]()
    wanted.update(token for rule in game.rulebook.rules if clearing for token in rule.tokens(game))
    arcs = (Arc(label, label) for label in game.board.places if wanted)
    return any(not wanted.isdisjoint(rule.removals(game, unit, arc)) for arc in arcs for rule in clearing)


@dataclass(eq=False, slots=True)
class EventLabel:
    """A way to get to a hex by parts of events; the attributes are those of an `Itinerary` under way."""

    hex: str
    spent: int
    parts: tuple[Part, ...]
    needs: frozenset[tuple[str, int]]
    pending: tuple[Demand, ...]
    before: Before
    foremost: bool
    parent: EventLabel | None
    step: Step | None
    taken: frozenset[str] = frozenset()
    steps: int = 0
    dead: bool = False


Out = tuple[Step, Before, int]
"""A step out of a place, what the next one may need to know of it, and how much may have been spent with it."""


class EventReach:
    """What the phasing units can do in one game whose units may wait.

    Parameters
    ----------
    reach : ConditionalReach
        The steps with what the rules say of them, and the clock.

    Raises
    ------
    UnsuitedError
        If there is more to the rules than events.
    """

    def __init__(self, reach: ConditionalReach) -> None:
        self.reach, self.game = reach, reach.game
        self._out: dict[tuple[int, str, Before], tuple[Out, ...]] = {}
        # Of each unit, with the last that is known of who might fall: its parts, who else stands in its way, where it gets.
        self._parts: dict[str, tuple[set[Part], set[str], dict[str, int]]] = {}
        begun = self.game.begun
        self._committed: Committed = frozenset([frozenset()]) if begun is None else begun.position.committed
        joint = reach.of(JointlyOverruns)
        if sum(way.minds_ways(self.game) for way in self.game.rulebook.ways) > 1:
            raise UnsuitedError  # those who go by the one keep others from going by the other
        if reach.limiting_halts or self.game.rulebook.tallying or reach.spends_at_once:
            raise UnsuitedError  # whoever waits anywhere may not be free to; and MP may not be all that counts
        if len(reach.of(Overruns)) > 1 or len(joint) < len(reach.of(Overruns)):
            raise UnsuitedError
        self.rule = next(iter(joint), None)
        if self.rule is not None and (self.rule.size_at_most is not None or self.rule.rolled):
            raise UnsuitedError
        if self.rule is not None and not self.rule.bystanders and not all(map(self._asked, self.reach.movers)):
            raise UnsuitedError  # somebody may be left in a hex that has been overrun

    def _asked(self, unit: str) -> bool:
        """Tell whether a unit's overruns have to obey the rule wherever an enemy stands."""
        rule, homes = self.rule, self.game.homes
        return rule is None or all(rule.asks_of(unit, at) for enemy, at in homes.items() if self.game.is_enemy(enemy))

    # -- events that are possible at all

    @cached_property
    def events(self) -> dict[str, dict[str, list[str]]]:
        """For each hex that might be overrun, from where, and by whom: too many, never too few."""
        found: dict[str, dict[str, list[str]]] = {}
        known = self._parts
        fallen: set[str] = set()
        while True:
            sides: dict[str, dict[str, list[str]]] = {}
            for unit in self.reach.movers:
                if unit not in known or not fallen.isdisjoint(known[unit][1]):
                    self.reach.check_time()
                    known[unit] = self._within_reach(unit, fallen)
                for origin, to in sorted(known[unit][0]):
                    sides.setdefault(to, {}).setdefault(origin, []).append(unit)
            found = {
                to: possible
                for to, origins in sides.items()
                if (possible := {at: units for at, units in origins.items() if self._might(units, at, to, fallen)})
            }
            more = {enemy for to in found for enemy in self.game.enemies_at(to)}
            if more == fallen:
                return found  # what units might take part in depends on nothing else
            fallen = more

    def _might(self, units: Sequence[str], origin: str, label: str, fallen: set[str]) -> bool:
        """Tell whether some of the units might be strong enough for a hex, with all the support there is.

        Of the enemies who may support the defenders, those count that can't have fallen.
        """
        rule, game = self.rule, self.game
        assert rule is not None
        if not all(rule.asks_of(unit, label) for unit in units):
            return True
        odds = rule.sure_odds
        if odds is None or (
            not rule.bystanders and len(rule.victims(game, game.enemies_at(label))) < len(game.enemies_at(label))
        ):
            return False
        if rule.at_least_one is not None and not any(rule.at_least_one.matches(game.units[unit]) for unit in units):
            return False
        attackers = sorted(
            (game.units[unit] for unit in units), key=lambda one: -rule.attack_of(game, one, label, origin)
        )
        support = self.supporters(label)
        team, arc = attackers[: rule.most_units], Arc(origin, label, game.enemies_at(label), support=support)
        if sum((rule.attack_of(game, one, label, origin) for one in team), self._strength(support)) < (
            odds * rule.defense_in(game, label, origin)
        ):
            return False
        return not rule.opposed(game, team, arc, fallen, self._committed)[0]

    def come_up(self, label: str) -> tuple[str, ...]:
        """Return the friends that might support the overrun of a hex, once they have moved up to it: too many, if any."""
        if self.rule is None:
            return ()
        there = self.rule.supporters_of(self.game, label)
        return tuple(unit for unit in self.supporters(label) if unit not in there)

    def supporters(self, label: str) -> tuple[str, ...]:
        """Return the friends that might support the overrun of a hex, from wherever they might get, as far as is known."""
        rule, game = self.rule, self.game
        assert rule is not None

        def might(unit: str, home: str) -> bool:
            if not rule.supports_from(game, unit, label, label):
                return False  # it supports nobody, wherever it stands
            _, _, places = self._parts.get(unit, (set[Part](), set[str](), {home: 0}))
            return any(rule.supports_from(game, unit, place, label) for place in places)

        return tuple(unit for unit, home in game.homes.items() if might(unit, home))

    def _strength(self, support: Sequence[str]) -> Fraction:
        return sum((self.game.units[unit].attack for unit in support), Fraction(0))

    def at_best(self, unit: str, staying: Collection[str] | None = None) -> tuple[dict[str, Fraction], frozenset[str]]:
        """Return the hexes that a unit could get to, for how many MP, and what it could eliminate, if all others helped it.

        Too much, never too little: of the others it is known no more than whom they might eliminate; with `staying`, that
        nobody does those enemies.
        """
        events, home = self.events, self.game.homes[unit]
        parts, _, spent = self._parts.get(unit, (set[Part](), set[str](), {home: self.reach.departed(unit).spent}))
        if staying is not None and unit in self._parts:
            enemies = {enemy for enemy in self.game.homes if self.game.is_enemy(enemy)}
            parts, _, spent = self._within_reach(unit, enemies.difference(staying))
        taken = {to for origin, to in parts if unit in events.get(to, {}).get(origin, ())}
        before, scale = self.reach.departed(unit).spent, self.reach.scale
        return (
            {label: Fraction(mp - before, scale) for label, mp in spent.items()},
            frozenset(enemy for to in taken for enemy in self.game.enemies_at(to)),
        )

    def _within_reach(self, unit: str, fallen: set[str]) -> tuple[set[Part], set[str], dict[str, int]]:
        """Return what a unit might do if some enemies fell whenever it likes: parts, who is in its way, where it gets."""
        counter, reach = self.game.units[unit], self.reach
        home, setting_out = self.game.homes[unit], reach.departures(unit)
        best: dict[tuple[str, Before], int] = {(home, one.before): one.spent for one in setting_out}
        queue: list[tuple[int, str, Before]] = [(one.spent, home, one.before) for one in setting_out]
        begun, overdrawing = setting_out[0].steps > 0, (reach.may_overdraw(False), reach.may_overdraw(True))
        found: set[Part] = set()
        in_the_way: set[str] = set()
        if not all(self._open(demand, fallen, in_the_way) for demand in reach.pick_up(unit)):
            return found, in_the_way, {home: setting_out[0].spent}
        while queue:
            spent, here, before = heapq.heappop(queue)
            if spent > best[here, before]:
                continue
            for step, after, limit in self._steps(counter, here, before):
                total = spent + step.cost
                first = not begun and spent == 0 and before is None
                if total > limit and not (overdrawing[first] and reach.affords(counter, step, total, first)):
                    continue
                if not all(self._open(demand, fallen, in_the_way) for demand in step.now):
                    continue
                if step.arc.overrun:
                    found.add((here, step.arc.to))
                    if not fallen.issuperset(staying := self.game.enemies_at(step.arc.to)):
                        in_the_way.update(staying)
                        continue
                node = step.arc.to, after
                if total < best.get(node, total + 1):
                    best[node] = total
                    heapq.heappush(queue, (total, *node))
        least: dict[str, int] = {}
        for (label, _), spent in best.items():
            least[label] = min(spent, least.get(label, spent))
        return found, in_the_way, least

    def _open(self, demand: Demand, fallen: set[str], in_the_way: set[str]) -> bool:
        """Tell whether a demand might be met once some enemies are gone; add who would have to fall besides.

        Markers and control might be gone at any time.
        """
        homes = self.game.homes
        for conjunction in demand.any_of:
            staying = {atom.victim for atom in conjunction if atom.victim in homes and atom.friend is None} - fallen
            if not staying:
                return True
            in_the_way |= staying
        return False

    def _steps(self, unit: Unit, label: str, before: Before) -> tuple[Out, ...]:
        """Return the steps out of a place, plain ones and parts in overruns."""
        key = self.reach.kind_of(unit), label, before  # of units that differ by their names alone the same is said
        found = self._out.get(key)
        if found is None:
            steps = [step for step in self.reach.steps(unit.id, label, before) if not step.arc.overrun]
            if self.rule is not None:
                for to in overrun_links(self.game, label):
                    if self.reach.victims_at(to):
                        steps += self.reach.overrun_steps(unit, label, to, before=before)
            after, limit = self.reach.after, self.reach.limit
            found = self._out[key] = tuple((step, after(step.arc), limit(unit, step.arc.to)) for step in steps)
        return found

    # -- the search

    def itineraries(self, unit: str) -> list[Itinerary]:
        """Return every non-dominated itinerary of a unit but those that are as good as staying where it is.

        Raises
        ------
        OutOfTimeError
            If the time is up.
        UnsuitedError
            If a step depends on more than events.
        """
        counter, reach, home = self.game.units[unit], self.reach, self.game.homes[unit]
        kept: dict[object, list[EventLabel]] = {}
        queue: list[tuple[int, int, EventLabel]] = []
        made, overdraws = 0, reach.may_overdraw(False) or reach.may_overdraw(True)
        counted = reach.counts_hexes

        def offer(label: EventLabel) -> None:
            nonlocal made
            key = (label.hex, label.parts, label.pending, label.before, label.foremost, min(label.steps, counted))
            own = kept.setdefault(key, [])
            if reach.prune:
                if any(self._dominates(rival, label) for rival in own):
                    return
                for rival in own:
                    rival.dead = rival.dead or self._dominates(label, rival)
                own[:] = [rival for rival in own if not rival.dead]
            elif any(
                (rival.spent, rival.needs, rival.taken) == (label.spent, label.needs, label.taken) for rival in own
            ):
                return
            own.append(label)
            made += 1
            heapq.heappush(queue, (label.spent, made, label))

        for departure in reach.departures(unit):
            for needs, foremost in self._ways(reach.pick_up(unit), (), frozenset()):
                spent, pending, before, steps = departure.spent, departure.pending, departure.before, departure.steps
                offer(EventLabel(home, spent, (), needs, pending, before, foremost, None, None, steps=steps))
        popped = 0
        while queue:
            _, _, label = heapq.heappop(queue)
            if label.dead:
                continue
            popped += 1
            if popped % 8 == 0:
                reach.check_time()
            spent = label.spent
            for out in self._steps(counter, label.hex, label.before):
                # Most steps end here, so that this is asked first of all; see `_further` for the exceptions.
                if overdraws or spent + out[0].cost <= out[2]:
                    for further in self._further(counter, label, out):
                        offer(further)
        found: dict[object, list[EventLabel]] = {}
        for labels in kept.values():
            for label in labels:
                idle = label.hex == home and not label.parts and not label.taken and reach.staying_is_as_good
                if label.step is None or idle:
                    continue
                rivals = found.setdefault((label.hex, label.parts, label.foremost, min(label.steps, counted)), [])
                if reach.prune:
                    if any(self._dominates(rival, label) for rival in rivals):
                        continue
                    rivals[:] = [rival for rival in rivals if not self._dominates(label, rival)]
                rivals.append(label)
        return [self._itinerary(unit, label) for labels in found.values() for label in labels]

    def _further(self, unit: Unit, label: EventLabel, out: Out) -> Iterator[EventLabel]:
        reach, (step, before, limit) = self.reach, out
        arc, spent = step.arc, label.spent + step.cost
        first_step = label.step is None and not reach.departed(unit.id).steps
        if spent > limit and not (reach.may_overdraw(first_step) and reach.affords(unit, step, spent, first_step)):
            return
        parts = label.parts
        if arc.overrun:
            if arc.origin not in self.events.get(arc.to, {}) or any(to == arc.to for _, to in parts):
                return
            mine = {enemy for enemy, _ in label.needs}
            if not mine.isdisjoint(self.game.enemies_at(arc.to)):
                return  # they are gone by then: the step is a plain one
        removed = reach.tokens.intersection(step.removes)
        pending = [demand for demand in label.pending if not demand.lapses(arc.victims)]
        for needs, foremost in self._ways([*pending, *step.now], parts, label.needs):
            if label.foremost and not foremost:
                raise UnsuitedError  # between its steps others may make theirs that must come first
            if (foremost or label.foremost) and needs:
                continue  # nobody is gone before the first move
            if arc.overrun and any(enemy in self.game.enemies_at(arc.to) for enemy, _ in needs):
                continue
            made = (*parts, (arc.origin, arc.to)) if arc.overrun else parts
            onward = [
                demand for demand in step.onward if all(more != needs for more, _ in self._ways([demand], made, needs))
            ]
            overdraft = reach.overdraft(unit.id, arc.overrun, arc.to) if first_step else None
            if overdraft is not None and spent > unit.ma * reach.scale:
                onward.append(overdraft)
            first = label.foremost or foremost
            yield EventLabel(
                arc.to,
                spent,
                made,
                needs,
                tuple(onward),
                before,
                first,
                label,
                step,
                label.taken | removed,
                label.steps + 1,
            )

    def _ways(
        self, demands: Iterable[Demand], parts: tuple[Part, ...], needs: frozenset[tuple[str, int]]
    ) -> list[tuple[frozenset[tuple[str, int]], bool]]:
        """Return the minimal sets of needs that fulfil all demands, each with whether nobody may have moved before."""
        fallen = {enemy for _, to in parts for enemy in self.game.enemies_at(to)}
        found = [(needs, False)]
        for demand in demands:
            more: dict[tuple[frozenset[tuple[str, int]], bool], None] = {}
            for conjunction in demand.any_of:
                wanted: set[str] | None = set()
                first = False
                for atom in conjunction:
                    if atom.foremost:
                        first = True
                    elif atom.friend is None and atom.victim in self.game.homes:
                        if atom.victim not in fallen:
                            possible = self.game.homes[atom.victim] in self.events
                            wanted = wanted | {atom.victim} if wanted is not None and possible else None
                    elif atom.asks and not atom.spares:
                        raise UnsuitedError
                if wanted is not None:
                    for had, foremost in found:
                        known = {enemy for enemy, _ in had}
                        new = had | {(enemy, len(parts)) for enemy in wanted - known}
                        more[new, foremost or first] = None
            found = [one for one in more if not any(other[0] < one[0] and other[1] == one[1] for other in more)]
        return found

    def _itinerary(self, unit: str, label: EventLabel) -> Itinerary:
        chain = [label]
        while chain[-1].parent is not None:
            chain.append(chain[-1].parent)
        chain.reverse()
        steps = [one.step for one in chain[1:] if one.step is not None]
        return Itinerary(
            unit,
            tuple(one.hex for one in chain),
            Fraction(label.spent - self.reach.departed(unit).spent, self.reach.scale),
            tuple((i, step.arc.origin, step.arc.to) for i, step in enumerate(steps, 1) if step.arc.overrun),
            tuple(sorted(label.needs)),
            label.foremost,
            tuple(sorted(label.taken)),
        )

    def _dominates(self, one: EventLabel, other: EventLabel) -> bool:
        if one.spent > other.spent or len(one.needs) > len(other.needs):
            return False
        if one.step is None and other.step is not None and not self.reach.staying_is_as_good:
            return False  # who comes back to where it was has moved
        if not (one.taken >= other.taken if self.reach.removals_welcome else one.taken == other.taken):
            return False
        theirs = dict(other.needs)
        return all(theirs.get(enemy, number + 1) <= number for enemy, number in one.needs)
