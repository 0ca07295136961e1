"""What commands answer with --json that has no type elsewhere: the shapes of which schemas are published."""

from __future__ import annotations

from typing import Literal, NotRequired

from pydantic import ConfigDict, Field, with_config
from typing_extensions import TypedDict

from planner.plans.plan_data import AttackData
from planner.plans.policy import NodeFile, PolicyFile
from planner.referee.verdict_data import Exact, ViolationData
from planner.search.answer_types import ConflictData, ReachData, ResultData, SearchStatus


def _titled(name: str) -> ConfigDict:
    return ConfigDict(title=f"planner/{name}-1", use_attribute_docstrings=True)


@with_config(_titled("reach-all"))
class ReachAllData(TypedDict):
    """What every unit can reach."""

    format: Literal["planner/reach-all-1"]
    after: NotRequired[list[str]]
    """What had been made in the phase before."""
    units: list[ReachData]


class EndData(TypedDict):
    """Where a unit is to end."""

    unit: str
    at: list[str]
    """One of these."""


class PartialData(TypedDict):
    """A partial plan."""

    format: Literal["planner/plan-1"]
    moves: list[dict[str, object]]
    """Moves that are made, as plans have them."""
    end: NotRequired[list[EndData]]
    stay: NotRequired[list[str]]
    """Units that make no move."""
    attacks: NotRequired[list[AttackData]]
    """Attacks that are made after the moves."""
    closed: NotRequired[Literal[True]]
    """No others are made than these."""


@with_config(_titled("completion"))
class CompletionData(TypedDict):
    """Whether a partial plan can be completed, and the best way to do so."""

    format: Literal["planner/completion-1"]
    after: NotRequired[list[str]]
    can_be_completed: Literal["yes", "no", "unknown"]
    """Yes, with a plan; no: proved; unknown: neither."""
    partial: PartialData
    conflict: ConflictData | None
    """What of it can't be had."""
    result: ResultData


class AcceptedData(TypedDict):
    """A placement of defenders that is accepted."""

    placement: dict[str, str]
    """Hexes by units."""
    value: list[Exact]
    """What the enemy's best is worth, by tiers; empty where it has none."""
    plan: list[str] | None
    """The enemy's best: its moves, then its attacks, as they are written; null where it has none."""
    confirmed: bool


class RefutationData(TypedDict):
    """An enemy plan, and the placements that it breaks."""

    plan: list[str]
    """Its moves, then its attacks, as they are written."""
    value: list[Exact]
    places: dict[str, list[str | None]]
    """It breaks every placement with each unit in one of these; null: off the map."""
    count: int
    """How many these are."""


@with_config(_titled("defense"))
class DefenseData(TypedDict):
    """Where to place defenders so that the enemy's best is as bad as possible."""

    format: Literal["planner/defense-1"]
    after: NotRequired[list[str]]
    status: str
    """What is proved: holds, best, feasible, fails or unknown."""
    accepted: list[AcceptedData]
    refutations: list[RefutationData]
    rejected: int
    """How many placements these break."""
    broken: list[RefutationData]
    """Where no placement keeps the enemy from its goal: the plans that show it."""
    goal_left_out: bool
    undecided: list[dict[str, str]]
    """Placements of which nothing is known."""
    complete: bool
    """Whether it is proved that there are no others."""
    space: int
    """How many placements there are."""
    searches: int
    seconds: float
    interrupted: bool
    hurried: bool
    """Whether the time ran out before everything was settled."""


class ProblemData(TypedDict):
    """Something that is wrong with a file."""

    what: str
    where: str


class CheckData(TypedDict):
    """Something that is claimed, and what became of it."""

    kind: str
    name: str
    outcome: str
    message: str
    line: int | None
    """Where it stands in the file."""
    rules: list[str]
    violations: list[ViolationData]
    plans: list[list[str]]


