"""The scenarios that ship with the planner."""

from __future__ import annotations

from pathlib import Path

from families.drafting import Draft, Size

SCENARIOS = Path(__file__).parents[2] / "scenarios"


def names() -> list[str]:
    """Return every scenario of the repository, such as ``dai_senso/manchuria``."""
    return sorted(str(path.relative_to(SCENARIOS).with_suffix("")) for path in SCENARIOS.rglob("*.toml"))


def shipped(size: Size, seed: int) -> Draft:
    """Return a scenario as it stands; seeds make no difference.

    Raises
    ------
    ValueError
        If there is none of that name.
    """
    if size.name not in names():
        raise ValueError(f"there is no scenario {size.name!r} in {SCENARIOS.name}/")
    return Draft((SCENARIOS / f"{size.name}.toml").read_text(encoding="utf-8").rstrip("\n").split("\n"))
