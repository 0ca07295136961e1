"""Scenario files in the making."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

from planner.formats import files
from planner.rules.rulebook_file import model_folder

WIDE = "dai_senso_wide"
"""The folder, beside a scenario, of Dai Senso with three digits for rows and columns: no map of more than 100 rows or
columns has room in two."""


@dataclass
class Size:
    """How large an instance is.

    Attributes
    ----------
    units : int
        Own units.
    options : dict of str
        What else is said of it.
    name : str
        The size as it was written.
    """

    units: int
    options: dict[str, str]
    name: str
    _used: set[str] = field(default_factory=set)

    @classmethod
    def parse(cls, text: str) -> Size:
        """Read ``UNITS/KEY=VALUE/…``.

        Raises
        ------
        ValueError
            If it isn't that.
        """
        if re.fullmatch(r"[0-9]{1,4}(/[a-z]+=[0-9]+(-[0-9]+)?)*", text) is None:
            raise ValueError(f"size must be such as 40 or 40/ma=6-10, not {text!r}")
        units, *rest = text.split("/")
        return cls(int(units), dict(entry.split("=") for entry in rest), text)

    @classmethod
    def named(cls, text: str) -> Size:
        """Return the size of something that has a name in place of numbers."""
        return cls(0, {}, text)

    def number(self, key: str, default: int, low: int, high: int) -> int:
        """Return an option that is one number.

        Raises
        ------
        ValueError
            If it is out of bounds.
        """
        self._used.add(key)
        text = self.options.get(key, str(default))
        if not text.isdigit() or not low <= int(text) <= high:
            raise ValueError(f"{key} must be from {low} to {high}, not {text}")
        return int(text)

    def span(self, key: str, default: tuple[int, int], high: int) -> tuple[int, int]:
        """Return an option that is a range, such as ``6-10``.

        Raises
        ------
        ValueError
            If it is empty or out of bounds.
        """
        self._used.add(key)
        if key not in self.options:
            return default
        first, _, last = self.options[key].partition("-")
        found = int(first), int(last or first)
        if not 1 <= found[0] <= found[1] <= high:
            raise ValueError(f"{key} must be a range from 1 to {high}, not {self.options[key]}")
        return found

    def units_within(self, low: int, high: int) -> int:
        """Return the number of units.

        Raises
        ------
        ValueError
            If it is out of bounds.
        """
        if not low <= self.units <= high:
            raise ValueError(f"units must be from {low} to {high}")
        return self.units

    def unused(self) -> list[str]:
        """Return the options that nobody has asked for."""
        return sorted(set(self.options) - self._used)


@dataclass
class Draft:
    """A scenario file in the making.

    Attributes
    ----------
    lines : list of str
        Its lines.
    wide : bool
        Whether it needs the wide form of Dai Senso beside it.
    """

    lines: list[str] = field(default_factory=list)
    wide: bool = False

    @property
    def text(self) -> str:
        """The file's text."""
        return "\n".join([*self.lines, ""])

    def begin(self, model: str, title: str, phase: str, phasing: str) -> None:
        """Write the head of the file."""
        self.lines += [
            'format = "planner/scenario-1"',
            f'model = "{model}"',
            f'title = "{title}"',
            f'phase = "{phase}"',
            f'phasing = "{phasing}"',
            "",
        ]

    def rows(self, origin: str, rows: list[str]) -> None:
        """Write the map, the top row first."""
        self.lines += ["[map]", f'origin = "{origin}"', 'rows = """', *rows, '"""']

    def table(self, kind: str, **entries: str | int) -> None:
        """Write a unit or a marker."""
        self.lines += ["", f"[[{kind}]]"]
        for key, value in entries.items():
            quoted = isinstance(value, str) and not value.startswith("[")
            self.lines.append(f'{key} = "{value}"' if quoted else f"{key} = {value}")

    def tier(self, *terms: str) -> None:
        """Write a tier of the objective."""
        if len(terms) == 1:
            self.lines += ["", "[[tier]]", f"terms = [{{ {terms[0]} }}]"]
        else:
            self.lines += ["", "[[tier]]", "terms = [", *(f"    {{ {term} }}," for term in terms), "]"]

    def write(self, path: Path) -> None:
        """Write the file, and beside it the rule system that it may need."""
        path.parent.mkdir(parents=True, exist_ok=True)
        if self.wide:
            write_wide(path.parent / WIDE)
        files.write_text(path, self.text)


def write_wide(folder: Path) -> None:
    """Write Dai Senso as it stands, but with three digits for rows and columns."""
    folder.mkdir(exist_ok=True)
    for source in sorted(model_folder("dai_senso").glob("*.toml")):
        text = source.read_text(encoding="utf-8")
        if source.name == "rulebook.toml":
            text = text.replace("{row:02}{column:02}", "{row:03}{column:03}")
            text = re.sub(r"\b([we])([0-9]{2})([0-9]{2})\b", r"\g<1>0\g<2>0\g<3>", text)
        target = folder / source.name
        if not target.is_file() or target.read_text(encoding="utf-8") != text:
            files.write_text(target, text)
