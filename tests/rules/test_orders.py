"""Orders: each unit that sets out takes one, whoever moves with it."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import planner
from planner.plans.plan import Plan
from planner.referee.referee import Referee
from planner.scenario import Scenario
from planner.solver.plan_judge import judge
from tests.oracles.mixtures import BAR
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


def test_who_overruns_together_needs_an_order_each(tmp_path: Path) -> None:
    """With two orders 4 against 3 go through in half of all cases, and one of them goes on: 1/2 x 3 for each of two hexes.

    Each has spent 1 MP by then, and one of them 1 more in half of all cases.
    """
    ground = (
        'hexes."02.01" = { terrain = "hill", traits = "port" }\nhexes."03.02" = { terrain = "hill" }\n[orders]\nport = '
    )
    overrun = (
        'kind = "joint_overrun"\neliminated_to = [{ box = "dead" }]\nresults = [{ odds = "1:1", chance = "1/2" }]\n'
    )
    rules = f'{BAR}unless_overrun = true\n[[rule]]\nid = "overrun"\nparagraph = "overrun"\n{overrun}{ORDERS}'
    units, enemies = ("foot a 02.01 2-3", "foot b 02.01 2-3"), ("foot e 02.02 3-1",)
    for orders, value in ((1, (0, 0)), (2, (3, Fraction(-5, 2)))):
        where = f"{ground}{orders}\n"
        two = Variant("two", rules, units=units, enemies=enemies, hexsides=where, turns="stacks = true\n")
        result = planner.suggest(build(two, tmp_path))
        assert (result.status, result.value) == ("optimal", value)


def test_the_model_says_that_an_order_is_missing_as_players_would(tmp_path: Path) -> None:
    """One order is there, and a has taken it; the numbers by which orders are told apart are nobody's concern."""
    [one] = judge(port(tmp_path, 1), Plan.parse(["a 03.01-03.02", "b 03.01-03.02"]))
    assert str(one).endswith("; it would do if an order were left in the port section")
