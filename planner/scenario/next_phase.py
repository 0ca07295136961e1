"""The position after a phase as a scenario: what the author has written, with what has changed and nothing else."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import tomlkit

from planner.errors import InputError, Problem
from planner.formats.files import parse_toml, read_again, write_text
from planner.formats.hex_lists import split_labels
from planner.objective import terms_of
from planner.rules.later_roles import Outlasts
from planner.rules.roles import Captures
from planner.scenario import Scenario, build_scenario, find_scenario
from planner.scenario.background import who_holds_what
from planner.world.carrier_assignment import assign_carriers
from planner.world.forces import carrier_of
from planner.world.position import Position


def write_after(scenario: Scenario, position: Position, to: Path, phase: str | None = None) -> None:
    """Write a scenario file for the phase after the one that has been played.

    Comments and order of the author's file are kept. Verdicts, the answer and the defense go, since they speak of the old
    position; units get their new places, eliminated ones their boxes; carriers that were used are marked so, eliminated
    markers are taken off, and places that were taken change hands.

    Parameters
    ----------
    scenario : Scenario
        The scenario that was played; it must come from a file.
    position : Position
        Who stands where now.
    to : Path
        The file; written whole or not at all.
    phase : str, optional
        The phase; by default the one that follows in the rulebook.

    Raises
    ------
    InputError
        If the phase doesn't exist or the file can't be written.
    """
    source = find_scenario(scenario.where)
    document = _document(scenario, source)
    _go_on(document, scenario, position, phase)
    _write(document, source, to)


def _document(scenario: Scenario, source: Path) -> tomlkit.TOMLDocument:
    """Return the author's file, with its comments; of a pipe, what has been read."""
    return tomlkit.parse(read_again(source) or tomlkit.dumps(scenario.to_dict()))


def data_after(scenario: Scenario, position: Position, phase: str | None = None) -> dict[str, Any]:
    """Return what a file would hold for the phase after the one that has been played; as `write_after`, without a file.

    Raises
    ------
    InputError
        If the phase doesn't exist, or the scenario can't be gone on with.
    """
    document = scenario.to_dict()
    _go_on(document, scenario, position, phase)
    return Scenario.from_dict(document, scenario.where, scenario.beside).to_dict()


def _go_on(document: Any, scenario: Scenario, position: Position, phase: str | None) -> None:
    """Enter into what an author has written what has changed when a phase is over, and which one follows."""
    rulebook = scenario.game.rulebook
    if phase is not None and phase not in rulebook.forces.phases:
        names = ", ".join(rulebook.forces.phases)
        raise InputError([Problem(f"phase must be one of {names}, not {phase!r}", "--phase")])
    side, now = scenario.game.situation.phasing, scenario.game.situation.phase
    document["phase"] = later = phase or rulebook.next_phase(side, now)
    same_turn = rulebook.same_turn(side, now, later)
    if not same_turn:
        document["turn"] = document.get("turn", 1) + 1
    _enter(document, scenario, position, same_turn)
    there = replace(scenario.game, situation=replace(scenario.game.situation, phase=later), _cache={})
    if any(True for term in terms_of(scenario.tiers, scenario.requirements) for _ in term.out_of_phase(there)):
        _keep_by_side(document, scenario.game.situation.phasing)


def next_step(scenario: Scenario, position: Position) -> Scenario:
    """Return the scenario with which the game goes on: the next step of the turn, or the first of the next one.

    Where another side moves, its objective takes the place of this one's, which is kept for its next phase.

    Parameters
    ----------
    scenario : Scenario
        The scenario that was played.
    position : Position
        Who stands where now; left as it is.

    Raises
    ------
    InputError
        If the scenario can't be gone on with as it is; every problem at once.
    """
    rulebook, document = scenario.game.rulebook, scenario.to_dict()
    later, new_turn = rulebook.next_step(document["phasing"], document["phase"])
    if new_turn:
        document["turn"] = document.get("turn", 1) + 1
    _enter(document, scenario, position, not new_turn)
    document["phase"], document["phasing"] = later.phase, later.side
    _keep_by_side(document, scenario.game.situation.phasing)
    return Scenario.from_dict(document, scenario.where, scenario.beside)


def _keep_by_side(document: Any, mover: str) -> None:
    """Write what the side that has moved wants as its objective in all of its phases."""
    if own := {key: document.pop(key) for key in ("tier", "require") if key in document}:
        document.setdefault("objective", {})[mover] = own


def _enter(document: Any, scenario: Scenario, position: Position, same_turn: bool) -> None:
    """Enter into what an author has written where everybody stands after a phase, and what else has changed."""
    scenario = replace(scenario, game=scenario.game.at_first)
    for key in ("done", *_OF_THE_OLD_POSITION):
        document.pop(key, None)
    for entry in document.get("unit", []):
        _place(entry, position)
        _mark(entry, scenario, position)
        _keep_count(entry, scenario, position, same_turn)
        if lost := position.lost_steps.get(str(entry["id"])):
            entry["steps"] = scenario.game.units[str(entry["id"])].steps - lost
    _turn_markers(document, scenario, position)
    _hand_over(document, scenario, position)


def write_in_progress(scenario: Scenario, to: Path) -> None:
    """Write a scenario file for a phase in progress: the author's, with the moves that have been made under ``[[done]]``.

    Parameters
    ----------
    scenario : Scenario
        The phase in progress; the scenario must come from a file.
    to : Path
        The file; written whole or not at all.

    Raises
    ------
    InputError
        If the file can't be written.
    """
    source = find_scenario(scenario.where)
    document = _document(scenario, source)
    for key in ("done", *_OF_THE_OLD_POSITION):
        document.pop(key, None)
    if scenario.done.lines:
        entries = tomlkit.aot()
        for line in scenario.done.lines:
            entry = tomlkit.table()
            entry["move"] = line
            entries.append(entry)
        document["done"] = entries
    _write(document, source, to)


