"""JSON is read as it is meant: nothing in it passes unnoticed."""

from __future__ import annotations

from pathlib import Path

import pytest

from planner.errors import InputError
from planner.formats.files import parse_json
from tests.command import run


def test_a_key_that_comes_twice_is_told() -> None:
    """In a file of TOML it always was; of JSON the last one counted."""
    with pytest.raises(InputError, match=r"^key 'moves' comes twice @ here$"):
        parse_json('[{"moves": []}, {"moves": ["a 0101-0102"], "format": 1, "moves": []}]', "here")
    assert parse_json('[{"a": 1}, {"a": {"a": 2}}]', "here") == [{"a": 1}, {"a": {"a": 2}}]


def test_a_plan_that_says_its_moves_twice_isnt_judged_by_the_last_ones(tmp_path: Path) -> None:
    (tmp_path / "plan.json").write_text('{"format": "planner/plan-1", "moves": ["plv w5525-w5425xw5426"], "moves": []}')
    done = run("check", "dai_senso/manchuria", "--plan", "plan.json", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (2, "key 'moves' comes twice @ plan.json\n")
