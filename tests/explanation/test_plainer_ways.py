"""What a unit can't pay for it could if other ground lay on its way, not only in the hex that it can't enter.

a goes from 01.01, in the north-west, to the east: 01.01 has the neighbours 01.02 and 02.01; 02.01 lies beside 03.01 and
03.02, and so does 04.01. South of three rows there is a lake.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import planner
from planner.explanation.plainer_ways import plainer_ways
from planner.scenario import Scenario, build_scenario
from tests.plain_game import ANYWHERE, LIMIT, Variant, build, effect, write_model

AREA = '[[rule]]\nid = "area"\nkind = "area_allowance"\nparagraph = "area"\n'
AREA += 'limits = [{ where = { terrain = "town" }, most = 4 }]\n'
CHART = 'terrain.lake = { symbol = "~", prohibited = true }\nhexsides.river = { mp = 2 }\n'


def board(folder: Path, rows: str, rules: str = "", ma: int = 2, sides: str = "") -> Scenario:
    rows = rows + "~ ~ ~ ~ ~\n" * 3
    return build(Variant("ground", rules, CHART, (f"foot a 01.01 {ma}",), rows=rows, hexsides=sides), folder)


def changes(found: planner.Explanation) -> set[tuple[str, ...]]:
    return {tuple(str(one) for one in remedy.changes) for remedy in found.remedies}


def test_a_hill_on_the_way_is_named_before_more_mp(tmp_path: Path) -> None:
    """The hill in 02.01 costs 3 of 2 MP: it takes 2 MP more, or one hex that is plain."""
    for rules, rows in (("", ". h . . .\n"), (ANYWHERE, ". h h . .\n")):
        scenario = board(tmp_path, f"{rows}h . . . .\n. . . . .\n", rules)
        assert changes(planner.explain(scenario, "a to 03.01", time_limit=None)) == {("02.01 were plain",)}


def test_every_hex_by_which_the_unit_would_get_there_is_named(tmp_path: Path) -> None:
    """By 03.01 or 03.02, both hills, 04.01 takes 5 MP, of which 4 are valid there, as in a town; if either is plain, 3."""
    scenario = board(tmp_path, ". . h t .\n. . h t .\n. . h t .\n", AREA, 9)
    found = planner.explain(scenario, "a to 04.01", time_limit=None)
    assert changes(found) == {(f"{label} were plain",) for label in ("03.01", "03.02", "04.01")}
    assert found.beside_changes.none
    assert plainer_ways(scenario.game, "a", {"04.01"}) == (["03.01", "03.02"], [])


def test_a_river_on_the_way_is_named_too(tmp_path: Path) -> None:
    """Across the river 03.01 takes 4 MP, by 02.01 as by 01.02; without it between 01.01 and 02.01, 2."""
    sides = 'hexsides.river = ["01.01 02.01", "01.02 02.01", "01.02 02.02"]'
    scenario = board(tmp_path, ". . . . .\n" * 3, sides=sides)
    found = planner.explain(scenario, "a to 03.01", time_limit=None)
    assert changes(found) == {("there were no river hexside between 01.01 and 02.01",)}


def test_of_pairs_of_changes_those_are_named_that_take_the_least_mp(tmp_path: Path) -> None:
    """A lake parts the map: by 03.01 or 03.02, if either is plain, 05.01 takes 4 MP, and 5 by 03.03."""
    scenario = board(tmp_path, ". . ~ . .\n" * 3, ma=3)
    pairs = {("a had 1 MP more", f"{label} were plain") for label in ("03.01", "03.02")}
    assert changes(planner.explain(scenario, "a to 05.01", time_limit=None)) == pairs


def test_of_pairs_of_changes_it_is_not_said_that_there_are_no_others(tmp_path: Path) -> None:
    """What is named keeps one of the two from where it is to end; what does so to the other isn't looked for."""
    units = ("foot a 01.01 1", "foot b 01.03 1")
    rows = ". . . . .\n~ ~ ~ ~ ~\n. . . . .\n" + "~ ~ ~ ~ ~\n" * 3
    sides = 'hexsides.river = ["01.01 02.01", "01.03 02.03"]'
    scenario = build(Variant("ground", "", CHART, units, rows=rows, hexsides=sides), tmp_path)
    found = planner.explain(scenario, require="a to 02.01 and b to 02.03", time_limit=None)
    assert found.remedies
    assert all(len(remedy.changes) == 2 and remedy.fewest for remedy in found.remedies)
    assert not found.beside_changes.none


@pytest.mark.thorough
def test_of_a_way_past_a_hex_that_is_to_be_taken_only_what_cant_be_paid_is_told(tmp_path: Path) -> None:
    """Whatever s may enter, it can't pay for 04.01; that it could have gone on to 02.02 from there was told as its way."""
    stops = 'on = "enter", does = "stop", movers = { without = "light" } }, '
    costs = '{ paragraph = "zoc", on = "enter", does = "cost", mp = 1, movers = { traits = "light" }, negatable = false'
    rules = effect(stops + costs) + LIMIT + 'limits = [{ units = 1 }]\nwhen = "always"\n'
    rules += '[[rule]]\nid = "enemies"\nkind = "entry_restriction"\nparagraph = "enemies"\nenemy_units = {}\n'
    rules += '[[rule]]\nid = "taking"\nkind = "capture"\nparagraph = "taking"\nwhere = { terrain = "town" }\n'
    model = write_model(tmp_path / "any_game", rules)
    units = {"a": ("foot", "01.01", "1-5"), "b": ("foot", "01.03", "1-4"), "s": ("scout", "01.02", "1-4")}
    own = [{"id": one, "side": "south", "type": t, "at": at, "values": v} for one, (t, at, v) in units.items()]
    guard = {"id": "g", "side": "north", "type": "guard", "at": "03.02", "values": "2-2"}
    data = {
        "format": "planner/scenario-1",
        "model": str(model),
        "phase": "day",
        "phasing": "south",
        "map": {"origin": "01.01", "rows": ". t . t\n. h . .\n. t . .\n"},
        "control": {"north": "02.01 02.03 04.01"},
        "unit": [*own, guard],
    }
    found = planner.explain(build_scenario(data, "a town"), require="control 04.01")
    told = [one for reason in found.reasons for one in reason.instances if (one.unit, one.rule) == ("s", "costs")]
    assert [one.claim.plan.moves[-1].end for one in told] == ["04.01"]
