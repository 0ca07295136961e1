"""What is composed is a puzzle: one solution, in one order, which greedy play misses, and unlike all others."""

from __future__ import annotations

import json
import random
import re
import threading
import time
from pathlib import Path

import pytest
import tomlkit

import planner
from planner.batch.engine import Bounds, Finished
from planner.batch.jobs import Job
from planner.batch.local import LocalWorkers
from planner.batch.results import results
from planner.composing import stipulation
from planner.composing.compose import Bank, Puzzle, compose, compose_one, jobs_of, seeds_of
from planner.composing.judging import judged, shrunk, worth
from planner.composing.symmetry import canonical, signature
from planner.composing.variation import varied, without
from planner.composing.writing import written
from planner.referee.referee import Referee
from tests.command import run

MANCHURIA = "dai_senso/manchuria"
CROWDED = """
format = "planner/scenario-1"
model = "great_war"
phase = "movement"
phasing = "allied"
map.hexes = { "E1 E2 E3 E4" = "countryside" }
unit = [
  { id = "a", side = "allied", type = "infantry", at = "E1", traits = "ordered" },
  { id = "b", side = "allied", type = "infantry", at = "E2", traits = "ordered" },
  { id = "x", side = "central", type = "infantry", at = "E4" },
]
"""


def bare(name: str) -> planner.Scenario:
    """A scenario without its answer and verdicts."""
    data = planner.load(name).to_dict()
    return planner.Scenario.from_dict({key: data[key] for key in data if key not in ("answer", "verdict")})


@pytest.mark.thorough
def test_the_worked_example_of_the_rules_is_a_puzzle_and_needs_four_of_its_units() -> None:
    """Inf goes first, plv overruns inf111: EZOC of kwantung4 stops plv otherwise. Hailar is needed for nothing."""
    scenario = bare(MANCHURIA)
    found = judged(scenario, "overrun")
    assert found is not None
    assert [str(move) for move in found.plan.moves] == ["inf w5525-w5425", "plv w5525-w5425xw5426"]
    assert worth(scenario, planner.check(scenario, found.greedy))[0] < found.value[0]
    small = shrunk(found, "overrun", lambda: False)
    assert set(small.scenario.game.units) < set(scenario.game.units)
    assert set(small.scenario.game.units) == {"inf", "plv", "inf111", "kwantung4"}
    for unit in small.scenario.game.units:  # each one left is needed, or moves
        if unit not in ("inf", "plv"):
            fewer = without(small.scenario, unit)
            assert fewer is None or judged(fewer, "overrun") is None


@pytest.mark.parametrize("theme", ["relief", "last_berth", "sacrifice"])
def test_what_does_not_fit_the_theme_is_left_out(theme: str) -> None:
    assert judged(bare(MANCHURIA), theme) is None


def test_what_greedy_play_finds_is_no_puzzle() -> None:
    data = bare(MANCHURIA).to_dict()
    data["tier"] = [{"terms": [{"kind": "end", "unit": "inf", "at": "w5425"}]}]
    assert judged(planner.Scenario.from_dict(data), "any") is None


@pytest.mark.parametrize(
    ("name", "seed"),
    [(MANCHURIA, 1), pytest.param("crossroads/puzzles/between_the_forts", 1, marks=pytest.mark.thorough)],
)
def test_a_stipulated_unit_gets_there_with_help_and_not_by_itself(
    name: str, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stipulation, "SECONDS", 60.0)
    made = stipulation.stipulated(bare(name), random.Random(seed))
    assert made is not None
    goal = made.to_dict()["tier"][0]["terms"][0]
    assert f"{goal['unit']} come to {goal['at']}" in made.to_dict()["description"]
    assert goal["at"] not in {way.hex for way in planner.reach(made, goal["unit"], alone=True).alone}
    found = planner.suggest(made, time_limit=60)
    assert found.value[0] == 1
    assert found.plan is not None
    assert {unit for move in found.plan.moves for unit in move.units} > {goal["unit"]}


@pytest.mark.thorough
def test_who_makes_another_solution_is_taken_away() -> None:
    """A second infantry beside the first can do its part as well, so that one of them has to go."""
    data = bare(MANCHURIA).to_dict()
    first = next(entry for entry in data["unit"] if entry["id"] == "inf")
    data["unit"].append({**first, "id": "inf2"})
    cooked = planner.Scenario.from_dict(data)
    assert judged(cooked, "any") is None
    mended = stipulation.uncooked(cooked, 10)
    assert len({"inf", "inf2"} & set(mended.game.units)) == 1
    assert judged(mended, "any") is not None


