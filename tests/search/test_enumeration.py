"""Where every plan is tried, none is lost, and nobody walks farther than its MP last."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from planner.limits import Limits
from planner.plans.plan import Move, Plan
from planner.referee.referee import Referee
from planner.search.alternatives_search import AlternativesSearch
from planner.search.context import SearchContext
from planner.search.enumeration import Census, _Skirmishes
from planner.search.search import Search
from tests.plain_game import ANYWHERE, BONUS, ROAD, Variant, build

COMBAT = (
    '[[rule]]\nid = "fight"\nkind = "combat_on_entry"\nparagraph = "fight"\ndemoralized = "light"\n'
    'columns = [{ from_percent = -100, entries = [[0, 1]] }]\neliminated_to = [{ box = "dead" }]\n'
)


@pytest.mark.parametrize(
    ("rules", "ma"),
    [(BONUS.format("false"), "1"), (ANYWHERE, "3/2"), ("", "2")],
    ids=["further MP", "overdraft", "its MA"],
)
def test_where_every_plan_is_tried_whoever_has_more_than_its_ma_gets_as_far_as_it_can(
    rules: str, ma: str, tmp_path: Path
) -> None:
    """It must get to 03.03, 2 MP from where it is: of the MA 1 and 1 for the road; or on half a MP that is left."""
    variant = Variant(
        "far",
        COMBAT + rules,
        chart=ROAD,
        units=(f"foot f 03.01 {ma}",),
        enemies=("foot e 02.01 1",),
        hexsides='[map.hexsides]\nroad = ["03.01 03.02"]\n[[require]]\nkind = "end"\nunit = "f"\nat = "03.03"\n',
    )
    found = AlternativesSearch(build(variant, tmp_path)).best(2)
    assert [str(found.plans[0].result.plan)] == ["f 03.01-03.02-03.03"]
    assert (len(found.plans), found.proved, found.exhausted) == (1, True, True)


def test_nobody_goes_round_in_circles_beyond_its_mp_where_places_may_be_taken_on_the_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each hex but one is an end that is worth as much: with 2 MP, no move has more than two steps."""
    longest = [0]
    after = _Skirmishes.after

    def watched(moves: _Skirmishes, *asked: Any) -> Iterator[Move]:
        for move in after(moves, *asked):
            longest[0] = max(longest[0], len(move.path) - 1)
            assert longest[0] <= 2
            yield move

    monkeypatch.setattr(_Skirmishes, "after", watched)
    capture = '[[rule]]\nid = "take"\nkind = "capture"\nparagraph = "take"\n'
    variant = Variant(
        "circles",
        COMBAT + capture,
        units=("foot f 03.01 2",),
        enemies=("foot e 02.01 1",),
        hexsides='[control]\nnorth = "03.02 03.03"\n[[require]]\nkind = "units_moved"\nmost = 1\n',
    )
    assert AlternativesSearch(build(variant, tmp_path)).best(2).plans
    assert longest == [2]


ORDERS = (
    '[[rule]]\nid = "orders"\nkind = "orders"\nparagraph = "orders"\nsections = "port"\nordered = { types = "scout" }\n'
)


def test_of_two_units_between_whom_there_is_one_order_the_better_one_to_move_is_found_beside_a_combat(
    tmp_path: Path,
) -> None:
    """Each of two could take one of two hexes, worth 3 and 2 MP away; whichever goes, the other has no order."""
    variant = Variant(
        "one order",
        COMBAT + ORDERS,
        units=("foot f 03.01 2", "foot g 03.01 2"),
        enemies=("foot e 04.01 1",),
        hexsides='[map.hexes]\n"03.01" = { terrain = "plain", traits = "port" }\n[orders]\nport = 1\n',
    )
    found = Search(build(variant, tmp_path)).run()
    assert (found.status, found.value) == ("optimal", (3, -2))


CARRYING = '[[rule]]\nid = "sea"\nkind = "transport"\nparagraph = "sea"\nprocedure = "hex_to_hex"\ntakes = 1\n'
CARRYING += 'from_start = false\nembark = [{ traits = "port" }]\ndebark = [{ traits = "port" }]\n'


def test_that_no_better_plan_is_left_isnt_said_of_combats_where_units_may_be_carried(tmp_path: Path) -> None:
    """It may walk to 03.01 and sail to 01.05, or elsewhere on foot: steps aboard aren't among those that are tried."""
    ports = "".join(f'"{label}" = {{ terrain = "plain", traits = "port" }}\n' for label in ("03.01", "01.05"))
    marker = '[[marker]]\nid = "ship"\ntype = "boat"\nside = "south"\nzone = "sea"\n'
    variant = Variant(
        "sea",
        COMBAT + CARRYING,
        units=("foot f 03.02 2",),
        enemies=("foot e 04.02 1",),
        hexsides=f'[map.hexes]\n{ports}[map.zones]\nsea = "03.01 01.05"\n[control]\nsouth = "03.01 01.05"\n{marker}',
    )
    scenario = build(variant, tmp_path)
    assert Referee(scenario.game).play(Plan.parse("f 03.02-03.01~01.05"), scenario.start).legal
    assert Census(SearchContext(scenario, Limits.within(20), None), None, None)._moves() is None
