"""What the board asks: pictures, ways, records, puzzles; what it tells is what other verbs and commands tell."""

from __future__ import annotations

import shutil
import threading
from pathlib import Path
from typing import Any

import pytest

from planner.formats.files import data_folder
from planner.playing.game_record import GameRecord
from planner.scenario import load_scenario
from planner.serving.answering import answer_to
from planner.serving.asking import Session, Task
from planner.serving.shelf import Shelf
from planner.serving.verbs import VERBS


class Board:
    """A session, and what is asked in it."""

    def __init__(self, scenario: str) -> None:
        self.session = Session(shelf=Shelf())
        self.ask("position", scenario=scenario)

    def try_(self, verb: str, **said: object) -> dict[str, Any]:
        return answer_to(VERBS[verb], self.session, said, Task(threading.Event(), lambda told: None))

    def ask(self, verb: str, **said: object) -> Any:
        found = self.try_(verb, **said)
        assert "error" not in found, found
        return found["answer"]


def test_ways_are_the_legal_moves_with_their_mp() -> None:
    board = Board("dai_senso/manchuria")
    ways = board.ask("ways", units="plv")["ways"]
    assert [way["move"] for way in ways] == board.ask("legal", units="plv")["moves"]
    there = {way["to"]: way for way in ways}
    assert there["w5424"] == {
        "move": "plv w5525-w5424", "to": "w5424", "mp": "1", "path": ["w5525", "w5424"],
        "fights": False, "rolls": False, "stop": [],
    }  # fmt: skip
    assert {stop["rule"] for stop in there["w5425"]["stop"]} == {"3.1"}


def test_who_lists_ways_gives_up_when_nobody_wants_them_any_more() -> None:
    board = Board("dai_senso/manchuria")
    stop = threading.Event()
    stop.set()
    found = answer_to(VERBS["ways"], board.session, {"units": "plv"}, Task(stop, lambda told: None))
    assert found == {
        "error": {"kind": "stopped", "text": "it was stopped before there was an answer"}
    }  # no time ran out
    assert board.ask("ways", units="plv")["ways"]  # and the next one is told all


def test_plans_that_are_to_be_far_apart_are_several_and_none_of_them_reacts() -> None:
    """As on the command line: `diverse` alone asks for three, and with `adaptive` neither is passed over."""
    board = Board("dai_senso/puzzles/after_you")
    told = board.ask("go", diverse=True)
    assert (told["format"], len(told["plans"])) == ("planner/alternatives-1", 2)  # either unit gets out: 1 / -23
    for said in ({"alternatives": 2}, {"diverse": True}, {"plan": ["alpha stays"]}):
        assert board.try_("go", adaptive=True, **said)["error"]["kind"] == "input"


def test_who_can_come_to_a_hex_is_who_has_a_way_there() -> None:
    board = Board("dai_senso/manchuria")
    told = board.ask("hex", hex="w5424")
    ways = [way for unit in ("plv", "inf") for way in board.ask("ways", units=unit)["ways"] if way["to"] == "w5424"]
    assert told == {"come": ways, "fights": [], "attacks": []}
    assert board.try_("hex", hex="w9999")["error"]["kind"] == "input"


def test_who_can_fight_in_a_hex_is_told_with_strengths() -> None:
    told = Board("classic_hex/three_battles").ask("hex", hex="0303")
    assert not told["come"]
    assert {way["move"].split()[0]: way["odds"] for way in told["fights"]} == {"a1": "5:5", "a2": "6:5"}


def test_attacks_on_a_hex_are_told_one_by_one_and_of_all_together() -> None:
    board = Board("crossroads/puzzles/not_all_across")
    told = board.ask("hex", hex="0705")["attacks"]
    assert [one["attack"] for one in told] == ["b3 -> 0705", "b4 -> 0705", "b3+b4 -> 0705"]
    (judged,) = board.ask("check", moves=["b3+b4 -> 0705"])["attacks"]
    assert {**judged, "attack": "b3+b4 -> 0705"} == told[-1]


def test_what_must_be_done_is_named_until_the_phase_may_end() -> None:
    board = Board("crossroads/puzzles/not_all_across")
    for move in board.ask("go", time=30)["moves"]:
        if " -> " not in move:
            board.ask("push", move=move)
    assert board.try_("end_phase")["error"]["kind"] == "illegal"
    made, declared = [], []
    while (due := board.ask("duty"))["move"] is not None:
        made.append(due["move"])
        if due["declare"]:
            declared.append(board.ask("declare", attacks=due["declare"])["declared"])
        board.ask("push", move=due["move"])
        while "outcomes" in board.ask("state"):
            board.ask("roll", seed=1)
    assert made
    assert all(" -> " in move for move in made)
    assert len(declared) == 1  # all at once, before the first was rolled
    assert set(made) <= set(declared[0])
    board.ask("end_phase")


