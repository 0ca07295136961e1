"""Where a term can be told unit by unit, the shares of all units come to its count."""

from __future__ import annotations

import random

import pytest
from pydantic import TypeAdapter

from planner.objective import Tally, Term, Tier
from tests.instances import instance

HEXES = "0506 1010"
TERMS = [
    {"kind": "exposure"},
    {"kind": "exposure", "of": {"types": "cavalry"}},
    {"kind": "distance", "to": HEXES},
    {"kind": "distance", "to": HEXES, "of": {"units": ["u0", "u3"]}},
    {"kind": "worth", "table": "0506 1010 1212\nu0 3 - 4\nu1 5 6 7"},
]


def term(data: dict[str, object]) -> Term:
    """Return a term."""
    return TypeAdapter(Tier).validate_python({"terms": [data]}).terms[0]


@pytest.mark.parametrize("data", TERMS, ids=str)
def test_the_shares_of_all_units_come_to_the_count(data: dict[str, object]) -> None:
    rng, counted = random.Random(1), term(data)
    scenario = instance("villages", "8", 0)
    game, position, counts = scenario.game, scenario.start.copy(), set()
    labels = [*HEXES.split(), "1212", *rng.sample(list(game.board.hexes), 20)]
    labels += [label for unit in ("e0", "e1", "e2") for label in game.board.neighbours[game.homes[unit]]]
    for number in range(60):
        unit = ("u0", "u1", "u3")[number % 3] if number % 2 else rng.choice(sorted(game.friends & position.at.keys()))
        position.move(unit, rng.choice(labels[:3] if number % 5 == 1 else labels))
        shares = [counted.share(game, position, unit) for unit in game.units if unit in game.friends]
        assert sum(share for share in shares if share is not None) == counted.score(game, position, Tally())
        counts.add(counted.score(game, position, Tally()))
    assert len(counts) > 1


def test_of_most_terms_it_can_t_be_told() -> None:
    scenario = instance("villages", "8", 0)
    assert term({"kind": "hold", "hexes": "0506"}).share(scenario.game, scenario.start, "u0") is None
