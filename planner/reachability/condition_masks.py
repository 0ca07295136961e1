"""What would fulfil the demands of a step: demands taken apart once, and weighed with bits.

A search looks at the same demand from many labels, and only what the label needs and has overrun differs. So each demand
is taken apart once (`MaskedDemand`), what is known of its atoms is looked up once for each search (`ConditionMasks`), and
what is left to do for a label are a few operations on bits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from planner.rules.atoms import Atom, Gone, There
from planner.rules.demands import Demand
from planner.world.forces import Unit

Truth = Callable[[Unit, Atom], "bool | None"]
"""What is known of an atom for a unit beforehand: True, False, or None for a condition."""


class AtomBits:
    """Numbers the atoms that are conditions, so that a set of them is a number."""

    def __init__(self) -> None:
        self._indices: dict[Atom, int] = {}
        self._numbers: dict[Atom, int] = {}
        self._atoms: list[Atom] = []
        self._sets: dict[int, frozenset[Atom]] = {0: frozenset()}

    def number(self, atom: Atom) -> int:
        """Return a number for an atom that may never become a condition."""
        return self._numbers.setdefault(atom, len(self._numbers))

    def bit(self, atom: Atom) -> int:
        """Return what stands for an atom in a set."""
        index = self._indices.get(atom)
        if index is None:
            index = self._indices[atom] = len(self._atoms)
            self._atoms.append(atom)
        return 1 << index

    def bits_of(self, atoms: Iterable[Atom]) -> int:
        """Return what stands for some atoms as a set."""
        found = 0
        for atom in atoms:
            found |= self.bit(atom)
        return found

    def known_bit(self, atom: Atom) -> int:
        """Return what stands for an atom in a set; 0 if it has been in none."""
        index = self._indices.get(atom)
        return 0 if index is None else 1 << index

    def of(self, bits: int) -> frozenset[Atom]:
        """Return the atoms of a set."""
        found = self._sets.get(bits)
        if found is None:
            members, rest = [], bits
            while rest:
                lowest = rest & -rest
                members.append(self._atoms[lowest.bit_length() - 1])
                rest ^= lowest
            found = self._sets[bits] = frozenset(members)
        return found


class MaskedDemand:
    """A demand, taken apart; the same demand is always the same object.

    Attributes
    ----------
    demand : Demand
        The demand.
    conjunctions : tuple of (tuple of (int, atom), tuple of (int, int, atom), tuple of There, int, bool)
        Of each conjunction: atoms that others decide, with their numbers; atoms that an own overrun may decide, with the
        enemy's bit; who must be there still; how many of the next sort come before it; and whether it is of that: all of it
        is about enemies who are gone or else friends, and follows from whatever comes between it and the last such one.
    """

    __slots__ = ("conjunctions", "demand")

    def __init__(self, demand: Demand, atoms: AtomBits, enemies: Mapping[str, int]) -> None:
        self.demand = demand
        parts, group = [], 0
        for conjunction in demand.any_of:
            others, gone, there = [], [], []
            for atom in conjunction:
                if isinstance(atom, There):
                    there.append(atom)
                elif atom.victim:
                    gone.append((enemies[atom.victim], atoms.number(atom), atom))
                else:
                    others.append((atoms.number(atom), atom))
            either = bool(conjunction) and all(atom.victim and atom.friend is not None for atom in conjunction)
            parts.append((tuple(others), tuple(gone), tuple(there), group, either))
            group += either
        self.conjunctions = tuple(parts)


NEVER = 0
"""In place of an atom's bit: nobody but the unit itself can bring it about."""

_Conjunction = tuple[int, tuple[tuple[int, int], ...], tuple[tuple[int, int, int], ...], int, bool]
_NOTHING = (0,)


