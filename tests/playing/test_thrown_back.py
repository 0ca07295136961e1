"""Who might be thrown back to where its move may not end doesn't set out, in plans and in play, unless that is relied on."""

from __future__ import annotations

import random
from fractions import Fraction
from pathlib import Path

import pytest

import planner
from planner.errors import PlannerError
from planner.plans.plan import Plan
from planner.playing.players import player_of
from planner.referee.referee import Referee
from planner.referee.verdict import IllegalPlanError
from planner.scenario import Scenario
from planner.solver.plan_judge import judge
from tests.plain_game import FORCES, JOINT, SHUT, placed, write_model

ALONE = '[[rule]]\nid = "alone"\nkind = "vacancy"\nparagraph = "alone"\nwhen = "move"\n'
COMBAT = """
[[rule]]
id = "combat"
kind = "combat_on_entry"
paragraph = "combat"
demoralized = "shaken"
eliminated_to = [{ box = "dead" }]
columns = [{ from_percent = -100, entries = [[0, 1], [1, 1]] }]
"""
FOUGHT, OVERRUN = COMBAT, SHUT + JOINT
MOVES = {FOUGHT: "f 03.01-03.02-03.03", OVERRUN: "f 03.01-03.02x03.03"}


def passing(rules: str, confidence: str, turns: str, folder: Path) -> Scenario:
    """Return a position in which f passes g, with whom no move may end, to take the hex of e, at 1/2, or is thrown back."""
    forces = FORCES + 'unit_traits = { shaken = "shaken" }\n'
    model = write_model(folder / "game", ALONE + rules, turns=turns, forces=forces)
    units = [
        {"id": unit, "side": side, "type": "foot", "values": f"1-{ma}", "at": at}
        for unit, side, ma, at in (("f", "south", 2, "03.01"), ("g", "south", 0, "03.02"), ("e", "north", 0, "03.03"))
    ]
    goals = [{"terms": [{"kind": "hold", "hexes": "03.03"}]}]
    hexes = {"03.01 03.02 03.03 03.04": "plain"}
    return placed(model, hexes, units, tier=goals, confidence=confidence)


@pytest.mark.parametrize("rules", [FOUGHT, OVERRUN], ids=["combat", "overrun"])
@pytest.mark.parametrize(("confidence", "legal"), [("1", False), ("2/3", False), ("1/2", True)])
def test_both_faces_forbid_it_but_where_the_result_is_relied_on(
    rules: str, confidence: str, legal: bool, tmp_path: Path
) -> None:
    scenario = passing(rules, confidence, "", tmp_path)
    plan = Plan.parse([MOVES[rules]])
    violations = {one.key for one in Referee(scenario.game).play(plan, scenario.start).violations}
    assert violations == ({*()} if legal else {("alone", "f", 0, 1, "03.02")})
    assert {one.key for one in judge(scenario, plan)} == violations
    found = planner.suggest(scenario)
    assert (found.status, found.value) == ("optimal", (Fraction(1, 2) if legal else 0,))


@pytest.mark.parametrize("confidence", ["1", "2/3"])
def test_in_play_such_a_combat_is_no_legal_move(confidence: str, tmp_path: Path) -> None:
    game, move = planner.Position(passing(FOUGHT, confidence, "", tmp_path)), MOVES[FOUGHT]
    assert not game.is_legal(move)
    assert move not in map(str, game.legal_moves())
    with pytest.raises(IllegalPlanError, match=r"f may not end its move in 03\.02: it holds g"):
        game.push(move)
    assert not game.outcomes


@pytest.mark.parametrize("rules", [FOUGHT, OVERRUN], ids=["combat", "overrun"])
@pytest.mark.parametrize("turns", ["", "waiting = {}\n"])
@pytest.mark.parametrize("name", ["suggest:1s", "fixed:1s", "adaptive:1s", "greedy", "random"])
def test_players_go_on_whether_or_not_what_they_rely_on_has_failed(
    name: str, turns: str, rules: str, tmp_path: Path
) -> None:
    for seed in range(4):
        game = planner.Position(passing(rules, "1/2", turns, tmp_path))
        player_of(name)(game, random.Random(seed))
        assert not game.outcomes


def test_who_goes_on_after_a_roll_is_known_not_to_be_thrown_back_before_it_sets_out(tmp_path: Path) -> None:
    """Unit f passes g after it has rolled: it may be thrown back to it from 03.04, so that it doesn't roll at all."""
    model = write_model(tmp_path / "game", ALONE + OVERRUN)
    units = [
        {"id": unit, "side": side, "type": "foot", "values": f"1-{ma}", "at": at}
        for unit, side, ma, at in (
            ("f", "south", 3, "03.01"), ("g", "south", 0, "03.03"), ("e", "north", 0, "03.02"), ("d", "north", 0, "03.04")
        )
    ]  # fmt: skip
    hexes = {"03.01 03.02 03.03 03.04": "plain"}
    game = planner.Position(placed(model, hexes, units, tier=[{"terms": [{"kind": "eliminate", "units": "d"}]}]))
    assert game.is_legal("f 03.01x03.02")
    with pytest.raises(PlannerError, match=r"may not end its move in 03\.03: it holds g"):
        game.push("f 03.01x03.02-03.03x03.04")
