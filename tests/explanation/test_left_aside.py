"""Who else must attack, where an attack is asked about, is left aside, and told."""

from __future__ import annotations

import pytest

import planner
from planner.cli.explanation_text import print_explanation


@pytest.mark.parametrize("asked", ["ba -> 0805", "b1+b2 -> 0706"])
def test_duties_that_are_left_after_the_first_way_are_those_that_the_referee_finds(
    asked: str, capsys: pytest.CaptureFixture[str]
) -> None:
    found = planner.explain("crossroads/bridge", asked)
    assert found.status == "with_help"
    broken = planner.check("crossroads/bridge", found.remedies[0].plan).violations
    assert list(found.due) == [one.message for one in broken]
    print_explanation(found)
    assert ("is left aside here; after that, " in capsys.readouterr().out) == bool(broken)


def test_an_attack_that_is_possible_tells_who_else_must_attack() -> None:
    """The escort goes into the ZOC of r1, and attacks nobody."""
    found = planner.explain("crossroads/bridge", ["be 0406-0506-0605", "ba 0405-0506-0605-0705", "ba -> 0805"])
    assert found.status == "possible"
    assert found.due == ("be must attack: it is in the ZOC of r1",)
    assert found.to_dict()["due"] == ["be must attack: it is in the ZOC of r1"]
