"""A first scenario of a game: one that can be loaded, to be changed."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

from planner.rules.roles import Commands
from planner.rules.rulebook import Rulebook


def first_scenario(rulebook: Rulebook, model: str, columns: int = 4, rows: int = 4, empty: bool = False) -> str:
    """Return a scenario of a game that can be loaded, with what there is to choose from in comments.

    Parameters
    ----------
    rulebook : Rulebook
        The game.
    model : str
        By which a scenario file names it.
    columns, rows : int
        How large its map is, in hexes; at least 1.
    empty : bool
        Whether to leave out units and objective.
    """
    forces, chart = rulebook.forces, rulebook.terrain
    signs = {name: entry.symbol for name, entry in chart.terrain.items() if entry.symbol}
    open_ = [name for name, entry in chart.terrain.items() if not entry.prohibited] or list(chart.terrain)
    ground = next((name for name in open_ if name in signs), open_[0])
    sign = signs.get(ground, ".")
    legend = "" if ground in signs else f"legend = {{ {json.dumps(sign)} = {json.dumps(ground)} }}\n"
    ours = [name for name, one in forces.phases.items() if one.moves == "phasing"] or list(forces.phases)
    phase = next((name for name in ours if "move" in name), ours[0])
    own, *others = [*forces.sides, next(iter(forces.sides))]
    other = next((side for side in others if side not in forces.allies_of(own)), others[0])
    kind = next(iter(forces.unit_types), "unit")
    values = "-".join("4" if shown == "ma" else "3" for shown in forces.counter)
    first, last, ground_rows = _map(rulebook, rows, columns, sign)
    origin = "" if rulebook.numbering.labels else f"origin = {json.dumps(first)}\n"
    orders = {section: 2 for rule in rulebook.of(Commands) for section in rule.sections}
    hexes = f"hexes.{json.dumps(first)} = {{ traits = {json.dumps(list(orders)[:1])} }}\n" if orders else ""
    shown = ", ".join(f"{sign} {name}" for name, sign in signs.items()) or "no terrain has a sign: see the legend"
    text = f"""\
format = "planner/scenario-1"
model = {json.dumps(model)}
title = "A new scenario"
phase = {json.dumps(phase)}{_choice(forces.phases)}
phasing = {json.dumps(own)}{_choice(forces.sides)}
{"orders = { " + ", ".join(f"{name} = {n}" for name, n in orders.items()) + " }" + chr(10) if orders else ""}
[map]
{origin}{legend}# {shown}
rows = \"\"\"
{ground_rows}
\"\"\"
{hexes}# hexsides: {", ".join(sorted(chart.features())) or "none"}
"""
    if empty:
        return text
    return f"""{text}
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


def _map(rulebook: Rulebook, rows: int, columns: int, sign: str) -> tuple[str, str, str]:
    """Return the first and the last hex of a map, and its rows in text; labels of a table are where it has them."""
    numbering = rulebook.numbering
    if numbering.labels:
        table = [[label for label in row[:columns] if label != "_"] for row in numbering.labels[:rows]]
        lines = [
            f"{labels[0]}: " + " ".join("_" if label == "_" else sign for label in row[row.index(labels[0]) : columns])
            for row, labels in zip(numbering.labels, table, strict=False)
            if labels
        ]
        there = [label for labels in table for label in labels] or [one for row in numbering.labels for one in row]
        return there[0], there[-1], "\n".join(lines)
    sheet = "w" if "{sheet}" in numbering.pattern else ""
    offset = min(rows, columns) - 1
    top, low = (rows + 1, rows + 1 - offset) if numbering.rows_count == "north" else (2, 2 + offset)
    first, last = numbering.label(sheet, top, 2), numbering.label(sheet, low, 2 + offset)
    return first, last, "\n".join([" ".join([sign] * columns)] * rows)


def _choice(names: Mapping[str, object] | Iterable[str]) -> str:
    others = list(names)
    return f"    # {', '.join(others)}" if len(others) > 1 else ""
