"""Where every plan is tried, none is lost, and nobody walks farther than its MP last."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import planner
from planner.limits import Limits
from planner.plans.plan import Move
from planner.rules.kinds.bogging import Bogging
from planner.scenario import Scenario, build_scenario
from planner.search.alternatives_search import AlternativesSearch
from planner.search.confirmation import unconfirmed
from planner.search.context import SearchContext
from planner.search.enumeration import Census, _Skirmishes
from planner.search.search import Search
from planner.solver.tuning import Enumeration
from tests.oracles.rulebooks import with_rules
from tests.plain_game import ANYWHERE, BONUS, ROAD, Variant, build, effect, unit_entry, write_model

COMBAT = (
    '[[rule]]\nid = "fight"\nkind = "combat_on_entry"\nparagraph = "fight"\ndemoralized = "light"\n'
    'columns = [{ from_percent = -100, entries = [[0, 1]] }]\neliminated_to = [{ box = "dead" }]\n'
)


@pytest.mark.parametrize(
    ("rules", "ma"),
    [(BONUS.format("false"), "1"), (ANYWHERE, "3/2"), ("", "2")],
    ids=["further MP", "overdraft", "its MA"],
)
def test_where_every_plan_is_tried_whoever_has_more_than_its_ma_gets_as_far_as_it_can(
    rules: str, ma: str, tmp_path: Path
) -> None:
    """It must get to 03.03, 2 MP from where it is: of the MA 1 and 1 for the road; or on half a MP that is left."""
    variant = Variant(
        "far",
        COMBAT + rules,
        chart=ROAD,
        units=(f"foot f 03.01 {ma}",),
        enemies=("foot e 02.01 1",),
        hexsides='[map.hexsides]\nroad = ["03.01 03.02"]\n[[require]]\nkind = "end"\nunit = "f"\nat = "03.03"\n',
    )
    found = AlternativesSearch(build(variant, tmp_path)).best(2)
    assert [str(found.plans[0].result.plan)] == ["f 03.01-03.02-03.03"]
    assert (len(found.plans), found.proved, found.exhausted) == (1, True, True)


def test_what_is_worth_more_by_less_than_a_model_can_tell_is_found_whatever_comes_after(tmp_path: Path) -> None:
    # To hold 03.03 is worth 3, and takes 2 MP: more than a little less than 3, so that the second tier doesn't matter.
    scenario = build(Variant("a little", COMBAT, units=("foot f 03.01 2",), enemies=("foot e 02.01 0",)), tmp_path)
    census = Census(SearchContext(scenario, Limits(), unconfirmed), (3 - Fraction(1, 10**9), Fraction(-1)), None)
    found = census.run()
    assert found is not None
    assert {value for _, value, _, _ in found.all()} == {(3, -2)}


def test_nobody_goes_round_in_circles_beyond_its_mp_where_places_may_be_taken_on_the_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each hex but one is an end that is worth as much: with 2 MP, no move has more than two steps."""
    longest = [0]
    after = _Skirmishes.after

    def watched(moves: _Skirmishes, *asked: Any) -> Iterator[Move]:
        for move in after(moves, *asked):
            longest[0] = max(longest[0], len(move.path) - 1)
            assert longest[0] <= 2
            yield move

    monkeypatch.setattr(_Skirmishes, "after", watched)
    capture = '[[rule]]\nid = "take"\nkind = "capture"\nparagraph = "take"\n'
    variant = Variant(
        "circles",
        COMBAT + capture,
        units=("foot f 03.01 2",),
        enemies=("foot e 02.01 1",),
        hexsides='[control]\nnorth = "03.02 03.03"\n[[require]]\nkind = "units_moved"\nmost = 1\n',
    )
    assert AlternativesSearch(build(variant, tmp_path)).best(2).plans
    assert longest == [2]


ORDERS = (
    '[[rule]]\nid = "orders"\nkind = "orders"\nparagraph = "orders"\nsections = "port"\nordered = { types = "scout" }\n'
)


