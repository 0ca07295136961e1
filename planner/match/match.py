"""Plays two players against each other on mirrored starts, until enough has been seen."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from planner.batch.engine import Engine
from planner.batch.jobs import Job
from planner.batch.results import ResultsFile
from planner.batch.run import BatchCounts, Either, run
from planner.errors import InputError, Problem
from planner.formats.files import ensure_no_pipes
from planner.match.game import game_job
from planner.match.statistics import Sprt, Strength, strength
from planner.playing.players import player_of
from planner.scenario import find_scenario, load_scenario


@dataclass(frozen=True)
class Pairing:
    """Who plays whom, and what.

    Attributes
    ----------
    scenarios : tuple of str
        The starts, taken in turn: files, or names of shipped ones; each has two sides.
    players : tuple of two str
        Who plays, as `planner.playing.players.player_of` calls them.
    games : int
        How many games at most; an even number, each start being played twice, with the sides exchanged and the same seed.
    seed : int
        The seed of the first pair; each further pair has the next one.
    turns : int or None
        How many turns a game has at most.
    opening : int
        How many phases chance plays first; the same in both games of a pair.
    """

    scenarios: tuple[str, ...]
    players: tuple[str, str]
    games: int
    seed: int = 0
    turns: int | None = None
    opening: int = 0

    def jobs(self) -> tuple[Job, ...]:
        """Return the games, the two of a pair after each other.

        Raises
        ------
        InputError
            If there is no such player or start, or a start that hasn't two sides: every problem at once.
        """
        problems: list[Problem] = []
        for name in self.players:
            try:
                player_of(name)
            except InputError as error:
                problems += [Problem(one.what, f"--player {name}") for one in error.problems]
        ensure_no_pipes(map(find_scenario, self.scenarios))
        sides: dict[str, tuple[str, ...]] = {}
        for name in self.scenarios:
            try:
                sides[name] = tuple(load_scenario(name).game.rulebook.forces.sides)
            except InputError as error:
                problems += error.problems
                continue
            if len(sides[name]) != 2:
                problems.append(Problem(f"must have two sides, not {len(sides[name])}", name))
        if problems:
            raise InputError(problems)
        options = {"turns": self.turns, "opening": self.opening}
        jobs = []
        for number in range(self.games):
            pair, mirrored = divmod(number, 2)
            name = self.scenarios[pair % len(self.scenarios)]
            players = self.players[::-1] if mirrored else self.players
            id_ = f"{pair + 1:04d}{'ab'[mirrored]}"
            jobs.append(game_job(id_, name, dict(zip(sides[name], players, strict=True)), self.seed + pair, options))
        return tuple(jobs)


@dataclass
class MatchStanding:
    """What the games so far have come to, for the first player.

    Attributes
    ----------
    won, drawn, lost : int
        Games, where the scenario says who has won.
    pairs : list of float
        What was scored in each pair, 0 to 1, in the order of the pairs; up to the first that isn't played yet.
    games : int
        How many games that are of these pairs.
    different : int
        How many of them are different games.
    failed : list of str
        Why games couldn't be played.
    """

    won: int = 0
    drawn: int = 0
    lost: int = 0
    pairs: list[float] = field(default_factory=list)
    games: int = 0
    different: int = 0
    failed: list[str] = field(default_factory=list)

    @property
    def strength(self) -> Strength | None:
        """How strong the first player is."""
        return strength(self.pairs)

    def to_dict(self, pairing: Pairing, sprt: Sprt | None) -> dict[str, object]:
        """Return it as data, ``planner/match-1``; numbers without an end are None."""
        found = self.strength
        told: dict[str, object] = {"format": "planner/match-1", "players": list(pairing.players), "games": self.games}
        told |= {"different_games": self.different, "won": self.won, "drawn": self.drawn, "lost": self.lost}
        told |= {"pairs": self.pairs, "failed": self.failed}
        if found is not None:
            told["score"] = [round(one, 4) for one in (found.low, found.score, found.high)]
            told["elo"] = [None if abs(one) == float("inf") else round(one, 1) for one in found.elo]
        if sprt is not None:
            low, high = sprt.bounds
            ratio = sprt.ratio({score: self.pairs.count(score) for score in self.pairs})
            told["sprt"] = {
                "elo0": sprt.elo0,
                "elo1": sprt.elo1,
                "ratio": round(ratio, 3),
                "bounds": [round(low, 3), round(high, 3)],
                "decided": sprt.decided(self.pairs),
            }
        return told


def standing_of(jobs: Sequence[Job], file: ResultsFile) -> MatchStanding:
    """Return what games have come to, pair by pair, as far as all pairs before are played.

    Parameters
    ----------
    jobs : sequence of Job
        The games, in pairs.
    file : ResultsFile
        With their results.

    Returns
    -------
    MatchStanding
        Of the player who has the first side in the first game of each pair, and the second in the second.
    """
    standing, seen = MatchStanding(), set[str]()
    for one, two in zip(jobs[::2], jobs[1::2], strict=True):
        results = [file.result(job) for job in (one, two)]
        if any(result is None for result in results):
            break
        try:
            _count(standing, [result for result in results if result is not None], seen)
        except (LookupError, TypeError, ValueError, ArithmeticError, AttributeError):
            what = "must be what `planner match` writes of a game"
            raise InputError([Problem(what, f"{file.path}: {one.id} or {two.id}")]) from None
    standing.different = len(seen)
    return standing


def _count(standing: MatchStanding, results: Sequence[dict[str, Any]], seen: set[str]) -> None:
    """Count what the two games of a pair have come to; it raises whatever comes of data that is something else."""
    errors = [str(result["error"]["text"]) for result in results if "error" in result]
    standing.failed += errors
    if errors:
        return
    told = [result["answer"] for result in results]
    sides = list(told[0]["record"]["players"])
    standing.games += 2
    seen |= {json.dumps([one["record"]["scenario"], one["record"]["phases"]]) for one in told}
    # For the first player; where just one game has them, somebody could not end a phase in it.
    points = [Fraction(one["points"][side]) for one, side in zip(told, sides, strict=True) if one.get("points")]
    if len(points) == 2:
        standing.won += points.count(Fraction(1))
        standing.lost += points.count(Fraction(0))
        standing.drawn += points.count(Fraction(1, 2))
        standing.pairs.append(float(sum(points) / 2))
    elif points:
        standing.pairs.append(float(points[0]))
    else:
        standing.pairs.append(_compared(told[0]["scores"], told[1]["scores"], sides))


def _compared(first: dict[str, list[str]], second: dict[str, list[str]], sides: Sequence[str]) -> float:
    """Return who has made more of the same sides: of the first player, who has the first side in the first game.

    That is how duplicate bridge is scored: each seat is compared with the same seat at the other table.
    """
    points: list[float] = []
    for side in sides:
        if side in first and side in second:
            one, two = ([Fraction(part) for part in scores[side]] for scores in (first, second))
            better = 0.5 if one == two else float(one > two)
            points.append(better if side == sides[0] else 1 - better)
    return sum(points) / len(points) if points else 0.5


def play_match(
    pairing: Pairing,
    engine: Engine,
    file: ResultsFile,
    sprt: Sprt | None = None,
    stop: threading.Event | None = None,
    on_progress: Callable[[BatchCounts], None] | None = None,
) -> MatchStanding:
    """Play the games that aren't played yet, until all are, somebody stops it, or the test is decided.

    Parameters
    ----------
    pairing : Pairing
        Who plays whom.
    engine : Engine
        Who plays the games: processes that answer by `planner.match.game.play_game`.
    file : ResultsFile
        Where results go; it is made for the jobs of the pairing.
    sprt : Sprt, optional
        The test; it looks at pairs in their order, so that games that are over sooner don't count more.
    stop, on_progress
        As for `planner.batch.run.run`.
    """
    jobs, decided = pairing.jobs(), threading.Event()
    outer = stop or threading.Event()

    def look(counts: BatchCounts) -> None:
        if on_progress is not None:
            on_progress(counts)
        found = sprt is not None and sprt.decided(standing_of(jobs, file).pairs)
        if outer.is_set() or found:
            decided.set()

    run(jobs, engine, file, stop=Either(decided, outer), on_progress=look)
    file.sort(jobs)
    return standing_of(jobs, file)
