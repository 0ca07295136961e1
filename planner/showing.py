"""Answers that show themselves in notebooks, once they know to which scenario they belong."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from planner.draw.picture import Picture
    from planner.scenario import Scenario

T = TypeVar("T")


class Shown:
    """Something that a notebook shows as a map. What has no scenario is shown as plain text."""

    __slots__ = ()

    def _picture(self, scenario: Scenario) -> Picture:
        """Return what it looks like."""
        raise NotImplementedError

    def picture(self) -> Picture | None:
        """Return it as a picture; None where nobody has said to which scenario it belongs."""
        scenario = getattr(self, "_scenario", None)
        return None if scenario is None else self._picture(scenario)

    def _repr_svg_(self) -> str | None:
        picture = self.picture()
        return None if picture is None else picture._repr_svg_()

    def _repr_html_(self) -> str | None:
        picture = self.picture()
        return None if picture is None else picture._repr_html_()


def shown_with(answer: T, scenario: Scenario) -> T:
    """Tell an answer to which scenario it belongs, and return it; what it equals and how it prints stays the same."""
    holder: Any = answer
    object.__setattr__(holder, "_scenario", scenario)
    return answer
