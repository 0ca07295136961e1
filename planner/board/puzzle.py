"""A puzzle on the board: what it asks, its hints one by one, and whether what has been made solves it."""

from __future__ import annotations

from html import escape

from planner.draw.counters import describe
from planner.errors import InputError, Problem
from planner.formats.spoken_numbers import spoken_number
from planner.objective.scoring import values_of
from planner.plans.plan import Plan
from planner.playing.game_record import phases_of
from planner.playing.position import Position
from planner.puzzles.claim import Claim, read_claim
from planner.referee.referee import Referee
from planner.scenario import Scenario

_SHEET = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'"><title>{title}</title>
<style>
@page {{ margin: 12mm }}
body {{ margin: 0 auto; max-width: 60rem; padding: .5rem; font: 15px/1.4 'DejaVu Sans', Verdana, sans-serif;
  background: #fff; color: #111 }}
figure {{ margin: 0 }}
svg {{ display: block; margin: auto; max-width: 100%; height: auto; max-height: 70vh }}
p {{ margin: .2rem 0; font-size: .85em }}
ol {{ display: inline-block; margin: .2rem; text-align: left }}
figcaption {{ margin-top: .8rem; text-align: center }}
</style></head>
<body><main><figure>
{map}{stacks}<figcaption><b>{asked}</b><ol>{goal}</ol></figcaption></figure></main></body></html>
"""
"""A puzzle on paper: whose turn it is stands above the map."""

_ASKED = {
    "best": "Find the best plan.",
    "reach": "How is the goal reached?",
    "shortest": "How is the goal reached with as few units that move as possible?",
    "impossible": "Why can't the goal be reached?",
}


def puzzle(position: Position) -> dict[str, object]:
    """Say what the scenario with which a position began asks as a puzzle, and whether its moves solve it.

    Returns
    -------
    dict
        ``asks``: the question, or None where there is none; ``goal``: what is to be had, in words; ``hints``: how many there
        are; ``solved``: True, False, or None where moves don't show it; ``worth``: what they come to, tier by tier.
        The answer isn't in it.
    """
    first = phases_of(position)[0]
    scenario = first.begin
    claim = read_claim(scenario)
    if claim is None:
        return {"asks": None}
    solved, worth = _judged(first, claim)
    return {
        "asks": _ASKED[claim.answer.asks],
        "goal": _goal(scenario),
        "hints": len(claim.answer.hints),
        "solved": solved,
        "worth": worth,
    }


def _goal(scenario: Scenario) -> list[str]:
    tiers = [tier.name or ", ".join(term.describe() for term in tier.terms) for tier in scenario.tiers]
    return tiers + [one.describe() for one in scenario.requirements]


def _stacks(scenario: Scenario) -> list[str]:
    """Say who stands in a hex together, since paper can't be lifted."""
    forces, stacked = scenario.game.rulebook.forces, dict[str, list[str]]()
    for unit, label in scenario.start.at.items():
        stacked.setdefault(label, []).append(describe(scenario.game.units[unit], forces))
    return [f"{label}: {'; '.join(units)}" for label, units in sorted(stacked.items()) if len(units) > 1]


def diagram(position: Position) -> str:
    """Return the puzzle with which a position began as a page for one sheet of paper: the map, and what is asked.

    Raises
    ------
    InputError
        If it asks nothing.
    """
    from planner.draw.picture import Picture

    scenario = phases_of(position)[0].begin
    claim = read_claim(scenario)
    if claim is None:
        raise InputError([Problem("this position is no puzzle: it asks nothing", "diagram")])
    picture = Picture(scenario)
    sides = scenario.game.rulebook.forces.sides
    asked = f"{sides[scenario.game.situation.phasing]} to move. {_ASKED[claim.answer.asks]}"
    listed = "".join(f"<li>{escape(one)}</li>" for one in _goal(scenario))
    stacks = "".join(f"<p>{escape(one)}</p>" for one in _stacks(scenario))
    return _SHEET.format(
        title=escape(picture.title), asked=escape(asked), goal=listed, map=picture.svg(), stacks=stacks
    )


def _judged(first: Position, claim: Claim) -> tuple[bool | None, list[str]]:
    """Tell whether the first phase solves it: None where it isn't for moves to show."""
    scenario, game = first.begin, first.begin.game
    made = first.made[len(scenario.done.moves) :]
    verdict = Referee(game).play(Plan(made, first.attacks or None), scenario.start)
    told = [spoken_number(one) for one in values_of(game, scenario.tiers, verdict)]
    if claim.answer.asks == "impossible":
        return None, told
    kept = all(
        one.holds(game, after, tally) for one in scenario.requirements for after, tally in verdict.all_outcomes()
    )
    goals = values_of(game, [tier for tier, _ in claim.goals], verdict)
    reached = all(have >= least for have, (_, least) in zip(goals, claim.goals, strict=True))
    worth_it = values_of(game, claim.scenario.tiers, verdict) >= claim.value
    return verdict.legal and kept and reached and worth_it, told


def hint(position: Position, number: int) -> dict[str, object]:
    """Return one of a puzzle's hints, counted from 1.

    Raises
    ------
    InputError
        If there is none.
    """
    answer = phases_of(position)[0].begin.answer
    hints = answer.hints if answer is not None else ()
    if not 1 <= number <= len(hints):
        raise InputError([Problem(f"there are {len(hints)} hints, not {number}", "number")])
    told = hints[number - 1]
    return {"text": told.text, "moves": list(told.moves)}
