"""A column of units that enter a hex one behind the other: each pays for those before it, in both faces."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

import planner
from planner.errors import DisagreementError
from planner.plans.plan import Plan
from planner.playing.position import Position
from planner.referee.referee import Referee
from planner.rules.atoms import Early
from planner.scenario import Scenario
from planner.search.unit_moves import UnitMoves
from planner.solver.coupling import order
from planner.solver.coupling.coupling import NEEDS, Need
from planner.solver.plan_judge import judge
from tests.plain_game import write_model

RULES = """
[[rule]]
id = "entry"
kind = "passage"
paragraph = "entry"
reads = { origin = { boxes = true } }
takes = "1/2"
[[rule]]
id = "column"
kind = "column_entry"
paragraph = "column"
ways = "entry"
mp = "1/2"
"""
# The road off the map leads to 03.01; three are to march on as far as they can.
SCENARIO = """
format = "planner/scenario-1"
model = "./model"
phase = "day"
phasing = "south"
[map]
origin = "03.01"
rows = ". \\n. \\n. \\n. "
boxes.north_road = { adjacent = ["03.01"] }
[[tier]]
terms = [
    { kind = "end", unit = "a", at = "03.02" },
    { kind = "end", unit = "b", at = "03.02" },
    { kind = "end", unit = "c", at = "03.02" },
]
[[tier]]
terms = [{ kind = "mp_spent" }]
"""
UNIT = '[[unit]]\nid = "{0}"\nside = "south"\ntype = "foot"\nvalues = "1-{1}"\nat = "north_road"\n'


def test_moves_are_told_apart_by_the_hexes_that_they_make_dearer_for_others(tmp_path: Path) -> None:
    """By 02.01 or by 02.02, for as many MP: whoever follows pays more in the one or in the other."""
    write_model(tmp_path / "model", RULES.replace('ways = "entry"', 'ways = "steps"'))
    (tmp_path / "two_ways.toml").write_text(
        'format = "planner/scenario-1"\nmodel = "./model"\nphase = "day"\nphasing = "south"\n'
        '[map]\nhexes."03.02 02.01 02.02 01.02" = "plain"\n' + UNIT.format("a", "2").replace("north_road", "03.02")
    )
    scenario = planner.load(tmp_path / "two_ways.toml")
    moves = [move for move, _ in UnitMoves(Referee(scenario.game)).moves(("a",), scenario.start)]
    assert [str(move) for move in moves if move.end == "01.02"] == ["a 03.02-02.01-01.02", "a 03.02-02.02-01.02"]


def columns(folder: Path, ma: tuple[str, str, str], more: str = "") -> Scenario:
    """Return three units on the road to the map, with such allowances."""
    write_model(folder / "model", RULES + more)
    (folder / "columns.toml").write_text(SCENARIO + "".join(UNIT.format(*one) for one in zip("abc", ma, strict=True)))
    return planner.load(folder / "columns.toml")


def broken(scenario: Scenario, *moves: str) -> list[tuple[str, str | None]]:
    """Return the paragraphs that moves break, and who does, by both faces alike."""
    plan = Plan.parse(moves)
    found = [(violation.rule, violation.unit) for violation in planner.check(scenario, plan).violations]
    assert [(violation.rule, violation.unit) for violation in judge(scenario, plan)] == found
    return found


ONWARD = " [north_road]-03.01-03.02"


def test_each_pays_half_an_mp_more_than_the_one_before_it(tmp_path: Path) -> None:
    scenario = columns(tmp_path, ("5/2", "2", "3/2"))
    verdict = planner.check(scenario, [f"c{ONWARD}", f"b{ONWARD}", f"a{ONWARD}"])
    assert verdict.legal
    assert [float(played.mp) for played in verdict.moves] == [1.5, 2, 2.5]


def test_who_has_the_least_mp_goes_first(tmp_path: Path) -> None:
    """1/2 + 1, 1 + 1 and 3/2 + 1 MP: no other order lets c come along."""
    scenario = columns(tmp_path, ("5/2", "2", "3/2"))
    assert broken(scenario, f"a{ONWARD}", f"b{ONWARD}", f"c{ONWARD}") == [("costs", "c")]
    assert broken(scenario, f"b{ONWARD}", f"c{ONWARD}", f"a{ONWARD}") == [("costs", "c")]
    found = planner.suggest(scenario, time_limit=20)
    assert (found.status, found.value) == ("optimal", (3, -6))
    assert [move.units[0] for move in found.plan.moves] == ["c", "b", "a"]


def test_a_column_that_is_too_long_leaves_somebody_behind(tmp_path: Path) -> None:
    """2 MP take two of them to 03.02; the third would need 5/2."""
    found = planner.suggest(columns(tmp_path, ("2", "2", "2")), time_limit=20)
    assert (found.status, found.value) == ("optimal", (2, -3.5))


def test_other_steps_into_the_hex_neither_pay_nor_count(tmp_path: Path) -> None:
    scenario = columns(tmp_path, ("5/2", "2", "3/2"))
    # a goes on to 03.02 and back: by hex_to_hex, which is no entry.
    moved = scenario.with_units([{"id": "a", "at": "03.02"}])
    assert [float(p.mp) for p in planner.check(moved, ["a 03.02-03.01", f"c{ONWARD}"]).moves] == [1, 1.5]
    assert broken(moved, "a 03.02-03.01", f"c{ONWARD}") == []


def test_who_has_entered_before_what_is_asked_counts(tmp_path: Path) -> None:
    scenario = columns(tmp_path, ("5/2", "2", "3/2"))
    begun = scenario.after(f"a{ONWARD}")
    assert broken(begun, f"c{ONWARD}") == [("costs", "c")]
    assert broken(begun, f"b{ONWARD}") == []
    found = planner.suggest(begun, time_limit=20)
    assert (found.status, found.value[0]) == ("optimal", 2)
    position = Position(scenario)
    position.push(f"a{ONWARD}")
    assert "03.02" not in {label for move in position.legal_moves("c") for label in move.path}
    assert "03.02" in {label for move in position.legal_moves("b") for label in move.path}
    other = Position(scenario)
    assert {str(move) for move in other.legal_moves("c")} > {str(move) for move in position.legal_moves("c")}


def test_moves_that_a_player_has_written_into_the_file_count_in_a_column(tmp_path: Path) -> None:
    """Behind a, who is made to go in front, c is the second, and b, after both, would be the third."""
    columns(tmp_path, ("5/2", "2", "2"))
    file = tmp_path / "columns.toml"
    file.write_text(file.read_text() + f'[[done]]\nmove = "a{ONWARD}"\n')
    begun = planner.load(file)
    assert broken(begun, f"c{ONWARD}") == []
    assert broken(begun, f"c{ONWARD}", f"b{ONWARD}") == [("costs", "b")]
    assert [float(played.mp) for played in planner.check(begun, [f"c{ONWARD}"]).moves] == [2]


def test_reach_tells_what_somebody_can_do_who_goes_first(tmp_path: Path) -> None:
    told = planner.reach(columns(tmp_path, ("2", "2", "3/2")), "c")
    assert {found.hex: found.mp for found in told.alone} == {"03.01": Fraction(1, 2), "03.02": Fraction(3, 2)}
    assert told.with_help == ()


def test_it_is_told_why_the_last_one_doesnt_get_there(tmp_path: Path) -> None:
    begun = columns(tmp_path, ("5/2", "2", "3/2")).after(f"a{ONWARD}")
    told = planner.explain(begun, require="c to 03.02", time_limit=20)
    assert told.status == "forbidden"
    assert [one.rule for one in told.reasons[0].instances] == ["costs"]


def test_a_model_that_doesnt_count_who_has_entered_is_found_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scenario = columns(tmp_path, ("5/2", "2", "3/2"))
    monkeypatch.setitem(NEEDS, Early, Need(order.column, lambda *_: None))
    with pytest.raises(DisagreementError):
        planner.suggest(scenario, time_limit=20)


def test_what_is_kept_of_two_is_no_answer_for_three(tmp_path: Path) -> None:
    """Steps that were listed when there were two units know of one that may have entered before."""
    columns(tmp_path, ("5/2", "2", "3"))
    file = tmp_path / "columns.toml"
    text = file.read_text()
    goals = text[text.index("[[tier]]") : text.index("[[tier]]", text.index("[[tier]]") + 1)]
    nearness = '[[tier]]\nterms = [{ kind = "distance", to = "03.02", of = { types = "foot" } }]\n'
    file.write_text(text.replace(goals, nearness))
    two = planner.load(file).with_units(without=["c"])
    assert planner.suggest(two, time_limit=20).value == (0, Fraction(-7, 2))
    third = {"id": "c", "side": "south", "type": "foot", "values": "1-3", "at": "north_road"}
    assert planner.suggest(two.with_units([third]), time_limit=20).value == (0, -6)