def test_all_attacks_are_declared_before_the_first_is_rolled_where_the_state_says_so() -> None:
    board = Board("crossroads/puzzles/not_all_across")
    assert board.ask("state")["to_declare"]
    found = board.ask("go", time=30)
    attacks = [one for one in found["moves"] if " -> " in one]
    for move in found["moves"][: -len(attacks)]:
        board.ask("push", move=move)
    said = board.ask("declare", attacks=attacks)
    assert (said["declared"], said.get("to_declare")) == (attacks, None)
    assert board.ask("pop").get("declared") is None
    assert "attack" in board.try_("declare", attacks=["b3 0405-0406"])["error"]["text"]
    assert board.ask("state")["to_declare"]


def test_a_partial_plan_is_completed_attacks_among_it() -> None:
    board = Board("crossroads/puzzles/not_all_across")
    found = board.ask("go", time=30, plan=["b3+b4+be -> 0705", "ba1 stays"])
    assert found["moves"][-1] == "b3+b4+be -> 0705"
    refused = board.ask("go", time=30, plan=["be stays", "b3+b4+be -> 0705"])
    assert refused["status"] == "infeasible"
    assert refused["conflict"]["items"] == ["b3+b4+be -> 0705", "be stays"]
    assert "no unit has the id 'bx'" in board.try_("go", plan=["bx -> 0705"])["error"]["text"]


@pytest.mark.thorough
def test_several_plans_can_be_pushed_each() -> None:
    board = Board("dai_senso/manchuria")
    found = board.ask("go", time=30, alternatives=3)
    assert found["moves"] == [["inf w5525-w5425", "plv w5525-w5425xw5426"], []]
    assert len(found["plans"]) == 2


def test_a_puzzle_is_a_diagram_and_a_position_that_asks_nothing_is_none() -> None:
    board = Board("dai_senso/manchuria")
    assert "Break the line" in board.ask("page", kind="diagram")["html"]
    assert board.ask("page", kind="svg")["svg"].startswith("<svg")
    board.ask("position", text=board.ask("new", model="ocs", columns=3, rows=3)["text"])
    assert board.try_("page", kind="diagram")["error"]["kind"] == "input"


def test_of_a_picture_what_has_not_changed_is_the_same_text() -> None:
    board = Board("dai_senso/manchuria")
    before = board.ask("picture")
    board.ask("push", move="plv w5525-w5424")
    now = board.ask("picture")
    assert before["viewBox"] == now["viewBox"]
    assert len(before["parts"]) == len(now["parts"])
    same = [one for one, other in zip(before["parts"], now["parts"], strict=True) if one == other]
    assert any('class="quiet labels"' in part for part in same)
    assert not any('class="counters"' in part for part in same)
    assert before["units"]["plv"]["side"] == "soviet"


def test_a_picture_of_moves_draws_their_arrows() -> None:
    parts = Board("dai_senso/manchuria").ask("picture", moves=["plv w5525-w5424"])["parts"]
    assert any('data-move="1"' in part for part in parts)


def test_the_record_of_a_game_can_be_played_again() -> None:
    board = Board("crossroads/start")
    moves = [way["move"] for way in board.ask("ways", units="b1")["ways"]]
    board.ask("push", move=moves[0])
    board.ask("end_phase")
    record = board.ask("record")
    assert (record["phases"][0]["side"], record["phases"][0]["made"]) == ("blue", [moves[0]])
    assert [end.side for _, _, end in GameRecord.from_dict(record).positions()] == ["blue", board.ask("state")["side"]]


def test_a_puzzle_is_solved_by_its_solution_and_hides_it() -> None:
    board = Board("dai_senso/manchuria")
    assert (asked := board.ask("puzzle"))["solved"] is False
    assert "w5425" not in str(asked)
    for move in ("inf w5525-w5425", "plv w5525-w5425xw5426"):
        board.ask("push", move=move)
    assert board.ask("puzzle")["solved"] is True


MUST_ATTACK = """
format = "planner/scenario-1"
model = "crossroads"
phase = "movement"
phasing = "blue"
[map]
hexes."0204 0304 0404" = "clear"
[[unit]]
id = "b"
side = "blue"
type = "infantry"
values = "1-3-1"
at = "0304"
[[unit]]
id = "r"
side = "red"
type = "infantry"
values = "2-8-3"
at = "0404"
[[require]]
kind = "own_losses"
most = 0
[answer]
question = "reach"
"""


