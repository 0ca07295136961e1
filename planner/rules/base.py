"""What every kind of rule has: parameters, and two faces that never call each other.

The *referee's face* is a plain procedure over a position and a step that is being made: the methods that take a
`MoveInPlay` (`planner.rules.play`). It yields findings.

The *solver's face* says beforehand what a step would need of the other units, whatever they do: the methods that take a
`Game` and an `Arc`. It yields demands (`planner.rules.demands`). Conditional reach and both solver layers are built on
demands alone. Nothing here imports a solver.
"""

# No `from __future__ import annotations`: pydantic would compile what `Rule` annotates anew for each of the kinds of rules,
# which is a tenth of a check's start.

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar, Self, TypeVar

from pydantic import Field

from planner.formats.table import Table
from planner.rules.demands import Arc, Before, Demand, Tick, no_tick
from planner.rules.play import Finding, MoveInPlay
from planner.world.forces import Unit
from planner.world.position import Stop

if TYPE_CHECKING:
    from planner.rules.game import Game
    from planner.rules.rulebook import Rulebook


class Rule(Table):
    """A rule of a rulebook: an instance of a kind of rule, with its parameters.

    A kind of rule overrides what concerns it; by default a rule forbids nothing, costs nothing and needs nothing.
    """

    id: str = Field(description="By which statements and tests call the rule", pattern=r"^[a-z][a-z0-9_]*$")
    kind: str = Field(description="The kind of rule")
    paragraph: str = Field(description="The printed paragraph that verdicts cite")
    assumed: bool = Field(default=False, description="Whether a parameter stands in for a value that no text gives")

    summary: ClassVar[str] = ""
    """What the kind of rule ensures, in one sentence."""

    always_in_force: ClassVar[bool] = False
    """Whether the rule says what a move is, so that there is no game without it."""

    only_forbids: ClassVar[bool] = False
    """Whether the rule does nothing but forbid, so that a game in which it isn't in force does without it."""

    adds_up: ClassVar[bool] = True
    """Whether what rules add up of a unit's steps can be told of one unit at a time where the rule is in force."""

    looks_near: ClassVar[bool] = False
    """Whether what the solver's face says of steps to neighbours, and of ending a move, depends, of enemies, markers and
    control, on those in the two hexes and beside them alone, and on what `looks_at_afar` returns."""

    minds_plain_steps: ClassVar[bool] = True
    """Whether the referee's face has anything to say of steps that are no overruns, or anything to do in them."""

    uses_up: ClassVar[str] = ""
    """What a unit needs and others may lack then, as messages call it; "{to}" stands for where it goes."""

    encounter: ClassVar[str] = ""
    """What messages call it when units enter an enemy's hex under the rule; empty: it says nothing of that."""

    def model_copy(self, *, update: Mapping[str, object] | None = None, deep: bool = False) -> Self:
        """Return a copy; what the rule has worked out from its parameters isn't copied, since they may change."""
        copy = super().model_copy(update=update, deep=deep)
        for name in copy.__dict__.keys() - type(self).model_fields.keys():
            del copy.__dict__[name]
        return copy

    def overrides(self, method: Callable[..., object]) -> bool:
        """Tell whether the kind of rule has a method of this class of its own: `rule.overrides(Rule.settle)`."""
        return getattr(type(self), method.__name__) is not method

    @property
    def tells_first_hex(self) -> bool:
        """Whether it matters by this rule for a step whether it is the unit's first of the phase."""
        return False

    @property
    def counts_hexes(self) -> int:
        """Up to which number it matters by this rule how many hexes a unit has entered, whatever MP they cost."""
        return 0

    def same_from_anywhere(self, game: "Game", way: str) -> bool:
        """Tell whether `arc_demands` says the same of steps of a way into a hex, overruns or not, from wherever they lead.

        What the unit's last step was may count.
        """
        return False

    @property
    def favours_overruns(self) -> bool:
        """Whether an overrun may be free to do by this rule what a plain step, once the enemies are gone, is not."""
        return False

    @property
    def lasting(self) -> bool:
        """Whether friends whose help this rule knows of help only if they stay where they are for the rest of the phase."""
        return False

    def problems(self, rulebook: "Rulebook") -> Iterable[str]:
        """Yield what is wrong with the parameters in this rulebook: unknown charts, phases, traits."""
        return ()

    def amounts(self) -> Iterable[Fraction]:
        """Return every amount of MP that the rule may add to the price of a step, or set against it."""
        return ()

    def without_duties(self) -> Self:
        """Return the rule by which nobody must be attacked, nor attack."""
        return self

    # -- the referee's face

    def check_pick_up(self, play: MoveInPlay) -> Iterable[Finding]:
        """Yield what forbids the unit to begin its move."""
        return ()

    def watches(self, game: "Game", unit: Unit) -> bool:
        """Tell whether `check_step` may find anything wrong with a step of the unit, wherever it leads."""
        return True

    def check_step(self, play: MoveInPlay) -> Iterable[Finding]:
        """Yield what forbids the step that is about to be made."""
        return ()

    def is_no_step(self, play: MoveInPlay) -> bool:
        """Tell whether what `check_step` finds is that there is no such step, whoever would be free to make it."""
        return False

    def watches_stacks(self, game: "Game") -> bool:
        """Tell whether `check_together` may find anything wrong with any step."""
        return self.overrides(Rule.check_together)

    def check_together(self, stack: Sequence[MoveInPlay]) -> Iterable[Finding]:
        """Yield what forbids the step that several units, or one, are about to make together."""
        return ()

    def minds_control(self, game: "Game", label: str) -> bool:
        """Tell whether it matters to the rule, in this phase or in a later one, whose a place is."""
        return False

    def settle(self, play: MoveInPlay) -> None:
        """Change what the step changes besides units: what is taken, and which carriers have been used."""

    def may_stop(self, game: "Game", unit: Unit) -> bool:
        """Tell whether `after_step` may find that the unit must stop anywhere."""
        return True

    def after_step(self, play: MoveInPlay) -> Iterable[Stop]:
        """Yield the reasons why the unit must stop in the hex that it has entered."""
        return ()

    # -- the solver's face

    def groups(self, game: "Game") -> dict[str, frozenset[str]]:
        """Return the groups of friendly units that this rule's `Friend` atoms name."""
        return {}

    def pick_up_demands(self, game: "Game", unit: Unit, origin: str, tick: Tick = no_tick) -> Iterable[Demand]:
        """Yield what the unit needs to begin its move; a long computation calls `tick` now and then."""
        return ()

    def concerns(self, game: "Game", unit: Unit) -> bool:
        """Tell whether the rule may ask anything of the unit's steps at all."""
        return True

    def arc_demands(self, game: "Game", unit: Unit, arc: Arc) -> Iterable[Demand]:
        """Yield what the step, and moving on after it, needs; nothing for units that it doesn't concern."""
        return ()

    def looks_at_afar(self, game: "Game", label: str) -> tuple[object, ...]:
        """Return the enemies and markers farther away that count for steps into a hex, where the rule `looks_near`."""
        return ()

    def looks_at_friends(self, game: "Game") -> int:
        """Return how many friends, wherever they are, steps depend on; 0 where they don't depend on that."""
        return 0

    def looks_for_friends(self, game: "Game") -> tuple[object, ...]:
        """Return who of the friends might help with steps, as far as steps depend on that there is anybody at all."""
        return ()

    def is_no_arc(self, game: "Game", unit: Unit, arc: Arc) -> bool:
        """Tell whether what `arc_demands` asks is that there be such a step, whoever would be free to make it."""
        return False

    def together_demands(self, game: "Game", team: Sequence[Unit], arc: Arc) -> Iterable[Demand]:
        """Yield what a step needs that several units, or one, make together, beyond what each needs by itself."""
        return ()

    def tokens(self, game: "Game") -> Iterable[str]:
        """Return what else than enemy units may have to be gone for this rule: markers, control of places."""
        return ()

    def unwelcome(self, game: "Game") -> Iterable[str]:
        """Return the enemies, and what else is removed, of which a plan may be the worse by this rule once they are gone."""
        return ()


