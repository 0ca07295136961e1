"""How fast the board in the browser is: from a touch to the hexes that a unit reaches, and frames of panning and zooming.

`PLANNER_CHROMIUM=/usr/bin/chromium python -m benchmarks.board`; needs the extras `serve` and `browser`. Chromium runs
headless, without a graphics card.
"""

from __future__ import annotations

import os
import shutil
import socket
import statistics
import subprocess
import sys
from typing import TYPE_CHECKING

from benchmarks import draw_map
from planner.board.editing import written

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

FRAMES = 120

MOVE = """async (frames) => {
  const begin = performance.now();
  for (let frame = 0; frame < frames; frame += 1) {
    planner.camera.pan(Math.sin(frame / 9) / 40, Math.cos(frame / 9) / 40);
    planner.camera.zoom(frame % 60 < 30 ? 0.97 : 1 / 0.97);
    await new Promise((resolve) => requestAnimationFrame(resolve));
  }
  return 1000 * frames / (performance.now() - begin);
}"""

WATCH = """(unit) => {
  planner.panels.play.escape();
  planner.message = "";
  window.touched = new Promise((resolve) => addEventListener("pointerdown", async () => {
    const begin = performance.now();
    while (!planner.message && !planner.map.reached.size) await new Promise((resolve) => setTimeout(resolve, 1));
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 0)));
    resolve([performance.now() - begin, planner.map.reached.size]);
  }, { once: true, capture: true }));
  const { x, y, width, height } = planner.map.hex(planner.state.at[unit]).getBoundingClientRect();
  return [x + width / 2, y + height / 2];
}"""

OWN = """planner.nearest(Object.keys(planner.state.at))
  .filter((one) => planner.picture.units[one].side === planner.state.side
    && planner.map.top(planner.state.at[one]) === one)"""


def _opened(tab: Page, columns: int, rows: int, units: int) -> None:
    tab.wait_for_selector("#tab-open")
    tab.evaluate(
        "async (text) => { await planner.turnTo('open'); await planner.open({ text }); await planner.turnTo('play'); }",
        written(draw_map.scenario(columns, rows, units)),
    )
    tab.wait_for_function("most => planner.map.where.size > most", arg=columns * rows // 2)


def _cpu(tab: Page) -> Callable[[], float]:
    """Return what tells the milliseconds of CPU of the page's thread since it was asked last, whoever else is busy."""
    told, before = tab.context.new_cdp_session(tab), [0.0]
    told.send("Performance.enable", {"timeDomain": "threadTicks"})

    def since() -> float:
        metrics = told.send("Performance.getMetrics")["metrics"]
        now = 1000 * next(float(one["value"]) for one in metrics if one["name"] == "TaskDuration")
        passed, before[0] = now - before[0], now
        return passed

    return since


def _touches(tab: Page, wait: float, count: int) -> None:
    """Tell how long it takes from touches on units until the hexes that they reach are drawn."""
    tab.wait_for_timeout(1000 * wait)
    found, cpu, since = [], [], _cpu(tab)
    for unit in tab.evaluate(OWN)[:count]:
        x, y = tab.evaluate(WATCH, unit)
        since()
        tab.mouse.click(x, y)
        found.append(tab.evaluate("touched"))
        cpu.append(since())
        tab.evaluate("planner.panels.play.escape()")
        tab.wait_for_timeout(1000 if wait > 1 else 0)
    times = sorted(time for time, _ in found)
    reached = statistics.mean(number for _, number in found)
    print(
        f"touch to reach after {wait:.0f} s: median {statistics.median(times):.0f} ms, most {times[-1]:.0f} ms,"
        f" of CPU of the page {statistics.median(cpu):.0f} ms; {reached:.0f} hexes reached"
    )


def main() -> None:
    """Measure, and print."""
    from playwright.sync_api import sync_playwright

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "planner", "serve", "--port", str(port)]
    server = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    chromium = os.environ.get("PLANNER_CHROMIUM") or shutil.which("chromium")
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
            tab = browser.new_page(viewport={"width": 1200, "height": 800})
            for _ in range(60):
                try:
                    tab.goto(f"http://127.0.0.1:{port}/")
                    break
                except Exception:  # it has not begun to listen
                    tab.wait_for_timeout(500)
            _opened(tab, 40, 25, 20)
            _touches(tab, 0, 5)
            for wait in (1, 10):
                _opened(tab, 40, 25, 20)
                _touches(tab, wait, 10)
            _opened(tab, draw_map.COLUMNS, draw_map.ROWS, draw_map.UNITS)
            tab.wait_for_timeout(2000)
            since = _cpu(tab)
            since()
            told = tab.evaluate(MOVE, FRAMES)
            print(
                f"5,000 hexes, 200 units: {told:.0f} frames a second, {since() / FRAMES:.1f} ms of CPU of the page each"
            )
            browser.close()
    finally:
        server.terminate()
        server.wait()


if __name__ == "__main__":
    main()
