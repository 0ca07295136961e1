"""Records what the planner answers, so that two versions of it can be held against each other.

Usage: ``python benchmarks/answers.py record -o FILE [--checkout DIR]`` asks the planner of a checkout, by default this one,
about every shipped scenario and three seeds of every family: `suggest`, `check` of what is suggested and of its last move
alone, by referee and solver, `reach` of every unit, `explain`, `verify` and `defend`. A line of JSON for each answer, with
the processor time that it took, and one for each scenario with the most memory that its process had.

``python benchmarks/answers.py compare BEFORE AFTER`` tells every answer that differs, times left out, and the ratios of
time and memory. Exit codes: 0 if all answers are the same, 1 if some differ, 2 for bad input.

Answers that a time limit ends differ from run to run: record twice, and give both files to ``compare`` to see which.
``--pair DIR`` asks a second checkout in turn with the first, scenario by scenario, so that a change in the machine's speed
meets both alike; its answers go to the output file with ``.pair`` behind its name.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from families import shipped, write

HERE = Path(__file__).parent
SEEDS = 3
SIZES = {
    "dense": "12",
    "sparse": "12",
    "legs": "8/hexes=600/ma=10-14",
    "islands": "8",
    "crowded": "8",
    "stacks": "8",
    "joint": "6",
}
"""Sizes whose optimum is proved soon, so that no clock has a say in the answer."""

LIMIT = "120"
"""Seconds for each question: more than any takes."""

Answer = dict[str, Any]

ASK = """
import contextlib, io, json, os, resource, sys, time, tomllib
from pathlib import Path
from planner.__main__ import main

scenario, file, limit = sys.argv[1:4]
said = tomllib.loads(Path(file).read_text(encoding="utf-8"))
units = [unit["id"] for unit in said.get("unit", []) if "id" in unit]
own = [unit["id"] for unit in said.get("unit", []) if "id" in unit and unit.get("side") == said.get("phasing")]
theirs = [unit["at"] for unit in said.get("unit", []) if unit.get("side") != said.get("phasing") and "at" in unit]

def ask(*words):
    out, err, begin, end = io.StringIO(), io.StringIO(), time.process_time(), 0
    sys.argv = ["planner", *words, "--json"]
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            main()
    except SystemExit as exit:
        end = exit.code or 0
    try:
        answer = json.loads(out.getvalue())
    except ValueError:
        answer = out.getvalue()
    cpu = round(time.process_time() - begin, 4)
    told = {"scenario": scenario, "words": words, "exit": end, "answer": answer, "errors": err.getvalue(), "cpu": cpu}
    print(json.dumps(told), file=sys.__stdout__, flush=True)
    return answer

found = ask("suggest", scenario, "--time-limit", limit)
if isinstance(found, dict) and found.get("plan"):
    Path("plan.json").write_text(json.dumps(found["plan"]))
    last = {**found["plan"], "moves": found["plan"]["moves"][-1:]}
    Path("last.json").write_text(json.dumps(last))
    ask("check", scenario, "--plan", "plan.json")
    ask("check", scenario, "--plan", "plan.json", "--solver")
    if last["moves"]:
        ask("check", scenario, "--plan", "last.json", "--no-nearest")
        ask("check", scenario, "--plan", "last.json", "--solver", "--no-nearest")
        ask("explain", scenario, "--plan", "last.json", "--time-limit", limit)
for unit in units:
    ask("reach", scenario, unit, "--time-limit", limit)
for unit, place in [(unit, place) for unit in own[:2] for place in theirs[:1] + theirs[-1:]]:
    ask("explain", scenario, f"{unit} to {place}", "--time-limit", limit)
