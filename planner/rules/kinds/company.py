"""Units that stay with others: an HQ that ends the phase only where a friend does."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import Field

from planner.rules.atoms import NEVER
from planner.rules.demands import Demand
from planner.rules.end_state import EndState
from planner.rules.play import Finding
from planner.rules.roles import Ends, Rolls
from planner.world.position import Position
from planner.world.selectors import HexSelector, UnitSelector

if TYPE_CHECKING:
    from planner.rules.game import Game
    from planner.rules.rulebook import Rulebook


class Company(Ends):
    """Ensures that certain units are with a friend, or near one, once the phase is over; in boxes they may be alone."""

    kind: Literal["company"]
    who: UnitSelector = Field(description="The units that may not be alone; not where results are rolled or drawn")
    friends: UnitSelector = Field(description="The friends of whom one must be there")
    within: int = Field(default=0, ge=0, le=100, description="At most so many hexes away; 0: in the same hex")
    where: HexSelector = Field(default=HexSelector(), description="The hexes in which it holds")

    only_forbids: ClassVar[bool] = True
    looks_near: ClassVar[bool] = True
    summary: ClassVar[str] = "Certain units end the phase only where certain friends do."

    def problems(self, rulebook: Rulebook) -> Iterable[str]:
        """Yield that nobody can count on a friend where results are rolled."""
        if rulebook.rolled:
            kinds = ", ".join(f"{rule.kind} ({rule.id})" for rule in rulebook.of(Rolls) if rule.rolled)
            yield (
                f"it doesn't go with results that are rolled or drawn, those of {kinds}: nobody can count on a friend. A "
                "scenario may ask for it instead, by a [[require]] of kind end for the unit and one for a friend"
            )

    # -- the referee's face

    def check_end(self, game: Game, position: Position) -> Iterable[tuple[str | None, Finding]]:
        """Yield a finding for each such unit that is alone."""
        for unit in game.units:
            label = position.at.get(unit)
            if not game.may_be_moved(unit) or label not in game.board.hexes or not self.who.matches(game.units[unit]):
                continue
            if not self.where.matches(game.board.hexes[label], game.weather(label)):
                continue
            friends = (one for one in game.friends if one != unit and self.friends.matches(game.units[one]))
            places = {position.at[friend] for friend in friends if friend in position.at}
            if not any(place in game.board.hexes and game.board.within(label, place, self.within) for place in places):
                near = f"within {self.within} hex{'es' * (self.within > 1)} of" if self.within else "in"
                text = f"{unit} may not be without a friend {near} {label}{self._who_else(game, position, unit, label)}"
                yield None, Finding(self.paragraph, text, (unit,), label)

    def _who_else(self, game: Game, position: Position, unit: str, label: str) -> str:
        """Say which friends are near a unit that is alone all the same; nothing if there are none."""
        others = game.friends & position.at.keys() - {unit}
        there = [one for one in others if position.at[one] in game.board.hexes]
        near = game.sorted(one for one in there if game.board.within(label, position.at[one], self.within))
        return f": {game.names(near)} {'do' if near[1:] else 'does'}n't count" if near else ""

    # -- the solver's face

    def post_end(self, end: EndState) -> None:
        """Ensure that somebody ends near wherever such a unit does."""
        game = end.game
        company = [unit for unit in game.order if unit in game.friends and self.friends.matches(game.units[unit])]
        for unit in game.units:
            counter = game.units[unit]
            if unit not in game.friends or counter.allied or not self.who.matches(counter):
                continue
            for label in end.possible_stands(unit):
                if self._holds_in(game, label):
                    # Each friend is named where the unit is, whether or not it may come there: so whoever asks what could
                    # matter sees that somebody's coming does.
                    near = [
                        (friend, place)
                        for friend in company
                        if friend != unit
                        for place in dict.fromkeys([label, *end.possible_stands(friend)])
                        if self._is_near(game, label, place)
                    ]
                    blame = (unit, *(friend for friend, _ in near))
                    demand = Demand(self.paragraph, NEVER, blame, at=label, cause=f"alone {unit}", source=self.id)
                    terms = [(1, end.stands(unit, label)), *((-1, end.stands(*pair)) for pair in near)]
                    end.at_most(terms, 0, demand)

    def _holds_in(self, game: Game, label: str) -> bool:
        return not game.board.places[label].box and self.where.matches(game.board.places[label], game.weather(label))

    def _is_near(self, game: Game, label: str, place: str) -> bool:
        if label == place or game.board.places[place].box:
            return label == place
        return self.within > 0 and game.board.within(label, place, self.within)
