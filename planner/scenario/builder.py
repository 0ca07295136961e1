"""Builds a scenario from the shape of its file: names resolved, map and forces put together, every fault named."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

from planner.errors import MOST_PROBLEMS, InputError, Problem
from planner.formats.ids import UNIT_ID
from planner.formats.mp import parse_mp
from planner.formats.spelling import did_you_mean, not_among
from planner.formats.validation import read_sound
from planner.objective import terms_of
from planner.plans.plan import Move, Plan
from planner.rules.game import Game
from planner.rules.own_charts import OwnCharts
from planner.rules.roles import Commands, Reinforces, Restricts
from planner.rules.rulebook import Rulebook
from planner.rules.rulebook_file import load_rulebook, model_folder, read_rulebook
from planner.scenario.background import build_countries, build_markers, lost_to_others, who_holds_what
from planner.scenario.defense_section import faults, units_in, with_reserves
from planner.scenario.map_section import MapBuilder
from planner.scenario.objective_section import faults as faults_of_term
from planner.scenario.objective_section import in_its_phases, terms_with_places, that_count
from planner.scenario.problem_list import listed
from planner.scenario.scenario import Scenario
from planner.scenario.shape import ScenarioFile, SideObjective
from planner.scenario.unit_section import UnitBuilder
from planner.world.barriers import Barrier
from planner.world.board import Board, Country
from planner.world.declared_attack import DeclaredAttack
from planner.world.forces import Unit
from planner.world.position import Position, Situation

UNKNOWN = "?"
AS_WRITTEN = "units as written"
"""Under this key a game has its units if they are what the file says: not where something has made others of them."""
_MENDS = {"format": "planner/scenario-1", "model": UNKNOWN, "phase": UNKNOWN, "phasing": UNKNOWN}
"""What stands in for a faulty top-level value, so that the rest can be looked at; the fault has been reported."""
_ALL_HANGS_ON = {"numbering", "counter"}
"""Where these of a game are faulty, no label of a scenario's hexes, or no printed values, can be read."""


