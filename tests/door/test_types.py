"""Everything that the package exports has types for whoever checks their own program with mypy."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import planner

USER = """
from __future__ import annotations

import random
import threading
from fractions import Fraction

import planner

scenario: planner.Scenario = planner.load("dai_senso/manchuria")
verdict: planner.Verdict = planner.check(scenario, "inf w5525-w5425")
violations: tuple[planner.Violation, ...] = verdict.violations
result: planner.Result = planner.suggest(scenario, time_limit=1.0, stop=threading.Event())
plan: planner.Plan | None = result.plan
moves: tuple[planner.Move, ...] = () if plan is None else plan.moves
value: tuple[Fraction, ...] = result.value
partial = planner.PartialPlan.read("plv -> w5426", scenario, "moves")
completed: planner.Result = planner.complete(scenario, partial)
policy: planner.Policy = planner.suggest(scenario, adaptive=True, time_limit=1.0, after=[])
either: planner.Result | planner.Policy = planner.suggest(scenario, adaptive=bool(moves))
others = planner.alternatives(scenario, 2, partial=partial)
ranks = [ranked.result.value for ranked in others.plans]
near = planner.nearest(scenario, "plv w5525-w5425xw5426")
changed: planner.Plan | None = None if near is None else near.plan
why: str = planner.explain(scenario, "plv to w5426").status
help_: list[str] = [entry.hex for entry in planner.reach(scenario, "plv").with_help]
side: list[str] = [one.unit for one in planner.reach_all(scenario, alone=True)]
defense: str = planner.defend(scenario).status
position: planner.Position = planner.Position(scenario.with_units([{"id": "plv", "at": "w5525"}]))
same: planner.Position = planner.loads("...").position()
for move in position.legal_moves("plv"):
    legal: bool = position.is_legal(move)
    position.push(move)
    outcomes = [(one.move, one.probability) for one in position.outcomes]
    rolled: Fraction = position.roll(random.Random(1)).probability
    position.pop()
wrong: list[planner.Violation] = [*position.violations("a 1-2"), *position.problems(), *position.attacks_due()]
attackers: dict[str, tuple[str, ...]] = position.targets()
together: bool = position.to_declare
position.declare(["a -> 3"])
rolled_later: list[tuple[str, ...]] = [attack.attackers for attack in position.declared or ()]
left: list[str] = [str(one) for attack in position.declared or () if (one := position.left_of(attack))]
position.end_phase()
now: tuple[str, str, int | None, bool] = position.side, position.phase, position.turn, position.can_take_back
where: dict[str, str] = position.at
made: tuple[planner.Move, ...] = position.made
fought: list[tuple[str, ...]] = [attack.attackers for attack in position.attacks]
seen: set[planner.Position] = {position, position.copy()}
keys: dict[tuple[object, ...], int] = {position.key: len(position)}
again: planner.Scenario = planner.Scenario.from_dict(position.to_dict())
word: str = position.to_text()
as_written: planner.Position = planner.Position.from_text(word)
judged: bool = position.check(["inf w5525-w5425"]).legal
ends: list[str] = [entry.hex for entry in position.reach("plv", alone=True, stop=threading.Event()).alone]
all_ends: list[str] = [one.unit for one in position.reach(time_limit=1)]


def progress(told: planner.Progress) -> None:
    print(told.plan, told.value)


best: planner.Result = position.suggest(time_limit=1, on_progress=progress, workers=2, partial=partial)
reacting: planner.Policy = position.suggest(adaptive=True, on_progress=progress)
any_: planner.Result | planner.Policy = position.suggest(adaptive=bool(moves))
foreseen: tuple[str, ...] = position.preview(best.plan.moves[0]).move.path if best.plan else ()
begun: planner.Scenario = position.begin
reason: str = position.explain("plv to w5426", time_limit=None).status


async def later() -> planner.Result:
    return await position.suggest_async(1, on_progress=progress, seed=1)


counted: int = planner.perft(position, 1)
puzzle: str = planner.verify("dai_senso/manchuria").outcome
picture: planner.Picture = planner.picture(scenario, notes=[planner.Note("w5425", "3.1", "why")])
compiled: bool = planner.is_compiled()
try:
    planner.apply(scenario, "inf w5525-w5425")
except planner.IllegalPlanError as error:
    print(error.verdict)
except (planner.AmbiguousInputError, planner.InputError) as error:
    problems: tuple[planner.Problem, ...] = error.problems
except planner.PlannerError:
    pass
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder in which mypy remembers what it has read of the package."""
    return tmp_path_factory.mktemp("user")


def _mypy(folder: Path, text: str) -> str:
    pytest.importorskip("mypy", reason="the extra dev isn't installed")
    (folder / "user.py").write_text(text, encoding="utf-8")
    words = [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", f"--cache-dir={folder / 'cache'}"]
    return subprocess.run(
        [*words, "--config-file=", "user.py"], check=False, capture_output=True, text=True, cwd=folder
    ).stdout


@pytest.mark.thorough
def test_a_program_that_uses_every_exported_name_passes_strictly(folder: Path) -> None:
    used = set(re.findall(r"planner\.([A-Za-z_]\w*)", USER))
    assert used == set(planner.__all__), used ^ set(planner.__all__)
    assert _mypy(folder, USER) == ""


def test_it_uses_everything_of_a_position() -> None:
    public = {name for name in dir(planner.Position) if not name.startswith("_")} - {"settled", "generator"}
    assert public <= set(re.findall(r"\b(\w+)\b", USER)), public


@pytest.mark.thorough
def test_what_is_misspelled_is_noticed(folder: Path) -> None:
    asked = 'import planner\nposition = planner.Position("a")\n'
    calls = ("position.suggest(time=1)", 'position.reach("a", alon=True)', 'position.explain("a", requires="b")')
    told = _mypy(folder, asked + "\n".join(calls) + "\n")
    assert [line.split(":")[1] for line in told.splitlines() if "error: Unexpected keyword" in line] == ["3", "4", "5"]


@pytest.mark.thorough
def test_no_exported_name_may_be_anything(folder: Path) -> None:
    told = _mypy(folder, "import planner\n" + "\n".join(f"reveal_type(planner.{name})" for name in planner.__all__))
    revealed = re.findall(r'Revealed type is "(.*)"', told)
    assert len(revealed) == len(planner.__all__)
    assert not [name for name, kind in zip(planner.__all__, revealed, strict=True) if kind == "Any"]
