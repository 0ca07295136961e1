"""Where units may wait, and attack afterwards, every way to move and to declare attacks is tried."""

from __future__ import annotations

import random
from typing import Any

import pytest

import planner
from planner.errors import OutOfTimeError
from planner.rules.kinds.sequence import Sequence
from planner.scenario import Scenario
from planner.search.attack_choices import AttackChoices
from planner.world.declared_attack import DeclaredAttack
from tests.conftest import sized
from tests.oracles.attack_games import attack, of_differences, position
from tests.oracles.attack_plans import best_plan
from tests.oracles.rulebooks import with_rules

DRAWN = sized(2, 20, 400)
WAITING = Sequence.model_validate({"id": "one_by_one", "kind": "sequence", "paragraph": "4", "waiting": {}})
GOALS: list[dict[str, Any]] = [
    {"kind": "enemy_losses"},
    {"kind": "own_losses"},
    {"kind": "emptied"},
    {"kind": "end", "unit": "a", "at": "0303"},
]


def waiting(scenario: Scenario) -> Scenario:
    """Return a position in which units may wait for each other."""
    return with_rules(scenario, (WAITING, *(rule for rule in scenario.game.rulebook.rules if rule.kind != "sequence")))


def drawn(seed: int) -> Scenario:
    """Return three units that make one step each, if any: who waits in between gains nothing by it."""
    rng = random.Random(f"declaring {seed}")
    spots = rng.sample(["0202", "0203", "0302", "0303", "0304", "0402", "0403"], 5)
    values = [rng.choice(("2-2-1", "3-3-1", "4-4-1")) for _ in "ab"]
    units = {"a": (values[0], spots[0]), "b": (values[1], spots[1]), "gc": ("3-1-0", spots[2])}
    foes = {"e1": (rng.choice(("1-1-1", "2-2-1")), spots[3]), "e2": ("3-3-1", spots[4])}
    rule = rng.choice((attack, of_differences))(**rng.choice(({}, {"must_attack": {}}, {"defenders_together": False})))
    tiers = [{"terms": rng.sample(GOALS, 2)}, {"terms": [{"kind": "mp_spent"}]}]
    return waiting(position(rule, units | foes, tier=tiers))


@pytest.mark.thorough
def test_the_best_moves_and_attacks_of_units_that_may_wait_are_proved() -> None:
    proved = 0
    for seed in range(DRAWN):
        scenario = drawn(seed)
        best, found = best_plan(scenario, 20_000), planner.suggest(scenario)
        assert (found.status, found.value) == (("infeasible", ()) if best is None else ("optimal", best[0])), seed
        proved += best is not None
    assert proved > DRAWN / 2


def test_the_best_moves_are_proved_where_an_attack_is_settled_or_that_there_is_none() -> None:
    proved, few = 0, max(1, DRAWN // 4)
    for seed in range(few):
        scenario = drawn(seed)
        label = scenario.start.at["e1"]

        def by_a(attacks: tuple[DeclaredAttack, ...], label: str = label) -> bool:
            return any(one.attackers == ("a",) and one.hexes == (label,) and not one.defenders for one in attacks)

        for text, allowed in ((f"a -> {label}", by_a), ("no attacks", lambda attacks: not attacks)):
            best, found = best_plan(scenario, 20_000, allowed), planner.complete(scenario, text)
            assert (found.status, found.value) == (("infeasible", ()) if best is None else ("optimal", best[0])), (
                seed,
                text,
            )
            proved += best is not None
    assert proved > few / 2


def test_listing_whom_attacks_may_be_against_is_broken_off_when_the_time_is_up() -> None:
    # Of 14 defenders of a hex any may be attacked: 2 ** 14 - 1 attacks by the one who stands beside them.
    rule = attack(defenders_together=False)
    scenario = position(rule, {"a": ("4-4-1", "0304")} | {f"e{number}": ("1-1-1", "0303") for number in range(14)})
    looks = 0

    def count() -> None:
        nonlocal looks
        looks += 1
        if looks == 100:
            raise OutOfTimeError("the time ran out")

    with pytest.raises(OutOfTimeError):
        AttackChoices(rule, scenario.game, scenario.start, count)
    assert looks == 100
