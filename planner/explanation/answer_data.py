"""Explanations as data: what `to_dict` of an explanation and of its parts returns, ``planner/explanation-1``."""

from __future__ import annotations

from typing import Literal, NotRequired

from pydantic import ConfigDict, with_config
from typing_extensions import TypedDict

from planner.explanation.answer import ChangeKind, ExplanationStatus, Help, Kind
from planner.explanation.claim import ClaimKind
from planner.explanation.unnamed import UnnamedData
from planner.referee.verdict_data import Exact, ToldAttackData


class ScopeData(TypedDict):
    """Where a rule is in force."""

    rule: str
    """Its id."""
    unit: str | None
    """The unit that it binds, or "*"; null for what concerns a hex as a whole."""
    hexes: list[str] | None
    """The hexes; null: everywhere."""
    pays: bool
    """Whether it is about what the unit pays for its steps."""


class ClaimData(TypedDict):
    """What a sentence says, in a form that the referee can judge."""

    kind: ClaimKind
    way: list[str]
    """The moves that show it, with the attack that is asked about."""
    left: NotRequired[Exact]
    """Of a step that can't be paid: the MP that remain."""
    cost: NotRequired[Exact]
    """Of a step that can't be paid: what it costs."""
    in_force: list[ScopeData] | None
    """What alone is in force where the sentence says that all else is allowed; null: the board as it is."""
    amounts: dict[str, Exact]
    """What else the sentence names. found: what there is; most: what is counted comes to no more, or mustn't; needed: what
    it would have to come to, absent where no amount would do; more: what it lacks; full: what all of it would be; tier_1 and
    so on: what the tiers before come to; attack, defense: strengths; mp: what a unit has to spend."""
    units: list[str]
    """The units whose strengths are counted."""


class InstanceData(TypedDict):
    """A rule where it binds: for one unit, in one hex."""

    rule: str
    """The id of the rule in the rulebook."""
    paragraph: str
    """The printed paragraph."""
    unit: str | None
    """The unit that it binds; null for what concerns a hex as a whole, or all units."""
    hex: str | None
    """The hex; null where it binds the unit everywhere."""
    blame: list[str]
    """The units that stand in the way."""
    move: int | None
    """The index of the move, from 0, where moves are explained."""
    step: int | None
    """The index of the hex in the path of the move."""
    message: str
    claim: ClaimData


class ReasonData(TypedDict):
    """Rule instances that together forbid what is asked about."""

    instances: list[InstanceData]
    confirmed: bool
    """Whether two independent checks say that they forbid it."""
    minimal: bool
    """Whether each one is needed."""
    before_attacks: bool
    """Whether it is what forbade it before attacks were declared: `claim`s are judged as if none had been."""


class ChangeData(TypedDict):
    """One thing that would have to be different."""

    kind: ChangeKind
    what: str
    amount: NotRequired[Exact]
    """How much of it, where it can be counted."""
    detail: NotRequired[str]


class RemedyData(TypedDict):
    """Something that would make possible what is asked about."""

    sentence: str
    own: bool
    """Whether it is something that the side itself can do."""
    moves: list[str]
    """What other units do."""
    elsewhere: list[str]
    """Where one move of others is all: moves of the same units to other hexes, each of which would do as well."""
    changes: list[ChangeData]
    """What would have to be different."""
    plan: list[str]
    """What is legal then."""
    fewest: bool
    """Whether fewer moves of others, or fewer changes, are proved not to do."""


class FightOddsData(TypedDict):
    """The odds at which a hex is fought for."""

    hex: str
    attack: Exact
    defense: Exact


class RaiseData(TypedDict):
    """How much stronger attackers would have to be for a better column."""

    hex: str
    more: Exact
    """Strength of attack, as the odds count it."""
    column: str
    probability: Exact
    """That the fight succeeds then."""


class JoiningData(TypedDict):
    """A unit that isn't in a plan and could join a fight."""

    hex: str
    unit: str
    plan: list[str]
    odds: list[Exact] | None
    """Strengths of attack and defense then."""
    probability: Exact


class ChanceData(TypedDict):
    """A legal plan by which a unit may get where it can't be sure to get."""

    plan: list[str]
    probability: Exact
    odds: list[FightOddsData]
    best: bool
    """Whether no plan of the unit alone, or of all units, has a greater probability: proved."""
    helped: bool
    """Whether others take part."""
    raises: list[RaiseData]
    """How much stronger the attackers would have to be for better columns."""
    joining: list[JoiningData]
    """Units that aren't in the plan and could join the fights."""


class AttackOddsData(TypedDict):
    """What an attack comes to, and what would raise its odds."""

    told: list[ToldAttackData]
    """As it is asked about, where it is possible; else as each of the remedies makes it, in their order."""
    lacking: InstanceData | None
    """What it lacks for the next better column, where it is possible; null: there is none, or nobody moves any more."""
    raising: list[RemedyData]
    """How others come up and join, or how the attackers go elsewhere, so that it reaches that column."""
    settled: bool
    """Whether nothing is open: it is known how that column is reached, or that nothing that the side does reaches it."""


@with_config(ConfigDict(title="planner/explanation-1", use_attribute_docstrings=True))
class ExplanationData(TypedDict):
    """Why something can't be had, and what would help."""

    format: Literal["planner/explanation-1"]
    after: NotRequired[list[str]]
    """What had been made in the phase before; the command line says it."""
    kind: Kind
    question: str
    status: ExplanationStatus
    plan: list[str] | None
    """The moves that are asked about, or, where something can be had, how."""
    reasons: list[ReasonData]
    """Each by itself is enough to forbid it."""
    remedies: list[RemedyData]
    """Cheapest first."""
    beside_own: UnnamedData
    """What isn't named beside what the side can do itself."""
    beside_changes: UnnamedData
    """What isn't named beside what would have to be different."""
    help: Help
    """Whether other units' moves make it possible."""
    chances: list[ChanceData]
    """Of a destination: how the unit may get there if rolls go well, where it can't be sure to."""
    chances_known: bool
    """Of a destination: whether it is known if the unit may get there; false if the time ran out before that."""
    reacting: ChanceData | None
    """Of a destination to which no plan takes it that is fixed in advance: how it may get there if each move waits for what
    those before it bring."""
    hexes: list[str]
    """Every hex that a reason names."""
    units: list[str]
    """Every unit that a reason binds, or blames."""
    rules: list[str]
    """Every printed paragraph that a reason cites."""
    complete: bool
    """Whether everything was settled."""
    hurried: bool
    """Whether the time limit cut anything short; what else is open was given up after some amount of work."""
    interrupted: bool
    attempt: list[str] | None
    """Where not everything is settled: a plan that would do what is asked if it were legal."""
    obstacles: list[InstanceData]
    """What that plan breaks."""
    due: list[str]
    """Of an attack: who must still attack, or be attacked, after it or the first of the remedies; that is left aside."""
    odds: AttackOddsData | None
    """Of an attack: what it comes to, and what would raise that."""
    seconds: float
