"""A scenario edited as data: the text of its file changes where something is changed, and nowhere else."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeAlias

import tomlkit
from tomlkit.exceptions import ConvertError, TOMLKitError
from tomlkit.items import Array, InlineTable

from planner.board.chart import faces
from planner.board.edits import (
    AddUnit,
    ChangeUnit,
    DeleteUnit,
    Edit,
    EditList,
    MarkHexes,
    PaintHexsides,
    PaintTerrain,
    SetArea,
    SetObjective,
    SetValue,
    TurnUnit,
)
from planner.board.rows import MapRows
from planner.errors import InputError, Problem
from planner.formats.files import parse_toml
from planner.formats.toml_lines import lines_told
from planner.formats.validation import read_sound
from planner.rules.rulebook import Rulebook
from planner.rules.rulebook_file import load_rulebook, model_folder, shipped_models
from planner.scenario import Scenario, build_scenario

Item: TypeAlias = Any
"""What a document is made of: tomlkit types it hardly at all."""

Base: TypeAlias = Callable[[object], Path | None]

SPARE_SIGNS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
"""Signs for terrain to which the game gives none."""


def shipped_alone(model: object) -> Path | None:
    """Ensure that a game is one that ships with the planner: a text from elsewhere has no folder read."""
    if model is not None and str(model) not in shipped_models():
        names = ", ".join(shipped_models())
        raise InputError([Problem(f"model must be one of {names} on the board, not {str(model)[:80]!r}", "model")])
    return None


def problems_of(text: str, where: str = "scenario", base: Base = shipped_alone) -> list[Problem]:
    """Return everything that is wrong with the text of a scenario; empty if it can be played. `base` as in `edited`."""
    try:
        with lines_told():
            data = parse_toml(text, where)
            build_scenario(data, where, base(data.get("model")))
    except InputError as error:
        return list(error.problems)
    return []


def read_edits(said: Iterable[object]) -> list[Edit]:
    """Read edits.

    Raises
    ------
    InputError
        With every problem at once.
    """
    shape = read_sound({"edits": list(said)}, "request", EditList, {})
    if shape.problems or shape.value is None:
        raise InputError(shape.problems or [Problem("can't be read", "request")])
    return list(shape.value.edits)


def edited(text: str, edits: Iterable[Edit], base: Base = shipped_alone) -> str:
    """Return the text of a scenario after some edits; comments, and what they don't touch, stay as they are.

    Parameters
    ----------
    text : str
        The text.
    edits : iterable of Edit
        One after another.
    base : callable
        Returns the folder from which the path of a game counts, None for a shipped one; raises `InputError` for any other.

    Raises
    ------
    InputError
        If the text isn't TOML, or an edit speaks of what isn't there.
    """
    edits = list(edits)
    try:
        document = tomlkit.parse(text if text.endswith("\n") or not edits else f"{text}\n")  # a table may be added
    except TOMLKitError as error:
        parse_toml(text, "scenario")  # which says where it isn't, as of every file
        raise InputError([Problem(f"isn't TOML: {error}", "scenario")]) from None
    editor = _Editor(document, base)
    for edit in edits:
        try:
            _APPLY[type(edit)](editor, edit)
        except ConvertError:
            raise InputError([Problem("null can't be within a value: a file has no sign for it", "request")]) from None
        except (AttributeError, LookupError, TypeError, ValueError):  # a text of another shape than scenarios have
            problems = problems_of(text, base=base)
            if not problems:
                raise
            raise InputError(problems) from None
    return editor.written()


def written(scenario: Scenario) -> str:
    """Return a scenario as the text of a TOML file."""
    return tomlkit.dumps(scenario.to_dict())


class _Editor:
    """Changes one document."""

    def __init__(self, document: tomlkit.TOMLDocument, base: Base) -> None:
        self._base = base
        self._document: Item = document
        self._rulebook: Rulebook | None = None
        self._rows: MapRows | None = None

    def written(self) -> str:
        if self._rows is not None and "rows" in self.map:
            rows = self._rows.written
            if isinstance(rows, str):
                body = f'"""\n{rows}"""' if self._document["map"]["rows"].as_string().startswith('"""\n') else None
                self._document["map"]["rows"] = tomlkit.parse(f"x = {body}")["x"] if body else rows
            else:
                self._document["map"]["rows"] = rows
        return tomlkit.dumps(self._document)

    @property
    def rulebook(self) -> Rulebook:
        if self._rulebook is None:
            model = self._document.get("model")
            if not isinstance(model, str):
                raise InputError([Problem("must be the name of a game, or the path of its folder", "scenario: model")])
            self._rulebook = load_rulebook(model_folder(str(model), self._base(model)))
        return self._rulebook

    # -- the map

    @property
    def map(self) -> Item:
        if "map" not in self._document:
            self._document["map"] = tomlkit.table()
        elif isinstance(self._document["map"], InlineTable) or _is_dotted(self._document, "map"):
            self._document["map"] = self._document.pop("map").unwrap()  # as a table: these can't hold what is added
        return self._document["map"]

    @property
    def rows(self) -> MapRows:
        if self._rows is None:
            found = self.map.get("rows", "")
            rows = str(found) if isinstance(found, str) else [str(row) for row in found]
            origin = self.map.get("origin")
            self._rows = MapRows(rows, None if origin is None else str(origin), self.rulebook.numbering)
        return self._rows

    def terrain(self, edit: PaintTerrain) -> None:
        if edit.terrain not in self.rulebook.terrain.terrain:
            raise InputError([Problem(f"no terrain is called {edit.terrain!r}", "terrain")])
        sign = None
        for label in edit.hexes:
            entry = self._hex(label)
            if label in self.rows:
                sign = sign or self._sign(edit.terrain)
                self.rows.put(label, sign)
                if isinstance(entry, str):
                    del self.map["hexes"][label]
                elif entry is not None and "terrain" in entry:
                    del entry["terrain"]
            elif entry is not None and not isinstance(entry, str):
                entry["terrain"] = edit.terrain
            else:
                self._table("hexes")[label] = edit.terrain

    def _sign(self, terrain: str) -> str:
        """Return the sign by which the rows know a terrain; one that has none gets one."""
        legend = {str(sign): str(name) for sign, name in self.map.get("legend", {}).items()}
        chart = {entry.symbol: name for name, entry in self.rulebook.terrain.terrain.items() if entry.symbol}
        known = {**chart, **legend}
        found = next((sign for sign, name in known.items() if name == terrain), None)
        if found is None:
            found = next((sign for sign in SPARE_SIGNS if sign not in known), None)
            if found is None:
                raise InputError([Problem(f"no sign is left for {terrain}", "map.legend")])
            self._table("legend")[found] = terrain
        return found

    def _table(self, name: str) -> Item:
        if name not in self.map:
            self.map[name] = tomlkit.inline_table() if name == "legend" else tomlkit.table(is_super_table=True)
        return self.map[name]

    def _hex(self, label: str) -> Item:
        """Return the entry of a hex, which is for it alone from now on; None if there is none."""
        entries = self.map.get("hexes", {})
        for key in [key for key in entries if label in str(key).split() and key != label]:
            entry = entries[key]
            others = [one for one in str(key).split() if one != label]
            plain = tomlkit.item(entry.unwrap() if hasattr(entry, "unwrap") else entry)
            if isinstance(plain, Mapping):
                inline = tomlkit.inline_table()
                inline.update(plain)
                plain = inline
            del entries[key]
            if others:
                entries[" ".join(others)] = entry
            self._merge(entries, label, plain)
        return entries.get(label)

    @staticmethod
    def _merge(entries: Item, label: str, more: Item) -> None:
        known = entries.get(label)
        if known is None:
            entries[label] = more
            return
        both = tomlkit.inline_table()
        for one in (known, more):
            both.update({"terrain": str(one)} if isinstance(one, str) else one)
        traits = [*_listed(known, "traits"), *_listed(more, "traits")]
        if traits:
            both["traits"] = list(dict.fromkeys(traits))
        entries[label] = both

    def _hex_table(self, label: str) -> Item:
        """Return the entry of a hex as a table."""
        entry = self._hex(label)
        if not isinstance(entry, Mapping):
            table = tomlkit.inline_table()
            if entry is not None:
                table["terrain"] = str(entry)
            self._table("hexes")[label] = table
            entry = self.map["hexes"][label]
        return entry

    def trait(self, edit: MarkHexes) -> None:
        for label in edit.hexes:
            entry = self._hex_table(label)
            traits = [one for one in _listed(entry, "traits") if one != edit.trait]
            entry["traits"] = [*traits, edit.trait] if edit.on else traits
            if not entry["traits"]:
                del entry["traits"]
            self._tidy(label)

    def area(self, edit: SetArea) -> None:
        areas = self.map.get("areas", {})
        for label in edit.hexes:
            for name in list(areas):
                labels = _words(areas[name])
                if label in labels:
                    areas[name] = " ".join(one for one in labels if one != label)
            entry = self._hex_table(label)
            entry.pop("area", None)
            if edit.area:
                entry["area"] = edit.area
            self._tidy(label)

    def _tidy(self, label: str) -> None:
        if isinstance(self.map["hexes"][label], Mapping) and not self.map["hexes"][label]:
            del self.map["hexes"][label]

    def hexsides(self, edit: PaintHexsides) -> None:
        table = self._table("hexsides")
        found = table.get(edit.feature, [])
        chains = [str(one).split() for one in ([found] if isinstance(found, str) else found)]
        for a, b in edit.pairs:
            have = any({a, b} == {one, other} for chain in chains for one, other in pairwise(chain))
            if edit.on and not have:
                if chains and chains[-1][-1] in (a, b):
                    chains[-1].append(b if chains[-1][-1] == a else a)
                else:
                    chains.append([a, b])
            elif have and not edit.on:
                chains = [part for chain in chains for part in _cut(chain, a, b)]
        if chains:
            table[edit.feature] = [" ".join(chain) for chain in chains]
        else:
            table.pop(edit.feature, None)

    # -- units

    def _unit(self, name: str) -> tuple[int, Item]:
        for index, entry in enumerate(self._document.get("unit", [])):
            if str(entry.get("id")) == name:
                return index, entry
        raise InputError([Problem(f"no unit has the id {name!r}", "unit")])

    def add_unit(self, edit: AddUnit) -> None:
        taken = {str(entry.get("id")) for entry in self._document.get("unit", [])}
        entry = tomlkit.table()
        values = dict(edit.unit)
        name = values.pop("id", None) or _free_name(str(values.get("type", "unit")), taken)
        entry["id"] = name
        _set_values(entry, values)
        known = self._document.get("unit")
        if isinstance(known, Array):
            self._write_as_tables("unit", self._document.pop("unit").unwrap())
        if "unit" not in self._document:
            if not tomlkit.dumps(self._document).endswith("\n\n"):
                self._document.add(tomlkit.nl())
            self._document["unit"] = tomlkit.aot()
        elif len(self._document["unit"]):
            entry.trivia.indent = ""
        self._document["unit"].append(entry)
        entry.add(tomlkit.nl())

    def change_unit(self, edit: ChangeUnit) -> None:
        _set_values(self._unit(edit.id)[1], edit.values)

    def turn_unit(self, edit: TurnUnit) -> None:
        known, entry = faces(self.rulebook), self._unit(edit.id)[1]
        if edit.face and edit.face not in known:
            among = f"empty or one of {', '.join(known)}" if known else "empty: this game has none"
            raise InputError([Problem(f"face must be {among}, not {edit.face!r}", "unit.traits")])
        others = [one for one in _listed(entry, "traits") if one not in (edit.instead, edit.face)]
        _set_values(entry, {"traits": [*others, *([edit.face] if edit.face else [])]})

    def delete_unit(self, edit: DeleteUnit) -> None:
        index, _ = self._unit(edit.id)
        del self._document["unit"][index]
        if not len(self._document["unit"]):
            del self._document["unit"]

    # -- the rest

    def value(self, edit: SetValue) -> None:
        if edit.value is None:
            self._document.pop(edit.key, None)
        else:
            self._put_on_top(edit.key, edit.value)

    def _put_on_top(self, key: str, value: Item) -> None:
        """Set a value that stands before the first table."""
        known = key in self._document
        if known or isinstance(value, Mapping):
            self._document[key] = value
            return
        text, line = tomlkit.dumps(self._document), tomlkit.dumps({key: value})
        head, gap, rest = _before_tables(text)
        wanted = {**self._document.unwrap(), key: value}
        for found in (head + line + gap + rest, line + text):  # what looks like a table may be a line of a text
            try:
                self._document = tomlkit.parse(found)
            except TOMLKitError:
                continue
            if self._document.unwrap() == wanted:
                return

    def objective(self, edit: SetObjective) -> None:
        for key, entries in (("tier", edit.tier), ("require", edit.require)):
            known = self._document.get(key)
            if [dict(one) for one in entries] == ([] if known is None else [one.unwrap() for one in known]):
                continue
            self._document.pop(key, None)
            self._write_as_tables(key, entries)

    def _write_as_tables(self, key: str, entries: Iterable[Mapping[str, Item]]) -> None:
        """Write a list of tables at the end, each under a heading of its own; nothing if it is empty."""
        array = tomlkit.aot()
        for one in entries:
            array.append(_table_of(one))
        if len(array):
            self._document[key] = array


