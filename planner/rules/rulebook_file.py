"""The folders of ``models/``: finding, reading and checking a rulebook."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial, reduce
from operator import or_
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, create_model

from planner.errors import InputError, Problem
from planner.formats.files import data_folder, parse_toml, read_text
from planner.formats.spelling import did_you_mean
from planner.formats.table import Table
from planner.formats.validation import Sound, read_sound, renumbered
from planner.rules.base import Rule
from planner.rules.kinds import kinds
from planner.rules.kinds.hex_to_hex import HexToHex
from planner.rules.own_charts import OwnCharts
from planner.rules.rulebook import Rulebook, Statement
from planner.world.appearance import LookChart
from planner.world.charts import CarrierChart, Forces, TerrainChart
from planner.world.numbering import Numbering

T = TypeVar("T", bound=BaseModel)

ANY_STEP = HexToHex(id="any_step", kind="hex_to_hex", paragraph="")
"""How units move where no rule says it: from hex to hex."""


class RulebookFile(Table):
    """``rulebook.toml``: the rules in the order of the printed rulebook."""

    model_config = ConfigDict(title="planner/rulebook-1")

    format: Literal["planner/rulebook-1"] = Field(description="What kind of file it is")
    title: str = Field(description="The game", max_length=200)
    numbering: Numbering = Field(default=Numbering(), description="How the map numbers its hexes")
    rule: tuple[Rule, ...]


@cache
def rulebook_shape(known: tuple[type[Rule], ...] | None = None) -> type[RulebookFile]:
    """Return the shape of a rulebook whose rules are of some kinds, told apart by `kind`; absent: of every kind.

    It is made when it is asked for: of all kinds it takes longer than reading most rulebooks.
    """
    shape = RulebookFile
    if not TYPE_CHECKING:
        any_rule = Annotated[reduce(or_, kinds() if known is None else known), Field(discriminator="kind")]
        rules = Annotated[tuple[any_rule, ...], Field(min_length=1, description="The rules")]
        shape = create_model("RulebookFile", __base__=RulebookFile, __doc__=RulebookFile.__doc__, rule=(rules, ...))
    return shape


def _shape_of(data: Mapping[str, object]) -> type[RulebookFile]:
    """Return a shape for what was decoded: of the kinds that it names, or of all, of which a message tells."""
    rules = data.get("rule")
    named = [rule.get("kind") if isinstance(rule, dict) else None for rule in rules] if isinstance(rules, list) else []
    found = kinds({name if isinstance(name, str) else "" for name in named})
    return rulebook_shape(found if len(found) > 1 else None)  # one kind alone is told from no other


class StatementsFile(Table):
    """``statements.toml``: every statement of the printed rules with its state."""

    model_config = ConfigDict(title="planner/statements-1")

    statement: tuple[Statement, ...] = ()


_LOADED: dict[Path, tuple[object, Rulebook]] = {}
"""Models that have been read, as their files were then."""

_WITH_CHARTS: dict[tuple[Path, str], tuple[object, Rulebook]] = {}
"""The same of models with charts of scenarios, which are read again and again where defenders are placed."""
MOST_WITH_CHARTS = 20

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
    elif model in os.listdir(data_folder("models")) and (data_folder("models") / model / "rulebook.toml").is_file():
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
    """Tell whether a file is one of those that make a model, or a symbolic link to one."""
    path = Path(os.path.realpath(path))
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


def read_rulebook(folder: Path, charts: OwnCharts | None = None) -> tuple[Rulebook | None, list[Problem]]:
    """Read a folder of ``models/``; return what is sound of it, if anything is, with everything that is wrong.

    Parameters
    ----------
    folder : Path
        The folder.
    charts : OwnCharts, optional
        What a scenario says otherwise. If the model has no faults by itself, all that is wrong is the scenario's.
    """
    folder = folder.resolve()
    if charts is not None:
        plain, problems = read_rulebook(folder)
        return (plain, problems) if problems else _read_with(folder, charts)
    state = _state(folder)
    if folder in _LOADED and _LOADED[folder][0] == state:
        return _LOADED[folder][1], []
    rulebook, problems = _read(folder)
    if rulebook is not None and not problems:
        _LOADED[folder] = state, rulebook
    return rulebook, problems


def _read_with(folder: Path, charts: OwnCharts) -> tuple[Rulebook | None, list[Problem]]:
    """Read a sound model with what a scenario says otherwise; its problems are told where the scenario has them."""
    key, state = (folder, charts.text), _state(folder)
    if key in _WITH_CHARTS and _WITH_CHARTS[key][0] == state:
        return _WITH_CHARTS[key][1], []
    rulebook, problems = _read(folder, charts)
    if rulebook is not None and not problems:
        if len(_WITH_CHARTS) >= MOST_WITH_CHARTS:
            _WITH_CHARTS.pop(next(iter(_WITH_CHARTS)))
        _WITH_CHARTS[key] = state, rulebook
    return rulebook, [charts.located(problem) for problem in problems]


def _read(folder: Path, charts: OwnCharts | None = None) -> tuple[Rulebook | None, list[Problem]]:
    problems: list[Problem] = [] if charts is None else list(charts.problems())
    sound: list[Sound[Any]] = []
    numbers: dict[str, Mapping[str, Sequence[int]]] = {}

    def read(
        name: str,
        schema: type[T] | Callable[[Mapping[str, object]], type[T]],
        mends: Mapping[str, object] | None = None,
    ) -> T | None:
        path = folder / name
        try:
            data = parse_toml(read_text(path), str(path))
            if charts is not None:
                problems.extend(charts.lay_over(name, data))
            shape: type[T] = schema if isinstance(schema, type) else schema(data)
            found = read_sound(data, str(path), shape, mends)
        except InputError as error:
            problems.extend(error.problems)
            return None
        problems.extend(found.problems)
        sound.append(found)
        numbers[str(path)] = found.numbers
        return found.value

    file = read("rulebook.toml", _shape_of, {"format": "planner/rulebook-1", "title": folder.name[:200]})
    terrain = read("terrain.toml", TerrainChart)
    forces = read("forces.toml", Forces)
    ships = folder.parent == data_folder("models").resolve()
    has_statements = not ships and (folder / "statements.toml").exists()
    statements = read("statements.toml", StatementsFile) if has_statements else StatementsFile()
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
        partial(_shipped_statements, folder) if ships else partial(tuple, statements.statement),
        "rule" not in numbers[str(folder / "rulebook.toml")],
        frozenset().union(*(one.lost for one in sound)),
        frozenset().union(*(one.thinned for one in sound)),
    )
    told = () if ships else rulebook.statement_problems(str(folder))
    incomplete = {found[0] for part in rulebook.thinned if (found := re.match(r"rule\[\d+\]", part)) is not None}
    for problem in (*rulebook.problems(str(folder)), *told):
        name, _, place = problem.where.partition(": ")
        now = renumbered(place, numbers.get(name, {}))
        # Whoever names what couldn't be read isn't to blame, nor a rule of which a part couldn't that it is incomplete.
        of_rule = now.partition(" (")[0] if now.endswith(")") else ""
        unread = of_rule in incomplete or ("routes" in rulebook.thinned and problem.what.startswith("feature "))
        if not unread and not any(one.concerns(problem) for one in sound):
            problems.append(Problem(problem.what, f"{name}: {now}" if place else name))
    return rulebook, problems


def _shipped_statements(folder: Path) -> tuple[Statement, ...]:
    """Read the statements of a model that ships with the planner: they are sound, and as long as all else that it has.

    Raises
    ------
    InputError
        If they aren't sound after all.
    """
    path = folder / "statements.toml"
    found = read_sound(parse_toml(read_text(path), str(path)), str(path), StatementsFile)
    if found.value is None or found.problems:
        raise InputError(found.problems)
    return found.value.statement


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
