"""What every kind of rule has: parameters, and two faces that never call each other.

The *referee's face* is a plain procedure over a position and a step that is being made: the methods that take a
`MoveInPlay` (`planner.rules.play`). It yields findings.

The *solver's face* says beforehand what a step would need of the other units, whatever they do: the methods that take a
`Game` and an `Arc`. It yields demands (`planner.rules.demands`). Conditional reach and both solver layers are built on
demands alone. Nothing here imports a solver.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar, Self

from pydantic import BaseModel, ConfigDict, Field

from planner.rules.demands import Arc, Before, Demand, EndState, Tick, no_tick
from planner.rules.play import NO_MP, Finding, MoveInPlay, Resolution
from planner.world.forces import Unit
from planner.world.position import Stop

if TYPE_CHECKING:
    from planner.rules.game import Game
    from planner.rules.rulebook import Rulebook
    from planner.world.position import Position


class Rule(BaseModel):
    """A rule of a rulebook: an instance of a kind of rule, with its parameters.

    A kind of rule overrides what concerns it; by default a rule forbids nothing, costs nothing and needs nothing.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: str = Field(description="By which statements and tests call the rule", pattern=r"^[a-z][a-z0-9_]*$")
    kind: str = Field(description="The kind of rule")
    paragraph: str = Field(description="The printed paragraph that verdicts cite")
    assumed: bool = Field(default=False, description="Whether a parameter stands in for a value that no text gives")

    summary: ClassVar[str] = ""
    """What the kind of rule ensures, in one sentence."""

    rolls: ClassVar[bool] = False
    """Whether results of steps may be rolled under such a rule."""

    bogs: ClassVar[bool] = False
    """Whether a unit for which a roll fails is stuck in the hex that it has entered, not in the one that it was to leave."""

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """Return a copy; what the rule has worked out from its parameters isn't copied, since they may change."""
        copy = super().model_copy(update=update, deep=deep)
        for name in copy.__dict__.keys() - type(self).model_fields.keys():
            del copy.__dict__[name]
        return copy

    @property
    def counts_hexes(self) -> int:
        """Up to which number it matters by this rule how many hexes a unit has entered, whatever MP they cost."""
        return 0

    def same_from_anywhere(self, game: Game) -> bool:
        """Tell whether `arc_demands` says the same of a plain step, or an overrun, from wherever it leads into a hex."""
        return False

    @property
    def lasting(self) -> bool:
        """Whether friends whose help this rule knows of help only if they stay where they are for the rest of the phase."""
        return False

    def problems(self, rulebook: Rulebook) -> Iterable[str]:
        """Yield what is wrong with the parameters in this rulebook: unknown charts, phases, traits."""
        return ()

    # -- the referee's face

    def check_pick_up(self, play: MoveInPlay) -> Iterable[Finding]:
        """Yield what forbids the unit to begin its move."""
        return ()

    def watches(self, game: Game, unit: Unit) -> bool:
        """Tell whether `check_step` may find anything wrong with a step of the unit, wherever it leads."""
        return True

    def check_step(self, play: MoveInPlay) -> Iterable[Finding]:
        """Yield what forbids the step that is about to be made."""
        return ()

    def check_together(self, stack: Sequence[MoveInPlay]) -> Iterable[Finding]:
        """Yield what forbids the step that several units, or one, are about to make together."""
        return ()

    def step_cost(self, play: MoveInPlay) -> Fraction:
        """Return the MP that the step costs by this rule."""
        return NO_MP

    def overrun_price(self, play: MoveInPlay, cheapest: Fraction | None) -> Fraction | None:
        """Return what an overrun costs, given the price of the hex, which is None where it is prohibited."""
        return cheapest

    def step_chance(self, stack: Sequence[MoveInPlay]) -> Fraction:
        """Return the probability that the step that the units are about to make goes through."""
        return Fraction(1)

    def resolutions(self, stack: Sequence[MoveInPlay]) -> Sequence[Resolution]:
        """Return everything that a combat of units that are about to make a step may lead to; nothing without one."""
        return ()

    def check_draw(self, stack: Sequence[MoveInPlay], damage: tuple[int, int]) -> Iterable[Finding]:
        """Yield what is wrong with damage that is said to have been drawn for a combat."""
        return ()

    def dice(self, play: MoveInPlay) -> int:
        """Return how many dice are rolled for the step that is about to be made."""
        return 0

    def survival(self, stack: Sequence[MoveInPlay]) -> tuple[Fraction, Fraction] | None:
        """Return how much defenders' support the step survives, and how much is in range; None if none may come."""
        return None

    def amounts(self) -> Iterable[Fraction]:
        """Return every amount of MP that the rule may add to the price of a step, or set against it."""
        return ()

    def exempts_from_ma(self, play: MoveInPlay) -> bool:
        """Tell whether the step may be made although its cost exceeds the remaining MA."""
        return False

    def carry_out(self, play: MoveInPlay) -> Iterable[tuple[str, str]]:
        """Yield the (unit, box) pairs of the units that the step eliminates."""
        return ()

    def settle(self, play: MoveInPlay) -> None:
        """Change what the step changes besides units: what is taken, and which carriers have been used."""

    def after_step(self, play: MoveInPlay) -> Iterable[Stop]:
        """Yield the reasons why the unit must stop in the hex that it has entered."""
        return ()

    def check_end(self, game: Game, position: Position) -> Iterable[tuple[str | None, Finding]]:
        """Yield (unit, finding) pairs for what is wrong with the position after the last move."""
        return ()

    # -- the solver's face

    def groups(self, game: Game) -> dict[str, frozenset[str]]:
        """Return the groups of friendly units that this rule's `Friend` atoms name."""
        return {}

    def pick_up_demands(self, game: Game, unit: Unit, origin: str, tick: Tick = no_tick) -> Iterable[Demand]:
        """Yield what the unit needs to begin its move; a long computation calls `tick` now and then."""
        return ()

    def concerns(self, game: Game, unit: Unit) -> bool:
        """Tell whether the rule may ask anything of the unit's steps at all."""
        return True

    def arc_demands(self, game: Game, unit: Unit, arc: Arc) -> Iterable[Demand]:
        """Yield what the step, and moving on after it, needs; nothing for units that it doesn't concern."""
        return ()

    def arc_cost(self, game: Game, unit: Unit, arc: Arc) -> Fraction:
        """Return the MP that the step costs by this rule, whatever the others do."""
        return Fraction(0)

    def arc_prices(self, game: Game, unit: Unit, arc: Arc) -> Iterable[tuple[Fraction, tuple[Demand, ...]]]:
        """Yield what the step may cost by this rule, each price with what it asks for."""
        yield self.arc_cost(game, unit, arc), ()

    def overrun_tariff(self, game: Game, unit: Unit, arc: Arc, cheapest: Fraction | None) -> Fraction | None:
        """Return what an overrun costs, given the price of the hex, which is None where it is prohibited."""
        return cheapest

    def together_demands(self, game: Game, team: Sequence[Unit], arc: Arc) -> Iterable[Demand]:
        """Yield what a step needs that several units, or one, make together, beyond what each needs by itself."""
        return ()

    def arc_chance(self, game: Game, team: Sequence[Unit], arc: Arc) -> Fraction:
        """Return the probability that a step that units make together goes through."""
        return Fraction(1)

    def tokens(self, game: Game) -> Iterable[str]:
        """Return what else than enemy units may have to be gone for this rule: markers, control of places."""
        return ()

    def removals(self, game: Game, unit: Unit, arc: Arc) -> Iterable[str]:
        """Return what else than its victims is gone once the step is made: markers, control of places."""
        return ()

    def entry_limit(self, game: Game, unit: Unit, label: str) -> tuple[Fraction, Demand] | None:
        """Return what MP, less than its MA, the unit may have spent on entering a hex, and what fails otherwise."""
        return None

    def budget_demand(self, game: Game, unit: Unit) -> Demand | None:
        """Return what fails when a step costs more than the MA that remains."""
        return None

    def overdraft_demand(self, game: Game, unit: Unit, overrun: bool = False, to: str | None = None) -> Demand | None:
        """Return what moving on needs after a first hex that cost more than the MA; None: no exemption for it.

        `overrun` tells whether that first step is an overrun, `to` where it leads.
        """
        return None

    def post_end(self, end: EndState) -> None:
        """Ensure that the position after the last move obeys the rule."""


