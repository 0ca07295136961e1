"""Which choices bring about what other choices need: all that must begin somewhere."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from planner.rules.atoms import Atom
from planner.solver.coupling.variables import Variables
from planner.solver.cp_sat import BoolVar, Literal

Bringers = Callable[[Atom], Sequence[Literal] | None]


@dataclass(frozen=True)
class Dependence:
    """What depends on what in a model; literals by their indices.

    Attributes
    ----------
    events : mapping from atoms to literals
        An event is something that somebody may need and nobody has from the start; its literal holds if anybody needs it.
    bringers : mapping from events to literals
        One of these holds then, by the choice of somebody who moves before all who need it.
    asking : mapping from choices to atoms
        What each choice of a unit needs.
    follows : frozenset of literals
        What holds because of choices: that a unit needs something, and that anybody does. It may hold without, too.
    parts : mapping from literals to literals
        Of which literals one holds if a literal holds that was made of them.
    """

    events: Mapping[Atom, int] = field(default_factory=dict)
    bringers: Mapping[int, Sequence[int]] = field(default_factory=dict)
    asking: Mapping[int, frozenset[Atom]] = field(default_factory=dict)
    follows: frozenset[int] = frozenset()
    parts: Mapping[int, Sequence[int]] = field(default_factory=dict)

    def needs(self) -> dict[int, frozenset[int]]:
        """Return the events that must have come about before a choice is carried out; without choices that need none."""
        known: dict[frozenset[Atom], frozenset[int]] = {}
        for atoms in self.asking.values():
            if atoms not in known:
                known[atoms] = frozenset(self.events[atom] for atom in atoms if atom in self.events)
        return {choice: known[atoms] for choice, atoms in self.asking.items() if known[atoms]}


def dependence(model: Variables, asking: Mapping[int, frozenset[Atom]], bringers: Bringers) -> Dependence:
    """Add a literal for each event to a model in search of an order, and return what depends on what.

    Parameters
    ----------
    model : Variables
        The model; its units are all there.
    asking : mapping from choices to atoms
        What each choice needs.
    bringers : callable
        Gets an atom; returns the literals of which one must hold by an earlier move; None where it may need none.
    """
    events: dict[Atom, BoolVar] = {}
    brought: dict[int, list[int]] = {}
    for (_, atom), needed in model.needs.items():
        if atom not in events:
            found = bringers(atom)
            if found is None or any(one is True for one in found):
                continue
            events[atom] = model.new_literal()
            brought[events[atom].index] = [one.index for one in found if not isinstance(one, bool)]
        model.model.add_implication(needed, events[atom])
    follows = {*brought, *(needed.index for needed in model.needs.values() if not isinstance(needed, bool))}
    return Dependence(
        {atom: event.index for atom, event in events.items()}, brought, asking, frozenset(follows), model.parts
    )