class VerifiedData(TypedDict):
    """What became of one file."""

    file: str
    title: str
    model: str
    question: str | None
    outcome: str
    """Bad input, fault, fails, unknown, holds, nothing claimed, or not reached."""
    seconds: float
    interrupted: bool
    problems: list[ProblemData]
    """Why it could not be read."""
    fault: str | None
    """A fault of the planner."""
    checks: list[CheckData]


@with_config(_titled("verification"))
class VerificationData(TypedDict):
    """What became of the claims of several files."""

    format: Literal["planner/verification-1"]
    exit_code: int
    files: list[VerifiedData]


class FaultData(TypedDict):
    """Something that is wrong with a plan that reacts."""

    after: list[str]
    """What has been made when it shows."""
    rule: str
    message: str


@with_config(_titled("policy-verdict"))
class PolicyVerdictData(TypedDict):
    """What the referee says of a plan that reacts."""

    format: Literal["planner/policy-verdict-1"]
    after: NotRequired[list[str]]
    legal: bool
    value: list[Exact]
    """What each tier comes to on average; empty if it isn't legal."""
    faults: list[FaultData]
    false: list[FaultData]
    """Numbers that it says and that aren't so."""
    root: NodeFile | None
    """The plan with its numbers worked out."""


class PolicyAnswer(PolicyFile):
    """A plan that reacts, as a file has it, or as the answer of a search."""

    root: NodeFile | None = Field(description="What is done first; null if no such plan was found")  # type: ignore[assignment]
    status: SearchStatus | None = Field(default=None, description="What is proved; a file need not say it")
    bound: list[Exact] = Field(default_factory=list, description="What each tier comes to at most, whatever is done")
    fixed: list[Exact] = Field(
        default_factory=list,
        description="What the best plan known that is fixed in advance is worth; where the objective looks at attacks after "
        "the moves, what the one that `suggest` gives comes to if nobody advances",
    )
    gap: float | None = Field(default=None, description="The gap of the first tier that isn't proved")
    seconds: float = 0.0
    interrupted: bool = False
    reason: str = Field(default="", description="Why nothing more is proved")
    rule: dict[str, object] | None = Field(
        default=None, description="Where it is cut short: what playing on by asking again comes to, by casting the dice"
    )


class PlaceData(TypedDict):
    """A hex or a box."""

    hex: str
    terrain: str | None
    also: list[str]
    """Other terrain in it."""
    traits: list[str]
    area: str | None
    weather: str | None
    units: list[str]


class NeighbourData(PlaceData):
    """A place beside another."""

    direction: str
    """Where it lies; empty between a box and others."""
    hexside: list[str]
    """What lies between them."""


@with_config(_titled("hex"))
class HexData(PlaceData):
    """What is known of a place."""

    format: Literal["planner/hex-1"]
    neighbours: list[NeighbourData]


class TypeData(TypedDict):
    """A type of units or of markers."""

    name: str
    traits: list[str]


class TerrainData(TypedDict):
    """A kind of terrain."""

    sign: str | None
    """Its sign on maps in files."""
    price: str
    """The MP to enter it."""


class RuleData(TypedDict):
    """A rule of a rulebook."""

    id: str
    kind: str
    paragraph: str


@with_config(_titled("model"))
class ModelData(TypedDict):
    """What a game has; names by ids, unless said otherwise."""

    format: Literal["planner/model-1"]
    model: str
    title: str
    numbering: str
    sides: dict[str, str]
    phases: dict[str, str]
    alliances: list[list[str]]
    """Sides that are no enemies of each other."""
    counter: list[str]
    """The numbers on counters, in their order."""
    unit_types: dict[str, TypeData]
    marker_types: dict[str, TypeData]
    terrain: dict[str, TerrainData]
    hexsides: dict[str, str]
    """The MP to cross them, and what they are while a friend helps."""
    routes: dict[str, str]
    """The MP along roads, rails and the like."""
    unit_traits: dict[str, str]
    hex_traits: dict[str, str]
    weather: dict[str, str]
    flags: dict[str, str]
    rules: list[RuleData]
    scenarios: list[str]
    """The shipped scenarios."""


