"""What is wrong with a scenario file, collected while it is read: every problem with its place."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from math import lcm

from pydantic import BaseModel

from planner.errors import MOST_PROBLEMS, Problem
from planner.formats.spelling import HexSpellings, did_you_mean
from planner.formats.validation import renumbered
from planner.rules.rulebook import Rulebook
from planner.scenario.shape import LARGEST_DENOMINATOR
from planner.world.board import Board
from planner.world.selectors import HexSelector, UnitSelector, selectors_in

LONGEST_SENTENCE, LONGEST_PLACE = 4_000, 300
"""What is longer than so many signs, as a name of millions of signs makes it, is cut in the middle."""


class ProblemList:
    """Collects problems.

    Parameters
    ----------
    where : str
        The file, as problems name it.

    Attributes
    ----------
    found : list of Problem
        Those of them that have been found.
    """

    def __init__(self, where: str) -> None:
        self.where = where
        self.found: list[Problem] = []
        self._numbers: Mapping[str, Sequence[int]] = {}
        self._unplaced: set[str] = set()
        self._rows_lost = False
        self._not_read: frozenset[str] = frozenset()

    def problem(self, what: str, place: str = "") -> None:
        """Note one fault; none is to name what of the game couldn't be read."""
        if any(repr(name) in what for name in self._not_read):
            return
        place, what = shortened(renumbered(place, self._numbers), LONGEST_PLACE), shortened(what, LONGEST_SENTENCE)
        self.found.append(Problem(what, f"{self.where}: {place}" if place else self.where))

    def _check_name(self, chart: str, name: str, place: str, rulebook: Rulebook) -> bool:
        for text in rulebook.unknown(chart, [name]):
            self.problem(text, place)
            return False
        return True

    def _check_one_of(self, what: str, name: str, known: Collection[str], place: str) -> bool:
        if name not in known:
            among = f"must be one of {listed(known)}, not {name!r}" if known else f"can't be {name!r}: there is none"
            self.problem(f"{what} {among}{did_you_mean(name, known)}", place)
        return name in known

    def _check_selectors(
        self, value: BaseModel, place: str, rulebook: Rulebook, board: Board, units: Collection[str]
    ) -> None:
        """Note every name in its selectors that the game, the map or the forces don't have."""
        for what, key in rulebook.unknown_in(value):
            self.problem(what, f"{place}.{key}")
        for key, selector in selectors_in(value):
            inside = f"{place}.{key}" if key else place
            if isinstance(selector, HexSelector):
                self._on_map(selector.labels, board.places, f"{inside}.labels")
            if isinstance(selector, UnitSelector):
                for unit in selector.units:
                    if unit not in units:
                        self.problem(
                            f"unit must be one of the scenario's, not {unit!r}{did_you_mean(unit, list(units))}",
                            f"{inside}.units",
                        )

    def _on_map(self, labels: Iterable[str], terrain: Collection[str], place: str) -> list[str]:
        found = []
        for label in labels:
            if label in terrain:
                found.append(label)
            elif label not in self._unplaced and not self._rows_lost:
                meant = HexSpellings(terrain).did_you_mean(label) if len(self.found) < MOST_PROBLEMS else ""
                self.problem(f"hex {label[:40]!r} is not on the map{meant}", place)
        return found

    def _is_label(self, label: str, place: str, rulebook: Rulebook) -> bool:
        try:
            rulebook.numbering.coordinates(label)
        except ValueError as error:
            self.problem(str(error), place)
            self._unplaced.add(label)
            return False
        return True

    def _check_fractions(self, what: str, amounts: Iterable[Fraction]) -> None:
        """Refuse fractions that no chart has: brought to whole numbers, they would not fit into the solver's."""
        if lcm(*(amount.denominator for amount in amounts)) > LARGEST_DENOMINATOR:
            self.problem(
                f"the {what} of all units must have a common denominator of at most {LARGEST_DENOMINATOR}", "unit"
            )


def shortened(text: str, most: int) -> str:
    """Return a text, or its two ends where it has more signs."""
    return text if len(text) <= most else f"{text[: most // 2]}…{text[-most // 2 :]}"


def listed(names: Iterable[str]) -> str:
    """Return names as messages list them."""
    return ", ".join(sorted(names))
