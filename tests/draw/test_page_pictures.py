"""Pages look as they did when somebody looked at them.

New references: PLANNER_REFERENCES=new, then look at every one of them.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import planner
from planner.draw.picture import Picture
from tests.draw.browsing import MUST, TOLERATED, difference, opened
from tests.draw.cases import with_plan

if TYPE_CHECKING:
    from playwright.sync_api import Page

REFERENCES = Path(__file__).parent / "references"
LARGE, SMALL, PHONE = (1200, 760), (900, 620), (390, 844)


def _plan(name: str, step: int) -> Callable[[], Picture]:
    return lambda: Picture(*with_plan(name)).step_to(step)


def _large() -> Picture:
    from benchmarks.draw_map import scenario

    return Picture(scenario())


def _illegal() -> Picture:
    return planner.picture("dai_senso/manchuria", ["inf w5525-w5524", "plv w5525-w5425xw5426"]).step_to(2)


def _reach(name: str, unit: str) -> Callable[[], Picture]:
    return lambda: planner.picture(name, reach=planner.reach(name, unit))


def _explained() -> Picture:
    picture = planner.explain("dai_senso/manchuria", "plv w5525-w5425xw5426").picture()
    assert picture is not None
    return picture


def _defended() -> Picture:
    picture = planner.defend("dai_senso/manchuria", every=True).picture()
    assert picture is not None
    return picture


SHOTS: dict[str, tuple[Callable[[], Picture], tuple[int, int]]] = {
    "manchuria": (_plan("dai_senso/manchuria", 2), LARGE),
    "island_campaign": (_plan("dai_senso/island_campaign", 8), LARGE),
    "carpet": (_plan("ocs/carpet", 1), LARGE),
    "through_the_line": (_plan("a_world_at_war/through_the_line", 3), LARGE),
    "over_the_top": (_plan("great_war/over_the_top", 4), LARGE),
    "three_battles": (_plan("classic_hex/three_battles", 5), LARGE),
    "large_map": (_large, SMALL),
    "illegal": (_illegal, SMALL),
    "reach": (_reach("dai_senso/manchuria", "plv"), SMALL),
    "reach_over_wire": (_reach("great_war/puzzles/wire_and_tank", "rifles"), SMALL),
    "explained": (_explained, SMALL),
    "defended": (_defended, SMALL),
    "phone": (_plan("great_war/over_the_top", 4), PHONE),
    "dark": (_plan("dai_senso/manchuria", 2), SMALL),
}
"""What is photographed, and how large the window is; "dark" where the system is."""


def _shot(tab: Page, name: str, tmp_path: Path) -> bytes:
    make, (width, height) = SHOTS[name]
    tab.set_viewport_size({"width": width, "height": height})
    tab.emulate_media(color_scheme="dark" if name == "dark" else "light")
    opened(tab, make(), tmp_path)
    return tab.locator("#view").screenshot()


@pytest.mark.parametrize("name", SHOTS)
def test_pages_look_as_they_did_when_somebody_looked_at_them(name: str, tab: Page, tmp_path: Path) -> None:
    if not MUST:
        pytest.importorskip("PIL", reason="needs the extra browser")
    file = REFERENCES / f"{name}.png"
    found = _shot(tab, name, tmp_path)
    if os.environ.get("PLANNER_REFERENCES") == "new":
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(found)
    assert difference(found, file.read_bytes()) < TOLERATED


def test_a_page_without_its_counters_or_its_terrain_would_be_noticed(tab: Page, tmp_path: Path) -> None:
    if not MUST:
        pytest.importorskip("PIL", reason="needs the extra browser")
    whole = _shot(tab, "over_the_top", tmp_path)
    for missing in (".counters", ".hexes"):
        tab.evaluate("(what) => { document.querySelector(`#p ${what}`).style.display = 'none'; }", missing)
        assert difference(tab.locator("#view").screenshot(), whole) > 1.5 * TOLERATED
        tab.evaluate("(what) => { document.querySelector(`#p ${what}`).style.display = ''; }", missing)
    assert difference(tab.locator("#view").screenshot(), whole) == 0
