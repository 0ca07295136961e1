"""Pages of plans that react: one says what was rolled, and sees what to do next, on the board as it is then."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from planner.draw.picture import Picture
from planner.draw.policy_frames import PolicyFrames, ShownSituation
from planner.draw.policy_picture import PolicyPicture
from planner.errors import InputError
from planner.plans.policy import Node, from_json
from planner.scenario import load_scenario
from tests.draw.browsing import frame, opened
from tests.plain_game import JOINT, SHUT, placed, write_model

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

AGAIN: dict[str, Any] = {
    "moves": ["armor+mech 10.10x10.11"],
    "branches": [
        {"made": ["armor+mech 10.10x10.11"], "probability": "7/12", "then": {"moves": ["mech 10.11-10.12"]}},
        {
            "made": ["armor+mech 10.10!10.11"],
            "probability": "5/12",
            "then": {
                "moves": ["armor+mech 10.10x10.11"],
                "branches": [
                    {
                        "made": ["armor+mech 10.10x10.11"],
                        "probability": "7/12",
                        "then": {"moves": ["mech 10.11-10.12"]},
                    },
                    {"made": ["armor+mech 10.10!10.11"], "probability": "5/12", "then": {"moves": []}},
                ],
            },
        },
    ],
}
"""Twice against one hex: five situations."""
WHATEVER: dict[str, Any] = {
    "moves": ["armor+mech 10.10x10.11"],
    "branches": [
        {
            "made": ["armor+mech 10.10x10.11", "armor+mech 10.10!10.11"],
            "probability": 1,
            "then": {"moves": []},
        }
    ],
}


def reacting(root: dict[str, Any], **how: Any) -> PolicyPicture:
    scenario = load_scenario("ocs/two_overruns")
    return PolicyPicture(scenario, from_json({"format": "planner/policy-1", "root": root}, "test"), **how)


def at(tab: Page) -> dict[str, str]:
    """Return where units are seen on the map."""
    seen = """() => Object.fromEntries([...document.querySelectorAll('#p [data-at]:not(.off) .near [data-unit]')]
      .map((one) => [one.dataset.unit, one.closest('[data-at]').dataset.at]))"""
    return dict(tab.evaluate(seen))


def heading(tab: Page) -> str:
    return tab.locator(".situation:not(.off) h3").inner_text()


def results(tab: Page) -> list[str]:
    return tab.locator(".situation:not(.off) .results .text").all_inner_texts()


def ways(picture: PolicyPicture) -> Iterator[tuple[ShownSituation, list[int]]]:
    """Yield each situation with the numbers of the results that lead to it."""
    by_start = {one.start: one for one in picture.situations}
    stack: list[tuple[ShownSituation, list[int]]] = [(picture.situations[0], [])]
    while stack:
        here, way = stack.pop()
        yield here, way
        for number, one in enumerate(here.outcomes, 1):
            assert one.frame is not None
            stack.append((by_start[one.frame], [*way, number]))


def test_what_was_rolled_leads_to_the_situation_that_it_leads_to(tab: Page, tmp_path: Path) -> None:
    """By buttons and by keys, whether or not one has looked at the moves before the roll."""
    picture = reacting(AGAIN)
    opened(tab, picture, tmp_path)
    for by_key in (False, True):
        seen = 0
        for here, way in ways(picture):
            seen += 1
            tab.keyboard.press("Home")
            for number in way:
                if by_key:
                    tab.keyboard.press(str(number))
                else:
                    tab.locator(f".situation:not(.off) [data-key='{number}']").click()
            assert frame(tab) == here.start
            assert at(tab) == {unit: place for unit, place in here.now.start.at.items() if place in here.now.game.board}
            tab.keyboard.press("End")
            assert frame(tab) == here.end - 1
        assert seen == 5


def test_of_a_move_that_rolls_twice_both_rolls_are_told(tmp_path: Path) -> None:
    model = write_model(tmp_path / "game", SHUT + JOINT)
    units = [
        {"id": unit, "side": side, "type": "foot", "values": "1-2", "at": at}
        for unit, side, at in (("f", "south", "03.01"), ("e", "north", "03.02"), ("g", "north", "03.03"))
    ]
    goals = [{"terms": [{"kind": "eliminate", "units": "g"}]}]
    scenario = placed(model, {"03.01 03.02 03.03": "plain"}, units, tier=goals)
    made = [["f 03.01x03.02x03.03"], ["f 03.01!03.02", "f 03.01x03.02!03.03"]]
    branches = [{"made": some, "probability": "1/4", "then": {"moves": []}} for some in made]
    root = {"moves": made[0], "branches": branches}
    [first, *_] = PolicyFrames(scenario, from_json({"format": "planner/policy-1", "root": root}, "test")).situations
    assert first.rolled == "f against e in 03.02, 1 to 1 (overrun); then f against g in 03.03, 1 to 1 (overrun)"


def test_a_roll_is_told_with_who_rolls_and_how_likely_each_result_is(tab: Page, tmp_path: Path) -> None:
    """7/12 for 4, then 7/12 of the rest: 4 * (1 - 25/144) = 119/36."""
    opened(tab, reacting(AGAIN), tmp_path)
    told = tab.locator(".situation:not(.off)").inner_text()
    assert "armor and mech against line in 10.11, 12 to 4 (8.1). What was rolled?" in told
    assert "Worth 3 11/36 / -9 47/144" in told
    assert "7/12 (58.3%)" in told
    assert results(tab) == ["It goes through", "It fails"]
    assert not tab.is_disabled("#next")
    tab.click("#next")
    assert tab.is_disabled("#next")  # only who knows what was rolled can go on
    assert tab.inner_text("#now").endswith("What was rolled?")
    assert at(tab)["line"] == "10.11"  # nothing has come of it yet
    tab.keyboard.press("1")
    assert "line" not in at(tab)
    assert heading(tab).startswith("Situation 1, probability 7/12")


def test_there_is_a_way_back_by_keys_and_by_what_was_rolled(tab: Page, tmp_path: Path) -> None:
    opened(tab, reacting(AGAIN), tmp_path)
    for key in ("2", "1"):
        tab.keyboard.press(key)
    assert heading(tab).startswith("Situation 3, probability 35/144")
    tab.keyboard.press("ArrowLeft")
    assert results(tab) == ["It goes through", "It fails"]
    assert heading(tab).startswith("Situation 2")
    tab.keyboard.press("2")
    way = tab.locator(".situation:not(.off) .way button")
    assert way.all_inner_texts() == ["armor+mech 10.10!10.11: it fails"] * 2
    way.first.click()
    assert heading(tab) == "The beginning"
    assert frame(tab) == 1  # at the roll


def test_the_focus_stays_where_one_goes_on(tab: Page, tmp_path: Path) -> None:
    opened(tab, reacting(AGAIN), tmp_path)
    tab.locator(".situation:not(.off) [data-key='2']").focus()
    tab.keyboard.press("Enter")
    assert heading(tab).startswith("Situation 2")
    assert tab.evaluate("document.activeElement.textContent").startswith("Situation 2")
    tab.keyboard.press("2")
    assert heading(tab).startswith("Situation 4")
    assert "No further move." in tab.locator(".situation:not(.off)").inner_text()


def test_results_that_share_a_branch_have_a_button_each(tab: Page, tmp_path: Path) -> None:
    opened(tab, reacting(WHATEVER), tmp_path)
    assert results(tab) == ["It goes through", "It fails"]
    tab.keyboard.press("1")
    assert "line" not in at(tab)
    tab.keyboard.press("ArrowLeft")
    tab.keyboard.press("2")
    assert at(tab)["line"] == "10.11"


def test_what_has_no_place_on_the_page_is_said_with_how_to_ask(
    tab: Page, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("planner.draw.policy_frames.MOST_SITUATIONS", 3)
    picture = reacting(AGAIN)
    assert len(picture.situations) == 3
    opened(tab, picture, tmp_path)
    tab.keyboard.press("2")
    tab.keyboard.press("1")
    assert heading(tab).startswith("Situation 2")  # the key does nothing
    told = tab.locator(".situation:not(.off)").inner_text()
    assert "isn't on this page. Ask again after: armor+mech 10.10!10.11; armor+mech 10.10x10.11" in told


def test_at_390_pixels_nothing_is_cut_off_and_results_can_be_tapped(browser: Browser, tmp_path: Path) -> None:
    tab = browser.new_page(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    opened(tab, reacting(AGAIN), tmp_path)
    tab.locator("#final").tap()
    for button in tab.locator(".situation:not(.off) [data-key]").all():
        box = button.bounding_box()
        assert box is not None
        assert box["height"] >= 44
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 390
        assert box["y"] + box["height"] <= 844  # at the roll they are in view
    tab.locator(".situation:not(.off) [data-key='2']").tap()
    assert heading(tab).startswith("Situation 2")
    assert tab.evaluate("document.documentElement.scrollWidth") == 390
    tab.close()


def test_a_picture_shows_the_situation_that_is_asked_for() -> None:
    picture = reacting(AGAIN, step=2)
    assert "ShownSituation" not in picture.svg()
    assert "After armor+mech 10.10!10.11." in picture.svg()
    assert picture.after == picture.situations[2].start
    with pytest.raises(InputError, match="from 0 to 4, not 5"):
        reacting(AGAIN, step=5)


def test_a_policy_that_is_not_legal_or_not_complete_has_no_page() -> None:
    with pytest.raises(InputError, match=r"says nothing of armor\+mech 10.10!10.11 @ policy"):
        reacting({**AGAIN, "branches": AGAIN["branches"][:1]})


def test_what_is_rolled_but_changes_nothing_is_said_to(tab: Page, tmp_path: Path) -> None:
    opened(tab, reacting({"moves": ["armor+mech 10.10x10.11"]}), tmp_path)
    told = tab.locator(".situation").inner_text()
    assert "nothing that is rolled changes what is done" in told
    assert "What was rolled?" not in told


def test_without_a_roll_a_page_has_its_moves_alone(tab: Page, tmp_path: Path) -> None:
    scenario = load_scenario("dai_senso/manchuria")
    picture: Picture = PolicyPicture(scenario, Node(()))
    opened(tab, picture, tmp_path)
    told = tab.locator(".situation").inner_text()
    assert "No further move." in told
    assert "rolled" not in told