def _is_dotted(document: tomlkit.TOMLDocument, key: str) -> bool:
    """Return whether a table at the top is written by dotted keys, not under a heading."""
    return any(one is not None and one.key == key and one.is_dotted() for one, _ in document.body)


def _before_tables(text: str) -> tuple[str, str, str]:
    """Return the text of a file up to the blank lines and comments before its first table, these, and the rest."""
    lines = text.splitlines(keepends=True)
    first = next((index for index, line in enumerate(lines) if line.lstrip().startswith("[")), len(lines))
    keys = first
    while keys and (not lines[keys - 1].strip() or lines[keys - 1].lstrip().startswith("#")):
        keys -= 1
    return "".join(lines[:keys]), "".join(lines[keys:first]), "".join(lines[first:])


def _table_of(entry: Mapping[str, Item]) -> Item:
    """Return a tier or a requirement as a table, whose own tables are written on one line."""
    table = tomlkit.table()
    for key, value in entry.items():
        table[key] = _inline(value)
    table.add(tomlkit.nl())
    return table


def _inline(value: Item) -> Item:
    if isinstance(value, Mapping):
        inline = tomlkit.inline_table()
        inline.update({key: _inline(one) for key, one in value.items()})
        return inline
    if isinstance(value, (list, tuple)):
        array = tomlkit.array()
        array.extend(_inline(one) for one in value)
        return array
    return value


