"""Let one face of a term forget something, and a small position notices: it contradicts the other, or the value changes.

The positions are of The Great War; one and two are ordered infantry, a tank that has to take ground bogs down once in six
times.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import pytest

from planner.errors import DisagreementError
from planner.objective import Linear, OutcomeModel, Tally
from planner.objective.goals import End
from planner.objective.together import Avoid, Together
from planner.rules.game import Game
from planner.scenario import Scenario
from planner.search.search import Search
from planner.world.position import Position
from tests.laws.mutants.great_war import LINE, WINNER, Case, ground, one, posed, unit


def infantry(*goals: dict[str, Any]) -> Scenario:
    return Case(LINE, {}, list(goals), 0, [], more=posed(one(), unit("two", "infantry", "E4"))).scenario()


def tank(*goals: dict[str, Any]) -> Scenario:
    return Case(LINE, {}, list(goals), 0, [], more=ground(one("mark_iv", **WINNER))).scenario()


def bogged(*goals: dict[str, Any]) -> Scenario:
    traits = ["ordered", "bogged"]
    return Case(LINE, {}, list(goals), 0, [], more=posed(one("mark_iv", traits=traits))).scenario()


def end(**more: Any) -> dict[str, Any]:
    return {"kind": "end", "unit": "one", **more}


def stay(weight: int) -> dict[str, Any]:
    return {"kind": "stay", "units": "one", "weight": weight}


# -- what a face may forget


def any_score(term: Together, game: Game, position: Position, tally: Tally) -> Fraction:
    return Fraction(any(goal.holds(game, position, tally) for goal in term.goals))


def any_post(term: Together, outcome: OutcomeModel) -> Linear:
    return Linear(((1, outcome.any_of(outcome.at_least(goal.required(outcome), 0) for goal in term.goals)),))


def first_on_average(term: Together, outcome: OutcomeModel) -> Linear:
    return term.goals[0].on_average(outcome)


def everywhere(term: Avoid, game: Game, position: Position, tally: Tally) -> Fraction:
    return Fraction(len(term.hexes))


def of_all_score(term: Avoid, game: Game, position: Position, tally: Tally) -> Fraction:
    return Fraction(sum(not any(unit in game.friends for unit in position.units_in(label)) for label in term.hexes))


def of_all(term: Avoid, game: Game) -> list[str]:
    return [unit for unit in game.order if unit in game.friends]


def of_nobody(term: Avoid, game: Game) -> list[str]:
    return []


def anywhere_score(term: End, game: Game, position: Position, tally: Tally) -> Fraction:
    return Fraction(not term.at or position.at.get(term.unit) in term.at)


def anywhere_post(term: End, outcome: OutcomeModel) -> Linear:
    places = [label for label in outcome.possible_places(term.unit) if not term.at or label in term.at]
    return Linear(((1, outcome.ends_among(term.unit, places)),))


def anywhere_on_average(term: End, outcome: OutcomeModel) -> Linear:
    return Linear.sum_of(outcome.end_on_average(term.unit, label) for label in outcome.possible_places(term.unit))


@dataclass(frozen=True)
class Mutant:
    """A position with its value, worked out by hand, and what is put in place of a face of a term."""

    scenario: Scenario
    value: int
    term: type
    face: str
    put: Callable[..., Any]


BOTH = {"kind": "together", "goals": [end(at="E1"), end(at="E2")], "weight": 5}
"""Nobody is in two hexes: worth nothing."""

SOUND_THERE = {"kind": "together", "goals": [end(at="E2"), end(sound=True)], "weight": 6}
"""A tank that takes ground in E2 is there in any case, and sound in five cases of six: 5."""

MUTANTS = {
    # To stay is worth 1; one of the two goals then holds, and 5 would be to be had with one of them.
    "together: one is enough, for the referee": Mutant(infantry(BOTH, stay(1)), 1, Together, "score", any_score),
    "together: one is enough, for the solver": Mutant(infantry(BOTH, stay(1)), 1, Together, "post", any_post),
    "together: any result, for the referee": Mutant(tank(SOUND_THERE), 5, Together, "score", any_score),
    "together: any result, for the solver": Mutant(tank(SOUND_THERE), 5, Together, "on_average", first_on_average),
    # To stay is worth 3, to leave E1 is worth 2.
    "avoid: who is there, for the referee": Mutant(
        infantry({"kind": "avoid", "hexes": "E1", "weight": 2}, stay(3)), 3, Avoid, "score", everywhere
    ),
    "avoid: who is there, for the solver": Mutant(
        infantry({"kind": "avoid", "hexes": "E1", "weight": 2}, stay(3)), 3, Avoid, "_counted", of_nobody
    ),
    # Two is somewhere else in any case.
    "avoid: whom it is about, for the referee": Mutant(
        infantry({"kind": "avoid", "hexes": "E1", "of": {"units": ["two"]}, "weight": 2}, stay(1)),
        3,
        Avoid,
        "score",
        of_all_score,
    ),
    "avoid: whom it is about, for the solver": Mutant(
        infantry({"kind": "avoid", "hexes": "E1", "of": {"units": ["two"]}, "weight": 2}, stay(1)),
        3,
        Avoid,
        "_counted",
        of_all,
    ),
    # To stay is worth 2, to leave 1.
    "not_at, for the referee": Mutant(infantry(end(not_at="E1"), stay(2)), 2, End, "score", anywhere_score),
    "not_at, for the solver": Mutant(infantry(end(not_at="E1"), stay(2)), 2, End, "post", anywhere_post),
    # Who is bogged down when the phase begins is not sound afterwards.
    "sound: from the start, for the referee": Mutant(bogged(end(sound=True)), 0, End, "score", anywhere_score),
    "sound: from the start, for the solver": Mutant(bogged(end(sound=True)), 0, End, "post", anywhere_post),
    "sound: what is rolled, for the referee": Mutant(tank(end(sound=True, weight=6)), 5, End, "score", anywhere_score),
    "sound: what is rolled, for the solver": Mutant(
        tank(end(sound=True, weight=6)), 5, End, "on_average", anywhere_on_average
    ),
}


@pytest.mark.parametrize("mutant", MUTANTS.values(), ids=list(MUTANTS))
def test_a_face_that_forgets_something_is_found_out(mutant: Mutant, monkeypatch: pytest.MonkeyPatch) -> None:
    right = Search(mutant.scenario).run()
    assert (right.status, right.value) == ("optimal", (mutant.value,))
    monkeypatch.setattr(mutant.term, mutant.face, mutant.put)
    try:
        wrong = Search(mutant.scenario).run()
    except DisagreementError:
        return
    assert (wrong.status, wrong.value) != ("optimal", (mutant.value,))
