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
from planner.puzzles.claim import PuzzleClaim, read_claim
from planner.referee.referee import Referee
from planner.scenario import Scenario

_SHEET = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'"><title>{title}</title>
<style>
@page {{ size: {paper}; margin: 12mm }}
body {{ margin: 0 auto; max-width: 60rem; padding: .5rem; font: 15px/1.4 'DejaVu Sans', Verdana, sans-serif;
  background: #fff; color: #111 }}
h1 {{ font-size: 1.5rem; margin: 0 }}
h1 + p {{ margin: 0 0 .6rem; color: #444 }}
figure {{ margin: 0; text-align: center }}
#p {{ width: 100%; height: {height:.0f}px }}
.far, .dusk {{ display: none }}
.ground {{ fill: none }}
figcaption {{ margin: .4rem auto; break-inside: avoid }}
ol {{ display: inline-block; margin: .2rem 0; padding-left: 1.6rem; text-align: left }}
.stacks p {{ margin: .2rem 0; font-size: .85rem }}
.signs {{ columns: 11rem; column-gap: 1rem; font-size: .8rem; line-height: 1.25; margin-top: .6rem;
  border-top: 1px solid #999 }}
.signs h2 {{ font-size: .85rem; margin: .5rem 0 .1rem; break-after: avoid }}
.signs ul {{ list-style: none; margin: 0; padding: 0 }}
.signs li {{ display: flex; gap: .4rem; align-items: center; break-inside: avoid }}
.signs svg {{ width: 30px; height: 21px; flex: none }}
@media print {{
  html {{ font-size: 14px }}
  body {{ padding: 0; print-color-adjust: exact; -webkit-print-color-adjust: exact }}
  main, figure {{ display: flex; flex-direction: column }}
  main {{ height: 99vh }}
  figure {{ min-height: 45vh }}
  #p {{ min-height: 0 }}
}}
{style}
</style></head>
<body><main><h1>{title}</h1><p>{subtitle}</p>
<figure><svg xmlns="http://www.w3.org/2000/svg" id="p" role="img" aria-label="{told}" viewBox="{box}">{map}</svg>
<figcaption><b>{asked}</b><br><ol>{goal}</ol></figcaption></figure>
<div class="stacks">{stacks}</div><div class="signs" id="p-legend">{legend}</div></main></body></html>
"""
"""A puzzle on paper, as papers print chess problems: the map, whose turn it is and what is asked, and the signs."""

_BROAD = 1.6
"""Paper lies across for a map so many times as broad as high."""
_LARGEST = 2.0
"""Pixels of paper for one of the map: a map of a few hexes fills no sheet."""
_ACROSS = {"portrait": 700, "landscape": 1030}
"""Pixels that A4 is broad within its margins; what is higher than it has room for shrinks."""

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
    from planner.board.map_parts import map_parts
    from planner.draw.page import PREFIX
    from planner.draw.picture import style_sheet

    scenario = phases_of(position)[0].begin
    claim = read_claim(scenario)
    if claim is None:
        raise InputError([Problem("this position is no puzzle: it asks nothing", "diagram")])
    drawn = map_parts(scenario)
    _, _, width, height = map(float, drawn.box.split())
    sides = scenario.game.rulebook.forces.sides
    legend = "".join(
        f"<section><h2>{escape(heading)}</h2><ul>{''.join(_sign(*entry) for entry in entries)}</ul></section>"
        for heading, entries in drawn.legend
    )
    paper = "landscape" if width > _BROAD * height else "portrait"
    return _SHEET.format(
        paper=paper,
        style=style_sheet(PREFIX) + style_sheet(f"{PREFIX}-legend"),
        title=escape(drawn.title),
        subtitle=escape(" · ".join([drawn.subtitle, *drawn.remarks])),
        told=escape(drawn.description),
        box=drawn.box,
        height=height * min(_LARGEST, _ACROSS[paper] / width),
        map="".join(drawn.parts),
        asked=escape(f"{sides[scenario.game.situation.phasing]} to move. {_ASKED[claim.answer.asks]}"),
        goal="".join(f"<li>{escape(one)}</li>" for one in _goal(scenario)),
        stacks="".join(f"<p>{escape(one)}</p>" for one in _stacks(scenario)),
        legend=legend,
    )


def _sign(sign: str, text: str) -> str:
    return f"<li>{sign}<span>{escape(text)}</span></li>"


def _judged(first: Position, claim: PuzzleClaim) -> tuple[bool | None, list[str]]:
    """Tell whether the first phase solves it: None where it isn't for moves to show."""
    scenario, game = first.begin, first.begin.game
    made = first.made[len(scenario.done.moves) :]
    # Who must attack has to, where the puzzle asks for attacks: as long as none is declared, it isn't solved.
    attacks = first.attacks or (() if scenario.asks_for_attacks else None)
    verdict = Referee(game).play(Plan(made, attacks), scenario.start)
    told = [spoken_number(one) for one in values_of(game, scenario.tiers, verdict)]
    if claim.answer.asks == "impossible":
        return None, told
    kept = all(verdict.meets(requirement, game) for requirement in scenario.requirements)
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
