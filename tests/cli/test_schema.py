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

from planner.cli.schema import schemas

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("name", schemas())
def test_the_published_schema_is_current(name: str) -> None:
    """Mended by: planner schema NAME > schemas/NAME-1.schema.json."""
    asked = [sys.executable, "-m", "planner", "schema", name]
    printed = subprocess.run(asked, capture_output=True, text=True, check=True).stdout
    assert (ROOT / "schemas" / f"{name}-1.schema.json").read_text(encoding="utf-8").strip() == printed.strip()


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
