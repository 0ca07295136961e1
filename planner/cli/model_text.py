"""What a game has, in text and as JSON, and a first scenario of it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from planner.cli.text_output import console_for_answers, print_rows
from planner.formats.files import data_folder, read_text
from planner.formats.spoken_numbers import spoken_number
from planner.rules.roles import Commands

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
        "counter": list(forces.counter),
        "unit_types": {
            name: {"name": kind.name, "traits": list(kind.traits)} for name, kind in forces.unit_types.items()
        },
        "marker_types": {
            name: {"name": kind.name, "traits": list(kind.traits)} for name, kind in forces.marker_types.items()
        },
        "terrain": {name: {"sign": entry.symbol, "price": _price(entry)} for name, entry in chart.terrain.items()},
        "hexsides": {name: _price(entry) for name, entry in chart.hexsides.items()},
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
    table("Phases", ((name, phase.name) for name, phase in forces.phases.items()), ("phase", "name"))
    types = ((name, kind.name, " ".join(kind.traits)) for name, kind in forces.unit_types.items())
    table("Types of units", types, ("type", "name", "traits"))
    markers = ((name, kind.name, " ".join(kind.traits)) for name, kind in forces.marker_types.items())
    table("Types of markers", markers, ("type", "name", "traits"))
    terrain = ((name, entry.symbol or "-", _price(entry)) for name, entry in chart.terrain.items())
    table("Terrain", terrain, ("terrain", "sign", "MP to enter"))
    hexsides = [(name, _price(entry)) for name, entry in chart.hexsides.items()]
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


def _first_price(prices: tuple[Price, ...]) -> str:
    return "; ".join(f"{_mp(price)} for {_who(price.units)}{_when(price)}" for price in prices)


def _mp(price: Price) -> str:
    if price.prohibited:
        return "prohibited"
    return "the whole MA" if price.all or price.mp is None else spoken_number(price.mp)


def _who(units: UnitSelector) -> str:
    said = units.model_dump(exclude_defaults=True)
    words = (
        f"{key} {' '.join(map(str, value)) if isinstance(value, (list, tuple)) else value}"
        for key, value in said.items()
    )
    return ", ".join(words) or "all"


def _when(price: Price) -> str:
    return "".join(f" in {' or '.join(names)}" for names in (price.phases, price.weather) if names)


def first_scenario(rulebook: Rulebook, model: str) -> str:
    """Return a small scenario of a game that can be loaded, with what there is to choose from in comments.

    Parameters
    ----------
    rulebook : Rulebook
        The game.
    model : str
        By which a scenario file names it.
    """
    forces, chart = rulebook.forces, rulebook.terrain
    signs = {name: entry.symbol for name, entry in chart.terrain.items() if entry.symbol}
    open_ = [name for name, entry in chart.terrain.items() if not entry.prohibited] or list(chart.terrain)
    ground = next((name for name in open_ if name in signs), open_[0])
    sign = signs.get(ground, ".")
    legend = "" if ground in signs else f"legend = {{ {json.dumps(sign)} = {json.dumps(ground)} }}\n"
    ours = [name for name, one in forces.phases.items() if one.moves == "phasing"] or list(forces.phases)
    phase = next((name for name in ours if "move" in name), ours[0])
    own, other = [*forces.sides, *forces.sides][:2]
    kind = next(iter(forces.unit_types), "unit")
    values = "-".join("4" if shown == "ma" else "3" for shown in forces.counter)
    first, last = _corner(rulebook, 0), _corner(rulebook, 3)
    orders = {section: 2 for rule in rulebook.of(Commands) for section in rule.sections}
    hexes = f"hexes.{json.dumps(first)} = {{ traits = {json.dumps(list(orders)[:1])} }}\n" if orders else ""
    shown = ", ".join(f"{sign} {name}" for name, sign in signs.items()) or "no terrain has a sign: see the legend"
    return f"""\
format = "planner/scenario-1"
model = {json.dumps(model)}
title = "A new scenario"
phase = {json.dumps(phase)}{_choice(forces.phases)}
phasing = {json.dumps(own)}{_choice(forces.sides)}
{"orders = { " + ", ".join(f"{name} = {n}" for name, n in orders.items()) + " }" + chr(10) if orders else ""}
[map]
origin = {json.dumps(first)}
{legend}# {shown}
rows = \"\"\"
{chr(10).join([" ".join([sign] * 4)] * 4)}
\"\"\"
{hexes}# hexsides: {", ".join(sorted(chart.features())) or "none"}

[[unit]]
id = "first"
side = {json.dumps(own)}
type = {json.dumps(kind)}{_choice(forces.unit_types)}
values = {json.dumps(values)}    # {"-".join(forces.counter)}
at = {json.dumps(first)}

[[unit]]
id = "enemy"
side = {json.dumps(other)}
type = {json.dumps(kind)}
values = {json.dumps(values)}
at = {json.dumps(last)}

[[tier]]
terms = [{{ kind = "distance", to = {json.dumps(last)}, of = {{ units = "first" }} }}]

[[tier]]
terms = [{{ kind = "mp_spent" }}]
"""


def _corner(rulebook: Rulebook, offset: int) -> str:
    """Return the label of a hex on the diagonal of a map of 4 by 4, the first in its top row."""
    numbering = rulebook.numbering
    if numbering.labels:
        rows = [row for row in numbering.labels if len(row) > offset] or list(numbering.labels)
        return rows[min(offset, len(rows) - 1)][min(offset, len(rows[0]) - 1)]
    sheet = "w" if "{sheet}" in numbering.pattern else ""
    row = 5 - offset if numbering.rows_count == "north" else 2 + offset
    return numbering.label(sheet, row, 2 + offset)


def _choice(names: Mapping[str, object] | Iterable[str]) -> str:
    others = list(names)
    return f"    # {', '.join(others)}" if len(others) > 1 else ""
