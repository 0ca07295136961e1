"""Where moves are rolled for, no objective counts what attacks come to, and of plans they are told as if all went well."""

from __future__ import annotations

from pathlib import Path

import pytest

import planner
from planner.errors import InputError
from tests.command import run
from tests.plain_game import BOGGING, JOINT, Variant, build, effect

ATTACK = """
[[rule]]
id = "attacks"
kind = "attack"
paragraph = "attacks"
must_attack = {}
columns = [{ odds = "1:1", results = ["NE", "NE", "NE", "DE", "DE", "DE"] }]
advances = { paragraph = "attacks", most = 1 }
eliminated_to = [{ box = "dead" }]
[rule.results]
NE = { text = "no effect" }
DE = { text = "the defenders are eliminated", defenders = { eliminated = true } }
"""
ROLLED = {"bogging": BOGGING, "joint overruns": JOINT}
TERMS = {
    "enemy_losses": 'counting = "units"',
    "own_losses": 'counting = "units"',
    "emptied": 'hexes = "03.04"',
    "taken": 'hexes = "03.04"',
    "attack_results": 'targets = "e", results = "DE"',
    "attack_odds": 'targets = "e", odds = "1:1"',
    "weak_attacks": 'odds = "1:1"',
    "open_to_attack": 'odds = "1:1"',
}


def _position(folder: Path, rules: str, term: str = "") -> Path:
    """Write a position in which `a` may attack `e`, two hexes away, under further rules; with one more term."""
    build(
        Variant(
            "file",
            rules + effect('on = "enter", does = "stop"') + ATTACK,
            units=("foot a 02.01 9",),
            enemies=("guard e 03.04 0",),
        ),
        folder,
    )
    path = folder / "variant.toml"
    end = '{ kind = "hold", hexes = "03.05" }'
    text = path.read_text(encoding="utf-8").replace(end, f"{end}, {term}" if term else end)
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("rolled", ROLLED)
@pytest.mark.parametrize("kind", TERMS)
def test_a_scenario_that_counts_attacks_where_moves_are_rolled_for_is_refused(
    kind: str, rolled: str, tmp_path: Path
) -> None:
    """Without anything to roll the same scenario is read, so that it is refused for the rolls alone."""
    term = f'{{ kind = "{kind}", {TERMS[kind]} }}'
    with pytest.raises(InputError, match=f"'{kind}' can't be counted where results are rolled"):
        planner.load(_position(tmp_path, ROLLED[rolled], term))
    assert planner.load(_position(tmp_path, "", term)).asks_for_attacks or kind == "open_to_attack"


ASSUMED = "What is said of attacks holds if all of the moves go through."


@pytest.mark.parametrize("attacks", ["a -> 03.04", ""])
def test_what_attacks_come_to_is_told_of_moves_that_go_through_alone(attacks: str, tmp_path: Path) -> None:
    """In a sixth of all cases a bogs down in 02.02, two hexes from e: DE comes with 5/12, and with 1/2 if a gets on.

    Likewise, a must attack if it gets on.
    """
    path = str(_position(tmp_path, BOGGING))
    told = run("check", path, "a 02.01-02.02-02.03", *filter(None, [attacks])).stdout
    assert ("DE 1/2" if attacks else "a must attack") in told, told
    assert ASSUMED in told


def test_attacks_after_moves_for_which_nothing_is_rolled_are_told_without_that(tmp_path: Path) -> None:
    told = run("check", str(_position(tmp_path, "")), "a 02.01-02.02-02.03", "a -> 03.04").stdout
    assert "DE 1/2" in told
    assert ASSUMED not in told
