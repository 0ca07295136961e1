"""The board with the keyboard alone."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from planner.scenario import Scenario
from tests.board.conftest import Server, held_back
from tests.board.test_board import expect, friend, opened, reached, stands
from tests.board.test_newcomer import new_map
from tests.draw.browsing import TOLERATED, difference

if TYPE_CHECKING:
    from playwright.sync_api import Page

FARTHEST = 60
"""Times that Tab is pressed at most for a control: who needs more can't be said to reach it."""


class Typist:
    """Works on a page by pressing keys, and goes nowhere but where they lead."""

    def __init__(self, tab: Page) -> None:
        self._tab = tab
        self.presses = 0

    def press(self, *keys: str) -> None:
        for key in keys:
            self.presses += 1
            self._tab.keyboard.press(key)

    def at(self, what: str) -> bool:
        """Return whether something has the focus, and shows it."""
        return bool(
            self._tab.evaluate(
                """what => { const one = document.activeElement;
                  return one.matches(what) && one.matches(":focus-visible")
                    && getComputedStyle(one).outlineStyle !== "none"; }""",
                what,
            )
        )

    def go(self, what: str, key: str = "Tab") -> None:
        """Press Tab, or another key, until something has the focus."""
        for _ in range(FARTHEST):
            if self.at(what):
                return
            self.press(key)
        raise AssertionError(
            f"{what} isn't reached by {key}: {self._tab.evaluate('document.activeElement.outerHTML.slice(0, 200)')}"
        )

    def write(self, what: str, text: str, key: str = "Tab") -> None:
        """Go to a field, and write over what is there."""
        self.go(what, key)
        self.press("Control+a", *(text or ["Delete"]))

    def choose(self, what: str, value: str, key: str = "Tab") -> None:
        """Go to a list, and press arrows until it has a value."""
        self.go(what, key)
        self.press("Home")
        while self._tab.input_value(what) != value:
            before = self._tab.input_value(what)
            self.press("ArrowDown")
            assert self._tab.input_value(what) != before, f"{value} isn't in the list"

    def tool(self, value: str, key: str = "Tab") -> None:
        """Choose what a touch does: one of the radio buttons, of which Tab knows one."""
        self.go("input[name=tool]", key)
        while not self.at(f"input[value={value}]"):
            self.press("ArrowDown")

    def hex(self, label: str) -> None:
        """Go by arrows to a hex of the map, where that is how one moves: rows first, then columns."""
        for _ in range(FARTHEST):
            here = self._tab.evaluate("planner.chosen")
            if here == label:
                return
            dx, dy = self._tab.evaluate(
                "([a, b]) => [0, 1].map((i) => planner.map.where.get(b)[i] - planner.map.where.get(a)[i])",
                [here, label],
            )
            self.press(
                *(["ArrowDown" if dy > 0 else "ArrowUp"] if abs(dy) > 40 else ["ArrowRight" if dx > 0 else "ArrowLeft"])
            )
        raise AssertionError(f"{label} isn't reached by arrows: {here}")


