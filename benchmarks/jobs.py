"""Measures what a job of a batch costs besides its answer, here and on a cluster, and simulates many nodes from that.

Usage: ``python benchmarks/jobs.py [--jobs 2000] [--nodes 2]``. Jobs say nothing and take no time; what is measured
is overhead: processor time of the process that leads, and jobs per second. With ``--nodes``, a Ray cluster of so many
nodes is begun on this machine. ``--simulate`` reckons with figures of such a run: ``--lead``, milliseconds a job.
"""

from __future__ import annotations

import argparse
import heapq
import os
import sys
import tempfile
import time
from pathlib import Path

from planner.batch.engine import Bounds, Engine
from planner.batch.jobs import Job
from planner.batch.local import LocalWorkers
from planner.batch.results import results
from planner.batch.run import run
from planner.batch.said import Said


def nothing(job: Job) -> Said:
    """Answer a job at once."""
    return {"answer": {"id": job.id}}


def measured(engine: Engine, number: int) -> str:
    """Return what so many jobs come to, the first of which begin processes and aren't counted."""
    with tempfile.TemporaryDirectory() as folder:
        for name, many in (("first", 50), ("counted", number)):
            jobs = [Job(id_, "check", {"id": id_, "scenario": "x"}) for id_ in range(many)]
            with results(Path(folder) / f"{name}.jsonl", jobs) as file:
                lead, begin = time.process_time(), time.monotonic()
                run(jobs, engine, file)
                lead, seconds = time.process_time() - lead, time.monotonic() - begin
    return f"{number / seconds:8.0f} jobs/s, {1000 * lead / number:6.3f} ms of the leading process a job"


def simulated(nodes: int, cores: int, job: float, lead: float, jobs: int) -> float:
    """Return which share of the cores' time goes into jobs.

    The leading process handles one job after another, `lead` seconds each; a job takes `job` seconds; each core has one job
    ahead. All are handed out as soon as there is room.
    """
    now, free = 0.0, nodes * cores * 2
    todo, busy = jobs, 0.0
    cores_free = [0.0] * (nodes * cores)
    heapq.heapify(cores_free)
    ends: list[float] = []
    while todo or ends:
        if todo and free:
            now += lead / 2
            todo, free = todo - 1, free - 1
            begin = max(heapq.heappop(cores_free), now)
            busy += job
            heapq.heappush(cores_free, begin + job)
            heapq.heappush(ends, begin + job)
        else:
            now = max(now, heapq.heappop(ends)) + lead / 2
            free += 1
    return busy / (now * nodes * cores)


def main() -> None:
    """Measure, or simulate."""
    parser = argparse.ArgumentParser(description="Measures what a job costs besides its answer.")
    parser.add_argument("--jobs", type=int, default=2_000)
    parser.add_argument("--nodes", type=int, default=0, help="nodes of a Ray cluster on this machine")
    parser.add_argument("--simulate", action="store_true")
    parser.add_argument("--lead", type=float, default=0.5, help="milliseconds of the leading process a job")
    asked = parser.parse_args()
    if asked.simulate:
        print("share of the cores' time that goes into jobs, 8 cores a node")
        print("nodes      " + "".join(f"{job:>9g} s" for job in (0.01, 0.1, 1, 10, 60)))
        for nodes in (1, 10, 100, 1_000):
            shares = [
                simulated(nodes, 8, job, asked.lead / 1_000, min(200_000, nodes * 8 * 20))
                for job in (0.01, 0.1, 1, 10, 60)
            ]
            print(f"{nodes:5d}      " + "".join(f"{share:11.0%}" for share in shares))
        return
    for workers in (1, 2):
        engine = LocalWorkers(workers, nothing, Path(), Bounds())
        print(f"{workers} here:    {measured(engine, asked.jobs)}")
        engine.close()
    if asked.nodes:
        from ray.cluster_utils import Cluster

        from planner.batch.cluster import RayWorkers

        os.environ["PYTHONPATH"] = str(Path(__file__).resolve().parent)
        small = {"num_cpus": 1, "object_store_memory": 80 * 2**20, "include_dashboard": False}
        cluster = Cluster(initialize_head=True, head_node_args=small)
        for _ in range(asked.nodes - 1):
            cluster.add_node(**small)
        engine = RayWorkers(cluster.address, nothing, Path(), Bounds(), lambda told: print(told, file=sys.stderr))
        print(f"{asked.nodes} nodes:   {measured(engine, asked.jobs)}")
        engine.close()
        cluster.shutdown()


if __name__ == "__main__":
    from jobs import main as run_main  # so that processes find the answer by its module

    run_main()
