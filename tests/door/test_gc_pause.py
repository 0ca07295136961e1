"""The collector looks seldom while much is made that stays, and not at all of that when the work is done."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator

import pytest

from planner import gc_pause
from planner.gc_pause import seldom
from tests.conftest import count_frozen

MANY = 20_000
"""Objects that a piece of work leaves: more than the collector waits for otherwise."""


class Knot:
    """Something that refers to itself, so that only the collector finds out that nobody else does."""

    def __init__(self) -> None:
        self.itself = self


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Begin with nothing unseen and nothing frozen, and leave frozen what isn't garbage, as all tests have it."""
    gc.unfreeze()
    gc.collect()
    monkeypatch.setattr(gc_pause, "_unseen", 0)
    monkeypatch.setattr(gc, "get_freeze_count", count_frozen)
    yield
    gc.freeze()


def test_what_work_leaves_is_old_when_it_is_done() -> None:
    looks = list[str]()

    def look(phase: str, about: dict[str, int]) -> None:
        looks.append(phase)

    kept = list[list[int]]()
    gc.callbacks.append(look)
    try:
        with seldom():
            kept += [[number] for number in range(MANY)]
        kept += [[number] for number in range(100)]  # a first few more, for which nobody looks either
        grown = list(looks)
        kept += [[number] for number in range(MANY)]
    finally:
        gc.callbacks.remove(look)
    assert (grown, len(kept)) == ([], 2 * MANY + 100)
    assert looks  # as often as before


def test_all_are_looked_at_once_enough_has_grown_old_and_little_was_made_last(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gc_pause, "ENOUGH", MANY)
    with seldom():
        knot = Knot()
        gone = weakref.ref(knot)
        del knot
    assert gone() is not None  # a knot alone isn't enough
    monkeypatch.setattr(gc_pause, "YOUNG", MANY // 2)
    with seldom():
        kept = [[number] for number in range(MANY)]
    assert gone() is not None  # that was much, and whoever had it done may not want to wait any longer
    with seldom():
        kept.append([])
    assert gone() is None
    assert len(kept) == MANY + 1


def test_the_collector_is_left_alone_where_it_rests_or_somebody_has_frozen_objects() -> None:
    gc.freeze()
    frozen = gc.get_freeze_count()
    with seldom():
        kept = [[number] for number in range(MANY)]
    assert frozen > 0
    assert gc.get_freeze_count() >= frozen - MANY // 10  # but for those that are free by themselves
    gc.unfreeze()
    gc.disable()
    try:
        with seldom():
            kept += [[number] for number in range(MANY)]
        assert gc.get_count()[0] > MANY
    finally:
        gc.enable()


def test_the_collector_waits_as_long_as_before_once_the_last_is_done() -> None:
    before = gc.get_threshold()
    with seldom():
        with seldom():
            inner = gc.get_threshold()
        assert gc.get_threshold() == inner != before
    assert gc.get_threshold() == before


def test_what_is_made_grows_old_without_a_look_so_often_in_one_piece_of_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever makes more than that may make garbage: from then on it is found."""
    monkeypatch.setattr(gc_pause, "YOUNG", MANY // 4)
    monkeypatch.setattr(gc_pause, "AT_ONCE", 2)
    kept, knots = list[list[int]](), list[weakref.ref[Knot]]()
    for _ in range(2):  # each piece of work begins anew
        with seldom():
            for _ in range(4):
                knots.append(weakref.ref(Knot()))
                kept += [[number] for number in range(MANY // 4 + 10)]
    assert [knot() is not None for knot in knots] == [True, True, False, False] * 2
    assert gc.get_freeze_count() == 0
    assert gc_pause._pass_over not in gc.callbacks


def test_what_is_out_of_sight_comes_back_even_if_the_work_ends_before_the_look_does() -> None:
    """A look may begin in one thread, and the last piece of work be done in another, before it ends."""
    with seldom():
        gc_pause._pass_over("start", {"generation": 0})
        assert gc.get_freeze_count()
    assert not gc.get_freeze_count()