class Way(Rule):
    """A rule that says how units get from one place to another: a kind of step.

    How a step is read is no matter of the faces: players write hexes, and the first way of the rulebook that joins
    two of them is meant.
    """

    procedure: str = Field(default="hex_to_hex", description="The procedure of movement of which it is a part")
    overruns: bool = Field(default=True, description="Whether such a step may be an overrun")

    carries: ClassVar[bool] = False
    """Whether units are carried, so that the way may be written with ``~``."""

    plain: ClassVar[bool] = False
    """Whether a step that no way joins is read as one of this way."""

    def joins(self, game: Game, unit: Unit, origin: str, to: str, loosely: bool = False) -> bool:
        """Tell whether a step between two places is read as one of this way; `loosely`: whether adjacent or not."""
        raise NotImplementedError

    def leads_from(self, game: Game, origin: str) -> bool:
        """Tell whether any step out of a place may be read as one of this way; too many rather than too few."""
        return True

    def joined_to(self, game: Game, unit: Unit, origin: str) -> Iterable[str]:
        """Yield the places to which a step is read as one of this way, whether it is allowed or not."""
        return (to for to in game.board.places if to != origin and self.joins(game, unit, origin, to))

    # -- the referee's face

    def crossed(self, play: MoveInPlay) -> tuple[str, ...]:
        """Return the naval zones that the step may cross."""
        return ()

    def price(self, play: MoveInPlay) -> Fraction | None:
        """Return what the step costs; None: what the terrain chart says."""
        return None

    # -- the solver's face

    def offers(self, game: Game, unit: Unit, origin: str, before: Before) -> Iterable[Arc]:
        """Yield the plain steps of this way that lead out of a place."""
        raise NotImplementedError

    def readings(self, game: Game, unit: Unit, arc: Arc) -> Iterable[Arc]:
        """Yield the arcs that a written step may mean: one for each zone that it may cross."""
        return (arc,)

    def tariff(self, game: Game, unit: Unit, arc: Arc) -> Fraction | None:
        """Return what the step costs; None: what the terrain chart says."""
        return None
