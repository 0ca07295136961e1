"""What no plan of combats comes to is known before any is proposed: what is required of them is impossible then, proved."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import planner
from planner.limits import Limits
from planner.objective import Term, Tier
from planner.objective.goals import Eliminate, End, Hold
from planner.plans.partial_plan import PartialPlan
from planner.puzzles.verify import verify_scenario
from planner.scenario import Scenario, build_scenario
from planner.scenario.shape import AnswerEntry
from planner.search import combat_search
from planner.search.expectimax import Expectimax
from planner.search.policy_bound import bound_of
from planner.search.search import Search
from planner.solver.side_constraints import Conditions
from tests.plain_game import FORCES, placed, write_model

FAR = (
    Eliminate(kind="eliminate", units=("e1",)),  # who defends a stronghold isn't gone for sure
    Hold(kind="hold", hexes=("1007",)),  # nobody gets there
    End(kind="end", unit="b1", at=("0703", "1007")),  # others do, but not this one
)


@pytest.mark.parametrize("term", FAR, ids=["eliminate", "hold", "end"])
def test_what_combats_never_come_to_is_impossible_before_any_is_proposed(
    term: Term, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By hand: verifying a puzzle that claims so proved it, where a search gave up after 20 proposals."""
    scenario = planner.load("classic_hex/three_battles")
    claim = AnswerEntry(question="impossible", goal=(1,))
    claimed = replace(scenario, tiers=(Tier(terms=(term,)),), answer=claim, verdicts=())
    assert verify_scenario(claimed).outcome == "holds"
    monkeypatch.setattr(combat_search._Proposing, "_look_at_the_next", lambda *given: pytest.fail("one was proposed"))
    found = planner.suggest(replace(scenario, requirements=(term,)))
    assert (found.status, found.confirmed) == ("infeasible", True)


@pytest.mark.parametrize(
    ("goes", "stays", "status"), [("a1", "a2", "infeasible"), ("a2", "a1", "infeasible"), ("a1", "b1", "optimal")]
)
def test_what_is_settled_of_plans_is_impossible_where_no_combat_comes_to_it(goes: str, stays: str, status: str) -> None:
    """Across the river nobody takes the town of 0303 alone, whatever is drawn; a1 and a2 may together."""
    settled = PartialPlan(ends=((goes, ("0303",)),), stays=(stays,))
    found = Search(planner.load("classic_hex/three_battles"), Limits.within(20), conditions=Conditions(settled)).run()
    assert found.status == status


@pytest.mark.parametrize("goal", [{"kind": "end", "unit": "x", "at": "0406"}, {"kind": "hold", "hexes": "0406"}])
def test_a_hex_is_passed_whose_enemy_is_destroyed_by_damage_that_both_suffer_alike(goal: dict[str, Any]) -> None:
    """By hand: e has strength 0 when demoralized; the last column, shifted by the hills, does it damage by every entry.

    One is 1:1, by which the attacker goes back, and e is destroyed: so y, say, fights, and x walks through in any case.
    """
    own = {"side": "blue", "type": "infantry", "at": "0404"}
    data = {
        "format": "planner/scenario-1",
        "model": "classic_hex",
        "phase": "movement",
        "phasing": "blue",
        "map": {"hexes": {"0404 0406": "clear", "0405": "hills"}},
        "unit": [
            {**own, "id": "x", "values": "6-5"},
            {**own, "id": "y", "values": "3-5"},
            {**own, "id": "e", "side": "red", "values": "1-2", "traits": "demoralized", "at": "0405"},
        ],
        "require": [goal],
    }
    scenario = build_scenario(data, "through the hills")
    assert planner.check(scenario, ["y 0404x0405", "x 0404-0405-0406"]).legal
    assert planner.suggest(scenario).status == "optimal"


NO_TRAINS = """
terrain.plain = { mp = 1 }
terrain.hill = { mp = 3 }
terrain.wood = { mp = 3, prices = [{ units = { types = "train" }, prohibited = true }] }
"""
BACK = "{ from_percent = -100, entries = [[0, 1]] }"


def fought(
    folder: Path,
    units: str,
    columns: str = BACK,
    further: tuple[str, ...] = ("plain",) * 3,
    turns: str = "",
    hexes: dict[str, str] | None = None,
    **more: Any,
) -> Scenario:
    """Return a column of hexes southward, the first one plain, and in it units such as "x 01 4-4": "south" if in "uvwxyz".

    On hills the column one to the left is used. `hexes`: other hexes than the further ones of the column.
    """
    rule = f"""
[[rule]]
id = "combat"
kind = "combat_on_entry"
paragraph = "combat"
demoralized = "tired"
columns = [{columns}]
shifts = [{{ hexes = {{ terrain = "hill" }}, columns = 1 }}]
eliminated_to = [{{ box = "dead" }}]
"""
    model = write_model(folder / "any_game", rule, FORCES + 'unit_traits.tired = "Tired"\n', NO_TRAINS, turns)
    entries = []
    for text in units.split(", "):
        name, row, values, *traits = text.split()
        side, kind = "south" if name in "uvwxyz" else "north", "train" if name in "tq" else "foot"
        entries.append({"id": name, "side": side, "type": kind, "at": f"03.{row}", "values": values})
        if traits:
            entries[-1]["traits"] = traits[0]
    column = {f"03.{row:02}": terrain for row, terrain in enumerate(("plain", *further), start=1)}
    return placed(model, column if hexes is None else {"03.01": "plain", **hexes}, entries, **more)


