"""No instance is there twice, none says less than another, and no line is printed twice."""

from __future__ import annotations

import pytest

from planner.api import explain
from planner.cli.explanation_text import print_explanation
from planner.explanation.answer import Instance
from planner.explanation.wording import each_once
from planner.scenario import build_scenario


def test_instances_that_differ_in_their_unit_alone_name_it() -> None:
    mud = [Instance("overruns", "13.57", unit, "C2", (), "no overruns in C2: mud") for unit in ("u1", "u0", "u0")]
    weak = [
        Instance("overruns", "8.1", unit, "C3", (), "u0 and u1 can't overrun C3: 2 to 6")
        for unit in ("u0", "u1", "u10")
    ]
    assert [(one.unit, one.message) for one in each_once([*mud, *weak])] == [
        ("u1", "no overruns in C2: mud"),
        ("u0", "no overruns in C2: mud, for u0 too"),
        ("u0", "u0 and u1 can't overrun C3: 2 to 6"),
        ("u1", "u0 and u1 can't overrun C3: 2 to 6"),
        ("u10", "u0 and u1 can't overrun C3: 2 to 6, for u10 too"),
    ]


def test_what_binds_two_units_is_printed_once(capsys: pytest.CaptureFixture[str]) -> None:
    """By hand: 2 against 9 is on no table, so that neither u nor v may overrun, nor both of them."""
    own = {"side": "axis", "type": "tank", "size": 1, "at": "10.10", "attack": 1, "defense": 1, "ma": 4}
    enemy = {"id": "e", "side": "allied", "type": "infantry", "at": "10.11", "attack": 1, "defense": 9, "ma": 0}
    data = {"format": "planner/scenario-1", "model": "ocs", "phase": "movement", "phasing": "axis"}
    data |= {"map": {"hexes": {"10.10 10.11": "open"}}, "unit": [{**own, "id": "u"}, {**own, "id": "v"}, enemy]}
    found = explain(build_scenario(data, "beside the enemy"), "u to 10.11")
    assert [one.unit for one in found.reasons[0].instances] == ["u", None]
    print_explanation(found)
    assert capsys.readouterr().out.count("10.11 can't be overrun: all together would come to 2 to 9") == 1
