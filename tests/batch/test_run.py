"""A job is answered once, whatever becomes of processes; what is on the disk is never lost."""

from __future__ import annotations

import errno
import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

import pytest

from planner.batch.engine import Bounds
from planner.batch.jobs import Job
from planner.batch.local import LocalWorkers, can_watch_memory
from planner.batch.results import results
from planner.batch.run import BatchCounts, run
from planner.errors import InputError
from tests.batch.misbehaving import answer
from tests.command import run as command
from tests.conftest import sized

KILLS = sized(3, 30, 100)
JOBS = sized(500, 1_500, 10_000)
"""Each result waits for the disk before it counts, which takes longer than the jobs."""
KILLED_ONCE = sized(100, 100, 1_000)

MANCHURIA = {"verb": "check", "scenario": "dai_senso/manchuria", "moves": ["inf w5525-w5425"]}


def a_job(id_: str | int, *moves: str) -> Job:
    return Job(id_, "check", {"id": id_, "verb": "check", "scenario": "x", "moves": list(moves)})


def run_jobs(tmp_path: Path, jobs: list[Job], bounds: Bounds | None = None, workers: int = 2) -> list[dict[str, Any]]:
    """Run jobs, and return the results as they stand in the file."""
    out = tmp_path / "results.jsonl"
    with results(out, jobs) as file:
        engine = LocalWorkers(workers, answer, tmp_path, bounds or Bounds())
        try:
            run(jobs, engine, file)
        finally:
            engine.close()
    return read(out)


