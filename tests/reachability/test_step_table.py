"""What rules say of a step doesn't depend on which steps they have been asked about before."""

from __future__ import annotations

import random

import pytest

from planner import api
from planner.reachability.conditional_reach import ConditionalReach
from planner.rules.demands import Before
from planner.rules.kinds.entry_restriction import EntryRestriction
from planner.scenario import Scenario, build_scenario
from planner.search.search import Search
from tests.oracles import made_up, made_up_more
from tests.oracles.rulebooks import random_rules, with_rules

SHIPPED = (
    "a_world_at_war/winter_front",
    "a_world_at_war/through_the_line",
    "classic_hex/three_battles",
    "crossroads/start",
    "dai_senso/island_campaign",
    "dai_senso/manchuria",
    "great_war/puzzles/column",
    "ocs/breakthrough",
)
TOPICS = (*made_up.TOPICS.values(), *made_up_more.TOPICS.values())


def board(name: str | int) -> Scenario:
    """Return a scenario that ships, some with rules drawn at random as well; by a number one that is made up."""
    if isinstance(name, str):
        return api.load(name)
    rng = random.Random(f"made up for steps {name}")
    scenario = made_up.drawn(rng.choice(TOPICS), rng)
    return with_rules(scenario, random_rules(scenario.game.rulebook.rules, rng)) if rng.random() < 0.5 else scenario


@pytest.mark.parametrize("name", [*SHIPPED, *range(12)])
def test_steps_are_listed_in_any_order_as_each_place_is_by_itself(name: str | int) -> None:
    """Out of places that are near each other, so that many steps lead into the same hexes."""
    game, rng = board(name).game, random.Random(f"steps {name}")
    shared = ConditionalReach(game)
    units = {id(shared.profile(unit)): unit for unit in shared.movers}
    for unit in rng.sample(sorted(units.values()), min(2, len(units))):
        known: list[tuple[str, Before]] = [(game.homes[unit], None)]
        seen, compared = set(known), 0
        while known and compared < 12:
            label, before = known.pop(rng.randrange(len(known)))
            steps, fresh = shared.steps(unit, label, before), ConditionalReach(game)
            assert steps == fresh.steps(unit, label, before), (unit, label, before)
            compared += 1
            further = [(step.arc.to, shared.after(step.arc)) for step in steps]
            further += [(step.arc.to, None) for step in steps if rng.random() < 0.2]
            known += [place for place in dict.fromkeys(further) if place not in seen]
            seen.update(known)


def test_a_minimum_move_of_one_unit_lets_no_other_one_in_later() -> None:
    """Both are one kind of unit; w3021 is barred but to a minimum move: a is beside it, and b would come to it second."""
    tank = {"side": "axis", "type": "tank", "values": "3-3-3"}
    data = {
        "format": "planner/scenario-1",
        "model": "dai_senso",
        "phase": "operational_movement",
        "phasing": "axis",
        "map": {"hexes": {"w3020 w3021 w3022 w3023": "clear"}},
        "unit": [{**tank, "id": "a", "at": "w3020"}, {**tank, "id": "b", "at": "w3023"}],
        "tier": [{"terms": [{"kind": "end", "unit": unit, "at": "w3021"} for unit in "ab"]}],
    }
    scenario = build_scenario(data, "test")
    barring = EntryRestriction.model_validate(
        {
            "kind": "entry_restriction",
            "id": "barred",
            "paragraph": "1",
            "hexes": {"labels": "w3021"},
            "unless_minimum_move": True,
        }
    )
    barred = with_rules(scenario, [*scenario.game.rulebook.rules, barring])
    reach = ConditionalReach(barred.game)
    assert any(found.end == "w3021" for found in reach.possibilities("a"))
    assert not any(found.end == "w3021" for found in reach.possibilities("b"))
    assert Search(barred).run().value == (1,)
