"""What is noted of a move while it is played; what the results of combats, and stops, do to it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import TypeVar

from planner.plans.plan import Move
from planner.referee.verdict import Roll, Survival, Violation
from planner.rules.game import Game
from planner.rules.play import Finding, MoveInPlay, Resolution
from planner.rules.roles import Captures
from planner.world.board import NOTHING
from planner.world.position import Position, Stop

T = TypeVar("T")


@dataclass
class MoveRecord:
    """What becomes of a move while it is played, as its violations and its `PlayedMove` tell it."""

    index: int
    violations: list[Violation] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    ways: list[str] = field(default_factory=list)
    rolls: list[Roll] = field(default_factory=list)
    survivals: list[Survival] = field(default_factory=list)
    combats: set[int] = field(default_factory=set)
    certain: list[str] = field(default_factory=list)

    def copy(self) -> MoveRecord:
        """Return an independent one."""
        twin = twin_of(self)
        twin.violations, twin.removed, twin.ways = self.violations.copy(), self.removed.copy(), self.ways.copy()
        twin.rolls, twin.survivals = self.rolls.copy(), self.survivals.copy()
        twin.combats, twin.certain = self.combats.copy(), self.certain.copy()
        return twin

    def report(self, play: MoveInPlay, findings: Iterable[Finding], halt: bool = False) -> None:
        """Add what is wrong with a step; `halt`: with ending the move after it."""
        for found in findings:
            step = play.step if found.step is None else found.step
            at = found.at or play.to
            self.violations.append(
                Violation(
                    found.paragraph,
                    found.unit or play.unit.id,
                    self.index,
                    step,
                    at,
                    found.blame,
                    found.message,
                    found.left,
                    found.cost,
                    halt=halt,
                    amounts=found.amounts,
                )
            )


class MoveUnderWay:
    """A move while it is played.

    Parameters
    ----------
    position : Position
        Who stands where by now; it changes.
    plays : dict from unit ids to MoveInPlay
        Who makes it, and how far each has got.
    record : MoveRecord
        What has become of it by now.
    """

    def __init__(self, position: Position, plays: dict[str, MoveInPlay], record: MoveRecord) -> None:
        self.position, self.plays, self.record = position, plays, record
        self.had = {unit: play.spent for unit, play in plays.items()}
        self.before = position.remembered()
        self.playable = True

    def copy(self) -> MoveUnderWay:
        """Return an independent one, to be gone on with."""
        return self.carried_over(self.position.copy())

    def carried_over(self, position: Position) -> MoveUnderWay:
        """Return an independent one in a position that says the same."""
        further = twin_of(self)
        further.position, further.record, further.plays = position, self.record.copy(), {}
        for unit, play in self.plays.items():
            further.plays[unit] = other = twin_of(play)
            other.position = position
        return further


def twin_of(one: T) -> T:
    """Return another that holds the same; `copy.copy` takes five times as long."""
    twin = object.__new__(type(one))
    twin.__dict__ = one.__dict__.copy()
    return twin


def going_on(game: Game, position: Position, unit: str, start: str, moved: bool) -> MoveInPlay:
    """Return a unit as it begins a move, or goes on after it has broken off an earlier one."""
    counter = game.units[unit]
    play = MoveInPlay(game, position, counter, start, start, moved=moved, tallies=dict(counter.steps_made))
    progress = position.under_way.get(unit)
    if moved and progress is not None:
        play.spent, play.steps_before, play.tallies = progress.spent, progress.steps, dict(progress.tallies)
        play.way, play.zones = game.rulebook.way(progress.way), progress.zones
        play.stops = [replace(stop, step=0, at=start) for stop in progress.stops]
    return play


def aim(move: Move, step: int, stack: list[MoveInPlay]) -> None:
    """Tell those who make a step where it leads, and how."""
    alone, overrun = len(stack) == 1, step in move.overruns and not stack[0].game.rulebook.fights
    for play in stack:
        play.companions = NOTHING if alone else frozenset(other.unit.id for other in stack if other is not play)
        play.aim(move.path[step], overrun, move.carrier(step))
        play.attempts, play.support = move.tries(step), move.supporters(step)
        play.fails = move.failed and step == len(move.path) - 1


def fail(game: Game, stack: list[MoveInPlay]) -> None:
    """Leave the units where they made an attempt that has failed: their move is over."""
    for rule in game.rulebook.overrunning:
        rule.note_failure(stack)
    final = [rule.paragraph_of_failure for rule in game.rulebook.overrunning if rule.failure_is_final]
    for play in stack:
        play.position.failed.add(play.to)
        play.position.used.update(play.support)
        reason = f"its overrun of {play.to} has failed"
        if final:
            play.stops = [Stop(final[0], reason, play.step - 1, play.origin)]
        play.to = play.origin


def give_up(game: Game, position: Position, unit: str, label: str) -> None:
    """Let an enemy who retreats into a hex, or through it, take it, if such units take such hexes: not from an ally."""
    place, weather, side = game.board.places[label], game.weather(label), game.units[unit].side
    if game.situation.holder(label, position) in game.rulebook.forces.allies_of(side):
        return
    if any(
        rule.by.matches(game.units[unit]) and rule.where.matches(place, weather) for rule in game.rulebook.of(Captures)
    ):
        position.taken.pop(label, None)
        position.given[label] = side


def bring_about(stack: list[MoveInPlay], result: Resolution, had: bool) -> None:
    """Let a combat have its result; `had`: whether its place had been taken before."""
    position = stack[0].position
    foes = stack[0].enemies_in(stack[0].to)
    position.demoralized.update(result.demoralized)
    for unit, box in result.destroyed:
        position.remove(unit, box)
    game = stack[0].game
    for unit, label in result.moved:
        position.move(unit, label)
        if game.is_enemy(unit):
            give_up(game, position, unit, label)
    if not had and any(game.is_enemy(unit) for unit in position.units_in(stack[0].to)):
        position.taken.pop(stack[0].to, None)  # thrown back, nobody has taken it
    for play in stack:
        play.fought = foes
        play.removed = (
            tuple(unit for unit, _ in result.destroyed if play.game.is_enemy(unit)) if play is stack[0] else ()
        )


def broken_stops(play: MoveInPlay) -> Iterable[Finding]:
    """Yield a finding for each stop that the step disregards."""
    for stop in play.stops:
        blame = stop.enemies
        left = stop.lifted_by - play.companions - {play.unit.id}
        if stop.stays:
            left -= play.moving_later
        # Who has been eliminated since hasn't left.
        if any(play.position.at.get(unit) in (None, stop.lifted_in or stop.at) for unit in left):
            continue
        if stop.any_overrun_lifts and play.overrun and play.victims():
            continue
        if stop.enemies and stop.overrun_lifts and play.overrun:
            victims = play.victims()
            blame = tuple(enemy for enemy in stop.enemies if enemy not in victims)
            if not blame:
                continue
        reason = stop.reason if blame == stop.enemies else f"EZOC of {play.game.names(blame)}"
        text = f"{play.unit.id} must stop in {stop.at}: {reason}"
        yield Finding(stop.paragraph, text, blame, stop.at, stop.step)
