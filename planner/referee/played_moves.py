"""What became of moves, in words, and which of them need others before them."""

from __future__ import annotations

from fractions import Fraction

from planner.formats.probability import format_probability, spoken_percent
from planner.formats.spoken_numbers import spoken_number
from planner.plans.plan import Move, Plan
from planner.referee.referee import Referee
from planner.referee.told_together import listed
from planner.referee.verdict import PlayedMove, Roll, Verdict
from planner.rules.game import Game
from planner.world.position import Position


def fate(result: PlayedMove) -> str:
    """Say what a move did to enemies, and why it ends where it does."""
    parts = []
    combats = [roll.results for roll in result.rolls if roll.results]
    for results in combats:
        taken = sum((entry.probability for entry in results if entry.good), Fraction(0))
        best = f"at best, with {spoken_probability(results[0].probability)}, {results[0].text}"
        how = "for certain" if taken == 1 else f"with {spoken_probability(taken)}"
        parts.append(f"takes the hex {how}; {best}" if taken else f"can't take the hex; {best}")
    parts += result.certain
    if result.removed and not combats and not result.certain:
        parts.append(f"overruns {', '.join(result.removed)}")
    parts += [
        f"{_dice(result, roll)}with {spoken_probability(roll.chance)}" for roll in result.rolls if not roll.results
    ]
    if result.move.bogs:
        parts.append("bogs down")
    failed = len(result.move.path) - 1 if result.move.failed else None  # what has failed has survived nothing
    survivals = (one for one in result.survivals if one.possible and one.step != failed)
    parts += [f"survives support of {spoken_number(one.strength)}" for one in survivals]
    # Of a hex that is fought for it is said already whether it is taken, and how likely.
    fought = {result.move.path[roll.step] for roll in result.rolls if roll.results}
    if places := [name for name in result.taken if name in result.move.path and name not in fought]:
        parts.append(f"takes {', '.join(places)}")
    if markers := [name for name in result.taken if name not in result.move.path]:
        parts.append(f"eliminates {', '.join(markers)}")
    parts += [f"must stop: {stop.reason}" for stop in result.stopped]
    return "; ".join(parts)


def _dice(result: PlayedMove, roll: Roll) -> str:
    """Say how many dice are rolled for a hex, where dice are."""
    if not roll.dice:
        return ""
    return f"{result.move.path[roll.step]}: {roll.dice} {'die' if roll.dice == 1 else 'dice'}, gets on "


def probability_of_all(probability: Fraction) -> str:
    """Say how likely it is that all of a plan goes through."""
    if not probability:
        return "Not all of it can go through; values are averages."
    if probability == 1:
        return "All of it goes through, whatever is rolled; values are averages."
    return f"All of it goes through with {spoken_probability(probability)}; values are averages."


def spoken_probability(probability: Fraction) -> str:
    """Return a probability as messages have it: exactly, and in percent."""
    return f"probability {format_probability(probability)} ({spoken_percent(probability)})"


def not_at_once(game: Game, start: Position, plan: Plan) -> dict[Move, Verdict]:
    """Return, for each move that would be illegal without the moves of others before it, the verdict that says why."""
    referee = Referee(game)
    found = {}
    for index, move in enumerate(plan.moves):
        if index:
            position = start.copy()
            for earlier in plan.moves[:index]:
                if not set(earlier.units).isdisjoint(move.units):  # what the units themselves have done before
                    referee.play_move(earlier, position, position.under_way.keys())
            violations, played = referee.play_move(move, position, position.under_way.keys())
            if violations:
                found[move] = Verdict(tuple(violations), (played,), position)
    return found


def told_due(verdict: Verdict) -> str:
    """Say which units must attack, and which enemies must be attacked, or who has declared what; empty if nobody must."""
    due = verdict.due
    if verdict.position.declared and due[0]:
        one = len(due[0]) == 1
        what = "has declared an attack, which must" if one else "have declared attacks, which must"
        return f"{listed(due[0])} {what} still be made"
    parts = (
        f"{listed(units)} must {what}" for units, what in zip(due, ("attack", "be attacked"), strict=True) if units
    )
    return ", ".join(parts)
