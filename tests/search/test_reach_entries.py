"""What helpers are there for is told by what comes of their plan without them, of which many plans have much in common."""

from __future__ import annotations

import pytest

import planner
from planner.referee.referee import Referee
from planner.search import reach_entries
from tests.instances import instance


@pytest.mark.parametrize(("family", "size"), [("dense", "16"), ("crowded", "12"), ("villages", "10"), ("stacks", "10")])
def test_a_referee_that_plays_everything_anew_tells_the_same_help(
    family: str, size: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = planner.reach_all(instance(family, size, 0))
    assert any(entry.help for one in told for entry in one.with_help)
    monkeypatch.setattr(reach_entries, "SharingReferee", Referee)
    assert planner.reach_all(instance(family, size, 0)) == told