def test_a_newcomers_whole_job_is_done_by_the_keyboard_alone(tab: Page, server: Server, tmp_path: Path) -> None:
    """20 units on 200 hexes, the best moves, why the own ones don't work, a page: the last paragraph of the board's aims."""
    typist = Typist(tab)
    tab.goto(server.url)
    tab.wait_for_selector("#new-map")
    typist.go("#new-map")
    typist.press("Enter")
    expect(tab.locator("#model")).to_be_focused()
    typist.choose("#model", "crossroads")
    typist.write("#columns", "20")
    typist.write("#rows", "10")
    typist.go("#create")
    typist.press("Enter")
    tab.wait_for_function("() => planner.map.where.size === 200")
    expect(tab.locator("#live")).to_have_text("A new map of 200 hexes.")
    expect(tab.locator("#panel")).to_be_focused()  # the form has been folded up, with the button that was pressed

    # Terrain, hex by hex; the map tells what is there.
    typist.tool("terrain")
    typist.choose("#terrain", "woods")
    typist.press("Escape")  # to the map, among its hexes
    assert typist.at("#view")
    for label in ("0806", "0807"):
        typist.hex(label)
        typist.press("Enter")
        tab.wait_for_function(
            "label => document.querySelector(`[data-hex='${label}'] title`).textContent.includes('Woods')", arg=label
        )
    expect(tab.locator("#here")).to_contain_text("Woods")
    typist.press("p")
    expect(tab.locator("#terrain")).to_be_focused()

    typist.tool("unit", "Shift+Tab")
    for side, column in (("blue", 3), ("red", 11)):
        typist.choose("#unit-side", side, "Tab" if side == "blue" else "Shift+Tab")
        for number in range(10):
            if number in (0, 5):
                typist.choose("#unit-type", "armor" if number else "infantry", "Shift+Tab" if number else "Tab")
            values = f"{3 + number % 4}-{2 + number}-{4 + number % 3}"
            typist.write("#values", values, "Tab" if number in (0, 5) else "Shift+Tab")
            label = f"{column + number % 2:02}{3 + number // 2:02}"
            typist.write("#place-at", label)
            typist.press("Enter")
            tab.wait_for_function("label => Object.values(planner.state.at).includes(label)", arg=label)
            expect(tab.locator("#live")).to_have_text(f"A counter stands in {label}.")
    assert tab.evaluate("Object.keys(planner.state.at).length") == 20

    typist.write("#title-of", "Mine")
    typist.choose("#kind", "hold")
    expect(tab.locator("#title")).to_have_text("Mine")
    typist.write("#field-hexes", "1006")
    typist.go("#add-term")
    typist.press("Enter")
    tab.wait_for_selector("#objective li")
    typist.go("#save", "Shift+Tab")
    with tab.expect_download() as loading:
        typist.press("Enter")
    found = Scenario.loads(Path(loading.value.path()).read_text(encoding="utf-8"))
    assert (found.title, len(found.game.units), len(found.game.board.hexes)) == ("Mine", 20, 200)

    typist.go("[role=tab][aria-selected=true]", "Shift+Tab")
    typist.press("ArrowLeft")
    expect(tab.locator("#tab-suggest")).to_be_focused()
    typist.write("#seconds", "20")
    typist.go("#find")
    with held_back(tab, "**/go"):
        typist.press("Enter")
        expect(tab.locator("#stop")).to_be_focused()  # the other one can't be pressed for now
    tab.wait_for_selector("#make:not([disabled])")
    expect(tab.locator("#value")).to_have_text("1")
    expect(tab.locator("#live")).to_have_text(re.compile("Proved|The best so far"))
    typist.go("#send")
    with tab.expect_download() as loading:
        typist.press("Enter")
    friend(tab, Path(loading.value.path()).read_text(encoding="utf-8"), tmp_path)

    # An own move, and why it doesn't work: the unit is taken on the map.
    typist.go("[role=tab][aria-selected=true]", "Shift+Tab")
    typist.press("Home")
    expect(tab.locator("#tab-play")).to_be_focused()
    tab.wait_for_selector("#end-phase:not([disabled])")
    typist.press("Escape")
    assert typist.at("#view")
    typist.hex("0303")
    expect(tab.locator("#here")).to_contain_text("Infantry")
    typist.press("Enter")
    tab.wait_for_function("() => planner.map.reached.size > 0")
    expect(tab.locator("#live")).to_contain_text("reaches")
    typist.press("p")
    typist.write("#to", "2009")
    typist.press("Enter")
    tab.wait_for_selector("#why .rule", timeout=90_000)
    rule = tab.inner_text("#why .rule >> nth=0")
    expect(tab.locator("#live")).to_contain_text(f"can't go to 2009: {rule}")
    assert typist.presses < 1500