@pytest.mark.thorough
def test_greedy_play_that_rolls_makes_no_puzzle() -> None:
    """Red's hex is entered once a combat has driven red out, which is rolled: whether greedy play misses it is luck."""
    scenario = planner.load("classic_hex/three_battles")
    data = {key: value for key, value in scenario.to_dict().items() if key not in ("answer", "verdict")}
    assert judged(planner.Scenario.from_dict(data), "any") is None


@pytest.mark.thorough
def test_a_puzzle_is_verified_from_its_text(tmp_path: Path) -> None:
    found = judged(bare(MANCHURIA), "any")
    assert found is not None
    made = written(found, "A title")
    assert made is not None
    text, rated = made
    assert rated["depth"] == 2
    file = tmp_path / "puzzle.toml"
    file.write_text(text)
    told = planner.verify(file)
    assert told.outcome == "holds"
    kinds = [check.kind for check in told.checks if check.outcome == "holds"]
    assert {"claim", "solution", "unique", "order", "hint", "verdict"} <= set(kinds)
    assert kinds.count("hint") == kinds.count("verdict") == 2


def test_what_can_be_turned_and_mirrored_into_each_other_is_alike() -> None:
    draw = random.Random(1)
    for _ in range(50):
        cubes = [(a, b, -a - b) for a, b in ((draw.randint(-4, 4), draw.randint(-4, 4)) for _ in range(4))]
        drawn = [(str(index % 2), cube) for index, cube in enumerate(cubes)]
        turned = [(what, (-b + 7, -c - 3, -a - 4)) for what, (a, b, c) in drawn]
        mirrored = [(what, (b, a, c)) for what, (a, b, c) in drawn]
        assert canonical(drawn) == canonical(turned) == canonical(mirrored)
        assert canonical(drawn) != canonical([("x", drawn[0][1]), *drawn[1:]])


def test_the_same_position_elsewhere_on_a_map_is_alike_and_another_one_is_not() -> None:
    one = bare(MANCHURIA)
    empty = {**one.to_dict(), "unit": [], "tier": [], "map": {**one.to_dict()["map"], "origin": "w5934"}}
    there = planner.Scenario.from_dict(empty)
    labels = dict(zip(sorted(one.game.board.hexes), sorted(there.game.board.hexes), strict=True))
    text = json.dumps({key: one.to_dict()[key] for key in ("unit", "tier")})
    moved = json.loads(re.sub(r"w\d{4}", lambda found: labels.get(found[0], found[0]), text))
    other = planner.Scenario.from_dict({**empty, **moved})
    plans = [planner.suggest(scenario).plan for scenario in (one, other)]
    assert plans[0] is not None
    assert plans[1] is not None
    assert str(plans[0]) != str(plans[1])
    assert signature(one, plans[0]) == signature(other, plans[1])
    aside = one.with_units([{"id": "hailar", "at": "w5624"}])
    assert signature(one, plans[0])[0] != signature(aside, plans[0])[0]
    assert signature(one, plans[0])[1] == signature(aside, plans[0])[1]


class _Endless:
    """An engine that never comes to the end of anything."""

    def room(self) -> int:
        return 1

    def start(self, job: Job) -> None:
        pass

    def finished(self, seconds: float) -> list[Finished]:
        time.sleep(0.01)
        return []

    def close(self) -> None:
        pass


def test_who_stops_it_need_not_wait_for_a_try(tmp_path: Path) -> None:
    jobs, stop = jobs_of(seeds_of([MANCHURIA]), "any", 1, 3), threading.Event()
    threading.Timer(0.1, stop.set).start()
    with results(tmp_path / "tries.jsonl", jobs) as file:
        bank = Bank.of(jobs, 2)
        compose(jobs, _Endless(), file, bank, stop, lambda puzzle: None)
    assert (bank.looked_at, bank.puzzles) == (0, [])


def test_variations_are_those_of_their_seed() -> None:
    scenario = planner.load(MANCHURIA)
    made = [varied(scenario, random.Random(number)) for number in range(20)]
    again = [varied(scenario, random.Random(number)) for number in range(20)]
    found = [one.to_dict() for one in made if one is not None]
    assert found == [one.to_dict() for one in again if one is not None]
    assert len({str(one["unit"]) for one in found}) > 10
    assert all("answer" not in one for one in found)


