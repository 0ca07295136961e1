"""Everything about a position that does not change while a phase is played."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

from planner.rules.roles import Removes
from planner.world.board import NOTHING, NOWHERE, Board, Country
from planner.world.forces import Marker, Unit
from planner.world.position import Begun, Situation

if TYPE_CHECKING:
    from planner.rules.rulebook import Rulebook

T = TypeVar("T")

KIN = "kin"
"""Under this key games of one and the same position have something in common if their rules differ in nothing but what units
show: of units that are equal in them, the solver's faces say the same."""


@dataclass(frozen=True, eq=False)
class Game:
    """A board, its units, the rules and the situation of one phase.

    Attributes
    ----------
    board : Board
        The map.
    units : dict from ids to Unit
        Every unit of every side, in the order of the scenario, which breaks ties.
    rulebook : Rulebook
        The rules and charts.
    situation : Situation
        The phase and whatever holds throughout it.
    homes : dict from ids to hex labels
        Where the units on the map stand when the phase begins, or after what has been done in it, in the order of the
        scenario.
    begun : Begun or None
        What has been done in the phase before; None at its beginning. Only what looks ahead asks for it: the referee has
        it in the position.
    """

    board: Board
    units: dict[str, Unit]
    rulebook: Rulebook
    situation: Situation
    homes: dict[str, str]
    begun: Begun | None = None
    _cache: dict[Any, Any] = field(default_factory=dict, repr=False)

    def is_like(self, other: Game) -> bool:
        """Tell whether another game is the same, the order of its units included: never one whose phase has begun."""
        return self is other or (
            self.begun is None
            and other.begun is None
            and self.board is other.board
            and self.rulebook is other.rulebook
            and list(self.units.items()) == list(other.units.items())
            and list(self.homes.items()) == list(other.homes.items())
            and self.situation == other.situation
        )

    def origin_of(self, unit: str) -> str:
        """Return where a unit that is on the map, or was as the phase began, stood then."""
        return self.homes[unit] if self.begun is None else self.begun.origins.get(unit) or self.homes[unit]

    def has_moved(self, unit: str) -> bool:
        """Tell whether a unit has moved in the phase before what is asked."""
        return self.begun is not None and unit in self.begun.position.under_way

    def entered_before(self, label: str, rule: str, unit: str) -> int:
        """Return how many others have entered a hex, by steps of which a rule takes note, before what is asked."""
        entered = set[tuple[str, str, str]]() if self.begun is None else self.begun.position.entered
        return sum((by, at) == (rule, label) and other != unit for by, at, other in entered)

    def spent(self, unit: str) -> Fraction:
        """Return the MP that a unit has spent in the phase before what is asked."""
        return self.begun.position.under_way[unit].spent if self.begun and self.has_moved(unit) else Fraction(0)

    @property
    def crowds(self) -> frozenset[str]:
        """The hexes into which several units have retreated together after an attack of the phase, where they may crowd."""
        return NOTHING if self.begun is None else self.begun.position.crowds

    @property
    def at_first(self) -> Game:
        """The game as the phase began."""
        return self if self.begun is None else self._at_first  # who kept itself would wait for Python's collector

    @cached_property
    def _at_first(self) -> Game:
        assert self.begun is not None
        units = {
            id: replace(unit, traits=unit.traits - self.begun.traits.get(id, NOTHING))
            for id, unit in self.units.items()
        }
        situation = self.begun.situation_before(self.situation)
        return replace(self, units=units, situation=situation, homes=dict(self.begun.origins), begun=None, _cache={})

    def cached(self, key: object, make: Callable[[], T]) -> T:
        """Return what was made under a key before, or make it; for what a rule derives from the start once."""
        try:
            return self._cache[key]  # type: ignore[no-any-return]
        except KeyError:
            pass  # making it may take long, and raise
        self._cache[key] = found = make()
        return found

    @cached_property
    def _units_by_hex(self) -> dict[str, tuple[str, ...]]:
        found: dict[str, tuple[str, ...]] = {}
        for unit, home in self.homes.items():
            found[home] = (*found.get(home, ()), unit)
        return found

    def units_at(self, label: str) -> tuple[str, ...]:
        """Return all units in a place when the phase begins, or after what has been done in it."""
        return self._units_by_hex.get(label, ())

    @cached_property
    def _enemies_by_hex(self) -> dict[str, tuple[str, ...]]:
        found: dict[str, tuple[str, ...]] = {}
        for unit, home in self.homes.items():
            if self.is_enemy(unit):
                found[home] = (*found.get(home, ()), unit)
        return found

    @cached_property
    def _markers_by_place(self) -> dict[str, tuple[Marker, ...]]:
        found: dict[str, tuple[Marker, ...]] = {}
        for marker in self.situation.markers:
            found[marker.at] = (*found.get(marker.at, ()), marker)
        return found

    def markers_at(self, label: str) -> tuple[Marker, ...]:
        """Return the markers that lie in a place when the phase begins."""
        return self._markers_by_place.get(label, ())

    @cached_property
    def removable(self) -> frozenset[str]:
        """The ids of markers that may be eliminated by units entering their hex."""
        return frozenset(
            marker.id
            for marker in self.situation.markers
            for rule in self.rulebook.of(Removes)
            if rule.markers is not None and rule.markers.matches(marker)
        )

    def country(self, name: str) -> Country:
        """Return what is known of a country; of one that the game doesn't have, nothing."""
        return self.situation.countries.get(name) or NOWHERE

    def enemies_at(self, label: str) -> tuple[str, ...]:
        """Return the enemies in a hex when the phase begins; they stay where they are until eliminated."""
        return self._enemies_by_hex.get(label, ())

    def control_matters(self, label: str) -> bool:
        """Tell whether it is anything to a rule, the objective or the side that had it whose a place is."""
        return label in self.situation.control or self.minds_control(label)

    def counted(self, taken: Iterable[str]) -> frozenset[str]:
        """Return those places of which it matters who took them: positions that differ in others alone come to the same."""
        return frozenset(filter(self.minds_control, taken))

    def minds_control(self, label: str) -> bool:
        """Tell whether it matters to anybody's steps, or to the objective, whose a place is."""
        known: dict[str, bool] = self.cached("minds control", dict)
        if label not in known:
            contested = label in self.situation.contested
            known[label] = contested or any(rule.minds_control(self, label) for rule in self.rulebook.minding_control)
        return known[label]

    def crossable(self, origin: str, to: str) -> bool:
        """Tell whether units could cross a hexside at all: by terrain, or by a route."""
        known: dict[tuple[str, str], bool] = self.cached("crossable", dict)
        if (origin, to) not in known:
            features, chart = self.board.hexside(origin, to), self.rulebook.terrain
            known[origin, to] = chart.carries(features) or chart.entry_cost(self.board.hexes[to], features) is not None
        return known[origin, to]

    @cached_property
    def friends(self) -> frozenset[str]:
        """The ids of the phasing side's units, and of its allies', who are friends but don't move."""
        return frozenset(unit.id for unit in self.units.values() if self.situation.befriends(unit.side))

    @cached_property
    def order(self) -> dict[str, int]:
        """The place of each unit in the scenario, and of each marker after the units."""
        return {id: index for index, id in enumerate([*self.units, *(m.id for m in self.situation.markers)])}

    def is_enemy(self, unit: str) -> bool:
        """Tell whether a unit is an enemy of the phasing side: every unit of every other side is, but for its allies."""
        return unit not in self.friends

    def may_be_moved(self, unit: str) -> bool:
        """Tell whether a unit belongs to the phasing side itself, whose units alone move."""
        return self.units[unit].side == self.situation.phasing

    def at_odds(self, sides: Iterable[str]) -> bool:
        """Tell whether some of these sides are enemies of each other, or only some of them of the side that moves."""
        some = set(sides)
        return len({self.situation.befriends(side) for side in some}) > 1 or self.rulebook.forces.at_odds(some)

    def opposed(self, unit: str, other: str) -> bool:
        """Tell whether two units are enemies of each other: of enemies of the side that moves, too, some may be."""
        side, against = self.units[unit].side, self.units[other].side
        friendly = self.situation.befriends(side)
        if side == against or friendly != self.situation.befriends(against):
            return side != against
        return not friendly and self.rulebook.forces.at_odds((side, against))

    def in_phase_of(self, side: str, phase: str | None = None) -> Game:
        """Return the game as it is when it is another side's phase."""
        allies = self.rulebook.forces.allies_of(side)
        now = replace(self.situation, phasing=side, allies=allies, phase=phase or self.situation.phase)
        units = {id: replace(unit, allied=unit.side in allies) for id, unit in self.units.items()}
        return replace(self, units=units, situation=now, _cache={})

    def sorted(self, units: Iterable[str]) -> tuple[str, ...]:
        """Return the ids of units, and of markers after them, in the order of the scenario."""
        some = tuple(units)
        return some if len(some) < 2 else tuple(sorted(some, key=self.order.__getitem__))

    def weather(self, label: str) -> str:
        """Return the weather in a hex, empty where it is fair."""
        return self.situation.weather.get(label, "")

    def name(self, unit: str) -> str:
        """Return how messages call a unit: its id, by which plans call it too."""
        return unit

    def names(self, units: Iterable[str]) -> str:
        """Return how messages call several units."""
        names = [self.name(unit) for unit in units]
        return names[0] if len(names) == 1 else ", ".join(names[:-1]) + " and " + names[-1]
