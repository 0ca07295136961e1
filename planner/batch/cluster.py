"""Jobs on the nodes of a Ray cluster: each has a station, which is sent no more than it can work on soon."""

from __future__ import annotations

import contextlib
import importlib
import os
import socket
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType

from planner.batch.engine import Bounds, Finished
from planner.batch.jobs import Job
from planner.batch.local import Answering
from planner.batch.parcel import files_of, versions
from planner.batch.said import failed
from planner.batch.station import Station
from planner.errors import InputError, PlannerError, Problem

AHEAD = 2
"""How many jobs a station has for each of its processes: the next one is there when one is done."""

TURN = 0.5
"""Seconds after which a station reports at the latest."""

NEWCOMERS = 5.0
"""Seconds between two looks for new nodes."""

PATIENCE = 60.0
"""Seconds without any node after which it gives up."""


CONNECTING = 10.0
"""Seconds in which a cluster must answer at first."""


class ClusterError(PlannerError):
    """There is no cluster, or none of its nodes can do the work."""


@dataclass
class _Node:
    """A node, and what it is working on."""

    name: str
    slots: int
    actor: object
    call: object
    ready: bool = False
    todo: list[Job] = field(default_factory=list)
    sent: dict[str, Job] = field(default_factory=dict)
    known: set[str] = field(default_factory=set)

    @property
    def room(self) -> int:
        """How many further jobs it may have."""
        return AHEAD * self.slots - len(self.todo) - len(self.sent) if self.ready else 0


