"""A real server on a real socket: what it has answered stays, whoever is hostile, whatever dies; no process is left."""

from __future__ import annotations

import json
import os
import random
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
import pytest

from planner.cli.terminal import BAD_INPUT
from tests.command import run

SERVE = [sys.executable, "-m", "planner", "serve", "--port", "0"]
CLIENTS = 50
"""Real clients at once, a third of them hostile."""
KILLS = 10
"""Workers that are killed at most: on a busy machine one takes longer to start than there is between two kills."""
MOVES = ("inf w5525-w5425", "plv w5525-w5425xw5426")
pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are looked for under /proc")


class Server:
    """A server in a process of its own."""

    def __init__(self, *options: str, token: str = "") -> None:
        env = {**os.environ, "PLANNER_TOKEN": token}
        self.process = subprocess.Popen(
            [*SERVE, *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env
        )
        assert self.process.stdout is not None
        self.url = self.process.stdout.readline().strip().rstrip("/")
        self.client = httpx.Client(base_url=self.url, timeout=60)
        self.log: list[Any] = []
        self._listening = threading.Thread(target=self._listen)
        self._listening.start()

    def _listen(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.log.append(json.loads(line))

    def post(self, path: str, said: Any = None, **more: Any) -> httpx.Response:
        return self.client.post(path, json={} if said is None else said, **more)

    def begin(self, scenario: str = "dai_senso/manchuria") -> str:
        """Open a session, and return its path."""
        return f"/api/sessions/{self.post('/api/sessions', {'scenario': scenario}).json()['session']}"

    def workers(self) -> list[int]:
        """Return the processes it has started."""
        return [
            int(one) for one in Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        ]

    def end(self, number: int = signal.SIGTERM) -> None:
        """Tell it to end; it does so in good order, and nothing is left of it."""
        workers = self.workers()
        self.process.send_signal(number)
        assert self.process.wait(timeout=30) == 0
        self._listening.join()
        self.client.close()
        for stream in (self.process.stdout, self.process.stderr):
            assert stream is not None
            stream.close()
        assert not [one for one in workers if _lives(one)]
        assert not [line for line in self.log if line["event"] == "library"]


def _lives(process: int) -> bool:
    try:
        return "Z" not in Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[:1]
    except OSError:
        return False


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    one = Server("--time-limit", "20")
    yield one
    one.end()


def _until(holds: Any) -> None:
    end = time.monotonic() + 20
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.05)


def _metric(server: Server, name: str) -> float:
    return float(
        next(line for line in server.client.get("/metrics").text.splitlines() if line.startswith(name)).split()[-1]
    )


@pytest.mark.thorough
def test_what_has_been_answered_survives_the_death_of_every_worker(server: Server) -> None:
    """A phase is played and dice are rolled by a seed; all processes are killed before each question."""

    def played(kill: bool) -> list[Any]:
        session = server.begin("ocs/two_overruns")
        asked: list[tuple[str, Any]] = [
            ("roll", {"seed": 4}),
            ("pop", {}),
            ("roll", {}),
            ("state", {}),
        ]
        told = []
        for verb, said in [("push", {"move": "armor 10.10x10.11"}), *asked]:
            if kill:
                for one in server.workers():
                    os.kill(one, signal.SIGKILL)
            found = server.post(f"{session}/{verb}", said)
            assert found.status_code == 200, found.text
            told.append(found.json())
        return told

    assert played(kill=True) == played(kill=False)


def _is_honest(told: httpx.Response) -> bool:
    """Tell whether a search that was stopped says what it knows, or that it was stopped before it knew anything."""
    if told.status_code == 200:
        return told.json()["status"] in ("feasible", "unknown", "optimal")
    return told.status_code == 503 and told.json()["error"]["kind"] == "stopped"


@pytest.mark.thorough
def test_a_search_whose_process_is_killed_is_begun_again(server: Server) -> None:
    session = server.begin("ocs/breakthrough")
    with ThreadPoolExecutor(1) as pool:
        search = pool.submit(server.post, f"{session}/go", {"time": 2})
        _until(lambda: _metric(server, 'planner_workers_busy{pool="search"}') == 1)
        for one in server.workers():
            os.kill(one, signal.SIGKILL)
        assert search.result().status_code == 200, search.result().text


@pytest.mark.thorough
def test_who_hangs_up_has_the_search_stopped(server: Server) -> None:
    session = server.begin("ocs/breakthrough")
    for accept in ("text/event-stream", "application/json"):
        with (
            pytest.raises(httpx.ReadTimeout),
            server.client.stream(
                "POST", f"{session}/perft", json={"depth": 4}, headers={"accept": accept}, timeout=1.5
            ) as told,
        ):
            told.read()
        _until(lambda: _metric(server, 'planner_workers_busy{pool="search"}') == 0)
    assert server.post(f"{session}/state").status_code == 200


def test_a_search_is_stopped_from_another_connection_and_a_second_one_waits(server: Server) -> None:
    session = server.begin("ocs/breakthrough")
    with ThreadPoolExecutor(1) as pool:
        search = pool.submit(server.post, f"{session}/go")
        _until(lambda: _metric(server, 'planner_workers_busy{pool="search"}') == 1)
        second = server.post(f"{session}/go")
        assert (second.status_code, second.json()["error"]["kind"]) == (429, "busy")
        assert server.post(f"{session}/state").status_code == 200
        assert server.post(f"{session}/stop").json() == {}
        assert _is_honest(search.result())


@pytest.mark.thorough
def test_more_searches_than_there_is_room_for_are_refused_with_a_clear_word() -> None:
    server = Server("--searches", "1", "--sessions", "5", "--time-limit", "4")
    sessions = [server.begin("ocs/breakthrough") for _ in range(5)]
    assert server.post("/api/sessions", {"scenario": "dai_senso/manchuria"}).json()["error"]["kind"] == "overloaded"
    with ThreadPoolExecutor(5) as pool:
        told = list(pool.map(lambda one: server.post(f"{one}/go", {"time": 1}), sessions))
    assert sorted(one.status_code for one in told) == [200, 200, 503, 503, 503]
    refused = next(one for one in told if one.status_code == 503)
    assert refused.json()["error"]["text"] == "too many questions are being worked on: ask again later"
    assert refused.headers["retry-after"] == "1"
    assert _is_honest(server.post(f"{sessions[0]}/go"))
    assert (
        server.post(f"{sessions[0]}/go", {"workers": 2}).json()["error"]["text"]
        == "workers must be a whole number, at most 1 here"
    )
    server.end()


@pytest.mark.thorough
def test_who_takes_too_much_memory_is_ended_and_told_so() -> None:
    """A search takes some 200 MiB; here it may take no more than a process that has just begun."""
    server = Server("--memory", "200")
    held = {"position": {"scenario": "ocs/breakthrough"}, "time": 15}
    told = server.post("/api/go", held)
    if told.status_code == 200:
        server.end()
        pytest.skip("this machine searches in less")
    assert told.json()["error"] == {"kind": "stopped", "text": "it took more than 200 MiB of memory"}
    assert server.post("/api/state", {"position": {"scenario": "dai_senso/manchuria"}}).status_code == 200
    server.end()


@pytest.mark.thorough
@pytest.mark.parametrize("number", [signal.SIGTERM, pytest.param(signal.SIGINT, marks=pytest.mark.thorough)])
def test_told_to_end_it_answers_what_it_works_on(number: int) -> None:
    server = Server()
    session = server.begin("ocs/breakthrough")
    with ThreadPoolExecutor(1) as pool:
        search = pool.submit(server.post, f"{session}/go")
        _until(lambda: _metric(server, 'planner_workers_busy{pool="search"}') == 1)
        server.end(number)
        assert _is_honest(search.result())


@pytest.mark.thorough
def test_killed_it_leaves_no_process_behind() -> None:
    server = Server()
    session = server.begin("ocs/breakthrough")
    workers: list[int] = []
    with ThreadPoolExecutor(1) as pool:
        search = pool.submit(server.post, f"{session}/go")
        _until(lambda: _metric(server, 'planner_workers_busy{pool="search"}') == 1)
        workers = server.workers()
        server.process.kill()
        assert isinstance(search.exception(), httpx.HTTPError)
    server.process.communicate()
    server.client.close()
    assert len(workers) in (2, 3)  # one searches, one reads; and one may have been started before anybody asked
    _until(lambda: not any(map(_lives, workers)))


@pytest.mark.thorough
def test_told_to_end_while_it_starts_its_first_process_it_waits_for_that_and_logs_no_more_than_ever() -> None:
    process = subprocess.Popen(SERVE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline()
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    _until(lambda: children.read_text())
    starting = [int(one) for one in children.read_text().split()]
    process.send_signal(signal.SIGTERM)
    _, log = process.communicate(timeout=30)
    assert process.returncode == 0
    assert [json.loads(line)["event"] for line in log.splitlines()] == ["listening", "ended"]
    assert not any(map(_lives, starting))


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--host", "0.0.0.0"], "an address that others can reach must have a token: --token @ --host"),
        (["--token", "short"], "a token must have at least 16 signs"),
        (["--host", "192.0.2.1", "--token", "a" * 16], "can't be listened on"),
        (["--host", "no.such.host.invalid", "--token", "a" * 16], "can't be listened on"),
    ],
)
def test_it_does_not_begin_where_it_may_not(options: list[str], said: str) -> None:
    done = run("serve", "--port", "0", *options)
    assert (done.returncode, done.stdout) == (BAD_INPUT, "")
    assert said in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.thorough
