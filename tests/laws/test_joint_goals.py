"""Goals that are to be reached together, and hexes that all avoid, are worth what the best of all plans makes of them."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from planner.objective import Term, Tier
from planner.objective.goals import Eliminate, End, Hold, Stay
from planner.objective.together import Avoid, Together
from planner.scenario import Scenario
from planner.world.selectors import UnitSelector
from tests.conftest import long_ones, sized
from tests.oracles.families import FAMILIES
from tests.solving import comes_to_the_best

SEEDS = sized(1, 5, 300)


def avoided(scenario: Scenario, rng: random.Random) -> Avoid:
    """Return that hexes beside the own units, or theirs, are avoided by all or by one."""
    game = scenario.game
    own = [unit for unit in game.homes if unit in game.friends]
    home = game.homes[rng.choice(own)]
    near = [home, *game.board.neighbours[home]]
    of = UnitSelector(units=(rng.choice(own),)) if rng.random() < 0.4 else UnitSelector()
    return Avoid(kind="avoid", hexes=tuple(rng.sample(near, min(len(near), rng.randint(1, 2)))), of=of)


def together(scenario: Scenario, rng: random.Random) -> Together:
    """Return two or three goals together."""
    game = scenario.game
    own = [unit for unit in game.homes if unit in game.friends]
    foes = [unit for unit in game.homes if unit not in game.friends]
    near = sorted({near for unit in own for near in game.board.neighbours[game.homes[unit]]})
    goals: list[Term] = []
    for _ in range(rng.choice((2, 2, 3))):
        form = rng.choice(("hold", "hold", "eliminate", "eliminate", "end", "not", "avoid", "stay"))
        if form == "hold":
            goals.append(Hold(kind="hold", hexes=(rng.choice(near),)))
        elif form == "eliminate" and foes:
            goals.append(Eliminate(kind="eliminate", units=tuple(rng.sample(foes, min(len(foes), rng.randint(1, 2))))))
        elif form == "end":
            goals.append(End(kind="end", unit=rng.choice(own), at=tuple(rng.sample(near, min(len(near), 2)))))
        elif form == "not":
            goals.append(End(kind="end", unit=rng.choice(own), not_at=(rng.choice(near),), sound=rng.random() < 0.3))
        elif form == "stay":
            goals.append(Stay(kind="stay", units=(rng.choice(own),)))
        else:
            goals.append(avoided(scenario, rng))
    return Together(kind="together", goals=tuple(goals))


def drawn(scenario: Scenario, rng: random.Random) -> Scenario:
    """Return a position with such goals among those of the objective, and perhaps as requirements."""
    first, *others = scenario.tiers
    more: list[Term] = [together(scenario, rng).model_copy(update={"weight": rng.randint(4, 20)})]
    if rng.random() < 0.6:
        more.append(avoided(scenario, rng).model_copy(update={"weight": rng.randint(1, 9)}))
    if rng.random() < 0.3:
        more.append(together(scenario, rng).model_copy(update={"weight": rng.randint(4, 20)}))
    required = (avoided(scenario, rng),) if rng.random() < 0.3 else ()
    kept = first.terms if rng.random() < 0.6 else ()
    return replace(scenario, tiers=(Tier(terms=(*kept, *more)), *others), requirements=required)


@pytest.mark.parametrize("family", long_ones(FAMILIES, "skirmishes", "units that wait"))
def test_a_search_comes_to_the_best_of_all_plans(family: str) -> None:
    comes_to_the_best(family, SEEDS, drawn)