class RayWorkers:
    """The nodes of a Ray cluster.

    Parameters
    ----------
    address : str
        Of the cluster, as Ray takes it: ``auto``, ``host:6379``.
    answering : callable
        Answers a job.
    folder : Path
        The folder from which paths of jobs count.
    bounds : Bounds
        What a job may use.
    tell : callable
        Gets sentences about nodes that can't be used, or are lost.

    Raises
    ------
    ClusterError
        If Ray isn't installed, or there is no cluster at the address.
    """

    def __init__(
        self, address: str, answering: Answering, folder: Path, bounds: Bounds, tell: Callable[[str], None]
    ) -> None:
        self._answering, self._folder, self._bounds, self._tell = answering, folder, bounds, tell
        self._ray = _connected(address)
        self._nodes: dict[str, _Node] = {}
        self._refused: set[str] = set()
        self._been: dict[str, set[str]] = {}
        self._finished: list[Finished] = []
        self._looked = 0.0
        self._used = time.monotonic()
        self._mine = versions()
        self._look()

    def room(self) -> int:
        """Return how many jobs would begin soon."""
        return sum(max(0, node.room) for node in self._nodes.values())

    def start(self, job: Job) -> None:
        """Send a job to the node that has most room, and not to one on which it has failed, if there is another."""
        been = self._been.setdefault(job.key, set())
        nodes = [node for node in self._nodes.values() if node.room > 0]
        node = max(nodes, key=lambda one: (one.name not in been, one.room))
        been.add(node.name)
        node.todo.append(job)

    def finished(self, seconds: float) -> list[Finished]:
        """Return the jobs that have come to their end, those of lost nodes among them."""
        self._look()
        for node in self._nodes.values():
            if node.ready and node.call is None and (node.todo or node.sent):
                self._send(node)
        calls = [node.call for node in self._nodes.values() if node.call is not None]
        if calls:
            self._ray.wait(calls, num_returns=1, timeout=seconds)
            done, _ = self._ray.wait(calls, num_returns=len(calls), timeout=0)
            for node in [node for node in self._nodes.values() if node.call in done]:
                self._hear(node)
        elif not self._nodes:
            time.sleep(seconds)
        found, self._finished = self._finished, []
        return found

    def _send(self, node: _Node) -> None:
        """Let a node go on, with what waits for it."""
        files: dict[str, bytes] = {}
        for job in node.todo:
            try:
                files |= {name: data for name, data in files_of(job, self._folder).items() if name not in node.known}
                node.sent[job.key] = job
            except InputError as error:
                self._finished.append(Finished(job, failed("input", str(error))))
        jobs = [job for job in node.todo if job.key in node.sent]
        node.todo = []
        node.known |= files.keys()
        node.call = node.actor.work.remote(jobs, files, TURN)  # type: ignore[attr-defined]

    def _hear(self, node: _Node) -> None:
        """Take what a node says; one that says nothing any more is lost, with all that it was working on."""
        try:
            told = self._ray.get(node.call)
        except Exception as error:
            if not isinstance(error, self._ray.exceptions.RayError):
                raise
            self._lose(node, error)
            return
        node.call = None
        if not node.ready:
            differing = [
                f"{key} {told.get(key)}, not {mine}" for key, mine in self._mine.items() if told.get(key) != mine
            ]
            if differing:
                self._tell(f"{node.name} is not used: it has {'; '.join(differing)}")
                self._refused.add(node.name)
                self._drop(node)
                return
            node.ready = True
            return
        for key, said, seconds in told:
            self._finished.append(Finished(node.sent.pop(key), said, seconds))

    def _lose(self, node: _Node, error: Exception) -> None:
        self._tell(
            f"{node.name} is lost, with {len(node.sent) + len(node.todo)} jobs: {str(error).splitlines()[0][:100]}"
        )
        lost = failed("lost", "the node on which it was worked on was lost")
        self._finished += [Finished(job, lost) for job in (*node.sent.values(), *node.todo)]
        self._refused.add(node.name)
        self._drop(node)

    def _drop(self, node: _Node) -> None:
        del self._nodes[node.name]
        with contextlib.suppress(Exception):  # it may be gone
            self._ray.kill(node.actor)

    def _look(self) -> None:
        """Look for nodes that have come; give up if there has been none for long."""
        now = time.monotonic()
        if now < self._looked + NEWCOMERS:
            return
        self._looked = now
        affinity = importlib.import_module("ray.util.scheduling_strategies").NodeAffinitySchedulingStrategy
        for entry in self._ray.nodes():
            name, slots = entry["NodeID"], int(entry["Resources"].get("CPU", 0))
            if not entry["Alive"] or not slots or name in self._nodes or name in self._refused:
                continue
            place = affinity(node_id=name, soft=False)
            remote = self._ray.remote(num_cpus=slots, max_restarts=0, scheduling_strategy=place)(Station)
            actor = remote.remote(slots, self._answering, self._bounds)
            self._nodes[name] = _Node(name, slots, actor, actor.versions.remote())
        if self._nodes:
            self._used = now
        elif now > self._used + PATIENCE:
            raise ClusterError("no node of the cluster can do the work: what is answered is kept")

    def close(self) -> None:
        """End everything that is worked on, and leave the cluster."""
        for node in list(self._nodes.values()):
            self._drop(node)
        self._ray.shutdown()


def _connected(address: str) -> ModuleType:
    """Return Ray, connected with a cluster."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    os.environ.setdefault("RAY_ENABLE_UV_RUN_RUNTIME_ENV", "0")
    try:
        ray = importlib.import_module("ray")
    except ImportError:
        what = "must come with Ray: pip install '.[cluster]' in a clone"
        raise InputError([Problem(what, "--ray")]) from None
    try:
        host, _, port = address.removeprefix("ray://").rpartition(":")
        if host and port.isdigit():  # Ray itself would try for minutes
            socket.create_connection((host.strip("[]"), int(port)), CONNECTING).close()
        ray.init(address=address, log_to_driver=False, configure_logging=False)
    except Exception as error:  # Ray has no parent for what can go wrong here
        told = f"no cluster can be reached: {str(error).splitlines()[0][:200]}"
        raise InputError([Problem(told, f"--ray {address[:60]}")]) from None
    return ray
