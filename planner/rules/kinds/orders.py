"""Orders: so many units of each section of the board may be used."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import chain, combinations, takewhile
from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import Field

from planner.rules.atoms import NEVER, Carried, when
from planner.rules.demands import Demand, Tick, no_tick
from planner.rules.play import Finding, MoveInPlay
from planner.rules.roles import Commands
from planner.world.forces import ORDERS, Unit
from planner.world.selectors import Names, UnitSelector

if TYPE_CHECKING:
    from planner.rules.game import Game
    from planner.rules.rulebook import Rulebook


class Orders(Commands):
    """Ensures that only ordered units move: those that have an order, and as many of each section as the scenario allows.

    Sections are traits of hexes. A hex that lies in several sections belongs to all of them, and its unit may be ordered in
    either. Which units are ordered is the player's choice: whoever moves is.
    """

    kind: Literal["orders"]
    sections: Names = Field(default=(), description="The traits of hexes that are sections of the board", max_length=8)
    ordered: UnitSelector = Field(description="Units that have an order already, and need none of a section's")
    phases: Names = Field(default=(), description="The phases in which it holds; none named: all")

    uses_up: ClassVar[str] = "an order"
    only_forbids: ClassVar[bool] = True
    looks_near: ClassVar[bool] = True
    summary: ClassVar[str] = "Only ordered units move: so many in each section, at the player's choice."

    def problems(self, rulebook: Rulebook) -> Iterable[str]:
        """Yield the names that the game doesn't have."""
        yield from rulebook.unknown("phases", self.phases)
        yield from rulebook.unknown("hex_traits", self.sections)

    def sections_of(self, game: Game, unit: str) -> tuple[str, ...] | None:
        """Return the sections in which a unit may be ordered; None for one that needs none of their orders."""
        known: dict[str, tuple[str, ...] | None] = game.cached((self.id, "sections"), dict)
        if unit not in known:
            in_force = not self.phases or game.situation.phase in self.phases
            here = game.board.places[game.origin_of(unit)].traits
            bound = in_force and not self.ordered.matches(game.units[unit])
            known[unit] = tuple(section for section in self.sections if section in here) if bound else None
        return known[unit]

    # -- the referee's face

    def enough(self, game: Game, units: Iterable[str]) -> bool:
        """Tell whether there are orders for all of some units (Hall's condition)."""
        wanted = Counter(sections for unit in units if (sections := self.sections_of(game, unit)) is not None)
        known: dict[frozenset[tuple[tuple[str, ...], int]], bool] = game.cached((self.id, "enough"), dict)
        key = frozenset(wanted.items())
        if key not in known:
            orders = game.situation.orders
            every = chain.from_iterable(combinations(self.sections, size) for size in range(len(self.sections) + 1))
            known[key] = all(
                sum(number for sections, number in wanted.items() if set(sections).issubset(some))
                <= sum(orders.get(section, 0) for section in some)
                for some in every
            )
        return known[key]

    def check_pick_up(self, play: MoveInPlay) -> Iterable[Finding]:
        """Yield a finding if no order is left for the unit."""
        game, given = play.game, list[str]()
        if not game.may_be_moved(play.unit.id) or self.sections_of(game, play.unit.id) is None:
            return
        # Those that have moved, in the order in which they did, and those of its stack before it.
        for unit in dict.fromkeys([*play.position.under_way, *takewhile(play.unit.id.__ne__, play.mates)]):
            if self.enough(game, [*given, unit]):
                given.append(unit)
        if not self.enough(game, [*given, play.unit.id]):
            sections = self.sections_of(game, play.unit.id) or ()
            where = f" in the {' or '.join(sections)} section" if sections else ""
            yield Finding(self.paragraph, f"{play.unit.id} has no order, and none is left{where}")

    # -- the solver's face

    def slots(self, game: Game, sections: Sequence[str]) -> tuple[str, ...]:
        """Return the orders of some sections, one by one."""
        return tuple(
            f"order {section} {number}"
            for section in sections
            for number in range(min(game.situation.orders.get(section, 0), len(game.units)))
        )

    def given(self, game: Game) -> Iterable[tuple[str, Carried]]:
        """Yield the units that have moved by an order of a section, each with the orders that it may have."""
        if game.begun is None or (self.phases and game.situation.phase not in self.phases):
            return
        for unit in game.begun.position.under_way:
            if not self.ordered.matches(game.units[unit]):
                there = game.board.places[game.origin_of(unit)].traits
                if slots := self.slots(game, [section for section in self.sections if section in there]):
                    yield unit, Carried(ORDERS, slots)

    def pick_up_demands(self, game: Game, unit: Unit, origin: str, tick: Tick = no_tick) -> Iterable[Demand]:
        """Yield that an order of its section is left for the unit."""
        in_force = not self.phases or game.situation.phase in self.phases
        if (
            game.is_enemy(unit.id)
            or unit.allied
            or not in_force
            or self.ordered.matches(unit)
            or unit.id not in game.homes
        ):
            return
        if game.has_moved(unit.id):
            return
        here = game.board.places[game.homes[unit.id]].traits
        slots = self.slots(game, [section for section in self.sections if section in here])
        any_of = when(Carried(ORDERS, slots)) if slots else NEVER
        yield Demand(self.paragraph, any_of, source=self.id)