def test_what_a_hex_costs_is_told_where_the_arrows_are(tab: Page, server: Server) -> None:
    opened(tab, server)
    typist = Typist(tab)
    typist.go("#view")
    typist.press("n", "Enter")
    reached(tab, "w5524")
    typist.press("ArrowLeft")
    expect(tab.locator("#here")).to_contain_text("plv: 1 MP")
    tab.wait_for_function("() => planner.map.reached.get('w5326')?.text === '3\N{BLACK SQUARE}'")
    typist.hex("w5326")
    expect(tab.locator("#here")).to_contain_text(re.compile(r"plv: 3 MP, must stop \(.+\)"))
    reached(tab, "w5426", "helped")
    typist.hex("w5426")
    expect(tab.locator("#here")).to_contain_text("only with the help of inf")
    typist.hex("w5528")
    expect(tab.locator("#here")).to_contain_text("plv: out of reach")
    typist.press("Escape")  # nobody is taken any more
    expect(tab.locator("#here")).not_to_contain_text("plv: out of reach")


def test_the_map_shows_that_it_has_the_focus_when_it_fills_the_view(tab: Page, server: Server) -> None:
    opened(tab, server)
    typist = Typist(tab)
    typist.go("#view")
    typist.press(*"+++++")
    box = tab.locator("#view").bounding_box()
    assert box is not None
    clip = {"x": box["x"], "y": box["y"] + box["height"] / 2 - 20, "width": 3, "height": 40}
    tab.wait_for_timeout(400)  # what stands still is painted sharp
    edge = tab.screenshot(clip=clip)  # type: ignore[arg-type]
    typist.press("Tab")
    assert difference(edge, tab.screenshot(clip=clip)) > 10 * TOLERATED  # type: ignore[arg-type]


def test_every_counter_of_a_stack_is_taken_moved_and_put_onto_another_by_keys(tab: Page, server: Server) -> None:
    opened(tab, server)
    typist = Typist(tab)
    typist.go("[role=tab][aria-selected=true]")
    typist.press("ArrowRight", "ArrowRight")
    tab.wait_for_selector("input[name=tool]")
    typist.press("Escape")
    typist.hex("w5525")
    typist.press("Enter")
    first = tab.locator("#live")
    expect(first).to_contain_text("To be edited: plv")
    typist.press("Enter")  # the one below
    expect(first).to_contain_text("To be edited: inf")
    expect(tab.locator("#stack [aria-pressed=true]")).to_contain_text("inf")
    typist.hex("w5524")
    typist.press("Enter")
    stands(tab, "inf", "w5524")
    expect(first).to_have_text("inf stands in w5524.")
    typist.hex("w5525")
    typist.press("Enter")  # and back onto the other
    stands(tab, "inf", "w5525")
    typist.press("p")
    typist.write("#new-hex", "w5424")
    typist.press("Enter")
    stands(tab, "inf", "w5424")


@pytest.mark.parametrize(("key", "tab_name"), [("End", "open"), ("ArrowLeft", "open"), ("ArrowRight", "suggest")])
def test_tabs_are_gone_through_by_arrows_home_and_end(key: str, tab_name: str, tab: Page, server: Server) -> None:
    opened(tab, server)
    typist = Typist(tab)
    typist.go("#tab-play")
    typist.press(key)
    expect(tab.locator(f"#tab-{tab_name}")).to_be_focused()
    typist.press("Home")
    expect(tab.locator("#tab-play")).to_be_focused()


def test_what_has_been_pressed_and_is_gone_leaves_one_near(tab: Page, server: Server) -> None:
    """Else whoever works with the keyboard begins at the top of the page again."""
    new_map(tab, server)
    typist = Typist(tab)
    typist.tool("unit")
    typist.write("#place-at", "0505")
    typist.press("Enter")
    expect(tab.locator("#undo")).to_be_enabled()
    typist.go("#undo", "Shift+Tab")
    for _ in range(2):
        typist.press("Enter")
        if tab.locator("#undo").is_disabled():
            break
        tab.wait_for_timeout(200)
    expect(tab.locator("#undo")).to_be_disabled()
    expect(tab.locator("#redo")).to_be_focused()
