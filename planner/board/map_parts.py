"""The map of a position as the parts of an SVG, so that a page that has it already replaces what is new alone."""

from __future__ import annotations

from dataclasses import dataclass, fields

from planner.draw import counters
from planner.draw.markup import text_of
from planner.draw.page import PREFIX, draw_board, legend_of
from planner.draw.picture import Picture, style_sheet
from planner.draw.sheet import Sheet
from planner.plans.plan import Plan
from planner.scenario import Scenario
from planner.world.forces import Unit, sides_of


@dataclass(frozen=True)
class MapParts:
    """A map in parts.

    Attributes
    ----------
    box, counter : str
        Its ``viewBox``, and the size of a counter.
    parts : tuple of str
        What is defined, the ground, then each layer from the lowest up, as texts of elements.
    legend : list
        Headings, each with signs (SVG, or empty) and their texts.
    title, subtitle, description : str
        What it is; the last for those who don't see it.
    remarks : tuple of str
        What is to be said of the whole.
    sides : dict
        The sides by their names.
    units : dict
        Of each unit the side and the text, and what is so of it beyond its type.
    """

    box: str
    counter: str
    parts: tuple[str, ...]
    legend: list[tuple[str, list[tuple[str, str]]]]
    title: str
    subtitle: str
    description: str
    remarks: tuple[str, ...]
    sides: dict[str, str]
    units: dict[str, dict[str, object]]

    def to_dict(self) -> dict[str, object]:
        """Return the same as clients get it, with ``style``."""
        said = {field.name: getattr(self, field.name) for field in fields(self) if field.name != "box"}
        legend = [[heading, [[str(sign), text] for sign, text in entries]] for heading, entries in self.legend]
        return {**said, "viewBox": self.box, "legend": legend, "style": style_sheet(PREFIX)}


def map_parts(scenario: Scenario, plan: Plan | None = None) -> MapParts:
    """Return the map of a position, with the moves of a plan as arrows."""
    picture = Picture(scenario, plan)
    sheet = Sheet(scenario, picture.frames, 0, True, PREFIX, None, picture.notes_at_the_end)
    root, _ = draw_board(picture, sheet)
    defs, ground, board, _ring = root
    sides = {str(one.get("id")): sides_of(str(one.get("values", "")))[0] for one in scenario.data.get("unit", ())}
    return MapParts(
        box=root.get("viewBox", ""),
        counter=root.get("data-counter", ""),
        parts=tuple(text_of(one) for one in (defs, ground, *board)),
        legend=legend_of(sheet.legend_items()),
        title=picture.title,
        subtitle=picture.subtitle,
        description=picture.description,
        remarks=picture.said,
        sides=dict(scenario.game.rulebook.forces.sides),
        units={unit.id: _told(unit, scenario, sides.get(unit.id, [])) for unit in sheet.units},
    )


def _told(unit: Unit, scenario: Scenario, sides: list[str]) -> dict[str, object]:
    forces = scenario.game.rulebook.forces
    conditions = counters.conditions_of(unit, forces)
    return {
        "side": unit.side,
        "text": counters.describe(unit, forces, conditions),
        "conditions": list(conditions),
        "sides": sides,
        "steps": unit.steps,
    }
