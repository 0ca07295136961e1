"""Transport by carriers: units are taken across naval zones from port to port, each by a berth of its own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import Field

from planner.formats.mp import MP
from planner.rules.atoms import NEVER, Carried, Gone, when
from planner.rules.base import Way
from planner.rules.demands import Arc, Before, Demand, control_of
from planner.rules.play import Finding, MoveInPlay
from planner.rules.removed_markers import problems_of_own
from planner.rules.roles import Books
from planner.world.carrier_assignment import assign_carriers
from planner.world.forces import Marker, Unit
from planner.world.position import Leg, Stop
from planner.world.selectors import HexSelector, MarkerSelector

if TYPE_CHECKING:
    from planner.rules.game import Game
    from planner.rules.rulebook import Rulebook


_NOWHERE = "?"
"""The zone of a leg between places that touch none together: it is illegal, but whoever goes on goes on from a leg."""


class Transport(Books, Way):
    """Ensures that units are carried across a naval zone from port to friendly open port, by carrier markers.

    A unit may go on across another zone from a port that touches both. Which markers carry which units stands in the game's
    chart of carriers. A marker carries as many units in a phase as it has capacity for.
    """

    kind: Literal["transport"]
    procedure: str = Field(default="port_to_port", description="The procedure of movement of which it is a part")
    overruns: bool = Field(default=False, description="Whether such a step may be an overrun")
    embark: tuple[HexSelector, ...] = Field(description="The hexes, and boxes, from which a unit may be carried")
    embark_markers: MarkerSelector | None = Field(
        default=None, description="Own markers from whose hex it may be as well; absent: none"
    )
    debark: tuple[HexSelector, ...] = Field(description="The hexes, and boxes, to which it may be")
    bases: MarkerSelector | None = Field(
        default=None, description="Enemy markers that make a port an enemy base; absent: there are no bases"
    )
    bases_where: HexSelector = Field(default=HexSelector(), description="The hexes in which they do")
    takes: MP | None = Field(
        default=None, description="MP that a passage takes, however many legs it has; absent: the whole MA"
    )
    from_start: bool = Field(
        default=True,
        description="Whether a unit must begin the phase where it is taken aboard; otherwise it may move there first",
    )
    closed_within: int = Field(
        default=0, ge=0, le=1000, description="A port so near to an enemy base is closed, in hexes"
    )

    looks_near: ClassVar[bool] = True
    summary: ClassVar[str] = "Carrier markers take units across naval zones, from ports to friendly open ports."
    uses_up: ClassVar[str] = "a carrier{to}"
    carries: ClassVar[bool] = True

    def joins(self, game: Game, unit: Unit, origin: str, to: str, loosely: bool = False) -> bool:
        """Tell whether both places touch one zone."""
        return origin != to and not set(game.board.zones_of(origin)).isdisjoint(game.board.zones_of(to))

    def leads_from(self, game: Game, origin: str) -> bool:
        """Tell whether the place touches a zone."""
        return bool(game.board.zones_of(origin))

    def joined_to(self, game: Game, unit: Unit, origin: str) -> Iterable[str]:
        """Yield the places that touch a zone with this one."""
        zones = game.board.zones_of(origin)
        return (to for to in dict.fromkeys(to for zone in zones for to in game.board.zones[zone]) if to != origin)

    def amounts(self) -> Iterable[Fraction]:
        """Return what a passage takes."""
        return () if self.takes is None else (self.takes,)

    def problems(self, rulebook: Rulebook) -> Iterable[str]:
        """Yield that markers that it reads may be gone in the course of the phase."""
        yield from problems_of_own(rulebook, "embark_markers", self.embark_markers)

    # -- the referee's face

    def crossed(self, play: MoveInPlay) -> tuple[str, ...]:
        """Return the zones that the leg may cross: another one than the leg before it, if there is another.

        Of those such as have a marker that could carry the unit, if there are any. Of a leg that is illegal in any case,
        since it leads to no port, say, all that both places have in common.
        """
        board = play.game.board
        common = tuple(zone for zone in board.zones_of(play.origin) if zone in board.zones_of(play.to))
        if self._unlinked(play):
            return common or (_NOWHERE,)
        others = tuple(zone for zone in common if not self._goes_on(play) or self._is_another(play, zone)) or common
        able = {marker.zone for marker in self._able(play)}
        return tuple(zone for zone in others if zone in able) or others

    def _goes_on(self, play: MoveInPlay) -> bool:
        """Tell whether the leg continues a passage, rather than begins one: steps on foot, too, may be of its procedure."""
        return play.before is not None and play.before[0] == self.procedure and bool(play.before[1])

    @staticmethod
    def _is_another(play: MoveInPlay, zone: str) -> bool:
        """Tell whether a zone may be another one than the leg before has crossed."""
        before = () if play.before is None else play.before[1]
        return not before or any(zone != crossed for crossed in before)

    def price(self, play: MoveInPlay) -> Fraction | None:
        """Return what the leg costs: the whole MA, or so many MP, once."""
        if self._goes_on(play):
            return Fraction(0)
        return play.unit.ma if self.takes is None else self.takes

    def check_step(self, play: MoveInPlay) -> Iterable[Finding]:
        """Yield what forbids the leg."""
        if play.way is not self:
            return
        unit = play.unit
        what = f"{unit.id} can't be carried from {play.origin} to {play.to}"
        unlinked = self._unlinked(play)
        if unlinked:
            yield Finding(self.paragraph, f"{what}: {unlinked}")
            return
        if self._goes_on(play) and not self._crosses_another_zone(play):
            yield Finding(self.paragraph, f"{what}: it must cross another zone than before")
        if not self._goes_on(play) and self._is_enemy_held(play, play.origin):
            yield Finding(self.paragraph, f"{what}: {play.origin} is in enemy hands")
        if not self._is_friendly(play, play.to):
            yield Finding(self.paragraph, f"{what}: {play.to} is not a friendly port")
        if closing := list(self._bases_near(play)):
            bases = " and ".join(f"{m.at} ({n} hex{'es' if n != 1 else ''} away)" for m, n in closing)
            blame = tuple(marker.id for marker, _ in closing)
            yield Finding(self.paragraph, f"{what}: the port is closed by the enemy base in {bases}", blame)
        leg = self._leg(play)
        if assign_carriers(self._with(play.position.legs, leg)) is None:
            yield Finding(self.paragraph, f"{what}: {self._why_no_carrier(play, leg, play.position.legs)}")

    def watches_stacks(self, game: Game) -> bool:
        """Tell whether several may be carried at once."""
        return game.rulebook.stacks

    def check_together(self, stack: Sequence[MoveInPlay]) -> Iterable[Finding]:
        """Yield for whom of those who are carried at once no carrier is left, as others of them have it."""
        legs = stack[0].position.legs
        for play in stack if len(stack) > 1 else ():
            if play.way is not self or self._unlinked(play):
                continue
            leg = self._leg(play)
            if assign_carriers(more := self._with(legs, leg)) is not None:
                legs = more
            elif assign_carriers(self._with(play.position.legs, leg)) is not None:
                what = f"{play.unit.id} can't be carried from {play.origin} to {play.to}"
                yield Finding(self.paragraph, f"{what}: {self._why_no_carrier(play, leg, legs)}", unit=play.unit.id)

    def _unlinked(self, play: MoveInPlay) -> str:
        """Say why no leg leads from one place to the other, whatever the others do; nothing if one does."""
        game, board = play.game, play.game.board
        origin, to = board.places[play.origin], board.places[play.to]
        if self.from_start and play.before is not None and not self._goes_on(play):
            return "it didn't begin the phase there"
        by_marker = self.embark_markers is not None and any(
            marker.side == game.situation.phasing and self.embark_markers.matches(marker)
            for marker in play.markers_in(play.origin)
        )
        if not by_marker and not any(place.matches(origin, game.weather(origin.label)) for place in self.embark):
            return f"{play.origin} is no place to be carried from"
        if not any(place.matches(to, game.weather(to.label)) for place in self.debark):
            return f"{play.to} is no port to be carried to"
        if play.origin == play.to:
            return "it is there"
        if set(board.zones_of(play.origin)).isdisjoint(board.zones_of(play.to)):
            return "they touch no common zone"
        return ""

    def minds_control(self, game: Game, label: str) -> bool:
        """Tell whether units may be carried from the place, or to it."""
        place, weather = game.board.places[label], game.weather(label)
        return any(selector.matches(place, weather) for selector in (*self.embark, *self.debark))

    def _crosses_another_zone(self, play: MoveInPlay) -> bool:
        known = play.before is not None and bool(play.before[1])
        return not known or any(self._is_another(play, zone) for zone in play.zones)

    def _is_friendly(self, play: MoveInPlay, label: str) -> bool:
        return play.game.situation.befriends(play.game.situation.holder(label, play.position))

    def _is_enemy_held(self, play: MoveInPlay, label: str) -> bool:
        holder = play.game.situation.holder(label, play.position)
        return holder is not None and not play.game.situation.befriends(holder)

    def _bases_near(self, play: MoveInPlay) -> Iterator[tuple[Marker, int]]:
        """Yield the enemy bases that close the port, with how many hexes they are away."""
        game, bases = play.game, self.bases
        for marker in game.situation.markers if bases is not None else ():
            if (
                marker.at
                and marker.id not in play.position.lost
                and not game.situation.befriends(marker.side)
                and bases is not None
                and bases.matches(marker)
                and self.bases_where.matches(game.board.places[marker.at], game.weather(marker.at))
            ):
                hexes = game.board.distance(marker.at, play.to)
                if hexes is not None and hexes <= self.closed_within:
                    yield marker, hexes

    def _leg(self, play: MoveInPlay) -> Leg:
        """Return the leg with the markers that could make it."""
        able = self._able(play)
        carriers = tuple(
            (zone, tuple(berth for marker in able if marker.zone == zone for berth in marker.berths))
            for zone in play.zones
        )
        # A passage goes on as the same one, whether it is written as one move or as several.
        step = play.hexes
        linked = any((leg.unit, leg.step) == (play.unit.id, step - 1) for leg in play.position.legs)
        return Leg(play.unit.id, step, carriers, linked and self._crosses_another_zone(play))

    @staticmethod
    def _able(play: MoveInPlay) -> list[Marker]:
        """Return the markers that could carry the unit, wherever, if they carried nobody else."""
        chart, markers = play.game.rulebook.carriers, play.game.situation.markers
        free = (marker for marker in markers if not marker.used and play.carrier in (None, "", marker.id))
        return [marker for marker in free if chart.can_carry(marker, play.unit)]

    @staticmethod
    def _with(legs: tuple[Leg, ...], leg: Leg) -> tuple[Leg, ...]:
        """Return some legs and one more, which comes just behind the leg that it goes on from."""
        before = (i for i, one in enumerate(legs, 1) if leg.linked and (one.unit, one.step) == (leg.unit, leg.step - 1))
        index = next(before, len(legs))
        return (*legs[:index], leg, *legs[index:])

    def _why_no_carrier(self, play: MoveInPlay, leg: Leg, before: Sequence[Leg]) -> str:
        zones = " or ".join(play.zones)
        if not any(markers for _, markers in leg.carriers):
            return self._why_nobody(play, zones)
        wanted, grown = _berths(leg), True
        given = list(zip(before, assign_carriers(before) or (), strict=False))
        if play.carrier:
            carried = _told(one.unit for one, berth in given if berth in wanted and one.unit != play.unit.id)
            return f"{play.carrier} has been used" + (f": it carries {carried}" if carried else "")
        while grown:  # who has one of these could have another one, if it were free
            more = wanted.union(*(_berths(one) for one, berth in given if berth in wanted))
            wanted, grown = more, len(more) > len(wanted)
        carried = _told(one.unit for one, berth in given if berth in wanted)
        could = (choice for one, berth in given if berth in wanted for choice in one.carriers)
        elsewhere = sorted({zone for zone, berths in could if berths and zone not in play.zones})
        they = "it carries" if len(wanted) == 1 else "they carry"
        if elsewhere:
            they = f"those there and in {' and '.join(elsewhere)} carry"
        return f"no carrier is left in {zones}" + (f": {they} {carried}" if carried else "")

    @staticmethod
    def _why_nobody(play: MoveInPlay, zones: str) -> str:
        """Say why no carrier might make a leg: there is none that can, or each that can has been used before the phase."""
        game = play.game
        able = [
            marker.id
            for marker in game.situation.markers
            if marker.zone in play.zones and marker.used and game.rulebook.carriers.can_carry(marker, play.unit)
        ]
        if play.carrier:
            used = play.carrier in able
            return f"{play.carrier} has been used" if used else f"{play.carrier} can't carry it across {zones}"
        have = f"{_told(able)} {'have' if able[1:] else 'has'} been used"
        return f"no carrier is left in {zones}: {have}" if able else f"no carrier in {zones} can carry it"

    def settle(self, play: MoveInPlay) -> None:
        """Take a carrier for the leg, if there is one: it tells which zones the leg may have crossed."""
        if play.way is self and not self._unlinked(play):
            leg = self._leg(play)
            legs = self._with(play.position.legs, leg)
            if assign_carriers(legs) is not None:
                self.book(play, legs)
                play.zones = tuple(zone for zone, berths in leg.carriers if berths)

    def after_step(self, play: MoveInPlay) -> Iterable[Stop]:
        """Yield a stop in a box."""
        if play.way is self and play.game.board.places[play.to].box:
            yield Stop(self.paragraph, "it was carried to an off-map box", play.step, play.to)

    # -- the solver's face

    def offers(self, game: Game, unit: Unit, origin: str, before: Before) -> Iterable[Arc]:
        """Yield a leg across each zone to each port that touches it, where some carrier could make it."""
        crossed = self._last_zone(before)
        if self.from_start and before is not None and crossed is None:
            return
        for zone in game.board.zones_of(origin):
            if zone != crossed and self._carriers(game, unit, zone):
                for to in game.board.zones[zone]:
                    arc = Arc(origin, to, way=self.id, zone=zone, before=before)
                    if self._may_link(game, arc):
                        yield arc

    def readings(self, game: Game, unit: Unit, arc: Arc) -> Iterable[Arc]:
        """Yield the leg across each zone that touches both places, or one across nothing.

        A zone that may be crossed, and in which somebody could carry the unit, is meant rather than others.
        """
        common = [zone for zone in game.board.zones_of(arc.origin) if zone in game.board.zones_of(arc.to)]
        legs = [replace(arc, zone=zone) for zone in common or [_NOWHERE]]
        if not self._may_link(game, legs[0]):
            return legs
        others = [leg for leg in legs if leg.zone != self._last_zone(arc.before)] or legs
        return [leg for leg in others if self._carriers(game, unit, leg.zone, leg.carrier)] or others

    def _last_zone(self, before: Before) -> str | None:
        """Return the zone that the passage has crossed last; None: a leg would begin a passage."""
        return before[1] or None if before is not None and before[0] == self.procedure else None

    def tariff(self, game: Game, unit: Unit, arc: Arc) -> Fraction | None:
        """Return what the leg costs: the whole MA, or so many MP, for the first one, nothing for those after it."""
        if self._last_zone(arc.before) is not None:
            return Fraction(0)
        return unit.ma if self.takes is None else self.takes

    def _may_link(self, game: Game, arc: Arc) -> bool:
        """Tell whether a leg leads from one place to the other, whatever the others do."""
        late = self.from_start and arc.before is not None and self._last_zone(arc.before) is None
        if arc.origin == arc.to or arc.zone not in game.board.zones or late:
            return False
        return self._is_embarkation(game, arc.origin) and self._is_port(game, arc.to)

    def _is_embarkation(self, game: Game, label: str) -> bool:
        place, weather = game.board.places[label], game.weather(label)
        if any(selector.matches(place, weather) for selector in self.embark):
            return True
        own = (marker for marker in game.markers_at(label) if marker.side == game.situation.phasing)
        return self.embark_markers is not None and any(map(self.embark_markers.matches, own))

    def _is_port(self, game: Game, label: str) -> bool:
        return any(selector.matches(game.board.places[label], game.weather(label)) for selector in self.debark)

    def _carriers(self, game: Game, unit: Unit, zone: str, named: str = "") -> tuple[str, ...]:
        chart = game.rulebook.carriers
        in_zone: dict[str, list[Marker]] = game.cached((self.id, "carriers"), lambda: self._by_zone(game))
        fitting = (marker for marker in in_zone.get(zone, ()) if chart.can_carry(marker, unit))
        return tuple(berth for marker in fitting if named in ("", marker.id) for berth in marker.berths)

    @staticmethod
    def _by_zone(game: Game) -> dict[str, list[Marker]]:
        found: dict[str, list[Marker]] = {}
        for marker in game.situation.markers:
            if marker.zone and not marker.used:
                found.setdefault(marker.zone, []).append(marker)
        return found

    def _enemy_bases(self, game: Game) -> dict[str, str]:
        """Return the enemy bases: the markers' ids, with their hexes."""
        if self.bases is None:
            return {}
        now = game.situation
        foreign = (m for m in now.markers if not now.befriends(m.side) and m.at in game.board.hexes)
        return {
            marker.id: marker.at
            for marker in foreign
            if self.bases.matches(marker)
            and self.bases_where.matches(game.board.hexes[marker.at], game.weather(marker.at))
        }

    def _closing(self, game: Game, label: str) -> Iterator[str]:
        """Return the markers of the enemy bases that close a port while they are there."""
        bases = game.cached((self.id, "bases"), lambda: self._enemy_bases(game))
        return (marker for marker, at in bases.items() if game.board.within(at, label, self.closed_within))

    @staticmethod
    def _is_had(game: Game, label: str) -> bool:
        """Tell whether a place is friendly as the phase begins."""
        return game.situation.befriends(game.situation.control.get(label))

    def tokens(self, game: Game) -> Iterable[str]:
        """Return the enemy bases that close a port, and the control of ports that aren't friendly."""
        for label in {label for places in game.board.zones.values() for label in places}:
            if self._is_port(game, label):
                yield from self._closing(game, label)
            if not self._is_had(game, label):
                yield control_of(label)

    def same_from_anywhere(self, game: Game, way: str) -> bool:
        """Tell whether what it asks doesn't depend on the hex left: it asks nothing of other steps than its own."""
        return way != self.id

    def arc_demands(self, game: Game, unit: Unit, arc: Arc) -> Iterable[Demand]:
        """Yield what a leg needs: friendly open ports, and a carrier."""
        if arc.way != self.id:
            return
        if game.board.places[arc.to].box:
            yield Demand(self.paragraph, NEVER, onward=True, cause="box", source=self.id)
        if not self._may_link(game, arc):
            yield Demand(self.paragraph, NEVER, cause="link", source=self.id)
            return
        crossed = self._last_zone(arc.before)
        if crossed == arc.zone:
            yield Demand(self.paragraph, NEVER, cause="zone", source=self.id)
        if crossed is None and arc.origin in game.situation.control and not self._is_had(game, arc.origin):
            yield Demand(self.paragraph, when(Gone(control_of(arc.origin))), cause="departure", source=self.id)
        if not self._is_had(game, arc.to):
            yield Demand(self.paragraph, when(Gone(control_of(arc.to))), cause="friendly", source=self.id)
        for marker in self._closing(game, arc.to):
            yield Demand(self.paragraph, when(Gone(marker)), (marker,), cause="closed", source=self.id)
        by = self._carriers(game, unit, arc.zone, arc.carrier)
        aboard = when(Carried(arc.zone, by)) if by else NEVER
        yield Demand(self.paragraph, aboard, cause="carrier", source=self.id)


def _berths(leg: Leg) -> set[str]:
    """Return what could make a leg."""
    return {berth for _, berths in leg.carriers for berth in berths}


def _told(units: Iterable[str]) -> str:
    """Return units, each once."""
    return ", ".join(sorted(set(units)))
