"""What a demand needs further, whether that is nothing, and whether there is anything that would do, is told alike."""

from __future__ import annotations

import random
from functools import cache

from planner import api
from planner.reachability.condition_masks import AtomBits, ConditionMasks, MaskedDemand
from planner.rules.atoms import Atom, Friend, Gone, GoneOrFriend, There
from planner.rules.demands import Demand
from planner.world.forces import Unit
from tests.conftest import sized

DEMANDS = sized(50, 300, 100_000)
ENEMIES = {name: 1 << number for number, name in enumerate(("e", "f", "g"))}


def some_atom(rng: random.Random) -> Atom:
    enemy, label = rng.choice(list(ENEMIES)), rng.choice(("0101", "0102"))
    return rng.choice((Gone(enemy), Gone(enemy), There(enemy), Friend(label, "zoc"), GoneOrFriend(enemy, label, "zoc")))


@cache
def some_unit() -> Unit:
    """Return any unit at all."""
    return next(iter(api.load("dai_senso/manchuria").game.units.values()))


def some_masks(rng: random.Random, relaxed: bool = False) -> tuple[ConditionMasks, list[MaskedDemand]]:
    """Return what weighs demands, and some of them; what is known of an atom is drawn once."""
    known: dict[Atom, bool | None] = {}

    def truth(unit: Unit, atom: Atom) -> bool | None:
        return known.setdefault(atom, rng.choice((True, False) if relaxed else (True, False, None, None, None)))

    atoms = AtomBits()
    masks = ConditionMasks(some_unit(), truth, atoms, ENEMIES, joint=rng.random() < 0.3, relaxed=relaxed)
    demands = []
    for number in range(3):
        sets = (frozenset(some_atom(rng) for _ in range(rng.randint(0, 3))) for _ in range(rng.randint(0, 3)))
        demands.append(MaskedDemand(Demand(str(number), tuple(sets)), atoms, ENEMIES))
    return masks, demands


def test_what_is_left_of_demands_is_what_needs_more_or_cannot_be() -> None:
    rng, left, gone = random.Random("left of demands"), 0, 0
    for _ in range(DEMANDS):
        masks, demands = some_masks(rng)
        masks.of(demands, 0, 0)  # numbers the atoms
        cond, removes = rng.getrandbits(8), rng.getrandbits(len(ENEMIES))
        expected = tuple(asked for asked in demands if 0 not in masks.of((asked,), cond, removes))
        assert masks.left_of(demands, cond, removes) == expected
        left, gone = left + len(expected), gone + len(demands) - len(expected)
    assert min(left, gone) > DEMANDS / 3


def test_what_is_possible_at_best_is_so_whatever_conditions_hold() -> None:
    rng, can, never = random.Random("possible demands"), 0, 0
    for _ in range(DEMANDS):
        masks, demands = some_masks(rng, relaxed=True)
        for asked in demands:
            assert masks.possible(asked) == bool(masks.of((asked,), rng.getrandbits(8), 0))
        possible = all(masks.possible(asked) for asked in demands)
        assert possible == bool(masks.of(demands, 0, 0))
        can, never = can + possible, never + (not possible)
    assert min(can, never) > DEMANDS / 10
