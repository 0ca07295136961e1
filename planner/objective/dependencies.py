"""Which terms of an objective look at what, so that after a move only those are asked that may count otherwise."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Generic, TypeVar

from planner.objective.base import Term

T = TypeVar("T")


class TermsByDependency(Generic[T]):
    """Terms, or what is known of each of them, by the hexes and enemies at which they look.

    Parameters
    ----------
    terms : iterable of (Term, object)
        The terms, each with what is to be found by it.

    Attributes
    ----------
    anywhere : bool
        Whether some term may look anywhere.
    """

    def __init__(self, terms: Iterable[tuple[Term, T]]) -> None:
        self.anywhere = False
        self._always: list[T] = []
        self._named: dict[str, list[T]] = {}
        for term, found in terms:
            names = term.depends_on()
            self.anywhere = self.anywhere or names is None
            for name in (names := tuple(dict.fromkeys(names or ()))):
                self._named.setdefault(name, []).append(found)
            if not names:
                self._always.append(found)

    def looks_at(self, name: str) -> bool:
        """Tell whether some term looks at a hex or an enemy by name."""
        return name in self._named

    def looking_at(self, names: Iterable[str]) -> list[T]:
        """Return what belongs to the terms that look at any of some hexes and enemies, or at none in particular."""
        some = {id(found): found for name in names for found in self._named.get(name, ())}
        return [*self._always, *some.values()]