class StatementData(TypedDict):
    """A statement of printed rules."""

    id: str
    paragraph: str
    rule: str
    """What it says, in our words."""
    kind: str | None
    """The kind of rule that does it."""
    state: str
    why: str | None
    """Why it isn't done, or how else."""


@with_config(_titled("rules"))
class RulesData(TypedDict):
    """Every statement of a game's printed rules with its state."""

    format: Literal["planner/rules-1"]
    model: str
    title: str
    paragraphs: list[StatementData]
    rules: list[RuleData]


@with_config(_titled("game-verdict"))
class GameVerdictData(TypedDict):
    """What the referee says of the record of a game."""

    format: Literal["planner/game-verdict-1"]
    legal: bool
    phases: int
    moves: int
    """Moves and attacks."""
    ended: str
    """How it ended."""


@with_config(_titled("applied"))
class AppliedData(TypedDict):
    """What a batch answers to `apply`."""

    format: Literal["planner/applied-1"]
    legal: bool
    scenario: NotRequired[dict[str, object]]
    """The position afterwards, as a file would hold it."""
    violations: NotRequired[list[ViolationData]]
    """What forbids it."""


class TestData(TypedDict):
    """A sequential test of two players."""

    elo0: float
    elo1: float
    ratio: float
    """The log-likelihood ratio of the two hypotheses, given what was scored."""
    bounds: list[float]
    """Below the first, and above the second, it is decided."""
    decided: Literal["elo0", "elo1"] | None


@with_config(_titled("match"))
class MatchData(TypedDict):
    """Which of two players is the stronger one."""

    format: Literal["planner/match-1"]
    players: list[str]
    games: int
    """Played in pairs, of which each start is played from both sides."""
    different_games: int
    won: int
    """By the first player."""
    drawn: int
    lost: int
    pairs: list[float]
    """What the first player scored in each, from 0 to 1."""
    failed: list[str]
    """Why games couldn't be played."""
    score: NotRequired[list[float]]
    """Of the first player, from 0 to 1: the lower end of its interval, the mean and the upper end, of 95 % confidence."""
    elo: NotRequired[list[float | None]]
    """The same as a difference in Elo; null: no bound."""
    sprt: NotRequired[TestData]


class VariedData(TypedDict):
    """What is varied."""

    place: str
    values: list[int | str]


class VariantData(TypedDict):
    """A variant, and what is found of it."""

    values: list[int | str]
    """Of what is varied, in its order."""
    status: str
    """As searches say it; "bad input", "not reached" and others where there was none."""
    value: list[str]
    """Of the best plan, by tiers, exact; empty: nothing is known."""
    bound: list[str]
    """What no plan exceeds, by tiers."""
    moves: list[str]
    why: str
    """What is wrong with it."""


TipData = TypedDict(
    "TipData", {"place": str, "from": list[int | str], "to": list[int | str], "proved": bool}
)  # the name of a key is one of Python's words


@with_config(_titled("sweep"))
class SweepData(TypedDict):
    """How the best value changes with a scenario."""

    format: Literal["planner/sweep-1"]
    varied: list[VariedData]
    variants: list[VariantData]
    tips: list[TipData]
    """Between which neighbours the best value changes, and whether that is proved."""


ANSWERS: dict[str, type] = {
    "policy": PolicyAnswer,
    "reach-all": ReachAllData,
    "completion": CompletionData,
    "defense": DefenseData,
    "verification": VerificationData,
    "policy-verdict": PolicyVerdictData,
    "hex": HexData,
    "model": ModelData,
    "rules": RulesData,
    "game-verdict": GameVerdictData,
    "applied": AppliedData,
    "match": MatchData,
    "sweep": SweepData,
}
"""By the names of their schemas."""
