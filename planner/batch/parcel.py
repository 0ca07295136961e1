"""What jobs need besides the planner, to be sent along: scenario files, models of their own, policies beside them."""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Iterator, Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path, PurePosixPath

from planner.batch.jobs import Job
from planner.errors import InputError, Problem
from planner.formats.files import LARGEST_FILE, data_folder, parse_toml
from planner.version import __version__

Files = Mapping[str, bytes]
"""Contents by path, counted from the folder of the jobs."""


def files_of(job: Job, folder: Path) -> dict[str, bytes]:
    """Return the files that a job needs, those that ship with the planner excepted.

    Parameters
    ----------
    job : Job
        The job.
    folder : Path
        The folder from which its paths count.

    Raises
    ------
    InputError
        If a path is absolute: it would lead elsewhere on another machine. What isn't there is told when it is asked for.
    """
    scenario = job.said["scenario"]
    found: dict[str, bytes] = {}
    if isinstance(scenario, str):
        path = PurePosixPath(scenario)
        if not (folder / path).is_file():
            return found
        if path.is_absolute():
            raise InputError(
                [Problem(f"must be a path from the folder of the jobs to be sent elsewhere, not {path}", job.where)]
            )
        found[str(path)] = _content(folder / path)
        try:
            data: Mapping[str, object] = parse_toml(found[str(path)].decode("utf-8", "replace"), str(path))
        except InputError:
            return found  # told when it is asked for
        beside = path.parent
    else:
        data, beside = _table(scenario), PurePosixPath()
    policy = _table(_table(data.get("answer")).get("adaptive")).get("policy")
    for name in _wanted(data.get("model"), folder / beside):
        found[str(beside / name)] = _content(folder / beside / name)
    if isinstance(policy, str) and (folder / beside / policy).is_file():
        found[str(beside / policy)] = _content(folder / beside / policy)
    return found


def _wanted(model: object, beside: Path) -> Iterator[PurePosixPath]:
    """Yield the files of a model that is given by its path."""
    if isinstance(model, str) and "/" in model and not PurePosixPath(model).is_absolute():
        for file in sorted((beside / model).glob("*.toml")):
            yield PurePosixPath(model) / file.name


def _table(value: object) -> Mapping[str, object]:
    return value if isinstance(value, Mapping) else {}


def _content(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(LARGEST_FILE + 1)


DEEPEST_PATH = 8
"""How many folders paths of jobs may lead upwards."""


class Unpacked:
    """A folder in which files lie as they lay where they came from.

    Parameters
    ----------
    root : Path
        An empty folder; jobs are answered in one below it, so that paths may lead upwards.
    """

    def __init__(self, root: Path) -> None:
        self.folder = root.joinpath(*["up"] * DEEPEST_PATH)
        self.folder.mkdir(parents=True)
        self._root = root.resolve()

    def add(self, files: Files) -> None:
        """Write files.

        Raises
        ------
        InputError
            If a path leads out of the folder.
        """
        for name, content in files.items():
            path = (self.folder / name).resolve()
            if not path.is_relative_to(self._root):
                raise InputError([Problem(f"must lead upwards by at most {DEEPEST_PATH} folders", name)])
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)


def versions() -> dict[str, str]:
    """Return what must be the same everywhere for answers to be the same: versions, and a digest of code and data."""
    digest = hashlib.sha256()
    package = Path(__file__).resolve().parents[1]
    for folder in (package, data_folder("models"), data_folder("scenarios")):
        for file in sorted(folder.rglob("*")):
            if file.suffix in (".py", ".toml") and "_data" not in file.relative_to(folder).parts:
                digest.update(file.relative_to(folder).as_posix().encode() + b"\0" + file.read_bytes() + b"\0")
    return {
        "planner": __version__,
        "content": digest.hexdigest()[:16],
        "ortools": _version("ortools"),
        "python": ".".join(platform.python_version_tuple()[:2]),
    }


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "none"
