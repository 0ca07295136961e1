"""Answers that show themselves in notebooks, once they know to which scenario they belong.

What draws them lies above all of them, and says so with `drawn_by`: no answer knows what it looks like. So does what plays
on a scenario, with `opened_by`.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol, TypeVar

T = TypeVar("T")


class Drawing(Protocol):
    """A picture as answers know it; `planner.Picture` is one."""

    def svg(self) -> str:
        """Return it as SVG."""

    def png(self) -> bytes:
        """Return it as PNG."""

    def html(self) -> str:
        """Return it as a page to step through."""

    def save(self, path: Path) -> None:
        """Write it to a file."""

    def _repr_svg_(self) -> str | None: ...

    def _repr_html_(self) -> str | None: ...


_drawers: list[Callable[[object, object], Drawing]] = []


def drawn_by(drawer: Callable[[Any, Any], Drawing]) -> None:
    """Say what draws an answer, given its scenario."""
    _drawers[:] = [drawer]


_openers: list[Callable[[object], object]] = []


def opened_by(opener: Callable[[Any], object]) -> None:
    """Say what makes a scenario a position that is played on."""
    _openers[:] = [opener]


def opened(scenario: object) -> object:
    """Return a scenario as a position that is played on."""
    return _openers[0](scenario)


class Shown:
    """Something that a notebook shows as a map. What has no scenario is shown as plain text."""

    __slots__ = ()

    def picture(self) -> Drawing | None:
        """Return it as a picture; None where nobody has said to which scenario it belongs."""
        scenario = getattr(self, "_scenario", None)
        return None if scenario is None else _drawers[0](self, scenario)

    def _repr_svg_(self) -> str | None:
        picture = self.picture()
        return None if picture is None else picture._repr_svg_()

    def _repr_html_(self) -> str | None:
        picture = self.picture()
        return None if picture is None else picture._repr_html_()


def shown_with(answer: T, scenario: object) -> T:
    """Tell an answer to which scenario it belongs, and return it; what it equals and how it prints stays the same."""
    holder: object = answer
    object.__setattr__(holder, "_scenario", scenario)
    return answer