ask("verify", scenario, "--time-limit", limit)
ask("defend", scenario, "--time-limit", limit)
peak = round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, 1)
print(json.dumps({"scenario": scenario, "peak_mb": peak}), flush=True)
"""


def instances(folder: Path, only: str) -> Iterator[tuple[str, Path]]:
    """Yield how to call each scenario, and where it stands."""
    for name in shipped.names():
        if only in name:
            yield name, HERE.parent / "scenarios" / f"{name}.toml"
    for family, size in SIZES.items():
        for seed in range(SEEDS):
            if only in f"{family}-{seed}":
                path = write(family, size, seed, folder)
                yield path.name, path


def ask(checkout: Path, scenario: str, file: Path, folder: Path) -> str:
    """Return the lines of all answers about a scenario; where the checkout lies is left out of them.

    Raises
    ------
    ValueError
        The planner of the checkout doesn't come to its end; what it says goes to standard error.
    """
    run = subprocess.run(
        [sys.executable, "-c", ASK, scenario, str(file), LIMIT],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(checkout), "PYTHONHASHSEED": "0"},
        stdout=subprocess.PIPE,
        check=False,
        text=True,
    )
    if run.returncode:
        raise ValueError(
            f"the planner of {checkout} ends with {run.returncode} when asked about {scenario} @ --checkout"
        )
    return run.stdout.replace(f"{checkout}{os.sep}", "")


def record(arguments: argparse.Namespace) -> int:
    """Ask, and write the answers as they come.

    Raises
    ------
    ValueError
        A checkout has no planner, or no scenario is chosen.
    """
    checkouts = [(arguments.checkout.resolve(), arguments.output)]
    if arguments.pair is not None:
        checkouts.append((arguments.pair.resolve(), Path(f"{arguments.output}.pair")))
    for checkout, _ in checkouts:
        if not (checkout / "planner" / "__init__.py").is_file():
            raise ValueError(f"there is no planner in {checkout} @ --checkout")
    with tempfile.TemporaryDirectory() as name:
        chosen = list(instances(Path(name), arguments.only))
        if not chosen:
            raise ValueError(f"no scenario has {arguments.only!r} in its name @ --only")
        for _, output in checkouts:
            output.write_text("", encoding="utf-8")
        for scenario, file in chosen:
            for checkout, output in checkouts:
                with output.open("a", encoding="utf-8") as out:
                    out.write(ask(checkout, scenario, file, Path(name)))
            checkouts.reverse()
    return 0


def read(file: Path) -> tuple[dict[str, Answer], dict[str, float]]:
    """Return the answers of a record by their questions, and the memory of each scenario's process in MB.

    Raises
    ------
    OSError
        The file can't be read.
    ValueError
        It is no record.
    """
    answers, peaks = {}, {}
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        try:
            one = json.loads(line)
            if "peak_mb" in one:
                peaks[one["scenario"]] = one["peak_mb"]
            else:
                answers[" ".join(one["words"])] = one
        except (ValueError, TypeError, KeyError):
            raise ValueError(f"must be a record of answers, line {number} isn't @ {file}") from None
    return answers, peaks


def timeless(answer: Any) -> Any:
    """Return an answer without what says how long it took."""
    if isinstance(answer, dict):
        return {key: timeless(value) for key, value in answer.items() if key != "seconds"}
    return [timeless(each) for each in answer] if isinstance(answer, list) else answer


def compare(before: Path, after: Path) -> int:
    """Print what differs, and how time and memory do."""
    (one, one_peaks), (two, two_peaks) = read(before), read(after)
    wrong = [f"only in one: {question}" for question in sorted(one.keys() ^ two.keys())]
    both = sorted(one.keys() & two.keys())
    for question in both:
        if any(timeless(one[question][key]) != timeless(two[question][key]) for key in ("exit", "answer", "errors")):
            wrong.append(f"differs: {question}")
    print(*wrong, sep="\n", end="\n" * bool(wrong))
    print(f"{len(both)} questions, {len(wrong)} differences")
    for verb in sorted({question.split()[0] for question in both}):
        pairs = [(one[q]["cpu"], two[q]["cpu"]) for q in both if q.split()[0] == verb]
        total = sum(after for _, after in pairs) / max(1e-9, sum(before for before, _ in pairs))
        ratios = [after / before for before, after in pairs if before >= 0.05]
        middle = f", median {statistics.median(ratios):.3f} of {len(ratios)} above 0.05 s" if ratios else ""
        print(f"time of {verb}: {total:.3f} in all{middle}")
    peaks = [two_peaks[name] / one_peaks[name] for name in one_peaks.keys() & two_peaks.keys()]
    if peaks:
        print(f"memory: median {statistics.median(peaks):.3f}, highest {max(peaks):.3f}")
    return 1 if wrong else 0


def main() -> None:
    """Read the command line, and record or compare."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    verbs = parser.add_subparsers(dest="verb", required=True)
    recording = verbs.add_parser("record", help="ask, and write the answers")
    recording.add_argument("-o", "--output", type=Path, required=True)
    recording.add_argument("--checkout", type=Path, default=HERE.parent)
    recording.add_argument("--pair", type=Path, help="a second checkout, asked in turn with the first")
    recording.add_argument("--only", default="", help="only scenarios whose name has this in it")
    comparing = verbs.add_parser("compare", help="hold two records against each other")
    comparing.add_argument("before", type=Path)
    comparing.add_argument("after", type=Path)
    arguments = parser.parse_args()
    try:
        sys.exit(record(arguments) if arguments.verb == "record" else compare(arguments.before, arguments.after))
    except OSError as error:
        print(f"{error.strerror} @ {error.filename}", file=sys.stderr)
        sys.exit(2)
    except ValueError as error:
        print(error, file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
