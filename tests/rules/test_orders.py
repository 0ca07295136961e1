"""Orders: each unit that sets out takes one, whoever moves with it."""

from __future__ import annotations

from pathlib import Path

from planner.plans.plan import Plan
from planner.referee.referee import Referee
from planner.scenario import Scenario
from planner.solver.plan_judge import judge
from tests.plain_game import Variant, build

ORDERS = '[[rule]]\nid = "orders"\nkind = "orders"\nparagraph = "orders"\nsections = ["port"]\n'
ORDERS += 'ordered = { types = "scout" }\n'


def port(folder: Path, orders: int) -> Scenario:
    """Return three units that may move as a stack from a port, one of them with an order of its own."""
    where = f'hexes."03.01" = {{ terrain = "plain", traits = "port" }}\n[orders]\nport = {orders}\n'
    units = ("foot a 03.01 4", "scout s 03.01 4", "foot b 03.01 4")
    return build(Variant("port", ORDERS, units=units, hexsides=where, turns="stacks = true\n"), folder)


def test_a_stack_needs_an_order_for_each_of_its_units(tmp_path: Path) -> None:
    """With one order, it is the last in the stack who goes without; the scout needs none."""
    scenario = port(tmp_path, 1)
    for moves, without in (("a+s 03.01-03.02", []), ("a+s+b 03.01-03.02", ["b"]), ("b+a 03.01-03.02", ["a"])):
        plan = Plan.parse([moves])
        broken = [("orders", unit, 0, 0, "03.01") for unit in without]
        assert [one.key for one in Referee(scenario.game).play(plan, scenario.start).violations] == broken
        assert [one.key for one in judge(scenario, plan)] == broken


def test_with_an_order_for_each_the_stack_sets_out(tmp_path: Path) -> None:
    scenario = port(tmp_path, 2)
    assert Referee(scenario.game).play(Plan.parse(["a+s+b 03.01-03.02"]), scenario.start).legal
