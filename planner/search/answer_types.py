"""What answers of searches hold as data: the types of what `planner.search.answer_data` makes."""

from __future__ import annotations

from typing import Literal, NotRequired

from pydantic import ConfigDict, with_config
from typing_extensions import TypedDict

from planner.referee.verdict_data import DueData, Exact, StopData, ToldPlanData, ViolationData

SearchStatus = Literal["optimal", "feasible", "infeasible", "unknown"]
"""optimal: proved that no plan is better. feasible: a plan, not proved best. infeasible: proved, twice, or by trying every
plan, that there is none. unknown: nothing found and nothing proved."""


class TermData(TypedDict):
    """What a term of the objective comes to."""

    tier: int
    """Its tier, from 1."""
    kind: str
    what: str
    count: Exact
    weight: int
    """What each one counted is worth, with its sign."""
    worth: Exact
    remarks: list[str]


class BecauseData(TypedDict):
    """What forbids a line of a partial plan."""

    item: str
    because: list[str]


class ConflictData(TypedDict):
    """What of a partial plan can't be had."""

    items: list[str]
    minimal: bool
    """Whether it is proved that each of them is needed."""
    requirements: bool
    """Whether they can't be had because of the scenario's hard requirements."""
    reasons: list[BecauseData]


@with_config(ConfigDict(title="planner/result-1", use_attribute_docstrings=True))
class ResultData(TypedDict):
    """The answer of a search for the best plan."""

    format: Literal["planner/result-1"]
    after: NotRequired[list[str]]
    """What had been made in the phase before; the command line says it."""
    status: SearchStatus
    value: list[Exact]
    """What each tier comes to; empty without a plan."""
    bound: list[Exact]
    """What each tier can come to at best, as far as it is proved."""
    probability: Exact | None
    """The probability that everything goes as it is written; null without a plan."""
    gap: float | None
    """The gap of the first tier that isn't proved; null without a plan."""
    seconds: float
    plan: ToldPlanData | None
    due: NotRequired[DueData]
    """Who must attack, and be attacked, where nothing is said of attacks."""
    terms: list[TermData]
    confirmed: bool
    interrupted: bool
    reason: str
    """Why nothing better was found or proved."""
    fixed_in_advance: bool
    """Whether results are rolled that the plan, fixed in advance, does not react to."""
    conflict: NotRequired[ConflictData]
    """What of a partial plan can't be had; the command line says it."""
    reacting: NotRequired[list[Exact] | None]
    """What plans that react are known to come to; the command line says it where results are rolled."""
    moves: NotRequired[list[str]]
    """The moves as players write them; the engine says them."""


class WayThereData(TypedDict):
    """A hex that a unit can reach."""

    hex: str
    mp: Exact
    path: list[str]
    """The hexes, that of departure first."""
    overruns: list[str]
    must_stop: bool
    stop: list[StopData]
    """Why it must stop there."""
    carried_across: list[str]
    """The naval zones across which it is carried."""
    probability: Exact
    """The probability that it ends there by the plan."""
    plan: list[str]
    """Moves that take it there, helpers' and all."""


class HelpData(TypedDict):
    """What other units do; one of the keys but `by` says what for."""

    friend_in: NotRequired[str]
    """The hex to which they move."""
    vacant: NotRequired[str]
    """The hex which they leave."""
    gone: NotRequired[str]
    """The enemy or the marker that they eliminate."""
    taken: NotRequired[str]
    """The place which they take."""
    joined: NotRequired[str]
    """The hex which they overrun together with the unit, or fight for."""
    obliged: NotRequired[str]
    """The hex from which they move because they have to."""
    by: list[str]


class WayWithHelpData(WayThereData):
    """A hex that a unit can reach with help."""

    help: list[HelpData]


@with_config(ConfigDict(title="planner/reach-1", use_attribute_docstrings=True))
class ReachData(TypedDict):
    """What a unit can reach."""

    format: Literal["planner/reach-1"]
    after: NotRequired[list[str]]
    """What had been made in the phase before; the command line says it."""
    unit: str
    at: str
    """Where it stands."""
    ma: Exact
    """Its movement allowance."""
    may_move: bool
    hindrances: list[ViolationData]
    """Why it may not move."""
    hexes: list[WayThereData]
    """Where it can end by itself, cheapest first."""
    with_help: list[WayWithHelpData]
    """Where else it can end if others move, too, cheapest first."""
    open: list[str]
    """The hexes of which something isn't known."""
    alone: bool
    """Whether help was left out."""


class SubstanceData(TypedDict):
    """What a plan comes to."""

    ends: dict[str, str]
    """By unit that has moved: where it stands."""
    gone: list[str]
    carried: list[str]


class AlternativeData(TypedDict):
    """One of several plans."""

    rank: int
    distance: int | None
    """How much it differs from the nearest of the plans before it; null where that isn't asked for."""
    substance: SubstanceData
    result: ResultData


@with_config(ConfigDict(title="planner/alternatives-1", use_attribute_docstrings=True))
class AlternativesData(TypedDict):
    """The answer of a search for several plans that differ in substance."""

    format: Literal["planner/alternatives-1"]
    after: NotRequired[list[str]]
    """What had been made in the phase before; the command line says it."""
    status: SearchStatus
    """That of the first plan."""
    proved: bool
    exhausted: bool
    """Whether it is proved that there are no others."""
    within: Exact | None
    """How far diverse plans may fall short of the best one; null where diversity isn't asked for."""
    seconds: float
    interrupted: bool
    plans: list[AlternativeData]
    conflict: NotRequired[ConflictData]
    """What of a partial plan can't be had; the command line says it."""
    reacting: NotRequired[list[Exact] | None]
    """What plans that react are known to come to; the command line says it where results are rolled."""
