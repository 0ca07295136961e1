"""The board in a real browser: whole jobs of a player, an author, and friends at one table."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from benchmarks import draw_map
from planner.board.editing import written
from planner.playing.game_record import GameRecord
from planner.scenario import Scenario
from tests.board.author import Author
from tests.board.conftest import Server, saved

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

LINE = "dai_senso/manchuria"

# What comes of a press comes after an answer of the server: it is waited for, never looked at once.
expect = pytest.importorskip("playwright.sync_api", reason="the board is tested in a browser: extra browser").expect
expect.set_options(timeout=30_000)


def opened(tab: Page, server: Server, scenario: str = LINE) -> None:
    tab.goto(f"{server.url}?scenario={scenario}")
    tab.wait_for_selector("#end-phase")


def middle(tab: Page, what: str) -> tuple[float, float]:
    for _ in range(100):  # while the map is drawn anew there is none
        if box := tab.locator(what).first.bounding_box():
            break
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(tab: Page, one: str, other: str) -> None:
    tab.mouse.move(*middle(tab, one))
    tab.mouse.down()
    tab.mouse.move(*middle(tab, other), steps=8)
    tab.mouse.up()


def hexagon(label: str) -> str:
    return f".hexes > [data-hex='{label}']"


def at(tab: Page, unit: str) -> str:
    return str(tab.evaluate("unit => planner.state.at[unit]", unit))


def reached(tab: Page, label: str, kind: str = "alone") -> str:
    """Wait until it is shown that a hex is reached so, and return what is written in it."""
    tab.wait_for_function("([label, kind]) => planner.map.reached.get(label)?.kind === kind", arg=[label, kind])
    return str(tab.evaluate("label => planner.map.reached.get(label).text", label))


def stands(tab: Page, unit: str, label: str) -> None:
    tab.wait_for_function("([unit, label]) => planner.state?.at[unit] === label", arg=[unit, label])


# -- a player


def test_a_player_asks_drags_is_refused_with_the_reason_and_takes_the_help_offered(tab: Page, server: Server) -> None:
    opened(tab, server)
    tab.click("[data-unit=inf]")
    tab.check("[data-pick=plv]")
    tab.uncheck("[data-pick=inf]")
    reached(tab, "w5425")
    tab.wait_for_function("() => planner.map.reached.get('w5326')?.text === '3\N{BLACK SQUARE}'")
    reached(tab, "w5426", "helped")
    tab.fill("#to", "w5426")
    tab.press("#to", "Enter")
    tab.wait_for_selector("#why li")
    told = tab.inner_text("#why")
    assert "3.1" in told
    assert "kwantung4" in told
    assert "if inf first moves to w5425" in told
    expect(tab.locator(".blame circle").nth(1)).to_be_attached()  # a ring round each who is to blame
    assert at(tab, "plv") == "w5525"
    tab.click("#why [data-remedy]")
    stands(tab, "plv", "w5426")
    tab.wait_for_function("() => document.getElementById('solved')?.textContent === 'Solved!'")
    tab.click("#undo")
    stands(tab, "plv", "w5525")


def test_a_unit_is_dragged_to_where_it_goes_by_the_cheapest_way(tab: Page, server: Server) -> None:
    opened(tab, server)
    drag(tab, "[data-unit=inf]", hexagon("w5424"))
    stands(tab, "inf", "w5424")
    assert tab.evaluate("planner.state.made") == ["inf w5525-w5424"]
    expect(tab.locator(".arrow polyline")).to_have_count(1)  # once the map is drawn anew


def test_a_unit_that_is_touched_goes_to_the_hex_that_is_touched_next(tab: Page, server: Server) -> None:
    opened(tab, server)
    tab.click("[data-unit=inf]")
    reached(tab, "w5524")
    tab.mouse.click(*middle(tab, hexagon("w5524")))
    stands(tab, "inf", "w5524")


def test_the_best_plan_is_found_stepped_through_and_made(tab: Page, server: Server) -> None:
    opened(tab, server)
    tab.click("#tab-suggest")
    tab.click("#find")
    tab.wait_for_selector("#make:not([disabled])")
    expect(tab.locator("#status")).to_contain_text("Proved")
    for number in ("#value", "#bound"):
        expect(tab.locator(number)).to_have_text("1 / -23")
    tab.click("#previous")
    expect(tab.locator("#slider")).to_have_value("1")
    tab.click("#make")
    stands(tab, "plv", "w5426")


def test_everything_is_done_by_the_keyboard(tab: Page, server: Server) -> None:
    opened(tab, server)
    tab.focus("#view")
    tab.keyboard.press("n")  # the first unit of the side that moves
    tab.wait_for_selector("#to")
    tab.keyboard.press("Enter")  # the arrows go from hex to hex, and begin at that unit's
    tab.keyboard.press("ArrowLeft")
    tab.wait_for_function("() => planner.chosen === 'w5524'")
    expect(tab.locator("#here")).to_contain_text("w5524")
    tab.keyboard.press("Enter")
    stands(tab, "plv", "w5524")
    tab.wait_for_function("() => document.getElementById('live').textContent === 'Made: plv w5525-w5524.'")
    tab.keyboard.press("u")
    stands(tab, "plv", "w5525")


# -- friends at one table


def test_two_friends_play_roll_and_keep_the_record(tab: Page, server: Server, tmp_path: Path) -> None:
    opened(tab, server, "great_war/over_the_top")
    first = tab.evaluate("planner.state.side")
    unit, move = tab.evaluate(
        """async () => {
          const { moves } = await planner.server.ask("legal");
          return [moves[0].split(" ")[0], moves[0]];
        }"""
    )
    tab.evaluate("label => planner.choose(label)", at(tab, unit))
    tab.evaluate("unit => planner.panels.play.enterHex(planner.state.at[unit])", unit)
    tab.wait_for_selector("#to")
    tab.fill("#to", move.split("-")[-1].split("x")[-1])
    tab.press("#to", "Enter")
    tab.wait_for_function("() => planner.state.made.length > 0 || planner.state.outcomes")
    if tab.evaluate("Boolean(planner.state.outcomes)"):
        tab.click("[data-result='0']")
        tab.wait_for_function("() => !planner.state.outcomes")
    tab.click("#end-phase")
    tab.wait_for_function("() => planner.state.made.length === 0")
    record = json.loads(saved(tab, "#save-record", tmp_path))
    assert record["phases"][0]["side"] == first
    assert len(list(GameRecord.from_dict(record).positions())) == 2


def test_the_server_is_killed_and_nothing_is_lost(tab: Page, server: Server) -> None:
    opened(tab, server)
    drag(tab, "[data-unit=inf]", hexagon("w5424"))
    stands(tab, "inf", "w5424")
    tab.wait_for_selector("#undo:not([disabled])")
    server.kill()
    try:
        tab.click("#undo")
        tab.wait_for_function("() => document.getElementById('banner').textContent.includes('kept')")
    finally:
        server.start()
    tab.wait_for_function("() => !document.getElementById('banner').textContent")
    assert at(tab, "inf") == "w5424"
    tab.reload()
    tab.wait_for_selector("#end-phase")
    stands(tab, "inf", "w5424")
    tab.click("#undo")
    stands(tab, "inf", "w5525")


# -- an author


def test_an_author_sets_up_asks_is_told_why_not_and_sends_the_page(tab: Page, server: Server, tmp_path: Path) -> None:
    """Somebody who has never seen TOML: 20 units on 200 hexes, the best moves, why the own ones don't work, a page."""
    author = Author(tab)
    tab.goto(server.url)
    author.click("#tab-setup")
    author.choose("#model", "ocs")
    author.write("#columns", "20")
    author.write("#rows", "10")
    author.click("#create")
    tab.wait_for_selector("input[value=terrain]")
    tab.wait_for_function("() => planner.map.where.size === 200")

    def once(work: str, what: str) -> None:
        tab.wait_for_function(work, arg=what)

    author.check("input[value=terrain]")
    author.choose("#terrain", "mountain")
    author.stroke(middle(tab, hexagon("08.09")), middle(tab, hexagon("08.04")))
    once("terrain => document.querySelector(`[data-hex='08.06'] title`).textContent.includes(terrain)", "Mountain")
    author.check("input[value=hexside]")
    author.choose("#hexside", "road")
    author.stroke(middle(tab, hexagon("04.06")), middle(tab, hexagon("06.06")))
    tab.wait_for_selector("[data-feature=road]")

    author.check("input[value=unit]")
    for side, column in (("axis", 3), ("allied", 11)):
        author.choose("#unit-side", side)
        for number in range(10):
            if number in (0, 5):
                author.choose("#unit-type", "tank" if number else "infantry")
            # No two have the same values.
            author.write("#values", f"{3 + number}-{4 + number % 3}-8" if side == "axis" else f"3-{2 + number}-6")
            label = f"{column + number % 2:02}.{3 + number // 2:02}"
            author.touch(middle(tab, hexagon(label)))
            once("label => Object.values(planner.state.at).includes(label)", label)
    tab.wait_for_function("() => Object.keys(planner.state.at).length === 20")

    author.write("#title-of", "Mine")
    author.press("#title-of", "Tab")
    author.choose("#kind", "hold")
    author.write("#field-hexes", "10.06")
    author.click("#add-term")
    tab.wait_for_selector("#objective li")
    author.click("#undo")
    tab.wait_for_selector("#objective li", state="detached")
    author.click("#redo")
    tab.wait_for_selector("#objective li")

    found = Scenario.loads(author.save("#save", tmp_path))
    assert (found.title, len(found.game.units), len(found.game.board.hexes)) == ("Mine", 20, 200)
    assert len({(unit.side, unit.attack, unit.defense) for unit in found.game.units.values()}) == 20

    author.click("#tab-suggest")
    author.write("#seconds", "20")
    author.click("#find")
    tab.wait_for_selector("#make:not([disabled])")
    expect(tab.locator("#value")).to_have_text("1")
    friend(tab, author.save("#send", tmp_path), tmp_path)

    author.click("#tab-play")
    author.touch(middle(tab, hexagon("03.03")))
    tab.wait_for_selector("#to")
    author.write("#to", "20.09")
    author.press("#to", "Enter")
    tab.wait_for_selector("#why .rule", timeout=90_000)
    expect(tab.locator(".blame text").first).to_contain_text(tab.inner_text("#why .rule >> nth=0"))

    # Ten minutes, by the work that it is: 20 s of the search, and a second for every answer, are added to the model.
    assert author.actions < 90
    assert author.seconds + 20 + author.actions < 600


