"""Problems of TOML files have the line of the entry that they name."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import planner
from planner.formats.toml_lines import LONGEST, TomlLines
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
