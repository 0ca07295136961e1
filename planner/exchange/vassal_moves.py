"""A copy of a save in which some pieces lie elsewhere, and everything else is as it was, byte for byte."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from planner.errors import InputError, Problem
from planner.exchange.archive import Archive
from planner.exchange.hex_grid import Pixel
from planner.exchange.sequences import decode
from planner.exchange.vassal_piece import Piece, TraitError, read_piece
from planner.exchange.vassal_save import MEMBER, SavedGame, Stack, obfuscate, read_save


def with_moves(save: SavedGame, targets: Mapping[str, Pixel]) -> str:
    """Return the text of a save in which pieces have moved on their maps, alone or with their stacks.

    Parameters
    ----------
    save : SavedGame
        The save; left as it is.
    targets : mapping from ids to pairs of int
        Where each piece that moves lies then, in pixels.

    Raises
    ------
    InputError
        If the save is the log of a game, in which positions follow from commands; or a piece can't be found in its text.
    """
    if save.changed:
        what = "must be a save, not a log: open it in VASSAL, go to its end, and save the game"
        raise InputError([Problem(what, save.where)])
    parts = list(save.parts)
    for ident, target in targets.items():
        index, piece = save.added[ident]
        parts[index] = _elsewhere(parts[index], piece, target, save)
    _restack(save, parts, targets)
    text = "".join(parts)
    after = read_save(text, save.where, save.key, {})
    for ident, (_, piece) in save.added.items():
        x, y = targets.get(ident, (piece.x, piece.y))
        if replace(after.added[ident][1], properties={}) != replace(piece, x=x, y=y, properties={}):
            raise _not_found(piece, save)
    return text


def _elsewhere(command: str, piece: Piece, target: Pixel, save: SavedGame) -> str:
    """Return the command that adds a piece, with other coordinates: they stand in the innermost state, at its end."""
    # What separates words is escaped in the name of a map: its last letters will do.
    tail = "".join(one if one.isalnum() or one in " _-" else "\0" for one in piece.map).rpartition("\0")[2]
    old = f"{tail};{piece.x};{piece.y}"
    at = command.rfind(old)
    if at < 0:
        raise _not_found(piece, save)
    changed = f"{command[:at]}{tail};{target[0]};{target[1]}{command[at + len(old) :]}"
    fields = decode(changed.removeprefix("+/"), "/")
    try:
        read = read_piece(piece.id, fields[1], fields[2], {})
    except (TraitError, IndexError) as error:
        raise _not_found(piece, save) from error
    if (read.map, read.x, read.y) != (piece.map, *target):
        raise _not_found(piece, save)
    return changed


def _not_found(piece: Piece, save: SavedGame) -> InputError:
    return InputError([Problem(f"where {piece.name[:60]!r} lies can't be found in the text", save.where)])


def _restack(save: SavedGame, parts: list[str], targets: Mapping[str, Pixel]) -> None:
    """Take pieces out of the stacks that they leave, and put them into those, or new ones, where they go."""
    contents = {stack.id: [one for one in stack.pieces if one not in targets] for stack in save.stacks.values()}
    places = {stack.id: (stack.x, stack.y) for stack in save.stacks.values()}
    new: dict[tuple[str, Pixel], list[str]] = {}
    for stack in save.stacks.values():
        for ident in stack.pieces:
            if ident in targets and not stack.deck:
                new.setdefault((stack.id, targets[ident]), []).append(ident)
    further: dict[int, list[str]] = {}
    last_id = max((int(one) for one in (*save.stacks, *save.pieces) if one.isdecimal()), default=0)
    for (left, target), idents in new.items():
        old = save.stacks[left]
        added = max(save.added[one][0] for one in idents)
        # A stack can only hold pieces that have been added before it.
        joined = next(
            (
                one.id
                for one in save.stacks.values()
                if not one.deck and one.map == old.map and places[one.id] == target and one.command > added
                and (contents[one.id] or one.id == left)
            ),
            None,
        )  # fmt: skip
        if joined is None and not contents[left] and places[left] == (old.x, old.y):
            joined, places[left] = left, target
        if joined is not None:
            contents[joined] += idents
            continue
        last_id += 1
        fresh = _written(parts[old.command], old, target, idents).replace(f"+/{old.id}/", f"+/{last_id}/", 1)
        further.setdefault(old.command, []).append(parts[old.command - 1] + fresh)
    for stack in save.stacks.values():
        if (tuple(contents[stack.id]), places[stack.id]) != (stack.pieces, (stack.x, stack.y)) and not stack.deck:
            parts[stack.command] = _written(parts[stack.command], stack, places[stack.id], contents[stack.id])
    for index, commands in further.items():
        parts[index] += "".join(commands)


def _written(command: str, stack: Stack, place: Pixel, pieces: list[str]) -> str:
    """Return the command that adds a stack, with another place and other pieces."""
    old = ";".join((f";{stack.x}", str(stack.y), *stack.pieces))
    at = command.rfind(old)
    assert at > 0
    return command[:at] + ";".join((f";{place[0]}", str(place[1]), *pieces)) + command[at + len(old) :]


def save_copy(save: SavedGame, source: Path, text: str) -> bytes:
    """Return a copy of the archive of a save, with another text under the same key; all else in it is as it was.

    Raises
    ------
    InputError
        If something in it can't be read.
    """
    archive, content = Archive(source), io.BytesIO()
    with zipfile.ZipFile(content, "w") as file:
        for member in archive.members:
            data = obfuscate(save.key, text) if member.filename == MEMBER else archive.read(member.filename)
            copy = zipfile.ZipInfo(member.filename, member.date_time)
            copy.compress_type, copy.create_system = member.compress_type, member.create_system
            file.writestr(copy, data)
            copy.external_attr = member.external_attr  # of none, writing makes some
    return content.getvalue()
