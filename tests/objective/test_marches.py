"""How far units come by themselves: what the terms say that look beyond the phase is what they could do."""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import planner
from planner.errors import DisagreementError
from planner.objective import Term, Tier
from planner.objective.costs import Exposure
from planner.objective.marches import March
from planner.objective.nearness import Distance
from planner.objective.prospects import Threat, Turns
from planner.reachability.step_rules import Step, StepRules, Tally
from planner.scenario import Scenario
from planner.world.forces import Unit
from planner.world.position import Position
from planner.world.selectors import UnitSelector
from tests.conftest import long_ones, sized
from tests.oracles.attack_games import attack, position
from tests.oracles.made_up import TOPICS, drawn
from tests.oracles.made_up_more import bonuses, bridges
from tests.plain_game import BONUS, FORCES, ROAD, Variant, build

SEEDS = sized(4, 8, 300)


def alone(scenario: Scenario, unit: str) -> Scenario:
    """Return a position in which a unit is alone, and has made no steps earlier in the turn."""
    home, game = scenario.start.at[unit], scenario.game
    game = replace(game, units={unit: replace(game.units[unit], steps_made=())}, homes={unit: home}, _cache={})
    return replace(scenario, game=game, start=Position({unit: home}, {}), tiers=())


DRAWN = {**TOPICS, "bridges": bridges, "bonuses": bonuses}


def disagreement(topic: str, seed: int) -> bool:
    """Tell whether a unit of a drawn position comes elsewhere than it may, or could come from elsewhere."""
    scenario = drawn(DRAWN[topic], random.Random(f"march {topic} {seed}"))
    for unit in scenario.game.friends:
        single = alone(scenario, unit)
        march, home = March(single.game, single.game.units[unit]), single.start.at[unit]
        able = {there.hex for there in planner.reach(single, unit).alone} | {home}
        back = {label for label in single.game.board.hexes if home in march.backward([label])}
        if march.forward([home]).keys() != able or back != able:
            return True
    return False


@pytest.mark.parametrize(
    "topic", long_ones(["tallies", "bridges", "routes", "spending", "bonuses"], "tallies", "bonuses")
)
def test_a_unit_that_is_alone_comes_as_far_as_it_may_and_from_there_back_to_where_it_was(topic: str) -> None:
    assert not [seed for seed in range(SEEDS) if disagreement(topic, seed)]


def _only_of_the_ma(rules: StepRules, unit: Unit, step: Step, had: int, tally: Tally) -> bool:
    return had < unit.ma * rules.scale


@pytest.mark.parametrize(
    ("method", "mistaken"), [("some_left", _only_of_the_ma), ("rested", lambda rules, unit, tally: False)]
)
def test_a_search_that_mistakes_which_mp_are_left_is_found_out(
    method: str, mistaken: Callable[..., bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(StepRules, method, mistaken)
    with suppress(DisagreementError):
        assert any(disagreement("bonuses", seed) for seed in range(200))


def bonus(tmp_path: Path, enemies: tuple[str, ...] = ()) -> Scenario:
    """Return a unit in 03.01 at the end of a road to 03.06, along which everybody has 2 MP more."""
    variant = Variant(
        "bonus", BONUS.format("false"), chart=ROAD, units=("foot f 03.01 1",), enemies=enemies,
        hexsides='hexsides.road = ["03.01 03.02 03.03 03.04 03.05 03.06"]\n',
    )  # fmt: skip
    return build(variant, tmp_path)


def best(scenario: Scenario, term: Term) -> Any:
    result = planner.suggest(replace(scenario, tiers=(Tier(terms=(term,)),)))
    assert result.status == "optimal"
    return result


def test_turns_are_those_of_units_with_a_road_bonus(tmp_path: Path) -> None:
    """MA 1 and 2 along the road: three hexes now, to 03.04, and the other two in one turn more, not in two."""
    result = best(bonus(tmp_path), Turns(kind="turns", to=("03.06",)))
    assert result.value == (-1,)
    assert "f could be at 03.06 1 turn later: " in result.terms[0].remarks[0]


def test_an_enemy_with_a_road_bonus_threatens_what_it_could_reach(tmp_path: Path) -> None:
    """From 03.06 it comes to 03.03 along the road, and could attack 03.02 from there; 03.01 is one hex too far."""
    scenario = bonus(tmp_path, ("foot e 03.06 1",))
    assert best(scenario, Threat(kind="threat", hexes=("03.02",))).value == (-1,)
    assert best(scenario, Threat(kind="threat", hexes=("03.01",))).value == (0,)


def test_artillery_threatens_as_far_as_it_fires() -> None:
    """With an MA of 1 it comes from 0501 to 0401, and fires 2 hexes far: at 0201, not at 0101."""
    rule = attack(ranges=[{"units": {"types": "artillery"}, "range": 2}])
    scenario = position(rule, {"a": ("1-1-1", "0107"), "eg": ("4-1-1", "0501")})
    assert best(scenario, Threat(kind="threat", hexes=("0201",))).value == (-4,)
    assert best(scenario, Threat(kind="threat", hexes=("0101",))).value == (0,)


ENEMIES = UnitSelector(units=("e",))


@pytest.mark.parametrize(
    "term",
    [
        Threat(kind="threat", of=ENEMIES),
        Turns(kind="turns", of=ENEMIES, to=("03.02",)),
        Distance(kind="distance", of=ENEMIES, to=("03.02",)),
        Exposure(kind="exposure", of=ENEMIES),
    ],
)
def test_a_term_about_enemies_alone_is_refused(term: Term, tmp_path: Path) -> None:
    scenario = bonus(tmp_path, ("foot e 03.06 1",))
    assert list(term.problems(scenario.game)) == [("of must fit units of the phasing side, not e", "of")]


RESTS = '[[rule]]\nid = "rests"\nkind = "exhaustion"\nparagraph = "rests"\nphases = "{}"\n'


@pytest.mark.parametrize(("rests", "phase", "strength"), [("night", "", 1), ("night", "night", 0), ("day", "night", 1)])
def test_steps_that_take_all_mp_in_another_phase_do_so_for_a_threat_in_that_phase_alone(
    rests: str, phase: str, strength: int, tmp_path: Path
) -> None:
    """With an MA of 3, by day e comes from 03.06 to 03.03, beside 03.02; where each step takes all MP, to 03.05."""
    forces = FORCES.replace("day = {", 'night = { name = "Night" }, day = {')
    scenario = build(Variant("rests", RESTS.format(rests), enemies=("foot e 03.06 3",), forces=forces), tmp_path)
    assert best(scenario, Threat(kind="threat", hexes=("03.02",), phase=phase)).value == (-strength,)
