"""The file of results: a line of JSON each, appended, never lost, and at last in the order of the jobs."""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import IO, Any

from planner.batch.jobs import Job, key_of
from planner.errors import InputError, Problem
from planner.formats.files import ensure_no_pipes

BEGIN = b'{"id": '
"""With what every result begins; nothing else is ever cut off."""


class ResultsFile:
    """Results, each written to the disk before it counts.

    Parameters
    ----------
    path : Path
        The file; begun if there is none.
    jobs : iterable of Job
        Whose results it is to hold.
    retry : bool
        Whether jobs that have failed count as not done.

    Raises
    ------
    InputError
        If it can't be written, another run writes it, it holds what is no result, or answers of other jobs under the ids of
        these; it is then as it was.
    """

    def __init__(self, path: Path, jobs: Iterable[Job], retry: bool = False) -> None:
        self.path = path
        self._lines: dict[str, tuple[int, int]] = {}
        self._file = _opened(path)
        try:
            self.failed = self._read({job.key: job for job in jobs}, retry)
        except BaseException:
            self._file.close()
            raise

    def __contains__(self, job: Job) -> bool:
        return job.key in self._lines

    def _read(self, wanted: dict[str, Job], retry: bool) -> int:
        """Read what is there already, and cut off a line that was never finished; return how many jobs have failed."""
        problems: list[Problem] = []
        failed: dict[str, bool] = {}
        offset = kept = number_of_lines = 0
        for number, line in enumerate(self._file, 1):
            where = f"{self.path}:{number}"
            if not line.endswith(b"\n") and (line.startswith(BEGIN) or BEGIN.startswith(line)):
                break  # whoever wrote it was killed in the middle
            begin, offset, number_of_lines = offset, offset + len(line), number
            try:
                told = json.loads(line)
                key, job, error = key_of(told["id"]), told["job"], "error" in told
            except (ValueError, TypeError, KeyError):
                problems.append(Problem("must be a result, as `planner batch` writes it", where))
                continue
            changed = key in wanted and wanted[key].fingerprint != job
            if changed and not error:
                what = (
                    f"{key} was answered when the job said something else: its line, or the job's id, must be changed"
                )
                problems.append(Problem(what, where))
            elif not (error and (retry or changed)):
                failed[key] = error and key in wanted
                self._lines[key] = (begin, len(line))
                kept += 1
        if problems:
            raise InputError(problems)
        self._file.seek(offset)
        self._file.truncate()
        if kept < number_of_lines or len(self._lines) < kept:
            self.sort(())
        return sum(failed.values())

    def append(self, results: Sequence[tuple[Job, dict[str, object]]]) -> None:
        """Write results, and return once they are on the disk; raises `InputError` if they can't be written."""
        if not results:
            return
        try:
            for job, told in results:
                line = {"id": job.id, "job": job.fingerprint, "verb": job.verb, **told}
                text = json.dumps(line, ensure_ascii=True).encode() + b"\n"
                self._lines[job.key] = (self._file.tell(), len(text))
                self._file.write(text)
            self._file.flush()
            os.fsync(self._file.fileno())
        except OSError as error:
            with contextlib.suppress(OSError):
                self._file.close()  # or else it is tried once more
            raise _cannot_be_written(error, self.path) from error

    def result(self, job: Job) -> dict[str, Any] | None:
        """Return the result of a job; None if it has none yet."""
        if job not in self:
            return None
        line = self._line(job.key)
        self._file.seek(0, os.SEEK_END)
        return dict(json.loads(line))

    def sort(self, jobs: Iterable[Job]) -> None:
        """Put the results into the order of the jobs, those of other jobs after them; all at once, or not at all."""
        order = [job.key for job in jobs if job.key in self._lines]
        own = set(order)
        order += [key for key in self._lines if key not in own]
        handle, name = tempfile.mkstemp(
            dir=self.path.resolve().parent, prefix=f".{self.path.name[:40]}.", suffix=".tmp"
        )
        lines: dict[str, tuple[int, int]] = {}
        try:
            with os.fdopen(handle, "wb") as file:
                for key in order:
                    lines[key] = (file.tell(), file.write(self._line(key)))
                file.flush()
                os.fsync(file.fileno())
            Path(name).chmod(self.path.stat().st_mode & 0o777)
            Path(name).replace(self.path.resolve())
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
        self._file.close()
        self._file, self._lines = _opened(self.path), lines
        self._file.seek(0, os.SEEK_END)

    def _line(self, key: str) -> bytes:
        begin, length = self._lines[key]
        self._file.seek(begin)
        return self._file.read(length)

    def close(self) -> None:
        """Let others write it."""
        self._file.close()


@contextlib.contextmanager
def results(path: Path, jobs: Iterable[Job], retry: bool = False) -> Iterator[ResultsFile]:
    """Open a file of results; as `ResultsFile`."""
    file = ResultsFile(path, jobs, retry)
    try:
        yield file
    finally:
        file.close()


def _opened(path: Path) -> IO[bytes]:
    """Open a file to read and write it, alone; raises `InputError` if that can't be."""
    ensure_no_pipes([path])
    try:
        file: IO[bytes] = path.open("r+b" if path.exists() else "x+b")
    except OSError as error:
        raise _cannot_be_written(error, path) from None
    try:
        _lock(file, path)
    except BaseException:
        file.close()
        raise
    return file


def _cannot_be_written(error: OSError, path: Path) -> InputError:
    return InputError([Problem(f"can't be written: {error.strerror or error}", str(path))])


def _lock(file: IO[bytes], path: Path) -> None:
    """Ensure that nobody else writes the file, where the system can tell."""
    try:
        import fcntl
    except ImportError:  # Windows
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise InputError([Problem("another run is writing it", str(path))]) from None
