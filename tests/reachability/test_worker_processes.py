"""Several processes list what one lists, in the same order, and leave nobody behind."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import pytest

import planner
from planner.errors import OutOfTimeError
from planner.limits import Limits
from planner.reachability import team_reach
from planner.reachability import worker_processes as sharing
from planner.reachability.condition_masks import minimal
from planner.reachability.conditional_reach import ConditionalReach
from planner.reachability.team_reach import TeamReach
from planner.reachability.worker_processes import can_share, list_all, share
from planner.scenario import Scenario
from planner.search import reach_cache as groundwork
from planner.search.reach_cache import ReachCache
from planner.search.search import Search
from tests.conftest import long_ones, sized
from tests.instances import instance
from tests.oracles.positions import drawn
from tests.oracles.stacks import stacks

SEEDS = sized(3, 6, 500)

forking = pytest.mark.skipif(not can_share(), reason="no fork that can be relied on")


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take every list for one that takes long, and the machine for a large one."""
    monkeypatch.setattr(sharing, "WORTH_SHARING", -1.0)
    monkeypatch.setattr(sharing, "cores", lambda: 16)


def never() -> None:
    """Have time."""


def made_here(item: str) -> tuple[str, int]:
    """Make something; say which process has made it."""
    time.sleep(0.01)
    return item, os.getpid()


@forking
@pytest.mark.parametrize("workers", [1, 3, *(pytest.param(many, marks=pytest.mark.thorough) for many in (2, 9))])
@pytest.mark.parametrize("number", [0, 1, 2, 3, 7, 1_203])
def test_what_comes_of_items_is_in_their_order_however_many_processes_make_it(workers: int, number: int) -> None:
    items = [str(item) for item in range(number)]
    assert list_all(lambda item: item + "!", items, workers, never) == [item + "!" for item in items]
    assert share(lambda item: item + "!", items, workers, never) == [item + "!" for item in items]


@forking
def test_several_processes_take_part() -> None:
    everybody = multiprocessing.get_context("fork").Barrier(3)

    def work(item: str) -> int:
        if item in "abc":
            everybody.wait(30)  # nobody gets on before three have taken one
        return os.getpid()

    assert len(set(share(work, list("abcdef"), 3, never))) == 3


