"""Malformed input: commands on scenarios, models, plans and words in which something has been changed at random."""

from __future__ import annotations

import copy
import json
import random
import re
import shutil
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import tomlkit

from planner.formats.files import data_folder
from planner.scenario import Scenario, load_scenario

POSITIONS = (
    "great_war/puzzles/two_orders",
    "great_war/taking_ground",
    "classic_hex/puzzles/open_door",
    "classic_hex/six_against_four",
    "ocs/puzzles/twice",
    "ocs/swamp",
    "a_world_at_war/winter_front",
    "dai_senso/manchuria",
    "dai_senso/manchuria_defense",
    "dai_senso/puzzles/two_ships_make_no_train",
)
"""Small positions of every game."""

COMMANDS = ("check",) * 8 + ("apply", "draw", "reach", "suggest", "complete", "explain", "verify", "defend", "rules")
LIMITED = {"suggest", "reach", "explain", "verify", "defend"}

VALUES: tuple[Any, ...] = (
    0, -1, 1, 2, 3, 10**6, 2**63, -(2**63), 10**30, 0.5, float("inf"), float("nan"), 1e308, True, False,
    "", " ", "?", "a", "-1", "1/2", "1/0", "0/1", "10**9", "1e9", "١٢", "nowhere", "\x00", "\x1b[2J", "\u202e", "x" * 500,
    "everywhere", "all", "[box]", "../..", "E1 E1", [], [[]], {}, {"": ""}, [0], ["", ""], {"kind": "end"}, {"kind": 1},
)  # fmt: skip
"""What takes the place of a value."""

SIGNS = "\x00\x1b\u202e\ufeff\u2028é東\U0001f600\t\r\n\"'[]{}=.,#-~x!/*+()0129 \\"
"""What gets into a text."""


@dataclass(frozen=True)
class Malformed:
    """A command, and the files that it reads.

    Attributes
    ----------
    words : tuple of str
        The command line, after ``planner``.
    stdin : str
        What stands on its standard input.
    pipes : mapping from str to bytes
        What somebody writes into named pipes, or b"" where somebody reads what is written there.
    """

    words: tuple[str, ...]
    stdin: str = ""
    pipes: Mapping[str, bytes] = field(default_factory=dict)


AWKWARD = {
    "empty.svg": b"",
    "binary.svg": bytes(range(256)),
    "long.svg": b"x" * 10**6,
    "folder.svg": None,
    "empty.svg/below.svg": None,
    "missing/below.svg": None,
    "full.svg": None,
}
"""Files that are to be read or written and can't, each with what stands in it, if it is a file."""

READ = ("--plan", "--policy", "--after-file")
WRITTEN = ("--draw", "--plan-out", "--junit", "--sarif", "-o")


def malformed(seed: int, folder: Path) -> Malformed:
    """Return a command whose scenario, model, plan or words have been changed, one of them or several; write its files."""
    rng = random.Random(seed)
    name = rng.choice(POSITIONS)
    text = (data_folder("scenarios") / f"{name}.toml").read_text(encoding="utf-8")
    move, plan = _move(name, rng), ""
    what = rng.choice(
        ("scenario",) * 10 + ("model", "plan", "plan", "move", "move", "words", "words", "files", "files", "several")
    )
    if what in ("scenario", "several"):
        text = _changed(text, rng)
    if what == "model":
        model = tomllib.loads(text)["model"]
        shutil.copytree(data_folder("models") / model, folder / "model")
        file = folder / "model" / rng.choice(("rulebook.toml", "terrain.toml", "forces.toml"))
        file.write_bytes(_changed(file.read_text(encoding="utf-8"), rng).encode("utf-8", "surrogatepass"))
        text = text.replace(f'model = "{model}"', 'model = "./model"')
    if what in ("plan", "several"):
        plan = _changed_plan(move, rng)
    if what in ("move", "several"):
        move = _changed_text(move, rng, rng.randint(1, 3))
    scenario = folder / "scenario.toml"
    scenario.write_bytes(text.encode("utf-8", "surrogatepass"))
    words = _command(str(scenario), move, bool(plan), rng)
    if what == "words":
        words = _changed_words(words, rng)
    if what == "files":
        words = _with_awkward_file(words, folder, rng)
    return Malformed(tuple(words), plan)


