"""What a file from elsewhere holds, before anybody has said what of it is which unit and which terrain."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class FoundPiece:
    """A piece, an object of a map, or a row of a table.

    Attributes
    ----------
    key : str
        What the file itself calls it.
    name : str
        Its name.
    place : str
        The label of the hex in which it lies; empty if in none.
    area : str
        Where it lies instead, or besides: the window of a map, or a zone without hexes.
    where : str
        The same in words, for messages.
    image : str
        The file of its picture.
    properties : mapping from str to str
        What else the file says of it.
    """

    key: str
    name: str
    place: str = ""
    area: str = ""
    where: str = ""
    image: str = ""
    properties: Mapping[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.name or self.key!r} ({self.where})" if self.where else self.name or repr(self.key)


@dataclass
class Found:
    """All that some files hold.

    Attributes
    ----------
    pieces : list of FoundPiece
        In the order of the files.
    hexes : dict from labels to list of str
        The hexes of the map; of each the words that say its terrain, from the lowest layer up.
    near : dict from labels to set of labels
        Which hexes of the map lie next to which, where the file tells.
    hexsides : list of (str, str, str)
        What lies on hexsides: the file's word for it, and two neighbouring hexes.
    remarks : list of str
        What couldn't be read, and is passed over.
    notes : list of str
        What somebody who writes a mapping should know.
    """

    pieces: list[FoundPiece] = field(default_factory=list)
    hexes: dict[str, list[str]] = field(default_factory=dict)
    near: dict[str, set[str]] = field(default_factory=dict)
    hexsides: list[tuple[str, str, str]] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def add(self, other: Found) -> None:
        """Take what another file holds; of a hex that both have, both words count."""
        self.pieces += other.pieces
        for label, words in other.hexes.items():
            self.hexes.setdefault(label, []).extend(words)
        self.near.update(other.near)
        self.hexsides += other.hexsides
        self.remarks += other.remarks
        self.notes += other.notes
