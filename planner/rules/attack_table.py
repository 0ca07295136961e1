"""The data of the kind of rule `attack`: who may attack whom, strengths, odds, the table, and what its results mean.

Nothing but parameters and what they are checked for. What they mean for a position, `planner.rules.attack_referee` says for
the referee; the solver reads them for itself.
"""

from collections.abc import Iterable
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, Annotated, Literal, Self

from pydantic import Field, StringConstraints

from planner.formats.ids import RESULT_CODE
from planner.formats.mp import MP
from planner.formats.odds import Odds
from planner.formats.table import Table
from planner.rules.destinations import Destination
from planner.rules.later_roles import Attacks
from planner.rules.roles import Controls
from planner.world.forces import Unit
from planner.world.selectors import HexSelector, HexsideSelector, MarkerSelector, Names, UnitSelector

if TYPE_CHECKING:
    from planner.rules.rulebook import Rulebook

ResultCode = Annotated[str, StringConstraints(pattern=rf"^{RESULT_CODE}$")]


class AttackRange(Table):
    """How far certain units attack, and what becomes of those who attack from afar: from more than one hex away."""

    units: UnitSelector = Field(default=UnitSelector(), description="The units")
    paragraph: str = Field(default="", description="The printed paragraph of attacks from afar; empty: the rule's own")
    range: int = Field(ge=1, le=100, description="They attack hexes at most so many hexes away")
    alone: bool = Field(
        default=True, description="Whether they may attack from afar if no attacker stands beside the hex"
    )
    safe: bool = Field(default=False, description="Whether results of an attack from afar do nothing to them")
    assumed: bool = Field(default=False, description="No text gives the values")


class AttackBar(Table):
    """An attack that is forbidden to certain units: all that is given must fit."""

    because: str = Field(max_length=120, description='What messages say: "not across a lake"')
    paragraph: str = Field(default="", description="The printed paragraph; empty: the rule's own")
    units: UnitSelector = Field(default=UnitSelector(), description="The attackers to whom it is forbidden")
    hexsides: HexsideSelector | None = Field(
        default=None, description="The hexside between a unit and the hex that it attacks; not for attacks from afar"
    )
    hexes: HexSelector | None = Field(default=None, description="The hex that is attacked")
    from_hexes: HexSelector | None = Field(default=None, description="The hex in which the attacker stands")
    assumed: bool = Field(default=False, description="No text says so")


class StrengthFactor(Table):
    """By what the strength of certain units is multiplied in certain attacks: all that is given must fit.

    Of several hexes that are attacked at once, an attacker's factor needs one that fits in `hexes`, and all of them for
    `hexsides`. A defender's factor looks at its own hex, and for `hexsides` at all who attack it from beside it.
    """

    of: Literal["attack", "defense"] = Field(description="Whose strength")
    units: UnitSelector = Field(default=UnitSelector(), description="The units")
    hexes: HexSelector | None = Field(default=None, description="The hex that is attacked")
    hexsides: HexsideSelector | None = Field(
        default=None, description="The hexside across which is attacked; never fits those who attack from afar"
    )
    from_hexes: HexSelector | None = Field(default=None, description="The hex in which an attacker stands")
    from_afar: bool | None = Field(default=None, description="Whether an attacker attacks from afar; absent: either")
    times: MP = Field(description="By what their strength is multiplied; factors that fit are all multiplied")
    assumed: bool = Field(default=False, description="No text gives the value")


class ColumnShift(Table):
    """By how many columns an attack is shifted if all that is given fits; shifts that fit add up."""

    name: str = Field(max_length=60, description='What messages call it, to follow "for": "the forest"')
    columns: int = Field(ge=-100, le=100, description="By so many columns: less than 0 in the defenders' favour")
    hexes: HexSelector | None = Field(default=None, description="A hex that is attacked")
    markers: MarkerSelector | None = Field(
        default=None, description="A marker, of another side than the attackers', in a hex that is attacked"
    )
    hexsides: HexsideSelector | None = Field(
        default=None,
        description="The hexsides across which all attack who stand beside a hex that is attacked; one at least does",
    )
    attackers: UnitSelector | None = Field(default=None, description="One attacker at least")
    defenders: UnitSelector | None = Field(default=None, description="One defender at least")
    assumed: bool = Field(default=False, description="No text gives the value")


