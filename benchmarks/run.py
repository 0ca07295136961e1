"""Runs peers on instances, each in a process of its own, and records what they did.

Usage: ``python benchmarks/run.py --family dense --sizes 10 20 40 --seeds 5 --limit 60 --peers planner clingo``. Each
instance meets all peers in turn, so that a change in the machine's speed meets all alike. Results go to
``benchmarks/results/``, one file for each family and day, from which ``report.py`` writes the tables.

Nobody gets more time than can matter. Of a peer's strategies the best counts: once one has proved an instance, the others
are ended where they would be slower, and the one that was fastest on the seed before begins. Where the planner has proved
its plan, local search gets the time that it has taken, and `LOCAL_LEAST` at least: nothing can be better later.

Exit codes: 0; 1 if two peers contradict each other, a peer crashes, or a plan is refused by the referee; 2 for a bad command
line; 130 if interrupted.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import signal
import subprocess
import sys
import tempfile
import time
from datetime import date
from fractions import Fraction
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from compiled import CompilingFailedError, NoCompilerError, make
from families import FAMILIES, SIZES, draft, write
from peers import OURS, PEERS
from peers.task import BEGIN
from processes import compile_bytecode, environment

from planner import is_compiled

HERE = Path(__file__).parent
RESULTS = HERE / "results"
GRACE = 5.0
"""Seconds over the limit after which a process is ended; a quarter of the limit, if that is more."""

PROVED = ("optimal", "infeasible")
LOCAL_LEAST = 10.0
"""Seconds that local search gets at least, or the limit, if that is less."""
MARGIN = 1.25
"""By what a strategy may be slower than the best so far before it is ended."""

Run = dict[str, Any]


def run_peer(
    peer: str, variant: str, scenario: Path, limit: float, seed: int, workers: int, copy: Path | None = None
) -> Run:
    """Run one peer to its end, or to that of its time, and return what it did; one that is compiled, from the copy."""
    where = {}
    if PEERS[peer].compiled:
        where["PYTHONPATH"] = os.pathsep.join(filter(None, (str(copy), os.environ.get("PYTHONPATH"))))
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "answer.json"
        words = [sys.executable, str(HERE / "peer.py"), peer, str(scenario), "--out", str(out), "--limit", str(limit)]
        words += ["--seed", str(seed), "--workers", str(workers), "--variant", variant]
        begin = time.time()
        with (Path(folder) / "errors").open("w+", encoding="utf-8") as errors:
            process = subprocess.Popen(
                words,
                stdout=subprocess.DEVNULL,
                stderr=errors,
                env=environment(**{BEGIN: repr(begin)}, **where),
                start_new_session=True,
            )
            killed = False
            deadline = begin + limit + max(GRACE, limit / 4)
            try:
                while True:
                    ended, code, usage = os.wait4(process.pid, os.WNOHANG)
                    if ended:
                        break
                    if time.time() > deadline and not killed:
                        os.killpg(process.pid, signal.SIGKILL)  # the session that was begun above, nothing else
                        killed = True
                    time.sleep(0.005)
            except KeyboardInterrupt:
                os.killpg(process.pid, signal.SIGKILL)
                raise
            seconds = time.time() - begin
            process.returncode = os.waitstatus_to_exitcode(code)
            errors.seek(0)
            tail = errors.read()[-600:]
        answer: Run = {"status": "killed" if killed else "failed", "value": [], "bound": [], "phases": {}, "note": tail}
        if out.is_file():
            answer = json.loads(out.read_text(encoding="utf-8"))
        curve_file = out.with_suffix(".curve")
        curve = [json.loads(line) for line in curve_file.read_text().splitlines()] if curve_file.is_file() else []
    return {
        "peer": peer,
        "variant": variant,
        "limit": limit,
        "commit": commit(),
        **answer,
        "seconds": round(seconds, 3),
        "cpu": round(usage.ru_utime + usage.ru_stime, 3),
        "peak_mb": round(usage.ru_maxrss / 1024, 1),
        "curve": curve,
    }


def best_variant(runs: list[Run]) -> Run:
    """Return the run that proved first; without a proof, the one with the best plan."""

    def rank(run: Run) -> tuple[Any, ...]:
        proved = run["status"] in PROVED
        value = [-Fraction(v) for v in run["value"]] or [Fraction(10**12)]
        return (not proved, run["seconds"] if proved else 0.0, value)

    return min(runs, key=rank)


def run_variants(
    name: str, left: list[str], scenario: Path, limit: float, seed: int, workers: int, copy: Path | None = None
) -> list[Run]:
    """Run a peer's strategies, the first one in full, the others until they would be slower than the fastest proof."""
    runs: list[Run] = []
    for variant in left:
        done = [run["seconds"] for run in runs if run["status"] in PROVED]
        least = min(limit, max(1.0, MARGIN * min(done))) if done else limit
        run = run_peer(name, variant, scenario, least, seed, workers, copy)
        runs.append({**run, "ended_early": True} if least < limit and run["status"] not in PROVED else run)
    return runs