def friend(tab: Page, page: str, folder: Path) -> None:
    """Open the page that was sent as a friend does, with nothing but the file: position, plan, and no network."""
    (folder / "sent.html").write_text(page, encoding="utf-8")
    assert tab.context.browser is not None
    theirs = tab.context.browser.new_context(offline=True, viewport={"width": 390, "height": 844})
    try:
        shown, wrong = theirs.new_page(), list[str]()
        shown.on("pageerror", lambda error: wrong.append(str(error)))
        shown.on("request", lambda asked: wrong.append(asked.url) if asked.url.startswith("http") else None)
        shown.goto((folder / "sent.html").as_uri())
        expect(shown.locator("h1")).to_have_text("Mine")
        assert shown.locator("#p .hexes > [data-hex]").count() == 200
        assert len(set(shown.eval_on_selector_all("#p [data-unit]", "all => all.map((one) => one.dataset.unit)"))) == 20
        assert shown.locator("#p .move").count() > 0
        assert shown.evaluate("document.documentElement.scrollWidth") <= 390
        assert not wrong
    finally:
        theirs.close()


def test_a_touch_where_no_map_is_open_does_no_harm(tab: Page, server: Server) -> None:
    tab.goto(server.url)
    tab.wait_for_selector("#tab-open")
    tab.mouse.click(*middle(tab, "#view"))
    tab.mouse.click(*middle(tab, "#view"), button="right")
    tab.click("#tab-setup")
    tab.wait_for_selector("#create")
    tab.mouse.click(*middle(tab, "#view"))
    expect(tab.locator("#message")).to_be_hidden()


