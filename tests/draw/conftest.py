"""A browser for tests of pages.

They need Chromium and the extra ``browser``; without them they are skipped, unless PLANNER_BROWSER=1 says that they must be
there.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from tests.draw.browsing import CHROMIUM, FLAGS, MUST

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """One for all tests of a folder; while it is there, nothing else can run an event loop."""
    if not MUST:
        pytest.importorskip("playwright.sync_api", reason="needs the extra browser")
        if CHROMIUM is None:
            pytest.skip("needs Chromium")
    from playwright.sync_api import sync_playwright

    assert CHROMIUM is not None, "no Chromium, though PLANNER_BROWSER=1 asks for it"
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield found
        found.close()


@pytest.fixture
def tab(browser: Browser) -> Iterator[Page]:
    """A page in which errors, and requests for anything but the file itself, fail the test."""
    found = browser.new_page(viewport={"width": 1200, "height": 760})
    found.set_default_timeout(30_000)
    wrong: list[str] = []
    found.on("pageerror", lambda error: wrong.append(str(error)))
    found.on("console", lambda message: wrong.append(message.text) if message.type == "error" else None)
    found.on("request", lambda request: wrong.append(request.url) if not request.url.startswith("file:") else None)
    found.on("dialog", lambda dialog: (wrong.append("a dialog"), dialog.dismiss()))  # type: ignore[func-returns-value]
    yield found
    found.close()
    assert not wrong
