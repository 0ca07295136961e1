"""The kinds of rules, one file each: whatever kind a file of this folder defines is found, and known everywhere."""

from __future__ import annotations

from collections.abc import Collection
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import get_args

from planner.rules.base import Rule

_FIRST = (
    "eligibility", "allowance", "area_allowance", "supply", "sequence", "zone_of_control", "passage", "hex_to_hex",
    "transport", "procedures", "movement_points", "reversibility", "minimum_move", "entry_restriction", "overrun",
    "joint_overrun", "capture", "stacking", "orders", "vacancy", "stop_on_entry", "clearing", "bogging", "obligation",
    "battle", "combat_on_entry", "reinforcement",
)  # fmt: skip
"""The files whose kinds schemas and messages have listed from the start, in this order; others follow by name."""


@cache
def _files() -> tuple[str, ...]:
    """Return the names of the files, in the order in which their kinds are listed."""
    files = sorted(file.name for file in iter_modules(__path__))
    return tuple(sorted(files, key=lambda name: _FIRST.index(name) if name in _FIRST else len(_FIRST)))


def kinds(names: Collection[object] | None = None) -> tuple[type[Rule], ...]:
    """Return the kinds of rules with some names; files that are called otherwise aren't loaded.

    Parameters
    ----------
    names : collection, optional
        What rules say that they are; absent: every kind. If a file of that name has no such kind, every kind, too.
    """
    found = tuple(kind for file in _files() if names is None or file in names for kind in _defined_in(file))
    known = {name for kind in found for name in get_args(kind.model_fields["kind"].annotation)}
    return found if names is None or known >= set(names) else kinds()


@cache
def _defined_in(file: str) -> tuple[type[Rule], ...]:
    module = import_module(f"{__name__}.{file}")
    own = [value for value in vars(module).values() if getattr(value, "__module__", "") == module.__name__]
    return tuple(value for value in own if isinstance(value, type) and _is_kind(value))


def _is_kind(value: type) -> bool:
    """Tell whether a class is a kind of rule, not what several have in common."""
    return issubclass(value, Rule) and "kind" in vars(value).get("__annotations__", {})
