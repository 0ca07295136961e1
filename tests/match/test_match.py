"""Matches are mirrored, judged, repeated by their seeds, and go on where they were ended."""

from __future__ import annotations

import json
import random
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

import planner
from planner.batch.jobs import Job
from planner.batch.results import results
from planner.errors import InputError, PlannerError
from planner.formats.files import data_folder
from planner.match.game import game_job, play_game
from planner.match.match import Pairing, standing_of
from planner.playing.players import player_of
from planner.scenario import find_scenario
from tests.command import run

START = "dai_senso/manchuria"
GAME = "crossroads/game"
BOTH = ("--player", "greedy", "--player", "random")


def told(points: dict[str, str], scores: dict[str, list[str]] | None = None, phases: int = 0) -> dict[str, Any]:
    """Return the answer of a game between blue and red."""
    record = {"players": {"blue": "?", "red": "?"}, "scenario": {}, "phases": [phases]}
    return {"answer": {"record": record, "points": points, "scores": scores or {}}}


def standing(tmp_path: Path, *answers: dict[str, Any]) -> Any:
    jobs = [Job(str(number), "game", {}) for number in range(len(answers))]
    with results(tmp_path / "results.jsonl", jobs) as file:
        file.append(list(zip(jobs, answers, strict=True)))
        return standing_of([*jobs, Job("x", "game", {}), Job("y", "game", {})], file)


def test_each_start_is_played_from_both_sides_with_the_same_dice() -> None:
    jobs = Pairing((GAME, "classic_hex/three_battles"), ("greedy", "random"), 6, seed=5).jobs()
    assert [job.id for job in jobs] == ["0001a", "0001b", "0002a", "0002b", "0003a", "0003b"]
    assert [job.said["seed"] for job in jobs] == [5, 5, 6, 6, 7, 7]
    assert [job.said["scenario"] for job in jobs[::2]] == [GAME, "classic_hex/three_battles", GAME]
    for one, two in zip(jobs[::2], jobs[1::2], strict=True):
        mine, yours = one.said["players"], two.said["players"]
        assert list(mine.values()) == ["greedy", "random"]  # type: ignore[attr-defined]
        assert list(yours.values()) == ["random", "greedy"]  # type: ignore[attr-defined]
        assert list(mine) == list(yours)  # type: ignore[call-overload]


def test_what_is_wrong_is_told_at_once() -> None:
    with pytest.raises(InputError) as error:
        Pairing(("nowhere", START), ("greedy", "nobody"), 2).jobs()
    assert len(error.value.problems) == 3


def test_an_engine_that_is_not_there_is_told_before_anything_is_begun(tmp_path: Path) -> None:
    folder = tmp_path / "match"
    for command in ("no_such_program --fast", "'unclosed"):
        done = run(
            "match", GAME, "--player", f"engine:1s:{command}", "--player", "nobody", "--games", "2", "-o", str(folder)
        )
        assert done.returncode == 2
        assert ("no such program" if "fast" in command else "can't be read") in done.stderr
        assert "not 'nobody'" in done.stderr  # with everything else that is wrong
        assert not folder.exists()


def test_a_file_where_the_folder_should_be_is_told_as_what_it_is(tmp_path: Path) -> None:
    file = tmp_path / "there"
    file.write_text("kept")
    for words in (("match", GAME, *BOTH), ("compose", START)):
        done = run(*words, "-o", str(file))
        assert (done.returncode, done.stderr) == (2, f"must be a folder, and {file} is a file @ -o\n")
        done = run(*words, "-o", str(file / "below"))
        assert done.returncode == 2
        assert f"the folder {file / 'below'} can't be made: Not a directory @ -o" in done.stderr
    assert file.read_text() == "kept"


def test_one_player_is_too_few() -> None:
    assert run("match", GAME, "--player", "greedy").stderr == "must be given twice, not once @ --player\n"


def test_more_games_than_can_be_kept_are_refused() -> None:
    assert run("match", GAME, *BOTH, "--games", "99999999998").returncode == 2


def test_games_count_by_who_has_won(tmp_path: Path) -> None:
    """The first player is blue in the first game, red in the second: 1 + 0, then 1/2 + 1."""
    found = standing(
        tmp_path,
        told({"blue": "1", "red": "0"}),
        told({"blue": "1", "red": "0"}),
        told({"blue": "1/2", "red": "1/2"}),
        told({"blue": "0", "red": "1"}, phases=1),
    )
    assert found.pairs == [0.5, 0.75]
    assert (found.won, found.drawn, found.lost, found.games, found.different) == (2, 1, 1, 4, 2)


def test_without_a_winner_the_same_side_is_compared_at_both_tables(tmp_path: Path) -> None:
    """Blue makes 3 with the first player, and 2 with the second; red makes 5 with each of them."""
    found = standing(
        tmp_path, told({}, {"blue": ["3", "0"], "red": ["5"]}), told({}, {"blue": ["2", "9"], "red": ["5"]})
    )
    assert found.pairs == [0.75]
    assert (found.won, found.drawn, found.lost) == (0, 0, 0)


