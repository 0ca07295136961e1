"""The scenarios that a client may name who is not trusted with files."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from planner.errors import InputError, Problem
from planner.formats.files import data_folder, parse_toml, read_text
from planner.formats.spelling import did_you_mean
from planner.formats.toml_lines import lines_told
from planner.rules.rulebook_file import shipped_models
from planner.scenario import Scenario, build_scenario


@dataclass(frozen=True)
class Shelf:
    """Scenarios by their names: the shipped ones, those of some folders, and those beside some files.

    Attributes
    ----------
    places : tuple of Path
        Folders, whose files may be named as well, by their path within, with or without ``.toml``; models that these name
        count from there. Of a scenario file: it and those beside it, its game, and the games in folders beside it, however
        much else there is.
    """

    places: tuple[Path, ...] = ()

    @property
    def folders(self) -> tuple[Path, ...]:
        """From which names and models count: of a file, what holds both it and its game."""
        return tuple(_root(place) for place in self.places)

    def names(self) -> dict[str, Path]:
        """Return the files by their names; a folder's file hides a shipped one of the same name."""
        found = {}
        for place in (data_folder("scenarios"), *self.places):
            folder = _root(place)
            for file in place.rglob("*.toml") if place.is_dir() else place.parent.glob("*.toml"):
                if file.is_file() and _holds(folder, file):
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

    def load(self, name: str) -> tuple[Scenario, str]:
        """Return the scenario of that name, and the text of its file; what is said of it names no folder of this machine.

        Raises
        ------
        InputError
            If there is none on the shelf, or it can't be read: with every problem at once.
        """
        path = self.find(name)
        called = name.removesuffix(".toml")
        try:
            text = read_text(path)
            with lines_told():
                return build_scenario(parse_toml(text, called), called, path.parent), text
        except InputError as error:
            raise InputError(self.told(error.problems)) from None

    def _hidden(self, text: str) -> str:
        """Return a text without the folders of this machine."""
        folders = (data_folder("scenarios").parent, *self.folders)
        for known in sorted({str(one) for folder in folders for one in (folder, folder.resolve())}, key=len)[::-1]:
            text = text.replace(known + os.sep, "")
        return text

    def read(self, data: Mapping[str, object], beside: str = "") -> Scenario:
        """Return a scenario that somebody sends; `beside` as in `base_of`.

        Raises
        ------
        InputError
            If it can't be read: with every problem at once.
        """
        try:
            return Scenario.from_dict(data, beside=self.base_of(data.get("model"), beside))
        except InputError as error:
            raise InputError(self.told(error.problems)) from None

    def base_of(self, model: object, beside: str = "") -> Path | None:
        """Return the folder from which the path of a game counts that somebody names; None for a shipped one.

        Parameters
        ----------
        model : object
            What a scenario has for its game.
        beside : str
            Where the scenario lies within a folder of the shelf.

        Raises
        ------
        InputError
            If it is neither a shipped game, nor one within a folder of the shelf.
        """
        if not isinstance(model, str) or model in shipped_models():
            return None  # what is no text is told when the scenario is read
        if "/" in model:
            for place in self.places[::-1]:
                base = _root(place) / beside
                if _offers(place, base / model) and _holds(_root(place), base):
                    return base
        names = ", ".join([*shipped_models(), *self.own_models()])
        raise InputError([Problem(f"model must be one of {names} here, not {model[:80]!r}", "scenario: model")])

    def own_models(self) -> dict[str, Path]:
        """Return the games within the folders, as scenarios at the top of their folder name them."""
        found = {}
        for place in self.places:
            folder = _root(place)
            for game in _games(place):
                if _holds_game(folder, game) and game != folder:
                    found[f"./{game.relative_to(folder).as_posix()}"] = game
        return found

    def told(self, problems: Iterable[Problem]) -> list[Problem]:
        """Return problems as clients may read them, without the folders of this machine."""
        return [Problem(self._hidden(one.what), self._hidden(one.where)) for one in problems]


def _own_game(file: Path) -> Path | None:
    """Return the folder of the game that a scenario file has for its own; None where it is a shipped one, or unreadable."""
    try:
        told = file.stat()
    except OSError:
        return None
    return _game_named(file, told.st_mtime_ns, told.st_size)


@lru_cache(maxsize=100)
def _game_named(file: Path, _changed: int, _size: int) -> Path | None:
    """Return the same of a file that was last changed then, and is so long."""
    try:
        model = parse_toml(read_text(file), "scenario").get("model")
    except InputError:
        return None
    if not isinstance(model, str) or "/" not in model:
        return None
    return Path(os.path.abspath(file.parent / model))


def _root(place: Path) -> Path:
    """Return the folder from which names and models of a place count."""
    if place.is_dir():
        return place
    game = _own_game(place)
    return place.parent if game is None else Path(os.path.commonpath([place.parent, game.parent]))


def _games(place: Path) -> list[Path]:
    """Return the folders of the games of a place."""
    if place.is_dir():
        return [file.parent for file in sorted(place.rglob("rulebook.toml"))]
    own = _own_game(place)
    beside = [file.parent for file in sorted(place.parent.glob("*/rulebook.toml"))]
    return beside if own is None or own in beside else [own, *beside]


def _offers(place: Path, game: Path) -> bool:
    """Tell whether a folder is that of a game of a place."""
    if not _holds_game(_root(place), game):
        return False
    return place.is_dir() or os.path.realpath(game) in map(os.path.realpath, _games(place))


def _holds_game(folder: Path, game: Path) -> bool:
    """Tell whether there is a game, and it and each of its files lie within a folder, wherever links lead."""
    # `os.path.isfile` says no of names that no file system has, where `Path.is_file` and `Path.resolve` fail.
    return os.path.isfile(game / "rulebook.toml") and all(_holds(folder, one) for one in (game, *game.glob("*.toml")))


def _holds(folder: Path, path: Path) -> bool:
    return Path(os.path.realpath(path)).is_relative_to(os.path.realpath(folder))
