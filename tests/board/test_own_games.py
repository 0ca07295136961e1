"""A game of one's own, in a folder beside the scenario, on the board that `planner board` opens."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from planner.formats.files import data_folder
from tests.board.conftest import MUST, saved, watched
from tests.board.test_board import expect, hexagon, middle

if TYPE_CHECKING:
    from playwright.sync_api import Browser


def own_game(folder: Path) -> Path:
    """Write a game, and a scenario of it in a folder beside it; return the scenario's file."""
    shutil.copytree(data_folder("models") / "crossroads", folder / "my_game")
    rules = folder / "my_game" / "rulebook.toml"
    text = rules.read_text(encoding="utf-8")
    rules.write_text(re.sub(r'(?m)^title = ".*"$', 'title = "Mine"', text, count=1), encoding="utf-8")
    (folder / "positions").mkdir()
    file = folder / "positions" / "first.toml"
    shipped = (data_folder("scenarios") / "crossroads" / "start.toml").read_text(encoding="utf-8")
    file.write_text(shipped.replace('"crossroads"', '"../my_game"', 1), encoding="utf-8")
    return file


@pytest.mark.skipif(not MUST, reason="the board is tested in a browser with PLANNER_BROWSER=1")
def test_a_game_of_ones_own_is_played_edited_and_saved(browser: Browser, tmp_path: Path) -> None:
    wrong: list[str] = []
    command = [sys.executable, "-m", "planner", "board", str(own_game(tmp_path)), "--no-open"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as running:
        try:
            assert running.stdout is not None
            address = running.stdout.readline().strip()
            context = browser.new_context(viewport={"width": 1200, "height": 800}, accept_downloads=True)
            tab = watched(context.new_page(), address, wrong)
            tab.goto(address)
            tab.wait_for_selector("#end-phase")
            expect(tab.locator("#subtitle")).to_contain_text("Mine")
            tab.click("#tab-setup")
            tab.check("input[value=unit]")
            count, label = tab.evaluate(
                """() => { const taken = Object.values(planner.state.at);
                  return [taken.length, [...planner.map.where.keys()].find((label) => !taken.includes(label))]; }"""
            )
            tab.mouse.click(*middle(tab, hexagon(label)))
            tab.wait_for_function("count => Object.keys(planner.state.at).length === count + 1", arg=count)
            expect(tab.locator("#model option", has_text="Mine")).to_have_count(1)
            tab.click("#tab-play")
            tab.reload()
            tab.click("#tab-setup")
            tab.wait_for_function("count => Object.keys(planner.state.at).length === count + 1", arg=count)
            assert 'model = "../my_game"' in saved(tab, "#save", tmp_path)
            tab.evaluate("document.getElementById('new').open = true")
            tab.select_option("#model", label="Mine")
            tab.click("#create")
            tab.wait_for_function("() => planner.map.where.size === 200")
            expect(tab.locator("#subtitle")).to_contain_text("Mine")
            context.close()
        finally:
            running.kill()
    assert not wrong
