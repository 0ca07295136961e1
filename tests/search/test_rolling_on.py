"""Who rolls where nobody may stop goes on in the same move: every such step is tried, against brute force on the referee."""

from __future__ import annotations

import random
from fractions import Fraction
from pathlib import Path

import pytest

import planner
from planner.plans.plan import Plan
from planner.referee.referee import Referee
from planner.scenario import Scenario
from planner.search.expectimax import Expectimax
from planner.search.policy_judge import judge_policy
from tests.conftest import sized
from tests.oracles.made_up import BAR
from tests.oracles.play import BestPlay
from tests.plain_game import JOINT, SHUT, placed, write_model

DRAWN = sized(0, 24, 600)
AROUND = ("02.01", "02.02", "02.03", "04.02", "04.03", "04.04")
NARROW = '[[rule]]\nid = "narrow"\nkind = "stacking"\nparagraph = "narrow"\nwhen = "move"\n'


def model(folder: Path, rng: random.Random) -> Path:
    """Write a game of overruns that are rolled, in which no move may end in a town, or in one with a friend."""
    room = rng.choice((0, 1))
    rules = f'{NARROW}limits = [{{ where = {{ terrain = "town" }}, units = {room} }}]\n{BAR}unless_overrun = true\n'
    results = '[{ odds = "1:1", chance = "1/2" }, { odds = "2:1", chance = "2/3" }]'
    joint = JOINT.replace('[{ odds = "1:1", chance = "1/2" }]', results) + "by = { types = 'foot' }\n"
    turns = rng.choice(("", "", "waiting = { types = 'scout' }\n"))
    return write_model(folder / "any_game", rules + joint, turns=turns)


def drawn(seed: int, folder: Path) -> Scenario:
    """Return two units before an enemy in a town, beyond which they are wanted, or elsewhere, which may count less."""
    rng = random.Random(f"rolling on {seed}")
    folder.mkdir(exist_ok=True)
    hexes = {"03.01": "plain", "03.02": "plain", "03.03": "town", **dict.fromkeys(rng.sample(AROUND, 2), "plain")}
    hexes |= {"03.04": rng.choice(("plain", "plain", "town")), "03.05": "plain"}
    units = [
        {
            "id": "f",
            "side": "south",
            "type": "foot",
            "values": f"{rng.randint(1, 2)}-{rng.randint(2, 3)}",
            "at": "03.02",
        },
        {"id": "s", "side": "south", "type": rng.choice(("foot", "scout")), "values": f"1-{rng.randint(2, 4)}"},
    ]
    units[1]["at"] = rng.choice([label for label in hexes if label not in ("03.02", "03.03", "03.05")])
    enemies = [{"id": "e", "side": "north", "type": "foot", "values": f"{rng.randint(1, 2)}-1", "at": "03.03"}]
    if units[1]["at"] != "03.04" and rng.random() < 0.3:
        enemies.append({"id": "g", "side": "north", "type": "foot", "values": "1-1", "at": "03.04"})
    goals = [{"kind": "end", "unit": "f", "at": rng.choice(("03.04", "03.05")), "weight": rng.randint(2, 4)}]
    goals += [{"kind": "end", "unit": "s", "at": rng.choice([*hexes]), "weight": rng.randint(1, 3)} for _ in "12"]
    goals += [{"kind": "end", "unit": "f", "at": rng.choice([*hexes])}]
    tiers = [{"terms": goals}, {"terms": [{"kind": "mp_spent"}]}]
    return placed(model(folder, rng), {}, units + enemies, map={"hexes": hexes}, tier=tiers)


BACK = "f 03.01x03.02-03.01"


def together(turns: str, folder: Path) -> Scenario:
    """Return a position in which f stands with g, where no move ends but one that begins there, beside e.

    It is wanted there, for 2, and e is to be eliminated, for 1, at 1/2.
    """
    alone = '[[rule]]\nid = "alone"\nkind = "vacancy"\nparagraph = "alone"\nwhen = "move"\n'
    model = write_model(folder / "any_game", alone + SHUT + JOINT, turns=turns)
    units = [
        {"id": unit, "side": side, "type": "foot", "values": f"1-{ma}", "at": at}
        for unit, side, ma, at in (("f", "south", 2, "03.01"), ("g", "south", 0, "03.01"), ("e", "north", 0, "03.02"))
    ]
    goals = [{"kind": "eliminate", "units": "e"}, {"kind": "end", "unit": "f", "at": "03.01", "weight": 2}]
    return placed(model, {"03.01 03.02": "plain"}, units, tier=[{"terms": goals}])


@pytest.mark.parametrize("turns", ["", "stacks = true\n", "waiting = {}\n"])
def test_who_comes_back_to_where_its_move_alone_may_end_does_so_in_the_same_move(turns: str, tmp_path: Path) -> None:
    """2 and 1/2 of 1. From 03.02, no other move of f may end in 03.01."""
    scenario = together(turns, tmp_path)
    assert Referee(scenario.game).play(Plan.parse([BACK]), scenario.start).legal
    for adaptive in (False, True):
        found = planner.suggest(scenario, adaptive=adaptive)
        assert (found.status, found.value) == ("optimal", (Fraction(5, 2),)), adaptive


def test_who_comes_back_to_where_its_move_alone_may_end_does_so_in_play(tmp_path: Path) -> None:
    game = planner.Position(together("", tmp_path))
    game.push(BACK)
    assert [str(one.move) for one in game.outcomes] == [BACK, "f 03.01!03.02"]
    game.roll(result=BACK)
    assert game.scenario.start.at["f"] == "03.01"


@pytest.mark.thorough
def test_the_best_way_of_playing_is_that_of_an_oracle_where_units_roll_on_their_way(tmp_path: Path) -> None:
    rolled_on = 0
    for seed in range(DRAWN):
        scenario = drawn(seed, tmp_path / str(seed))
        best = BestPlay(scenario, 20_000).value()
        way = Expectimax(scenario, 500_000, lambda: None).best()
        assert (way and way.value) == best, seed
        found = planner.suggest(scenario, adaptive=True)
        assert (found.status, found.value or None) == (("infeasible", None) if best is None else ("optimal", best)), (
            seed
        )
        if way is not None:
            judged = judge_policy(scenario, way)
            assert (judged.faults, judged.value) == ((), best), seed
            rolled_on += any(
                len(made.path) > step + 1
                for node in way.nodes()
                for branch in node.branches
                for made in branch.moves
                for step in made.overruns
                if not made.failed
            )
    assert rolled_on > DRAWN / 6
