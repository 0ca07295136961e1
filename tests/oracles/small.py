"""Positions of other oracles cut down to a few hexes, so that every plan of a relaxed game can be looked at."""

from __future__ import annotations

from typing import Any

from planner.scenario import Scenario, build_scenario


def cut(data: dict[str, Any], number: int, where: str) -> Scenario:
    """Return a position with the hexes that are nearest to its first unit, by land or by sea, and who stands there.

    Parameters
    ----------
    data : dict
        A position; its objective is left out.
    number : int
        So many hexes are kept; boxes are kept all.
    where : str
        What the position is called.
    """
    data = {key: value for key, value in data.items() if key not in ("tier", "require")}
    board = build_scenario(data, where).game.board
    home = next(unit["at"] for unit in data["unit"] if unit["side"] == data["phasing"])
    kept, queue = dict.fromkeys([home]), [home]
    while queue:
        here = queue.pop(0)
        overseas = [label for zone in board.zones_of(here) for label in board.zones[zone]]
        # By sea and by land in turn, so that neither is cut off.
        for label in [*overseas[:2], *board.neighbours.get(here, ()), *board.box_links.get(here, ())]:
            if label not in kept and sum(label in board.hexes for label in kept) < number:
                kept[label] = None
                queue.append(label)
    return build_scenario(_without(data, board.hexes.keys() - kept.keys()), where)


def _without(data: Any, labels: set[str]) -> Any:
    """Leave out all that is in some hexes, and the hexes."""
    if isinstance(data, dict):
        return {key: _without(value, labels) for key, value in data.items() if key not in labels}
    if isinstance(data, list):
        return [_without(one, labels) for one in data if not _lies_in(one, labels)]
    if isinstance(data, str) and not labels.isdisjoint(data.split()):
        return " ".join(label for label in data.split() if label not in labels)
    return data


def _lies_in(one: Any, labels: set[str]) -> bool:
    if isinstance(one, dict):
        return any(one.get(key) in labels for key in ("at", "facing"))
    return isinstance(one, str) and not labels.isdisjoint(one.split())
