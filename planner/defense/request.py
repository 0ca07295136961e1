"""What is asked of a defense, beside what the scenario says or instead of it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from planner.errors import InputError, Problem
from planner.explanation.parse_question import read_goal
from planner.scenario import Scenario, build_scenario

_PLACE = re.compile(
    r"\s*(?P<units>.+?)(?:\s+in\s+(?P<hexes>.+?))?(?:\s+within\s+(?P<within>[0-9]{1,4}))?\s*", re.ASCII | re.DOTALL
)


def as_asked(
    scenario: Scenario,
    place: Sequence[str] = (),
    most: int | None = None,
    require: Sequence[str] = (),
    dashes: str = "--",
) -> Scenario:
    """Return a scenario with what is asked of its defense.

    Parameters
    ----------
    scenario : Scenario
        The position.
    place : sequence of str
        Who may be placed where, such as ``"hq"``, ``"hq a in w5427 w5428"`` or ``"hq within 2"``; absent: as the
        scenario says.
    most : int, optional
        How many are placed at most; absent: as the scenario says.
    require : sequence of str
        The enemy's goals, as `planner.explanation.parse_question.read_goal` has them; absent: as the scenario says.
    dashes : str
        What stands before these names where they are written: nothing in Python.

    Raises
    ------
    InputError
        With every problem.
    """
    found = scenario
    problems: list[Problem] = []
    try:
        found = _placing(scenario, place, most, dashes)
    except InputError as error:
        problems += error.problems
    goals = []
    for text in require:
        try:
            goals.append(read_goal(found, text))
        except InputError as error:
            problems += error.problems
    if problems:
        raise InputError(problems)
    return replace(found, requirements=tuple(goals)).contesting(goals) if goals else found


def _placing(scenario: Scenario, place: Sequence[str], most: int | None, dashes: str) -> Scenario:
    """Return a scenario in which these may be placed, and so many."""
    if place or most is not None:
        if not place and scenario.defense is None:
            raise InputError([Problem(f"must come with {dashes}place: the scenario has no defense", f"{dashes}most")])
        defense: dict[str, object] = dict(scenario.data.get("defense", {}))
        if place:
            defense["place"] = [_entry(text, f"{dashes}place") for text in place]
        if most is not None:
            defense["most"] = most
        data = {**scenario.data, "defense": defense}
        said = " and ".join(
            f"{dashes}{name}" for name, given in (("place", place), ("most", most is not None)) if given
        )
        return replace(build_scenario(data, f"{scenario.where} with {said}", scenario.beside), where=scenario.where)
    return scenario


def _entry(text: str, name: str) -> dict[str, object]:
    match = _PLACE.fullmatch(text)
    if match is None:
        what = 'must look like "hq", "hq in w5427 w5428" or "hq within 2"'
        raise InputError([Problem(what, f"{name} {text[:80]!r}")])
    entry: dict[str, object] = {"units": match["units"].replace(",", " ").split()}
    if match["hexes"]:
        entry["hexes"] = match["hexes"].replace(",", " ").split()
    if match["within"]:
        entry["within"] = int(match["within"])
    return entry
