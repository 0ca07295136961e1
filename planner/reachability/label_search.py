"""The label-setting search of one unit: every way to get anywhere that no other one dominates.

A label is a hex with the MP spent, the conditions needed and what has been overrun on the way there. This is where
listing what units can do spends its time, so that everything that doesn't depend on a label is worked out once: what a
step costs and needs for each place (`label.Exit`), and what is known of its demands for each unit (`ConditionMasks`).
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from planner.errors import TooManyWaysError
from planner.reachability.condition_masks import Truth
from planner.reachability.dominators import Dominators
from planner.reachability.label import Label, State, Way
from planner.rules.atoms import NEVER
from planner.rules.demands import Demand

if TYPE_CHECKING:
    from planner.reachability.conditional_reach import ConditionalReach
    from planner.reachability.step_rules import Tally

_NO_MORE = (0,)
"""Nothing further is needed."""

_STUCK = Demand("", NEVER)
"""Moving on from where a unit may have got stuck: what isn't sure."""


MANY = 12
"""How many labels of a place are looked through one by one."""


class LabelSearch:
    """The search of one unit.

    Parameters
    ----------
    reach : ConditionalReach
        The game, the rules, the steps and what dominates what.
    unit : str
        Who moves.
    truth : callable
        What is known of atoms.
    relaxed : bool
        Whether to leave out conditions and what is overrun: what the unit might do at all.
    rolled : bool
        Whether to count steps that it makes alone and for which it rolls, as if all rolls went well.
    overruns : bool, optional
        Whether to count overruns that units make together; by default where it is relaxed and somebody may rely on them.

    Attributes
    ----------
    never_stuck : frozenset of str
        Hexes in which it must not get stuck: it enters none of them where it rolls for that.
    surely : bool
        Whether nothing counts that is beyond a hex in which the unit may get stuck on its own.
    plain : bool
        Whether nothing that it does depends on anybody, so that the labels say all.
    removed : set of str
        Who may be gone after some step, where it is relaxed.
    ways : int
        How many ways to get anywhere have been gone on with.
    """

    def __init__(
        self,
        reach: ConditionalReach,
        unit: str,
        truth: Truth,
        relaxed: bool = False,
        rolled: bool = False,
        overruns: bool | None = None,
    ) -> None:
        self._reach, self._shared = reach, reach.shared_demands
        self._unit, self._home = reach.game.units[unit], reach.game.homes[unit]
        self._steps = reach.departed(unit).steps
        self._relaxed, self._rolled = relaxed, rolled
        self.never_stuck = frozenset[str]()
        self._overruns = relaxed and reach.relies_on_rolls if overruns is None else overruns
        self._masks = reach.condition_masks(self._unit, truth, relaxed)
        self.plain = not reach.pick_up(unit) and not any(departure.needs for departure in reach.departures(unit))
        self.removed: set[str] = set()
        self.ways = 0
        # What would let the label move on that is being gone on with, of one for which that isn't sure.
        self._firsts: Sequence[int] = _NO_MORE
        self._prune = reach.prune or relaxed
        self._counted = reach.counts_hexes
        self._exactly = reach.may_be_left_undone
        self._ma, self._tallied = reach.most_mp(self._unit), bool(reach.tallied(self._unit))
        self._most_needs = reach.most_needs
        self._limited, self._alone = reach.limits_entry, reach.rolls_alone(self._unit)
        self.surely = False
        self._quick = self._prune and reach.plain_dominance  # nothing is tallied then
        # Labels are compared right here if dominance is what it mostly is, and by the reach's own method otherwise.
        self._standard = self._quick and not self._exactly
        # The least MP with which each place has been reached without needing or doing anything: nothing dearer that
        # does nothing is worth looking at.
        self._cheapest: dict[int, int] = {}
        self._kept: dict[object, list[Label]] = {}
        # Of places with many of them, where they are compared right here, what they dominate.
        self._dominators: dict[object, Dominators] = {}
        # The labels to go on with, by their MP and then in the order in which they have been found.
        self._queue: dict[int, list[Label]] = {}
        self._due: list[int] = []
        self._now = -1
        # Where steps ask no more than what they cost, a label that needs and does nothing goes on as in any shortest path.
        simple = not (self._limited or self._alone or self._counted or reach.spends_at_once)
        self._simple = self._quick and simple
        # The ways out of places that depend on the unit's MA.
        self._own: dict[int, list[Way]] = {}

    def run(self, most: int | None = None) -> list[Label]:
        """Set labels until none is left, and return those that nothing dominates.

        Parameters
        ----------
        most : int, optional
            How many may be gone on with; absent: any number.

        Raises
        ------
        OutOfTimeError
            If the time is up.
        TooManyWaysError
            If there are more than `most`.
        """
        reach, shared = self._reach, self._shared
        for departure in reach.departures(self._unit.id):
            start = shared.start(self._home, departure.before)
            pending = shared.all_of(departure.pending)
            carried = reach.atoms.bits_of(departure.needs)
            for cond in self._masks.of(shared.all_of(reach.pick_up(self._unit.id)), carried, 0):
                needs = 0 if self._relaxed else cond | carried
                if self._most_needs is None or needs.bit_count() <= self._most_needs:
                    self._offer(start, None, (departure.spent, needs, 0, pending, reach.tally_before(self._unit)))
        while self._due:
            mp = self._now = heapq.heappop(self._due)
            self._settle(self._queue[mp], -1 if most is None else most)  # steps that cost nothing lengthen the list
            del self._queue[mp]
        return [label for labels in self._kept.values() for label in labels if not label.dead]

    def _settle(self, labels: list[Label], most: int) -> None:
        """Go on with all labels of so many MP, and with those that come to be of as many meanwhile."""
        reach, unit, shared = self._reach, self._unit.id, self._shared
        # Units that no selector tells apart share what is the same for all of them.
        common, own = shared.ways_of(reach.profile(unit), self._overruns), self._own
        for label in labels:
            if label.dead or (self._dominators and self._is_late(label)):
                continue
            if self.ways == most:
                raise TooManyWaysError(f"{unit} has more than {most} ways to get anywhere")
            self.ways += 1
            if self.ways % 64 == 0:
                reach.check_time()
            here = common.get(label.node, own.get(label.node))
            if here is None:
                before = label.last.before
                here = shared.ways(reach.leads(unit, label.hex, before, overruns=self._overruns), reach.after)
                (own if reach.depends_on_ma(label.hex, before) else common)[label.node] = here
            if self._simple and not (label.cond or label.removes or label.pending or label.parent is None):
                self._go_on_simply(label, here)
            else:
                self._go_on(label, here)

    def _go_on_simply(self, label: Label, ways: list[Way]) -> None:
        """Offer every label that is one step further than one that needs and does nothing."""
        cheapest, kept, queue, ma = self._cheapest, self._kept, self._queue, self._ma
        mp, tally, beyond = label.mp, label.tally, ma + 1
        for way in ways:
            cost, free, node, _, _ = way
            spent = mp + cost
            if spent > ma:
                continue
            if not free:
                self.plain = False
                self._step(label, way, spent, tally, None)
            elif spent < cheapest.get(node, beyond):
                if node in kept:
                    self._offer(way, label, (spent, 0, 0, (), tally))
                    continue
                cheapest[node] = spent
                further = Label(way, label, (spent, 0, 0, (), tally))
                kept[node] = [further]
                if spent in queue:
                    queue[spent].append(further)
                else:
                    queue[spent] = [further]
                    heapq.heappush(self._due, spent)

    def _go_on(self, label: Label, ways: list[Way]) -> None:
        """Offer every label that is one step further."""
        reach, unit = self._reach, self._unit
        ma, limited, alone = self._ma, self._limited, self._alone
        cheapest, counted = self._cheapest, self._counted
        mp, cond, removes, pending = label.mp, label.cond, label.removes, label.pending
        if pending:
            self.plain = False
            self._firsts = self._masks.of(pending, cond, removes)
        stuck = bool(pending) and not self._firsts
        useless = self._quick and not removes and (not self._exactly or not cond)
        depth = min(self._steps + label.depth + 1, counted)
        unhindered = not pending and not alone
        first = label.parent is None and not self._steps
        overdrawing = reach.may_overdraw(first)
        for way in ways:
            cost, free, node, to, leave = way
            if stuck and not leave.victims:
                continue  # nothing but an overrun may lift what keeps it here
            spent, tally, over, barring = mp + cost, label.tally, False, None
            if leave.rests:
                step = leave.between(label.hex, to)
                if reach.exhausted(unit, step, mp, tally, first) is not None:
                    continue
                spent = reach.total(unit, step, mp)
            if self._tallied:
                step = leave.between(label.hex, to)
                tally = reach.added(unit, tally, step)
                if any(True for _ in reach.exceeded(unit, label.tally, tally, to)):
                    continue
                over = not reach.covers(unit, step, spent, label.tally, tally)
            if over or spent > ma:
                if not overdrawing:
                    continue
                over, barring = True, reach.exempt(unit, leave.between(label.hex, to), mp, label.tally, first)
                if barring is None:
                    continue
            elif limited and not reach.affords(unit, leave.between(label.hex, to), spent, first):
                continue
            if free and unhindered and not over:
                if not (useless and cheapest.get(node * (counted + 1) + depth, spent + 1) <= spent):
                    self._offer(way, label, (spent, cond, removes, (), tally))
                continue
            self.plain = False
            rolls = alone and (to in self.never_stuck or not (self._relaxed or self._rolled))
            if rolls or (alone and self.surely):
                arc = leave.between(label.hex, to).arc
                if reach.roll_of(unit, arc, self._steps + label.depth + 1) < 1:
                    if rolls:
                        continue
                    barring = _STUCK
            self._step(label, way, spent, tally, barring)

    def _step(self, label: Label, way: Way, spent: int, tally: Tally, barring: Demand | None) -> None:
        """Offer the labels to which a step leads that needs something, or after which somebody is gone.

        `barring` is what moving on needs if it overdraws the MA.
        """
        reach, relaxed, masks = self._reach, self._relaxed, self._masks
        leave, removes = way[4], label.removes
        step = leave.step
        assert step is not None
        strict = 0 if relaxed else leave.victims
        if strict and reach.contradicts(label.cond, removes, step.arc.victims or ()):
            return
        binding = label.pending
        firsts = self._firsts if binding else _NO_MORE
        if binding and leave.victims:
            left = [asked for asked in binding if not asked.demand.lapses(step.arc.victims)]
            if len(left) < len(binding):
                firsts = masks.of(left, label.cond, removes)
        if not firsts:
            return
        now = leave.now
        if now is None:
            now = self._shared.all_of(step.needs(label.depth + 1))
        over = None if barring is None else self._shared.one(replace(barring, at=way[3]))
        if relaxed:
            for asked in now:
                if not masks.possible(asked):
                    return
            self.removed.update(step.removes)
            # Whatever may let it move on, others are taken to do; what can't be still lapses by an overrun.
            pending = tuple([asked for asked in leave.onward if not masks.possible(asked)]) if leave.onward else ()
            if not step.carried or label.legs < reach.most_legs:
                self._offer(way, label, (spent, 0, 0, pending if over is None else (*pending, over), tally))
            return
        gone = removes | leave.removes
        for first in firsts:
            cond = label.cond | first
            if strict and first and reach.contradicts(cond, removes, step.arc.victims or ()):
                continue
            for second in masks.of(now, cond, removes) if now else _NO_MORE:
                needs = cond | second
                if self._most_needs is not None and needs.bit_count() > self._most_needs:
                    continue
                if strict and second and reach.contradicts(needs, removes, step.arc.victims or ()):
                    continue
                pending = masks.left_of(leave.onward, needs, gone) if leave.onward else ()
                if over is not None:
                    pending = (*pending, over)
                if not step.carried or label.legs < reach.most_legs:
                    self._offer(way, label, (spent, needs, gone, pending, tally))

    def _offer(self, way: Way, parent: Label | None, state: State) -> None:
        """Keep a label, of which `Label` tells the parts, unless another one dominates it; drop those that it dominates."""
        mp, cond, removes, pending, tally = state
        depth = self._steps + (0 if parent is None else parent.depth + 1)
        place = way[2] * (self._counted + 1) + min(depth, self._counted)
        if self._quick and not removes and (not self._exactly or not cond):
            if self._cheapest.get(place, mp + 1) <= mp:
                return
            if not cond and not pending:
                self._cheapest[place] = mp
        key: object = (place, pending) if pending else place
        own = self._kept.get(key)
        if own is None:
            own = self._kept[key] = []
        free = self._kept.get(place, ()) if pending else ()
        if self._standard:
            if self._is_dominated(key, own, state) or (free and self._is_dominated(place, free, state)):
                return
            label = Label(way, parent, state)
            dominators = self._dominators.get(key)
            if dominators is not None:
                dominators.add(label)
            # Of many, those that it dominates are found when it is their turn, if that is still to come.
            if dominators is None or mp == self._now:
                worse = [r for r in own if mp <= r.mp and cond & r.cond == cond and removes & r.removes == r.removes]
                if worse:
                    for rival in worse:
                        rival.dead = True
                    own[:] = [rival for rival in own if not rival.dead]
        elif self._prune:
            label = Label(way, parent, state)
            dominates = self._reach.dominates
            if any(dominates(rival, label) for rival in own) or any(dominates(rival, label) for rival in free):
                return
            for rival in own:
                rival.dead = dominates(label, rival)
            own[:] = [rival for rival in own if not rival.dead]
        elif any((r.mp, r.cond, r.removes, r.tally) == (mp, cond, removes, tally) for r in own):
            return
        else:
            label = Label(way, parent, state)
        own.append(label)
        if mp in self._queue:
            self._queue[mp].append(label)
        else:
            self._queue[mp] = [label]
            heapq.heappush(self._due, mp)

    def _is_dominated(self, key: object, kept: Sequence[Label], state: State) -> bool:
        """Tell whether one of the labels that are kept for a key dominates a label of some state."""
        mp, cond, removes, _, _ = state
        if len(kept) > MANY:
            dominators = self._dominators.get(key)
            if dominators is None:
                dominators = self._dominators[key] = Dominators(kept)
            return dominators.dominate(mp, cond, removes)
        lacking = ~cond
        for rival in kept:
            if rival.mp <= mp and not rival.cond & lacking and rival.removes & removes == removes:
                break
        else:
            return False
        return True

    def _is_late(self, label: Label) -> bool:
        """Tell of a label among many whether one has been found since that dominates it; it is dead then."""
        place = label.node * (self._counted + 1) + min(self._steps + label.depth, self._counted)
        dominators = self._dominators.get((place, label.pending) if label.pending else place)
        if dominators is not None:
            label.dead = dominators.dominate(label.mp, label.cond, label.removes, label)
        return label.dead


def undominated(reach: ConditionalReach, labels: list[Label]) -> list[Label]:
    """Return those labels of one place that no other one dominates; of two that are as good, the first."""
    if len(labels) == 1:
        return labels
    found: list[Label] = []
    if not reach.plain_dominance or reach.may_be_left_undone:
        for label in labels:
            if not any(reach.dominates(rival, label) for rival in found):
                found = [rival for rival in found if not reach.dominates(label, rival)]
                found.append(label)
        return found
    dominators = Dominators()
    good: set[int] = set()
    for label in sorted(labels, key=_dominating_first):
        if not dominators.dominate(label.mp, label.cond, label.removes):
            dominators.add(label)
            good.add(id(label))
    return [label for label in labels if id(label) in good]


def _dominating_first(label: Label) -> tuple[int, int, int]:
    """Put a label before all that it dominates."""
    return label.mp, label.cond.bit_count(), -label.removes.bit_count()
