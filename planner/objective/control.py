"""The term that counts places that are friendly when the phase is over."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import TYPE_CHECKING, Literal

from pydantic import Field

from planner.formats.hex_lists import Labels, shortly
from planner.objective.base import Linear, OutcomeModel, Tally, Term, unknown_hexes
from planner.rules.combat_roles import Fights, JointlyOverruns

if TYPE_CHECKING:
    from planner.rules.end_state import Literal as Holding
    from planner.rules.game import Game
    from planner.world.position import Position


class Control(Term):
    """Ensures, or counts, that places are friendly: held, taken on the way, or friendly before and not lost since."""

    kind: Literal["control"]
    hexes: Labels = Field(min_length=1, description="The hexes, or boxes")

    def problems(self, game: Game) -> Iterable[tuple[str, str]]:
        """Yield the places that the map doesn't have, and that what is taken isn't averaged over rolls."""
        yield from unknown_hexes(game, self.hexes, "hexes")
        if game.rulebook.rolled and not game.rulebook.of(Fights):
            yield "control isn't counted in games in which moves are rolled for: hold or end may be", "kind"
        elif game.rulebook.of(JointlyOverruns):
            yield "control isn't counted in games in which units overrun together: hold or end may be", "kind"

    def full(self, game: Game) -> int:
        """Return the number of places."""
        return len(self.hexes)

    def describe(self) -> str:
        """Return what the term counts."""
        return f"control {shortly(self.hexes)}"

    def contests(self) -> Iterable[str]:
        """Return the places."""
        return self.hexes

    def is_had(self, game: Game, label: str) -> bool:
        """Tell whether a place is friendly as the phase begins."""
        return game.situation.befriends(game.situation.control.get(label))

    # -- the referee's face

    def score(self, game: Game, position: Position, tally: Tally) -> Fraction:
        """Count the places that are friendly."""
        friendly = 0
        for label in self.hexes:
            inside = position.units_in(label)
            if inside:
                # Where nothing keeps both sides apart, who moves holds the place, as he would by taking it.
                friendly += not all(map(game.is_enemy, inside))
            else:
                friendly += game.situation.befriends(game.situation.holder(label, position))
        return Fraction(friendly)

    # -- the solver's face

    def post(self, outcome: OutcomeModel) -> Linear:
        """Sum, over the places, whether each is friendly already, is taken, or some unit ends there."""
        game = outcome.game
        beset = [label for label in self.hexes if self.is_had(game, label) and game.enemies_at(label)]
        known = sum(self.is_had(game, label) for label in self.hexes) - len(beset)
        wanted = (label for label in self.hexes if not self.is_had(game, label))
        own = [unit for unit in game.order if unit in game.friends]
        held = {
            label: [outcome.ends(unit, label) for unit in own if label in outcome.possible_ends(unit)]
            for label in (*beset, *wanted)
        }
        terms = [(1, outcome.any_of([self._is_left(outcome, label), *ends])) for label, ends in held.items()]
        return Linear(tuple(terms), known)

    def _is_left(self, outcome: OutcomeModel, label: str) -> Holding:
        """Return whether a place is friendly though nobody ends there: had, or taken, and no enemy is left in it.

        Where units fight for it whoever has taken it ends there, or nobody has.
        """
        game = outcome.game
        taken = self.is_had(game, label) or outcome.taken(label)
        if game.rulebook.of(Fights) and not self.is_had(game, label):
            return taken
        return outcome.all_of([taken, *map(outcome.gone, game.enemies_at(label))])
