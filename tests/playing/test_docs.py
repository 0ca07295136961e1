"""The programs of the guide to playing run as they stand."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

PAGE = (Path(__file__).parents[2] / "docs" / "playing.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("program", re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL))
def test_a_program_of_the_guide_runs(program: str, capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(program, "docs/playing.md", "exec"), {"__name__": "example"})
    assert capsys.readouterr().out
