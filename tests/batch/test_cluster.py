"""On a real cluster of two nodes every job is answered once, though one of them is killed in the middle."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from planner.batch.engine import Bounds
from planner.batch.jobs import Job, read_jobs
from planner.batch.results import results
from planner.batch.run import BatchCounts, run
from planner.errors import InputError
from tests.batch.misbehaving import answer
from tests.batch.test_run import a_job, read
from tests.command import run as command

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Two nodes of one process each; on a machine without Ray there are none."""
    pytest.importorskip("ray", reason="Ray isn't installed: the extra `cluster`")
    from ray.cluster_utils import Cluster

    monkeypatch.setenv("PYTHONPATH", str(ROOT))  # nodes have what this process has
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    small = {"num_cpus": 1, "object_store_memory": 80 * 2**20, "include_dashboard": False}
    found = Cluster(initialize_head=True, head_node_args=small)
    try:
        second = found.add_node(**small)
        yield SimpleNamespace(address=found.address, second=second, cluster=found)
    finally:
        found.shutdown()


@pytest.mark.thorough
def test_every_job_is_answered_once_though_a_node_is_killed_in_the_middle(cluster: Any, tmp_path: Path) -> None:
    from planner.batch.cluster import RayWorkers

    jobs = [a_job(id_, "slow") for id_ in range(80)]
    jobs[3], jobs[4] = a_job(3, "segfault"), a_job(4, "exit", str(tmp_path / "was there"))
    told: list[str] = []
    out = tmp_path / "results.jsonl"
    engine = RayWorkers(cluster.address, answer, tmp_path, Bounds(), told.append)
    seen, killed = set[str](), False

    def look(counts: BatchCounts) -> None:
        nonlocal killed
        seen.update(node.name for node in engine._nodes.values() if node.ready)
        if counts.done >= 20 and len(seen) == 2 and not killed:
            killed = True
            cluster.cluster.remove_node(cluster.second, allow_graceful=False)

    try:
        with results(out, jobs) as file:
            counts = run(jobs, engine, file, on_progress=look)
    finally:
        engine.close()
    assert killed
    assert counts.left == 0
    found = read(out)
    assert [one["id"] for one in found] == list(range(80))
    assert found[3]["error"] == {
        "kind": "died",
        "text": "its process died: SIGSEGV",
        "tries": found[3]["error"]["tries"],
    }
    assert sum("error" in one for one in found) == 1
    assert counts.again > 2  # the two, and those of the node
    assert any("is lost, with" in one for one in told)


@pytest.mark.thorough
def test_the_command_sends_models_along_and_writes_what_it_writes_here(cluster: Any, tmp_path: Path) -> None:
    folder = tmp_path / "bank" / "jobs"
    (tmp_path / "models" / "mine").mkdir(parents=True)
    folder.mkdir(parents=True)
    for file in (ROOT / "models" / "crossroads").glob("*.toml"):
        (tmp_path / "models" / "mine" / file.name).write_bytes(file.read_bytes())
    text = (ROOT / "scenarios" / "crossroads" / "start.toml").read_text()
    mine = text.replace('model = "crossroads"', 'model = "../models/mine"')
    assert mine != text
    (tmp_path / "bank" / "start.toml").write_text(mine)
    lines = [
        {"id": "mine", "verb": "check", "scenario": "../start.toml", "moves": []},
        {"id": "shipped", "verb": "suggest", "scenario": "dai_senso/manchuria"},
        {"id": "nowhere", "verb": "check", "scenario": "../nowhere.toml"},
    ]
    jobs = folder / "jobs.jsonl"
    jobs.write_text("".join(json.dumps(line) + "\n" for line in lines))
    here, there = tmp_path / "here.jsonl", tmp_path / "there.jsonl"
    assert command("batch", str(jobs), "-o", str(here), "--workers", "1").returncode == 1
    done = command("batch", str(jobs), "-o", str(there), "--ray", cluster.address)
    assert done.returncode == 1, done.stderr
    assert there.read_bytes() == here.read_bytes()
    assert "answer" in read(there)[0]


def test_what_is_sent_along_lies_where_it_lay(tmp_path: Path) -> None:
    from planner.batch.parcel import Unpacked, files_of

    bank = tmp_path / "here" / "bank"
    (bank / "own").mkdir(parents=True)
    (bank / "own" / "rulebook.toml").write_text("x = 1")
    (bank / "a.toml").write_text('model = "./own"\n[answer.adaptive]\npolicy = "p.json"\n')
    (bank / "p.json").write_text("{}")
    job = Job("a", "check", {"id": "a", "scenario": "../bank/a.toml"})
    (tmp_path / "here" / "jobs").mkdir()
    files = files_of(job, tmp_path / "here" / "jobs")
    assert sorted(files) == ["../bank/a.toml", "../bank/own/rulebook.toml", "../bank/p.json"]
    there = Unpacked(tmp_path / "there")
    there.add(files)
    assert (there.folder / "../bank/own/rulebook.toml").read_text() == "x = 1"
    with pytest.raises(InputError, match="must lead upwards by at most"):
        there.add({"../" * 20 + "x": b""})
    with pytest.raises(InputError, match="must be a path from the folder of the jobs"):
        files_of(Job("a", "check", {"id": "a", "scenario": str(bank / "a.toml")}), tmp_path)
    assert files_of(Job("a", "check", {"id": "a", "scenario": "dai_senso/manchuria"}), tmp_path) == {}


def test_a_station_works_as_one_machine_does(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    from planner.batch.station import Station

    monkeypatch.setitem(sys.modules, "__main__", type(sys)("__main__"))
    station = Station(2, answer, Bounds())
    jobs = [a_job(id_) for id_ in range(5)]
    try:
        found = station.work(jobs, {}, 5)
        while len(found) < 5:
            found += station.work([], {}, 5)
    finally:
        station.close()
    assert sorted(key for key, *_ in found) == [str(id_) for id_ in range(5)]


def test_without_a_cluster_it_is_told_in_a_sentence(tmp_path: Path) -> None:
    jobs = tmp_path / "jobs.jsonl"
    jobs.write_text('{"id": 1, "verb": "check", "scenario": "dai_senso/manchuria"}\n')
    assert len(read_jobs(jobs).jobs) == 1
    done = command("batch", str(jobs), "-o", str(tmp_path / "out.jsonl"), "--ray", "127.0.0.1:1")
    assert done.returncode == 2
    assert "--ray" in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "out.jsonl").exists()