_OF_THE_OLD_POSITION = ("verdict", "answer", "defense")
"""What of a scenario speaks of the position with which it begins."""


def _write(document: tomlkit.TOMLDocument, source: Path, to: Path) -> None:
    """Write a scenario file, if it can be read."""
    model = str(document["model"])
    elsewhere = to.parent.resolve() != source.parent.resolve()
    if "/" in model and elsewhere and not Path(model).is_absolute():
        # A model given by its path is looked for beside the scenario.
        document["model"] = str((source.parent / model).resolve())
    text = tomlkit.dumps(document)
    build_scenario(parse_toml(text, str(to)), str(to), to.parent)
    write_text(to, text)


def _place(entry: Any, position: Position) -> None:
    unit = str(entry["id"])
    if unit in position.at:
        if entry.get("at", entry.get("box")) != position.at[unit]:  # a box of the map may be written as either
            entry.pop("box", None)
            entry["at"] = position.at[unit]
    elif entry.get("box") != position.boxes[unit]:
        if "at" in entry:
            del entry["at"]
        entry["box"] = position.boxes[unit]


def _mark(entry: Any, scenario: Scenario, position: Position) -> None:
    """Give the traits for it to a unit that has bogged down, or been demoralized; and lose it if it has missed its turn."""
    unit, new = str(entry["id"]), list[str]()
    for rule in scenario.game.rulebook.of(Outlasts):
        new += rule.traits_after(scenario.game, unit, position)
        if (box := rule.box_after(scenario.game, unit, position)) is not None:
            entry.pop("at", None)
            entry["box"] = box
    traits = entry.get("traits", [])
    traits = [traits] if isinstance(traits, str) else list(traits)
    if set(new) - set(traits):
        entry["traits"] = [*traits, *(trait for trait in new if trait not in traits)]


def _keep_count(entry: Any, scenario: Scenario, position: Position, same_turn: bool) -> None:
    """Write down how many steps a unit has made that are limited in a turn, as long as that isn't over."""
    unit, phase = scenario.game.units[str(entry["id"])], scenario.game.situation.phase
    progress, had = position.under_way.get(unit.id), dict(unit.steps_made)
    made: Any = tomlkit.inline_table() if isinstance(entry, tomlkit.items.Table) else {}
    for rule in scenario.game.rulebook.tallying:
        if rule.per_turn and same_turn:
            counted = progress is not None and rule.cap(unit, phase) is not None
            if number := (dict(progress.tallies) if counted and progress is not None else had).get(rule.id):
                made[rule.id] = int(number)
    entry.pop("steps_made", None)
    if made:
        entry["steps_made"] = made


def _turn_markers(document: Any, scenario: Scenario, position: Position) -> None:
    """Mark the carriers that have been used, and take off the markers that have been eliminated."""
    used = {carrier_of(berth) for berth in assign_carriers(position.legs) or ()}
    entries: Any = document.get("marker", [])
    # The builder keeps their order, and each entry has made one marker.
    for index, marker in reversed(list(enumerate(scenario.game.situation.markers))):
        if marker.id in used:
            entries[index]["used"] = True
        if marker.id in position.lost:
            del entries[index]
    if not entries and "marker" in document:
        del document["marker"]


def _hand_over(document: Any, scenario: Scenario, position: Position) -> None:
    """Give the places that have changed hands, or been left, to whoever had a unit there last.

    Where nothing keeps both sides apart, a place that was entered and left again is still that of the enemies who are there,
    if they take places.
    """
    game, own = scenario.game, scenario.game.situation.phasing
    captures = game.rulebook.of(Captures)

    def beset(label: str) -> bool:
        inside = position.units_in(label)
        holding = any(rule.by.matches(game.units[unit]) for unit in inside for rule in captures)
        return holding and all(map(game.is_enemy, inside))

    gains: dict[str, list[str]] = {own: [label for label in position.taken if not beset(label)]}
    for label in sorted(position.given.keys() - gains[own]):
        gains.setdefault(position.given[label], []).append(label)
    said = {label for labels in document.get("control", {}).values() for label in split_labels(labels)}
    for label, side in _left(scenario, position, said):
        if side != own or not beset(label):
            gains.setdefault(side, []).append(label)
    moved = {label for labels in gains.values() for label in labels}
    if not moved:
        return
    if "control" not in document:
        document["control"] = {}
    control: Any = document["control"]
    for side in list(control):
        text = " ".join(control[side]) if isinstance(control[side], list) else str(control[side])
        kept = [label for label in text.split() if label not in moved or label in gains.get(side, ())]
        if len(kept) < len(text.split()):
            control[side] = " ".join(kept)
    for side, labels in gains.items():
        had = control.get(side, "")
        had = (" ".join(had) if isinstance(had, list) else str(had)).split()
        if new := [label for label in labels if label not in had]:
            control[side] = " ".join([*had, *new])


def _left(scenario: Scenario, position: Position, said: Collection[str]) -> Iterator[tuple[str, str]]:
    """Yield the places whose side held them by who stood there, but has left or is gone, and that side; not what is said."""
    game, captures = scenario.game, scenario.game.rulebook.of(Captures)
    changed = {*position.taken, *position.given}
    markers = tuple(marker for marker in game.situation.markers if marker.id not in position.lost)
    later = who_holds_what(game.rulebook, game.board, game.units, position, markers, {}) if captures else {}
    for label, side in game.situation.control.items() if captures else ():
        if label in said or label in changed or later.get(label) == side:
            continue
        if any(rule.where.matches(game.board.places[label], game.weather(label)) for rule in captures):
            yield label, side
