"""Builds a scenario from the shape of its file: names resolved, map and forces put together, every fault named."""

from __future__ import annotations

import itertools
import re
from collections.abc import Collection, Container, Iterable
from dataclasses import replace
from fractions import Fraction
from functools import partial
from math import lcm
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from planner.errors import InputError, Problem
from planner.formats.mp import parse_mp
from planner.formats.spelling import did_you_mean
from planner.objective import Control, Term
from planner.rules.game import Game
from planner.rules.roles import Commands, Fights, Mobilizes, Reinforces, Restricts, Spaces
from planner.rules.rulebook import Rulebook
from planner.rules.rulebook_file import model_folder, read_rulebook
from planner.scenario.background import build_countries, build_markers, who_holds_what
from planner.scenario.defense_section import faults, with_reserves
from planner.scenario.scenario import Scenario
from planner.scenario.shape import LARGEST_DENOMINATOR, MOST_HEXES, MapSection, ScenarioFile, UnitEntry
from planner.scenario.tolerant_reading import UNKNOWN, ids_in, read_shape
from planner.world.barriers import Barrier
from planner.world.board import NOWHERE, Board, Country, Hex
from planner.world.forces import Unit
from planner.world.position import Position, Situation
from planner.world.selectors import HexSelector, UnitSelector, selectors_in