JOBS: tuple[dict[str, Any], ...] = (
    {"verb": "check", "moves": ["x"]},
    {"verb": "suggest", "time_limit": 0.2, "after": []},
    {"verb": "reach", "time_limit": 0.2, "alone": True},
    {"verb": "explain", "time_limit": 0.2, "require": "stay x"},
    {"verb": "verify", "time_limit": 0.2, "cooks": True},
    {"verb": "defend", "time_limit": 0.2, "most": 1},
    {"verb": "apply", "moves": [], "phase": "movement"},
)
"""What is asked in a batch."""

VARIED = ("units.{}.ma=1..3", "units.{}.at=a,b", "units.{}.count=0..2", "weather=dry,mud", "confidence=1/2", "tier.0=1")
"""What varies in a sweep."""

KEPT = {"batch": "kept.jsonl", "compose": "bank/tries.jsonl", "sweep": "kept.csv"}
"""What commands that ask many questions write, and batches and banks go on with."""


def malformed_many(seed: int, folder: Path) -> Malformed:
    """Return a command that asks many questions, with something changed in what it reads; write its files, and pipes."""
    rng = random.Random(f"many {seed}")
    name, command = rng.choice(POSITIONS), rng.choice(list(KEPT))
    text = (data_folder("scenarios") / f"{name}.toml").read_text(encoding="utf-8")
    unit = rng.choice([unit for unit in _position(name).start.at if unit in _position(name).game.friends])
    what = rng.choice(("scenario", "scenario", "question", "question", "kept", "pipe", "words", "files"))
    if what == "scenario":
        text = _changed(text, rng)
    (folder / "scenario.toml").write_bytes(text.encode("utf-8", "surrogatepass"))
    lines = [json.dumps({"id": n, **rng.choice(JOBS), "scenario": "scenario.toml"}) for n in range(rng.randint(1, 3))]
    varied = rng.choice(VARIED).format(unit)
    if what == "question":
        lines[0] = (
            json.dumps(_changed_data(json.loads(lines[0]), rng))
            if rng.random() < 0.6
            else _changed_text(lines[0], rng, 2)
        )
        varied = _changed_text(varied, rng, 1)
    jobs = "\n".join(lines).encode("utf-8", "surrogatepass")
    (folder / "jobs.jsonl").write_bytes(jobs)
    kept = folder / KEPT[command]
    if what == "kept":
        kept.parent.mkdir(exist_ok=True)
        kept.write_bytes(
            rng.choice((b"", b"{", b"[]\n", b"\xff\x00\n", jobs, jobs + b"\n", b'{"id": 0, "job": "x"}\n' * 3))
        )
    words = {
        "batch": ["batch", "jobs.jsonl", "-o", "kept.jsonl", "--workers", "1", "--hard-limit", "20"],
        "compose": ["compose", "scenario.toml", "-o", "bank", "--tries", "1", "--time-limit", "1", "--workers", "1"],
        "sweep": [
            "sweep",
            "scenario.toml",
            "--vary",
            varied,
            "-o",
            "kept.csv",
            "--time-limit",
            "0.2",
            "--workers",
            "1",
        ],
    }[command]
    if what == "words":
        words.insert(
            rng.randrange(1, len(words)), rng.choice(("--json", "--force", "-1", "", "--make", "\udcff", "--retry"))
        )
    if what == "files":
        words = _with_awkward_file(words, folder, rng)
    pipes = {}
    if what == "pipe":
        place = rng.choice([1, words.index("-o") + 1])
        pipes = {"pipe": (jobs if command == "batch" else text.encode()) if place == 1 else b""}
        words[place] = "pipe"
    return Malformed(tuple(words), "", pipes)


