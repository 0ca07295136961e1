"""What is noted of a move while it is played; what the results of combats, and stops, do to it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from planner.referee.verdict import Roll, Survival, Violation
from planner.rules.play import Finding, MoveInPlay, Resolution


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

    def report(self, play: MoveInPlay, findings: Iterable[Finding], halt: bool = False) -> None:
        """Add what is wrong with a step; `halt`: with ending the move after it."""
        for found in findings:
            step = play.step if found.step is None else found.step
            at = found.at or play.to
            self.violations.append(
                Violation(
                    found.paragraph,
                    play.unit.id,
                    self.index,
                    step,
                    at,
                    found.blame,
                    found.message,
                    found.left,
                    found.cost,
                    halt=halt,
                )
            )


def bring_about(stack: list[MoveInPlay], result: Resolution) -> None:
    """Let a combat have its result."""
    position = stack[0].position
    position.demoralized.update(result.demoralized)
    for unit, box in result.destroyed:
        position.remove(unit, box)
    game = stack[0].game
    for unit, label in result.moved:
        position.move(unit, label)
        if game.is_enemy(unit):
            position.taken.pop(label, None)
            position.given.add(label)
    if any(game.is_enemy(unit) for unit in position.units_in(stack[0].to)):
        position.taken.pop(stack[0].to, None)  # thrown back, nobody has taken it
    for play in stack:
        play.fought = True
        play.removed = (
            tuple(unit for unit, _ in result.destroyed if play.game.is_enemy(unit)) if play is stack[0] else ()
        )


def broken_stops(play: MoveInPlay) -> Iterable[Finding]:
    """Yield a finding for each stop that the step disregards."""
    for stop in play.stops:
        blame = stop.enemies
        left = stop.lifted_by - play.companions - {play.unit.id}
        if any(play.position.at.get(unit) == stop.at for unit in left):
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
