"""Steps that are taken to be the same for several units, or between several hexes, are the same to the rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import chain
from typing import Any

import pytest

from planner.reachability.conditional_reach import ConditionalReach
from planner.reachability.equivalent_hexes import EquivalentHexes
from planner.reachability.step_rules import Step
from planner.reachability.step_table import StepTable
from planner.rules.base import Rule
from planner.rules.demands import Arc, Before, Demand
from planner.rules.kinds.zone_of_control import ZoneOfControl
from planner.rules.play import ways_from
from planner.scenario import Scenario, build_scenario, load_scenario
from planner.search.search import Search
from planner.world.forces import Unit
from tests.conftest import long_ones

SHIPPED = (
    "dai_senso/manchuria",
    "dai_senso/island_campaign",
    "ocs/carpet",
    "ocs/puzzles/twice",
    "a_world_at_war/winter_front",
    "great_war/puzzles/column",
    "classic_hex/three_battles",
)


def two_tanks(**more: Any) -> Scenario:
    tank = {"side": "axis", "type": "tank", "values": "3-3-3", "at": "w3020"}
    data = {
        "format": "planner/scenario-1",
        "model": "dai_senso",
        "phase": "operational_movement",
        "phasing": "axis",
        "map": {"hexes": {"w3020 w3021 w3022 w3023": "clear"}},
        "unit": [{**tank, "id": "a"}, {**tank, "id": "b"}],
        "tier": [{"terms": [{"kind": "end", "unit": unit, "at": "w3022"} for unit in "ab"]}],
        **more,
    }
    return build_scenario(data, "test")


def test_a_restriction_that_names_a_unit_binds_that_one_alone() -> None:
    """Both tanks could go to w3022; a may not enter it, so it is worth one, and not two or none."""
    assert Search(two_tanks()).run().value == (2,)
    for barred in "ab":
        barrier = {"rule": "policies", "who": {"units": barred}, "hexes": {"labels": "w3022"}}
        result = Search(two_tanks(restriction=[barrier])).run()
        assert (result.status, result.value) == ("optimal", (1,))
        assert result.plan is not None
        assert [move.units for move in result.plan.moves] == [("b" if barred == "a" else "a",)]


def test_units_of_two_kinds_that_are_asked_about_at_once_are_not_taken_for_one() -> None:
    """Lists are made in several threads that share what is known of steps: here one comes between two steps of another."""
    values = {"tank": "3-3-3", "infantry": "2-3-3"}
    units = [{"id": kind, "side": "axis", "type": kind, "values": values[kind], "at": "w3020"} for kind in values]
    end = {"terms": [{"kind": "end", "unit": "tank", "at": "w3022"}]}
    game = two_tanks(unit=units, tier=[end]).game
    reach = ConditionalReach(game)

    class Meanwhile(dict[tuple[int, Unit], int]):
        """Known kinds, which another thread adds to while one is being added."""

        def setdefault(self, look: tuple[int, Unit], number: int) -> int:  # type: ignore[override]
            if look[1].type == "tank":
                reach.kind_of(game.units["infantry"])
            return super().setdefault(look, number)

    reach._kinds_by_look = Meanwhile()
    assert reach.kind_of(game.units["tank"]) != reach.kind_of(game.units["infantry"])


def test_hexes_of_two_classes_that_are_asked_about_at_once_are_not_taken_for_one() -> None:
    """As above, for a clear hex and one of jungle, and for the pairs that each makes with another clear hex."""
    ground = {"w3020 w3021 w3022": "clear", "w3023": "jungle"}

    class Meanwhile(dict[Any, int]):
        """Known numbers, which another thread adds to while the first one is being added."""

        def __init__(self, known: dict[Any, int], ask: Callable[[str], object]) -> None:
            super().__init__(known)
            self._ask: Callable[[str], object] | None = ask

        def setdefault(self, key: Any, number: int) -> int:  # type: ignore[override]
            ask, self._ask = self._ask, None
            if ask is not None:
                ask("w3023")
            return super().setdefault(key, number)

    for taken_over in (False, True):
        alike = EquivalentHexes(two_tanks(map={"hexes": ground}).game)
        if taken_over:
            alike.take_over(EquivalentHexes(alike._game))
        alike._numbers = Meanwhile(alike._numbers, alike.class_of)
        assert alike.class_of("w3022") != alike.class_of("w3023")
        alike._pairs = Meanwhile(alike._pairs, alike.around)
        assert dict(alike.around("w3021"))["w3022"] != dict(alike.around("w3023"))["w3022"]


def test_a_changed_copy_of_a_rule_remembers_nothing_of_the_original() -> None:
    rules = two_tanks().game.rulebook.rules
    zone = next(rule for rule in rules if isinstance(rule, ZoneOfControl))
    assert not zone._priced
    dear = tuple(effect.model_copy(update={"does": "cost", "mp": Fraction(1)}) for effect in zone.effects)
    assert zone.model_copy(update={"effects": dear})._priced
    assert not zone._priced


class AskedAnew(StepTable):
    """Steps for which every rule is asked every time."""

    def _asked_into(self, unit: Unit, arc: Arc) -> list[Rule | tuple[Demand, ...]]:
        return list(self._demanding_of(unit))

    def every(self, unit: Unit, label: str, before: Before, overruns: bool) -> Iterable[Step]:
        """Return the steps out of a place, by every way, whether it may follow another step or not."""
        arcs = (self._arcs_of(way, unit, label, before, overruns) for way in ways_from(self.game, label))
        return self._possible(unit, chain.from_iterable(arcs))


_BEFORE = (None, ("hex_to_hex", ""))
"""As the first step, and as a later one."""


@pytest.mark.parametrize(
    "name",
    long_ones([*SHIPPED, "dai_senso/puzzles/storm_road"], "classic_hex/three_battles", "dai_senso/island_campaign"),
)
def test_shared_steps_are_those_that_each_unit_would_get_by_itself(name: str) -> None:
    """Every plain step of every unit, out of every hex, with its MP and demands, against the rules asked anew."""
    from planner.scenario import find_scenario

    scenario = load_scenario(find_scenario(name))
    reach: StepTable = ConditionalReach(scenario.game)
    compared = 0
    for unit in reach.movers:
        counter, alone = scenario.game.units[unit], AskedAnew(scenario.game)
        for label in scenario.game.board.places:
            before = _BEFORE[compared % 2]
            shared = reach.steps(unit, label, before)
            anew = alone.every(counter, label, before, not reach.joint)
            assert sorted(map(repr, shared)) == sorted(map(repr, anew)), (unit, label, before)
            compared += 1
    assert compared


def test_steps_are_shared_where_a_way_that_leads_to_a_box_may_not_follow_them() -> None:
    """Out of every hex, as the first step and as a later one, for two kinds of units, against the rules asked anew."""
    kinds = {"armor": "5-6", "mechanized_infantry": "3-6"}
    own = [
        {"id": name, "side": "axis", "type": name, "nationality": "germany", "values": values, "at": "A1"}
        for name, values in kinds.items()
    ]
    enemy = {"id": "e", "side": "allies", "type": "infantry", "nationality": "russia", "values": "2-3", "at": "E3"}
    data = {
        "format": "planner/scenario-1",
        "model": "a_world_at_war",
        "phase": "movement",
        "phasing": "axis",
        "map": {"origin": "A1", "rows": "......\n.ff...\n......\n..MM..\n......\n", "boxes": {"force_pool": {}}},
        "unit": [*own, enemy],
        "tier": [{"terms": [{"kind": "mp_spent"}]}],
    }
    game = build_scenario(data, "test").game
    reach = ConditionalReach(game)
    for unit in kinds:
        counter, alone = game.units[unit], AskedAnew(game)
        for before in (None, ("hex_to_hex", "")):
            for label in game.board.places:
                shared = reach.steps(unit, label, before)
                anew = alone.every(counter, label, before, False)
                assert sorted(map(repr, shared)) == sorted(map(repr, anew)), (unit, label, before)
    after = {place for place, before in reach.tables.not_plain if before is not None}
    assert not after
    assert reach.tables.not_plain


@pytest.mark.parametrize("name", SHIPPED)
def test_a_way_that_does_not_lead_from_a_place_joins_it_to_no_other(name: str) -> None:
    """Otherwise a step would be read as one of another way, or not be offered at all."""
    from planner.scenario import find_scenario

    game = load_scenario(find_scenario(name)).game
    units = list({(unit.type, unit.traits, unit.nationalities): unit for unit in game.units.values()}.values())
    for way in game.rulebook.ways:
        for origin in game.board.places:
            if not way.leads_from(game, origin):
                near = [*game.board.neighbours[origin], *list(game.board.places)[:20]]
                joined = [
                    to
                    for unit in units
                    for to in near
                    for loosely in (False, True)
                    if to != origin and way.joins(game, unit, origin, to, loosely)
                ]
                assert not joined, (way.id, origin)
