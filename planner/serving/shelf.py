"""The scenarios that a client may name who is not trusted with files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from planner.errors import InputError, Problem
from planner.formats.files import data_folder
from planner.formats.spelling import did_you_mean
from planner.rules.rulebook_file import shipped_models


@dataclass(frozen=True)
class Shelf:
    """Scenarios by their names: the shipped ones, and those of some folders.

    Attributes
    ----------
    folders : tuple of Path
        Whose files may be named as well, by their path within, with or without ``.toml``; models that these name count
        from there.
    """

    folders: tuple[Path, ...] = ()

    def names(self) -> dict[str, Path]:
        """Return the files by their names; a folder's file hides a shipped one of the same name."""
        found = {}
        for folder in (data_folder("scenarios"), *self.folders):
            for file in folder.rglob("*.toml"):
                if file.is_file() and file.resolve().is_relative_to(folder.resolve()):
                    found[file.relative_to(folder).with_suffix("").as_posix()] = file
        return found

    def find(self, name: str) -> Path:
        """Return the file of that name.

        Raises
        ------
        InputError
            If there is none on the shelf, whatever other file there is.
        """
        names = self.names()
        file = names.get(name.removesuffix(".toml"))
        if file is None:
            raise InputError([Problem(f"no scenario of that name{did_you_mean(name[:200], names)}", name[:80])])
        return file

    def ensure_shipped(self, data: Mapping[str, object]) -> None:
        """Ensure that the model of a scenario is one that ships with the planner, and no folder of this machine.

        Raises
        ------
        InputError
            If it isn't.
        """
        model = data.get("model")
        if isinstance(model, str) and model not in shipped_models():
            names = ", ".join(shipped_models())
            raise InputError([Problem(f"model must be one of {names} here, not {model[:80]!r}", "scenario: model")])
