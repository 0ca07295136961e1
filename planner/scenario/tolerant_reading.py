"""Reads the shape of a scenario file and goes on where it is faulty, so that every fault is found at once."""

from __future__ import annotations

from planner.errors import Problem
from planner.formats.validation import read_sound
from planner.scenario.shape import ScenarioFile

UNKNOWN = "?"
"""Stands in for a faulty top-level value."""

_MENDS = {"format": "planner/scenario-1", "model": UNKNOWN, "phase": UNKNOWN, "phasing": UNKNOWN}
"""What stands in for a faulty top-level value, so that the rest can be looked at; the fault has been reported."""


def read_shape(data: dict[str, object], where: str) -> tuple[ScenarioFile | None, list[Problem]]:
    """Validate the shape of a scenario; report what is wrong, leave it out, and go on with the rest.

    Parameters
    ----------
    data : dict
        Decoded TOML; left as it is.
    where : str
        What to call the file in messages.

    Returns
    -------
    tuple of ScenarioFile or None and list of Problem
        The sound part, None if there is none, and every fault of the shape.
    """
    found = read_sound(data, where, ScenarioFile, _MENDS, deep=("map",))
    return found.value, list(found.problems)


def ids_in(data: dict[str, object]) -> set[str]:
    """Return every unit id that the file mentions in its units, however faulty their entries are."""
    entries = data.get("unit")
    if not isinstance(entries, list):
        return set()
    return {e["id"] for e in entries if isinstance(e, dict) and isinstance(e.get("id"), str)}
