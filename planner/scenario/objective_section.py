"""What the sides want: names in their objectives, looked up for every side, and what of them counts in a phase."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from planner.objective import Term
from planner.rules.game import Game
from planner.scenario.shape import ScenarioFile, SideObjective


def terms_with_places(objective: ScenarioFile | SideObjective, place: str) -> Iterator[tuple[Term, str]]:
    """Yield each term of an objective, with its place in the file."""
    for i, tier in enumerate(objective.tier):
        yield from ((term, f"{place}tier[{i}].terms[{j}]") for j, term in enumerate(tier.terms))
    yield from ((term, f"{place}require[{i}]") for i, term in enumerate(objective.require))


def in_its_phases(game: Game, side: str) -> list[Game]:
    """Return the game as it is in each phase of a turn that is a side's, as far as names in its objective go."""
    phases = dict.fromkeys(step.phase for step in game.rulebook.turn if step.side == side) or (game.situation.phase,)
    return [game.in_phase_of(side, phase) for phase in phases]


def faults(term: Term, games: Iterable[Game], required: bool, in_any_phase: bool) -> Iterable[tuple[str, str]]:
    """Return (sentence, key) for what is wrong with a term in some phases, and unless it holds in any, what these lack."""
    found = [fault for game in games for fault in term.problems(game)]
    if not in_any_phase:
        found += [fault for game in games for fault in term.out_of_phase(game)]
    return dict.fromkeys((*found, *term.misplaced(required)))


def that_count(game: Game, requirements: Iterable[Term]) -> tuple[Term, ...]:
    """Return the requirements of a side that count in a phase: not those of attacks where there are none."""
    return tuple(term for term in requirements if not any(term.out_of_phase(game)))
