"""Variants of a scenario: what is varied, and a scenario file's content for each combination."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from itertools import product
from typing import Any

from planner.errors import InputError, Problem
from planner.rules.rulebook import Rulebook
from planner.scenario import Scenario
from planner.world.forces import sides_of

MOST_VARIANTS = 10_000
"""So many variants of one scenario at most."""

DRY = "dry"
"""What is called so has no weather of those in the charts, unless one of these is called so."""

_TOO_MANY = f"must make {MOST_VARIANTS:,} variants at most, not {{:,}}"

_NUMBER = re.compile(r"-?[0-9]{1,15}")
_RANGE = re.compile(r"(-?[0-9]+)\.\.(-?[0-9]+)(?::([0-9]+))?")

Value = int | str
Data = dict[str, Any]


@dataclass(frozen=True)
class Varied:
    """Something that is varied.

    Attributes
    ----------
    place : str
        Where it stands in the file: ``turn``, ``units.tank.at``; ``units.tank.count`` is how many such units there are, and
        ``weather`` which one there is everywhere, ``dry`` being none.
    values : tuple of int or str
        What stands there, in turn.
    """

    place: str
    values: tuple[Value, ...]


def read_varied(text: str) -> Varied:
    """Read something that is varied, such as ``units.tank.attack=3..8`` or ``weather=dry,mud``.

    Raises
    ------
    InputError
        If it isn't written so.
    """
    place, _, told = text.partition("=")
    values: list[Value] = []
    where = f"--vary {text[:60]!r}"
    for part in told.split(","):
        match = _RANGE.fullmatch(part.strip())
        if match is None and ".." not in part:
            values.append(int(part) if _NUMBER.fullmatch(part.strip()) else part.strip())
            continue
        if match is None:
            values.append("")  # what can't be meant isn't left out
            continue
        if not all(_NUMBER.fullmatch(number) for number in match.groups(default="1")):
            raise InputError([Problem("a number must have at most 15 digits", where)])
        first, last, step = int(match[1]), int(match[2]), int(match[3] or 1)
        number = 1 + abs(last - first) // step if step else 0
        if not 0 < number <= MOST_VARIANTS:
            raise InputError([Problem(_TOO_MANY.format(number) if step else "a step must be at least 1", where)])
        values += range(first, last + (1 if last >= first else -1), step if last >= first else -step)
    if not re.fullmatch(r"\w+(\.\w+)*", place.strip()) or not told.strip() or "" in values or not values:
        what = 'must look like "units.tank.attack=3..8" or "weather=dry,mud"'
        raise InputError([Problem(what, where)])
    return Varied(place.strip(), tuple(dict.fromkeys(values)))


def variants_of(scenario: Scenario, varied: Sequence[Varied]) -> Iterator[tuple[tuple[Value, ...], Data]]:
    """Yield each combination of values, the last one varying fastest, with what a file of that variant would hold.

    Raises
    ------
    InputError
        If there is nothing of that name, or there are too many combinations.
    """
    number = 1
    for one in varied:
        number *= len(one.values)
    if number > MOST_VARIANTS:
        raise InputError([Problem(_TOO_MANY.format(number), "--vary")])
    for values in product(*(one.values for one in varied)):
        data = scenario.to_dict()
        for key in ("verdict", "answer"):  # they speak of the scenario as it was
            data.pop(key, None)
        for one, value in zip(varied, values, strict=True):
            _set(data, one.place, value, scenario.game.rulebook)
        yield values, data


def _set(data: Data, place: str, value: Value, rulebook: Rulebook) -> None:
    """Let something stand in a place."""
    where, parts = f"--vary {place}", place.split(".")
    if parts[0] in ("unit", "units"):
        if len(parts) != 3:
            raise InputError([Problem("must name a unit and what of it: units.tank.attack", where)])
        _set_unit(data, parts[1], parts[2], value, rulebook)
        return
    if place == "weather":  # everywhere, whatever it is on which turn
        data.pop("turn_weather", None)
        none = value == DRY and DRY not in rulebook.known("weather")
        data["weather"] = {} if none else {str(value): "everywhere"}
        return
    table: object = data
    for part in parts[:-1]:
        if isinstance(table, list) and part.isdigit() and int(part) < len(table):
            table = table[int(part)]
        elif isinstance(table, dict):
            table = table.setdefault(part, {})
        else:
            raise InputError([Problem(f"there is no {part!r}", where)])
    if isinstance(table, list) and parts[-1].isdigit() and int(parts[-1]) < len(table):
        table[int(parts[-1])] = _as_written(value)
    elif isinstance(table, dict):
        table[parts[-1]] = _as_written(value)
    else:
        raise InputError([Problem(f"there is no {parts[-1]!r}", where)])


def _as_written(value: Value) -> Value:
    """Return a value as files have it: what is true or false is no text there."""
    return {"true": True, "false": False}.get(value, value) if isinstance(value, str) else value


def _set_unit(data: Data, id_: str, key: str, value: Value, rulebook: Rulebook) -> None:
    """Change a key of a unit's entry, a part of its printed values, or how many of it there are."""
    where, units = f"--vary units.{id_}.{key}", data.get("unit", [])
    entry = next((entry for entry in units if entry["id"] == id_), None)
    if entry is None:
        raise InputError([Problem(f"no unit has the id {id_!r}", where)])
    if key == "count":
        if not isinstance(value, int) or not 0 <= value <= 100:
            raise InputError([Problem(f"must be a whole number from 0 to 100, not {value!r}", where)])
        index = units.index(entry)
        units[index : index + 1] = [
            {**deepcopy(entry), "id": id_ if number == 0 else f"{id_}_{number + 1}"} for number in range(value)
        ]
        return
    printed = list(rulebook.forces.counter)
    for name in ("attack", "defense") if key == "strength" and "strength" not in printed else (key,):
        if "values" in entry and name in printed:
            sides, up = sides_of(entry["values"], entry.get("steps"))
            told = sides[up].split("-")
            told[printed.index(name)] = str(value)
            sides[up] = "-".join(told)
            entry["values"] = ", ".join(sides)
        else:
            entry[name] = _as_written(value)
            entry.pop({"at": "box", "box": "at"}.get(name, ""), None)  # a unit is in one place
