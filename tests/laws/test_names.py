"""One name for one thing: who looks for a class finds one, but for those that only their own file knows."""

from __future__ import annotations

import ast
from collections import defaultdict

from tests.laws.package_files import package_files

SHARED = {"Position"}
"""The position of a phase, and the one that programs play on, which goes by the name that such libraries give it."""


def test_no_two_classes_have_the_same_name() -> None:
    found = defaultdict[str, list[str]](list)
    for name, (_, tree, _) in package_files().items():
        for one in tree.body:
            if isinstance(one, ast.ClassDef) and not one.name.startswith("_"):
                found[one.name].append(name)
    assert {name for name, files in found.items() if len(files) > 1} == SHARED
