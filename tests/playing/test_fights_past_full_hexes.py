"""Lists of legal moves hold fights that are led from hexes in which nobody may stop."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

import planner
from planner.plans.plan import Move
from planner.scenario import Scenario
from tests.conftest import sized
from tests.oracles.made_up import BAR
from tests.plain_game import JOINT, placed, write_model

ROOM = '[[rule]]\nid = "room"\nkind = "stacking"\nparagraph = "room"\nwhen = "move"\nlimits = [{ units = 1 }]\n'
SURE = JOINT.replace('chance = "1/2"', 'chance = "1"')
RULES = f"{ROOM}{BAR}unless_overrun = true\n"


def drawn(seed: int, folder: Path) -> Scenario:
    """Return a board on which one of three friends may fight on from the hexes of the others."""
    rng = random.Random(seed)
    hexes = {
        f"{column:02}.{row:02}": rng.choice(["plain", "plain", "hill"]) for column in range(1, 4) for row in range(1, 4)
    }
    stands = rng.sample(sorted(hexes), 5)
    confidence = rng.choice(["1", "1/2"])
    model = write_model(folder / "game", RULES + (SURE if confidence == "1" and rng.random() < 1 / 2 else JOINT))
    units = [
        {"id": name, "side": "south" if name in "fgh" else "north", "type": "foot", "values": values, "at": at}
        for name, values, at in zip("fghde", ("1-3", "2-4", "1-0", "1-0", "2-0"), stands, strict=True)
    ]
    return placed(model, hexes, units, confidence=confidence)


def fights(scenario: Scenario, unit: str) -> Iterator[Move]:
    """Yield every move of a unit that ends with its only overrun, by ways that come nowhere twice."""
    board, enemies = scenario.game.board, {at for unit, at in scenario.start.at.items() if scenario.game.is_enemy(unit)}
    ways = [(scenario.start.at[unit],)]
    for way in ways:
        for to in board.neighbours[way[-1]]:
            if to in enemies:
                yield Move((unit,), (*way, to), frozenset([len(way)]))
            elif to not in way and len(way) < 5:
                ways.append((*way, to))


@pytest.mark.parametrize("seed", sized(range(5), range(60), range(1_000)))
def test_each_fight_that_is_legal_is_listed_by_one_way(seed: int, tmp_path: Path) -> None:
    """By every way there is, judged by itself: who fights whom from which hex."""
    position = planner.Position(drawn(seed, tmp_path))
    for unit in "fgh":
        listed = [move for move in position.legal_moves(unit) if move.overruns]
        legal = [move for move in fights(position.begin, unit) if position.is_legal(move)]
        assert all(map(position.is_legal, listed))
        assert sorted(move.path[-2:] for move in listed) == sorted({move.path[-2:] for move in legal})
