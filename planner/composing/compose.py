"""Looks for puzzles among variations of scenarios, a try a job, and keeps those that are unlike all before."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from planner.batch.engine import Engine
from planner.batch.jobs import Job
from planner.batch.results import ResultsFile
from planner.batch.run import BatchCounts, Either, run
from planner.batch.said import Said, failed
from planner.composing.judging import SECONDS, judged, shrunk
from planner.composing.stipulation import stipulated, uncooked
from planner.composing.symmetry import signature
from planner.composing.variation import varied
from planner.composing.writing import written
from planner.errors import InputError, PlannerError, Problem
from planner.formats.files import ensure_no_pipes, resolved
from planner.plans.plan import Plan
from planner.puzzles.verify import files_in
from planner.reachability.possible_rolls import may_roll
from planner.rules.game import Game
from planner.scenario import Scenario, load_scenario


@dataclass(frozen=True)
class Puzzle:
    """A puzzle that has been found.

    Attributes
    ----------
    number : int
        Of the try.
    model : str
        The game.
    text : str
        Of its file.
    depth, near_misses, stars : int
        How difficult it is: `planner.composing.writing.difficulty`.
    units : int
        How many units there are.
    """

    number: int
    model: str
    text: str
    depth: int
    near_misses: int
    stars: int
    units: int


def seeds_of(names: Sequence[str]) -> list[str]:
    """Return the scenarios that can be varied, as paths from the root: those in which somebody may move.

    Raises
    ------
    InputError
        If one can't be read, or none is left.
    """
    files = list(files_in(names))
    ensure_no_pipes(files)
    found = [name for name in map(str, map(resolved, files)) if _moves(_loaded(name).game)]
    if not found:
        raise InputError([Problem("must have a scenario in which somebody may move", ", ".join(names))])
    return found


def _moves(game: Game) -> bool:
    """Tell whether there is anybody who may move; allies may not."""
    return any(game.may_be_moved(unit) for unit in game.units)


def _asks(scenario: Scenario) -> bool:
    """Tell whether a position has an objective that a puzzle can ask for: nothing is rolled, and no attacks are declared."""
    return bool(scenario.tiers) and not may_roll(scenario.game) and not scenario.asks_for_attacks


def jobs_of(seeds: Sequence[str], theme: str, seed: int, tries: int) -> tuple[Job, ...]:
    """Return tries as jobs."""
    shared = list(seeds)  # a million tries have one list
    return tuple(
        Job(number, "compose", {"id": number, "seeds": shared, "theme": theme, "seed": seed}, f"try {number}")
        for number in range(1, tries + 1)
    )


@lru_cache(maxsize=200)
def _loaded(name: str) -> Scenario:
    return load_scenario(name)


def compose_one(job: Job) -> Said:
    """Look at one variation, drawn by the number of the job; the answer is empty if it is no puzzle."""
    seeds, theme = job.said["seeds"], str(job.said["theme"])
    assert isinstance(seeds, list)
    draw = random.Random(f"{job.said['seed']} {job.id}")
    try:
        scenario = varied(_loaded(str(draw.choice(seeds))), draw)
        if scenario is not None and not (_asks(scenario) and draw.random() < OWN):
            scenario = stipulated(scenario, draw)
            scenario = None if scenario is None else uncooked(scenario, SECONDS)
        found = None if scenario is None else judged(scenario, theme)
        if found is None:
            return {"answer": {}}
        larger, found = found, shrunk(found, theme, lambda: False)
        file = written(found, found.scenario.tiers[0].name)
        if file is None:  # smaller, it isn't what it was
            found = larger
            file = written(found, found.scenario.tiers[0].name)
    except PlannerError as error:
        return failed("refused", str(error))
    except Exception as error:  # one bad try must not end the others
        return failed("fault", f"{type(error).__name__}: {error}")
    if file is None:
        return {"answer": {}}
    text, rated = file
    model, units = found.scenario.game.rulebook.model, len(found.scenario.start.at)
    return {
        "answer": {"text": text, "like": signature(found.scenario, found.plan), "model": model, "units": units, **rated}
    }


@dataclass
class Bank:
    """The puzzles so far, taken in the order of the tries: the same ones, whoever was done first.

    Attributes
    ----------
    wanted : int
        How many puzzles are enough.
    puzzles : list of Puzzle
        Those that are unlike all before.
    looked_at : int
        How many tries have been looked at.
    alike : int
        How many puzzles were like one before, or like a solution that the varied scenarios state.
    failed : int
        How many tries came to nothing, as they hung, died or met a fault.
    known : set of str
        The signatures of those puzzles and solutions, see `signature`.
    """

    wanted: int
    puzzles: list[Puzzle] = field(default_factory=list)
    looked_at: int = 0
    alike: int = 0
    failed: int = 0
    known: set[str] = field(default_factory=set)

    @classmethod
    def of(cls, jobs: Sequence[Job], wanted: int) -> Bank:
        """Return one in which there is nothing yet but that the solutions of the varied scenarios are known."""
        bank = cls(wanted)
        for name in {str(name) for job in jobs[:1] for name in _names(job)}:
            bank.know(_loaded(name))
        return bank

    @property
    def full(self) -> bool:
        """Whether there are enough puzzles."""
        return len(self.puzzles) >= self.wanted

    def know(self, scenario: Scenario) -> None:
        """Take the solution that a scenario states for known."""
        if scenario.answer is not None and scenario.answer.moves:
            plan = Plan.read(list(scenario.answer.moves), scenario, "answer")
            self.known.update(signature(scenario, plan))

    def take(self, told: dict[str, object]) -> Puzzle | None:
        """Take the answer to the next try; return the puzzle, if it is a new one."""
        self.looked_at += 1
        like = told.get("like")
        if not isinstance(like, list):
            return None
        if self.known & set(like):
            self.alike += 1
            return None
        self.known.update(like)
        numbers = (int(str(told[key])) for key in ("depth", "near_misses", "stars", "units"))
        puzzle = Puzzle(self.looked_at, str(told["model"]), str(told["text"]), *numbers)
        self.puzzles.append(puzzle)
        return puzzle


def compose(
    jobs: Sequence[Job],
    engine: Engine,
    file: ResultsFile,
    bank: Bank,
    stop: threading.Event,
    on_found: Callable[[Puzzle], None],
) -> None:
    """Try until there are so many puzzles, somebody stops it, or all has been tried.

    Parameters
    ----------
    jobs : sequence of Job
        The tries.
    engine : Engine
        Processes that answer by `compose_one`.
    file : ResultsFile
        Where results go; tries that are in it aren't made again.
    bank : Bank
        Gets the puzzles.
    stop : threading.Event
        Set it to end.
    on_found : callable
        Gets each new puzzle.
    """
    ended = threading.Event()

    def look(_counts: BatchCounts | None = None) -> None:
        while bank.looked_at < len(jobs) and not bank.full:
            told = file.result(jobs[bank.looked_at])
            if told is None:
                break
            bank.failed += "answer" not in told
            puzzle = bank.take(told.get("answer", {}))
            if puzzle is not None:
                on_found(puzzle)
        if bank.full or stop.is_set():
            ended.set()

    look()
    while not ended.is_set() and bank.looked_at < len(jobs):
        run(jobs[bank.looked_at : bank.looked_at + AT_ONCE], engine, file, stop=Either(ended, stop), on_progress=look)
        look()


OWN = 0.3
"""How often a variation is asked what its scenario asks, where it can be: other goals give more puzzles."""

AT_ONCE = 64
"""How many tries are handed out before it is looked how far they are."""


def _names(job: Job) -> list[object]:
    seeds = job.said["seeds"]
    assert isinstance(seeds, list)
    return seeds