class ConditionMasks:
    """What a unit's demands need further, as far as is known beforehand.

    Parameters
    ----------
    unit : Unit
        The unit.
    truth : callable
        What is known of atoms; asked once for each.
    atoms : AtomBits
        Numbers the conditions.
    enemies : mapping from ids to int
        What stands for each enemy, marker or control in a set of what the unit has overrun or taken.
    joint : bool
        Whether an enemy's being there still is a condition, too: an overrun is more than a plain step.
    relaxed : bool
        Whether to take it that an enemy is there still, whatever the unit has overrun.
    """

    def __init__(
        self,
        unit: Unit,
        truth: Truth,
        atoms: AtomBits,
        enemies: Mapping[str, int],
        joint: bool = False,
        relaxed: bool = False,
    ) -> None:
        self._unit, self._truth = unit, truth
        self._atoms, self._enemies = atoms, enemies
        self._joint, self._relaxed = joint, relaxed
        self._truths: dict[int, bool | None] = {}
        self._resolved: dict[MaskedDemand, tuple[_Conjunction, ...] | None] = {}
        self._possible: dict[MaskedDemand, bool] = {}

    def of(self, demands: Sequence[MaskedDemand], cond: int, removes: int) -> Sequence[int]:
        """Return the minimal sets of further conditions that fulfil all demands; none: they can't be fulfilled.

        Parameters
        ----------
        demands : sequence of MaskedDemand
            The demands.
        cond : int
            The conditions that hold.
        removes : int
            What the unit has overrun.
        """
        found: Sequence[int] = _NOTHING
        for asked in demands:
            try:
                conjunctions = self._resolved[asked]
            except KeyError:
                conjunctions = self._resolved[asked] = self._resolve(asked)
            if conjunctions is None:
                continue
            options: list[int] = []
            last = first = 0
            for mask, gone, there, group, either in conjunctions:
                if group != last:
                    last, first = group, len(options)
                for enemy, bit in gone:
                    if not enemy & removes:
                        if bit == NEVER:
                            break
                        mask |= bit
                else:
                    for enemy, is_gone, bit in there:
                        if enemy & removes or is_gone & cond:
                            break
                        mask |= bit
                    else:
                        new = mask & ~cond
                        options.append(new)
                        if mask and either:
                            # Whatever fulfils one of those of its group fulfils this too.
                            options[first:] = [one for one in options[first:] if not one or one == new]
            if not options:
                return ()
            if 0 in options:
                continue
            if found is not _NOTHING:
                options = [old | new for old in found for new in options]
            found = options if len(options) == 1 else minimal(options)
        return found

    def left_of(self, demands: Sequence[MaskedDemand], cond: int, removes: int) -> tuple[MaskedDemand, ...]:
        """Return the demands that need further conditions, or can't be fulfilled; parameters are those of `of`."""
        left = []
        for asked in demands:
            try:
                conjunctions = self._resolved[asked]
            except KeyError:
                conjunctions = self._resolved[asked] = self._resolve(asked)
            if conjunctions is not None and not any_met(conjunctions, cond, removes):
                left.append(asked)
        return tuple(left)

    def possible(self, asked: MaskedDemand) -> bool:
        """Tell whether a demand can be fulfilled by any conditions, whatever holds, by who has overrun nobody."""
        try:
            return self._possible[asked]
        except KeyError:
            found = self._possible[asked] = len(self.of((asked,), 0, 0)) > 0
            return found

    def _resolve(self, asked: MaskedDemand) -> tuple[_Conjunction, ...] | None:
        """Say what is left of a demand by what is known beforehand; None: it is fulfilled whatever happens."""
        left: list[_Conjunction] = []
        truths, unit = self._truths, self._unit
        for others, gone, there, group, either in asked.conjunctions:
            mask, possible = 0, True
            for number, atom in others:
                if number not in truths:
                    truths[number] = self._truth(unit, atom)
                known = truths[number]
                if known is None:
                    mask |= self._atoms.bit(atom)
                elif not known:
                    possible = False
                    break
            if not possible:
                continue
            open_: list[tuple[int, int]] = []
            for _, number, by_now in gone:
                if number not in truths:
                    truths[number] = self._truth(unit, by_now)
            some = either and any(truths[number] is not False for _, number, _ in gone)
            for enemy, number, by_now in gone:
                known = truths[number]
                if known is False and some and self._truth(unit, Gone(by_now.victim)) is not False:
                    known = None  # where others are rolled for, it may be that this one is gone for sure
                if not known:
                    open_.append((enemy, NEVER if known is not None else self._atoms.bit(by_now)))
            still = [] if self._relaxed else [self._still(atom) for atom in there]
            if not (mask or open_ or still):
                return None
            left.append((mask, tuple(open_), tuple(still), group, either))
        return tuple(left)

    def _still(self, atom: There) -> tuple[int, int, int]:
        # What is rolled, or favoured, is no plain step if the enemy is gone already: it must be there.
        bit = self._atoms.bit(atom) if self._joint else 0
        return self._enemies[atom.enemy], self._atoms.bit(Gone(atom.enemy)), bit


def any_met(conjunctions: Sequence[_Conjunction], cond: int, removes: int) -> bool:
    """Tell whether some conjunction needs nothing further where some conditions hold and some enemies are overrun."""
    for mask, gone, there, _, _ in conjunctions:
        if mask & ~cond:
            continue
        for enemy, bit in gone:
            if not (enemy & removes or bit & cond):
                break
        else:
            for enemy, is_gone, bit in there:
                if enemy & removes or is_gone & cond or bit & ~cond:
                    break
            else:
                return True
    return False


def minimal(masks: Sequence[int]) -> list[int]:
    """Return the masks that are no proper supersets of others, each once."""
    if len(masks) == 2:
        one, two = masks
        if not one & ~two:
            return [one]
        if not two & ~one:
            return [two]
    found: list[int] = []
    # In an order that doesn't depend on how the atoms are numbered.
    for mask in sorted(dict.fromkeys(masks), key=int.bit_count):
        if not any(other & ~mask == 0 for other in found):
            found.append(mask)
    return found
