"""Every plan of a few units, looked at on the referee: of plans that lead to the same by luck alone each is looked at."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import partial
from pathlib import Path

import pytest

import planner
from planner.explanation.enumeration import every_plan
from planner.explanation.explain import explain_goals, explain_value
from planner.explanation.question import Question
from planner.explanation.relaxed_answers import RelaxedAnswers
from planner.limits import Limits
from planner.objective.goals import End
from planner.plans.plan import Plan
from planner.world.selectors import UnitSelector
from tests.oracles.attack_games import attack, position
from tests.oracles.rulebooks import with_rules
from tests.plain_game import FORCES, TERRAIN, Variant, build, effect, placed, write_model

COMBAT = """
[[rule]]
id = "combat"
kind = "combat_on_entry"
paragraph = "combat"
demoralized = "tired"
columns = [{ from_percent = -100, entries = [[0, 2], [0, 1], [1, 2]] }]
eliminated_to = [{ box = "dead" }]
"""


def test_who_moves_first_after_a_combat_may_matter_where_the_enemy_has_only_gone_back(tmp_path: Path) -> None:
    """By hand: a clears 03.02 whatever is drawn, but e may go back to 03.03, and its EZOC stops h in 02.02, but beside g."""
    rules = COMBAT + effect('on = "enter", does = "stop", negatable = true')
    model = write_model(tmp_path / "any_game", rules, FORCES + 'unit_traits.tired = "Tired"\n')
    own = {"side": "south", "type": "foot", "at": "03.01"}
    scenario = placed(
        model,
        {"01.02 02.02 03.01 03.02 03.03": "plain"},
        [
            {**own, "id": "h", "values": "1-3"},
            {**own, "id": "g", "values": "1-2"},
            {**own, "id": "a", "values": "4-1"},
            {**own, "id": "e", "side": "north", "type": "guard", "values": "2-2", "at": "03.02"},
        ],
    )
    fight, first, second = "a 03.01x03.02", "g 03.01-03.02-02.02", "h 03.01-03.02-02.02-01.02"
    assert planner.check(scenario, [fight, first, second]).legal
    assert not planner.check(scenario, [fight, second, first]).legal
    goals = [End(kind="end", unit=unit, at=(label,)) for unit, label in (("g", "02.02"), ("h", "01.02"))]
    assert explain_goals(scenario, goals, Limits.within(20)).status == "possible"


BOGGING = '[[rule]]\nid = "bog"\nkind = "bogging"\nparagraph = "bog"\nwho = {}\nbad_side = "1/6"\n'
BOGGING += 'features = [{ name = "town", hexes = { terrain = "town" } }]\n'


def asked_at_length(variant: Variant, ends: dict[str, int], value: Fraction, folder: Path) -> Plan | None:
    """Look at every plan for one that brings f to where it ends, of hexes that are worth so much."""
    terms = [{"kind": "end", "unit": "f", "at": end, "weight": weight} for end, weight in ends.items()]
    asked, question = build(variant, folder).with_objective([{"terms": terms}]), Question((), (value,), Limits())
    hopes, does = partial(question.hopeful, asked), partial(question.fulfilled, asked)
    return every_plan(asked, hopes, does, Limits.within(20))[1]


def test_a_way_round_is_looked_at_though_another_is_as_short_if_nobody_bogs_down(tmp_path: Path) -> None:
    """By hand: of two ways to 02.02, 2 MP each, the one through the town of 03.02 takes a die."""
    rows = ". . . . .\n. . t . .\n" + ". . . . .\n" * 4
    variant = Variant("bog", BOGGING, units=("foot f 03.01 2",), turns="waiting = {}\n", rows=rows)
    assert asked_at_length(variant, {"02.02": 1}, Fraction(1), tmp_path) == Plan.parse("f 03.01-02.01-02.02")


@pytest.mark.parametrize("town", ["02.01", "03.02"])
def test_where_a_unit_bogs_down_is_looked_at_though_ways_are_as_short_and_as_likely(town: str, tmp_path: Path) -> None:
    """By hand: each of two ways to 02.02, 2, takes a die in a town, and one of these is worth 1: 5/6 of 2, and 1/6."""
    rows = ". t . . .\n. . t . .\n" + ". . . . .\n" * 4
    turns = 'waiting = { types = "guard" }\n'
    variant = Variant("bog", BOGGING, units=("foot f 03.01 2",), turns=turns, rows=rows)
    found = asked_at_length(variant, {"02.02": 2, town: 1}, Fraction(11, 6), tmp_path)
    assert found == Plan.parse(f"f 03.01-{town}-02.02")


def test_steps_that_lead_afar_are_looked_at_too(tmp_path: Path) -> None:
    """By hand: a comes from port to port for 1 MP, destroys e, whatever is drawn, for 1 more, and b follows for 3."""
    jump = 'reads = { origin = { traits = "port" }, to = { traits = "port" } }\nadjacent = false\ntakes = 1\n'
    jump = f'[[rule]]\nid = "jump"\nkind = "passage"\nparagraph = "jump"\n{jump}'
    model = write_model(tmp_path / "any_game", jump + COMBAT, FORCES + 'unit_traits.tired = "Tired"\n')
    ports = {"01.01 03.01": {"terrain": "plain", "traits": "port"}, "04.01 05.01": "plain"}
    own = {"side": "south", "type": "foot", "at": "01.01"}
    units = [
        {"id": "a", "values": "2-2", **own},
        {"id": "b", "values": "2-3", **own},
        {"id": "e", "values": "1-0", "side": "north", "type": "foot", "at": "04.01"},
    ]
    scenario = placed(model, {}, units, map={"hexes": ports})
    found = planner.explain(scenario, require=["b to 05.01", "at most 5 MP"])
    assert found.status == "possible"
    assert found.plan == Plan.parse(["a 01.01-03.01x04.01", "b 01.01-03.01-04.01-05.01"])
    assert planner.explain(scenario, require=["b to 05.01", "at most 4 MP"]).status == "forbidden"


def test_what_attacks_come_to_isnt_told_from_moves_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """By hand: a is beside e, and at 2:1 an exchange alone makes e lose 2 in one of six cases: no search tells so."""
    units = {"a": ("4-4-1", "0102"), "e": ("2-2-3", "0202")}
    built = position(attack(), units, rows=". .\n. .", tier=[{"terms": [{"kind": "enemy_losses"}]}])
    changed = (
        rule.model_copy(update={"waiting": UnitSelector()}) if rule.kind == "sequence" else rule
        for rule in built.game.rulebook.rules
    )
    scenario = with_rules(built, tuple(changed))
    monkeypatch.setattr(RelaxedAnswers, "_searched", lambda *given: (None, None))
    assert explain_value(scenario, (Fraction(1, 3),), Limits.within(20)).status == "unknown"


@pytest.mark.parametrize("turns", ["", "stacks = true\n"])
def test_a_friend_who_has_moved_and_moves_no_more_holds_a_zone_open_for_good(tmp_path: Path, turns: str) -> None:
    """By hand: b goes to 01.02 and stays there, where e's EZOC would stop a; none of both ends behind it together with a."""
    rules = COMBAT.replace("[0, 2], [0, 1], [1, 2]", "[2, 0]")
    rules += effect('on = "enter", does = "stop", negatable = true').replace(
        "effects", "negated_for_good = true\neffects"
    )
    model = write_model(tmp_path / "any_game", rules, FORCES + 'unit_traits.tired = "Tired"\n', turns=turns)
    own = {"side": "south", "type": "foot", "at": "01.01", "values": "1-2"}
    enemy = {"id": "e", "side": "north", "type": "guard", "at": "02.01", "values": "1-1"}
    hexes = {"01.01 01.02 01.03 02.01": "plain"}
    scenario = placed(model, hexes, [{**own, "id": "a"}, {**own, "id": "b"}, enemy])
    assert planner.check(scenario, ["b 01.01-01.02", "a 01.01-01.02-01.03"]).legal
    assert planner.explain(scenario, require="a to 01.03", time_limit=20).status == "possible"
    assert planner.explain(scenario, require="a to 01.03 and b to 01.03", time_limit=20).status == "forbidden"


