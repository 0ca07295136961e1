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

_TURNS = ("turn", "last_turn")
"""Whole numbers, also where the scenario doesn't say any."""

_NUMBER = re.compile(r"-?[0-9]{1,15}")
_LABEL = re.compile(r"0[0-9]+")
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
        What stands there, in turn; what begins with a nought that no number needs, such as 0101, is text.
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
            values.append(_value(part.strip()))
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
        numbers = range(first, last + (1 if last >= first else -1), step if last >= first else -step)
        values += [f"{one:0{len(match[1])}}" for one in numbers] if _LABEL.fullmatch(match[1]) else numbers
    if not re.fullmatch(r"\w+(\.\w+)*", place.strip()) or not told.strip() or "" in values or not values:
        what = 'must look like "units.tank.attack=3..8" or "weather=dry,mud"'
        raise InputError([Problem(what, where)])
    return Varied(place.strip(), tuple(dict.fromkeys(values)))


def _value(text: str) -> Value:
    """Return a number as one, and anything else, hexes such as 0101 among it, as text."""
    return int(text) if _NUMBER.fullmatch(text) and not _LABEL.fullmatch(text) else text


def variants_of(scenario: Scenario, varied: Sequence[Varied]) -> Iterator[tuple[tuple[Value, ...], Data]]:
    """Yield each combination of values, the last one varying fastest, with what a file of that variant would hold.

    Raises
    ------
    InputError
        If there is nothing of that name, if two of what varies are the same in the end, so that one would undo the other,
        or if there are too many combinations.
    """
    number = 1
    for one in varied:
        number *= len(one.values)
    if number > MOST_VARIANTS:
        raise InputError([Problem(_TOO_MANY.format(number), "--vary")])
    for values in product(*(one.values for one in varied)):
        pairs = [(one.place, value) for one, value in zip(varied, values, strict=True)]
        data = _with(scenario, pairs)
        if data != _with(scenario, pairs[::-1]):
            what = "can't vary together: what one of them says undoes what another says"
            raise InputError([Problem(what, f"--vary {', '.join(one.place for one in varied)}")])
        yield values, data


def _with(scenario: Scenario, pairs: Sequence[tuple[str, Value]]) -> Data:
    """Return what a file of the scenario would hold with these values in these places."""
    data = scenario.to_dict()
    for key in ("verdict", "answer"):  # they speak of the scenario as it was
        data.pop(key, None)
    # Counts come last: further units are as the first has become.
    for place, value in sorted(pairs, key=lambda pair: pair[0].endswith(".count")):
        _set(data, place, value, scenario.game.rulebook)
    return data


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
        if isinstance(table, list) and part.isascii() and part.isdigit() and int(part) < len(table):
            table = table[int(part)]
        elif isinstance(table, dict):
            table = table.setdefault(part, {})
        else:
            raise InputError([Problem(f"there is no {part!r}", where)])
    if isinstance(table, list) and parts[-1].isascii() and parts[-1].isdigit() and int(parts[-1]) < len(table):
        table[int(parts[-1])] = _as_written(value, table[int(parts[-1])])
    elif isinstance(table, dict):
        table[parts[-1]] = _as_written(value, table.get(parts[-1], 0 if place in _TURNS else None))
    else:
        raise InputError([Problem(f"there is no {parts[-1]!r}", where)])


def _as_written(value: Value, before: object) -> Value:
    """Return a value as files have it: what is true or false is no text there; the number by which a hex is called is.

    Where a number stands, 01 is one.
    """
    some = before if isinstance(before, list) else [before]
    if isinstance(value, int) and some and all(isinstance(one, str) for one in some):
        return str(value)
    if isinstance(value, str) and isinstance(before, int) and not isinstance(before, bool) and _LABEL.fullmatch(value):
        return int(value)
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
            entry[name] = _as_written(value, "" if name in ("at", "box") else entry.get(name))
            entry.pop({"at": "box", "box": "at"}.get(name, ""), None)  # a unit is in one place
