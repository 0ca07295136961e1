"""How near units end, what their hexes are worth, how many turns they still need and who could attack them.

A search comes to the best of all plans, on the referee alone, in every family of positions.
"""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction

import pytest

from planner.objective import Term, Tier
from planner.objective.nearness import Distance, Worth
from planner.objective.prospects import Threat, Turns
from planner.scenario import Scenario
from planner.world.selectors import UnitSelector
from tests.conftest import long_ones, sized
from tests.oracles.families import FAMILIES
from tests.solving import comes_to_the_best

SEEDS = sized(1, 4, 60)


def some_term(scenario: Scenario, rng: random.Random, required: bool = False) -> Term:
    game = scenario.game
    own = [unit for unit in game.homes if unit in game.friends]
    hexes = sorted(game.board.hexes)
    of = UnitSelector(units=(rng.choice(own),)) if rng.random() < 0.5 else UnitSelector()
    to = tuple(rng.sample(hexes, min(len(hexes), rng.randint(1, 2))))
    rolled = game.rulebook.rolled
    kinds = ["worth"] if rolled and required else ["distance", "turns", "worth"] + ["threat"] * (not rolled)
    form = rng.choice(kinds)
    most = Fraction(rng.randint(0, 6)) if required else None
    if form == "distance":
        return Distance(kind="distance", of=of, to=to, most=most)
    if form == "turns":
        return Turns(kind="turns", of=of, to=to, ahead=rng.randint(1, 4), most=most)
    if form == "threat":
        where = to if rng.random() < 0.3 else ()
        return Threat(kind="threat", of=UnitSelector() if where else of, hexes=where, most=most)
    columns = tuple(rng.sample(hexes, min(len(hexes), 4)))
    rows = tuple((unit, *(rng.choice("-123") for _ in columns)) for unit in rng.sample(own, min(len(own), 3)))
    return Worth(kind="worth", table=(columns, *rows), at_least=rng.randint(0, 3) if required else None)


def drawn(scenario: Scenario, rng: random.Random) -> Scenario | None:
    """Return a position with such terms in its first tier, and perhaps as requirements; None: it has half strengths."""
    first, *others = scenario.tiers
    more = tuple(
        some_term(scenario, rng).model_copy(update={"weight": rng.randint(1, 9)}) for _ in range(rng.choice((1, 2)))
    )
    required = (some_term(scenario, rng, required=True),) if rng.random() < 0.4 else ()
    named = [*more, *required]
    assert not [told for term in named for told in term.problems(scenario.game) if "whole strengths" not in told[0]]
    made = replace(scenario, tiers=(Tier(terms=(*first.terms, *more)), *others), requirements=required)
    # Half a strength is no threat that is counted.
    return None if any(what for term in made.tiers[0].terms for what in term.problems(made.game)) else made


@pytest.mark.parametrize("family", long_ones(FAMILIES, "skirmishes", "units that wait"))
def test_a_search_comes_to_the_best_of_all_plans(family: str) -> None:
    comes_to_the_best(family, SEEDS, drawn)
