"""The kinds of rules, one file each. A rulebook's rules are instances of these."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from planner.rules.base import Rule
from planner.rules.kinds.allowance import Allowance
from planner.rules.kinds.area_allowance import AreaAllowance
from planner.rules.kinds.battle import Battle
from planner.rules.kinds.bogging import Bogging
from planner.rules.kinds.capture import Capture
from planner.rules.kinds.clearing import Clearing
from planner.rules.kinds.combat_on_entry import CombatOnEntry
from planner.rules.kinds.eligibility import Eligibility
from planner.rules.kinds.entry_restriction import EntryRestriction
from planner.rules.kinds.hex_to_hex import HexToHex
from planner.rules.kinds.joint_overrun import JointOverrun
from planner.rules.kinds.minimum_move import MinimumMove
from planner.rules.kinds.movement_points import MovementPoints
from planner.rules.kinds.obligation import Obligation
from planner.rules.kinds.orders import Orders
from planner.rules.kinds.overrun import Overrun
from planner.rules.kinds.passage import Passage
from planner.rules.kinds.procedures import Procedures
from planner.rules.kinds.reinforcement import Reinforcement
from planner.rules.kinds.reversibility import Reversibility
from planner.rules.kinds.sequence import Sequence
from planner.rules.kinds.stacking import Stacking
from planner.rules.kinds.stop_on_entry import StopOnEntry
from planner.rules.kinds.supply import Supply
from planner.rules.kinds.transport import Transport
from planner.rules.kinds.vacancy import Vacancy
from planner.rules.kinds.zone_of_control import ZoneOfControl

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