def test_no_variation_stands_as_no_play_leads_to() -> None:
    # Two of our own and an enemy in four hexes, each of which holds one unit.
    scenario = planner.loads(CROWDED)
    made = [one for number in range(200) if (one := varied(scenario, random.Random(number))) is not None]
    assert len(made) > 20
    for one in made:
        at = one.start.at
        assert at.get("x") not in (at.get("a"), at.get("b")), one.to_dict()["unit"]
        assert not Referee(one.game).check_end(one.start)
    apart = {(one.start.at["a"], one.start.at["x"]) for one in made if {"a", "x"} <= one.start.at.keys()}
    assert len(apart) > 3


def test_what_is_known_or_like_another_one_is_not_taken_again() -> None:
    told = {"like": ["a", "b"], "text": "", "model": "m", "depth": 2, "near_misses": 0, "stars": 1, "units": 3}
    bank = Bank(1)
    assert isinstance(bank.take(told), Puzzle)
    assert bank.take({**told, "like": ["x", "b"]}) is None
    assert bank.take({}) is None
    assert isinstance(bank.take({**told, "like": ["y", "z"]}), Puzzle)
    assert (len(bank.puzzles), bank.looked_at, bank.alike) == (2, 4, 1)
    stated = Bank(1)
    stated.know(planner.load(MANCHURIA))
    assert stated.known


@pytest.mark.thorough
def test_the_same_seed_makes_the_same_bank_however_many_processes_there_are(tmp_path: Path) -> None:
    made = []
    for workers in (1, 2):
        jobs = jobs_of(seeds_of(["dai_senso/puzzles"]), "any", 1, 100)
        found: list[Puzzle] = []
        with results(tmp_path / f"{workers}.jsonl", jobs) as file:
            engine = LocalWorkers(workers, compose_one, Path(), Bounds(seconds=120))
            compose(jobs, engine, file, Bank.of(jobs, 1), threading.Event(), found.append)
            engine.close()
        made.append(found)
    assert len(made[0]) == 1
    assert made[0] == made[1]


@pytest.mark.thorough
def test_the_command_fills_a_folder_that_verify_holds_for_good(tmp_path: Path) -> None:
    folder = tmp_path / "bank"
    done = run("compose", "dai_senso/puzzles", "-o", str(folder), "--count", "2", "--time-limit", "300")
    assert done.returncode == 0, done.stdout + done.stderr
    assert len(list(folder.glob("*.toml"))) == len(list(folder.glob("*.svg"))) == 2
    assert run("verify", str(folder)).returncode == 0
    assert run("compose", "dai_senso/puzzles", "-o", str(folder), "--count", "2").returncode == 0


@pytest.mark.thorough
def test_a_limit_longer_than_any_clock_is_one(tmp_path: Path) -> None:
    done = run("compose", MANCHURIA, "-o", str(tmp_path), "--tries", "1", "--time-limit", "1e300", "--workers", "1")
    assert (done.returncode, done.stderr) == (3, "")


def test_it_is_told_whether_it_ended_as_all_was_looked_at_or_for_want_of_time(tmp_path: Path) -> None:
    words = ("compose", MANCHURIA, "-o", str(tmp_path), "--workers", "1")
    done = run(*words, "--tries", "1000", "--time-limit", "0")
    assert (done.returncode, done.stdout.splitlines()[-1]) == (3, "The time ran out: the same command goes on.")
    done = run(*words, "--tries", "1", "--theme", "last_berth")
    assert done.returncode == 3
    assert done.stdout == (
        "0 puzzles of 1 variation; 0 more were like another one.\nThese are all --tries; another --seed draws others.\n"
    )


def test_what_cannot_be_varied_is_told(tmp_path: Path) -> None:
    data = bare(MANCHURIA).to_dict()
    data["unit"] = [entry for entry in data["unit"] if entry["side"] != data["phasing"]]
    del data["tier"]
    nobody = tmp_path / "nobody.toml"
    nobody.write_text(tomlkit.dumps(data))
    done = run("compose", str(nobody), "-o", str(tmp_path))
    assert done.returncode == 2
    assert "in which somebody may move" in done.stderr
    assert run("compose", MANCHURIA, "-o", str(tmp_path), "--theme", "love").returncode == 2
