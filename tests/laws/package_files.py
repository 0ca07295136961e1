"""What the laws of the package's source look at: its files, each read once."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path
from typing import NamedTuple

import planner.version
from planner.gc_pause import seldom

PACKAGE = Path(planner.version.__file__).parent


class SourceFile(NamedTuple):
    """A file of the package: its text, the tree of it, and all there is in that tree."""

    text: str
    tree: ast.Module
    nodes: list[ast.AST]


@cache
def package_files() -> dict[str, SourceFile]:
    """Return each file by its path within the package, without suffix; read when a test asks, not as tests are collected."""
    found = {}
    with seldom():  # none of the many nodes is garbage
        for file in sorted(PACKAGE.rglob("*.py")):
            text = file.read_text(encoding="utf-8")
            tree = ast.parse(text)
            found[file.relative_to(PACKAGE).with_suffix("").as_posix()] = SourceFile(text, tree, list(ast.walk(tree)))
    return found
