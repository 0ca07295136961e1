"""Plans that explanations show: combats are written as such, and nobody goes round without need."""

from __future__ import annotations

from pathlib import Path

import planner
from planner.scenario import Scenario
from tests.plain_game import FORCES, LIMIT, Variant, build, effect, placed, write_model

RULES = """
[[rule]]
id = "combat"
kind = "combat_on_entry"
paragraph = "combat"
demoralized = "shaken"
eliminated_to = [{ box = "dead" }]
columns = [
    { from_percent = 0, entries = [[0, 1], [1, 0], [0, 0]] },
    { from_percent = 200, entries = [[0, 1]] },
]
"""


def board(folder: Path) -> Scenario:
    """Return a position in which a, by 4 to 2, is sure to drive k from 02.01, and s, by 1 to 2, isn't."""
    printed = (
        FORCES.replace('["strength", "ma"]', '["attack", "defense", "ma"]') + 'unit_traits = { shaken = "Shaken" }\n'
    )
    units = ("foot a 01.01 4-2-3", "scout s 01.02 1-1-3")
    rows = ". . . . .\n. . h . .\n" + "h h h h h\n" * 4
    rules = RULES + LIMIT + "limits = [{ units = 2 }]\n" + effect('on = "enter", does = "cost", mp = 1')
    more = Variant(
        "x", rules, units=units, enemies=("guard k 02.01 1-2-1",), rows=rows, forces=printed, turns="stacks = true\n"
    )
    return build(more, folder)


def test_who_goes_into_an_enemys_hex_is_said_to_fight_for_it(tmp_path: Path) -> None:
    found = planner.explain(board(tmp_path), "a to 02.01", time_limit=None)
    assert found.plan is not None
    assert found.plan.lines == ["a 01.01x02.01"]


def test_who_fights_for_others_is_said_to_and_nobody_goes_round(tmp_path: Path) -> None:
    """Once a has driven k from 02.01, s walks there, and further: "s 01.02-01.01x02.01" was told."""
    scenario = board(tmp_path)
    for label, way in (("02.01", "s 01.02-02.01"), ("03.01", "s 01.02-02.01-03.01")):
        found = planner.explain(scenario, f"s to {label}", time_limit=None)
        assert found.plan is not None
        assert found.plan.lines == ["a 01.01x02.01", way]
        assert str(found.remedies[0]) == "if a first moves to 02.01, fighting for it"
        assert planner.check(scenario, found.plan).legal


def test_who_waits_for_results_is_said_to_fight_for_hexes_too(tmp_path: Path) -> None:
    """Unit b drives e from 01.02 with 1/2, a then, from 01.03, with 1/2: "b 01.01-01.02; a 01.01-01.02-01.03" was told."""
    table = 'columns = [{ from_percent = -100, entries = [[0, 0], [0, 1]] }]\neliminated_to = [{ box = "dead" }]\n'
    rules = f'[[rule]]\nid = "fight"\nkind = "combat_on_entry"\nparagraph = "fight"\ndemoralized = "shaken"\n{table}'
    model = write_model(tmp_path / "game", rules, FORCES + 'unit_traits = { shaken = "Shaken" }\n')
    units = [("a", "south", "2-3", "01.01"), ("b", "south", "1-3", "01.01"), ("e", "north", "2-1", "01.02")]
    scenario = placed(
        model,
        {"01.01 01.02 01.03 01.04": "plain"},
        [{"id": id, "side": side, "type": "foot", "values": values, "at": at} for id, side, values, at in units],
    )
    found = planner.explain(scenario, "a to 01.03", time_limit=None)
    assert found.reacting is not None
    assert found.reacting.plan.lines == ["b 01.01x01.02", "a 01.01-01.02x01.03"]
    assert str(found.reacting.probability) == "1/4"
    after = scenario.after(["b 01.01x01.02=0:1"])
    assert planner.check(after, found.reacting.plan.lines[1:]).legal
