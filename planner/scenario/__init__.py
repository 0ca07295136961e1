"""Scenarios: read from files, checked, and made into a game and its first position."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any

from planner.errors import InputError, PlannerError, Problem
from planner.formats.files import data_folder, parse_toml, read_text
from planner.formats.spelling import did_you_mean
from planner.formats.toml_lines import lines_told
from planner.scenario.builder import Builder
from planner.scenario.scenario import Scenario


def find_scenario(name: str) -> Path:
    """Find a scenario file: a path, or the name of one that ships with the planner, by its game and name.

    The path counts first. The file need not exist, nor be one that could: reading it says so.
    """
    path = Path(name)
    with suppress(OSError, ValueError):
        if path.exists():
            return path
        for candidate in (name, f"{name}.toml", name.removeprefix("scenarios/")):
            shipped = data_folder("scenarios") / candidate
            if shipped.is_file():
                return shipped
    return path


def ensure_there(path: Path) -> None:
    """Ensure that there is a scenario file.

    Raises
    ------
    InputError
        If there isn't, with the shipped one that may have been meant; or if it can't be looked at.
    """
    try:
        there = path.exists()
    except OSError as error:
        raise InputError([Problem(f"can't be read: {error.strerror}", str(path)[:80])]) from error
    if not there:
        folder = data_folder("scenarios")
        shipped = [file.relative_to(folder).with_suffix("").as_posix() for file in folder.rglob("*.toml")]
        name = str(path).removeprefix("scenarios/").removesuffix(".toml")
        raise InputError([Problem(f"no such file{did_you_mean(name, shipped)}", str(path))])


def load_scenario(path: Path | str) -> Scenario:
    """Read a scenario file.

    Raises
    ------
    InputError
        With every problem at once.
    """
    path = find_scenario(str(path))
    ensure_there(path)
    where = str(path)
    with lines_told():
        return build_scenario(parse_toml(read_text(path), where), where, path.parent)


def build_scenario(data: dict[str, Any], where: str, beside: Path | None = None) -> Scenario:
    """Make a scenario of decoded TOML.

    Parameters
    ----------
    data : dict
        What the file holds.
    where : str
        What to call it in messages.
    beside : Path, optional
        The folder from which a relative model path counts.

    Raises
    ------
    InputError
        With every problem at once.
    """
    return Builder(where, beside).build(data)


def scenario_of(answer: object) -> Scenario:
    """Return the scenario to which an answer belongs.

    Raises
    ------
    PlannerError
        If nobody has said so: the functions of the package do.
    """
    found = getattr(answer, "_scenario", None)
    if not isinstance(found, Scenario):
        raise PlannerError("it isn't known to which scenario this answer belongs")
    return found


__all__ = ["Scenario", "build_scenario", "ensure_there", "find_scenario", "load_scenario", "scenario_of"]
