"""A scenario's own charts: prices, limits, tables, weather and names that hold in it alone, and what is wrong with them."""

from __future__ import annotations

from typing import Any

import pytest

import planner
from planner.errors import InputError
from planner.scenario import Scenario, build_scenario


def row(charts: dict[str, Any] | None = None, **more: Any) -> Scenario:
    """Return four hexes in a row, the third rough, and three units of MA 2 in the first: the third is to be held."""
    return build_scenario(
        {
            "format": "planner/scenario-1",
            "model": "dai_senso",
            "phase": "operational_movement",
            "phasing": "axis",
            "map": {"hexes": {"w4724 w4725 w4727": "clear", "w4726": "rough"}},
            "unit": [
                {"id": f"u{n}", "side": "axis", "type": "infantry", "values": "3-3-2", "at": "w4724"} for n in range(3)
            ],
            "tier": [{"terms": [{"kind": "hold", "hexes": "w4726"}]}, {"terms": [{"kind": "mp_spent"}]}],
            **({} if charts is None else {"charts": charts}),
            **more,
        },
        "row.toml",
    )


def best(scenario: Scenario) -> tuple[object, ...]:
    result = planner.suggest(scenario)
    assert result.status == "optimal"
    return result.value


def test_a_price_of_the_scenario_holds_in_it_alone() -> None:
    """One clear hex for 1 MP, then the rough: 1 MP in the game, 2 by this scenario, too many, and 0 by that one."""
    before = best(row())
    assert best(row({"terrain": {"rough": {"mp": 3, "prices": []}}})) == (0, 0)
    assert best(row({"terrain": {"rough": {"mp": 0, "prices": []}}})) == (1, -1)
    assert best(row()) == before


def test_a_weather_of_the_scenario_may_have_a_price_of_its_own() -> None:
    chart = {"terrain": {"rough": {"prices": [{"weather": "mud", "mp": 0}]}}}
    assert best(row(chart, weather={"mud": "w4726"})) == (1, -1)
    assert best(row(chart)) == best(row())


def test_a_limit_of_a_rule_is_laid_over_the_rulebook() -> None:
    """All three can end in w4725, next to where they stand, as long as stacking lets them."""
    crowd = [{"terms": [{"kind": "end", "unit": f"u{n}", "at": "w4725"} for n in range(3)]}]
    assert best(row({"rules": {"stacking": {"limits": [{"units": 3}]}}}, tier=crowd)) == (3,)
    assert best(row({"rules": {"stacking": {"limits": [{"units": 2}]}}}, tier=crowd)) == (2,)
    verdict = planner.check(row({"rules": {"stacking": {"limits": [{"units": 1}]}}}), ["u0 w4724-w4725"])
    assert not verdict.legal, "two units stay in w4724"


def test_both_faces_know_of_the_charts() -> None:
    scenario = row({"terrain": {"rough": {"mp": 3, "prices": []}}})
    for solver in (False, True):
        assert not planner.check(scenario, ["u0 w4724-w4725-w4726"], solver=solver).legal


def test_a_scenario_names_the_sides_as_it_likes() -> None:
    assert "Kwantung Army to move" in planner.picture(row({"sides": {"axis": "Kwantung Army"}})).svg()
    assert "Kwantung Army to move" not in planner.picture(row()).svg()


def test_a_combat_table_of_the_scenario_takes_the_place_of_the_games() -> None:
    """In the game 3 against 3 may miss. A table of one column that always destroys makes it certain."""
    battle = {
        "format": "planner/scenario-1",
        "model": "classic_hex",
        "phase": "movement",
        "phasing": "blue",
        "map": {"origin": "0404", "rows": [". . .", ". . .", ". . ."]},
        "unit": [
            {"id": "a", "side": "blue", "type": "infantry", "values": "3-2", "at": "0505"},
            {"id": "e", "side": "red", "type": "infantry", "values": "3-2", "at": "0605"},
        ],
        "tier": [{"terms": [{"kind": "eliminate", "units": "e"}]}],
    }
    sure = {"rules": {"combat": {"columns": [{"from_percent": -100, "entries": [[0, 2]]}]}}}
    assert best(build_scenario({**battle, "charts": sure}, "sure")) == (1,)
    assert best(build_scenario(battle, "not sure")) < (1,)


def test_a_terrain_of_the_scenario_may_be_called_much_like_one_of_the_game() -> None:
    """It is no mistake where the map has it: 0 MP for the third hex, and 1 for the second."""
    hexes = {"hexes": {"w4724 w4725 w4727": "clear", "w4726": "roughs"}}
    assert best(row({"terrain": {"roughs": {"mp": 0}}}, map=hexes)) == (1, -1)


@pytest.mark.parametrize(
    ("charts", "said", "where"),
    [
        ({"terain": {}}, "charts must be among", "row.toml: charts"),
        ({"terrain": {"rough": {"mp": -1}}}, "MP must be from 0", "row.toml: charts.terrain.rough.mp"),
        ({"terrain": {"ruogh": {"mp": 1}}}, "nor on the map; did you mean 'rough'?", "row.toml: charts.terrain.ruogh"),
        ({"hexsides": {"rivr": {"mp": 1}}}, "nor on the map; did you mean 'river'?", "row.toml: charts.hexsides.rivr"),
        ({"rules": {"staking": {}}}, "did you mean 'stacking'?", "row.toml: charts.rules.staking"),
        ({"rules": {"stacking": {"limitz": []}}}, "unknown key 'limitz'", "row.toml: charts.rules.stacking.limitz"),
        ({"rules": {"stacking": {"kind": "vacancy"}}}, "stay what they are", "row.toml: charts.rules.stacking"),
        ({"rules": {"stacking": 3}}, "must be a table of parameters", "row.toml: charts.rules.stacking"),
        (
            {"rules": {"stacking": {"counts": {"types": "foo"}}}},
            "unit type 'foo'",
            "row.toml: charts.rules.stacking.counts",
        ),
    ],
)
def test_what_is_wrong_with_a_chart_is_told_where_the_scenario_has_it(
    charts: dict[str, Any], said: str, where: str
) -> None:
    with pytest.raises(InputError) as error:
        row(charts)
    assert any(said in p.what and p.where.startswith(where) for p in error.value.problems), error.value.problems
