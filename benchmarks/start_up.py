"""How long the commands take from a cold start: whole processes, medians, and the ratio to a bare interpreter.

Usage: ``python benchmarks/start_up.py [RUNS]``, with the planner installed in the interpreter's environment.
"""

from __future__ import annotations

import platform
import statistics
import subprocess
import sys
import time
from datetime import date
from importlib.metadata import version

from processes import compile_bytecode

COMMANDS = {
    "python -c pass": ["-c", "pass"],
    "planner --help": ["-m", "planner", "--help"],
    "planner check": ["-m", "planner", "check", "dai_senso/manchuria", "inf w5525-w5425", "plv w5525-w5425xw5426"],
    "planner suggest": ["-m", "planner", "suggest", "dai_senso/manchuria"],
}


def seconds(words: list[str]) -> float:
    """Run one process to its end and return how long that took."""
    begin = time.perf_counter()
    subprocess.run([sys.executable, *words], stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - begin


def main() -> None:
    """Time every command in turn, so that a change in the machine's speed meets all alike."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 9
    times: dict[str, list[float]] = {name: [] for name in COMMANDS}
    compile_bytecode()
    for words in COMMANDS.values():
        seconds(words)  # fills the file cache
    for _ in range(runs):
        for name, words in COMMANDS.items():
            times[name].append(seconds(words))
    bare = statistics.median(times["python -c pass"])
    versions = f"Python {platform.python_version()}, ortools {version('ortools')}"
    print(f"{date.today()}, {versions}, {platform.machine()}, {runs} runs")
    print("| command | median s | min | max | ratio to python -c pass |")
    print("|---|---|---|---|---|")
    for name, found in times.items():
        median = statistics.median(found)
        print(f"| `{name}` | {median:.3f} | {min(found):.3f} | {max(found):.3f} | {median / bare:.1f} |")


if __name__ == "__main__":
    main()