def contradictions(runs: list[Run]) -> list[str]:
    """Return what the runs on one instance say against each other, or the referee against them."""
    found = []
    plans = [run for run in runs if run["value"]]
    for run in runs:
        name = run["peer"] + (f" ({run['variant']})" if run["variant"] else "")
        if run["status"] in ("illegal", "disagrees", "failed"):
            found.append(f"{name}: {run['note']}")
        if run["status"] == "infeasible" and plans:
            found.append(f"{name} says that there is no plan, {plans[0]['peer']} has one")
        if run["status"] == "optimal":
            value = [Fraction(v) for v in run["value"]]
            for other in plans:
                if [Fraction(v) for v in other["value"]] > value:
                    found.append(f"{name} has proved {run['value']}, {other['peer']} has {other['value']}")
        elif run["bound"] and run["status"] == "feasible":
            # The bound of a tier holds for whoever has the best of those before it.
            bound = [Fraction(b) for b in run["bound"]]
            for other in plans:
                if [Fraction(v) for v in other["value"]][: len(bound)] > bound:
                    found.append(f"{name} bounds the tiers by {run['bound']}, {other['peer']} has {other['value']}")
    return found


@cache
def commit() -> str:
    """Return the commit that is measured, with a + if files have changed since; empty where git doesn't know."""

    def git(*arguments: str) -> str:
        told = subprocess.run(["git", *arguments], cwd=HERE, capture_output=True, text=True, check=False)
        return told.stdout.strip()

    return git("rev-parse", "--short", "HEAD") + "+" * bool(git("status", "--porcelain", "--untracked-files=no"))


def versions() -> dict[str, str]:
    """Return what is installed of what takes part."""
    found = {"python": platform.python_version()}
    for name in ("planner", "ortools", "clingo", "highspy", "pyscipopt", "up-fast-downward"):
        try:
            found[name] = version("hexplanner" if name == "planner" else name)
        except PackageNotFoundError:
            continue
    if is_compiled():
        found["planner"] = f"{found.get('planner', '')} (compiled)".strip()
    return found


def machine() -> str:
    """Return what the runs were made on."""
    name = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.is_file():
        lines = [line for line in info.read_text().splitlines() if line.startswith("model name")]
        name = lines[0].partition(":")[2].strip() if lines else name
    return f"{name}, {os.cpu_count()} cores"


def measure(arguments: argparse.Namespace) -> int:
    """Run everything, write results after each instance, and return the exit code."""
    sizes = arguments.sizes or list(SIZES[arguments.family])
    for size in sizes:
        draft(arguments.family, size, 0)  # so that a size that there isn't is noticed now
    for name in arguments.peers:
        if missing := PEERS[name].missing():
            print(f"{name} is left out: {', '.join(missing)} is not installed", file=sys.stderr)
    file = arguments.output or RESULTS / f"{date.today()}-{arguments.family}.json"
    record: dict[str, Any] = {
        "date": str(date.today()),
        "machine": machine(),
        "versions": versions(),
        "family": arguments.family,
        "limit": arguments.limit,
        "workers": arguments.workers,
        "note": arguments.note,
        "instances": [],
    }
    if arguments.add and file.is_file():
        record["instances"] = json.loads(file.read_text(encoding="utf-8"))["instances"]
    wrong: list[str] = []
    hopeless: set[tuple[str, str]] = set()
    order: dict[str, list[str]] = {}
    with tempfile.TemporaryDirectory() as folder:
        copy = compiled_copy(arguments.peers, Path(folder) / "compiled")
        peers = runnable(arguments.peers, arguments.family, copy)
        if not peers:
            raise ValueError(f"none of these peers can be run on {arguments.family}: {', '.join(arguments.peers)}")
        file.parent.mkdir(parents=True, exist_ok=True)
        compile_bytecode(*filter(None, [copy]))
        for size in sizes:
            proved: dict[tuple[str, str], int] = {}
            for seed in range(1 if arguments.family == "shipped" else arguments.seeds):
                scenario = write(arguments.family, size, seed, Path(folder))
                runs = []
                for name in peers:
                    peer = PEERS[name]
                    limit = arguments.limit
                    if name == "local":
                        own = [run for run in [*known(record, size, seed), *runs] if run["peer"] == "planner"]
                        if own and own[-1]["status"] in PROVED:
                            limit = min(limit, max(LOCAL_LEAST, own[-1]["seconds"]))
                    left = [v for v in order.get(name, peer.variants) if (name, v) not in hopeless]
                    tries = run_variants(name, left, scenario, limit, seed, peer.workers or arguments.workers, copy)
                    for run in tries:
                        key = name, run["variant"]
                        some = run["status"] in PROVED if peer.proves else bool(run["value"])
                        proved[key] = proved.get(key, 0) + (some or "ended_early" in run)
                    if not tries:
                        continue
                    winner = best_variant(tries)["variant"]
                    order[name] = sorted(peer.variants, key=lambda v, winner=winner: v != winner)
                    if not arguments.quiet:
                        told = best_variant(tries)
                        print(
                            f"{arguments.family} {size} seed {seed} {name:12} {told['status']:10} {told['seconds']:7.2f} s "
                            f"{told['peak_mb']:6.0f} MB  {' / '.join(told['value'])}  {told['variant']}",
                            flush=True,
                        )
                    runs += tries
                again = {run["peer"] for run in runs}
                others = [run for run in known(record, size, seed) if run["peer"] not in again]
                against = [
                    f"{arguments.family} {size} seed {seed}: {what}" for what in contradictions([*others, *runs])
                ]
                for what in against:
                    print(what, file=sys.stderr, flush=True)
                wrong += against
                same = [i for i in record["instances"] if (i["size"], i["seed"]) == (size, seed)]
                if same:
                    same[0]["runs"] = others + runs
                else:
                    record["instances"].append({"size": size, "seed": seed, "runs": runs})
                file.write_text(_written(record), encoding="utf-8")
            if arguments.give_up and arguments.family != "shipped":  # whose scenarios say nothing of each other
                hopeless.update(key for key, count in proved.items() if not count and key[0] not in OURS)
    return 1 if wrong else 0


