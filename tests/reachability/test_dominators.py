"""Which of many labels dominate others, against looking through all of them."""

from __future__ import annotations

import random

import pytest

from planner.reachability import label_search
from planner.reachability.conditional_reach import ConditionalReach
from planner.reachability.dominators import Dominators
from planner.reachability.label import Exit, Label
from planner.reachability.possibility import Possibility
from planner.scenario import Scenario
from tests.conftest import sized
from tests.instances import instance, list_possibilities
from tests.oracles.positions import drawn

REACH = ConditionalReach(drawn(0).scenario.game)
NO_STEP = Exit(None, None, REACH.shared_demands)
POSITIONS = range(sized(1, 15, 1_000))


def drawn_label(rng: random.Random) -> Label:
    """Return a label of few values, so that many are alike."""
    cond = sum(1 << bit for bit in rng.sample(range(12), rng.randrange(1, 6)))
    return Label((0, True, 0, "0101", NO_STEP), None, (rng.randrange(8), cond, rng.randrange(8), (), ()))


def dominates(one: Label, other: Label) -> bool:
    """Tell whether a label costs and needs no more than another one, and removes no less, by the definition."""
    return one.mp <= other.mp and one.cond | other.cond == other.cond and one.removes | other.removes == one.removes


@pytest.mark.parametrize("seed", range(20))
def test_a_label_is_dominated_if_one_of_all_others_is_as_good(seed: int) -> None:
    rng = random.Random(seed)
    labels, found = [drawn_label(rng) for _ in range(60)], set()
    dominators = Dominators(labels[:40])
    for label in labels[40:]:
        dominators.add(label)
    for label in (*labels, *(drawn_label(rng) for _ in range(60))):
        expected = any(dominates(one, label) for one in labels if one is not label)
        assert dominators.dominate(label.mp, label.cond, label.removes, label) is expected
        found.add(expected)
    assert found == {True, False}


@pytest.mark.parametrize("seed", range(20))
def test_of_many_labels_those_are_left_that_no_other_one_dominates_and_the_first_of_equals(seed: int) -> None:
    rng = random.Random(seed)
    assert REACH.plain_dominance
    assert not REACH.may_be_left_undone
    labels = [drawn_label(rng) for _ in range(60)]
    left = [
        label
        for at, label in enumerate(labels)
        if not any(dominates(one, label) and not dominates(label, one) for one in labels)
        and not any(dominates(one, label) for one in labels[:at])
    ]
    assert label_search.undominated(REACH, labels) == left
    assert 1 < len(left) < len(labels)


def listed(scenario: Scenario, many: int, patch: pytest.MonkeyPatch) -> dict[str, list[Possibility]]:
    """Return what all units can do if so many labels are looked through one by one."""
    patch.setattr(label_search, "MANY", many)
    return list_possibilities(ConditionalReach(scenario.game))


def several(found: dict[str, list[Possibility]]) -> int:
    """Return how many possibilities end where another one of the same unit does."""
    return sum(len(some) - len({one.end for one in some}) for some in found.values())


@pytest.mark.thorough
def test_among_many_enemies_units_can_do_the_same_however_many_labels_are_looked_through_one_by_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    crowded = instance("dense", "20/ma=6-10", 0)
    found = listed(crowded, 0, monkeypatch)
    assert found == listed(crowded, 10**9, monkeypatch)
    assert several(found) > 1_000


@pytest.mark.thorough
@pytest.mark.parametrize("random_rulebook", [False, True])
def test_units_can_do_the_same_however_many_labels_are_looked_through_one_by_one(
    random_rulebook: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    more = 0
    for seed in POSITIONS:
        scenario = drawn(seed, random_rulebook=random_rulebook).scenario
        found = listed(scenario, 0, monkeypatch)
        assert found == listed(scenario, 10**9, monkeypatch), f"seed {seed}"
        more += several(found)
    assert more  # than one label of a place
