"""Jobs: files of them, a line of JSON each, and jobs made of folders of scenarios."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from planner.batch.shapes import ASKED, JobLine
from planner.errors import InputError, PlannerError, Problem
from planner.formats.files import LARGEST_FILE, data_folder, parse_json, parse_toml, read_text, resolved
from planner.formats.spelling import did_you_mean
from planner.formats.validation import read_sound


def key_of(id_: object) -> str:
    """Return what tells ids apart: the text ``"1"`` and the number 1 are two."""
    return json.dumps(id_, ensure_ascii=False)


@dataclass(frozen=True)
class Job:
    """A question of a scenario.

    Attributes
    ----------
    id : str or int
        What it is called.
    verb : str
        What is asked.
    said : mapping
        The line, as it was written.
    where : str
        Where it stands: file and line.
    time_limit : float or None
        Seconds that it may take by what it says, or what is said of all; None: there is no limit.
    """

    id: str | int
    verb: str
    said: Mapping[str, object]
    where: str = "job"
    time_limit: float | None = None

    @property
    def key(self) -> str:
        """What tells its id from others."""
        return key_of(self.id)

    @property
    def fingerprint(self) -> str:
        """What tells it from another job of the same id: a digest of what it says."""
        text = json.dumps({**self.said, "id": None}, sort_keys=True, ensure_ascii=False)
        return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]

    def asked(self) -> JobLine:
        """Return the line as its verb reads it, with the time limit that is said of all."""
        shape = ASKED[self.verb]
        read = shape.model_validate(dict(self.said))
        limited = "time_limit" in shape.model_fields and "time_limit" not in self.said
        return read.model_copy(update={"time_limit": self.time_limit}) if limited else read


@dataclass(frozen=True)
class JobList:
    """What a file of jobs holds.

    Attributes
    ----------
    jobs : tuple of Job
        In their order.
    problems : tuple of Problem
        What is wrong with lines that are no jobs.
    bad_lines : int
        How many lines are no jobs: one may have several problems.
    """

    jobs: tuple[Job, ...]
    problems: tuple[Problem, ...] = ()
    bad_lines: int = 0


def read_jobs(path: Path, time_limit: float | None = None) -> JobList:
    """Read a file of jobs; lines that are none are told, and the others read all the same.

    Parameters
    ----------
    path : Path
        The file, UTF-8, one JSON object a line; empty lines don't count, and nothing does after a line of more than
        `LARGEST_FILE`.
    time_limit : float, optional
        Seconds for each job that may have a limit and says none; absent: what its command takes by default.

    Raises
    ------
    InputError
        If the file can't be read.
    """
    jobs: list[Job] = []
    problems: list[Problem] = []
    lines: dict[str, int] = {}
    read = 0
    for number, line in _lines(path):
        read += 1
        where = f"{path}:{number}"
        try:
            job = _job(line, where, time_limit)
        except InputError as error:
            problems += error.problems
            continue
        if job.key in lines:
            problems.append(Problem(f"no two jobs may have the id {job.key}: line {lines[job.key]} has it", where))
            continue
        lines[job.key] = number
        jobs.append(job)
    return JobList(tuple(jobs), tuple(problems), read - len(jobs))


def _lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """Yield the lines of a file that say something, counted from 1."""
    try:
        with path.open("rb") as file:
            for number, line in enumerate(iter(lambda: file.readline(LARGEST_FILE + 1), b""), 1):
                if line.strip():
                    yield number, line
                if len(line) > LARGEST_FILE:
                    return  # of a device, it would go on for ever
    except FileNotFoundError:
        raise InputError([Problem("no such file", str(path))]) from None
    except OSError as error:
        raise InputError([Problem(f"can't be read: {error.strerror or error}", str(path))]) from None


def _job(line: bytes, where: str, time_limit: float | None) -> Job:
    """Read one line.

    Raises
    ------
    InputError
        With everything that is wrong with it.
    """
    if len(line) > LARGEST_FILE:
        what = f"a line must have at most {LARGEST_FILE // 2**20} MiB; what comes after it isn't read"
        raise InputError([Problem(what, where)])
    try:
        text = line.decode("utf-8-sig").strip()
    except UnicodeDecodeError as error:
        raise InputError([Problem(f"must be UTF-8 text, but byte {error.start} is not", where)]) from None
    said = parse_json(text, where)
    if not isinstance(said, dict):
        raise InputError([Problem('must be an object such as {"id": …, "verb": …, "scenario": …}', where)])
    verb = said.get("verb")
    if not isinstance(verb, str) or verb not in ASKED:
        told = "must be given" if verb is None else f"not {str(verb)[:40]!r}{did_you_mean(verb, ASKED)}"
        raise InputError([Problem(f"verb must be one of {', '.join(ASKED)}: {told}", where)])
    shape = read_sound(said, where, ASKED[verb])
    if shape.problems or shape.value is None:
        raise InputError(shape.problems or [Problem("can't be read", where)])
    limit = getattr(shape.value, "time_limit", None)
    if "time_limit" in ASKED[verb].model_fields and "time_limit" not in said and time_limit is not None:
        limit = time_limit
    return Job(shape.value.id, verb, said, where, limit)


def jobs_of(verb: str, names: Iterable[str], beside: Path) -> Iterator[dict[str, object]]:
    """Yield a job for each scenario that is meant, as its line says it; of `check`, one for each verdict that is stated.

    Parameters
    ----------
    verb : str
        What is asked.
    names : iterable of str
        Files, names of shipped scenarios, and folders.
    beside : Path
        The folder in which the jobs will lie: paths count from it.

    Raises
    ------
    InputError
        If there is no such verb, no scenario is meant at all, or some aren't there: every one at once.
    """
    from planner.puzzles.verify import files_in  # it loads all that puzzles need

    if verb not in ASKED:
        raise InputError([Problem(f"must be one of {', '.join(ASKED)}, not {verb[:40]!r}", "--make")])
    names = list(names)
    files = list(files_in(names))
    if not files:
        raise InputError([Problem("no scenarios are there", ", ".join(names) or "command line")])
    if missing := [Problem("no such file", str(file)) for file in files if not file.is_file()]:
        raise InputError(missing)
    for file in files:
        name = _name(file, beside)
        if verb in ("check", "apply"):
            for number, moves in enumerate(_stated(file, verb), 1):
                yield {"id": f"{name}#{number}", "verb": verb, "scenario": name, "moves": moves}
        else:
            yield {"id": name, "verb": verb, "scenario": name}


def _name(file: Path, beside: Path) -> str:
    """Return how a job names a scenario: a shipped one by its game and name, others by their path from the jobs."""
    file, shipped = resolved(file), data_folder("scenarios").resolve()
    if file.is_relative_to(shipped):
        return file.relative_to(shipped).with_suffix("").as_posix()
    try:
        return Path(os.path.relpath(file, beside.resolve())).as_posix()
    except ValueError:  # on another drive
        return file.as_posix()


def _stated(file: Path, verb: str) -> list[list[str]]:
    """Return the moves whose verdicts a scenario states, or which it claims to be the answer."""
    try:
        data: Mapping[str, Any] = parse_toml(read_text(file), str(file))
        answer = [data["answer"]] if "answer" in data else []
        stated = data.get("verdict", []) if verb == "check" else []
        return [list(entry["moves"]) for entry in (*stated, *answer) if "moves" in entry]
    except (PlannerError, TypeError, AttributeError):
        return [[]]  # what is wrong with it is told when it is asked