class AttackColumn(Table):
    """A column of the combat results table."""

    odds: Odds | None = Field(default=None, description="Of ratios: the odds from which on it holds, such as 3:1")
    difference: int | None = Field(
        default=None, ge=-1000, le=1000, description="Of differences: attack less defense from which on it holds"
    )
    results: tuple[ResultCode, ...] = Field(
        min_length=1, max_length=100, description="The result of each sum of the dice, the lowest sum first"
    )
    assumed: bool = Field(default=False, description="No text gives the column")

    @property
    def threshold(self) -> Fraction:
        """From which ratio, or difference, on it holds."""
        return Fraction(self.odds if self.odds is not None else self.difference or 0)

    @property
    def text(self) -> str:
        """What players call it: 3:1, +2."""
        return self.odds.text if self.odds is not None else f"{self.difference or 0:+d}"


class Suffered(Table):
    """What a result does to one of the forces, in this order: losses, then retreat."""

    eliminated: bool = Field(default=False, description="Whether all of its units are eliminated")
    steps: int = Field(default=0, ge=0, le=100, description="How many steps it loses as a whole")
    retreat: int = Field(default=0, ge=0, le=20, description="By how many hexes each unit retreats that is left")


class AttackResult(Table):
    """What a result of the table means."""

    text: str = Field(max_length=120, description="What messages say it means")
    attackers: Suffered = Field(default=Suffered(), description="What it does to the attackers")
    defenders: Suffered = Field(default=Suffered(), description="What it does to the defenders")
    exchange: Literal["strength", "steps"] | None = Field(
        default=None,
        description="The attackers also lose units worth at least as much as the defenders lose: in printed strength, "
        "attack against defense, or in steps; of those beside the defenders as little as will do, or all of them",
    )
    assumed: bool = Field(default=False, description="No text gives the meaning")


class Retreats(Table):
    """How units retreat: hex by hex, each farther from where they stood, into hexes that they can enter, free of enemies."""

    paragraph: str = Field(default="", description="The printed paragraph; empty: the rule's own")
    into_ezoc: Literal["never", "to_friends", "always"] = Field(
        default="never", description="Whether into a hex in an EZOC: if a friend stands there, too"
    )
    most_friends: int = Field(
        default=0, ge=0, le=100, description="How many friends may stand in a hex into which a unit retreats at most"
    )
    cannot: Literal["eliminated", "loses_steps", "stays"] = Field(
        default="eliminated",
        description="What becomes of a unit that can't retreat all the way; one that loses steps goes as far as it can, "
        "and loses one for each hex that is missing",
    )
    assumed: bool = Field(default=False, description="No text gives a value")


class Advances(Table):
    """How attackers beside it enter a hex that their attack has emptied."""

    paragraph: str = Field(default="", description="The printed paragraph; empty: the rule's own")
    units: UnitSelector = Field(default=UnitSelector(), description="The attackers that may")
    most: int | None = Field(default=None, ge=1, le=100, description="How many at most, hex by hex; absent: any number")
    assumed: bool = Field(default=False, description="No text gives a value")


