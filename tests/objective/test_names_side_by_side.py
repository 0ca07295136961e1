"""Names that stand side by side in one text, as hexes may, where a list of names is meant."""

from __future__ import annotations

from pathlib import Path

import pytest

from planner.errors import InputError
from planner.scenario import build_scenario
from tests.oracles.attack_games import attack, position
from tests.plain_game import Variant, build

UNITS = {"a": ("4-4-4", "0302"), "e": ("1-2-4", "0303"), "f": ("1-2-4", "0403")}


@pytest.mark.parametrize(
    "term",
    [
        {"kind": "attack_odds", "targets": "e f", "odds": "1:1"},
        {"kind": "attack_results", "targets": "e f", "results": "DE"},
        {"kind": "eliminate", "units": "e f"},
        {"kind": "stay", "units": "e, f"},
    ],
)
def test_who_writes_several_units_in_one_text_is_told_how_a_list_is_written(term: dict[str, str]) -> None:
    with pytest.raises(InputError, match=r"not? .*'e,? f'; several are a list: \[\"e\", \"f\"\]"):
        position(attack(), UNITS, tier=[{"terms": [term]}])


def test_a_name_that_nobody_has_is_no_list(tmp_path: Path) -> None:
    data = build(Variant("any"), tmp_path).to_dict()
    data["tier"] = [{"terms": [{"kind": "stay", "units": "f g"}]}]
    with pytest.raises(InputError, match="no unit has the id 'f g' "):
        build_scenario(data, "any", tmp_path)
