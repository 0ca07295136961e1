"""The instances of benchmarks/, for tests that want something large."""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path

from planner.reachability.conditional_reach import ConditionalReach
from planner.reachability.possibility import Possibility

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"
if str(BENCHMARKS) not in sys.path:
    sys.path.append(str(BENCHMARKS))

import families  # noqa: E402

from planner.scenario import Scenario, build_scenario  # noqa: E402


def instance(family: str, size: str, seed: int) -> Scenario:
    """Return an instance of a family."""
    made = families.draft(family, size, seed)
    assert not made.wide, "its rule system would have to lie beside it"
    return build_scenario(tomllib.loads(made.text), f"{family} {size} {seed}")


def front(units: int, seed: int, keys: str = "") -> str:
    """Return a dense front as the text of a scenario file."""
    made = families.draft("dense", f"{units}{keys}", seed)
    assert not made.wide, "its rule system would have to lie beside it"
    return made.text


def list_possibilities(reach: ConditionalReach) -> dict[str, list[Possibility]]:
    """Return every unit's possibilities."""
    return {unit: reach.possibilities(unit) for unit in reach.movers}
