"""What is told of hexes that a unit can reach, as the referee's verdicts on the plans that take it there have it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Literal

from planner.plans.plan import Move, Plan, units_of
from planner.referee.verdict import Verdict, Violation
from planner.rules.combat_roles import Fights
from planner.rules.roles import Ends, Obliges
from planner.scenario import Scenario
from planner.search.reachable import Help, Reachable, ReachReport
from planner.search.witness_judge import WitnessJudge, chance_of
from planner.world.carrier_assignment import assign_carriers
from planner.world.position import Position

Found = dict[str, tuple[Plan, Verdict]]
"""For each hex a legal plan that takes a unit there, and the referee's verdict on it."""
Answer = tuple[Found, frozenset[str]]
"""What was found, and the hexes that are left open."""


class Entries:
    """Tells what is known of a unit.

    Parameters
    ----------
    scenario : Scenario
        The position.
    judge : WitnessJudge
        Who has judged the plans from it that are told of.
    """

    def __init__(self, scenario: Scenario, judge: WitnessJudge) -> None:
        self._game, self._start, self._referee = scenario.game, scenario.start, judge.referee
        self._fights = bool(scenario.game.rulebook.of(Fights))
        self._crowded = {one.at for one in judge.referee.check_end(scenario.start)}
        self._crowding = judge.crowding
        self._bound = {
            unit
            for rule in scenario.game.rulebook.of(Ends)
            if isinstance(rule, Obliges)
            for _, finding in rule.check_end(scenario.game, scenario.start)
            for unit in finding.blame
        }
        self._alone: dict[str, tuple[tuple[Reachable, ...], frozenset[str]]] = {}
        self._left: dict[tuple[tuple[Move, ...], frozenset[str]], Position] = {}

    def note_alone(self, unit: str, found: Answer) -> None:
        """Keep what is found of a unit by itself."""
        self._alone[unit] = self._sorted(unit, found[0]), found[1]

    def report(self, unit: str, helped: Answer, alone_only: bool) -> ReachReport:
        """Return what is found of a unit, `helped` beside what is kept of it by itself."""
        at, (own, open_), (others, never_proved) = self._start.at[unit], self._alone[unit], helped
        # What keeps a unit from going one way, as an EZOC might, needn't keep it from all others.
        hindrances = () if own else tuple(self._hindrances(unit, at))
        if not (hindrances or own or others or open_ or never_proved):
            hindrances = self._everywhere(unit, at)
        return ReachReport(
            unit,
            at,
            self._game.units[unit].ma,
            hindrances,
            own,
            self._sorted(unit, others),
            tuple(sorted(open_ | (never_proved - others.keys() - {one.hex for one in own}))),
            alone_only,
            self._game.spent(unit),
        )

    def _hindrances(self, unit: str, at: str) -> Iterator[Violation]:
        """Yield what the referee has against the unit's leaving its hex now, wherever it goes."""
        board = self._game.board
        somewhere = next((to for to in (*board.neighbours[at], *board.places) if to != at), None)
        if somewhere is not None:
            found, _ = self._referee.play_move(Move((unit,), (at, somewhere)), self._start.copy(), ())
            yield from (violation for violation in found if violation.step == 0)

    def _everywhere(self, unit: str, at: str) -> tuple[Violation, ...]:
        """Return what the referee has against each of the unit's first steps alike, for which nobody is to blame."""
        due, beside = self._game.units[unit].arrives, self._game.board.neighbours[at]
        common: dict[tuple[str, str], Violation] | None = None
        for to in beside or ([due[1]] if due is not None else []):
            found, _ = self._referee.play_move(Move((unit,), (at, to)), self._start.copy(), ())
            barred = [replace(one, step=0, at=at) for one in found if one.step == 1 and not (one.blame or one.halt)]
            if beside:
                barred = [replace(one, message=_named(one.message, to, "any hex beside it")) for one in barred]
            alike = {(one.rule, one.message): one for one in barred}
            common = {key: alike[key] for key in alike if common is None or key in common}
        return tuple((common or {}).values())

    def _sorted(self, unit: str, found: Found) -> tuple[Reachable, ...]:
        entries = (self._reachable(unit, label, *pair) for label, pair in found.items())
        return tuple(sorted(entries, key=lambda one: (one.mp, one.hex)))

    def _reachable(self, unit: str, label: str, plan: Plan, verdict: Verdict) -> Reachable:
        played = [one for one in verdict.moves if unit in one.move.units]
        path = [self._start.at[unit]]
        for one in played:
            path += one.move.path[1 : one.move.last_step(unit) + 1]
        stops: dict[str, list[str]] = {}
        for stop in played[-1].stopped if played else ():
            stops.setdefault(stop.paragraph, []).extend(stop.enemies)
        removed = [enemy for one in played for enemy in one.removed if enemy in self._game.units]
        return Reachable(
            label,
            verdict.tally.mp.get(unit, Fraction(0)),
            tuple(path),
            self._game.sorted(removed),
            tuple((paragraph, self._game.sorted(set(blame))) for paragraph, blame in stops.items()),
            tuple(dict.fromkeys(self._help(unit, label, verdict))),
            _with_combats(plan, verdict) if self._fights else plan,
            _zones(unit, verdict),
            chance_of(verdict, unit, label),
            self._fights,
            not any(enemy in position.at for position, _ in verdict.all_outcomes() for enemy in removed),
        )

    def _help(self, unit: str, label: str, verdict: Verdict) -> Iterator[Help]:
        """Yield what others do in a plan none of whose moves can be left out."""
        if all(one.move.units == (unit,) and not one.move.support for one in verdict.moves):
            return
        lying = {marker.id: marker.at for marker in self._game.situation.markers}
        for index, one in enumerate(verdict.moves):
            others = tuple(other for other in one.move.units if other != unit)
            supporting = tuple(dict.fromkeys(helper for _, helper in one.move.support))
            # What is taken where nobody comes by helps nobody who is waiting for a hex to be left.
            entered = {hex for other in verdict.moves if other is not one for hex in other.move.path[1:]}
            if unit in one.move.units:
                yield from self._together(one.move, others)
            elif self._only_has_to(index, unit, label, verdict):
                yield Help("obliged", one.move.path[0], others)
            elif one.rolls and (results := one.rolls[-1].results):
                kind: Literal["taken", "joined"] = "taken" if any(result.good for result in results) else "joined"
                yield Help(kind, one.move.path[one.rolls[-1].step], others, fought=kind == "joined")
            elif one.removed:
                yield from (Help("gone", name, others + supporting) for name in one.removed)
            elif (
                (on_the_way := [name for name in one.taken if lying.get(name, name) in entered])
                or (one.taken and one.move.path[0] not in entered)
            ) and self._goes_without(index, unit, label, verdict, made=True):
                yield from (
                    Help("gone" if name in lying else "taken", name, others) for name in on_the_way or one.taken
                )
            elif self._only_makes_room(index, unit, label, verdict):
                yield Help("vacant", one.move.path[0], others)
            elif one.taken and self._goes_without(index, unit, label, verdict, made=True):
                yield from (Help("gone" if name in lying else "taken", name, others) for name in one.taken)
            else:
                yield Help("friend_in", one.move.end, others)

    def _together(self, move: Move, others: tuple[str, ...]) -> Iterator[Help]:
        """Yield what others do in a move of a unit's own: in which overruns they take part, or how far they come along."""
        for step in sorted(move.overruns):
            with_it = [other for other in others if move.last_step(other) >= step]
            if by := (*with_it, *move.supporters(step)):
                yield Help("joined", move.path[step], by, self._fights)
        first = min(move.overruns, default=len(move.path))
        ends: dict[str, list[str]] = {}
        for other in others:
            if move.last_step(other) < first:
                ends.setdefault(move.path[move.last_step(other)], []).append(other)
        yield from (Help("friend_in", label, tuple(units)) for label, units in ends.items())

    def _only_has_to(self, index: int, unit: str, label: str, verdict: Verdict) -> bool:
        """Tell whether a move is made for no other reason than that its units have to move."""
        moves = [one.move for one in verdict.moves]
        bound = self._bound.intersection(moves[index].units)
        if not bound:
            return False
        rest = (*moves[:index], *moves[index + 1 :])
        moved, position = frozenset[str](), self._start
        for turn, move in enumerate(rest):
            later = units_of(rest[turn + 1 :])
            position, wrong, _ = self._referee.play_on(position, move, moved, turn, later)
            if wrong:
                return False
            moved = moved.union(move.units)
        missing = self._referee.check_end(position)
        return position.at.get(unit) == label and all(bound.issuperset(one.blame) for one in missing)

    def _only_makes_room(self, index: int, unit: str, label: str, verdict: Verdict) -> bool:
        """Tell whether it would do if those who make a move left the map instead: where they come to is no help then."""
        moves = [one.move for one in verdict.moves]
        leaving, left = frozenset(moves[index].units), moves[index].path[0]
        if left not in self._crowded and not any(left in move.path for move in (*moves[:index], *moves[index + 1 :])):
            return False  # there was room enough, and nobody comes by
        others = (move for turn, move in enumerate(moves) if turn < index or not leaving & set(move.units))
        return self._crowding.get(Plan(tuple(others))) == {left} or self._goes_without(index, unit, label, verdict)

    def _goes_without(self, index: int, unit: str, label: str, verdict: Verdict, made: bool = False) -> bool:
        """Tell whether it would do if those who make a move left the map instead, or once it is `made`."""
        moves, moved, position = [one.move for one in verdict.moves], frozenset[str](), self._start
        leaving = frozenset(moves[index].units)
        for turn, move in enumerate(moves):
            if turn == index and not made:
                position = self._without(leaving, tuple(moves[:turn]), position)
            elif turn <= index or not leaving & set(move.units):
                later = units_of(moves[turn + 1 :])
                position, wrong, _ = self._referee.play_on(position, move, moved, turn, later)
                if wrong:
                    return False
                moved = moved.union(move.units)
                if turn == index:
                    position = self._without(leaving, tuple(moves[: turn + 1]), position)
        return position.at.get(unit) == label and not self._referee.check_end(position)

    def _without(self, leaving: frozenset[str], made: tuple[Move, ...], after: Position) -> Position:
        """Return the position after some moves without some units; always the same one, so that what follows is shared."""
        if (found := self._left.get((made, leaving))) is None:
            found = self._left[made, leaving] = after.copy()
            for unit in leaving:
                found.remove(unit, "elsewhere")
                found.under_way.pop(unit, None)
        return found


def _with_combats(plan: Plan, verdict: Verdict) -> Plan:
    """Return a plan in which those steps are written as combats that are, if all goes well until then."""
    fought = [frozenset(roll.step for roll in one.rolls if roll.results) for one in verdict.moves]
    return replace(
        plan,
        moves=tuple(
            replace(move, overruns=move.overruns | steps) for move, steps in zip(plan.moves, fought, strict=True)
        ),
    )


def _zones(unit: str, verdict: Verdict) -> tuple[str, ...]:
    """Return the naval zones across which a unit is carried, whichever carriers are left for it."""
    legs = verdict.position.legs
    if not legs:
        return ()
    given = zip(legs, assign_carriers(legs) or (), strict=False)
    return tuple(
        next(zone for zone, markers in leg.carriers if carrier in markers) for leg, carrier in given if leg.unit == unit
    )


def _named(message: str, label: str, name: str) -> str:
    """Return a sentence in which a hex is called otherwise."""
    return re.sub(rf"(?<![\w.-]){re.escape(label)}(?![\w.-])", name, message)