class Builder:
    """Builds one scenario and collects what is wrong with it."""

    def __init__(self, where: str, beside: Path | None) -> None:
        self.where = where
        self.beside = beside
        self.found: list[Problem] = []
        self._data: dict[str, Any] = {}
        self._damaged = False

    def problem(self, what: str, place: str = "") -> None:
        """Note one fault."""
        self.found.append(Problem(what, f"{self.where}: {place}" if place else self.where))

    def build(self, data: dict[str, Any]) -> Scenario:
        """Build the scenario.

        Raises
        ------
        InputError
            With every fault.
        """
        known_ids = ids_in(data)
        self._data = data
        file, self.found = read_shape(data, self.where)
        rulebook = self._rulebook(data)
        if file is None or rulebook is None:
            raise InputError(self.found)
        try:
            return self._build(file, rulebook, data, known_ids)
        except (LookupError, ValueError, TypeError, StopIteration):
            if not self._damaged:
                raise
            # A rulebook with faults need not be fit to be played; they are reported, and what has been found besides.
            raise InputError(self.found) from None

    def _build(
        self, file: ScenarioFile, rulebook: Rulebook, data: dict[str, Any], known_ids: Container[str]
    ) -> Scenario:
        phases = rulebook.forces.phases
        if file.phase not in phases and file.phase != UNKNOWN:
            near = did_you_mean(file.phase, phases)
            self.problem(f"phase must be one of {', '.join(phases)}, not {file.phase!r}{near}", "phase")
        if file.phasing != UNKNOWN:
            self._check_name("sides", file.phasing, "phasing", rulebook)
        for flag in file.flags:
            self._check_name("flags", flag, "flags", rulebook)
        countries = build_countries(file, rulebook, self.problem)
        board = self._board(file.map, rulebook, countries)
        units, position = self._units(file, rulebook, board)
        self._check_company(rulebook, board, units, position)
        situation = self._situation(file, rulebook, board, units, position, countries)
        game = Game(board, units, rulebook, situation, dict(position.at))
        terms: list[tuple[Term, str]] = [
            (term, f"tier[{i}].terms[{j}]") for i, tier in enumerate(file.tier) for j, term in enumerate(tier.terms)
        ]
        terms += [(term, f"require[{i}]") for i, term in enumerate(file.require)]
        for term, place in terms:
            if rulebook.rolled and not term.averages:
                self.problem(
                    f"kind must be one that can be averaged over rolls, as this game has them, not {term.kind!r}", place
                )
            for what, key in term.problems(game):
                # A unit whose own entry is at fault is reported there.
                if not any(repr(unit) in what for unit in set(ids_in(data)) - set(units)):
                    self.problem(what, f"{place}.{key}")
            self._check_selectors(term, place, rulebook, board, units.keys() | ids_in(data))
        self._check_defense(file, game, position, known_ids)
        if self.found:
            raise InputError(self.found)
        return Scenario(
            where=self.where,
            title=file.title,
            game=game,
            start=position,
            tiers=file.tier,
            requirements=file.require,
            verdicts=file.verdict,
            answer=file.answer,
            defense=file.defense,
            data=data,
            beside=self.beside,
        )

    def _rulebook(self, data: dict[str, Any]) -> Rulebook | None:
        model = data.get("model")
        if not isinstance(model, str):
            return None  # the shape has reported it
        try:
            rulebook, problems = read_rulebook(model_folder(model, self.beside))
            self.found += problems
            self._damaged = bool(problems)
            return rulebook
        except InputError as error:
            for problem in error.problems:
                if problem.what.startswith("model must"):
                    self.problem(problem.what, "model")
                else:
                    self.found.append(problem)
            return None

    def _check_name(self, chart: str, name: str, place: str, rulebook: Rulebook) -> bool:
        for text in rulebook.unknown(chart, [name]):
            self.problem(text, place)
            return False
        return True

    def _check_selectors(
        self, value: BaseModel, place: str, rulebook: Rulebook, board: Board, units: Collection[str]
    ) -> None:
        """Note every name in its selectors that the game, the map or the forces don't have."""
        for what, key in rulebook.unknown_in(value):
            self.problem(what, f"{place}.{key}")
        for key, selector in selectors_in(value):
            inside = f"{place}.{key}" if key else place
            if isinstance(selector, HexSelector):
                self._on_map(selector.labels, board.places, f"{inside}.labels")
            if isinstance(selector, UnitSelector):
                for unit in selector.units:
                    if unit not in units:
                        self.problem(
                            f"unit must be one of the scenario's, not {unit!r}{did_you_mean(unit, list(units))}",
                            f"{inside}.units",
                        )

    # -- the map

    def _board(self, section: MapSection, rulebook: Rulebook, countries: dict[str, Country]) -> Board:
        terrain = self._terrain_of_rows(section, rulebook)
        traits: dict[str, frozenset[str]] = {}
        area: dict[str, str] = {}
        also: dict[str, tuple[str, ...]] = {}
        for key, entry in section.hexes.items():
            for label in key.split():
                place = f"map.hexes.{key if len(key) < 40 else key[:40] + '…'}"
                if not self._is_label(label, place, rulebook):
                    continue
                if entry.terrain is None and label not in terrain:
                    self.problem(f"terrain of {label} must be given: no row has the hex", place)
                if entry.terrain is not None:
                    if entry.terrain not in rulebook.terrain.terrain:
                        self.problem(
                            f"terrain must be one of {_list(rulebook.terrain.terrain)}, not {entry.terrain!r}"
                            f"{did_you_mean(entry.terrain, rulebook.terrain.terrain)}",
                            place,
                        )
                        entry_terrain = next(iter(rulebook.terrain.terrain))
                    else:
                        entry_terrain = entry.terrain
                    terrain[label] = entry_terrain
                for trait in entry.traits:
                    self._check_name("hex_traits", trait, place, rulebook)
                traits[label] = traits.get(label, frozenset()) | frozenset(entry.traits)
                for name in entry.also:
                    self._check_name("terrain", name, place, rulebook)
                also[label] = tuple(name for name in entry.also if name in rulebook.terrain.terrain)
                if entry.area:
                    area[label] = entry.area
        for name, labels in section.areas.items():
            for label in self._on_map(labels, terrain, f"map.areas.{name}"):
                if area.setdefault(label, name) != name:
                    self.problem(f"{label} must lie in one area, not in {area[label]} and {name}", f"map.areas.{name}")
        if len(terrain) > MOST_HEXES:
            self.problem(f"a map must have at most {MOST_HEXES} hexes", "map")
        if not terrain:
            self.problem("a map must have at least one hex", "map")
        hexes = []
        for label, sort in terrain.items():
            name = area.get(label, "")
            country = countries.get(name) or Country(name) if name else NOWHERE
            hexes.append(Hex(label, sort, traits.get(label, frozenset()), name, country, also=also.get(label, ())))
        boxes, links = self._boxes(section, rulebook, countries, terrain)
        zones = {}
        for name, labels in section.zones.items():
            places = {*terrain, *(box.label for box in boxes)}
            zones[name] = list(dict.fromkeys(self._on_map(labels, places, f"map.zones.{name}")))
        return Board(rulebook.numbering, hexes, self._hexsides(section, rulebook, terrain), boxes, links, zones)

    def _boxes(
        self, section: MapSection, rulebook: Rulebook, countries: dict[str, Country], terrain: dict[str, str]
    ) -> tuple[list[Hex], list[tuple[str, str]]]:
        boxes, links = [], []
        for name, entry in section.boxes.items():
            place = f"map.boxes.{name}"
            if name in terrain:
                self.problem(f"a box must not be called like the hex {name}", place)
                continue
            for trait in entry.traits:
                self._check_name("hex_traits", trait, place, rulebook)
            for other in entry.adjacent:
                if other == name or (other not in section.boxes and other not in terrain):
                    self.problem(f"adjacent must name other boxes, or hexes, of the map, not {other!r}", place)
                else:
                    links.append((name, other))
            country = countries.get(entry.area) or Country(entry.area) if entry.area else NOWHERE
            boxes.append(Hex(name, "", frozenset(entry.traits), entry.area, country, box=True, name=entry.name))
        return boxes, links

    def _is_label(self, label: str, place: str, rulebook: Rulebook) -> bool:
        try:
            rulebook.numbering.coordinates(label)
        except ValueError as error:
            self.problem(str(error), place)
            return False
        return True

    def _terrain_of_rows(self, section: MapSection, rulebook: Rulebook) -> dict[str, str]:
        signs = {entry.symbol: name for name, entry in rulebook.terrain.terrain.items() if entry.symbol}
        for sign, name in section.legend.items():
            if name not in rulebook.terrain.terrain:
                self.problem(
                    f"terrain must be one of {_list(rulebook.terrain.terrain)}, not {name!r}"
                    f"{did_you_mean(name, rulebook.terrain.terrain)}",
                    f"map.legend.{sign}",
                )
            else:
                signs[sign] = name
        terrain: dict[str, str] = {}
        if not section.rows:
            return terrain
        if section.origin is None:
            self.problem("origin must be given: the label of the first cell of the first row", "map.origin")
            return terrain
        if not self._is_label(section.origin, "map.origin", rulebook):
            return terrain
        sheet, top, left = rulebook.numbering.row_and_column(section.origin)
        down = -1 if rulebook.numbering.rows_count == "north" else 1
        unknown = set()
        for index, row in enumerate(section.rows):
            for offset, sign in enumerate(row.replace(" ", "").replace("\t", "").replace("\r", "")):
                if sign == "_":
                    continue
                if sign not in signs:
                    unknown.add((sign, index))
                    continue
                if len(terrain) == MOST_HEXES:
                    self.problem(f"a map must have at most {MOST_HEXES} hexes", "map.rows")
                    return terrain
                number = top + down * index
                label = rulebook.numbering.label(sheet, number, left + offset)
                if number < 0 or not self._fits(label, rulebook):
                    self.problem(f"row {index + 1} runs beyond the hex numbers, at {label}", "map.rows")
                    break
                terrain[label] = signs[sign]
        for sign, index in sorted(unknown, key=lambda item: (item[1], item[0])):
            self.problem(f"the sign {sign!r} must be in the legend", f"map.rows, row {index + 1}")
        return terrain

    @staticmethod
    def _fits(label: str, rulebook: Rulebook) -> bool:
        try:
            rulebook.numbering.coordinates(label)
        except ValueError:
            return False
        return True

    def _on_map(self, labels: Iterable[str], terrain: Container[str], place: str) -> list[str]:
        found = []
        for label in labels:
            if label in terrain:
                found.append(label)
            else:
                self.problem(f"hex {label[:40]!r} is not on the map", place)
        return found

    def _hexsides(
        self, section: MapSection, rulebook: Rulebook, terrain: dict[str, str]
    ) -> dict[tuple[str, str], set[str]]:
        hexsides: dict[tuple[str, str], set[str]] = {}
        known = rulebook.terrain.features()
        for feature, chains in section.hexsides.items():
            place = f"map.hexsides.{feature}"
            if feature not in known:
                self.problem(
                    f"feature must be one of {_list(known)}, not {feature!r}{did_you_mean(feature, known)}", place
                )
            for chain in chains:
                if len(chain) < 2:
                    self.problem(f"a chain must name at least two hexes: {' '.join(chain)[:40]!r}", place)
                if len(self._on_map(chain, terrain, place)) < len(chain):
                    continue
                for a, b in itertools.pairwise(chain):
                    if b not in rulebook.numbering.neighbours(a):
                        self.problem(f"hexes that follow each other must be adjacent: {a} and {b}", place)
                    else:
                        hexsides.setdefault((min(a, b), max(a, b)), set()).add(feature)
        return hexsides

    # -- the forces

    def _situation(
        self,
        file: ScenarioFile,
        rulebook: Rulebook,
        board: Board,
        units: dict[str, Unit],
        position: Position,
        countries: dict[str, Country],
    ) -> Situation:
        weather: dict[str, str] = {}
        for name, labels in file.weather.items():
            self._check_name("weather", name, f"weather.{name}", rulebook)
            everywhere = tuple(board.hexes) if labels == ("everywhere",) else None
            for label in everywhere or self._on_map(labels, board.hexes, f"weather.{name}"):
                if weather.setdefault(label, name) != name:
                    self.problem(f"{label} must have one weather, not {weather[label]} and {name}", f"weather.{name}")
                    break
        sources = {}
        for side, labels in file.supply.items():
            self._check_name("sides", side, f"supply.{side}", rulebook)
            sources[side] = tuple(self._on_map(labels, board.hexes, f"supply.{side}"))
        control: dict[str, str] = {}
        for side, labels in file.control.items():
            self._check_name("sides", side, f"control.{side}", rulebook)
            for label in self._on_map(labels, board.places, f"control.{side}"):
                if control.setdefault(label, side) != side:
                    self.problem(
                        f"{label} must be held by one side, not by {control[label]} and {side}", f"control.{side}"
                    )
        markers = build_markers(file, rulebook, board, units, self.problem)
        restrictions: dict[str, tuple[Barrier, ...]] = {}
        known = [rule.id for rule in rulebook.of(Restricts) if rule.by_scenario]
        for index, entry in enumerate(file.restriction):
            place = f"restriction[{index}]"
            if entry.rule not in known:
                self.problem(f"rule must be one of {_list(known) or 'none'}, not {entry.rule!r}", f"{place}.rule")
                continue
            for text in rulebook.unknown_in_barrier(entry):
                self.problem(text, place)
            self._check_selectors(entry, place, rulebook, board, units)
            if entry.hexes is None:
                self.problem("hexes must be given: where the units may not go", place)
            restrictions[entry.rule] = (*restrictions.get(entry.rule, ()), entry)
        entering = any(file.phase in rule.phases for rule in rulebook.of(Reinforces))
        if entering and file.turn is None and any(entry.arrives is not None for entry in file.unit):
            self.problem("turn must be given: reinforcements enter by the schedule", "turn")
        sections = {section for rule in rulebook.of(Commands) for section in rule.sections}
        for section in file.orders:
            if section not in sections:
                what = f"orders must name a section ({_list(sections)})" if sections else "this game knows no orders"
                self.problem(f"{what}, not {section!r}", "orders")
        return Situation(
            file.phase,
            self._mover(file, rulebook),
            weather,
            frozenset(file.flags),
            markers,
            who_holds_what(rulebook, board, units, position, markers, control),
            sources,
            countries,
            restrictions,
            file.orders,
            file.confidence,
            file.turn,
            self._margin(file),
            self._contested(file),
        )

    @staticmethod
    def _contested(file: ScenarioFile) -> frozenset[str]:
        terms = [*(term for tier in file.tier for term in tier.terms), *file.require]
        return frozenset(label for term in terms if isinstance(term, Control) for label in term.hexes)

    def _units(self, file: ScenarioFile, rulebook: Rulebook, board: Board) -> tuple[dict[str, Unit], Position]:
        units: dict[str, Unit] = {}
        at: dict[str, str] = {}
        boxes: dict[str, str] = {}
        names: dict[str, str] = {}
        for index, entry in enumerate(file.unit):
            place = f"unit[{index}] ({entry.id})"
            if entry.id in units:
                self.problem(f"unit ids must differ, but {entry.id!r} comes twice", place)
                continue
            called = (entry.name or entry.id).casefold()
            if called in names:
                self.problem(f"units must be named differently, but {names[called]!r} and this one are alike", place)
            names[called] = entry.id
            if (entry.at is None) == (entry.box is None):
                self.problem("must have exactly one of at and box", place)
            elif entry.box is not None and entry.box in board.places and entry.box not in board.hexes:
                at[entry.id] = entry.box
            elif entry.box is not None:
                boxes[entry.id] = entry.box
            elif entry.at is not None and self._on_map([entry.at], board.places, f"{place}.at"):
                at[entry.id] = entry.at
            if entry.arrives is not None:
                self._on_map([entry.arrives.at], board.hexes, f"{place}.arrives.at")
            unit = self._unit(entry, place, rulebook)
            for rule in rulebook.of(Mobilizes):
                unit = replace(unit, ma=rule.effective(unit, file.phase))
            units[entry.id] = unit
        self._check_fractions("MA", [unit.ma for unit in units.values()])
        self._check_fractions("sizes", [unit.size for unit in units.values()])
        self._check_fractions("strengths", [s for unit in units.values() for s in (unit.attack, unit.defense)])
        return units, Position(at, boxes)

    def _check_company(self, rulebook: Rulebook, board: Board, units: dict[str, Unit], position: Position) -> None:
        """Refuse hexes that hold units which the rules never let stand together."""
        alone = next(iter(rulebook.of(Spaces)), None)
        fights = bool(rulebook.of(Fights))
        for label in position.occupied():
            there = [units[unit] for unit in position.units_in(label)]
            if label not in board.hexes or len(there) < 2:
                continue
            names = " and ".join(unit.id for unit in there)
            if fights and len({unit.side for unit in there}) > 1:
                self.problem(f"units of two sides never stand in one hex, but {label} holds {names}", "unit")
            elif alone is not None and all(alone.who.matches(unit) and alone.of.matches(unit) for unit in there):
                self.problem(f"a hex holds one unit, but {label} holds {names}", "unit")

    def _check_defense(self, file: ScenarioFile, game: Game, start: Position, known_ids: Container[str]) -> None:
        """Note what is wrong with the units that may be placed, and the places."""
        section = file.defense
        if section is None:
            return
        if section.unit:
            # With them on hand it is a scenario like any other, and what is wrong with it is found there.
            own = len(self._data.get("unit", ()))
            try:
                Builder(self.where, self.beside).build(with_reserves(self._data))
            except InputError as error:
                for problem in error.problems:
                    told = replace(problem, where=re.sub(r"\bunit\[(\d+)\]", partial(_of_reserve, own), problem.where))
                    if told not in self.found:
                        self.found.append(told)
            return
        for what, place in faults(section, game, start, known_ids, len(file.tier)):
            self.problem(what, f"defense.{place}")
        for index, entry in enumerate(section.place):
            self._on_map(entry.hexes, game.board.hexes, f"defense.place[{index}].hexes")
            self._check_selectors(entry, f"defense.place[{index}]", game.rulebook, game.board, game.units.keys())

    def _check_fractions(self, what: str, amounts: Iterable[Fraction]) -> None:
        """Refuse fractions that no chart has: brought to whole numbers, they would not fit into the solver's."""
        if lcm(*(amount.denominator for amount in amounts)) > LARGEST_DENOMINATOR:
            self.problem(
                f"the {what} of all units must have a common denominator of at most {LARGEST_DENOMINATOR}", "unit"
            )

    def _unit(self, entry: UnitEntry, place: str, rulebook: Rulebook) -> Unit:
        forces = rulebook.forces
        self._check_name("sides", entry.side, f"{place}.side", rulebook)
        traits = set(entry.traits)
        for trait in entry.traits:
            self._check_name("unit_traits", trait, f"{place}.traits", rulebook)
        if self._check_name("unit_types", entry.type, f"{place}.type", rulebook):
            traits.update(forces.unit_types[entry.type].traits)
        national: set[str] = set()
        for nationality in entry.nationality:
            if self._check_name("nationalities", nationality, f"{place}.nationality", rulebook):
                national.update(forces.nationalities[nationality].traits)
        values = self._values(entry, place, rulebook)
        return Unit(
            id=entry.id,
            name=entry.name or entry.id,
            side=entry.side,
            type=entry.type,
            traits=frozenset(traits),
            nationalities=tuple(dict.fromkeys(filter(None, entry.nationality))),
            nationality_traits=frozenset(national),
            steps=entry.steps,
            attack=values["attack"],
            defense=values["defense"],
            ma=values["ma"],
            supplied=entry.supplied,
            support_range=entry.support_range,
            size=self._size(entry, place, rulebook),
            arrives=None if entry.arrives is None else (entry.arrives.turn, entry.arrives.at),
        )

    def _size(self, entry: UnitEntry, place: str, rulebook: Rulebook) -> Fraction:
        forces = rulebook.forces
        if entry.size is not None:
            if entry.size in forces.sizes:
                return forces.sizes[str(entry.size)].size
            try:
                return parse_mp(entry.size)
            except ValueError:
                known = _list(forces.sizes) or "none"
                self.problem(f"size must be a number or one of {known}, not {entry.size!r}", f"{place}.size")
        elif entry.type in forces.unit_types:
            return forces.unit_types[entry.type].size
        return Fraction(1)

    def _margin(self, file: ScenarioFile) -> Fraction | None:
        if file.margin == "all":
            return None
        try:
            return parse_mp(file.margin)
        except ValueError:
            self.problem(f'margin must be a number, 0 or more, or "all", not {file.margin!r}', "margin")
            return Fraction(0)

    def _mover(self, file: ScenarioFile, rulebook: Rulebook) -> str:
        """Return the side that moves in the phase: the phasing side, or in some phases the other one."""
        phase = rulebook.forces.phases.get(file.phase)
        if phase is None or phase.moves == "phasing":
            return file.phasing
        others = [side for side in rulebook.forces.sides if side != file.phasing]
        if len(others) != 1 and file.phasing != UNKNOWN:
            self.problem(f"{file.phase} must be a phase of a game with two sides: it is the other side's", "phase")
        return others[0] if others else file.phasing

    def _values(self, entry: UnitEntry, place: str, rulebook: Rulebook) -> dict[str, Fraction]:
        values = {"attack": Fraction(0), "defense": Fraction(0), "ma": Fraction(0)}
        printed = rulebook.forces.counter
        if entry.values is not None:
            parts = entry.values.split("-")
            try:
                if len(parts) != len(printed):
                    raise ValueError
                for shown, part in zip(printed, parts, strict=True):
                    for value in ("attack", "defense") if shown == "strength" else (shown,):
                        values[value] = parse_mp(part.strip().strip("()"))
            except ValueError:
                self.problem(
                    f'values must be {"-".join(printed)}, such as "{"-".join("3" for _ in printed)}", not {entry.values!r}',
                    f"{place}.values",
                )
        elif entry.ma is None and self._usual_ma(entry, rulebook) is None:
            self.problem(f"must have values ({'-'.join(printed)}) or ma", place)
        for key in values:
            given = getattr(entry, key)
            if given is not None:
                if entry.values is not None and key in printed:
                    self.problem(f"must have {key} once, in values or by itself", f"{place}.{key}")
                values[key] = given
        if entry.values is None and entry.ma is None:
            values["ma"] = self._usual_ma(entry, rulebook) or Fraction(0)
        return values

    @staticmethod
    def _usual_ma(entry: UnitEntry, rulebook: Rulebook) -> Fraction | None:
        """Return the MA that units of the type have; None if the chart says nothing of it."""
        chart = rulebook.forces.unit_types.get(entry.type)
        return None if chart is None else chart.ma


def _list(names: Iterable[str]) -> str:
    return ", ".join(sorted(names))


def _of_reserve(own: int, found: re.Match[str]) -> str:
    """Return where the file has a unit's entry, if those after the first few are there for the defense alone."""
    index = int(found[1]) - own
    return f"defense.unit[{index}]" if index >= 0 else found[0]