def _set_values(entry: Item, values: Mapping[str, Item]) -> None:
    for key, value in values.items():
        if value is None or value in ("", []):
            entry.pop(key, None)
        elif entry.get(key) != value:
            entry[key] = _inline(value)


def _free_name(stem: str, taken: set[str]) -> str:
    stem = re.sub(r"[^a-z0-9_]", "", stem.lower()).strip("_") or "unit"
    stem = stem if stem[0].isalpha() else f"u{stem}"
    return next(name for number in range(1, len(taken) + 2) if (name := f"{stem[:50]}{number}") not in taken)


def _listed(entry: Item, key: str) -> list[str]:
    found = entry.get(key, []) if isinstance(entry, Mapping) else []
    return [str(found)] if isinstance(found, str) else [str(one) for one in found]


def _words(value: Item) -> list[str]:
    return [word for part in ([value] if isinstance(value, str) else value) for word in str(part).split()]


def _cut(chain: list[str], a: str, b: str) -> list[list[str]]:
    """Return what is left of a chain without the hexside between two hexes."""
    parts = [[chain[0]]]
    for one, other in pairwise(chain):
        if {one, other} == {a, b}:
            parts.append([other])
        else:
            parts[-1].append(other)
    return [part for part in parts if len(part) > 1]


_APPLY: dict[type, Callable[[_Editor, Item], None]] = {
    PaintTerrain: _Editor.terrain,
    PaintHexsides: _Editor.hexsides,
    MarkHexes: _Editor.trait,
    SetArea: _Editor.area,
    AddUnit: _Editor.add_unit,
    ChangeUnit: _Editor.change_unit,
    TurnUnit: _Editor.turn_unit,
    DeleteUnit: _Editor.delete_unit,
    SetValue: _Editor.value,
    SetObjective: _Editor.objective,
}
