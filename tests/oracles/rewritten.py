"""Scenario files in which things are different, written anew: what explanations suggest to change, done without them."""

from __future__ import annotations

from copy import deepcopy
from fractions import Fraction
from typing import Any

from planner.explanation.answer import Change
from planner.scenario import Scenario, build_scenario


def rewritten(scenario: Scenario, *changes: Change) -> Scenario:
    """Return the scenario that is read from its file with some changes.

    Parameters
    ----------
    scenario : Scenario
        The position.
    *changes : Change
        What is different; limits, and what is enough, belong to the question.
    """
    where, found = f"{scenario.where}, {', '.join(map(str, changes))}", scenario
    # One after the other, so that each finds what those before it have written; numbers and ids hold until somebody is gone.
    for change in (*sorted(changes, key=lambda change: change.kind in ("gone", "lifted")), None):
        data = deepcopy(found.to_dict())
        if change is not None:
            _write(data, found, change)
        found = build_scenario(data, where, scenario.beside)
    return found


def _write(data: dict[str, Any], scenario: Scenario, change: Change) -> None:
    game, what = scenario.game, change.what
    units = {unit["id"]: unit for unit in data["unit"]}
    markers = dict(zip([marker.id for marker in game.situation.markers], data.get("marker", []), strict=True))
    if change.kind == "mp":
        _enrich(units[what], scenario, change)
    elif change.kind == "gone":
        data["unit"] = [unit for name, unit in units.items() if name != what]
        data["marker"] = [marker for name, marker in markers.items() if name != what]
        for section in ("tier", "require"):
            data[section] = _without(data.get(section, []), what)
    elif change.kind == "supplied":
        units[what]["supplied"] = True
    elif change.kind == "without":
        units[what]["traits"] = sorted(_names(units[what]["traits"]) - {change.detail})
    elif change.kind == "carrier":
        markers[what]["used"] = False
        if change.detail:
            data["marker"].append({**markers[what], "id": f"another_{what}"})
    elif change.kind == "order":
        data["orders"] = {**data["orders"], what: data["orders"].get(what, 0) + 1}
    elif change.kind in ("terrain", "trait"):
        place = game.board.hexes[what]
        entry = {"terrain": place.terrain, "traits": sorted(place.traits)}
        if change.kind == "terrain":
            entry["terrain"] = change.detail
        else:
            entry |= {"traits": sorted(place.traits - {change.detail}), "also": list(place.also)}
        others = {
            " ".join(one for one in key.split() if one != what): kept
            for key, kept in data["map"].get("hexes", {}).items()
        }
        data["map"]["hexes"] = {key: kept for key, kept in others.items() if key} | {what: entry}
    elif change.kind == "hexside":
        near = {(a, b) for a in game.board.hexes for b in game.board.neighbours[a] if a < b}
        pairs = [(a, b) for a, b in sorted(near) if change.detail in game.board.hexside(a, b)]
        left = [f"{a} {b}" for a, b in pairs if {a, b} != set(what.split("-"))]
        data["map"]["hexsides"][change.detail] = left
    elif change.kind == "weather":
        every = {"everywhere": " ".join(game.board.hexes)}
        data["weather"] = {
            name: sorted(_names(every.get(labels, labels) if isinstance(labels, str) else labels) - {what})
            for name, labels in data["weather"].items()
        }
    elif change.kind == "lifted":
        rule, _, number = what.rpartition(" ")
        mine = [entry for entry in data["restriction"] if entry["rule"] == rule]
        data["restriction"] = [entry for entry in data["restriction"] if entry is not mine[int(number) - 1]]


def _enrich(entry: dict[str, Any], scenario: Scenario, change: Change) -> None:
    """Give a unit more MP: in print twice as many where it is in a state that halves them."""
    counter, printed = list(scenario.game.rulebook.forces.counter), None
    if "values" in entry and "ma" in counter:
        printed = entry["values"].split("-")
        written = Fraction(printed[counter.index("ma")])
    else:
        written = Fraction(entry.get("ma", scenario.game.units[change.what].ma))
    effective = scenario.game.units[change.what].ma
    enough = str((effective + change.amount) * (written / effective if effective else 1))
    if printed is None:
        entry["ma"] = enough
    else:
        printed[counter.index("ma")] = enough
        entry["values"] = "-".join(printed)


def _names(text: str | list[str]) -> set[str]:
    return {*(text.split() if isinstance(text, str) else text)}


def _without(entries: list[dict[str, Any]], unit: str) -> list[dict[str, Any]]:
    """Return terms, or tiers of them, that don't name a unit: whoever isn't there doesn't count."""
    found = []
    for entry in entries:
        if "terms" in entry:
            found.append({**entry, "terms": _without(entry["terms"], unit)})
        elif unit not in (entry.get("unit"), *_names(entry.get("units", []))):
            found.append(entry)
    return found