@pytest.mark.parametrize("why", ["a short list", "one core", "a daemonic process", "macOS"])
def test_one_process_makes_the_list_where_others_cannot_help(why: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if why == "a short list":
        monkeypatch.setattr(sharing, "WORTH_SHARING", 60.0)
    elif why == "one core":
        monkeypatch.setattr(sharing, "cores", lambda: 1)
    elif why == "macOS":
        monkeypatch.setattr(sys, "platform", "darwin")
    else:
        monkeypatch.setitem(multiprocessing.current_process()._config, "daemon", True)  # type: ignore[attr-defined]
    assert list_all(made_here, list("abcdef"), 4, never) == [(item, os.getpid()) for item in "abcdef"]


def open_files() -> int:
    """Return how many files this process has open, if that can be told."""
    return len(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else 0


def elsewhere(do: Callable[[], object]) -> Callable[[str], tuple[str, int]]:
    """Return work at which something happens in every other process."""
    here = os.getpid()

    def work(item: str) -> tuple[str, int]:
        if os.getpid() != here:
            do()
        return made_here(item)

    return work


def fail() -> None:
    """Go wrong."""
    raise ArithmeticError("elsewhere")


@forking
@pytest.mark.parametrize(
    "do",
    [
        lambda: os._exit(3),
        fail,
        lambda: os.kill(os.getpid(), signal.SIGKILL),
        pytest.param(lambda: time.sleep(60), marks=pytest.mark.thorough),
    ],
)
def test_what_another_process_leaves_undone_is_done_here(do: Callable[[], object]) -> None:
    # The last one is at work for ever, as if it waited for a lock that nobody will release.
    begin = time.monotonic()
    assert share(elsewhere(do), list("abcdef"), 3, never) == [(item, os.getpid()) for item in "abcdef"]
    assert time.monotonic() - begin < 30
    assert not multiprocessing.active_children()


@forking
@pytest.mark.parametrize(("thing", "enough"), [("_numbers", 0), ("Pipe", 0), ("Pipe", 1), ("start", 0), ("start", 1)])
def test_where_no_more_processes_are_to_be_had_those_that_are_there_make_the_list(
    thing: str, enough: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    context, had = multiprocessing.get_context("fork"), []
    holder: Any = {"_numbers": sharing, "Pipe": context, "start": context.Process}[thing]
    real = getattr(holder, thing)

    def scarce(*arguments: Any, **more: Any) -> Any:
        had.append(thing)
        if len(had) > enough:
            raise OSError(24, "there are too many")
        return real(*arguments, **more)

    monkeypatch.setattr(holder, thing, scarce)
    before = open_files()
    assert [item for item, _ in share(made_here, list("abcdef"), 4, never)] == list("abcdef")
    assert len(had) == enough + 1
    assert not multiprocessing.active_children()
    assert open_files() == before


@forking
def test_what_goes_wrong_everywhere_is_told() -> None:
    def work(item: str) -> str:
        if item == "d":
            raise ArithmeticError("d can't be done")
        time.sleep(0.01)
        return item

    with pytest.raises(ArithmeticError, match="d can't be done"):
        share(work, list("abcdef"), 2, never)
    assert not multiprocessing.active_children()


@forking
@pytest.mark.parametrize("error", [OutOfTimeError, KeyboardInterrupt])
def test_whoever_runs_out_of_time_leaves_no_process_behind_and_everything_as_it_was(
    error: type[BaseException],
) -> None:
    def late() -> None:
        raise error("too late")

    begin, files = time.monotonic(), open_files()
    held, filters = signal.pthread_sigmask(signal.SIG_BLOCK, []), list(warnings.filters)
    with pytest.raises(error):
        share(elsewhere(lambda: time.sleep(60)), list("abcdef"), 3, late)
    assert time.monotonic() - begin < 30
    assert not multiprocessing.active_children()
    assert (signal.pthread_sigmask(signal.SIG_BLOCK, []), warnings.filters) == (held, filters)
    assert open_files() == files


@forking
def test_two_threads_may_share_at_once() -> None:
    items = [str(number) for number in range(40)]
    found: list[list[str]] = []
    threads = [
        threading.Thread(target=lambda: found.append([item for item, _ in share(made_here, items, 3, never)]))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert found == [items] * 4
    assert not multiprocessing.active_children()


def run(code: str, timeout: float = 30.0) -> subprocess.CompletedProcess[str]:
    """Run a program until the last of its processes that may write something has ended."""
    begin = (
        "import os, signal, sys, time\nfrom planner.reachability.worker_processes import share\nfirst = os.getpid()\n"
    )
    words = [sys.executable, "-c", begin + code]
    return subprocess.run(words, capture_output=True, text=True, timeout=timeout, check=False, start_new_session=True)


@forking
@pytest.mark.parametrize("number", [pytest.param(400, marks=pytest.mark.thorough), 5])
def test_others_end_soon_after_the_process_that_has_started_them(number: int) -> None:
    # Of 400 items both have made five by then, and end when they are done with the one that they have begun; of five
    # they have made all, and are writing more than there is room for where nobody will read it any more.
    done = run(
        "def work(item):\n"
        "    if os.getpid() == first: time.sleep(0.5); os.kill(first, 9)\n"
        "    time.sleep(0.1); print('made', flush=True); return 'x' * 1_000_000\n"
        f"share(work, range({number}), 3, lambda: None)\n"
    )
    assert done.returncode == -9
    assert len(done.stdout.split()) < 30


@forking
@pytest.mark.parametrize("name", long_ones(["SIGINT", "SIGTERM"], "SIGTERM"))
def test_a_signal_to_all_is_answered_by_the_first_process_alone(name: str) -> None:
    # As a terminal sends it; each process that has a handler would write a line.
    done = run(
        "def answer(*_): os.write(1, b'answered '); os._exit(130)\n"
        f"signal.signal(signal.{name}, answer)\n"
        "def work(item):\n"
        f"    if os.getpid() == first: time.sleep(0.5); os.killpg(0, signal.{name})\n"
        "    time.sleep(0.1); return item\n"
        "share(work, [*'abcdefgh'] * 50, 3, lambda: None)\n"
    )
    assert done.returncode == 130
    assert done.stdout.split() == ["answered"]
    assert not done.stderr


def shared(work: Any, items: Sequence[Any], workers: int, check_time: Callable[[], None]) -> list[Any]:
    """Make a list in several processes, however short it is."""
    return share(work, items, 3, check_time)


def backwards(work: Any, items: Sequence[Any], workers: int, check_time: Callable[[], None]) -> list[Any]:
    """Make the last items first, as another process may."""
    return [work(item) for item in reversed(items)][::-1]


def everything(scenario: Scenario, monkeypatch: pytest.MonkeyPatch, way: Any) -> tuple[object, object]:
    """Return all that units and teams can do, in order."""
    with monkeypatch.context() as patch:
        for module in (groundwork, team_reach):
            patch.setattr(module, "list_all", way)
        ground = ReachCache(scenario)
        return list(ground.possibilities.items()), ground.teams


@cache
def by_itself(family: str, size: str) -> tuple[object, object]:
    """Return all that units and teams of a board can do, listed by one process from the first to the last."""
    with pytest.MonkeyPatch.context() as patch:
        return everything(instance(family, size, 1), patch, list_all)


@pytest.mark.parametrize("way", [pytest.param(shared, marks=forking), backwards])
@pytest.mark.parametrize(
    ("family", "size"),
    [
        pytest.param("dense", "40", marks=pytest.mark.thorough),
        ("islands", "20"),
        ("crowded", "20"),
        pytest.param("legs", "20/hexes=1000/ma=6-10", marks=pytest.mark.thorough),
        pytest.param("joint", "10", marks=pytest.mark.thorough),
    ],
)
def test_units_and_teams_can_do_the_same_whoever_lists_it(
    family: str, size: str, way: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    scenario = instance(family, size, 1)
    assert everything(scenario, monkeypatch, way) == by_itself(family, size)


@pytest.mark.thorough
def test_random_positions_are_listed_alike_in_any_order(monkeypatch: pytest.MonkeyPatch) -> None:
    for seed in range(SEEDS):
        for scenario in (drawn(seed, bool(seed % 2)).scenario, stacks(seed)[0]):
            listed = everything(scenario, monkeypatch, list_all)
            assert everything(scenario, monkeypatch, backwards) == listed, seed


def test_of_sets_of_needs_the_smallest_come_first_and_of_equal_ones_that_which_the_rules_name_first() -> None:
    # The numbers of atoms, and so their bits, depend on which unit has been listed before.
    assert minimal([0b10, 0b01, 0b111]) == [0b10, 0b01]
    assert minimal([0b110, 0b101, 0b1000]) == [0b1000, 0b110, 0b101]


def test_the_clock_is_looked_at_while_teams_are_made_up() -> None:
    scenario = stacks(0)[0]
    reach = TeamReach(ConditionalReach(scenario.game, Limits.within(3600)))
    assert list(reach._joint_teams())
    reach.reach.limits = Limits.within(-1)
    with pytest.raises(OutOfTimeError):
        list(reach._joint_teams())


@forking
def test_a_search_that_is_stopped_while_others_list_ends_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    scenario, stop, here = instance("dense", "40", 0), threading.Event(), os.getpid()
    starts: list[Any] = []
    listing = ConditionalReach.possibilities

    def possibilities(*arguments: Any, **more: Any) -> Any:
        if os.getpid() != here:
            time.sleep(60)
        elif starts:
            stop.set()
        return listing(*arguments, **more)

    monkeypatch.setattr(ConditionalReach, "possibilities", possibilities)
    start = multiprocessing.get_context("fork").Process.start
    monkeypatch.setattr(
        multiprocessing.get_context("fork").Process, "start", lambda self: (starts.append(self), start(self))
    )
    begin = time.monotonic()
    found = Search(scenario, Limits.within(None, workers=2, stop=stop)).run()
    assert found.interrupted
    assert (found.status, found.plan) == ("feasible", planner.Plan())  # nobody moves
    assert len(starts) == 1
    assert time.monotonic() - begin < 30
    assert not multiprocessing.active_children()
