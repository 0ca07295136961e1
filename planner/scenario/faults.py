"""Reads the shape of a scenario file and goes on where it is faulty, so that every fault is found at once."""

from __future__ import annotations

import copy
from typing import Any

from pydantic import ValidationError

from planner.errors import Problem
from planner.scenario.shape import ScenarioFile
from planner.schema import problems_of

UNKNOWN = "?"
"""Stands in for a faulty top-level value."""

_MENDS = {"format": "planner/scenario-1", "model": UNKNOWN, "phase": UNKNOWN, "phasing": UNKNOWN}
"""What stands in for a faulty top-level value, so that the rest can be looked at; the fault has been reported."""

_MOST_ROUNDS = 50
"""Each round takes out every fault that it sees; more than a few mean that nothing sound is left."""


def read_shape(data: dict[str, Any], where: str) -> tuple[ScenarioFile | None, list[Problem]]:
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
    data = copy.deepcopy(data)
    found: list[Problem] = []
    for _ in range(_MOST_ROUNDS):
        try:
            return ScenarioFile.model_validate(data), found
        except ValidationError as error:
            found += [problem for problem in problems_of(error, where) if problem not in found]
            places = [item["loc"] for item in error.errors(include_url=False, include_context=False)]
            mended = {key: mend for key, mend in _MENDS.items() if (key,) in places}
            data.update(mended)
            places = [place for place in places if not place or place[0] not in mended]
            if places and not _prune(data, places):
                break
    return None, found


def ids_in(data: dict[str, Any]) -> set[str]:
    """Return every unit id that the file mentions in its units, however faulty their entries are."""
    entries = data.get("unit")
    if not isinstance(entries, list):
        return set()
    return {e["id"] for e in entries if isinstance(e, dict) and isinstance(e.get("id"), str)}


def _prune(data: dict[str, Any], places: list[tuple[int | str, ...]]) -> bool:
    """Take the innermost table or list item around each faulty place out of the data.

    Returns
    -------
    bool
        Whether anything could be taken out; if not, validating again would only repeat the errors.
    """
    doomed: set[tuple[int | str, ...]] = set()
    for place in places:
        node: Any = data
        reached: list[int | str] = []
        cut: tuple[int | str, ...] | None = None
        for part in place:
            if isinstance(node, dict) and part in node:
                node = node[part]
                reached.append(part)
                if (len(reached) >= 2 and reached[0] == "map") or (len(reached) == 1 and part != "map"):
                    cut = tuple(reached)
            elif isinstance(node, list) and isinstance(part, int) and part < len(node):
                node = node[part]
                reached.append(part)
                cut = tuple(reached)
            elif not isinstance(part, int) and isinstance(node, dict):
                continue  # the tag of a union, or a missing key
            else:
                break
        if cut is None:
            return False
        doomed.add(cut)
    for cut in sorted(
        doomed,
        key=lambda c: [(isinstance(p, int), p if isinstance(p, int) else 0, str(p)) for p in c],
        reverse=True,
    ):
        node = data
        try:
            for part in cut[:-1]:
                node = node[part]
            del node[cut[-1]]
        except (KeyError, IndexError, TypeError):
            continue  # an outer cut took it along
    return bool(doomed)
