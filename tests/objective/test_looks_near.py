"""Terms that say that they look near count the same wherever enemies are of whom nobody gets within two hexes."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import pytest
from pydantic import TypeAdapter

from planner.objective import Tally, Term, Tier
from planner.objective.kinds import TERMS as KINDS
from planner.scenario import Scenario
from tests.instances import instance

OWN = ["u0", "u1", "u2", "u3"]
TERMS: list[dict[str, Any]] = [
    {"kind": "hold", "hexes": "{near}"},
    {"kind": "eliminate", "units": ["{far}", "{enemy}"]},
    {"kind": "end", "unit": "u0", "at": "{near}"},
    {"kind": "end", "unit": "u1", "not_at": "{near}"},
    {"kind": "stay", "units": OWN},
    {"kind": "exposure"},
    {"kind": "units_moved"},
    {"kind": "mp_spent"},
    {"kind": "distance", "to": "{near}"},
    {"kind": "distance", "to": "{there}"},
    {"kind": "worth", "table": "{near} {there}\nu0 3 4\nu1 5 6"},
    {"kind": "avoid", "hexes": "{near} {there}"},
]


def term(data: dict[str, Any], **names: str) -> Term:
    """Return a term, with the names that it mentions put in."""
    filled = {
        key: [one.format(**names) for one in value] if isinstance(value, list) else value.format(**names)
        for key, value in data.items()
    }
    return TypeAdapter(Tier).validate_python({"terms": [filled]}).terms[0]


@cache
def setting(seed: int) -> tuple[Scenario, str, list[str], list[str]]:
    """Return a position, an enemy, hexes around friends, and hexes within two of which none of them is."""
    scenario = instance("villages", "8", seed)
    game = scenario.game
    near = {home for unit, home in game.homes.items() if unit in game.friends}
    for _ in range(2):
        near |= {label for home in near for label in game.board.neighbours[home]}
    within = set(near)
    for _ in range(2):
        within |= {label for home in within for label in game.board.neighbours[home]}
    enemy = next(unit for unit in game.homes if game.is_enemy(unit))
    return scenario, enemy, sorted(near), sorted(game.board.hexes.keys() - within)


@pytest.mark.parametrize("data", TERMS, ids=str)
def test_what_looks_near_counts_the_same_whoever_is_far(data: dict[str, Any]) -> None:
    counts = set()
    for seed in range(4):
        rng = random.Random(seed)
        scenario, far, near, there = setting(seed)
        other = next(unit for unit in scenario.game.homes if scenario.game.is_enemy(unit) and unit != far)
        counted = term(data, near=near[0], there=there[0], far=far, enemy=other)
        assert counted.looks_near
        before, after = (
            scenario.with_units([{"id": far, "at": at}, {"id": other, "at": near[1]}]) for at in rng.sample(there, 2)
        )
        for _ in range(20):
            own = {unit: rng.choice(near[: rng.choice((1, 3, 1000))]) for unit in OWN}
            tally = Tally({unit: rng.randint(0, 6) for unit in own if rng.random() < 0.5})  # type: ignore[misc]
            values = set()
            for one in (before, after):
                position = one.start.copy()
                for unit, label in own.items():
                    position.move(unit, label)
                if "u0" in tally.mp:
                    del position.at[other]
                values.add(counted.score(one.game, position, tally))
            assert len(values) == 1
            counts |= values
    assert len(counts) > 1


def test_what_may_count_otherwise_does_not_say_that_it_looks_near() -> None:
    # A place that is ours is friendly until an enemy stands in it, and who is surrounded may be so by the map's edge.
    assert {get.model_fields["kind"].annotation.__args__[0] for get in KINDS.classes if get.looks_near} == {  # type: ignore[union-attr]
        data["kind"] for data in TERMS
    }
