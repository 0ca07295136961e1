"""The scenarios and games that ship with the planner, as a list to choose from."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from planner.errors import InputError
from planner.formats.files import data_folder, read_text
from planner.rules.rulebook_file import load_rulebook, model_folder, read_rulebook, shipped_models

_LINE = re.compile(r'^(model|title) = "(.*)"\s*$', re.MULTILINE)  # reading all of each file takes seconds
_PUZZLE = re.compile(r"^\[answer\]", re.MULTILINE)


@cache
def shipped() -> dict[str, object]:
    """Return the games with their titles, and the scenarios with their games and titles, and whether each is a puzzle."""
    folder = data_folder("scenarios")
    return listed({file.relative_to(folder).with_suffix("").as_posix(): file for file in folder.rglob("*.toml")}, {})


def listed(files: Mapping[str, Path], own: Mapping[str, Path]) -> dict[str, object]:
    """Return the same of scenarios by their names, with games of one's own by theirs; what can't be read is passed over."""
    scenarios = []
    for name, file in sorted(files.items()):
        try:
            text = read_text(file)
        except InputError:  # told when it is asked for
            continue
        head = dict(_LINE.findall(text))
        if "model" in head:
            told = {"name": name, "model": head["model"], "title": head.get("title", name)}
            scenarios.append({**told, "puzzle": _PUZZLE.search(text) is not None})
    models = {name: load_rulebook(model_folder(name)).title for name in shipped_models()}
    return {"models": {**models, **{name: _title(file) for name, file in own.items()}}, "scenarios": scenarios}


def _title(folder: Path) -> str:
    """Return the title of a game, which may have faults: they are told when it is played."""
    try:
        rulebook, _ = read_rulebook(folder)
    except InputError:
        rulebook = None
    return folder.name if rulebook is None else rulebook.title
