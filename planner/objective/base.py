"""What a plan is for: terms of an objective, and hard requirements.

Like a rule, a kind of term has two faces: `score` looks at a position after the last move, `post` writes the same into the
model. They never call each other.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from pydantic import Field

from planner.errors import MOST_PROBLEMS
from planner.formats.spelling import did_you_mean, several_are_a_list
from planner.formats.table import Table

if TYPE_CHECKING:
    from planner.rules.attack_referee import AssessedAttack
    from planner.rules.end_state import Literal
    from planner.rules.game import Game
    from planner.world.declared_attack import DeclaredAttack
    from planner.world.position import Position


@dataclass
class Tally:
    """What a plan has spent, and what it declares.

    Attributes
    ----------
    mp : dict from unit ids to Fraction
        MP spent by each unit that moved.
    attacks : tuple of DeclaredAttack
        The attacks that are declared once the moves are made, and haven't been made yet.
    assessed : tuple of AssessedAttack, or None
        What these come to on the board on which terms are counted; None: that hasn't been worked out.
    """

    mp: dict[str, Fraction] = field(default_factory=dict)
    attacks: "tuple[DeclaredAttack, ...]" = ()
    assessed: "tuple[AssessedAttack, ...] | None" = None


@dataclass(frozen=True)
class Linear:
    """A sum of weighted literals and a constant.

    Attributes
    ----------
    terms : tuple of (int, literal) pairs
        Literals are those of an `OutcomeModel`.
    constant : int
        What is added to them.
    """

    terms: "tuple[tuple[int, Literal], ...]" = ()
    constant: int = 0

    @classmethod
    def sum_of(cls, parts: "Iterable[Linear]") -> "Linear":
        """Return the sum of several sums."""
        every = list(parts)
        return cls(tuple(term for part in every for term in part.terms), sum(part.constant for part in every))

    def times(self, factor: int) -> "Linear":
        """Return the sum, multiplied."""
        if factor == 1:
            return self
        return Linear(tuple((factor * weight, term) for weight, term in self.terms), factor * self.constant)


class AttackOutcome(Protocol):
    """What the coupling layer offers to terms of the attacks after the moves, as far as there are any."""

    def column_of(self, odds: str) -> int:
        """The index of a column of the table, by its name."""

    def enemy_losses(self, each: Mapping[str, Fraction], per_step: Mapping[str, Fraction]) -> Linear:
        """What the enemies lose by attacks on average, times `mp_scale`.

        Each unit counts so much if it is eliminated, and besides for each step that it loses.
        """

    def own_losses(self, each: Mapping[str, Fraction], per_step: Mapping[str, Fraction]) -> Linear:
        """What the own side loses by attacks on average, times `mp_scale`; as `enemy_losses`."""

    def emptied(self, label: str) -> Linear:
        """The probability that an attack leaves no enemy in a hex, times `mp_scale`."""

    def taken(self, hexes: Collection[str]) -> Linear:
        """How many of some hexes attackers may enter on average, times `mp_scale`: each of them one at most."""

    def resulting(self, target: str, codes: Collection[str]) -> Linear:
        """The probability that an attack on an enemy, or on all in a hex, gives one of some results, times `mp_scale`."""

    def attacked(self, enemies: Collection[str], least: int) -> "Literal":
        """One of some enemies is attacked in a column, or in one after it."""

    def joined(self, attack: "DeclaredAttack", least: int) -> "Literal":
        """An attack is made, by others too perhaps, in a column or in one after it."""

    def below(self, least: int) -> Linear:
        """How many attacks are made in columns before one."""


class OutcomeModel(Protocol):
    """What the coupling layer offers to terms: the position after the last move, as literals."""

    game: "Game"
    mp_scale: int

    @property
    def attacks(self) -> AttackOutcome | None:
        """The attacks that are declared then; with the first term that asks for them, the plan declares them."""

    def open_in(self, label: str, odds: tuple[Fraction, Fraction]) -> "Literal":
        """The enemies, as they stand, could attack those in a hex, all who can together.

        Their strength is the first of the odds times the defenders' at least, and the second more.
        """

    def ends(self, unit: str, label: str) -> "Literal":
        """The unit ends the phase in the hex."""

    def possible_ends(self, unit: str) -> Sequence[str]:
        """The hexes in which the unit might end."""

    def stands(self, unit: str, label: str) -> "Literal":
        """The unit may stand in the hex when the phase is over: it ends there, or is stuck there if a roll fails."""

    def possible_places(self, unit: str) -> Sequence[str]:
        """The hexes in which the unit might stand when the phase is over, whatever is rolled."""

    def gone(self, enemy: str) -> "Literal":
        """The enemy is eliminated by the end of the phase."""

    def taken(self, label: str) -> "Literal":
        """Some unit has taken the place from the enemy, or from nobody, by entering it."""

    def gone_on_average(self, enemy: str) -> Linear:
        """The probability that the enemy is eliminated, times `mp_scale`."""

    def end_on_average(self, unit: str, label: str) -> Linear:
        """The probability that the unit stands in the hex in the end, times `mp_scale`."""

    def held_on_average(self, label: str, units: Sequence[str]) -> Linear:
        """The probability that one of the units stands in the hex in the end, times `mp_scale`."""

    def joint_chance(self, truth: Callable[[Any], Linear], bounds: Iterable[Linear], name: str) -> Linear:
        """The probability, times `mp_scale`, that something holds that rests on several rolls.

        `truth` says, given an `OutcomeModel` of plain truth values, whether it holds: 1 or 0. None of the bounds, which are
        scaled, is exceeded.
        """

    @property
    def chancy(self) -> bool:
        """Whether results may be rolled."""

    def moves(self, unit: str) -> "Literal":
        """The unit makes a move."""

    def surely_moves(self, unit: str) -> "Literal":
        """The unit makes a move whatever is rolled."""

    def ends_among(self, unit: str, labels: Collection[str]) -> "Literal":
        """The unit ends the phase in one of some hexes."""

    def arrivals(self, unit: str) -> "Sequence[tuple[str, int, Fraction, Literal]]":
        """Where the unit may end a move without being stuck: hex, hexes entered, probability, and the literal."""

    def new_literal(self) -> "Literal":
        """Return a fresh literal, which the solver chooses."""

    def limit(self, literals: "Iterable[Literal]", most: int) -> None:
        """Ensure that at most so many of some literals hold."""

    @property
    def confidence(self) -> Fraction:
        """How likely a result must be at least that others rely on."""

    def mp(self, unit: str) -> Linear:
        """The MP that the unit spends, times `mp_scale`."""

    def any_of(self, literals: "Iterable[Literal]") -> "Literal":
        """At least one of the literals holds."""

    def all_of(self, literals: "Iterable[Literal]") -> "Literal":
        """Every one of the literals holds."""

    def at_least(self, total: Linear, bound: int) -> "Literal":
        """The sum reaches the bound."""

    def negate(self, literal: "Literal") -> "Literal":
        """The literal does not hold."""


class Term(Table):
    """A term of the objective: counts something in the position after the last move."""

    kind: str = Field(description="The kind of term")
    weight: int = Field(default=1, ge=1, le=1_000_000, description="What each one counted is worth within its tier")

    sign: ClassVar[int] = 1
    """-1 for kinds that count what is to be avoided."""

    counted: ClassVar[str] = ""
    """What the term counts, as a player would say it; a kind for which it depends on parameters overrides `describe`."""

    asks_for: ClassVar[str] = ""
    """The key that lists what, as a requirement, the term asks for, all of it; empty: it asks for one thing."""

    adds_up: ClassVar[str] = ""
    """The key that lists what the term counts, each by itself; empty: there is no such key."""

    bounded_by: ClassVar[str] = ""
    """The key that says how much is asked for, or allowed: in a requirement always, in a tier never; empty: none does."""

    def problems(self, game: "Game") -> Iterable[tuple[str, str]]:
        """Yield (sentence, key) for what the term names and the scenario doesn't have."""
        return ()

    def out_of_phase(self, game: "Game") -> Iterable[tuple[str, str]]:
        """Yield (sentence, key) for what the term looks at and this phase doesn't have; there it counts nothing."""
        return ()

    def full(self, game: "Game") -> int:
        """Return the count at which, as a requirement, the term is fulfilled."""
        return len(getattr(self, self.asks_for)) if self.asks_for else 1

    def parts(self) -> "tuple[Term, ...]":
        """Return terms that are all fulfilled, as requirements, exactly if this one is; each of one thing if it can be."""
        if not (key := self.asks_for):
            return (self,)
        return tuple(self.model_copy(update={key: (one,)}) for one in dict.fromkeys(getattr(self, key)))

    def addends(self, game: "Game") -> "tuple[Term, ...]":
        """Return terms whose counts add up to this one's in any position, each of one thing if it can be."""
        if not (key := self.adds_up):
            return (self,)
        return tuple(self.model_copy(update={key: (one,)}) for one in getattr(self, key))

    def holds(self, game: "Game", position: "Position", tally: Tally) -> bool:
        """Tell whether, as a requirement, the term is fulfilled in a position after the last move."""
        return self.score(game, position, tally) >= self.full(game)

    def required(self, outcome: OutcomeModel) -> Linear:
        """Return the sum that must be 0 or more, so that the term is fulfilled as a requirement."""
        return Linear.sum_of([self.post(outcome), Linear(constant=-self.full(outcome.game))])

    def misplaced(self, required: bool) -> Iterable[tuple[str, str]]:
        """Yield (sentence, key) for what the term must have, or mustn't, as a requirement, or as a part of a tier."""
        key = self.bounded_by
        given = bool(key) and getattr(self, key) is not None
        if key and required and not given:
            yield f"as a requirement {self.kind} must say {key}", key
        elif given and not required:
            yield f"{key} must be given only in a requirement", key

    def highest(self, game: "Game") -> int:
        """Return what the term can count at most towards a tier, without the weight: 0 for what is to be avoided."""
        return self.full(game) if self.sign > 0 else 0

    def describe(self) -> str:
        """Return what the term counts, as a player would say it."""
        return self.counted

    def remarks(self, game: "Game", position: "Position") -> Iterable[str]:
        """Yield what a player wants to know of how the count comes about in a position after the last move."""
        return ()

    def score(self, game: "Game", position: "Position", tally: Tally) -> Fraction:
        """Return the count, without the weight: from the position alone."""
        raise NotImplementedError

    def share(self, game: "Game", position: "Position", unit: str) -> Fraction | None:
        """Return what of the count comes of where one of the phasing side's units stands; None: it can't be told of one.

        The count is the sum of all shares then, as long as nobody is eliminated and whatever moves were made.
        """
        return None

    def post(self, outcome: OutcomeModel) -> Linear:
        """Return the same count as a sum of literals; MP are scaled by `OutcomeModel.mp_scale`."""
        raise NotImplementedError

    def on_average(self, outcome: OutcomeModel) -> Linear:
        """Return what the count is on average over all rolls, times `OutcomeModel.mp_scale`."""
        return self.post(outcome).times(outcome.mp_scale)

    def depends_on(self) -> Iterable[str] | None:
        """Return the hexes in which it matters who ends, and the enemies whose end matters; None: it may be any."""
        return None

    def concerns(self) -> Iterable[str] | None:
        """Return the units of which alone it matters that they end where the term looks; None: it may be anybody."""
        return None

    def contests(self) -> Iterable[str]:
        """Return the places of which it matters to the term whose they are, not only who ends there."""
        return ()

    counts_mp: ClassVar[bool] = True
    """Whether it may matter to the count how many MP are spent, or by which way a unit gets to its end."""

    joint: ClassVar[bool] = False
    """Whether, where results are rolled, the count on average is the probability of what rests on several rolls."""

    averages: ClassVar[bool] = True
    """Whether the term can be averaged over rolls."""

    looks_near: ClassVar[bool] = False
    """Whether the count depends, of enemies, markers and control, on nothing but who is where a friend may stand, or within
    two hexes, and on who is on the map."""

    @property
    def spares(self) -> bool:
        """Whether it may count more if an enemy is left on the map."""
        return False

    @property
    def looks_at_attacks(self) -> bool:
        """Whether the term looks at the attacks after the moves, so that plans must say which there are."""
        return False


def unknown_units(game: "Game", units: Iterable[str], key: str) -> Iterable[tuple[str, str]]:
    """Yield a problem for each unit that the scenario doesn't have."""
    for unit in units:
        if unit not in game.units:
            several = several_are_a_list(unit, game.units) if key == "units" else ""
            yield f"no unit has the id {unit!r}{several or did_you_mean(unit, game.units)}", key


def unknown_hexes(game: "Game", labels: Iterable[str], key: str) -> Iterable[tuple[str, str]]:
    """Yield a problem for each hex, or box, that the map doesn't have."""
    board = game.board
    for number, label in enumerate(label for label in labels if label not in board):
        meant = board.did_you_mean(label) if number < MOST_PROBLEMS else ""  # more aren't told
        yield f"hex {label[:40]!r} is not on the map{meant}", key
