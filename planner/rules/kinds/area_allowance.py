"""How much of its MA a unit may use in certain hexes."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import Field

from planner.formats.mp import MP
from planner.formats.spoken_numbers import spoken_number
from planner.formats.table import Table
from planner.rules.atoms import NEVER
from planner.rules.demands import Demand
from planner.rules.play import Finding, MoveInPlay
from planner.rules.roles import Caps, Exempts
from planner.world.forces import Unit
from planner.world.selectors import HexSelector, Names, UnitSelector

if TYPE_CHECKING:
    from planner.rules.game import Game
    from planner.rules.rulebook import Rulebook


class AreaLimit(Table):
    """What certain units may have spent at most when they enter certain hexes."""

    units: UnitSelector = Field(default=UnitSelector(), description="The units")
    where: HexSelector = Field(default=HexSelector(), description="The hexes")
    phases: Names = Field(default=(), description="The phases; none named: all")
    most: MP = Field(description="MP that they may have spent, the step into the hex included")
    paragraph: str = Field(default="", description="The paragraph that verdicts cite; absent: that of the rule")
    assumed: bool = Field(default=False, description="No text gives the value")


class AreaAllowance(Caps):
    """Ensures that whoever enters a hex has not spent more MP in the phase than are valid there.

    What a unit has spent elsewhere counts; once it has left the area, the whole MA is valid again.
    """

    kind: Literal["area_allowance"]
    limits: tuple[AreaLimit, ...] = Field(
        description="All that fit bind; not beside rules that follow each unit's MP: further MP, limits of steps, "
        "`exhaustion`, `column_entry`, and overdrafts anywhere"
    )

    only_forbids: ClassVar[bool] = True
    looks_near: ClassVar[bool] = True
    summary: ClassVar[str] = "In certain hexes units may use a part of their MA only."

    def problems(self, rulebook: Rulebook) -> Iterable[str]:
        """Yield the names that the game doesn't have."""
        for limit in self.limits:
            yield from rulebook.unknown("phases", limit.phases)

    def amounts(self) -> Iterable[Fraction]:
        """Return the limits."""
        return (limit.most for limit in self.limits)

    # -- the referee's face

    def check_step(self, play: MoveInPlay) -> Iterable[Finding]:
        """Yield a finding for each limit that the step overruns, unless the first hex may always be entered."""
        game = play.game
        if any(rule.exempts_from_ma(play) for rule in game.rulebook.of(Exempts)):
            return
        spent = play.spent + play.price()
        if spent > play.unit.ma:
            return  # that is another rule's affair
        for limit in self.limits:
            if (
                limit.most < spent
                and (not limit.phases or game.situation.phase in limit.phases)
                and limit.units.matches(play.unit)
                and limit.where.matches(game.board.places[play.to], game.weather(play.to))
            ):
                most = f"no more than {spoken_number(limit.most)} may have been spent"
                text = f"{play.unit.id} may not enter {play.to}: it would have spent {spoken_number(spent)} MP, where {most}"
                amounts = ("found", spent), ("most", limit.most)
                yield Finding(limit.paragraph or self.paragraph, text, amounts=amounts)
                return

    # -- the solver's face

    def entry_limit(self, game: Game, unit: Unit, label: str) -> tuple[Fraction, Demand] | None:
        """Return what the unit may have spent at most on entering a hex, and what fails otherwise."""
        known: dict[str, tuple[AreaLimit, ...]] = game.cached((self.id, "limits"), dict)
        here = known.get(label)
        if here is None:
            phase, place, weather = game.situation.phase, game.board.places[label], game.weather(label)
            here = known[label] = tuple(
                limit
                for limit in self.limits
                if phase in (limit.phases or (phase,)) and limit.where.matches(place, weather)
            )
        binding = here and [limit for limit in here if limit.most < unit.ma and limit.units.matches(unit)]
        if not binding:
            return None
        least = min(binding, key=lambda limit: limit.most)
        return least.most, Demand(least.paragraph or self.paragraph, NEVER, cause="area", source=self.id)
