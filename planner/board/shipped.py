"""The scenarios and games that ship with the planner, as a list to choose from."""

from __future__ import annotations

import re
from functools import cache

from planner.formats.files import data_folder, read_text
from planner.rules.rulebook_file import load_rulebook, model_folder, shipped_models

_LINE = re.compile(r'^(model|title) = "(.*)"\s*$', re.MULTILINE)  # reading all of each file takes seconds
_PUZZLE = re.compile(r"^\[answer\]", re.MULTILINE)


@cache
def shipped() -> dict[str, object]:
    """Return the games with their titles, and the scenarios with their games and titles, and whether each is a puzzle."""
    folder, scenarios = data_folder("scenarios"), []
    for file in sorted(folder.rglob("*.toml")):
        text = read_text(file)
        head = dict(_LINE.findall(text))
        if "model" in head:
            name = file.relative_to(folder).with_suffix("").as_posix()
            told = {"name": name, "model": head["model"], "title": head.get("title", name)}
            scenarios.append({**told, "puzzle": _PUZZLE.search(text) is not None})
    models = {name: load_rulebook(model_folder(name)).title for name in shipped_models()}
    return {"models": models, "scenarios": scenarios}