def test_what_would_break_the_scenario_is_refused_in_words_and_text_is_mended(tab: Page, server: Server) -> None:
    opened(tab, server)
    tab.click("#tab-setup")
    tab.wait_for_selector("#undo")
    tab.evaluate("document.getElementById('text').open = true")
    before = tab.input_value("#toml")
    assert "# rows from north to south" in before
    tab.fill("#toml", before.replace('phasing = "soviet"', 'phasing = "nobody"'))
    tab.click("#apply")
    tab.wait_for_selector("#text .bad li")
    expect(tab.locator("#text .bad")).to_contain_text("phasing")
    tab.fill("#toml", before.replace('title = "', 'title = "New: '))
    tab.click("#apply")
    tab.wait_for_function("() => document.getElementById('title').textContent.startsWith('New: ')")


def test_a_draft_is_kept_when_the_page_is_loaded_again(tab: Page, server: Server) -> None:
    opened(tab, server)
    tab.click("#tab-setup")
    tab.wait_for_selector("#title-of")
    tab.fill("#title-of", "Kept")
    tab.press("#title-of", "Tab")
    tab.wait_for_function("() => document.getElementById('title').textContent === 'Kept'")
    tab.reload()
    tab.wait_for_function("() => document.getElementById('title').textContent === 'Kept'")
    opened(tab, server, "ocs/swamp")  # another position is edited: the draft can be had back
    tab.click("#tab-setup")
    tab.click("#before")
    tab.wait_for_function("() => document.getElementById('title').textContent === 'Kept'")


