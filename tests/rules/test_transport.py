"""Carriers: each of several units that are carried takes a berth of its own, whoever moves with it, and whenever."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest

import planner
from planner.plans.plan import Plan
from planner.referee.referee import Referee
from planner.scenario import Scenario
from planner.search.search import Search
from planner.solver.plan_judge import judge
from tests.oracles.mixtures import BAR as BARRED
from tests.plain_game import BOGGING, Variant, build

FERRY = '[[rule]]\nid = "ferry"\nkind = "transport"\nparagraph = "ferry"\ntakes = 1\nprocedure = "hex_to_hex"\n'
FERRY += 'embark = [{ traits = "port" }]\ndebark = [{ traits = "port" }]\n'
STACKS, WAITING = "stacks = true\n", "waiting = {}\n"
Harbour = Callable[..., Scenario]
OVERRUN = (
    '[[rule]]\nid = "overrun"\nkind = "joint_overrun"\nparagraph = "overrun"\neliminated_to = [{ box = "dead" }]\n'
)
OVERRUN += 'results = [{ odds = "1:1", chance = "1/2" }]\n'
BAR = BARRED + "unless_overrun = true\n"
BESIDE = (
    'hexes."03.01" = { terrain = "hill", traits = "port" }\nhexes."02.01" = { terrain = "hill", traits = "port" }\n'
    'hexes."03.02" = { terrain = "hill" }\nzones = { west = "03.01 02.01" }\n[control]\nsouth = "03.01 02.01"\n'
)


@pytest.fixture
def harbour(tmp_path: Path) -> Harbour:
    """Return what builds three ports on two seas, two units of 4 MP in the first of them, and boats in some seas."""

    def built(turns: str, *seas: str, ferry: str = FERRY) -> Scenario:
        ports = "03.01 03.03 03.05"
        terrain = "".join(f'hexes."{port}" = {{ terrain = "plain", traits = "port" }}\n' for port in ports.split())
        zones = f'zones = {{ west = "{ports}", east = "{ports}" }}\n[control]\nsouth = "{ports}"\n'
        boats = "".join(f'[[marker]]\ntype = "boat"\nside = "south"\nzone = "{sea}"\n' for sea in seas)
        units = ("foot a 03.01 4", "foot b 03.01 4")
        return build(Variant("ports", ferry, units=units, hexsides=terrain + zones + boats, turns=turns), tmp_path)

    return built


def found(scenario: Scenario, *moves: str) -> list[str]:
    """Return what the referee finds wrong with a plan."""
    return list(map(str, Referee(scenario.game).play(Plan.parse(moves), scenario.start).violations))


def test_of_a_carrier_that_is_named_it_is_told_whom_it_carries_already(harbour: Harbour) -> None:
    assert found(harbour("", "west"), "a 03.01~03.03", "b 03.01~03.05(boat_west)") == [
        "ferry: b can't be carried from 03.01 to 03.05: boat_west has been used: it carries a"
    ]


def test_a_stack_needs_a_berth_for_each_of_its_units(harbour: Harbour) -> None:
    together = "a+b 03.01~03.03"
    scenario = harbour(STACKS, "west")
    assert found(scenario, "a 03.01~03.03") == found(scenario, "b 03.01~03.03") == []
    assert found(scenario, together) == [
        "ferry: b can't be carried from 03.01 to 03.03: no carrier is left in west: it carries a"
    ]
    assert Referee(scenario.game).play(Plan.parse([together]), scenario.start).violations[0].unit == "b"
    assert [one.key for one in judge(scenario, Plan.parse(together))] == [("ferry", "b", 0, 1, "03.03")]
    assert found(harbour(STACKS, "west", "east"), together) == []


def test_only_those_are_told_to_be_carried_whom_the_carriers_that_would_do_carry(tmp_path: Path) -> None:
    """Whoever crosses another sea was told to be carried there, too."""
    ports = "".join(f'hexes."03.0{n}" = {{ terrain = "plain", traits = "port" }}\n' for n in (1, 3, 5))
    zones = 'zones = { west = "03.01 03.03", east = "03.01 03.05" }\n[control]\nsouth = "03.01 03.03 03.05"\n'
    boats = "".join(f'[[marker]]\ntype = "boat"\nside = "south"\nzone = "{sea}"\n' for sea in ("west", "east", "east"))
    units = tuple(f"foot {one} 03.01 4" for one in "abcd")
    scenario = build(Variant("ports", FERRY, units=units, hexsides=ports + zones + boats), tmp_path)
    west, east = "03.01~03.03", "03.01~03.05"
    assert found(scenario, f"a {west}", f"b {east}", f"c {east}", f"d {east}") == [
        "ferry: d can't be carried from 03.01 to 03.05: no carrier is left in east: they carry b, c"
    ]
    assert found(scenario, f"a {west}", f"b {east}", f"c {east}", f"d {west}") == [
        "ferry: d can't be carried from 03.01 to 03.03: no carrier is left in west: it carries a"
    ]


def test_of_those_whom_another_boat_carries_it_is_told_where_and_a_boat_carries_one_alone(tmp_path: Path) -> None:
    """The only boat of the west was told to carry b, whom that of the east carries; it carries a on the leg before.

    Of two who may have either of two boats a boat was told to carry both.
    """
    ports = "".join(f'hexes."03.0{n}" = {{ terrain = "plain", traits = "port" }}\n' for n in (1, 3, 5))
    zones = 'zones = { west = "03.01 03.03 03.05", east = "03.01 03.03" }\n[control]\nsouth = "03.01 03.03 03.05"\n'
    boats = "".join(f'[[marker]]\ntype = "boat"\nside = "south"\nzone = "{sea}"\n' for sea in ("west", "east"))
    units = tuple(f"foot {one} 03.01 4" for one in "abc")
    scenario = build(Variant("ports", FERRY, units=units, hexsides=ports + zones + boats), tmp_path)
    assert found(scenario, "b 03.01~03.03(boat_east)", "a 03.01~03.03~03.05") == [
        "ferry: a can't be carried from 03.03 to 03.05: no carrier is left in west: those there and in east carry a, b"
    ]
    assert found(scenario, "a 03.01~03.03", "b 03.01~03.03", "c 03.01~03.05(boat_west)") == [
        "ferry: c can't be carried from 03.01 to 03.05: boat_west has been used: it carries b"
    ]


def test_each_of_a_stack_crosses_another_sea_with_its_next_leg(harbour: Harbour) -> None:
    """Four berths are enough for four legs, but each unit must cross the eastern sea once."""
    whole = "a+b 03.01~03.03~03.05"
    assert found(harbour(STACKS, "west", "west", "east", "east"), whole) == []
    scenario = harbour(STACKS, "west", "west", "west", "east")
    assert found(scenario, whole)
    assert judge(scenario, Plan.parse(whole))


@pytest.mark.parametrize(
    ("seas", "moves", "broken"),
    [
        (["west"], ["a 03.01~03.03", "b 03.01~03.03"], ("ferry", "b", 1, 1, "03.03")),
        (["west", "east"], ["a 03.01~03.03", "b 03.01~03.03"], None),
        (["west"], ["a+b 03.01~03.03"], ("ferry", "b", 0, 1, "03.03")),
        (["west", "east"], ["a 03.01~03.03~03.05"], None),
        (["west", "east"], ["a 03.01~03.03", "b 03.01-03.02", "a 03.03~03.05"], None),
        (["west", "west"], ["a 03.01~03.03~03.05"], ("ferry", "a", 0, 2, "03.05")),
        (["west", "east"], ["a 03.01~03.03~03.05", "b 03.01~03.03"], ("ferry", "b", 1, 1, "03.03")),
        (["west", "east", "east"], ["a 03.01~03.03~03.05", "b 03.01~03.03"], None),
    ],
)
def test_where_units_wait_each_leg_takes_a_berth_and_crosses_another_sea_than_the_one_before(
    harbour: Harbour, seas: list[str], moves: list[str], broken: tuple[object, ...] | None
) -> None:
    scenario, plan = harbour(STACKS + WAITING, *seas), Plan.parse(moves)
    by_referee = [one.key for one in Referee(scenario.game).play(plan, scenario.start).violations]
    assert by_referee == ([] if broken is None else [broken])
    assert [one.key for one in judge(scenario, plan)] == by_referee


def test_who_goes_on_after_others_were_carried_still_crosses_another_sea(harbour: Harbour) -> None:
    moves = ("a 03.01~03.03", "b 03.01~03.03", "a 03.03~03.05", "b 03.03~03.05")
    assert found(harbour(WAITING, "west", "west", "east", "east"), *moves) == []
    assert found(harbour(WAITING, "west", "west", "west", "east"), *moves) == [
        "ferry: b can't be carried from 03.03 to 03.05: no carrier is left in west or east: they carry a, b"
    ]


@pytest.mark.parametrize(("seas", "value"), [(("west",), 1), (("west", "west"), 2)])
def test_who_goes_on_after_a_passage_needs_the_boat_that_took_it(
    harbour: Harbour, seas: tuple[str, ...], value: int
) -> None:
    # Nothing else keeps a from 03.04, 1 MP from where it has been carried; b gets to 03.05 only if there is another boat.
    begun = harbour(WAITING, *seas).after(["a 03.01~03.03"]).with_units([{"id": "b", "values": "1-1"}])
    goals = [{"kind": "end", "unit": "a", "at": "03.04"}, {"kind": "end", "unit": "b", "at": "03.05"}]
    assert Search(begun.with_objective([{"terms": goals}])).run().value == (value,)


@pytest.mark.parametrize("turns", ["", WAITING])
@pytest.mark.parametrize(
    ("zones", "seas", "moves"),
    [
        ('west = "03.01 03.03 03.05"', ["west", "west"], ["a 03.01~03.03~03.05"]),
        ('west = "03.01 03.03 03.05"\neast = "03.01 03.03"', ["west", "west"], ["a 03.01~03.03~03.05"]),
        ('west = "03.01 03.03 03.05"\neast = "03.01 03.03"', ["west"], ["a 03.01~03.03~03.05"]),
        ('west = "03.01 03.03 03.05"\neast = "03.01 03.03"', ["west"], ["b 03.01~03.05", "a 03.01~03.03~03.05"]),
    ],
)
def test_both_faces_say_of_a_second_leg_across_the_same_sea_what_is_wrong_with_it_and_no_more(
    tmp_path: Path, turns: str, zones: str, seas: list[str], moves: list[str]
) -> None:
    """A leg is made across a sea in which somebody could carry the unit, where there is one, whatever is wrong later."""
    ports = "03.01 03.03 03.05"
    terrain = "".join(f'hexes."{port}" = {{ terrain = "plain", traits = "port" }}\n' for port in ports.split())
    terrain += f'[map.zones]\n{zones}\n[control]\nsouth = "{ports}"\n'
    boats = "".join(f'[[marker]]\ntype = "boat"\nside = "south"\nzone = "{sea}"\n' for sea in seas)
    units = ("foot a 03.01 4", "foot b 03.01 4")
    scenario = build(Variant("ports", FERRY, units=units, hexsides=terrain + boats, turns=turns), tmp_path)
    plan = Plan.parse(moves)
    by_referee = Counter(one.key for one in Referee(scenario.game).play(plan, scenario.start).violations)
    assert by_referee
    assert Counter(one.key for one in judge(scenario, plan)) == by_referee


def test_a_leg_after_steps_on_foot_begins_a_passage_though_they_are_of_one_procedure(harbour: Harbour) -> None:
    """It was free of charge, wherever the unit had begun the phase, as if the steps on foot had been legs before it."""
    scenario = harbour("", "west")
    walked = "a 03.01-03.02-03.03~03.05"
    assert found(scenario, walked) == ["ferry: a can't be carried from 03.03 to 03.05: it didn't begin the phase there"]
    assert [one.key for one in judge(scenario, Plan.parse(walked))] == [("ferry", "a", 0, 3, "03.05")]
    later = harbour("", "west", ferry=FERRY + "from_start = false\n")
    verdict = Referee(later.game).play(Plan.parse(walked), later.start)
    assert (verdict.legal, verdict.tally.mp) == (True, {"a": 3})
    assert not judge(later, Plan.parse(walked))


def test_a_search_comes_to_the_best_that_the_referee_lets_a_stack_do(harbour: Harbour) -> None:
    """The boat takes one of them to 03.03 for 1 MP, and the other walks to 02.02 for 2: 3 for each of the two hexes."""
    scenario = harbour(STACKS, "west")
    result = Search(scenario).run()
    assert (result.status, *map(int, result.value)) == ("optimal", 6, -3)
    assert result.plan is not None
    assert found(scenario, *map(str, result.plan.moves)) == []


def strait(folder: Path, rules: str, boats: int, *units: str, enemies: tuple[str, ...] = ()) -> Scenario:
    """Return two ports on hills beside each other, and units that may move on after they were carried for 1 MP."""
    fleet = '[[marker]]\ntype = "boat"\nside = "south"\nzone = "west"\n' * boats
    whole = f"{FERRY}from_start = false\n{rules}"
    return build(Variant("strait", whole, units=units, enemies=enemies, hexsides=BESIDE + fleet, turns=STACKS), folder)


def test_who_rolls_on_the_way_is_carried_to_a_port_beside_its_own(tmp_path: Path) -> None:
    """On foot its 2 MP lead nowhere; from the boat it goes on to 02.02, for 1 more, if it doesn't bog down: 3 x 5/6."""
    scenario = strait(tmp_path, BOGGING, 1, "foot a 03.01 2")
    result = planner.suggest(scenario)
    assert (result.status, result.value) == ("optimal", (Fraction(5, 2), Fraction(-11, 6)))
    assert str(result.plan) == "a 03.01~02.01(boat_west)-02.02"
    for way in ("a 03.01~02.01-02.02", "a 03.01~02.01(boat_west)-02.02"):
        assert planner.complete(scenario, [way]).value == result.value
    assert planner.complete(scenario, ["a 03.01-02.01-02.02"]).status == "infeasible"


