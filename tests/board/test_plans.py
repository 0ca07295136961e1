"""Plans on the board: that react to what is rolled, several side by side, stopped, and one hex's odds."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from planner.board.puzzle import diagram
from planner.playing.position import Position
from planner.scenario import load_scenario
from tests.board.conftest import Server, long_front, saved
from tests.board.test_board import expect, hexagon, middle, opened, stands
from tests.draw.browsing import brightness
from tests.draw.test_page_use import pages

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser, Page


def searched(tab: Page, seconds: int = 20) -> None:
    tab.fill("#seconds", str(seconds))
    tab.click("#find")
    expect(tab.locator("#status")).to_have_text(re.compile("Proved|plans"))


# -- a plan that reacts


@pytest.fixture
def reacting(tab: Page, server: Server) -> Page:
    """A tank that goes on if it gets through the first hex, and rifles that go in its place if it doesn't."""
    opened(tab, server, "great_war/puzzles/tank_first")
    tab.click("#tab-suggest")
    tab.check("#adaptive")
    searched(tab)
    return tab


def test_a_plan_that_reacts_is_gone_through_by_saying_what_is_rolled(reacting: Page) -> None:
    tab = reacting
    expect(tab.locator("#value")).to_have_text("59/6")
    expect(tab.locator("#policy .results button")).to_have_count(2)
    tab.click("#policy [data-branch='1']")
    expect(tab.locator("#worth-here")).to_have_text("9")
    moves = tab.locator(".stepping + ol li")
    expect(moves).to_have_text(["tank E4-E5!", "rifles D6-E6"])
    tab.click("#policy-back")
    tab.click("#policy [data-branch='0']")
    expect(moves).to_have_text(["tank E4-E5", "tank E5-E6"])
    assert tab.evaluate("planner.state.made") == []  # nothing of it has been made


def test_a_plan_that_reacts_is_played_by_clicking_what_was_rolled(reacting: Page) -> None:
    tab = reacting
    tab.click("#make")
    expect(tab.locator("[data-result='0']")).to_contain_text("then tank E5-E6")
    expect(tab.locator("[data-result='1']")).to_contain_text("then rifles D6-E6")
    tab.click("[data-result='0']")
    expect(tab.locator("#plan li")).to_have_text(["tank E5-E6"])
    tab.click("#go-on")
    tab.locator("[data-result='1']", has_text="tank E5-E6!").click()
    expect(tab.locator("#plan li")).to_have_text(["rifles D6-D7"])
    tab.click("#go-on")
    stands(tab, "rifles", "D7")
    expect(tab.locator("#plan")).to_have_count(0)


def test_after_a_roll_is_taken_back_the_plan_goes_on_by_another(reacting: Page) -> None:
    tab = reacting
    tab.click("#make")
    tab.click("[data-result='0']")
    expect(tab.locator("#plan li")).to_have_text(["tank E5-E6"])
    tab.click("#undo")
    tab.click("[data-result='1']")
    expect(tab.locator("#plan li")).to_have_text(["rifles D6-E6"])
    tab.click("#leave-plan")
    expect(tab.locator("#plan")).to_have_count(0)


# -- several plans, and one that is stopped


def test_several_plans_stand_side_by_side_and_the_chosen_one_is_made(tab: Page, server: Server) -> None:
    opened(tab, server)
    tab.click("#tab-suggest")
    tab.fill("#count", "3")
    searched(tab)
    expect(tab.locator("#plans > li")).to_have_count(2)
    expect(tab.locator("#plans [data-plan='0']")).to_contain_text("1 / -23")
    tab.wait_for_function("() => [...document.querySelectorAll('#plans img')].every((one) => one.naturalWidth > 0)")
    pictures, light = tab.locator("#plans img"), tab.locator("#plans img").first.screenshot()
    tab.click("#theme")
    assert brightness(pictures.first.screenshot()) < 0.9 * brightness(light)
    tab.click("#theme")
    tab.click("[data-plan='1']")
    expect(tab.locator("#plans > li").nth(1)).to_have_attribute("aria-current", "true")
    tab.click("[data-plan='0']")
    expect(tab.locator("#value")).to_have_text("1 / -23")
    tab.click("#make")
    stands(tab, "plv", "w5426")


def test_a_search_that_is_stopped_ends_with_what_is_known(tab: Page, server: Server, tmp_path: Path) -> None:
    long_front(tab, server, tmp_path)
    tab.click("#tab-suggest")
    tab.fill("#seconds", "50")
    tab.click("#find")
    tab.wait_for_selector("#make")  # a plan with moves has been found: the first one is that nobody moves
    tab.click("#stop")
    tab.wait_for_selector("#make:not([disabled])")
    expect(tab.locator("#status")).to_contain_text("The best so far")


