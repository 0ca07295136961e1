"""A scenario's own charts: what a scenario says otherwise than its game, laid over the files of the model."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from planner.errors import Problem
from planner.formats.spelling import did_you_mean
from planner.world.board import Board
from planner.world.charts import CarrierChart, Forces, TerrainChart

if TYPE_CHECKING:
    from planner.rules.rulebook import Rulebook

_CHARTS = {
    **dict.fromkeys(TerrainChart.model_fields, "terrain.toml"),
    **dict.fromkeys(Forces.model_fields, "forces.toml"),
    **dict.fromkeys(CarrierChart.model_fields, "carriers.toml"),
}
"""In which file of a model each chart stands."""


class OwnCharts:
    """What a scenario says otherwise than its game.

    Tables are laid over the game's key by key; whatever else is given, a number, a list, takes the place of the game's.

    Parameters
    ----------
    charts : mapping
        By chart of the model (``terrain``, ``hexsides``, ``sides``), or ``rules`` by their ids.
    where : str
        The scenario file, as messages call it.
    """

    def __init__(self, charts: Mapping[str, object], where: str) -> None:
        self._charts = charts
        self._where = where
        self._ids: list[str] = []

    @property
    def text(self) -> str:
        """What tells these charts from others."""
        return repr(self._charts)

    def problems(self) -> Iterator[Problem]:
        """Yield that a chart isn't one of the model's, or no table."""
        known = [*_CHARTS, "rules"]
        for name, chart in self._charts.items():
            if name not in known:
                what = f"charts must be among {', '.join(known)}, not {name[:40]!r}{did_you_mean(name, known)}"
                yield Problem(what, f"{self._where}: charts")
            elif name == "rules" and not isinstance(chart, Mapping):
                yield Problem("must be a table: the rules by their ids", f"{self._where}: charts.rules")

    def lay_over(self, name: str, data: dict[str, Any]) -> Iterator[Problem]:
        """Lay the charts over what a file of the model holds; yield what doesn't fit it.

        Parameters
        ----------
        name : str
            The name of the file.
        data : dict
            What it holds; changed in place.
        """
        for chart, value in self._charts.items():
            if _CHARTS.get(chart) == name:
                data[chart] = _laid_over(data.get(chart), value)
        rules = self._charts.get("rules")
        if name != "rulebook.toml" or not isinstance(rules, Mapping):
            return
        self._ids = [rule["id"] for rule in data["rule"]]
        for id_, changes in rules.items():
            place = f"{self._where}: charts.rules.{id_}"
            if id_ not in self._ids:
                known = ", ".join(self._ids)
                yield Problem(f"rule must be one of {known}, not {id_[:40]!r}{did_you_mean(id_, self._ids)}", place)
            elif not isinstance(changes, Mapping):
                yield Problem("must be a table of parameters of the rule", place)
            elif not {"id", "kind"}.isdisjoint(changes):
                yield Problem("id and kind of a rule stay what they are", place)
            else:
                index = self._ids.index(id_)
                data["rule"][index] = _laid_over(data["rule"][index], changes)

    def misspelt(self, rulebook: Rulebook, board: Board) -> Iterator[Problem]:
        """Yield each terrain and hexside that the map doesn't show, and whose name is much like one of the game's.

        Parameters
        ----------
        rulebook : Rulebook
            The game, without these charts.
        board : Board
            The map of the scenario.
        """
        ground = {name for place in board.places.values() for name in (place.terrain, *place.also)}
        along = {feature for features in board.hexsides().values() for feature in features}
        known = {"terrain": (rulebook.known("terrain"), ground), "hexsides": (rulebook.known("features"), along)}
        for chart, (names, shown) in known.items():
            entries = self._charts.get(chart)
            for name in entries if isinstance(entries, Mapping) else ():
                near = did_you_mean(name, names)
                if name not in names and name not in shown and near:
                    what = f"{name[:40]!r} is neither in the game's chart nor on the map{near}"
                    yield Problem(what, f"{self._where}: charts.{chart}.{name[:40]}")

    def located(self, problem: Problem) -> Problem:
        """Return a problem of the model with these charts with its place in the scenario."""
        file, _, place = problem.where.partition(": ")
        if file == self._where:
            return problem
        rule = re.match(r"rule\[(\d+)\](?: \([^)]*\))?", place)
        if rule is not None and int(rule[1]) < len(self._ids):
            place = f"rules.{self._ids[int(rule[1])]}{place[rule.end() :]}"
        node: object = self._charts
        for part in re.findall(r"[^.\[\]]+", place)[:2]:
            node = node.get(part) if isinstance(node, Mapping) else None
        # What fits no longer to what the scenario has changed elsewhere has no place of its own in it.
        return Problem(problem.what, f"{self._where}: charts" + (f".{place}" if node is not None else ""))


def _laid_over(under: object, over: object) -> object:
    """Return a value with another one laid over it: tables key by key."""
    if isinstance(under, Mapping) and isinstance(over, Mapping):
        return {**under, **{key: _laid_over(under.get(key), value) for key, value in over.items()}}
    return over
