"""What units can do whose moves are fixed: exactly what is written, under whichever conditions make it legal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import cast

from planner.plans.plan import Move
from planner.reachability.conditional_reach import ConditionalReach
from planner.reachability.event_reach import EventLabel, EventReach, Itinerary, Out
from planner.reachability.possibility import Possibility
from planner.reachability.step_rules import Step, Tally
from planner.reachability.team_label import TeamLabel
from planner.reachability.team_possibility import TeamPossibility
from planner.reachability.team_reach import TeamReach
from planner.rules.atoms import Atom, Carried, There
from planner.rules.demands import Before, Demand
from planner.rules.game import Game
from planner.rules.play import way_of
from planner.world.forces import Unit, carrier_of


def joined(moves: Iterable[Move], unit: str) -> Move | None:
    """Return all that a unit does in some moves as one move of its own; None if it does nothing, or is elsewhere between."""
    found: Move | None = None
    for move in moves:
        if unit not in move.units:
            continue
        part = move.part(unit)
        if found is not None and found.path[-1] != part.path[0]:
            return None
        found = part if found is None else found.then(part)
    return found


def along(reach: ConditionalReach, move: Move, most: int | None = None) -> list[Possibility]:
    """Return the possibilities of a unit that makes exactly a written move by itself, and rolls for nothing.

    Parameters
    ----------
    reach : ConditionalReach
        Tells the steps, and what is known of conditions.
    move : Move
        The move of one unit.
    most : int, optional
        If anywhere on the way there are more of them than so many, none are returned.
    """
    unit = reach.game.units[move.units[0]]
    if reach.game.homes.get(unit.id) != move.path[0] or unit.id not in reach.movers or (reach.joint and move.overruns):
        return []
    truth = reach.before_all
    states: list[tuple[int, int, int, tuple[Demand, ...], Before, tuple[tuple[int, str], ...], Tally]] = [
        (one.spent, cond | carried, 0, one.pending, one.before, (), reach.tally_before(unit))
        for one in reach.departures(unit.id)
        for carried in [reach.atoms.bits_of(one.needs)]
        for cond in reach.alternatives(unit, reach.pick_up(unit.id), carried, 0, truth)
    ]
    departed = reach.departed(unit.id)
    for index in range(1, len(move.path)):
        reach.check_time()
        further = []
        for spent, cond, removes, pending, before, legs, tally in states:
            for step in _readings(reach, unit, move, index, before):
                paid = reach.pay(unit, step, spent, tally, index == 1 and not departed.steps)
                if paid is None:
                    continue
                total, sums, barring = paid
                if reach.rolls_alone(unit) and reach.roll_of(unit, step.arc, departed.steps + index) < 1:
                    continue
                victims = step.arc.victims or ()
                binding = [demand for demand in pending if not demand.lapses(victims)]
                gone = removes | reach.shared_demands.enemies_in(step.removes)
                for needs in reach.alternatives(unit, [*binding, *step.needs(index)], cond, removes, truth):
                    if victims and reach.contradicts(cond | needs, removes, victims):
                        continue
                    open_ = tuple(
                        demand
                        for demand in step.onward
                        if 0 not in reach.alternatives(unit, [demand], cond | needs, gone, truth)
                    )
                    if barring is not None:
                        open_ = (*open_, barring)
                    carried = (*legs, (index, step.arc.zone)) if step.aboard else legs
                    further.append((total, cond | needs, gone, open_, reach.after(step.arc), carried, sums))
        states = list(dict.fromkeys(further))
        if most is not None and len(states) > most:
            return []
    victims = tuple(dict.fromkeys(enemy for step in move.overruns for enemy in reach.victims_at(move.path[step])))
    return [
        Possibility(
            unit.id,
            move.path[-1],
            Fraction(spent - departed.spent, reach.scale),
            move.path,
            move.overruns,
            # Whom the move overruns, nobody else may have overrun before.
            reach.atoms.of(cond | ending) | {There(victim) for victim in victims},
            reach.removed(removes),
            pending,
            legs,
        )
        for spent, cond, removes, pending, _, legs, _ in states
        for ending in reach.alternatives(unit, reach.halt([unit], move.path[-1]), cond, removes, truth)
    ]


def _readings(reach: ConditionalReach, unit: Unit, move: Move, index: int, before: Before) -> Iterator[Step]:
    """Yield what a written step may mean."""
    if index not in move.overruns or reach.victims_at(move.path[index]):
        for arc in reach.readings(unit, move, index, before):
            yield from reach.variants(unit, arc)


def _writes(game: Game, move: Move, label: TeamLabel) -> bool:
    """Tell whether a step, by the label to which it leads, is that of a written move."""
    step, unit = label.depth, game.units[move.units[0]]
    return (
        step < len(move.path)
        and label.hex == move.path[step]
        and label.arc is not None
        and label.arc.overrun == (step in move.overruns)
        and label.arc.attempts == move.tries(step)
        and label.arc.way == way_of(game, unit, label.arc.origin, label.hex, move.carrier(step) is not None).id
    )


def team_along(loose: ConditionalReach, move: Move) -> list[TeamPossibility]:
    """Return the possibilities of units that make exactly a written move together, or roll for it.

    Parameters
    ----------
    loose : ConditionalReach
        Tells the steps, without dominance.
    move : Move
        The move.
    """
    if any(loose.game.homes.get(unit) != move.path[0] or unit not in loose.movers for unit in move.units):
        return []
    found = TeamReach(loose).possibilities(loose.game.sorted(move.units), partial(_writes, loose.game, move))
    written = [
        one
        for one in found
        if (one.path, one.overruns, one.attempts) == (move.path, move.overruns, move.attempts)
        and sorted(one.drops) == sorted(move.drops)
    ]
    named = [replace(one, needs=frozenset(_by_whom(atom, move) for atom in one.needs)) for one in written]
    return [one for one in named if all(cast("Carried", atom).by for atom in one.needs if atom.boards)]


def _by_whom(atom: Atom, move: Move) -> Atom:
    """Return what a written move needs instead of an atom: the carrier that it names."""
    if not atom.boards:
        return atom
    passage = cast("Carried", atom)
    name = move.carrier(passage.leg // len(move.units)) or ""
    return replace(passage, by=tuple(berth for berth in passage.by if name in ("", carrier_of(berth))))


def parts_at_stake(move: Move) -> Iterator[Move]:
    """Yield the parts of a move: that of all who overrun together, and of each who is left before, or where nobody does."""
    first = min(move.overruns, default=len(move.path))
    stack = tuple(unit for unit in move.units if move.last_step(unit) >= first)
    yield from (move.part(unit) for unit in move.units if unit not in stack)
    if stack:
        yield replace(move, units=stack, drops=tuple(drop for drop in move.drops if drop[1] in stack))


class _EventsAlong(EventReach):
    """What a unit can do along a written path where units may wait."""

    def __init__(self, reach: ConditionalReach, move: Move, events: EventReach) -> None:
        super().__init__(reach)
        self._move = move
        self.events = events.events

    def _further(self, unit: Unit, label: EventLabel, out: Out) -> Iterator[EventLabel]:
        depth, parent, arc = 1, label.parent, out[0].arc
        while parent is not None:
            depth, parent = depth + 1, parent.parent
        path = self._move.path
        if depth < len(path) and arc.to == path[depth] and arc.overrun == (depth in self._move.overruns):
            yield from super()._further(unit, label, out)


def itineraries_along(loose: ConditionalReach, events: EventReach, move: Move) -> list[Itinerary]:
    """Return the itineraries of a unit that does exactly what is written, its moves joined.

    Parameters
    ----------
    loose : ConditionalReach
        Tells the steps, without dominance.
    events : EventReach
        Which events are possible.
    move : Move
        All moves of the unit as one.
    """
    unit = move.units[0]
    if loose.game.homes.get(unit) != move.path[0] or unit not in loose.movers:
        return []
    found = _EventsAlong(loose, move, events).itineraries(unit)
    return [
        one for one in found if one.path == move.path and {index for index, _, _ in one.parts} == set(move.overruns)
    ]
