"""The label-setting search of one unit: every way to get anywhere that no other one dominates.

A label is a hex with the MP spent, the conditions needed and what has been overrun on the way there. This is where
listing what units can do spends its time, so that everything that doesn't depend on a label is worked out once: what a
step costs and needs for each place (`_Exit`), and what is known of its demands for each unit (`ConditionMasks`).
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from planner.errors import TooManyWaysError
from planner.reachability.condition_masks import AtomBits, MaskedDemand, Truth
from planner.rules.demands import NEVER, Arc, Before, Demand

if TYPE_CHECKING:
    from planner.reachability.conditional_reach import ConditionalReach
    from planner.reachability.step_rules import Step, Tally


State = tuple[int, int, int, tuple[MaskedDemand, ...], "Tally"]
"""What is compared of two labels of a place: MP, conditions, what is removed, what moving on needs, and the tally."""

_STUCK = Demand("", NEVER)
"""Moving on from where a unit may have got stuck: what isn't sure."""

Trail = tuple[tuple[str, ...], frozenset[int], tuple[tuple[int, str], ...]]


class Label:
    """A way to get to a hex.

    Attributes
    ----------
    hex : str
        Where it ends.
    mp : int
        MP spent, scaled.
    cond, removes : int
        The conditions that it needs, and what it has overrun or taken, as bits.
    pending : tuple of MaskedDemand
        What moving on would still need.
    parent : Label or None
        Where its last step began; None: no step yet.
    step : Step or None
        Its last step.
    before : Before
        What the next step may need to know of the last one.
    depth : int
        How many steps it has.
    legs : int
        In how many of them it is carried.
    tally : tuple of int
        What rules have added up of its steps.
    dead : bool
        Whether another one has come to dominate it.
    """

    __slots__ = (
        "before", "cond", "dead", "depth", "hex", "legs", "mp", "node", "parent", "pending", "removes", "step", "tally",
        "trail"
    )  # fmt: skip

    def __init__(
        self,
        by: _Arrival,
        parent: Label | None,
        state: State,
    ) -> None:
        step, self.hex = by.last, by.to
        self.mp, self.cond, self.removes, self.pending, self.tally = state
        self.parent, self.step = parent, step
        self.before, self.node = by.before, by.node
        if parent is None or step is None:
            self.depth = self.legs = 0
        else:
            self.depth = parent.depth + 1
            self.legs = parent.legs + step.carried
        self.dead = False
        self.trail: Trail | None = None

    def way_there(self) -> Trail:
        """Return the hexes, and the indices of those overrun and of those to which it is carried, across which zone."""
        if self.trail is None:
            if self.parent is None or self.step is None:
                self.trail = ((self.hex,), frozenset(), ())
            else:
                path, overruns, carried = self.parent.way_there()
                step = self.step
                if step.arc.overrun:
                    overruns |= {self.depth}
                if step.aboard:
                    carried = (*carried, (self.depth, step.arc.zone))
                self.trail = ((*path, self.hex), overruns, carried)
        return self.trail


class _Arrival:
    """How a unit has come to a hex: by a step, or by being there from the start."""

    __slots__ = ("before", "last", "node", "to")

    def __init__(self, last: Step | None, to: str, before: Before, node: int) -> None:
        self.last, self.to, self.before, self.node = last, to, before, node


class _Exit(_Arrival):
    """A step as the search looks at it."""

    __slots__ = ("cost", "free", "now", "onward", "removes", "step", "victims")

    def __init__(self, step: Step, before: Before, node: int, asked: SharedDemands) -> None:
        super().__init__(step, step.arc.to, before, node)
        self.step, self.cost, self.free = step, step.cost, step.free
        self.victims = asked.enemies_in(step.arc.victims or ())
        self.removes = asked.enemies_in(step.removes)
        # A step for which a carrier is needed asks for one of its own in each place of a path.
        self.now: Sequence[MaskedDemand] | None = None if step.carried else asked.shared(step.now)
        self.onward = asked.shared(step.onward)


