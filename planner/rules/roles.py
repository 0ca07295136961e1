"""Roles of rules: what a kind of rule may take upon itself, and what it promises whoever asks for rules with the role.

`Rulebook.of` finds the rules with a role; a kind has a role by deriving from it. Parameters that are asked for are named
here for type checkers alone: a kind declares them itself, with their descriptions.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar, Literal

from planner.rules.atoms import Carried
from planner.rules.base import Rule
from planner.rules.demands import Arc, Demand
from planner.rules.end_state import EndState
from planner.rules.play import NO_MP, Finding, MoveInPlay, Resolution
from planner.world.forces import Unit
from planner.world.selectors import HexSelector, HexsideSelector, MarkerSelector, Names, UnitSelector

if TYPE_CHECKING:
    from planner.rules.game import Game
    from planner.rules.rulebook import Rulebook
    from planner.rules.zone_effects import Blocking, Effect
    from planner.world.position import Leg, Position


# Who moves, and how moves follow each other


class Sequences(Rule):
    """Says what a move is, and how moves follow each other."""

    always_in_force: ClassVar[bool] = True

    if TYPE_CHECKING:
        stacks: bool
        waiting: UnitSelector | None

    def lets_wait(self, unit: Unit) -> bool:
        """Tell whether a unit may go on after it has broken off its move."""
        raise NotImplementedError

    # -- the referee's face

    def check_group(self, units: tuple[str, ...]) -> Iterable[Finding]:
        """Yield what forbids some units to move as one."""
        raise NotImplementedError


class Phased(Rule):
    """Holds in certain phases alone."""

    if TYPE_CHECKING:
        phases: Names

    def problems(self, rulebook: "Rulebook") -> Iterable[str]:
        """Yield the phases that the game doesn't have."""
        return rulebook.unknown("phases", self.phases)


class Admits(Phased):
    """Says who may move at all, so that units of other sides are asked about, too."""


class Commands(Rule):
    """Lets so many units of each section of the board be used."""

    if TYPE_CHECKING:
        sections: Names
        ordered: UnitSelector
        phases: Names

    def sections_of(self, game: "Game", unit: str) -> tuple[str, ...] | None:
        """Return the sections in which a unit may be ordered; None for one that needs none of their orders."""
        raise NotImplementedError

    # -- the solver's face

    def given(self, game: "Game") -> Iterable[tuple[str, Carried]]:
        """Yield the units that have used an order before what is asked, each with the orders that it may have used."""
        raise NotImplementedError

    # -- the referee's face

    def enough(self, game: "Game", units: Iterable[str]) -> bool:
        """Tell whether there are orders for all of some units."""
        raise NotImplementedError


class Obliges(Phased):
    """Makes units move that might stay."""


class Mobilizes(Rule):
    """Says what MA units have."""

    def effective(self, unit: Unit, phase: str) -> Fraction:
        """Return a unit's MA in a phase."""
        raise NotImplementedError


class Books(Rule):
    """Takes what is there for a number of units only: carriers."""

    # -- the referee's face

    def book(self, play: MoveInPlay, legs: "tuple[Leg, ...]") -> None:
        """Take the carriers of some legs."""
        play.position.legs = legs


class Reinforces(Phased):
    """Brings units in by a schedule."""


# What steps cost


class Prices(Rule):
    """Says what steps cost."""

    # -- the referee's face

    def step_cost(self, play: MoveInPlay) -> Fraction:
        """Return the MP that the step costs by this rule."""
        return NO_MP

    # -- the solver's face

    def arc_prices(self, game: "Game", unit: Unit, arc: Arc) -> Iterable[tuple[Fraction, tuple[Demand, ...]]]:
        """Yield what the step may cost by this rule, each price with what it asks for."""
        raise NotImplementedError


