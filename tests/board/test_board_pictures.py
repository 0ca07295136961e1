"""The board looks as it did when somebody looked at it.

New references: PLANNER_REFERENCES=new, then look at every one of them.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import pytest

from tests.board.conftest import Server
from tests.board.test_board import opened
from tests.draw.browsing import TOLERATED, difference

if TYPE_CHECKING:
    from playwright.sync_api import Page

REFERENCES = Path(__file__).parent / "references"


SCHEMES: dict[str, Literal["light", "dark"]] = {"reach": "light", "dark": "dark"}


@pytest.mark.parametrize("name", SCHEMES)
def test_the_board_looks_as_it_did_when_somebody_looked_at_it(name: str, tab: Page, server: Server) -> None:
    tab.set_viewport_size({"width": 900, "height": 560})
    tab.emulate_media(color_scheme=SCHEMES[name])
    opened(tab, server)
    tab.evaluate("() => { planner.server.slow = () => new Promise(() => {}); }")  # what takes help comes when it comes
    tab.click("[data-unit=inf]")
    tab.check("[data-pick=plv]")
    tab.uncheck("[data-pick=inf]")
    tab.wait_for_function("() => planner.map.reached.get('w5326')?.text === '3\N{BLACK SQUARE}'")
    tab.mouse.move(2, 2)
    tab.wait_for_timeout(400)  # what stands still is painted sharp
    found = tab.locator("#view").screenshot()
    file = REFERENCES / f"{name}.png"
    if os.environ.get("PLANNER_REFERENCES") == "new":
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(found)
    assert difference(found, file.read_bytes()) < TOLERATED
    tab.evaluate(
        "() => { document.getElementById('under').style.display = document.getElementById('over').style.display = 'none'; }"
    )
    assert (
        difference(tab.locator("#view").screenshot(), found) > TOLERATED
    )  # that without the answer it would be noticed
