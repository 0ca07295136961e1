"""Pages as they are used in a real browser: in the dark, by touch, by the keyboard, from afar, on paper."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from benchmarks import draw_map
from planner.draw import terrain
from planner.draw.palette import SIDES, contrast, ink_on
from planner.draw.picture import Picture
from planner.plans.plan import Plan
from planner.scenario import Scenario, build_scenario, load_scenario
from tests.draw.browsing import opened, view_box
from tests.draw.cases import with_plan

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

READABLE = 4.5
"""The least contrast of a text (WCAG 2.1, AA)."""


@pytest.fixture
def phone(browser: Browser) -> Iterator[Page]:
    """A page on a telephone: fingers, and 390 pixels."""
    found = browser.new_page(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    found.set_default_timeout(30_000)
    wrong: list[str] = []
    found.on("pageerror", lambda error: wrong.append(str(error)))
    yield found
    found.close()
    assert not wrong


def ocs(units: list[tuple[str, str, str]], **more: Any) -> Scenario:
    """Return a map of three hexes in a row with a road, and units: id, side, hex."""
    return build_scenario(
        {
            "format": "planner/scenario-1",
            "model": "ocs",
            "phase": "movement",
            "phasing": "axis",
            "map": {"origin": "01.03", "rows": ["."] * 3, "hexsides": {"road": ["01.01 01.02 01.03"]}, **more},
            "unit": [
                {"id": name, "side": side, "type": "tank", "values": "5-4-14", "at": at} for name, side, at in units
            ],
        },
        "three hexes",
    )


# -- light and dark


def shades(tab: Page, *places: tuple[int, int]) -> list[float]:
    """Return how bright pixels of the window are, from 0 to 255."""
    from PIL import Image

    seen = Image.open(io.BytesIO(tab.screenshot())).convert("L")
    return [float(seen.getpixel(place)) for place in places]  # type: ignore[arg-type]


@pytest.mark.parametrize("system", ["dark", "light"])
def test_a_page_is_as_dark_as_the_system_until_its_button_is_pressed(system: str, tab: Page, tmp_path: Path) -> None:
    pytest.importorskip("PIL")
    corner, middle_of_the_map = (3, 3), (400, 380)
    tab.emulate_media(color_scheme=system)  # type: ignore[arg-type]
    opened(tab, Picture(*with_plan("great_war/over_the_top")), tmp_path)
    for dark in (system == "dark", system != "dark", system == "dark"):
        paper, map_ = shades(tab, corner, middle_of_the_map)
        assert paper < 40 if dark else paper > 230
        assert map_ > 120  # the map is a sheet of paper in any light
        assert tab.get_attribute("#theme", "aria-pressed") == str(dark).lower()
        tab.click("#theme")
    tab.click("#theme")
    tab.emulate_media(media="print", color_scheme=system)  # type: ignore[arg-type]
    assert shades(tab, corner) == [255]


CONTRASTS = """() => {
  const numbers = (text) => (text.match(/[\\d.]+/g) ?? []).map(Number);
  const ground = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const [r, g, b, a = 1] = numbers(getComputedStyle(at).backgroundColor);
      if (a === 1) return [r, g, b];
    }
    return [255, 255, 255];
  };
  const found = [];
  for (const element of document.body.querySelectorAll('*:not(svg *, script, noscript)')) {
    const text = [...element.childNodes].filter((node) => node.nodeType === 3).map((node) => node.data.trim()).join('');
    if (!text || !element.checkVisibility() || element.disabled) continue;
    found.push([text, numbers(getComputedStyle(element).color).slice(0, 3), ground(element)]);
  }
  return found;
}"""
"""Every text that can be seen outside of the map, with its colour and what is behind it."""


@pytest.mark.parametrize("system", ["dark", "light"])
def test_every_text_of_a_page_can_be_read(system: str, tab: Page, tmp_path: Path) -> None:
    tab.emulate_media(color_scheme=system)  # type: ignore[arg-type]
    scenario = load_scenario("dai_senso/manchuria")
    opened(tab, Picture(scenario, Plan.parse("inf w5525-w5524\nplv w5525-w5425xw5426"), remarks=["Said."]), tmp_path)
    tab.click("#final")
    tab.hover("#p [data-unit='kwantung4']")
    for part in ("units", "keys", "legend"):
        tab.evaluate("(id) => { document.getElementById(id).open = true; }", part)
    found = tab.evaluate(CONTRASTS)
    assert {"Said.", "Units", "Dark", "step"} <= {text for text, _, _ in found}
    assert len(found) > 60

    def hexadecimal(colour: list[float]) -> str:
        return "#" + "".join(f"{round(channel):02x}" for channel in colour)

    assert [text for text, ink, ground in found if contrast(hexadecimal(ink), hexadecimal(ground)) < READABLE] == []


def test_the_texts_of_the_map_can_be_read_by_a_dimmer_lamp(tab: Page, tmp_path: Path) -> None:
    """Labels on every ground; counters keep their light, and can be read on the colour of every side."""
    tab.emulate_media(color_scheme="dark")
    opened(tab, Picture(load_scenario("dai_senso/manchuria")), tmp_path)
    left = 1 - float(tab.evaluate("getComputedStyle(document.querySelector('#p .dusk')).opacity"))
    assert left < 0.9
    label = tab.evaluate("getComputedStyle(document.querySelector('#p .labels text')).fill.match(/\\d+/g).map(Number)")

    def dimmed(colour: str) -> str:
        return "#" + "".join(f"{round(int(colour[i : i + 2], 16) * left):02x}" for i in (1, 3, 5))

    ink = "#" + "".join(f"{channel:02x}" for channel in label)
    for motif in (*terrain.MOTIFS.values(), *terrain.STRANGE):
        assert contrast(dimmed(ink), dimmed(motif.ground)) >= READABLE
    for colour in SIDES.values():
        assert contrast(ink_on(colour), colour) >= READABLE


# -- fingers and keys


def test_tapping_tells_what_pointing_tells(phone: Page, tab: Page, tmp_path: Path) -> None:
    for page in (phone, tab):
        opened(page, Picture(*with_plan("dai_senso/manchuria")), tmp_path)
    for place in ("[data-unit='kwantung4']", "[data-hex='w5727'] use"):
        tab.hover(f"#p {place}")
        phone.tap(f"#p {place}")
        assert phone.inner_text("#here") == tab.inner_text("#here")
    assert phone.inner_text("#here").startswith("w5727: Rough")


def test_moving_the_map_by_a_finger_chooses_nothing(phone: Page, tmp_path: Path) -> None:
    opened(phone, Picture(*with_plan("dai_senso/manchuria")), tmp_path)
    before, told = view_box(phone), phone.inner_text("#here")
    box = phone.locator("#view").bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    session = phone.context.new_cdp_session(phone)
    for kind, moved in (("touchStart", 0), ("touchMove", 20), ("touchMove", 40), ("touchEnd", 40)):
        points = [] if kind == "touchEnd" else [{"x": x - moved, "y": y}]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    assert view_box(phone)[0] > before[0]
    assert phone.inner_text("#here") == told


def test_what_is_chosen_stays_told_when_the_pointer_leaves_and_is_told_anew_after_a_step(
    tab: Page, tmp_path: Path
) -> None:
    opened(tab, Picture(*with_plan("dai_senso/manchuria")), tmp_path)
    tab.click("#p [data-unit='inf111']")
    tab.hover("#p [data-hex='w5727'] use")
    tab.hover("h1")
    told = tab.inner_text("#here")
    assert told.startswith("w5426:")
    assert "inf111" in told
    tab.click("#final")  # plv overruns it
    told = tab.inner_text("#here")
    assert told.startswith("w5426:")
    assert "inf111" not in told
    assert "plv" in told


def test_a_stack_that_is_tapped_shows_all_of_its_counters(phone: Page, tmp_path: Path) -> None:
    """Six units: on the map the three uppermost and a number, in the panel every one, large enough to be read."""
    names = [f"tank{number}" for number in range(6)]
    opened(phone, Picture(ocs([(name, "axis", "01.02") for name in names])), tmp_path)
    phone.tap("#p [data-unit='tank5']")
    assert [line.split(" ")[0] for line in phone.inner_text("#here").splitlines()[1:] if line] == names[::-1]
    panel = phone.locator("#here").bounding_box()
    drawn = [counter.bounding_box() for counter in phone.locator("#here use").all()]
    assert panel is not None
    assert len(drawn) == 6
    for box in drawn:
        assert box is not None
        assert box["width"] >= 30
        assert panel["y"] <= box["y"]
        assert box["y"] + box["height"] <= panel["y"] + panel["height"]


def test_the_keyboard_goes_from_hex_to_hex_and_tells_the_same(tab: Page, tmp_path: Path) -> None:
    opened(tab, Picture(*with_plan("great_war/over_the_top")), tmp_path)
    tab.click("#p [data-unit='eg2']")
    tab.focus("#view")
    tab.keyboard.press("Enter")
    assert tab.get_attribute("#here", "aria-live") == "polite"
    way = []
    for key in ("ArrowUp", "ArrowUp", "ArrowLeft", "ArrowDown", "ArrowDown", "ArrowRight"):
        tab.keyboard.press(key)
        way.append(tab.inner_text("#here").partition(":")[0])
    # Rows run straight, columns don't: every other hex lies half a hex aside, and the way comes back to its column.
    assert way[0] in {"B6", "B7"}
    assert way[3] in {"B5", "B6"}
    assert [way[index] for index in (1, 2, 4, 5)] == ["A7", "A6", "C6", "C7"]
    assert tab.evaluate("document.body.dataset.shown") == "0"
    tab.keyboard.press("Escape")
    tab.keyboard.press("ArrowRight")
    assert tab.evaluate("document.body.dataset.shown") == "1"
    assert tab.get_attribute("#here", "aria-live") == "off"


def test_on_a_telephone_everything_is_in_sight_while_stepping(phone: Page, tmp_path: Path) -> None:
    opened(phone, Picture(*with_plan("great_war/over_the_top")), tmp_path)
    assert phone.evaluate("document.documentElement.scrollWidth") == 390
    parts = ("#view", "#here", "#next", "#previous", "#slider")
    before = [phone.locator(part).bounding_box() for part in parts]
    for box in before:
        assert box is not None
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= 844
        assert box["x"] + box["width"] <= 390
    for _ in range(8):
        phone.tap("#next")
        assert [phone.locator(part).bounding_box() for part in parts] == before
        assert phone.evaluate("window.scrollY") == 0
        current = phone.locator("li[aria-current] .move-button").bounding_box()
        assert current is not None
        assert current["y"] + current["height"] <= 844


# -- legend


def test_a_legend_larger_than_the_map_is_folded(tab: Page, tmp_path: Path) -> None:
    opened(tab, Picture(ocs([("tank", "axis", "01.02")])), tmp_path)
    assert not tab.is_visible("#legend li")
    tab.click("#legend summary")
    assert tab.locator("#legend li").first.is_visible()
    opened(tab, Picture(*with_plan("classic_hex/three_battles")), tmp_path)
    assert tab.locator("#legend li").first.is_visible()


def test_a_legend_stands_in_columns_where_there_is_room(tab: Page, tmp_path: Path) -> None:
    opened(tab, Picture(*with_plan("great_war/over_the_top")), tmp_path)
    lefts = {round(item.bounding_box()["x"]) for item in tab.locator("#legend li").all()}  # type: ignore[index]
    assert len(lefts) == 2
    legend = tab.locator("#legend").bounding_box()
    assert legend is not None
    one_below_the_other = sum(item.bounding_box()["height"] for item in tab.locator("#legend li").all())  # type: ignore[index]
    assert legend["height"] < 0.7 * one_below_the_other


def test_the_legend_explains_no_border_that_is_nowhere_drawn(tab: Page, tmp_path: Path) -> None:
    """All hexes are of one country; where there are two, their border is drawn and explained."""
    base = {"format": "planner/scenario-1", "model": "dai_senso", "phase": "operational_movement", "phasing": "axis"}
    countries = list(load_scenario("dai_senso/manchuria").game.rulebook.forces.countries)[:2]
    for count, explained in ((1, False), (2, True)):
        hexes = {
            label: {"terrain": "clear", "area": countries[index % count]}
            for index, label in enumerate(("w4724", "w4725"))
        }
        opened(tab, Picture(build_scenario({**base, "map": {"hexes": hexes}}, "two hexes")), tmp_path)
        assert ("Border of a country" in (tab.text_content("#legend") or "")) == explained


# -- from afar


SMALLEST = """() => {
  const seen = (element) => element.checkVisibility({ visibilityProperty: true });
  const sides = (selector) => [...document.querySelectorAll(`#p ${selector}`)].filter(seen)
    .map((element) => element.getBoundingClientRect().width);
  return [sides('.unit > use'), sides('.far > rect')];
}"""
"""How broad the counters are that can be seen, and the plain squares instead of them."""


def test_counters_of_a_large_map_are_plain_squares_until_they_can_be_read(tab: Page, tmp_path: Path) -> None:
    opened(tab, Picture(draw_map.scenario(50, 40, 100)), tmp_path)
    tab.locator("#p .far > rect").first.wait_for()  # the page chooses once it knows how broad it is
    counters, squares = tab.evaluate(SMALLEST)
    assert counters == []
    assert len(squares) > 90
    assert min(squares) >= 11
    near = 0
    for _ in range(8):
        tab.click("#larger")
        counters, squares = tab.evaluate(SMALLEST)
        assert bool(counters) != bool(squares)
        assert not counters or min(counters) >= 14
        near += bool(counters)
    assert 4 <= near < 8
    tab.click("#fit")
    # A square is tapped as a counter is.
    tab.locator("#p .far").first.click()
    assert "tank" in tab.inner_text("#here") or tab.locator("#here use").count()


def test_a_square_says_how_many_it_stands_for(tab: Page, tmp_path: Path) -> None:
    picture = Picture(load_scenario("ocs/breakthrough"))
    opened(tab, picture, tmp_path)
    shown = [
        (group.get_attribute("data-at"), (group.locator(".far").text_content() or "1"))
        for group in tab.locator("#p .counters > [data-at]").all()
    ]
    start = picture.frames[0].position
    assert shown
    assert all(int(number) == len(start.units_in(label or "")) for label, number in shown)


# -- paper


def pages(pdf: bytes) -> int:
    return len(re.findall(rb"/Type\s*/Page\b", pdf))


PAPERS: tuple[dict[str, Any], ...] = ({"format": "A4", "landscape": True}, {"prefer_css_page_size": True}, {})


def test_a_diagram_is_printed_on_one_page_and_its_moves_on_a_second(tab: Page, tmp_path: Path) -> None:
    large = draw_map.scenario(50, 40, 100)
    for picture, expected, papers in (
        (Picture(large, draw_map.plan(large, 30)), 2, PAPERS[:1]),  # each takes eight seconds
        (Picture(ocs([("tank", "axis", "01.02")])), 1, PAPERS),
        (Picture(load_scenario("dai_senso/manchuria")), 1, PAPERS),
        (Picture(*with_plan("dai_senso/manchuria")), 2, PAPERS),
        (Picture(*with_plan("great_war/over_the_top")), 2, PAPERS),
        (Picture(*with_plan("dai_senso/island_campaign")), 2, PAPERS),
    ):
        opened(tab, picture, tmp_path)
        for paper in papers:
            assert pages(tab.pdf(**paper)) == expected, (picture.title, paper)


def test_after_printing_a_page_is_as_it_was(tab: Page, tmp_path: Path) -> None:
    opened(tab, Picture(*with_plan("great_war/over_the_top")), tmp_path)
    tab.click("#larger")
    state = "() => [document.querySelector('aside').innerText, document.getElementById('p').getAttribute('viewBox')]"
    before = tab.evaluate(state)
    tab.pdf()
    assert tab.evaluate(state) == before


def test_the_move_that_was_made_last_can_be_read_in_colours_that_the_reader_has_chosen(
    tab: Page, tmp_path: Path
) -> None:
    tab.emulate_media(forced_colors="active")
    opened(tab, Picture(*with_plan("great_war/over_the_top")), tmp_path)
    tab.click("#next")
    colours = tab.evaluate(
        "[...document.querySelectorAll('[aria-current] > button, [aria-current] > button *')]"
        ".map((one) => getComputedStyle(one).color)"
    )
    assert len(colours) > 2
    assert len(set(colours)) == 1


# -- numbers


def test_numbers_are_written_as_players_write_them(tab: Page, tmp_path: Path) -> None:
    """A road costs half an MP a hex: ½, then 1; with the first step alone, ½."""
    scenario = ocs([("tank", "axis", "01.01")])
    opened(tab, Picture(scenario, Plan.parse("tank 01.01-01.02")), tmp_path)
    assert tab.inner_text("li[data-frame='1'] .mp") == "½ MP"
    assert "½" in (tab.text_content("#p .moves") or "")
    assert "1/2" not in (tab.text_content("#p") or "") + tab.inner_text("aside")