class Charges(Prices):
    """Says that a unit pays for its steps out of its MA."""

    # -- the referee's face

    def check_prohibited(self, play: MoveInPlay) -> Iterable[Finding]:
        """Yield a finding if no price is set for the step."""
        raise NotImplementedError

    def check_payment(self, play: MoveInPlay) -> Iterable[Finding]:
        """Yield a finding if the step costs more than the MA that remains; without a price, if that is overdrawn."""
        raise NotImplementedError

    # -- the solver's face

    def budget_demand(self, game: "Game", unit: Unit) -> Demand:
        """Return what fails when a step costs more than the MA that remains."""
        raise NotImplementedError


class Caps(Rule):
    """Lets units spend a part of their MA only on entering some hexes."""

    adds_up: ClassVar[bool] = False

    # -- the solver's face

    def entry_limit(self, game: "Game", unit: Unit, label: str) -> tuple[Fraction, Demand] | None:
        """Return what MP, less than its MA, the unit may have spent on entering a hex, and what fails otherwise."""
        raise NotImplementedError


class Tallies(Phased):
    """Adds up something of a unit's steps in the phase, or the turn, on which depends which steps it may still make.

    It may hold MP beyond the MA, for steps of a kind, or a limit to steps of a kind. Steps are added up for each unit by
    itself, also where it moves with others.
    """

    takes_all: ClassVar[bool] = False
    """Whether a step that adds to the sum takes all MP that are left."""

    @property
    def per_turn(self) -> bool:
        """Whether the sum goes on from phase to phase, until the turn is over."""
        return False

    def problems(self, rulebook: "Rulebook") -> Iterable[str]:
        """Yield the phases that the game doesn't have, and kinds of rules with which it doesn't go."""
        yield from super().problems(rulebook)
        yield from rulebook.beside_caps("prices of hexes and routes in the terrain chart may stand for it")

    def cap(self, unit: Unit, phase: str) -> Fraction | None:
        """Return what the sum may come to; None: the unit is none of those whose steps are added up."""
        raise NotImplementedError

    def further_mp(self, unit: Unit, phase: str) -> Fraction | None:
        """Return the MP beyond its MA that a unit has as long as the sum keeps to its limit; None: it must keep to it."""
        return None

    # -- the referee's face

    def adds(self, play: MoveInPlay, mp: Fraction) -> Fraction:
        """Return what a step adds to the sum that costs so many MP."""
        raise NotImplementedError

    # -- the solver's face

    def arc_adds(self, game: "Game", unit: Unit, arc: Arc, mp: Fraction) -> Fraction:
        """Return what a step adds to the sum that costs so many MP."""
        raise NotImplementedError

    def tally_demand(self, game: "Game", unit: Unit, label: str) -> Demand | None:
        """Return what fails when a step into a place makes the sum too large; None: nothing does."""
        raise NotImplementedError


class Exhausts(Tallies):
    """Says that some steps take all MP that are left, and adds up such steps: after one, no step is made that costs MP."""

    takes_all: ClassVar[bool] = True

    # -- the referee's face

    def exhausts(self, play: MoveInPlay) -> bool:
        """Tell whether the step does so."""
        raise NotImplementedError

    # -- the solver's face

    def arc_exhausts(self, game: "Game", unit: Unit, arc: Arc) -> Demand | None:
        """Return what fails if such a step is made when no MP are left; None: it is no such step.

        In which phase is no matter: whoever asks knows which rules hold then.
        """
        raise NotImplementedError


class Exempts(Rule):
    """Lets units spend more on a hex than their MA: on the first, or on any that is entered while MP are left."""

    if TYPE_CHECKING:
        who: UnitSelector
        phases: tuple[str, ...]
        anywhere: bool

    # -- the referee's face

    def exempts_from_ma(self, play: MoveInPlay) -> bool:
        """Tell whether the step may be made although its cost exceeds the remaining MA."""
        raise NotImplementedError

    # -- the solver's face

    def overdraft_demand(self, game: "Game", unit: Unit, overrun: bool = False, to: str | None = None) -> Demand | None:
        """Return what moving on needs after a hex that cost more than the MA; None: no exemption for it.

        `overrun` tells whether that step is an overrun, `to` where it leads.
        """
        raise NotImplementedError


