"""The shape of a scenario file."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Annotated, Literal

from pydantic import (
    BeforeValidator,
    ConfigDict,
    Field,
    GetJsonSchemaHandler,
    WithJsonSchema,
    model_validator,
)
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from planner.formats.hex_lists import STRINGS, Chains, Labels
from planner.formats.ids import BOX_ID
from planner.formats.mp import MP
from planner.formats.probability import Probability
from planner.formats.spoken_numbers import Number
from planner.formats.table import Table, UnitId
from planner.objective import AnyTerm, Tier
from planner.plans.lines import lines_of
from planner.world.barriers import Barrier
from planner.world.selectors import HexSelector, Names

MOST_UNITS = 5_000
LARGEST_DENOMINATOR = 1_000

Text = Annotated[str, Field(max_length=4_000)]
BoxId = Annotated[str, Field(pattern=rf"^{BOX_ID}$")]


def _bare_terrain(value: object) -> object:
    return {"terrain": value} if isinstance(value, str) else value


def _split_rows(value: object) -> object:
    return value.strip("\n").split("\n") if isinstance(value, str) else value


class HexEntry(Table):
    """A hex of the map."""

    terrain: str | None = Field(default=None, description="Its terrain; absent: that of the rows")
    also: Names = Field(default=(), description="Further terrain that it shows")
    traits: Names = Field(default=(), description="City, port, fortress and the like")
    area: str = Field(default="", max_length=60, description="Its country or region")


class _OrBareTerrain:
    """Tells in the schema that a text may stand for a hex, too."""

    def __get_pydantic_json_schema__(self, _: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        return {"anyOf": [{"type": "string"}, HexEntry.model_json_schema()]}


class BoxEntry(Table):
    """An off-map box in which units can be."""

    name: str = Field(default="", max_length=120, description="What players call it")
    traits: Names = Field(default=(), description="A port, and the like")
    adjacent: Names = Field(
        default=(),
        description="The boxes, and the hexes of the map's edge, to which it is adjacent; one of two boxes needs to say it",
    )
    area: str = Field(default="", max_length=60, description="Its country or region")


class MapSection(Table):
    """The map: rows of text, listed hexes, or both."""

    origin: str | None = Field(default=None, description="The label of the first cell of the first row")
    rows: Annotated[tuple[str, ...], BeforeValidator(_split_rows), WithJsonSchema(STRINGS)] = Field(
        default=(),
        max_length=2_000,
        description="One string with a line for each row from the top of the map down, or a list of rows. "
        "A sign a hex; spaces are passed over; _ is no hex. A row may begin with the label of its first cell and a colon",
    )
    legend: dict[Annotated[str, Field(min_length=1, max_length=1)], str] = Field(
        default_factory=dict, description="Terrain by sign, beside the signs of the game's terrain chart"
    )
    hexes: dict[
        str,
        Annotated[HexEntry, BeforeValidator(_bare_terrain), _OrBareTerrain()],
    ] = Field(default_factory=dict, description="By label, or by labels with spaces: a terrain, or a table")
    hexsides: dict[str, Chains] = Field(
        default_factory=dict,
        description="Roads, rails, rivers: chains of hexes, whose common hexsides are meant",
    )
    areas: dict[str, Labels] = Field(default_factory=dict, description="Countries and regions: their hexes")
    boxes: Annotated[dict[BoxId, BoxEntry], Field(max_length=1_000)] = Field(
        default_factory=dict, description="Off-map boxes, by id"
    )
    zones: dict[BoxId, Labels] = Field(
        default_factory=dict, description="Naval zones: the ports, beaches and boxes that touch each"
    )


class ArrivalEntry(Table):
    """When and where a reinforcement enters."""

    turn: int = Field(ge=0, le=10_000, description="The turn")
    at: str = Field(description="The hex")


class UnitEntry(Table):
    """A unit."""

    id: UnitId = Field(description="By which plans and verdicts call it")
    name: str = Field(default="", max_length=120, description="What players call it; absent: its id")
    side: str = Field(description="Its side")
    type: str = Field(description="Its type")
    nationality: Names = Field(default=(), description="Its nationality; a list of those of a multi-national unit")
    values: str | None = Field(
        default=None,
        max_length=120,
        description='The printed values, such as "3-3-1"; of a counter that is turned when it loses a step those of each '
        'side, with a step less each, such as "3-3-1, 2-2-1"',
    )
    attack: MP | None = Field(default=None, description="Attack strength, where values doesn't give it")
    defense: MP | None = Field(default=None, description="Defense strength, where values doesn't give it")
    ma: MP | None = Field(default=None, description="Movement allowance, where values doesn't give it")
    steps: int | None = Field(
        default=None, ge=1, le=100, description="Steps; absent: as many as values has sides, or 1"
    )
    traits: Names = Field(default=(), description="Traits beyond those of its type")
    at: str | None = Field(default=None, description="The hex in which it stands, or the box of the map")
    box: str | None = Field(default=None, max_length=60, description="The box in which it is, off the map")
    supplied: bool | None = Field(
        default=None,
        description="Whether it is supplied; absent: a phasing unit's supply line decides, an enemy is supplied",
    )
    support_range: int | None = Field(default=None, ge=0, le=1000, description="How far its support reaches, in hexes")
    arrives: ArrivalEntry | None = Field(default=None, description="When and where it enters as a reinforcement")
    size: int | str | None = Field(
        default=None, description="What it counts towards stacking limits: a number or a size; absent: that of its type"
    )
    steps_made: dict[str, Annotated[int, Field(ge=0, le=1000)]] = Field(
        default={},
        description="How many steps it has made in earlier phases of the turn that rules, by their ids, limit in a turn",
    )


class MarkerEntry(Table):
    """A marker."""

    type: str = Field(description="Its type")
    side: str = Field(description="Its side")
    at: str | None = Field(default=None, description="The hex, or the box of the map, in which it lies")
    zone: str | None = Field(default=None, description="The naval zone in whose box it is, instead of a hex")
    used: bool = Field(default=False, description="Whether it has been used up for this phase")
    id: UnitId | None = Field(default=None, description="By which plans and verdicts call it; absent: type and place")
    nationality: str = Field(default="", description="Its nationality")
    facing: str | None = Field(default=None, description="The neighbouring hex towards which it faces")


class CountrySection(Table):
    """What is so of a country in this scenario, where it differs from the game's chart."""

    side: str | None = Field(default=None, description="The side to which it belongs; empty: to none")
    dependent_of: str | None = Field(default=None, description="The country whose dependent it is; empty: of none")
    capital: str | None = Field(default=None, description="The hex of its capital")
    status: Names = Field(default=(), description="What is in force in it")
    traits: Names = Field(default=(), description="Traits beyond those of the chart")