def read(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def write_jobs(path: Path, number: int) -> None:
    path.write_text("".join(json.dumps({"id": id_, **MANCHURIA}) + "\n" for id_ in range(number)))


def test_a_job_that_dies_twice_is_told_and_the_others_are_answered(tmp_path: Path) -> None:
    jobs = [a_job("a"), a_job("b", "segfault"), a_job("c", "exit"), a_job("d")]
    found = run_jobs(tmp_path, jobs)
    assert [one["id"] for one in found] == ["a", "b", "c", "d"]
    assert found[1]["error"] == {"kind": "died", "text": "its process died: SIGSEGV", "tries": 2}
    assert found[2]["error"] == {"kind": "died", "text": "its process died: exit code 7", "tries": 2}
    assert found[0]["answer"] == {"id": "a"}
    assert found[3]["answer"] == {"id": "d"}


def test_a_job_that_dies_once_is_answered(tmp_path: Path) -> None:
    [found] = run_jobs(tmp_path, [a_job("a", "exit", str(tmp_path / "was there"))])
    assert found["answer"] == {"moves": ["at last"]}


@pytest.mark.thorough
def test_a_job_that_hangs_is_ended_and_told(tmp_path: Path) -> None:
    hanging, fine = run_jobs(tmp_path, [a_job("a", "hang"), a_job("b")], Bounds(seconds=0.5), workers=1)
    assert hanging["error"] == {"kind": "hung", "text": "it was ended after 0.5 seconds", "tries": 2}
    assert fine["answer"] == {"id": "b"}


@pytest.mark.skipif(not can_watch_memory(), reason="this system doesn't say how much memory a process uses")
def test_a_job_that_eats_its_memory_is_ended_and_told(tmp_path: Path) -> None:
    eating, fine = run_jobs(tmp_path, [a_job("a", "eat"), a_job("b")], Bounds(memory=400 * 2**20))
    assert eating["error"] == {"kind": "memory", "text": "it was ended when it used more than 400 MiB", "tries": 2}
    assert fine["answer"] == {"id": "b"}


def test_a_process_that_is_ended_while_it_waits_is_replaced(tmp_path: Path) -> None:
    engine = LocalWorkers(1, answer, tmp_path, Bounds())
    try:
        for id_ in ("a", "b"):
            engine.start(a_job(id_))
            while not (found := engine.finished(5)):
                pass
            assert found[0].said == {"answer": {"id": id_}}
            [waiting] = engine._idle
            os.kill(waiting._process.pid or 0, signal.SIGKILL)
            waiting._process.join()
    finally:
        engine.close()


@pytest.fixture
def beginnings(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[list[BaseProcess], threading.Event]]:
    """Have no process begin before an event is set, as where all that is needed is still being loaded."""
    began, may_begin, begin = list[BaseProcess](), threading.Event(), BaseProcess.start

    def later(process: BaseProcess) -> None:
        may_begin.wait(60)
        begin(process)
        began.append(process)

    monkeypatch.setattr(BaseProcess, "start", later)
    yield began, may_begin
    may_begin.set()


def test_nobody_waits_for_a_process_to_begin_who_wants_it_to_end(
    tmp_path: Path, beginnings: tuple[list[BaseProcess], threading.Event]
) -> None:
    began, may_begin = beginnings
    engine = LocalWorkers(2, answer, tmp_path, Bounds())
    for id_ in ("a", "b"):
        engine.start(a_job(id_, "hang"))
    assert engine.finished(0.01) == []
    engine.close()
    assert began == []  # and yet nothing waits any more
    may_begin.set()
    while len(began) < 2:
        time.sleep(0.01)
    for process in began:  # that it isn't wanted any more, it hears as soon as it is there
        process.join(60)
        assert process.exitcode is not None


def test_that_no_process_can_begin_is_raised(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(process: BaseProcess) -> None:
        raise OSError(errno.EMFILE, "too many files are open")

    monkeypatch.setattr(BaseProcess, "start", refuse)
    engine = LocalWorkers(1, answer, tmp_path, Bounds())
    engine.start(a_job("a"))
    with pytest.raises(OSError, match="too many files"):
        engine.finished(60)
    engine.close()


def test_who_stops_it_keeps_what_is_answered_and_the_next_run_goes_on(tmp_path: Path) -> None:
    jobs, stop, out = [a_job(id_, "slow") for id_ in range(30)], threading.Event(), tmp_path / "results.jsonl"

    def soon(counts: BatchCounts) -> None:
        if counts.done >= 5:
            stop.set()

    with results(out, jobs) as file:
        engine = LocalWorkers(2, answer, tmp_path, Bounds())
        counts = run(jobs, engine, file, stop=stop, on_progress=soon)
        engine.close()
    assert 5 <= counts.done < 30
    assert len(read(out)) == counts.done
    found = run_jobs(tmp_path, jobs)
    assert [one["id"] for one in found] == list(range(30))


def test_a_torn_last_line_is_cut_and_done_again(tmp_path: Path) -> None:
    jobs = [a_job(id_) for id_ in range(3)]
    whole = run_jobs(tmp_path, jobs)
    out = tmp_path / "results.jsonl"
    text = out.read_bytes()
    for length in range(len(text)):
        out.write_bytes(text[:length])
        with results(out, jobs) as file:
            assert sum(job in file for job in jobs) == text[:length].count(b"\n")
        assert out.read_bytes() == text[: text[:length].rfind(b"\n") + 1]
    assert run_jobs(tmp_path, jobs) == whole


@pytest.mark.parametrize("content", ["a diary", "a diary\n", '{"id": 1}\n', "[]\n", '{"id": 1, "job": "0123"}\n{}\n'])
def test_a_file_that_holds_anything_but_results_is_left_as_it_is(tmp_path: Path, content: str) -> None:
    out = tmp_path / "results.jsonl"
    out.write_text(content)
    with pytest.raises(InputError, match="must be a result"), results(out, [a_job(1)]):
        pass
    assert out.read_text() == content


def test_answers_to_what_a_job_said_before_are_not_taken_for_its_own(tmp_path: Path) -> None:
    run_jobs(tmp_path, [a_job("a")])
    with pytest.raises(InputError, match="was answered when the job said something else"):
        run_jobs(tmp_path, [a_job("a", "slow")])


def test_two_runs_do_not_write_one_file(tmp_path: Path) -> None:
    out = tmp_path / "results.jsonl"
    with results(out, []), pytest.raises(InputError, match="another run is writing it"), results(out, []):
        pass


def test_failed_jobs_are_done_again_if_asked_and_only_then(tmp_path: Path) -> None:
    mark = tmp_path / "was there"
    jobs = [a_job("a"), a_job("b", "exit", str(mark)), a_job("c")]
    mark.touch()
    out = tmp_path / "results.jsonl"
    told = [{"id": one.id, "job": one.fingerprint, "verb": "check", "answer": {"id": one.id}} for one in jobs]
    told[1] = {**told[1], "error": {"kind": "died", "text": "", "tries": 2}}
    told[1].pop("answer")
    out.write_text("".join(json.dumps(one) + "\n" for one in told))
    assert "error" in run_jobs(tmp_path, jobs)[1]
    with results(out, jobs, retry=True) as file:
        assert [job in file for job in jobs] == [True, False, True]
    assert run_jobs(tmp_path, jobs)[1]["answer"] == {"moves": ["at last"]}


@pytest.mark.thorough
def test_a_batch_is_killed_again_and_again_and_no_result_is_lost_or_there_twice(tmp_path: Path) -> None:
    out, draw = tmp_path / "results.jsonl", random.Random(1)
    words = [sys.executable, "-m", "tests.batch.misbehaving", str(out), str(JOBS)]
    seen: set[object] = set()
    for _ in range(KILLS):
        process = subprocess.Popen(words, stdout=subprocess.DEVNULL)
        wanted = len(seen) + draw.randrange(JOBS // KILLS)
        until = time.monotonic() + 100
        while process.poll() is None and time.monotonic() < until:
            if out.exists() and out.read_bytes().count(b"\n") >= wanted:
                break
            time.sleep(0.001)
        time.sleep(draw.random() * 0.03)
        process.kill()
        process.wait()
        whole = [json.loads(line) for line in out.read_bytes().split(b"\n")[:-1]] if out.exists() else []
        ids = [one["id"] for one in whole]
        assert len(ids) == len(set(ids))
        assert seen <= set(ids)
        seen = set(ids)
    assert 0 < len(seen) < JOBS
    assert subprocess.run(words, stdout=subprocess.DEVNULL, check=False).returncode == 0
    assert [one["id"] for one in read(out)] == list(range(JOBS))


@pytest.mark.thorough
def test_the_command_goes_on_where_it_was_killed_and_leaves_no_process_behind(tmp_path: Path) -> None:
    jobs, out = tmp_path / "jobs.jsonl", tmp_path / "results.jsonl"
    write_jobs(jobs, KILLED_ONCE)
    words = [sys.executable, "-m", "planner", "batch", str(jobs), "-o", str(out), "--workers", "2"]
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL, cwd=tmp_path)
    until = time.monotonic() + 100
    while process.poll() is None and time.monotonic() < until and not (out.exists() and out.read_bytes()):
        time.sleep(0.01)
    process.kill()
    process.wait()
    done = out.read_bytes().count(b"\n")
    assert 0 < done < KILLED_ONCE
    end = subprocess.run(words, capture_output=True, text=True, check=False)
    assert f"{done} done before" in end.stdout.replace(",", "")
    assert [one["id"] for one in read(out)] == list(range(KILLED_ONCE))
    until = time.monotonic() + 100
    while (left := _processes_in(tmp_path)) and time.monotonic() < until:
        time.sleep(0.05)
    assert not left


def _processes_in(folder: Path) -> list[str]:
    """Return the processes that work in a folder, where the system tells."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            if (entry / "cwd").resolve() == folder.resolve():
                found.append((entry / "cmdline").read_text())
        except OSError:
            continue
    return found


@pytest.mark.thorough
def test_results_are_the_same_however_many_processes_make_them(tmp_path: Path) -> None:
    jobs = tmp_path / "jobs.jsonl"
    done = command("batch", str(jobs), "--make", "check", "dai_senso/puzzles")
    assert done.returncode == 0, done.stderr
    jobs.write_text("".join(jobs.read_text().splitlines(keepends=True)[:: sized(8, 2, 1)]))
    made = []
    for workers in ("1", "3"):
        out = tmp_path / f"{workers}.jsonl"
        assert command("batch", str(jobs), "-o", str(out), "--workers", workers).returncode == 0
        made.append(out.read_bytes())
    assert made[0] == made[1]
    assert made[0].count(b"\n") == jobs.read_bytes().count(b"\n")


def test_results_go_to_a_file_and_to_no_pipe_nor_device(tmp_path: Path) -> None:
    """/dev/zero is read without an end; a pipe can't be gone back in."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for path in (pipe, Path("/dev/null")):
        with pytest.raises(InputError, match="read more than once"), results(path, []):
            pass


def test_results_that_the_disk_has_no_room_for_are_told_with_their_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    out, job = tmp_path / "results.jsonl", Job("a", "suggest", {})
    monkeypatch.setattr(os, "fsync", full)
    with (
        pytest.raises(InputError, match=r"can't be written: No space left on device @ .*results\.jsonl"),
        results(out, [job]) as file,
    ):
        file.append([(job, {"answer": {}})])


@pytest.mark.skipif(sys.platform != "linux", reason="processes begin from nothing there")
def test_whoever_reads_what_a_command_prints_waits_for_nothing_that_is_still_being_loaded(tmp_path: Path) -> None:
    (tmp_path / "loading.py").write_text(
        "import sys, time\n"
        "if 'forkserver' in ' '.join(sys.orig_argv):\n    time.sleep(60)\n"
        "def answer(job):\n    return {}\n"
    )
    (tmp_path / "begun.py").write_text(
        "import os, threading, time\n"
        "from multiprocessing import forkserver\nfrom pathlib import Path\n"
        "from loading import answer\n"
        "from planner.batch.engine import Bounds\nfrom planner.batch.jobs import Job\n"
        "from planner.batch.local import LocalWorkers\n"
        "engine = LocalWorkers(1, answer, Path(), Bounds())\nengine.start(Job(0, 'check', {}))\n"
        "forkserver.ensure_running()\nengine.close()\nprint('done')\n"
        "kill = os.kill\n"
        # A thread that is slow to begin a process finds the server dead, and would begin another one.
        "def slowly(pid, number):\n"
        "    kill(pid, number)\n"
        "    threading.Thread(target=forkserver.ensure_running, daemon=True).start()\n"
        "    time.sleep(0.5)\n"
        "os.kill = slowly\n"
    )
    words, paths = [sys.executable, "begun.py"], os.pathsep.join([*sys.path, str(tmp_path)])
    env = {**os.environ, "PYTHONPATH": paths}
    done = subprocess.run(words, capture_output=True, cwd=tmp_path, env=env, timeout=30, check=True)
    assert done.stdout == b"done\n"
    assert not _processes_in(tmp_path)