# -- puzzles, telephones, the dark, large maps


def test_a_puzzle_gives_hints_one_by_one_and_hides_its_answer(tab: Page, server: Server) -> None:
    opened(tab, server, "classic_hex/puzzles/open_door")
    hints = tab.evaluate("planner.server.ask('puzzle').then((one) => one.hints)")
    for number in range(1, hints + 1):
        tab.click("#hint")
        tab.wait_for_function("count => document.querySelectorAll('#puzzle ol li').length === count", arg=number)
    expect(tab.locator("#hint")).to_have_count(0)


def test_on_a_telephone_a_unit_moves_and_nothing_is_wider_than_the_screen(phone: Page, server: Server) -> None:
    opened(phone, server)
    phone.tap("[data-unit=inf]")
    reached(phone, "w5424")
    phone.touchscreen.tap(*middle(phone, hexagon("w5424")))
    stands(phone, "inf", "w5424")
    for name in ("suggest", "setup", "open", "play"):
        phone.click(f"#tab-{name}")
        assert phone.evaluate("document.documentElement.scrollWidth") <= 390
    dark = phone.evaluate("getComputedStyle(document.body).backgroundColor")
    assert max(int(one) for one in dark.strip("rgb()").split(",")) < 60


def test_every_control_has_a_name_and_every_id_is_there_once(tab: Page, server: Server) -> None:
    opened(tab, server)
    for name in ("suggest", "setup", "open", "play"):
        tab.click(f"#tab-{name}")
        tab.wait_for_timeout(300)
        nameless = tab.evaluate(
            """() => [...document.querySelectorAll("button, input, select, textarea")]
              .filter((one) => !one.textContent.trim() && !one.getAttribute("aria-label") && !one.labels?.length)
              .map((one) => one.outerHTML)"""
        )
        assert not nameless
        twice = tab.evaluate(
            """() => { const all = [...document.querySelectorAll("[id]")].map((one) => one.id);
              return all.filter((id, at) => all.indexOf(id) !== at); }"""
        )
        assert not twice


@pytest.mark.parametrize("key", ["+", "-"])
def test_zooming_by_keys_keeps_the_middle(key: str, tab: Page, server: Server) -> None:
    opened(tab, server)
    tab.focus("#view")
    seen = """() => { const { x, y, width, height } = document.getElementById("view").getBoundingClientRect();
      return planner.camera.at(x + width / 2, y + height / 2); }"""
    before, width = tab.evaluate(seen), tab.evaluate("planner.camera.width()")
    tab.keyboard.press(key)
    assert tab.evaluate(seen) == pytest.approx(before, abs=1)
    assert (tab.evaluate("planner.camera.width()") < width) == (key == "+")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_rule_of_accessibility_is_broken(scheme: str, tab: Page, server: Server) -> None:
    """The rules of axe-core (WCAG), which PLANNER_AXE names as a file; `.ci/run` fetches it."""
    axe = os.environ.get("PLANNER_AXE")
    if not axe:
        pytest.skip("PLANNER_AXE must name axe.min.js of the npm package axe-core")
    tab.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    opened(tab, server)
    tab.click("[data-unit=inf]")
    reached(tab, "w5424")
    tab.evaluate(Path(axe).read_text(encoding="utf-8") + "\n;0")
    for name in ("play", "suggest", "setup", "open"):
        tab.click(f"#tab-{name}")
        tab.wait_for_timeout(500)
        found = tab.evaluate("async () => (await axe.run(document, { resultTypes: ['violations'] })).violations")
        assert [(one["id"], one["nodes"][0]["html"][:100]) for one in found] == []


def test_a_map_of_thousands_of_hexes_is_moved_without_being_laid_out_anew(tab: Page, server: Server) -> None:
    tab.goto(server.url)
    tab.wait_for_selector("#tab-open")
    tab.evaluate("text => planner.open({ text })", written(draw_map.scenario(100, 50, 200)))
    tab.wait_for_function("() => planner.map.where.size === 5000")
    tab.wait_for_timeout(1000)
    metrics = tab.context.new_cdp_session(tab)
    metrics.send("Performance.enable")

    def layouts() -> float:
        told = metrics.send("Performance.getMetrics")["metrics"]
        return float(next(one["value"] for one in told if one["name"] == "LayoutCount"))

    before = layouts()
    tab.evaluate(
        """async () => { for (let frame = 0; frame < 30; frame += 1) {
          planner.camera.pan(Math.sin(frame / 9) / 40, 0.01);
          planner.camera.zoom(frame < 15 ? 0.97 : 1 / 0.97);
          await new Promise((resolve) => requestAnimationFrame(resolve)); } }"""
    )
    assert layouts() - before <= 2
    # What has a transform is gone through by the browser for every frame: hexes have none, and are drawn together.
    assert tab.locator(".hexes [transform]").count() == 0
    assert tab.locator(".hexes path").count() < tab.locator(".hexes > [data-hex]").count() / 2


