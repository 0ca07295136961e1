"""The kinds of rules, one file each: whatever kind a file of this folder defines is found, and known everywhere."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pkgutil import iter_modules

from planner.rules.base import Rule

_FIRST = (
    "eligibility", "allowance", "area_allowance", "supply", "sequence", "zone_of_control", "passage", "hex_to_hex",
    "transport", "procedures", "movement_points", "reversibility", "minimum_move", "entry_restriction", "overrun",
    "joint_overrun", "capture", "stacking", "orders", "vacancy", "stop_on_entry", "clearing", "bogging", "obligation",
    "battle", "combat_on_entry", "reinforcement",
)  # fmt: skip
"""The files whose kinds schemas and messages have listed from the start, in this order; others follow by name."""


def _found() -> Iterator[type[Rule]]:
    files = sorted(file.name for file in iter_modules(__path__))
    for name in sorted(files, key=lambda name: _FIRST.index(name) if name in _FIRST else len(_FIRST)):
        module = import_module(f"{__name__}.{name}")
        own = [value for value in vars(module).values() if getattr(value, "__module__", "") == module.__name__]
        yield from (value for value in own if isinstance(value, type) and _is_kind(value))


def _is_kind(value: type) -> bool:
    """Tell whether a class is a kind of rule, not what several have in common."""
    return issubclass(value, Rule) and "kind" in vars(value).get("__annotations__", {})


KINDS: tuple[type[Rule], ...] = tuple(_found())
"""Every kind of rule."""
