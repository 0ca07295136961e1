"""No input, however malformed, brings a traceback, an exit code that means nothing, or a search without end."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Thread

import pytest

from tests.command import run
from tests.conftest import sized
from tests.oracles.mutations import malformed, malformed_many
from tests.seeds import in_chunks

INPUTS = sized(12, 500, 20_000)
PROCESSES = sized(1, 3, 200)
MANY = sized(1, 12, 500)
"""Commands that ask many questions, each in processes of its own."""
CODES = {0, 1, 2, 3}
"""What a command may answer: 70 would be a fault of the planner's own."""

SLOWEST = 10
"""Seconds of work for one input."""

LARGEST = 2 * 2**20
"""KiB of memory."""


@in_chunks(INPUTS)
def test_malformed_input_is_answered_like_any_other(seeds: range, tmp_path: Path) -> None:
    for seed in seeds:
        folder = tmp_path / str(seed)
        folder.mkdir()
        given = malformed(seed, folder)
        begin = time.process_time()
        done = run(*given.words, stdin=given.stdin, cwd=folder)
        told = f"seed {seed}: {given.words}\n{done.stderr[-2000:]}"
        assert done.returncode in CODES, told
        assert "Traceback" not in done.stdout + done.stderr, told
        assert done.returncode != 2 or done.stderr or "verify" in given.words, told
        assert not list(folder.glob(".*")), f"half-written, {told}"
        assert time.process_time() - begin < SLOWEST, told
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss < LARGEST


@pytest.mark.parametrize("seed", range(PROCESSES))
def test_malformed_input_is_answered_in_a_process_of_its_own(seed: int, tmp_path: Path) -> None:
    given = malformed(seed, tmp_path)
    command = [sys.executable, "-m", "planner", *given.words]
    if any("\0" in word for word in command):
        pytest.skip("no process can be given such words")
    done = subprocess.run(
        command, check=False, capture_output=True, input=given.stdin.encode("utf-8", "surrogatepass"), cwd=tmp_path
    )
    assert done.returncode in CODES, done.stderr
    assert b"Traceback" not in done.stderr


@contextmanager
def others_at(pipes: Mapping[str, bytes], folder: Path) -> Iterator[None]:
    """Make named pipes at whose other ends somebody writes, or reads; let go of those that nobody has asked for."""

    def hold(path: Path, content: bytes) -> None:
        with suppress(BrokenPipeError), path.open("wb" if content else "rb") as pipe:
            if content:
                pipe.write(content)
            else:
                pipe.read()

    threads = []
    for name, content in pipes.items():
        os.mkfifo(folder / name)
        threads.append(Thread(target=hold, args=(folder / name, content), daemon=True))
        threads[-1].start()
    yield
    for (name, content), thread in zip(pipes.items(), threads, strict=True):
        while thread.is_alive():
            with suppress(OSError):  # nobody is there yet
                os.close(os.open(folder / name, (os.O_RDONLY if content else os.O_WRONLY) | os.O_NONBLOCK))
            thread.join(0.01)


@pytest.mark.thorough
@in_chunks(MANY)
def test_malformed_questions_of_many_are_answered_like_any_other(seeds: range, tmp_path: Path) -> None:
    for seed in seeds:
        folder = tmp_path / str(seed)
        folder.mkdir()
        given = malformed_many(seed, folder)
        command = [sys.executable, "-m", "planner", *(word.encode("utf-8", "surrogateescape") for word in given.words)]
        with others_at(given.pipes, folder):
            done = subprocess.run(
                command, check=False, capture_output=True, stdin=subprocess.DEVNULL, cwd=folder, timeout=60
            )
        told = f"seed {seed}: {given.words}\n{done.stderr[-2000:].decode(errors='replace')}"
        assert done.returncode in CODES, told
        assert b"Traceback" not in done.stdout + done.stderr, told
        assert done.returncode != 2 or done.stderr, told