def test_hundreds_of_hexes_that_are_reached_are_a_few_elements(tab: Page, server: Server) -> None:
    """What the browser needs for each element is why a touch would take its time; see `reach.js`."""
    tab.goto(server.url)
    tab.wait_for_selector("#tab-open")
    tab.evaluate(
        "async (text) => { await planner.open({ text }); await planner.turnTo('play'); }",
        written(draw_map.scenario(40, 25, 20)),
    )
    tab.wait_for_function("() => planner.map.where.size === 1000")
    tab.evaluate("planner.panels.play.tap(planner.state.at.tank3, 'tank3', null)")
    tab.wait_for_function("() => planner.map.reached.size > 300")
    assert tab.evaluate("document.querySelectorAll('#under *').length") <= 30
    shaded = tab.evaluate(
        "[...document.querySelectorAll('#under .way')].map((one) => one.getAttribute('d').split('z').length - 1)"
    )
    assert sum(shaded) == tab.evaluate("planner.map.reached.size")


def test_mp_are_shaded_and_written_however_players_write_them(tab: Page, server: Server) -> None:
    tab.goto(server.url)
    numbers = tab.evaluate(
        """() => import("/reach.js").then(({ numberOf }) => ["3", "13½", "¾", "2 1/2", "-7/2", 4].map(numberOf))"""
    )
    assert numbers == [3, 13.5, 0.75, 2.5, -3.5, 4]
    lines = tab.evaluate(
        """() => import("/reach.js").then(({ reachPaths }) => [..."0123456789¼½¾⅓⅔/-.?✕■"].map((text) => {
          const shown = [{ to: "a", text, kind: "alone", share: 0 }];
          return reachPaths(shown, new Map([["a", [0, 0]]]), "0,0 1,0 1,1").find((one) => one.class === "mp near ink").d;
        }))"""
    )
    assert all(lines)
    assert len(set(lines)) == len(lines)


def test_who_touches_a_unit_doesnt_wait_for_what_is_asked_about_others(tab: Page, server: Server) -> None:
    held: list[Route] = []
    dropped: list[str] = []
    tab.on("requestfailed", lambda one: dropped.append(str(one.failure)))

    def hold(route: Route) -> None:
        if json.loads(route.request.post_data or "")["units"] == "plv":
            held.append(route)
        else:
            route.continue_()

    tab.route("**/ways", hold)
    opened(tab, server)
    expect(tab.locator("#end-phase")).to_be_enabled()
    while not held:
        tab.wait_for_timeout(50)
    tab.mouse.move(*middle(tab, "[data-unit=inf]"))
    tab.mouse.down()
    assert not tab.evaluate("document.getElementById('view').className.includes('dragging')")  # nothing is dragged yet
    tab.mouse.up()
    reached(tab, "w5424")
    assert len(dropped) == 1
    assert "ABORTED" in dropped[0]


def test_where_units_can_go_is_known_before_anybody_touches_them(tab: Page, server: Server) -> None:
    asked: list[str] = []
    tab.on("requestfinished", lambda one: asked.append(one.post_data or "") if one.url.endswith("/ways") else None)
    opened(tab, server)
    tab.wait_for_function("() => planner.picture")
    own = tab.evaluate(
        "Object.keys(planner.state.at).filter((one) => planner.picture.units[one].side === planner.state.side)"
    )
    expect(tab.locator("#end-phase")).to_be_enabled()
    while len(asked) < 2 * len(own):
        with tab.expect_event("requestfinished"):
            pass
    said = [(bool(json.loads(one).get("quick")), json.loads(one)["units"]) for one in asked]
    assert sorted(said) == sorted((quick, unit) for quick in (False, True) for unit in own)
    assert [quick for quick, _ in said] == sorted(
        (quick for quick, _ in said), reverse=True
    )  # what is soon known first
    tab.click("[data-unit=inf]")
    reached(tab, "w5424")
    assert len(asked) == 2 * len(own)  # nothing was asked again
    tab.mouse.click(*middle(tab, hexagon("w5424")))
    stands(tab, "inf", "w5424")
    tab.click("#next-unit")
    tab.wait_for_function(
        "() => planner.map.reached.size > 0"
    )  # and what was known of the position before is not taken for this one's
    assert len(asked) > 2 * len(own)
