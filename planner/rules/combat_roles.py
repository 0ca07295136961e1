"""Roles of rules about combats: overruns made together, combats on entering, and who bogs down."""

from collections.abc import Callable, Collection, Iterable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar

from planner.rules.demands import Arc, Demand
from planner.rules.roles import Overruns, Rolls
from planner.world.forces import Unit
from planner.world.selectors import UnitSelector

if TYPE_CHECKING:
    from planner.rules.combat_table import Aftermath, CombatColumn
    from planner.rules.game import Game
    from planner.rules.odds_table import Column, Support


Committed = frozenset[frozenset[str]]
"""Every set of enemies who may be those that have supported defenders."""


class Bogs(Rolls):
    """Rolls for units that move alone: one for which a roll fails is stuck in the hex that it has entered."""

    if TYPE_CHECKING:
        who: UnitSelector

    def chance_told(self, unit: str, label: str | None) -> str:
        """Return how players are told that a unit may bog down."""
        return f"{unit} may bog down{f' in {label}' if label else ''}: dice decide"


class JointlyOverruns(Overruns, Rolls):
    """Lets units overrun together, so that one unit's step can't be judged by itself."""

    if TYPE_CHECKING:
        at_least_one: UnitSelector | None
        most_units: int | None
        bystanders: bool
        size_at_most: Fraction | None
        attempts: int
        price: Fraction | None
        entry_at_most: Fraction | None
        results: tuple[Column, ...]
        support: Support | None
        opposition: Support | None

    def chance_told(self, unit: str, label: str | None) -> str:
        """Return how players are told that an overrun may fail."""
        return f"{unit} can't be sure that its overrun{f' of {label}' if label else ''} goes through: dice decide"

    @property
    def support_paragraph(self) -> str:
        """The paragraph that verdicts cite for support from afar."""
        return self.paragraph

    @property
    def opposition_paragraph(self) -> str:
        """The paragraph that verdicts cite for support of the defenders."""
        return self.paragraph

    @property
    def sure_odds(self) -> Fraction | None:
        """The lowest odds at which no result is rolled; None: it always is."""
        raise NotImplementedError

    # -- the solver's face

    def asks_of(self, unit: str, label: str) -> bool:
        """Tell whether an overrun of a hex in which a unit takes part has to obey the rule: always, in a game as it is."""
        return True

    def attack_of(self, game: "Game", unit: Unit, label: str, origin: str | None = None) -> Fraction:
        """Return the strength of a unit that overruns a hex, after modifiers; by default from where it is the largest."""
        raise NotImplementedError

    def defense_in(self, game: "Game", label: str, origin: str | None = None) -> Fraction:
        """Return the strength of a hex's defenders as the phase begins, after modifiers; by default where it is least."""
        raise NotImplementedError

    def supporters_of(self, game: "Game", label: str) -> tuple[str, ...]:
        """Return the friends that can support an overrun of a hex from where they stand."""
        return tuple(unit for unit, home in game.homes.items() if self.supports_from(game, unit, home, label))

    def opponents_of(self, game: "Game", label: str) -> tuple[str, ...]:
        """Return the enemies that, as long as they live, may support the defenders of a hex."""
        raise NotImplementedError

    def withstanding(self, game: "Game", label: str) -> tuple[tuple[str, ...], Fraction]:
        """Return who may support the defenders of a hex, whatever is overrun before, and how much of it must be survived."""
        raise NotImplementedError

    def opposed(
        self, game: "Game", team: Sequence[Unit], arc: Arc, gone: Collection[str], committed: Committed
    ) -> tuple[tuple[Demand, ...], Committed]:
        """Return what fails where some enemies may be committed already, and who may be after the overrun."""
        raise NotImplementedError

    def supports_from(self, game: "Game", unit: str, at: str, label: str) -> bool:
        """Tell whether a friend that stands somewhere can support an overrun of a hex."""
        raise NotImplementedError


class Fights(Rolls):
    """Makes a combat of every entry of an enemy's hex."""

    encounter: ClassVar[str] = "combat"

    if TYPE_CHECKING:
        columns: tuple[CombatColumn, ...]

    # -- the solver's face

    def everywhere(self) -> bool:
        """Tell whether it is in force for everybody and everywhere, so that combats come out as `aftermath` tells."""
        return True

    def undrawn(self) -> Demand:
        """Return what fails where some damage can't have been drawn."""
        raise NotImplementedError

    def fought(self) -> Demand:
        """Return what moving on needs after a combat."""
        raise NotImplementedError

    def strength_of(self, unit: Unit, shaken: Collection[str]) -> int:
        """Return a unit's strength, given who has been demoralized in this phase."""
        raise NotImplementedError

    def column_of(self, game: "Game", attack: int, defense: int, origin: str, to: str) -> "CombatColumn":
        """Return the column for strengths, as terrain shifts it for an attack from one hex into another."""
        raise NotImplementedError

    def refuges(self, game: "Game", origin: str, to: str, units: Iterable[Unit]) -> tuple[str, ...] | None:
        """Return where defenders may go, the first choice first, as far as terrain lets them; None: off the map."""
        raise NotImplementedError

    def harm(
        self, units: Sequence[Unit], shaken: Collection[str], damage: int
    ) -> tuple[frozenset[str], frozenset[str]]:
        """Return who is demoralized for the first time, and who is destroyed."""
        raise NotImplementedError

    def aftermath(
        self,
        game: "Game",
        team: Sequence[Unit],
        foes: Sequence[Unit],
        arc: Arc,
        shaken: Collection[str],
        held: Callable[[str, Sequence[Unit]], bool],
    ) -> "list[Aftermath]":
        """Return everything that a combat may lead to in which a step of a team against foes ends.

        `team` and `foes` are in the order of the scenario, `shaken` are those who have been demoralized in this phase, and
        `held` tells whether somebody stands in a hex who is an enemy of some who give way: an attacker's friend, or a third.
        """
        raise NotImplementedError
