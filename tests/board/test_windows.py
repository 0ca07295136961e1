"""What a window has done is its own; what the browser doesn't allow loses nothing that is seen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.board.conftest import Server, watched
from tests.board.test_board import expect, opened, stands
from tests.board.test_newcomer import new_map

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

MOVES = "planner.server.ask('push', { move: 'inf w5525-w5424' })"


def test_two_windows_go_on_each_where_it_was(tab: Page, server: Server) -> None:
    opened(tab, server)
    tab.evaluate(MOVES)
    other = watched(tab.context.new_page(), server.url, [])
    other.goto(server.url)
    other.click("#tab-open")
    other.click("#new-map")
    other.select_option("#model", "crossroads")
    other.click("#create")
    other.wait_for_function("() => planner.map.where.size === 200")
    other.click("input[value=unit]")
    other.fill("#place-at", "0505")
    other.press("#place-at", "Enter")
    expect(other.locator("#undo")).to_be_enabled()
    tab.reload()
    tab.wait_for_selector("#end-phase")
    stands(tab, "inf", "w5424")
    tab.click("#tab-setup")  # this one's position becomes a draft
    expect(tab.locator("#title-of")).to_have_value("Manchuria: how the Japanese line is outflanked")
    other.reload()
    other.wait_for_selector("#end-phase")
    stands(other, str(other.evaluate("Object.keys(planner.state.at)[0]")), "0505")
    other.click("#tab-setup")
    expect(other.locator("#undo")).to_be_enabled()  # with all that came before
    third = watched(tab.context.new_page(), server.url, [])
    third.goto(server.url)
    third.wait_for_selector("#end-phase")  # goes on with what was done last


def test_what_cant_be_done_again_is_said_when_the_page_is_loaded_anew(tab: Page, server: Server) -> None:
    """The file may have been changed meanwhile: kept is its name, and what has been done since."""
    opened(tab, server)
    tab.evaluate(MOVES)
    kept = "JSON.parse(sessionStorage.getItem('planner.game'))"
    unmade = f"({{ ...{kept}, done: [['push', {{ move: 'inf w5525-w9999' }}]] }})"
    tab.evaluate(f"sessionStorage.setItem('planner.game', JSON.stringify({unmade}))")
    tab.reload()
    expect(tab.locator("#message")).to_contain_text("What you had done isn't possible any more")
    stands(tab, "inf", "w5525")


def test_a_draft_with_too_much_history_is_kept_with_less_of_it(tab: Page, server: Server) -> None:
    new_map(tab, server)
    tab.evaluate(
        """() => { const { setItem } = Storage.prototype; window.refused = 0;
          Storage.prototype.setItem = function (name, text) {
            if (name === "planner.draft" && JSON.parse(text).past.length > 5) {
              refused += 1;
              throw new DOMException("full", "QuotaExceededError");
            }
            setItem.call(this, name, text);
          }; }"""
    )
    tab.click("input[value=unit]")
    for row in range(2, 10):
        tab.fill("#place-at", f"050{row}")
        tab.press("#place-at", "Enter")
        tab.wait_for_function("row => Object.values(planner.state.at).includes(`050${row}`)", arg=row)
    tab.wait_for_function("() => refused > 0 && JSON.parse(localStorage['planner.draft']).text.includes('0509')")
    assert tab.evaluate("JSON.parse(sessionStorage['planner.draft']).past.length") == 5


def test_what_is_chosen_is_seen_in_colours_that_the_reader_has_chosen(browser: Browser, server: Server) -> None:
    context = browser.new_context(viewport={"width": 1200, "height": 800}, forced_colors="active")
    tab = watched(context.new_page(), server.url, [])
    opened(tab, server)
    colour = "one => getComputedStyle(document.querySelector(one)).backgroundColor"
    assert tab.evaluate(colour, "#tab-play") != tab.evaluate(colour, "#tab-setup")
    tab.click("#tab-setup")
    assert tab.evaluate(colour, "#tab-play") == tab.evaluate(colour, "#tab-open") != tab.evaluate(colour, "#tab-setup")
    context.close()