class RestrictionEntry(Barrier):
    """Something that keeps units out of hexes by a rule that leaves it to scenarios."""

    rule: str = Field(description="The id of the rule under which it does")


class VerdictEntry(Table):
    """Moves with the verdict that the rulebook, or the author, gives on them."""

    moves: Annotated[list[str], Field(max_length=200)] = Field(
        description="The moves, as players write them; none: nobody moves"
    )
    legal: bool = Field(description="Whether they are legal, all of them")
    rule: str | None = Field(default=None, description="The paragraph that forbids them")
    unit: str | None = Field(default=None, description="The unit that breaks it")
    at: str | None = Field(default=None, description="The hex where it does")
    blame: tuple[str, ...] = Field(default=(), description="The units to blame")
    dice: tuple[int, ...] = Field(default=(), description="How many dice are rolled for each hex of the last move")
    value: tuple[Number, ...] = Field(
        default=(), description="What the plan is worth, a number for each tier; averages where results are rolled"
    )
    probability: Probability | None = Field(
        default=None, description="The probability that all of the plan goes through"
    )
    results: Annotated[dict[str, Probability], Field(max_length=200)] = Field(
        default_factory=dict,
        description="What comes of it: the probability of each goal, which is written as in questions",
    )
    why: Text = Field(default="", description="The reason in words")

    @model_validator(mode="after")
    def _claims_what_can_be(self) -> "VerdictEntry":
        wrong = []
        if not self.legal and (self.value or self.probability is not None or self.results or self.dice):
            wrong.append("value, probability, results and dice must be given only of moves that are legal")
        if self.legal and (self.blame or any(one is not None for one in (self.rule, self.unit, self.at))):
            wrong.append("rule, unit, at and blame must be given only of moves that are illegal")
        if self.dice and not self.moves:
            wrong.append("dice must be given only where there are moves")
        if wrong:
            raise ValueError("; ".join(wrong))
        return self


class HintEntry(Table):
    """A hint: what some solution of a puzzle has in it."""

    moves: Annotated[list[str], Field(min_length=1, max_length=200)] = Field(
        description="Moves, destinations and units that stay, as players write a partial plan"
    )
    text: Text = Field(default="", description="The hint in words")


class DoneEntry(Table):
    """A move, or an attack after all moves, that has been made in the phase, with what was rolled."""

    move: Annotated[str, Field(max_length=4_000)] = Field(
        description="The move, or the attack, as players write it: what doesn't say that it has failed, has gone through; "
        "an attack without a result is declared, and still to be rolled; 'no other attacks': no others have been"
    )


