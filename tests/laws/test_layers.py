"""The package is a house of layers: what lies below knows nothing of what lies above, not even its types."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import networkx as nx

from tests.laws.package_files import PACKAGE, package_files

LAYERS = (
    "version", "interrupts", "waiting", "printable", "errors", "gc_pause", "limits", "notebook",
    "formats", "world", "rules", "objective", "plans", "referee", "scenario", "reachability", "solver", "search",
    "explanation", "defense", "puzzles", "draw",
    "arguments", "questions", "api", "playing", "exchange", "batch", "match", "composing", "__init__",
    "board", "serving", "cli", "__main__",
)  # fmt: skip
"""Files and folders of the package, lowest first."""

EXCEPTIONS: dict[tuple[str, str], str] = {}
"""Imports that go up, each with its reason."""

LARGEST_CIRCLE = 6


def _name(file: Path) -> str:
    """Return the dotted name of a file's module within the package."""
    parts = file.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(parts[:-1] if len(parts) > 1 and parts[-1] == "__init__" else parts)


FILES = {_name(file): file for file in sorted(PACKAGE.rglob("*.py")) if "_data" not in file.parts}


def _imports(file: Path) -> set[str]:
    """Return which modules of the package a file imports, wherever in it and for whatever purpose."""
    found = set()
    for node in package_files()[file.relative_to(PACKAGE).with_suffix("").as_posix()].nodes:
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{file}: imports are absolute"
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return {_module(name) for name in found if name.split(".")[0] == "planner"} - {_name(file)}


def _module(name: str) -> str:
    """Return the module of which a dotted name is, or is part."""
    parts = name.split(".")[1:]
    while parts and ".".join(parts) not in FILES:
        parts.pop()
    return ".".join(parts) or "__init__"


@cache
def _arrows() -> frozenset[tuple[str, str]]:
    """Return who imports whom; found out when a test asks, not whenever tests are collected."""
    return frozenset((name, other) for name, file in FILES.items() for other in _imports(file))


def _layer(name: str) -> int:
    return LAYERS.index(name.split(".")[0])


def test_every_file_lies_in_a_layer() -> None:
    assert {name.split(".")[0] for name in FILES} == set(LAYERS)


def test_no_file_imports_from_a_layer_above_its_own() -> None:
    assert {(name, other) for name, other in _arrows() if _layer(other) > _layer(name)} == set(EXCEPTIONS)


def test_the_exceptions_are_few() -> None:
    assert len(EXCEPTIONS) <= 10
    assert all(EXCEPTIONS.values())


def test_circles_of_imports_are_small() -> None:
    largest = max(nx.strongly_connected_components(nx.DiGraph(list(_arrows()))), key=len)
    assert len(largest) <= LARGEST_CIRCLE, sorted(largest)


def test_interrupts_are_heard_before_anything_that_takes_its_time() -> None:
    """Until then one is told with a traceback: half of that time was once spent on `typing` and `contextlib`."""
    tree = ast.parse(FILES["interrupts"].read_text(encoding="utf-8"))
    named = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    named |= {str(node.module) for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert named == {"os", "signal", "sys", "types"}
