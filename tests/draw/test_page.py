"""Pages in a real browser: stepping, zooming, every unit where it should be, and only the page's own script that runs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from planner import api
from planner.draw.picture import Picture
from planner.plans.plan import Plan
from planner.scenario import load_scenario
from tests.draw.browsing import frame, opened, view_box
from tests.draw.cases import PLANS, with_plan
from tests.draw.test_hostile_names import NAMES, hostile

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

WHERE = """() => Object.fromEntries([...document.querySelectorAll('#p [data-unit]')]
  .filter((unit) => !unit.closest('.off'))
  .map((unit) => {
    const group = unit.closest('[data-at]');
    const label = group ? group.dataset.at : 'off the map';
    const place = document.querySelector(`#p [data-hex="${CSS.escape(label)}"]`);
    const drawn = (unit.childElementCount ? unit : unit.parentElement).getBoundingClientRect();
    const room = place ? place.getBoundingClientRect() : null;
    const x = drawn.x + drawn.width / 2, y = drawn.y + drawn.height / 2;
    const inside = !room || (x > room.x && x < room.right && y > room.y && y < room.bottom);
    return [unit.dataset.unit, [label, inside]];
  }))"""
"""Where the counters that can be seen are: what they are said to be in, and whether they are drawn inside it."""


@pytest.mark.parametrize("name", PLANS)
def test_after_each_move_every_unit_is_drawn_where_the_referee_has_it(name: str, tab: Page, tmp_path: Path) -> None:
    scenario, plan = with_plan(name)
    opened(tab, Picture(scenario, plan), tmp_path)
    for count in range(len(plan.moves) + 1):
        assert frame(tab) == count
        position = api.check(scenario, Plan(plan.moves[:count])).position
        expected = {unit: [label, True] for unit, label in position.at.items()}
        expected |= {unit: ["off the map", True] for unit in position.boxes}
        assert tab.evaluate(WHERE) == expected
        listed = tab.evaluate(
            "() => Object.fromEntries([...document.querySelectorAll('#units tbody tr')].map((row) =>"
            " [row.querySelector('button').textContent, row.querySelector('td > span:not(.off)').textContent]))"
        )
        assert {unit: label for unit, label in listed.items() if unit in position.at} == position.at
        tab.keyboard.press("ArrowRight")
    assert frame(tab) == len(plan.moves)


def test_buttons_slider_and_keys_all_step_through_the_plan(tab: Page, tmp_path: Path) -> None:
    opened(tab, Picture(*with_plan("dai_senso/manchuria")), tmp_path)
    assert tab.inner_text("#now") == "Start: 2 moves to come."
    assert tab.is_disabled("#previous")
    tab.click("#next")
    assert frame(tab) == 1
    assert tab.inner_text("#now") == ("Move 1 of 2: inf w5525-w5425, 1 MP, must stop: EZOC of kwantung4 and inf111")
    assert tab.get_attribute("li[data-frame='1']", "aria-current") == "step"
    tab.click("#final")
    assert frame(tab) == 2
    assert tab.is_disabled("#next")
    tab.click("#first")
    tab.focus("#slider")
    tab.keyboard.press("ArrowRight")
    assert frame(tab) == 1
    tab.focus("#view")
    tab.keyboard.press("End")
    assert frame(tab) == 2
    tab.keyboard.press("ArrowLeft")
    assert frame(tab) == 1
    tab.keyboard.press("Home")
    assert frame(tab) == 0
    tab.click("li[data-frame='2'] button")
    assert frame(tab) == 2
    tab.keyboard.press("ArrowRight")
    assert frame(tab) == 2  # there is no more


def test_mp_and_rules_stand_beside_each_step(tab: Page, tmp_path: Path) -> None:
    opened(tab, Picture(*with_plan("dai_senso/manchuria")), tmp_path)
    tab.click("#final")
    rows = tab.eval_on_selector_all("li[data-frame='2'] tbody tr", "rows => rows.map((row) => row.innerText)")
    assert [row.split("\t")[:3] for row in rows] == [["w5525→w5425", "1", "1"], ["w5425→w5426", "1", "2"]]
    assert "overruns inf111" in rows[1]
    assert "3.1: must stop: EZOC of kwantung4" in rows[1]
    title = tab.get_attribute("li[data-frame='2'] tbody tr:nth-child(2) abbr:last-of-type", "title")
    assert title


def test_the_ezoc_of_a_hex_is_negated_when_a_friend_has_come(tab: Page, tmp_path: Path) -> None:
    opened(tab, Picture(*with_plan("dai_senso/manchuria")), tmp_path)
    count = "(kind) => document.querySelectorAll(`#p .ezocs g:not(.off) > .${kind}`).length"
    before = [tab.evaluate(count, kind) for kind in ("ezoc", "negated")]
    tab.keyboard.press("ArrowRight")
    assert [tab.evaluate(count, kind) for kind in ("ezoc", "negated")] == [before[0] - 1, before[1] + 1]


def test_the_map_zooms_and_moves_and_fits_again(tab: Page, tmp_path: Path) -> None:
    opened(tab, Picture(*with_plan("ocs/carpet")), tmp_path)
    whole = view_box(tab)
    tab.click("#larger")
    nearer = view_box(tab)
    assert nearer[2] == pytest.approx(whole[2] * 0.75, rel=0.01)
    tab.click("#smaller")
    tab.click("#fit")
    assert view_box(tab) == pytest.approx(whole, abs=0.2)
    # The wheel keeps the point under the pointer where it is.
    seen = tab.locator("#p").bounding_box()
    assert seen is not None
    x, y = seen["x"] + seen["width"] * 0.4, seen["y"] + seen["height"] * 0.6
    under = (
        "([x, y]) => { const turn = document.getElementById('p').getScreenCTM().inverse();"
        " const p = new DOMPoint(x, y).matrixTransform(turn); return [p.x, p.y]; }"
    )
    before = tab.evaluate(under, [x, y])
    tab.mouse.move(x, y)
    tab.mouse.wheel(0, -200)
    tab.wait_for_function("(w) => document.getElementById('p').viewBox.baseVal.width < w * 0.9", arg=whole[2])
    assert tab.evaluate(under, [x, y]) == pytest.approx(before, abs=1)
    # Dragging moves the map with the pointer.
    tab.mouse.down()
    tab.mouse.move(x - 60, y - 40, steps=4)
    tab.mouse.up()
    assert tab.evaluate(under, [x - 60, y - 40]) == pytest.approx(before, abs=1)
    tab.focus("#view")
    left = view_box(tab)
    tab.keyboard.press("Shift+ArrowRight")
    assert view_box(tab)[0] > left[0]
    tab.keyboard.press("+")
    assert view_box(tab)[2] < left[2]
    tab.keyboard.press("0")
    assert view_box(tab) == pytest.approx(whole, abs=0.2)
    for _ in range(40):
        tab.click("#larger")
    assert view_box(tab)[2] >= 119


def test_a_move_out_of_sight_is_brought_into_it(tab: Page, tmp_path: Path) -> None:
    opened(tab, Picture(*with_plan("classic_hex/three_battles")), tmp_path)
    for _ in range(5):
        tab.click("#larger")
    for _ in range(12):
        tab.keyboard.press("ArrowRight")
        seen = tab.evaluate(
            "() => { const arrow = document.querySelector('#p .move.current').getBoundingClientRect(),"
            " view = document.getElementById('view').getBoundingClientRect();"
            " return arrow.x > view.x - 2 && arrow.right < view.right + 2 &&"
            " arrow.y > view.y - 2 && arrow.bottom < view.bottom + 2; }"
        )
        assert seen


def test_pointing_tells_about_the_hex_and_its_units(tab: Page, tmp_path: Path) -> None:
    opened(tab, Picture(*with_plan("dai_senso/manchuria")), tmp_path)
    tab.hover("#p [data-unit='kwantung4']")
    told = tab.inner_text("#here")
    assert told.splitlines()[0].startswith("w5526: Clear")
    assert "4th Kwantung Army" in told
    assert "4-5-1" in told
    tab.hover("#p [data-hex='w5727'] use")
    assert tab.inner_text("#here").startswith("w5727: Rough")


def test_pointing_at_a_reach_tells_the_mp_and_whose_help_it_takes(tab: Page, tmp_path: Path) -> None:
    scenario = load_scenario("dai_senso/manchuria")
    opened(tab, Picture(scenario, reach=api.reach(scenario, "plv")), tmp_path)
    tab.hover("#p [data-reach='w5424']")
    assert "w5424: 1 MP" in tab.inner_text("#here")
    tab.hover("#p [data-unit='inf111']")
    told = tab.inner_text("#here")
    assert "Japanese 1-1-1 infantry" in told
    assert "w5426: 2 MP with help (inf in w5425" in told


def test_a_unit_of_the_list_is_ringed_on_the_map(tab: Page, tmp_path: Path) -> None:
    opened(tab, Picture(*with_plan("dai_senso/manchuria")), tmp_path)
    tab.click("#units summary")
    tab.click("[data-unit-link='inf111']")
    assert tab.evaluate(
        "() => { const r = document.getElementById('p-ring').getBoundingClientRect(),"
        " u = document.querySelector(\"#p [data-unit='inf111']\").getBoundingClientRect();"
        " return Math.hypot(r.x + r.width / 2 - u.x - u.width / 2, r.y + r.height / 2 - u.y - u.height / 2) < 3; }"
    )


def test_everything_that_can_be_used_has_a_name_and_is_reached_by_the_keyboard(tab: Page, tmp_path: Path) -> None:
    opened(tab, Picture(*with_plan("dai_senso/manchuria")), tmp_path)
    nameless = tab.evaluate(
        "() => [...document.querySelectorAll('button, input, summary, [tabindex], svg[role], section, aside')].filter((e) =>"
        " !(e.textContent.trim() || e.getAttribute('aria-label') || e.getAttribute('aria-labelledby') ||"
        " e.closest('label')))"
        ".map((e) => e.outerHTML.slice(0, 80))"
    )
    assert nameless == []
    assert "2 units of Soviet" in (tab.get_attribute("#p", "aria-label") or "")
    reached = set()
    for _ in range(25):
        tab.keyboard.press("Tab")
        reached.add(tab.evaluate("document.activeElement.id"))
    assert {"larger", "smaller", "fit", "view", "slider", "next", "every"} <= reached
    assert tab.get_attribute("#now", "aria-live") == "polite"


def test_an_illegal_move_is_marked_when_it_is_made(tab: Page, tmp_path: Path) -> None:
    scenario = load_scenario("dai_senso/manchuria")
    plan = Plan.parse("inf w5525-w5524\nplv w5525-w5425xw5426")
    opened(tab, Picture(scenario, plan), tmp_path)
    marks = "() => [...document.querySelectorAll('#p [data-violation]:not(.off)')].map((g) => g.dataset.violation)"
    assert tab.evaluate(marks) == []
    tab.click("#final")
    assert tab.evaluate(marks) == ["w5425"]
    assert "3.1: plv must stop in w5425: EZOC of kwantung4" in tab.inner_text("li[data-frame='2'] .wrong")
    assert tab.inner_text(".remark") == "Illegal: 1 violation."


def test_the_arrows_of_all_moves_are_there_where_they_are_asked_for(tab: Page, tmp_path: Path) -> None:
    opened(tab, Picture(*with_plan("great_war/over_the_top")), tmp_path)
    shown = (
        "() => [...document.querySelectorAll('#p .move')].filter((a) => getComputedStyle(a).display !== 'none').length"
    )
    assert tab.evaluate(shown) == 0
    tab.check("#every")
    assert tab.evaluate(shown) == 8


@pytest.mark.parametrize("size", [{"width": 1100, "height": 420}, {"width": 380, "height": 640}])
def test_stepping_moves_neither_buttons_nor_map_out_of_the_window(
    size: dict[str, int], tab: Page, tmp_path: Path
) -> None:
    tab.set_viewport_size(size)  # type: ignore[arg-type]
    opened(tab, Picture(*with_plan("great_war/over_the_top")), tmp_path)
    tab.locator("#next").scroll_into_view_if_needed()
    top = tab.evaluate("window.scrollY")
    for _ in range(8):
        tab.click("#next")
        assert tab.evaluate("window.scrollY") == top
        box = tab.locator("#next").bounding_box()
        assert box is not None
        assert 0 <= box["y"] <= size["height"] - box["height"]


def test_on_paper_the_whole_map_and_every_step_are_there_and_no_buttons(tab: Page, tmp_path: Path) -> None:
    opened(tab, Picture(*with_plan("dai_senso/manchuria")), tmp_path)
    tab.click("#larger")
    tab.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    tab.emulate_media(media="print")
    assert view_box(tab)[:2] == [-18, -18]
    assert not tab.is_visible(".tools")
    assert not tab.is_visible("#slider")
    assert all(tab.locator("li table").nth(index).is_visible() for index in range(2))
    assert tab.is_visible("#legend svg")
    tab.evaluate("window.dispatchEvent(new Event('afterprint'))")
    assert tab.pdf().startswith(b"%PDF")


def test_hostile_names_run_nothing_in_a_browser(tab: Page, tmp_path: Path) -> None:
    for number, name in enumerate(NAMES[:8]):
        (tmp_path / str(number)).mkdir()
        scenario = hostile(name, tmp_path / str(number))
        opened(tab, Picture(scenario, Plan.parse("tank w4724-w4725"), remarks=[name]), tmp_path)
        tab.click("#next")
        tab.hover("#p [data-at]:not(.off) [data-unit='tank']")
        assert tab.evaluate("typeof window.hacked") == "undefined"
        assert tab.evaluate("document.scripts.length") == 1
        assert tab.evaluate("document.querySelectorAll('iframe, img, object').length") == 0


def test_even_script_that_got_into_a_page_would_not_run(browser: Browser, tmp_path: Path) -> None:
    """The policy of the page is the second lock: here the first one has been broken on purpose."""
    text = Picture(load_scenario("dai_senso/manchuria")).html()
    broken = text.replace("<main>", "<main><script>window.hacked=1</script><img src=x onerror='window.hacked=1'>")
    (tmp_path / "page.html").write_text(broken)
    tab = browser.new_page()
    tab.goto((tmp_path / "page.html").as_uri())
    assert tab.evaluate("typeof window.hacked") == "undefined"
    tab.close()
