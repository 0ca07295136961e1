"""Several processes list what one lists, in the same order, and leave nobody behind."""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable

import pytest

from planner import sharing
from planner.errors import OutOfTimeError
from planner.scenario import Scenario
from planner.sharing import can_share, list_all, share
from planner.solver.groundwork import Groundwork
from planner.solver.search import Search
from tests.conftest import DEEP
from tests.instances import instance
from tests.oracles.positions import drawn
from tests.oracles.stacks import stacks

SEEDS = 500 if DEEP else 12

pytestmark = pytest.mark.skipif(not can_share(), reason="no fork that can be relied on")


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take every list for one that takes long."""
    monkeypatch.setattr(sharing, "WORTH_SHARING", -1.0)


def never() -> None:
    """Have time."""


def slowly(item: str) -> tuple[str, int]:
    """Make something that takes a moment; say which process has made it."""
    time.sleep(0.02)
    return item, os.getpid()


@pytest.mark.parametrize("processes", [1, 2, 3, 9])
def test_what_comes_of_items_is_in_their_order_however_many_processes_make_it(processes: int) -> None:
    items = [str(number) for number in range(7)]
    assert [item for item, _ in list_all(slowly, items, processes, never)] == items
    assert list_all(slowly, [], processes, never) == []


def test_several_processes_take_part() -> None:
    assert len({process for _, process in share(slowly, [str(number) for number in range(12)], 3, never)}) == 3


def test_short_lists_are_made_by_one_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sharing, "WORTH_SHARING", 5.0)
    assert {process for _, process in list_all(slowly, list("abcdef"), 4, never)} == {os.getpid()}


def elsewhere(do: Callable[[], object]) -> Callable[[str], tuple[str, int]]:
    """Return work at which something happens in every other process."""
    here = os.getpid()

    def work(item: str) -> tuple[str, int]:
        if os.getpid() != here:
            do()
        return slowly(item)

    return work


def fail() -> None:
    """Go wrong."""
    raise ArithmeticError("elsewhere")


@pytest.mark.parametrize("do", [lambda: os._exit(3), fail, lambda: os.kill(os.getpid(), 9)])
def test_what_another_process_leaves_undone_is_done_here(do: Callable[[], object]) -> None:
    items = list("abcdef")
    found = share(elsewhere(do), items, 3, never)
    assert found == [(item, os.getpid()) for item in items]


def test_what_goes_wrong_everywhere_is_told() -> None:
    def work(item: str) -> str:
        if item == "d":
            raise ArithmeticError("d can't be done")
        time.sleep(0.01)
        return item

    with pytest.raises(ArithmeticError, match="d can't be done"):
        share(work, list("abcdef"), 2, never)
    assert not multiprocessing.active_children()


def test_whoever_runs_out_of_time_leaves_no_process_behind() -> None:
    def late() -> None:
        raise OutOfTimeError("too late")

    begin = time.monotonic()
    with pytest.raises(OutOfTimeError):
        share(elsewhere(lambda: time.sleep(60)), list("abcdef"), 3, late)
    assert time.monotonic() - begin < 30
    assert not multiprocessing.active_children()


def test_a_process_ends_soon_after_the_one_that_has_started_it() -> None:
    # The first process is killed while the others are at work; what they write, nobody reads any more.
    code = (
        "import os, sys, time\n"
        "from planner.sharing import share\n"
        "def work(item):\n"
        "    if item == 'a': time.sleep(0.5); os.kill(first, 9)\n"
        "    time.sleep(0.2); print(os.getpid(), flush=True); return 'x' * 1_000_000\n"
        "first = os.getpid()\n"
        "share(work, [*'abcdefgh'] * 50, 3, lambda: None)\n"
    )
    # Output is at its end when the last process is that has it.
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=20, check=False)
    assert ended.returncode == -9
    assert len(ended.stdout.split()) < 40


def everything(scenario: Scenario, workers: int) -> tuple[object, object]:
    """Return all that units and teams can do, in order."""
    ground = Groundwork(scenario, workers=workers)
    return list(ground.possibilities.items()), ground.teams


@pytest.mark.parametrize(
    ("family", "size"),
    [("dense", "40"), ("islands", "20"), ("crowded", "20"), ("legs", "40/hexes=2000/ma=6-10"), ("joint", "12")],
)
def test_units_and_teams_can_do_the_same_whoever_lists_it(family: str, size: str) -> None:
    scenario = instance(family, size, 1)
    assert everything(scenario, 3) == everything(scenario, 1)


def test_random_positions_are_listed_alike() -> None:
    for seed in range(SEEDS):
        for scenario in (drawn(seed, bool(seed % 2)).scenario, stacks(seed)[0]):
            assert everything(scenario, 2) == everything(scenario, 1), seed


def test_a_search_that_is_stopped_while_others_list_ends_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    scenario, stop, here = instance("dense", "40", 0), threading.Event(), os.getpid()
    listing = Groundwork(scenario).reach.__class__.possibilities

    def possibilities(*arguments: object, **more: object) -> object:
        if os.getpid() != here:
            time.sleep(60)
        elif more.get("most") is None and len(arguments) == 2:
            stop.set()
        return listing(*arguments, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(Groundwork(scenario).reach.__class__, "possibilities", possibilities)
    begin = time.monotonic()
    found = Search(scenario, workers=2, stop=stop).run()
    assert found.interrupted
    assert found.status == "unknown"
    assert time.monotonic() - begin < 30
    assert not multiprocessing.active_children()
