"""`planner match`: two ways of playing against each other, and which is the stronger one."""

from __future__ import annotations

import json
import tempfile
from contextlib import ExitStack
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from planner.cli.batch import progress_bar
from planner.cli.terminal import (
    ILLEGAL,
    LEGAL,
    JsonOption,
    leave,
    output_folder,
    print_json,
    print_text,
    stopped_by_interrupt,
)

if TYPE_CHECKING:
    from planner.match.match import MatchStanding, Pairing
    from planner.match.statistics import Sprt


def match(
    scenarios: Annotated[
        list[str], typer.Argument(metavar="SCENARIO...", help="The starts, taken in turn; each has two sides.")
    ],
    player: Annotated[
        list[str],
        typer.Option("--player", metavar="PLAYER", help="Who plays, twice: as for `play`, suggest:1s for one."),
    ],
    games: Annotated[
        int, typer.Option(min=2, max=100_000, help="How many games at most; each start is played from both sides.")
    ] = 20,
    seed: Annotated[int, typer.Option(min=0, help="The seed of the first pair's dice.")] = 0,
    turns: Annotated[int | None, typer.Option(min=1, help="How many turns a game has at most.")] = None,
    opening: Annotated[
        int, typer.Option(min=0, help="How many phases chance plays first, for starts that differ.")
    ] = 0,
    sprt: Annotated[
        str | None,
        typer.Option(metavar="ELO0,ELO1", help="Stop once it is decided between these, wrong once in 20 times."),
    ] = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="The folder for records and results; a match there goes on.")
    ] = None,
    workers: Annotated[int, typer.Option(min=1, max=1_024, help="Games at a time.")] = 1,
    json_: JsonOption = False,
) -> None:
    """Play two players against each other, and say who is stronger.

    Starts are mirrored; every game is judged by the referee from its record.

    Exit 0 when it is over, 1 if games could not be played, 130 if it was interrupted: with -o, the same command goes on.
    """
    from planner.batch.engine import Bounds
    from planner.batch.local import LocalWorkers
    from planner.batch.results import results
    from planner.errors import InputError, Problem
    from planner.formats.files import write_text
    from planner.match.game import play_game
    from planner.match.match import Pairing, play_match

    if len(player) != 2:
        raise InputError([Problem(f"must be given twice, not {_times(len(player))}", "--player")])
    if games % 2:
        raise InputError(
            [Problem(f"must be an even number, not {games}: each start is played from both sides", "--games")]
        )
    test = None if sprt is None else _sprt(sprt)
    pairing = Pairing(tuple(scenarios), (player[0], player[1]), games, seed, turns, opening)
    jobs = pairing.jobs()
    with stopped_by_interrupt() as stop:  # also while it is told what it has come to
        with ExitStack() as open_:
            folder = (
                Path(open_.enter_context(tempfile.TemporaryDirectory())) if output is None else output_folder(output)
            )
            file = open_.enter_context(results(folder / "results.jsonl", jobs))
            show = open_.enter_context(progress_bar())
            engine = LocalWorkers(workers, play_game, Path(), Bounds())
            open_.callback(engine.close)
            standing = play_match(pairing, engine, file, test, stop, show)
            if output is not None:
                for job in jobs:
                    told = file.result(job)
                    if told is not None and "answer" in told:
                        write_text(folder / f"{job.id}.json", json.dumps(told["answer"]["record"], indent=1) + "\n")
        interrupted = stop.is_set()
        if json_:
            print_json(standing.to_dict(pairing, test))
        else:
            print_text(_text(standing, pairing, test))
            if interrupted:
                print_text(f"interrupted: {pairing.games} games were asked for\n")
    leave(ILLEGAL if standing.failed else LEGAL, interrupted)


def _times(number: int) -> str:
    """Return how often something is, as a word where there is one."""
    return "once" if number == 1 else f"{number} times"


def _sprt(text: str) -> Sprt:
    """Read the two hypotheses of a test."""
    from planner.errors import InputError, Problem
    from planner.match.statistics import Sprt

    try:
        elo0, elo1 = (float(part) for part in text.split(","))
    except ValueError:
        elo0, elo1 = 1.0, 0.0
    if not -2_000 <= elo0 < elo1 <= 2_000:
        raise InputError(
            [Problem(f"must be two numbers, the lesser first, such as 0,100: not {text[:40]!r}", "--sprt")]
        )
    return Sprt(elo0, elo1)


def _text(standing: MatchStanding, pairing: Pairing, sprt: Sprt | None) -> str:
    """Return what a match has come to, as players read it."""
    one, two = pairing.players
    lines = [f"{one} against {two}: {standing.games} games in {len(standing.pairs)} pairs"]
    if standing.different < standing.games:
        lines[0] += f", {standing.different} of them different"
    if standing.won + standing.drawn + standing.lost:
        lines.append(f"won {standing.won}, drawn {standing.drawn}, lost {standing.lost}")
    found = standing.strength
    if found is not None:
        lines.append(f"score {found.score:.1%}, with 95 % confidence between {found.low:.1%} and {found.high:.1%}")
        lines.append(f"Elo {_elo(*found.elo)}")
    if sprt is not None:
        low, high = sprt.bounds
        ratio = sprt.ratio({score: standing.pairs.count(score) for score in standing.pairs})
        decided = {"elo0": f"{sprt.elo0:g} Elo", "elo1": f"{sprt.elo1:g} Elo", None: "neither yet"}
        lines.append(
            f"decided for {decided[sprt.decided(standing.pairs)]}: log-likelihood ratio {ratio:.2f}, "
            f"bounds {low:.2f} and {high:.2f}"
        )
    lines += [f"not played: {why}" for why in dict.fromkeys(standing.failed)]
    return "".join(f"{line}\n" for line in lines)


def _elo(low: float, elo: float, high: float) -> str:
    """Say how much stronger the first player is; of a score of 0 or 1, to which no number belongs, on which side."""
    if abs(elo) == inf:
        return f"at least {low:+.0f}" if elo > 0 else f"at most {high:+.0f}"
    return f"{elo:+.0f}, between {low:+.0f} and {high:+.0f}"