class Builder(MapBuilder, UnitBuilder):
    """Builds one scenario and collects what is wrong with it.

    Parameters
    ----------
    where : str
        What to call it in messages.
    beside : Path or None
        The folder from which a relative model path counts.
    like : Scenario, optional
        One from whose data that of this one differs in units and objective alone: its board is taken over, and its memory.
    """

    def __init__(self, where: str, beside: Path | None, like: Scenario | None = None) -> None:
        super().__init__(where)
        self.beside, self.like = beside, like
        self._data: dict[str, Any] = {}
        self._damaged = False
        self._own: OwnCharts | None = None

    def build(self, data: dict[str, object]) -> Scenario:
        """Build the scenario.

        Raises
        ------
        InputError
            With every fault.
        """
        known_ids = set(_ids_in(data))
        self._data = data
        shape = read_sound(data, self.where, ScenarioFile, _MENDS, deep=("map",))
        file, self.found, self._numbers = shape.value, [*shape.problems, *_double_ids(data, self.where)], shape.numbers
        self._unplaced |= shape.lost
        self._rows_lost = not shape.lost.isdisjoint(("map", "rows", "origin"))
        rulebook = self._rulebook(data)
        if file is None or rulebook is None or rulebook.thinned & _ALL_HANGS_ON:
            raise InputError(self.found)
        self._not_read = rulebook.lost
        try:
            return self._build(file, rulebook, data, known_ids)
        except (LookupError, ValueError, TypeError, StopIteration):
            if not self._damaged:
                raise
            # A rulebook with faults need not be fit to be played; they are reported, and what has been found besides.
            raise InputError(self.found) from None

    def _build(self, file: ScenarioFile, rulebook: Rulebook, data: dict[str, object], known_ids: set[str]) -> Scenario:
        file, by_side = self._with_own_objective(file, rulebook)
        phases = rulebook.forces.phases
        if file.phase not in phases and file.phase != UNKNOWN:
            near = did_you_mean(file.phase, phases)
            self.problem(f"phase must be one of {', '.join(phases)}, not {file.phase!r}{near}", "phase")
        if file.phasing != UNKNOWN:
            self._check_name("sides", file.phasing, "phasing", rulebook)
        for flag in file.flags:
            self._check_name("flags", flag, "flags", rulebook)
        countries = build_countries(file, rulebook, self.problem)
        like = self.like if self.like is not None and self.like.game.rulebook is rulebook else None
        board = self._board(file.map, rulebook, countries) if like is None else like.game.board
        if self._own is not None and like is None and not (self._damaged or self._rows_lost):
            self.found += self._own.misspelt(load_rulebook(model_folder(file.model, self.beside)), board)
        units, position = self._units(file, rulebook, board, {} if like is None else self._as_before(like))
        situation = self._situation(file, rulebook, board, units, position, countries)
        if situation.allies:
            units = {id: replace(unit, allied=unit.side in situation.allies) for id, unit in units.items()}
        game = Game(board, units, rulebook, situation, dict(position.at))
        if like is not None and game.is_like(like.game):
            game = like.game  # with all that has been derived from it
        game.cached(AS_WRITTEN, lambda: units)
        self._check_company(game, position)
        given = {label for labels in file.control.values() for label in labels}
        there = ((unit, label) for unit, label in position.at.items() if label in given)
        movers = ((units[unit], label) for unit, label in there if unit in game.friends)
        for label, what in lost_to_others(situation, rulebook, board, movers):
            self.problem(what, f"control.{situation.control[label]}")
        self._check_objectives(file, game, by_side, known_ids)
        self._check_defense(file, game, position, known_ids)
        if file.victory is not None:
            self._check_name("sides", file.victory.side, "victory.side", rulebook)
            self._on_map(file.victory.points, board.hexes, "victory.points")
        if self.found:
            raise InputError(self.found)
        scenario = Scenario(
            where=self.where,
            title=file.title,
            game=game,
            start=position,
            tiers=file.tier,
            requirements=that_count(game, file.require) if by_side else file.require,
            verdicts=file.verdict,
            answer=file.answer,
            defense=file.defense,
            data=data,
            beside=self.beside,
        )
        if like is not None:
            scenario = replace(scenario, memory=like.memory)
        if not file.done:
            return scenario
        from planner.scenario.phase_in_progress import in_progress

        return in_progress(scenario, self._done(scenario, file), f"{self.where}: done")

    def _check_objectives(self, file: ScenarioFile, game: Game, by_side: bool, known_ids: set[str]) -> None:
        """Note what is wrong with the terms of the side that moves, and of every side that has an objective of its own."""
        as_before = self._asks_as_before(game)
        # Their own entries are told to be at fault.
        lost = {
            unit
            for unit in known_ids
            if unit not in game.units or game.units[unit].side not in game.rulebook.forces.sides
        }
        faulty = [repr(name) for name in lost | self._unplaced]
        faulty += ["is not on the map"] if self._rows_lost else []
        faulty += ["no unit has the id"] if "unit" in self._numbers and _some_nameless(self._data) else []
        known = file.phasing in game.rulebook.forces.sides and "unit" not in self._numbers
        faulty += [] if known else ["the phasing side"]
        asked: dict[str, tuple[ScenarioFile | SideObjective, list[Game]]] = {} if by_side else {"": (file, [game])}
        sides = [side for side in file.objective if side in game.rulebook.forces.sides]
        asked |= {f"objective.{side}.": (file.objective[side], in_its_phases(game, side)) for side in sides}
        for of, (objective, games) in asked.items():
            for term, place in terms_with_places(objective, of):
                if game.rulebook.rolled and not term.averages:
                    self.problem(
                        f"{term.kind!r} can't be counted where results are rolled, as in this game: who then stands beside "
                        "whom depends on several rolls together, of which no average is worked out; hold, end or eliminate "
                        "have one",
                        place,
                    )
                for what, key in faults_of_term(term, games, f"{of}require" in place, bool(of)):
                    if not any(name in what for name in faulty):
                        self.problem(what, f"{place}.{key}")
                if not as_before:
                    self._check_selectors(term, place, game.rulebook, game.board, game.units.keys() | known_ids)

    def _as_before(self, like: Scenario) -> dict[str, Unit]:
        """Return the units of the scenario from which this one is made of whom the file says what it said then."""
        units: dict[str, Unit] = like.game.cached(AS_WRITTEN, dict)
        known = {entry["id"]: entry for entry in like.data.get("unit", ())} if units else {}
        return {id: units[id] for entry in self._data.get("unit", ()) if known.get(id := entry["id"]) == entry}

    def _asks_as_before(self, game: Game) -> bool:
        """Tell whether the objective is that of the scenario from which this one is made, and its units have the same names.

        Then it names what there is, as it did before.
        """
        like, names = self.like, ("tier", "require", "objective")
        if like is None or like.game.rulebook is not game.rulebook or like.game.units.keys() != game.units.keys():
            return False
        return all(self._data.get(name) == like.data.get(name) for name in names)

    def _with_own_objective(self, file: ScenarioFile, rulebook: Rulebook) -> tuple[ScenarioFile, bool]:
        """Return the file with the objective of the side that moves, and whether that is an objective by side."""
        for side in file.objective:
            self._check_name("sides", side, "objective", rulebook)
        phase = rulebook.forces.phases.get(file.phase)
        others = [side for side in rulebook.forces.sides if side != file.phasing]
        mover = others[0] if phase is not None and phase.moves == "other" and others else file.phasing
        own = file.objective.get(mover)
        if own is None:
            return file, False
        if file.tier or file.require:
            self.problem(
                "must not be given beside tier or require: the side that moves has one objective", f"objective.{mover}"
            )
            return file, False
        return file.model_copy(update={"tier": own.tier, "require": own.require}), True

    @staticmethod
    def _done(scenario: Scenario, file: ScenarioFile) -> Plan:
        """Read the moves that have been made.

        Raises
        ------
        InputError
            With what is wrong with each.
        """
        problems: list[Problem] = []
        moves: list[Move] = []
        attacks: list[DeclaredAttack] = []
        closed = False
        for index, entry in enumerate(file.done):
            place = f"{scenario.where}: done[{index}].move"
            try:
                later = replace(scenario, done=Plan(tuple(moves)))  # by then enemies may have retreated
                plan = Plan.read([entry.move], later, place)
                if plan.attacks == () and not plan.moves:
                    closed = True
                elif len(plan) + len(plan.attacks or ()) != 1:
                    raise InputError([Problem("must be a move, or an attack", place)])
                if plan.moves and (attacks or closed):
                    raise InputError([Problem("moves must come before attacks", place)])
                moves += plan.moves
                attacks += plan.attacks or ()
            except InputError as error:
                problems += [replace(problem, where=place) for problem in error.problems]
        if problems:
            raise InputError(problems)
        return Plan(tuple(moves), tuple(attacks) if attacks or closed else None, closed and bool(attacks))

    def _rulebook(self, data: dict[str, object]) -> Rulebook | None:
        model = data.get("model")
        if not isinstance(model, str):
            return None  # the shape has reported it
        try:
            charts = data.get("charts")
            self._own = OwnCharts(charts, self.where) if isinstance(charts, dict) and charts else None
            rulebook, problems = read_rulebook(model_folder(model, self.beside), self._own)
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

    def _situation(
        self,
        file: ScenarioFile,
        rulebook: Rulebook,
        board: Board,
        units: dict[str, Unit],
        position: Position,
        countries: dict[str, Country],
    ) -> Situation:
        weather = self._weather(file, rulebook, board)
        sources = {}
        for side, labels in file.supply.items():
            self._check_name("sides", side, f"supply.{side}", rulebook)
            sources[side] = tuple(self._on_map(labels, board.hexes, f"supply.{side}"))
        control = self._control(file, rulebook, board)
        markers = build_markers(file, rulebook, board, units, self.problem)
        restrictions = self._restrictions(file, rulebook, board, units)
        entering = any(file.phase in rule.phases for rule in rulebook.of(Reinforces))
        if entering and file.turn is None and any(entry.arrives is not None for entry in file.unit):
            self.problem("turn must be given: reinforcements enter by the schedule", "turn")
        sections = {section for rule in rulebook.of(Commands) for section in rule.sections}
        for section in file.orders:
            if section not in sections:
                what = f"orders must name a section ({listed(sections)})" if sections else "this game knows no orders"
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
            rulebook.forces.allies_of(self._mover(file, rulebook)),
        )

    def _weather(self, file: ScenarioFile, rulebook: Rulebook, board: Board) -> dict[str, str]:
        """Return the weather of each hex that has any."""
        weather: dict[str, str] = {}
        for name, labels in file.weather.items():
            self._check_name("weather", name, f"weather.{name}", rulebook)
            everywhere = tuple(board.hexes) if labels == ("everywhere",) else None
            for label in everywhere or self._on_map(labels, board.hexes, f"weather.{name}"):
                if weather.setdefault(label, name) != name:
                    self.problem(f"{label} must have one weather, not {weather[label]} and {name}", f"weather.{name}")
                    break
        for name, turns in file.turn_weather.items():
            if self._check_name("weather", name, f"turn_weather.{name}", rulebook) and file.turn in turns:
                weather = dict.fromkeys(board.hexes, name) | weather
        return weather

    def _control(self, file: ScenarioFile, rulebook: Rulebook, board: Board) -> dict[str, str]:
        """Return whose the places are of which the file says it."""
        control: dict[str, str] = {}
        for side, labels in file.control.items():
            self._check_name("sides", side, f"control.{side}", rulebook)
            for label in self._on_map(labels, board.places, f"control.{side}"):
                if control.setdefault(label, side) != side:
                    self.problem(
                        f"{label} must be held by one side, not by {control[label]} and {side}", f"control.{side}"
                    )
        return control

    def _restrictions(
        self, file: ScenarioFile, rulebook: Rulebook, board: Board, units: dict[str, Unit]
    ) -> dict[str, tuple[Barrier, ...]]:
        """Return the restrictions of the file, by the rules that they belong to."""
        restrictions: dict[str, tuple[Barrier, ...]] = {}
        known = [rule.id for rule in rulebook.of(Restricts) if rule.by_scenario]
        for index, entry in enumerate(file.restriction):
            place = f"restriction[{index}]"
            if entry.rule not in known:
                self.problem(not_among("rule", entry.rule, known), f"{place}.rule")
                continue
            for text in rulebook.unknown_in_barrier(entry):
                self.problem(text, place)
            self._check_selectors(entry, place, rulebook, board, units)
            if entry.hexes is None:
                self.problem("hexes must be given: where the units may not go", place)
            restrictions[entry.rule] = (*restrictions.get(entry.rule, ()), entry)
        return restrictions

    @staticmethod
    def _contested(file: ScenarioFile) -> frozenset[str]:
        return frozenset(label for term in terms_of(file.tier, file.require) for label in term.contests())

    def _check_defense(self, file: ScenarioFile, game: Game, start: Position, known_ids: Container[str]) -> None:
        """Note what is wrong with the units that may be placed, and the places."""
        section = file.defense
        if section is None:
            return
        if section.unit:
            if len(self.found) > MOST_PROBLEMS:
                return  # nobody would read what else there is
            # With them on hand it is a scenario like any other, and what is wrong with it is found there.
            own, known = len(units_in(self._data)), set(self.found)
            other = Builder(self.where, self.beside)
            try:
                other.build(with_reserves(self._data))
            except InputError as error:
                # The error counts those that are too many; `found` has all of them.
                for problem in other.found or error.problems:
                    if problem in known:
                        continue
                    told = replace(problem, where=re.sub(r"\bunit\[(\d+)\]", partial(_of_reserve, own), problem.where))
                    if told not in known:
                        self.found.append(told)
            return
        for what, place in faults(section, game, start, known_ids, len(file.tier)):
            self.problem(what, f"defense.{place}")
        for index, entry in enumerate(section.place):
            self._on_map(entry.hexes, game.board.hexes, f"defense.place[{index}].hexes")
            self._check_selectors(entry, f"defense.place[{index}]", game.rulebook, game.board, game.units.keys())

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


