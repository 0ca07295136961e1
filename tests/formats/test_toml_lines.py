"""Problems of TOML files have the line of the entry that they name."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import planner
from planner.errors import InputError
from planner.formats.files import DEEPEST, parse_toml
from planner.formats.toml_lines import LONGEST, MOST_READ, TomlLines
from tests.command import run

TEXT = """\
title = "lines"

# where they stand
map.rows = '''
. .
. .
'''
control.west = "a1"

[[unit]]
id = "a"
at = "a1"

[[unit]]
id = "b"
values = [
  3,
  4,
]
at = "b1"
flat = { x = 1, y = [{ z = 2 }] }
"""


@pytest.mark.parametrize(
    ("place", "line"),
    [
        ("title", 1),
        ("map.rows", 4),
        ("control.west", 8),
        ("unit[0]", 10),
        ("unit[0] (a).at", 12),
        ("unit[1]", 14),
        ("unit[1] (b).values[1]", 16),  # of a list over several lines, the first
        ("unit[1] (b).at", 20),
        ("unit[1].flat.y[0].z", 21),
        ("unit[1] (b).supplied", 14),  # it isn't there: the entry that should have it
        ("tier[0]", None),
    ],
)
def test_an_entry_is_found_on_the_line_on_which_it_begins(place: str, line: int | None) -> None:
    assert TomlLines(TEXT).line_of(place) == line


def test_of_a_file_that_is_too_long_no_line_is_told() -> None:
    assert TomlLines(TEXT + "\n" * LONGEST).line_of("title") is None


OFF_THE_MAP = (
    'format = "planner/scenario-1"\nmodel = "ocs"\nphase = "movement"\nphasing = "axis"\n'
    'map.hexes = { "10.10" = "open" }\n[[unit]]\nid = "u"\nvalues = "1-1-4"\nat = "1111"\n'
    'side = "axis"\ntype = "infantry"\n'
)
"""The unit stands off the map on the ninth line."""


def test_commands_python_and_reports_name_file_and_line(tmp_path: Path) -> None:
    file = tmp_path / "one.toml"
    file.write_text(OFF_THE_MAP)
    place = f"@ {file}:9: unit[0] (u).at"
    assert place in run("check", str(file)).stderr
    with pytest.raises(planner.InputError) as error:
        planner.load(file)
    assert place in str(error.value)
    run("verify", str(file), "--junit", str(tmp_path / "junit.xml"), "--sarif", str(tmp_path / "log.sarif"))
    assert place in (tmp_path / "junit.xml").read_text()
    [told] = json.loads((tmp_path / "log.sarif").read_text())["runs"][0]["results"]
    assert told["locations"][0]["physicalLocation"]["region"]["startLine"] == 9


def test_no_line_is_looked_for_without_an_end() -> None:
    """The rows of a map can't be read in part: each of their beginnings was tried, which took minutes."""
    rows = "." * 5_000 + "\n"
    lines = TomlLines("map.rows = '''\n" + rows * (LONGEST - 100) + "'''\nend = 1\n")
    assert lines.line_of("end") is None
    assert lines._read <= MOST_READ + len(rows) * LONGEST


@pytest.mark.parametrize(
    "key", ["{deep} = 1", "[{deep}]", "[[ {deep} ]]", "x = {{ {deep} = 1 }}", "x = {{y = 1, {deep} = 1}}"]
)
@pytest.mark.parametrize("part", ["a", '"a b"', "'[a'"])
@pytest.mark.parametrize("dot", [".", " . "])
def test_keys_of_very_many_parts_are_told_as_what_is_nested_too_deeply(key: str, part: str, dot: str) -> None:
    """The parser takes minutes for such; one part less than is allowed is read."""
    with pytest.raises(InputError, match="nested at most 40 levels deep @ x"):
        parse_toml(key.format(deep=dot.join([part] * 50_000)), "x")
    assert parse_toml(key.format(deep=dot.join([part] * (DEEPEST - 4))), "x")


def test_text_with_many_points_is_text() -> None:
    rows = "\n".join([".".join("w" * 60)] * 3)
    assert parse_toml(f"rows = '''\n{rows}\n'''", "x") == {"rows": f"{rows}\n"}
