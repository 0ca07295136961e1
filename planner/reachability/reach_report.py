"""What a single unit can reach: by itself now, and with help."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from planner.limits import Limits
from planner.notebook import Shown
from planner.plans.plan import Move
from planner.reachability.conditional_reach import ConditionalReach, Possibility
from planner.reachability.event_reach import EventReach, UnsuitedError, waits
from planner.referee.referee import Referee
from planner.referee.verdict import Violation
from planner.rules.demands import Atom, Friend, control_of
from planner.scenario import Scenario


@dataclass(frozen=True)
class Help:
    """Something that other units must have seen to when the unit moves.

    Attributes
    ----------
    kind : str
        "friend_in": a friend must stand in a hex. "vacant": those who stand in a hex must have
        left it. "gone": an enemy must have been eliminated, or a marker. "taken": a
        place must have been taken. "joined": others must join the overrun of a hex, or support it.
    what : str
        The hex, the enemy or the marker.
    by : tuple of str
        The units that might see to it, in the order of the scenario.
    """

    kind: Literal["friend_in", "vacant", "gone", "taken", "joined"]
    what: str
    by: tuple[str, ...]

    def __str__(self) -> str:
        who = " or ".join(self.by)
        verb = {
            "friend_in": f"{who} in {self.what}",
            "vacant": f"{self.what} left by {' and '.join(self.by)}",
            "taken": f"{self.what} taken by {who}",
            "joined": f"{who or 'support'} in the overrun of {self.what}",
        }
        return verb.get(self.kind, f"{self.what} eliminated by {who}")


@dataclass(frozen=True)
class Reachable:
    """A hex that a unit can reach.

    Attributes
    ----------
    hex : str
        The hex.
    mp : Fraction
        MP spent on the way.
    path : tuple of str
        The way, the hex of departure first.
    overruns : tuple of str
        The enemies that it eliminates on the way.
    stop : tuple of (str, tuple of str)
        The paragraphs on whose account it must stop there, with the units to blame; empty if it could go on.
    help : tuple of Help
        What it needs of others; empty if it gets there by itself.
    move : Move or None
        The move that takes it there.
    zones : tuple of str
        The naval zones across which it is carried, one carrier in each.
    chance : Fraction
        The probability that it gets there, where it rolls for it.
    """

    hex: str
    mp: Fraction
    path: tuple[str, ...]
    overruns: tuple[str, ...] = ()
    stop: tuple[tuple[str, tuple[str, ...]], ...] = ()
    help: tuple[Help, ...] = ()
    move: Move | None = None
    zones: tuple[str, ...] = ()
    chance: Fraction = Fraction(1)


@dataclass(frozen=True)
class ReachReport(Shown):
    """What a unit can reach.

    Attributes
    ----------
    unit, at : str
        The unit, and where it stands.
    ma : Fraction
        Its movement allowance.
    hindrances : tuple of Violation
        Why it may not move as things stand; empty if it may.
    alone : tuple of Reachable
        The hexes that it can reach by itself now, each by the cheapest way, cheapest first.
    with_help : tuple of Reachable
        The hexes that it could reach only with help, once for each minimal help.
    """

    unit: str
    at: str
    ma: Fraction
    hindrances: tuple[Violation, ...] = ()
    alone: tuple[Reachable, ...] = ()
    with_help: tuple[Reachable, ...] = ()

    def __repr__(self) -> str:
        alone, helped = len(self.alone), len(self.with_help)
        return f"<ReachReport of {self.unit} in {self.at}: {alone} hexes by itself, {helped} with help>"


def report(scenario: Scenario, unit: str, limits: Limits | None = None) -> ReachReport:
    """Work out what a unit can reach.

    Parameters
    ----------
    scenario : Scenario
        The position.
    unit : str
        The id of a unit on the map.
    limits : Limits, optional
        When it must end.

    Raises
    ------
    OutOfTimeError
        If the deadline passes, or somebody stops it.
    """
    game = scenario.game
    at = scenario.start.at[unit]
    hindrances = tuple(_hindrances(scenario, unit, at))
    reach = ConditionalReach(game, limits)
    patient = _by_events(scenario, reach, unit) if waits(game) else None
    if patient is not None:
        return ReachReport(unit, at, game.units[unit].ma, hindrances, *patient)
    alone: dict[str, Possibility] = {}
    if unit in reach.movers:
        for found in reach.possibilities(unit, reach.as_it_stands, rolled=True):
            rival = alone.get(found.end)
            if found.end != at and (rival is None or (found.mp, bool(found.stop)) < (rival.mp, bool(rival.stop))):
                alone[found.end] = found
    helped: list[Possibility] = []
    if unit in game.phasing:
        for found in reach.possibilities(unit, rolled=True):
            if found.end not in alone and found.end != at and _others(found):
                helped.append(found)
    return ReachReport(
        unit,
        at,
        game.units[unit].ma,
        hindrances,
        tuple(_reachable(reach, found) for found in sorted(alone.values(), key=_cheapest)),
        tuple(_reachable(reach, found) for found in sorted(_least_help(helped), key=_cheapest)),
    )


def _by_events(
    scenario: Scenario, reach: ConditionalReach, unit: str
) -> tuple[tuple[Reachable, ...], tuple[Reachable, ...]] | None:
    """List what a unit can reach by itself, and with help, where units wait for each other; None if there is more to it."""
    game, referee = scenario.game, Referee(scenario.game)
    try:
        events = EventReach(reach)
        itineraries = events.itineraries(unit) if unit in reach.movers else []
    except UnsuitedError:
        return None
    alone: dict[str, Reachable] = {}
    helped: list[Reachable] = []
    for found in itineraries:
        kills = tuple(enemy for _, _, to in found.parts for enemy in game.enemies_at(to))
        move = Move((unit,), found.path, frozenset(step for step, _, _ in found.parts))
        help_ = [Help("gone", enemy, _takers(events, game.homes[enemy], unit)) for enemy, _ in sorted(set(found.needs))]
        if not help_:
            broken, _ = referee.play_move(move, scenario.start.copy(), ())
            steps = {violation.step for violation in broken}
            help_ = [Help("joined", to, _takers(events, to, unit)) for step, _, to in found.parts if step in steps]
            if broken and not help_:
                continue
        entry = Reachable(found.end, found.mp, found.path, kills, (), tuple(help_), move)
        if help_:
            helped.append(entry)
        elif found.end not in alone or entry.mp < alone[found.end].mp:
            alone[found.end] = entry
    least: list[Reachable] = []
    for entry in sorted(helped, key=lambda one: (len(one.help), one.mp, one.path)):
        as_good = (other for other in least if other.hex == entry.hex and set(other.help) <= set(entry.help))
        if entry.hex not in alone and not any(as_good):
            least.append(entry)
    alone.pop(scenario.start.at[unit], None)
    least = [entry for entry in least if entry.hex != scenario.start.at[unit]]
    return (
        tuple(sorted(alone.values(), key=lambda one: (one.mp, one.hex))),
        tuple(sorted(least, key=lambda one: (one.mp, one.hex, len(one.help)))),
    )


def _takers(events: EventReach, label: str, unit: str) -> tuple[str, ...]:
    """Return the others that might take part in the overrun of a hex, in the order of the scenario."""
    units = {other for those in events.events.get(label, {}).values() for other in those}
    return events.game.sorted(units - {unit})


def _hindrances(scenario: Scenario, unit: str, at: str) -> Iterable[Violation]:
    """Yield what the referee has against the unit's leaving its hex now, wherever it goes."""
    board = scenario.game.board
    somewhere = next((to for to in (*board.neighbours[at], *board.places) if to != at), None)
    if somewhere is not None:
        found, _ = Referee(scenario.game).play_move(Move((unit,), (at, somewhere)), scenario.start.copy(), ())
        yield from (violation for violation in found if violation.step == 0)