@pytest.mark.parametrize(("stuck", "score"), [("blue", 0.0), ("red", 1.0)])
@pytest.mark.parametrize("number", [0, 1])
def test_who_cannot_end_a_phase_has_lost_the_pair_where_nobody_wins_otherwise(
    stuck: str, score: float, number: int, tmp_path: Path
) -> None:
    """In the first game blue is the first player, in the second red is; who came to no end made less at both tables."""
    answers = [told({}, {"blue": ["3"], "red": ["5"]})] * 2
    answers[number] = told({side: str(int(side != stuck)) for side in ("blue", "red")})
    assert standing(tmp_path, *answers).pairs == [1 - score if number else score]


def test_a_game_whose_last_turn_is_over_as_it_begins_is_counted_as_everybody_stands(tmp_path: Path) -> None:
    """The last turn is the fourth; Red holds both towns, so that Blue has none of the 4 points that he needs."""
    late = tmp_path / "late.toml"
    late.write_text(find_scenario("crossroads/bridge").read_text().replace("\nturn = 1\n", "\nturn = 5\n"))
    said = play_game(game_job("a", str(late), {"blue": "greedy", "red": "random"}, 1, {}))
    assert isinstance(said["answer"], dict)
    assert said["answer"]["points"] == {"blue": "0", "red": "1"}
    assert said["answer"]["record"]["phases"] == []


@pytest.mark.parametrize(
    "other",
    [
        {"answer": {}},
        {"answer": {"record": {"players": {}, "scenario": {}, "phases": []}, "points": {}, "scores": {}}},
        {"answer": {"record": {"players": ["blue"], "scenario": {}, "phases": []}, "points": {}, "scores": []}},
        told({"blue": "won", "red": "lost"}),
        told({"blue": "1/0", "red": "0"}),
        told({}, {"blue": ["much"]}),
        {"error": "none"},
        {},
    ],
)
def test_results_that_no_match_has_written_are_bad_input(other: dict[str, Any], tmp_path: Path) -> None:
    with pytest.raises(InputError, match="must be what `planner match` writes of a game"):
        standing(tmp_path, other, told({}, {"blue": ["1"], "red": ["1"]}))


def test_a_game_that_cannot_be_played_is_told_and_its_pair_does_not_count(tmp_path: Path) -> None:
    found = standing(tmp_path, {"error": {"kind": "fault", "text": "why"}}, told({"blue": "1", "red": "0"}))
    assert (found.pairs, found.failed, found.games) == ([], ["why"], 0)


