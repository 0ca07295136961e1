"""Steps of another kind than from hex to hex: onto a beach and off it, across the sea to a near shore, into a box."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import Field

from planner.formats.mp import MP
from planner.formats.table import Table
from planner.rules.atoms import NEVER, Foremost, Otherwise, when
from planner.rules.base import Way
from planner.rules.demands import Arc, Before, Demand
from planner.rules.play import Finding, MoveInPlay
from planner.rules.removed_markers import problems_of_own
from planner.world.forces import Marker, Unit
from planner.world.position import Stop
from planner.world.selectors import HexSelector, HexsideSelector, MarkerSelector, UnitSelector

if TYPE_CHECKING:
    from planner.rules.game import Game
    from planner.rules.rulebook import Rulebook


class Reading(Table):
    """Which steps are read as passages of a kind, whether they are allowed or not."""

    units: UnitSelector = Field(default=UnitSelector(), description="Steps of such units")
    origin: HexSelector = Field(default=HexSelector(), description="Out of such hexes, or boxes")
    out_of_boxes: bool = Field(default=False, description="Out of any other box, besides")
    to: HexSelector = Field(default=HexSelector(), description="Into such hexes, or boxes")
    across: HexsideSelector | None = Field(default=None, description="Across such hexsides; absent: across any")
    origin_marker: MarkerSelector | None = Field(default=None, description="Out of a hex with such an own marker")
    to_marker: MarkerSelector | None = Field(default=None, description="Into a hex with such an own marker")


class Passage(Way):
    """Ensures that steps of a special kind are made by the right units, between the right places, as the first of a move."""

    kind: Literal["passage"]
    reads: Reading = Field(
        description="Which steps are such passages; of the rules that read a step as theirs the first in the rulebook has "
        "it, so that what is read between neighbouring hexes must stand before `hex_to_hex`"
    )
    adjacent: bool = Field(
        default=True, description="Whether the places must be adjacent: two hexes by a hexside, two boxes by the map"
    )
    range: int | None = Field(
        default=None, ge=0, le=1000, description="At how many hexes' distance the places may lie at most; absent: any"
    )
    who: UnitSelector = Field(default=UnitSelector(), description="The units that may pass")
    origin: HexSelector | None = Field(default=None, description="The places that may be left; absent: those it reads")
    to: HexSelector | None = Field(default=None, description="The places that may be entered; absent: those it reads")
    facing: bool = Field(
        default=False,
        description="Whether the hexside crossed must be the one that the marker in the hex left faces; needs origin_marker",
    )
    first_only: bool = Field(default=True, description="Whether it must be the unit's first step of the phase")
    takes: MP | None = Field(
        default=None, description="MP that it takes; absent: the whole MA, and the unit's move ends there"
    )
    by_terrain: bool = Field(
        default=False,
        description="Whether it costs what the terrain chart says, and the unit's move goes on; not into a box, which has "
        "no terrain",
    )
    before_others: bool = Field(
        default=False, description="Whether it must come before every step of another kind; needs first_only"
    )

    looks_near: ClassVar[bool] = True
    summary: ClassVar[str] = "Certain units pass between certain places, as the first step of their move."

    def joins(self, game: Game, unit: Unit, origin: str, to: str, loosely: bool = False) -> bool:
        """Tell whether the places, the hexside between them and the markers there are those of such a passage."""
        board, reads = game.board, self.reads
        if origin == to or not self._read(game, "origin", origin):
            return False
        if self.adjacent and not loosely and not (board.adjacent(origin, to) or to in board.box_links.get(origin, ())):
            return False
        if reads.across is not None and not (board.adjacent(origin, to) and reads.across.matches(board, origin, to)):
            return False
        return (
            self._read(game, "to", to)
            and reads.units.matches(unit)
            and (reads.origin_marker is None or bool(_own_markers(game, origin, reads.origin_marker)))
            and (reads.to_marker is None or bool(_own_markers(game, to, reads.to_marker)))
            and (not loosely or (reads.origin_marker is None and reads.to_marker is None))
        )

    def joined_to(self, game: Game, unit: Unit, origin: str) -> Iterable[str]:
        """Yield the places to which a step is read as such a passage: few of the board are looked at."""
        board = game.board
        if not self._read(game, "origin", origin):
            return ()
        everywhere = partial(tuple, (label for label in board.places if self._read(game, "to", label)))
        near = (*board.neighbours[origin], *board.box_links.get(origin, ()))
        some = near if self.adjacent else game.cached((self.id, "read to"), everywhere)
        return (to for to in some if self.joins(game, unit, origin, to))

    def leads_from(self, game: Game, origin: str) -> bool:
        """Tell whether the place is one from which such passages are read, if there is any to which they are."""
        return self._read(game, "origin", origin) and self._leads_anywhere(game)

    def _leads_anywhere(self, game: Game) -> bool:
        """Tell whether there is a place to which such passages are read, with the marker that it must have."""
        marker = self.reads.to_marker
        return game.cached(
            (self.id, "leads anywhere"),
            lambda: any(
                self._read(game, "to", label)
                for label in game.board.places
                if marker is None or _own_markers(game, label, marker)
            ),
        )

    def _read(self, game: Game, which: Literal["origin", "to"], label: str) -> bool:
        """Tell whether a place is one of those from, or to, which such passages are read."""
        known: dict[str, bool] = game.cached((self.id, "reads", which), dict)
        if label not in known:
            selector = self.reads.origin if which == "origin" else self.reads.to
            place = game.board.places[label]
            besides = which == "origin" and self.reads.out_of_boxes and place.box
            known[label] = besides or selector.matches(place, game.weather(label))
        return known[label]

    def amounts(self) -> Iterable[Fraction]:
        """Yield what it takes."""
        if self.takes is not None:
            yield self.takes

    def problems(self, rulebook: Rulebook) -> Iterable[str]:
        """Yield that markers it reads may be gone, that it comes first but not for its unit, that nothing says who faces."""
        yield from problems_of_own(rulebook, "origin_marker", self.reads.origin_marker)
        yield from problems_of_own(rulebook, "to_marker", self.reads.to_marker)
        if self.before_others and not self.first_only:
            yield "before_others needs first_only: it must come before the other steps of its own unit, too"
        if self.facing and self.reads.origin_marker is None:
            yield "facing needs origin_marker in reads: it is that marker which faces a hexside"

    # -- the referee's face

    def price(self, play: MoveInPlay) -> Fraction | None:
        """Return what the step costs: so many MP, or the whole MA."""
        if self.by_terrain:
            return None
        return play.unit.ma if self.takes is None else self.takes

    def check_step(self, play: MoveInPlay) -> Iterable[Finding]:
        """Yield a finding for each thing that is wrong with the passage."""
        if play.way is not self:
            return
        game, board, unit = play.game, play.game.board, play.unit
        step = f"{unit.id} may not go from {play.origin} to {play.to}"
        linked = board.adjacent(play.origin, play.to) or play.to in board.box_links.get(play.origin, ())
        if self.adjacent and not linked:
            yield Finding(self.paragraph, f"{step}: they are not adjacent")
        if not self.who.matches(unit):
            yield Finding(self.paragraph, f"{step}: it is not a unit that may")
        if self.range is not None and not _on_map(game, play):
            yield Finding(self.paragraph, f"{step}: it leads only from hex to hex")
        elif self.range is not None and not board.within(play.origin, play.to, self.range):
            yield Finding(self.paragraph, f"{step}: it is farther than {self.range} hex{'es' * (self.range != 1)}")
        if self.origin is not None and not self.origin.matches(board.places[play.origin], game.weather(play.origin)):
            yield Finding(self.paragraph, f"{step}: that way doesn't lead out of {play.origin}")
        if self.to is not None and not self.to.matches(board.places[play.to], game.weather(play.to)):
            yield Finding(self.paragraph, f"{step}: that way doesn't lead into {play.to}")
        if self.facing and self.reads.origin_marker is not None:
            sides = [
                marker.facing
                for marker in play.markers_in(play.origin)
                if marker.side == game.situation.phasing and self.reads.origin_marker.matches(marker)
            ]
            if play.to not in sides:
                only = " and ".join(side or "no hex" for side in sides)
                yield Finding(self.paragraph, f"{step}: {play.origin} can be left towards {only} only")
        if self.first_only and not play.first:
            yield Finding(self.paragraph, f"{step}: it has moved already in this phase")
        if self.before_others and play.position.ways - {self.id}:
            yield Finding(self.paragraph, f"{step}: steps of another kind have been made already")

    def may_stop(self, game: Game, unit: Unit) -> bool:
        """Tell whether the passage takes the whole MA."""
        return self.takes is None and not self.by_terrain

    def after_step(self, play: MoveInPlay) -> Iterable[Stop]:
        """Yield a stop if the passage takes the whole MA."""
        if play.way is self and self.may_stop(play.game, play.unit):
            yield Stop(self.paragraph, "the step took its whole MA", play.step, play.to)

    # -- the solver's face

    def minds_ways(self, game: Game) -> bool:
        """Tell whether the passage must come before every step of another kind, and there is a place to which it leads."""
        return self.before_others and any(self._read(game, "to", label) for label in game.board.places)

    def offers(self, game: Game, unit: Unit, origin: str, before: Before) -> Iterable[Arc]:
        """Yield a step to each place that such a passage leads to."""
        board = game.board
        near = (*board.neighbours[origin], *board.box_links.get(origin, ()))
        for to in near if self.adjacent else self._targets(game):
            if to != origin and self.joins(game, unit, origin, to):
                yield Arc(origin, to, way=self.id, before=before)

    def may_follow(self, before: Before) -> bool:
        """Tell whether such a passage may ever be possible after a step: not if it must be the first."""
        return before is None or not self.first_only

    def leads_afar(self, game: Game, origin: str) -> Iterable[str] | None:
        """Return the places that such passages may lead to, unless to neighbours alone."""
        return game.board.box_links.get(origin, ()) if self.adjacent else self._targets(game)

    def _targets(self, game: Game) -> tuple[str, ...]:
        """Return the places that such passages may lead to, of all the board."""
        fitting = (
            label
            for label, place in game.board.places.items()
            if self.reads.to.matches(place, game.weather(label))
            and (self.to is None or self.to.matches(place, game.weather(label)))
        )
        return game.cached((self.id, "targets"), lambda: tuple(fitting))

    def tariff(self, game: Game, unit: Unit, arc: Arc) -> Fraction | None:
        """Return what the step costs: so many MP, or the whole MA."""
        if self.by_terrain:
            return None
        return self.takes if self.takes is not None else unit.ma

    def same_from_anywhere(self, game: Game, way: str) -> bool:
        """Tell whether what it asks doesn't depend on the hex left: it may of other steps where it must come before them."""
        return way != self.id and not self.before_others

    def arc_demands(self, game: Game, unit: Unit, arc: Arc) -> Iterable[Demand]:
        """Yield an impossible demand for each thing that is wrong with the passage, and for moving on after it.

        Who gets to where it leads by other steps, or goes on from there, doesn't come before all others by it.
        """
        if arc.way != self.id:
            if self.before_others and (self._read(game, "to", arc.to) or self._read(game, "to", arc.origin)):
                yield Demand(self.paragraph, when(Otherwise(self.id)), source=self.id, choice=True)
            return
        origin, to = game.board.places[arc.origin], game.board.places[arc.to]
        linked = arc.to in game.board.neighbours[arc.origin] or arc.to in game.board.box_links.get(arc.origin, ())
        faced = {
            marker.facing
            for marker in (_own_markers(game, arc.origin, self.reads.origin_marker) if self.reads.origin_marker else ())
        }
        wrong = {
            "adjacent": self.adjacent and not linked,
            "unit": not self.who.matches(unit),
            "range": self._too_far(game, arc),
            "origin": self.origin is not None and not self.origin.matches(origin, game.weather(arc.origin)),
            "to": self.to is not None and not self.to.matches(to, game.weather(arc.to)),
            "facing": self.facing and arc.to not in faced,
            "first": self.first_only and arc.before is not None,
        }
        for cause, broken in wrong.items():
            if broken:
                yield Demand(self.paragraph, NEVER, cause=cause, source=self.id)
        if self.before_others:
            others = game.begun is not None and bool(game.begun.position.ways - {self.id})
            any_of = NEVER if others else when(Foremost(self.id))
            yield Demand(self.paragraph, any_of, cause="others", source=self.id)
        if self.takes is None and not self.by_terrain:
            yield Demand(self.paragraph, NEVER, onward=True, cause="whole MA", source=self.id)

    def _too_far(self, game: Game, arc: Arc) -> bool:
        """Tell whether the places are no hexes so near each other as they must be."""
        if self.range is None:
            return False
        places = game.board.places[arc.origin], game.board.places[arc.to]
        away = None if any(place.box for place in places) else game.board.distance(arc.origin, arc.to)
        return away is None or away > self.range


def _on_map(game: Game, play: MoveInPlay) -> bool:
    """Tell whether a step leads from a hex to a hex."""
    return play.origin in game.board.hexes and play.to in game.board.hexes


def _own_markers(game: Game, label: str, which: MarkerSelector) -> list[Marker]:
    """Return the phasing side's markers of a kind in a place."""
    return [m for m in game.markers_at(label) if m.side == game.situation.phasing and which.matches(m)]
