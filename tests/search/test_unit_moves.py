"""What a unit can do, found step by step: one move for each thing that comes of it, the cheapest."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

import planner
from planner.errors import OutOfTimeError
from planner.limits import Limits
from planner.plans.plan import Move
from planner.referee.referee import Referee
from planner.scenario import Scenario, build_scenario
from planner.search.unit_moves import UnitMoves
from planner.world.position import Position
from tests.conftest import sized
from tests.oracles.legal_plans import legal_moves
from tests.oracles.tiny import tiny


def _ground(dear: str) -> Scenario:
    """Return six hexes, one of them a mountain, with one unit in w3020."""
    labels = ("w3020", "w3021", "w3022", "w3120", "w3121", "w3122")
    return build_scenario(
        {
            "format": "planner/scenario-1",
            "model": "dai_senso",
            "phase": "operational_movement",
            "phasing": "axis",
            "map": {"hexes": {**dict.fromkeys(labels, "clear"), dear: "mountain"}},
            "unit": [{"id": "a", "at": "w3020", "side": "axis", "type": "tank", "values": "6-3-8"}],
        },
        "ground",
    )


def test_a_cheaper_way_that_is_longer_is_the_one_that_is_told() -> None:
    """By hand: to w3022 two steps over the mountain take 4 MP, three around it 3."""
    scenario = _ground("w3021")
    told = {move.end: (str(move), after.under_way["a"].spent) for move, after in _moves(scenario, "a")}
    assert told["w3022"] == ("a w3020-w3121-w3122-w3022", Fraction(3))
    assert told["w3122"] == ("a w3020-w3121-w3122", Fraction(2))


def test_no_legal_move_comes_to_the_same_for_less() -> None:
    compared = 0
    for seed in range(sized(4, 40, 400)):
        scenario = replace(tiny(seed), requirements=())
        walks = UnitMoves(Referee(scenario.game))
        for unit in (unit for unit in scenario.start.at if unit in scenario.game.friends):
            least: dict[object, Fraction] = {}
            for _, after in legal_moves(scenario, unit, scenario.start):
                if unit in after.under_way:
                    key, spent = walks.key(after, (unit,)), after.under_way[unit].spent
                    least[key] = min(spent, least.get(key, spent))
            told = {
                walks.key(after, (unit,)): after.under_way[unit].spent
                for _, after in _moves(scenario, unit)
                if unit in after.under_way
            }
            assert told == least, f"seed {seed}, {unit}"
            compared += len(told)
    assert compared > 15


@pytest.mark.parametrize(("asked", "alike"), [([], True), (["0206"], False)], ids=["nobody minds", "a goal minds"])
def test_who_took_places_on_the_way_tells_positions_apart_only_where_somebody_minds(
    asked: list[str], alike: bool
) -> None:
    """Ways around 0206 and through it lead to 0207: unless it is asked whose 0206 is, they come to the same."""
    tier: list[dict[str, object]] = [{"terms": [{"kind": "units_moved"}]}]
    if asked:
        tier = [{"terms": [{"kind": "control", "hexes": asked}]}]
    scenario = planner.load("classic_hex/three_battles").with_objective(tier)
    walks, keys = UnitMoves(Referee(scenario.game)), list[object]()
    for path in (("0305", "0306", "0307", "0207"), ("0305", "0306", "0206", "0207")):
        position = scenario.start.copy()
        broken, played = Referee(scenario.game).play_move(Move(("a1",), path), position, ())
        assert played.played, broken
        keys.append(walks.key(position, ("a1",)))
    assert (keys[0] == keys[1]) is alike


def test_what_has_been_found_before_it_got_late_is_told() -> None:
    class Late(Limits):
        """The time is up after some checks."""

        checks = 8

        def check(self, meanwhile: str = "") -> None:
            Late.checks -= 1
            if not Late.checks:
                raise OutOfTimeError("late")

    scenario, found = _ground("w3021"), list[str]()
    moves = UnitMoves(Referee(scenario.game), Late()).moves(("a",), scenario.start)
    with pytest.raises(OutOfTimeError):
        found.extend(move.end for move, _ in moves)
    assert {"w3021", "w3121", "w3120"} <= set(found)


def _moves(scenario: Scenario, unit: str) -> list[tuple[Move, Position]]:
    return list(UnitMoves(Referee(scenario.game)).moves((unit,), scenario.start))
