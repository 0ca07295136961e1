"""The map of a position as the parts of an SVG, so that a page that has it already replaces what is new alone."""

from __future__ import annotations

from planner.draw import counters
from planner.draw.markup import text_of
from planner.draw.page import PREFIX, draw_board, legend_of
from planner.draw.picture import Picture, style_sheet
from planner.draw.sheet import Sheet
from planner.plans.plan import Plan
from planner.scenario import Scenario
from planner.world.forces import Unit


def map_parts(scenario: Scenario, plan: Plan | None = None) -> dict[str, object]:
    """Return the map of a position, with the moves of a plan as arrows.

    Returns
    -------
    dict
        ``viewBox`` and ``counter``, the size of a counter; ``parts``: what is defined, the ground, then each layer from the
        lowest up, as texts of elements; ``legend``: headings, each with signs (SVG, or empty) and their texts; ``style``;
        ``title``, ``subtitle`` and ``description``, for those who don't see it; ``remarks``; ``sides``; ``units``
        with the side and the text of each, and what is so of it beyond its type.
    """
    picture = Picture(scenario, plan)
    sheet = Sheet(scenario, picture.frames, 0, True, PREFIX, None, picture.notes_at_the_end)
    root, _ = draw_board(picture, sheet)
    defs, ground, board, _ring = root
    return {
        "viewBox": root.get("viewBox"),
        "counter": root.get("data-counter"),
        "parts": [text_of(one) for one in (defs, ground, *board)],
        "legend": [[heading, [[str(sign), text] for sign, text in entries]] for heading, entries in _legend(sheet)],
        "style": style_sheet(PREFIX),
        "title": picture.title,
        "subtitle": picture.subtitle,
        "description": picture.description,
        "remarks": list(picture.said),
        "sides": dict(scenario.game.rulebook.forces.sides),
        "units": {unit.id: _told(unit, scenario) for unit in sheet.units},
    }


def _told(unit: Unit, scenario: Scenario) -> dict[str, object]:
    forces = scenario.game.rulebook.forces
    conditions = counters.conditions_of(unit, forces)
    return {"side": unit.side, "text": counters.describe(unit, forces, conditions), "conditions": list(conditions)}


def _legend(sheet: Sheet) -> list[tuple[str, list[tuple[str, str]]]]:
    return legend_of(sheet.legend_items())