@cache
def _position(name: str) -> Scenario:
    return load_scenario(name)


def _move(name: str, rng: random.Random) -> str:
    """Return a move that is well written, legal or not."""
    scenario = _position(name)
    unit = rng.choice([unit for unit in scenario.start.at if unit in scenario.game.friends])
    place = scenario.start.at[unit]
    move, steps = f"{unit} {place}", "-----x" if scenario.game.rulebook.overrunning else "-"
    steps = rng.choice((steps, steps, steps, "-x~!"))
    for _ in range(rng.randint(1, 3)):
        place = rng.choice(sorted(scenario.game.board.neighbours[place]) or [place])
        move += f"{rng.choice(steps)}{place}"
    return move + rng.choice(("",) * 12 + ("*2", "!", "(a)", "=0:1"))


def _command(scenario: str, move: str, planned: bool, rng: random.Random) -> list[str]:
    name = rng.choice(COMMANDS)
    moves = ["--plan", "-"] if planned else [move]
    words = [name, scenario]
    if name in ("check", "apply", "draw", "explain"):
        words += moves
    elif name == "complete":
        words = ["check", scenario, *moves, "--complete", "--time-limit", "0.2"]
    elif name == "suggest":
        words += moves if planned else []
    elif name == "reach":
        words.append(rng.choice((move.split()[0] if move.split() else "", "--all")))
    elif name == "rules":
        model = Path(scenario).parent / "model"
        words = [name, str(model) if model.exists() else "ocs"]
    if name in LIMITED:
        words += ["--time-limit", "0.2"]
    if name in ("apply", "draw"):
        words += ["-o", str(Path(scenario).parent / f"out.{rng.choice(('svg', 'html'))}")]
    if name == "check" and rng.random() < 0.7:
        words.append("--no-nearest")
    if name not in ("apply", "draw") and rng.random() < 0.3:
        words.append("--json")
    return words


def _changed_words(words: list[str], rng: random.Random) -> list[str]:
    """Change the words of a command line; limits stay, since without one a search may take its time."""
    words = list(words)
    for _ in range(rng.randint(1, 3)):
        index = rng.randrange(1, len(words) + 1)
        junk = rng.choice(
            ("--draw", "--plan", "-", "--", "--solver", "--nearest", "--require", "stay x", "\udcff", "-o", "")
        )
        change = rng.choice(("add", "text", "double"))
        if (
            change == "add"
            or index == len(words)
            or words[index - 1] == "--time-limit"
            or words[index] == "--time-limit"
        ):
            # Without a slash: "verify /" asks about all files that this machine has.
            words.insert(len(words), rng.choice((junk, _changed_text("a-b->", rng, 3).replace("/", "_"))))
        elif change == "double":
            words.append(words[index])
        else:
            words[index] = (
                _changed_text(words[index], rng, 1).replace("/", "_") if index == 1 else rng.choice((junk, "0"))
            )
    return words


def _with_awkward_file(words: list[str], folder: Path, rng: random.Random) -> list[str]:
    """Let a command read, or write, what can't be: a scenario, or what an option names."""
    for name, content in AWKWARD.items():
        if content is not None:
            (folder / name).write_bytes(content)
    (folder / "folder.svg").mkdir()
    if Path("/dev/full").exists():
        (folder / "full.svg").symlink_to("/dev/full")
    option, name = rng.choice(("", *READ, *WRITTEN)), rng.choice(list(AWKWARD))
    return [words[0], name, *words[2:]] if not option else [*words, option, name]


