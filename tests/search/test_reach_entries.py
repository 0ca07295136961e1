"""What helpers are there for is told by what comes of their plan without them, of which many plans have much in common."""

from __future__ import annotations

from typing import Any

import pytest

import planner
from planner.referee.referee import Referee
from planner.search import reach_entries
from planner.search.reach_entries import Entries
from tests.instances import instance


@pytest.mark.parametrize(("family", "size"), [("dense", "16"), ("crowded", "12"), ("villages", "10"), ("stacks", "10")])
def test_what_is_played_anew_for_each_plan_tells_the_same_help(
    family: str, size: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = Entries._without

    def anew(self: Entries, *args: Any) -> Any:
        self._left.clear()
        return plain(self, *args)

    told = planner.reach_all(instance(family, size, 0))
    assert any(entry.help for one in told for entry in one.with_help)
    monkeypatch.setattr(reach_entries, "SharingReferee", Referee)
    monkeypatch.setattr(Entries, "_without", anew)
    assert planner.reach_all(instance(family, size, 0)) == told
