"""Zip archives of strangers: read in memory, member by member, no more of each than is allowed."""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

from planner.errors import InputError, Problem

LARGEST_ARCHIVE = 512 * 2**20
"""Bytes of the file; modules are full of pictures."""
MOST_MEMBERS = 20_000
LARGEST_MEMBER = 64 * 2**20
"""Bytes of one member, unpacked."""
LARGEST_RATIO = 250
"""How many times larger a member may be unpacked than packed, beyond `HARMLESS` bytes; the saves of real games come to
30."""
HARMLESS = 2**20


class Archive:
    """A zip archive.

    Parameters
    ----------
    path : Path
        The file.

    Raises
    ------
    InputError
        If there is no such file, or it is no zip archive, has a damaged list of members, or members whose names lead
        elsewhere, are encrypted or come twice; every problem at once.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        with self._faults():
            if path.stat().st_size > LARGEST_ARCHIVE:
                raise InputError([Problem(f"must have at most {LARGEST_ARCHIVE // 2**20} MiB", str(path))])
            with zipfile.ZipFile(path) as file:
                self._members = file.infolist()
        if len(self._members) > MOST_MEMBERS:
            raise InputError([Problem(f"must hold at most {MOST_MEMBERS} files", str(path))])
        problems, seen = [], set[str]()
        for member in self._members:
            name = member.filename
            if not _is_inside(name):
                problems.append(Problem("names in an archive must not lead out of it", f"{path}: {name[:80]}"))
            if name in seen:
                problems.append(
                    Problem("names in an archive must differ, but this one comes twice", f"{path}: {name[:80]}")
                )
            if member.flag_bits & 1:
                problems.append(Problem("must not be encrypted", f"{path}: {name[:80]}"))
            seen.add(name)
        if problems:
            raise InputError(problems)

    @property
    def members(self) -> tuple[zipfile.ZipInfo, ...]:
        """What it holds, in its order."""
        return tuple(self._members)

    def __contains__(self, name: str) -> bool:
        return any(member.filename == name for member in self._members)

    def read(self, name: str, most: int = LARGEST_MEMBER) -> bytes:
        """Return a member, unpacked.

        Parameters
        ----------
        name : str
            The member.
        most : int
            So many bytes are allowed.

        Raises
        ------
        InputError
            If there is none, it is larger, or grows too much for what it is packed, or is damaged.
        """
        where = f"{self.path}: {name[:80]}"
        if name not in self:
            raise InputError([Problem("must be in the archive", where)])
        with self._faults(name), zipfile.ZipFile(self.path) as file, file.open(name) as member:
            packed = file.getinfo(name).compress_size
            content = member.read(min(most, max(HARMLESS, LARGEST_RATIO * packed)) + 1)
        if len(content) > most:
            raise InputError([Problem(f"must have at most {most:,} bytes", where)])
        if len(content) > max(HARMLESS, LARGEST_RATIO * packed):
            raise InputError([Problem(f"must not grow to more than {LARGEST_RATIO} times its size", where)])
        return content

    def beginning(self, name: str, most: int) -> bytes:
        """Return the first bytes of a member; none where there is no such member or it can't be read."""
        try:
            with self._faults(name), zipfile.ZipFile(self.path) as file, file.open(name) as member:
                return member.read(most)
        except (InputError, KeyError):
            return b""

    @contextmanager
    def _faults(self, name: str = "") -> Iterator[None]:
        """Turn what reading an archive may raise into problems."""
        where = f"{self.path}: {name[:80]}" if name else str(self.path)
        try:
            yield
        except FileNotFoundError as error:
            raise InputError([Problem("no such file", where)]) from error
        except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError) as error:
            raise InputError([Problem(f"must be a sound zip archive: {error}", where)]) from error
        except OSError as error:
            raise InputError([Problem(f"can't be read: {error.strerror or error}", where)]) from error


def _is_inside(name: str) -> bool:
    """Tell whether a member's name stays within the folder into which somebody may unpack it."""
    path = PurePosixPath(name.replace("\\", "/"))
    return bool(name) and not path.is_absolute() and ".." not in path.parts and ":" not in name and "\0" not in name
