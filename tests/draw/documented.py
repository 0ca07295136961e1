"""The pictures of the documentation. To draw them anew: ``python -m tests.draw.documented``, then look at them."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from planner import api
from planner.plans.plan import Plan
from planner.scenario import load_scenario

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "pictures"


@cache
def made() -> dict[str, str]:
    """Return each picture, by the name of its file."""
    trenches = load_scenario("great_war/over_the_top")
    assert trenches.answer is not None
    return {
        "crossroads.svg": api.picture("crossroads/start").svg(),
        "manchuria.svg": api.picture("dai_senso/manchuria", ["inf w5525-w5425", "plv w5525-w5425xw5426"]).svg(),
        "over_the_top.svg": api.picture(trenches, Plan.parse(trenches.answer.moves)).svg(),
    }


if __name__ == "__main__":
    for name, text in made().items():
        (FOLDER / name).write_text(text, encoding="utf-8")
