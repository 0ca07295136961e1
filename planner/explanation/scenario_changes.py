"""What would have to be different: candidates, and the scenario in which they are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from planner.explanation.answer import Change
from planner.explanation.plainer_ways import plainest
from planner.rules.game import Game
from planner.scenario import Scenario

MOST_ENEMIES = 60
"""So many enemies are tried as absent, those to blame first."""


def changed(scenario: Scenario, changes: Iterable[Change]) -> Scenario:
    """Return the scenario as it would be with some changes.

    A unit that "were not there" is off the map from the start; one in another state has the MA of that. Who holds what stays
    as it is, and so does what has been done in the phase.

    Parameters
    ----------
    scenario : Scenario
        The position; left as it is.
    changes : iterable of Change
        What is different.
    """
    game, start = scenario.game, scenario.start.copy()
    units, homes, situation, board = dict(game.units), dict(game.homes), game.situation, game.board
    origins = {} if game.begun is None else dict(game.begun.origins)
    for change in sorted(changes, key=lambda change: change.kind == "mp"):  # on top of the MA of another state
        what = change.what
        if change.kind == "mp":
            units[what] = replace(units[what], ma=units[what].ma + change.amount)
        elif change.kind == "gone":
            homes.pop(what, None)
            origins.pop(what, None)
            start.under_way.pop(what, None)
            if what in start.at:
                start.remove(what, "elsewhere")
            elif what in units:
                start.boxes[what] = "elsewhere"
            situation = replace(situation, markers=tuple(m for m in situation.markers if m.id != what))
        elif change.kind == "supplied":
            units[what] = game.rulebook.mobilized(replace(units[what], supplied=True), situation.phase)
        elif change.kind == "without":
            traits = units[what].traits - {change.detail}
            units[what] = game.rulebook.mobilized(replace(units[what], traits=traits), situation.phase)
        elif change.kind == "carrier":
            markers = []
            for marker in situation.markers:
                markers.append(marker)
                if marker.id == what:
                    markers[-1] = replace(marker, used=False)
                    if change.detail:
                        markers.append(replace(marker, used=False, id=f"{marker.id}_too"))
            situation = replace(situation, markers=tuple(markers))
        elif change.kind == "order":
            orders = dict(situation.orders)
            orders[what] = orders.get(what, 0) + 1
            situation = replace(situation, orders=orders)
        elif change.kind == "terrain":
            board = board.altered([replace(board.hexes[what], terrain=change.detail, also=())])
        elif change.kind == "trait":
            hexagon = board.hexes[what]
            board = board.altered([replace(hexagon, traits=hexagon.traits - {change.detail})])
        elif change.kind == "hexside":
            a, b = what.split("-")
            board = board.altered(hexsides={(a, b): board.hexside(a, b) - {change.detail}})
        elif change.kind == "weather":
            weather = {label: name for label, name in situation.weather.items() if label != what}
            situation = replace(situation, weather=weather)
        else:
            kept = {
                rule: tuple(b for index, b in enumerate(barriers) if f"{rule} {index + 1}" != what)
                for rule, barriers in situation.restrictions.items()
            }
            situation = replace(situation, restrictions=kept)
    begun = None if game.begun is None else replace(game.begun, origins=origins, position=start)
    other = replace(game, board=board, units=units, homes=homes, situation=situation, begun=begun, _cache={})
    return replace(scenario, game=other, start=start)


@dataclass(frozen=True)
class Obstacles:
    """What is to be done, and what may be in its way.

    Attributes
    ----------
    units : sequence of str
        The units that are to move.
    hexes : sequence of str
        Where they are to go.
    blame : sequence of str
        The units that stand in the way.
    mp : dict from units to Fraction
        How many MP each of them might lack.
    sides : sequence of pairs of str
        The hexsides that they are to cross.
    barred : sequence of str
        The hexes in which something is wrong.
    needed : sequence of str
        The units that can't be wished away.
    """

    units: Sequence[str]
    hexes: Sequence[str]
    blame: Sequence[str]
    mp: dict[str, Fraction]
    sides: Sequence[tuple[str, str]]
    barred: Sequence[str]
    needed: Sequence[str]


def candidates(game: Game, met: Obstacles) -> Iterator[Change]:
    """Yield the things that might be different in a position, given what is in the way."""
    for unit in met.units:
        if met.mp.get(unit):
            yield Change("mp", unit, met.mp[unit])
    there = {*game.homes, *(marker.id for marker in game.situation.markers)}
    first = [unit for unit in dict.fromkeys(met.blame) if unit in there and unit not in met.needed]
    for unit in first[:MOST_ENEMIES]:
        yield Change("gone", unit)
    yield from _other_ground(game, met)
    lying = [marker.id for label in met.hexes for marker in game.markers_at(label)]
    enemies = [unit for unit in game.homes if game.is_enemy(unit)]
    for unit in [unit for unit in dict.fromkeys([*lying, *enemies]) if unit not in first][:MOST_ENEMIES]:
        yield Change("gone", unit)
    phasing = game.situation.phasing
    for marker in game.situation.markers:
        if marker.zone and marker.side == phasing:
            yield Change("carrier", marker.id) if marker.used else Change("carrier", marker.id, detail="another")
    for section in game.situation.orders:
        yield Change("order", section)
    chart = game.rulebook.forces.unit_types
    for unit in met.units:
        counter = game.units[unit]
        if counter.supplied is not True:
            yield Change("supplied", unit)
        printed = chart[counter.type].traits if counter.type in chart else ()
        for trait in sorted(counter.traits.difference(printed)):
            yield Change("without", unit, detail=trait)
    for label in dict.fromkeys(met.hexes):
        if game.weather(label):
            yield Change("weather", label)
    for rule, barriers in game.situation.restrictions.items():
        for index, barrier in enumerate(barriers):
            yield Change("lifted", f"{rule} {index + 1}", detail=barrier.because)


def _other_ground(game: Game, met: Obstacles) -> Iterator[Change]:
    """Yield other terrain, hexsides without their features, and hexes without their traits."""
    chart, board, phase = game.rulebook.terrain, game.board, game.situation.phase
    for label in dict.fromkeys([*met.barred, *met.hexes]):
        if label not in board.hexes:
            continue
        place, weather = board.hexes[label], game.weather(label)
        for unit in met.units:
            plain = plainest(game, game.units[unit], weather)
            now = chart.entry_cost(place, (), game.units[unit], phase, (), weather)
            then = chart.terrain[plain].cost(game.units[unit], phase, weather) if plain else None
            if then is not None and (now is None or (now.all, now.mp) > (then.all, then.mp) or label in met.barred):
                if plain != place.terrain:
                    yield Change("terrain", label, detail=plain)
                break
    sides = dict[frozenset[str], tuple[str, str]]()
    for side in met.sides:
        sides.setdefault(frozenset(side), side)  # once, whichever way it is crossed
    for a, b in sides.values():
        for feature in sorted(board.hexside(a, b) & chart.hexsides.keys()):
            yield Change("hexside", f"{a}-{b}", detail=feature)
    for label in dict.fromkeys(met.barred):
        if label in board.hexes:
            for trait in sorted(board.hexes[label].traits):
                yield Change("trait", label, detail=trait)