def test_each_of_those_who_roll_takes_a_boat_of_its_own(tmp_path: Path) -> None:
    both = ["a 03.01~02.01-02.02", "b 03.01~02.01-02.02"]
    for boats, status in ((1, "infeasible"), (2, "optimal")):
        scenario = strait(tmp_path, BOGGING, boats, "foot a 03.01 2", "foot b 03.01 2")
        assert planner.complete(scenario, both).status == status


def test_a_stack_that_is_carried_to_an_overrun_takes_a_boat_for_each(tmp_path: Path) -> None:
    """They cost 2 MP each, and their 4 against 3 eliminate the enemy in 02.02 in half of all cases: 3 x 1/2 for the hex."""
    units, enemies = ("foot a 03.01 2-2", "foot b 03.01 2-2"), ("foot e 02.02 3-1",)
    for boats, value in ((1, (0, 0)), (2, (Fraction(3, 2), -4))):
        scenario = strait(tmp_path, BAR + OVERRUN, boats, *units, enemies=enemies)
        result = planner.suggest(scenario)
        assert (result.status, result.value) == ("optimal", value)
        assert str(result.plan) == ("" if boats == 1 else "a+b 03.01~02.01x02.02")


@pytest.mark.parametrize("boat", ["", "(boat_west)"])
def test_of_carriers_that_have_been_used_before_it_is_not_said_that_they_can_t_carry(boat: str, tmp_path: Path) -> None:
    ports = "".join(f'hexes."{port}" = {{ terrain = "plain", traits = "port" }}\n' for port in ("03.01", "03.03"))
    sea = 'zones = { west = "03.01 03.03" }\n[control]\nsouth = "03.01 03.03"\n'
    used = '[[marker]]\ntype = "boat"\nside = "south"\nzone = "west"\nused = true\n'
    scenario = build(Variant("used", FERRY, units=("foot a 03.01 4",), hexsides=ports + sea + used), tmp_path)
    why = "boat_west has been used" if boat else "no carrier is left in west: boat_west has been used"
    assert found(scenario, f"a 03.01~03.03{boat}") == [f"ferry: a can't be carried from 03.01 to 03.03: {why}"]
