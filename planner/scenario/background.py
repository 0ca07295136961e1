"""What stands behind the units of a scenario: countries, markers, and who holds which place."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from planner.formats.spelling import not_among
from planner.rules.roles import Captures
from planner.rules.rulebook import Rulebook
from planner.scenario.shape import MarkerEntry, ScenarioFile
from planner.world.board import Board, Country
from planner.world.forces import Marker, Unit
from planner.world.position import Position, Situation

Report = Callable[[str, str], None]
"""Notes a fault: what is wrong, and where."""


def build_countries(file: ScenarioFile, rulebook: Rulebook, report: Report) -> dict[str, Country]:
    """Return every country of the chart and of the scenario, with what is in force in it.

    Parameters
    ----------
    file : ScenarioFile
        Its entries override the chart; markers in capitals add their status.
    rulebook : Rulebook
        Its chart of countries.
    report : callable
        Gets each fault.
    """
    forces = rulebook.forces
    in_capitals: dict[str, set[str]] = {}
    for marker in file.marker:
        kind = forces.marker_types.get(marker.type)
        if kind is not None and kind.status is not None and marker.at:
            in_capitals.setdefault(marker.at, set()).add(kind.status)

    def check(chart: str, names: tuple[str, ...], place: str) -> None:
        for text in rulebook.unknown(chart, names):
            report(text, place)

    countries = {}
    for name in dict.fromkeys([*forces.countries, *file.country]):
        entry, own = forces.countries.get(name), file.country.get(name)
        place = f"country.{name}"
        traits = set(entry.traits) if entry is not None else set()
        side, dependent_of = (entry.side, entry.dependent_of) if entry is not None else (None, None)
        capital = entry.capital if entry is not None else ""
        status: set[str] = set()
        if own is not None:
            check("sides", (own.side,) if own.side else (), f"{place}.side")
            if own.dependent_of and own.dependent_of not in {**forces.countries, **file.country}:
                report(f"dependent_of must be a country, not {own.dependent_of!r}", f"{place}.dependent_of")
            check("status", own.status, f"{place}.status")
            check("country_traits", own.traits, f"{place}.traits")
            traits.update(own.traits)
            status.update(own.status)
            side = side if own.side is None else own.side
            dependent_of = dependent_of if own.dependent_of is None else own.dependent_of
            capital = capital if own.capital is None else own.capital
        if capital:
            status |= in_capitals.get(capital, set())
        countries[name] = Country(name, frozenset(traits), side or "", dependent_of or "", frozenset(status))
    return countries


def build_markers(
    file: ScenarioFile, rulebook: Rulebook, board: Board, units: dict[str, Unit], report: Report
) -> tuple[Marker, ...]:
    """Return the markers, each with an id of its own.

    Parameters
    ----------
    file : ScenarioFile
        Its marker entries.
    rulebook : Rulebook
        The charts.
    board : Board
        The map.
    units : dict from ids to Unit
        Their ids are taken.
    report : callable
        Gets each fault.
    """
    markers: list[Marker] = []
    ids = set(units) | {entry.id for entry in file.marker if entry.id is not None}
    given: set[str] = set()
    for index, entry in enumerate(file.marker):
        place = f"marker[{index}]"
        names = {
            "marker_types": [entry.type],
            "sides": [entry.side],
            "nationalities": [entry.nationality] if entry.nationality else [],
        }
        found = [
            (text, key)
            for (chart, wanted), key in zip(names.items(), ("type", "side", "nationality"), strict=True)
            for text in rulebook.unknown(chart, wanted)
        ]
        found += _place_problems(entry, board)
        if entry.id is not None and (entry.id in units or entry.id in given):
            found.append((f"marker ids must differ from all others, but {entry.id!r} comes twice", "id"))
        for text, key in found:
            report(text, f"{place}.{key}" if key else place)
        if entry.id is not None:
            given.add(entry.id)
        if not found:
            traits = frozenset(rulebook.forces.marker_types[entry.type].traits)
            called = entry.id or _free_id(f"{entry.type}_{entry.at or entry.zone}".replace(".", "_"), ids)
            ids.add(called)
            markers.append(
                Marker(
                    entry.type,
                    entry.side,
                    entry.at or "",
                    traits,
                    called,
                    entry.nationality,
                    entry.facing or "",
                    entry.zone or "",
                    entry.used,
                    rulebook.forces.marker_types[entry.type].capacity,
                )
            )
    return tuple(markers)


def _place_problems(entry: MarkerEntry, board: Board) -> list[tuple[str, str]]:
    if (entry.at is None) == (entry.zone is None):
        return [("must have exactly one of at and zone", "")]
    if entry.zone is not None and entry.zone not in board.zones:
        return [(not_among("zone", entry.zone, board.zones), "zone")]
    if entry.at is not None and entry.at not in board:
        return [(f"hex {entry.at[:40]!r} is not on the map", "at")]
    if entry.facing is not None and (entry.at is None or entry.facing not in board.neighbours[entry.at]):
        return [(f"facing must be a neighbouring hex on the map, not {entry.facing[:40]!r}", "facing")]
    return []


def _free_id(wanted: str, taken: set[str]) -> str:
    number, called = 1, wanted
    while called in taken:
        number += 1
        called = f"{wanted}_{number}"
    return called


def who_holds_what(
    rulebook: Rulebook,
    board: Board,
    units: dict[str, Unit],
    position: Position,
    markers: tuple[Marker, ...],
    given: dict[str, str],
) -> dict[str, str]:
    """Return the side that holds each place: as given, or by units there, or by markers there, or by its country's side.

    Only units that could take a place hold it, and only markers that would be lost with it. Where allies stand together, it
    is held by one of them, and so friendly to all; where enemies do, by neither.
    """
    captures = rulebook.of(Captures)
    holders: dict[str, set[str]] = {}
    for unit, label in position.at.items():
        if any(rule.by.matches(units[unit]) for rule in captures):
            holders.setdefault(label, set()).add(units[unit].side)
    for marker in markers:
        if marker.at not in holders and any(r.markers is not None and r.markers.matches(marker) for r in captures):
            holders[marker.at] = {marker.side}
    held = {label: place.country.side for label, place in board.places.items() if place.country.side}
    for label, sides in holders.items():
        if not rulebook.forces.at_odds(sides):
            held.update((label, side) for side in reversed(rulebook.forces.sides) if side in sides)
    return {**held, **given}


def lost_to_others(
    situation: Situation, rulebook: Rulebook, board: Board, movers: Iterable[tuple[Unit, str]]
) -> Iterator[tuple[str, str]]:
    """Yield each place that is said to be another side's although a unit of the side that moves has taken it by entering.

    Each comes with what is wrong, in a sentence. `movers` are the units of that side, and where they stand.
    """
    for unit, label in movers:
        side = situation.control.get(label, unit.side)
        for rule in rulebook.of(Captures):
            held = rule.where.matches(board.places[label], situation.weather.get(label, ""))
            if not situation.befriends(side) and rule.by.matches(unit) and held:
                who = f"{unit.id} ({unit.side}) stands there, and who enters such a place takes it ({rule.paragraph})"
                yield label, f"{label} can't be held by {side}: {who}"