def _of_reserve(own: int, found: re.Match[str]) -> str:
    """Return where the file has a unit's entry, if those after the first few are there for the defense alone."""
    index = int(found[1]) - own
    return f"defense.unit[{index}]" if index >= 0 else found[0]


def _ids_in(data: dict[str, object]) -> dict[str, list[int]]:
    """Return every unit id that the file mentions in its units, however faulty they are, with the numbers of its entries."""
    entries, found = data.get("unit"), dict[str, list[int]]()
    for index, entry in enumerate(entries if isinstance(entries, list) else ()):
        if isinstance(entry, dict) and isinstance(entry.get("id"), str):
            found.setdefault(entry["id"], []).append(index)
    return found


def _some_nameless(data: dict[str, object]) -> bool:
    """Tell whether a unit of the file has no id by which it could be known."""
    entries = data.get("unit")
    ids = [
        entry.get("id") if isinstance(entry, dict) else None for entry in (entries if isinstance(entries, list) else ())
    ]
    return not all(isinstance(id, str) and re.fullmatch(UNIT_ID, id) for id in ids)


def _double_ids(data: dict[str, object], where: str) -> Iterator[Problem]:
    """Yield a problem for each unit whose id another one before it has."""
    for unit, indices in _ids_in(data).items():
        for index in indices[1:]:
            place = f"{where}: unit[{index}] ({unit[:80]})"
            yield Problem(f"unit ids must differ, but {unit[:80]!r} comes twice", place)