def test_a_token_lets_clients_in_and_is_not_logged() -> None:
    token = "a-token-of-some-length"
    server = Server("--host", "0.0.0.0", token=token)
    assert server.post("/api/hello").status_code == 401
    assert server.post("/api/hello", headers={"authorization": f"Bearer {token}"}).status_code == 200
    assert server.client.get("/metrics").status_code == 401
    assert server.client.get("/health").status_code == 200
    server.end()
    assert token not in json.dumps(server.log)


@pytest.mark.thorough
def test_the_log_is_lines_of_json_that_steer_no_terminal_and_tell_no_session(server: Server) -> None:
    session = server.begin()
    server.client.get("/%1b%5b31m%0a%7f")
    _until(lambda: any("\\x1b[31m\\n\\x7f" in str(line.get("path")) for line in server.log))
    assert session not in json.dumps(server.log)


def _raw(server: Server, sent: bytes) -> bytes:
    """Send bytes as they are, and return what comes back."""
    host, port = server.url.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=30) as one:
        try:
            one.sendall(sent)
            return one.recv(65_536)
        except ConnectionError:
            return b""


def _hostile(server: Server, kind: int, rng: random.Random) -> None:
    """Do something that no client should; what comes of it is an answer, or the end of the connection."""
    head = b"POST /api/sessions HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
    if kind == 0:
        told = server.client.post(
            "/api/sessions", content=b'"' + b"x" * (5 * 2**20), headers={"content-type": "application/json"}
        )
        assert told.status_code == 413
    elif kind == 1:
        _raw(server, head + b"Content-Length: 9999999999\r\n\r\n" + b"{" * 5 * 2**20)
    elif kind == 2:
        _raw(server, rng.randbytes(2_000))
    elif kind == 3:
        told = server.client.post("/api/sessions", content=b"[" * 100_000, headers={"content-type": "application/json"})
        assert told.status_code == 400
    elif kind == 4:
        for scenario in ("/etc/passwd", "../pyproject.toml", {"model": "/etc"}, {"model": "ocs", "map": [[[]]]}, 7):
            assert server.post("/api/sessions", {"scenario": scenario}).status_code == 400
    elif kind == 5:
        with pytest.raises(httpx.ReadTimeout):
            server.post("/api/go", {"position": {"scenario": "ocs/breakthrough"}}, timeout=0.3)
    elif kind == 6:
        assert server.client.get("/../../etc/passwd").status_code == 404
    else:
        assert server.post("/api/hello", headers={"host": "evil.example"}).status_code == 403


