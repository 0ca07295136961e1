"""Verifies puzzles: every file of a collection, whatever becomes of the others."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator
from os.path import exists, isdir
from pathlib import Path

from planner.errors import DisagreementError, InputError, Problem
from planner.formats.files import data_folder, parse_toml, read_text, resolved
from planner.formats.toml_lines import with_lines
from planner.limits import Limits
from planner.puzzles.checks import DEFAULT_COOKS, Settler
from planner.puzzles.verification import Check, Verification
from planner.scenario import Scenario, build_scenario, ensure_there, find_scenario

FORMAT = "planner/scenario-"

TIME_LIMIT = 60.0
"""Seconds for each file where nothing else is said: more than twice what the hardest claim that ships takes on one core."""


def files_in(names: Iterable[str | Path]) -> Iterator[Path]:
    """Yield the scenario files that are meant: files, names of shipped scenarios, and all scenarios in folders.

    In a folder, and in the folders in it, every TOML file counts whose format is that of a scenario, or which isn't even
    TOML. A folder may also be one of shipped scenarios, such as one of a game. Each file comes once.
    """
    seen: set[Path] = set()
    for name in names:
        path = Path(name)
        shipped = data_folder("scenarios") / str(name).removeprefix("scenarios/")
        folder = path if isdir(path) else shipped if not exists(path) and isdir(shipped) else None
        if folder is None:
            found = [find_scenario(str(name))]
        else:
            found = [file for file in _toml_files(folder) if _may_be_a_scenario(file)]
        for file in found:
            if (one := _resolved(file)) not in seen:
                seen.add(one)
                yield file


def _resolved(file: Path) -> Path:
    """Return where a file is, through links; a name that no file can have stays as it is."""
    try:
        return resolved(file)
    except (OSError, ValueError):
        return file


def _toml_files(folder: Path) -> list[Path]:
    """Return the TOML files in a folder, and in the folders in it, as far as these can be read."""
    found = (Path(where) / name for where, _, names in os.walk(folder) for name in names if name.endswith(".toml"))
    return sorted(file for file in found if os.path.isfile(file))


def _may_be_a_scenario(file: Path) -> bool:
    try:
        stated = parse_toml(read_text(file), str(file)).get("format")
    except (InputError, RecursionError):
        return True  # it is reported when it is verified
    return isinstance(stated, str) and stated.startswith(FORMAT)


def verify_file(
    path: str | Path,
    time_limit: float | None = TIME_LIMIT,
    cooks: int = DEFAULT_COOKS,
    limits: Limits | None = None,
) -> Verification:
    """Verify one scenario file; whatever is wrong with it is part of the answer.

    Parameters
    ----------
    path : str or Path
        The file, or the name of a shipped scenario.
    time_limit : float or None
        Seconds for this file, loading excepted; None: none.
    cooks : int
        How many other solutions to look for at most; 0: only whether there is one, where that is claimed.
    limits : Limits, optional
        Who may stop it, seed and cores; absent: as those of a search.
    """
    where, begin = str(path), time.monotonic()
    try:
        file = find_scenario(where)
        where = str(file)
        ensure_there(file)
        text = read_text(file)
        scenario = build_scenario(parse_toml(text, where), where, file.parent)
    except InputError as error:
        return Verification(where, problems=with_lines(error.problems), seconds=round(time.monotonic() - begin, 3))
    except Exception as error:  # one bad file must not end the others
        return Verification(where, fault=_told(error), seconds=round(time.monotonic() - begin, 3))
    return verify_scenario(scenario, time_limit, cooks, limits, text)


def verify_scenario(
    scenario: Scenario,
    time_limit: float | None = TIME_LIMIT,
    cooks: int = DEFAULT_COOKS,
    limits: Limits | None = None,
    text: str = "",
) -> Verification:
    """Verify a scenario that has been read; parameters as those of `verify_file`, and its text, for the lines."""
    begin = time.monotonic()
    checks: list[Check] = []
    problems: tuple[Problem, ...] = ()
    fault: str | None = None
    interrupted = False
    try:
        settler = Settler(scenario, (limits or Limits()).part(1, time_limit), cooks, text)
        checks.extend(settler.run())
        interrupted = settler.interrupted
    except InputError as error:
        problems = with_lines(error.problems)
    except Exception as error:  # one bad file must not end the others
        fault = _told(error)
    return Verification(
        scenario.where,
        scenario.title,
        scenario.game.rulebook.model,
        None if scenario.answer is None else scenario.answer.asks,
        tuple(checks),
        problems,
        fault,
        round(time.monotonic() - begin, 3),
        interrupted,
    )


def _told(error: Exception) -> str:
    """Return what is told of a fault of the planner."""
    if isinstance(error, DisagreementError):
        return f"{error}\n{error.dump}"
    return f"{type(error).__name__}: {error}"


def verify(
    names: Iterable[str | Path],
    time_limit: float | None = TIME_LIMIT,
    cooks: int = DEFAULT_COOKS,
    limits: Limits | None = None,
) -> Iterator[Verification]:
    """Verify files, and all scenarios in folders, one after another; parameters as those of `verify_file`.

    Yields
    ------
    Verification
        Of each file; after somebody has stopped it, as not reached.

    Raises
    ------
    InputError
        If no scenario is meant at all.
    """
    nothing = True
    for file in files_in(names):
        nothing = False
        if limits is not None and limits.stop.is_set():
            yield Verification(str(file), interrupted=True)
        else:
            yield verify_file(file, time_limit, cooks, limits)
    if nothing:
        raise InputError([Problem("no scenarios are there", ", ".join(map(str, names)) or "command line")])
