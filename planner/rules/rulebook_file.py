"""The folders of ``models/``: finding, reading and checking a rulebook."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from functools import reduce
from operator import or_
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from planner.errors import InputError, Problem
from planner.formats.files import data_folder, parse_toml, read_text
from planner.formats.spelling import did_you_mean
from planner.formats.table import Table
from planner.formats.validation import Sound, read_sound, renumbered
from planner.rules.base import Rule
from planner.rules.kinds import KINDS
from planner.rules.kinds.hex_to_hex import HexToHex
from planner.rules.rulebook import Rulebook, Statement
from planner.world.appearance import LookChart
from planner.world.charts import CarrierChart, Forces, TerrainChart
from planner.world.numbering import Numbering

T = TypeVar("T", bound=BaseModel)

if TYPE_CHECKING:
    AnyRule = Rule
else:
    AnyRule = Annotated[reduce(or_, KINDS), Field(discriminator="kind")]
    """A rule of any kind, told apart by `kind`."""

ANY_STEP = HexToHex(id="any_step", kind="hex_to_hex", paragraph="")
"""How units move where no rule says it: from hex to hex."""


class RulebookFile(Table):
    """``rulebook.toml``: the rules in the order of the printed rulebook."""

    model_config = ConfigDict(title="planner/rulebook-1")

    format: Literal["planner/rulebook-1"] = Field(description="What kind of file it is")
    title: str = Field(description="The game", max_length=200)
    numbering: Numbering = Field(default=Numbering(), description="How the map numbers its hexes")
    rule: Annotated[tuple[AnyRule, ...], Field(min_length=1, description="The rules")]


class StatementsFile(Table):
    """``statements.toml``: every statement of the printed rules with its state."""

    model_config = ConfigDict(title="planner/statements-1")

    statement: tuple[Statement, ...] = ()


_LOADED: dict[Path, tuple[object, Rulebook]] = {}
"""Models that have been read, as their files were then."""

_FILES = ("rulebook.toml", "terrain.toml", "forces.toml", "statements.toml", "carriers.toml", "look.toml")


def model_folder(model: str, beside: Path | None = None) -> Path:
    """Find a model: one that ships with the planner, or a folder given by its path.

    Parameters
    ----------
    model : str
        A name, or a path with at least one slash.
    beside : Path, optional
        The folder from which a relative path counts.

    Raises
    ------
    InputError
        If there is none.
    """
    if "\0" not in model and "/" in model:
        folder = (beside or Path()) / model
        if os.path.isfile(folder / "rulebook.toml"):  # unlike `Path.is_file`, it takes names that no file system has
            return folder
    elif model.isidentifier() and (data_folder("models") / model / "rulebook.toml").is_file():
        return data_folder("models") / model
    names = ", ".join(shipped_models())
    raise InputError(
        [
            Problem(
                f"model must be one of {names}, or the path of a folder with a rulebook.toml, "
                f"not {model[:80]!r}{did_you_mean(model, shipped_models())}",
                model[:80],
            )
        ]
    )


def is_of_a_model(path: Path) -> bool:
    """Tell whether a file is one of those that make a model."""
    return path.name in _FILES and (path.parent / "rulebook.toml").is_file()


def shipped_models() -> list[str]:
    """Return the names of the models that ship with the planner."""
    return sorted(path.parent.name for path in data_folder("models").glob("*/rulebook.toml"))


def load_rulebook(folder: Path) -> Rulebook:
    """Read a folder of ``models/`` and check it.

    Raises
    ------
    InputError
        With every problem at once.
    """
    rulebook, problems = read_rulebook(folder)
    if rulebook is None or problems:
        raise InputError(problems)
    return rulebook


def read_rulebook(folder: Path) -> tuple[Rulebook | None, list[Problem]]:
    """Read a folder of ``models/``; return what is sound of it, if anything is, with everything that is wrong."""
    folder = folder.resolve()
    state = _state(folder)
    if folder in _LOADED and _LOADED[folder][0] == state:
        return _LOADED[folder][1], []
    problems: list[Problem] = []
    sound: list[Sound[Any]] = []
    numbers: dict[str, Mapping[str, Sequence[int]]] = {}

    def read(name: str, schema: type[T], mends: Mapping[str, object] | None = None) -> T | None:
        path = folder / name
        try:
            found = read_sound(parse_toml(read_text(path), str(path)), str(path), schema, mends)
        except InputError as error:
            problems.extend(error.problems)
            return None
        problems.extend(found.problems)
        sound.append(found)
        numbers[str(path)] = found.numbers
        return found.value

    file = read("rulebook.toml", RulebookFile, {"format": "planner/rulebook-1", "title": folder.name[:200]})
    terrain = read("terrain.toml", TerrainChart)
    forces = read("forces.toml", Forces)
    statements = read("statements.toml", StatementsFile) if (folder / "statements.toml").exists() else StatementsFile()
    carriers = read("carriers.toml", CarrierChart) if (folder / "carriers.toml").exists() else CarrierChart()
    looks = read("look.toml", LookChart) if (folder / "look.toml").exists() else LookChart()
    if file is None or terrain is None or forces is None or statements is None or carriers is None or looks is None:
        return None, problems
    rulebook = Rulebook(
        folder.name,
        file.title,
        file.numbering,
        file.rule,
        terrain,
        forces,
        ANY_STEP,
        carriers,
        looks,
        statements.statement,
    )
    for problem in rulebook.problems(str(folder)):
        # Whoever names what couldn't be read isn't to blame.
        if not any(one.concerns(problem) for one in sound):
            name, _, place = problem.where.partition(": ")
            told = renumbered(place, numbers.get(name, {}))
            problems.append(Problem(problem.what, f"{name}: {told}" if place else name))
    if not problems:
        _LOADED[folder] = state, rulebook
    return rulebook, problems


def _state(folder: Path) -> object:
    """Return what changes when somebody edits a model: who edits one wants to see at once what it does."""
    state: list[tuple[int, int] | None] = []
    for name in _FILES:
        try:
            found = (folder / name).stat()
            state.append((found.st_mtime_ns, found.st_size))
        except OSError:
            state.append(None)
    return state
