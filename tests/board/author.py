"""Somebody who works with mouse and keyboard, and how long that takes by the keystroke-level model.

Card, Moran and Newell, "The keystroke-level model for user performance time with interactive systems", Communications of
the ACM 23 (1980): the time of a task is the sum of its operators. It is the time of work without errors by somebody who
knows what he wants, whatever machine this runs on: a measure of what the board asks of people, and no clock.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from tests.board.conftest import saved

if TYPE_CHECKING:
    from playwright.sync_api import Page

KEY, POINT, THINK, HOME = 0.28, 1.1, 1.35, 0.4
"""Seconds of a key or button (of an average typist), pointing, a thought before an action, a hand that changes place."""


class Author:
    """Works on a page, and counts what it takes. Before every action there is a thought: nothing is done by heart.

    Attributes
    ----------
    seconds : float
        By the model, so far.
    actions : int
        How many there were.
    """

    def __init__(self, tab: Page) -> None:
        self._tab = tab
        self.seconds, self.actions = 0.0, 0
        self._typing = False

    def _point(self, times: int = 1) -> None:
        """Think, take the mouse, and point at something and press, so many times."""
        self.actions += 1
        self.seconds += THINK + HOME * self._typing + times * (POINT + KEY)
        self._typing = False

    def click(self, what: str) -> None:
        self._point()
        self._tab.click(what)

    def save(self, what: str, folder: Path) -> str:
        """Press a button that saves a file, and return what is in it."""
        self._point()
        return saved(self._tab, what, folder)

    def check(self, what: str) -> None:
        self._point()
        self._tab.check(what)

    def touch(self, where: tuple[float, float]) -> None:
        self._point()
        self._tab.mouse.click(*where)

    def choose(self, what: str, value: str) -> None:
        """Open a list and choose from it."""
        self._point(2)
        self._tab.select_option(what, value)

    def stroke(self, one: tuple[float, float], other: tuple[float, float]) -> None:
        """Press, and draw to somewhere else."""
        self._point(2)
        self._tab.mouse.move(*one)
        self._tab.mouse.down()
        self._tab.mouse.move(*other, steps=8)
        self._tab.mouse.up()

    def write(self, what: str, text: str) -> None:
        """Point at a field, and write over what is there."""
        self._point()
        self.seconds += HOME + KEY * (len(text) + 2)  # all of it is marked first
        self._typing = True
        self._tab.fill(what, text)

    def press(self, what: str, key: str) -> None:
        """Press a key where one has written."""
        self.seconds += KEY
        self._tab.press(what, key)
