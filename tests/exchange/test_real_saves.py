"""Copies of saves that VASSAL itself has written, held against these: needs a folder of such, no part of the project.

PLANNER_VASSAL names it: its saves (``*.vsav``) are read and copied, whatever games they are of.
"""

from __future__ import annotations

import difflib
import os
import re
import zipfile
from collections import Counter
from pathlib import Path

import pytest

from planner.exchange.sequences import decode
from planner.exchange.vassal_moves import save_copy, with_moves
from planner.exchange.vassal_piece import chain
from planner.exchange.vassal_save import SavedGame, deobfuscate, load_save, obfuscate
from tests.exchange import made_up

FOLDER = os.environ.get("PLANNER_VASSAL", "")
SAVES = sorted(Path(FOLDER).glob("*.vsav")) if FOLDER else []

pytestmark = pytest.mark.skipif(not SAVES, reason="PLANNER_VASSAL must name a folder with saves of VASSAL")


@pytest.fixture(params=SAVES, ids=[path.stem for path in SAVES])
def real(request: pytest.FixtureRequest) -> Path:
    return Path(request.param)


def content(path: Path) -> bytes:
    with zipfile.ZipFile(path) as file:
        return file.read("savedGame")


def test_what_is_read_is_written_again_to_the_byte(real: Path) -> None:
    key, text = deobfuscate(content(real), "save")
    assert obfuscate(key, text) == content(real)
    assert load_save(real).text == text


def test_commands_are_put_together_as_vassal_does_it(real: Path) -> None:
    """By the writer of these tests' made-up saves, too, which is apart from the reader."""
    save = load_save(real)
    added = [command for command in save.parts[::2] if command.startswith("+/")]
    assert len(added) == len(save.pieces) + len(save.stacks)
    for command in added:
        fields = decode(command.removeprefix("+/"), "/")
        assert "/".join(made_up.quoted(one, "/") for one in fields) == command[2:]
        if "piece;" in fields[1]:
            traits = chain(fields[1], fields[2])
            assert [made_up.nested([one[index] for one in traits], "\t") for index in (0, 1)] == fields[1:3]


def sort_of(command: str) -> str:
    """Return what a command is, without what it says: of stacks how they are written, without names and numbers."""
    if "/stack/" in command[:60]:
        told = re.sub(r"^\+/\d+/stack/[^;]*;\d+;\d+", "+/id/stack/map;x;y", command)
        return re.sub(r"(;\d+)+", ";ids", told)
    return re.split("[/\t]", command)[0][:12]


def shapes(save: SavedGame) -> Counter[tuple[str, str]]:
    """Count commands by what stands before them, and what they are."""
    return Counter(zip(["", *save.parts[1::2]], map(sort_of, save.parts[::2]), strict=True))


def ensure_sound(save: SavedGame) -> None:
    """Ensure what holds of a save of VASSAL: each piece lies in one stack, which comes after it, and lies where it does."""
    held = [piece for stack in save.stacks.values() for piece in stack.pieces]
    assert sorted(held) == sorted(save.pieces)
    for stack in save.stacks.values():
        for ident in stack.pieces:
            index, piece = save.added[ident]
            assert index < stack.command
            assert (piece.map, piece.x, piece.y) == (stack.map, stack.x, stack.y)
    ids = [command.split("/")[1] for command in save.parts[::2] if command.startswith("+/")]
    assert len(ids) == len(set(ids))


def ensure_nothing_else(save: SavedGame, after: SavedGame, targets: dict[str, tuple[int, int]]) -> None:
    """Ensure, command by command, that only pieces that move change, and stacks that they leave or join."""
    new = after.stacks.keys() - save.stacks.keys()
    assert all(one in targets for ident in new for one in after.stacks[ident].pieces)
    assert not save.stacks.keys() - after.stacks.keys()
    touched = {
        ident for ident, one in save.stacks.items() if {*one.pieces, *after.stacks[ident].pieces} & targets.keys()
    }
    kept = [command for command in after.parts[::2] if added_by(command) not in new]
    assert len(kept) == len(save.parts[::2])
    for old, now in zip(save.parts[::2], kept, strict=True):
        assert added_by(old) == added_by(now)
        assert old == now or added_by(old) in {*targets, *touched}


def added_by(command: str) -> str:
    """Return the id of the piece or stack that a command adds; empty if it adds none."""
    return command.split("/")[1] if command.startswith("+/") else ""


def moves_of(save: SavedGame) -> dict[str, tuple[int, int]]:
    """Let pieces go as a plan would: out of a stack to an empty place, onto another stack, and a whole stack."""
    main, _ = Counter(stack.map for stack in save.stacks.values()).most_common(1)[0]
    stacks = [stack for stack in save.stacks.values() if stack.map == main and stack.pieces]
    broad = sorted(stacks, key=lambda stack: -len(stack.pieces))
    last = stacks[-1]
    targets = {broad[0].pieces[0]: (broad[0].x + 101, broad[0].y + 57), stacks[1].pieces[-1]: (last.x, last.y)}
    targets |= dict.fromkeys(stacks[2].pieces, (stacks[2].x + 7, stacks[2].y - 3))
    return targets


def test_a_copy_in_which_pieces_have_moved_is_a_save_as_vassal_writes_them(real: Path, tmp_path: Path) -> None:
    save = load_save(real)
    ensure_sound(save)
    targets = moves_of(save)
    (tmp_path / "next.vsav").write_bytes(save_copy(save, real, with_moves(save, targets)))
    with zipfile.ZipFile(real) as old, zipfile.ZipFile(tmp_path / "next.vsav") as new:
        told = [
            [
                (one.filename, one.compress_type, one.date_time, one.external_attr, one.create_system)
                for one in file.infolist()
            ]
            for file in (old, new)
        ]
        assert told[0] == told[1]
        assert all(old.read(name) == new.read(name) for name in old.namelist() if name != "savedGame")
    assert content(tmp_path / "next.vsav")[:8] == content(real)[:8]  # the sign of obfuscation, and the key
    after = load_save(tmp_path / "next.vsav")
    assert {ident: (one.x, one.y) for ident, one in after.pieces.items()} == {
        ident: targets.get(ident, (one.x, one.y)) for ident, one in save.pieces.items()
    }
    assert all(after.pieces[one].properties == save.pieces[one].properties for one in save.pieces)
    ensure_sound(after)
    # No command of a sort that VASSAL hasn't written into the real one, but that a stack that has been left is empty: such
    # stand in saves of VASSAL, too, though not in all.
    emptied = {(before, sort.replace(";ids", "")) for before, sort in shapes(save) if "/stack/" in sort}
    assert set(shapes(after)) <= set(shapes(save)) | emptied
    assert after.boards == save.boards
    ensure_nothing_else(save, after, targets)
    # All else is as it was, in its order: what differs are the pieces that have moved, and their stacks.
    steps = difflib.SequenceMatcher(None, save.parts, after.parts, autojunk=False).get_opcodes()
    assert sum(end - begin for sort, begin, end, _, _ in steps if sort != "equal") <= 3 * len(targets)
