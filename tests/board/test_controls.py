"""Every control of the board does what it says: those that the jobs of other files don't use, and a list of all of them."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

from planner.formats.files import data_folder
from planner.playing.game_record import GameRecord
from planner.scenario import Scenario
from tests.board.conftest import Server, held_back, long_front, saved
from tests.board.test_board import drag, expect, hexagon, middle, opened, stands
from tests.board.test_newcomer import new_map, placed
from tests.draw.test_page_use import pages

if TYPE_CHECKING:
    from playwright.sync_api import Page

TESTS = {
    r"Play|Best moves|Set up|Open": "test_no_rule_of_accessibility_is_broken",
    r"\+ zoom in|− zoom out|Fit the whole map|◐ dark|Map: .*": "test_the_map_is_zoomed_moved_fitted_and_darkened",
    r"Legend|Keys": "test_legend_and_keys_are_unfolded",
    # Open
    r"Set up a new map|Game|Hexes across|Hexes down|Create|A new map": (
        "test_a_new_map_is_begun_from_the_first_page_and_every_tool_says_what_a_touch_does"
    ),
    r"From a file \(TOML\).*|puzzles alone|The .*": "test_positions_are_chosen_from_a_list_and_from_files",
    r"Letters act .*": "test_letters_can_be_kept_from_acting_beside_the_map",
    # Play
    r"Undo": "test_a_player_asks_drags_is_refused_with_the_reason_and_takes_the_help_offered",
    r"Next unit|End phase|.* to hex|Go|Roll|Seed .*|Record|Position|Page to send|Made in this phase": (
        "test_a_phase_is_played_by_buttons_and_saved"
    ),
    r"The planner plays this phase|Move now": "test_one_plays_against_the_planner",
    r"Who can come to .*": "test_who_can_come_is_asked_by_a_button",
    r"Attacks|Attack": "test_attacks_are_weighed_before_they_are_made",
    r"A hint.*": "test_a_puzzle_gives_hints_one_by_one_and_hides_its_answer",
    r"Diagram to print": "test_a_puzzle_is_saved_as_a_diagram_with_what_it_asks",
    r".*\(.*, .*\)": "test_units_that_are_marked_go_together",
    # Best moves
    r"Seconds at most|Find the best moves": "test_the_best_plan_is_found_stepped_through_and_made",
    r"Stop": "test_a_search_that_is_stopped_ends_with_what_is_known",
    r"reacts to what is rolled": "test_a_plan_that_reacts_is_gone_through_by_saying_what_is_rolled",
    r"Plans|as different as possible": "test_several_plans_stand_side_by_side_and_the_chosen_one_is_made",
    r"◀ back|▶ next move|Moves played|\w+ \w+-.*|What it is worth": "test_a_plan_is_stepped_through_by_every_control",
    r"Make these moves": "test_the_best_plan_is_found_stepped_through_and_made",
    # Set up
    r"Redo|Save \(TOML\)|Title|Add|hexes|Terrain|Hexside|Side|Type|Values \(.*": (
        "test_an_author_sets_up_asks_is_told_why_not_and_sends_the_page"
    ),
    r"Move and edit counters|Place counters|Paint terrain|Paint hexsides|Mark hexes|Countries and areas": (
        "test_a_new_map_is_begun_from_the_first_page_and_every_tool_says_what_a_touch_does"
    ),
    r"Back to the draft before": "test_a_draft_is_kept_when_the_page_is_loaded_again",
    r"Mark|take it away": "test_what_has_been_painted_is_taken_away_again",
    r"Country or region .*": "test_hexes_are_put_into_a_region_by_a_stroke_and_out_of_it_by_a_touch",
    r"Steps .*|Id \(absent.*|New name|New values .*|New steps|Change|Delete": "test_counters_are_placed_changed_and_deleted",
    r"In hex .*|Place": "test_a_newcomers_whole_job_is_done_by_the_keyboard_alone",
    r"New hex|\w+: .*\(.*, .*\)": "test_a_stack_is_taken_apart_by_the_list_of_who_is_in_it",
    r"Side that is up|Turn": "test_a_counter_is_turned_to_its_next_side_and_back",
    r"Phase|Side to move|Take away: .*|as|\w+ \(may be absent\)": "test_phase_side_and_terms_are_set_and_taken_away",
    r"As text \(TOML\)|The scenario file.*|Apply": (
        "test_what_would_break_the_scenario_is_refused_in_words_and_text_is_mended"
    ),
}
"""By pattern of their accessible names: the test that uses them."""

CONTROLS = {
    "button", "textbox", "checkbox", "radio", "combobox", "spinbutton", "slider", "tab", "link", "DisclosureTriangle",
    "application", "menuitem", "switch", "searchbox",
}  # fmt: skip


def controls(tab: Page) -> set[str]:
    """Return the names of what can be used, as the tree has them that a screen reader goes by."""
    tree = tab.context.new_cdp_session(tab).send("Accessibility.getFullAXTree")["nodes"]
    return {
        node.get("name", {}).get("value", "").strip()
        for node in tree
        if not node.get("ignored") and node.get("role", {}).get("value") in CONTROLS
    }


def test_every_control_has_a_test_that_uses_it(tab: Page, server: Server) -> None:
    tab.goto(server.url)
    tab.wait_for_selector("#new-map")
    tab.check("text=puzzles alone")
    tab.select_option("#game", "ocs")
    tab.evaluate("document.querySelectorAll('ul.plain').forEach((one) => one.remove())")  # the list is used below
    seen = controls(tab)
    opened(tab, server)
    tab.click("[data-unit=inf]")
    tab.wait_for_selector("#to")
    seen |= controls(tab)
    tab.click("#tab-suggest")
    tab.fill("#count", "2")
    tab.wait_for_selector("#diverse")
    seen |= controls(tab)
    tab.fill("#count", "1")
    tab.click("#find")
    tab.wait_for_selector("#make:not([disabled])")
    seen |= controls(tab)
    tab.click("#tab-setup")
    tab.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
    for tool in ("unit", "terrain", "hexside", "trait", "area", "select"):
        tab.check(f"input[value={tool}]")
        seen |= controls(tab)
    tab.mouse.click(*middle(tab, "[data-unit=inf]"))
    tab.wait_for_selector("#counter")
    seen |= controls(tab)
    assert len(seen) > 60
    untested = {name for name in seen if not any(re.fullmatch(pattern, name) for pattern in TESTS)}
    assert not untested
    written = "".join(file.read_text(encoding="utf-8") for file in Path(__file__).parent.glob("test_*.py"))
    assert [test for test in TESTS.values() if f"def {test}(" not in written] == []


# -- the map


def width(tab: Page) -> float:
    return float(tab.evaluate("planner.camera.width()"))


def test_the_map_is_zoomed_moved_fitted_and_darkened(tab: Page, server: Server) -> None:
    opened(tab, server)
    whole = width(tab)
    tab.click("#larger")
    assert width(tab) < whole
    tab.click("#smaller")
    assert abs(width(tab) - whole) < 1
    tab.click("#larger")
    tab.click("#fit")
    assert abs(width(tab) - whole) < 1
    tab.mouse.move(*middle(tab, "#view"))
    tab.mouse.wheel(0, -300)
    tab.wait_for_function("whole => planner.camera.width() < whole", arg=whole)
    tab.focus("#view")
    tab.keyboard.press("0")
    assert abs(width(tab) - whole) < 1
    corner = "planner.camera.at(0, 0)"
    before = tab.evaluate(corner)
    tab.keyboard.press("Shift+ArrowRight")
    assert tab.evaluate(corner)[0] > before[0]
    tab.keyboard.press("Shift+ArrowUp")
    assert tab.evaluate(corner)[1] < before[1]
    tab.keyboard.press("0")
    before = tab.evaluate(corner)
    x, y = middle(tab, hexagon("w5327"))
    tab.mouse.move(x, y)
    tab.mouse.down()
    tab.mouse.move(x - 40, y, steps=4)
    tab.mouse.up()
    assert tab.evaluate(corner)[0] > before[0]
    assert tab.evaluate("planner.chosen") is None  # to move the map is no touch
    tab.click("#theme")
    colour = "getComputedStyle(document.body).backgroundColor"
    assert tab.evaluate(colour) == "rgb(28, 27, 24)"
    tab.reload()
    tab.wait_for_selector("#end-phase")
    assert tab.evaluate(colour) == "rgb(28, 27, 24)"
    tab.click("#theme")
    assert tab.evaluate(colour) == "rgb(255, 253, 246)"


def test_letters_can_be_kept_from_acting_beside_the_map(tab: Page, server: Server) -> None:
    """So that nobody who talks to the computer ends a phase by a word: WCAG 2.1.4."""
    opened(tab, server)
    picked = "#panel [data-pick]:checked"
    tab.focus("#next-unit")
    tab.keyboard.press("n")
    expect(tab.locator(picked)).to_have_count(1)
    tab.keyboard.press("Escape")
    tab.keyboard.press("Escape")
    expect(tab.locator(picked)).to_have_count(0)
    tab.click("#keys summary")
    tab.uncheck("#letters")
    for where in ("#letters", "#next-unit", "#record summary"):
        tab.focus(where)
        for key in "nuewt":
            tab.keyboard.press(key)
    tab.evaluate("document.activeElement.blur()")
    tab.keyboard.press("n")
    tab.focus("#view")
    tab.keyboard.press("n")  # it is answered after what would have been asked before
    expect(tab.locator(picked)).to_have_count(1)
    assert tab.evaluate("planner.server.done") == []
    first = tab.get_attribute(picked, "data-pick")
    tab.reload()
    tab.wait_for_selector("#end-phase:not([disabled])")
    expect(tab.locator("#letters")).not_to_be_checked()
    tab.click("#keys summary")
    tab.check("#letters")
    tab.focus("#next-unit")
    tab.keyboard.press("n")
    expect(tab.locator(picked)).to_have_attribute("data-pick", str(first))


def test_legend_and_keys_are_unfolded(tab: Page, server: Server) -> None:
    opened(tab, server)
    for part, told in {"legend": "Kwantung unit", "keys": "undo"}.items():
        expect(tab.locator(f"#{part}").get_by_text(told, exact=True).first).to_be_hidden()
        tab.click(f"#{part} summary")
        expect(tab.locator(f"#{part}").get_by_text(told, exact=True).first).to_be_visible()


# -- opening


def test_positions_are_chosen_from_a_list_and_from_files(tab: Page, server: Server, tmp_path: Path) -> None:
    tab.goto(server.url)
    tab.wait_for_selector("#new-map")
    listed = tab.locator("#panel .link")
    everything = listed.count()
    tab.select_option("#game", "great_war")
    expect(tab.locator("#panel small").first).to_contain_text("great_war/")
    some = listed.count()
    assert 0 < some < everything
    tab.check("text=puzzles alone")
    assert 0 < listed.count() <= some
    tab.click("#panel .link >> text=Tank first")
    tab.wait_for_selector("#end-phase")
    expect(tab.locator("#title")).to_have_text("Tank first")
    text = (data_folder("scenarios") / "dai_senso" / "manchuria.toml").read_text(encoding="utf-8")
    (tmp_path / "mine.toml").write_text(re.sub(r'(?m)^title = ".*"$', 'title = "Mine"', text), encoding="utf-8")
    tab.click("#tab-open")
    tab.set_input_files("#file", tmp_path / "mine.toml")
    expect(tab.locator("#title")).to_have_text("Mine")
    (tmp_path / "broken.toml").write_text("model = 3", encoding="utf-8")
    tab.click("#tab-open")
    tab.set_input_files("#file", tmp_path / "broken.toml")
    expect(tab.locator("#message")).to_contain_text("model")
    expect(tab.locator("#title")).to_have_text("Mine")  # what was open stays


# -- playing


def test_units_that_are_marked_go_together(tab: Page, server: Server) -> None:
    opened(tab, server, "classic_hex/six_against_four")
    found = tab.evaluate(
        """() => { const at = Object.entries(planner.state.at), side = planner.state.side, units = planner.picture.units;
          const own = at.filter(([unit]) => units[unit].side === side);
          return own.map(([unit, label]) => [label, own.filter(([, other]) => other === label).map(([one]) => one)])
            .find(([, those]) => those.length > 1) ?? own.map(([unit, label]) => [label, [unit]])[0]; }"""
    )
    label, together = found
    tab.mouse.click(*middle(tab, hexagon(label)))
    for unit in together:
        tab.check(f"[data-pick={unit}]")
    for unit in together:
        expect(tab.locator("form label", has_text="to hex")).to_contain_text(re.compile(rf"\b{unit}\b"))
    tab.uncheck(f"[data-pick={together[-1]}]")
    expect(tab.locator(f"[data-pick={together[-1]}]")).not_to_be_checked()


def test_who_can_come_is_asked_by_a_button(tab: Page, server: Server) -> None:
    opened(tab, server)
    tab.mouse.click(*middle(tab, hexagon("w5424")))
    tab.click("#who")
    expect(tab.locator("#hex li")).to_contain_text(["plv w5525-w5424", "inf w5525-w5424"])


def test_a_phase_is_played_by_buttons_and_saved(tab: Page, server: Server, tmp_path: Path) -> None:
    opened(tab, server, "great_war/puzzles/tank_first")
    rolled = set()
    for _ in range(2):  # the same seed rolls the same
        tab.click("#next-unit")
        tab.wait_for_selector("#to")
        while "tank" not in tab.inner_text("form label >> nth=0"):
            tab.click("#next-unit")
            tab.wait_for_timeout(100)
        tab.fill("#to", "E5")
        tab.click("form button >> text=Go")
        tab.fill("input[type=number][min='0']", "7")
        tab.click("#roll")
        tab.wait_for_function("() => planner.state.made.length === 1")
        rolled.add(tab.evaluate("planner.state.made[0]"))
        expect(tab.locator("#record li")).to_have_text(list(rolled))
        tab.click("#undo")  # the roll
        expect(tab.locator("#roll")).to_be_visible()
        tab.click("#undo")  # the move
        expect(tab.locator("#roll")).to_have_count(0)
    assert len(rolled) == 1
    expect(tab.locator("#record")).to_contain_text("Nothing yet.")
    tab.click("#record summary")
    expect(tab.locator("#save-record")).to_be_hidden()
    tab.click("#record summary")
    assert Scenario.loads(saved(tab, "#save-position", tmp_path)).title == "Tank first"
    page = saved(tab, "#save-page", tmp_path)
    assert "<!doctype html>" in page.lower()
    assert "Tank first" in page
    tab.focus("#view")
    tab.keyboard.press("e")
    tab.wait_for_function("() => planner.server.done.at(-1)?.[0] === 'end_phase'")
    record = saved(tab, "#save-record", tmp_path)
    assert len(list(GameRecord.from_dict(json.loads(record)).positions())) == 2


def test_one_plays_against_the_planner(tab: Page, server: Server) -> None:
    opened(tab, server, "crossroads/puzzles/not_all_across")  # where something is rolled
    with held_back(tab, "**/go"):
        tab.click("#planner-plays")
        expect(tab.locator("#hurry")).to_be_visible()
        expect(tab.locator("#end-phase")).to_be_disabled()
    tab.wait_for_function("() => planner.server.done.at(-1)?.[0] === 'end_phase'")
    expect(tab.locator("#message")).to_contain_text(re.compile("The planner has made: .* -> 0705="))
    done = tab.evaluate("planner.server.done.map(([verb]) => verb)")
    assert "roll" in done


def test_the_planner_that_is_hurried_plays_what_it_has(tab: Page, server: Server, tmp_path: Path) -> None:
    long_front(tab, server, tmp_path)
    tab.click("#planner-plays")
    tab.click("#hurry")
    tab.wait_for_function("() => planner.server.done.length > 0")
    expect(tab.locator("#planner-plays")).to_be_enabled()
    before = tab.evaluate("planner.server.done.length")
    tab.click("#undo")  # what it has made can be taken back
    tab.wait_for_function("before => planner.server.done.length === before - 1", arg=before)


def test_the_planner_attacks_whom_it_must_before_it_ends_its_phase(tab: Page, server: Server) -> None:
    opened(tab, server, "crossroads/start")  # of which the best plan says nothing of attacks
    tab.click("#planner-plays")
    tab.wait_for_function("() => planner.server.done.at(-1)?.[0] === 'end_phase'")
    expect(tab.locator("#message")).to_contain_text(re.compile("The planner has made: .* -> "))


def test_an_illegal_drop_says_why_at_the_hex(tab: Page, server: Server) -> None:
    opened(tab, server)
    drag(tab, "[data-unit=inf]", hexagon("w5426"))
    tab.wait_for_selector("#why .rule", timeout=90_000)
    expect(tab.locator(".blame text").first).to_be_attached()
    expect(tab.locator(".arrow.wrong")).not_to_have_count(0)


def test_the_board_is_printed_on_one_page_without_its_buttons(tab: Page, server: Server) -> None:
    for name in ("dai_senso/manchuria", "crossroads/start"):
        opened(tab, server, name)
        assert pages(tab.pdf()) == 1
    moves = ["be 0406-0506-0605", "bc2 0508-0507-0606-0707", "b4 0405-0506-0605-0705", "bc1 0303-0403-0504-0603",
             "b3 0405-0506-0605-0705-0804", "bm1 0306-0405-0506-0605-0705-0804-0904", "b2 0402-0502-0601"]  # fmt: skip
    tab.evaluate("moves => planner.panels.play.makeAll(moves)", moves)
    tab.click("#end-phase")  # which can't end yet: that is told, and what has been made
    expect(tab.locator("#broken li")).to_have_count(7)
    assert pages(tab.pdf()) == 1
    tab.emulate_media(media="print")
    assert tab.evaluate("[...document.querySelectorAll('button')].filter((one) => one.checkVisibility()).length") == 0
    expect(tab.locator("#title")).to_be_visible()


# -- a plan


def test_a_plan_is_stepped_through_by_every_control(tab: Page, server: Server) -> None:
    opened(tab, server)
    tab.click("#tab-suggest")
    tab.click("#find")
    tab.wait_for_selector("#make:not([disabled])")
    slider, moves = tab.locator("#slider"), tab.locator(".stepping + ol li")
    last = moves.count()
    assert last == 2
    expect(slider).to_have_value("2")
    tab.click("#previous")
    expect(slider).to_have_value("1")
    expect(moves.nth(0)).to_have_attribute("aria-current", "step")
    tab.click("#next")
    expect(slider).to_have_value("2")
    expect(tab.locator("#next")).to_be_disabled()
    slider.fill("0")
    expect(tab.locator("#previous")).to_be_disabled()
    moves.nth(0).locator("button").click()
    expect(slider).to_have_value("1")
    tab.focus("#view")
    tab.keyboard.press("ArrowRight")
    expect(slider).to_have_value("2")
    tab.keyboard.press("ArrowLeft")
    expect(slider).to_have_value("1")
    tab.click("text=What it is worth")
    expect(tab.locator("details[open] li").first).to_contain_text("×")
    assert tab.evaluate("planner.state.made") == []  # seen, not made


# -- setting up


def scenario(tab: Page, folder: Path) -> Scenario:
    return Scenario.loads(saved(tab, "#save", folder))


def test_what_has_been_painted_is_taken_away_again(tab: Page, server: Server, tmp_path: Path) -> None:
    opened(tab, server)
    tab.click("#tab-setup")
    tab.check("input[value=trait]")
    trait = tab.input_value("#trait")

    def marked(label: str) -> bool:
        return trait in scenario(tab, tmp_path).game.board.hexes[label].traits

    def touched() -> None:
        before = tab.evaluate("document.getElementById('toml').value")
        tab.mouse.click(*middle(tab, hexagon("w5327")))
        tab.wait_for_function("before => document.getElementById('toml').value !== before", arg=before)

    touched()
    assert marked("w5327")
    tab.check("#off")
    touched()
    assert not marked("w5327")
    # A hexside by the keyboard: the hex, then the one on its other side.
    tab.check("input[value=hexside]")
    tab.select_option("#hexside", "river")
    for off in (False, True):
        tab.set_checked("#off", off)
        tab.evaluate("planner.panels.setup.enterHex('w5327')")
        expect(tab.locator("#message")).to_contain_text("the hex on the other side")
        tab.evaluate("planner.panels.setup.enterHex('w5328')")
        tab.wait_for_function("on => document.getElementById('toml').value.includes('river') === on", arg=not off)


def test_counters_are_placed_changed_and_deleted(tab: Page, server: Server, tmp_path: Path) -> None:
    new_map(tab, server)
    tab.check("input[value=unit]")
    tab.fill("#steps", "2")
    tab.fill("#unit-id", "guards")
    placed(tab, blue="0505")
    expect(tab.locator("#unit-id")).to_have_value("")  # the next one has another
    tab.check("input[value=select]")
    tab.mouse.click(*middle(tab, "[data-unit=guards]"))
    tab.fill("#counter [name=name]", "1st Guards")
    tab.fill("#new-values", "5-4-6")
    tab.fill("#counter [name=steps]", "1")
    tab.click("#counter button >> text=Change")
    expect(tab.locator("#counter .said")).to_contain_text("1st Guards")
    unit = scenario(tab, tmp_path).game.units["guards"]
    assert (unit.name, unit.attack, unit.defense, unit.steps) == ("1st Guards", 5, 4, 1)
    tab.focus("#view")
    tab.keyboard.press("u")
    expect(tab.locator("#counter .said")).not_to_contain_text("1st Guards")
    tab.click("#redo")
    expect(tab.locator("#counter .said")).to_contain_text("1st Guards")
    page = saved(tab, "#share", tmp_path)
    assert "1st Guards" in page
    tab.click("#delete")
    expect(tab.locator("[data-unit=guards]")).to_have_count(0)
    assert not scenario(tab, tmp_path).game.units


LATE_PICTURES = """() => {
    const now = window.fetch;
    window.fetch = async (path, ...more) => {
        if (String(path).endsWith("/picture")) await new Promise((resolve) => setTimeout(resolve, 500));
        return now(path, ...more);
    };
}"""


def test_counters_are_dragged_and_stacked(tab: Page, server: Server, tmp_path: Path) -> None:
    opened(tab, server)
    tab.click("#tab-setup")
    tab.wait_for_selector("#toml", state="attached")
    drag(tab, "[data-unit=inf111]", hexagon("w5527"))
    stands(tab, "inf111", "w5527")
    tab.evaluate(LATE_PICTURES)  # what is saved at once is what has been done, though it isn't seen yet
    drag(tab, "[data-unit=hailar]", hexagon("w5527"))
    stands(tab, "hailar", "w5527")  # onto another: a stack
    assert [scenario(tab, tmp_path).start.at[one] for one in ("inf111", "hailar")] == ["w5527", "w5527"]


def test_phase_side_and_terms_are_set_and_taken_away(tab: Page, server: Server, tmp_path: Path) -> None:
    new_map(tab, server)
    placed(tab, blue="0505", red="0909")
    tab.select_option("#phasing", "red")
    expect(tab.locator("#subtitle")).to_contain_text("Red")
    tab.select_option("#phase", "second_movement")
    tab.wait_for_function("() => planner.state.phase === 'second_movement'")
    for into, hexes in (("0", "0908"), ("require", "0809")):
        tab.select_option("#into", into)
        tab.fill("#field-hexes", hexes)
        tab.fill("#field-by", "infantry2")
        tab.click("#add-term")
        expect(tab.locator("#objective li", has_text=hexes)).to_have_count(1)
    found = scenario(tab, tmp_path)
    assert (found.game.situation.phasing, found.game.situation.phase) == ("red", "second_movement")
    assert (len(found.tiers), len(found.requirements)) == (1, 1)
    for hexes in ("0908", "0809"):
        tab.locator("#objective li", has_text=hexes).get_by_role("button").click()
        expect(tab.locator("#objective li", has_text=hexes)).to_have_count(0)
    found = scenario(tab, tmp_path)
    assert (len(found.tiers), len(found.requirements)) == (0, 0)
    stands(tab, "infantry1", "0505")