class Way(Rule):
    """A rule that says how units get from one place to another: a kind of step.

    What the referee's face finds wrong, and where it stops units, concerns steps of this way alone.

    How a step is read is no matter of the faces: players write hexes, and the first way of the rulebook that joins
    two of them is meant.
    """

    procedure: str = Field(default="hex_to_hex", description="The procedure of movement of which it is a part")
    overruns: bool = Field(default=True, description="Whether such a step may be an overrun")

    carries: ClassVar[bool] = False
    """Whether units are carried, so that the way may be written with ``~``."""

    plain: ClassVar[bool] = False
    """Whether a step that no way joins is read as one of this way."""

    def joins(self, game: "Game", unit: Unit, origin: str, to: str, loosely: bool = False) -> bool:
        """Tell whether a step between two places is read as one of this way; `loosely`: whether adjacent or not."""
        raise NotImplementedError

    def leads_from(self, game: "Game", origin: str) -> bool:
        """Tell whether any step out of a place may be read as one of this way; too many rather than too few.

        It depends on no unit, nor on who controls what, and neither does `leads_afar`.
        """
        return True

    def joined_to(self, game: "Game", unit: Unit, origin: str) -> Iterable[str]:
        """Yield the places to which a step is read as one of this way, whether it is allowed or not."""
        return (to for to in game.board.places if to != origin and self.joins(game, unit, origin, to))

    def minds_ways(self, game: "Game") -> bool:
        """Tell whether it matters for steps of this way, and no others, whether steps of others have been made before."""
        return False

    # -- the referee's face

    def is_no_step(self, play: MoveInPlay) -> bool:
        """Tell whether the step is said to be one of this way between places that it doesn't join."""
        return play.way is self and not self.joins(play.game, play.unit, play.origin, play.to)

    def crossed(self, play: MoveInPlay) -> tuple[str, ...]:
        """Return the naval zones that the step may cross."""
        return ()

    def price(self, play: MoveInPlay) -> Fraction | None:
        """Return what the step costs; None: what the terrain chart says."""
        return None

    # -- the solver's face

    def offers(self, game: "Game", unit: Unit, origin: str, before: Before) -> Iterable[Arc]:
        """Yield the plain steps of this way that lead out of a place."""
        raise NotImplementedError

    def is_no_arc(self, game: "Game", unit: Unit, arc: Arc) -> bool:
        """Tell whether the step is said to be one of this way between places that it doesn't join."""
        return arc.way == self.id and not self.joins(game, unit, arc.origin, arc.to)

    def may_follow(self, before: Before) -> bool:
        """Tell whether a step of this way may ever be possible after a step, or as the first one; if in doubt, it may."""
        return True

    def leads_afar(self, game: "Game", origin: str) -> Iterable[str] | None:
        """Return the places that aren't neighbours of a hex and to which `offers` may lead; None: that isn't known."""
        return None

    def readings(self, game: "Game", unit: Unit, arc: Arc) -> Iterable[Arc]:
        """Yield the arcs that a written step may mean: one for each zone that it may cross."""
        return (arc,)

    def tariff(self, game: "Game", unit: Unit, arc: Arc) -> Fraction | None:
        """Return what the step costs; None: what the terrain chart says."""
        return None


R = TypeVar("R", bound=Rule)


def by_step(rules: Iterable[R]) -> tuple[list[R], list[R]]:
    """Return those of some rules that have to do with plain steps, and all of them, who have with overruns."""
    every = [*rules]
    return [rule for rule in every if rule.minds_plain_steps], every