# What is rolled or drawn


class Rolls(Rule):
    """Lets dice or tables decide what becomes of some steps."""

    @property
    def rolled(self) -> bool:
        """Whether some results are rolled or drawn indeed."""
        return True

    def with_luck(self) -> Rule:
        """Return the rule by which everything that is rolled goes as one likes."""
        raise NotImplementedError

    def chance_told(self, unit: str, label: str | None) -> str | None:
        """Return how players are told what a unit can't count on in a hex; None where it depends on whom it fights."""
        return None

    # -- the referee's face

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

    def strengths(self, stack: Sequence[MoveInPlay]) -> tuple[Fraction, Fraction] | None:
        """Return the strength of attack and defense by which the step is resolved; None if nobody is fought."""
        return None

    def columns_for(self, game: "Game", origin: str, to: str, defense: Fraction) -> Sequence[tuple[str, Fraction]]:
        """Return the columns by which an attack from one hex into another may be resolved, as the table has them.

        By rising odds, each with the least strength of attack that reaches it; none where there is no such table.
        """
        return ()

    # -- the solver's face

    def arc_chance(self, game: "Game", team: Sequence[Unit], arc: Arc) -> Fraction:
        """Return the probability that a step that units make together goes through."""
        return Fraction(1)


class Overruns(Rule):
    """Lets units enter the hex of an enemy, who is eliminated at once."""

    encounter: ClassVar[str] = "overrun"

    if TYPE_CHECKING:
        by: UnitSelector
        defenders: UnitSelector
        phases: Names

    @property
    def paragraph_of_failure(self) -> str:
        """The paragraph that verdicts cite for what a failed overrun forbids."""
        return self.paragraph

    @property
    def failure_is_final(self) -> bool:
        """Whether the move of units whose overrun has failed is over, and nobody tries the hex again in the phase."""
        return True

    def victims(self, game: "Game", enemies: Iterable[str]) -> tuple[str, ...]:
        """Return which of the enemies in a hex an overrun of it would eliminate: those that defend it."""
        return tuple(enemy for enemy in enemies if self.defenders.matches(game.units[enemy]))

    def best_chance(self, game: "Game") -> Fraction:
        """Return what no overrun on the board is likelier than to go through, whoever takes part, wherever from."""
        return Fraction(1)

    # -- the referee's face

    def is_no_step(self, play: MoveInPlay) -> bool:
        """Tell whether the step is said to be an overrun, but is none: not on foot, or of nobody."""
        if not play.overrun:
            return False
        on_foot = play.way is None or play.way.overruns
        return not on_foot or not any(True for _ in self.carry_out(play))

    def overrun_price(self, play: MoveInPlay, cheapest: Fraction | None) -> Fraction | None:
        """Return what an overrun costs, given the price of the hex, which is None where it is prohibited."""
        return cheapest

    def carry_out(self, play: MoveInPlay) -> Iterable[tuple[str, str]]:
        """Yield the (unit, box) pairs of the units that the step eliminates."""
        raise NotImplementedError

    def note_failure(self, stack: Sequence[MoveInPlay]) -> None:
        """Change what the failure of an overrun changes besides where the units stand."""

    # -- the solver's face

    def overrun_tariff(self, game: "Game", unit: Unit, arc: Arc, cheapest: Fraction | None) -> Fraction | None:
        """Return what an overrun costs, given the price of the hex, which is None where it is prohibited."""
        return cheapest


