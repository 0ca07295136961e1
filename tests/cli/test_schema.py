"""The published schemas are those of the code, and the shipped files follow them."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from planner.cli.schema import json_schema, schemas

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("name", schemas())
def test_the_published_schema_is_current(name: str) -> None:
    """Mended by: planner schema NAME > schemas/NAME-1.schema.json."""
    assert (ROOT / "schemas" / f"{name}-1.schema.json").read_text(encoding="utf-8") == json_schema(name)


FILES = [("scenario", path) for path in sorted((ROOT / "scenarios").rglob("*.toml"))] + [
    (path.stem, path) for path in sorted((ROOT / "models").glob("*/*.toml"))
]


@cache
def validator(name: str) -> Any:
    """Return what checks files by a schema, which is checked itself, but once."""
    schema = json.loads((ROOT / "schemas" / f"{name}-1.schema.json").read_text(encoding="utf-8"))
    kind = jsonschema.validators.validator_for(schema)
    kind.check_schema(schema)
    return kind(schema)


@pytest.mark.parametrize(("name", "path"), FILES, ids=lambda value: value.stem if isinstance(value, Path) else value)
def test_shipped_files_follow_the_published_schema(name: str, path: Path) -> None:
    validator(name).validate(tomllib.loads(path.read_text(encoding="utf-8")))


@pytest.mark.thorough
def test_a_schema_is_the_same_whatever_other_unions_a_program_has_made_before() -> None:
    """`typing` keeps the first of two unions that differ in their order alone: this failed beside other tests."""
    lines = "from typing import NotRequired; NotRequired[str | int]; from planner.cli.schema import json_schema"
    asked = [sys.executable, "-c", f"{lines}; print(json_schema('result'), end='')"]
    printed = subprocess.run(asked, capture_output=True, text=True, encoding="utf-8", check=True).stdout
    assert printed == (ROOT / "schemas" / "result-1.schema.json").read_text(encoding="utf-8")