class SharedDemands:
    """The demands and the exits of one game, taken apart once for all units.

    It knows nobody who uses it, so that what a search has listed goes when the search does, without the collector.

    Parameters
    ----------
    atoms : AtomBits
        What stands for each atom.
    bits : mapping
        What stands for each enemy, marker and control.
    """

    def __init__(self, atoms: AtomBits, bits: Mapping[str, int]) -> None:
        self._atoms, self._bits = atoms, bits
        self._asked: dict[Demand, MaskedDemand] = {}
        # By the identity of demands, which many steps share.
        self._same: dict[int, tuple[Demand, MaskedDemand]] = {}
        self._nodes: dict[tuple[str, Before], int] = {}
        # By the identity of a tuple of steps, which the table of steps keeps.
        self._exits: dict[int, tuple[tuple[Step, ...], list[_Exit]]] = {}
        self._common: dict[tuple[int, bool], dict[int, list[_Exit]]] = {}

    def all_of(self, demands: Sequence[Demand]) -> tuple[MaskedDemand, ...]:
        """Return demands, taken apart."""
        return tuple([self.one(demand) for demand in demands]) if demands else ()

    def one(self, demand: Demand) -> MaskedDemand:
        """Return a demand, taken apart."""
        found = self._asked.get(demand)
        if found is None:
            found = self._asked[demand] = MaskedDemand(demand, self._atoms, self._bits)
        return found

    def shared(self, demands: Sequence[Demand]) -> tuple[MaskedDemand, ...]:
        """Return demands of steps that the table of steps keeps, taken apart: many steps share the very same ones."""
        found = []
        for demand in demands:
            same = self._same.get(id(demand))
            if same is None:
                same = self._same[id(demand)] = (demand, self.one(demand))
            found.append(same[1])
        return tuple(found)

    def enemies_in(self, names: Sequence[str]) -> int:
        """Return what stands for some enemies, markers or controls."""
        found = 0
        for name in names:
            found |= self._bits[name]
        return found

    def node(self, label: str, before: Before) -> int:
        """Return the number of a place and what the next step may need to know of the last one."""
        return self._nodes.setdefault((label, before), len(self._nodes))

    def exits_of(self, profile: object, overruns: bool) -> dict[int, list[_Exit]]:
        """Return the exits of units that no selector tells apart, by numbers of places, as far as they are known.

        Parameters
        ----------
        profile : object
            What these units, and no others, have in common; the table of steps keeps it.
        overruns : bool
            Whether overruns that units make together are among them.
        """
        return self._common.setdefault((id(profile), overruns), {})

    def exits(self, steps: tuple[Step, ...], after: Callable[[Arc], Before]) -> list[_Exit]:
        """Return steps out of one place as the search looks at them.

        Parameters
        ----------
        steps : tuple of Step
            The steps, as the table of steps keeps them: it must be the very same tuple for one place.
        after : callable
            Tells of the arc of a step what the next one may need to know.
        """
        known = self._exits.get(id(steps))
        if known is None:
            exits = []
            for step in steps:
                before = after(step.arc)
                exits.append(_Exit(step, before, self.node(step.arc.to, before), self))
            known = self._exits[id(steps)] = (steps, exits)
        return known[1]


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
        self._overruns = relaxed and reach.relies_on_rolls if overruns is None else overruns
        self._masks = reach.condition_masks(self._unit, truth, relaxed)
        self.plain = not reach.pick_up(unit)
        self.removed: set[str] = set()
        self.ways = 0
        self._prune = reach.prune or relaxed
        self._counted = reach.counts_hexes
        self._exactly = reach.may_be_left_undone
        self._ma, self._tallied = reach.most_mp(self._unit), bool(reach.tallied(self._unit))
        self._most_needs = reach.most_needs
        self._limited, self._alone = reach.limits_entry, reach.rolls_alone(self._unit)
        self.surely = False
        self._quick = self._prune and reach.plain_dominance and not self._tallied
        # Labels are compared right here if dominance is what it mostly is, and by the reach's own method otherwise.
        self._standard = self._quick and not self._exactly
        # The least MP with which each place has been reached without needing or doing anything: nothing dearer that
        # does nothing is worth looking at.
        self._cheapest: dict[int, int] = {}
        self._kept: dict[object, list[Label]] = {}
        self._queue: list[tuple[int, int, Label]] = []
        self._ticket = 0

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
        reach, queue = self._reach, self._queue
        for departure in reach.departures(self._unit.id):
            node = self._shared.node(self._home, departure.before)
            start = _Arrival(None, self._home, departure.before, node)
            pending = self._shared.all_of(departure.pending)
            carried = reach.atoms.bits_of(departure.needs)
            for cond in self._masks.of(self._shared.all_of(reach.pick_up(self._unit.id)), carried, 0):
                needs = 0 if self._relaxed else cond | carried
                if self._most_needs is None or needs.bit_count() <= self._most_needs:
                    self._offer(start, None, (departure.spent, needs, 0, pending, reach.tally_before(self._unit)))
        # Units that no selector tells apart share what is the same for all of them.
        common = self._shared.exits_of(reach.profile(self._unit.id), self._overruns)
        exits: dict[int, list[_Exit]] = {}
        done = 0
        while queue:
            label = heapq.heappop(queue)[2]
            if label.dead:
                continue
            if done == most:
                raise TooManyWaysError(f"{self._unit.id} has more than {most} ways to get anywhere")
            done += 1
            if done % 64 == 0:
                reach.check_time()
            here = common.get(label.node, exits.get(label.node))
            if here is None:
                steps = reach.steps(self._unit.id, label.hex, label.before, overruns=self._overruns)
                here = self._shared.exits(steps, reach.after)
                (exits if reach.depends_on_ma(label.hex, label.before) else common)[label.node] = here
            self._go_on(label, here)
        self.ways = done
        return [label for labels in self._kept.values() for label in labels]

    def _go_on(self, label: Label, exits: Sequence[_Exit]) -> None:
        """Offer every label that is one step further."""
        reach, unit = self._reach, self._unit
        ma, limited, alone = self._ma, self._limited, self._alone
        cheapest, counted = self._cheapest, self._counted
        mp, cond, removes, pending = label.mp, label.cond, label.removes, label.pending
        useless = self._quick and not removes and (not self._exactly or not cond)
        depth = min(self._steps + label.depth + 1, counted)
        unhindered = not pending and not alone
        first = label.step is None and not self._steps
        overdrawing = reach.may_overdraw(first)
        for leave in exits:
            spent, tally, over, barring = mp + leave.cost, label.tally, False, None
            if leave.step.rest is not None:
                if reach.exhausted(unit, leave.step, mp, tally, first) is not None:
                    continue
                spent = reach.total(unit, leave.step, mp)
            if self._tallied:
                tally = reach.added(unit, tally, leave.step)
                if any(True for _ in reach.exceeded(unit, label.tally, tally, leave.to)):
                    continue
                over = not reach.covers(unit, leave.step, spent, label.tally, tally)
            if over or spent > ma:
                if not overdrawing:
                    continue
                over, barring = True, reach.exempt(unit, leave.step, mp, label.tally, first)
                if barring is None:
                    continue
            elif limited and not reach.affords(unit, leave.step, spent, first):
                continue
            if leave.free and unhindered and not over:
                if not (useless and cheapest.get(leave.node * (counted + 1) + depth, spent + 1) <= spent):
                    self._offer(leave, label, (spent, cond, removes, (), tally))
                continue
            self.plain = False
            rolls = alone and not self._relaxed and not self._rolled
            if (rolls or (alone and self.surely)) and reach.roll_of(
                unit, leave.step.arc, self._steps + label.depth + 1
            ) < 1:
                if rolls:
                    continue
                barring = _STUCK
            self._step(label, leave, spent, tally, barring)

    def _step(self, label: Label, leave: _Exit, spent: int, tally: Tally, barring: Demand | None) -> None:
        """Offer the labels to which a step leads that needs something, or after which somebody is gone.

        `barring` is what moving on needs if it overdraws the MA.
        """
        reach, relaxed, masks = self._reach, self._relaxed, self._masks
        step, removes = leave.step, label.removes
        strict = leave.victims if not relaxed else 0
        if strict and reach.contradicts(label.cond, removes, step.arc.victims or ()):
            return
        binding: Sequence[MaskedDemand] = label.pending
        if binding and leave.victims:
            binding = [asked for asked in binding if not asked.demand.lapses(step.arc.victims)]
        now = leave.now
        if now is None:
            now = self._shared.all_of(step.needs(label.depth + 1))
        gone = removes if relaxed else removes | leave.removes
        over = None if barring is None else self._shared.one(replace(barring, at=step.arc.to))
        for first in masks.of(binding, label.cond, removes) if binding else (0,):
            cond = label.cond | first
            if strict and first and reach.contradicts(cond, removes, step.arc.victims or ()):
                continue
            for second in masks.of(now, cond, removes) if now else (0,):
                needs = 0 if relaxed else cond | second
                if self._most_needs is not None and needs.bit_count() > self._most_needs:
                    continue
                if relaxed:
                    self.removed.update(step.removes)
                if strict and second and reach.contradicts(needs, removes, step.arc.victims or ()):
                    continue
                pending = tuple([a for a in leave.onward if 0 not in masks.of((a,), needs, gone)])
                if over is not None:
                    pending = (*pending, over)
                if not step.carried or label.legs < reach.most_legs:
                    self._offer(leave, label, (spent, needs, gone, pending, tally))

    def _offer(
        self,
        by: _Arrival,
        parent: Label | None,
        state: State,
    ) -> None:
        """Keep a label, of which `Label` tells the parts, unless another one dominates it; drop those that it dominates."""
        mp, cond, removes, pending, tally = state
        depth = self._steps + (0 if parent is None else parent.depth + 1)
        place = by.node * (self._counted + 1) + min(depth, self._counted)
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
            lacking = ~cond
            for rival in own:
                if rival.mp <= mp and not rival.cond & lacking and rival.removes & removes == removes:
                    return
            for rival in free:
                if rival.mp <= mp and not rival.cond & lacking and rival.removes & removes == removes:
                    return
            label = Label(by, parent, state)
            worse = [r for r in own if mp <= r.mp and cond & r.cond == cond and removes & r.removes == r.removes]
            if worse:
                for rival in worse:
                    rival.dead = True
                own[:] = [rival for rival in own if not rival.dead]
        elif self._prune:
            label = Label(by, parent, state)
            dominates = self._reach.dominates
            if any(dominates(rival, label) for rival in own) or any(dominates(rival, label) for rival in free):
                return
            for rival in own:
                rival.dead = dominates(label, rival)
            own[:] = [rival for rival in own if not rival.dead]
        elif any((r.mp, r.cond, r.removes, r.tally) == (mp, cond, removes, tally) for r in own):
            return
        else:
            label = Label(by, parent, state)
        own.append(label)
        self._ticket += 1
        heapq.heappush(self._queue, (mp, self._ticket, label))


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
    for label in labels:
        mp, cond, removes, lacking = label.mp, label.cond, label.removes, ~label.cond
        for rival in found:
            if rival.mp <= mp and not rival.cond & lacking and rival.removes & removes == removes:
                break
        else:
            found = [
                rival
                for rival in found
                if rival.mp < mp or cond & rival.cond != cond or removes & rival.removes != rival.removes
            ]
            found.append(label)
    return found