def test_of_two_units_between_whom_there_is_one_order_the_better_one_to_move_is_found_beside_a_combat(
    tmp_path: Path,
) -> None:
    """Each of two could take one of two hexes, worth 3 and 2 MP away; whichever goes, the other has no order."""
    variant = Variant(
        "one order",
        COMBAT + ORDERS,
        units=("foot f 03.01 2", "foot g 03.01 2"),
        enemies=("foot e 04.01 1",),
        hexsides='[map.hexes]\n"03.01" = { terrain = "plain", traits = "port" }\n[orders]\nport = 1\n',
    )
    found = Search(build(variant, tmp_path)).run()
    assert (found.status, found.value) == ("optimal", (3, -2))


CARRYING = '[[rule]]\nid = "sea"\nkind = "transport"\nparagraph = "sea"\nprocedure = "hex_to_hex"\ntakes = 1\n'
CARRYING += 'from_start = false\nembark = [{ traits = "port" }]\ndebark = [{ traits = "port" }]\n'


def _at_sea(ships: int, hold: str, where: Path, units: str = "fg") -> Scenario:
    """Units, an enemy in a hex that must be held, and some ships between two ports; as few MP as can be are best."""
    ports = "".join(f'"{label}" = {{ terrain = "plain", traits = "port" }}\n' for label in ("03.01", "01.05"))
    marker = '[[marker]]\nid = "ship"\ntype = "boat"\nside = "south"\nzone = "sea"\n' * ships
    variant = Variant(
        "sea",
        COMBAT + CARRYING,
        units=tuple(f"foot {unit} 03.02 4" for unit in units),
        enemies=(f"foot e {hold} 1",),
        hexsides=f'[map.hexes]\n{ports}[map.zones]\nsea = "03.01 01.05"\n[control]\nsouth = "03.01 01.05"\n'
        f'{marker}[[require]]\nkind = "hold"\nhexes = "{hold}"\n',
    )
    scenario = build(variant, where)
    return replace(scenario, tiers=scenario.tiers[1:])


@pytest.mark.parametrize(("ships", "mp"), [(1, -3), (0, -4)])
def test_who_goes_to_a_fight_by_sea_is_found_and_proved_best(ships: int, mp: int, tmp_path: Path) -> None:
    """To 02.05: 1 MP to the port, 1 across, and 1 into it; by land four hexes."""
    found = Search(_at_sea(ships, "02.05", tmp_path)).run()
    assert (found.status, found.value) == ("optimal", (mp,))


def test_every_plan_of_a_fight_beyond_the_sea_is_gone_through(tmp_path: Path) -> None:
    """To 01.06 it is 3 MP by sea, and 5 by land, more than it has: there is no other plan."""
    found = AlternativesSearch(_at_sea(1, "01.06", tmp_path, "f")).best(2)
    assert [str(one.result.plan) for one in found.plans] == ["f 03.02-03.01~01.05x01.06"]
    assert (found.proved, found.exhausted) == (True, True)


def test_no_plan_of_a_fight_takes_more_aboard_than_there_are_carriers(tmp_path: Path) -> None:
    """There is no other way to 01.06 than by sea, and no ship."""
    assert Search(_at_sea(0, "01.06", tmp_path)).run().status == "infeasible"


def test_where_steps_take_nothing_trying_every_plan_of_combats_ends(tmp_path: Path) -> None:
    """Both may go back and forth on the road for 0 MP; once g has cleared it, f goes along it, and for 1 MP a hex on."""
    variant = Variant(
        "road",
        COMBAT,
        chart='[[routes]]\nfeature = "road"\nprices = [{ mp = 0 }]\n',
        units=("foot f 03.01 1", "foot g 02.02 1"),
        enemies=("foot e 02.01 1",),
        rows=". . .\n" * 5,
        hexsides='[map.hexsides]\nroad = ["03.01 02.01", "01.01 02.01", "02.01 02.02"]\n',
        turns="waiting = {}\n",
    )
    found = planner.reach(build(variant, tmp_path), "f")
    assert {one.hex for one in found.alone} == {"02.01", "03.02"}
    assert {one.hex for one in found.with_help} == {"01.01", "02.02", "01.02", "01.03", "02.03", "03.03"}
    assert found.open == ()


