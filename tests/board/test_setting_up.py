"""Setting up on the board: countries and regions."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from planner.scenario import Scenario
from tests.board.conftest import Server, saved
from tests.board.test_board import drag, expect, hexagon, middle, opened, stands
from tests.board.test_newcomer import new_map, placed

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Page


def test_hexes_are_put_into_a_region_by_a_stroke_and_out_of_it_by_a_touch(
    tab: Page, server: Server, tmp_path: Path
) -> None:
    opened(tab, server)
    tab.click("#tab-setup")
    tab.check("input[value=area]")
    tab.fill("#area", "Steppe")
    drag(tab, hexagon("w5424"), hexagon("w5324"))
    expect(tab.locator("#p .area", has_text="Steppe")).not_to_have_count(0)
    tab.fill("#area", "")
    tab.mouse.click(*middle(tab, hexagon("w5324")))
    tab.wait_for_function("() => document.getElementById('toml').value.split('Steppe').length === 2")
    hexes = Scenario.loads(saved(tab, "#save", tmp_path)).game.board.hexes
    assert [label for label, one in hexes.items() if one.area == "Steppe"] == ["w5424"]


def test_a_counter_is_turned_to_its_next_side_and_back(tab: Page, server: Server, tmp_path: Path) -> None:
    opened(tab, server, "classic_hex/three_battles")
    tab.click("#tab-setup")
    tab.wait_for_selector("input[name=tool]")  # what the game has for counters is there
    tab.mouse.click(*middle(tab, "[data-unit=a1]"))
    tab.wait_for_selector("#turn")
    expect(tab.locator("#face")).to_have_value("")
    tab.click("#turn")
    expect(tab.locator("#face")).to_have_value("demoralized")
    expect(tab.locator("#counter .said")).to_contain_text("demoralized")
    unit = Scenario.loads(saved(tab, "#save", tmp_path)).game.units["a1"]
    assert "demoralized" in unit.traits
    tab.focus("#view")
    tab.keyboard.press("t")
    expect(tab.locator("#face")).to_have_value("")
    tab.click("#undo")
    expect(tab.locator("#face")).to_have_value("demoralized")
    tab.select_option("#face", "")
    expect(tab.locator("#counter .said")).not_to_contain_text("demoralized")
    assert "demoralized" not in Scenario.loads(saved(tab, "#save", tmp_path)).game.units["a1"].traits


def test_a_counter_with_values_on_both_sides_is_turned_to_them_and_back(
    tab: Page, server: Server, tmp_path: Path
) -> None:
    new_map(tab, server)  # a game whose charts know no other sides
    tab.check("input[value=unit]")
    tab.fill("#values", "5-4-6, 3-2-7")
    tab.fill("#unit-id", "guards")
    placed(tab, blue="0505")
    tab.check("input[value=select]")
    tab.mouse.click(*middle(tab, "[data-unit=guards]"))
    expect(tab.locator("#counter .said")).to_contain_text("5-4-6, 2 steps")
    tab.click("#turn")
    expect(tab.locator("#counter .said")).to_contain_text("3-2-7")
    expect(tab.locator("#message")).to_have_text("guards: 3-2-7, 1 step.")
    unit = Scenario.loads(saved(tab, "#save", tmp_path)).game.units["guards"]
    assert (unit.attack, unit.defense, unit.ma, unit.steps) == (3, 2, 7, 1)
    tab.focus("#view")
    tab.keyboard.press("t")
    expect(tab.locator("#side-up")).to_have_value("2")
    expect(tab.locator("#counter .said")).to_contain_text("5-4-6, 2 steps")
    tab.select_option("#side-up", "1")
    expect(tab.locator("#counter .said")).to_contain_text("3-2-7")


def test_a_new_map_of_another_game_has_values_as_that_game_prints_them(tab: Page, server: Server) -> None:
    new_map(tab, server, "classic_hex")
    tab.check("input[value=unit]")
    expect(tab.locator("#values")).to_have_value("3-4")  # strength and MA
    tab.evaluate("document.getElementById('new').open = true")
    tab.select_option("#model", "crossroads")
    tab.click("#create")
    expect(tab.locator("#subtitle")).to_contain_text("Crossroads")
    tab.check("input[value=unit]")
    expect(tab.locator("#values")).to_have_value("3-3-4")
    placed(tab, blue="0505")


def test_a_stack_is_taken_apart_by_the_list_of_who_is_in_it(tab: Page, server: Server) -> None:
    opened(tab, server)
    tab.click("#tab-setup")
    tab.wait_for_selector("#toml", state="attached")
    tab.mouse.click(*middle(tab, hexagon("w5525")))
    tab.click("#stack [data-take=plv]")
    expect(tab.locator("#counter .said")).to_contain_text("plv:")
    tab.fill("#new-hex", "w5424")
    tab.click("#counter button >> text=Change")
    stands(tab, "plv", "w5424")
    stands(tab, "inf", "w5525")


def test_what_is_written_for_one_counter_is_not_said_of_the_next(tab: Page, server: Server, tmp_path: Path) -> None:
    """Its new name and hex stay in the form neither once they are had nor when another counter is touched."""
    new_map(tab, server)
    placed(tab, blue="0505")
    placed(tab, blue="0707")
    tab.check("input[value=select]")
    tab.mouse.click(*middle(tab, "[data-unit=infantry1]"))
    tab.fill("#counter [name=name]", "Guards")
    tab.fill("#new-hex", "0605")
    tab.click("#counter button >> text=Change")
    stands(tab, "infantry1", "0605")
    expect(tab.locator("#new-hex")).to_have_value("")
    tab.fill("#counter [name=name]", "Old Guards")
    tab.mouse.click(*middle(tab, "[data-unit=infantry2]"))
    expect(tab.locator("#counter .said")).to_contain_text("infantry2")
    expect(tab.locator("#counter [name=name]")).to_have_value("")
    tab.fill("#new-hex", "0807")
    tab.click("#counter button >> text=Change")
    stands(tab, "infantry2", "0807")
    units = Scenario.loads(saved(tab, "#save", tmp_path)).game.units
    assert [units[name].name for name in ("infantry1", "infantry2")] == ["Guards", "infantry2"]


def test_what_is_written_as_text_is_lost_by_no_other_edit(tab: Page, server: Server, tmp_path: Path) -> None:
    """It is applied before what is done on the map; while it has faults, and before it is applied, nothing else is done."""
    new_map(tab, server)
    placed(tab, blue="0505")
    tab.click("#text summary")
    expect(tab.locator("#toml")).to_have_value(re.compile("0505"))
    before = tab.input_value("#toml")
    tab.fill("#toml", f"# mine\n{before}")
    placed(tab, blue="0707")
    expect(tab.locator("#toml")).to_have_value(re.compile("^# mine\n(.|\n)*0707"))
    tab.click("#undo")  # the counter
    expect(tab.locator("#toml")).to_have_value(f"# mine\n{before}")
    tab.click("#undo")  # what was written
    expect(tab.locator("#toml")).to_have_value(before)
    tab.fill("#toml", f"# mine\n{before} and faulty")
    tab.mouse.click(*middle(tab, hexagon("0808")))
    expect(tab.locator("#message")).to_have_text("Not done: what is written as text has faults.")
    tab.click("#undo")
    expect(tab.locator("#message")).to_have_text("Apply what you have written as text before, or leave it.")
    expect(tab.locator("#toml")).to_have_value(f"# mine\n{before} and faulty")
    assert list(tab.evaluate("Object.values(planner.state.at)")) == ["0505"]
    tab.click("#leave-text")
    expect(tab.locator("#toml")).to_have_value(before)
    tab.fill("#toml", f"# saved\n{before}")
    assert saved(tab, "#save", tmp_path) == f"# saved\n{before}"


def test_what_is_written_as_text_belongs_to_its_draft(tab: Page, server: Server) -> None:
    new_map(tab, server)
    placed(tab, blue="0505")
    tab.click("#text summary")
    expect(tab.locator("#toml")).to_have_value(re.compile("0505"))
    written = f"# mine\n{tab.input_value('#toml')}"
    tab.fill("#toml", written)
    tab.wait_for_function("() => JSON.parse(sessionStorage['planner.draft']).typed")
    tab.reload()
    tab.click("#tab-setup")
    expect(tab.locator("#toml")).to_have_value(written)
    opened(tab, server, "classic_hex/three_battles")
    tab.click("#tab-setup")
    expect(tab.locator("#title-of")).to_have_value("Three battles")
    expect(tab.locator("#toml")).to_have_value(re.compile('model = "classic_hex"'))
    tab.click("#before")
    expect(tab.locator("#toml")).to_have_value(written)


def test_a_list_shows_what_is_so_after_something_else_has_been_refused(tab: Page, server: Server) -> None:
    """Whose enemies are named by the objective can't be the side that moves."""
    opened(tab, server, "classic_hex/three_battles")
    tab.click("#tab-setup")
    expect(tab.locator("#phasing")).to_have_value("blue")
    tab.select_option("#phasing", "red")
    expect(tab.locator("#message")).to_contain_text("Not done: 'e1' must be an enemy")
    expect(tab.locator("#phasing")).to_have_value("blue")
    tab.mouse.click(*middle(tab, "[data-unit=a1]"))
    tab.route("**/api/edit", lambda asked: asked.fulfill(json={"text": "", "problems": [{"what": "no", "where": ""}]}))
    tab.select_option("#face", "demoralized")
    expect(tab.locator("#message")).to_contain_text("Not done: no")
    expect(tab.locator("#face")).to_have_value("")


def test_what_has_been_played_comes_back_when_what_was_set_up_is_undone(tab: Page, server: Server) -> None:
    """Setting up begins from the scenario as it was, so the first edit ends the game: it is said, and is no loss."""
    opened(tab, server)
    tab.evaluate("planner.panels.play.makeAll(['inf w5525-w5424'])")
    stands(tab, "inf", "w5424")
    tab.click("#tab-setup")
    expect(tab.locator("#message")).to_contain_text("what has been made since is taken back by the first edit")
    tab.fill("#title-of", "Another")
    tab.press("#title-of", "Tab")
    stands(tab, "inf", "w5525")
    tab.click("#undo")
    stands(tab, "inf", "w5424")
    tab.click("#tab-play")
    expect(tab.locator("#record")).to_contain_text("inf w5525-w5424")
    tab.click("#undo")
    stands(tab, "inf", "w5525")