class AdaptiveEntry(Table):
    """What is claimed of plans that react to what is rolled."""

    value: tuple[Number, ...] = Field(
        default=(), description="What the best way of playing is worth on average, a number for each tier"
    )
    least: tuple[Number, ...] = Field(
        default=(), description="What some way of playing is worth at least on average: numbers for the first tiers"
    )
    policy: Annotated[str, Field(max_length=1_000)] | None = Field(
        default=None, description="A file of the author's way of playing, planner/policy-1: its path from this file"
    )

    @model_validator(mode="after")
    def _claims_one_thing(self) -> "AdaptiveEntry":
        if bool(self.value) == bool(self.least):
            raise ValueError("either value or least must be given")
        return self


class AnswerEntry(Table):
    """What a search must find: the question that the scenario asks as a puzzle, and the answer that is claimed."""

    question: Literal["best", "reach", "shortest", "impossible"] | None = Field(
        default=None,
        description="best: what is the best value? reach: how is the goal reached? shortest: with how few units that "
        "move? impossible: why can't it be reached? Absent: impossible where the status is infeasible, best otherwise",
    )
    status: Literal["optimal", "infeasible"] = Field(default="optimal", description="What a search must prove")
    value: tuple[Number, ...] = Field(default=(), description="The value of each tier, of the best plan")
    goal: tuple[Number, ...] = Field(
        default=(), description="What each tier must come to at least, beside the hard requirements"
    )
    length: int | None = Field(
        default=None, ge=0, le=MOST_UNITS, description="The number of units that move in a shortest solution"
    )
    unique: bool | None = Field(
        default=None, description="Whether the solution is the only one in substance; absent: nothing is claimed"
    )
    solutions: int | None = Field(
        default=None,
        ge=1,
        le=1_000,
        description="How many solutions there are in substance; absent: nothing is claimed",
    )
    moves: list[str] = Field(
        default=[],
        description="A plan that reaches it: the author's solution; [] is that nobody moves, absent: none is given",
    )
    order: bool | None = Field(
        default=None,
        description="Whether the solution's moves do it in their order alone; absent: nothing is claimed",
    )
    hints: tuple[HintEntry, ...] = Field(default=(), max_length=100, description="Hints towards it")
    adaptive: AdaptiveEntry | None = Field(
        default=None, description="What is claimed of plans that react to what is rolled; absent: nothing"
    )
    why: Text = Field(default="", description="How it was worked out")

    @property
    def asks(self) -> str:
        """The question, also where it isn't written down."""
        return self.question or ("impossible" if self.status == "infeasible" else "best")

    @model_validator(mode="after")
    def _fits_the_question(self) -> "AnswerEntry":
        if wrong := "; ".join(self._contradictions()):
            raise ValueError(wrong)
        return self

    def _contradictions(self) -> Iterator[str]:
        asks = self.asks
        if self.status == "infeasible" and asks != "impossible":
            yield f'an infeasible status answers the question "impossible", not "{asks}"'
        if asks == "impossible" and (self.moves or self.unique is not None or self.solutions is not None):
            yield "what is impossible must have neither moves nor a unique solution, nor a number of them"
        if self.solutions is not None and self.unique not in (None, self.solutions == 1):
            yield "solutions must be 1 exactly where unique is true"
        if self.order is not None and len(lines_of(self.moves)) < 2:
            yield "order must be given only where the solution has several moves"
        if (asks == "shortest") != (self.length is not None):
            yield 'length must be given exactly where the question is "shortest"'
        if asks != "best" and self.value:
            yield f'a value must be given only where the question is "best", not "{asks}"'
        if asks == "best" and self.goal:
            yield 'a goal must not be given where the question is "best"'


class PlacementEntry(Table):
    """Units of the other sides that may be placed, or moved, before the phase, and where."""

    units: Names = Field(min_length=1, max_length=MOST_UNITS, description="The units: on the map, or in a box off it")
    hexes: Labels = Field(default=(), description="Where each of them may stand; absent: anywhere")
    where: HexSelector = Field(default=HexSelector(), description="Which of these hexes, by terrain and traits")
    within: int | None = Field(
        default=None, ge=0, le=1_000, description="So many hexes at most from where it stands; absent: any distance"
    )


class DefenseSection(Table):
    """What `planner defend` may place."""

    most: int | None = Field(
        default=None, ge=0, le=MOST_UNITS, description="So many units at most are placed, or moved; absent: all"
    )
    tiers: int = Field(
        default=1, ge=1, le=20, description="How many tiers count where the enemy's best is to be as bad as possible"
    )
    place: Annotated[tuple[PlacementEntry, ...], Field(min_length=1, max_length=1_000)] = Field(
        description="Which units, and where"
    )
    unit: Annotated[tuple[UnitEntry, ...], Field(max_length=MOST_UNITS)] = Field(
        default=(), description="Units for the defense alone: off the map until they are placed, and nowhere else"
    )

    @model_validator(mode="after")
    def _has_units_off_the_map(self) -> "DefenseSection":
        if any(entry.at is not None or entry.box is not None for entry in self.unit):
            raise ValueError("units for the defense alone must have neither at nor box")
        return self