@pytest.mark.parametrize("cheap", ["02.01", "03.02"])
def test_a_stack_whose_cheapest_way_is_too_dear_for_one_of_its_units_goes_another(cheap: str, tmp_path: Path) -> None:
    """By hand: by the cheap hex a has spent 2 and b 3 of their 5 MP, by the other one 4 and 2; 02.03 costs them 1 and 3.

    Only together are they sure to destroy e.
    """
    columns = "columns = [{ from_percent = -100, entries = [[1, 0]] }, { from_percent = 0, entries = [[0, 2]] }]"
    rules = re.sub("columns = .*", columns, COMBAT)
    price = 'terrain.{} = {{ mp = {}, prices = [{{ units = {{ types = "scout" }}, mp = {} }}] }}\n'
    chart = TERRAIN + "".join(price.format(*costs) for costs in (("mud", 1, 2), ("wood", 3, 1), ("ford", 1, 3)))
    forces = FORCES + 'unit_traits.tired = "Tired"\n'
    model = write_model(tmp_path / "any_game", rules, forces, chart, "stacks = true\n")
    [dear] = {"02.01", "03.02"} - {cheap}
    own = {"side": "south", "at": "03.01", "values": "2-5"}
    enemy = {"id": "e", "side": "north", "type": "foot", "values": "4-1", "at": "02.03"}
    units = [{**own, "id": "a", "type": "foot"}, {**own, "id": "b", "type": "scout"}, enemy]
    scenario = placed(model, {"03.01 02.02": "plain", cheap: "mud", dear: "wood", "02.03": "ford"}, units)
    found = planner.explain(scenario, require="eliminate e", time_limit=None)
    assert (found.status, found.plan) == ("possible", Plan.parse(f"a+b 03.01-{dear}-02.02x02.03"))