def _plays(server: Server, rng: random.Random) -> None:
    """Play a phase: whatever has been answered stays as it was, unless it was said clearly that nothing has been done."""
    with httpx.Client(base_url=server.url, timeout=60) as client:

        def ask(path: str, said: Any) -> Any:
            for _ in range(50):
                told = client.post(path, json=said)
                if told.status_code != 503:
                    break
                time.sleep(0.1)
            assert told.status_code in (200, 201), told.text
            return told.json()

        session = f"/api/sessions/{ask('/api/sessions', {'scenario': 'dai_senso/manchuria'})['session']}"
        made: list[str] = []
        for _ in range(10):
            if len(made) < 2 and rng.random() < 0.6:
                made.append(MOVES[len(made)])
                ask(f"{session}/push", {"move": made[-1]})
            elif made:
                made.pop()
                ask(f"{session}/pop", {})
            assert ask(f"{session}/state", {})["made"] == made
        assert client.delete(session).status_code == 204


@pytest.mark.thorough
def test_many_at_once_some_hostile_while_workers_are_killed() -> None:
    server = Server("--time-limit", "5")
    playing = threading.Event()

    def kill_some() -> None:
        rng = random.Random(1)
        for _ in range(KILLS):
            if playing.wait(3):
                break
            workers = server.workers()
            if workers:
                os.kill(rng.choice(workers), signal.SIGKILL)

    killing = threading.Thread(target=kill_some)
    killing.start()
    try:
        with ThreadPoolExecutor(CLIENTS) as pool:
            done = [
                pool.submit(_hostile, server, number // 3 % 8, random.Random(number))
                if number % 3 == 0
                else pool.submit(_plays, server, random.Random(number))
                for number in range(CLIENTS)
            ]
            for one in done:
                one.result()
    finally:
        playing.set()
        killing.join()
    assert server.client.get("/health").status_code == 200
    assert _metric(server, "planner_sessions") == 0
    server.end()


@pytest.mark.thorough
def test_slow_clients_are_left_alone() -> None:
    server = Server()
    host, port = server.url.removeprefix("http://").split(":")
    begun = (
        b"",
        b"POST /api/hel",
        b"POST /api/hello HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{",
    )
    with ExitStack() as open_ones:
        clients = [open_ones.enter_context(socket.create_connection((host, int(port)), timeout=60)) for _ in begun]
        begin = time.monotonic()
        for one, sent in zip(clients, begun, strict=True):
            one.sendall(sent)
        for one in clients:
            one.recv(1_000)
            assert 5 < time.monotonic() - begin < 30
    server.end()
