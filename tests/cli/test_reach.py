"""The command `reach`: what is not known yet, and Ctrl-C."""

from __future__ import annotations

import json

import pytest

from tests.cli.test_app import run


@pytest.mark.parametrize("what", [("plv",), ("--all",)])
def test_without_time_everything_is_open_and_no_hex_is_told(what: tuple[str, ...]) -> None:
    answer = json.loads(run("reach", "dai_senso/manchuria", *what, "--time-limit", "0", "--json").stdout)
    for one in answer.get("units", [answer]):
        assert not one["hexes"]
        assert not one["with_help"]
        assert one["open"]


def test_many_hexes_of_which_nothing_is_known_are_counted_not_listed() -> None:
    told = run("reach", "great_war/over_the_top", "fa1", "--time-limit", "0").stdout
    assert "nowhere of which it is known yet" in told
    assert "Not known yet of" in told
    assert len(told) < 400
