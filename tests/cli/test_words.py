"""One word for what is fought: where units fight a combat on entering a hex, nothing that players read says "overrun"."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.test_app import run

OPEN_DOOR, MOVES = "classic_hex/puzzles/open_door", ("x 0404x0405", "y 0404-0405-0406")
ASKED = (
    ("check", OPEN_DOOR, *MOVES),
    ("check", OPEN_DOOR, "x 0404x0405-0406", "y 0404x0405"),
    ("reach", OPEN_DOOR, "y"),
    ("explain", OPEN_DOOR, "y 0404-0405-0406"),
    ("explain", OPEN_DOOR, "y to 0406"),
    ("explain", "classic_hex/puzzles/closed_door", "x to 0405"),
)


def prose(data: object) -> Iterator[str]:
    """Yield every text of an answer; names of fields are no prose."""
    if isinstance(data, str):
        yield data
    elif isinstance(data, dict):
        for value in data.values():
            yield from prose(value)
    elif isinstance(data, list):
        for value in data:
            yield from prose(value)


@pytest.mark.parametrize("words", ASKED, ids=" ".join)
def test_where_units_fight_nothing_is_called_an_overrun(words: tuple[str, ...]) -> None:
    told = run(*words)
    assert told.returncode in (0, 1)
    texts = [told.stdout, *prose(json.loads(run(*words, "--json").stdout))]
    assert sum(map(len, texts)) > 100
    assert not [text for text in texts if "overr" in text.lower()]


def test_the_page_of_a_combat_calls_it_one(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    (tmp_path / "plan.txt").write_text("\n".join(MOVES))
    assert run("draw", OPEN_DOOR, "--plan", str(tmp_path / "plan.txt"), "--output", str(page)).returncode == 0
    shown = re.sub(r"<(script|style).*?</\1>|<[^>]*?>", " ", page.read_text(), flags=re.DOTALL)
    labels = " ".join(re.findall(r'(?:aria-label|title)="([^"]*)"', page.read_text()))
    assert "Combat; the MP spent so far" in shown
    assert "eliminates e" in shown
    assert "overr" not in (shown + labels).lower()