def _others(found: Possibility) -> frozenset[Atom]:
    """Return what a possibility needs of other units: carriers are nobody's."""
    return frozenset(atom for atom in found.needs if atom.helped)


def _cheapest(found: Possibility) -> tuple[Fraction, str, int, str]:
    return found.mp, found.end, len(_others(found)), repr(sorted(map(repr, found.needs)))


def _least_help(found: Iterable[Possibility]) -> list[Possibility]:
    """Keep, for each hex, the possibilities whose help is no proper superset of another one's, the cheapest of equals."""
    kept: list[Possibility] = []
    for entry in sorted(found, key=lambda p: (len(_others(p)), *_cheapest(p))):
        if not any(other.end == entry.end and _others(other) <= _others(entry) for other in kept):
            kept.append(entry)
    return kept


def _reachable(reach: ConditionalReach, found: Possibility) -> Reachable:
    stops: dict[str, list[str]] = {}
    for demand in found.stop:
        stops.setdefault(demand.paragraph, []).extend(demand.blame)
    return Reachable(
        found.end,
        found.mp,
        found.path,
        tuple(enemy for enemy in found.kills if enemy in reach.game.units),
        tuple((paragraph, reach.game.sorted(set(blame))) for paragraph, blame in stops.items()),
        tuple(
            help_
            for help_ in (_help(reach, found.unit, atom) for atom in sorted(_others(found), key=repr))
            if help_.kind != "vacant" or help_.by  # nobody need leave a hex that is empty
        ),
        Move((found.unit,), found.path, found.overruns, tuple((step, "") for step, _ in found.carried)),
        tuple(zone for _, zone in found.carried),
        reach.chance_of(found),
    )


def _help(reach: ConditionalReach, unit: str, atom: Atom) -> Help:
    if isinstance(atom, Friend):
        return Help("friend_in", atom.hex, reach.possible_friends(unit, atom))
    if (space := atom.space) is not None:
        homes = reach.game.homes
        inside = (other for other in reach.group(space.group) if other != unit and homes.get(other) == space.hex)
        return Help("vacant", space.hex, reach.game.sorted(inside))
    if (friend := atom.friend) is not None:
        return Help("friend_in", friend.hex, reach.game.sorted(reach.group(friend.group) - {unit}))
    (enemy,) = atom.names
    by = reach.possible_killers(unit, enemy)
    place = next((label for label in reach.game.board.places if control_of(label) == enemy), None)
    return Help("gone", enemy, by) if place is None else Help("taken", place, by)