def test_who_is_beaten_twice_may_come_upon_others_who_then_have_nowhere_to_go(tmp_path: Path) -> None:
    """By hand: every combat demoralizes one defender, and all go back, or are destroyed if one of them finds no refuge.

    x beats both trains back to 03.03, y to 03.04, where f is; beaten by z, all three would have to go into the wood, and
    trains can't. f by itself always gets away to where nobody comes for 4 MP.
    """
    units = "x 01 1-4, y 01 1-4, z 01 1-4, t 02 1-4, q 02 1-4, f 04 1-4"
    further = ("plain", "plain", "plain", "wood")
    scenario = fought(tmp_path, units, further=further, require=[{"kind": "eliminate", "units": "f"}])
    assert planner.check(scenario, ["x 03.01x03.02", "y 03.01-03.02x03.03", "z 03.01-03.02-03.03x03.04"]).legal
    assert planner.suggest(scenario).status == "optimal"


LITTLE, BREAK = "{ from_percent = -100, entries = [[1, 0]] }", "{ from_percent = 0, entries = [[1, 2]] }"
DONE = (
    ("x 01 4-1, y 03 1-0, e 02 4-4", BACK, "eliminate e"),  # y keeps e from going back
    ("x 01 4-1, y 04 1-1, e 02 4-4", BACK, "eliminate e"),  # once it is there
    # e is destroyed by the two points, and x by the one, as it is tired: y, who is too weak for it, walks in.
    ("x 01 8-1 tired, y 03 1-1, e 02 4-4", f"{LITTLE}, {BREAK}", "hold 03.02"),
)


@pytest.mark.parametrize(("units", "columns", "goal"), DONE)
def test_what_is_done_for_sure_isnt_said_to_be_impossible(tmp_path: Path, units: str, columns: str, goal: str) -> None:
    kind, what = goal.split()
    asked = {"kind": kind, "units" if kind == "eliminate" else "hexes": what}
    scenario = fought(tmp_path, units, columns, require=[asked])
    assert planner.suggest(scenario).status == "optimal"


def test_who_goes_back_onto_others_may_be_caught_there(tmp_path: Path) -> None:
    """By hand: x beats e back onto the hill, where f is. There y has luck every other time: e is the weaker one.

    Nobody is sure to get there, so that nobody stands there before; by itself e isn't destroyed in 03.02.
    """
    columns = "{ from_percent = -100, entries = [[1, 1], [0, 0]] }, { from_percent = 100, entries = [[0, 1]] }"
    units, goal = "x 01 4-1, y 01 4-4, e 02 1-4, f 03 3-4 tired", {"kind": "eliminate", "units": "e"}
    scenario = fought(tmp_path, units, columns, ("plain", "hill"), tier=[{"terms": [goal]}])
    found = planner.suggest(scenario)
    assert (found.status, found.value) == ("optimal", (Fraction(1, 2),))


BOTH = "{ from_percent = -100, entries = [[1, 1]] }"
THROWN_BACK = (
    # x beats e back to 03.03, where y destroys it, and is thrown back to where it was
    ("x 01 8-1, y 04 2-1, e 02 4-4", f"{BOTH}, {{ from_percent = 100, entries = [[0, 1]] }}", "03.04"),
    # x beats both back to 03.03, and falls; from 03.02 y destroys e, half as strong by then, and is thrown back there
    ("x 01 16-1 tired, y 01 2-2, e 02 4-4, f 02 4-4", f"{LITTLE}, {BOTH.replace('100', '50')}, {BREAK}", "03.02"),
)


@pytest.mark.parametrize(("units", "columns", "held"), THROWN_BACK)
def test_who_fights_where_enemies_have_gone_may_be_thrown_back_to_what_it_is_to_hold(
    units: str, columns: str, held: str, tmp_path: Path
) -> None:
    require = [{"kind": "eliminate", "units": "e"}, {"kind": "hold", "hexes": held}]
    assert planner.suggest(fought(tmp_path, units, columns, require=require)).status == "optimal"


def test_who_has_kept_enemies_from_going_back_may_go_back_itself(tmp_path: Path) -> None:
    """By hand: y waits in 03.03 until x has destroyed e, which can't go there, and returns to 03.04."""
    require = [{"kind": "eliminate", "units": "e"}, {"kind": "hold", "hexes": "03.04"}]
    scenario = fought(tmp_path, "x 01 4-1, y 04 1-2, e 02 4-4", turns="waiting = {}\n", require=require)
    assert planner.suggest(scenario).status == "optimal"


TWICE = "x 01 1-4, y 01 1-4, z 01 1-4, t 02 1-4, q 02 1-4, f 04 1-4"
REACTING = {
    # As above, f falls with those who have been beaten back twice, onto it.
    "onto others": (TWICE, BACK, {"03.02": "plain", "03.03": "plain", "03.04": "plain", "03.05": "wood"}, "f", ""),
    # x beats e back to 03.03, where y, from 04.03, destroys it, and is thrown back to 04.03.
    "thrown back": (
        "x 01 8-1, y 01 2-4, e 02 4-4",
        f"{BOTH}, {{ from_percent = 100, entries = [[0, 1]] }}",
        dict.fromkeys(("03.02", "03.03", "04.02", "04.03"), "plain"),
        "e",
        "04.03",
    ),
}


@pytest.mark.parametrize(("units", "columns", "hexes", "enemy", "held"), REACTING.values(), ids=REACTING)
def test_no_way_of_playing_is_worth_more_than_its_bound(
    units: str, columns: str, hexes: dict[str, str], enemy: str, held: str, tmp_path: Path
) -> None:
    goals = [{"kind": "eliminate", "units": enemy}, *([{"kind": "hold", "hexes": held}] if held else [])]
    scenario = fought(tmp_path, units, columns, tier=[{"terms": goals}], hexes=hexes)
    best = Expectimax(scenario, 10_000, lambda: None).best()
    assert best is not None
    assert best.value == (len(goals),)
    assert bound_of(scenario, (), Limits()) == best.value
