"""Terms that count several things together: goals of which each must be reached, and hexes that all units avoid."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import Field

from planner.formats.hex_lists import Labels, shortly
from planner.objective.base import Linear, OutcomeModel, Tally, Term, unknown_hexes
from planner.objective.battles import ReadyToBattle
from planner.objective.kinds import AnyPart
from planner.objective.nearness import Worth
from planner.world.selectors import UnitSelector

if TYPE_CHECKING:
    from planner.rules.game import Game
    from planner.world.position import Position


class Avoid(Term):
    """Ensures, or counts, that hexes are avoided: that no unit of the phasing side, or none of some, ends in each."""

    kind: Literal["avoid"]
    looks_near: ClassVar[bool] = True
    asks_for: ClassVar[str] = "hexes"
    adds_up: ClassVar[str] = "hexes"
    counts_mp: ClassVar[bool] = False
    joint: ClassVar[bool] = True
    hexes: Labels = Field(min_length=1, description="The hexes")
    of: UnitSelector = Field(default=UnitSelector(), description="The units of the phasing side that count")

    def problems(self, game: Game) -> Iterable[tuple[str, str]]:
        """Yield the hexes that the map doesn't have."""
        return unknown_hexes(game, self.hexes, "hexes")

    def describe(self) -> str:
        """Return what the term counts."""
        return f"avoid {shortly(self.hexes)}"

    # -- the referee's face

    def score(self, game: Game, position: Position, tally: Tally) -> Fraction:
        """Count the hexes without a fitting unit of the phasing side."""
        inside = ([u for u in position.units_in(label) if not game.is_enemy(u)] for label in self.hexes)
        return Fraction(sum(not any(self.of.matches(game.units[unit]) for unit in some) for some in inside))

    # -- the solver's face

    def _counted(self, game: Game) -> list[str]:
        return [unit for unit in game.order if unit in game.friends and self.of.matches(game.units[unit])]

    def post(self, outcome: OutcomeModel) -> Linear:
        """Sum, over the hexes, whether none of the units may stand there."""
        units = self._counted(outcome.game)
        standing = (
            [outcome.stands(u, label) for u in units if label in outcome.possible_places(u)] for label in self.hexes
        )
        return Linear(tuple((1, outcome.negate(outcome.any_of(some))) for some in standing))

    def on_average(self, outcome: OutcomeModel) -> Linear:
        """Sum the probabilities that the hexes are avoided: no greater than that each unit stands somewhere else."""
        if not outcome.chancy:
            return super().on_average(outcome)
        found = []
        for label in self.hexes:
            elsewhere = []
            for unit in self._counted(outcome.game):
                places = outcome.possible_places(unit)
                if label in places:
                    others = (outcome.end_on_average(unit, place) for place in places if place != label)
                    elsewhere.append(Linear.sum_of(others))
            part = self.model_copy(update={"hexes": (label,)})
            found.append(outcome.joint_chance(part.post, elsewhere, f"nobody in {label}"))
        return Linear.sum_of(found)


class Together(Term):
    """Ensures, or counts, that several goals are reached together: worth 1 if each holds, otherwise nothing.

    Where results are rolled, it is worth the probability that all of them hold.
    """

    kind: Literal["together"]
    joint: ClassVar[bool] = True
    goals: tuple[AnyPart, ...] = Field(min_length=2, max_length=100, description="The goals, as requirements have them")

    def problems(self, game: Game) -> Iterable[tuple[str, str]]:
        """Yield what is wrong with each goal, and those whose probability together isn't counted."""
        for index, goal in enumerate(self.goals):
            for what, key in (*goal.problems(game), *goal.misplaced(required=True)):
                yield what, f"goals[{index}].{key}"
            if goal.weight != 1:
                yield "weight must be given of all goals together, not of one of them", f"goals[{index}].weight"
            if game.rulebook.rolled and (
                goal.sign < 0 or not goal.averages or isinstance(goal, (ReadyToBattle, Worth))
            ):
                what = f"{goal.kind} can't be one of several goals together in games in which results are rolled"
                yield what, f"goals[{index}].kind"

    def out_of_phase(self, game: Game) -> Iterable[tuple[str, str]]:
        """Yield what one of the goals looks at and this phase doesn't have."""
        for index, goal in enumerate(self.goals):
            for what, key in goal.out_of_phase(game):
                yield what, f"goals[{index}].{key}"

    @property
    def looks_at_attacks(self) -> bool:
        """Whether one of the goals looks at the attacks after the moves."""
        return any(goal.looks_at_attacks for goal in self.goals)

    def parts(self) -> tuple[Term, ...]:
        """Return the parts of all goals."""
        return tuple(part for goal in self.goals for part in goal.parts())

    def contests(self) -> Iterable[str]:
        """Return the places of which it matters to one of the goals whose they are."""
        return (label for goal in self.goals for label in goal.contests())

    @property
    def spares(self) -> bool:
        """Whether one of the goals may ask for an enemy to be left."""
        return any(goal.spares for goal in self.goals)

    def depends_on(self) -> Iterable[str] | None:
        """Return where the goals look; None if one of them may look anywhere."""
        found: list[str] = []
        for goal in self.goals:
            names = goal.depends_on()
            if names is None:
                return None
            found += names
        return found

    def concerns(self) -> Iterable[str] | None:
        """Return the units of which alone it matters where they end; None: it may be anybody."""
        found: list[str] = []
        for goal in self.goals:
            units = goal.concerns()
            if units is None:
                return None
            found += units
        return found

    def describe(self) -> str:
        """Return what the term counts."""
        return f"{' and '.join(goal.describe() for goal in self.goals)} together"

    # -- the referee's face

    def score(self, game: Game, position: Position, tally: Tally) -> Fraction:
        """Return 1 if every goal holds."""
        return Fraction(all(goal.holds(game, position, tally) for goal in self.goals))

    # -- the solver's face

    def post(self, outcome: OutcomeModel) -> Linear:
        """Tell whether every goal holds."""
        held = (outcome.at_least(goal.required(outcome), 0) for goal in self.goals)
        return Linear(((1, outcome.all_of(held)),))

    def on_average(self, outcome: OutcomeModel) -> Linear:
        """Return the probability that every goal holds: no greater than that of each of their parts."""
        if not outcome.chancy:
            return super().on_average(outcome)
        bounds = [part.on_average(outcome) for part in self.parts() if part.sign > 0 and part.full(outcome.game) == 1]
        return outcome.joint_chance(self.post, bounds, self.describe())


def each_goal(goals: Iterable[Term]) -> Iterator[Term]:
    """Yield goals that are all required, those that are to be reached together each by itself."""
    for goal in goals:
        yield from goal.goals if isinstance(goal, Together) else (goal,)
