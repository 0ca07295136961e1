"""Plans in which units go straight to what they are to see to."""

from __future__ import annotations

from pathlib import Path

from planner.explanation.direct_ways import direct_way
from planner.explanation.needs import Aim
from planner.explanation.relaxation import RelaxationMemory
from planner.explanation.single_unit_bounds import SingleUnitBounds
from planner.explanation.straight_plans import straight_plans
from planner.limits import Limits
from planner.scenario import Scenario
from tests.plain_game import Variant, build


def board(folder: Path, *units: str) -> Scenario:
    """Return a board on which 02.01 lies between 01.01 and 03.01, as 02.02 does between 01.02 and 03.02, and more."""
    return build(Variant("board", units=units, rows=". h . . .\n" + ". . . . .\n" * 5), folder)


def told(scenario: Scenario, **aims: str) -> list[str]:
    needs = [(Aim(unit, frozenset([label])),) for unit, label in aims.items()]
    return [
        "; ".join(plan.lines)
        for plan in straight_plans(SingleUnitBounds(scenario, RelaxationMemory(), Limits()), needs, ())
    ]


def test_a_way_that_is_to_shun_hexes_is_as_short_and_the_same_where_none_leads_round_them(tmp_path: Path) -> None:
    """From 01.02 to 03.02 lead 02.01, a hill, and 02.02; from 01.01 to 03.01 the hill alone is as short."""
    game = board(tmp_path, "foot a 01.02 9", "foot b 01.01 9").game
    assert direct_way(game, "a", "03.02") == ["01.02", "02.02", "03.02"]
    assert direct_way(game, "a", "03.02", ("02.02",)) == ["01.02", "02.01", "03.02"]
    assert direct_way(game, "b", "03.01", ("02.01",)) == ["01.01", "02.01", "03.01"]


def test_one_goes_the_best_way_first_and_then_another_as_short(tmp_path: Path) -> None:
    scenario = board(tmp_path, "foot a 01.02 9")
    assert told(scenario, a="03.02") == ["a 01.02-02.02-03.02", "a 01.02-02.01-03.02"]


def test_two_go_in_both_orders_by_the_best_ways_first_and_then_by_others(tmp_path: Path) -> None:
    scenario = board(tmp_path, "foot a 01.02 9", "foot b 02.02 9")
    assert told(scenario, a="03.02", b="03.02") == [
        "a 01.02-02.02-03.02; b 02.02-03.02",
        "b 02.02-03.02; a 01.02-02.02-03.02",
        "a 01.02-02.01-03.02; b 02.02-03.02",
        "b 02.02-03.02; a 01.02-02.01-03.02",
    ]
