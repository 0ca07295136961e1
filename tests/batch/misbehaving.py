"""Answers of jobs that behave as badly as they say, for processes that tests begin; and a batch of harmless ones."""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path

from planner.batch.engine import Bounds
from planner.batch.jobs import Job
from planner.batch.local import LocalWorkers
from planner.batch.results import results
from planner.batch.run import run
from planner.batch.said import Said


def answer(job: Job) -> Said:
    """Do what the moves of the job say; `once` is a file that is there once it has been done."""
    what, once = (*job.said.get("moves", ()), "", "")[:2]
    if once and Path(once).exists():
        return {"answer": {"moves": ["at last"]}}
    if once:
        Path(once).touch()
    match what:
        case "segfault":
            os.kill(os.getpid(), signal.SIGSEGV)
        case "exit":
            os._exit(7)
        case "hang":
            time.sleep(600)
        case "eat":
            eaten = []
            while True:
                eaten.append(bytearray(b"x") * 10**7)
        case "slow":
            time.sleep(0.05)
        case "quick":
            time.sleep(0.002)
    return {"answer": {"id": job.id}}


if __name__ == "__main__":  # a batch of its own, to be killed
    jobs = [Job(id_, "check", {"id": id_, "moves": ["quick"]}) for id_ in range(int(sys.argv[2]))]
    with results(Path(sys.argv[1]), jobs) as file:
        run(jobs, LocalWorkers(2, answer, Path(), Bounds()), file)
