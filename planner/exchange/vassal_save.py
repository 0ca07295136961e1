"""A save of VASSAL: what is in its obfuscated text, and the same text with some pieces elsewhere.

``savedGame`` is ``!VCSK``, two hex digits of a key, and two hex digits a byte, each xored with the key. The text is a
list of commands, separated by ESC; where commands are nested, backslashes stand before it. ``+/id/type/state`` adds a
piece, ``M/id/map/x/y/…`` moves one, ``D/id/state`` changes its state, ``-/id`` removes it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from planner.errors import InputError, Problem
from planner.exchange.archive import Archive
from planner.exchange.sequences import decode
from planner.exchange.vassal_piece import MOST_TRAITS, Chain, Piece, TraitError, pixel, read_piece

HEADER = "!VCSK"
MEMBER = "savedGame"
MOST_COMMANDS = 200_000
MOST_WORK = 2**32
"""Characters that the chains of all pieces together make one read, as an upper bound: some seconds. Thousands of pieces of
fifty traits each need half of it."""

_SEPARATOR = re.compile("(\\\\*\x1b)")
_BOARDS = "BoardPicker\t"


@dataclass
class SavedGame:
    """A save, as it is read.

    Attributes
    ----------
    where : str
        What to call it in messages.
    key : int or None
        The key of the obfuscation; None if the text is plain.
    parts : list of str
        Commands and the separators between them, in turn; together they are the text.
    pieces : dict from ids to Piece
        The pieces; such as lie in no stack, too.
    stacks : dict from ids to Stack
        The stacks and decks.
    boards : dict from windows to list of (str, int, int)
        By window of a map: the boards that have been chosen for it, with the column and row in which each lies;
        ``/rev`` at the end of a name turns it round.
    remarks : list of str
        What couldn't be read, and is passed over.
    changed : bool
        Whether commands after those that add them have moved or changed pieces.
    types : dict from ids to str
        The type of each piece, by which its state is read.
    added : dict from ids to (int, Piece)
        The index of the command that adds each piece, among the parts, and the piece as it says it.
    """

    where: str
    key: int | None
    parts: list[str]
    pieces: dict[str, Piece] = field(default_factory=dict)
    stacks: dict[str, Stack] = field(default_factory=dict)
    boards: dict[str, list[tuple[str, int, int]]] = field(default_factory=dict)
    remarks: list[str] = field(default_factory=list)
    changed: bool = False
    types: dict[str, str] = field(default_factory=dict)
    added: dict[str, tuple[int, Piece]] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """All commands, as the save has them."""
        return "".join(self.parts)


@dataclass(frozen=True)
class Stack:
    """Pieces on top of each other.

    Attributes
    ----------
    id : str
        By which the save calls it.
    map : str
        The window of the map on which it lies.
    x, y : int
        Where, in pixels.
    pieces : tuple of str
        The ids of its pieces, from the bottom up.
    command : int
        The index of the command that adds it, among the parts of the save.
    deck : bool
        Whether it is a deck of cards.
    """

    id: str
    map: str
    x: int
    y: int
    pieces: tuple[str, ...]
    command: int
    deck: bool = False


def deobfuscate(content: bytes, where: str) -> tuple[int | None, str]:
    """Return the key and the text of a ``savedGame``; plain text has no key.

    Raises
    ------
    InputError
        If it isn't well-formed.
    """
    key = None
    if content.startswith(HEADER.encode()):
        try:
            digits = content[len(HEADER) :].decode("ascii")
            if re.fullmatch(r"[0-9a-fA-F]{2,}", digits) is None or len(digits) % 2:
                raise ValueError
            key, *rest = bytes.fromhex(digits)
        except ValueError as error:
            raise InputError([Problem("after !VCSK, pairs of hex digits must follow, to the end", where)]) from error
        content = bytes(rest).translate(bytes(byte ^ key for byte in range(256)))
    try:
        return key, content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError([Problem(f"must be UTF-8 text, but byte {error.start} is not", where)]) from error


def obfuscate(key: int | None, text: str) -> bytes:
    """Return a ``savedGame`` with a text; the inverse of `deobfuscate`."""
    content = text.encode("utf-8")
    if key is None:
        return content
    hidden = content.translate(bytes(byte ^ key for byte in range(256)))
    return f"{HEADER}{key:02x}{hidden.hex()}".encode()


def load_save(path: Path, prototypes: Mapping[str, Chain] | None = None) -> SavedGame:
    """Read a save.

    Parameters
    ----------
    path : Path
        The file, a ``.vsav``.
    prototypes : mapping from names to chains, optional
        The prototypes of the module.

    Raises
    ------
    InputError
        If it is no sound archive, or what it holds is no save.
    """
    archive = Archive(path)
    where = f"{path}: {MEMBER}"
    key, text = deobfuscate(archive.read(MEMBER), where)
    return read_save(text, where, key, prototypes or {})


def read_save(text: str, where: str, key: int | None, prototypes: Mapping[str, Chain]) -> SavedGame:
    """Read the text of a save; parameters and errors as `load_save` and `deobfuscate`."""
    save = SavedGame(where, key, _SEPARATOR.split(text))
    if not text.startswith("begin_save"):
        raise InputError([Problem("must begin with begin_save", where)])
    if len(save.parts) > 2 * MOST_COMMANDS:
        raise InputError([Problem(f"must have at most {MOST_COMMANDS:,} commands", where)])
    if "end_save" not in save.parts[::2]:
        raise InputError([Problem("must have end_save: the file has been cut off", where)])
    work = 0
    for index in range(0, len(save.parts), 2):
        command = save.parts[index].removeprefix("LOG\t").lstrip("'")
        work += len(command) * (1 + min(command.count("\t"), 2 * MOST_TRAITS))
        if work > MOST_WORK:
            raise InputError([Problem("the traits of its pieces must not be nested so deeply", where)])
        try:
            _read_command(save, command, index, prototypes)
        except TraitError as error:
            save.remarks.append(f"a piece that can't be read: {error} (command {index // 2})")
    _stack(save)
    return save


def _read_command(save: SavedGame, command: str, index: int, prototypes: Mapping[str, Chain]) -> None:
    """Carry out one command."""
    sort, _, rest = command.partition("/")
    if sort not in ("+", "M", "D", "-"):
        window, found, boards = command.partition(_BOARDS)
        if found and "\t" not in window:
            words = boards.split("\t")
            save.boards[window] = [
                (name, pixel(x), pixel(y)) for name, x, y in zip(words[::3], words[1::3], words[2::3], strict=False)
            ]
        return
    fields = decode(rest, "/")
    if sort == "+" and len(fields) >= 3:
        _add(save, fields, index, prototypes)
        return
    piece = save.pieces.get(fields[0])
    if piece is None:
        return
    save.changed = True
    if sort == "-":
        del save.pieces[piece.id]
    elif sort == "D" and len(fields) >= 2:
        save.pieces[piece.id] = read_piece(piece.id, save.types[piece.id], fields[1], prototypes)
    elif sort == "M" and len(fields) >= 4:
        window = "" if fields[1] == "null" else fields[1]
        save.pieces[piece.id] = replace(piece, map=window, x=pixel(fields[2]), y=pixel(fields[3]))


def _add(save: SavedGame, fields: list[str], index: int, prototypes: Mapping[str, Chain]) -> None:
    ident, types, states = fields[:3]
    kind = types.partition(";")[0]
    if kind not in ("stack", "deck"):
        save.pieces[ident] = read_piece(ident, types, states, prototypes)
        save.types[ident] = types
        save.added[ident] = index, save.pieces[ident]
        return
    place = decode(states, ";")
    if place[0] == "null" or len(place) < 3:
        return  # an empty stack that lies nowhere
    ids = tuple(one for one in place[3:] if one and not one.startswith("@@"))
    save.stacks[ident] = Stack(ident, place[0], pixel(place[1]), pixel(place[2]), ids, index, kind == "deck")


def _stack(save: SavedGame) -> None:
    """Put pieces where their stacks lie: VASSAL goes by these."""
    if save.changed:
        return
    for stack in save.stacks.values():
        for ident in stack.pieces:
            if ident in save.pieces:
                save.pieces[ident] = replace(save.pieces[ident], map=stack.map, x=stack.x, y=stack.y)