def test_that_nobody_moves_is_said_when_it_is_the_best_that_is_known(tab: Page, server: Server) -> None:
    opened(tab, server, "great_war/over_the_top")
    known = {"status": "feasible", "moves": [], "value": ["0", "0"], "bound": ["9", "0"]}
    tab.route("**/go", lambda route: route.fulfill(json=known))  # stopped at once
    tab.click("#tab-suggest")
    tab.click("#find")
    expect(tab.locator("#status")).to_have_text("The best so far is to stay; better may be possible.")
    expect(tab.locator("#make")).to_have_count(0)


# -- one hex


def test_the_right_button_tells_who_can_come_and_a_touch_on_one_makes_the_move(tab: Page, server: Server) -> None:
    opened(tab, server)
    tab.mouse.click(*middle(tab, hexagon("w5424")), button="right")
    expect(tab.locator("#hex li")).to_contain_text(["plv w5525-w5424", "inf w5525-w5424"])
    expect(tab.locator(".ways polyline")).to_have_count(2)
    tab.click("#hex [data-move='plv w5525-w5424']")
    stands(tab, "plv", "w5424")
    expect(tab.locator(".ways")).to_have_count(0)


def test_who_can_fight_in_a_hex_is_told_with_the_odds(tab: Page, server: Server) -> None:
    opened(tab, server, "classic_hex/three_battles")
    tab.mouse.click(*middle(tab, "[data-at='0303']"), button="right")
    expect(tab.locator("#hex [data-move='a2 0306-0305-0304x0303']")).to_contain_text("6:5")


def test_attacks_are_weighed_before_they_are_made(tab: Page, server: Server) -> None:
    opened(tab, server, "crossroads/puzzles/not_all_across")
    tab.mouse.click(*middle(tab, "[data-at='0705']"), button="right")
    expect(tab.locator("#hex li")).to_contain_text(["b3 -> 0705", "b4 -> 0705", "b3+b4 -> 0705"])
    tab.click("#attacks summary")
    units = tab.locator("#attacks input")
    units.nth(0).check()
    expect(tab.locator("#attacks [data-odds] b")).to_have_text("1:2")
    units.nth(1).check()
    expect(tab.locator("#attacks [data-odds] b")).to_contain_text("1:1")
    tab.click("[data-attack='0705']")
    expect(tab.locator("[data-result]")).not_to_have_count(0)
    tab.click("[data-result='0']")
    tab.wait_for_function("() => planner.state.made[0]?.startsWith('b3+b4 -> 0705=')")


def test_who_can_come_is_asked_by_the_keyboard(tab: Page, server: Server) -> None:
    opened(tab, server)
    tab.evaluate("planner.choose('w5424')")
    tab.focus("#view")
    tab.keyboard.press("w")
    expect(tab.locator("#hex li")).not_to_have_count(0)
    tab.keyboard.press("Escape")
    expect(tab.locator("#hex")).to_have_count(0)


def test_who_can_come_is_asked_by_a_finger_that_stays(phone: Page, server: Server) -> None:
    opened(phone, server)
    x, y = middle(phone, hexagon("w5424"))
    touch = phone.context.new_cdp_session(phone)
    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    expect(phone.locator("#hex li")).not_to_have_count(0)
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    expect(phone.locator("#hex li")).not_to_have_count(0)  # to let go is no tap


# -- a puzzle on paper


def test_a_puzzle_is_saved_as_a_diagram_with_what_it_asks(tab: Page, server: Server, tmp_path: Path) -> None:
    opened(tab, server)
    sheet = saved(tab, "#diagram", tmp_path)
    assert "Soviet to move. Find the best plan." in sheet
    assert "Break the line" in sheet
    assert "w5525: plv: " in sheet  # who is under another counter
    assert "w5525-w5425" not in sheet  # the answer


# A narrow map, a broad one, one with many who stand together, and the one with most hexes.
SHEETS = (
    "ocs/puzzles/twice",
    "dai_senso/puzzles/pocket",
    "dai_senso/puzzles/ring_road",
    "crossroads/puzzles/second_wind",
)


@pytest.mark.parametrize("name", SHEETS)
def test_a_diagram_is_printed_on_one_sheet_with_counters_and_legend(
    name: str, browser: Browser, tmp_path: Path
) -> None:
    scenario = load_scenario(name)
    page = browser.new_page(viewport={"width": 390, "height": 844})
    (tmp_path / "puzzle.html").write_text(diagram(Position(scenario)), encoding="utf-8")
    page.goto((tmp_path / "puzzle.html").as_uri())
    assert page.evaluate("document.documentElement.scrollWidth") <= 390  # it is read on a telephone, too
    assert pages(page.pdf()) == 1
    page.emulate_media(media="print")
    expect(page.locator("h1")).to_have_text(scenario.title)
    expect(page.locator("figcaption b")).to_contain_text("to move. ")
    expect(page.locator("figcaption li")).not_to_have_count(0)
    shown = "all => all.filter((one) => getComputedStyle(one).display !== 'none').length"
    assert page.eval_on_selector_all("#p .near", shown) > 0  # values and symbols
    assert page.eval_on_selector_all("#p .far, #p .dusk", shown) == 0  # squares that stand for counters, and the dark
    expect(page.locator("#p-legend li svg").first).to_be_visible()
    page.close()
