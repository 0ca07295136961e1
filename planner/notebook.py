"""Answers that show themselves in notebooks, once they know to which scenario they belong."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

if TYPE_CHECKING:
    from planner.draw.picture import Picture
    from planner.scenario import Scenario

T = TypeVar("T")
P = ParamSpec("P")


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


def shown_with_its_scenario(
    ask: Callable[Concatenate[Scenario | str | Path, P], T],
) -> Callable[Concatenate[Scenario | str | Path, P], T]:
    """Let a question about a scenario answer with something that shows itself."""

    @wraps(ask)
    def asked(scenario: Scenario | str | Path, *args: P.args, **kwargs: P.kwargs) -> T:
        from planner.scenario import Scenario, load_scenario

        position = scenario if isinstance(scenario, Scenario) else load_scenario(scenario)
        return shown_with(ask(position, *args, **kwargs), position)

    return asked  # type: ignore[return-value]  # it can be called with scenario=… as well