def _changed_plan(move: str, rng: random.Random) -> str:
    """Return a plan, as lines or as JSON, that isn't quite one."""
    unit, _, way = move.partition(" ")
    path = re.split("[-x~!]", way)
    data = {"format": "planner/plan-1", "moves": [{"units": [unit], "path": path, "overruns": [], "mp": 1}]}
    form = rng.choice(("lines", "json", "data"))
    if form == "lines":
        return _changed_text(f"{move}\n{unit} -> {path[-1]}\n{unit} stays\n", rng, rng.randint(1, 4))
    if form == "json":
        return _changed_text(json.dumps(data), rng, rng.randint(1, 4))
    return json.dumps(_changed_data(data, rng))


def _changed(text: str, rng: random.Random) -> str:
    """Change a TOML file: its letters, or its values and their structure."""
    times = rng.choice((1, 1, 1, 2, 5))
    if rng.random() < 0.3:
        return _changed_text(text, rng, times)
    data = tomllib.loads(text)
    for key in ("answer", "verdict"):  # they are about moves as they were
        if rng.random() < 0.6:
            data.pop(key, None)
    for _ in range(times):
        data = _changed_data(data, rng)
    try:
        return tomlkit.dumps(data)
    except Exception:  # not everything has a form in TOML
        return _changed_text(text, rng, 3)


def _changed_text(text: str, rng: random.Random, times: int) -> str:
    for _ in range(times):
        first = rng.randrange(len(text) + 1)
        last = min(len(text), first + rng.choice((1, 1, 2, 5, 40)))
        change = rng.randrange(5)
        if change == 0:
            text = text[:first] + text[last:]
        elif change == 1:
            text = text[:first] + rng.choice(SIGNS) + text[first:]
        elif change == 2:
            text = text[:first] + rng.choice(SIGNS) + text[last:]
        elif change == 3:
            text = text[:last] + text[first:last] * rng.choice((1, 1, 50)) + text[last:]
        else:
            there = rng.randrange(len(text) + 1)
            text = text[:there] + text[first:last] + text[there:]
    return text


def _changed_data(data: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    """Change a value, or where it stands."""
    data = copy.deepcopy(data)
    places: list[tuple[Any, Any]] = []
    inside: list[Any] = [data]
    while inside:
        node = inside.pop()
        keys = list(node) if isinstance(node, dict) else range(len(node))
        places += [(node, key) for key in keys]
        inside += [node[key] for key in keys if isinstance(node[key], (dict, list))]
    if not places:
        return data
    node, key = rng.choice(places)
    other, there = rng.choice(places)
    alike = [held[at] for held, at in places if at == key and type(held[at]) is type(node[key])]
    mild: tuple[Callable[[], Any], ...] = (
        lambda: node.__setitem__(key, copy.deepcopy(rng.choice(alike))),
        lambda: node.__setitem__(key, node[key] + rng.choice((-1, 1, 5)) if isinstance(node[key], int) else node[key]),
        lambda: node.insert(0, copy.deepcopy(node[key])) if isinstance(node, list) else node.pop(key),
    )
    changes: tuple[Callable[[], Any], ...] = (
        lambda: node.__setitem__(key, copy.deepcopy(rng.choice(VALUES))),
        lambda: node.__setitem__(key, copy.deepcopy(rng.choice(VALUES))),
        lambda: node.pop(key),
        lambda: node.__setitem__(key, copy.deepcopy(other[there])),
        lambda: node.__setitem__(key, [copy.deepcopy(node[key])] * rng.choice((1, 2, 50))),
        lambda: node.__setitem__(key, {"a": copy.deepcopy(node[key])}),
        lambda: (
            node.insert(0, copy.deepcopy(node[key])) if isinstance(node, list) else node.update({f"{key}2": node[key]})
        ),
        lambda: node.__setitem__(key, -node[key] if isinstance(node[key], int) else f"{node[key]} {node[key]}"),
        lambda: node.__setitem__(key, _nested(rng.choice((5, 60)))),
    )
    rng.choice(mild if rng.random() < 0.6 else changes)()
    return data


def _nested(depth: int) -> list[Any]:
    value: list[Any] = []
    for _ in range(depth):
        value = [value]
    return value