@pytest.mark.thorough
def test_the_greedy_one_beats_chance_and_every_record_is_legal(tmp_path: Path) -> None:
    words = ("match", GAME, *BOTH, "--games", "4", "--turns", "1", "-o", str(tmp_path / "m"))
    done = run(*words, "--json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["format"] == "planner/match-1"
    assert found["games"] == 4
    assert found["score"][1] == 1
    assert found["won"] + found["lost"] == 0  # nobody has, after one turn of many
    for number in ("0001a", "0002b"):
        assert run("check", str(tmp_path / "m" / f"{number}.json")).returncode == 0
    again = run(*words)
    assert again.stdout.startswith("greedy against random: 4 games in 2 pairs")
    assert run(*words, "--seed", "3").returncode == 2  # its results would be those of other games


@pytest.mark.parametrize(
    "who",
    [
        "fixed:5s",
        pytest.param("adaptive:5s", marks=pytest.mark.thorough),
        pytest.param(f"engine:5s:{sys.executable} -m planner engine", marks=pytest.mark.thorough),
    ],
)
def test_whoever_searches_finds_what_takes_two(who: str) -> None:
    """In Manchuria plv eliminates inf111 only after inf has gone before it."""
    said = {"id": "a", "scenario": START, "players": {"soviet": who, "japan": "greedy"}, "seed": 1, "turns": 1}
    sides = list(planner.load(START).game.rulebook.forces.sides)
    said["players"] = dict(zip(sides, [who] * len(sides), strict=True))
    answer = play_game(Job("a", "game", said))
    assert "answer" in answer, answer
    made = [move for phase in answer["answer"]["record"]["phases"] for move in phase["made"]]  # type: ignore[index]
    assert "plv w5525-w5425xw5426" in made


@pytest.mark.parametrize(
    ("command", "why"),
    [
        ("/nowhere/at/all", "can't be begun"),
        (f"{sys.executable} -c pass", "has ended"),
        (f"{sys.executable} -c \"print('hello')\"", "no JSON"),
        (f"{sys.executable} -c \"print('[' * 100_000)\"", "no JSON"),  # it was a fault of ours
    ],
)
def test_a_program_that_is_no_engine_is_told(command: str, why: str) -> None:
    with pytest.raises(PlannerError, match=why):
        player_of(f"engine:1s:{command}")(planner.Position(START), random.Random(1))


BOT = """
import json, sys, time
for line in sys.stdin:
    asked = json.loads(line)
    if asked["do"] == "go":
        {go}
    print(json.dumps({{"id": asked["id"], "answer": {{"moves": {moves}}}}}), flush=True)
"""


def _bot(folder: Path, moves: list[object], go: str = "pass") -> str:
    """Return a player that always answers the same."""
    (folder / "bot.py").write_text(BOT.format(moves=json.dumps(moves), go=go))
    return f"engine:1s:{sys.executable} {folder / 'bot.py'}"


def test_of_what_a_program_says_only_that_is_left_out_which_cannot_be_made(tmp_path: Path) -> None:
    """After a move that is forbidden, none of the others was made."""
    position = planner.Position(START)
    moves = ["plv w5525-w5425xw5426", "nobody at all", 7, "inf w5525-w5425"]
    player_of(_bot(tmp_path, moves))(position, random.Random(1))
    assert [str(move) for move in position.made] == ["inf w5525-w5425"]


@pytest.mark.parametrize("pause", [0.1, 0])
def test_a_program_that_only_ever_tells_how_far_it_is_does_not_play_for_ever(
    pause: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each line that it said gave it all of its time once more; of one without a pause there was always one more."""
    monkeypatch.setattr("planner.playing.engine_player.PATIENCE", 2.0)
    chatter = f"while True: print(json.dumps({{'id': asked['id'], 'info': {{}}}}), flush=True); time.sleep({pause})"
    with pytest.raises(PlannerError, match="hasn't answered go in time"):
        player_of(_bot(tmp_path, [], chatter))(planner.Position(START), random.Random(1))


def test_what_was_played_before_a_program_fails_is_kept(tmp_path: Path) -> None:
    """Nothing was written, and exit code 1 said that something is illegal."""
    record, bot = tmp_path / "game.json", _bot(tmp_path, [], "sys.exit(3)")
    words = ("play", GAME, "--blue", "random", "--red", bot, "--turns", "1", "-o", str(record))
    done = run(*words)
    assert done.returncode == 2
    assert "\nred doesn't play on: " in done.stdout
    assert done.stdout.rstrip().endswith("it has ended")
    kept = json.loads(record.read_text())
    assert kept["ended"].startswith("red doesn't play on: ")
    assert [phase["side"] for phase in kept["phases"]] == ["blue", "blue", "blue", "red"]
    assert run("check", str(record)).returncode == 0


@pytest.mark.parametrize("name", ["engine", "engine:1s", "engine:1s:", "fixed:x", "adaptive:0", "suggest:inf"])
def test_what_is_no_player_is_told(name: str) -> None:
    with pytest.raises(InputError):
        player_of(name)


@pytest.mark.thorough
def test_the_test_ends_a_match_that_is_decided() -> None:
    done = run("match", GAME, *BOTH, "--games", "60", "--turns", "1", "--sprt", "0,300", "--json")
    found = json.loads(done.stdout)
    assert found["games"] < 60
    assert found["sprt"]["decided"] == "elo1"


def test_an_opening_by_chance_is_the_same_in_both_games_of_a_pair() -> None:
    one, two = Pairing(("classic_hex/three_battles",), ("greedy", "random"), 2, seed=4, opening=1, turns=1).jobs()
    first, second = (play_game(job)["answer"]["record"]["phases"][0] for job in (one, two))  # type: ignore[index]
    assert first == second


def own_game(folder: Path) -> Path:
    """Return a scenario that names the folder of its rules from where it lies, which isn't where commands are given."""
    shutil.copytree(data_folder("models") / "great_war", folder / "mine" / "rules")
    text = (data_folder("scenarios") / "great_war/puzzles/two_orders.toml").read_text(encoding="utf-8")
    scenario = folder / "mine" / "scenario.toml"
    scenario.write_text(text.replace('model = "great_war"', 'model = "./rules"'), encoding="utf-8")
    return scenario


def test_a_game_whose_rules_lie_beside_its_scenario_is_played_from_anywhere(tmp_path: Path) -> None:
    scenario = own_game(tmp_path)
    (tmp_path / "records").mkdir()
    done = run("play", "mine/scenario.toml", "--turns", "1", "-o", "records/game.json", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    judged = run("check", str(tmp_path / "records" / "game.json"))
    assert judged.stdout.startswith("Legal: 4 phases"), judged.stderr
    said = play_game(game_job("a", str(scenario), {"allied": "greedy", "central": "random"}, 1, {"turns": 1}))
    assert "error" not in said


@pytest.mark.thorough
def test_programs_play_games_whose_rules_lie_beside_the_scenario(tmp_path: Path) -> None:
    engine = f"allied=engine:1s:{sys.executable} -m planner engine"
    done = run("play", str(own_game(tmp_path)), "--turns", "1", "--side", engine)
    assert (done.returncode, done.stderr) == (0, "")
    assert "front E2" in done.stdout
