"""Whoever writes a name that doesn't exist is told which ones do."""

from __future__ import annotations

import pytest

from planner.errors import InputError
from planner.formats.files import data_folder, parse_toml
from planner.formats.spelling import not_among
from planner.scenario import Scenario


def test_a_name_must_be_one_of_those_that_there_are() -> None:
    assert (
        not_among("weather", "mudd", {"snow", "mud"}) == "weather 'mudd' must be one of mud, snow; did you mean 'mud'?"
    )
    assert not_among("weather", "mud", ()) == "weather can't be 'mud': there is none"


def test_a_game_without_weather_isnt_said_to_have_one_that_is_called_none() -> None:
    text = (data_folder("scenarios") / "classic_hex" / "no_way_out.toml").read_text(encoding="utf-8")
    with pytest.raises(InputError, match="weather can't be 'mud': there is none"):
        Scenario.from_dict({**parse_toml(text, "scenario"), "weather": {"mud": "0101"}})
