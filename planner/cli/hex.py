"""``planner hex``: what is known of a hex, and its neighbours."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from planner.cli.terminal import JsonOption, ScenarioArgument, print_json

if TYPE_CHECKING:
    from planner.scenario import Scenario

CLOCKWISE = ("N", "NE", "E", "SE", "S", "SW", "W", "NW")


def hex_(
    scenario: ScenarioArgument,
    hex_: Annotated[str, typer.Argument(metavar="HEX", help="The label of a hex, or the id of a box.")],
    json_: JsonOption = False,
) -> None:
    """Show a hex: its terrain, who is there, and its neighbours.

    Clockwise, with what lies on the hexsides between.
    """
    from planner.cli.console import console_for_answers
    from planner.cli.text_output import print_rows
    from planner.scenario import load_scenario

    told = _told(load_scenario(scenario), hex_)
    if json_:
        print_json(told)
        return
    console = console_for_answers()
    console.print(f"{told['hex']}: {_described(told)}")
    neighbours = told["neighbours"]
    assert isinstance(neighbours, list)
    rows = [(one["direction"], one["hex"], _described(one), " ".join(one["hexside"])) for one in neighbours]
    if rows:
        print_rows(console, rows, ("", "hex", "what is there", "hexside"))


def _described(place: dict[str, object]) -> str:
    words = [place["terrain"], place["also"], place["traits"], place["area"], place["weather"]]
    shown = ", ".join(" ".join(word) if isinstance(word, list) else str(word) for word in words if word)
    units = place["units"]
    assert isinstance(units, list)
    return "; ".join(part for part in (shown or "off the map", f"holds {', '.join(units)}" if units else "") if part)


def _told(scenario: Scenario, label: str) -> dict[str, object]:
    """Return what is known of a place, ``planner/hex-1``.

    Raises
    ------
    InputError
        If the map doesn't have it.
    """
    from planner.errors import InputError, Problem

    game, board = scenario.game, scenario.game.board
    label = label.strip("[] ")
    if label not in board:
        raise InputError([Problem(f"hex {label[:40]!r} is not on the map{board.did_you_mean(label)}", "command line")])

    def place(name: str) -> dict[str, object]:
        found = board.places[name]
        return {
            "hex": name,
            "terrain": found.terrain,
            "also": list(found.also),
            "traits": sorted(found.traits),
            "area": found.area,
            "weather": game.weather(name),
            "units": list(scenario.start.units_in(name)),
        }

    neighbours = []
    if label in board.hexes:
        ring = dict(zip(board.numbering.directions, board.numbering.ring(label), strict=True))
        for direction in CLOCKWISE:
            if (other := ring.get(direction, "")) in board.hexes:
                side = sorted(board.hexside(label, other))
                neighbours.append({**place(other), "direction": direction, "hexside": side})
    links = [{**place(other), "direction": "", "hexside": []} for other in board.box_links.get(label, ())]
    return {"format": "planner/hex-1", **place(label), "neighbours": [*neighbours, *links]}
