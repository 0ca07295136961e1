"""What a side wants of attacks outlasts its phases without any; names in every side's objective are looked up."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

import planner
from planner import InputError
from planner.playing.game_record import final_score
from planner.playing.position import Position
from planner.scenario import Scenario
from tests.command import run

SCENARIO = """
format = "planner/scenario-1"
model = "crossroads"
phase = "{phase}"
phasing = "blue"
map = {{ origin = "0101", rows = ". . . . . .\\n. . . . . .\\n. . . . . .\\n. . . . . .\\n" }}
[[unit]]
id = "b"
side = "blue"
type = "infantry"
values = "4-4-4"
at = "0102"
[[unit]]
id = "r"
side = "red"
type = "infantry"
values = "3-4-4"
at = "0602"
"""
ATTACKS = """
[[tier]]
terms = [{ kind = "enemy_losses" }, { kind = "hold", hexes = "0202" }]
[[require]]
kind = "enemy_losses"
at_least = 0
[[require]]
kind = "attack_odds"
targets = "r"
odds = "1:2"
"""
NO_ATTACKS = "this game's rulebook says nothing of attacks after this phase"


def made(*objectives: tuple[str, str], phase: str = "movement") -> Scenario:
    """Return the scenario, with objectives as text, each of a side or, by "", as the file's own."""
    text = SCENARIO.format(phase=phase)
    for side, objective in objectives:
        text += objective.replace("[[", f"[[objective.{side}.") if side else objective
    return Scenario.loads(text, "made")


def test_what_a_side_wants_of_attacks_counts_nothing_in_its_other_phases_and_is_asked_for_again_in_the_next() -> None:
    position = Position(made(("blue", ATTACKS)))
    assert position.scenario.asks_for_attacks
    assert len(position.scenario.requirements) == 2
    position.push("b 0102-0202")
    position.end_phase()
    assert position.phase == "second_movement"
    assert not position.scenario.asks_for_attacks
    assert position.scenario.requirements == ()
    result = position.suggest(time_limit=10)
    assert (result.status, result.value) == ("optimal", (1,))
    for _ in range(5):
        position.end_phase()
    assert (position.side, position.phase, position.turn) == ("blue", "movement", 2)
    assert position.scenario.asks_for_attacks
    assert len(position.scenario.requirements) == 2


def test_a_game_whose_scenario_asks_for_attacks_goes_on_and_is_counted_in_the_end() -> None:
    position = Position(made(("", ATTACKS)))
    for _ in range(6):
        position.end_phase()
    assert final_score(position) == {"blue": (0,)}


def test_apply_keeps_what_the_side_wants_of_attacks_for_later_phases(tmp_path: Path) -> None:
    begin, after, later = (tmp_path / f"{name}.toml" for name in ("begin", "after", "later"))
    begin.write_text(SCENARIO.format(phase="movement") + ATTACKS.replace("0202", "0302"), encoding="utf-8")
    assert run("apply", str(begin), "b 0102-0202", "-o", str(after)).returncode == 0
    assert "[[objective.blue.tier]]" in after.read_text(encoding="utf-8")
    assert run("apply", str(after), "", "-o", str(later), "--phase", "movement").returncode == 0
    assert len(Scenario.loads(later.read_text(encoding="utf-8")).requirements) == 2


def test_a_scenario_of_its_own_that_asks_for_attacks_where_there_are_none_is_told_so() -> None:
    with pytest.raises(InputError) as error:
        made(("", ATTACKS), phase="second_movement")
    assert [str(one) for one in error.value.problems] == [
        f"{NO_ATTACKS} @ made: tier[0].terms[0].kind",
        f"{NO_ATTACKS} @ made: require[0].kind",
        f"{NO_ATTACKS} @ made: require[1].kind",
    ]


@pytest.mark.parametrize(
    ("term", "said"),
    [
        ('kind = "hold", hexes = "9999"', "hex '9999' is not on the map @ made: objective.red.tier[0].terms[0].hexes"),
        ('kind = "eliminate", units = "r"', "'r' must be an enemy @ made: objective.red.tier[0].terms[0].units"),
        (
            'kind = "weak_attacks", odds = "9:1"',
            "odds must be a column of the combat results table (1:2, 1:1, 2:1, 3:1, 4:1, 5:1, 6:1), not '9:1' @ "
            "made: objective.red.tier[0].terms[0].odds",
        ),
        (
            'kind = "enemy_losses", at_least = 1',
            "at_least must be given only in a requirement @ made: objective.red.tier[0].terms[0].at_least",
        ),
    ],
)
@pytest.mark.parametrize("phase", ["movement", "second_movement"])
def test_what_is_wrong_with_the_other_sides_objective_is_told_before_its_phase_comes(
    phase: str, term: str, said: str
) -> None:
    objective: Any = ("red", f"[[tier]]\nterms = [{{ {term} }}]\n")
    with pytest.raises(InputError) as error:
        made(objective, phase=phase)
    assert [str(one) for one in error.value.problems] == [said]


def test_a_position_written_down_after_an_attack_holds_the_attack() -> None:
    near = SCENARIO.format(phase="movement").replace('"0602"', '"0202"')
    position = Position(Scenario.loads(near))
    position.push("b -> 0202=DR r 0202-0302-0402")
    assert position.to_dict()["done"] == [{"move": "b -> 0202=DR r 0202-0302-0402"}]
    assert Position(Scenario.from_dict(position.to_dict())) == position


@pytest.mark.parametrize("of", ["", ", of = { types = 'infantry' }"])
def test_a_side_of_which_no_unit_is_left_may_want_what_all_its_units_count_for(of: str) -> None:
    """Nobody is left of blue, so that nothing is spent, also if the enemy alone has infantry."""
    text = SCENARIO.format(phase="movement") + f"[[tier]]\nterms = [{{ kind = 'mp_spent'{of} }}]\n"
    data = tomllib.loads(text)
    data["unit"] = [unit for unit in data["unit"] if unit["side"] == "red"]
    result = planner.suggest(planner.Scenario.from_dict(data))
    assert (result.status, result.value) == ("optimal", (0,))


def test_whoever_names_enemies_of_such_a_side_is_told() -> None:
    data = tomllib.loads(
        SCENARIO.format(phase="movement") + "[[tier]]\nterms = [{ kind = 'mp_spent', of = { units = 'r' } }]\n"
    )
    data["unit"] = [unit for unit in data["unit"] if unit["side"] == "red"]
    with pytest.raises(InputError, match="of must fit units of the phasing side, not r"):
        planner.Scenario.from_dict(data)


def test_a_side_whose_units_could_not_be_read_is_not_told_to_want_something_of_enemies() -> None:
    data = tomllib.loads(SCENARIO.format(phase="movement") + "[[tier]]\nterms = [{ kind = 'mp_spent' }]\n")
    data["unit"][0]["at"] = ["0102"]
    with pytest.raises(InputError) as error:
        planner.Scenario.from_dict(data)
    [problem] = error.value.problems
    assert problem.what == "must be text, not a list"
