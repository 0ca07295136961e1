"""What rules call the same from anywhere is the same, so that it may be asked of one step into a hex for all others."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

from planner.rules.demands import Arc, Demand
from tests.conftest import sized
from tests.oracles import mixtures, packs

SEEDS = sized(range(0, 68, 6), range(340), range(3_400))


def test_what_is_called_the_same_from_anywhere_is_asked_of_steps_from_wherever_they_lead() -> None:
    compared = Counter[str]()
    for seed in SEEDS:
        for scenario in (packs.position(seed)[0], mixtures.mixed(random.Random(f"from anywhere {seed}"))):
            game = scenario.game
            for way in game.rulebook.ways:
                rules = [rule for rule in game.rulebook.rules if rule.same_from_anywhere(game, way.id)]
                said: dict[object, tuple[Demand, ...]] = {}
                for unit in (game.units[one] for one in game.order if one in game.friends):
                    arcs = (arc for origin in game.board.places for arc in way.offers(game, unit, origin, None))
                    for plain in (arc for arc in arcs if not (arc.zone or arc.carrier)):
                        for arc in (plain, replace(plain, victims=game.enemies_at(plain.to) or None)):
                            for rule in rules:
                                asked = tuple(rule.arc_demands(game, unit, arc))
                                key = unit.id, rule.id, arc.to, arc.victims
                                assert said.setdefault(key, asked) == asked, f"{seed}: {rule}, {unit.id}, {_told(arc)}"
                                compared[rule.kind] += bool(asked)
    assert len([kind for kind, number in compared.items() if number]) > 2, compared


def _told(arc: Arc) -> str:
    return f"{arc.origin}-{arc.to} by {arc.way}"
