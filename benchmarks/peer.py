"""Runs one peer on one scenario; `run.py` calls it, one process for each."""

from __future__ import annotations

import argparse
import os
from importlib import import_module
from pathlib import Path

from peers import PEERS
from peers.task import Task

from planner.gc_pause import seldom


def main() -> None:
    """Read the command line and run."""
    parser = argparse.ArgumentParser(description="Runs one peer on one scenario.")
    parser.add_argument("peer", choices=PEERS)
    parser.add_argument("scenario", type=Path)
    parser.add_argument("--out", type=Path, required=True, help="where the answer goes, as JSON")
    parser.add_argument("--limit", type=float, default=60.0, help="seconds for the whole process")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--variant", default="")
    arguments = parser.parse_args()
    peer = PEERS[arguments.peer]
    task = Task(
        arguments.scenario, arguments.limit, arguments.seed, arguments.workers, arguments.variant, arguments.out
    )
    with seldom():  # as on the planner's command line
        getattr(import_module(peer.module), peer.function)(task)
    os._exit(0)  # the answer is written; how long an interpreter takes to take itself apart is nobody's speed


if __name__ == "__main__":
    main()
