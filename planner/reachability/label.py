"""What the label-setting search of a unit is made of: labels, and steps and demands taken apart once for all units.

Together with `label_search.py`, which uses it, and for its sake, this can be compiled.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from planner.reachability.condition_masks import AtomBits, MaskedDemand
from planner.rules.demands import Arc, Before, Demand

if TYPE_CHECKING:
    from planner.reachability.step_rules import Step, Tally


State = tuple[int, int, int, tuple[MaskedDemand, ...], "Tally"]
"""What is compared of two labels of a place: MP, conditions, what is removed, what moving on needs, and the tally."""

Trail = tuple[tuple[str, ...], frozenset[int], tuple[tuple[int, str], ...]]


class Exit:
    """A step as the search looks at it, wherever it is made; or being in a place from the start.

    Attributes
    ----------
    step : Step or None
        The step, or one that is like it between hexes that no rule tells apart from its own; None: no step.
    before : Before
        What the next step may need to know of it.
    carried, overrun, aboard, zone
        As `Step` and its arc have it.
    rests : bool
        Whether it takes all MP that are left.
    victims, removes : int
        Whom it overruns, and what is gone after it, as bits.
    now : sequence of MaskedDemand or None
        What it needs; None if that depends on its place in a path.
    onward : sequence of MaskedDemand
        What moving on after it needs.
    """

    __slots__ = (
        "_made", "aboard", "before", "carried", "now", "onward", "overrun", "removes", "rests", "step", "victims", "zone"
    )  # fmt: skip

    def __init__(self, step: Step | None, before: Before, asked: SharedDemands) -> None:
        self.step, self.before = step, before
        self._made: dict[tuple[str, str], Step] | None = None
        self.carried = self.overrun = self.aboard = self.rests = False
        self.zone, self.victims, self.removes = "", 0, 0
        self.now: Sequence[MaskedDemand] | None = ()
        self.onward: Sequence[MaskedDemand] = ()
        if step is not None:
            self.carried, self.aboard, self.zone = step.carried, step.aboard, step.arc.zone
            self.overrun, self.rests = step.arc.overrun, step.rest is not None
            if step.arc.victims:
                self.victims = asked.enemies_in(step.arc.victims)
            if step.removes:
                self.removes = asked.enemies_in(step.removes)
            if step.carried:
                self.now = None  # a step for which a carrier is needed asks for one of its own in each place of a path
            elif step.now:
                self.now = asked.shared(step.now)
            if step.onward:
                self.onward = asked.shared(step.onward)

    def between(self, origin: str, to: str) -> Step:
        """Return the step itself, between two places."""
        assert self.step is not None
        if self._made is None:
            self._made = {}
        made = self._made.get((origin, to))
        if made is None:
            made = self._made[origin, to] = self.step.between(origin, to)
        return made


Way = tuple[int, bool, int, str, Exit]
"""A step out of one place: its cost, whether nothing comes with it but that, the number and the name of where it leads, and
what it is wherever it is made."""


class Label:
    """A way to get to a hex.

    Attributes
    ----------
    hex : str
        Where it ends.
    node : int
        The number of that, and of what the next step may need to know of the last one.
    mp : int
        MP spent, scaled.
    cond, removes : int
        The conditions that it needs, and what it has overrun or taken, as bits.
    pending : tuple of MaskedDemand
        What moving on would still need.
    tally : tuple of int
        What rules have added up of its steps.
    parent : Label or None
        Where its last step began; None: no step yet.
    last : Exit
        Its last step.
    depth : int
        How many steps it has.
    legs : int
        In how many of them it is carried.
    dead : bool
        Whether another one has come to dominate it.
    """

    __slots__ = (
        "cond", "dead", "depth", "hex", "last", "legs", "mp", "node", "parent", "pending", "removes", "tally", "trail"
    )  # fmt: skip

    def __init__(self, way: Way, parent: Label | None, state: State) -> None:
        _, _, self.node, self.hex, last = way
        self.mp, self.cond, self.removes, self.pending, self.tally = state
        self.parent, self.last = parent, last
        if parent is None:
            self.depth = self.legs = 0
        else:
            self.depth = parent.depth + 1
            self.legs = parent.legs + 1 if last.carried else parent.legs
        self.dead = False
        self.trail: Trail | None = None

    def way_there(self) -> Trail:
        """Return the hexes, and the indices of those overrun and of those to which it is carried, across which zone."""
        trail = self.trail
        if trail is None:
            if self.parent is None:
                trail = ((self.hex,), frozenset(), ())
            else:
                path, overruns, carried = self.parent.trail or self.parent.way_there()
                if self.last.overrun:
                    overruns |= {self.depth}
                if self.last.aboard:
                    carried = (*carried, (self.depth, self.last.zone))
                trail = ((*path, self.hex), overruns, carried)
            self.trail = trail
        return trail


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
        self._nodes: dict[Before, dict[str, int]] = {}
        self._numbered = 0
        # By the identity of a step, which the table of steps keeps.
        self._exits: dict[int, tuple[Exit, bool, dict[str, int]]] = {}
        self._common: dict[tuple[int, bool], dict[int, list[Way]]] = {}

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

    def start(self, label: str, before: Before) -> Way:
        """Return what stands for being in a place from the start."""
        return 0, True, self._node(self._nodes.setdefault(before, {}), label), label, Exit(None, before, self)

    def _node(self, known: dict[str, int], label: str) -> int:
        """Return the number of a place and what the next step may need to know of the last one."""
        number = known.get(label)
        if number is None:
            number = known[label] = self._numbered
            self._numbered += 1
        return number

    def ways_of(self, profile: object, overruns: bool) -> dict[int, list[Way]]:
        """Return the known ways out of places, by their numbers, of units that no selector tells apart.

        Parameters
        ----------
        profile : object
            What these units, and no others, have in common; the table of steps keeps it.
        overruns : bool
            Whether overruns that units make together are among them.
        """
        return self._common.setdefault((id(profile), overruns), {})

    def ways(self, leads: Sequence[tuple[str, Step]], after: Callable[[Arc], Before]) -> list[Way]:
        """Return steps out of one place as the search looks at them.

        Parameters
        ----------
        leads : sequence of (str, Step)
            Where they lead, and the steps, or such as are like them elsewhere, as the table of steps keeps them.
        after : callable
            Tells of the arc of a step what the next one may need to know.
        """
        found = []
        for to, step in leads:
            known = self._exits.get(id(step))
            if known is None:
                before = after(step.arc)
                nodes = self._nodes.setdefault(before, {})
                # The exit keeps its step, so that no other one gets the same identity.
                known = self._exits[id(step)] = Exit(step, before, self), step.free and step.rest is None, nodes
            leave, free, nodes = known
            node = nodes.get(to)
            found.append((step.cost, free, self._node(nodes, to) if node is None else node, to, leave))
        return found