class Ends(Rule):
    """Says what the position after the last move must be like."""

    hex_by_hex: ClassVar[bool] = False
    """Whether it looks at each hex, or place, by itself: at nothing but who is there."""

    # -- the referee's face

    def check_end(self, game: "Game", position: "Position") -> Iterable[tuple[str | None, Finding]]:
        """Yield (unit, finding) pairs for what is wrong with the position after the last move."""
        raise NotImplementedError

    # -- the solver's face

    def post_end(self, end: EndState) -> None:
        """Ensure that the position after the last move obeys the rule."""
        raise NotImplementedError


class Halts(Rule):
    """May forbid units to end a move in a place through which they might pass."""

    @property
    def limits_halts(self) -> bool:
        """Whether it does, by its parameters."""
        raise NotImplementedError

    # -- the referee's face

    def check_halt(self, stack: Sequence[MoveInPlay], label: str) -> Iterable[Finding]:
        """Yield what forbids those who have made a move, and are in a place now, to end it there."""
        raise NotImplementedError

    # -- the solver's face

    def halt_demands(self, game: "Game", team: Sequence[Unit], label: str) -> Iterable[Demand]:
        """Yield what those of units that move together need who end their move in a place."""
        raise NotImplementedError

    def may_halt_everywhere(self, game: "Game") -> bool:
        """Tell whether it is known that no unit on the board may ever be forbidden to."""
        return not self.limits_halts


# What places are like


class Controls(Rule):
    """Says what zones of control do to units of the other sides."""

    if TYPE_CHECKING:
        exerted_by: UnitSelector
        blocked_by: HexsideSelector
        blocked_for: tuple[Blocking, ...]
        negated_by: UnitSelector
        negated_for_good: bool
        negating_markers: MarkerSelector | None
        effects: tuple[Effect, ...]

    def barriers_of(self, unit: Unit) -> HexsideSelector:
        """Return the hexsides across which a unit's ZOC doesn't reach."""
        return next((one.blocked_by for one in self.blocked_for if one.units.matches(unit)), self.blocked_by)

    # -- the solver's face

    def sides_towards(self, game: "Game", unit: str, label: str) -> frozenset[str]:
        """Return the hexes from which a unit's ZOC would reach one beside them."""
        blocked, near = self.barriers_of(game.units[unit]), game.board.neighbours[label]
        exerts = self.exerted_by.matches(game.units[unit])
        return frozenset(side for side in near if exerts and not blocked.matches(game.board, side, label))


class Restricts(Rule):
    """Keeps units out of hexes, and may leave it to scenarios to say of which."""

    if TYPE_CHECKING:
        by_scenario: bool


Moment = Literal["phase", "move", "always"]
"""When something must hold: once the phase is over; whenever a move ends, too; or whenever a unit enters a hex."""


class Stacks(Ends, Halts):
    """Limits how much may stand in a hex."""

    if TYPE_CHECKING:
        when: Moment


class Spaces(Ends, Halts):
    """Keeps units from standing in one hex."""

    if TYPE_CHECKING:
        when: Moment
        who: UnitSelector
        of: UnitSelector
        where: HexSelector
        ways: Names
        leaving: bool

    def ever_parts(self, game: "Game", label: str, units: Sequence[Unit]) -> bool:
        """Tell whether of some units in a place two are friends of whom neither may come to the other."""
        if self.leaving or not self.where.matches(game.board.places[label], game.weather(label)):
            return False
        able = (unit for unit in units if not unit.allied)  # allies don't come to anybody
        bound = [unit.side for unit in able if self.who.matches(unit) and self.of.matches(unit)]
        return len(set(bound)) < len(bound)


class Removes(Rule):
    """Lets units remove other things than units by entering their hex: markers, control of places."""

    if TYPE_CHECKING:
        markers: MarkerSelector | None

    # -- the solver's face

    def removals(self, game: "Game", unit: Unit, arc: Arc) -> Iterable[str]:
        """Return what else than its victims is gone once the step is made: markers, control of places."""
        raise NotImplementedError


class Captures(Removes):
    """Lets units take places by entering them."""

    if TYPE_CHECKING:
        by: UnitSelector
        where: HexSelector
