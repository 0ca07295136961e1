"""What reviewers found in games of combat on entry and of one unit a hex: each stays mended."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from planner.errors import InputError
from planner.plans.plan import Plan
from planner.referee.referee import Referee
from planner.scenario import Scenario, build_scenario, load_scenario
from planner.scenario.next_phase import write_after
from planner.search.search import Search
from planner.solver.plan_judge import judge


def skirmish(*units: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {
        "format": "planner/scenario-1",
        "model": "classic_hex",
        "phase": "movement",
        "phasing": "blue",
        "map": {"hexes": {"0302 0303 0304 0305": "clear"}, "boxes": {"pool": {}}},
        "unit": [{"type": "infantry", **unit} for unit in units],
        **more,
    }


def own(at: str, values: str = "12-3", id: str = "x", **more: Any) -> dict[str, Any]:
    return {"id": id, "side": "blue", "values": values, "at": at, **more}


def foe(at: str, values: str = "2-3", id: str = "e") -> dict[str, Any]:
    return {"id": id, "side": "red", "values": values, "at": at}


def legal(scenario: Scenario, *moves: str) -> set[bool]:
    plan = Plan.parse(moves)
    return {Referee(scenario.game).play(plan, scenario.start).legal, not judge(scenario, plan)}


def test_nobody_enters_where_an_enemy_stands_though_the_hex_was_friendly() -> None:
    late = own("pool", "4-4", "q", arrives={"turn": 3, "at": "0304"})
    data = skirmish(late, foe("0304"), phase="reinforcement", turn=3, control={"blue": "0304"})
    scenario = build_scenario(data, "late")
    assert legal(scenario, "q [pool]-0304") == {False}
    assert legal(scenario) == {True}
    assert Search(scenario).run().plan == Plan()


def test_a_hex_onto_which_the_enemy_gives_way_is_his(tmp_path: Path) -> None:
    """12 against 2: e is demoralized and goes to 0304, which was blue's."""
    file = tmp_path / "given.toml"
    file.write_text(
        """
format = "planner/scenario-1"
model = "classic_hex"
phase = "movement"
phasing = "blue"
control.blue = "0304"
map.hexes."0302 0303 0304" = "clear"
unit = [
    { id = "x", side = "blue", type = "infantry", values = "12-3", at = "0302" },
    { id = "e", side = "red", type = "infantry", values = "2-3", at = "0303" },
]
""",
        encoding="utf-8",
    )
    scenario = load_scenario(str(file))
    verdict = Referee(scenario.game).play(Plan.parse(["x 0302x0303=0:1"]), scenario.start)
    write_after(scenario, verdict.position, tmp_path / "after.toml")
    after = tomllib.loads((tmp_path / "after.toml").read_text(encoding="utf-8"))
    assert after["control"]["red"].split() == ["0304"]
    assert set(after["control"]["blue"].split()) == {"0302", "0303"}


def test_a_hex_that_is_named_twice_counts_twice_for_referee_and_search() -> None:
    """Twice 1 for the hex behind the enemy, who always gives way to 12 against 2; staying is worth 1."""
    goals = [{"kind": "hold", "hexes": "0303 0303"}, {"kind": "hold", "hexes": "0302"}]
    scenario = build_scenario(skirmish(own("0302"), foe("0303"), tier=[{"terms": goals}]), "twice")
    result = Search(scenario).run()
    assert result.value == (2,)


@pytest.mark.parametrize(
    ("model", "move"),
    [
        ("classic_hex/six_against_four", "x 0404!0405"),
        ("great_war/second_hex", "tank E4!E5"),
        ("dai_senso/manchuria", "plv w5525-w5425!w5426"),
    ],
)
def test_no_overrun_fails_where_there_are_none_or_none_is_rolled(model: str, move: str) -> None:
    scenario = load_scenario(model)
    with pytest.raises(InputError, match="no overrun can fail in this game"):
        scenario.check_names(Plan.parse(move), "moves")


def test_who_may_not_stand_together_does_not_begin_together() -> None:
    with pytest.raises(InputError, match="units of two sides never stand in one hex"):
        build_scenario(skirmish(own("0303"), foe("0303")), "same")
    data = {
        "format": "planner/scenario-1",
        "model": "great_war",
        "phase": "movement",
        "phasing": "allied",
        "map": {"hexes": {"E4 E5": "countryside"}},
        "unit": [{"id": f"u{n}", "side": "allied", "type": "infantry", "at": "E4"} for n in range(2)],
    }
    with pytest.raises(InputError, match="a hex holds one unit"):
        build_scenario(data, "same")


def test_an_attack_that_cannot_win_goes_through_with_probability_0() -> None:
    """1 against 8 in a row of hexes: on the first column nobody takes the hex."""
    scenario = build_scenario(skirmish(own("0302", "1-3"), foe("0303", "8-3")), "hopeless")
    verdict = Referee(scenario.game).play(Plan.parse(["x 0302x0303"]), scenario.start)
    assert verdict.legal
    assert verdict.probability == 0
    assert sum(outcome.probability for outcome in verdict.outcomes) == 1


def test_who_has_given_support_is_marked_so_after_the_phase(tmp_path: Path) -> None:
    scenario = load_scenario("a_world_at_war/through_the_line")
    assert scenario.answer is not None
    verdict = Referee(scenario.game).play(Plan.parse(scenario.answer.moves), scenario.start)
    assert verdict.position.used
    write_after(scenario, verdict.position, tmp_path / "after.toml")
    units = {unit["id"]: unit for unit in tomllib.loads((tmp_path / "after.toml").read_text(encoding="utf-8"))["unit"]}
    assert {unit for unit, entry in units.items() if "inverted" in entry.get("traits", [])} == verdict.position.used