def test_a_puzzle_is_not_solved_while_somebody_must_still_attack() -> None:
    """Beside r, b must attack, and may be lost; two hexes from it nobody must."""
    board = Board("dai_senso/manchuria")
    board.ask("position", text=MUST_ATTACK)
    assert board.ask("puzzle")["solved"] is False
    board.ask("push", move="b 0304-0204")
    assert board.ask("puzzle")["solved"] is True


def test_a_position_that_asks_nothing_is_no_puzzle() -> None:
    board = Board("dai_senso/manchuria")
    board.ask("position", text=board.ask("new", model="ocs", columns=3, rows=3)["text"])
    assert board.ask("puzzle") == {"asks": None}


def test_hints_come_one_by_one_and_no_more_than_there_are() -> None:
    board = Board("classic_hex/puzzles/open_door")
    count = board.ask("puzzle")["hints"]
    for number in range(1, count + 1):
        assert board.ask("hint", number=number)["moves"]
    assert board.try_("hint", number=count + 1)["error"]["kind"] == "input"


def test_the_source_keeps_comments_and_the_position_as_it_is_now_can_be_opened() -> None:
    board = Board("dai_senso/manchuria")
    assert "# rows from north to south" in board.ask("source")["text"]
    board.ask("push", move="plv w5525-w5424")
    now = board.ask("source", now=True)["text"]
    assert board.ask("position", text=now)["at"]["plv"] == "w5424"


@pytest.mark.parametrize("model", ["ocs", "classic_hex"])
def test_a_chart_has_what_setting_up_asks_for(model: str) -> None:
    chart = Board("dai_senso/manchuria").ask("chart", model=model)
    assert chart["model"] == model
    assert {"sides", "phases", "unit_types", "terrain", "hexsides", "terms"} <= chart.keys()
    assert all(chart[key] for key in ("sides", "phases", "unit_types", "terrain", "terms"))
    shorts = {kind: term["short"] for kind, term in chart["terms"].items()}
    assert shorts["hold"] == "hexes are held"
    assert shorts["emptied"] == "the hexes that the attacks leave without an enemy"
    assert len(set(shorts.values())) == len(shorts)
    assert all(8 < len(short) < 100 and not short.startswith(("Ensures", "Counts", ",")) for short in shorts.values())
    fields = {field["name"]: field["sort"] for field in chart["terms"]["hold"]["fields"]}
    assert fields == {"weight": "number", "hexes": "names", "by": "table"}


@pytest.mark.parametrize("model", ["../dai_senso", "nothing", "/etc"])
def test_no_folder_is_read_that_a_client_names(model: str) -> None:
    board = Board("dai_senso/manchuria")
    for verb, said in (("chart", {"model": model}), ("new", {"model": model, "columns": 2, "rows": 2})):
        assert board.try_(verb, **said)["error"]["kind"] == "input"


def test_every_shipped_scenario_is_listed_with_its_game() -> None:
    listed = Board("dai_senso/manchuria").ask("shipped")
    names = {one["name"] for one in listed["scenarios"]}
    assert names == set(Shelf().names())
    assert {one["model"] for one in listed["scenarios"]} <= listed["models"].keys()


@pytest.mark.parametrize(
    "name", [pytest.param("classic_hex/three_battles", marks=pytest.mark.thorough), "dai_senso/manchuria", "ocs/carpet"]
)
def test_moves_to_one_hex_are_those_of_all_moves_that_end_or_fight_in_it(name: str) -> None:
    position = load_scenario(name).position()
    listed = list(position.legal_moves())
    assert listed
    for label in sorted({move.path[-1] for move in listed})[:12]:
        found = [move for move in load_scenario(name).position().legal_moves(to=label) if move.path[-1] == label]
        assert found == [move for move in listed if move.path[-1] == label]


def test_a_file_with_faults_hides_no_other_and_what_is_told_of_it_names_no_folder(tmp_path: Path) -> None:
    for name in ("sound", "broken"):
        shutil.copytree(data_folder("models") / "crossroads", tmp_path / name)
    (tmp_path / "broken" / "rulebook.toml").write_bytes(b"\xff")
    (tmp_path / "latin.toml").write_bytes(b'model = "crossroads" # \xe4')
    (tmp_path / "mine.toml").write_text('model = "./sound"\n', encoding="utf-8")
    board = Board("crossroads/start")
    board.session.shelf = Shelf((tmp_path,))
    told = board.ask("shipped")
    assert [told["models"][name] for name in ("./sound", "./broken")] == ["Crossroads", "broken"]
    assert "mine" in [one["name"] for one in told["scenarios"]]
    for verb, more in (("chart", {}), ("new", {"columns": 3, "rows": 3})):
        error = board.try_(verb, model="./broken", **more)["error"]
        assert "must be UTF-8 text" in error["text"]
        assert str(tmp_path) not in str(error)
