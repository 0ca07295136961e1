"""Nothing grows too large to be read: files, classes, parameter lists, what is open to type checkers, tests for kinds."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from importlib import import_module
from typing import get_args

from planner.rules.atoms import Atom
from planner.rules.base import Rule
from tests.laws.package_files import package_files

LONGEST_FILE = 500
LARGEST_CLASS = 400
MOST_PARAMETERS = 6
"""Without self, and without such as are handed on as a whole."""
MOST_EXCEPTIONS = 1
MOST_ANY = 100
"""Lines that name Any."""
MOST_TESTS_OF_RULES = 5
MOST_TESTS_OF_ATOMS = 10
"""Outside of `rules/`, where roles and properties are asked for, which a new kind may have as well."""

EXCEPTIONS: dict[str, str] = {
    "api.alternatives": "the words of suggest, and how plans are to differ",
}
"""Functions with more parameters, each with its reason; those of commands are their options, and don't count."""


def _long_lists() -> Iterator[str]:
    """Yield the functions with more parameters than most, but for commands."""
    for name, (_, _, nodes) in package_files().items():
        inside = {id(function) for one in nodes if isinstance(one, ast.ClassDef) for function in one.body}
        for function in nodes:
            if isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)):
                given = function.args
                static = any(isinstance(d, ast.Name) and d.id == "staticmethod" for d in function.decorator_list)
                own = len(given.posonlyargs) + len(given.args) + len(given.kwonlyargs)
                command = name == f"cli/{function.name}"
                if own - (id(function) in inside and not static) > MOST_PARAMETERS and not command:
                    yield f"{name}.{function.name}"


def test_no_file_and_no_class_is_too_long() -> None:
    assert [name for name, (text, _, _) in package_files().items() if text.count("\n") > LONGEST_FILE] == []
    assert [
        f"{name}.{one.name}"
        for name, (_, tree, _) in package_files().items()
        for one in tree.body
        if isinstance(one, ast.ClassDef) and (one.end_lineno or 0) - one.lineno >= LARGEST_CLASS
    ] == []


def test_functions_have_few_parameters() -> None:
    assert set(_long_lists()) == set(EXCEPTIONS)
    assert len(EXCEPTIONS) <= MOST_EXCEPTIONS


def test_little_is_left_open_to_a_type_checker() -> None:
    lines = [line for text, _, _ in package_files().values() for line in text.splitlines() if "import" not in line]
    assert sum(re.search(r"\bAny\b", line) is not None for line in lines) <= MOST_ANY


def _calls(node: ast.AST, *names: str) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in names


def _tests_of(classes: tuple[type, ...]) -> list[str]:
    """Return where it is asked outside of `rules/` whether something is of some classes, or looked up by its class."""
    found = []
    for name, (_, _, nodes) in package_files().items():
        if name.startswith("rules/"):
            continue
        known = {
            alias.asname or alias.name
            for node in nodes
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("planner.rules.")
            for alias in node.names
            if isinstance(one := getattr(import_module(node.module or ""), alias.name), type)
            and issubclass(one, classes)
        }
        for node in nodes if known else ():
            asked: list[ast.expr] = []
            if isinstance(node, ast.Call) and _calls(node, "isinstance", "issubclass"):
                asked = node.args[1:]
            elif isinstance(node, ast.MatchClass):
                asked = [node.cls]
            elif isinstance(node, ast.Compare) and any(_calls(part, "type") for part in ast.walk(node)):
                asked = [node]
            elif isinstance(node, ast.Dict):
                asked = [key for key in node.keys if isinstance(key, ast.Name)][:1]
            if any(isinstance(part, ast.Name) and part.id in known for one in asked for part in ast.walk(one)):
                found.append(f"{name}:{node.lineno}")
    return found


def test_rules_and_atoms_are_hardly_ever_asked_for_their_class() -> None:
    assert len(rules := _tests_of((Rule,))) <= MOST_TESTS_OF_RULES, rules
    assert len(atoms := _tests_of(get_args(Atom))) <= MOST_TESTS_OF_ATOMS, atoms
