"""What a game has, in text and as JSON, and a first scenario of it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from planner.cli.console import console_for_answers
from planner.cli.text_output import print_rows
from planner.formats.files import data_folder, read_text
from planner.formats.spoken_numbers import spoken_number

if TYPE_CHECKING:
    from planner.rules.rulebook import Rulebook
    from planner.world.charts import Hexside, Price, Terrain
    from planner.world.selectors import UnitSelector


def shipped_scenarios(model: str) -> list[str]:
    """Return the scenarios of a game that ship with the planner, as commands take them."""
    folder = data_folder("scenarios")
    says_so = re.compile(rf'^model = "{re.escape(model)}"$', re.MULTILINE)  # reading all of each file takes seconds
    found = [file for file in sorted(folder.rglob("*.toml")) if says_so.search(read_text(file))]
    return [file.relative_to(folder).with_suffix("").as_posix() for file in found]


def model_to_json(rulebook: Rulebook) -> dict[str, object]:
    """Return what a game has, ``planner/model-1``."""
    forces, chart = rulebook.forces, rulebook.terrain
    return {
        "format": "planner/model-1",
        "model": rulebook.model,
        "title": rulebook.title,
        "numbering": rulebook.numbering.pattern if not rulebook.numbering.labels else "a table",
        "sides": dict(forces.sides),
        "phases": {name: phase.name for name, phase in forces.phases.items()},
        "alliances": [list(sides) for sides in forces.alliances],
        "counter": list(forces.counter),
        "unit_types": {
            name: {"name": kind.name, "traits": list(kind.traits)} for name, kind in forces.unit_types.items()
        },
        "marker_types": {
            name: {"name": kind.name, "traits": list(kind.traits)} for name, kind in forces.marker_types.items()
        },
        "terrain": {name: {"sign": entry.symbol, "price": _price(entry)} for name, entry in chart.terrain.items()},
        "hexsides": {name: _hexside(entry) for name, entry in chart.hexsides.items()},
        "routes": {route.feature: _first_price(route.prices) for route in chart.routes},
        "unit_traits": dict(forces.unit_traits),
        "hex_traits": dict(forces.hex_traits),
        "weather": dict(forces.weather),
        "flags": dict(forces.flags),
        "rules": [{"id": rule.id, "kind": rule.kind, "paragraph": rule.paragraph} for rule in rulebook.rules],
        "scenarios": shipped_scenarios(rulebook.model),
    }


def print_model(rulebook: Rulebook) -> None:
    """Print what a game has."""
    console = console_for_answers()
    forces, chart = rulebook.forces, rulebook.terrain
    numbering = rulebook.numbering
    console.print(
        f"{rulebook.title}: hexes are numbered {'by a table' if numbering.labels else numbering.pattern}, "
        f"{numbering.straight} run straight; counters show {'-'.join(forces.counter)}"
    )

    def table(title: str, rows: Iterable[tuple[str, ...]], header: tuple[str, ...]) -> None:
        if found := list(rows):
            console.print("")
            console.print(title)
            print_rows(console, found, header, whole=1)

    table("Sides", forces.sides.items(), ("side", "name"))
    table("Alliances", ((" ".join(sides),) for sides in forces.alliances), ("sides that are no enemies",))
    table("Phases", ((name, phase.name) for name, phase in forces.phases.items()), ("phase", "name"))
    types = ((name, kind.name, " ".join(kind.traits)) for name, kind in forces.unit_types.items())
    table("Types of units", types, ("type", "name", "traits"))
    markers = ((name, kind.name, " ".join(kind.traits)) for name, kind in forces.marker_types.items())
    table("Types of markers", markers, ("type", "name", "traits"))
    terrain = ((name, entry.symbol or "-", _price(entry)) for name, entry in chart.terrain.items())
    table("Terrain", terrain, ("terrain", "sign", "MP to enter"))
    hexsides = [(name, _hexside(entry)) for name, entry in chart.hexsides.items()]
    hexsides += [(route.feature, f"along it: {_first_price(route.prices)}") for route in chart.routes]
    table("Hexsides", hexsides, ("feature", "MP"))
    for title, names in (
        ("Traits of units", forces.unit_traits),
        ("Traits of hexes", forces.hex_traits),
        ("Weather", forces.weather),
        ("Flags", forces.flags),
    ):
        table(title, names.items(), ("word", "what it means"))
    table("Rules", ((rule.id, rule.kind, rule.paragraph) for rule in rulebook.rules), ("id", "kind", "paragraph"))
    table("Scenarios that ship", ((name,) for name in shipped_scenarios(rulebook.model)), ("name",))


def _price(entry: Terrain | Hexside) -> str:
    """Say what entering, or crossing, costs: the price of units in general, and the exceptions."""
    general = "prohibited" if entry.prohibited else spoken_number(entry.mp)
    exceptions = [f"{_mp(price)} for {_who(price.units)}{_when(price)}" for price in entry.prices]
    return "; ".join([general, *exceptions])


def _hexside(entry: Hexside) -> str:
    """Say what crossing costs, and what it does while a friend helps."""
    helped = (
        f"{spoken_number(one.mp)} for {_who(one.units)} with the help of {_who(one.by)}" for one in entry.assisted
    )
    return "; ".join([_price(entry), *helped])


def _first_price(prices: tuple[Price, ...]) -> str:
    return "; ".join(f"{_mp(price)} for {_who(price.units)}{_when(price)}" for price in prices)


def _mp(price: Price) -> str:
    if price.prohibited:
        return "prohibited"
    return "the whole MA" if price.all or price.mp is None else spoken_number(price.mp)


def _who(units: UnitSelector) -> str:
    """Say whom a selector means; in words as files have them, with parentheses round what is more than one test."""
    said = units.model_dump(exclude_defaults=True, exclude={"any_of", "but"})
    words = [
        f"{test} {' '.join(map(str, value)) if isinstance(value, (list, tuple)) else value}"
        for test, value in said.items()
    ]
    if units.any_of:
        words.append(" or ".join(map(_grouped, units.any_of)))
    if units.but is not None:
        words.append(f"but not {_grouped(units.but)}")
    return ", ".join(words) or "all"


def _grouped(units: UnitSelector) -> str:
    said = _who(units)
    return f"({said})" if "," in said or " or " in said else said


def _when(price: Price) -> str:
    return "".join(f" in {' or '.join(names)}" for names in (price.phases, price.weather) if names)
