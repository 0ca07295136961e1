"""The engine answers every line, whatever it says, and listens while it searches."""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from planner.cli.terminal import READER_GONE
from planner.formats.files import data_folder
from planner.serving.lines import OTHERS
from planner.serving.verbs import VERBS

PAGE = (Path(__file__).parents[2] / "docs" / "engine.md").read_text(encoding="utf-8")
ENGINE = [sys.executable, "-m", "planner", "engine"]


class Client:
    """A program that talks to an engine."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(ENGINE, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.infos: list[Any] = []

    def say(self, line: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def hear(self) -> Any:
        assert self.process.stdout is not None
        return json.loads(self.process.stdout.readline())

    def ask(self, do: str, **said: Any) -> Any:
        """Ask something, and return the answer or the error."""
        self.say(json.dumps({"id": do, "do": do, **said}).encode())
        while "info" in (heard := self.hear()):
            self.infos.append(heard)
        assert heard["id"] == do
        return heard.get("answer", heard.get("error"))


@pytest.fixture
def client() -> Iterator[Client]:
    one = Client()
    yield one
    _ended(one)


def _ended(one: Client) -> None:
    _out, err = one.process.communicate(timeout=60)  # the end of its input is the end
    assert one.process.returncode == 0
    assert err == b""


@pytest.mark.thorough
def test_a_turn_is_planned_made_and_taken_back(client: Client) -> None:
    assert client.ask("hello")["verbs"] == sorted(VERBS)
    assert client.ask("state")["kind"] == "refused"
    begin = client.ask("position", scenario="dai_senso/manchuria")
    assert (begin["side"], begin["at"]["plv"]) == ("soviet", "w5525")
    best = client.ask("go")
    assert (best["status"], best["value"]) == ("optimal", [1, -23])
    assert all(len(one["info"]["worth"]) == 2 for one in client.infos if "moves" in one["info"])
    for move in best["moves"]:
        made = client.ask("push", move=move)
    assert made["at"]["plv"] == "w5426"
    assert client.ask("save")["scenario"]["done"] == [{"move": move} for move in best["moves"]]
    assert client.ask("position", scenario=client.ask("save")["scenario"])["at"] == made["at"]
    assert client.ask("pop")["kind"] == "refused"
    assert client.ask("end_phase")["phase"] == "exploitation"
    assert client.ask("pop")["phase"] == "operational_movement"


def test_errors_say_what_is_wrong_and_change_nothing(client: Client) -> None:
    begin = client.ask("position", scenario="dai_senso/manchuria")
    illegal = client.ask("push", move="plv w5525-w5425xw5426")
    assert illegal["kind"] == "illegal"
    assert [(one["rule"], one["blame"]) for one in illegal["violations"]] == [("3.1", ["kwantung4"])]
    assert client.ask("push", move="nobody w5525-w5425")["problems"][0]["what"].startswith(
        "no unit has the id 'nobody'"
    )
    assert client.ask("push")["kind"] == "input"
    assert client.ask("puhs", move="x")["text"].endswith("did you mean 'push'?")
    assert client.ask("position", scenario="nowhere")["kind"] == "input"
    assert client.ask("position", scenario={"model": 3})["kind"] == "input"
    assert client.ask("position")["kind"] == "input"
    assert client.ask("legal", units="nobody")["kind"] == "input"
    assert client.ask("perft", depth=-1)["kind"] == "input"
    assert "once" in client.ask("legal", units="plv+plv")["text"]
    assert client.ask("state") == begin


@pytest.fixture(scope="module")
def same_client() -> Iterator[Client]:
    """Give all that change nothing the same engine, whose start takes longer than what they ask."""
    one = Client()
    yield one
    _ended(one)


@pytest.mark.parametrize(
    ("said", "key", "near"),
    [
        ({"do": "hello", "foo": 1}, "foo", ""),
        ({"do": "push", "moves": ["x"]}, "moves", "move"),
        ({"do": "go", "tiem": 5}, "tiem", "time"),
        ({"do": "state", "sesion": "b"}, "sesion", "session"),
        ({"do": "close", "x": 1}, "x", ""),
        ({"do": "stop", "sesion": "b"}, "sesion", "session"),
        ({"do": "quit", "now": True}, "now", ""),
    ],
)
def test_a_key_that_nobody_knows_is_an_error_that_names_the_nearest(
    said: dict[str, Any], key: str, near: str, same_client: Client
) -> None:
    client = same_client
    client.say(json.dumps(said).encode())
    what = f"unknown key {key!r}" + (f"; did you mean {near!r}?" if near else "")
    error = client.hear()["error"]
    assert error["kind"] == "input"
    assert {"what": what, "where": f"request: {key}"} in error["problems"]
    assert f"{what} @ request: {key}" in error["text"]
    assert client.ask("hello")["name"] == "planner"  # it hasn't ended


def test_lines_that_are_no_requests_have_problems_in_plain_words(same_client: Client) -> None:
    client = same_client
    long = b'{"x": %s}' % (b"9" * 5_000)
    for line in (b"[]", b"{", b"\xff", b'{"do": "state", "session": 5}', b'{"do": "no"}', long):
        client.say(line)
        error = client.hear()["error"]
        assert error["kind"] == "input"
        assert [one for one in error["problems"] if one["what"] and one["where"]]
        assert not any(word in error["text"] for word in ("codec", "sys."))


@pytest.mark.thorough
def test_dice_are_rolled_or_entered_and_nothing_comes_before(client: Client) -> None:
    client.ask("position", scenario="ocs/two_overruns")
    due = client.ask("push", move="armor 10.10x10.11")
    assert sum(_fraction(one["probability"]) for one in due["outcomes"]) == 1
    assert client.ask("legal")["kind"] == "roll_due"
    failed = next(one["move"] for one in due["outcomes"] if "!" in one["move"])
    assert client.ask("roll", result=failed)["at"]["armor"] == "10.10"
    client.ask("pop")
    first = client.ask("roll", seed=4)["rolled"]
    client.ask("pop")
    assert client.ask("roll", seed=4)["rolled"] == first


def _fraction(told: object) -> Any:
    from fractions import Fraction

    return Fraction(str(told))


@pytest.mark.thorough
def test_it_listens_while_it_searches_and_stops_with_what_it_knows(client: Client) -> None:
    client.ask("position", scenario="ocs/breakthrough")
    client.say(b'{"id": "search", "do": "go"}')
    assert client.hear()["id"] == "search"  # it has found something
    client.say(b'{"id": 1, "do": "state"}\n{"id": 2, "do": "go"}\n{"id": 3, "do": "stop"}')
    heard: dict[Any, Any] = {}
    while "search" not in heard:
        one = client.hear()
        if "info" not in one:
            heard[one["id"]] = one
    assert heard[1]["answer"]["side"]
    assert heard[2]["error"]["kind"] == "busy"
    assert heard["search"]["answer"]["status"] in ("feasible", "optimal")


@pytest.mark.thorough
def test_sessions_have_positions_of_their_own(client: Client) -> None:
    for name in ("", "one", "two"):
        client.ask("position", scenario="dai_senso/manchuria", session=name)
    client.ask("push", move="inf w5525-w5425", session="one")
    made = [client.ask("state", session=name)["at"]["inf"] for name in ("", "one", "two")]
    assert made == ["w5525", "w5425", "w5525"]
    assert client.ask("close", session="one") == {}
    assert client.ask("state", session="one")["kind"] == "refused"
    assert client.ask("state", session=3)["kind"] == "input"
    assert client.ask("state")["at"]["inf"] == "w5525"


@pytest.mark.thorough
def test_a_confined_engine_reads_no_files_for_who_asks(tmp_path: Path) -> None:
    shipped = data_folder("scenarios") / "dai_senso" / "manchuria.toml"
    (tmp_path / "mine.toml").write_text(shipped.read_text(encoding="utf-8"), encoding="utf-8")
    asked = ["dai_senso/manchuria", "mine", str(shipped), {"model": str(data_folder("models") / "ocs")}]
    lines = "\n".join(json.dumps({"do": "position", "scenario": one}) for one in asked)
    command = [*ENGINE, "--confined", "--scenarios", str(tmp_path)]
    done = subprocess.run(command, input=lines, capture_output=True, text=True, timeout=60)
    told = [json.loads(line) for line in done.stdout.splitlines()]
    assert [next(iter(one)) for one in told] == ["answer", "answer", "error", "error"]


@pytest.mark.thorough
@pytest.mark.parametrize("asked", [{"do": "perft", "depth": 4}, {"do": "legal"}])
def test_whatever_takes_its_time_is_stopped(client: Client, asked: dict[str, Any]) -> None:
    """Neither is done within a minute, or ten seconds."""
    client.ask("position", scenario="ocs/breakthrough")
    client.say(json.dumps({"id": "slow", **asked}).encode())
    time.sleep(0.5)
    begin = time.monotonic()
    client.say(b'{"id": "stop", "do": "stop"}')
    heard = {one["id"]: one for one in (client.hear(), client.hear())}
    assert time.monotonic() - begin < 3
    assert heard["stop"]["answer"] == {}
    assert heard["slow"]["error"]["kind"] == "stopped"
    assert client.ask("state")["side"]


@pytest.mark.thorough
@pytest.mark.parametrize("asked", [{"do": "perft", "depth": 4}, {"do": "legal"}])
def test_it_quits_while_it_works(asked: dict[str, Any]) -> None:
    client = Client()
    client.ask("position", scenario="ocs/breakthrough")
    client.say(json.dumps(asked).encode())
    time.sleep(0.5)
    client.say(b'{"do": "quit"}')
    assert client.process.wait(timeout=10) == 0
    client.process.communicate()


def test_what_has_been_asked_before_the_input_ends_is_answered() -> None:
    lines = [{"do": "position", "scenario": "dai_senso/manchuria"}, *[{"do": "legal", "units": "plv"}] * 3]
    done = subprocess.run(ENGINE, input="\n".join(map(json.dumps, lines)), capture_output=True, text=True, timeout=60)
    assert done.returncode == 0
    assert [list(json.loads(line)) for line in done.stdout.splitlines()] == [["answer"]] * 4


@pytest.mark.thorough
def test_an_id_that_no_line_of_json_can_bear_is_refused(client: Client) -> None:
    for wrong in (b"NaN", b"-Infinity", b"1e999"):
        client.say(b'{"id": %s, "do": "hello"}' % wrong)
        heard = client.hear()
        assert heard["error"]["kind"] == "input"
        assert "id" not in heard
    for right in (None, 3, "a", [1, {"b": 2.5}]):
        client.say(json.dumps({"id": right, "do": "stop"}).encode())
        assert client.hear().get("id") == right


@pytest.mark.thorough
def test_whoever_no_longer_listens_is_told_so_by_the_exit_code_that_means_it() -> None:
    client = Client()
    client.ask("hello")
    assert client.process.stdout is not None
    client.process.stdout.close()
    client.say(b'{"do": "hello"}')
    assert client.process.wait(timeout=30) == READER_GONE
    assert client.process.stderr is not None
    assert client.process.stderr.read() == b""
    client.process.stderr.close()
    assert client.process.stdin is not None
    client.process.stdin.close()


@pytest.mark.thorough
def test_a_roll_that_is_refused_leaves_the_dice_as_they_are(client: Client) -> None:
    """Two rolls by seed 4 are the same two, whatever is refused between them."""
    client.ask("position", scenario="ocs/two_overruns")
    client.ask("push", move="armor 10.10x10.11")

    def rolled(between: bool) -> list[Any]:
        told = [client.ask("roll", seed=4)["rolled"]]
        client.ask("pop")
        for _ in range(6):
            if between:
                assert client.ask("roll", seed=9, result="armor 10.10-10.11")["kind"] == "input"
            told.append(client.ask("roll")["rolled"])
            client.ask("pop")
        return told

    assert rolled(between=True) == rolled(between=False)


def test_no_line_ends_it(client: Client) -> None:
    """Half of them are requests with something changed, the others bytes."""
    rng = random.Random(5)
    good = [{"do": name, "move": "a 1-2", "moves": ["x"], "units": "a", "depth": 1, "unit": "a"} for name in VERBS]
    for number in range(60):
        line = bytearray(json.dumps(rng.choice(good)).encode())
        for _ in range(rng.randrange(1, 4)):
            line[rng.randrange(len(line))] = rng.choice(b'{}[]":,\x00\xff0a')
        client.say(bytes(line) if number % 2 else rng.randbytes(40).replace(b"\n", b""))
    client.say(b"[" * 100_000)
    client.say(b'{"id": "end", "do": "hello"}')
    while "answer" not in (heard := client.hear()) or heard.get("id") != "end":
        assert "error" in heard or "answer" in heard


@pytest.mark.thorough
@pytest.mark.skipif(shutil.which("node") is None, reason="Node is not installed")
def test_the_client_of_the_page_makes_the_best_moves(tmp_path: Path) -> None:
    [program] = re.findall(r"```js\n(.*?)```", PAGE, re.DOTALL)
    (tmp_path / "client.js").write_text(program)
    planner = tmp_path / "planner"
    planner.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m planner "$@"\n')
    planner.chmod(0o755)
    run = subprocess.run(
        ["node", "client.js"],
        cwd=tmp_path,
        env={**os.environ, "PLANNER": str(planner)},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert run.stdout.splitlines()[-1] == "made: inf w5525-w5425, plv w5525-w5425xw5426", run.stderr


def test_the_page_names_every_verb() -> None:
    assert set(re.findall(r"^\| `(\w+)`", PAGE, re.MULTILINE)) == {*VERBS, *OTHERS}


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.thorough
def test_who_interrupts_the_engine_gets_the_best_plan_so_far(how: int) -> None:
    one = Client()
    one.ask("position", scenario="great_war/over_the_top")
    one.say(b'{"id": 1, "do": "go", "time": 60}')
    while not one.hear()["info"].get("moves"):  # that nobody moves is told first
        pass
    one.process.send_signal(how)
    out, err = one.process.communicate(timeout=60)
    assert (one.process.returncode, err) == (130, b"")
    last = json.loads(out.splitlines()[-1])
    assert last["id"] == 1
    assert last["answer"]["interrupted"]
    assert last["answer"]["plan"]["moves"]