def compiled_copy(peers: list[str], folder: Path) -> Path | None:
    """Return a copy of the checkout whose label search is compiled, if some peer asks for one and it can be made."""
    if not any(PEERS[name].compiled for name in peers):
        return None
    try:
        make(folder)
    except (NoCompilerError, CompilingFailedError) as error:
        print(f"what is compiled is left out: {error}", file=sys.stderr)
        return None
    return folder


def runnable(peers: list[str], family: str, copy: Path | None) -> list[str]:
    """Return the peers that are installed, know the family, and have the compiled copy that they may need."""
    asked = {name: PEERS[name] for name in peers}
    return [
        name
        for name, peer in asked.items()
        if not peer.missing() and family in peer.families and not (peer.compiled and copy is None)
    ]


def known(record: dict[str, Any], size: str, seed: int) -> list[Run]:
    """Return what is recorded of an instance already."""
    same = (
        instance["runs"] for instance in record["instances"] if (instance["size"], instance["seed"]) == (size, seed)
    )
    return next(same, [])


def _written(record: dict[str, Any]) -> str:
    """Return a record as JSON, a line for each run, and without the points of a curve that nobody will ask for."""
    lines = [json.dumps({key: value for key, value in record.items() if key != "instances"})[:-1] + ', "instances": [']
    instances = []
    for instance in record["instances"]:
        runs = ",\n  ".join(json.dumps({**run, "curve": thinned(run["curve"])}) for run in instance["runs"])
        instances.append(
            f'{{"size": {json.dumps(instance["size"])}, "seed": {instance["seed"]}, "runs": [\n  {runs}]}}'
        )
    return "\n".join([*lines, ",\n".join(instances), "]}", ""])


def thinned(curve: list[Any]) -> list[Any]:
    """Return the points of a curve without those that are followed by another one within a twentieth of their time."""
    kept = []
    for index, point in enumerate(curve):
        after = curve[index + 1] if index + 1 < len(curve) else None
        borders = (1, 2, 10, 60)
        passes = after is not None and any(point[0] <= border < after[0] for border in borders)
        if after is None or not kept or passes or after[0] - kept[-1][0] > 0.05 * kept[-1][0]:
            kept.append(point)
    return kept


def main() -> None:
    """Read the command line and measure."""
    parser = argparse.ArgumentParser(description="Runs peers on instances and records what they did.")
    parser.add_argument("--family", choices=FAMILIES, required=True)
    parser.add_argument("--sizes", nargs="+", help="by default those of a full measurement")
    parser.add_argument("--seeds", type=int, default=5, help="how many")
    parser.add_argument("--limit", type=float, default=60.0, help="seconds for each process")
    parser.add_argument(
        "--peers",
        nargs="+",
        choices=PEERS,
        default=[name for name, peer in PEERS.items() if not peer.compiled],
        help="by default all but those for which the planner must be compiled first",
    )
    parser.add_argument("--workers", type=int, default=1, help="cores that the planner may use")
    parser.add_argument(
        "--output", type=Path, help="the results file; by default one of the day in benchmarks/results/"
    )
    parser.add_argument(
        "--add", action="store_true", help="keep what the results file has of other instances and peers"
    )
    parser.add_argument(
        "--give-up",
        action="store_true",
        help="don't run a peer on sizes after one of which it has proved nothing (found nothing, if it proves none); give "
        "sizes of one kind, smallest first",
    )
    parser.add_argument("--note", default="", help="a sentence for the report: what else the machine was doing, say")
    parser.add_argument("--quiet", action="store_true")
    arguments = parser.parse_args()
    if arguments.seeds < 1 or arguments.limit <= 0:
        parser.error("seeds and limit must be above 0")
    try:
        sys.exit(measure(arguments))
    except ValueError as error:
        print(f"{error} @ command line", file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(130)  # what has been measured has been written


if __name__ == "__main__":
    main()
