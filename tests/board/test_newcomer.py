"""What somebody meets who is new to the board: where to begin, what a touch does, and that nothing goes wrong on the way."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tests.board.conftest import Server
from tests.board.test_board import expect, hexagon, middle, opened, reached

if TYPE_CHECKING:
    from playwright.sync_api import Page


def new_map(tab: Page, server: Server, game: str = "crossroads") -> None:
    tab.goto(server.url)
    tab.click("#new-map")
    tab.select_option("#model", game)
    tab.click("#create")
    tab.wait_for_function("() => planner.map.where.size === 200")


def placed(tab: Page, **sides: str) -> None:
    """Place a counter of each side in a hex."""
    tab.check("input[value=unit]")
    for side, label in sides.items():
        tab.select_option("#unit-side", side)
        tab.mouse.click(*middle(tab, hexagon(label)))
        tab.wait_for_function("label => Object.values(planner.state.at).includes(label)", arg=label)


def test_a_new_map_is_begun_from_the_first_page_and_every_tool_says_what_a_touch_does(
    tab: Page, server: Server
) -> None:
    tab.goto(server.url)
    expect(tab.locator("#here")).to_have_text("Choose a position in the list, or set up a new map.")
    tab.click("#new-map")
    expect(tab.locator("#model")).to_be_focused()
    expect(tab.locator("#here")).to_contain_text("create it")
    tab.select_option("#model", "crossroads")
    tab.click("#create")
    expect(tab.locator("#here")).to_contain_text("they get the terrain")  # the tool with which a new map begins
    for tool, told in {
        "unit": "a counter is placed", "hexside": "Touch a hexside", "trait": "they get the mark",
        "area": "they belong to it", "select": "drag it to another hex",
    }.items():  # fmt: skip
        tab.check(f"input[value={tool}]")
        expect(tab.locator("#here")).to_contain_text(told)
    tab.click("#tab-play")
    expect(tab.locator("#here")).to_contain_text("Touch a unit: where it can go.")


def test_a_counter_too_small_to_be_read_is_touched_on_a_telephone(phone: Page, server: Server) -> None:
    new_map(phone, server)
    placed(phone, blue="0505", red="0907")
    phone.check("input[value=select]")
    assert phone.evaluate("planner.map.svg.classList.contains('distant')")
    phone.touchscreen.tap(*middle(phone, hexagon("0505")))
    expect(phone.locator("#counter")).to_contain_text("Blue, Infantry")
    phone.click("#tab-play")
    phone.touchscreen.tap(*middle(phone, hexagon("0505")))
    reached(phone, "0506")
    # Nothing of the page is out of sight, or can be pushed there.
    assert phone.evaluate("document.documentElement.scrollHeight <= innerHeight")


def test_on_a_telephone_what_has_been_asked_of_a_hex_comes_into_sight_and_keys_dont_overlap(
    phone: Page, server: Server
) -> None:
    opened(phone, server, "crossroads/start")
    phone.evaluate("planner.panels.play.menu('0502')")
    expect(phone.locator("#hex h2")).to_be_in_viewport()
    phone.evaluate("document.getElementById('keys').open = true")
    overlaps = phone.evaluate(
        """() => [...document.querySelectorAll("#keys dt")].filter((one) => {
          const words = document.createRange(), told = one.nextElementSibling.getBoundingClientRect();
          words.selectNodeContents(one);
          return words.getBoundingClientRect().right > told.left; }).map((one) => one.textContent)"""
    )
    assert overlaps == []


def test_a_search_for_nothing_says_where_one_says_what_is_to_be_had(tab: Page, server: Server) -> None:
    new_map(tab, server)
    placed(tab, blue="0505")
    tab.click("#tab-suggest")
    tab.fill("#seconds", "5")
    tab.click("#find")
    expect(tab.locator("#status")).to_contain_text("say under “Set up” what is to be had")
    expect(tab.locator("#value")).to_have_count(0)


def test_who_leaves_a_search_hears_nothing_of_it_any_more(tab: Page, server: Server) -> None:
    opened(tab, server, "great_war/over_the_top")
    tab.click("#tab-suggest")
    tab.fill("#seconds", "4")
    # Its answer comes nevertheless, as it does where it was on its way already.
    tab.evaluate(
        """() => { const slow = planner.server.slow.bind(planner.server);
          planner.server.slow = (verb, said, how) => { const found = slow(verb, said, { ...how, signal: undefined });
            if (verb === "go") found.then(() => { window.answered = true; });
            return found; }; }"""
    )
    tab.click("#find")
    expect(tab.locator("#value")).not_to_have_count(0)
    tab.click("#tab-play")
    tab.wait_for_function("() => window.answered")
    tab.wait_for_timeout(200)
    expect(tab.locator("#message")).to_be_hidden()
    tab.click("#tab-suggest")
    expect(tab.locator("#make")).to_have_count(0)


def test_what_must_still_be_done_is_told_as_such(tab: Page, server: Server) -> None:
    new_map(tab, server)
    placed(tab, blue="0505", red="0506")
    tab.click("#tab-play")
    expect(tab.locator("h3", has_text="Before the phase can end")).to_be_visible()
    expect(tab.locator("#broken li")).to_have_text(re.compile("must attack"))
    tab.click("#end-phase")
    expect(tab.locator("#message")).to_contain_text("The phase can't end")
    tab.click("#tab-setup")
    tab.fill("#field-hexes", "0505")
    tab.click("#add-term")
    tab.wait_for_selector("#objective li")
    tab.click("#tab-suggest")
    tab.fill("#seconds", "5")
    tab.click("#find")
    expect(tab.locator("#status")).to_have_text(re.compile("Proved|The best so far"))
    expect(tab.locator("#status")).not_to_contain_text("to stay")  # who must attack can't
    known = {"status": "feasible", "moves": [], "value": ["0"], "bound": ["1"]}
    tab.route("**/go", lambda route: route.fulfill(json=known))  # stopped before anything was proved
    tab.click("#find")
    expect(tab.locator("#status")).to_have_text(
        "The best so far takes no moves; what must still be done is under “Play”; better may be possible."
    )
