"""Plans in which units help those who help are put together need by need, before anything is searched."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import pytest

import planner
from planner.plans.plan import Plan
from planner.search.chained_plans import ChainedPlans
from planner.search.reach_report import Witnesses
from tests.instances import instance

FAMILIES = [("dense", "24"), ("crowded", "16"), ("islands", "12"), ("villages", "10"), ("stacks", "10"), ("joint", "8")]

Told = list[tuple[str, list[tuple[str, Fraction]], set[str], tuple[str, ...]]]


def _told(family: str, size: str, seed: int) -> Told:
    found = planner.reach_all(instance(family, size, seed))
    return [
        (one.unit, [(entry.hex, entry.mp) for entry in one.alone], {entry.hex for entry in one.with_help}, one.open)
        for one in found
    ]


def _none(*_: object) -> Iterator[Plan]:
    yield from ()


@pytest.mark.parametrize(("family", "size"), FAMILIES)
def test_what_is_put_together_takes_nobody_farther_than_the_search_does(
    family: str, size: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for seed in range(2):
        with_chains = _told(family, size, seed)
        with monkeypatch.context() as without:
            without.setattr(ChainedPlans, "taking", _none)
            assert _told(family, size, seed) == with_chains


@pytest.mark.parametrize(("family", "size"), [("dense", "40"), ("crowded", "40")])
def test_where_helpers_need_help_no_search_is_needed_to_find_it(
    family: str, size: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without what is put together the search finds dozens of these; what it is left with it proves to be out of reach."""
    left: list[int] = []
    wanted = Witnesses._wanted

    def noting(self: Witnesses, might: object, known: object) -> object:
        before = sum(map(len, known.values()))  # type: ignore[attr-defined]
        found = wanted(self, might, known)  # type: ignore[arg-type]
        left.append(sum(map(len, known.values())) - before)  # type: ignore[attr-defined]
        return found

    monkeypatch.setattr(Witnesses, "_wanted", noting)
    planner.reach_all(instance(family, size, 0))
    assert left == [0]
    monkeypatch.setattr(ChainedPlans, "taking", _none)
    planner.reach_all(instance(family, size, 0))
    assert left[1] > 10
