"""Setting up on the board: countries and regions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from planner.scenario import Scenario
from tests.board.conftest import Server, saved
from tests.board.test_board import drag, expect, hexagon, middle, opened

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