class SideObjective(Table):
    """What a side wants in its own phases."""

    tier: Annotated[tuple[Tier, ...], Field(max_length=20)] = Field(
        default=(), description="The objective, first tier first"
    )
    require: Annotated[tuple[AnyTerm, ...], Field(max_length=1_000)] = Field(
        default=(), description="Hard requirements"
    )


class VictorySection(Table):
    """Who has won when the game is over: a side that holds places of so many points, or the other one."""

    side: str = Field(description="The side whose points are counted")
    points: Annotated[dict[str, Annotated[int, Field(ge=0, le=10_000)]], Field(max_length=1_000)] = Field(
        description="By hex: what it counts for the side that holds it"
    )
    wins_with: int = Field(ge=0, description="With so many points, or more, the side has won")
    loses_with: int = Field(ge=0, description="With so many, or fewer, the other side has")


class ScenarioFile(Table):
    """A scenario file."""

    model_config = ConfigDict(title="planner/scenario-1")

    format: Literal["planner/scenario-1"]
    model: str = Field(description="The game: a model of the planner, or the path of a folder, with a slash in it")
    title: str = Field(default="", max_length=200)
    description: Text = ""
    source: Text = Field(default="", description="Where it comes from: a paragraph, an author")
    phase: str = Field(description="The phase that is played")
    phasing: str = Field(description="The side whose phase it is")
    flags: Names = Field(default=(), description="What is in force besides")
    charts: dict[str, object] = Field(
        default_factory=dict,
        description="What holds in this scenario otherwise than in the game: by chart of the model (terrain, sides "
        "and so on), or rules by their ids, the parameters that differ. Tables are laid over the game's, lists replace them",
    )
    map: MapSection
    unit: Annotated[tuple[UnitEntry, ...], Field(max_length=MOST_UNITS)] = ()
    marker: Annotated[tuple[MarkerEntry, ...], Field(max_length=MOST_UNITS)] = ()
    weather: dict[str, Labels] = Field(
        default_factory=dict, description='Weather: the hexes that have it, or "everywhere"'
    )
    turn_weather: dict[str, tuple[Annotated[int, Field(ge=0, le=10_000)], ...]] = Field(
        default_factory=dict,
        description="By weather: the turns on which all hexes have it of which `weather` says nothing",
    )
    control: dict[str, Labels] = Field(
        default_factory=dict,
        description="By side: the places that it holds. Others are those of the units there, or of their country's side",
    )
    country: Annotated[dict[BoxId, CountrySection], Field(max_length=1_000)] = Field(
        default_factory=dict, description="Countries, where they differ from the game's chart"
    )
    margin: int | str = Field(
        default=0,
        description='How much more support of the defenders each overrun must survive: a number, or "all" that is in range',
    )
    confidence: Probability = Field(
        default=Fraction(1),
        description="The probability from which on later moves may rely on a result that is rolled; absent: they may not",
    )
    turn: int | None = Field(default=None, ge=0, le=10_000, description="The turn, where a schedule asks for it")
    last_turn: int | None = Field(default=None, ge=0, le=10_000, description="The turn after which the game is over")
    victory: VictorySection | None = Field(default=None, description="Who has won after the last turn")
    orders: dict[str, Annotated[int, Field(ge=0, le=MOST_UNITS)]] = Field(
        default_factory=dict, description="By section of the board, a hex trait: how many units may be ordered in it"
    )
    restriction: Annotated[tuple[RestrictionEntry, ...], Field(max_length=1_000)] = Field(
        default=(), description="What is forbidden beyond the rulebook, by rules that leave it to scenarios"
    )
    supply: dict[str, Labels] = Field(default_factory=dict, description="By side: the hexes where supply lines end")
    tier: Annotated[tuple[Tier, ...], Field(max_length=20)] = Field(
        default=(), description="The objective, first tier first"
    )
    require: Annotated[tuple[AnyTerm, ...], Field(max_length=1_000)] = Field(
        default=(), description="Hard requirements"
    )
    objective: dict[BoxId, SideObjective] = Field(
        default_factory=dict, description="By side: what it wants in its own phases, instead of tier and require"
    )
    defense: DefenseSection | None = Field(
        default=None, description="Units of the other sides that may be placed so that the goal can't be had"
    )
    done: Annotated[tuple[DoneEntry, ...], Field(max_length=2_000)] = Field(
        default=(), description="The moves that have been made in the phase before what is asked, in their order"
    )
    verdict: tuple[VerdictEntry, ...] = Field(default=(), description="Moves whose verdicts are known")
    answer: AnswerEntry | None = Field(default=None, description="What a search must find")
