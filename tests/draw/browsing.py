"""What tests of pages in a real browser have in common."""

from __future__ import annotations

import io
import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from planner.draw.picture import Picture

if TYPE_CHECKING:
    from playwright.sync_api import Page

MUST = os.environ.get("PLANNER_BROWSER") == "1"
CHROMIUM = os.environ.get("PLANNER_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--force-device-scale-factor=1",
    "--font-render-hinting=none",
    "--disable-lcd-text",
]


def opened(tab: Page, picture: Picture, folder: Path) -> None:
    file = folder / "page.html"
    picture.save(file)
    tab.goto(file.as_uri())


def frame(tab: Page) -> int:
    return int(tab.evaluate("document.body.dataset.shown"))


def view_box(tab: Page) -> list[float]:
    return [float(value) for value in tab.get_attribute("#p", "viewBox").split()]  # type: ignore[union-attr]


TOLERATED = 0.01
"""Share of the map's pixels that may differ plainly: other fonts draw other letters."""


def brightness(picture: bytes) -> float:
    """Return how light a picture is on the whole, from 0 to 255."""
    from PIL import Image, ImageStat

    return ImageStat.Stat(Image.open(io.BytesIO(picture)).convert("L")).mean[0]


def difference(one: bytes, other: bytes) -> float:
    """Return the share of pixels of two pictures that differ plainly, after a little blurring; 1 for other sizes."""
    from PIL import Image, ImageChops, ImageFilter

    a, b = (Image.open(io.BytesIO(data)).convert("RGB").filter(ImageFilter.GaussianBlur(1.2)) for data in (one, other))
    if a.size != b.size:
        return 1.0
    histogram = ImageChops.difference(a, b).convert("L").histogram()
    return sum(histogram[40:]) / (a.width * a.height)
