"""Pages of plans that react to attacks: one says what was rolled for an attack, and sees what to do next."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from planner.draw.policy_picture import PolicyPicture
from planner.plans.policy import from_json
from planner.scenario import Scenario
from tests.draw.browsing import frame, opened
from tests.draw.test_policy_page import at, heading, results, ways
from tests.oracles.attack_games import attack, position

if TYPE_CHECKING:
    from playwright.sync_api import Page

TWO = [
    {
        "made": ["b -> 0605=AR b 0606-0607"],
        "probability": "1/2",
        "then": {"moves": [], "attacks": []},
    },
    {
        "made": ["b -> 0605=DE"],
        "probability": "1/2",
        "then": {
            "moves": [],
            "attacks": ["a -> 0203"],
            "branches": [
                {"made": ["a -> 0203=AR", "a -> 0203=DE"], "probability": 1, "then": {"moves": []}},
            ],
        },
    },
]


def scenario(declared: str) -> Scenario:
    """Unit b comes up and attacks e2; only if that succeeds, a attacks e."""
    column = [{"odds": "1:1", "results": ["AR", "DE"]}]
    units = {"a": ("4-4-0", "0202"), "b": ("4-4-1", "0607"), "e": ("1-4-4", "0203"), "e2": ("1-4-4", "0605")}
    return position(attack(columns=column, sides=2, below="lowest", declared=declared), units)


def reacting(**how: int) -> PolicyPicture:
    root = {"moves": ["b 0607-0606"], "attacks": ["b -> 0605"], "branches": TWO}
    return PolicyPicture(scenario("one_by_one"), from_json({"format": "planner/policy-1", "root": root}, "test"), **how)


def test_a_result_of_an_attack_leads_to_the_situation_that_it_leads_to(tab: Page, tmp_path: Path) -> None:
    picture = reacting()
    opened(tab, picture, tmp_path)
    seen = 0
    for here, way in ways(picture):
        seen += 1
        tab.keyboard.press("Home")
        for number in way:
            tab.keyboard.press(str(number))
        assert frame(tab) == here.start
        assert at(tab) == {
            unit: place for unit, place in here.now.start.at.items() if place in here.now.game.board.hexes
        }
    assert seen == 5


def test_an_attack_is_told_with_its_odds_and_what_each_result_means(tab: Page, tmp_path: Path) -> None:
    opened(tab, reacting(), tmp_path)
    told = tab.locator(".situation:not(.off)").inner_text()
    assert "b attacks e2 in 0605, 1:1 (7). What was rolled?" in told
    assert "b -> 0605 1:1: AR 1/2, DE 1/2" in told
    assert results(tab) == ["AR: attackers retreat (b 0606-0607)", "DE: defenders eliminated"]
    tab.keyboard.press("2")
    assert heading(tab).startswith("Situation 2, probability 1/2")
    assert "e2" not in at(tab)
    assert tab.locator(".situation:not(.off) .way button").all_inner_texts() == ["b -> 0605=DE"]
    assert "a attacks e in 0203" in tab.locator(".situation:not(.off)").inner_text()


def test_arrows_of_attacks_are_drawn_in_the_situations_in_which_they_are_declared() -> None:
    picture = reacting()
    declared = [[told.attack.attackers for _, told in one.attacks] for one in picture.frames]
    assert declared == [[], [("b",)], [], [("a",)], [], []]
    assert "a -&gt; 0203" in reacting(step=2).svg()
    assert "After b 0607-0606; b -&gt; 0605=DE." in reacting(step=2).svg()


def test_what_is_declared_at_once_is_seen_at_once() -> None:
    attacks = ["a -> 0203", "b -> 0605"]
    then = {"moves": [], "attacks": ["b -> 0605"]}
    branches = [{"made": ["a -> 0203=AR", "a -> 0203=DE"], "probability": 1, "then": then}]
    root = {"moves": ["b 0607-0606"], "attacks": attacks, "branches": branches}
    read = from_json({"format": "planner/policy-1", "root": root}, "test")
    picture = PolicyPicture(scenario("at_once"), read)
    assert [len(one.attacks) for one in picture.frames] == [0, 2, 1, 1]
    assert "b -&gt; 0605" in picture.html()


@pytest.mark.parametrize("number", [1, 2])
def test_what_is_left_out_of_the_page_says_after_what_to_ask_again(
    number: int, tab: Page, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("planner.draw.policy_frames.MOST_SITUATIONS", 1)
    opened(tab, reacting(), tmp_path)
    told = tab.locator(".situation:not(.off) .results li").nth(number - 1).inner_text()
    made = ["b -> 0605=AR b 0606-0607", "b -> 0605=DE"][number - 1]
    assert f"isn't on this page. Ask again after: b 0607-0606; {made}" in told