@pytest.mark.parametrize(
    ("walked", "status"), [pytest.param(20_000, "optimal", marks=pytest.mark.thorough), (2_000, "feasible")]
)
def test_every_plan_that_relies_on_likely_results_is_tried_where_nothing_else_has_settled_it(
    walked: int, status: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By hand: f and g overrun e, who is gone with probability ⅔, and then k may go on to 03.01; 3 × ⅔ + ⅔."""
    monkeypatch.setattr(Enumeration, "work", 2_000)
    monkeypatch.setattr(Enumeration, "walked", walked)
    results = '{ odds = "1:1", chance = "1/3" }, { odds = "2:1", chance = "2/3" }'
    assault = '[[rule]]\nid = "assault"\nkind = "joint_overrun"\nparagraph = "assault"\n'
    assault += f'eliminated_to = [{{ box = "dead" }}]\nresults = [{results}]\n'
    closed = '[[rule]]\nid = "enemies"\nkind = "entry_restriction"\nparagraph = "enemies"\nenemy_units = {}\n'
    rules = assault + closed + "unless_overrun = true\n" + effect('on = "enter", does = "stop"')
    write_model(tmp_path / "any_game", rules, turns="stacks = true\n")
    units = [
        *(unit_entry(f"foot {u} 01.01 2-3", "south", {}) for u in "fg"),
        unit_entry("scout k 01.02 1-3", "south", {}),
    ]
    (tmp_path / "likely.toml").write_text(
        'format = "planner/scenario-1"\nmodel = "./any_game"\nphase = "day"\nphasing = "south"\nconfidence = "1/2"\n'
        + '[map]\norigin = "01.01"\nrows = """\n. . .\n. . .\n"""\n'
        + "".join(units)
        + unit_entry("guard e 02.01 2-2", "north", {})
        + '[[tier]]\nterms = [{ kind = "eliminate", units = "e", weight = 3 }, { kind = "end", unit = "k", at = "03.01" }]\n'
    )
    found = planner.suggest(tmp_path / "likely.toml")
    assert (found.status, found.value[0]) == (status, Fraction(8, 3))


@pytest.mark.parametrize("diverse", [False, True])
def test_plans_with_attacks_are_not_gone_through_as_if_nobody_attacked(diverse: bool) -> None:
    """Nothing is spent: b can make the attack that is fixed where it stands. Moves may rely on not bogging down."""
    units = [
        {"id": "b", "side": "blue", "type": "infantry", "values": "8-3-1", "at": "0304"},
        {"id": "r", "side": "red", "type": "infantry", "values": "2-2-3", "at": "0404"},
    ]
    data = {
        "format": "planner/scenario-1",
        "model": "crossroads",
        "phase": "movement",
        "phasing": "blue",
        "confidence": "1/2",
        "map": {"hexes": {"0204 0304 0404 0504 0604": "clear"}},
        "unit": units,
        "tier": [{"terms": [{"kind": "mp_spent"}]}],
    }
    bare = build_scenario(data, "attacks where tanks bog down")
    bog = {"id": "bog", "kind": "bogging", "paragraph": "8", "who": {}, "bad_side": "1/6", "move": [{}]}
    scenario = with_rules(bare, (*bare.game.rulebook.rules, Bogging.model_validate(bog)))
    best = planner.suggest(scenario, partial="b -> 0404")
    assert (best.status, best.value) == ("optimal", (0,))
    several = planner.alternatives(scenario, 2, diverse=diverse, partial="b -> 0404")
    assert [str(several.plans[0].result.plan), several.plans[0].result.value] == ["b -> 0404", best.value]
    assert not several.exhausted
