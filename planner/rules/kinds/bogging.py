"""Bogging down: dice that decide whether a unit gets any further."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import Field

from planner.formats.probability import Probability
from planner.formats.table import Table
from planner.rules.atoms import NEVER
from planner.rules.combat_roles import Bogs, Fights, JointlyOverruns
from planner.rules.demands import Arc, Demand
from planner.rules.later_roles import Outlasts
from planner.rules.play import Finding, MoveInPlay
from planner.rules.removed_markers import removers_of
from planner.world.forces import Unit
from planner.world.position import Stop
from planner.world.selectors import HexSelector, MarkerSelector, Names, UnitSelector

if TYPE_CHECKING:
    from planner.rules.game import Game
    from planner.rules.rulebook import Rulebook
    from planner.world.position import Position


class MoveDice(Table):
    """Dice for the move itself, whatever the hex."""

    units: UnitSelector = Field(default=UnitSelector(), description="The units")
    phases: Names = Field(default=(), description="The phases; none named: all")
    from_hex: int = Field(default=1, ge=1, le=100, description="From the how-manieth hex of the move on")
    dice: int = Field(default=1, ge=0, le=20, description="So many dice a hex")


class Waiver(Table):
    """Where units roll no dice for a feature."""

    units: UnitSelector = Field(default=UnitSelector(), description="The units")
    hexes: HexSelector = Field(description="The hexes")


class FeatureDice(Table):
    """Dice for something in the hex that is entered."""

    name: str = Field(max_length=60, description="What messages call it")
    hexes: HexSelector | None = Field(default=None, description="The hexes that have it")
    markers: MarkerSelector | None = Field(default=None, description="The markers, of any side, that are it")
    dice: int = Field(default=1, ge=1, le=20, description="So many dice")
    unless: tuple[Waiver, ...] = Field(default=(), description="Who rolls none for it where")


class Bogging(Bogs, Outlasts):
    """Ensures that a unit rolls dice for the hexes that it enters, and gets no further once one of them shows the bad side.

    The dice of one hex are added up, those for the move and those for each feature of the hex; each hex is a roll of its
    own. A unit that bogs down is in the hex that it has entered, and its move is over.
    """

    kind: Literal["bogging"]
    who: UnitSelector = Field(description="The units that may bog down")
    bad_side: Probability = Field(description="The probability that a die shows the side on which a unit bogs down")
    move: tuple[MoveDice, ...] = Field(
        default=(), description="Dice for the move; the first that fits unit and phase holds"
    )
    features: tuple[FeatureDice, ...] = Field(default=(), description="Dice for what is in the hex, all that fit")
    trait: str | None = Field(default=None, description="The trait of a bogged unit in the phases after this one")

    looks_near: ClassVar[bool] = True
    summary: ClassVar[str] = "Dice for the move and for terrain decide, hex by hex, whether a unit bogs down."

    def with_luck(self) -> Bogging:
        """Return the rule by which nobody bogs down."""
        return self.model_copy(update={"bad_side": Fraction(0)})

    @property
    def counts_hexes(self) -> int:
        """The hex from which on the dice stay the same."""
        return max((entry.from_hex for entry in self.move), default=0)

    @property
    def mark_of_harm(self) -> str | None:
        """The trait of units that have bogged down before."""
        return self.trait

    def traits_after(self, game: Game, unit: str, position: Position) -> Iterable[str]:
        """Yield the trait of a unit that has bogged down by this rule's dice."""
        if self.trait is not None and unit in position.bogged and self.who.matches(game.at_first.units[unit]):
            yield self.trait

    def problems(self, rulebook: Rulebook) -> Iterable[str]:
        """Yield the names that the game doesn't have."""
        for entry in self.move:
            yield from rulebook.unknown("phases", entry.phases)
        if self.trait is not None:
            yield from rulebook.unknown("unit_traits", [self.trait])
        for feature in self.features:
            if feature.hexes is None and feature.markers is None:
                yield f"feature {feature.name!r} must have hexes or markers"
            # The solver's face counts the dice for what lies there from the start.
            for rule in removers_of(rulebook, feature.markers):
                yield (
                    f"feature {feature.name!r} doesn't go with {rule.kind} ({rule.id}), by which its markers may be "
                    "gone: give the hexes a trait in the scenario, and name that in hexes"
                )
        for overrun in rulebook.overrunning:
            # The solver's face follows what fails one roll alone.
            if isinstance(overrun, JointlyOverruns) and overrun.rolled:
                yield (
                    f"it doesn't go with {overrun.kind} ({overrun.id}), whose results are rolled, too: a step would rest on "
                    "two rolls. Let overruns, of units that never bog down, go through for certain: chance = 1"
                )
            elif not self.who.surely_apart(overrun.by):
                yield (
                    f"it doesn't go with {overrun.kind} ({overrun.id}) of the same units: no text says whether a unit that "
                    "bogs down in a hex that it overruns has entered it. Let who and by name different types or traits, or "
                    "let units stop in such hexes instead, by stop_on_entry"
                )
        for fight in rulebook.of(Fights):
            yield (
                f"it doesn't go with {fight.kind} ({fight.id}), whose results are drawn: a step would rest on two rolls. "
                "Let units stop in such hexes instead, by stop_on_entry"
            )

    # -- the referee's face

    def dice(self, play: MoveInPlay) -> int:
        """Return how many dice are rolled for the step that is about to be made."""
        game = play.game
        if not self.who.matches(play.unit) or game.board.places[play.to].box:
            return 0
        total = 0
        for entry in self.move:
            if entry.units.matches(play.unit) and (not entry.phases or game.situation.phase in entry.phases):
                total += entry.dice if play.hexes >= entry.from_hex else 0
                break
        place, weather = game.board.places[play.to], game.weather(play.to)
        for feature in self.features:
            in_hex = feature.hexes is not None and feature.hexes.matches(place, weather)
            marker = feature.markers is not None and any(feature.markers.matches(m) for m in play.markers_in(play.to))
            waived = any(w.units.matches(play.unit) and w.hexes.matches(place, weather) for w in feature.unless)
            if (in_hex or marker) and not waived:
                total += feature.dice
        return total

    def step_chance(self, stack: Sequence[MoveInPlay]) -> Fraction:
        """Return the probability that nobody bogs down."""
        return (1 - self.bad_side) ** sum(self.dice(play) for play in stack)

    def check_together(self, stack: Sequence[MoveInPlay]) -> Iterable[Finding]:
        """Yield a finding if units are said to bog down where none of them rolls a die, by no rule."""
        first = stack[0]
        if not first.fails or first.overrun:
            return
        rules = first.game.rulebook.of(Bogs)
        telling = next((rule for rule in rules if any(rule.who.matches(play.unit) for play in stack)), rules[0])
        if self.id == telling.id and not any(rule.dice(play) for rule in rules for play in stack):
            units = "+".join(play.unit.id for play in stack)
            yield Finding(self.paragraph, f"{units} can't bog down in {first.to}: no die is rolled")

    def may_stop(self, game: Game, unit: Unit) -> bool:
        """Tell whether it binds a unit that might go on later; whose move can't be broken off gets no further anyway."""
        return self.who.matches(unit) and game.rulebook.lets_wait(unit)

    def after_step(self, play: MoveInPlay) -> Iterable[Stop]:
        """Yield that a unit that has bogged down gets no further, even where it might go on later."""
        if play.fails and not play.overrun and self.may_stop(play.game, play.unit):
            yield Stop(self.paragraph, "it has bogged down", play.step, play.to)

    # -- the solver's face

    def _dice_of(self, game: Game, unit: Unit, arc: Arc) -> int:
        """Return how many dice are rolled for an arc, with the markers that lie there when the phase begins."""
        if not self.who.matches(unit) or arc.to not in game.board.hexes:
            return 0
        phase = game.situation.phase
        fitting = (e for e in self.move if e.units.matches(unit) and (not e.phases or phase in e.phases))
        entry = next(fitting, None)
        dice = 0 if entry is None or max(arc.hexes, 1) < entry.from_hex else entry.dice
        into, weather = game.board.places[arc.to], game.weather(arc.to)
        for feature in self.features:
            if any(waiver.units.matches(unit) and waiver.hexes.matches(into, weather) for waiver in feature.unless):
                continue
            shown = [feature.hexes is not None and feature.hexes.matches(into, weather)]
            if feature.markers is not None:
                shown += [feature.markers.matches(marker) for marker in game.markers_at(arc.to)]
            dice += feature.dice * any(shown)
        return dice

    def arc_chance(self, game: Game, team: Sequence[Unit], arc: Arc) -> Fraction:
        """Return the probability that nobody bogs down."""
        return (1 - self.bad_side) ** sum(self._dice_of(game, unit, arc) for unit in team)

    def arc_demands(self, game: Game, unit: Unit, arc: Arc) -> Iterable[Demand]:
        """Yield that a unit that is said to bog down gets no further."""
        if arc.fails and not arc.overrun and self.who.matches(unit):
            yield Demand(self.paragraph, NEVER, onward=True, cause="bogged", source=self.id)

    def together_demands(self, game: Game, team: Sequence[Unit], arc: Arc) -> Iterable[Demand]:
        """Yield that units can't bog down where none of them rolls a die, by no rule."""
        if not arc.fails or arc.overrun:
            return
        every = game.rulebook.of(Bogging)
        speaker = next((rule for rule in every if any(map(rule.who.matches, team))), every[0])
        if self.id == speaker.id and not any(rule._dice_of(game, unit, arc) for rule in every for unit in team):
            yield Demand(self.paragraph, NEVER, cause="no dice", source=self.id)
