"""A server with the board, and a browser for it; as those of pages, its tests are skipped without Chromium and `browser`."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.draw.browsing import MUST
from tests.draw.conftest import browser as browser
from tests.instances import front

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route


class Server:
    """`planner serve` on a port of its own, which can be killed and started again."""

    def __init__(self) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}/"
        self._running: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        command = [sys.executable, "-m", "planner", "serve", "--port", str(self.port)]
        self._running = subprocess.Popen(command, env={**os.environ, "PYTHONUNBUFFERED": "1"})
        until = time.monotonic() + 120
        while time.monotonic() < until:
            try:
                with urllib.request.urlopen(self.url + "health", timeout=5):
                    return
            except OSError:
                time.sleep(0.1)
        raise AssertionError("the server doesn't answer")

    def kill(self) -> None:
        if self._running is not None:
            self._running.kill()
            self._running.wait()


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    if not MUST:
        pytest.skip("the board is tested in a browser with PLANNER_BROWSER=1")
    pytest.importorskip("uvicorn", reason="needs the extra serve")
    found = Server()
    found.start()
    yield found
    found.kill()


def watched(tab: Page, home: str, wrong: list[str]) -> Page:
    """Let errors of the page, and requests for anything but this server's, be noted."""
    tab.set_default_timeout(30_000)
    tab.on("pageerror", lambda error: wrong.append(str(error)))
    tab.on(
        "request", lambda asked: wrong.append(asked.url) if not asked.url.startswith((home, "blob:", "data:")) else None
    )
    return tab


@pytest.fixture
def tab(browser: Browser, server: Server) -> Iterator[Page]:
    wrong: list[str] = []
    context = browser.new_context(viewport={"width": 1200, "height": 800}, accept_downloads=True)
    yield watched(context.new_page(), server.url, wrong)
    context.close()
    assert not wrong


@pytest.fixture
def phone(browser: Browser, server: Server) -> Iterator[Page]:
    """A telephone: fingers, 390 pixels, in the dark."""
    wrong: list[str] = []
    context = browser.new_context(
        viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True, color_scheme="dark"
    )
    yield watched(context.new_page(), server.url, wrong)
    context.close()
    assert not wrong


@contextmanager
def held_back(tab: Page, requests: str) -> Iterator[None]:
    """Let such requests wait until the end of the block, so that the page is looked at while it waits for answers."""
    waiting: list[Route] = []
    tab.route(requests, lambda one: waiting.append(one))
    yield
    for one in waiting:
        one.continue_()
    tab.unroute(requests)


def long_front(tab: Page, server: Server, folder: Path) -> None:
    """Open a front whose best plan isn't proved in a minute."""
    (folder / "front.toml").write_text(front(80, 1, "/ma=6-10"), encoding="utf-8")
    tab.goto(server.url)
    tab.set_input_files("#file", folder / "front.toml")
    tab.wait_for_selector("#end-phase")


def saved(tab: Page, button: str, folder: Path) -> str:
    """Press a button that saves a file, and return what is in it."""
    with tab.expect_download() as loading:
        tab.click(button)
    file = folder / loading.value.suggested_filename
    loading.value.save_as(file)
    return file.read_text(encoding="utf-8")