class AttackRule(Attacks):
    """The parameters of a rule of attacks; a unit takes part in one attack, and a defender is attacked once, in a phase."""

    by: UnitSelector = Field(
        default=UnitSelector(), description="The units that attack; one without strength in the attack never does"
    )
    against: UnitSelector = Field(
        default=UnitSelector(), description="The enemies that defend; others in a hex don't matter to an attack of it"
    )
    ranges: tuple[AttackRange, ...] = Field(
        default=(), description="The first that fits a unit holds; one that none fits attacks hexes beside it"
    )
    uncrossable: bool = Field(
        default=False, description="Whether attacks are made across hexsides that nobody can cross; from afar always"
    )
    only_across: HexsideSelector | None = Field(
        default=None, description="The hexsides across which alone units beside a hex attack it; absent: all"
    )
    bars: tuple[AttackBar, ...] = Field(default=(), description="Attacks that are forbidden to certain units")
    attackers_together: bool = Field(
        default=False, description="Whether all units of a hex that attack take part in the same attack"
    )
    defenders_together: bool = Field(
        default=True, description="Whether all units of a hex defend as one; otherwise each may be attacked by itself"
    )
    declared: Literal["at_once", "one_by_one"] = Field(
        default="at_once",
        description="Whether all attacks are declared before the first is rolled, or each once it is known what has come of "
        "those before it; plans that react look at it, and positions after attacks that have been declared, not rolled",
    )
    once_paragraph: str = Field(
        default="",
        description="The printed paragraph of that a unit takes part in one attack, and that all who defend a hex are "
        "attacked once, together; empty: the rule's own",
    )
    most_hexes: int = Field(
        default=1, ge=1, le=6, description="How many hexes one attack is against at most; each attacker must reach all"
    )
    must_attack: UnitSelector | None = Field(
        default=None,
        description="The units that must attack if, as the attacks begin, they are in an EZOC and can attack anybody; "
        "absent: nobody must",
    )
    must_be_attacked: UnitSelector | None = Field(
        default=None,
        description="The enemies that must be attacked if, as the attacks begin, a unit is in their ZOC and anybody can "
        "attack them; absent: nobody must be",
    )
    must_paragraph: str = Field(default="", description="The printed paragraph of that; empty: the rule's own")
    phases: Names = Field(default=(), description="The phases after whose moves there are attacks; none named: all")
    odds: Literal["ratio", "difference"] = Field(
        default="ratio", description="What picks the column: attack to defense, or attack less defense"
    )
    columns: tuple[AttackColumn, ...] = Field(
        min_length=1, max_length=50, description="The combat results table, from the worst odds to the best"
    )
    below: Literal["lowest", "forbidden"] = Field(
        default="forbidden", description="What becomes of odds below the first column: it holds, or nobody attacks so"
    )
    dice: int = Field(default=1, ge=1, le=3, description="How many dice are rolled and added up")
    sides: int = Field(default=6, ge=2, le=100, description="How many sides each has")
    factors: tuple[StrengthFactor, ...] = Field(default=(), description="What multiplies strengths")
    rounding: Literal["exact", "down", "up"] = Field(
        default="exact", description="How strengths are rounded to whole numbers after that"
    )
    rounded: Literal["each", "total"] = Field(
        default="each", description="Whether each unit's strength is rounded, or that of each force"
    )
    shifts: tuple[ColumnShift, ...] = Field(
        default=(), description="Column shifts, of odds that the table has already been held to; they end at its edges"
    )
    results: dict[ResultCode, AttackResult] = Field(min_length=1, description="What the results of the table mean")
    losses_first: Literal["weakest", "strongest"] = Field(
        default="weakest",
        description="Which units of a force lose steps first, all that they have; of equals, the first of the scenario",
    )
    retreats: Retreats = Field(default=Retreats(), description="How units retreat")
    advances: Advances | None = Field(default=None, description="How attackers advance; absent: they don't")
    eliminated_to: tuple[Destination, ...] = Field(description="Where eliminated units go; the first that fits holds")

    def range_of(self, unit: Unit) -> AttackRange:
        """Return how far a unit attacks."""
        return next((entry for entry in self.ranges if entry.units.matches(unit)), _BESIDE)

    def without_duties(self) -> Self:
        """Return the rule by which nobody must be attacked, nor attack."""
        return self.model_copy(update={"must_attack": None, "must_be_attacked": None})

    @property
    def sums(self) -> tuple[int, ...]:
        """How many throws of the dice lead to each sum, the lowest first."""
        found = [1]
        for _ in range(self.dice):
            longer = [0] * (len(found) + self.sides - 1)
            for place, ways in enumerate(found):
                for pips in range(self.sides):
                    longer[place + pips] += ways
            found = longer
        return tuple(found)

    def problems(self, rulebook: "Rulebook") -> Iterable[str]:
        """Yield what doesn't fit together in the table, and what needs zones of control that the game doesn't have."""
        yield from super().problems(rulebook)
        asked, other = ("odds", "difference") if self.odds == "ratio" else ("difference", "odds")
        entries = len(self.sums)
        for index, column in enumerate(self.columns):
            if getattr(column, asked) is None or getattr(column, other) is not None:
                yield f"columns[{index}] must have {asked} and no {other}, since {self.odds} picks the column"
            if len(column.results) != entries:
                dice = "a die" if self.dice == 1 else f"{self.dice} dice"
                text = f"{entries} results, one for each sum of {dice} with {self.sides} sides"
                yield f"columns[{index}] must have {text}, not {len(column.results)}"
            for code in dict.fromkeys(column.results):
                if code not in self.results:
                    yield f"columns[{index}] has a result {code!r} that is not among results"
        if any(one.threshold >= next_one.threshold for one, next_one in pairwise(self.columns)):
            yield f"columns must have rising {asked}"
        used = {code for column in self.columns for code in column.results}
        for code, meaning in self.results.items():
            if meaning.exchange is not None and meaning.attackers.steps:
                yield f"results has {code!r}, by which attackers lose steps and exchange: it must be one of them"
            if code not in used:
                yield f"results has {code!r}, which no column has"
        if any(shift.columns == 0 for shift in self.shifts):
            yield "a shift must be by a column at least, not by 0"
        for index, factor in enumerate(self.factors):
            if factor.of == "defense" and (factor.from_hexes is not None or factor.from_afar is not None):
                yield f"factors[{index}] is of defense: from_hexes and from_afar are of attackers alone"
        if (self.must_attack is not None or self.must_be_attacked is not None) and rulebook.lacks(Controls):
            yield "must_attack and must_be_attacked need a rule that says who has a zone of control"


_BESIDE = AttackRange(range=1)
