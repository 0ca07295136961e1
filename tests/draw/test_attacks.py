"""Attacks are drawn as broad arrows with their odds, once the moves are made, in pictures and on pages."""

from __future__ import annotations

import re

import planner
from tests.oracles.attack_games import attack, position

SCENARIO = position(
    attack(
        ranges=[{"units": {"types": "artillery"}, "range": 2}],
        shifts=[{"name": "the forest", "columns": -1, "hexes": {"terrain": "woods"}}],
    ),
    {
        "a": ("4-4-4", "0201"),
        "b": ("2-2-4", "0403"),
        "g": ("3-1-4", "0301"),
        "e": ("1-2-4", "0303"),
        "e2": ("1-1-4", "0404"),
    },
    hexes={"0303": "woods"},
)
PLAN = ["a 0201-0302", "a+g -> 0303", "b -> 0404"]


def test_attacks_have_arrows_odds_and_words() -> None:
    svg = planner.picture(SCENARIO, PLAN).svg()
    first, second = re.findall(r'<g data-attack="\d">.*?</g></g>', svg, re.DOTALL)
    assert first.count("<path") == 2  # one from 0302, one, dashed, from 0301
    assert first.count("stroke-dasharray") == 1
    assert "3:1 \N{RIGHTWARDS ARROW} 2:1" in first
    assert second.count("<path") == 1
    assert ">2:1<" in second
    assert "a+g -&gt; 0303  3:1, 2:1 for the forest: AE 1/6, AR 1/3, EX 1/6, DR 1/3" in first
    assert "1 move and 2 attacks, legal" in svg


def test_without_attacks_nothing_is_drawn_of_them() -> None:
    for plan in (PLAN[:1], ["no attacks"], []):
        assert "data-attack" not in planner.picture(SCENARIO, plan).svg()


def test_illegal_attacks_are_red() -> None:
    svg = planner.picture(SCENARIO, ["a+g -> 0303", "b -> 0404"]).svg()
    first, second = re.findall(r'<g data-attack="\d">.*?</g></g>', svg, re.DOTALL)
    assert "#d00000" in first
    assert "#d00000" not in second


def test_a_page_shows_them_after_the_last_move() -> None:
    html = planner.picture(SCENARIO, PLAN).html()
    assert re.search(r'<g class="off" data-from="1" data-to="2"><g data-attack="0">', html)
    assert "3:1, 2:1 for the forest" in html
