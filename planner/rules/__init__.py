"""The kinds of rules, one file each. A rulebook's rules are instances of these."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from planner.rules.allowance import Allowance
from planner.rules.area_allowance import AreaAllowance
from planner.rules.base import Rule
from planner.rules.battle import Battle
from planner.rules.bogging import Bogging
from planner.rules.capture import Capture
from planner.rules.clearing import Clearing
from planner.rules.combat_on_entry import CombatOnEntry
from planner.rules.eligibility import Eligibility
from planner.rules.entry_restriction import EntryRestriction
from planner.rules.hex_to_hex import HexToHex
from planner.rules.joint_overrun import JointOverrun
from planner.rules.minimum_move import MinimumMove
from planner.rules.movement_points import MovementPoints
from planner.rules.obligation import Obligation
from planner.rules.orders import Orders
from planner.rules.overrun import Overrun
from planner.rules.passage import Passage
from planner.rules.procedures import Procedures
from planner.rules.reinforcement import Reinforcement
from planner.rules.reversibility import Reversibility
from planner.rules.sequence import Sequence
from planner.rules.stacking import Stacking
from planner.rules.stop_on_entry import StopOnEntry
from planner.rules.supply import Supply
from planner.rules.transport import Transport
from planner.rules.vacancy import Vacancy
from planner.rules.zone_of_control import ZoneOfControl

KINDS: tuple[type[Rule], ...] = (
    Eligibility,
    Allowance,
    AreaAllowance,
    Supply,
    Sequence,
    ZoneOfControl,
    Passage,
    HexToHex,
    Transport,
    Procedures,
    MovementPoints,
    Reversibility,
    MinimumMove,
    EntryRestriction,
    Overrun,
    JointOverrun,
    Capture,
    Stacking,
    Orders,
    Vacancy,
    StopOnEntry,
    Clearing,
    Bogging,
    Obligation,
    Battle,
    CombatOnEntry,
    Reinforcement,
)
"""Every kind of rule."""

AnyRule = Annotated[
    Eligibility
    | Allowance
    | AreaAllowance
    | Supply
    | Sequence
    | ZoneOfControl
    | Passage
    | HexToHex
    | Transport
    | Procedures
    | MovementPoints
    | Reversibility
    | MinimumMove
    | EntryRestriction
    | Overrun
    | JointOverrun
    | Capture
    | Stacking
    | Orders
    | Vacancy
    | StopOnEntry
    | Clearing
    | Bogging
    | Obligation
    | Battle
    | CombatOnEntry
    | Reinforcement,
    Field(discriminator="kind"),
]
"""A rule of any kind, told apart by `kind`."""

__all__ = ["KINDS", "AnyRule", "Rule"]
